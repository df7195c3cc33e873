//! Reads the form of a recurrence: where it ends, its parts and the work beside them.

use super::Unsolved;
use super::history::{self, History};
use super::sizes::Size;
use crate::model::build::{Builder, Head, literal, mentions, mentions_call};
use crate::model::walk;
use crate::ring::Rational;
use crate::syntax::tree::{AddOp, Equation, Expr, ExprKind, MulOp, Relation, Value};

/// `T(n) = if (n <= end) base else a * T(size) + .. + work`
pub struct Recurrence<'e> {
    pub build: Builder,
    pub head: Head<'e>,
    /// The whole right-hand side.
    pub value: &'e Expr,
    /// The value where the recurrence ends.
    pub base: Expr,
    pub end: End,
    pub parts: Vec<(Expr, Size)>,
    pub history: Option<History>,
    pub work: Expr,
    /// True if it is defined for whole `n` only.
    pub is_whole: bool,
}

/// The recurrence ends where `n <= at`, or `n < at`.
pub struct End {
    pub at: Expr,
    pub is_strict: bool,
}

impl End {
    pub fn literal(&self) -> Option<&Rational> {
        literal(&self.at)
    }

    /// The greatest whole number at which the recurrence ends.
    pub fn last_whole(&self) -> Option<i64> {
        let at = self.literal()?;
        if self.is_strict {
            at.ceil().to_i64()?.checked_sub(1)
        } else {
            at.floor().to_i64()
        }
    }
}

/// A branch and its condition.
type Case<'e> = (Condition<'e>, &'e Expr);

