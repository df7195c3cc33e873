//! Divides the points of a sweep into parts.

use serde::{Deserialize, Serialize};

use super::SweepRequest;
use crate::diagnostic::{Error, Result};
use crate::sweep::Sweep;

/// Points are cut at multiples of this number, unless parts are much smaller.
const UNIT: u64 = 1 << 14;
/// Points of a part: for rows, for the rows kept of many, and for slow points.
const ROWS: u64 = 1 << 24;
const KEPT: u64 = 1 << 26;
const SLOW: u64 = 1 << 12;
/// Limit of the number of parts; file names have five digits.
pub const MOST_PARTS: u64 = 100_000;

/// Parts of equal size, except the last.
///
/// The division follows from the request alone, never from workers, time or memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Division {
    /// Number of the first point.
    pub first: u64,
    /// Number of points.
    pub points: u64,
    /// Number of points in a part.
    pub size: u64,
}

impl Division {
    /// Divides into at most `parts` parts, cut at multiples of 16,384.
    ///
    /// Without `parts`, uses the usual size for the request.
    ///
    /// # Errors
    /// Fails if there are no parts, or more than [`MOST_PARTS`].
    pub fn of(
        sweep: &Sweep,
        range: (u64, u64),
        wanted: &SweepRequest,
        parts: Option<u64>,
    ) -> Result<Division> {
        let size = match wanted {
            _ if !sweep.plan.is_fast() => SLOW,
            SweepRequest::Rows { .. } => ROWS,
            SweepRequest::Figures { .. } | SweepRequest::Best { .. } => KEPT,
        };
        Division::new(range, parts, size)
    }

    /// Like [`Division::of`], with parts of about `size` points if `parts` is not given.
    ///
    /// # Errors
    /// Fails like [`Division::of`].
    pub fn new((start, end): (u64, u64), parts: Option<u64>, size: u64) -> Result<Division> {
        let points = end.saturating_sub(start);
        let size = match parts {
            Some(0) => {
                return Err(Error::new("at least one part is needed"));
            }
            Some(parts) => points.div_ceil(parts),
            None => size,
        };
        let unit = match size {
            ..UNIT if size < UNIT / 2 => size.max(1),
            _ => UNIT,
        };
        let division = Division {
            first: start,
            points,
            size: size.div_ceil(unit).max(1) * unit,
        };
        match division.count() {
            ..=MOST_PARTS => Ok(division),
            count => Err(Error::new(format!(
                "there would be {count} parts, but at most {MOST_PARTS} can be written; use fewer, larger ones"
            ))),
        }
    }

    /// Number of parts.
    pub fn count(&self) -> u64 {
        self.points.div_ceil(self.size.max(1))
    }

    /// Number of parts, for values read from a file; `None` if they form no valid division.
    pub(super) fn checked_count(&self) -> Option<u64> {
        let whole = self.size > 0 && self.first.checked_add(self.points).is_some();
        whole
            .then(|| self.count())
            .filter(|&count| count <= MOST_PARTS)
    }

    /// The half-open range of points of a part; empty for an invalid part number.
    pub fn range(&self, part: u64) -> (u64, u64) {
        let at = |number: u64| self.first + self.points.min(number.saturating_mul(self.size));
        (at(part), at(part.saturating_add(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_points_cut_at_multiples_of_a_unit() {
        for points in [0, 1, 10, 8_191, 16_384, 100_000, 1_000_000, 123_456_789] {
            for parts in [1, 2, 7, 64, 1000] {
                let division = Division::new((5, 5 + points), Some(parts), ROWS).unwrap();
                let mut at = 5;
                for part in 0..division.count() {
                    let (start, end) = division.range(part);
                    assert!(start == at && end > start);
                    at = end;
                }
                assert_eq!(at, 5 + points);
                assert!(division.count() <= parts);
                assert!(division.size.is_multiple_of(UNIT) || division.size < UNIT / 2);
            }
        }
    }

    #[test]
    fn there_are_neither_no_parts_nor_too_many() {
        assert!(Division::new((0, 10), Some(0), ROWS).is_err());
        assert!(Division::new((0, 1 << 40), None, SLOW).is_err());
        assert!(Division::new((0, 1 << 40), Some(u64::MAX), SLOW).is_err());
        let one = Division::new((0, 10), Some(u64::MAX), ROWS).unwrap();
        assert_eq!((one.count(), one.range(10)), (10, (10, 10)));
    }
}
