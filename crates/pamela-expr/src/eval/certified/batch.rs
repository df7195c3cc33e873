//! The values of one parameter at the points of a batch.

use std::ops::Range;

use super::CertifiedDouble;

/// The values of one parameter at the points of a batch.
#[derive(Clone, Copy, Debug)]
pub enum Batch<'a> {
    Constant(CertifiedDouble),
    Exact(&'a [f64]),
    Pairs {
        high: &'a [f64],
        low: &'a [f64],
        error: &'a [f64],
    },
}

impl<'a> Batch<'a> {
    /// The values at a range of points.
    pub(super) fn part(&self, range: Range<usize>) -> Batch<'a> {
        match *self {
            Batch::Constant(value) => Batch::Constant(value),
            Batch::Exact(values) => Batch::Exact(&values[range]),
            Batch::Pairs { high, low, error } => Batch::Pairs {
                high: &high[range.clone()],
                low: &low[range.clone()],
                error: &error[range],
            },
        }
    }
}
