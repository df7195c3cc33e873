//! A law conditioned on an interval.

use std::sync::Arc;

use super::{Cumulants, Distribution, Probability, Support, quadrature};

/// The law of `X` given `lower <= X <= upper`; either end may be infinite.
#[derive(Clone)]
pub struct Truncated {
    law: Arc<dyn Distribution>,
    support: Support,
    /// `P(X < lower)` and `P(X <= upper)`.
    ends: [Probability; 2],
}

/// An interval is narrow whose probability is less than this beside those before and after it.
const NARROW: f64 = 1e-3;

impl Truncated {
    /// Creates the law; `None` if `X` never lies there, as far as doubles can tell.
    pub fn new(law: Arc<dyn Distribution>, bounds: Support) -> Option<Truncated> {
        let own = law.support();
        let support = Support::new(bounds.lower.max(own.lower), bounds.upper.min(own.upper));
        let before = if bounds.lower <= own.lower {
            Probability::below(0.0)
        } else if law.density(bounds.lower).is_some() {
            // Of a law with a density, no value at the bound is left over.
            law.cdf(bounds.lower)
        } else {
            law.cdf(bounds.lower.next_down())
        };
        let until = if bounds.upper >= own.upper {
            Probability::above(0.0)
        } else {
            law.cdf(bounds.upper)
        };
        let truncated = Truncated {
            law,
            support,
            ends: [before, until],
        };
        let mass = truncated.mass();
        (support.lower <= support.upper && mass > 0.0).then_some(truncated)
    }

    fn mass(&self) -> f64 {
        self.ends[0].until(self.ends[1])
    }

    /// True if probabilities within the interval lose their digits beside those before and after it.
    fn is_narrow(&self) -> bool {
        let [before, until] = self.ends;
        self.mass() < NARROW * before.below.min(until.above)
    }

    /// The probability between an end and a value near to it, by the density, which is nearly even there: a difference of the
    /// probabilities up to both would lose its digits. None of other values.
    fn near_end(&self, ends: [f64; 2], share: f64, end: Probability) -> Option<f64> {
        let mass = self.mass();
        if share * mass >= NARROW * end.below.min(end.above) {
            return None;
        }
        self.law.density(ends[0])?;
        Some(quadrature::short(ends, |x| self.law.density(x).unwrap_or(0.0)) / mass)
    }

    /// By integration of the density, which is nearly even over a narrow interval; none of laws that have none.
    fn by_density(&self) -> Option<Cumulants> {
        let Support { lower, upper } = self.support;
        let (middle, width) = (lower + (upper - lower) / 2.0, upper - lower);
        let scale = self.law.density(middle).filter(|density| *density > 0.0)?;
        let moments = quadrature::unit(|p| {
            let d = if p.below < 0.5 {
                p.below - 0.5
            } else {
                0.5 - p.above
            };
            let weight = self.law.density(middle + width * d).unwrap_or(0.0) / scale;
            [1.0, d, d * d, d.powi(3), d.powi(4)].map(|power| weight * power)
        });
        let [mass, moments @ ..] = moments.value;
        let about_middle = Cumulants::from_raw_moments(moments.map(|moment| moment / mass));
        Some(about_middle.scaled(width).shifted(middle))
    }
}

/// The conditional probability, from `P` up to a value and up to both ends of the interval.
pub fn given([before, until]: [Probability; 2], here: Probability) -> Probability {
    let (below, above) = (before.until(here).max(0.0), here.until(until).max(0.0));
    Probability {
        below: below / (below + above),
        above: above / (below + above),
    }
}

impl Distribution for Truncated {
    /// Cumulants by integration of the quantile function, which is smooth except at atoms and bends of the law.
    fn cumulants(&self) -> Cumulants {
        if let Some(cumulants) = self.is_narrow().then(|| self.by_density()).flatten() {
            return cumulants;
        }
        let at = |p: Probability| self.quantile(p);
        let origin = at(Probability::below(0.5));
        let mean = quadrature::unit(|p| [at(p) - origin]).value[0];
        let middle = origin + mean;
        let central = quadrature::unit(|p| {
            let d = at(p) - middle;
            [d, d * d, d.powi(3), d.powi(4)]
        });
        let [shift, second, third, fourth] = central.value;
        let variance = second - shift * shift;
        Cumulants::from_central_moments(
            middle + shift,
            [
                variance,
                third - 3.0 * shift * variance,
                fourth - 4.0 * shift * third,
            ],
        )
    }

    fn support(&self) -> Support {
        self.support
    }

    fn quantile(&self, p: Probability) -> f64 {
        let (mass, [before, until]) = (self.mass(), self.ends);
        let whole = Probability {
            below: before.below + p.below * mass,
            above: until.above + p.above * mass,
        };
        self.support.clamp(self.law.quantile(whole))
    }

    fn cdf(&self, x: f64) -> Probability {
        if x < self.support.lower {
            return Probability::below(0.0);
        }
        if x >= self.support.upper {
            return Probability::above(0.0);
        }
        let whole = given(self.ends, self.law.cdf(x));
        let Support { lower, upper } = self.support;
        let [before, until] = self.ends;
        if whole.below <= 0.5 {
            let below = self.near_end([lower, x], whole.below, before);
            below.map_or(whole, Probability::below)
        } else {
            let above = self.near_end([x, upper], whole.above, until);
            above.map_or(whole, Probability::above)
        }
    }

