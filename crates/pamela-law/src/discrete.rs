//! Laws of finitely many values, exact up to rounding.
//!
//! Sums, products, mixtures, order statistics and conditions of such laws are again such laws, as
//! long as they have at most 4096 values and take a limited number of steps. Beyond that, functions
//! return `None` and a grid takes over. Values that are equal up to rounding are joined: each
//! carries a bound of its rounding error.

mod compose;
mod run;
mod sum;
mod summand;
#[cfg(test)]
mod tests;

use super::{Cumulants, Distribution, Named, Probability, Support};

/// Laws of more values are left to grids.
const VALUES: usize = 4096;

/// Laws of fewer values keep them all; of others, the rarest at either end count with their neighbours
const FEW: usize = 256;

/// while they have less than this probability together.
const RARE: f64 = 1e-30;

/// A cdf reaches a probability that it misses by rounding.
const ROUNDING: f64 = 1e-12;

/// A value with its probability.
#[derive(Clone, Copy, Debug)]
struct Atom {
    value: f64,
    /// Bound of the rounding error of the value.
    slack: f64,
    mass: f64,
}

/// A law of finitely many values.
#[derive(Clone, Debug)]
pub struct Discrete {
    /// The values with their probabilities, in increasing order; more than one.
    atoms: Vec<Atom>,
    /// `P(X <= x)` for each value.
    below: Vec<f64>,
    /// `P(X > x)` for each value.
    above: Vec<f64>,
    support: Support,
}

impl Discrete {
    /// Values with their probabilities, which add up to 1 up to rounding; `None` for no values or
    /// too many.
    pub fn new(points: &[(f64, f64)]) -> Option<Discrete> {
        let atoms = points.iter().map(|&(value, mass)| Atom {
            value,
            slack: input_slack(value),
            mass,
        });
        Discrete::of_atoms(atoms.collect())
    }

    /// A named law that lists its values; `None` for other laws, and for too many values.
    pub fn of(law: &Named) -> Option<Discrete> {
        if !law.is_discrete() {
            return None;
        }
        let point = |value: f64| (value, law.density(value));
        let points: Vec<(f64, f64)> = law.breaks().into_iter().map(point).collect();
        Some(Discrete::new(&points)?.within(law.support()))
    }

    /// Equally likely samples in increasing order, minus `origin`.
    pub fn of_samples(samples: &[f64], origin: f64) -> Option<Discrete> {
        let groups = || samples.chunk_by(|a, b| a == b);
        if groups().take(VALUES + 1).count() > VALUES {
            return None;
        }
        let atoms = groups().map(|equal| Atom {
            value: equal[0] - origin,
            slack: input_slack(equal[0]) + input_slack(origin),
            mass: equal.len() as f64,
        });
        Discrete::of_atoms(atoms.collect())
    }

    fn of_atoms(atoms: Vec<Atom>) -> Option<Discrete> {
        let mut atoms = merged(atoms);
        let whole = Support::new(atoms.first()?.value, atoms.last()?.value);
        trim(&mut atoms, |atom| &mut atom.mass);
        if atoms.len() > VALUES {
            return None;
        }
        let mut below = summed(atoms.iter());
        let mut above = summed(atoms.iter().rev());
        above.reverse();
        let total = *below.last()?;
        if !(total > 0.0 && total.is_finite()) {
            return None;
        }
        // The probability above a value begins with the next value.
        above.remove(0);
        above.push(0.0);
        atoms.iter_mut().for_each(|atom| atom.mass /= total);
        below.iter_mut().for_each(|p| *p /= total);
        above.iter_mut().for_each(|p| *p /= total);
        Some(Discrete {
            atoms,
            below,
            above,
            support: whole,
        })
    }

    /// With values that may lie anywhere in an interval, though some are too rare to be listed.
    fn within(self, support: Support) -> Discrete {
        Discrete { support, ..self }
    }

    /// The law with values treated as exact.
    pub(crate) fn without_slack(&self) -> Discrete {
        let mut law = self.clone();
        law.atoms.iter_mut().for_each(|atom| atom.slack = 0.0);
        law
    }

    /// The values with their probabilities.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.atoms.iter().map(|atom| (atom.value, atom.mass))
    }

    /// The value, if there is only one.
    pub fn as_constant(&self) -> Option<f64> {
        match self.atoms.as_slice() {
            [atom] => Some(atom.value),
            _ => None,
        }
    }

    /// Number of values.
    pub fn count(&self) -> usize {
        self.atoms.len()
    }

    fn cdf_at(&self, i: usize) -> Probability {
        Probability {
            below: self.below[i],
            above: self.above[i],
        }
    }

    /// The law of `factor * X + amount`, with a nonzero factor.
    pub fn moved(&self, factor: f64, amount: f64) -> Discrete {
        let moved = |atom: &Atom| {
            let (scaled, lost) = product(atom.value, factor);
            let (value, left) = two_sum(scaled, amount);
            Atom {
                value,
                slack: atom.slack * factor.abs() + lost + left,
                ..*atom
            }
        };
        let mut atoms: Vec<Atom> = self.atoms.iter().map(moved).collect();
        let ends = [self.support.lower, self.support.upper].map(|end| factor * end + amount);
        let (mut below, mut above) = (self.below.clone(), self.above.clone());
        if factor < 0.0 {
            atoms.reverse();
            // P(-X <= -x) is P(X >= x): what lies above the value before.
            below = [&[1.0], &self.above[..self.above.len() - 1]].concat();
            below.reverse();
            above = [&[0.0], &self.below[..self.below.len() - 1]].concat();
            above.reverse();
        }
        Discrete {
            atoms,
            below,
            above,
            support: Support::new(ends[0].min(ends[1]), ends[0].max(ends[1])),
        }
    }
}

