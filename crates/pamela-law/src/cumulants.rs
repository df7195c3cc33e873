//! Four cumulants, under sums, scaling, random sums and conditions.

/// Mean, variance, third and fourth cumulant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cumulants {
    /// The first cumulant.
    pub mean: f64,
    /// The second cumulant.
    pub variance: f64,
    /// The third cumulant, which equals the third central moment.
    pub third: f64,
    /// The fourth cumulant: the fourth central moment minus three times the squared variance.
    pub fourth: f64,
}

impl Cumulants {
    /// Cumulants of the constant `value`.
    pub fn constant(value: f64) -> Cumulants {
        Cumulants {
            mean: value,
            variance: 0.0,
            third: 0.0,
            fourth: 0.0,
        }
    }

    /// From mean, variance, skewness and kurtosis (3 for a normal law).
    pub fn from_moments(mean: f64, variance: f64, skewness: f64, kurtosis: f64) -> Cumulants {
        Cumulants {
            mean,
            variance,
            third: skewness * variance.powf(1.5),
            fourth: (kurtosis - 3.0) * variance * variance,
        }
    }

    /// Cumulants from the mean and the central moments of order 2 to 4.
    pub fn from_central_moments(mean: f64, [variance, third, fourth]: [f64; 3]) -> Cumulants {
        Cumulants {
            mean,
            variance,
            third,
            fourth: fourth - 3.0 * variance * variance,
        }
    }

    /// Number of leading cumulants that are finite and whose powers are in the range of doubles.
    ///
    /// Beyond these, neither skewness nor kurtosis can be computed.
    pub fn in_range(&self) -> usize {
        let size = self.variance;
        let wide = |power: f64| size == 0.0 || (1e-290..1e290).contains(&size.powf(power));
        let told = [
            self.mean.is_finite(),
            size.is_finite() && (size == 0.0 || size > f64::MIN_POSITIVE),
            self.third.is_finite() && wide(1.5),
            self.fourth.is_finite() && wide(2.0),
        ];
        told.iter().take_while(|told| **told).count()
    }

    /// From `E[X], E[X^2], E[X^3], E[X^4]` (errata, C.6-C.8).
    ///
    /// Loses digits if the mean is large compared with the standard deviation.
    pub fn from_raw_moments([m1, m2, m3, m4]: [f64; 4]) -> Cumulants {
        let variance = m2 - m1 * m1;
        let third = m3 - 3.0 * m1 * m2 + 2.0 * m1.powi(3);
        let central = m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1.powi(4);
        Cumulants::from_central_moments(m1, [variance, third, central])
    }

