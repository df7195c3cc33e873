//! The definitional evaluator of processes: critical path, demand and time, straight from the process.

use num_rational::BigRational;

use super::conditions::Condition;
use super::environment::{Argument, Local, Scope, find};
use super::evaluate::{Evaluator, at};
use super::not_supported;
use super::number::Number;
use super::value::Vector;
use super::walk::with_stack;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{
    Composition, Expr, ExprKind, Process, ProcessKind, Replication, Type, Value as Definition,
};

/// What a process takes (thesis section 6.1.2, with `errata`).
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Critical path: the time without any contention.
    pub phi: Number,
    /// Demand: for each resource, the time that it is held, over its multiplicity.
    pub delta: Vector,
    /// The largest demand, at least that of an unused resource, 0.
    pub omega: Number,
    /// Lower bound on the execution time.
    pub time: Number,
}

/// A process without its `omega`, which only a parallel section needs.
struct Cost {
    phi: Number,
    delta: Vector,
    time: Number,
}

impl Cost {
    fn of_time(time: Number) -> Cost {
        Cost {
            phi: time.clone(),
            delta: Vector::default(),
            time,
        }
    }

    fn nothing() -> Cost {
        Cost::of_time(Number::zero())
    }

    fn then(&self, next: &Cost, span: Span) -> Result<Cost, Diagnostic> {
        Ok(Cost {
            phi: at(self.phi.add(&next.phi), span)?,
            delta: at(self.delta.combine(&next.delta, Number::add), span)?,
            time: at(self.time.add(&next.time), span)?,
        })
    }

    fn scaled(&self, weight: &Number, span: Span) -> Result<Cost, Diagnostic> {
        Ok(Cost {
            phi: at(self.phi.multiply(weight), span)?,
            delta: at(self.delta.map(|x| x.multiply(weight)), span)?,
            time: at(self.time.multiply(weight), span)?,
        })
    }
}

/// One element of an array of resources.
struct Resource<'m> {
    array: &'m str,
    index: BigRational,
    multiplicity: Number,
}

impl<'m> Evaluator<'m> {
    /// The timing of the process at `position`, which has no arguments.
    pub(super) fn timing(&mut self, position: usize) -> Result<Timing, Diagnostic> {
        if let Some(timing) = self.timings.get(&position) {
            return Ok(timing.clone());
        }
        let model = self.model;
        let equation = &model.equations()[position];
        let Some(Definition::Process(process)) = &equation.value else {
            return Err(not_supported(
                "a process without a value",
                equation.name.span,
            ));
        };
        if !equation.formals.is_empty() {
            let message = format!("`{}` needs arguments", equation.name.text);
            return Err(Diagnostic::error(
                message,
                equation.name.span,
                "only a process without can be evaluated",
            ));
        }
        let cost = self.cost(process, &None)?;
        let omega = cost.delta.without_zeros().extreme(Number::max);
        let timing = Timing {
            phi: cost.phi,
            delta: cost.delta,
            omega,
            time: cost.time,
        };
        self.timings.insert(position, timing.clone());
        Ok(timing)
    }

    fn cost(&mut self, process: &'m Process, scope: &Scope<'m>) -> Result<Cost, Diagnostic> {
        self.step(process.span, 1)?;
        with_stack(|| self.cost_here(process, scope))
    }

