//! The source of randomness: every law that the evaluator meets is an independent draw from it.

use super::fraction::Fraction;
use num_traits::{One, Zero};

use super::laws::{Law, exact};
use super::number::{Fault, Number};
use super::samples::outcomes;
use super::simulation::Simulation;
use crate::law::Sampled;

/// Source of random draws.
pub(super) enum Chance {
    /// No source: a law has no value.
    None,
    /// Every outcome in its turn, run after run.
    Enumeration(Enumeration),
    /// At random.
    Simulation(Simulation),
}

impl Chance {
    /// A position, each with the probability of its weight; the weights add up to 1.
    pub(super) fn choose(&mut self, weights: &[Number]) -> Result<usize, Fault> {
        match self {
            Chance::None => Err(no_value()),
            Chance::Enumeration(enumeration) => enumeration.choose(weights),
            Chance::Simulation(simulation) => Ok(simulation.choose(weights)),
        }
    }

    /// An independent draw.
    pub(super) fn draw(&mut self, law: &Law) -> Result<Number, Fault> {
        match self {
            Chance::None => Err(no_value()),
            Chance::Enumeration(enumeration) => enumeration.draw(law),
            Chance::Simulation(simulation) => simulation.draw(law),
        }
    }

    /// One of samples.
    pub(super) fn draw_sample(&mut self, samples: &Sampled) -> Result<Number, Fault> {
        match self {
            Chance::None => Err(no_value()),
            Chance::Enumeration(enumeration) => enumeration.one_of(|| outcomes(samples)),
            Chance::Simulation(simulation) => Ok(simulation.draw_sample(samples)),
        }
    }
}

impl Chance {
    /// True if a law has a value here.
    pub(super) fn has_draws(&self) -> bool {
        !matches!(self, Chance::None)
    }

    /// True if a share of a law is a trial.
    pub(super) fn has_trials(&self) -> bool {
        match self {
            Chance::Simulation(simulation) => simulation.has_trials(),
            _ => false,
        }
    }

    /// Records a law that has no draws.
    pub(super) fn refuse(&mut self) {
        if let Chance::Enumeration(enumeration) = self {
            enumeration.refused = true;
        }
    }
}

fn no_value() -> Fault {
    "a law has no single value".to_owned()
}

/// Laws that one run may meet: there is a run for each other outcome at least, and the probability of a run grows by a
/// factor with each law.
const MAX_CHOICES: usize = 1_000;

/// All sequences of outcomes, depth first: one run takes one of them.
#[derive(Default)]
pub(super) struct Enumeration {
    /// The choices of the present run, in the order in which they are met.
    choices: Vec<Choice>,
    met: usize,
    /// True if something was met that cannot be enumerated.
    pub(super) refused: bool,
}

struct Choice {
    /// The values to choose among; none where positions are chosen.
    values: Vec<Number>,
    weights: Vec<Fraction>,
    taken: usize,
    /// The probability of the run up to this choice, without it.
    before: Fraction,
}

impl Choice {
    fn probability(&self) -> Fraction {
        &self.before * &self.weights[self.taken]
    }
}

impl Enumeration {
    fn choose(&mut self, weights: &[Number]) -> Result<usize, Fault> {
        let choice = self.take(|| {
            let exact = weights.iter().map(|weight| exact(weight).cloned());
            Ok((Vec::new(), exact.collect::<Result<_, _>>()?))
        })?;
        Ok(choice.taken)
    }

    fn draw(&mut self, law: &Law) -> Result<Number, Fault> {
        self.one_of(|| law.outcomes())
    }

    fn one_of(
        &mut self,
        outcomes: impl FnOnce() -> Result<Vec<(Number, Fraction)>, Fault>,
    ) -> Result<Number, Fault> {
        let choice = self.take(|| Ok(outcomes()?.into_iter().unzip()))?;
        Ok(choice.values[choice.taken].clone())
    }

    /// The choice that the present run takes here; one that was not met before begins with the first outcome.
    ///
    /// Later runs do not list the outcomes again.
    fn take(
        &mut self,
        outcomes: impl FnOnce() -> Result<(Vec<Number>, Vec<Fraction>), Fault>,
    ) -> Result<&Choice, Fault> {
        if self.met == self.choices.len() {
            let listed = match self.met {
                MAX_CHOICES => Err(format!(
                    "more than {MAX_CHOICES} laws in one sequence of outcomes"
                )),
                _ => outcomes(),
            };
            self.refused |= listed.is_err();
            let (values, weights) = listed?;
            let first = weights.iter().position(|w| !w.is_zero()).unwrap_or(0);
            self.choices.push(Choice {
                values,
                weights,
                taken: first,
                before: self.probability(),
            });
        }
        self.met += 1;
        Ok(&self.choices[self.met - 1])
    }

    /// The probability of the present run.
    pub(super) fn probability(&self) -> Fraction {
        self.choices
            .last()
            .map_or_else(Fraction::one, Choice::probability)
    }

    /// Goes on to the next run, if there is one.
    pub(super) fn next_run(&mut self) -> bool {
        self.met = 0;
        while let Some(last) = self.choices.last_mut() {
            let rest = last.weights.iter().skip(last.taken + 1);
            if let Some(skipped) = rest.into_iter().position(|w| !w.is_zero()) {
                last.taken += 1 + skipped;
                return true;
            }
            self.choices.pop();
        }
        false
    }
}
