//! Indices as linear expressions.

use std::collections::BTreeMap;

/// An index as a sum of multiples of symbols and a number, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Linear {
    terms: BTreeMap<String, i64>,
    constant: i64,
}

impl Linear {
    pub(super) fn number(constant: i64) -> Linear {
        Linear {
            constant,
            ..Linear::default()
        }
    }

    pub(super) fn symbol(name: String) -> Linear {
        Linear {
            terms: BTreeMap::from([(name, 1)]),
            constant: 0,
        }
    }

    /// Adds a multiple of another expression.
    pub(super) fn plus(&self, other: &Linear, times: i64) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(other.constant.checked_mul(times)?)?;
        for (name, count) in &other.terms {
            let known = sum.terms.entry(name.clone()).or_default();
            *known = known.checked_add(count.checked_mul(times)?)?;
        }
        sum.terms.retain(|_, count| *count != 0);
        Some(sum)
    }

    pub(super) fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }
}
