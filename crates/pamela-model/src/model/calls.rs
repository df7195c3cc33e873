//! Calls of one equation with the same arguments: what they come to is kept.
//!
//! An argument is evaluated where it is first needed, and one that is not needed may have no value. So a call is known
//! again where the callee needs all of its arguments whatever their values are, as its form tells.

use std::collections::HashMap;

use super::fraction::Fraction;

use super::Model;
use super::chance::Chance;
use super::environment::{Local, Scope, find, locals};
use super::evaluate::Evaluator;
use super::number::Number;
use super::predefined;
use super::processes::Duration;
use super::value::{Value, Vector};
use super::walk::with_stack;
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::{
    Composition, Expr, ExprKind, Name, Process, ProcessKind, Range, Type, Value as Definition,
};

/// More calls are not kept.
const MOST_KEPT: usize = 500_000;
/// Of equations with more formals no call is kept.
const MOST_FORMALS: usize = 32;

/// What is asked of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Asked {
    Number,
    Duration(Duration),
    Demand,
}

/// What is asked of which equation, and the arguments: their values, and whether each is a truth value by its form.
type Call = (Asked, usize, Vec<(Fraction, bool)>);

type Kept<T> = HashMap<Call, T>;

/// What calls with arguments came to.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) numbers: Kept<Value>,
    pub(super) durations: Kept<Number>,
    pub(super) demands: Kept<Vector>,
}

/// Formals by their positions, as bits.
type Formals = u32;

/// The formals that an equation needs whatever their values are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// For the demand of a process.
    demand: Formals,
    /// For how long it takes, and for a number.
    other: Formals,
}

/// Of all equations; `order` lists each after those that it mentions.
pub(super) fn of_equations(model: &Model, order: &[usize]) -> Vec<Needs> {
    let mut known = vec![Needs::default(); model.equations.len()];
    for &position in order {
        let equation = &model.equations[position];
        if equation.formals.len() > MOST_FORMALS {
            continue;
        }
        let formals: Vec<&str> = equation.formals.iter().map(|f| f.text.as_str()).collect();
        let of = |demand: bool| {
            let form = Form {
                model,
                known: &known,
                formals: &formals,
                demand,
            };
            match &equation.value {
                Some(Definition::Numeric(e)) => form.expr(e),
                Some(Definition::Process(p)) => form.process(p),
                _ => 0,
            }
        };
        known[position] = Needs {
            demand: of(true),
            other: of(false),
        };
    }
    known
}

/// What the form of a right-hand side tells.
struct Form<'a> {
    model: &'a Model,
    known: &'a [Needs],
    formals: &'a [&'a str],
    demand: bool,
}

