//! Forms that are at least 0 whenever a loop of a nest begins an iteration or ends.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::Form;
use super::graph::{Flow, variable};
use super::number::Number;
use super::proofs::proves;
use super::state::Facts;

/// Conditions that are tried as invariants, times the ways that may end them.
const MOST_GUESSED: usize = 400;

/// Forms that are at least 0 whenever a loop begins an iteration or ends: of those that are guessed, the ones that hold
/// at first and that no way ends.
pub fn invariants(
    facts: &Facts,
    flow: &Flow,
    head: usize,
    initial: &dyn Fn(&Form) -> Option<Number>,
) -> BTreeMap<usize, Vec<Form>> {
    let mut names: BTreeSet<&String> = BTreeSet::new();
    let mut guessed: Vec<Form> = Vec::new();
    for way in &flow.ways {
        names.extend(way.next.keys());
        names.extend(way.guards.iter().flat_map(|guard| guard.variables.keys()));
    }
    names.retain(|name| !flow.fresh.contains(*name));
    for name in names {
        let own = variable(name);
        guessed.extend(Form::constant(0).plus(&own, -1));
        guessed.extend(own.clone().plus(&Form::constant(-1), 1));
        guessed.push(own);
    }
    for guard in flow.ways.iter().flat_map(|way| &way.guards) {
        let is_fresh = |name: &String| flow.fresh.contains(name);
        let is_known = !guard.variables.keys().any(is_fresh);
        if is_known && guard.variables.len() > 1 && !guessed.contains(guard) {
            guessed.push(guard.clone());
        }
    }
    if guessed.len() * flow.ways.len() > MOST_GUESSED {
        return BTreeMap::new();
    }
    let more = MOST_GUESSED / flow.ways.len().max(1) - guessed.len();
    let others = differences(flow, initial).into_iter();
    let others: Vec<Form> = others.filter(|form| !guessed.contains(form)).collect();
    guessed.extend(others.into_iter().take(more));
    let heads = flow.inside.keys();
    let mut known: BTreeMap<usize, Vec<Form>> = heads.map(|at| (*at, guessed.clone())).collect();
    if let Some(own) = known.get_mut(&head) {
        own.retain(|form| initial(form).is_some_and(|value| facts.nonnegative_by_cases(&value)));
    }
    loop {
        let before: usize = known.values().map(Vec::len).sum();
        for way in &flow.ways {
            let Some(to) = way.to else { continue };
            let mut way = way.clone();
            way.learn(known.get(&way.from));
            if let Some(own) = known.get_mut(&to) {
                own.retain(|form| {
                    let next = form.after(&way);
                    next.is_some_and(|next| proves(facts, &way, &next, 2))
                });
            }
        }
        if known.values().map(Vec::len).sum::<usize>() == before {
            return known;
        }
    }
}

/// Forms that assignments make 0, and their opposites: what a variable has more than the value that a way gives to it, or more
/// than at first.
fn differences(flow: &Flow, initial: &dyn Fn(&Form) -> Option<Number>) -> Vec<Form> {
    let mut found: Vec<Form> = Vec::new();
    let mut add = |name: &String, value: &Form| {
        let both = [
            variable(name).plus(value, -1),
            value.clone().plus(&variable(name), -1),
        ];
        for form in both.into_iter().flatten() {
            if !found.contains(&form) {
                found.push(form);
            }
        }
    };
    let is_fresh = |form: &Form| form.variables.keys().any(|own| flow.fresh.contains(own));
    let mut changed: BTreeSet<&String> = BTreeSet::new();
    for (name, value) in flow.ways.iter().flat_map(|way| &way.next) {
        changed.insert(name);
        let is_other = !value.variables.is_empty() && !value.variables.contains_key(name);
        if is_other && !is_fresh(value) {
            add(name, value);
        }
    }
    for name in changed {
        let first = initial(&variable(name)).filter(|_| !flow.unset.contains(name));
        if let Some(rest) = first.filter(Number::is_short) {
            let value = Form {
                rest,
                ..Form::default()
            };
            add(name, &value);
        }
    }
    found
}