    /// `E[X], E[X^2], E[X^3], E[X^4]`.
    pub fn raw_moments(&self) -> [f64; 4] {
        let (m, v, k3) = (self.mean, self.variance, self.third);
        [
            m,
            v + m * m,
            k3 + 3.0 * m * v + m.powi(3),
            self.fourth + 4.0 * k3 * m + 3.0 * v * v + 6.0 * v * m * m + m.powi(4),
        ]
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// `K3 / Var^1.5`; 0 for a constant.
    pub fn skewness(&self) -> f64 {
        if self.variance <= 0.0 {
            0.0
        } else {
            self.third / self.variance.powf(1.5)
        }
    }

    /// `3 + K4 / Var^2`; 3 for a constant.
    pub fn kurtosis(&self) -> f64 {
        if self.variance <= 0.0 {
            3.0
        } else {
            3.0 + self.fourth / (self.variance * self.variance)
        }
    }

    /// Cumulants of the sum of independent variables.
    pub fn plus(&self, other: &Cumulants) -> Cumulants {
        Cumulants {
            mean: self.mean + other.mean,
            variance: self.variance + other.variance,
            third: self.third + other.third,
            fourth: self.fourth + other.fourth,
        }
    }

    /// Cumulants of the sum of `n` independent copies.
    pub fn repeated(&self, n: f64) -> Cumulants {
        Cumulants {
            mean: n * self.mean,
            variance: n * self.variance,
            third: n * self.third,
            fourth: n * self.fourth,
        }
    }

    /// Cumulants of `factor * X`.
    pub fn scaled(&self, factor: f64) -> Cumulants {
        Cumulants {
            mean: factor * self.mean,
            variance: factor.powi(2) * self.variance,
            third: factor.powi(3) * self.third,
            fourth: factor.powi(4) * self.fourth,
        }
    }

    /// Cumulants of `X + amount`.
    pub fn shifted(&self, amount: f64) -> Cumulants {
        Cumulants {
            mean: self.mean + amount,
            ..*self
        }
    }

    /// Cumulants of the sum of a random number of independent copies (thesis 3.45, errata for the
    /// fourth).
    pub fn random_sum(count: &Cumulants, term: &Cumulants) -> Cumulants {
        let (n, x) = (count, term);
        Cumulants {
            mean: n.mean * x.mean,
            variance: n.mean * x.variance + n.variance * x.mean.powi(2),
            third: n.mean * x.third
                + 3.0 * n.variance * x.mean * x.variance
                + n.third * x.mean.powi(3),
            fourth: n.mean * x.fourth
                + n.variance * (4.0 * x.mean * x.third + 3.0 * x.variance.powi(2))
                + 6.0 * n.third * x.mean.powi(2) * x.variance
                + n.fourth * x.mean.powi(4),
        }
    }

    /// Cumulants of a condition in product form, `E[M1^P M2^(1-P)]` (errata, *Conditional
    /// composition*).
    ///
    /// This is a mixture if the condition is Bernoulli, and the weighted sum of cumulants if it is
    /// constant.
    pub fn conditional(condition: &Cumulants, then: &Cumulants, other: &Cumulants) -> Cumulants {
        let p = condition.mean;
        let difference = then.plus(&other.repeated(-1.0));
        let weighted = then.repeated(p).plus(&other.repeated(1.0 - p));
        let [d1, d2, d3] = [difference.mean, difference.variance, difference.third];
        Cumulants {
            mean: weighted.mean,
            variance: weighted.variance + condition.variance * d1 * d1,
            third: weighted.third
                + 3.0 * condition.variance * d1 * d2
                + condition.third * d1.powi(3),
            fourth: weighted.fourth
                + condition.variance * (4.0 * d1 * d3 + 3.0 * d2 * d2)
                + 6.0 * condition.third * d1 * d1 * d2
                + condition.fourth * d1.powi(4),
        }
    }

    /// Cumulants of `(p + X) (q + Y) - p * q`.
    pub fn product_beside(&self, other: &Cumulants, [p, q]: [f64; 2]) -> Cumulants {
        let (m, n) = (self.mean, other.mean);
        Cumulants {
            mean: p * n + q * m + m * n,
            ..self.shifted(p).product(&other.shifted(q))
        }
    }

    /// Cumulants of the product of independent variables: of `(m + U) * (n + V)` about `m * n`.
    pub fn product(&self, other: &Cumulants) -> Cumulants {
        let (m, u2, u3) = (self.mean, self.variance, self.third);
        let (n, v2, v3) = (other.mean, other.variance, other.third);
        let (u4, v4) = (self.fourth + 3.0 * u2 * u2, other.fourth + 3.0 * v2 * v2);
        let (mm, nn) = (m * m, n * n);
        let second = nn * u2 + mm * v2 + u2 * v2;
        let third = nn * n * u3
            + mm * m * v3
            + u3 * v3
            + 3.0 * (n * u3 * v2 + m * u2 * v3)
            + 6.0 * m * n * u2 * v2;
        let fourth = nn * nn * u4
            + mm * mm * v4
            + u4 * v4
            + 4.0 * (n * u4 * v3 + m * u3 * v4)
            + 6.0 * (mm * nn * u2 * v2 + nn * u4 * v2 + mm * u2 * v4)
            + 12.0 * m * n * (n * u3 * v2 + m * u2 * v3 + u3 * v3);
        Cumulants::from_central_moments(m * n, [second, third, fourth])
    }

    /// Cumulants of a mixture: `X_i` with probability `w_i`; the weights add up to 1.
    pub fn mixture(parts: &[(f64, Cumulants)]) -> Cumulants {
        let mean: f64 = parts.iter().map(|(w, x)| w * x.mean).sum();
        let (mut second, mut third, mut fourth) = (0.0, 0.0, 0.0);
        for (w, x) in parts {
            let d = x.mean - mean;
            second += w * (x.variance + d * d);
            third += w * (x.third + 3.0 * d * x.variance + d.powi(3));
            fourth += w
                * (x.fourth
                    + 3.0 * x.variance * x.variance
                    + 4.0 * d * x.third
                    + 6.0 * d * d * x.variance
                    + d.powi(4));
        }
        Cumulants::from_central_moments(mean, [second, third, fourth])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: Cumulants, right: Cumulants) {
        for (l, r) in [
            (left.mean, right.mean),
            (left.variance, right.variance),
            (left.third, right.third),
            (left.fourth, right.fourth),
        ] {
            assert!(
                (l - r).abs() <= 1e-12 * (1.0 + r.abs()),
                "{left:?} {right:?}"
            );
        }
    }

    /// A discrete law: values with their probabilities.
    fn discrete(points: &[(f64, f64)]) -> Cumulants {
        let raw = |r: i32| points.iter().map(|(x, p)| p * x.powi(r)).sum();
        Cumulants::from_raw_moments([raw(1), raw(2), raw(3), raw(4)])
    }

    const X: [(f64, f64); 2] = [(1.0, 0.25), (3.0, 0.75)];
    const Y: [(f64, f64); 3] = [(0.0, 0.5), (2.0, 0.25), (5.0, 0.25)];

    #[test]
    fn a_product_of_two_is_what_enumeration_gives() {
        let products = X
            .iter()
            .flat_map(|(x, p)| Y.iter().map(move |(y, q)| (x * y, p * q)))
            .collect::<Vec<_>>();
        close(discrete(&X).product(&discrete(&Y)), discrete(&products));
        close(discrete(&Y).product(&discrete(&X)), discrete(&products));
        close(
            discrete(&X).product(&Cumulants::constant(-2.0)),
            discrete(&X).scaled(-2.0),
        );
    }

    #[test]
    fn a_sum_of_two_is_what_enumeration_gives() {
        let sums = X
            .iter()
            .flat_map(|(x, p)| Y.iter().map(move |(y, q)| (x + y, p * q)))
            .collect::<Vec<_>>();
        close(discrete(&X).plus(&discrete(&Y)), discrete(&sums));
    }

    #[test]
    fn a_random_sum_is_what_enumeration_gives() {
        // 0 with 1/2, 1 with 1/4, 2 with 1/4 copies of X.
        let mut sums = vec![(0.0, 0.5)];
        for (x, p) in X {
            sums.push((x, 0.25 * p));
            sums.extend(X.iter().map(|(y, q)| (x + y, 0.25 * p * q)));
        }
        let count = discrete(&[(0.0, 0.5), (1.0, 0.25), (2.0, 0.25)]);
        close(
            Cumulants::random_sum(&count, &discrete(&X)),
            discrete(&sums),
        );
    }

    #[test]
    fn a_poisson_sum_of_exponentials_has_kurtosis_4_2() {
        let poisson = Cumulants {
            mean: 5.0,
            variance: 5.0,
            third: 5.0,
            fourth: 5.0,
        };
        let exponential = Cumulants::from_moments(1.0, 1.0, 2.0, 9.0);
        let sum = Cumulants::random_sum(&poisson, &exponential);
        assert!((sum.kurtosis() - 4.2).abs() < 1e-12);
    }

    #[test]
    fn the_product_form_of_a_bernoulli_condition_is_the_mixture() {
        let (x, y) = (discrete(&X), discrete(&Y));
        let p = discrete(&[(1.0, 0.3), (0.0, 0.7)]);
        let mixed = Cumulants::mixture(&[(0.3, x), (0.7, y)]);
        let points = X
            .iter()
            .map(|(x, p)| (*x, 0.3 * p))
            .chain(Y.iter().map(|(y, q)| (*y, 0.7 * q)))
            .collect::<Vec<_>>();
        close(mixed, discrete(&points));
        close(Cumulants::conditional(&p, &x, &y), mixed);
    }

    #[test]
    fn the_product_form_of_a_constant_condition_is_the_weighted_sum() {
        let (x, y) = (discrete(&X), discrete(&Y));
        let p = Cumulants::constant(0.3);
        close(
            Cumulants::conditional(&p, &x, &y),
            x.repeated(0.3).plus(&y.repeated(0.7)),
        );
    }
}
