//! Arguments that several commands take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::law::Carrier;

#[derive(Debug, Args)]
pub struct Input {
    /// The model; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Also look in this directory for files that are imported (repeatable)
    #[arg(long, value_name = "DIR")]
    pub library: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub struct RuleOptions {
    /// Also use the rules of all `*.rules` files in this directory
    #[arg(long, value_name = "DIR", global = true)]
    pub rules: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Values {
    /// Give a parameter or numeric equation a value, a PAMELA+ expression (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    pub define: Vec<(String, String)>,
    /// Read values from a JSON object or a TOML file of `name = value` lines; -D wins
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Laws {
    /// Quantile grids
    Grid,
    /// The generalized lambda distribution
    Gld,
    /// Johnson's system
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
