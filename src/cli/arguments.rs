//! What can be written on the command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::effort::Effort;
use crate::law::Carrier;
use crate::sweep::Aggregate;

/// Compiles performance models of parallel programs into closed-form formulas.
#[derive(Debug, Parser)]
#[command(name = "pamela", version, propagate_version = true, after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 the model or its data are wrong, 2 the command line is wrong,
3 the result is incomplete (reductions are left that take looping, or values that take too many steps).";

const CHECK_EXAMPLES: &str = "\
Examples:
  pamela check model.pam
  cat model.pam | pamela check -";

const SIMPLIFY_EXAMPLES: &str = "\
Examples:
  pamela simplify model.pam                  closed forms, as a model again
  pamela simplify model.pam --all            critical path, demand and bottleneck too
  pamela simplify model.pam --bounds         what contention makes of it, from below and above
  pamela simplify model.pam -D P=16          for 16 processors
  pamela simplify model.pam --explain        how each closed form is derived
  pamela simplify model.pam --regimes        where it saturates, and by what
  pamela simplify model.pam --sensitivity P,N
  pamela simplify model.pam --moments 2      of what is random, mean and variance
  pamela simplify model.pam --emit latex     for a paper
  pamela simplify model.pam --emit json      for a program
  pamela simplify model.pam --emit c         a function, and one of its conditions
  pamela simplify model.pam --emit compiled -o model.pamc
                                             closed forms once, for `eval` and `sweep`";

const EVAL_EXAMPLES: &str = "\
Examples:
  pamela eval model.pam -D P=1000 -D N=1e6   T of each process, and the numeric equations
  pamela eval model.pam -D P=8 --all         critical path, demand and bottleneck too
  pamela eval model.pam -D P=8 --bounds      what contention makes of it, from below and above
  pamela eval model.pam -D P=8 --only T_main,delta_main
  pamela eval model.pam -D P=7 --exact       fractions in place of decimals
  pamela eval model.pam -D N=100*P -D P=64 --json
  pamela eval model.pam --params point.json -D P=8";

const SWEEP_EXAMPLES: &str = "\
Examples:
  pamela sweep model.pam -D P=1:64 -D N=1e6
  pamela sweep model.pam -D P='2^(0:10)' -D N='log(1e3, 1e9, 13)' -o out.csv
  pamela sweep model.pam --params points.csv -o out.jsonl
  pamela sweep model.pam -D P=1:1024 -D N=1:1000 --where 'N >= P' --top 10 --by -T_main
  pamela sweep model.pam -D P=1:1024 -D N=1:1000000 --aggregate min,argmin --group-by N
  pamela sweep model.pam -D P=1:1024 -D N=1:1000000 -o out.csv --resume
  pamela sweep model.pam -D P=1:1024 -D N=1:1000000 --shard 3/16 -o 3.csv

The last parameter given changes fastest. Every value is that of `pamela eval` at the values of its row.";

const SIMULATE_EXAMPLES: &str = "\
Examples:
  pamela simulate model.pam -D P=10 -D N=100
  pamela simulate model.pam -D P=10 -D N=100 --until-relative-error 0.5%
  pamela simulate model.pam -D P=100 -D N=1000 --cycle
  pamela simulate model.pam -D P=4 -D N=10 --trace out.json    for ui.perfetto.dev
  pamela simulate model.pam -D P=10 -D N=100 --json

Where nothing is drawn and all times are rational, the time is exact. The order of requests that come at one time is
drawn, and 30 orders are tried where it may matter. Ctrl-C ends with what there is.";

const RULES_EXAMPLES: &str = "\
Examples:
  pamela rules list
  pamela rules list --family series
  pamela rules show sum-constant --uses
  pamela rules check                         all rules of the library
  pamela rules check mine/roots.rules        those of one file";

const STUDY_EXAMPLES: &str = "\
Examples:
  pamela study                               the names of all studies
  pamela study sums
  pamela study sums --json --runs 101
  pamela study nary                          order statistics, beside what the papers predict";

const FIT_EXAMPLES: &str = "\
Examples:
  pamela fit samples.csv                     the only column
  pamela fit samples.csv --column time       the column with this name
  pamela fit samples.csv --column 2 --json

