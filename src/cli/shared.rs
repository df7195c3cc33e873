//! Arguments that several commands take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::eval::{PathLaw, PathLaws, Samples};
use crate::law::Carrier;
use crate::pipeline::GraphOptions;

/// The layout of the help of a command: description, examples, usage, options, notes.
pub const HELP: &str = "\
{about-with-newline}
{before-help}{usage-heading} {usage}

{all-args}{after-help}";

/// The heading of options that are seldom needed.
pub const ADVANCED: &str = "Advanced options";
/// The heading of options about probability distributions.
pub const RANDOM: &str = "Random times";

#[derive(Debug, Args)]
pub struct Input {
    /// Model file; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Search this directory for imported files (repeatable)
    #[arg(long, value_name = "DIR", help_heading = ADVANCED)]
    pub library: Vec<PathBuf>,
    /// The text of the model, in place of a file; it can open no others.
    #[arg(skip)]
    pub text: Option<String>,
}

#[derive(Debug, Args)]
pub struct RuleOptions {
    /// Use the rewrite rules in DIR/*.rules as well
    #[arg(long, value_name = "DIR", global = true, help_heading = ADVANCED)]
    pub rules: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Values {
    /// Set a parameter or numeric equation (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    pub define: Vec<(String, String)>,
    /// Read values from a JSON or TOML file; -D takes precedence
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Laws {
    /// Quantile grids.
    Grid,
    /// Generalized lambda distributions, fitted to four moments.
    Gld,
    /// Johnson distributions, fitted to four moments.
    Johnson,
}

impl Laws {
    pub fn carrier(self) -> Carrier {
        match self {
            Laws::Grid => Carrier::Grid,
            Laws::Gld => Carrier::Gld,
            Laws::Johnson => Carrier::Johnson,
        }
    }
}

#[derive(Debug, Args)]
pub struct Graphs {
    /// Method for graphs of random tasks: auto, bounds, simulate or normal
    #[arg(long, value_enum, value_name = "METHOD", hide_possible_values = true, help_heading = RANDOM)]
    pub graph: Option<GraphMethod>,
    /// Samples of a graph; auto stops at a small error
    #[arg(long, value_name = "NUMBER|auto", default_value = "auto", value_parser = parse_samples, help_heading = RANDOM)]
    pub samples: Samples,
    /// Seed of the samples
    #[arg(
        long, value_name = "NUMBER", default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true,
        help_heading = RANDOM
    )]
    pub seed: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphMethod {
    /// Samples and guaranteed bounds.
    Auto,
    /// Guaranteed bounds only.
    Bounds,
    /// Samples only.
    Simulate,
    /// Normal distributions by Clark's moments, smooth in all parameters.
    Normal,
}

impl Graphs {
    /// The options, with `method` as the default.
    pub fn options(&self, method: GraphMethod) -> GraphOptions {
        let method = self.graph.unwrap_or(method);
        let law = match method {
            GraphMethod::Auto | GraphMethod::Simulate => PathLaw::Samples,
            GraphMethod::Normal => PathLaw::Normal,
            GraphMethod::Bounds => PathLaw::Upper,
        };
        GraphOptions {
            paths: PathLaws {
                law,
                samples: self.samples,
                seed: self.seed,
            },
            bounds: matches!(method, GraphMethod::Auto | GraphMethod::Bounds),
        }
    }
}

/// Maximum number of samples.
const MOST_SAMPLES: usize = 1 << 24;

fn parse_samples(text: &str) -> Result<Samples, String> {
    match text.parse::<usize>() {
        _ if text == "auto" => Ok(Samples::Auto),
        Ok(count) if (1..=MOST_SAMPLES).contains(&count) => Ok(Samples::Exactly(count)),
        _ => Err(format!(
            "expected `auto` or a number from 1 to {MOST_SAMPLES}"
        )),
    }
}

pub fn parse_definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("expected NAME=VALUE, for example P=16".to_string()),
    }
}

pub fn parse_probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if p > 0.0 && p < 1.0 => Ok(p),
        _ => Err("expected a probability above 0 and below 1, for example 0.99".to_string()),
    }
}

/// `0.1,0.9`
pub fn parse_band(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(',').and_then(|(low, high)| {
        let end = |text: &str| parse_probability(text.trim()).ok();
        Some((end(low)?, end(high)?))
    });
    ends.filter(|(low, high)| low < high).ok_or_else(|| {
        "expected two probabilities, the smaller one first, for example 0.1,0.9".to_string()
    })
}

pub fn parse_finite(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite());
    value.ok_or_else(|| "expected a number, for example 4".to_string())
}

/// `1%` or `0.01`: above 0 and below 1.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|x| x / 100.0),
        None => text.parse(),
    };
    match share {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        Ok(share) if (1.0..100.0).contains(&share) && !text.ends_with('%') => Err(format!(
            "expected a share above 0 and below 1; did you mean {text}%?"
        )),
        _ => Err("expected a share above 0 and below 1, for example 1% or 0.01".to_string()),
    }
}

pub fn parse_seed(text: &str) -> Result<u64, String> {
    let wrong = |_| {
        format!(
            "expected a whole number from 0 to {}, for example 7",
            u64::MAX
        )
    };
    text.parse().map_err(wrong)
}

/// `1000000` or `1e6`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let count = text.parse::<f64>().ok();
    let whole = count.filter(|n| (1.0..=1e18).contains(n) && n.fract() == 0.0);
    whole
        .map(|n| n as u64)
        .ok_or_else(|| "expected a whole number from 1 to 1e18, for example 1e6".to_string())
}

/// The names in an expression.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}
