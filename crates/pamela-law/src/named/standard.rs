//! Families closed under scaling and shifting, and their standard laws.

use super::{Kind::*, Named};

/// `factor * X + amount` for the standard law `X` of a family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standardised {
    pub law: Named,
    pub factor: f64,
    pub amount: f64,
}

impl Named {
    /// Expresses the law by the standard one of its family, which starts at 0 or is centred, and
    /// has width 1.
    ///
    /// A law without a family is its own standard law.
    pub fn standardised(&self) -> Standardised {
        let (kind, factor, amount) = match self.0 {
            Exponential { mean } => (Exponential { mean: 1.0 }, mean, 0.0),
            Normal { mean, deviation } if deviation > 0.0 => {
                let standard = Normal {
                    mean: 0.0,
                    deviation: 1.0,
                };
                (standard, deviation, mean)
            }
            Uniform { lower, upper } if upper > lower => {
                let standard = Uniform {
                    lower: 0.0,
                    upper: 1.0,
                };
                (standard, upper - lower, lower)
            }
            Gamma { shape, scale } => (Gamma { shape, scale: 1.0 }, scale, 0.0),
            Weibull { shape, scale } => (Weibull { shape, scale: 1.0 }, scale, 0.0),
            LogNormal { mu, sigma } => (LogNormal { mu: 0.0, sigma }, mu.exp(), 0.0),
            Pareto { shape, scale } => (Pareto { shape, scale: 1.0 }, scale, 0.0),
            kind => (kind, 1.0, 0.0),
        };
        Standardised {
            law: Named(kind),
            factor,
            amount,
        }
    }

    /// Splits off the value about which the law lies or at which it begins; 0 for laws near 0 by
    /// nature.
    pub fn located(&self) -> (f64, Named) {
        match self.0 {
            Normal { mean, .. } => (mean, self.by(-mean)),
            Uniform { lower, .. } => (lower, self.by(-lower)),
            _ => (0.0, *self),
        }
    }

    /// The law of `X + amount`, if it has a name.
    pub fn shifted(&self, amount: f64) -> Option<Named> {
        matches!(self.0, Normal { .. } | Uniform { .. }).then(|| self.by(amount))
    }

    fn by(&self, amount: f64) -> Named {
        Named(match self.0 {
            Normal { mean, deviation } => Normal {
                mean: mean + amount,
                deviation,
            },
            Uniform { lower, upper } => Uniform {
                lower: lower + amount,
                upper: upper + amount,
            },
            kind => kind,
        })
    }

    /// A key that differs for different laws.
    pub fn key(&self) -> (u8, [u64; 2]) {
        let (family, parameters) = match self.0 {
            Deterministic { value } => (0, [value, 0.0]),
            Exponential { mean } => (1, [mean, 0.0]),
            Normal { mean, deviation } => (2, [mean, deviation]),
            Uniform { lower, upper } => (3, [lower, upper]),
            Gamma { shape, scale } => (4, [shape, scale]),
            Weibull { shape, scale } => (5, [shape, scale]),
            LogNormal { mu, sigma } => (6, [mu, sigma]),
            Bernoulli { p } => (7, [p, 0.0]),
            Binomial { n, p } => (8, [n, p]),
            Poisson { mean } => (9, [mean, 0.0]),
            Geometric { p } => (10, [p, 0.0]),
            Beta { a, b } => (11, [a, b]),
            Pareto { shape, scale } => (12, [shape, scale]),
        };
        (family, parameters.map(f64::to_bits))
    }

    /// The smallest of `n` copies, if it is a law of the same family without much loss of digits.
    pub fn smallest(&self, n: f64) -> Option<Named> {
        match self.0 {
            Geometric { p } => Some(Named(Geometric {
                p: -(n * (-p).ln_1p()).exp_m1(),
            })),
            _ => None,
        }
    }

    /// True if all values are whole numbers.
    pub fn counts(&self) -> bool {
        match self.0 {
            Deterministic { value } => value.fract() == 0.0,
            Bernoulli { .. } | Binomial { .. } | Poisson { .. } | Geometric { .. } => true,
            _ => false,
        }
    }

    /// True if no value has a positive probability.
    pub fn is_continuous(&self) -> bool {
        self.is_elementary() || matches!(self.0, Gamma { .. } | Beta { .. })
    }

    /// True if the cdf is smooth and cheaper than that of a grid.
    pub fn is_elementary(&self) -> bool {
        match self.0 {
            Exponential { .. } | Uniform { .. } | Weibull { .. } | Pareto { .. } => true,
            Normal { deviation, .. } => deviation > 0.0,
            LogNormal { sigma, .. } => sigma > 0.0,
            _ => false,
        }
    }
}
