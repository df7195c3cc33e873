//! A law with four given moments: the first family that can have them.

use std::fmt;

use super::{Cumulants, Distribution, Gld, Johnson, Named, Probability, Support, TwoPoint};

/// Families, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The generalized lambda distribution.
    Gld,
    /// Johnson's system, which covers all pairs of skewness and kurtosis.
    Johnson,
    /// A law of two values, if kurtosis is (nearly) `skewness^2 + 1`.
    TwoPoint,
    /// A single value, if the variance is 0.
    Constant,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Gld => "gld",
            Family::Johnson => "johnson",
            Family::TwoPoint => "two-point",
            Family::Constant => "constant",
        })
    }
}

/// A law with four given moments, truncated to known bounds of its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    law: Law,
    target: Cumulants,
    bounds: Support,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Gld(Gld),
    Johnson(Johnson),
    TwoPoint(TwoPoint),
    Constant(Named),
}

/// Rounding may put a kurtosis this far below `skewness^2 + 1`, relatively.
const SLACK: f64 = 1e-9;

/// A fitted law meets a bound if it ends this near to the bound, relative to its deviation.
const MET: f64 = 1e-6;

impl Fitted {
    /// Fits the first family from `first` on that can have these moments.
    ///
    /// Quantiles are clamped to `bounds`, because a time is never negative even if the fitted tail
    /// is.
    ///
    /// # Errors
    ///
    /// Fails if no law has these moments: one is not a number, the variance is negative, kurtosis
    /// is below `skewness^2 + 1`, or the mean lies outside of the bounds.
    pub fn new(target: Cumulants, bounds: Support, first: Family) -> Result<Fitted, String> {
        check(&target, bounds)?;
        let tried = |family: Family| first <= family;
        let gld = || Gld::fit(&target).filter(|_| tried(Family::Gld));
        let johnson = || Johnson::fit(&target).filter(|_| tried(Family::Johnson));
        let constant = Law::Constant(Named::deterministic(target.mean));
        let law = if target.variance == 0.0 {
            constant
        } else if let Some(law) = gld() {
            Law::Gld(law)
        } else if let Some(law) = johnson() {
            Law::Johnson(law)
        } else {
            TwoPoint::fit(&target).map_or(constant, Law::TwoPoint)
        };
        Ok(Fitted {
            law,
            target,
            bounds,
        })
    }

    /// The family that has the moments.
    pub fn family(&self) -> Family {
        match self.law {
            Law::Gld(_) => Family::Gld,
            Law::Johnson(_) => Family::Johnson,
            Law::TwoPoint(_) => Family::TwoPoint,
            Law::Constant(_) => Family::Constant,
        }
    }

    /// True if the unbounded law does not end at the finite lower (or upper) bound.
    pub fn misses_bound(&self, lower: bool) -> bool {
        let end = |support: Support| if lower { support.lower } else { support.upper };
        let (own, bound) = (end(self.law().support()), end(self.bounds));
        bound.is_finite() && (own - bound).abs() > MET * self.target.deviation()
    }

    fn law(&self) -> &dyn Distribution {
        match &self.law {
            Law::Gld(law) => law,
            Law::Johnson(law) => law,
            Law::TwoPoint(law) => law,
            Law::Constant(law) => law,
        }
    }

    /// The cdf from that of the law without bounds.
    fn bounded(&self, x: f64, cdf: impl Fn(f64) -> Probability) -> Probability {
        if x < self.bounds.lower {
            Probability::below(0.0)
        } else if x >= self.bounds.upper {
            Probability::above(0.0)
        } else {
            cdf(x)
        }
    }
}

fn check(target: &Cumulants, bounds: Support) -> Result<(), String> {
    let values = [target.mean, target.variance, target.third, target.fourth];
    for (name, value) in ["mean", "variance", "third cumulant", "fourth cumulant"]
        .iter()
        .zip(values)
    {
        if !value.is_finite() {
            return Err(format!(
                "the {name} is {value}, but must be a finite number"
            ));
        }
    }
    if target.variance < 0.0 {
        let variance = target.variance;
        return Err(format!(
            "the variance is {variance}, but must be at least 0"
        ));
    }
    if target.mean < bounds.lower || target.mean > bounds.upper {
        let (mean, Support { lower, upper }) = (target.mean, bounds);
        return Err(format!(
            "the mean is {mean}, but all values lie between {lower} and {upper}"
        ));
    }
    let (skewness, kurtosis) = (target.skewness(), target.kurtosis());
    let bound = skewness * skewness + 1.0;
    if kurtosis < bound * (1.0 - SLACK) {
        return Err(format!(
            "the kurtosis is {kurtosis}, but with a skewness of {skewness} it is at least \
             skewness^2 + 1 = {bound}; it is 3 for the normal law"
        ));
    }
    Ok(())
}

