//! Mirrored laws: the smallest of variables is minus the largest of the mirrored ones.

use crate::{Cumulants, Distribution, Probability, Support};

/// The law of `-X`.
pub struct Mirrored<'a>(pub &'a dyn Distribution);

impl Distribution for Mirrored<'_> {
    fn cumulants(&self) -> Cumulants {
        self.0.cumulants().scaled(-1.0)
    }

    fn support(&self) -> Support {
        let Support { lower, upper } = self.0.support();
        Support::new(-upper, -lower)
    }

    fn quantile(&self, p: Probability) -> f64 {
        -self.0.quantile(p.complement())
    }

    fn cdf(&self, x: f64) -> Probability {
        // -X <= x where X >= -x, which is not X < -x.
        self.0.cdf((-x).next_down()).complement()
    }

    fn cdfs<'a>(&'a self) -> Box<dyn Fn(f64) -> Probability + 'a> {
        let cdf = self.0.cdfs();
        Box::new(move |x| cdf((-x).next_down()).complement())
    }

    fn breaks(&self) -> Vec<f64> {
        self.0.breaks().into_iter().map(|x| -x).collect()
    }

    fn is_discrete(&self) -> bool {
        self.0.is_discrete()
    }
}
