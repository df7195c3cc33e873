//! Bounds of the number of iterations of a loop, by a linear form that its condition keeps above 0 and that each iteration
//! makes smaller: `b - a` of `while (a < b) { if (c) a += 2; else b -= 1; }`.

use std::collections::BTreeSet;

use super::assigned::leaves_early;
use super::changes::{Change, Form};
use super::induction::has_effects;
use super::number::Number;
use super::part::Trips;
use super::shape::Shape;
use super::walker::Walker;
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// Bounds of the number of iterations of a loop, in values before it.
    pub fn trips(&mut self, shape: &Shape) -> Result<Option<Trips>, Problem> {
        let changed = self.changed(shape);
        let mut conditions = Vec::new();
        for condition in shape
            .condition
            .iter()
            .filter(|condition| !is_always(condition))
        {
            conjuncts(condition, true, &mut conditions);
        }
        let (exits, rest) = if shape.tests_first {
            first_exits(shape.body)
        } else {
            (Vec::new(), std::slice::from_ref(shape.body))
        };
        for exit in exits {
            conjuncts(exit, false, &mut conditions);
        }
        let mut least = (!rest.iter().any(leaves_early)).then_some(Vec::new());
        let mut most: Option<Number> = None;
        for (condition, holds) in conditions {
            match self.trips_of(condition, holds, shape, &changed)? {
                Some((own_least, own_most)) => {
                    least = least
                        .zip(own_least)
                        .map(|(all, own)| [all, vec![own]].concat());
                    most = Some(most.map_or(own_most.clone(), |most| most.smaller(&own_most)));
                }
                None => least = None,
            }
        }
        let least = least.and_then(|all| all.into_iter().reduce(|a, b| a.smaller(&b)));
        Ok(most.map(|most| Trips {
            least: least.unwrap_or_default(),
            most,
        }))
    }

    /// Bounds of the number of iterations until a condition ends the loop.
    fn trips_of(
        &mut self,
        condition: &Expression,
        holds: bool,
        shape: &Shape,
        changed: &BTreeSet<String>,
    ) -> Result<Option<(Option<Number>, Number)>, Problem> {
        if has_effects(condition) {
            return Ok(None);
        }
        let Some(form) = self.kept_above_0(condition, holds, changed)? else {
            return Ok(None);
        };
        let Some(change) = self.change_of(&form, shape, changed)? else {
            return Ok(None);
        };
        Ok(self.trips_by(&form, change, shape.tests_first))
    }

    /// Declares bounds of a parameter, unless it stands for loops with other bounds or these are not made of parameters.
    pub fn bound(&mut self, trips: &Number, bounds: Option<Trips>) {
        let Some(symbol) = trips.as_symbol() else {
            return;
        };
        let is_of_others =
            |number: &Number| self.is_of_parameters(number) && !number.mentions(symbol);
        let bounds = bounds.filter(|own| is_of_others(&own.least) && is_of_others(&own.most));
        let known = self.bounds.entry(symbol).or_insert_with(|| bounds.clone());
        if *known != bounds {
            *known = None;
        }
    }

    /// The bounds where the form decreases in each iteration.
    fn trips_by(
        &self,
        form: &Form,
        change: Change,
        tests_first: bool,
    ) -> Option<(Option<Number>, Number)> {
        let decrease = change.most.filter(|most| *most < 0)?.checked_neg()?;
        let mut first = form.rest.clone();
        for (name, coefficient) in &form.variables {
            first = first.plus(&self.now(name)?.scaled(*coefficient)?)?;
        }
        let once = Number::constant(i64::from(!tests_first));
        let steps = |by: i64| {
            let steps = match by {
                1 => first.clone(),
                by => first.plus_constant(by - 1)?.div(&Number::constant(by)),
            };
            let is_above = steps
                .minus(&once)
                .is_some_and(|more| self.facts.nonnegative(&more));
            Some(if is_above { steps } else { steps.larger(&once) })
        };
        let least = change.least.and_then(|least| steps(least.checked_neg()?));
        Some((least, steps(decrease)?))
    }

    /// The form that is at least 1 where a condition holds, or where it fails.
    fn kept_above_0(
        &mut self,
        condition: &Expression,
        holds: bool,
        changed: &BTreeSet<String>,
    ) -> Result<Option<Form>, Problem> {
        let ExpressionKind::Binary(operator, a, b) = &condition.kind else {
            return Ok(None);
        };
        let (low, high, more) = match (operator.as_str(), holds) {
            ("<", true) | (">=", false) => (a, b, 0),
            ("<=", true) | (">", false) => (a, b, 1),
            (">", true) | ("<=", false) => (b, a, 0),
            (">=", true) | ("<", false) => (b, a, 1),
            _ => return Ok(None),
        };
        let (low, high) = (self.form(low, changed)?, self.form(high, changed)?);
        let form = low.zip(high).and_then(|(low, high)| high.plus(&low, -1));
        Ok(form.and_then(|mut form| {
            form.rest = form.rest.plus_constant(more)?;
            let is_own = |name: &String| self.is_plain(name);
            form.variables.keys().all(is_own).then_some(form)
        }))
    }

    /// True for a whole variable of the function that only assignments to its name change.
    pub fn is_plain(&self, name: &str) -> bool {
        let kind = self.values.get(name).map(|binding| binding.kind);
        let is_signed = matches!(
            kind,
            Some(Kind::Integer {
                signed: true,
                bits: 32..
            })
        );
        is_signed && self.values.is_local(name) && !self.whole.is_addressed(self.function, name)
    }
}

/// The parts of a condition that all hold, or that all fail.
fn conjuncts<'e>(condition: &'e Expression, holds: bool, found: &mut Vec<(&'e Expression, bool)>) {
    match &condition.kind {
        ExpressionKind::Binary(operator, a, b) if operator == if holds { "&&" } else { "||" } => {
            conjuncts(a, holds, found);
            conjuncts(b, holds, found);
        }
        ExpressionKind::Unary(operator, inner) if operator == "!" => {
            conjuncts(inner, !holds, found)
        }
        _ => found.push((condition, holds)),
    }
}

/// True for `1`.
fn is_always(condition: &Expression) -> bool {
    matches!(&condition.kind, ExpressionKind::Number(text) if text.parse().is_ok_and(|value: i64| value != 0))
}

/// The conditions of `if (c) break;` at the beginning of a body, and what follows them.
fn first_exits(body: &Statement) -> (Vec<&Expression>, &[Statement]) {
    let list = match &body.kind {
        StatementKind::Block(list) => &list[..],
        _ => std::slice::from_ref(body),
    };
    let exit = |statement: &'_ Statement| match &statement.kind {
        StatementKind::If {
            otherwise: None,
            then,
            ..
        } => match &then.kind {
            StatementKind::Block(list) => matches!(
                list[..],
                [Statement {
                    kind: StatementKind::Break,
                    ..
                }]
            ),
            kind => matches!(kind, StatementKind::Break),
        },
        _ => false,
    };
    let count = list.iter().take_while(|statement| exit(statement)).count();
    let conditions = list[..count]
        .iter()
        .filter_map(|statement| match &statement.kind {
            StatementKind::If { condition, .. } => Some(condition),
            _ => None,
        });
    (conditions.collect(), &list[count..])
}
