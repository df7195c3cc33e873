//! Open processes, and residuals of laws at a random time.

use super::cost::{Cost, Notes};
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, LawKind, LawName, Node, Relation};
use crate::model::{Open, not_supported, with_stack};
use crate::ring::Rational;

type Lowered<T> = Result<T, Diagnostic>;

/// Stages of an Erlang law whose residual is written out.
const MOST_STAGES: i64 = 64;

impl Lowering<'_, '_> {
    /// The cost of an open process, from its delays: the path is that of one request, the demand that of all in a unit of time.
    pub(super) fn open_cost(&mut self, open: &Open, delays: Cost, span: Span) -> Lowered<Cost> {
        let missing = || not_supported("an open process without its request", span);
        let request = self.model.position(&open.request).ok_or_else(missing)?;
        let demand = self.model.position(&open.demand).ok_or_else(missing)?;
        let one = self.process_equation(request, &[].into(), span)?;
        let delta = self.numeric_equation(demand, &[].into(), span)?;
        Ok(Cost {
            phi: one.phi,
            delta,
            time: if open.basis.repeated {
                self.arena.cumulant(1, delays.phi)
            } else {
                delays.phi
            },
            covered: false,
            outlasting: false,
            notes: Notes {
                open: Some(open.basis),
                ..Notes::default()
            },
        })
    }

    /// Asks for a utilisation below 1 of each resource that has an equation of it.
    pub(super) fn ask_all_stable(&mut self, open: &Open, span: Span) -> Lowered<()> {
        open.stable().try_for_each(|own| self.ask_stable(own, span))
    }

    /// Asks for the truth of the equation of a utilisation below 1.
    fn ask_stable(&mut self, equation: &str, span: Span) -> Lowered<()> {
        if let Some(position) = self.model.position(equation) {
            let stable = self.numeric_written_out(position, &[].into(), span)?;
            if self.arena.as_number(stable).is_some_and(Rational::is_zero) {
                let place = self.model.equations()[position].name.span;
                let message = "requests come as fast as a resource serves them, or faster";
                return Err(Diagnostic::error(message, place, "it has no stationary time").hint(
                    "its utilisation must be below 1: `omega` of the process is the largest one; lower the rate or add servers",
                ));
            }
            self.ask(&[stable]);
        }
        Ok(())
    }

    /// Adds what a wait rests on, if the equation is one.
    pub(super) fn note_wait(&mut self, equation: &str, span: Span) -> Lowered<()> {
        let Some((basis, stable)) = self.model.basis_of_wait(equation) else {
            return Ok(());
        };
        let own = Notes {
            open: Some(basis),
            ..Notes::default()
        };
        self.notes = self.notes.and(own);
        match stable {
            Some(stable) => self.ask_stable(stable, span),
            None => Ok(()),
        }
    }

    /// Residual of a law at a random time, with the density `P(X > x)/E(X)`.
    pub(super) fn residual(&mut self, law: ExprId, span: Span) -> Lowered<ExprId> {
        with_stack(|| self.residual_here(law, span))
    }

    fn residual_here(&mut self, law: ExprId, span: Span) -> Lowered<ExprId> {
        if !self.is_law(law) {
            let zero = self.arena.number(0);
            let positive = self.arena.relate(Relation::LessEqual, zero, law);
            self.ask(&[positive]);
            return Ok(self.named(LawName::Uniform, &[zero, law]));
        }
        let node = self.arena.node(law).clone();
        match node {
            Node::Law(LawKind::Named(name), arguments) => {
                self.residual_of_named(name, &arguments, span)
            }
            Node::Law(LawKind::Scale, parts) => {
                let inner = self.residual(parts[1], span)?;
                Ok(self.arena.scale(parts[0], inner))
            }
            Node::Law(LawKind::Mixture, parts) => {
                let mut loads = Vec::new();
                for part in parts.chunks(2) {
                    let mean = self.arena.cumulant(1, part[1]);
                    loads.push(self.arena.mul(&[part[0], mean]));
                }
                let total = self.arena.add(&loads);
                let mut mixed = Vec::new();
                for (part, load) in parts.chunks(2).zip(loads) {
                    if self.arena.as_number(load).is_some_and(Rational::is_zero) {
                        continue;
                    }
                    mixed.push((load, self.residual(part[1], span)?));
                }
                Ok(self.weighted(&mixed, total))
            }
            Node::Add(terms) => {
                let (laws, numbers): (Vec<ExprId>, Vec<ExprId>) =
                    terms.iter().partition(|&&term| self.is_law(term));
                match (laws.as_slice(), numbers.is_empty()) {
                    (&[inner], false) => {
                        let before = self.arena.add(&numbers);
                        let first = self.residual(before, span)?;
                        let inner_residual = self.residual(inner, span)?;
                        let later = self.arena.add(&[before, inner_residual]);
                        let mean = self.arena.cumulant(1, inner);
                        let total = self.arena.add(&[before, mean]);
                        Ok(self.weighted(&[(before, first), (mean, later)], total))
                    }
                    _ => Err(no_residual(span)),
                }
            }
            _ => Err(no_residual(span)),
        }
    }

