//! `pamela simplify`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::estimates::Contention;
use crate::cli::shared::{Input, RuleOptions, Values};
use crate::effort::Effort;

pub const EXAMPLES: &str = "\
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
    pub contention: Option<Contention>,
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
