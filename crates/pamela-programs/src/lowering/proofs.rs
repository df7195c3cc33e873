//! What the conditions of a way say of linear forms.

use std::collections::BTreeSet;

use super::changes::Form;
use super::graph::Way;
use super::number::Number;
use super::state::Facts;

/// Conditions that a proof combines.
pub const DEEPEST: usize = 3;

/// True if what never changes allows one of two ways alone.
pub fn is_exclusive(facts: &Facts, a: &Way, b: &Way) -> bool {
    let fixed = |way: &Way| {
        let guards = way.guards.iter().filter(|guard| guard.variables.is_empty());
        guards
            .map(|guard| guard.rest.clone())
            .collect::<Vec<Number>>()
    };
    let others = fixed(b);
    fixed(a).iter().any(|a| {
        others.iter().any(|b| {
            let below = a.plus(b).and_then(|sum| sum.plus_constant(1)?.scaled(-1));
            below.is_some_and(|below| facts.nonnegative(&below))
        })
    })
}

/// Forms that are at least 0 where all of these are: each of them, and sums of two.
pub fn candidates(guards: &[Form]) -> Vec<Form> {
    let mut forms: Vec<Form> = guards.to_vec();
    for (at, a) in guards.iter().enumerate() {
        forms.extend(guards[at + 1..].iter().filter_map(|b| a.clone().plus(b, 1)));
    }
    forms.retain(|form| !form.variables.is_empty());
    forms
}

/// True if a form is at least 0 where a way is taken.
pub fn proves(facts: &Facts, way: &Way, form: &Form, depth: usize) -> bool {
    let Some((name, factor)) = form.variables.first_key_value() else {
        return holds_on(facts, way, &form.rest);
    };
    let less = |guard: &Form| {
        let own = *guard.variables.get(name)?;
        if depth == 0 || own.signum() != factor.signum() {
            return None;
        }
        let scaled = Form::default().plus(form, own.checked_abs()?)?;
        scaled.plus(guard, factor.checked_abs()?.checked_neg()?)
    };
    let all = way.guards.iter().chain(&way.known);
    all.filter_map(less)
        .any(|rest| proves(facts, way, &rest, depth - 1))
}

/// True if a number is at least 0 by the facts and by those conditions of a way that no iteration changes.
fn holds_on(facts: &Facts, way: &Way, number: &Number) -> bool {
    if facts.nonnegative(number) {
        return true;
    }
    let fixed = way.guards.iter().filter(|guard| guard.variables.is_empty());
    let mut known = fixed.map(|guard| guard.rest.clone()).peekable();
    known.peek().is_some() && {
        let mut facts = facts.clone();
        facts.known.extend(known);
        facts.nonnegative_by_cases(number)
    }
}

/// A number that a form is at most where a way is taken.
pub fn below(way: &Way, form: &Form, depth: usize) -> Option<Number> {
    let Some((name, factor)) = form.variables.first_key_value() else {
        return Some(form.rest.clone());
    };
    way.guards.iter().chain(&way.known).find_map(|guard| {
        let own = *guard.variables.get(name)?;
        if depth == 0 || own.signum() == factor.signum() || factor % own != 0 {
            return None;
        }
        let form = form.clone().plus(guard, -(factor / own))?;
        below(way, &form, depth - 1)
    })
}

/// The ways by the sign of a change that is not known.
pub fn split(facts: &Facts, way: &Way) -> Vec<Way> {
    let mut seen: BTreeSet<Form> = BTreeSet::new();
    for form in &way.guards {
        let change = form.after(way).and_then(|next| next.plus(form, -1));
        let is_open =
            |change: &Form| !change.variables.is_empty() || change.rest.as_constant().is_none();
        let Some(change) = change.filter(is_open) else {
            continue;
        };
        let Some(falls) = Form::constant(-1).plus(&change, -1) else {
            continue;
        };
        let is_known = proves(facts, way, &falls, DEEPEST) || proves(facts, way, &change, DEEPEST);
        if !is_known && seen.insert(change.clone()) {
            let with = |guard: Form| {
                let mut way = way.clone();
                way.guards.push(guard);
                way
            };
            return vec![with(falls), with(change)];
        }
    }
    vec![way.clone()]
}

/// True if forms cannot all be at least 0 on a way.
pub fn is_impossible(facts: &Facts, way: &Way, forms: &[Form]) -> bool {
    forms.iter().any(|form| {
        let below = Form::constant(-1).plus(form, -1);
        below.is_some_and(|below| proves(facts, way, &below, DEEPEST - 1))
    })
}

/// A number, or 0 where it is below.
pub fn above(facts: &Facts, number: &Number) -> Number {
    larger(facts, number, &Number::default())
}

pub fn larger(facts: &Facts, a: &Number, b: &Number) -> Number {
    let is_above = |a: &Number, b: &Number| a.minus(b).is_some_and(|more| facts.nonnegative(&more));
    if is_above(a, b) {
        a.clone()
    } else if is_above(b, a) {
        b.clone()
    } else {
        a.larger(b)
    }
}

/// The largest of some numbers; nothing where one is not known, or there is none.
pub fn largest(facts: &Facts, mut values: impl Iterator<Item = Option<Number>>) -> Option<Number> {
    let first = values.next()??;
    values.try_fold(first, |most, value| Some(larger(facts, &most, &value?)))
}
