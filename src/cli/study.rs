//! `pamela study`

use std::fmt::Display;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::rules::{clear_progress, progress};
use super::shared::parse_count;
#[cfg(feature = "programs")]
use super::study_programs;
use super::{Outcome, output};
use crate::diagnostic::Error;
use crate::study::report::Report;
use crate::study::{
    contention, distributions, giant, laws, mrm, open, rules, sums, times, with_peers,
};

pub const EXAMPLES: &str = "\
Examples:
  pamela study                               the names of all studies
  pamela study sums
  pamela study sums --json --runs 101
  pamela study nary                          order statistics, beside what the papers predict";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<StudyCommand>,
}

#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// Closed forms of sums, beside SymPy, Maxima and barvinok where they are installed
    Sums {
        /// Print all results as JSON
        #[arg(long)]
        json: bool,
        /// Simplify each sum so many times; the time is the median
        #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u16).range(1..))]
        runs: u16,
    },
    /// Data distributions for any number of processors, beside SymPy, Maxima and barvinok where these can express them
    Distributions {
        /// Print all results as JSON
        #[arg(long)]
        json: bool,
        /// Simplify each model so many times; the time is the median
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
        runs: u16,
    },
    /// Generalized lambda distributions of well-known laws: the papers' parameters and ours, order statistics
    Gld(Printing),
    /// Largest and smallest of N copies: integrated, and predicted by four moments, by grids, by Gumbel
    Nary(Printing),
    /// Larger and smaller of two variables: integrated, and predicted by the papers' methods
    Binary(Printing),
    /// Larger of two laws of phases, and by the Gram-Charlier series: integrated, and by formula
    Series(Printing),
    /// The machine repair model: simulated, by mean value analysis, and evaluated
    Mrm(Printing),
    /// Precedence graphs and θ-exponential polynomials: theorems, structures, extreme values, beside exact ones
    Giant(Printing),
    /// Random models with contention: bounds of their times, beside what is simulated
    Contention {
        /// How many models
        #[arg(long, value_name = "NUMBER", default_value = "1000", value_parser = parse_count)]
        models: u64,
        #[command(flatten)]
        printing: Printing,
    },
    /// Times of runs as formulas, family by family, beside runs of random models
    Times {
        /// How many models of each family, each at ten points
        #[arg(long, value_name = "NUMBER", default_value = "100", value_parser = parse_count)]
        models: u64,
        #[command(flatten)]
        printing: Printing,
    },
    /// Branches of known processes: how the thesis and we predict the variance of how often they hold
    #[cfg(feature = "programs")]
    Branches {
        /// Simulate so many runs
        #[arg(long, value_name = "NUMBER", default_value_t = 6000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
        runs: u32,
        #[command(flatten)]
        printing: Printing,
    },
    /// Programs in C beside their models: how far calibrated times miss measured ones
    #[cfg(feature = "programs")]
    #[command(after_help = super::study_programs::EXAMPLES)]
    Programs(super::study_programs::Arguments),
    /// What stays open of random models and of the corpus, by its shape, and which results hold at fewer points
    Open {
        /// So many models of processes, of distributions and of graphs each
        #[arg(long, value_name = "NUMBER", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        models: u32,
        /// The seed of the first
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        seed: u64,
        /// Also the models of this directory
        #[arg(long, value_name = "DIR")]
        corpus: Option<PathBuf>,
        /// Instead, compare results of random processes and distributions with their definition so often
        #[arg(long, value_name = "NUMBER", conflicts_with_all = ["models", "corpus"])]
        check: Option<usize>,
        #[command(flatten)]
        printing: Printing,
    },
    /// Which rules the derivations of the corpus take, and how many steps are by rules that are text
    Rules {
        /// Where the models are
        #[arg(long, value_name = "DIR", default_value = "corpus")]
        corpus: PathBuf,
        /// Also so many random models
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        models: u64,
        #[command(flatten)]
        printing: Printing,
    },
}

#[derive(Debug, Args)]
pub struct Printing {
    /// Print all results as JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs a study, or lists them all.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    match &arguments.command {
        None => output::line(&names())?,
        Some(StudyCommand::Sums { json, runs }) => {
            let study = with_peers(sums::LIST, usize::from(*runs))?;
            if *json {
                output::json(&study)?;
            } else {
                output::line(study.to_string().trim_end())?;
            }
        }
        Some(StudyCommand::Distributions { json, runs }) => {
            let study = distributions::with_peers(usize::from(*runs))?;
            if *json {
                output::json(&study)?;
            } else {
                output::line(study.to_string().trim_end())?;
            }
        }
        Some(StudyCommand::Gld(printing)) => law(laws::parameters(), printing)?,
        Some(StudyCommand::Nary(printing)) => law(laws::nary(), printing)?,
        Some(StudyCommand::Binary(printing)) => law(laws::binary(), printing)?,
        Some(StudyCommand::Series(printing)) => law(laws::series(), printing)?,
        Some(StudyCommand::Mrm(printing)) => print(&mrm::mrm()?, printing)?,
        Some(StudyCommand::Giant(printing)) => print(&giant::giant()?, printing)?,
        Some(StudyCommand::Contention { models, printing }) => {
            print(&contention::contention(*models)?, printing)?;
        }
        Some(StudyCommand::Times { models, printing }) => {
            print(&times::times(*models)?, printing)?;
        }
        #[cfg(feature = "programs")]
        Some(StudyCommand::Branches { runs, printing }) => {
            print(&crate::study::branches::branches(*runs as usize), printing)?;
        }
        #[cfg(feature = "programs")]
        Some(StudyCommand::Programs(arguments)) => return study_programs::run(arguments),
        Some(StudyCommand::Open {
            models,
            seed,
            corpus,
            check,
            printing,
        }) => {
            let base = crate::rules::standard()?;
            if let Some(comparisons) = check {
                let compared = open::compare(&base, *comparisons, *seed, &progress)?;
                clear_progress();
                print(&compared, printing)?;
                return match compared.differences.is_empty() {
                    true => Ok(Outcome::Done),
                    false => Err(Error::new("results differ from their definition")),
                };
            }
            let request = open::Request {
                models: *models as usize,
                first: *seed,
                corpus: corpus.as_deref(),
            };
            let census = open::census(&base, &request, &progress)?;
            clear_progress();
            print(&census, printing)?;
        }
        Some(StudyCommand::Rules {
            corpus,
            models,
            printing,
        }) => {
            let base = crate::rules::standard()?;
            let counts = rules::count(&base, corpus, *models, &progress)?;
            clear_progress();
            print(&counts, printing)?;
        }
    }
    Ok(Outcome::Done)
}

fn law(report: Result<Report, String>, printing: &Printing) -> Result<(), Error> {
    print(&report.map_err(Error::new)?, printing)
}

fn print<R: Serialize + Display>(report: &R, printing: &Printing) -> Result<(), Error> {
    if printing.json {
        output::json(report)
    } else {
        output::line(report.to_string().trim_end())
    }
}

/// A line for each study, with what the help says of it.
fn names() -> String {
    let command = Arguments::augment_args(clap::Command::new("study"));
    let line = |study: &clap::Command| {
        let about = study.get_about().map(ToString::to_string);
        format!("{:<15}{}", study.get_name(), about.unwrap_or_default())
    };
    command
        .get_subcommands()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}
