//! Short and long messages: a line of the time over the number of words for each.

/// Messages in a range of sizes take `startup + words * word` seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regime {
    pub from: u64,
    pub to: u64,
    pub startup: f64,
    pub word: f64,
}

/// Points on each side of a break.
const LEAST: usize = 3;
const WORD: f64 = 8.0;

impl Regime {
    /// The time of a message, in seconds.
    pub fn time(&self, bytes: u64) -> f64 {
        self.startup + bytes as f64 / WORD * self.word
    }
}

/// Two lines with the least squares of relative errors, with the best break between them. `None` for too few points.
/// `times` has increasing numbers of bytes, and seconds above 0.
pub fn regimes(times: &[(u64, f64)]) -> Option<[Regime; 2]> {
    let breaks = LEAST..(times.len() + 1).checked_sub(LEAST)?;
    let both = breaks.map(|at| [line(&times[..at]), line(&times[at..])]);
    let both = both.min_by(|a, b| squares(a).total_cmp(&squares(b)))?;
    Some(both.map(|(regime, _)| regime))
}

fn squares(lines: &[(Regime, f64); 2]) -> f64 {
    lines.iter().map(|(_, squares)| squares).sum()
}

/// The line through these times with nonnegative coefficients, and the sum of the squared relative errors.
fn line(times: &[(u64, f64)]) -> (Regime, f64) {
    let words = |bytes: u64| bytes as f64 / WORD;
    // Sums of `w^i / t^j`.
    let sum = |i: i32, j: i32| -> f64 {
        let terms = times
            .iter()
            .map(|(bytes, t)| words(*bytes).powi(i) / t.powi(j));
        terms.sum()
    };
    let (s02, s12, s22, s01, s11) = (sum(0, 2), sum(1, 2), sum(2, 2), sum(0, 1), sum(1, 1));
    let determinant = s02 * s22 - s12 * s12;
    let startup = (s01 * s22 - s11 * s12) / determinant;
    let word = (s02 * s11 - s12 * s01) / determinant;
    let (startup, word) = match (startup > 0.0, word > 0.0) {
        (true, true) => (startup, word),
        (false, _) => (0.0, s11 / s22),
        (true, false) => (s01 / s02, 0.0),
    };
    let regime = Regime {
        from: times.first().map_or(0, |(bytes, _)| *bytes),
        to: times.last().map_or(0, |(bytes, _)| *bytes),
        startup,
        word,
    };
    let error = |(bytes, t): &(u64, f64)| (regime.time(*bytes) / t - 1.0).powi(2);
    (regime, times.iter().map(error).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> impl Iterator<Item = u64> {
        (3..=22).map(|power| 1 << power)
    }

    #[test]
    fn two_lines_are_found_again() {
        for last_short in [64_u64, 4096, 1 << 18] {
            let time = |bytes: u64| {
                if bytes <= last_short {
                    4e-7 + bytes as f64 / 8.0 * 1e-9
                } else {
                    3e-6 + bytes as f64 / 8.0 * 1.2e-9
                }
            };
            let times: Vec<(u64, f64)> = sizes().map(|bytes| (bytes, time(bytes))).collect();
            let [short, long] = regimes(&times).expect("there are enough");
            assert_eq!(
                (short.from, short.to, long.from),
                (8, last_short, 2 * last_short)
            );
            for (found, wanted) in [
                (short.startup, 4e-7),
                (short.word, 1e-9),
                (long.startup, 3e-6),
                (long.word, 1.2e-9),
            ] {
                assert!((found / wanted - 1.0).abs() < 1e-6, "{found} for {wanted}");
            }
        }
    }

    #[test]
    fn no_time_is_below_0() {
        // Times that fall with the size, and such that grow faster than it.
        let falls: Vec<(u64, f64)> = sizes().map(|bytes| (bytes, 1.0 / bytes as f64)).collect();
        let grows: Vec<(u64, f64)> = sizes().map(|b| (b, (b as f64).powi(2))).collect();
        for times in [falls, grows] {
            let found = regimes(&times).expect("there are enough");
            assert!(
                found.iter().all(|r| r.startup >= 0.0 && r.word >= 0.0),
                "{found:?}"
            );
        }
        assert!(regimes(&[(8, 1.0); 5]).is_none());
    }
}
