//! Discrete laws on a lattice: probabilities of consecutive multiples of a step.

use super::summand::{Summand, Work};
use super::{Atom, Discrete, VALUES, product, trim, two_sum};

/// Longer runs are not added.
const LONGEST: f64 = 4.0 * VALUES as f64;

/// The lattice `base + k * step` for `k >= 0`.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    pub step: f64,
    slack: f64,
}

/// Probabilities of the multiples `first`, `first + 1`, ... of the step.
#[derive(Clone, Debug)]
pub struct Run {
    first: f64,
    masses: Vec<f64>,
}

impl Steps {
    /// The common step of all differences of values within each law, and of the values themselves
    /// if `through_zero`.
    pub fn common(laws: &[&Discrete], through_zero: bool) -> Option<Steps> {
        let base = |law: &Discrete| {
            if through_zero {
                0.0
            } else {
                law.atoms[0].value
            }
        };
        let size = |x: f64| x.abs();
        let differences = |law: &Discrete| {
            let base = base(law);
            law.atoms
                .iter()
                .map(move |atom| (size(atom.value - base), atom.slack))
                .collect::<Vec<_>>()
        };
        let all: Vec<(f64, f64)> = laws.iter().flat_map(|law| differences(law)).collect();
        let (range, slack) = all.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let least = 0.25 * range / LONGEST;
        let step = all
            .iter()
            .fold(0.0, |step, (d, _)| divisor(step, *d, least));
        let count = (range / step).round();
        if !(step > 0.0 && count <= LONGEST) {
            return None;
        }
        let widest = laws.iter().map(|law| law.atoms[0].slack);
        let slack = (slack + widest.fold(0.0, f64::max)) / count;
        let (step, exact) = (range / count, (range / count).fract() == 0.0);
        let steps = Steps {
            step,
            slack: slack + if exact { 0.0 } else { f64::EPSILON * step },
        };
        let fits = |law: &&Discrete| {
            let base = base(law);
            let start = if through_zero {
                0.0
            } else {
                law.atoms[0].slack
            };
            law.atoms.iter().all(|atom| {
                let k = ((atom.value - base) / steps.step).round();
                let miss = (atom.value - base - k * steps.step).abs();
                let rounding = 2.0 * f64::EPSILON * (atom.value - base).abs();
                miss <= atom.slack + start + k.abs() * steps.slack + rounding
            })
        };
        laws.iter().all(fits).then_some(steps)
    }

    /// A law whose values differ from `base` by multiples of the step.
    pub fn run(&self, law: &Discrete, base: f64) -> Run {
        let at = |atom: &Atom| ((atom.value - base) / self.step).round();
        let first = at(&law.atoms[0]);
        let last = at(&law.atoms[law.atoms.len() - 1]);
        let mut masses = vec![0.0; (last - first) as usize + 1];
        for atom in &law.atoms {
            masses[(at(atom) - first) as usize] += atom.mass;
        }
        Run { first, masses }
    }

    /// The values of a run from `base`, with rounding error `slack`.
    pub fn atoms(&self, run: &Run, base: f64, slack: f64) -> Vec<Atom> {
        let atom = |(k, mass): (usize, &f64)| {
            let k = run.first + k as f64;
            let (distance, lost) = product(k, self.step);
            let (value, left) = two_sum(base, distance);
            Atom {
                value,
                slack: slack + k.abs() * self.slack + lost + left,
                mass: *mass,
            }
        };
        run.masses.iter().enumerate().map(atom).collect()
    }
}

/// The greatest common divisor of two numbers from 0, where remainders below `least` are rounding.
fn divisor(a: f64, b: f64, least: f64) -> f64 {
    let (mut a, mut b) = (a.max(b), a.min(b));
    while b > least {
        (a, b) = (b, (a - b * (a / b).round()).abs());
    }
    a
}

impl Summand for Run {
    fn zero(mass: f64) -> Run {
        Run {
            first: 0.0,
            masses: vec![mass],
        }
    }

    fn plus(&self, other: &Run, work: &mut Work) -> Option<Run> {
        let (short, long) = if self.masses.len() < other.masses.len() {
            (self, other)
        } else {
            (other, self)
        };
        let count = short.masses.len() + long.masses.len() - 1;
        if count as f64 > LONGEST {
            return None;
        }
        work.take(short.masses.len() * long.masses.len())?;
        let mut masses = vec![0.0; count];
        for (i, p) in short.masses.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let places = masses[i..].iter_mut();
            places.zip(&long.masses).for_each(|(sum, q)| *sum += p * q);
        }
        let gone = trim(&mut masses, |mass| mass);
        Some(Run {
            first: self.first + other.first + gone as f64,
            masses,
        })
    }

    fn or_zero(mut self, mass: f64) -> Option<Run> {
        let last = self.first + self.masses.len() as f64 - 1.0;
        if self.first.abs().max(last.abs()) > LONGEST {
            return None;
        }
        if self.first > 0.0 {
            let mut longer = vec![0.0; self.first as usize];
            longer.append(&mut self.masses);
            (self.first, self.masses) = (0.0, longer);
        }
        let place = -self.first as usize;
        if place >= self.masses.len() {
            self.masses.resize(place + 1, 0.0);
        }
        self.masses[place] += mass;
        Some(self)
    }
}
