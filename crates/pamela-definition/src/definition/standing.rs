//! Relations of time and demand of a part that hold for all random draws.
//!
//! If one is always at least the other, only the larger one counts in a parallel section.

use std::collections::{BTreeMap, BTreeSet};

use super::fraction::Fraction;
use super::memory::Duration;
use super::scope::Scope;

use super::evaluate::Evaluator;
use super::number::Number;
use super::parts::{Composed, Visit};
use super::value::Vector;
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::special::Halves;
use crate::syntax::tree::{Composition, Process, ProcessKind};

/// A resource: its array and its index.
type Place<'m> = (&'m str, Fraction);

/// The random parts of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    Nothing,
    Parts,
    /// Only the number of parts is random.
    Number,
}

/// Comparison of the time of a process with its demand, if none of its times is negative.
#[derive(Clone, Debug, PartialEq)]
struct Standing<'m> {
    /// Its largest demand is never below its time: services at single servers, in parallel or at one of them.
    covered: bool,
    /// Its time is never below a demand.
    outlasting: bool,
    /// The resources that it may use.
    wants: BTreeSet<Place<'m>>,
}

/// A part of a parallel section in one run.
struct Part<'m> {
    process: &'m Process,
    scope: Scope<'m>,
    time: Number,
    demand: Vector,
}

impl<'m> Evaluator<'m> {
    /// The time of a parallel section in the present run: its parts and their demands draw their own, but of two that
    /// come from the same times, and of which one is never below the other, that one counts alone.
    pub(super) fn drawn_section(
        &mut self,
        composed: Composed<'m>,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let outer = self.negative.take();
        let mut parts: Vec<Part<'m>> = Vec::new();
        let drawn_times = self.visit_drawing(composed, scope, &mut |evaluator, part, inner| {
            parts.push(Part {
                process: part,
                scope: inner.clone(),
                time: evaluator.duration(Duration::Time, part, inner)?,
                demand: Vector::default(),
            });
            Ok(())
        })?;
        let mut demands = Vec::new();
        let drawn_demands =
            self.visit_drawing(composed, scope, &mut |evaluator, part, inner| {
                demands.push(evaluator.demand(part, inner)?);
                Ok(())
            })?;
        let negative = self.negative.is_some();
        self.negative = outer.or(self.negative.take());
        let apart = drawn_times == Drawn::Parts && drawn_demands == Drawn::Parts && !negative;
        let known = apart && demands.iter().all(Vector::is_nonnegative);
        let mut longest = Number::zero();
        if !known {
            let times = parts.into_iter().map(|part| part.time);
            longest = times.fold(longest, Number::max);
        } else {
            for (part, demand) in parts.iter_mut().zip(&mut demands) {
                std::mem::swap(&mut part.demand, demand);
            }
            (longest, demands) = self.what_counts(parts)?;
        }
        let mut sum = Halves::default();
        for demand in demands {
            sum.push(demand, |a, b| self.sum_of_demands(&a, &b, span))?;
        }
        let sum = sum.finish(|a, b| self.sum_of_demands(&a, &b, span))?;
        Ok(longest.max(sum.unwrap_or_default().largest()))
    }

    /// Visits the parts, and tells where chance had a part.
    fn visit_drawing(
        &mut self,
        composed: Composed<'m>,
        scope: &Scope<'m>,
        visit: Visit<'_, 'm>,
    ) -> Result<Drawn, Diagnostic> {
        let before = self.draws;
        let mut in_parts = 0;
        self.each_part(composed, scope, &mut |evaluator, part, inner| {
            let before = evaluator.draws;
            visit(evaluator, part, inner)?;
            in_parts += evaluator.draws - before;
            Ok(())
        })?;
        Ok(match self.draws - before {
            0 => Drawn::Nothing,
            all if all == in_parts => Drawn::Parts,
            _ => Drawn::Number,
        })
    }