    fn cost_here(&mut self, process: &'m Process, scope: &Scope<'m>) -> Result<Cost, Diagnostic> {
        let span = process.span;
        match &process.kind {
            ProcessKind::Delay(time) => Ok(Cost::of_time(self.scalar(time, scope)?)),
            ProcessKind::Use(resource, time) => self.use_of(resource, time, span, scope),
            ProcessKind::Sequence(parts) => parts.iter().try_fold(Cost::nothing(), |sum, part| {
                sum.then(&self.cost(part, scope)?, span)
            }),
            ProcessKind::Parallel(parts) => {
                let costs: Result<Vec<Cost>, _> =
                    parts.iter().map(|p| self.cost(p, scope)).collect();
                self.parallel(costs?, span)
            }
            ProcessKind::Any(parts) => {
                let costs: Result<Vec<Cost>, _> =
                    parts.iter().map(|p| self.cost(p, scope)).collect();
                let (phis, times): (Vec<_>, Vec<_>) =
                    costs?.into_iter().map(|c| (c.phi, c.time)).unzip();
                let smallest = |values: Vec<Number>| {
                    values
                        .into_iter()
                        .reduce(Number::min)
                        .unwrap_or_else(Number::zero)
                };
                Ok(Cost {
                    phi: smallest(phis),
                    delta: Vector::default(),
                    time: smallest(times),
                })
            }
            ProcessKind::Replicate(replication) => self.replicate(replication, span, scope),
            ProcessKind::If(condition, a, b) => match (self.condition(condition, scope)?, b) {
                (Condition::Truth(true), _) => self.cost(a, scope),
                (Condition::Truth(false), Some(b)) => self.cost(b, scope),
                (Condition::Truth(false), None) => Ok(Cost::nothing()),
                (Condition::Weight(weight), b) => {
                    let taken = self.cost(a, scope)?.scaled(&weight, span)?;
                    let Some(b) = b else { return Ok(taken) };
                    let rest = at(weight.complement(), condition.span)?;
                    taken.then(&self.cost(b, scope)?.scaled(&rest, span)?, span)
                }
            },
            ProcessKind::Switch(cases) => {
                let conditions: Vec<&Expr> = cases.iter().map(|(c, _)| c).collect();
                match self.switch(&conditions, span, scope)? {
                    Ok(chosen) => self.cost(&cases[chosen].1, scope),
                    Err(weights) => {
                        let mut sum = Cost::nothing();
                        for (weight, (_, part)) in weights.iter().zip(cases) {
                            sum = sum.then(&self.cost(part, scope)?.scaled(weight, span)?, span)?;
                        }
                        Ok(sum)
                    }
                }
            }
            ProcessKind::Call(name, arguments) => {
                self.cost_of_call(&name.text, arguments, name.span, scope)
            }
        }
    }

    fn use_of(
        &mut self,
        resource: &'m Expr,
        time: &'m Expr,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cost, Diagnostic> {
        let time = self.scalar(time, scope)?;
        let Resource {
            array,
            index,
            multiplicity,
        } = self.resource(resource, scope)?;
        let demand = at(time.divide(&multiplicity), span)?;
        let delta = at(
            Vector::unit(array, index).map(|x| x.multiply(&demand)),
            span,
        )?;
        Ok(Cost {
            delta,
            ..Cost::of_time(time)
        })
    }

    fn parallel(&mut self, costs: Vec<Cost>, span: Span) -> Result<Cost, Diagnostic> {
        let mut whole: Option<Cost> = None;
        for cost in costs {
            whole = Some(match whole {
                None => cost,
                Some(whole) => Cost {
                    phi: whole.phi.max(cost.phi),
                    delta: at(whole.delta.combine(&cost.delta, Number::add), span)?,
                    time: whole.time.max(cost.time),
                },
            });
        }
        let Some(whole) = whole else {
            return Ok(Cost::nothing());
        };
        let omega = whole.delta.without_zeros().extreme(Number::max);
        Ok(Cost {
            time: whole.time.max(omega),
            ..whole
        })
    }

