//! The studies: their names, options and results.

use std::fmt::Display;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use serde::Serialize;

use pamela::{Error, rules::standard};
use pamela_cli::cli::progress::{clear_line, line as progress};
#[cfg(feature = "programs")]
use pamela_cli::cli::read_file;
use pamela_cli::cli::shared::parse_count;
use pamela_cli::cli::{Outcome, output};
#[cfg(feature = "programs")]
use pamela_lab::study::predictions;
use pamela_lab::study::report::Report;
use pamela_lab::study::{
    codes, contention, costs, distributions, free, giant, laws, mrm, open, rules, sequential, sums,
    times, with_peers, workloads,
};

#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// Compare closed forms of sums with SymPy, Maxima and barvinok, if installed
    Sums {
        /// Print results as JSON
        #[arg(long)]
        json: bool,
        /// Number of repetitions per sum; the median time counts
        #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u16).range(1..))]
        runs: u16,
    },
    /// Compare closed forms of data distributions with SymPy, Maxima and barvinok
    Distributions {
        /// Print results as JSON
        #[arg(long)]
        json: bool,
        /// Number of repetitions per model; the median time counts
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
        runs: u16,
    },
    /// Compare generalized lambda distributions: published parameters, our parameters, order statistics
    Gld(Reporting),
    /// Largest and smallest of N copies: integrated; predicted by four moments, grids, Gumbel
    Nary(Reporting),
    /// Larger and smaller of two variables: integrated; predicted by published methods
    Binary(Reporting),
    /// Larger of two phase-type variables: integrated; by formula; by Gram-Charlier series
    Series(Reporting),
    /// Machine repair model: simulated, by mean value analysis, evaluated
    Mrm(Reporting),
    /// Costs of prediction methods: published times and times on this machine
    Costs(Reporting),
    /// Precedence graphs and θ-exponential polynomials: published theorems and exact values
    Giant(Reporting),
    /// Data-parallel codes: times and speedups counted with caches; closed forms
    Codes {
        /// Divide the published problem sizes by this
        #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = ["1", "2", "4", "8", "16"])]
        divide: String,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Sequential programs: counted times, distributions, covariances; predictions
    Sequential {
        /// Number of data sets of each program
        #[arg(long, value_name = "NUMBER", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(100..=100_000))]
        runs: u32,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Program workloads: counted operations, distributions, largest of N; predictions
    Workloads {
        /// Number of runs of each program; slow programs run less often
        #[arg(long, value_name = "NUMBER", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(200..=20_000))]
        runs: u32,
        /// Run only these programs
        #[arg(long, value_name = "PROGRAM,...", value_delimiter = ',', value_parser = PossibleValuesParser::new(workloads::PROGRAMS))]
        only: Vec<String>,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Training of language models: predicted and measured times of steps
    #[cfg(feature = "programs")]
    Training(Predicting),
    /// Serving of language models: predicted and measured times per token, and to the first one
    #[cfg(feature = "programs")]
    Serving(Predicting),
    /// Random models with contention: bounds and simulated times
    Contention {
        /// Number of models
        #[arg(long, value_name = "NUMBER", default_value = "1000", value_parser = parse_count)]
        models: u64,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Exact formulas of run times, by family, checked against runs of random models
    Times {
        /// Number of models of each family, each at ten points
        #[arg(long, value_name = "NUMBER", default_value = "100", value_parser = parse_count)]
        models: u64,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// Branches of known processes: predicted variances of how often they are taken
    #[cfg(feature = "programs")]
    Branches {
        /// Number of simulated runs
        #[arg(long, value_name = "NUMBER", default_value_t = 6000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
        runs: u32,
        #[command(flatten)]
        reporting: Reporting,
    },
    /// C programs: errors of calibrated models relative to measured times
    #[cfg(feature = "programs")]
    #[command(
        before_help = super::programs::EXAMPLES,
        after_help = super::programs::NOTES,
        help_template = pamela_cli::cli::shared::HELP
    )]
    Programs(super::programs::Arguments),
    /// Open reductions of random models and the corpus, by shape; results with narrower domains
    Open {
        /// Number of random models each of processes, of distributions and of graphs
        #[arg(long, value_name = "NUMBER", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        models: u32,
        /// Seed of the first model
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        seed: u64,
        /// Add the models of this directory
        #[arg(long, value_name = "DIR")]
        corpus: Option<PathBuf>,
        /// Instead, make this many comparisons of random models with the definition
        #[arg(long, value_name = "NUMBER", conflicts_with_all = ["models", "corpus"])]
        check: Option<usize>,
        #[command(flatten)]
        printing: Printing,
    },
    /// Check closed forms of random expressions against the definition, mainly at boundaries
    Free {
        /// Number of models, each at up to 30 points
        #[arg(long, value_name = "NUMBER", default_value = "1000", value_parser = parse_count)]
        models: u64,
        /// Seed of the first model
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        seed: u64,
        #[command(flatten)]
        printing: Printing,
    },
    /// Count the rules used in derivations of the corpus, and the steps by textual rules
    Rules {
        /// Directory of the models
        #[arg(long, value_name = "DIR", default_value = "corpus")]
        corpus: PathBuf,
        /// Number of random models to add
        #[arg(long, value_name = "NUMBER", default_value_t = 0)]
        models: u64,
        #[command(flatten)]
        printing: Printing,
    },
}

/// Tables of measured configurations.
#[cfg(feature = "programs")]
#[derive(Debug, Args)]
pub struct Predicting {
    /// Fit the constants to this table of measured configurations
    #[arg(long, value_name = "TABLE")]
    pub train: PathBuf,
    /// Predict the rows of this table [default: configurations of --train that are left out]
    #[arg(long, value_name = "TABLE")]
    pub test: Option<PathBuf>,
    #[command(flatten)]
    pub printing: Printing,
}

#[derive(Debug, Args)]
pub struct Printing {
    /// Print results as JSON
    #[arg(long)]
    pub json: bool,
}

/// Output options of a report with tables.
#[derive(Debug, Args)]
pub struct Reporting {
    #[command(flatten)]
    pub printing: Printing,
    /// Write the figures as SVG files to this directory
    #[cfg(feature = "plot")]
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    pub pictures: Option<PathBuf>,
}

/// Runs a study, or lists them all. One long function, because it is a table with an arm for each study.
pub fn run(study: Option<&StudyCommand>) -> Result<Outcome, Error> {
    match study {
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
        #[cfg(feature = "programs")]
        Some(StudyCommand::Training(arguments)) => predict(&predictions::TRAINING, arguments)?,
        #[cfg(feature = "programs")]
        Some(StudyCommand::Serving(arguments)) => predict(&predictions::SERVING, arguments)?,
        Some(StudyCommand::Contention { models, reporting }) => {
            report(&contention::contention(*models)?, reporting)?;
        }
        Some(StudyCommand::Times { models, reporting }) => {
            report(&times::times(*models)?, reporting)?;
        }
        #[cfg(feature = "programs")]
        Some(StudyCommand::Branches { runs, reporting }) => {
            report(
                &pamela_lab::study::branches::branches(*runs as usize),
                reporting,
            )?;
        }
        #[cfg(feature = "programs")]
        Some(StudyCommand::Programs(arguments)) => return crate::programs::run(arguments),
        Some(StudyCommand::Open {
            models,
            seed,
            corpus,
            check,
            printing,
        }) => {
            let base = standard()?;
            if let Some(comparisons) = check {
                let compared = open::compare(&base, *comparisons, *seed, &progress)?;
                clear_line();
                print(&compared, printing)?;
                return no_difference(&compared.differences);
            }
            let request = open::Request {
                models: *models as usize,
                first: *seed,
                corpus: corpus.as_deref(),
            };
            let census = open::census(&base, &request, &progress)?;
            clear_line();
            print(&census, printing)?;
        }
        Some(StudyCommand::Free {
            models,
            seed,
            printing,
        }) => {
            let base = standard()?;
            let compared = free::free(&base, *models, *seed, &progress);
            clear_line();
            print(&compared, printing)?;
            return no_difference(&compared.differences);
        }
        Some(StudyCommand::Rules {
            corpus,
            models,
            printing,
        }) => {
            let base = standard()?;
            let counts = rules::count(&base, corpus, *models, &progress)?;
            clear_line();
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

#[cfg(feature = "programs")]
fn predict(subject: &predictions::Subject, arguments: &Predicting) -> Result<(), Error> {
    let read = |file: &PathBuf| Ok::<_, Error>((file.display().to_string(), read_file(file)?));
    let train = read(&arguments.train)?;
    let test = arguments.test.as_ref().map(read).transpose()?;
    let test = test
        .as_ref()
        .map(|(file, text)| (file.as_str(), text.as_str()));
    let found = predictions::predictions(subject, (&train.0, &train.1), test)?;
    print(&found, &arguments.printing)
}

fn law(found: Result<Report, String>, reporting: &Reporting) -> Result<(), Error> {
    report(&found.map_err(Error::new)?, reporting)
}

/// Tables, and pictures where these are asked for.
fn report(report: &Report, reporting: &Reporting) -> Result<(), Error> {
    print(report, &reporting.printing)?;
    #[cfg(feature = "plot")]
    if let Some(directory) = &reporting.pictures {
        super::pictures::write(report, directory)?;
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

/// A line for each study, from its help.
fn names() -> String {
    let command = StudyCommand::augment_subcommands(clap::Command::new("study"));
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
