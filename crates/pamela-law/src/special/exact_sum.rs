//! Sums of doubles without rounding.

use num_bigint::BigInt;
use num_traits::Zero;
use serde::{Deserialize, Serialize};

/// An exact sum of doubles, which does not depend on the order or grouping of its terms.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ExactSum {
    /// Whole multiples of `2^(32 k - 1074)` by `k`, each at most once.
    ///
    /// A double adds less than `2^85` to one, so `2^42` doubles fit.
    parts: Vec<(u16, i128)>,
    /// The sum of the infinite and NaN terms, if any.
    beyond: Option<f64>,
}

/// Bits between one part and the next.
const STEP: u32 = 32;
/// Exponent of the least positive double.
const LEAST: i32 = -1074;

impl ExactSum {
    /// Adds a double.
    pub fn add(&mut self, value: f64) {
        if !value.is_finite() {
            self.beyond = Some(self.beyond.unwrap_or(0.0) + value);
            return;
        }
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as u32, bits & ((1 << 52) - 1));
        let (shift, mantissa) = match exponent {
            0 => (0, fraction),
            _ => (exponent - 1, fraction | 1 << 52),
        };
        let size = i128::from(mantissa) << (shift % STEP);
        let size = if value.is_sign_negative() {
            -size
        } else {
            size
        };
        self.add_part((shift / STEP) as u16, size);
    }

    fn add_part(&mut self, place: u16, size: i128) {
        // Most terms are about as large as those before.
        match self.parts.iter_mut().find(|(own, _)| *own == place) {
            Some((_, sum)) => *sum += size,
            None => self.parts.push((place, size)),
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &ExactSum) {
        for &(place, size) in &other.parts {
            self.add_part(place, size);
        }
        if let Some(beyond) = other.beyond {
            self.beyond = Some(self.beyond.unwrap_or(0.0) + beyond);
        }
    }

    /// The double nearest to the sum.
    pub fn value(&self) -> f64 {
        if let Some(beyond) = self.beyond {
            return beyond;
        }
        let parts = self.parts.iter();
        let sum = parts.fold(BigInt::zero(), |all, &(place, size)| {
            all + (BigInt::from(size) << (STEP * u32::from(place)))
        });
        let negative = sum < BigInt::zero();
        let size = sum.magnitude();
        let dropped = size.bits().saturating_sub(64);
        let kept = (size >> dropped).iter_u64_digits().next().unwrap_or(0);
        // Dropped bits decide between two doubles only if the remaining bits are exactly half-way.
        let rest = size.trailing_zeros().unwrap_or(0) < dropped;
        let nearest = (kept | u64::from(rest)) as f64;
        let exponent = dropped as i32 + LEAST;
        // In two steps: neither power leaves the range of doubles before the result does.
        let half = exponent / 2;
        let value = nearest * 2f64.powi(half) * 2f64.powi(exponent - half);
        if negative { -value } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use num_rational::BigRational;
    use num_traits::ToPrimitive;
    use proptest::prelude::*;

    fn sum_of(values: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        values.iter().for_each(|&value| sum.add(value));
        sum
    }

    #[test]
    fn nothing_is_rounded_before_the_end() {
        assert_eq!(sum_of(&[0.1; 10]).value(), 1.0);
        assert_eq!(sum_of(&[1e300, 1.0, -1e300]).value(), 1.0);
        assert_eq!(sum_of(&[5e-324, 5e-324]).value(), 1e-323);
        assert_eq!(sum_of(&[f64::MAX, f64::MAX]).value(), f64::INFINITY);
        assert_eq!(sum_of(&[]).value(), 0.0);
        assert_eq!(sum_of(&[1.0, f64::NEG_INFINITY]).value(), f64::NEG_INFINITY);
        assert!(sum_of(&[f64::INFINITY, f64::NEG_INFINITY]).value().is_nan());
    }

    proptest! {
        #[test]
        fn sums_are_those_of_fractions(values in prop::collection::vec(any::<f64>(), 0..40), cut in 0usize..40) {
            let values: Vec<f64> = values.into_iter().filter(|x| x.is_finite()).collect();
            let exact = values.iter().filter_map(|&x| BigRational::from_float(x));
            let exact: BigRational = exact.sum();
            let (first, second) = values.split_at(cut.min(values.len()));
            let mut parts = sum_of(second);
            parts.merge(&sum_of(first));
            prop_assert_eq!(parts.value(), sum_of(&values).value());
            let known = exact.to_f64().unwrap();
            if known.is_finite() {
                prop_assert_eq!(parts.value(), known);
            }
        }
    }
}
