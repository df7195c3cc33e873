//! Random numbers by counter: a number is a function of its key alone.
//!
//! A key consists of the seed, the replication, the running process and the number of its draws. The number of
//! threads therefore does not matter, and one more client leaves the draws of all others unchanged.

/// Combines a key and a number into a key (the finaliser of SplitMix64).
pub fn mix(key: u64, number: u64) -> u64 {
    let mut z = key ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number strictly between 0 and 1: the middle of one of 2^53 equal parts.
pub fn uniform(key: u64) -> f64 {
    ((key >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_counters_draw_evenly_and_independently() {
        let draws: Vec<f64> = (0..100_000).map(|n| uniform(mix(7, n))).collect();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / 100_000.0;
        // Standard errors: 0.0009, 0.0009, 0.0003.
        assert!((mean(&mut draws.iter().copied()) - 0.5).abs() < 0.004);
        assert!((mean(&mut draws.iter().map(|x| x * x)) - 1.0 / 3.0).abs() < 0.004);
        let pairs = draws
            .windows(2)
            .map(|pair| (pair[0] - 0.5) * (pair[1] - 0.5));
        assert!(mean(&mut pairs.into_iter()).abs() < 0.0015);
    }
}
