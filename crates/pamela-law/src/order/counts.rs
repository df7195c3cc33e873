//! The number of independent events that occur: the Poisson-binomial law.

use crate::Probability;

/// The probability of at least `k >= 1` of the events, and its derivative.
///
/// Takes the probability of each event with its derivative. Both tails are sums of positive terms.
pub fn at_least(k: usize, events: impl Iterator<Item = (Probability, f64)>) -> (Probability, f64) {
    // Chances of exactly 0 to k - 1 of the events so far.
    let mut counts = vec![(0.0, 0.0); k];
    counts[0] = (1.0, 0.0);
    let mut reached = (0.0, 0.0);
    for (p, rate) in events {
        for j in (0..k).rev() {
            let (chance, slope) = counts[j];
            let more = (chance * p.below, slope * p.below + chance * rate);
            let next = if j + 1 == k {
                &mut reached
            } else {
                &mut counts[j + 1]
            };
            *next = (next.0 + more.0, next.1 + more.1);
            counts[j] = (chance * p.above, slope * p.above - chance * rate);
        }
    }
    let sum = |of: fn(&(f64, f64)) -> f64| counts.iter().map(of).sum::<f64>();
    let whole = Probability {
        below: reached.0,
        above: sum(|count| count.0),
    };
    // The rarer side keeps the digits of its slope.
    let rate = if whole.below < whole.above {
        reached.1
    } else {
        -sum(|count| count.1)
    };
    (whole, rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_all_outcomes() {
        let chances = [0.1, 0.5, 0.25, 0.8];
        let chance = |shift: f64, k: u32| -> f64 {
            let outcomes = 0..16_u32;
            let those = outcomes.filter(|outcome| outcome.count_ones() >= k);
            let of = |outcome: u32| -> f64 {
                let one = |(i, p): (usize, &f64)| match outcome >> i & 1 {
                    1 => p + shift,
                    _ => 1.0 - p - shift,
                };
                chances.iter().enumerate().map(one).product()
            };
            those.map(of).sum()
        };
        for k in 1..=4 {
            let events = chances.iter().map(|p| (Probability::below(*p), 1.0));
            let (found, rate) = at_least(k as usize, events);
            assert!((found.below - chance(0.0, k)).abs() < 1e-15);
            assert!((found.above - (1.0 - chance(0.0, k))).abs() < 1e-15);
            let slope = (chance(1e-5, k) - chance(-1e-5, k)) / 2e-5;
            assert!((rate - slope).abs() < 1e-8, "{rate} {slope}");
        }
    }

    #[test]
    fn rare_counts_keep_their_digits() {
        let rare = Probability::below(1e-100);
        let events = || std::iter::repeat_n((rare, 0.0), 3);
        assert!((at_least(2, events()).0.below / 3e-200 - 1.0).abs() < 1e-14);
        let sure = std::iter::repeat_n((rare.complement(), 0.0), 3);
        assert!((at_least(2, sure).0.above / 3e-200 - 1.0).abs() < 1e-14);
    }
}
