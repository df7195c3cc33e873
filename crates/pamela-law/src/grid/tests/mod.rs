//! Every operation against exact formulas, or against integration or simulation by another way.

mod accuracy;
mod compose;
mod composition;
mod laws;
mod mixed;
mod order;
mod product;
mod random;
mod robust;
mod sum;

use super::Grid;
use crate::{Cumulants, Distribution, Probability, Support};

/// Mean, standard deviation, skewness and kurtosis agree to a relative tolerance.
fn agree(left: Cumulants, right: Cumulants, tolerance: f64) {
    let near = |l: f64, r: f64, scale: f64| (l - r).abs() <= tolerance * scale;
    let good = near(
        left.mean,
        right.mean,
        right.mean.abs().max(right.deviation()),
    ) && near(left.deviation(), right.deviation(), right.deviation())
        && near(
            left.skewness(),
            right.skewness(),
            1.0 + right.skewness().abs(),
        )
        && near(left.kurtosis(), right.kurtosis(), right.kurtosis());
    assert!(good, "{left:?}\n{right:?}");
}
