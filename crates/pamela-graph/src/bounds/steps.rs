//! A law on equally distant values.

use pamela_law::Discrete;

use crate::lattice::{Cells, Grid};

/// The cdf of a law whose values are multiples of a width. The missing probability at its end lies at infinity.
#[derive(Clone, Debug)]
pub struct Steps {
    width: f64,
    /// `P(X <= k * width)`.
    cdf: Vec<f64>,
    /// The missing probability lies beyond this multiple.
    end: usize,
}

/// A cdf reaches a probability that it misses by rounding.
const ROUNDING: f64 = 1e-12;

impl Steps {
    /// The law of a constant.
    pub(crate) fn number(value: f64) -> Steps {
        if value > 0.0 {
            Steps {
                width: value,
                cdf: vec![0.0, 1.0],
                end: 1,
            }
        } else {
            Steps {
                width: 1.0,
                cdf: vec![1.0],
                end: 0,
            }
        }
    }

    pub(crate) fn of(law: &Cells, grid: Grid) -> Steps {
        let mut cdf = vec![0.0; law.first];
        let mut below = 0.0;
        cdf.extend(law.mass.iter().map(|mass| {
            below += mass;
            f64::min(below, 1.0)
        }));
        Steps {
            width: grid.width,
            cdf,
            end: grid.cells,
        }
    }

    /// From two bounds of one law, that which is the closer, at each value.
    pub(crate) fn closest(&self, other: &Steps, closer: fn(f64, f64) -> f64) -> Steps {
        let length = self.cdf.len().max(other.cdf.len());
        let at = |law: &Steps, k: usize| law.cdf.get(k).or(law.cdf.last()).copied().unwrap_or(0.0);
        Steps {
            width: self.width,
            cdf: (0..length)
                .map(|k| closer(at(self, k), at(other, k)))
                .collect(),
            end: self.end.max(other.end),
        }
    }

    /// `P(X <= x)`.
    pub fn cdf(&self, x: f64) -> f64 {
        if x.is_nan() || x < 0.0 {
            return 0.0;
        }
        let step = (x / self.width * (1.0 + ROUNDING)).floor() as usize;
        self.cdf
            .get(step)
            .or(self.cdf.last())
            .copied()
            .unwrap_or(0.0)
    }

    /// The least value with at least this probability below it; infinite if there is none.
    pub fn quantile(&self, p: f64) -> f64 {
        let step = self
            .cdf
            .partition_point(|&below| below < p * (1.0 - ROUNDING));
        if step < self.cdf.len() {
            step as f64 * self.width
        } else {
            f64::INFINITY
        }
    }

    /// The probability at infinity; 0 if it is only a rounding error.
    pub fn missing(&self) -> f64 {
        let missing = 1.0 - self.cdf.last().copied().unwrap_or(0.0);
        if missing > ROUNDING { missing } else { 0.0 }
    }

    /// The law as a discrete law, with the probability at infinity moved to the end of the cells. `None` for more
    /// than 4,096 values.
    pub fn discrete(&self) -> Option<Discrete> {
        let mut before = 0.0;
        let points = (0..).zip(&self.cdf).map(|(step, &below)| {
            let mass = below - before;
            before = below;
            (f64::from(step) * self.width, mass)
        });
        let mut points: Vec<(f64, f64)> = points.collect();
        match self.missing() {
            0.0 => points.last_mut()?.1 += f64::max(1.0 - before, 0.0),
            missing => points.push((self.end as f64 * self.width, missing)),
        }
        points.retain(|(_, mass)| *mass > 0.0);
        Discrete::new(&points)
    }
}
