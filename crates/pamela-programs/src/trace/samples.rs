//! Numbers at ranks, points and iterations for which a formula is sought.

use std::cell::Cell;

use super::atoms::{Comparison, Relation, Side, Values};

/// Pieces of a formula, and values of a variable that tell them apart.
pub const MOST_PIECES: usize = 16;
/// Attempts for one number, and what an attempt for a condition costs.
const EFFORT: usize = 400;
pub const CONDITION: usize = 10;

#[derive(Clone, Debug)]
pub struct Sample {
    pub values: Values,
    pub value: i64,
}

/// The variables of samples: those from `counters` on are counters of loops.
pub struct Space {
    pub counters: usize,
    /// Formulas that may still be tried.
    effort: Cell<usize>,
}

impl Space {
    pub fn new(counters: usize) -> Space {
        Space {
            counters,
            effort: Cell::new(0),
        }
    }

    /// Allows all attempts again.
    pub fn renew(&self) {
        self.effort.set(EFFORT);
    }

    /// True once all attempts are used up.
    pub fn is_exhausted(&self, cost: usize) -> bool {
        let left = self.effort.get();
        self.effort.set(left.saturating_sub(cost));
        left < cost
    }
}

pub fn equal(variable: usize, number: i64) -> Comparison {
    Comparison {
        side: Side::One(variable),
        relation: Relation::Equal,
        base: None,
        number,
    }
}

/// The values of a variable, if they are few.
pub fn few(samples: &[&Sample], variable: usize) -> Option<Vec<i64>> {
    let mut known: Vec<i64> = samples
        .iter()
        .map(|sample| sample.values[variable])
        .collect();
    known.sort_unstable();
    known.dedup();
    (2..=MOST_PIECES).contains(&known.len()).then_some(known)
}

pub fn split<'s>(
    samples: &[&'s Sample],
    is_first: impl Fn(&Sample) -> bool,
) -> (Vec<&'s Sample>, Vec<&'s Sample>) {
    samples.iter().copied().partition(|sample| is_first(sample))
}
