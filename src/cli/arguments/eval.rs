//! `pamela eval`

use clap::Args;

use crate::cli::estimates::Contention;
use crate::cli::shared::{Input, Laws, RuleOptions, Values};
use crate::effort::Effort;

pub const EXAMPLES: &str = "\
Examples:
  pamela eval model.pam -D P=1000 -D N=1e6   T of each process, and the numeric equations
  pamela eval model.pam -D P=8 --all         critical path, demand and bottleneck too
  pamela eval model.pam -D P=8 --bounds      what contention makes of it, from below and above
  pamela eval model.pam -D P=8 --only T_main,delta_main
  pamela eval model.pam -D P=7 --exact       fractions in place of decimals
  pamela eval model.pam -D N=100*P -D P=64 --json
  pamela eval model.pam --params point.json -D P=8";

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
    pub contention: Option<Contention>,
    /// Print fractions as they are, 1009/9000 in place of 0.1121..; JSON has both
    #[arg(long)]
    pub exact: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
