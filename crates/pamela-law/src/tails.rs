//! Existence of moments; heavy tails have only moments of low order.

use super::{Cumulants, Support};

/// Orders from which on moments do not exist, for both tails; infinite if all exist.
///
/// `P(X > x)` decays like `x^-upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tails {
    /// Order for values far below.
    pub lower: f64,
    /// Order for values far above.
    pub upper: f64,
}

/// An order that is met but for rounding.
const ROUNDING: f64 = 1e-12;

impl Tails {
    /// All moments exist.
    pub const LIGHT: Tails = Tails {
        lower: f64::INFINITY,
        upper: f64::INFINITY,
    };

    /// Number of the first four moments that exist.
    pub fn moments(self) -> usize {
        let least = self.lower.min(self.upper) * (1.0 - ROUNDING);
        (1..=4).take_while(|r| least > f64::from(*r)).count()
    }

    /// Tails of a sum, or of a mixture of the two.
    pub fn or(self, other: Tails) -> Tails {
        Tails {
            lower: self.lower.min(other.lower),
            upper: self.upper.min(other.upper),
        }
    }

    /// Tails of `factor * X`.
    pub fn scaled(self, factor: f64) -> Tails {
        if factor < 0.0 {
            Tails {
                lower: self.upper,
                upper: self.lower,
            }
        } else {
            self
        }
    }

    /// Tails of the product of independent variables in these intervals.
    pub fn product(factors: [(Tails, Support); 2]) -> Tails {
        let [(a, of_a), (b, of_b)] = factors;
        // Great values of one times those of the other of either sign.
        let great = |tails: Tails, other: Support| Tails {
            upper: if other.upper > 0.0 {
                tails.upper
            } else {
                f64::INFINITY
            },
            lower: if other.upper > 0.0 {
                tails.lower
            } else {
                f64::INFINITY
            },
        };
        let turned = |tails: Tails, other: Support| {
            if other.lower < 0.0 {
                tails.scaled(-1.0)
            } else {
                Tails::LIGHT
            }
        };
        let [first, second] = [(a, of_b), (b, of_a)]
            .map(|(tails, other)| great(tails, other).or(turned(tails, other)));
        first.or(second)
    }

    /// Tails of the `k`-th smallest of `n` copies: `n - k + 1` of them lie beyond `x`.
    pub fn kth(self, k: f64, n: f64) -> Tails {
        Tails {
            lower: self.lower * k,
            upper: self.upper * (n - k + 1.0),
        }
    }

    /// Tails of the `k`-th smallest of different variables.
    pub fn kth_of(all: &[Tails], k: usize) -> Tails {
        let heaviest = |of: fn(&Tails) -> f64, count: usize| -> f64 {
            let mut orders: Vec<f64> = all.iter().map(of).collect();
            orders.sort_by(f64::total_cmp);
            orders.iter().take(count).sum()
        };
        Tails {
            lower: heaviest(|t| t.lower, k),
            upper: heaviest(|t| t.upper, all.len() + 1 - k.min(all.len())),
        }
    }

    /// Tails of values in an interval.
    pub fn within(self, support: Support) -> Tails {
        let bounded = |end: f64, tail: f64| if end.is_finite() { f64::INFINITY } else { tail };
        Tails {
            lower: bounded(support.lower, self.lower),
            upper: bounded(support.upper, self.upper),
        }
    }

    /// Cumulants with those that do not exist set to infinity.
    pub fn existing(self, cumulants: Cumulants) -> Cumulants {
        let count = self.moments();
        let missing = if self.upper <= self.lower {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
        let known = |order: usize, value: f64| if order <= count { value } else { missing };
        Cumulants {
            mean: known(1, cumulants.mean),
            variance: if count >= 2 {
                cumulants.variance
            } else {
                f64::INFINITY
            },
            third: known(3, cumulants.third),
            fourth: if count >= 4 {
                cumulants.fourth
            } else {
                f64::INFINITY
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARETO: Tails = Tails {
        lower: f64::INFINITY,
        upper: 1.5,
    };

    #[test]
    fn extremes_have_more_moments_the_more_must_be_great() {
        assert_eq!(PARETO.moments(), 1);
        assert_eq!(PARETO.kth(3.0, 3.0).moments(), 1);
        assert_eq!(PARETO.kth(1.0, 2.0).moments(), 2);
        assert_eq!(PARETO.kth(2.0, 4.0).moments(), 4);
        assert_eq!(Tails::kth_of(&[PARETO, Tails::LIGHT], 2).moments(), 1);
        assert_eq!(Tails::kth_of(&[PARETO, Tails::LIGHT], 1).moments(), 4);
        assert_eq!(Tails::kth_of(&[PARETO, PARETO], 1).moments(), 2);
    }

    #[test]
    fn a_factor_below_zero_turns_the_tail() {
        let times = Support::new(0.0, f64::INFINITY);
        let negative = Support::new(-2.0, 0.0);
        let product = Tails::product([(PARETO, times), (Tails::LIGHT, negative)]);
        assert_eq!((product.lower, product.upper), (1.5, f64::INFINITY));
        assert_eq!(PARETO.scaled(-1.0), product);
    }
}
