//! Johnson's system: functions of a normal variable with four parameters.
//!
//! It covers every pair of skewness and kurtosis above `kurtosis = skewness^2 + 1`, and has a
//! closed quantile function.

use super::named::{log_normal_density, normal_cdf, normal_quantile};
use super::{Cumulants, Distribution, Probability, Support};

mod bounded;
mod fit;
#[cfg(test)]
mod tests;
mod unbounded;

/// `location + scale * t(z)` for a standard normal `z`, or its mirror image
/// `location - scale * t(z)`.
///
/// The standard variable `t(z)` is not skewed to the left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Johnson {
    family: Family,
    mirrored: bool,
    location: f64,
    scale: f64,
}

/// With Johnson's `delta = 1 / sigma` and `|gamma| = omega / sigma`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    /// `z`
    Normal,
    /// `e^(sigma z)`, family S_L.
    LogNormal { sigma: f64 },
    /// `sinh(sigma z + omega)`, family S_U.
    Unbounded { sigma: f64, omega: f64 },
    /// `1 / (1 + e^(omega - sigma z))`, family S_B.
    Bounded { sigma: f64, omega: f64 },
}

use Family::*;

impl Johnson {
    /// `normal`, `SL`, `SU` or `SB`.
    pub fn family(&self) -> &'static str {
        match self.family {
            Normal => "normal",
            LogNormal { .. } => "SL",
            Unbounded { .. } => "SU",
            Bounded { .. } => "SB",
        }
    }

    /// The probability density at `x`, 0 outside of the support.
    pub fn density(&self, x: f64) -> f64 {
        let t = (x - self.location) / self.signed_scale();
        let Support { lower, upper } = self.family.support();
        if t.is_nan() || t <= lower || t >= upper {
            return 0.0;
        }
        let slope = match self.family {
            Normal => 1.0,
            LogNormal { sigma } => 1.0 / (sigma * t),
            Unbounded { sigma, .. } => 1.0 / (sigma * t.hypot(1.0)),
            Bounded { sigma, .. } => 1.0 / (sigma * t * (1.0 - t)),
        };
        log_normal_density(self.family.undo(t)).exp() * slope / self.scale
    }

    fn seen(&self, p: Probability) -> Probability {
        if self.mirrored { p.complement() } else { p }
    }

    fn signed_scale(&self) -> f64 {
        if self.mirrored {
            -self.scale
        } else {
            self.scale
        }
    }
}

impl Family {
    fn at(self, z: f64) -> f64 {
        match self {
            Normal => z,
            LogNormal { sigma } => (sigma * z).exp(),
            Unbounded { sigma, omega } => (sigma * z + omega).sinh(),
            Bounded { sigma, omega } => Probability::from_logit(sigma * z - omega).below,
        }
    }

    /// The derivative of [`Family::at`].
    fn slope(self, z: f64) -> f64 {
        match self {
            Normal => 1.0,
            LogNormal { sigma } => sigma * (sigma * z).exp(),
            Unbounded { sigma, omega } => sigma * (sigma * z + omega).cosh(),
            Bounded { sigma, omega } => {
                let p = Probability::from_logit(sigma * z - omega);
                sigma * p.below * p.above
            }
        }
    }

    /// The `z` that is mapped to `t`; infinite outside the support.
    fn undo(self, t: f64) -> f64 {
        match self {
            Normal => t,
            LogNormal { sigma } => t.max(0.0).ln() / sigma,
            Unbounded { sigma, omega } => (t.asinh() - omega) / sigma,
            Bounded { sigma, omega } => {
                (Probability::below(t.clamp(0.0, 1.0)).logit() + omega) / sigma
            }
        }
    }

    fn support(self) -> Support {
        match self {
            Normal | Unbounded { .. } => Support::REAL,
            LogNormal { .. } => Support::NONNEGATIVE,
            Bounded { .. } => Support::new(0.0, 1.0),
        }
    }

    fn cumulants(self) -> Cumulants {
        match self {
            Normal => Cumulants::from_moments(0.0, 1.0, 0.0, 3.0),
            LogNormal { sigma } => super::named::log_normal_cumulants(0.0, sigma),
            Unbounded { sigma, omega } => unbounded::cumulants(sigma, omega),
            Bounded { sigma, omega } => bounded::cumulants(sigma, omega),
        }
    }
}

impl Distribution for Johnson {
    fn cumulants(&self) -> Cumulants {
        let standard = self.family.cumulants();
        standard.scaled(self.signed_scale()).shifted(self.location)
    }

    fn support(&self) -> Support {
        let standard = self.family.support();
        let at = |x: f64| self.location + self.signed_scale() * x;
        if self.mirrored {
            Support::new(at(standard.upper), at(standard.lower))
        } else {
            Support::new(at(standard.lower), at(standard.upper))
        }
    }

    fn quantile(&self, p: Probability) -> f64 {
        let z = normal_quantile(self.seen(p));
        self.location + self.signed_scale() * self.family.at(z)
    }

    fn at_logit(&self, t: f64) -> Option<(f64, f64)> {
        let p = Probability::from_logit(if self.mirrored { -t } else { t });
        let z = normal_quantile(p);
        let per_logit = (p.ln() + p.complement().ln() - log_normal_density(z)).exp();
        let value = self.location + self.signed_scale() * self.family.at(z);
        let slope = self.scale * self.family.slope(z) * per_logit;
        (value.is_finite() && slope.is_finite()).then_some((value, slope))
    }

    fn cdf(&self, x: f64) -> Probability {
        let standard = (x - self.location) / self.signed_scale();
        self.seen(normal_cdf(self.family.undo(standard)))
    }
}
