//! Laws of results where some numbers are not known: declared as `numeric unknown`, or found by a calibration.

use clap::Args;

use super::output;
use super::rows::DIGITS;
use super::shared::{parse_probability, parse_seed};
use crate::compiled::{Compiled, decimal};
use crate::diagnostic::{Error, listed};
use crate::law::shortest::rounded;
use crate::pipeline::{Model, Shown};
use crate::ring::Rational;
use crate::sweep::Grid;
use crate::uncertain::{DRAWS, Factor, Kind, MOST_DRAWS, Sampling, Spread, of_model};

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

pub fn parse_draws(text: &str) -> Result<usize, String> {
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

/// What is not known in a model that has all values given to it, and by a calibration.
///
/// # Errors
/// Fails if the law of an unknown number depends on a parameter without one value.
pub fn factors(model: &Model, calibrated: &[Factor]) -> Result<Vec<Factor>, Error> {
    let mut factors = of_model(model)?;
    factors.extend(calibrated.iter().cloned());
    Ok(factors)
}

/// Like [`factors`], for a compiled model and the numbers that are given for its parameters.
///
/// # Errors
/// Fails like [`factors`].
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
    factors(&model, calibrated)
}

/// The values in the middle of laws of parameters that have no value yet.
pub fn centres(factors: &[Factor]) -> impl Iterator<Item = (String, f64)> {
    let unknown = factors.iter().filter_map(|factor| match &factor.kind {
        Kind::Law { parameter, .. } => Some((parameter.clone(), *factor.centre().first()?)),
        _ => None,
    });
    unknown
}

/// Gives parameters that are not known the values in the middle of their laws, and tells it if `is_told`.
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
            "note: {} are not known and are at their medians; `--interval 0.9` adds intervals",
            listed(&names)
        ));
    }
}

/// The values of parameters at a point of a grid, in base units.
pub fn known(grid: &Grid, point: u64) -> Vec<(&str, f64)> {
    let values = grid.parameters(point, 1).into_iter();
    values
        .map(|(name, input)| (name, input.double(0)))
        .collect()
}

/// A law in a unit.
pub fn in_unit(mut own: Spread, unit: Option<&Shown>) -> Spread {
    let Some(unit) = unit else {
        return own;
    };
    let numbers = [&mut own.mean, &mut own.mean_error, &mut own.sd];
    let ends = [&mut own.interval.low, &mut own.interval.high];
    let numbers = numbers.into_iter().chain(ends);
    numbers.for_each(|number| *number = unit.double(*number));
    for quantile in &mut own.quantiles {
        quantile.value = unit.double(quantile.value);
        quantile.error = unit.double(quantile.error);
    }
    own
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
        format!(
            "where {} are not known, by {} draws:",
            listed(&names),
            first.draws
        ),
    ];
    let width = spreads
        .iter()
        .map(|own| own.name.chars().count())
        .max()
        .unwrap_or(0);
    for own in spreads {
        let shown = unit(&own.name, own.mean);
        let own = in_unit(own.clone(), shown.as_ref());
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
