//! `pamela simulate`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::shared::{Input, Values, parse_count, parse_share};

pub const EXAMPLES: &str = "\
Examples:
  pamela simulate model.pam -D P=10 -D N=100
  pamela simulate model.pam -D P=10 -D N=100 --until-relative-error 0.5%
  pamela simulate model.pam -D P=100 -D N=1000 --cycle
  pamela simulate model.pam -D P=4 -D N=10 --trace out.json    for ui.perfetto.dev
  pamela simulate model.pam -D P=10 -D N=100 --json

Where nothing is drawn and all times are rational, the time is exact. Requests of one time are served in the order of the
text; where that matters, ten drawn orders are tried as well. Ctrl-C ends with what there is.";

#[derive(Debug, Args)]
pub struct Simulate {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub values: Values,
    /// Run this process, which has no arguments [default: main, or else the last one]
    #[arg(long, value_name = "NAME")]
    pub process: Option<String>,
    /// Run it so many times [default: 30 where something is drawn; 11 in other orders of the requests of one time where
    /// that matters, but 1 of a run of more than a million events; else 1]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub replications: Option<u32>,
    /// Double the replications, from 30, until half of the interval is at most this share of the mean
    #[arg(long, value_name = "SHARE", value_parser = parse_share, conflicts_with = "replications")]
    pub until_relative_error: Option<f64>,
    /// How sure the intervals are
    #[arg(long, value_name = "SHARE", default_value = "95%", value_parser = parse_share)]
    pub confidence: f64,
    /// Choose other draws
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// The order of requests that come to resources at one time
    #[arg(long, value_enum, default_value_t = Arbitrate::Source)]
    pub arbitration: Arbitrate,
    /// What is done with a time that is drawn below 0
    #[arg(long, value_enum, default_value_t = Negative::Error)]
    pub negative: Negative,
    /// Also the mean time of an iteration of each `seq`, between 10 and 70 % of its iterations
    #[arg(long)]
    pub cycle: bool,
    /// Write what happens in the first replication, for Perfetto or Chrome; one unit of time is 1 us
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Trace so many events
    #[arg(long, value_name = "NUMBER", default_value = "1e6", value_parser = parse_limit)]
    pub trace_limit: usize,
    /// Stop a run after so many events
    #[arg(long, value_name = "NUMBER", default_value = "1e9", value_parser = parse_count)]
    pub max_events: u64,
    /// Run so many replications at one time, which changes no number [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..))]
    pub threads: Option<u8>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Arbitrate {
    /// As they come up: at one time that of the text and of the indices, later that in which they began; where nothing is
    /// drawn, replications after the first draw the order
    Source,
    /// At random, by the seed
    Seeded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Negative {
    /// The simulation ends with an error
    Error,
    /// It is taken as 0
    Clip,
}

fn parse_limit(text: &str) -> Result<usize, String> {
    let limit = parse_count(text)?;
    match usize::try_from(limit) {
        Ok(limit) if limit <= 20_000_000 => Ok(limit),
        _ => Err("a trace has at most 2e7 events".to_string()),
    }
}
