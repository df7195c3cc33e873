//! Points by number: the last axis changes with every point.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::axes::{Axis, RowNames, Values};
use crate::compiled::{Column, Input};
use crate::diagnostic::{Error, Result};
use crate::ring::Rational;

/// More points than this take years.
pub const MOST_POINTS: u64 = 1_000_000_000_000;

/// Batches do not go beyond the end of an axis with so many values.
const LONG_AXIS: u64 = 1024;

/// Axes crossed with each other, and what is the same at all points.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The last one changes from point to point.
    pub axes: Vec<Axis>,
    /// Parameters with one value each.
    pub constants: Vec<(String, Rational)>,
    count: u64,
}

impl Grid {
    /// # Errors
    /// More than [`MOST_POINTS`].
    pub fn new(axes: Vec<Axis>, constants: Vec<(String, Rational)>) -> Result<Grid> {
        let counts = axes.iter().map(Axis::len);
        let product = counts.clone().fold(1.0, |all, n| all * n as f64);
        let count = { counts }.try_fold(1u64, u64::checked_mul);
        match count.filter(|&count| count <= MOST_POINTS) {
            Some(count) => Ok(Grid {
                axes,
                constants,
                count,
            }),
            None => Err(Error::new(format!(
                "the grid has {product:e} points, but a sweep takes at most {MOST_POINTS:e}; use fewer values, for example \
                 `log(1, 1e6, 25)` instead of `1:1e6`"
            ))),
        }
    }

    /// How many points there are.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// An axis has no values.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many points there are from one on before the last axis begins again, if it is a long one: among these the others
    /// keep their values, and its own need not be put together.
    pub(super) fn left(&self, point: u64) -> u64 {
        match self.axes.last().map(Axis::len) {
            Some(own) if own >= LONG_AXIS => own - point % own,
            _ => u64::MAX,
        }
    }

    /// The names of what is on the axes, in their order; of a row without its fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.axes.iter().flat_map(|axis| &axis.names);
        names
            .map(String::as_str)
            .filter(|name| self.row_of_field(name).is_none())
    }

    fn rows(&self) -> impl Iterator<Item = &RowNames> {
        self.axes.iter().flat_map(|axis| &axis.rows)
    }

    /// The row that a parameter is a field of.
    pub(super) fn row_of_field(&self, name: &str) -> Option<&RowNames> {
        self.rows()
            .find(|row| row.fields.iter().any(|field| field == name))
    }

    /// What the rows are called that a parameter goes through, if it does.
    pub fn row_names(&self, name: &str) -> Option<&Arc<Vec<String>>> {
        let mut rows = self.rows();
        let found = rows.find(|row| row.parameter == name);
        found.map(|row| &row.rows)
    }

    /// The name of the row that a value of a parameter is the number of.
    pub fn row_name(&self, name: &str, value: f64) -> Option<&str> {
        let rows = self.row_names(name)?;
        rows.get(value as usize).map(String::as_str)
    }

    /// As [`Grid::batch`], without the numbers of rows.
    pub fn parameters(&self, start: u64, length: usize) -> Vec<(&str, Input)> {
        let mut inputs = self.batch(start, length);
        inputs.retain(|(name, _)| self.row_names(name).is_none());
        inputs
    }

    /// The parameters with their values at `length` points from one on: the axes' in order, then the constants.
    pub fn batch(&self, start: u64, length: usize) -> Vec<(&str, Input)> {
        assert!(start + length as u64 <= self.count);
        let mut inputs = Vec::new();
        let mut stride = self.count;
        for axis in &self.axes {
            let own = axis.len();
            stride /= own;
            // The axis holds each of its values for so many points.
            let (first, last) = (start / stride, (start + length as u64 - 1) / stride);
            for (name, values) in axis.names.iter().zip(&axis.values) {
                inputs.push((
                    name.as_str(),
                    input(values, own, stride, first..=last, start, length),
                ));
            }
        }
        let constants = self.constants.iter();
        inputs
            .extend(constants.map(|(name, value)| (name.as_str(), Input::Constant(value.clone()))));
        inputs
    }
}

/// Values of an axis at points, of which each value takes `stride`; `turns` counts values through all its rounds.
fn input(
    values: &Values,
    own: u64,
    stride: u64,
    turns: RangeInclusive<u64>,
    start: u64,
    length: usize,
) -> Input {
    let (first, last) = (*turns.start(), *turns.end());
    let column = |column: Column| Input::Column(Arc::new(column), 0);
    if first == last {
        return match values.exact(first % own) {
            Some(value) => Input::Constant(value),
            None => column(Column::new(vec![f64::NAN; length])),
        };
    }
    if stride == 1 {
        let rounds = first / own..=last / own;
        let parts = rounds.map(|round| {
            let (from, to) = (first.max(round * own), last.min(round * own + own - 1));
            (from - round * own, (to - from + 1) as usize)
        });
        return match (values, first / own == last / own) {
            (Values::List(list), true) => Input::Column(list.clone(), (first % own) as usize),
            (Values::List(list), false) => {
                let slices = parts.map(|(from, length)| from as usize..from as usize + length);
                Input::Column(Arc::new(list.slices(slices)), 0)
            }
            (_, true) => column(values.column(first % own, length)),
            (_, false) => {
                let exact = parts.flat_map(|(from, length)| from..from + length as u64);
                column(Column::of_exact(exact.map(|k| values.exact(k)).collect()))
            }
        };
    }
    let end = start + length as u64;
    let runs = turns.map(|turn| {
        let count = end.min((turn + 1) * stride) - start.max(turn * stride);
        (turn % own, count as usize)
    });
    match values {
        Values::List(list) => {
            let runs = runs.map(|(place, count)| (place as usize, count));
            Input::Column(Arc::new(list.repeated(runs)), 0)
        }
        _ => {
            let run = |(place, count): (u64, usize)| vec![values.exact(place); count];
            column(Column::of_exact(runs.flat_map(run).collect()))
        }
    }
}