KS is the greatest distance between the cdf of the law and that of the samples, AD the squared distance
weighted for the tails; both and AIC are smaller for the better law. The lines at the end can be put into a model.";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read a model and report what is wrong with it
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        #[command(flatten)]
        input: Input,
    },
    /// Print the closed forms of a model's equations with their conditions
    #[command(after_help = SIMPLIFY_EXAMPLES)]
    Simplify(Simplify),
    /// Print the values of a model's equations at one point
    #[command(after_help = EVAL_EXAMPLES)]
    Eval(Eval),
    /// Print a table of values over a grid of points
    #[command(after_help = SWEEP_EXAMPLES)]
    Sweep(Sweep),
    /// Draw values over a parameter or two, speedups, laws
    #[cfg(feature = "plot")]
    #[command(after_help = super::plot::EXAMPLES)]
    Plot(super::plot::Arguments),
    /// Find the parameters at which a value is least or greatest
    #[command(visible_alias = "optimize", after_help = super::optimise::EXAMPLES)]
    Optimise(super::optimise::Arguments),
    /// Write a page about a model, with sliders for its parameters
    #[command(after_help = super::report::EXAMPLES)]
    Report(super::report::Arguments),
    /// Run a model, with contention: times, utilisations, queues
    #[command(after_help = SIMULATE_EXAMPLES)]
    Simulate(Simulate),
    /// Formula, bounds and estimates of a time beside its simulation, over a grid of points, as a table in CSV
    #[command(after_help = super::compare::EXAMPLES)]
    Compare(super::compare::Arguments),
    /// Find laws that describe samples: moments with their uncertainty, laws with their goodness of fit
    #[command(after_help = FIT_EXAMPLES)]
    Fit(Fit),
    /// Make a model of a program in C, with OpenMP
    #[cfg(feature = "programs")]
    #[command(after_help = super::model::EXAMPLES)]
    Model(super::model::Arguments),
    /// Build a program in C with probes, run it, and keep its counts and times
    #[cfg(feature = "programs")]
    #[command(after_help = super::profile::EXAMPLES)]
    Profile(super::profile::Arguments),
    /// Measure what OpenMP takes on this machine
    #[cfg(feature = "programs")]
    #[command(after_help = super::machine::EXAMPLES)]
    Machine(super::machine::Arguments),
    /// Find the times of a model from measured times
    #[cfg(feature = "programs")]
    #[command(after_help = super::calibrate::EXAMPLES)]
    Calibrate(super::calibrate::Arguments),
    /// List, show and check rewrite rules
    #[command(after_help = RULES_EXAMPLES)]
    Rules {
        #[command(subcommand)]
        command: RulesCommand,
        #[command(flatten)]
        base: RuleOptions,
    },
    /// Measure this program beside others, and what the papers predict
    #[command(after_help = STUDY_EXAMPLES)]
    Study {
        #[command(subcommand)]
        command: Option<StudyCommand>,
    },
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

