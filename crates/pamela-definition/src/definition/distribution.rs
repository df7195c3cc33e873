//! Exact distributions with finitely many values, by one evaluation for each sequence of outcomes;
//! samples of others.

use super::cumulants::Cumulants;
use super::fraction::Fraction;

use super::chance::{Chance, Enumeration};
use super::evaluate::Evaluator;
use super::number::Number;
use super::simulation::Simulation;
use super::value::Value;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::Expr;

/// Sequences of outcomes that are tried, and values of one distribution.
const MAX_RUNS: usize = 100_000;

/// Reason why there is no exact distribution.
pub(super) enum Failure {
    /// Something is random in a way that cannot be enumerated: infinitely many values, too many runs.
    NotEnumerable(Diagnostic),
    /// The value is undefined, or has an error, in a run of positive probability.
    Wrong(Diagnostic),
}

impl From<Failure> for Diagnostic {
    fn from(failure: Failure) -> Diagnostic {
        match failure {
            Failure::NotEnumerable(diagnostic) | Failure::Wrong(diagnostic) => diagnostic,
        }
    }
}

/// The values of a random variable in ascending order, with their probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    pub outcomes: Vec<(Number, Fraction)>,
}

impl Distribution {
    fn new(mut runs: Vec<(Number, Fraction)>) -> Distribution {
        runs.sort_by(|(a, _), (b, _)| a.order(b));
        let mut outcomes: Vec<(Number, Fraction)> = Vec::new();
        for (value, probability) in runs {
            match outcomes.last_mut() {
                Some((last, sum)) if last.order(&value).is_eq() => *sum += probability,
                _ => outcomes.push((value, probability)),
            }
        }
        Distribution { outcomes }
    }
}

impl<'m> Evaluator<'m> {
    /// The exact distribution of a numeric equation without arguments, or of a result such as
    /// `T_main`.
    ///
    /// Enumerates laws of few values (`bernoulli`, `binomial`, `mixture` of these and of numbers,
    /// constants). A value that is not random has one outcome of probability 1.
    ///
    /// # Errors
    /// Fails for a law with infinitely many values, too many sequences of outcomes, or a vector.
    /// Also fails with any error of [`Evaluator::equation`] in a sequence of outcomes with positive
    /// probability.
    pub fn distribution(&mut self, name: &str) -> Result<Distribution, Diagnostic> {
        self.restart();
        let place = self.place(name);
        Ok(self.enumerate(place, |evaluator| evaluator.random_scalar(name))?)
    }

    /// The exact distribution of an expression over the model's names and the bound ones.
    ///
    /// # Errors
    /// Fails like [`Evaluator::distribution`].
    pub fn distribution_of(&mut self, expr: &'m Expr) -> Result<Distribution, Diagnostic> {
        self.restart();
        Ok(self.enumerate(expr.span, |evaluator| evaluator.scalar(expr, &None))?)
    }

    /// Independent draws of a numeric equation without arguments, or of a result such as `T_main`.
    ///
    /// Equal seeds give equal draws. The limit of steps applies to each draw.
    ///
    /// # Errors
    /// Fails for a law given by moments, whose draws are unknown, for a share of a law
    /// (`if (1/4) X else Y`), which only has cumulants, or for a vector. Also fails as
    /// [`Evaluator::equation`].
    pub fn sample(
        &mut self,
        name: &str,
        replications: usize,
        seed: u64,
    ) -> Result<Vec<f64>, Diagnostic> {
        self.chance = Chance::Simulation(Simulation::new(seed));
        let draws = (0..replications).map(|_| {
            self.restart();
            Ok(self.random_scalar(name)?.to_f64())
        });
        let sample = draws.collect();
        self.chance = Chance::None;
        sample
    }

    /// The value of an equation in the present run.
    pub(super) fn random_scalar(&mut self, name: &str) -> Result<Number, Diagnostic> {
        match self.value_of(name)? {
            Value::Scalar(number) => Ok(number),
            Value::Vector(_) => Err(Diagnostic::error(
                format!("`{name}` is a vector, expected a scalar"),
                self.place(name),
                "of several components",
            )),
        }
    }

    /// The distribution of the result of `value`; each of its laws is enumerated.
    pub(super) fn enumerate(
        &mut self,
        span: Span,
        value: impl FnMut(&mut Self) -> Result<Number, Diagnostic>,
    ) -> Result<Distribution, Failure> {
        let enumeration = Chance::Enumeration(Enumeration::default());
        let outer = (std::mem::replace(&mut self.chance, enumeration), self.draws);
        let runs = self.all_runs(span, value);
        (self.chance, self.draws) = outer;
        runs.map(Distribution::new)
    }

    fn all_runs(
        &mut self,
        span: Span,
        mut value: impl FnMut(&mut Self) -> Result<Number, Diagnostic>,
    ) -> Result<Vec<(Number, Fraction)>, Failure> {
        let mut runs = Vec::new();
        // The remaining steps are reserved for other methods.
        let reserve = self.steps_left() / 2;
        loop {
            let result = value(self);
            let Chance::Enumeration(enumeration) = &mut self.chance else {
                return Ok(runs);
            };
            match result {
                Ok(value) => {
                    let probability = enumeration.probability();
                    let (numer, denom) = probability.bits();
                    runs.push((value, probability));
                    self.steps = self.steps.saturating_add(long(numer.max(denom)));
                }
                Err(diagnostic) if enumeration.refused => {
                    return Err(Failure::NotEnumerable(diagnostic));
                }
                Err(diagnostic) => return Err(Failure::Wrong(diagnostic)),
            }
            if !enumeration.next_run() {
                return Ok(runs);
            }
            if runs.len() == MAX_RUNS || self.steps_left() < reserve {
                let message = format!("more than {} sequences of outcomes", runs.len());
                let many = Diagnostic::error(message, span, "too many to enumerate")
                    .hint("use smaller values or simulate it");
                return Err(Failure::NotEnumerable(many));
            }
        }
    }
}

/// The extra steps of arithmetic with this many bits, compared with machine words.
fn long(bits: u64) -> u64 {
    (bits / 64).pow(2) / 32
}

impl Distribution {
    /// The cumulants; exact if all values are.
    pub fn cumulants(&self) -> Cumulants {
        let constant = |(value, p): &(Number, Fraction)| {
            (Number::Exact(p.clone()), Cumulants::constant(value.clone()))
        };
        let parts: Vec<_> = self.outcomes.iter().map(constant).collect();
        Cumulants::mixture(&parts)
    }
}
