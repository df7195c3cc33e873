//! `pamela calibrate`

use std::path::PathBuf;

use clap::Args;
use pamela_programs::calibrate::calibrate;

use super::arguments::{Input, RuleOptions, Values};
use super::measured::{Predictor, table, times, told};
use super::{Outcome, output, read_model, rule_base, values};
use crate::diagnostic::Error;
use crate::pipeline::plain_error;

pub const EXAMPLES: &str = "\
Examples:
  pamela calibrate model.pam data.csv                     all times that have no value
  pamela calibrate model.pam data.csv --fit t_mul,t_row -D t_fork=2e-6
  pamela calibrate model.pam data.csv -o fit.toml && pamela eval model.pam --params fit.toml -D n=400 -D P=2

The first line of the table names its columns: parameters of the model, and `time` in seconds, or `time[ms]`, `time[us]`,
`time[ns]`. Rows with the same parameters are runs of one point, of which the median counts. A column `region` names
what was measured, a column `rep` numbers runs; lines that begin with # are comments.
The times found are at least 0, have the least relative errors, and are in seconds.";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The table of measured times, in CSV
    #[arg(value_name = "TABLE")]
    table: String,
    #[command(flatten)]
    values: Values,
    #[command(flatten)]
    rules: RuleOptions,
    /// Find these parameters [default: all that may be times and have no value]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fit: Vec<String>,
    /// The process that was measured, which has no arguments [default: main, or else the last one]
    #[arg(long, value_name = "NAME")]
    process: Option<String>,
    /// Take the rows of this region
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// Keep runs that took far longer than the others of their point
    #[arg(long)]
    keep: bool,
    /// Write the values to this file, as `--params` reads them
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut table = table(&arguments.table, arguments.region.as_deref())?;
    if !arguments.keep {
        let left: usize = table
            .points
            .iter_mut()
            .map(|p| p.without_interruptions())
            .sum();
        if left > 0 {
            output::note(&format!(
                "note: {left} runs took far longer than the others of their point and are left out; --keep keeps them"
            ));
        }
    }
    let model = read_model(&arguments.input)?;
    let given = values::given(&arguments.values)?;
    let may_be_times = times(&model);
    let process = arguments.process.as_deref();
    let predictor = Predictor::new(model, &given, process, &table, rule_base(&arguments.rules)?)?;
    let names = names(arguments, &predictor.free(), &may_be_times)?;
    let mut predict = |candidates: &[Vec<f64>]| {
        let list = |candidate: &Vec<f64>| {
            let given = names
                .iter()
                .map(String::as_str)
                .zip(candidate.iter().copied());
            let found = predictor.at(&given.collect::<Vec<_>>())?;
            Ok(found.into_iter().map(|(time, _)| time).collect())
        };
        candidates.iter().map(list).collect()
    };
    let found = calibrate(&table, &arguments.table, &names, &mut predict).map_err(told)?;
    let text = found.text(&arguments.table);
    if let Some(file) = &arguments.output {
        std::fs::write(file, &text)
            .map_err(|error| plain_error(format!("cannot write `{}`: {error}", file.display())))?;
    }
    match (arguments.json, &arguments.output) {
        (true, _) => output::json(&found)?,
        (false, None) => output::line(text.trim_end())?,
        (false, Some(_)) => {}
    }
    Ok(Outcome::Done)
}

/// What is to be found; all else has a value.
fn names(arguments: &Arguments, free: &[String], times: &[String]) -> Result<Vec<String>, Error> {
    let listed = |names: &[&String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let wanted = match arguments.fit.is_empty() {
        true => times
            .iter()
            .filter(|name| free.contains(name))
            .cloned()
            .collect(),
        false => arguments.fit.clone(),
    };
    for (place, name) in wanted.iter().enumerate() {
        if !free.contains(name) || wanted[..place].contains(name) {
            return Err(plain_error(format!(
                "`{name}` is not to be found: it is no parameter without a value; those are {}",
                listed(&free.iter().collect::<Vec<_>>())
            )));
        }
    }
    let lacking: Vec<&String> = free.iter().filter(|name| !wanted.contains(name)).collect();
    if !lacking.is_empty() {
        return Err(plain_error(format!(
            "no value of {}: give it by -D, by --params or as a column of the table, or find it by --fit",
            listed(&lacking)
        )));
    }
    if wanted.is_empty() {
        return Err(plain_error(
            "every parameter of the model has a value: there is nothing to find".to_string(),
        ));
    }
    Ok(wanted)
}
