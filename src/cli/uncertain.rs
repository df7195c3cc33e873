//! Laws of results where some numbers are not known: declared as `numeric unknown`, or found by a calibration.

use clap::Args;
use serde::Serialize;

use super::rows::DIGITS;
use super::shared::{parse_probability, parse_seed};
use super::{Names, output, values};
use crate::algebra::RuleBase;
use crate::compiled::{Compiled, decimal};
use crate::diagnostic::Error;
use crate::eval::Value;
use crate::law::shortest::rounded;
use crate::pipeline::{Model, Options, Shown};
use crate::ring::Rational;
use crate::uncertain::{DRAWS, Factor, Kind, Sampling, Spread, of_model, spread};

/// Draws at most: they are kept in memory for each result.
const MOST_DRAWS: usize = 1 << 21;
/// The heading of options about numbers that are not known.
const UNKNOWN: &str = "Unknown numbers";

// Options about numbers that are not known. (A doc comment would also appear in the help of the command.)
#[derive(Clone, Debug, Args)]
pub struct Uncertainty {
    /// Probability of intervals of results
    #[arg(long, value_name = "P", default_value = "0.9", value_parser = parse_probability, help_heading = UNKNOWN)]
    pub interval: f64,
    /// Draws of the unknown numbers
    #[arg(long, value_name = "NUMBER", default_value_t = DRAWS, value_parser = parse_draws, help_heading = UNKNOWN)]
    pub draws: usize,
    /// Seed of the draws
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = parse_seed, help_heading = UNKNOWN)]
    pub draw_seed: u64,
}

fn parse_draws(text: &str) -> Result<usize, String> {
    let count = text
        .parse()
        .ok()
        .filter(|count| (64..=MOST_DRAWS).contains(count));
    count.ok_or_else(|| format!("expected a whole number from 64 to {MOST_DRAWS}"))
}

impl Uncertainty {
    pub fn sampling(&self, quantiles: &[f64], shares: bool) -> Sampling {
        Sampling {
            draws: self.draws,
            seed: self.draw_seed,
            level: self.interval,
            quantiles: quantiles.to_vec(),
            shares,
        }
    }
}

/// A model at one point, and what is not known there.
pub struct Unknowns {
    pub factors: Vec<Factor>,
    /// With values of all parameters that are known.
    model: Option<Model>,
}

impl Unknowns {
    /// Finds what is not known in a model with these values; `calibrated` is what a calibration says of some of them.
    ///
    /// # Errors
    /// Fails for values that the model does not take, and if the law of an unknown number depends on a parameter without a
    /// value.
    pub fn of(
        model: &Model,
        values: &[(String, String)],
        calibrated: &[Factor],
    ) -> Result<Unknowns, Error> {
        let has_unknown = model
            .checked()
            .parameters()
            .any(|own| own.unknown().is_some());
        if !has_unknown && calibrated.is_empty() {
            return Ok(Unknowns {
                factors: Vec::new(),
                model: None,
            });
        }
        let is_fitted =
            |name: &String| calibrated.iter().any(|own| own.parameters().contains(name));
        let mut there = model.clone();
        for (name, value) in values.iter().filter(|(name, _)| !is_fitted(name)) {
            there.define(name, value)?;
        }
        let mut factors = of_model(&there)?;
        factors.extend(calibrated.iter().cloned());
        let model = (!factors.is_empty()).then_some(there);
        Ok(Unknowns { factors, model })
    }

    /// The values in the middle of unknown numbers, as definitions.
    pub fn centres(&self) -> Vec<(String, String)> {
        let definition = |(name, value): (String, f64)| {
            let shown = self.model.as_ref()?.shown_number(&name);
            let value = decimal(shown.map_or(value, |shown| shown.double(value)))?;
            Some((name, value.to_string()))
        };
        centres(&self.factors).filter_map(definition).collect()
    }

    /// The laws of the results that the options ask for.
    ///
    /// # Errors
    /// Fails if a parameter has no value.
    pub fn spreads(
        &self,
        rules: RuleBase,
        options: &Options,
        sampling: &Sampling,
    ) -> Result<Vec<Spread>, Error> {
        let Some(model) = &self.model else {
            return Ok(Vec::new());
        };
        let compiled = model.compile_with(rules, options)?;
        spread(&compiled.plan_of_values(&[])?, &[], &self.factors, sampling)
    }
}

/// What is not known in a compiled model with these numbers.
///
/// # Errors
/// Fails if the law of an unknown number depends on a parameter without one value.
#[cfg_attr(not(feature = "tools"), expect(dead_code))]
pub fn factors_of(
    compiled: &Compiled,
    constants: &[(String, Rational)],
    calibrated: &[Factor],
) -> Result<Vec<Factor>, Error> {
    let mut model = compiled.model()?.clone();
    let has_unknown = model
        .checked()
        .parameters()
        .any(|own| own.unknown().is_some());
    if has_unknown {
        for (name, value) in constants {
            model.define_number(name, value)?;
        }
    }
    let mut factors = of_model(&model)?;
    factors.extend(calibrated.iter().cloned());
    Ok(factors)
}

fn not_known(names: &[&str]) -> String {
    let is = if names.len() == 1 { "is" } else { "are" };
    format!("{} {is} not known", names.join(", "))
}