enum Condition<'e> {
    Holds(&'e Expr),
    Fails(&'e Expr),
}

impl<'e> Recurrence<'e> {
    /// # Errors
    /// Fails if the form is not one that is solved.
    pub fn read(equation: &'e Equation) -> Result<Recurrence<'e>, Unsolved> {
        let Some(Value::Numeric(value)) = &equation.value else {
            return Err(Unsolved::new(equation.span, "this is not a number"));
        };
        let name = equation.name.text.as_str();
        let formals: Vec<&str> = equation.formals.iter().map(|f| f.text.as_str()).collect();
        let n = changing(value, name, &formals)?;
        let mut cases = Vec::new();
        let step = branches(value, name, &mut cases)?;
        let build = Builder { span: value.span };
        let (end, is_whole) = end_of(&cases, n, build, step)?;
        // Where the recurrence ends, one of the conditions holds.
        let last = cases
            .last()
            .map_or(build.whole(0), |(_, value)| (*value).clone());
        let others = cases.iter().rev().skip(1);
        let base = others.fold(last, |rest, (condition, value)| {
            let value = (*value).clone();
            match condition {
                Condition::Holds(c) => build.choice((*c).clone(), value, rest),
                Condition::Fails(c) => build.choice((*c).clone(), rest, value),
            }
        });
        let mut found = Recurrence {
            build,
            head: Head { name, formals, n },
            value,
            base,
            end,
            parts: Vec::new(),
            history: None,
            work: build.whole(0),
            is_whole,
        };
        found.linear(step, &[], true)?;
        if found.parts.is_empty() && found.history.is_none() {
            return Err(Unsolved::new(step.span, "no part is called here"));
        }
        Ok(found)
    }

    /// Adds the terms of an expression that is multiplied by these factors.
    ///
    /// One long function, because each kind of term needs the factors around it.
    fn linear(
        &mut self,
        expr: &'e Expr,
        factors: &[(MulOp, &'e Expr)],
        is_positive: bool,
    ) -> Result<(), Unsolved> {
        let build = self.build;
        let scaled = |value: Expr| {
            let value = if is_positive {
                value
            } else {
                build.times(build.whole(-1), value)
            };
            factors.iter().fold(value, |value, (op, e)| {
                build.product(value, *op, (*e).clone())
            })
        };
        if !mentions_call(expr, self.head.name) {
            self.work = build.add(self.work.clone(), scaled(expr.clone()));
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Negate(e) => self.linear(e, factors, !is_positive),
            ExprKind::Sum(first, rest) => {
                self.linear(first, factors, is_positive)?;
                rest.iter().try_for_each(|(op, e)| {
                    self.linear(e, factors, is_positive == (*op == AddOp::Add))
                })
            }
            ExprKind::Product(first, rest) => {
                let all = || {
                    std::iter::once((MulOp::Multiply, &**first))
                        .chain(rest.iter().map(|(op, e)| (*op, e)))
                };
                let calls = all()
                    .filter(|(_, e)| mentions_call(e, self.head.name))
                    .count();
                let call = all().position(|(_, e)| mentions_call(e, self.head.name));
                let is_linear = all().enumerate().all(|(at, (op, _))| match op {
                    MulOp::Multiply => true,
                    MulOp::Divide => Some(at) != call,
                    _ => false,
                });
                let Some(call) = call.filter(|_| is_linear && calls == 1) else {
                    return Err(Unsolved::new(expr.span, "this is not linear in the calls"));
                };
                let others = all().enumerate().filter(|(at, _)| *at != call);
                let factors: Vec<(MulOp, &Expr)> = factors
                    .iter()
                    .copied()
                    .chain(others.map(|(_, factor)| factor))
                    .collect();
                let inner = match call {
                    0 => &**first,
                    at => &rest[at - 1].1,
                };
                self.linear(inner, &factors, is_positive)
            }
            ExprKind::Call(name, arguments) if name.text == self.head.name => {
                let at = self
                    .head
                    .formals
                    .iter()
                    .position(|formal| *formal == self.head.n);
                let argument = at.and_then(|at| arguments.get(at));
                let argument = argument
                    .ok_or_else(|| Unsolved::new(expr.span, "this call lacks an argument"))?;
                let size = Size::of(argument, self.head.n).ok_or_else(|| {
                    let label = format!(
                        "this size is not known to be smaller than `{}`",
                        self.head.n
                    );
                    Unsolved::new(argument.span, label)
                })?;
                let factor = scaled(build.whole(1));
                self.add_part(factor, size);
                Ok(())
            }
            ExprKind::Reduce(reduction) => {
                let history = history::read(&self.head, reduction, expr.span)?;
                let factor = scaled(build.number(&history.count));
                if self.history.is_some() {
                    return Err(Unsolved::new(expr.span, "this is the second sum of parts"));
                }
                self.history = Some(History {
                    factor,
                    first: history.first,
                });
                Ok(())
            }
            _ => Err(Unsolved::new(expr.span, "this is not linear in the calls")),
        }
    }

    /// Parts of one size are counted together.
    fn add_part(&mut self, factor: Expr, size: Size) {
        let build = self.build;
        match self.parts.iter_mut().find(|(_, own)| *own == size) {
            Some((own, _)) => {
                *own = match (literal(own), literal(&factor)) {
                    (Some(a), Some(b)) => build.number(&(a + b)),
                    _ => build.add(own.clone(), factor),
                }
            }
            None => self.parts.push((factor, size)),
        }
    }
}

/// The argument that calls change.
fn changing<'e>(value: &Expr, name: &str, formals: &[&'e str]) -> Result<&'e str, Unsolved> {
    let mut changing: Vec<usize> = Vec::new();
    let mut wrong = None;
    walk::calls(walk::Part::Expr(value), &mut |called, arguments| {
        if called.text != name {
            return;
        }
        if arguments.len() != formals.len() {
            wrong = Some(Unsolved::new(called.span, "this call lacks an argument"));
        }
        if arguments
            .iter()
            .any(|argument| mentions_call(argument, name))
        {
            wrong = Some(Unsolved::new(
                called.span,
                "the size of this part is itself recursive",
            ));
        }
        let pairs = arguments.iter().zip(formals).enumerate();
        let is_same = |argument: &Expr, formal: &str| matches!(&argument.kind, ExprKind::Name(own) if own == formal);
        for (at, (argument, formal)) in pairs {
            if !is_same(argument, formal) && !changing.contains(&at) {
                changing.push(at);
            }
        }
    });
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    match changing[..] {
        [at] => Ok(formals[at]),
        [] => Err(Unsolved::new(
            value.span,
            "a call repeats its own arguments, so it never ends",
        )),
        _ => {
            let names: Vec<&str> = changing.iter().map(|at| formals[*at]).collect();
            let label = format!(
                "the calls change several arguments: `{}`",
                names.join("`, `")
            );
            Err(Unsolved::new(value.span, label))
        }
    }
}

/// The branches in front of the one with calls, and this one.
fn branches<'e>(
    value: &'e Expr,
    name: &str,
    cases: &mut Vec<Case<'e>>,
) -> Result<&'e Expr, Unsolved> {
    let calls = |e: &Expr| mentions_call(e, name);
    match &value.kind {
        ExprKind::If(condition, then, otherwise) => {
            match (calls(condition), calls(then), calls(otherwise)) {
                (false, false, true) => {
                    cases.push((Condition::Holds(condition), then));
                    branches(otherwise, name, cases)
                }
                (false, true, false) => {
                    cases.push((Condition::Fails(condition), otherwise));
                    branches(then, name, cases)
                }
                _ => Err(Unsolved::new(value.span, "more than one branch has calls")),
            }
        }
        ExprKind::Switch(list) => {
            let Some(((last, step), others)) = list.split_last() else {
                return Err(Unsolved::new(value.span, "there is no branch"));
            };
            let is_last = literal(last).is_some_and(|one| !one.is_zero());
            let others_call = others.iter().any(|(c, e)| calls(c) || calls(e));
            if !is_last || others_call {
                return Err(Unsolved::new(
                    value.span,
                    "the calls must stand in the last case, `1: ..`",
                ));
            }
            cases.extend(others.iter().map(|(c, e)| (Condition::Holds(c), e)));
            branches(step, name, cases)
        }
        _ => Ok(value),
    }
}

