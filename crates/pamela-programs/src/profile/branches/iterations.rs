//! Iteration counts, message lengths, and values of variables.

use super::{CHANCE, FEW, is_off, merged, moments, over_runs, span, unknown};
use crate::lowering::{Known, KnownLaw, KnownValue};
use crate::problem::{short, six_digits};
use crate::profile::record::Site;

/// Cumulants of the iterations: k-statistics, from the sums of powers.
fn iterations(site: &Site) -> [f64; 4] {
    let n = site.calls as f64;
    let sum = |k: usize| site.trips.get(k).map_or(0.0, |sum| *sum as f64);
    let mean = sum(0) / n;
    // Central sums by doubles are good where numbers of iterations are of one order.
    let second = (sum(1) - n * mean * mean).max(0.0);
    let third = sum(2) - 3.0 * mean * sum(1) + 2.0 * n * mean.powi(3);
    let fourth = sum(3) - 4.0 * mean * sum(2) + 6.0 * mean * mean * sum(1) - 3.0 * n * mean.powi(4);
    if n < 4.0 {
        return [mean, second / (n - 1.0).max(1.0), 0.0, 0.0];
    }
    let k2 = second / (n - 1.0);
    let k3 = n * third / ((n - 1.0) * (n - 2.0));
    let k4 = (n * (n + 1.0) * fourth - 3.0 * (n - 1.0) * second * second)
        / ((n - 1.0) * (n - 2.0) * (n - 3.0));
    [mean, k2, k3, k4]
}

/// Number of words in messages.
pub fn of_messages(points: &[Site]) -> Known {
    let all = merged(points);
    if points.iter().any(|site| site.mean() != all.mean()) {
        return unknown(span(points));
    }
    Known {
        value: KnownValue::constant(six_digits(all.mean())),
        note: format!("of {} messages", all.calls),
    }
}

/// Value of a variable: the rounded mean over runs, if it is the same at all points.
pub fn of_values(points: &[Site], runs: &[Vec<Site>]) -> Known {
    let means = || runs.iter().flatten().map(Site::mean);
    let first = points[0].mean();
    if points.iter().any(|site| site.mean() != first) {
        return unknown(span(points));
    }
    let (least, most) = (
        means().fold(f64::INFINITY, f64::min),
        means().fold(f64::NEG_INFINITY, f64::max),
    );
    let count = means().count();
    let note = if least == most && least.fract() == 0.0 {
        format!("always, in {count} runs")
    } else {
        format!(
            "from {} to {} in {count} runs: their mean",
            short(least),
            short(most)
        )
    };
    Known {
        value: KnownValue::constant(first.round()),
        note,
    }
}

/// Iteration count of a loop.
pub fn of_loop(points: &[Site], runs: &[Vec<Site>]) -> Known {
    let all = merged(points);
    let value = six_digits(all.mean());
    let same = |law: KnownLaw, note: String| Known {
        value: KnownValue::Same { law, mean: value },
        note,
    };
    // All numbers are the same where the square of the sum is n times the sum of the squares.
    let is_exact = match all.trips[..] {
        [sum, squares, ..] => sum.checked_mul(sum) == squares.checked_mul(u128::from(all.calls)),
        _ => true,
    };
    if is_exact {
        return same(
            KnownLaw::Constant(value),
            format!("always, in {} loops", all.calls),
        );
    }
    let [mean, k2, k3, k4] = iterations(&all);
    let agrees = |site: &Site| {
        let error = (k2 / site.calls as f64).sqrt();
        site.calls as f64 >= FEW && (site.mean() - mean).abs() <= CHANCE * error
    };
    if points.len() > 1 && !points.iter().all(agrees) {
        return unknown(span(points));
    }
    let (ratio, freedom) = over_runs(runs, k2, |site| site.mean() * site.calls as f64);
    if (all.calls as f64) < FEW || freedom < 5.0 {
        let note = format!("{} loops in too few runs for a law: their mean", all.calls);
        return same(KnownLaw::Constant(value), note);
    }
    if is_off(ratio, freedom) {
        let ratio = short(ratio);
        let note =
            format!("over runs its variance is {ratio} of that of independent loops: its mean");
        same(KnownLaw::Constant(value), note)
    } else {
        same(moments(mean, k2, k3, k4), format!("{} loops", all.calls))
    }
}
