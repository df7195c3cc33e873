//! The Gram-Charlier series of type A (thesis, appendix D), truncated after the fourth term.

use crate::named::{log_normal_density, normal_cdf};
use crate::{Cumulants, quadrature};

/// Raw moments `E[Y], ..., E[Y^4]` of the larger of two variables (thesis D.13 with four terms
/// each).
///
/// Uses the series for raw moments (D.5), as in Table D.1. It is accurate near the standard normal
/// law, and may be negative.
pub fn gram_charlier(first: &Cumulants, second: &Cumulants) -> [f64; 4] {
    let (c, d) = (coefficients(first), coefficients(second));
    let integral = quadrature::line(0.0, 1.0, |x| {
        let (hermite, density) = (hermite(x), log_normal_density(x).exp());
        let below = normal_cdf(x).below;
        let series = |c: &[f64; 5]| -> f64 { c.iter().zip(hermite).map(|(c, h)| c * h).sum() };
        // The integral of H_i phi is -H_(i-1) phi.
        let cdf = |c: &[f64; 5]| -> f64 {
            let terms = c[1..].iter().zip(hermite).map(|(c, h)| c * h);
            below - density * terms.sum::<f64>()
        };
        let slope = density * (series(&c) * cdf(&d) + series(&d) * cdf(&c));
        [1, 2, 3, 4].map(|r| x.powi(r) * slope)
    });
    integral.value
}

fn hermite(x: f64) -> [f64; 5] {
    let square = x * x;
    [
        1.0,
        x,
        square - 1.0,
        x * (square - 3.0),
        square * (square - 6.0) + 3.0,
    ]
}

/// `E[H_i(X)] / i!`.
fn coefficients(law: &Cumulants) -> [f64; 5] {
    let [m1, m2, m3, m4] = law.raw_moments();
    [
        1.0,
        m1,
        (m2 - 1.0) / 2.0,
        (m3 - 3.0 * m1) / 6.0,
        (m4 - 6.0 * m2 + 3.0) / 24.0,
    ]
}
