//! Rows with intervals of results where some numbers are not known.

use std::fs::File;
use std::io::{BufWriter, Write};

use clap::Args;

use super::{Arguments, watch};
use crate::cli::Outcome;
use crate::cli::output::{self, cannot_write};
use crate::cli::shared::parse_probability;
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::expr::Sort;
use crate::law::shortest::rounded;
use crate::pipeline::Shown;
use crate::sweep::{Format, Sweep};
use crate::uncertain::{Factor, Sampling, Spread, spread};

// Options about numbers that are not known. (A doc comment would also appear in the help of the command.)
#[derive(Clone, Debug, Args)]
pub struct Columns {
    /// Add f_mean, f_low and f_high of results f that are not known: an interval of this probability
    #[arg(
        long, value_name = "P", value_parser = parse_probability, help_heading = "Unknown numbers",
        conflicts_with_all = ["top", "aggregate", "resume", "parts", "dry_run"]
    )]
    pub interval: Option<f64>,
    /// Draws of the unknown numbers at each point
    #[arg(
        long, value_name = "NUMBER", default_value_t = 4096, value_parser = crate::cli::uncertain::parse_draws,
        help_heading = "Unknown numbers"
    )]
    pub draws: usize,
    /// Seed of the draws
    #[arg(
        long, value_name = "NUMBER", default_value_t = 1, value_parser = crate::cli::shared::parse_seed,
        help_heading = "Unknown numbers"
    )]
    pub draw_seed: u64,
}

/// More draws in all are refused.
const MOST_DRAWS: u64 = 1 << 32;
/// Points that are computed at once.
const CHUNK: u64 = 1024;
/// Digits of numbers that come from draws.
const DIGITS: usize = 8;

/// Writes a row for each point, with intervals.
pub fn run(
    arguments: &Arguments,
    compiled: &Compiled,
    sweep: &Sweep,
    (start, end): (u64, u64),
    factors: &[Factor],
    level: f64,
) -> Result<Outcome, Error> {
    let format = arguments.form()?.text();
    let format = format.ok_or_else(|| Error::new("rows with intervals are CSV or JSON lines"))?;
    if factors.is_empty() {
        let message = "`--interval`: every number is known";
        let hint = "declare one as `numeric unknown x = uniform(1, 2)`, or give --params a file of `pamela calibrate`";
        return Err(Error::new(message).hint(hint));
    }
    let sampling = Sampling {
        draws: arguments.uncertainty.draws,
        seed: arguments.uncertainty.draw_seed,
        level,
        quantiles: Vec::new(),
        shares: false,
    };
    let draws = (end - start).saturating_mul(sampling.draws as u64);
    if draws > MOST_DRAWS {
        let message = format!("{draws} draws are more than {MOST_DRAWS}");
        return Err(Error::new(message).hint("sweep fewer points, or take fewer --draws"));
    }
    let watch = watch();
    let mut out: Box<dyn Write> = match arguments.file() {
        Some(path) => {
            let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(std::io::stdout().lock()),
    };
    let cannot = |error: std::io::Error| cannot_write(std::path::Path::new("-"), &error);
    let plan = &sweep.plan;
    let results: Vec<(&str, Sort)> = plan.equations().collect();
    let names: Vec<&str> = sweep.parameters().iter().map(String::as_str).collect();
    // Drawn parameters have no one value.
    let is_drawn = |name: &str| {
        factors
            .iter()
            .any(|own| own.parameters().iter().any(|p| p == name))
    };
    let kept: Vec<usize> = (0..names.len()).filter(|k| !is_drawn(names[*k])).collect();
    let in_unit = |name: &str, column: String| match compiled.shown(name) {
        Some(unit) => unit.head(&column),
        None => column,
    };
    let own = kept
        .iter()
        .map(|k| in_unit(names[*k], names[*k].to_owned()));
    let mut head: Vec<String> = own.collect();
    for (name, _) in &results {
        let parts = ["", "_mean", "_low", "_high"];
        let own = parts.map(|part| in_unit(name, format!("{name}{part}")));
        head.extend(own);
    }
    if format == Format::Csv {
        let cells: Vec<String> = head.iter().map(|name| output::cell(name)).collect();
        writeln!(out, "{}", cells.join(",")).map_err(cannot)?;
    }
    let places = sweep.values();
    for from in (start..end).step_by(CHUNK as usize) {
        let chunk = sweep.chunk((from, end.min(from + CHUNK)), &watch)?;
        for row in 0..chunk.length {
            let known = names.iter().zip(&chunk.parameters);
            let known: Vec<(&str, f64)> = known.map(|(name, own)| (*name, own[row])).collect();
            let spreads = spread(plan, &known, factors, &sampling)?;
            let mut values: Vec<f64> = kept
                .iter()
                .map(|k| {
                    let unit = compiled.shown(names[*k]);
                    unit.map_or(known[*k].1, |unit: &Shown| unit.double(known[*k].1))
                })
                .collect();
            for (name, sort) in &results {
                let column = if *sort == Sort::Law {
                    format!("{name}_mean")
                } else {
                    (*name).to_owned()
                };
                let place = places.iter().position(|own| *own == column);
                let value = place.map_or(f64::NAN, |place| chunk.values[place][row]);
                let own = spreads.iter().find(|own| own.name == *name);
                let known = [value; 3];
                let ends = own.map_or(known, |own: &Spread| {
                    [own.mean, own.interval.low, own.interval.high]
                });
                let unit = compiled.shown(name);
                let all = [value, ends[0], ends[1], ends[2]];
                values.extend(all.map(|own| unit.map_or(own, |unit| unit.double(own))));
            }
            writeln!(out, "{}", line(format, &head, &values)).map_err(cannot)?;
        }
    }
    out.flush().map_err(cannot)?;
    Ok(Outcome::Done)
}

fn line(format: Format, head: &[String], values: &[f64]) -> String {
    let text = |value: &f64| match value.is_finite() {
        true => rounded(*value, DIGITS),
        false => String::new(),
    };
    if format == Format::Csv {
        return values.iter().map(text).collect::<Vec<_>>().join(",");
    }
    let member = |(name, value): (&String, &f64)| {
        let value = if value.is_finite() {
            rounded(*value, DIGITS)
        } else {
            "null".to_owned()
        };
        format!("{}: {value}", serde_json::Value::from(name.as_str()))
    };
    let members: Vec<String> = head.iter().zip(values).map(member).collect();
    format!("{{{}}}", members.join(", "))
}