impl Distribution for Discrete {
    fn cumulants(&self) -> Cumulants {
        let origin = self.atoms[0].value;
        let mean = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.atoms.iter().map(|a| a.mass * of(a.value)).sum()
        };
        let first = origin + mean(&|x| x - origin);
        // The second pass removes the rounding errors of the first.
        let middle = first + mean(&|x| x - first);
        let central = [2, 3, 4].map(|r| mean(&|x| (x - middle).powi(r)));
        Cumulants::from_central_moments(middle, central)
    }

    fn support(&self) -> Support {
        self.support
    }

    fn quantile(&self, p: Probability) -> f64 {
        if p.below.is_nan() || p.above.is_nan() {
            return f64::NAN;
        }
        if p.below <= 0.0 || p.above <= 0.0 {
            let Support { lower, upper } = self.support;
            return if p.below <= 0.0 { lower } else { upper };
        }
        let i = if p.below <= 0.5 {
            self.below
                .partition_point(|q| *q < p.below * (1.0 - ROUNDING))
        } else {
            self.above
                .partition_point(|q| *q > p.above * (1.0 + ROUNDING))
        };
        self.atoms[i.min(self.atoms.len() - 1)].value
    }

    fn cdf(&self, x: f64) -> Probability {
        let reached = self
            .atoms
            .partition_point(|atom| atom.value - atom.slack <= x);
        match reached {
            0 => Probability::below(0.0),
            reached => self.cdf_at(reached - 1),
        }
    }

    fn cdf_before(&self, x: f64) -> Probability {
        let passed = self
            .atoms
            .partition_point(|atom| atom.value + atom.slack < x);
        match passed {
            0 => Probability::below(0.0),
            passed => self.cdf_at(passed - 1),
        }
    }

    fn breaks(&self) -> Vec<f64> {
        self.atoms.iter().map(|atom| atom.value).collect()
    }

    fn is_discrete(&self) -> bool {
        true
    }
}

/// Rounding error of a number that was read: 0 for a whole number.
fn input_slack(x: f64) -> f64 {
    if x.fract() == 0.0 {
        0.0
    } else {
        0.5 * f64::EPSILON * x.abs()
    }
}

/// A sum and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    let lost = (a - (sum - of_b)) + (b - of_b);
    (sum, lost.abs())
}

/// A product and its rounding error.
fn product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product).abs())
}

fn summed<'a>(atoms: impl Iterator<Item = &'a Atom>) -> Vec<f64> {
    let add = |total: &mut f64, atom: &Atom| {
        *total += atom.mass;
        Some(*total)
    };
    atoms.scan(0.0, add).collect()
}

/// By increasing value, those of probability 0 left out, and those that are equal but for rounding as one.
fn merged(mut atoms: Vec<Atom>) -> Vec<Atom> {
    atoms.retain(|atom| atom.mass > 0.0);
    atoms.sort_unstable_by(|a, b| a.value.total_cmp(&b.value));
    atoms.dedup_by(|next, kept| {
        let equal = next.value - kept.value <= next.slack + kept.slack;
        if equal {
            kept.mass += next.mass;
            if next.slack < kept.slack {
                (kept.value, kept.slack) = (next.value, next.slack);
            }
        }
        equal
    });
    atoms
}

/// Merges the rarest of many masses at either end with their neighbours; returns the number removed at the beginning.
fn trim<T>(list: &mut Vec<T>, mass: fn(&mut T) -> &mut f64) -> usize {
    if list.len() <= FEW {
        return 0;
    }
    let limit = RARE * list.iter_mut().map(|one| *mass(one)).sum::<f64>();
    let mut rare = |from_end: bool| {
        let (n, mut gone, mut count) = (list.len(), 0.0, 0);
        let place = |k: usize| if from_end { n - 1 - k } else { k };
        while count + 1 < n && gone + *mass(&mut list[place(count)]) <= limit {
            gone += *mass(&mut list[place(count)]);
            count += 1;
        }
        *mass(&mut list[place(count)]) += gone;
        count
    };
    let (first, last) = (rare(false), rare(true));
    list.truncate(list.len() - last);
    list.drain(..first);
    first
}