    /// The longest of the times, and the demands, that count.
    fn what_counts(&mut self, parts: Vec<Part<'m>>) -> Result<(Number, Vec<Vector>), Diagnostic> {
        let standings = parts
            .iter()
            .map(|part| self.standing(part.process, &part.scope));
        let standings = standings.collect::<Result<Vec<Standing<'m>>, Diagnostic>>()?;
        let mut wanted: BTreeMap<&Place<'m>, usize> = BTreeMap::new();
        for place in standings.iter().flat_map(|standing| &standing.wants) {
            *wanted.entry(place).or_default() += 1;
        }
        let mut longest = Number::zero();
        let mut demands = Vec::new();
        for (part, standing) in parts.into_iter().zip(&standings) {
            let mut demand = part.demand;
            if !standing.covered {
                longest = longest.max(part.time);
                if standing.outlasting {
                    let own = standing.wants.iter().filter(|place| wanted[place] == 1);
                    for (array, index) in own {
                        demand.remove(array, index);
                    }
                }
            }
            demands.push(demand);
        }
        Ok((longest, demands))
    }

    fn standing(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<Standing<'m>, Diagnostic> {
        self.step(process.span, 1)?;
        with_stack(|| self.standing_here(process, scope))
    }

    /// One long function, because it is a table with an arm for each kind of process.
    fn standing_here(
        &mut self,
        process: &'m Process,
        scope: &Scope<'m>,
    ) -> Result<Standing<'m>, Diagnostic> {
        let of_nothing = Standing {
            covered: true,
            outlasting: true,
            wants: BTreeSet::new(),
        };
        match &process.kind {
            ProcessKind::Delay(_) => Ok(Standing {
                covered: false,
                ..of_nothing
            }),
            ProcessKind::Use(resource, _) => {
                let resource = self.resource(resource, scope)?;
                let servers = &resource.multiplicity;
                Ok(Standing {
                    covered: servers.is_one(),
                    outlasting: servers.order(&Number::one()).is_ge(),
                    wants: [(resource.array, resource.index)].into(),
                })
            }
            ProcessKind::Hold(resource, body) => {
                let mut whole = self.standing(body, scope)?;
                let resource = self.resource(resource, scope)?;
                let servers = &resource.multiplicity;
                let place = (resource.array, resource.index);
                whole.covered = servers.is_one();
                // Held several times at once, it may be demanded for longer.
                whole.outlasting &= servers.order(&Number::one()).is_ge();
                whole.outlasting &= !whole.wants.contains(&place);
                whole.wants.insert(place);
                Ok(whole)
            }
            ProcessKind::Call(name, arguments) => {
                let (callee, inner) = self.callee(&name.text, arguments, name.span, scope)?;
                self.standing(callee, &inner)
            }
            ProcessKind::If(..) | ProcessKind::Switch(_) => {
                let (parts, drawn) = self.drawing(|e| e.alternatives(process, scope))?;
                let certain = !drawn && parts.iter().all(|(weight, _)| weight.is_one());
                let mut whole = of_nothing;
                for (_, part) in parts {
                    whole.join(self.standing(part, scope)?);
                }
                // With a random choice, the demand is the weighted sum of the demands of the alternatives.
                whole.covered &= certain;
                whole.outlasting &= certain;
                Ok(whole)
            }
            ProcessKind::Graph(graph) => {
                let mut whole = of_nothing;
                for instance in self.instances(graph, process.span, scope)?.tasks {
                    whole.join(self.standing(instance.task(), &instance.scope)?);
                }
                whole.covered = false;
                whole.outlasting = false;
                Ok(whole)
            }
            ProcessKind::Sequence(_)
            | ProcessKind::Parallel(_)
            | ProcessKind::Any(_)
            | ProcessKind::Replicate(_) => {
                let Some(composed) = Composed::of(process) else {
                    return Ok(of_nothing);
                };
                let mut whole = of_nothing;
                self.each_part(composed, scope, &mut |evaluator, part, inner| {
                    whole.join(evaluator.standing(part, inner)?);
                    Ok(())
                })?;
                match composed.composition {
                    Composition::Parallel => {}
                    Composition::Sequence => whole.covered &= whole.wants.len() <= 1,
                    // The demand of stopped branches does not count.
                    Composition::Any => {
                        whole.covered = false;
                        whole.wants.clear();
                    }
                }
                Ok(whole)
            }
        }
    }
}

impl<'m> Standing<'m> {
    /// Keeps the properties that hold for both.
    fn join(&mut self, other: Standing<'m>) {
        self.covered &= other.covered;
        self.outlasting &= other.outlasting;
        self.wants.extend(other.wants);
    }
}
