//! Conditions that hold at some samples and at no other ones.

use super::atoms::{Comparison, Guard, RANK, RANKS, Relation, Side};
use super::samples::{CONDITION, MOST_PIECES, Sample, Space, equal, few, split};

/// Variables by whose values the samples are split.
const DEPTH: usize = 3;

/// A condition that holds at the samples of value 1 alone.
pub fn guard(space: &Space, samples: &[Sample]) -> Option<Guard> {
    space.renew();
    some_guard(space, samples)
}

pub fn some_guard(space: &Space, samples: &[Sample]) -> Option<Guard> {
    let all: Vec<&Sample> = samples.iter().collect();
    condition(&all, space, DEPTH)
}

/// Comparisons that some samples meet, the likeliest first.
pub fn comparisons(samples: &[&Sample]) -> Vec<Comparison> {
    let most = samples
        .iter()
        .map(|sample| sample.values[RANKS])
        .max()
        .unwrap_or(1)
        .min(64);
    let of = |side, relation, base, number| Comparison {
        side,
        relation,
        base,
        number,
    };
    use Relation::{AtLeast, Equal, Less, Unequal};
    let rank = Side::One(RANK);
    let mut all = Vec::new();
    for number in 1..most {
        let ranks = |relation| of(Side::One(RANKS), relation, None, number + 1);
        all.extend([ranks(Equal), ranks(Less), ranks(AtLeast)]);
    }
    for number in 0..most {
        for relation in [Equal, Unequal] {
            all.push(of(rank, relation, None, number));
            all.push(of(rank, relation, Some(RANKS), number + 1));
        }
        for relation in [Less, AtLeast] {
            all.push(of(rank, relation, None, number + 1));
            all.push(of(rank, relation, Some(RANKS), number + 1));
        }
    }
    for by in 2..most {
        for number in [0, by - 1] {
            all.push(of(Side::Rest(RANK, by), Equal, None, number));
            all.push(of(Side::Rest(RANK, by), Unequal, None, number));
        }
        for number in 1..most.div_euclid(by) {
            all.push(of(Side::Quotient(RANK, by), Equal, None, number));
        }
    }
    let count = samples.first().map_or(0, |sample| sample.values.len());
    for variable in 2..count {
        for value in few(samples, variable).unwrap_or_default() {
            all.push(equal(variable, value));
            all.push(of(Side::One(variable), Less, None, value));
        }
    }
    // Those that hold everywhere or nowhere say nothing.
    all.retain(|own| {
        let holds = samples
            .iter()
            .filter(|sample| own.holds(&sample.values))
            .count();
        (1..samples.len()).contains(&holds)
    });
    all
}

fn condition(samples: &[&Sample], space: &Space, depth: usize) -> Option<Guard> {
    if space.is_exhausted(CONDITION) {
        return None;
    }
    let is = |sample: &&Sample, holds: bool| holds == (sample.value == 1);
    let all = comparisons(samples);
    let column = |own: &Comparison| -> Vec<bool> {
        samples
            .iter()
            .map(|sample| own.holds(&sample.values))
            .collect()
    };
    let columns: Vec<Vec<bool>> = all.iter().map(column).collect();
    let fits = |holds: &dyn Fn(usize) -> bool| {
        samples
            .iter()
            .enumerate()
            .all(|(at, sample)| is(sample, holds(at)))
    };
    for (at, own) in all.iter().enumerate() {
        if fits(&|sample| columns[at][sample]) {
            return Some(Guard(vec![vec![*own]]));
        }
    }
    for (a, first) in all.iter().enumerate() {
        for (b, second) in all.iter().enumerate().skip(a + 1) {
            if fits(&|sample| columns[a][sample] && columns[b][sample]) {
                return Some(Guard(vec![vec![*first, *second]]));
            }
            if fits(&|sample| columns[a][sample] || columns[b][sample]) {
                return Some(Guard(vec![vec![*first], vec![*second]]));
            }
        }
    }
    if depth == 0 {
        return None;
    }
    let count = samples.first()?.values.len();
    for variable in (RANKS..count).chain([RANK]) {
        let Some(known) = few(samples, variable) else {
            continue;
        };
        let mut lists = Vec::new();
        let fits = known.iter().all(|value| {
            let (own, _) = split(samples, |sample| sample.values[variable] == *value);
            let ones = own.iter().filter(|sample| sample.value == 1).count();
            let here = equal(variable, *value);
            if ones == own.len() {
                lists.push(vec![here]);
            } else if ones > 0 {
                let Some(inner) = condition(&own, space, depth - 1) else {
                    return false;
                };
                lists.extend(inner.0.into_iter().map(|mut list| {
                    list.insert(0, here);
                    list
                }));
            }
            true
        });
        if fits && lists.len() <= MOST_PIECES {
            return Some(Guard(lists));
        }
    }
    None
}
