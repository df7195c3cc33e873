//! `pamela study`

use std::fmt::Display;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
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
    codes, contention, costs, distributions, free, giant, laws, mrm, open, rules, sequential, sums,
    times, with_peers, workloads,
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
    Gld(Reporting),
    /// Largest and smallest of N copies: integrated, and predicted by four moments, by grids, by Gumbel
    Nary(Reporting),
    /// Larger and smaller of two variables: integrated, and predicted by the papers' methods
    Binary(Reporting),
    /// Larger of two laws of phases, and by the Gram-Charlier series: integrated, and by formula
    Series(Reporting),
    /// The machine repair model: simulated, by mean value analysis, and evaluated
    Mrm(Reporting),
    /// What the papers' methods and ours take: the times that the papers state, beside times of this machine
    Costs(Reporting),
    /// Precedence graphs and θ-exponential polynomials: theorems, structures, extreme values, beside exact ones
    Giant(Reporting),
    /// Data-parallel codes: times and speedups, counted on processors with caches, beside closed forms
    Codes {
        /// Divide the sizes of the papers by this
        #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = ["1", "2", "4", "8", "16"])]
        divide: String,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Sequential programs: counted times, their laws, and covariances, beside what is predicted
    Sequential {
        /// So many data sets of each program
        #[arg(long, value_name = "NUMBER", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(100..=100_000))]
        runs: u32,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Workloads of programs: counted operations, their laws, and the largest of N of them, beside what is predicted
    Workloads {
        /// Run each program so often, those that take long less often
        #[arg(long, value_name = "NUMBER", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(200..=20_000))]
        runs: u32,
        /// Only these programs
        #[arg(long, value_name = "PROGRAM,...", value_delimiter = ',', value_parser = PossibleValuesParser::new(workloads::PROGRAMS))]
        only: Vec<String>,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Random models with contention: bounds of their times, beside what is simulated
    Contention {
        /// How many models
        #[arg(long, value_name = "NUMBER", default_value = "1000", value_parser = parse_count)]
        models: u64,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Times of runs as formulas, family by family, beside runs of random models
    Times {
        /// How many models of each family, each at ten points
        #[arg(long, value_name = "NUMBER", default_value = "100", value_parser = parse_count)]
        models: u64,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Branches of known processes: how the thesis and we predict the variance of how often they hold
    #[cfg(feature = "programs")]
    Branches {
        /// Simulate so many runs
        #[arg(long, value_name = "NUMBER", default_value_t = 6000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
        runs: u32,
        #[command(flatten)]
        reporting: Reporting,
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
    /// Closed forms of free expressions beside their definition, at boundaries and coincidences first
    Free {
        /// How many models, each at up to 30 points
        #[arg(long, value_name = "NUMBER", default_value = "1000", value_parser = parse_count)]
        models: u64,
        /// The seed of the first
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        seed: u64,
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

/// How a report of tables is printed.
#[derive(Debug, Args)]
pub struct Reporting {
    #[command(flatten)]
    pub printing: Printing,
    /// Also write the figures as SVG files to this directory
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    pub pictures: Option<PathBuf>,
}

/// Runs a study, or lists them all. One function, as it is a table with an arm for each study.
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
        Some(StudyCommand::Gld(reporting)) => law(laws::parameters(), reporting)?,
        Some(StudyCommand::Nary(reporting)) => law(laws::nary(), reporting)?,
        Some(StudyCommand::Binary(reporting)) => law(laws::binary(), reporting)?,
        Some(StudyCommand::Series(reporting)) => law(laws::series(), reporting)?,
        Some(StudyCommand::Mrm(reporting)) => report(&mrm::mrm()?, reporting)?,
        Some(StudyCommand::Costs(reporting)) => report(&costs::costs()?, reporting)?,
        Some(StudyCommand::Giant(reporting)) => report(&giant::giant()?, reporting)?,
        Some(StudyCommand::Codes { divide, reporting }) => {
            let sizes = codes::Sizes::PAPERS.divided(divide.parse().unwrap_or(1));
            report(&codes::codes(sizes)?, reporting)?;
        }
        Some(StudyCommand::Sequential { runs, reporting }) => {
            law(sequential::sequential(*runs as usize), reporting)?;
        }
        Some(StudyCommand::Workloads {
            runs,
            only,
            reporting,
        }) => law(workloads::workloads(*runs as usize, only), reporting)?,
        Some(StudyCommand::Contention { models, reporting }) => {
            report(&contention::contention(*models)?, reporting)?;
        }
        Some(StudyCommand::Times { models, reporting }) => {
            report(&times::times(*models)?, reporting)?;
        }
        #[cfg(feature = "programs")]
        Some(StudyCommand::Branches { runs, reporting }) => {
            report(&crate::study::branches::branches(*runs as usize), reporting)?;
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
                return no_difference(&compared.differences);
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
        Some(StudyCommand::Free {
            models,
            seed,
            printing,
        }) => {
            let base = crate::rules::standard()?;
            let compared = free::free(&base, *models, *seed, &progress);
            clear_progress();
            print(&compared, printing)?;
            return no_difference(&compared.differences);
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

fn no_difference<D>(differences: &[D]) -> Result<Outcome, Error> {
    if differences.is_empty() {
        Ok(Outcome::Done)
    } else {
        Err(Error::new("results differ from their definition"))
    }
}

fn law(found: Result<Report, String>, reporting: &Reporting) -> Result<(), Error> {
    report(&found.map_err(Error::new)?, reporting)
}

/// Tables, and pictures where these are asked for.
fn report(report: &Report, reporting: &Reporting) -> Result<(), Error> {
    print(report, &reporting.printing)?;
    #[cfg(feature = "plot")]
    if let Some(directory) = &reporting.pictures {
        super::study_pictures::write(report, directory)?;
    }
    Ok(())
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
