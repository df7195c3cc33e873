//! Summaries of many rows: the best rows, or aggregates of groups.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::points::Points;
use crate::diagnostic::{Error, Result};
use crate::special::ExactSum;

/// The rows with the largest, or the smallest, values of a column.
#[derive(Clone, Debug)]
pub struct Best {
    /// Number of rows to keep.
    pub count: usize,
    /// True if the smallest values are best.
    pub smallest: bool,
    /// Values and point numbers, best first.
    found: Vec<(f64, u64)>,
}

impl Best {
    /// Starts with no rows.
    pub fn new(count: usize, smallest: bool) -> Best {
        Best {
            count,
            smallest,
            found: Vec::new(),
        }
    }

    /// Adds points, in the order of their numbers.
    pub fn add(&mut self, points: impl Iterator<Item = (f64, u64)>) {
        let worst = if self.found.len() == self.count {
            self.found.last().map(|(value, _)| *value)
        } else {
            None
        };
        let better = |a: f64, b: f64| if self.smallest { a < b } else { a > b };
        let wanted = points.filter(|(value, _)| !value.is_nan());
        let wanted = wanted.filter(|(value, _)| worst.is_none_or(|worst| better(*value, worst)));
        let before = self.found.len();
        self.found.extend(wanted);
        if self.found.len() > before {
            let smallest = self.smallest;
            // On ties, the first point is best.
            self.found.sort_by(|a, b| {
                let order = a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal);
                let order = if smallest { order } else { order.reverse() };
                order.then(a.1.cmp(&b.1))
            });
            self.found.truncate(self.count);
        }
    }

    /// Adds a column of values.
    pub(super) fn add_all(&mut self, values: &[f64], points: &Points) {
        // If only one row is wanted, the best finite value suffices.
        let ends = ends(values).filter(|_| self.count == 1 && !values.is_empty());
        let best = ends.map(|(least, greatest)| if self.smallest { least } else { greatest });
        match best.and_then(|best| first_place(values, best)) {
            Some(place) => self.add(std::iter::once((values[place], points.at(place)))),
            None => {
                let all = values.iter().enumerate();
                self.add(all.map(|(place, &value)| (value, points.at(place))));
            }
        }
    }

    /// Numbers of the points, best first.
    pub fn points(&self) -> impl Iterator<Item = u64> {
        self.found.iter().map(|(_, point)| *point)
    }

    /// Values and point numbers, best first.
    pub fn values(&self) -> &[(f64, u64)] {
        &self.found
    }
}

/// An aggregate of many values. Missing values are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aggregate {
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The mean of all numbers.
    Mean,
    /// The sum of all numbers.
    Sum,
    /// The count of numbers.
    Count,
    /// The parameters of the least value; the first point on ties.
    ArgMin,
    /// The parameters of the greatest value; the first point on ties.
    ArgMax,
}

impl Aggregate {
    /// The names of the aggregates in commands.
    pub const NAMES: [(&'static str, Aggregate); 7] = [
        ("min", Aggregate::Min),
        ("max", Aggregate::Max),
        ("mean", Aggregate::Mean),
        ("sum", Aggregate::Sum),
        ("count", Aggregate::Count),
        ("argmin", Aggregate::ArgMin),
        ("argmax", Aggregate::ArgMax),
    ];

    /// True if the aggregate needs the sum of all values.
    pub(super) fn is_of_sums(self) -> bool {
        matches!(self, Aggregate::Mean | Aggregate::Sum)
    }

    /// The name of the aggregate in commands.
    pub fn name(self) -> &'static str {
        let mut names = Aggregate::NAMES.iter();
        let found = names.find(|(_, own)| *own == self);
        found.map_or("", |(name, _)| name)
    }
}

/// Aggregates of one column in one group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Figures {
    pub count: u64,
    /// The least value and its first point.
    pub least: Option<(f64, u64)>,
    pub greatest: Option<(f64, u64)>,
    pub sum: ExactSum,
}

/// Values taken together, so that the compiler makes vector instructions of it: of eight it makes no good ones, and takes six
/// times as long.
const TOGETHER: usize = 16;

/// Maximum number of values added at once: sums of their remaining bits are then exact doubles.
const MOST: usize = 1 << 12;

