//! What is kept of many rows: the best of them, or figures of groups.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::special::Halves;

/// The rows with the largest, or the smallest, values of a column.
#[derive(Clone, Debug)]
pub struct Best {
    /// How many rows are kept.
    pub count: usize,
    /// Whether the smallest are the best.
    pub smallest: bool,
    /// Values with the numbers of their points, the best first.
    found: Vec<(f64, u64)>,
}

impl Best {
    /// None is found yet.
    pub fn new(count: usize, smallest: bool) -> Best {
        Best {
            count,
            smallest,
            found: Vec::new(),
        }
    }

    /// Looks at points in the order of their numbers.
    pub fn add(&mut self, points: impl Iterator<Item = (f64, u64)>) {
        let worst = match self.found.len() == self.count {
            true => self.found.last().map(|(value, _)| *value),
            false => None,
        };
        let better = |a: f64, b: f64| if self.smallest { a < b } else { a > b };
        let wanted = points.filter(|(value, _)| !value.is_nan());
        let wanted = wanted.filter(|(value, _)| worst.is_none_or(|worst| better(*value, worst)));
        let before = self.found.len();
        self.found.extend(wanted);
        if self.found.len() > before {
            let smallest = self.smallest;
            // Of equal ones the first point.
            self.found.sort_by(|a, b| {
                let order = a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal);
                let order = if smallest { order } else { order.reverse() };
                order.then(a.1.cmp(&b.1))
            });
            self.found.truncate(self.count);
        }
    }

    /// The numbers of the points, the best first.
    pub fn points(&self) -> impl Iterator<Item = u64> {
        self.found.iter().map(|(_, point)| *point)
    }

    /// Values with the numbers of their points, the best first.
    pub fn values(&self) -> &[(f64, u64)] {
        &self.found
    }
}

/// A figure of many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The mean of the values that are numbers.
    Mean,
    /// The sum of the values that are numbers.
    Sum,
    /// How many values are numbers.
    Count,
    /// The parameters where the least is, the first of equal ones.
    ArgMin,
    /// The parameters where the greatest is, the first of equal ones.
    ArgMax,
}

impl Aggregate {
    /// The names of the figures, as they are asked for.
    pub const NAMES: [(&'static str, Aggregate); 7] = [
        ("min", Aggregate::Min),
        ("max", Aggregate::Max),
        ("mean", Aggregate::Mean),
        ("sum", Aggregate::Sum),
        ("count", Aggregate::Count),
        ("argmin", Aggregate::ArgMin),
        ("argmax", Aggregate::ArgMax),
    ];
}

/// Figures of one column in one group.
#[derive(Debug)]
pub(super) struct Figures {
    pub count: u64,
    pub least: (f64, u64),
    pub greatest: (f64, u64),
    /// Parts of the sum, one for each batch, added by halves.
    sum: Halves<f64>,
}

impl Default for Figures {
    fn default() -> Figures {
        Figures {
            count: 0,
            least: (f64::INFINITY, 0),
            greatest: (f64::NEG_INFINITY, 0),
            sum: Halves::default(),
        }
    }
}

impl Figures {
    /// What a batch has of this group.
    pub fn of(points: impl Iterator<Item = (f64, u64)>) -> Part {
        let mut part = Part {
            count: 0,
            least: (f64::INFINITY, 0),
            greatest: (f64::NEG_INFINITY, 0),
            sum: 0.0,
        };
        for (value, point) in points {
            if value.is_nan() {
                continue;
            }
            part.count += 1;
            part.sum += value;
            if value < part.least.0 {
                part.least = (value, point);
            }
            if value > part.greatest.0 {
                part.greatest = (value, point);
            }
        }
        part
    }

    /// Adds a batch, in the order of the points.
    pub fn add(&mut self, part: &Part) {
        if part.count == 0 {
            return;
        }
        self.count += part.count;
        if part.least.0 < self.least.0 {
            self.least = part.least;
        }
        if part.greatest.0 > self.greatest.0 {
            self.greatest = part.greatest;
        }
        let _: Result<(), ()> = self.sum.push(part.sum, |a, b| Ok(a + b));
    }

    /// The sum, which is taken out.
    pub fn sum(&mut self) -> f64 {
        let sum: Result<Option<f64>, ()> = std::mem::take(&mut self.sum).finish(|a, b| Ok(a + b));
        sum.ok().flatten().unwrap_or(0.0)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub count: u64,
    pub least: (f64, u64),
    pub greatest: (f64, u64),
    pub sum: f64,
}

/// Groups in the order in which they first occur, each with figures for every column.
#[derive(Debug, Default)]
pub(super) struct Groups {
    places: HashMap<Vec<u64>, usize>,
    pub all: Vec<(Vec<f64>, Vec<Figures>)>,
}

impl Groups {
    /// More groups are a table, not a summary.
    pub const MOST: usize = 1_000_000;

    pub fn add(&mut self, key: &[f64], parts: &[Part]) {
        let bits: Vec<u64> = key.iter().map(|value| value.to_bits()).collect();
        let place = *self.places.entry(bits).or_insert_with(|| {
            let figures = parts.iter().map(|_| Figures::default()).collect();
            self.all.push((key.to_vec(), figures));
            self.all.len() - 1
        });
        for (figures, part) in self.all[place].1.iter_mut().zip(parts) {
            figures.add(part);
        }
    }
}