impl Distribution for Fitted {
    /// The moments that were asked for, whatever the bounds cut off.
    fn cumulants(&self) -> Cumulants {
        self.target
    }

    fn support(&self) -> Support {
        let Support { lower, upper } = self.law().support();
        Support::new(self.bounds.clamp(lower), self.bounds.clamp(upper))
    }

    fn quantile(&self, p: Probability) -> f64 {
        self.bounds.clamp(self.law().quantile(p))
    }

    fn at_logit(&self, t: f64) -> Option<(f64, f64)> {
        let (x, slope) = self.law().at_logit(t)?;
        let inside = x > self.bounds.lower && x < self.bounds.upper;
        Some((self.bounds.clamp(x), if inside { slope } else { 0.0 }))
    }

    fn cdf(&self, x: f64) -> Probability {
        self.bounded(x, |x| self.law().cdf(x))
    }

    fn cdfs<'a>(&'a self) -> Box<dyn Fn(f64) -> Probability + 'a> {
        let cdf = self.law().cdfs();
        Box::new(move |x| self.bounded(x, &cdf))
    }

    fn breaks(&self) -> Vec<f64> {
        let ends = [self.bounds.lower, self.bounds.upper].into_iter();
        let mut breaks: Vec<f64> = self.law().breaks().into_iter().chain(ends).collect();
        breaks.iter_mut().for_each(|x| *x = self.bounds.clamp(*x));
        breaks
    }

    fn is_discrete(&self) -> bool {
        self.law().is_discrete()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(skewness: f64, kurtosis: f64) -> Result<Fitted, String> {
        let target = Cumulants::from_moments(1.0, 1.0, skewness, kurtosis);
        Fitted::new(target, Support::REAL, Family::Gld)
    }

    #[test]
    fn the_first_family_that_reaches_the_moments_is_taken() {
        for (skewness, kurtosis, family) in [
            (2.0, 9.0, Family::Gld),
            (2.0 * 2.0_f64.sqrt(), 15.0, Family::Johnson),
            (1.0, 2.0 - 1e-12, Family::TwoPoint),
            (0.0, 1.0, Family::TwoPoint),
        ] {
            assert_eq!(fit(skewness, kurtosis).unwrap().family(), family);
        }
        let constant = Fitted::new(Cumulants::constant(7.0), Support::REAL, Family::Gld).unwrap();
        assert_eq!(constant.family(), Family::Constant);
        assert_eq!(constant.quantile(Probability::above(1e-200)), 7.0);
        let target = Cumulants::from_moments(1.0, 1.0, 0.0, 3.0);
        let johnson = Fitted::new(target, Support::REAL, Family::Johnson).unwrap();
        assert_eq!(johnson.family(), Family::Johnson);
    }

    #[test]
    fn bounds_are_kept() {
        let target = Cumulants::from_moments(1.0, 1.0, 0.0, 3.0);
        let law = Fitted::new(target, Support::NONNEGATIVE, Family::Gld).unwrap();
        assert_eq!(law.quantile(Probability::below(1e-6)), 0.0);
        assert!(law.quantile(Probability::below(0.5)) > 0.9);
        assert_eq!(law.support().lower, 0.0);
        assert_eq!(law.cdf(-0.1).below, 0.0);
        assert!(law.cdf(0.0).below > 0.1);
    }

    #[test]
    fn what_no_law_has_is_refused() {
        let error = |skewness, kurtosis| fit(skewness, kurtosis).unwrap_err();
        assert_eq!(
            error(1.0, 1.5),
            "the kurtosis is 1.5, but with a skewness of 1 it is at least skewness^2 + 1 = 2; \
             it is 3 for the normal law"
        );
        assert!(error(f64::NAN, 3.0).starts_with("the third cumulant is NaN"));
        let of = |target, bounds| Fitted::new(target, bounds, Family::Gld).unwrap_err();
        let negative = Cumulants::constant(-1.0);
        assert!(of(negative, Support::NONNEGATIVE).starts_with("the mean is -1, but"));
        let variance = Cumulants {
            variance: -2.0,
            ..negative
        };
        assert!(of(variance, Support::REAL).contains("variance is -2"));
    }
}