/// The least and the greatest of numbers that are all finite.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn ends(values: &[f64]) -> Option<(f64, f64)> {
    let mut least = [f64::INFINITY; TOGETHER];
    let mut greatest = [f64::NEG_INFINITY; TOGETHER];
    // Products that are 0 for finite numbers, and for others not a number.
    let mut others = [0.0; TOGETHER];
    each(values, |k, value| {
        least[k] = if value < least[k] { value } else { least[k] };
        greatest[k] = if value > greatest[k] {
            value
        } else {
            greatest[k]
        };
        others[k] += value * 0.0;
    });
    (others == [0.0; TOGETHER]).then(|| {
        (
            least.into_iter().fold(f64::INFINITY, f64::min),
            greatest.into_iter().fold(f64::NEG_INFINITY, f64::max),
        )
    })
}

/// The sum of numbers below `size` as the sum of two doubles, by extraction (Rump, Ogita and Oishi, *Accurate
/// floating-point summation*, 2008). From each number, first its bits from `2^-40 size` on are extracted, then those
/// from `2^-80 size` on; sums of these parts are exact. `None` if bits remain.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn extracted(values: &[f64], size: f64) -> Option<[f64; 2]> {
    let bound = size.log2().floor().exp2() * 4.0;
    if values.len() > MOST || !(1e-200..1e200).contains(&bound) {
        return (size == 0.0).then_some([0.0; 2]);
    }
    let first = bound * (2 * MOST) as f64;
    let second = first / (1u64 << 39) as f64;
    let (mut high, mut low) = ([0.0; TOGETHER], [0.0; TOGETHER]);
    let mut others = [0u64; TOGETHER];
    each(values, |k, value| {
        let part = (first + value) - first;
        let rest = value - part;
        let next = (second + rest) - second;
        high[k] += part;
        low[k] += next;
        others[k] |= (rest - next).abs().to_bits();
    });
    let sums = [high, low].map(|sums| sums.into_iter().sum());
    (others == [0; TOGETHER]).then_some(sums)
}

/// Each value with the accumulator that it goes into.
#[inline(always)]
fn each(values: &[f64], mut add: impl FnMut(usize, f64)) {
    let (chunks, rest) = values.as_chunks::<TOGETHER>();
    for chunk in chunks {
        for (k, &value) in chunk.iter().enumerate() {
            add(k, value);
        }
    }
    for (k, &value) in rest.iter().enumerate() {
        add(k, value);
    }
}

/// The first place of a value.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn first_place(values: &[f64], wanted: f64) -> Option<usize> {
    const BLOCK: usize = 64;
    let mut from = 0;
    while from < values.len() {
        let block = &values[from..values.len().min(from + BLOCK)];
        let mut found = false;
        for &value in block {
            found |= value == wanted;
        }
        if found {
            let place = block.iter().position(|&value| value == wanted);
            return place.map(|place| from + place);
        }
        from += BLOCK;
    }
    None
}

impl Figures {
    /// Aggregates points in the order of their numbers; without sums, these are 0.
    pub fn of(values: &[f64], points: &Points, with_sums: bool) -> Figures {
        let ends = ends(values).filter(|_| !values.is_empty());
        let sums = |(least, greatest): (f64, f64)| {
            if with_sums {
                extracted(values, least.abs().max(greatest.abs()))
            } else {
                Some([0.0; 2])
            }
        };
        let Some(((least, greatest), sums)) = ends.and_then(|ends| Some((ends, sums(ends)?)))
        else {
            return Figures::of_any(values, points);
        };
        let mut sum = ExactSum::default();
        sums.into_iter().for_each(|part| sum.add(part));
        let first =
            |wanted| first_place(values, wanted).map(|place| (values[place], points.at(place)));
        Figures {
            count: values.len() as u64,
            least: first(least),
            greatest: first(greatest),
            sum,
        }
    }

    fn of_any(values: &[f64], points: &Points) -> Figures {
        let (mut least, mut greatest) = ((f64::INFINITY, 0), (f64::NEG_INFINITY, 0));
        let (mut count, mut sum) = (0, ExactSum::default());
        let all = values.iter().enumerate();
        for (place, &value) in all.filter(|(_, value)| !value.is_nan()) {
            let point = points.at(place);
            // The first value is one, even if it is infinite.
            if value < least.0 || count == 0 {
                least = (value, point);
            }
            if value > greatest.0 || count == 0 {
                greatest = (value, point);
            }
            count += 1;
            sum.add(value);
        }
        Figures {
            count,
            least: (count > 0).then_some(least),
            greatest: (count > 0).then_some(greatest),
            sum,
        }
    }

