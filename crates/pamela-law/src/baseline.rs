//! Published approximations of the largest of several variables, for comparison only; predictions do not use them.
//!
//! The formulas are those of the thesis, corrected by its errata. [`super::order`] is exact where these formulas are
//! approximations.

use super::Cumulants;

mod gram_charlier;
mod phases;
mod two;

pub use gram_charlier::gram_charlier;
pub use phases::{
    Erlang, Hyperexponential, erlangs, hyperexponential_and_erlang, hyperexponentials,
};
pub use two::{Method, largest_of_two};

/// Mean of the largest of `n` copies of a symmetric law: `m + sqrt(2 v ln(0.4 n))` (Gumbel; thesis
/// 2.15, 5.44).
///
/// Returns `None` for `n < 2.5`, where the logarithm is negative. The error is 9 % for 16 normal
/// variables, 4 % for a million.
pub fn gumbel(law: &Cumulants, n: f64) -> Option<f64> {
    let log = (0.4 * n).ln();
    (log >= 0.0).then(|| law.mean + (2.0 * law.variance * log).sqrt())
}

/// The larger of two variables by mean, or by second moment if the means are equal (Schopf and
/// Berman; thesis 5.21).
pub fn heuristic(first: &Cumulants, second: &Cumulants) -> Cumulants {
    let spread = first.mean == second.mean && first.variance > second.variance;
    if first.mean > second.mean || spread {
        *first
    } else {
        *second
    }
}

#[cfg(test)]
mod tests;
