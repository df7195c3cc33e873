//! Means with their uncertainty.

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF, StudentsT};

/// Mean of a number over replications.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    pub mean: f64,
    /// Standard deviation; `None` for a single replication.
    pub deviation: Option<f64>,
    /// Student's interval for the mean; `None` for a single replication.
    pub interval: Option<[f64; 2]>,
    pub replications: usize,
}

/// Values that differ less, relatively, are equal.
const ROUNDING: f64 = 1e-14;

/// Summarises at least one value; `confidence` is strictly between 0 and 1.
pub fn summary(values: &[f64], confidence: f64) -> Summary {
    let n = values.len() as f64;
    // About the first, so that equal values have no deviation.
    let origin = values.first().copied().unwrap_or_default();
    let mean = origin + values.iter().map(|x| x - origin).sum::<f64>() / n;
    if values.len() < 2 {
        return Summary {
            mean,
            deviation: None,
            interval: None,
            replications: values.len(),
        };
    }
    let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    let greatest = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    // Sums of times in another order differ by rounding.
    let deviation = match (squares / (n - 1.0)).sqrt() {
        deviation if deviation <= ROUNDING * greatest => 0.0,
        deviation => deviation,
    };
    let half = student(confidence, n - 1.0) * deviation / n.sqrt();
    Summary {
        mean,
        deviation: Some(deviation),
        interval: Some([mean - half, mean + half]),
        replications: values.len(),
    }
}

/// The quantile that Student's law stays below on both sides.
fn student(confidence: f64, freedom: f64) -> f64 {
    let law = StudentsT::new(0.0, 1.0, freedom);
    law.map_or(f64::INFINITY, |law| law.inverse_cdf(0.5 + confidence / 2.0))
}

/// A quantile of a sample, with the interval between two of its order statistics.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantile {
    pub probability: f64,
    pub value: f64,
    /// `None` if there are too few replications for the confidence.
    pub interval: Option<[f64; 2]>,
}

/// The quantile of at least one value, in increasing order.
pub fn quantile(sorted: &[f64], probability: f64, confidence: f64) -> Quantile {
    let n = sorted.len();
    let position = ((n as f64 * probability).ceil() as usize).clamp(1, n);
    let tail = (1.0 - confidence) / 2.0;
    // The k-th smallest lies above the quantile where fewer than k of the n are below it.
    let lower = (1..=n).rev().find(|k| above(*k, n, probability) <= tail);
    let upper = (1..=n).find(|k| 1.0 - above(*k, n, probability) <= tail);
    let interval = lower.zip(upper);
    Quantile {
        probability,
        value: sorted[position - 1],
        interval: interval.map(|(lower, upper)| [sorted[lower - 1], sorted[upper - 1]]),
    }
}

/// The probability that the `k`-th smallest of `n` values lies above the quantile.
fn above(k: usize, n: usize, probability: f64) -> f64 {
    let law = Beta::new(k as f64, (n - k + 1) as f64);
    law.map_or(1.0, |law| law.sf(probability))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_that_of_the_tables() {
        // Student's quantile for 4 degrees of freedom at 97.5 % is 2.776445.
        let found = summary(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.95);
        assert_eq!((found.mean, found.replications), (3.0, 5));
        let deviation = 2.5_f64.sqrt();
        assert!((found.deviation.expect("of five") - deviation).abs() < 1e-12);
        let half = 2.776_445_105 * deviation / 5.0_f64.sqrt();
        let [lower, upper] = found.interval.expect("of five");
        assert!((upper - 3.0 - half).abs() < 1e-6 && (3.0 - lower - half).abs() < 1e-6);
    }

    #[test]
    fn the_interval_of_a_median_lies_between_order_statistics() {
        // Of 30 values, the 10th and the 21st cover the median with 95.7 %, the 11th and the 20th with 90.1 %.
        let values: Vec<f64> = (1..=30).map(f64::from).collect();
        let found = quantile(&values, 0.5, 0.95);
        assert_eq!((found.value, found.interval), (15.0, Some([10.0, 21.0])));
        assert_eq!(quantile(&values, 0.99, 0.95).interval, None);
    }
}
