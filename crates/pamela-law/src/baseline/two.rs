//! Three published methods for the larger of two variables given by four moments (thesis section
//! 5.3).

use crate::special::incomplete_beta;
use crate::{Cumulants, Distribution, Gld, Probability};

/// Source of the cdf of the other variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// No cdf is needed: the smaller of the two cdfs replaces their product (5.28).
    Graphical,
    /// The cdf of a generalized beta distribution with equal moments (5.33).
    GeneralizedBeta,
    /// The cdf by Newton's method from the quantile function (5.35).
    Newton,
}

/// Raw moments `E[Y], ..., E[Y^4]` of the larger of two, as means over `nodes` probabilities.
///
/// The papers' nodes `k / nodes` end at 1, where a quantile may be infinite; this function uses
/// midpoints (errata). Returns `None` if a law is outside of the family.
pub fn largest_of_two(
    method: Method,
    first: &Cumulants,
    second: &Cumulants,
    nodes: u32,
) -> Option<[f64; 4]> {
    let (x, y) = (Gld::fit(first)?, Gld::fit(second)?);
    let mut sum = [0.0; 4];
    let mut add = |value: f64, weight: f64| {
        for (r, sum) in (1..).zip(sum.iter_mut()) {
            *sum += weight * value.powi(r) / f64::from(nodes);
        }
    };
    let betas = match method {
        Method::GeneralizedBeta => Some([Beta::fit(first)?, Beta::fit(second)?]),
        _ => None,
    };
    for k in 0..nodes {
        let p = Probability::below((f64::from(k) + 0.5) / f64::from(nodes));
        let (a, b) = (x.quantile(p), y.quantile(p));
        match (method, &betas) {
            // The quantile of the smaller cdf is the larger quantile.
            (Method::Graphical, _) => add(a.max(b), 1.0),
            (_, Some([first, second])) => {
                add(a, second.cdf(a));
                add(b, first.cdf(b));
            }
            (_, None) => {
                add(a, y.cdf(a).below);
                add(b, x.cdf(b).below);
            }
        }
    }
    Some(sum)
}

/// The generalized beta distribution (5.30).
struct Beta {
    location: f64,
    scale: f64,
    a: f64,
    b: f64,
}

/// The greatest sum of the shape parameters: Table 5.2 stands for the normal law by a thousand each.
const MAX_SHAPE: f64 = 2_000.0;

impl Beta {
    /// Pearson's solution for four moments. The normal and the gamma laws are limits of beta laws, and are
    /// represented by beta laws with large shapes. Beyond them there is no solution.
    fn fit(law: &Cumulants) -> Option<Beta> {
        let (square, kurtosis) = (law.skewness().powi(2), law.kurtosis());
        let rest = 6.0 + 3.0 * square - 2.0 * kurtosis;
        if law.variance <= 0.0 || rest < -1e-9 {
            return None;
        }
        let shape = (6.0 * (kurtosis - square - 1.0) / rest.max(1e-12)).min(MAX_SHAPE);
        let root = square / ((shape + 2.0).powi(2) * square + 16.0 * (shape + 1.0));
        let lean = (shape + 2.0) * root.sqrt() * law.skewness().signum();
        let (a, b) = (shape / 2.0 * (1.0 - lean), shape / 2.0 * (1.0 + lean));
        let variance = a / shape * (b / shape) / (shape + 1.0);
        let scale = (law.variance / variance).sqrt();
        Some(Beta {
            location: law.mean - scale * a / shape,
            scale,
            a,
            b,
        })
    }

    fn cdf(&self, x: f64) -> f64 {
        let t = ((x - self.location) / self.scale).clamp(0.0, 1.0);
        incomplete_beta(self.a, self.b, t, 1.0 - t).0
    }
}