    fn residual_of_named(
        &mut self,
        name: LawName,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<ExprId> {
        let (zero, one, two) = (
            self.arena.number(0),
            self.arena.number(1),
            self.arena.number(2),
        );
        match (name, arguments) {
            (LawName::Exponential, _) => Ok(self.named(name, arguments)),
            (LawName::Uniform, &[lower, upper]) => {
                let width = self.arena.subtract(upper, lower);
                let shape = self.named(LawName::Beta, &[one, two]);
                let scaled = self.arena.scale(width, shape);
                if self.arena.as_number(lower).is_some_and(Rational::is_zero) {
                    return Ok(scaled);
                }
                let first = self.residual(lower, span)?;
                let later = self.arena.add(&[lower, scaled]);
                let half = self.arena.divide(width, two);
                let total = self.arena.add(&[lower, half]);
                Ok(self.weighted(&[(lower, first), (half, later)], total))
            }
            (LawName::Erlang, &[stages, mean]) => {
                let count = self.arena.as_number(stages).and_then(Rational::to_i64);
                let Some(count) = count.filter(|count| (1..=MOST_STAGES).contains(count)) else {
                    let more = self.arena.add(&[stages, one]);
                    let stage = self.arena.divide(mean, stages);
                    let mean = self.arena.mul(&[more, stage]);
                    return Ok(self.part_of(LawName::Erlang, &[more, mean]));
                };
                let mut parts = Vec::new();
                for stage in 1..=count {
                    let (own, share) = (self.arena.number(stage), self.arena.divide(mean, stages));
                    let mean = self.arena.mul(&[own, share]);
                    parts.push((one, self.named(LawName::Erlang, &[own, mean])));
                }
                Ok(self.weighted(&parts, stages))
            }
            (LawName::Pareto, &[shape, scale]) => {
                let above = self.arena.subtract(shape, one);
                let first = self.named(LawName::Uniform, &[zero, scale]);
                let later = self.named(LawName::Pareto, &[above, scale]);
                let positive = self.arena.positive(above);
                self.ask(&[positive]);
                Ok(self.weighted(&[(above, first), (one, later)], shape))
            }
            (LawName::Gamma, &[shape, scale]) => {
                let more = self.arena.add(&[shape, one]);
                Ok(self.part_of(name, &[more, scale]))
            }
            (LawName::Lognormal, &[mean, deviation]) => {
                let square = self.arena.pow(deviation, two);
                let mean = self.arena.add(&[mean, square]);
                Ok(self.part_of(name, &[mean, deviation]))
            }
            _ => Err(no_residual(span)),
        }
    }

    /// A uniform part of the law of the time in which a random moment falls, whose density is `x` times that of the times
    /// themselves, divided by their mean.
    fn part_of(&mut self, name: LawName, arguments: &[ExprId]) -> ExprId {
        let [zero, one] = [0, 1].map(|value| self.arena.number(value));
        let uniform = self.named(LawName::Uniform, &[zero, one]);
        let longer = self.named(name, arguments);
        self.arena.law(LawKind::Product, &[uniform, longer])
    }

    fn named(&mut self, name: LawName, arguments: &[ExprId]) -> ExprId {
        self.arena.law(LawKind::Named(name), arguments)
    }

    /// A mixture by weights that add up to `total`.
    fn weighted(&mut self, parts: &[(ExprId, ExprId)], total: ExprId) -> ExprId {
        if let [(_, only)] = parts {
            return *only;
        }
        let mut operands = Vec::new();
        for &(weight, law) in parts {
            operands.extend([self.arena.divide(weight, total), law]);
        }
        self.arena.law(LawKind::Mixture, &operands)
    }
}

fn no_residual(span: Span) -> Diagnostic {
    not_supported("the residual of this law", span).hint(
        "it is known of numbers, of `exponential`, `uniform`, `erlang`, `gamma`, `lognormal` and `pareto` laws, and of mixtures and multiples of these",
    )
}
