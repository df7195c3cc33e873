//! Probabilities that are accurate near 0 and near 1, and intervals of values.

/// A probability with its complement: `below + above = 1`, each with full relative accuracy.
///
/// The largest of 1e12 copies needs quantiles at `1 - 1e-12`; a single double loses the distance
/// from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probability {
    /// The probability itself.
    pub below: f64,
    /// The complement, which keeps its digits if the probability is near 1.
    pub above: f64,
}

impl Probability {
    /// From `p` itself, which is accurate near 0; `0 <= p <= 1`.
    pub fn below(p: f64) -> Probability {
        Probability {
            below: p,
            above: 1.0 - p,
        }
    }

    /// From the complement, which is accurate if the probability is near 1.
    pub fn above(q: f64) -> Probability {
        Probability {
            below: 1.0 - q,
            above: q,
        }
    }

    /// Probability from `ln(p / (1 - p))`.
    pub fn from_logit(t: f64) -> Probability {
        let e = (-t.abs()).exp();
        let tail = Probability {
            below: e / (1.0 + e),
            above: 1.0 / (1.0 + e),
        };
        if t < 0.0 { tail } else { tail.complement() }
    }

    /// `ln(p / (1 - p))`; infinite at 0 and 1.
    pub fn logit(self) -> f64 {
        (self.below / self.above).ln()
    }

    /// The probability of the complement.
    pub fn complement(self) -> Probability {
        Probability {
            below: self.above,
            above: self.below,
        }
    }

    /// `p^(1/n)`: the probability for one copy, if the largest of `n` copies has probability `p`.
    pub fn root(self, n: f64) -> Probability {
        let log = self.ln() / n;
        Probability {
            below: log.exp(),
            above: -log.exp_m1(),
        }
    }

    /// `p^n`: the probability for the largest of `n` copies, if one copy has probability `p`.
    pub fn power(self, n: f64) -> Probability {
        let log = self.ln() * n;
        Probability {
            below: log.exp(),
            above: -log.exp_m1(),
        }
    }

    /// The probability between this and a later one of the same law, accurate in both tails.
    pub fn until(self, later: Probability) -> f64 {
        if later.below <= 0.5 {
            later.below - self.below
        } else {
            self.above - later.above
        }
    }

    /// The natural logarithm, accurate near 1.
    pub fn ln(self) -> f64 {
        if self.below < 0.5 {
            self.below.ln()
        } else {
            (-self.above).ln_1p()
        }
    }
}

/// An interval of values; either end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

impl Support {
    /// All real numbers.
    pub const REAL: Support = Support {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
    };

    /// All nonnegative numbers.
    pub const NONNEGATIVE: Support = Support {
        lower: 0.0,
        upper: f64::INFINITY,
    };

    /// The interval between two ends.
    pub fn new(lower: f64, upper: f64) -> Support {
        Support { lower, upper }
    }

    /// A single value.
    pub fn point(value: f64) -> Support {
        Support::new(value, value)
    }

    /// The interval of `X + amount`.
    pub fn shifted(self, amount: f64) -> Support {
        Support::new(self.lower + amount, self.upper + amount)
    }

    /// The interval of `factor * X`.
    pub fn scaled(self, factor: f64) -> Support {
        let ends = [factor * self.lower, factor * self.upper];
        Support::new(ends[0].min(ends[1]), ends[0].max(ends[1]))
    }

    /// The smallest interval that contains all `(p + x) (q + y) - p * q`.
    pub fn product_beside(self, other: Support, [p, q]: [f64; 2]) -> Support {
        let beyond = |x: f64, y: f64| match (p + x, q + y) {
            (0.0, _) | (_, 0.0) => -p * q,
            (a, b) if a.is_infinite() || b.is_infinite() => a * b,
            _ => p * y + q * x + x * y,
        };
        let ends = [
            beyond(self.lower, other.lower),
            beyond(self.lower, other.upper),
            beyond(self.upper, other.lower),
            beyond(self.upper, other.upper),
        ];
        let least = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Support::new(least, greatest)
    }

    /// The smallest interval that contains all sums of values of `term`; `self` is the interval of their number, at least 0.
    pub fn random_sum(self, term: Support) -> Support {
        let times = |n: f64, x: f64| if x == 0.0 || n == 0.0 { 0.0 } else { n * x };
        let (few, many) = (self.lower, self.upper);
        Support::new(
            times(few, term.lower).min(times(many, term.lower)),
            times(few, term.upper).max(times(many, term.upper)),
        )
    }

    /// The value of the interval nearest to `x`.
    pub fn clamp(self, x: f64) -> f64 {
        x.max(self.lower).min(self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_a_power_is_the_probability_in_both_tails() {
        for p in [
            Probability::below(1e-9),
            Probability::below(0.3),
            Probability::above(1e-15),
        ] {
            let back = p.root(1e6).power(1e6);
            assert!((back.below / p.below - 1.0).abs() < 1e-9);
            assert!((back.above / p.above - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_logit_is_precise_in_both_tails() {
        for t in [-700.0, -40.0, -0.1, 0.0, 2.0, 40.0, 700.0] {
            assert!((Probability::from_logit(t).logit() - t).abs() <= 1e-13 * f64::abs(t));
        }
    }
}
