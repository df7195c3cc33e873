//! Fits a law of Johnson's system to moments.

use super::{Family, Family::*, Johnson, bounded, unbounded};
use crate::Cumulants;
use crate::root::newton;

/// Pairs this near to a curve lie on it.
const ON_CURVE: f64 = 1e-9;

impl Johnson {
    /// The law with these moments.
    ///
    /// Returns `None` if kurtosis does not exceed `skewness^2 + 1` by enough (two points then
    /// describe the law), or if the variance is not positive.
    pub fn fit(target: &Cumulants) -> Option<Johnson> {
        let (skewness, kurtosis) = (target.skewness(), target.kurtosis());
        let known = target.variance > 0.0 && target.mean.is_finite();
        if !known || !skewness.is_finite() || !kurtosis.is_finite() {
            return None;
        }
        if kurtosis <= skewness * skewness + 1.0 {
            return None;
        }
        let family = family(skewness.abs(), kurtosis)?;
        let standard = family.cumulants();
        let scale = (target.variance / standard.variance).sqrt();
        let mirrored = skewness < 0.0;
        let signed = if mirrored { -scale } else { scale };
        Some(Johnson {
            family,
            mirrored,
            location: target.mean - signed * standard.mean,
            scale,
        })
    }
}

fn family(skewness: f64, kurtosis: f64) -> Option<Family> {
    if skewness < ON_CURVE && (kurtosis - 3.0).abs() < ON_CURVE {
        return Some(Normal);
    }
    // The lognormal law of this skewness: skewness^2 = (w - 1) (w + 2)^2.
    let square = skewness * skewness;
    let w = newton(1.0 + square.cbrt(), |w| {
        ((w - 1.0) * (w + 2.0).powi(2) - square, 3.0 * w * (w + 2.0))
    });
    let on_line = ((w + 2.0) * w + 3.0) * w * w - 3.0;
    if (kurtosis / on_line - 1.0).abs() < ON_CURVE {
        let sigma = w.ln().sqrt();
        return Some(LogNormal { sigma });
    }
    let family = if kurtosis > on_line {
        let (sigma, omega) = unbounded::fit(skewness, kurtosis);
        Unbounded { sigma, omega }
    } else {
        let (sigma, omega) = bounded::fit(skewness, kurtosis)?;
        Bounded { sigma, omega }
    };
    let found = family.cumulants();
    let reached = (found.skewness() - skewness).abs() < 1e-7 * (1.0 + skewness)
        && (found.kurtosis() / kurtosis - 1.0).abs() < 1e-7;
    reached.then_some(family)
}
