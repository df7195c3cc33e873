//! `pamela fit`

use clap::Args;

use super::shared::parse_seed;
use super::{Outcome, output, standard_input};
use crate::diagnostic::Error;
use crate::law::Samples;
use crate::law::fit::Fit;
use crate::pipeline::Model;
use crate::syntax::{FileLoader, Loader};

pub const EXAMPLES: &str = "\
Examples:
  pamela fit corpus/algebra/law_samples.csv --column time
  pamela fit corpus/algebra/law_samples.csv --column 2 --json";

pub const NOTES: &str = "\
KS is the largest distance between the cdf of the distribution and that of the samples. AD is the squared distance, \
weighted towards the tails. KS, AD and AIC are smaller for better fits.

A distribution fits if KS is at most 0.03, or if at least one in a hundred of its own samples of this size has a larger \
KS. The last lines of the output are model text; if nothing fits, they use the samples themselves.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// CSV file with one sample per line; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Column of the samples: its name in the first line, or its number from 1
    #[arg(long, value_name = "COLUMN")]
    pub column: Option<String>,
    /// Number of bootstrap resamples
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    pub resamples: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let column = arguments.column.as_deref();
    let samples = match arguments.file.as_str() {
        "-" => Samples::read(&standard_input()?, column),
        file => from_file(file, column),
    };
    let samples = samples.map_err(Error::new)?;
    let resamples = arguments.resamples as usize;
    let own = themselves(&arguments.file, &samples);
    let fit =
        Fit::new(&samples.column, samples.values, resamples, arguments.seed).map_err(Error::new)?;
    if arguments.json {
        output::json(&fit)?;
    } else {
        output::line(&format!("{fit}\n{}", equations(&fit, &own)))?;
    }
    Ok(Outcome::Done)
}

fn from_file(file: &str, column: Option<&str>) -> Result<Samples, String> {
    let text = FileLoader.read(file);
    let text = text.map_err(|reason| format!("cannot read `{file}`: {reason}"))?;
    Samples::read(&text, column).map_err(|error| format!("`{file}`: {error}"))
}

/// The samples as a law of their own.
fn themselves(file: &str, samples: &Samples) -> String {
    // Samples from standard input have no file yet.
    let file = if file == "-" { "samples.csv" } else { file };
    if samples.column == samples.number.to_string() {
        format!("empirical({file:?}, {})", samples.number)
    } else {
        format!("empirical({file:?}, {:?})", samples.column)
    }
}

/// Equations for a model: the best law or else the samples, and the moments if the best law is another one.
fn equations(fit: &Fit, themselves: &str) -> String {
    let name = name(&fit.column);
    let moments = fit.moments_expression();
    match fit.fitting().map(|law| law.expression.as_str()) {
        Some(best) if best == moments => format!("numeric {name} = {moments}"),
        best => {
            let best = best.unwrap_or(themselves);
            format!("numeric {name} = {best}\n% from its moments only: numeric {name} = {moments}")
        }
    }
}

/// The column, where that is a name in a model; `x` otherwise.
fn name(column: &str) -> &str {
    let text = format!("numeric {column} = 1");
    let is_name = column
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_name && Model::read("name", &text, &FileLoader).is_ok() {
        column
    } else {
        "x"
    }
}
