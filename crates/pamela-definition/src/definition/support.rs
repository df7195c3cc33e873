//! Bounds of the values of random variables.

use std::cmp::Ordering;
use std::fmt;

use super::distribution::Distribution;
use super::laws::{Law, LawName};
use super::number::Number;
use crate::law::Sampled;
use crate::syntax::tree::Relation;

/// Between what the values of a random variable lie; an end that is absent is infinite.
pub(super) struct Support {
    pub(super) lower: Option<Number>,
    pub(super) upper: Option<Number>,
    /// True if all are whole numbers.
    pub(super) whole: bool,
    /// True if its ends are values: those of a density have no probability.
    pub(super) closed: bool,
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower.order(upper).is_eq() => write!(f, "{lower}"),
            (Some(lower), Some(upper)) => write!(f, "random from {lower} to {upper}"),
            (Some(lower), None) => write!(f, "random from {lower} on"),
            _ => f.write_str("any number at random"),
        }
    }
}

impl Support {
    /// `None` for an empty distribution.
    pub(super) fn of(distribution: &Distribution) -> Option<Support> {
        let mut values = distribution.outcomes.iter().map(|(value, _)| value);
        Some(Support {
            whole: values.clone().all(|value| value.is_integer() == Ok(true)),
            closed: true,
            lower: Some(values.clone().next()?.clone()),
            upper: Some(values.next_back()?.clone()),
        })
    }

    pub(super) fn of_samples(samples: &Sampled) -> Support {
        let [lower, upper] = samples.ends().map(Number::from);
        Support {
            lower: Some(lower),
            upper: Some(upper),
            whole: samples.are_whole(),
            closed: true,
        }
    }

    /// True if each value stands in this relation to a bound.
    pub(super) fn within(&self, relation: Relation, bound: &Number) -> bool {
        let end = |end: &Option<Number>, holds: fn(Ordering) -> bool| {
            let beside =
                |x: &Number| holds(x.order(bound)) || x.order(bound).is_eq() && !self.closed;
            end.as_ref().is_some_and(beside)
        };
        match relation {
            Relation::GreaterEqual => end(&self.lower, Ordering::is_ge),
            Relation::Greater => end(&self.lower, Ordering::is_gt),
            Relation::LessEqual => end(&self.upper, Ordering::is_le),
            Relation::Less => end(&self.upper, Ordering::is_lt),
            Relation::Equal | Relation::NotEqual => false,
        }
    }
}

/// The support of a law; unknown of one given by moments.
pub(super) fn support_of(law: &Law) -> Option<Support> {
    let between = |lower: i64, upper: Option<i64>, whole: bool| Support {
        lower: Some(lower.into()),
        upper: upper.map(Number::from),
        whole,
        closed: whole,
    };
    Some(match (law.family, law.arguments.as_slice()) {
        (LawName::Moments, _) => return None,
        (LawName::Normal, _) => Support {
            lower: None,
            upper: None,
            whole: false,
            closed: false,
        },
        (LawName::Uniform, [lower, upper]) => Support {
            lower: Some(lower.clone()),
            upper: Some(upper.clone()),
            whole: false,
            closed: lower.order(upper).is_eq(),
        },
        (LawName::Binomial, [n, _]) => Support {
            upper: Some(n.clone()),
            ..between(0, None, true)
        },
        (LawName::Bernoulli, _) => between(0, Some(1), true),
        (LawName::Poisson, _) => between(0, None, true),
        (LawName::Geometric, _) => between(1, None, true),
        (LawName::Pareto, [_, scale]) => Support {
            lower: Some(scale.clone()),
            upper: None,
            whole: false,
            closed: true,
        },
        (LawName::Beta, _) => between(0, Some(1), false),
        _ => between(0, None, false),
    })
}
