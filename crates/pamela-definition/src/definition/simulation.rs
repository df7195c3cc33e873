//! Random draws of every predefined law.

use std::collections::BTreeMap;

use num_rational::BigRational;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::families;
use super::laws::{Law, LawName};
use super::number::{Fault, Number};
use crate::law::{
    Cumulants, Distribution as _, Family as FittedFamily, Fitted, Probability, Sampled, Support,
};

/// Rounding may put the end of a fitted law this far below 0, relative to its deviation.
const FITTED_END: f64 = 1e-9;

/// Draws from a generator of pseudo-random numbers, the same for the same seed.
pub(super) struct Simulation {
    generator: Pcg64,
    /// For a simulation: the fitted laws of laws given by moments, with their arguments as text and the family.
    fitted: Option<BTreeMap<String, Fitted>>,
}

impl Simulation {
    pub(super) fn new(seed: u64) -> Simulation {
        Simulation {
            generator: Pcg64::seed_from_u64(seed),
            fitted: None,
        }
    }

    /// One in which all that is random can be drawn.
    pub(super) fn of_execution() -> Simulation {
        Simulation {
            fitted: Some(BTreeMap::new()),
            ..Simulation::new(0)
        }
    }

    pub(super) fn restart(&mut self, seed: u64) {
        self.generator = Pcg64::seed_from_u64(seed);
    }

    /// True if a share of a law is a trial.
    pub(super) fn has_trials(&self) -> bool {
        self.fitted.is_some()
    }

    pub(super) fn approximations(&self) -> Vec<String> {
        let fitted = self.fitted.iter().flatten();
        let notes = fitted.map(|(moments, law)| {
            let family = law.family();
            format!("moments({moments}) is drawn from its fitted law ({family})")
        });
        notes.collect()
    }

    /// A draw from the family that is fitted to four moments, if they may be drawn.
    fn draw_fitted(&mut self, arguments: &[Number]) -> Option<Result<f64, Fault>> {
        let known = self.fitted.as_mut()?;
        let texts: Vec<String> = arguments.iter().map(Number::to_string).collect();
        let key = texts.join(", ");
        if !known.contains_key(&key) {
            match fit(arguments)? {
                Ok(law) => known.insert(key.clone(), law),
                Err(reason) => return Some(Err(reason)),
            };
        }
        let law = &known[&key];
        // From the middle of one of 2^53 equal parts, never from an end.
        let part = self.generator.random::<u64>() >> 11;
        let share = (part as f64 + 0.5) / (1_u64 << 53) as f64;
        let value = law.quantile(Probability::below(share));
        let rounding = law.cumulants().deviation() * FITTED_END;
        Some(Ok(if value < 0.0 && value > -rounding {
            0.0
        } else {
            value
        }))
    }

    /// A position, each with the probability of its weight; the weights add up to 1.
    pub(super) fn choose(&mut self, weights: &[Number]) -> usize {
        let mut rest: f64 = self.generator.random();
        let mut possible = 0;
        for (position, weight) in weights.iter().enumerate().filter(|(_, w)| !w.is_zero()) {
            possible = position;
            rest -= weight.to_f64();
            if rest < 0.0 {
                break;
            }
        }
        possible
    }

    pub(super) fn draw(&mut self, law: &Law) -> Result<Number, Fault> {
        if let Some(value) = law.constant() {
            return value;
        }
        let arguments: Vec<f64> = law.arguments.iter().map(Number::to_f64).collect();
        let fitted = match law.family {
            LawName::Moments => self.draw_fitted(&law.arguments),
            _ => None,
        };
        let value = fitted
            .unwrap_or_else(|| families::sample(law.family, &arguments, &mut self.generator))?;
        match law.family {
            _ if !value.is_finite() => Err(format!("the draw {value} is not a finite number")),
            LawName::Bernoulli | LawName::Binomial | LawName::Poisson | LawName::Geometric => {
                Ok(whole(value))
            }
            _ => Ok(Number::double(value)),
        }
    }

    pub(super) fn draw_sample(&mut self, samples: &Sampled) -> Number {
        let position = self.generator.random_range(0..samples.count());
        Number::from(samples.sample(position))
    }
}

fn fit(arguments: &[Number]) -> Option<Result<Fitted, Fault>> {
    let &[mean, variance, skewness, kurtosis] =
        &arguments.iter().map(Number::to_f64).collect::<Vec<f64>>()[..]
    else {
        return None;
    };
    let target = Cumulants::from_moments(mean, variance, skewness, kurtosis);
    Some(Fitted::new(target, Support::REAL, FittedFamily::Gld))
}

fn whole(value: f64) -> Number {
    BigRational::from_float(value).map_or_else(|| Number::double(value), Number::from)
}
