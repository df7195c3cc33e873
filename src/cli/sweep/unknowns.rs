//! Rows with intervals of results where some numbers are not known.

use std::fs::File;
use std::io::{BufWriter, Write};

use clap::Args;

use super::{Arguments, watch};
use crate::cli::Outcome;
use crate::cli::output::{self, cannot_write};
use crate::cli::shared::{RANDOM, parse_probability};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::expr::Sort;
use crate::law::shortest::rounded;
use crate::sweep::{Chunk, Format, Sweep};
use crate::uncertain::{Factor, Sampling, Spread, spread};

// Options about numbers that are not known. (A doc comment would also appear in the help of the command.)
#[derive(Clone, Debug, Args)]
pub struct Columns {
    /// Add columns f_mean, f_low, f_high where numbers are not known
    #[arg(
        long, value_name = "P", value_parser = parse_probability, help_heading = RANDOM,
        conflicts_with_all = ["top", "aggregate", "resume", "parts", "dry_run"]
    )]
    pub interval: Option<f64>,
}

/// Draws of the unknown numbers at each point.
const DRAWS: usize = 4096;
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
        draws: DRAWS,
        level,
        quantiles: Vec::new(),
        shares: false,
        ..Sampling::default()
    };
    let draws = (end - start).saturating_mul(sampling.draws as u64);
    if draws > MOST_DRAWS {
        let message = format!("{draws} draws are more than {MOST_DRAWS}");
        return Err(Error::new(message).hint("sweep fewer points"));
    }
    let mut out: Box<dyn Write> = match arguments.file() {
        Some(path) => {
            let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(std::io::stdout().lock()),
    };
    let rows = Rows::of(compiled, sweep, factors);
    rows.write((start, end), &sampling, format, &mut out)?;
    out.flush().map_err(cannot)?;
    Ok(Outcome::Done)
}

fn cannot(error: std::io::Error) -> Error {
    cannot_write(std::path::Path::new("-"), &error)
}

/// The rows of a sweep.
struct Rows<'a> {
    compiled: &'a Compiled,
    sweep: &'a Sweep,
    factors: &'a [Factor],
    names: Vec<&'a str>,
    /// Indices of the parameters that have one value at a point.
    kept: Vec<usize>,
    results: Vec<(&'a str, Sort)>,
}

impl<'a> Rows<'a> {
    fn of(compiled: &'a Compiled, sweep: &'a Sweep, factors: &'a [Factor]) -> Rows<'a> {
        let names: Vec<&str> = sweep.parameters().iter().map(String::as_str).collect();
        let is_drawn = |name: &str| {
            let mut drawn = factors.iter().flat_map(Factor::parameters);
            drawn.any(|own| own == name)
        };
        Rows {
            compiled,
            sweep,
            factors,
            kept: (0..names.len()).filter(|k| !is_drawn(names[*k])).collect(),
            names,
            results: sweep.plan.equations().collect(),
        }
    }

    fn head(&self) -> Vec<String> {
        let in_unit = |name: &str, column: String| match self.compiled.shown(name) {
            Some(unit) => unit.head(&column),
            None => column,
        };
        let parameters = self.kept.iter().map(|k| self.names[*k]);
        let parameters = parameters.map(|name| in_unit(name, name.to_owned()));
        let results = self.results.iter().flat_map(|(name, _)| {
            let parts = ["", "_mean", "_low", "_high"];
            parts.map(|part| in_unit(name, format!("{name}{part}")))
        });
        parameters.chain(results).collect()
    }

    fn write(
        &self,
        (start, end): (u64, u64),
        sampling: &Sampling,
        format: Format,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let head = self.head();
        if format == Format::Csv {
            let cells: Vec<String> = head.iter().map(|name| output::cell(name)).collect();
            writeln!(out, "{}", cells.join(",")).map_err(cannot)?;
        }
        let watch = watch();
        for from in (start..end).step_by(CHUNK as usize) {
            let chunk = self.sweep.chunk((from, end.min(from + CHUNK)), &watch)?;
            for row in 0..chunk.length {
                let values = self.values(&chunk, row, sampling)?;
                writeln!(out, "{}", line(format, &head, &values)).map_err(cannot)?;
            }
        }
        Ok(())
    }

    fn values(&self, chunk: &Chunk, row: usize, sampling: &Sampling) -> Result<Vec<f64>, Error> {
        let known = self.names.iter().zip(&chunk.parameters);
        let known: Vec<(&str, f64)> = known.map(|(name, own)| (*name, own[row])).collect();
        let spreads = spread(&self.sweep.plan, &known, self.factors, sampling)?;
        let in_unit = |name: &str, value: f64| {
            let unit = self.compiled.shown(name);
            unit.map_or(value, |unit| unit.double(value))
        };
        let parameters = self.kept.iter().map(|k| in_unit(known[*k].0, known[*k].1));
        let mut values: Vec<f64> = parameters.collect();
        let columns = self.sweep.values();
        for (name, sort) in &self.results {
            let column = match sort {
                Sort::Law => format!("{name}_mean"),
                _ => (*name).to_owned(),
            };
            let place = columns.iter().position(|own| *own == column);
            let value = place.map_or(f64::NAN, |place| chunk.values[place][row]);
            let own = spreads.iter().find(|own| own.name == *name);
            let law = |own: &Spread| [own.mean, own.interval.low, own.interval.high];
            let [mean, low, high] = own.map_or([value; 3], law);
            values.extend([value, mean, low, high].map(|own| in_unit(name, own)));
        }
        Ok(values)
    }
}

fn line(format: Format, head: &[String], values: &[f64]) -> String {
    let text = |value: &f64| {
        if value.is_finite() {
            rounded(*value, DIGITS)
        } else {
            String::new()
        }
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
