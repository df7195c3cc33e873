//! Communicators of some ranks, as they are made by the colour of each rank.

use std::collections::BTreeMap;

use super::atoms::{RANK, RANKS, Values};
use super::fit::{Role, formula};
use super::formula::Formula;
use super::merge::Who;
use super::samples::{Sample, Space};

/// The colour of a rank: `rank / by` or `rank % by`.
#[derive(Clone, Debug, PartialEq)]
pub struct Colour {
    pub is_block: bool,
    pub by: Formula,
}

/// The colours that make these communicators, each given as the ranks of `MPI_COMM_WORLD` in it.
pub fn colour(
    space: &Space,
    bases: &BTreeMap<Who, Values>,
    members: &BTreeMap<Who, &[i64]>,
) -> Option<Colour> {
    [true, false]
        .into_iter()
        .find_map(|is_block| by(space, bases, members, is_block))
}

fn by(
    space: &Space,
    bases: &BTreeMap<Who, Values>,
    members: &BTreeMap<Who, &[i64]>,
    is_block: bool,
) -> Option<Colour> {
    // The divisor at each point, where the communicators show it.
    let mut divisors: BTreeMap<usize, i64> = BTreeMap::new();
    for (who, ranks) in members {
        let all = bases.get(who)?[RANKS];
        let size = ranks.len() as i64;
        let shown = if is_block {
            Some(size).filter(|size| *size < all)
        } else {
            ranks.get(1).map(|second| second - ranks[0])
        };
        if let Some(shown) = shown {
            let known = divisors.entry(who.0).or_default();
            *known = shown.max(*known);
        }
    }
    let sample = |(point, divisor): (&usize, &i64)| {
        let mut values = bases.get(&(*point, 0))?.clone();
        values[RANK] = 0;
        Some(Sample {
            values,
            value: *divisor,
        })
    };
    let samples: Vec<Sample> = divisors.iter().map(sample).collect::<Option<_>>()?;
    let by = formula(space, &samples, Role::Amount)?;
    let fits = |(who, ranks): (&Who, &&[i64])| {
        let values = bases.get(who)?;
        let divisor = by.at(values).filter(|divisor| *divisor > 0)?;
        let colour = |rank: i64| {
            if is_block {
                rank / divisor
            } else {
                rank % divisor
            }
        };
        let own = colour(values[RANK]);
        let expected = (0..values[RANKS]).filter(|rank| colour(*rank) == own);
        ranks.iter().copied().eq(expected).then_some(())
    };
    members.iter().map(fits).collect::<Option<Vec<()>>>()?;
    Some(Colour { is_block, by })
}
