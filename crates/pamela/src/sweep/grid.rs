//! Grids of numbered points; the last axis varies fastest.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::axes::{Axis, RowNames, Values};
use crate::compiled::{Column, Input};
use crate::diagnostic::{Error, Result};
use crate::ring::Rational;

/// Limit of the number of points; more would take years.
pub const MOST_POINTS: u64 = 1_000_000_000_000;

/// Batches end with an axis of at least this many values.
const LONG_AXIS: u64 = 1024;

/// The product of several axes, with constants.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The axes; the last one varies fastest.
    pub axes: Vec<Axis>,
    /// Parameters with one value each.
    pub constants: Vec<(String, Rational)>,
    count: u64,
}

impl Grid {
    /// Creates a grid.
    ///
    /// # Errors
    /// Fails if the grid has more than [`MOST_POINTS`] points.
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

    /// Number of points.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// True if an axis has no values.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Number of points from `point` until a long last axis starts again.
    ///
    /// Over these points the other axes are constant.
    pub(super) fn left(&self, point: u64) -> u64 {
        match self.axes.last().map(Axis::len) {
            Some(own) if own >= LONG_AXIS => own - point % own,
            _ => u64::MAX,
        }
    }

    /// Names of the parameters on the axes, in order; for a row, without its fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.axes.iter().flat_map(|axis| &axis.names);
        names
            .map(String::as_str)
            .filter(|name| self.row_of_field(name).is_none())
    }

    fn rows(&self) -> impl Iterator<Item = &RowNames> {
        self.axes.iter().flat_map(|axis| &axis.rows)
    }

    /// The row that has this parameter as a field.
    pub(super) fn row_of_field(&self, name: &str) -> Option<&RowNames> {
        self.rows()
            .find(|row| row.fields.iter().any(|field| field == name))
    }

    /// Names of the rows that a parameter takes, if it is a row of a table.
    pub fn row_names(&self, name: &str) -> Option<&Arc<Vec<String>>> {
        let mut rows = self.rows();
        let found = rows.find(|row| row.parameter == name);
        found.map(|row| &row.rows)
    }

    /// Name of the row with the number `value`.
    pub fn row_name(&self, name: &str, value: f64) -> Option<&str> {
        let rows = self.row_names(name)?;
        rows.get(value as usize).map(String::as_str)
    }

    /// Like [`Grid::batch`], without row numbers.
    pub fn parameters(&self, start: u64, length: usize) -> Vec<(&str, Input)> {
        let mut inputs = self.batch(start, length);
        inputs.retain(|(name, _)| self.row_names(name).is_none());
        inputs
    }

    /// The parameters with their values at `length` points from `start`: axes in order, then
    /// constants.
    pub fn batch(&self, start: u64, length: usize) -> Vec<(&str, Input)> {
        assert!(start + length as u64 <= self.count);
        let mut inputs = Vec::new();
        let mut stride = self.count;
        for axis in &self.axes {
            let own = axis.len();
            stride /= own;
            // The axis keeps each of its values for this many points.
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
