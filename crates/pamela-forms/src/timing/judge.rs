//! Finds the standing of values computed from times.
//!
//! Monotone operations keep bounds; others do not. It follows the text of equations, and evaluates
//! only where the sign of a factor matters.

mod judged;
pub(super) mod known;
mod processes;

use std::rc::Rc;

use super::argument::{Argument, not_a};
use super::process::covered::never_negative;
use super::scope::Lowering;
use super::standing::{Method, Standing};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::walk::{calls, parts_of_process};
use crate::model::{Part, predefined, with_stack};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, Name, Process, ProcessKind, Range, ReduceKind, Reduction, Type,
    Value as Definition,
};
use judged::{Judged, Sign};

/// Equations that are looked at for one model; the values of further ones are on no side.
const MOST_LOOKS: usize = 20_000;

type Lowered<T> = Result<T, Diagnostic>;

impl Lowering<'_, '_> {
    /// Standing of the numeric equation at `position`, and its standing if times included all
    /// queueing.
    pub(super) fn standing_of_number(&mut self, position: usize, span: Span) -> [Standing; 2] {
        [false, true].map(|without_waiting| {
            self.judging(without_waiting, |inner| {
                inner.judge_equation(position, &[].into(), span)
            })
        })
    }

    /// Standing of the parts of the process at `position`: its times, loops and choices.
    pub(super) fn standing_of_parts(&mut self, position: usize) -> Standing {
        self.judging(false, |inner| {
            let standing = inner.judge_process_at(position, &[].into())?;
            let sign = Sign::Positive;
            Ok(Judged { standing, sign })
        })
    }

    /// The standing that `judge` finds; a value that cannot be judged is on no known side. Names that it visits do
    /// not count as mentions by the equation.
    fn judging(
        &mut self,
        without_waiting: bool,
        judge: impl FnOnce(&mut Self) -> Lowered<Judged>,
    ) -> Standing {
        if self.judge.reaching.is_empty() {
            return Standing::exact();
        }
        if self.judge.without_waiting != without_waiting {
            self.judge.known.clear();
            self.judge.without_waiting = without_waiting;
        }
        let scope = std::mem::take(&mut self.judge.scope);
        let judged = self.collecting(judge);
        self.judge.scope = scope;
        judged.map_or(Standing::Unknown, |(judged, _)| judged.standing)
    }

    fn judge(&mut self, expr: &Expr) -> Lowered<Judged> {
        with_stack(|| {
            if self.rests_on_times(Part::Expr(expr)) {
                self.judge_here(expr)
            } else {
                Ok(Judged::exact(self.sign(expr)?))
            }
        })
    }

    /// True if a part of an equation depends on times of processes, as far as its text says.
    fn rests_on_times(&self, part: Part<'_>) -> bool {
        let inexact = !self.judge.scope.is_empty();
        let mut found = false;
        let mut name = |name: &str| {
            let local = self.local(name);
            found |= match local {
                Some(Argument::Process(position, _)) => self.judge.reaching.contains(position),
                Some(_) => inexact && self.judge.scope.iter().any(|(own, _)| own == name),
                None => {
                    let position = self.model.position(name);
                    position.is_some_and(|position| self.judge.reaching.contains(&position))
                }
            };
        };
        names_of(&part, &mut name);
        calls(part, &mut |name, arguments| {
            found |= self.model.measure(name, arguments).is_some();
        });
        found
    }

    /// On which side of 0 an exact value is.
    fn sign(&mut self, expr: &Expr) -> Lowered<Sign> {
        let (value, _) = self.collecting(|inner| inner.numeric(expr))?;
        if never_negative(self.arena, &self.never_negative, value) {
            return Ok(Sign::Positive);
        }
        let negated = self.negated(value);
        Ok(
            if never_negative(self.arena, &self.never_negative, negated) {
                Sign::Negative
            } else {
                Sign::Unknown
            },
        )
    }

