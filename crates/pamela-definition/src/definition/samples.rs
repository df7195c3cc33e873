//! Values of samples.

use super::fraction::Fraction;
use super::number::Number;
use crate::law::Sampled;

/// Values of one law that are enumerated.
const MAX_VALUES: usize = 1000;

/// Every value with its probability.
///
/// # Errors
/// Fails if there are too many outcomes to list.
pub(super) fn outcomes(samples: &Sampled) -> Result<Vec<(Number, Fraction)>, String> {
    let Some(values) = samples.values(MAX_VALUES) else {
        return Err(format!(
            "samples of more than {MAX_VALUES} values are too many to enumerate"
        ));
    };
    let share = |count: usize| Fraction::new(count as i64, samples.count() as i64);
    let outcome = |(value, count)| (Number::from(value), share(count));
    Ok(values.into_iter().map(outcome).collect())
}
