//! Finds the best point of a grid.

use super::run::{Sweep, ValueBatch, Watch};
use crate::diagnostic::Result;
use crate::pipeline::unknown_name;

/// The best of all kept points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// The least or the greatest value.
    pub value: f64,
    /// Number of the first point with this value.
    pub point: u64,
    /// Number of points with this value.
    pub ties: u64,
    /// Number of points with a value.
    pub valued: u64,
}

impl Sweep {
    /// Finds the least or greatest value of a column by evaluating every point.
    ///
    /// Returns `None` if no kept point has a value. If the watch stops it, the result covers the
    /// points so far.
    ///
    /// # Errors
    /// Fails if no number column has the name.
    pub fn extreme(&self, column: &str, greatest: bool, watch: &Watch) -> Result<Option<Extreme>> {
        let names = self.plan().value_names();
        let place = names.iter().position(|own| own == column).ok_or_else(|| {
            let listed = names.join(", ");
            let message = format!("no value `{column}`; expected one of {listed}");
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            unknown_name(message, column, &names)
        })?;
        let of = |found: ValueBatch| {
            let mut best: Option<Extreme> = None;
            for (lane, &value) in found.values[place].iter().enumerate() {
                if value.is_nan() {
                    continue;
                }
                let one = Extreme {
                    value,
                    point: found.points.at(lane),
                    ties: 1,
                    valued: 1,
                };
                best = Some(best.map_or(one, |best| best.with(one, greatest)));
            }
            best
        };
        let mut best: Option<Extreme> = None;
        self.each_value((0, self.grid.len()), watch, of, |part| {
            if let Some(part) = part {
                best = Some(best.map_or(part, |best| best.with(part, greatest)));
            }
            Ok(())
        })?;
        Ok(best)
    }
}

impl Extreme {
    /// The better one; of equals the first, which is `self`.
    fn with(self, later: Extreme, greatest: bool) -> Extreme {
        let valued = self.valued + later.valued;
        let better = if greatest {
            later.value > self.value
        } else {
            later.value < self.value
        };
        let (best, ties) = match (better, later.value == self.value) {
            (true, _) => (later, later.ties),
            (false, true) => (self, self.ties + later.ties),
            (false, false) => (self, self.ties),
        };
        Extreme {
            ties,
            valued,
            ..best
        }
    }
}