    fn judge_here(&mut self, expr: &Expr) -> Lowered<Judged> {
        match &expr.kind {
            ExprKind::Name(name) => {
                match self.judge.scope.iter().rev().find(|own| own.0 == *name) {
                    Some((_, judged)) => Ok(judged.clone()),
                    None => match self.model.position(name) {
                        Some(position) => self.judge_equation(position, &[].into(), expr.span),
                        None => Err(not_a("number", expr.span)),
                    },
                }
            }
            ExprKind::Call(name, arguments) => self.judge_call(name, arguments),
            ExprKind::Negate(e) => Ok(self.judge(e)?.negated()),
            ExprKind::Sum(first, rest) => {
                let mut sum = self.judge(first)?;
                for (op, term) in rest {
                    let term = self.judge(term)?;
                    sum = sum.with(match op {
                        AddOp::Add => term,
                        AddOp::Subtract => term.negated(),
                    });
                }
                Ok(sum)
            }
            ExprKind::Product(first, rest) => {
                let mut product = self.judge(first)?;
                for (op, factor) in rest {
                    let factor = self.judge(factor)?;
                    product = match op {
                        MulOp::Multiply => product.times(factor),
                        MulOp::Divide | MulOp::FloorDivide => product.times(factor.reciprocal()),
                        MulOp::Modulo => product.with(factor).through_any(),
                    };
                }
                Ok(product)
            }
            ExprKind::Power(base, exponent) => {
                let whole = match &exponent.kind {
                    ExprKind::Number(power) => power.is_integer() && !power.is_negative(),
                    _ => false,
                };
                let base = self.judge(base)?;
                if whole && base.sign == Sign::Positive {
                    Ok(base)
                } else {
                    Ok(base.with(self.judge(exponent)?).through_any())
                }
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.judge(condition)?.standing;
                let chosen = self.judge(a)?.with(self.judge(b)?);
                Ok(chosen_by(condition, chosen))
            }
            ExprKind::Switch(cases) => {
                let mut condition = Standing::exact();
                let mut chosen: Option<Judged> = None;
                for (of, value) in cases {
                    condition = condition.join(self.judge(of)?.standing);
                    let value = self.judge(value)?;
                    chosen = Some(match chosen {
                        Some(known) => known.with(value),
                        None => value,
                    });
                }
                let chosen = chosen.ok_or_else(|| not_a("number", expr.span))?;
                Ok(chosen_by(condition, chosen))
            }
            ExprKind::Reduce(reduction) => self.judge_reduction(reduction),
            ExprKind::Vector(parts) | ExprKind::And(parts) | ExprKind::Or(parts) => {
                let vector = matches!(expr.kind, ExprKind::Vector(_));
                let all = self.judge_all(parts)?;
                Ok(if vector { all } else { all.through_any() })
            }
            ExprKind::Compare(_, l, r) => Ok(self.judge(l)?.with(self.judge(r)?).through_any()),
            ExprKind::Not(e) => Ok(self.judge(e)?.through_any()),
            _ => Ok(Judged::unknown()),
        }
    }

    fn judge_all(&mut self, parts: &[Expr]) -> Lowered<Judged> {
        let mut all: Option<Judged> = None;
        for part in parts {
            let own = self.judge(part)?;
            all = Some(match all {
                Some(known) => known.with(own),
                None => own,
            });
        }
        Ok(all.unwrap_or(Judged::exact(Sign::Unknown)))
    }

    fn judge_reduction(&mut self, reduction: &Reduction) -> Lowered<Judged> {
        let around = self.judge_range(&reduction.range)?;
        let binder = self.binder(&reduction.range)?;
        let body = self.under_binder(&reduction.range.index.text, binder, |inner| {
            inner.judge(&reduction.body)
        })?;
        let body = match (reduction.kind, body.sign) {
            (ReduceKind::Product, Sign::Positive) => body,
            (ReduceKind::Product, _) => body.through_any(),
            // An empty sum is 0.
            _ => body,
        };
        Ok(chosen_by(around, body))
    }

    /// The standing of the ends of a range.
    fn judge_range(&mut self, range: &Range) -> Lowered<Standing> {
        let ends = [Some(&range.lower), Some(&range.upper)];
        let further = [range.step.as_ref(), range.quorum.as_ref()];
        let mut all = Standing::exact();
        for end in ends.into_iter().chain(further).flatten() {
            all = all.join(self.judge(end)?.standing);
        }
        Ok(all)
    }

    fn judge_call(&mut self, name: &Name, arguments: &[Expr]) -> Lowered<Judged> {
        if let Some(position) = self.model.callee(&name.text) {
            return self.judge_called(position, arguments, name.span);
        }
        if let Some((measure, process)) = self.model.measure(name, arguments) {
            return self.judge_measure(measure, process);
        }
        if let Some(replacements) = self.model.replacements(name, arguments) {
            let mut values = Standing::exact();
            let mut replaced = (*self.replaced).clone();
            for (position, value) in &replacements.values {
                values = values.join(self.judge(value)?.standing);
                replaced.insert(*position, self.numeric(value)?);
            }
            let outer = std::mem::replace(&mut self.replaced, replaced.into());
            let judged = self.judge(replacements.of);
            self.replaced = outer;
            return Ok(chosen_by(values, judged?));
        }
        let all = self.judge_all(arguments)?;
        Ok(match name.text.as_str() {
            "max" | "min" => all,
            // They never fall, and leave a value on its side of 0.
            "floor" | "ceil" | "sqrt" | "cbrt" | "E" if arguments.len() == 1 => all,
            // It never falls as the law and the probability grow.
            predefined::QUANTILE => all,
            "exp" | "ln" | "log2" if arguments.len() == 1 => Judged {
                sign: Sign::Unknown,
                ..all
            },
            _ => all.through_any(),
        })
    }