#[derive(Debug, Args)]
pub struct Input {
    /// The model; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: String,
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

#[derive(Debug, Args)]
pub struct Simplify {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub values: Values,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Also phi_L (critical path), delta_L (demand) and omega_L (bottleneck) of each process L
    #[arg(long)]
    pub all: bool,
    /// Also bounds of the time of each process L on both sides, L_L and U_L; with --all, U2_L and U1_L
    #[arg(long)]
    pub bounds: bool,
    /// Also an estimate of the time with contention, which is no bound: cycle_L and mva_L, or estimate_L
    #[arg(long, value_enum)]
    pub contention: Option<super::estimates::Contention>,
    /// Write these equations out wherever others mention them by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub expand: Vec<String>,
    /// Assume nothing that the model does not state; keep cases instead
    #[arg(long)]
    pub strict: bool,
    /// Also how each closed form is derived, step by step
    #[arg(long)]
    pub explain: bool,
    /// Also which operand of a max, and which resource, decides where, and where they cross
    #[arg(long)]
    pub regimes: bool,
    /// Also the derivative and the elasticity of each scalar by these parameters
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub sensitivity: Vec<String>,
    /// Of laws only so many moments: 2 are mean and variance, 4 also skewness and kurtosis [default: 2 on a terminal, 4
    /// in files and pipes]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=4))]
    pub moments: Option<u8>,
    /// How much work may be done before it stops: low is a sixteenth, high sixteen times as much
    #[arg(long, value_enum, default_value_t = Effort::Normal)]
    pub effort: Effort,
    /// The notation of the result
    #[arg(long, value_enum, default_value_t = Emit::Pamela)]
    pub emit: Emit,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// A model of numeric equations, which can be read back
    Pamela,
    /// One displayed equation each
    Latex,
    /// Formulas, conditions and statistics
    Json,
    /// Presentation MathML, one displayed equation each
    Mathml,
    /// Functions of C, with their conditions as second functions
    C,
    /// The same in Rust
    Rust,
    /// The same in Python, for floats
    Python,
    /// The same in Python, for arrays of NumPy
    Numpy,
    /// The same in Julia
    Julia,
    /// The same in JavaScript
    Javascript,
    /// A query that adds columns to a table `points`
    Sql,
    /// Exact expressions of SymPy
    Sympy,
    /// All closed forms in a file that every command takes in place of the model
    Compiled,
}

#[derive(Debug, Args)]
pub struct Eval {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub values: Values,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Also phi_L (critical path), delta_L (demand) and omega_L (bottleneck) of each process L
    #[arg(long)]
    pub all: bool,
    /// Also bounds of the time of each process L on both sides, L_L and U_L; with --all, U2_L and U1_L
    #[arg(long)]
    pub bounds: bool,
    /// Only these equations: names such as T_main, delta_main or those of the model
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "all"
    )]
    pub only: Vec<String>,
    /// How much work may be done before it stops: low is a sixteenth, high sixteen times as much
    #[arg(long, value_enum, default_value_t = Effort::Normal)]
    pub effort: Effort,
    /// How laws are carried: grid is nearly exact, gld and johnson go by four moments
    #[arg(long, value_enum, default_value_t = Laws::Grid)]
    pub laws: Laws,
    /// Also an estimate of the time with contention, which is no bound
    #[arg(long, value_enum, value_name = "ESTIMATE", conflicts_with = "only")]
    pub contention: Option<super::estimates::Contention>,
    /// Print fractions as they are, 1009/9000 in place of 0.1121..; JSON has both
    #[arg(long)]
    pub exact: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
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

#[derive(Debug, Args)]
pub struct Sweep {
    #[command(flatten)]
    pub input: Input,
    /// Give a parameter a value, a range `1:64` or `0:0.5:10`, a list `1,2,4`, `log(1e3, 1e9, 13)`, `2^(0:10)`
    /// (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUES", value_parser = parse_definition)]
    pub define: Vec<(String, String)>,
    /// Read values from a TOML or JSON file, or points from a CSV file with a row for each
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
    #[command(flatten)]
    pub rules: RuleOptions,
    /// Go through all lists together, instead of crossing them
    #[arg(long)]
    pub zip: bool,
    /// Only points where this holds, over parameters and columns of values (repeatable)
    #[arg(long = "where", value_name = "CONDITION")]
    pub conditions: Vec<String>,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The format of the table [default: by the name of the file, else csv]
    #[arg(long, value_enum)]
    pub format: Option<SweepFormat>,
    /// Also phi_L (critical path) and omega_L (bottleneck) of each process L
    #[arg(long)]
    pub all: bool,
    /// Also bounds of the time of each process L on both sides, L_L and U_L
    #[arg(long)]
    pub bounds: bool,
    /// Only these equations
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "all"
    )]
    pub only: Vec<String>,
    /// Of laws, the quantiles of these probabilities
    #[arg(long, value_name = "P,...", value_delimiter = ',', default_value = "0.5,0.9,0.99", value_parser = parse_probability)]
    pub quantiles: Vec<f64>,
    /// How laws are carried: grid is nearly exact, gld and johnson go by four moments
    #[arg(long, value_enum, default_value_t = Laws::Grid)]
    pub laws: Laws,
    /// Only the rows with the largest values of the column of --by
    #[arg(long, value_name = "NUMBER", requires = "by", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub top: Option<u32>,
    /// The column that --top goes by; `-T_main` takes the smallest values
    #[arg(
        long,
        value_name = "COLUMN",
        requires = "top",
        allow_hyphen_values = true
    )]
    pub by: Option<String>,
    /// Figures of each column of values instead of rows
    #[arg(long, value_enum, value_name = "FIGURE,...", value_delimiter = ',', conflicts_with_all = ["top", "resume"])]
    pub aggregate: Vec<Figure>,
    /// A row of figures for each value of these parameters
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        requires = "aggregate"
    )]
    pub group_by: Vec<String>,
    /// Compute with so many threads, which changes no byte [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..))]
    pub threads: Option<u8>,
    /// Only part I of N, from 1; all parts one after the other are the whole table
    #[arg(long, value_name = "I/N", value_parser = parse_shard, conflicts_with_all = ["top", "aggregate"])]
    pub shard: Option<Shard>,
    /// Go on with a file that was not finished
    #[arg(long, requires = "output", conflicts_with = "top")]
    pub resume: bool,
    /// Only say how many points and bytes it would be
    #[arg(long)]
    pub dry_run: bool,
    /// How much work may be done before it stops: low is a sixteenth, high sixteen times as much
    #[arg(long, value_enum, default_value_t = Effort::Normal)]
    pub effort: Effort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SweepFormat {
    /// A line of names, then a line for each point
    Csv,
    /// A JSON object a line
    Jsonl,
    /// Parquet, where the program was built with the feature `columns`
    Parquet,
    /// Arrow IPC, also called Feather, with the same feature
    Arrow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Figure {
    Min,
    Max,
    Mean,
    Sum,
    Count,
    /// The parameters at the least value
    Argmin,
    /// The parameters at the greatest value
    Argmax,
}

impl Figure {
    pub fn of(self) -> Aggregate {
        match self {
            Figure::Min => Aggregate::Min,
            Figure::Max => Aggregate::Max,
            Figure::Mean => Aggregate::Mean,
            Figure::Sum => Aggregate::Sum,
            Figure::Count => Aggregate::Count,
            Figure::Argmin => Aggregate::ArgMin,
            Figure::Argmax => Aggregate::ArgMax,
        }
    }
}

/// Part `number` of `of`, from 1.
#[derive(Clone, Copy, Debug)]
pub struct Shard {
    pub number: u64,
    pub of: u64,
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((number, of)) if number >= 1 && number <= of => Ok(Shard { number, of }),
        _ => Err("expected a part from 1 and how many there are, for example 1/4".to_string()),
    }
}

