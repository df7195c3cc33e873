//! Sums of independent discrete laws, with whole or random numbers of copies.

use super::run::Steps;
use super::summand::{Summand, Work};
use super::{Atom, Discrete, VALUES, merged, two_sum};
use crate::{Distribution, Support};

/// Maximum number of products of probabilities added in runs.
const STEPS: usize = 1 << 24;

/// Maximum number of sums of values that are sorted.
const PAIRS: usize = 1 << 18;

/// Values more than this many deviations away are negligible.
const DEVIATIONS: f64 = 22.0;

impl Summand for Vec<Atom> {
    fn zero(mass: f64) -> Vec<Atom> {
        vec![Atom {
            value: 0.0,
            slack: 0.0,
            mass,
        }]
    }

    fn plus(&self, other: &Vec<Atom>, work: &mut Work) -> Option<Vec<Atom>> {
        // Sorting takes as long as some steps of a run.
        work.take(self.len() * other.len() * (STEPS / PAIRS))?;
        let both = self.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
        let pairs = both.map(|(a, b)| {
            let (value, lost) = two_sum(a.value, b.value);
            Atom {
                value,
                slack: a.slack + b.slack + lost,
                mass: a.mass * b.mass,
            }
        });
        let sums = merged(pairs.collect());
        (sums.len() <= 2 * VALUES).then_some(sums)
    }

    fn or_zero(mut self, mass: f64) -> Option<Vec<Atom>> {
        self.extend(Vec::zero(mass));
        Some(merged(self))
    }
}

impl Discrete {
    /// The sum of whole numbers of copies, at least one of each law; `None` for too many values or
    /// steps.
    pub fn sum_of_copies(terms: &[(f64, &Discrete)]) -> Option<Discrete> {
        let laws: Vec<&Discrete> = terms.iter().map(|(_, law)| *law).collect();
        let end =
            |end: fn(&Support) -> f64| terms.iter().map(|(n, law)| n * end(&law.support)).sum();
        let support = Support::new(end(|s| s.lower), end(|s| s.upper));
        let mut work = Work(STEPS);
        let variances = terms.iter().map(|(n, law)| n * law.cumulants().variance);
        let width = DEVIATIONS * variances.sum::<f64>().sqrt();
        // Few values may lie far apart in small steps.
        let narrow = |steps: &Steps| width / steps.step <= VALUES as f64;
        let atoms = match Steps::common(&laws, false).filter(narrow) {
            Some(steps) => {
                let start = |law: &Discrete| law.atoms[0];
                let runs = terms
                    .iter()
                    .map(|(n, law)| (*n, steps.run(law, start(law).value)));
                let run = added(runs.collect(), &mut work)?;
                let (mut base, mut slack) = (0.0, 0.0);
                for (n, law) in terms {
                    let (times, lost) = super::product(*n, start(law).value);
                    let (sum, left) = two_sum(base, times);
                    (base, slack) = (sum, slack + n * start(law).slack + lost + left);
                }
                steps.atoms(&run, base, slack)
            }
            None => {
                let bags = terms.iter().map(|(n, law)| (*n, law.atoms.clone()));
                added(bags.collect(), &mut work)?
            }
        };
        Some(Discrete::of_atoms(atoms)?.within(support))
    }

    /// The sum of a random number of copies of `term`.
    ///
    /// Returns `None` if the number is not whole, or for too many values or steps.
    pub fn random_sum(count: &Discrete, term: &Discrete) -> Option<Discrete> {
        let number = |(n, mass): (f64, f64)| {
            let whole = n >= 0.0 && n.fract() == 0.0 && n < 1e15;
            whole.then_some((n as u64, mass))
        };
        let numbers: Vec<(u64, f64)> = count.points().map(number).collect::<Option<_>>()?;
        let mut work = Work(STEPS);
        let atoms = match Steps::common(&[term], true) {
            Some(steps) => {
                let run = steps.run(term, 0.0);
                steps.atoms(&run.random_power(&numbers, &mut work)?, 0.0, 0.0)
            }
            None => term.atoms.random_power(&numbers, &mut work)?,
        };
        let (few, many) = (count.support.lower, count.support.upper);
        let times = |n: f64, x: f64| if x == 0.0 || n == 0.0 { 0.0 } else { n * x };
        let Support { lower, upper } = term.support;
        let support = Support::new(
            times(few, lower).min(times(many, lower)),
            times(few, upper).max(times(many, upper)),
        );
        Some(Discrete::of_atoms(atoms)?.within(support))
    }
}

fn added<S: Summand>(terms: Vec<(f64, S)>, work: &mut Work) -> Option<S> {
    let mut sum: Option<S> = None;
    for (n, term) in terms {
        if n.is_nan() || n > 1e15 {
            return None;
        }
        let copies = term.power(n as u64, work)?;
        sum = Some(match sum {
            None => copies,
            Some(sum) => sum.plus(&copies, work)?,
        });
    }
    sum
}
