//! What laws cost: fits, quantiles, order statistics.

use divan::{Bencher, black_box};
use pamela::law::{Cumulants, Gld};

fn main() {
    divan::main();
}

/// A right-skewed pair, a nearly symmetric one, one far out, and the boundary.
const PAIRS: [(f64, f64); 4] = [(1.0, 4.5), (0.1, 2.9), (3.0, 40.0), (2.0, 9.0)];

#[divan::bench(args = PAIRS)]
fn fit_gld(bencher: Bencher, (skewness, kurtosis): (f64, f64)) {
    let target = Cumulants::from_moments(1.0, 1.0, skewness, kurtosis);
    bencher.bench(|| Gld::fit(black_box(&target)));
}
