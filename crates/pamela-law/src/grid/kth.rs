//! The k-th smallest of different independent variables.

use super::Grid;
use super::compose::join;
use crate::order::at_least;
use crate::{Probability, Support};

impl Grid {
    /// The `k`-th smallest of different variables, `1 <= k <= laws.len()`, with values in
    /// `support`.
    pub fn kth_of(laws: &[&Grid], k: usize, support: Support) -> Grid {
        join(laws, support, &[], &|logits| {
            let event = |(t, rate): &(f64, f64)| {
                let p = Probability::from_logit(*t);
                (p, p.below * p.above * rate)
            };
            let (p, rate) = at_least(k, logits.iter().map(event));
            (p.logit(), rate / (p.below * p.above))
        })
    }
}
