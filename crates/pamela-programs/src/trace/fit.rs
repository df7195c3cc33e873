//! Finds formulas that give measured whole numbers exactly, at every rank, point and iteration.

use super::atoms::*;
use super::conditions::{comparisons, some_guard};
use super::events::NOBODY;
use super::formula::Formula;
use super::linear::Table;
use super::samples::{MOST_PIECES, Sample, Space, equal, few, split};

/// Variables by whose values the samples are split.
const DEPTH: usize = 3;
/// Samples that a formula is sought for; it is then checked at all.
const FIRST: usize = 200;
const ROUNDS: usize = 30;

/// What a number is, which says how its formula may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Amount,
    Partner,
}

/// A formula that holds at all samples.
pub fn formula(space: &Space, samples: &[Sample], role: Role) -> Option<Formula> {
    space.renew();
    let step = samples.len().div_ceil(FIRST).max(1);
    let mut some: Vec<&Sample> = samples.iter().step_by(step).collect();
    for _ in 0..ROUNDS {
        let found = pieces(space, &some, role, DEPTH)?;
        let wrong = |sample: &&Sample| found.at(&sample.values) != Some(sample.value);
        let mut wrong = samples.iter().filter(wrong).peekable();
        if wrong.peek().is_none() {
            return Some(found).filter(|found| found.pieces() <= MOST_PIECES);
        }
        some.extend(wrong.take(10));
    }
    None
}

fn pieces(space: &Space, samples: &[&Sample], role: Role, depth: usize) -> Option<Formula> {
    if let Some(found) = simple(space, samples, role) {
        return Some(found);
    }
    if depth == 0 {
        return None;
    }
    two(space, samples, role).or_else(|| by_value(space, samples, role, depth))
}

/// Two formulas, told apart by a condition.
fn two(space: &Space, samples: &[&Sample], role: Role) -> Option<Formula> {
    let both = |guard: Guard| {
        let (yes, no) = split(samples, |sample| guard.holds(&sample.values));
        if yes.is_empty() || no.is_empty() {
            return None;
        }
        // The smaller part is the less likely to have a formula.
        let yes = simple(space, &yes, role)?;
        Some(Formula::If(
            guard,
            Box::new(yes),
            Box::new(simple(space, &no, role)?),
        ))
    };
    if role == Role::Partner && samples.iter().any(|sample| sample.value == NOBODY) {
        let somebody: Vec<Sample> = samples
            .iter()
            .map(|sample| Sample {
                values: sample.values.clone(),
                value: i64::from(sample.value != NOBODY),
            })
            .collect();
        return some_guard(space, &somebody).and_then(both);
    }
    comparisons(samples)
        .into_iter()
        .find_map(|own| both(Guard(vec![vec![own]])))
}

/// A formula for each value of a variable.
fn by_value(space: &Space, samples: &[&Sample], role: Role, depth: usize) -> Option<Formula> {
    let count = samples.first()?.values.len();
    let order = (RANKS..count).chain([RANK]);
    for variable in order {
        let Some(known) = few(samples, variable) else {
            continue;
        };
        let mut found: Option<Formula> = None;
        let mut parts = known.iter().rev();
        let fits = parts.all(|value| {
            let (own, _) = split(samples, |sample| sample.values[variable] == *value);
            let Some(part) = pieces(space, &own, role, depth - 1) else {
                return false;
            };
            found = Some(match found.take() {
                // The largest value stands for all others.
                None => part,
                Some(other) if other == part => other,
                Some(other) => Formula::If(
                    Guard(vec![vec![equal(variable, *value)]]),
                    Box::new(part),
                    Box::new(other),
                ),
            });
            true
        });
        if let Some(found) = found.filter(|found| fits && found.pieces() <= MOST_PIECES) {
            return Some(found);
        }
    }
    None
}

/// A formula without cases.
fn simple(space: &Space, samples: &[&Sample], role: Role) -> Option<Formula> {
    let values: Vec<i64> = samples.iter().map(|sample| sample.value).collect();
    let first = *values.first()?;
    if values.iter().all(|value| *value == first) {
        return Some(Formula::constant(first));
    }
    if values.contains(&NOBODY) && role == Role::Partner {
        return None;
    }
    if space.is_exhausted(1) {
        return None;
    }
    let mut table = Table::of(space, samples);
    if role == Role::Amount {
        return table.linear(&values, 2);
    }
    // Partners are ranks at some distance.
    table.atoms.retain(|(atom, _)| matches!(atom, Atom::One(_)));
    let moved = |by: fn(i64, i64, i64) -> i64| -> Vec<i64> {
        let moved = |sample: &&Sample| by(sample.value, sample.values[RANK], sample.values[RANKS]);
        samples.iter().map(moved).collect()
    };
    let around = || {
        let forth = moved(|value, rank, ranks| (value - rank).rem_euclid(ranks));
        let back = moved(|value, rank, ranks| (rank - value).rem_euclid(ranks));
        let forth = table.linear(&forth, 1).and_then(|found| found.beyond(1));
        let back = table.linear(&back, 1).and_then(|found| found.beyond(-1));
        let length = |found: &Formula| match found {
            Formula::Linear { terms, .. } => terms.len(),
            _ => 0,
        };
        let shorter = forth.into_iter().chain(back).min_by_key(length);
        shorter.map(|found| Formula::Around(Box::new(found)))
    };
    let flipped = || {
        let bits = moved(|value, rank, _| value ^ rank);
        let count = samples.first()?.values.len();
        let is_bit = |counter: &usize| {
            let mut both = samples.iter().zip(&bits);
            both.all(|(sample, bit)| Atom::Bit(*counter).at(&sample.values) == Some(*bit))
        };
        let found = table.linear(&bits, 0).or_else(|| {
            let counter = (space.counters..count).find(is_bit)?;
            Some(Formula::Linear {
                constant: 0,
                terms: vec![(1, Atom::Bit(counter))],
                divisor: 1,
            })
        })?;
        Some(Formula::Flipped(Box::new(found)))
    };
    table
        .linear(&values, 1)
        .or_else(around)
        .or_else(flipped)
        .or_else(|| table.linear(&values, 2))
}
