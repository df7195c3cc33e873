//! What an expression is, by its form: a truth value, a law, or another number.

use super::build;
use super::inline::Writer;
use crate::model::predefined;
use crate::model::with_stack;
use crate::syntax::tree::{
    Composition, Expr, ExprKind, Process, ProcessKind, ReduceKind, Value as Definition,
};

/// What a number is, by its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Truth,
    Law,
    Number,
}

impl Writer<'_> {
    pub(super) fn kind(&self, expr: &Expr) -> Kind {
        with_stack(|| self.kind_here(expr))
    }

    fn kind_here(&self, expr: &Expr) -> Kind {
        let expr = self.resolved(expr);
        match &expr.kind {
            ExprKind::Number(value) if value.is_zero() || value.is_one() => Kind::Truth,
            ExprKind::Compare(..) => Kind::Truth,
            ExprKind::Call(name, _) if name.text == "integer" => Kind::Truth,
            ExprKind::Not(e) => self.kind(e),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                let all = parts.iter().all(|part| self.kind(part) == Kind::Truth);
                if all { Kind::Truth } else { Kind::Number }
            }
            _ if self.is_law(expr) => Kind::Law,
            _ => Kind::Number,
        }
    }

    /// True if a law occurs outside of its moments.
    fn is_law(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(_) => self.resolves_to_law(expr),
            ExprKind::Call(name, arguments) => {
                let own = self.equations.get(name.text.as_str());
                let body = match own.map(|equation| &equation.value) {
                    Some(Some(Definition::Numeric(body))) => with_stack(|| self.is_law(body)),
                    Some(_) => false,
                    None if predefined::is_moment(&name.text) => return false,
                    None if predefined::measure(&name.text).is_some() => {
                        return predefined::measure(&name.text) == Some(predefined::Measure::Time);
                    }
                    None => predefined::law(&name.text).is_some(),
                };
                body || arguments.iter().any(|e| with_stack(|| self.is_law(e)))
            }
            _ => {
                let mut found = false;
                crate::model::parts_of_expr(expr, &mut |part, _| {
                    if let crate::model::Part::Expr(part) = part {
                        found |= with_stack(|| self.is_law(part));
                    }
                });
                found
            }
        }
    }

    fn resolves_to_law(&self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else {
            return false;
        };
        let Some(equation) = self.equations.get(name.as_str()) else {
            return false;
        };
        let is_declared = |fact: &_| matches!(fact, crate::syntax::tree::ParameterFact::Law(_));
        match &equation.value {
            Some(Definition::Numeric(value)) => with_stack(|| self.is_law(value)),
            _ => equation.facts.iter().any(is_declared),
        }
    }

    /// The mean of an exponential law.
    pub(super) fn exponential_mean(&self, law: &Expr) -> Option<Expr> {
        match &self.resolved(law).kind {
            ExprKind::Call(name, arguments) if name.text == "exponential" => {
                arguments.first().cloned()
            }
            _ => None,
        }
    }

    /// True if the residual of a law has a closed form.
    pub(super) fn has_residual(&self, law: &Expr) -> bool {
        let law = self.resolved(law);
        if self.kind(law) != Kind::Law {
            return true;
        }
        match &law.kind {
            ExprKind::Call(name, arguments) => match name.text.as_str() {
                "exponential" | "deterministic" | "uniform" | "pareto" | "erlang" | "gamma"
                | "lognormal" => true,
                "mixture" => {
                    let laws = arguments.iter().skip(1).step_by(2);
                    laws.into_iter()
                        .all(|part| with_stack(|| self.has_residual(part)))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The time of a process that uses no resources; `None` for others.
    pub(super) fn held_time(&self, process: &Process) -> Option<Expr> {
        with_stack(|| match &process.kind {
            ProcessKind::Delay(time) => Some(time.clone()),
            ProcessKind::Sequence(parts) => {
                let times = parts.iter().map(|part| self.held_time(part));
                Some(build::sum(times.collect::<Option<_>>()?))
            }
            ProcessKind::Parallel(parts) | ProcessKind::Any(parts) => {
                let times = parts.iter().map(|part| self.held_time(part));
                let function = match process.kind {
                    ProcessKind::Parallel(_) => "max",
                    _ => "min",
                };
                Some(build::call(function, times.collect::<Option<_>>()?))
            }
            ProcessKind::If(condition, a, b) => Some(build::choice(
                condition.clone(),
                self.held_time(a)?,
                match b {
                    Some(b) => self.held_time(b)?,
                    None => build::number(0),
                },
            )),
            ProcessKind::Switch(cases) => {
                let cases = cases
                    .iter()
                    .map(|(c, p)| Some((c.clone(), self.held_time(p)?)));
                let cases = cases.collect::<Option<_>>()?;
                Some(crate::syntax::rewrite::node(ExprKind::Switch(cases)))
            }
            ProcessKind::Replicate(own) => {
                let kind = match (own.kind, &own.range.quorum) {
                    (Composition::Sequence, _) => ReduceKind::Sum,
                    (Composition::Parallel, _) => ReduceKind::Max,
                    (Composition::Any, None) => ReduceKind::Min,
                    (Composition::Any, Some(_)) => ReduceKind::Kth,
                };
                let time = self.held_time(&own.body)?;
                Some(build::reduce(kind, own.range.clone(), time))
            }
            _ => None,
        })
    }
}