    /// Adds those of later points.
    fn merge(&mut self, later: &Figures) {
        self.count += later.count;
        self.sum.merge(&later.sum);
        let better =
            |own: Option<(f64, u64)>, other: Option<(f64, u64)>, less: bool| match (own, other) {
                (Some(a), Some(b)) if (less && b.0 < a.0) || (!less && b.0 > a.0) => Some(b),
                (own, other) => own.or(other),
            };
        self.least = better(self.least, later.least, true);
        self.greatest = better(self.greatest, later.greatest, false);
    }
}

/// Aggregates of every value column in each group of points.
///
/// Sums are exact. The merged summaries of parts, in the order of their points, therefore equal the summary of the
/// whole.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    /// Parameters that the points are grouped by.
    pub(super) by: Vec<String>,
    /// The groups, in order of first occurrence.
    pub(super) groups: Vec<(Vec<f64>, Vec<Figures>)>,
    #[serde(skip)]
    places: HashMap<Vec<u64>, usize>,
}

impl Summary {
    /// More groups are a table.
    const MOST: usize = 1_000_000;

    pub(super) fn new(by: &[String]) -> Summary {
        Summary {
            by: by.to_vec(),
            ..Summary::default()
        }
    }

    pub(super) fn add(&mut self, key: &[f64], figures: &[Figures]) -> Result<()> {
        if self.places.len() != self.groups.len() {
            let keys = self.groups.iter().enumerate();
            self.places = keys.map(|(place, (key, _))| (bits(key), place)).collect();
        }
        let new = self.groups.len();
        match *self.places.entry(bits(key)).or_insert(new) {
            place if place == new => self.groups.push((key.to_vec(), figures.to_vec())),
            place => {
                let own = self.groups[place].1.iter_mut();
                own.zip(figures).for_each(|(own, later)| own.merge(later));
            }
        }
        match self.groups.len() {
            ..=Summary::MOST => Ok(()),
            _ => Err(Error::new(format!(
                "there are more than {} groups; group by fewer parameters",
                Summary::MOST
            ))),
        }
    }

    /// Points with extreme values.
    pub(super) fn extremes(&self) -> impl Iterator<Item = u64> {
        let figures = self.groups.iter().flat_map(|(_, figures)| figures);
        let extremes = figures.flat_map(|figures| [figures.least, figures.greatest]);
        extremes.flatten().map(|(_, point)| point)
    }

    /// Adds the summary of later points of the same sweep.
    ///
    /// # Errors
    /// Fails if the groups have other parameters, or if there are too many.
    pub fn merge(&mut self, later: &Summary) -> Result<()> {
        if self.by != later.by {
            return Err(Error::new("the figures are of groups by other parameters"));
        }
        let mut groups = later.groups.iter();
        groups.try_for_each(|(key, figures)| self.add(key, figures))
    }
}

fn bits(key: &[f64]) -> Vec<u64> {
    key.iter().map(|value| value.to_bits()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = f64> {
        prop_oneof![
            20 => (-50i32..50).prop_map(f64::from),
            1 => Just(f64::NAN),
            1 => Just(0.1),
            1 => Just(f64::INFINITY),
            1 => Just(3e15),
        ]
    }

    proptest! {
        /// The first point of equal ones, and the same sum, whichever way is taken.
        #[test]
        fn both_ways_give_the_same_figures(
            values in prop_oneof![
                prop::collection::vec((-9i32..9).prop_map(f64::from), 0..40),
                prop::collection::vec((-99i32..99).prop_map(|x| f64::from(x) / 7.0), 0..300),
                prop::collection::vec((-99i32..99, -300i32..300).prop_map(|(x, e)| f64::from(x) * 10f64.powi(e)), 0..40),
                prop::collection::vec(value(), 0..40),
            ]
        ) {
            let points = Points::From(100, values.len());
            let (own, other) = (Figures::of(&values, &points, true), Figures::of_any(&values, &points));
            prop_assert_eq!((own.count, own.least, own.greatest), (other.count, other.least, other.greatest));
            prop_assert_eq!(own.sum.value().to_bits(), other.sum.value().to_bits());
        }
    }
}
