//! Laws of atoms at the conditional means of groups of values.
//!
//! Grouping values at their conditional mean makes a law smaller in the convex order, for any groups. An atom has the
//! number of the cell that groups it, and its own position, which need not lie in that cell.

use super::convolution::{Digits, convolved};
use super::profile::{Profile, RARE};
use super::{Calculus, Grid};

/// Sums and maxima of groups at their means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    pub grid: Grid,
}

/// A law of atoms.
#[derive(Clone, Debug)]
pub(crate) struct Atoms {
    /// The number of the first cell.
    pub first: usize,
    pub mass: Vec<f64>,
    /// Mass times mean of each cell.
    pub moment: Vec<f64>,
}

impl Atoms {
    /// The mean of the law.
    pub fn mean(&self) -> f64 {
        self.moment.iter().sum()
    }

    /// Masses with their places, by place.
    fn points(&self) -> Vec<(f64, f64)> {
        let atoms = self
            .mass
            .iter()
            .zip(&self.moment)
            .filter(|(mass, _)| **mass > 0.0);
        let mut points: Vec<(f64, f64)> = Vec::with_capacity(self.mass.len());
        points.extend(atoms.map(|(mass, moment)| (*mass, moment / mass)));
        if !points.is_sorted_by(|a, b| a.1 <= b.1) {
            points.sort_by(|a, b| a.1.total_cmp(&b.1));
        }
        points
    }
}

impl Means {
    /// The law of `X + amount`.
    pub fn shifted(&self, law: &Atoms, amount: f64) -> Atoms {
        let moments = law.mass.iter().zip(&law.moment);
        Atoms {
            first: law.first + self.grid.below(amount),
            mass: law.mass.clone(),
            moment: moments
                .map(|(mass, moment)| moment + amount * mass)
                .collect(),
        }
    }

    /// Everything beyond the last cell is one group.
    fn settled(&self, mut law: Atoms) -> Atoms {
        let last = self.grid.cells;
        let kept = (last + 1).saturating_sub(law.first).max(1);
        if law.mass.len() > kept {
            let mass: f64 = law.mass.drain(kept..).sum();
            let moment: f64 = law.moment.drain(kept..).sum();
            law.mass[kept - 1] += mass;
            law.moment[kept - 1] += moment;
        }
        law.first = law.first.min(last);
        law
    }
}

impl Calculus for Means {
    type Law = Atoms;

    fn zero(&self) -> Atoms {
        Atoms {
            first: 0,
            mass: vec![1.0],
            moment: vec![0.0],
        }
    }

    fn task(&self, profile: &Profile) -> Atoms {
        let Profile {
            first,
            tails,
            areas,
            beyond,
        } = profile;
        let width = self.grid.width;
        let end = |k: usize| (first + k) as f64 * width;
        let at_first = 1.0 - tails[0];
        let known = tails
            .iter()
            .position(|&tail| tail <= RARE)
            .map_or(tails.len(), |k| k + 1);
        let tails = &tails[..known];
        let (mut mass, mut moment) = (Vec::with_capacity(known), Vec::with_capacity(known));
        for (k, (pair, area)) in tails.windows(2).zip(areas).enumerate() {
            let inside = f64::max(pair[0] - pair[1], 0.0);
            mass.push(inside);
            moment.push(end(k) * inside + f64::max(area - width * pair[1], 0.0));
        }
        if mass.is_empty() {
            (mass, moment) = (vec![0.0], vec![0.0]);
        }
        mass[0] += at_first;
        moment[0] += at_first * end(0);
        // Negligible mass is put at its least value.
        let last = tails[tails.len() - 1];
        if last > 0.0 {
            mass.push(last);
            moment.push(last * end(tails.len() - 1) + if last > RARE { *beyond } else { 0.0 });
        }
        self.settled(Atoms {
            first: *first,
            mass,
            moment,
        })
    }

    fn sum(&self, a: &Atoms, b: &Atoms) -> Atoms {
        let mass = convolved(&a.mass, &b.mass, Digits::Likely);
        let (first, second) = (
            convolved(&a.moment, &b.mass, Digits::Likely),
            convolved(&a.mass, &b.moment, Digits::Likely),
        );
        let moment = first.iter().zip(&second).map(|(x, y)| x + y).collect();
        self.settled(Atoms {
            first: a.first + b.first,
            mass,
            moment,
        })
    }

    fn larger(&self, a: &Atoms, b: &Atoms) -> Atoms {
        let (of_a, of_b) = (a.points(), b.points());
        let (mut i, mut j) = (0, 0);
        let (mut below_a, mut below_b) = (0.0, 0.0);
        let low = |points: &[(f64, f64)]| points.first().map_or(0.0, |point| point.1);
        let first = self.grid.below(low(&of_a).max(low(&of_b)));
        let room = of_a.len().max(of_b.len());
        let mut larger = Atoms {
            first,
            mass: Vec::with_capacity(room),
            moment: Vec::with_capacity(room),
        };
        while i < of_a.len() || j < of_b.len() {
            let is_a = j >= of_b.len() || (i < of_a.len() && of_a[i].1 <= of_b[j].1);
            let (new, place) = if is_a {
                let (mass, place) = of_a[i];
                (i, below_a) = (i + 1, below_a + mass);
                (mass * below_b, place)
            } else {
                let (mass, place) = of_b[j];
                (j, below_b) = (j + 1, below_b + mass);
                (mass * below_a, place)
            };
            if new > 0.0 {
                let cell = self.grid.below(place).saturating_sub(first);
                if cell >= larger.mass.len() {
                    larger.mass.resize(cell + 1, 0.0);
                    larger.moment.resize(cell + 1, 0.0);
                }
                larger.mass[cell] += new;
                larger.moment[cell] += new * place;
            }
        }
        if larger.mass.is_empty() {
            (larger.mass, larger.moment) = (vec![0.0], vec![0.0]);
        }
        larger
    }
}
