//! The instances of a problem at small values of its sizes.

use super::problem::{Instances, Problem};

/// The small instances of a problem, each with the values of the sizes.
pub struct Samples {
    pub all: Vec<(Vec<i64>, Instances)>,
}

/// The largest of each size that is looked at, by how many there are.
pub fn largest(sizes: usize) -> Option<i64> {
    [0, 7, 5, 4].get(sizes).copied()
}

impl Samples {
    /// `None` of too many sizes, of too many tasks, or where tasks wait for each other in a round.
    pub fn new(problem: &Problem) -> Option<Samples> {
        let sizes = problem.sizes.len();
        let grid = points(&vec![0; sizes], &vec![largest(sizes)?; sizes]);
        let all = grid.into_iter().map(|point| {
            let instances = problem.instances(&point)?;
            Some((point, instances))
        });
        Some(Samples {
            all: all.collect::<Option<_>>()?,
        })
    }

    /// Those where no size is below these values.
    pub fn from(&self, from: &[i64]) -> impl Iterator<Item = &(Vec<i64>, Instances)> {
        let reached =
            move |point: &[i64]| point.iter().zip(from).all(|(value, from)| value >= from);
        self.all.iter().filter(move |(point, _)| reached(point))
    }
}

/// All points between two.
pub fn points(from: &[i64], to: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for (&low, &high) in from.iter().zip(to) {
        let longer = |point: &Vec<i64>| {
            let point = point.clone();
            (low..=high).map(move |value| {
                let mut longer = point.clone();
                longer.push(value);
                longer
            })
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
