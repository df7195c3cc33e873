//! Draws from laws, a pair at a time.

use pamela_law::{Distribution, Probability};
use rayon::prelude::*;

use crate::times::Times;

/// Number of octaves of tail probabilities that have separate cells.
const OCTAVES: usize = 40;

/// Cells in an octave, as a power of two: of few laws, and of many.
const CELLS: [u32; 2] = [6, 4];

/// Up to this many laws count as few.
const FEW: usize = 512;

/// Draws from the laws of times.
pub(super) struct Drawers(Vec<Drawer>);

/// Method of drawing from a law.
pub(super) enum Drawer {
    /// Interpolates between quantiles at cells of the probability of a tail.
    Smooth {
        /// Quantiles of the lower and of the upper tail at the ends of cells, from the rarest on.
        quantiles: Vec<[f32; 2]>,
        bits: u32,
    },
    /// One of several values.
    Steps {
        /// `P(X <= x)` of each value.
        below: Vec<f64>,
        values: Vec<f32>,
    },
}

impl Drawers {
    pub fn new(times: &Times) -> Drawers {
        let bits = CELLS[usize::from(times.laws().len() > FEW)];
        let drawer = |law: &std::sync::Arc<dyn Distribution>| {
            if law.is_discrete() {
                Drawer::steps(law.as_ref())
            } else {
                Drawer::smooth(law.as_ref(), bits)
            }
        };
        Drawers(times.laws().par_iter().map(drawer).collect())
    }

    pub fn of(&self, law: u32) -> &Drawer {
        &self.0[law as usize]
    }
}

impl Drawer {
    fn smooth(law: &dyn Distribution, bits: u32) -> Drawer {
        let cells = 1_usize << bits;
        let place = |cell: usize| {
            let (octave, part) = (cell / cells, cell % cells);
            // From 2^-(OCTAVES + 1) to 1/2.
            let scale = (octave as f64 - OCTAVES as f64 - 1.0).exp2();
            scale * (1.0 + part as f64 / cells as f64)
        };
        let quantile = |cell: usize| {
            let tail = place(cell).min(0.5);
            let (lower, upper) = (Probability::below(tail), Probability::above(tail));
            [law.quantile(lower) as f32, law.quantile(upper) as f32]
        };
        Drawer::Smooth {
            quantiles: (0..=OCTAVES * cells).map(quantile).collect(),
            bits,
        }
    }

    fn steps(law: &dyn Distribution) -> Drawer {
        let mut values = law.breaks();
        values.retain(|x| x.is_finite());
        values.sort_by(f64::total_cmp);
        values.dedup();
        Drawer::Steps {
            below: values.iter().map(|&x| law.cdf(x).below).collect(),
            values: values.iter().map(|&x| x as f32).collect(),
        }
    }

    /// The values at a probability and at its complement, of a number of 64 random bits.
    #[inline]
    pub fn pair(&self, random: u64) -> [f32; 2] {
        match self {
            Drawer::Smooth { quantiles, bits } => {
                // 63 bits tell the probability of a tail, and one which tail it is.
                let tail = ((random >> 1) as i64 | 1) as f32;
                let shift = 23 - bits;
                let code = tail.to_bits();
                let first = (127 + 62 - (OCTAVES as u32 - 1)) << bits;
                let part = (code & ((1 << shift) - 1)) as f32 / (1_u32 << shift) as f32;
                let cell = (code >> shift).saturating_sub(first) as usize;
                let (here, next) = (
                    quantiles[cell.min(quantiles.len() - 2)],
                    quantiles[(cell + 1).min(quantiles.len() - 1)],
                );
                let value = |side: usize| here[side] + part * (next[side] - here[side]);
                let first = (random & 1) as usize;
                [value(first), value(1 - first)]
            }
            Drawer::Steps { below, values } => {
                let u = ((random >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
                let value =
                    |p: f64| values[below.partition_point(|&q| q < p).min(values.len() - 1)];
                [value(u), value(1.0 - u)]
            }
        }
    }
}

/// A key from a key and a number (the finaliser of SplitMix64).
#[inline]
pub(super) fn mix(key: u64, number: u64) -> u64 {
    let mut z = key ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pamela_law::Named;

    fn drawer(name: &str, arguments: &[f64]) -> (Named, Drawer) {
        let law = Named::new(name, arguments).unwrap();
        let drawer = if law.is_discrete() {
            Drawer::steps(&law)
        } else {
            Drawer::smooth(&law, CELLS[0])
        };
        (law, drawer)
    }

    #[test]
    fn draws_are_quantiles() {
        for (name, arguments) in [
            ("exponential", &[2.0][..]),
            ("gamma", &[25.0, 0.04]),
            ("lognormal", &[0.0, 1.0]),
            ("uniform", &[1.0, 2.0]),
        ] {
            let (law, drawer) = drawer(name, arguments);
            for number in 0..10_000 {
                let random = mix(3, number);
                let tail = ((random >> 1) as f64 + 0.5) / (1_u64 << 63) as f64 * 0.5;
                let (lower, upper) = (Probability::below(tail), Probability::above(tail));
                let mut exact = [law.quantile(lower), law.quantile(upper)];
                if random & 1 == 1 {
                    exact.reverse();
                }
                for (found, exact) in drawer.pair(random).into_iter().zip(exact) {
                    assert!(
                        (f64::from(found) - exact).abs() <= 2e-4 * exact.abs().max(0.05),
                        "{name} {tail}: {found} {exact}"
                    );
                }
            }
        }
    }

    #[test]
    fn draws_of_steps_are_values() {
        let (law, drawer) = drawer("binomial", &[3.0, 0.5]);
        let draws: Vec<f32> = (0..100_000)
            .flat_map(|number| drawer.pair(mix(5, number)))
            .collect();
        for k in 0..4_u8 {
            let share =
                draws.iter().filter(|&&x| x == f32::from(k)).count() as f64 / draws.len() as f64;
            let exact = law.density(f64::from(k));
            assert!((share - exact).abs() < 0.01, "{k}: {share} {exact}");
        }
    }
}
