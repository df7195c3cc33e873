//! The best point of a grid.

use super::run::{Sweep, ValueBatch, Watch};
use crate::diagnostic::Result;
use crate::pipeline::unknown_name;

/// The best of all points that are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// The least, or the greatest.
    pub value: f64,
    /// The first point with this value, by its number.
    pub point: u64,
    /// How many points have it.
    pub ties: u64,
    /// How many points have a value.
    pub valued: u64,
}

impl Sweep {
    /// The point with the least value of a column, or the greatest, by looking at every point; `None` where no point is
    /// kept that has a value. Where the watch ends it, it is that of the points before.
    ///
    /// # Errors
    /// A name of no column of numbers.
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
        let better = match greatest {
            true => later.value > self.value,
            false => later.value < self.value,
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
