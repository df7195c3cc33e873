//! Discrete laws composed of others: mixtures, products, order statistics, conditions.

use super::{Atom, Discrete, VALUES, product, two_sum};
use crate::order::at_least;
use crate::special::incomplete_beta;
use crate::{Probability, Support};

/// Maximum number of products of values that are sorted.
const PAIRS: usize = 1 << 18;

/// Maximum number of steps of an order statistic of different laws.
const STEPS: usize = 1 << 24;

impl Discrete {
    /// A mixture of laws with their probabilities; `None` for too many values.
    pub fn mixture(parts: &[(f64, &Discrete)]) -> Option<Discrete> {
        let weighted = |(weight, law): &(f64, &Discrete)| {
            let weight = *weight;
            let atoms = law.atoms.clone().into_iter();
            atoms.map(move |atom| Atom {
                mass: weight * atom.mass,
                ..atom
            })
        };
        let atoms: Vec<Atom> = parts.iter().flat_map(weighted).collect();
        let supports = parts.iter().map(|(_, law)| law.support);
        let support =
            supports.reduce(|a, b| Support::new(a.lower.min(b.lower), a.upper.max(b.upper)));
        Some(Discrete::of_atoms(atoms)?.within(support?))
    }

    /// The law of `(p + X) (q + Y) - p * q`; `None` for too many values.
    pub fn product_beside(a: &Discrete, b: &Discrete, [p, q]: [f64; 2]) -> Option<Discrete> {
        if a.count() * b.count() > PAIRS {
            return None;
        }
        let both = a
            .atoms
            .iter()
            .flat_map(|x| b.atoms.iter().map(move |y| (x, y)));
        let pairs = both.map(|(x, y)| {
            let parts = [(x.value, y.value), (p, y.value), (q, x.value)];
            let (mut value, mut slack) = (0.0, 0.0);
            for (one, other) in parts {
                let (part, lost) = product(one, other);
                let (whole, left) = two_sum(value, part);
                (value, slack) = (whole, slack + lost + left);
            }
            let factors = [(p + x.value).abs(), (q + y.value).abs()];
            Atom {
                value,
                slack: slack + x.slack * factors[1] + y.slack * factors[0],
                mass: x.mass * y.mass,
            }
        });
        let support = a.support.product_beside(b.support, [p, q]);
        Some(Discrete::of_atoms(pairs.collect())?.within(support))
    }

    /// The law given that it lies in an interval, whose ends may be infinite; `None` if it never
    /// does.
    pub fn truncated(&self, lower: f64, upper: f64) -> Option<Discrete> {
        let inside =
            |atom: &&Atom| atom.value + atom.slack >= lower && atom.value - atom.slack <= upper;
        let atoms = self.atoms.iter().filter(inside).copied();
        let whole = Discrete::of_atoms(atoms.collect())?;
        let end = |end: f64, bound: f64, own: f64| if end == bound { end } else { own };
        // An end that is infinite stays so.
        let support = Support::new(
            end(
                self.support.lower,
                lower.max(self.support.lower),
                whole.support.lower,
            ),
            end(
                self.support.upper,
                upper.min(self.support.upper),
                whole.support.upper,
            ),
        );
        Some(whole.within(support))
    }

    /// The `k`-th smallest of `n` copies, `1 <= k <= n`.
    pub fn kth(&self, k: f64, n: f64) -> Option<Discrete> {
        if k == n {
            return self.with_masses(|here, mass| largest_mass([(here, mass)].into_iter(), n));
        }
        if k == 1.0 {
            return Some(self.moved(-1.0, 0.0).kth(n, n)?.moved(-1.0, 0.0));
        }
        let mut before = Probability::below(0.0);
        self.with_masses(|p, _| {
            let (below, above) = if p.above > 0.0 {
                incomplete_beta(k, n - k + 1.0, p.below, p.above)
            } else {
                (1.0, 0.0)
            };
            let here = Probability { below, above };
            let mass = before.until(here);
            before = here;
            mass
        })
    }