    fn judge_called(&mut self, position: usize, arguments: &[Expr], span: Span) -> Lowered<Judged> {
        let inexact = self.inexact_arguments(position, arguments)?;
        let values = self.arguments(arguments)?;
        let outer = std::mem::replace(&mut self.judge.scope, inexact);
        let judged = self.judge_equation(position, &values, span);
        self.judge.scope = outer;
        judged
    }

    /// The formals of the equation at `position` that stand for values that are not exact.
    fn inexact_arguments(
        &mut self,
        position: usize,
        arguments: &[Expr],
    ) -> Lowered<Vec<(String, Judged)>> {
        let formals = &self.model.equations()[position].formals;
        let mut inexact = Vec::new();
        for (formal, argument) in formals.iter().zip(arguments) {
            if self.is_number(argument) {
                let judged = self.judge(argument)?;
                if !judged.standing.is_exact() {
                    inexact.push((formal.text.clone(), judged));
                }
            }
        }
        Ok(inexact)
    }

    /// True if an argument is a number, not a process or a resource.
    fn is_number(&self, argument: &Expr) -> bool {
        let name = match &argument.kind {
            ExprKind::Name(name) => name,
            ExprKind::Call(name, _) => &name.text,
            _ => return true,
        };
        match self.local(name) {
            Some(local) => matches!(local, Argument::Number { .. }),
            None => {
                let kind = self.model.lookup(name).map(|equation| equation.kind);
                kind.is_none_or(|kind| kind == Type::Numeric)
            }
        }
    }

    fn judge_equation(
        &mut self,
        position: usize,
        arguments: &Rc<[Argument]>,
        span: Span,
    ) -> Lowered<Judged> {
        let model = self.model;
        let equation = &model.equations()[position];
        if let Some((basis, _)) = model.basis_of_wait(&equation.name.text) {
            let standing = if basis.is_exact() {
                Standing::exact()
            } else {
                Standing::Estimate(Method::StationaryWaits)
            };
            let sign = Sign::Positive;
            return Ok(Judged { standing, sign });
        }
        let Some(Definition::Numeric(value)) = &equation.value else {
            return match equation.kind {
                Type::Numeric => Ok(Judged::exact(Sign::Unknown)),
                _ => Err(not_a("number", span)),
            };
        };
        let depends = self.judge.reaching.contains(&position) || !self.judge.scope.is_empty();
        if self.replaced.contains_key(&position) || equation.parameter || !depends {
            return Ok(Judged::exact(Sign::Unknown));
        }
        self.looked(span)?;
        let key = self.instance(position, arguments);
        let by_itself = self.judge.scope.is_empty();
        if let Some(known) = self.judge.known.get(&key).filter(|_| by_itself) {
            return Ok(known.clone());
        }
        let scope = if arguments.is_empty() {
            std::mem::take(&mut self.judge.scope)
        } else {
            self.judge.scope.clone()
        };
        let judged = self.in_equation(equation, arguments, |inner| inner.judge(value));
        self.judge.scope = scope;
        let judged = judged?;
        if by_itself {
            self.judge.known.insert(key, judged.clone());
        }
        Ok(judged)
    }

    fn looked(&mut self, span: Span) -> Lowered<()> {
        self.judge.looks += 1;
        if self.judge.looks > MOST_LOOKS {
            Err(not_a("number", span))
        } else {
            Ok(())
        }
    }
}

/// The standing of a choice or a repetition that depends on a value of this standing.
fn chosen_by(condition: Standing, chosen: Judged) -> Judged {
    if condition.is_exact() {
        chosen
    } else {
        Judged {
            standing: condition.through_any().join(chosen.standing.through_any()),
            sign: chosen.sign,
        }
    }
}

/// Visits the names in an expression or a process, and in everything that it calls.
fn names_of(part: &Part<'_>, visit: &mut dyn FnMut(&str)) {
    let mut inner = |part: Part<'_>, _: &[&str]| with_stack(|| names_of(&part, visit));
    match part {
        Part::Expr(expr) => crate::model::parts_of_expr(expr, &mut inner),
        Part::Process(process) => parts_of_process(process, &mut inner),
    }
    match part {
        Part::Expr(Expr {
            kind: ExprKind::Name(name),
            ..
        }) => visit(name),
        Part::Expr(Expr {
            kind: ExprKind::Call(name, _),
            ..
        })
        | Part::Process(Process {
            kind: ProcessKind::Call(name, _),
            ..
        }) => visit(&name.text),
        _ => {}
    }
}