    fn replicate(
        &mut self,
        replication: &'m Replication,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cost, Diagnostic> {
        let range = &replication.range;
        let mut indices = self.indices(range, scope)?;
        let mut costs = Vec::new();
        let mut sum = Cost::nothing();
        while let Some(inner) = self.advance(&mut indices, range, scope)? {
            let cost = self.cost(&replication.body, &inner)?;
            if replication.kind == Composition::Sequence {
                sum = sum.then(&cost, span)?;
            } else {
                costs.push(cost);
            }
        }
        match replication.kind {
            Composition::Sequence => Ok(sum),
            Composition::Parallel => self.parallel(costs, span),
            Composition::Any => {
                let (phis, times): (Vec<_>, Vec<_>) =
                    costs.into_iter().map(|c| (c.phi, c.time)).unzip();
                let phi = self.quorum(range, phis, scope)?;
                let time = self.quorum(range, times, scope)?;
                Ok(Cost {
                    phi,
                    delta: Vector::default(),
                    time,
                })
            }
        }
    }

    fn cost_of_call(
        &mut self,
        name: &str,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cost, Diagnostic> {
        if let Some(local) = find(scope, name) {
            let Local::Argument(argument) = local else {
                return Err(Diagnostic::error(
                    "expected a process, found an index",
                    span,
                    "a number",
                ));
            };
            let argument = argument.clone();
            return self.cost_of_argument(&argument);
        }
        let model = self.model;
        let process = model.lookup(name).filter(|e| e.kind == Type::Process);
        let Some((equation, Some(Definition::Process(process)))) = process.map(|e| (e, &e.value))
        else {
            return Err(Diagnostic::error(
                format!("`{name}` is not a process"),
                span,
                "expected a process",
            ));
        };
        let inner = self.call_scope(equation, arguments, scope);
        self.cost(process, &inner)
    }

    fn cost_of_argument(&mut self, argument: &Argument<'m>) -> Result<Cost, Diagnostic> {
        let expr = argument.expr;
        with_stack(|| match &expr.kind {
            ExprKind::Name(name) => self.cost_of_call(name, &[], expr.span, &argument.scope),
            ExprKind::Call(name, arguments) => {
                self.cost_of_call(&name.text, arguments, name.span, &argument.scope)
            }
            _ => Err(Diagnostic::error(
                "expected a process, found a number",
                expr.span,
                "a number",
            )),
        })
    }

    fn resource(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> Result<Resource<'m>, Diagnostic> {
        self.step(expr.span, 1)?;
        with_stack(|| match &expr.kind {
            ExprKind::Name(name) => match find(scope, name).cloned() {
                Some(Local::Argument(argument)) => self.resource(argument.expr, &argument.scope),
                _ => self.resource_of_name(name, &[], expr.span, scope),
            },
            ExprKind::Call(name, arguments) => {
                self.resource_of_name(&name.text, arguments, name.span, scope)
            }
            _ => Err(Diagnostic::error(
                "expected a resource, found a number",
                expr.span,
                "a number",
            )),
        })
    }

    fn resource_of_name(
        &mut self,
        name: &'m str,
        arguments: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Resource<'m>, Diagnostic> {
        let model = self.model;
        if model.is_resource_array(name) {
            let index = match arguments.first() {
                Some(index) => self.index(index, scope)?,
                None => BigRational::from_integer(0.into()),
            };
            let Some(multiplicity) = arguments.get(1) else {
                return Ok(Resource {
                    array: name,
                    index,
                    multiplicity: Number::one(),
                });
            };
            let place = multiplicity.span;
            let multiplicity = self.scalar(multiplicity, scope)?;
            if multiplicity.compare(&Number::zero()).is_le() {
                let message = format!("the multiplicity of a resource is {multiplicity}");
                return Err(Diagnostic::error(message, place, "must be positive"));
            }
            return Ok(Resource {
                array: name,
                index,
                multiplicity,
            });
        }
        match model.lookup(name).map(|e| (e, &e.value)) {
            Some((equation, Some(Definition::Resource(value)))) => {
                let inner = self.call_scope(equation, arguments, scope);
                self.resource(value, &inner)
            }
            _ => Err(Diagnostic::error(
                format!("`{name}` is not a resource"),
                span,
                "expected a resource",
            )),
        }
    }
}