/// The values in the middle of laws of parameters that have no value yet.
fn centres(factors: &[Factor]) -> impl Iterator<Item = (String, f64)> {
    factors.iter().filter_map(|factor| match &factor.kind {
        Kind::Law { parameter, .. } => Some((parameter.clone(), *factor.centre().first()?)),
        _ => None,
    })
}

/// Gives parameters that are not known the values in the middle of their laws, and tells it if `is_told`.
#[cfg_attr(not(feature = "tools"), expect(dead_code))]
pub fn at_centres(factors: &[Factor], constants: &mut Vec<(String, Rational)>, is_told: bool) {
    let mut names = Vec::new();
    for (name, value) in centres(factors) {
        if let Some(value) = decimal(value) {
            names.push(name.clone());
            constants.push((name, value));
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if is_told && !names.is_empty() {
        output::note(&format!(
            "note: {}, and rows are at medians; `--interval 0.9` adds intervals",
            not_known(&names)
        ));
    }
}

/// The lines about laws of results, with the shares of what is not known.
pub fn lines(
    spreads: &[Spread],
    factors: &[Factor],
    unit: &dyn Fn(&str, f64) -> Option<Shown>,
) -> Vec<String> {
    let Some(first) = spreads.first() else {
        return Vec::new();
    };
    let names: Vec<&str> = factors.iter().map(|factor| factor.name.as_str()).collect();
    let mut lines = vec![
        String::new(),
        format!("where {}, by {} draws:", not_known(&names), first.draws),
    ];
    let width = spreads
        .iter()
        .map(|own| own.name.chars().count())
        .max()
        .unwrap_or(0);
    for own in spreads {
        let shown = unit(&own.name, own.mean);
        let own = own.clone().in_unit(shown.as_ref());
        let number = |value: f64| rounded(value, DIGITS);
        let unit = shown.map_or(String::new(), |shown| format!(" {}", shown.unit));
        let interval = format!(
            "{} %: {} .. {}{unit}",
            rounded(100.0 * own.interval.level, 4),
            number(own.interval.low),
            number(own.interval.high)
        );
        let mut line = format!(
            "{:width$}  mean {}{unit}   sd {}   {interval}",
            own.name,
            number(own.mean),
            number(own.sd)
        );
        if own.without_value > 0 {
            line.push_str(&format!("   no value at {} draws", own.without_value));
        }
        lines.push(line);
        let mut shares = own.shares.clone();
        shares.sort_by(|a, b| b.total.total_cmp(&a.total));
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let share = |share: &crate::uncertain::Share| {
            format!(
                "{} {} ({} alone)",
                share.name,
                percent(share.total),
                percent(share.first)
            )
        };
        let shares: Vec<String> = shares.iter().map(share).collect();
        if shares.len() > 1 {
            lines.push(format!(
                "{:width$}  of the variance: {}",
                "",
                shares.join(", ")
            ));
        }
    }
    lines
}

/// The value of a result at a point, with its law.
#[derive(Clone, Debug, Serialize)]
pub struct PredictedResult {
    pub name: String,
    pub value: f64,
    /// The law; none for a result that is known.
    pub law: Option<Spread>,
    pub unit: Option<String>,
}

/// Predicts results of a model, in the units that are shown: `fit` is the text of a file that a calibration wrote, or empty;
/// `values` also choose its group.
///
/// # Errors
/// Fails for values that the model does not take, or if a parameter has no value.
pub fn predict(
    model: &Model,
    fit: &str,
    values: &[(String, String)],
    only: &[String],
    sampling: &Sampling,
) -> Result<Vec<PredictedResult>, Error> {
    let names = Names::of(model);
    let mut define = values.to_vec();
    let (entries, calibrated) =
        values::read_text("fit.toml".as_ref(), fit, &mut define, &|name| {
            names.has(name)
        })?;
    let is_given = |name: &str| define.iter().any(|(own, _)| own == name);
    let calibrated = calibrated.map_or(Vec::new(), |fit| fit.factors(&is_given));
    let entries = entries.into_iter().map(|entry| (entry.name, entry.value));
    let mut all: Vec<(String, String)> = entries.filter(|(name, _)| !is_given(name)).collect();
    all.extend(define);
    for (name, _) in &all {
        names.require(name, "the values")?;
    }
    let unknown = Unknowns::of(model, &all, &calibrated)?;
    let options = Options {
        only: only.to_vec(),
        times: true,
        without_moments: true,
        ..Options::default()
    };
    let rules = crate::rules::standard()?;
    let spreads = unknown.spreads(rules.clone(), &options, sampling)?;
    all.extend(unknown.centres());
    let evaluated = model.evaluate(&all, rules, &options)?;
    if let Some(error) = evaluated.failures.first() {
        return Err(error.clone());
    }
    let equations = evaluated.equations.iter().filter(|own| !own.superseded);
    let results = equations.filter_map(|own| {
        let value = match &own.value {
            Value::Scalar(number) => number.to_f64(),
            Value::Law(law) => law.cumulants().mean,
            Value::Vector(_) => return None,
        };
        let unit = model.shown(&own.origin, &own.name);
        let law = spreads.iter().find(|law| law.name == own.name);
        Some(PredictedResult {
            name: own.name.clone(),
            value: unit.as_ref().map_or(value, |unit| unit.double(value)),
            law: law.map(|law| law.clone().in_unit(unit.as_ref())),
            unit: unit.map(|unit| unit.unit),
        })
    });
    Ok(results.collect())
}
