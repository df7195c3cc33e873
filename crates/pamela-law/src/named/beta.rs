//! The beta law.

use super::estimate::Estimate;
use super::gamma::NEGLIGIBLE;
use super::numbers::*;
use super::row::*;
use super::{Kind, Named};
use crate::root::newton;
use crate::special::{BetaDensity, incomplete_beta, ln_gamma, log_beta_density};
use crate::{Cumulants, Probability, Support};

pub const ROW: Row = Row {
    name: "beta",
    says: "the beta law, from 0 to 1",
    example: "beta(2, 3)",
    arguments: &[
        plain("a", "the first shape", Domain::Positive),
        plain("b", "the second shape", Domain::Positive),
    ],
    least: Some(Least::Number(0)),
    density: Density::Unknown,
    make: |arguments| {
        let (a, b) = (arguments[0], arguments[1]);
        Ok(Named(Kind::Beta(Beta { a, b })))
    },
    estimate: Estimate::by_moments(|sorted| {
        let Cumulants { mean, variance, .. } = sorted.cumulants;
        let total = mean * (1.0 - mean) / variance - 1.0;
        (sorted.are_positive() && sorted.ends().upper < 1.0)
            .then(|| vec![mean * total, (1.0 - mean) * total])
    }),
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    a: f64,
    b: f64,
}

impl Numbers for Beta {
    fn arguments(&self) -> [f64; 2] {
        [self.a, self.b]
    }

    fn values(&self) -> Values {
        Values::Continuous
    }

    fn cumulants(&self) -> Cumulants {
        let (a, b) = (self.a, self.b);
        let s = a + b;
        let variance = a / s * (b / s) / (s + 1.0);
        let skewness = 2.0 * (b - a) * (s + 1.0).sqrt() / ((s + 2.0) * (a * b).sqrt());
        let excess = 6.0 * ((a - b).powi(2) * (s + 1.0) - a * b * (s + 2.0))
            / (a * b * (s + 2.0) * (s + 3.0));
        Cumulants::from_moments(a / s, variance, skewness, 3.0 + excess)
    }

    fn support(&self) -> Support {
        Support::new(0.0, 1.0)
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < 0.0 {
            return NEVER;
        }
        if x >= 1.0 {
            return ALWAYS;
        }
        pair(incomplete_beta(self.a, self.b, x, 1.0 - x))
    }

    fn quantile(&self, p: Probability) -> f64 {
        if p.below <= 0.5 {
            lower_quantile(self.a, self.b, p.below)
        } else {
            1.0 - lower_quantile(self.b, self.a, p.above)
        }
    }

    fn log_density(&self, x: f64) -> f64 {
        let (a, b) = (self.a, self.b);
        if x > 1.0 {
            return f64::NEG_INFINITY;
        }
        if x == 0.0 {
            return at_end(a, b);
        }
        if x == 1.0 {
            return at_end(b, a);
        }
        log_beta_density(a, b, x, 1.0 - x) - x.ln() - (-x).ln_1p()
    }
}

/// The quantile for `p <= 1/2`: in `y = logit x`, the logarithm of the cdf is concave.
fn lower_quantile(a: f64, b: f64, p: f64) -> f64 {
    // I_x = x^a / (a B(a, b)) is exact for small x; where a and b are great, there is no such x.
    let smallest = (p.ln() + a.ln() + ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)) / a;
    if a < 1.0 && smallest < NEGLIGIBLE - b.max(1.0).ln() {
        return smallest.exp();
    }
    let density = BetaDensity::new(a, b);
    let root = newton((a / b).ln(), |y| {
        let x = Probability::from_logit(y);
        let (below, _) = incomplete_beta(a, b, x.below, x.above);
        let density = density.ln(x.below, x.above).exp();
        (below.ln() - p.ln(), density / below)
    });
    Probability::from_logit(root).below
}