pub(super) fn parse_probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(p) if p > 0.0 && p < 1.0 => Ok(p),
        _ => Err("expected a probability above 0 and below 1, for example 0.99".to_string()),
    }
}

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

#[derive(Debug, Args)]
pub struct Fit {
    /// A CSV file with one sample a line; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// The column, by its name in the first line or by its number from 1
    #[arg(long, value_name = "COLUMN")]
    pub column: Option<String>,
    /// How often the bootstrap draws the samples anew
    #[arg(long, value_name = "NUMBER", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    pub resamples: u32,
    /// Choose other draws
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// All rules with what they say, by family: `text` runs as it is written, a `procedure` is code
    List {
        /// Only those of one family
        #[arg(long, value_name = "NAME")]
        family: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// One rule in full
    Show {
        /// The rule's name
        name: String,
        /// Also name the models that use it, which takes a moment
        #[arg(long)]
        uses: bool,
        /// Where these models are
        #[arg(long, value_name = "DIR", default_value = "corpus")]
        corpus: PathBuf,
    },
    /// Sample every rule: is it equal, defined, needed in all its guards, and used by a model?
    Check(RulesCheck),
}

#[derive(Debug, Args)]
pub struct RulesCheck {
    /// Check only the rules of this file, beside the library's
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Check only the rules of this family
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    pub family: Option<String>,
    /// The directory whose `*/*.pam` must use each rule of the library [default: corpus, where that exists]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Choose other samples
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn parse_definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_string(), value.trim().to_string()))
        }
        _ => Err("expected NAME=VALUE, for example P=16".to_string()),
    }
}

/// `1%` or `0.01`: above 0 and below 1.
pub(super) fn parse_share(text: &str) -> Result<f64, String> {
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
pub(super) fn parse_count(text: &str) -> Result<u64, String> {
    let count = text.parse::<f64>().ok();
    let whole = count.filter(|n| (1.0..=1e18).contains(n) && n.fract() == 0.0);
    whole
        .map(|n| n as u64)
        .ok_or_else(|| "expected a whole number from 1 to 1e18, for example 1e6".to_string())
}

fn parse_limit(text: &str) -> Result<usize, String> {
    let limit = parse_count(text)?;
    match usize::try_from(limit) {
        Ok(limit) if limit <= 20_000_000 => Ok(limit),
        _ => Err("a trace has at most 2e7 events".to_string()),
    }
}