impl Form<'_> {
    fn expr(&self, expr: &Expr) -> Formals {
        let all = |parts: &[Expr]| parts.iter().fold(0, |sum, part| sum | self.expr(part));
        with_stack(|| match &expr.kind {
            ExprKind::Number(_) | ExprKind::Text(_) => 0,
            ExprKind::Name(name) => self.formal(name),
            ExprKind::Call(name, arguments) => match self.model.callee(&name.text) {
                Some(_) => self.call(name, arguments, false),
                None if is_evaluated_first(&name.text) => all(arguments),
                None => 0,
            },
            ExprKind::Negate(e) | ExprKind::Not(e) => self.expr(e),
            ExprKind::Sum(first, rest) => rest
                .iter()
                .fold(self.expr(first), |sum, (_, e)| sum | self.expr(e)),
            ExprKind::Product(first, rest) => rest
                .iter()
                .fold(self.expr(first), |sum, (_, e)| sum | self.expr(e)),
            ExprKind::Power(l, r) | ExprKind::Compare(_, l, r) => self.expr(l) | self.expr(r),
            // The others may not be looked at.
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts.first().map_or(0, |part| self.expr(part))
            }
            ExprKind::If(c, a, b) => self.expr(c) | self.expr(a) & self.expr(b),
            ExprKind::Switch(cases) => self.cases(cases, &|e| self.expr(e)),
            ExprKind::Reduce(reduction) => self.range(&reduction.range),
            ExprKind::Vector(parts) => all(parts),
        })
    }

    fn process(&self, process: &Process) -> Formals {
        let all = |parts: &[Process]| parts.iter().fold(0, |sum, part| sum | self.process(part));
        with_stack(|| match &process.kind {
            ProcessKind::Delay(_) if self.demand => 0,
            ProcessKind::Delay(time) | ProcessKind::Use(_, time) => self.expr(time),
            ProcessKind::Any(_) if self.demand => 0,
            ProcessKind::Sequence(parts)
            | ProcessKind::Parallel(parts)
            | ProcessKind::Any(parts) => all(parts),
            ProcessKind::Replicate(r) if self.demand && r.kind == Composition::Any => 0,
            ProcessKind::Replicate(r) => self.range(&r.range),
            ProcessKind::If(c, a, b) => {
                let otherwise = b.as_ref().map_or(0, |b| self.process(b));
                self.expr(c) | self.process(a) & otherwise
            }
            ProcessKind::Switch(cases) => self.cases(cases, &|p| self.process(p)),
            ProcessKind::Call(name, arguments) => self.call(name, arguments, self.demand),
        })
    }

    fn formal(&self, name: &str) -> Formals {
        let position = self.formals.iter().position(|formal| *formal == name);
        position.map_or(0, |position| 1 << position)
    }

    fn call(&self, name: &Name, arguments: &[Expr], demand: bool) -> Formals {
        // A formal may have the name of an equation.
        if self.formals.contains(&name.text.as_str()) {
            return 0;
        }
        let Some(position) = self.model.position(&name.text) else {
            return 0;
        };
        let needs = match demand {
            true => self.known[position].demand,
            false => self.known[position].other,
        };
        let needed = arguments.iter().take(MOST_FORMALS).enumerate();
        needed
            .filter(|(number, _)| needs >> number & 1 == 1)
            .fold(0, |sum, (_, argument)| sum | self.expr(argument))
    }

    /// The first condition, and what all alternatives need.
    fn cases<T>(&self, cases: &[(Expr, T)], of: &dyn Fn(&T) -> Formals) -> Formals {
        let first = cases
            .first()
            .map_or(0, |(condition, _)| self.expr(condition));
        let all = cases.iter().map(|(_, case)| of(case));
        first | all.reduce(|a, b| a & b).unwrap_or(0)
    }

    /// The body may never be looked at.
    fn range(&self, range: &Range) -> Formals {
        self.expr(&range.lower) | self.expr(&range.upper)
    }
}

/// Whether all arguments of a function of the language are evaluated; `unitvec` takes the name of an array.
fn is_evaluated_first(function: &str) -> bool {
    predefined::is_reserved(function) && function != "unitvec"
}

impl<'m> Evaluator<'m> {
    /// What is `asked` of the equation at `position`, which is called with the arguments of `scope`: `work` evaluates
    /// it, unless it was asked before.
    pub(super) fn call_of<T: Clone>(
        &mut self,
        (asked, position, scope): (Asked, usize, &Scope<'m>),
        kept: impl Fn(&mut Calls) -> &mut Kept<T>,
        work: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let Some(arguments) = self.needed_arguments(asked, position, scope)? else {
            return work(self);
        };
        let call = (asked, position, arguments);
        if let Some(known) = kept(&mut self.calls).get(&call) {
            return Ok(known.clone());
        }
        let (value, drawn) = self.drawing(work)?;
        let kept = kept(&mut self.calls);
        if !drawn && kept.len() < MOST_KEPT {
            kept.insert(call, value.clone());
        }
        Ok(value)
    }

    /// The arguments of a call that is kept; `None` for another one.
    fn needed_arguments(
        &mut self,
        asked: Asked,
        position: usize,
        scope: &Scope<'m>,
    ) -> Result<Option<Vec<(Fraction, bool)>>, Diagnostic> {
        // What is random is drawn for each call.
        if !matches!(self.chance, Chance::None) {
            return Ok(None);
        }
        let model = self.model;
        let needs = match asked {
            Asked::Demand => model.needs[position].demand,
            _ => model.needs[position].other,
        };
        let formals = model.equations()[position].formals.len();
        if formals > MOST_FORMALS || (1_u64 << formals) - 1 != u64::from(needs) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(formals);
        for local in locals(scope) {
            let (value, truth) = match local {
                Local::Index(index) => (index.clone(), false),
                Local::Argument(argument) => {
                    let Value::Scalar(value) = self.argument(&argument)? else {
                        return Ok(None);
                    };
                    (value, self.is_true_or_false(&argument))
                }
            };
            match value {
                Number::Exact(value) => values.push((value, truth)),
                Number::Real(_) => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    /// The equation that a call of a process in `scope` refers to.
    pub(super) fn called_process(&self, name: &str, scope: &Scope<'m>) -> Option<usize> {
        let position = self.model.position(name)?;
        let is_process = self.model.equations()[position].kind == Type::Process;
        (is_process && find(scope, name).is_none()).then_some(position)
    }
}
