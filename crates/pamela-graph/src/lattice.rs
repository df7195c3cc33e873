//! Laws on equal cells: a maximum is a product, and a sum a convolution.
//!
//! The assignment of a cell's mass to its ends decides which side is guaranteed. If the mass is split between both
//! ends with its mean unchanged, the law becomes larger in the increasing convex order, which maxima and sums
//! preserve: means are upper bounds. At the upper (lower) end, the law becomes stochastically larger (smaller):
//! quantiles are upper (lower) bounds. At its conditional mean, the law becomes smaller in the convex order: means
//! are lower bounds ([`means`]).

mod convolution;
mod copies;
mod ends;
mod means;
mod profile;
#[cfg(test)]
mod tests;

pub(crate) use copies::Copies;
pub(crate) use ends::{Cells, Ends, FAR, Order};
pub(crate) use means::{Atoms, Means};
pub(crate) use profile::{Profile, Profiles, RARE};

/// Sums and maxima of independent laws of one kind.
pub(crate) trait Calculus: Sync {
    /// A law.
    type Law: Clone + Send + Sync;

    /// The law of the constant 0.
    fn zero(&self) -> Self::Law;

    /// The time of a task.
    fn task(&self, profile: &Profile) -> Self::Law;

    /// The sum of two.
    fn sum(&self, a: &Self::Law, b: &Self::Law) -> Self::Law;

    /// The larger of two.
    fn larger(&self, a: &Self::Law, b: &Self::Law) -> Self::Law;
}

/// Cells of one width from 0 on; what lies beyond the last is told apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// The number of cells; their ends are numbered from 0 to this.
    pub cells: usize,
    /// Width of a cell.
    pub width: f64,
}

impl Grid {
    /// The number of the last end of a cell that is not above a time.
    pub fn below(&self, time: f64) -> usize {
        ((time / self.width).floor().max(0.0) as usize).min(self.cells)
    }
}