    fn density(&self, x: f64) -> Option<f64> {
        let inside = x >= self.support.lower && x <= self.support.upper;
        let density = self.law.density(x)?;
        Some(if inside { density / self.mass() } else { 0.0 })
    }

    fn breaks(&self) -> Vec<f64> {
        let mut breaks = self.law.breaks();
        breaks.iter_mut().for_each(|x| *x = self.support.clamp(*x));
        breaks
    }

    fn is_discrete(&self) -> bool {
        self.law.is_discrete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Named;

    fn truncated(name: &str, arguments: &[f64], lower: f64, upper: f64) -> Truncated {
        let law = Named::new(name, arguments).unwrap();
        Truncated::new(Arc::new(law), Support::new(lower, upper)).unwrap()
    }

    fn near(found: f64, expected: f64) {
        let off = (found - expected).abs();
        assert!(off <= 1e-11 * (1.0 + expected.abs()), "{found} {expected}");
    }

    #[test]
    fn part_of_a_uniform_law_is_uniform() {
        let law = truncated("uniform", &[0.0, 10.0], 2.0, 5.0);
        let c = law.cumulants();
        near(c.mean, 3.5);
        near(c.variance, 0.75);
        near(c.fourth, -81.0 / 120.0);
        near(law.quantile(Probability::below(0.25)), 2.75);
    }

    #[test]
    fn an_exponential_law_forgets_where_it_began() {
        // Given X >= 50, X - 50 is exponential again.
        let law = truncated("exponential", &[2.0], 50.0, f64::INFINITY);
        let c = law.cumulants();
        for (found, expected) in [
            (c.mean, 52.0),
            (c.variance, 4.0),
            (c.third, 16.0),
            (c.fourth, 96.0),
        ] {
            near(found / expected, 1.0);
        }
    }

    #[test]
    fn a_pareto_law_given_that_it_is_great_is_one_of_that_scale() {
        let law = truncated("pareto", &[9.0, 1.0], 3.0, f64::INFINITY);
        let c = Named::new("pareto", &[9.0, 3.0]).unwrap().cumulants();
        near(law.cumulants().mean, c.mean);
        near(law.cumulants().variance, c.variance);
        near(
            law.quantile(Probability::above(1e-6)),
            3.0 * 1e6_f64.powf(1.0 / 9.0),
        );
    }

    #[test]
    fn a_law_over_a_narrow_interval_is_nearly_uniform() {
        // For a density 1 + c * d over a width w, the mean is the middle plus c * w^2 / 12, and the variance w^2 /
        // 12, to the next order in w. Here c is the derivative of the logarithm of the density: -x for the normal
        // law, and -(s + 1) / x for the Pareto law.
        let width = 2.0_f64.powi(-30);
        for (name, arguments, at, c) in [
            ("normal", [0.0, 1.0], 1.0, -1.0),
            ("normal", [0.0, 1.0], -2.0, 2.0),
            ("pareto", [2.0, 1.0], 4.0, -0.75),
        ] {
            let found = truncated(name, &arguments, at, at + width).cumulants();
            near(found.variance / (width * width / 12.0), 1.0);
            let shift = found.mean - (at + width / 2.0);
            assert!((shift - c * width * width / 12.0).abs() < 4.0 * f64::EPSILON);
            assert!((found.fourth / found.variance.powi(2) + 1.2).abs() < 1e-8);
        }
    }

    #[test]
    fn probabilities_near_an_end_keep_their_digits() {
        let law = truncated("normal", &[0.0, 1.0], 0.0, 2.0);
        // The density falls with x^2 only.
        let density = law.density(0.0).unwrap();
        for x in [1e-150, 1e-20, 1e-12, 1e-9] {
            near(law.cdf(x).below / (density * x), 1.0);
        }
        let density = law.density(2.0).unwrap();
        let x = 2.0 - 2f64.powi(-40);
        near(law.cdf(x).above / (density * 2f64.powi(-40)), 1.0);
        // The probability of a narrow interval has few digits itself; shares of it stay shares.
        let width = 2f64.powi(-40);
        for at in [0.25, 0.5, 0.75, 1.0, 1.25, 1.5] {
            let narrow = truncated("normal", &[0.0, 1.0], at, at + width);
            for share in [0.0, 2f64.powi(-8), 0.25, 0.5, 0.75, 1.0 - 2f64.powi(-8)] {
                let p = narrow.cdf(at + share * width);
                assert!((p.below - share).abs() < 1e-3, "{at} {share}: {p:?}");
                assert!(p.below >= 0.0 && p.above > 0.0, "{at} {share}: {p:?}");
            }
        }
    }

    #[test]
    fn what_never_happens_has_no_law() {
        let law = Named::new("uniform", &[0.0, 1.0]).unwrap();
        assert!(Truncated::new(Arc::new(law), Support::new(2.0, 3.0)).is_none());
    }
}
