//! S_U: hyperbolic sines of normal variables.

use crate::Cumulants;
use crate::root::{bracketed, newton};

/// Cumulants of `sinh(sigma z + omega)`.
pub fn cumulants(sigma: f64, omega: f64) -> Cumulants {
    let w = (sigma * sigma).exp();
    let excess = (sigma * sigma).exp_m1();
    let cosh = |k: f64| (k * omega).cosh();
    let sinh = |k: f64| (k * omega).sinh();
    let variance = 0.5 * excess * (w * cosh(2.0) + 1.0);
    let third = 0.25 * w.sqrt() * excess.powi(2) * (w * (w + 2.0) * sinh(3.0) + 3.0 * sinh(1.0));
    let fourth = 0.125
        * excess.powi(2)
        * (w * w * (w.powi(4) + 2.0 * w.powi(3) + 3.0 * w * w - 3.0) * cosh(4.0)
            + 4.0 * w * w * (w + 2.0) * cosh(2.0)
            + 3.0 * (2.0 * w + 1.0));
    Cumulants::from_central_moments(w.sqrt() * sinh(1.0), [variance, third, fourth])
}

/// `sigma` and `omega` for a pair above the lognormal line (Tuenter 2001): one root, in
/// `w = e^(sigma^2)`.
pub fn fit(skewness: f64, kurtosis: f64) -> (f64, f64) {
    let m = |w: f64| {
        let root = 4.0 + 2.0 * (w * w - (kurtosis + 3.0) / (w * w + 2.0 * w + 3.0));
        root.max(0.0).sqrt() - 2.0
    };
    // Between the lognormal law and the symmetric one, both of this kurtosis.
    let lognormal = newton(kurtosis.powf(0.25), |w| {
        let value = ((w + 2.0) * w + 3.0) * w * w - 3.0 - kurtosis;
        (value, ((4.0 * w + 6.0) * w + 6.0) * w)
    });
    let symmetric = ((2.0 * (kurtosis - 1.0)).sqrt() - 1.0).sqrt();
    let square = skewness * skewness;
    let w = bracketed(lognormal, symmetric, |w| {
        square - (w - 1.0 - m(w)) * (w + 2.0 + 0.5 * m(w)).powi(2)
    });
    let ratio = ((w - 1.0) / m(w) - 1.0).max(0.0);
    let omega = ((w + 1.0) / (2.0 * w) * ratio).sqrt().asinh();
    (w.ln().sqrt(), omega)
}