/// Where the recurrence ends, and whether this holds for whole `n` only.
fn end_of(cases: &[Case], n: &str, build: Builder, step: &Expr) -> Result<(End, bool), Unsolved> {
    let mut end: Option<End> = None;
    let mut single: Vec<Rational> = Vec::new();
    for (condition, _) in cases {
        let (expr, holds) = match condition {
            Condition::Holds(e) => (*e, true),
            Condition::Fails(e) => (*e, false),
        };
        let unknown = || {
            let label = format!("expected a comparison of `{n}` with a number, such as `{n} <= 1`");
            Unsolved::new(expr.span, label)
        };
        let ExprKind::Compare(relation, a, b) = &expr.kind else {
            return Err(unknown());
        };
        let is_n = |e: &Expr| matches!(&e.kind, ExprKind::Name(own) if own == n);
        let (relation, at) = match (is_n(a), is_n(b)) {
            (true, false) => (*relation, &**b),
            (false, true) => (relation.mirrored(), &**a),
            _ => return Err(unknown()),
        };
        if mentions(at, n) {
            return Err(unknown());
        }
        let relation = if holds { relation } else { relation.negated() };
        let is_strict = match relation {
            Relation::LessEqual => false,
            Relation::Less => true,
            Relation::Equal => {
                single.push(literal(at).cloned().ok_or_else(unknown)?);
                continue;
            }
            _ => return Err(unknown()),
        };
        let new = End {
            at: at.clone(),
            is_strict,
        };
        end = Some(match end {
            None => new,
            Some(old) => match (old.literal(), new.literal()) {
                (Some(a), Some(b)) if (a, !old.is_strict) >= (b, !new.is_strict) => old,
                (Some(_), Some(_)) => new,
                _ => return Err(unknown()),
            },
        });
    }
    let is_whole = !single.is_empty();
    single.sort();
    let Some(mut end) = end else {
        let label = match single.first() {
            Some(at) => {
                format!("below {at} this never ends: write `{n} <= {at}` for the first case")
            }
            None => "nothing ends this: no branch is without calls".to_string(),
        };
        return Err(Unsolved::new(step.span, label));
    };
    for at in single {
        let last = end.last_whole();
        match (last, at.to_i64().filter(|_| at.is_integer())) {
            (Some(last), Some(at)) if at <= last => {}
            (Some(last), Some(at)) if Some(at) == last.checked_add(1) => {
                end = End {
                    at: build.whole(at),
                    is_strict: false,
                };
            }
            _ => {
                let label =
                    format!("between the case of {at} and the smaller ones the calls go on");
                return Err(Unsolved::new(step.span, label));
            }
        }
    }
    Ok((end, is_whole))
}
