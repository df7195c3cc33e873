//! Numbers of points of a grid.

use std::ops::Range;

/// Numbers of points, in order.
#[derive(Clone, Debug)]
pub(super) enum Points {
    /// Consecutive points: first number and count.
    From(u64, usize),
    Listed(Vec<u64>),
}

impl Points {
    pub(super) fn len(&self) -> usize {
        match self {
            Points::From(_, count) => *count,
            Points::Listed(list) => list.len(),
        }
    }

    pub(super) fn at(&self, place: usize) -> u64 {
        match self {
            Points::From(start, _) => start + place as u64,
            Points::Listed(list) => list[place],
        }
    }

    /// The points at a range of positions.
    pub(super) fn part(&self, places: Range<usize>) -> Points {
        match self {
            Points::From(..) => Points::From(self.at(places.start), places.len()),
            Points::Listed(list) => Points::Listed(list[places].to_vec()),
        }
    }

    /// The points at these positions.
    pub(super) fn listed(&self, places: &[usize]) -> Points {
        Points::Listed(places.iter().map(|&place| self.at(place)).collect())
    }
}