    /// The same values with other probabilities, which are computed from the probability up to each value and of the
    /// value.
    fn with_masses(&self, mut mass: impl FnMut(Probability, f64) -> f64) -> Option<Discrete> {
        let atoms = self.atoms.iter().enumerate().map(|(i, atom)| Atom {
            mass: mass(self.cdf_at(i), atom.mass),
            ..*atom
        });
        Some(Discrete::of_atoms(atoms.collect())?.within(self.support))
    }

    /// The largest of different independent variables; `None` for too many values.
    pub fn largest_of(laws: &[&Discrete]) -> Option<Discrete> {
        let end = |end: fn(&Support) -> f64| {
            let ends = laws.iter().map(|law| end(&law.support));
            ends.fold(f64::NEG_INFINITY, f64::max)
        };
        let support = Support::new(end(|s| s.lower), end(|s| s.upper));
        let joined = joined(laws, laws.len(), |states, _| {
            largest_mass(states.iter().copied(), 1.0)
        });
        Some(joined?.within(support))
    }

    /// The smallest of different independent variables; `None` for too many values.
    pub fn smallest_of(laws: &[&Discrete]) -> Option<Discrete> {
        let mirrored: Vec<Discrete> = laws.iter().map(|law| law.moved(-1.0, 0.0)).collect();
        let largest = Discrete::largest_of(&mirrored.iter().collect::<Vec<_>>());
        Some(largest?.moved(-1.0, 0.0))
    }

    /// The `k`-th smallest of different independent variables, with values in `support`.
    pub fn kth_of(laws: &[&Discrete], k: usize, support: Support) -> Option<Discrete> {
        let mut before = Probability::below(0.0);
        let joined = joined(laws, laws.len().saturating_mul(k), |states, _| {
            let here = at_least(k, states.iter().map(|(p, _)| (*p, 0.0))).0;
            let mass = before.until(here);
            before = here;
            mass
        });
        Some(joined?.within(support))
    }
}

/// The probability that the largest of variables has a value, and that the largest of `n` copies has: from the
/// probability of each variable up to the value and of the value.
fn largest_mass(states: impl Iterator<Item = (Probability, f64)>, n: f64) -> f64 {
    let (mut log, mut change) = (0.0, 0.0);
    for (p, mass) in states {
        log += p.ln();
        change += (-(mass / p.below).min(1.0)).ln_1p();
    }
    if log > f64::NEG_INFINITY {
        -(n * log).exp() * (n * change).exp_m1()
    } else {
        0.0
    }
}

/// A law on all values of some laws. At each value, the probabilities of each law up to it and of it give the
/// probability of the result, in `steps` steps.
fn joined(
    laws: &[&Discrete],
    steps: usize,
    mut mass: impl FnMut(&[(Probability, f64)], f64) -> f64,
) -> Option<Discrete> {
    let mut places: Vec<(Atom, usize, usize)> = Vec::new();
    for (j, law) in laws.iter().enumerate() {
        places.extend(law.atoms.iter().enumerate().map(|(i, atom)| (*atom, j, i)));
    }
    if places.len().saturating_mul(steps) > STEPS || places.len() > 4 * VALUES {
        return None;
    }
    places.sort_by(|a, b| a.0.value.total_cmp(&b.0.value));
    let mut states = vec![(Probability::below(0.0), 0.0); laws.len()];
    let equal = |a: &(Atom, usize, usize), b: &(Atom, usize, usize)| {
        b.0.value - a.0.value <= a.0.slack + b.0.slack
    };
    let mut atoms = Vec::new();
    for group in places.chunk_by(equal) {
        for (atom, j, i) in group {
            states[*j] = (laws[*j].cdf_at(*i), states[*j].1 + atom.mass);
        }
        let best = group.iter().map(|(atom, ..)| atom);
        let best = best.min_by(|a, b| a.slack.total_cmp(&b.slack))?;
        atoms.push(Atom {
            mass: mass(&states, best.value),
            ..*best
        });
        group.iter().for_each(|(_, j, _)| states[*j].1 = 0.0);
    }
    Discrete::of_atoms(atoms)
}
