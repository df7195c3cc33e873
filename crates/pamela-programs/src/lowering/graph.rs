//! Graphs of nests of loops: ways from one loop to the next, with their conditions and what they assign.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::Form;
use super::number::Number;
use super::state::Facts;
use super::walker::Walker;

/// Ways of a graph before it counts as too large.
pub const MOST_WAYS: usize = 48;

/// A way from a loop to the next one.
#[derive(Clone, Debug)]
pub struct Way {
    /// The loops, by their places; none behind the nest.
    pub from: usize,
    pub to: Option<usize>,
    /// True if it begins an iteration.
    pub begins: bool,
    /// Forms that are at least 0 where this way is taken.
    pub guards: Vec<Form>,
    /// Forms that are at least 0 wherever its loop begins an iteration or ends.
    pub known: Vec<Form>,
    /// The variables that it changes. A value that is not linear has a variable of its own.
    pub next: BTreeMap<String, Form>,
    /// What its branches decide, by their places, in each of its iterations.
    pub decisions: Vec<BTreeMap<usize, bool>>,
    /// True if a condition that is no linear form decides as well.
    pub is_open: bool,
}

/// The loops of a nest, with the loops inside each, itself among them.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    pub inside: BTreeMap<usize, BTreeSet<usize>>,
    /// Variables that stand for values of which nothing else is known.
    pub fresh: BTreeSet<String>,
    /// Variables without a value before the nest.
    pub unset: BTreeSet<String>,
    pub ways: Vec<Way>,
}

/// The variable itself.
pub fn variable(name: &str) -> Form {
    Form {
        variables: BTreeMap::from([(name.to_string(), 1)]),
        ..Form::default()
    }
}

impl Form {
    pub fn constant(value: i64) -> Form {
        Form {
            rest: Number::constant(value),
            ..Form::default()
        }
    }

    /// The form after a way, in the variables before it.
    pub fn after(&self, way: &Way) -> Option<Form> {
        let mut form = Form {
            rest: self.rest.clone(),
            ..Form::default()
        };
        for (name, factor) in &self.variables {
            let value = match way.next.get(name) {
                Some(value) => value.clone(),
                None => variable(name),
            };
            form = form.plus(&value, *factor)?;
        }
        Some(form)
    }
}

impl Flow {
    /// The graph of a single loop in which each step is this many iterations.
    pub fn repeated(&self, walker: &Walker, times: usize) -> Option<Flow> {
        let mut flow = self.clone();
        for more in 1..times {
            let mut ways = Vec::new();
            // Values of which nothing else is known are others in each iteration.
            let others = self.fresh.iter();
            let others = others.map(|name| (name.clone(), format!("{name} {more}")));
            let others: BTreeMap<String, String> = others.collect();
            flow.fresh.extend(others.values().cloned());
            for first in &flow.ways {
                if first.to.is_none() {
                    ways.push(first.clone());
                    continue;
                }
                for second in &self.ways {
                    ways.extend(first.then(&walker.facts, &second.renamed(&others))?);
                }
                if ways.len() > MOST_WAYS / 3 {
                    return None;
                }
            }
            flow.ways = ways;
        }
        Some(flow)
    }
}

impl Way {
    /// Adds what is known of the loop in front of what is known of the values that are not linear.
    pub fn learn(&mut self, known: Option<&Vec<Form>>) {
        let own = std::mem::take(&mut self.known);
        self.known.extend(known.into_iter().flatten().cloned());
        self.known.extend(own);
    }

    fn renamed(&self, names: &BTreeMap<String, String>) -> Way {
        let form = |form: &Form| Form {
            variables: form
                .variables
                .iter()
                .map(|(name, factor)| (names.get(name).unwrap_or(name).clone(), *factor))
                .collect(),
            rest: form.rest.clone(),
        };
        Way {
            guards: self.guards.iter().map(form).collect(),
            known: self.known.iter().map(form).collect(),
            next: self
                .next
                .iter()
                .map(|(name, value)| (name.clone(), form(value)))
                .collect(),
            ..self.clone()
        }
    }

    /// True if a variable of these is in both ways.
    pub fn shares(&self, other: &Way, names: &BTreeSet<String>) -> bool {
        let has = |way: &Way, name: &String| {
            let mut forms = way.guards.iter().chain(way.next.values());
            forms.any(|form| form.variables.contains_key(name))
        };
        names.iter().any(|name| has(self, name) && has(other, name))
    }

    /// Both ways, one after the other, where that is possible.
    pub fn then(&self, facts: &Facts, next: &Way) -> Option<Option<Way>> {
        let mut way = Way {
            to: next.to,
            ..self.clone()
        };
        for guard in &next.guards {
            let guard = guard.after(self)?;
            if !is_possible(facts, &way, &guard) {
                return Some(None);
            }
            way.guards.push(guard);
        }
        for (name, value) in &next.next {
            way.next.insert(name.clone(), value.after(self)?);
        }
        way.decisions.extend(next.decisions.iter().cloned());
        way.is_open |= next.is_open;
        Some(Some(way))
    }
}

/// The ways on which a difference compares so with 0, or does not.
pub fn compared(walker: &Walker, way: &Way, operator: &str, more: &Form, holds: bool) -> Vec<Way> {
    let above = |least: i64| more.clone().plus(&Form::constant(-least), 1);
    let below = |most: i64| Form::constant(most).plus(more, -1);
    let cases: Vec<Vec<Option<Form>>> = match (operator, holds) {
        ("<", true) | (">=", false) => vec![vec![below(-1)]],
        ("<=", true) | (">", false) => vec![vec![below(0)]],
        (">", true) | ("<=", false) => vec![vec![above(1)]],
        (">=", true) | ("<", false) => vec![vec![above(0)]],
        ("==", true) | ("!=", false) => vec![vec![above(0), below(0)]],
        _ => vec![vec![above(1)], vec![below(-1)]],
    };
    let with = |case: Vec<Option<Form>>| {
        let mut way = way.clone();
        for guard in case.into_iter().flatten() {
            if !is_possible(&walker.facts, &way, &guard) {
                return None;
            }
            way.guards.push(guard);
        }
        Some(way)
    };
    cases.into_iter().filter_map(with).collect()
}

/// False if a form is below 0, or is where another condition of the way holds.
fn is_possible(facts: &Facts, way: &Way, guard: &Form) -> bool {
    let is_below = |form: Form| {
        let opposite = form.rest.scaled(-1).and_then(|rest| rest.plus_constant(-1));
        form.variables.is_empty() && opposite.is_some_and(|opposite| facts.nonnegative(&opposite))
    };
    let mut others = way.guards.iter();
    !is_below(guard.clone())
        && !others.any(|other| guard.clone().plus(other, 1).is_some_and(is_below))
}
