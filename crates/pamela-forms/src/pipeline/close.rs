//! Closes equations in the order of their mentions, and derives further equations from each.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::closed::ClosedEquation;
use super::mentions::Order;
use super::model::Model;
use super::options::Options;
use crate::algebra::{self, Simplifier};
use crate::diagnostic::{Diagnostic, Error, Result};
use crate::expr::{Arena, Sort};
use crate::formula::divides_by_zero;
use crate::timing::{LoweredEquation, Moment, Note};

impl Model {
    /// Closes the equations; returns them by position in the model, each with its derived
    /// equations.
    pub(super) fn close_all(
        &self,
        simplifier: &mut Simplifier,
        equations: &[LoweredEquation],
        order: &Order,
        options: &Options,
        failures: &mut Vec<Diagnostic>,
    ) -> Result<BTreeMap<usize, Vec<ClosedEquation>>> {
        let mentioned = order.mentioned();
        let mut closed: BTreeMap<usize, Vec<ClosedEquation>> = BTreeMap::new();
        let mut conditional: HashSet<usize> = HashSet::new();
        for &position in &order.positions {
            let equation = &equations[position];
            if options.interrupt.is_stopped() {
                return Err(Error::new("interrupted before all closed forms were found"));
            }
            if let Some(progress) = options.progress {
                progress(closed.len(), order.positions.len(), &equation.name);
            }
            let mentions = order.mentions[&position].iter();
            // An equation that mentions one without a value has no value either.
            let valued = mentions.clone().all(|of| closed.contains_key(of));
            let form = valued.then(|| close(simplifier, equation)).flatten();
            let Some(mut form) = form else {
                failures.push(nowhere(equation));
                continue;
            };
            for mentioned in mentions.clone() {
                let mentioned = closed.get(mentioned).into_iter().flatten();
                for other in mentioned {
                    form.resting_on_rules(&simplifier.own_rules(&other.closed.rules));
                }
            }
            if divides_by_zero(simplifier.results_mut(), form.expr) {
                failures.push(undefined(equation));
                continue;
            }
            let rests_on: Vec<String> = mentions
                .filter(|mentioned| conditional.contains(mentioned))
                .map(|&mentioned| equations[mentioned].name.clone())
                .collect();
            if !rests_on.is_empty() || !form.assumptions.is_empty() {
                conditional.insert(position);
            }
            if mentioned.contains(&position) {
                let kept = equation.kept.then_some(equation.declared.as_slice());
                let (name, formals) = (&equation.name, &equation.formals);
                simplifier.define(name, formals, equation.expr, &form, kept);
            }
            let derived = if equation.formals.is_empty() {
                self.sensitivities(simplifier, equation, &form, options, failures)?
            } else {
                Vec::new()
            };
            if self.by_label(&equation.origin).is_some() {
                let parts = self.parts(simplifier, equation, &form, failures);
                closed.insert(position, parts);
                continue;
            }
            let mut group = vec![ClosedEquation::new(equation.clone(), form)];
            group.extend(derived);
            if equation.sort == Sort::Law && !equation.plain && !options.without_moments {
                let most = options.most_moments.unwrap_or(Moment::ALL.len());
                let wanted = &Moment::ALL[..most.min(Moment::ALL.len())];
                let moments = self.moments(simplifier, equation, wanted);
                group[0].unknown_moments = moments.unknown;
                group.extend(moments.found);
            }
            for member in &mut group {
                member.rests_on.clone_from(&rests_on);
            }
            closed.insert(position, group);
        }
        Ok(closed)
    }
}

/// Selects the equations at the positions `wanted` and those that they mention, with their derived
/// equations.
pub(super) fn with_mentioned(
    mut closed: BTreeMap<usize, Vec<ClosedEquation>>,
    results: &Arena,
    wanted: Vec<usize>,
    settling: &[usize],
) -> Vec<ClosedEquation> {
    let first = |(&position, group): (&usize, &Vec<ClosedEquation>)| {
        Some((group.first()?.equation.name.clone(), position))
    };
    let by_name: HashMap<String, usize> = closed.iter().filter_map(first).collect();
    let mut found = HashSet::new();
    let mut pending = wanted;
    while let Some(position) = pending.pop() {
        if !found.insert(position) {
            continue;
        }
        let group = closed.get(&position).into_iter().flatten();
        let names = group.flat_map(|closed| closed.mentions(results));
        pending.extend(names.filter_map(|name| by_name.get(&name)));
    }
    closed.retain(|position, group| {
        let settles = settling.contains(position) && !found.contains(position);
        group.truncate(if settles { 1 } else { group.len() });
        group.iter_mut().for_each(|own| own.only_settles = settles);
        settles || found.contains(position)
    });
    closed.into_values().flatten().collect()
}

/// Closes one equation; returns `None` if its conditions hold nowhere.
pub(super) fn close(
    simplifier: &mut Simplifier,
    equation: &LoweredEquation,
) -> Option<algebra::Closed> {
    let mut closed = if equation.formals.is_empty() {
        simplifier.close_with_mentions(equation.expr)
    } else {
        simplifier.close_function(equation.expr)
    };
    if simplifier.require_all(&equation.conditions, &mut closed) {
        return Some(closed);
    }
    // The assumptions of its closed form contradict its requirements.
    let mut closed = simplifier.close_assuming_nothing(equation.expr);
    let possible = simplifier.require_all(&equation.conditions, &mut closed);
    possible.then_some(closed)
}

fn undefined(equation: &LoweredEquation) -> Diagnostic {
    Diagnostic::error(
        format!("`{}` divides by zero for all values", equation.name),
        equation.span,
        "a divisor in it, or a base of a negative power, is always 0",
    )
    .hint("`pamela eval` at a point shows which one")
}

fn nowhere(equation: &LoweredEquation) -> Diagnostic {
    let hint = if equation.notes.contains(&Note::Stationary) {
        "requests come as fast as a resource serves them, or faster: its utilisation must be below 1; `omega` of the process is the \
         largest one"
    } else {
        "a divisor may be 0, a logarithm of 0, or a probability invalid: `pamela eval` at a point shows which \
         one"
    };
    Diagnostic::error(
        format!(
            "`{}` has no value, whatever the parameters are",
            equation.name
        ),
        equation.span,
        "a part of it is never defined",
    )
    .hint(hint)
}
