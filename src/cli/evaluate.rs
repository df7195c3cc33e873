//! `pamela eval`

use super::estimates::{self, Contention, Estimates, WithEstimates};
use super::shared::{GraphMethod, Graphs, Input, Laws, RuleOptions, Values};
use super::units::Shows;
use super::{Outcome, Subject, output, read_subject, rule_base, values};
use crate::compiled::Evaluated;
use crate::diagnostic::{Error, listed};
use crate::effort::Effort;
use crate::pipeline::Options;

use clap::{Args, ValueEnum};

mod json;
mod model;
mod table;

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
pub struct Arguments {
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
    #[command(flatten)]
    pub graphs: Graphs,
    /// Also an estimate of the time with contention, which is no bound
    #[arg(long, value_enum, value_name = "ESTIMATE", conflicts_with = "only")]
    pub contention: Option<Contention>,
    /// Also what each label has of the times of processes: its part, what it would save, takes alone, and hides
    #[arg(long)]
    pub by_label: bool,
    /// Show times in this unit, of a model with units [default: the largest below each]
    #[arg(long, value_name = "UNIT")]
    pub time_unit: Option<String>,
    /// Print fractions as they are, 1009/9000 in place of 0.1121..; JSON has both
    #[arg(long)]
    pub exact: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// What is printed: a table, a model whose equations are values, or JSON
    #[arg(long, value_enum, default_value_t = Form::Table, conflicts_with = "json")]
    pub emit: Form,
}

/// What is printed of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// A row for each equation, and notes by number
    Table,
    /// A model that can be read back, with all digits
    Pamela,
    /// All values with their units, standings and notes
    Json,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut subject = read_subject(&arguments.input)?;
    subject.reach(&arguments.only);
    if arguments.by_label {
        subject = subject.with_labels()?;
    }
    let options = Options {
        all: arguments.all,
        times: true,
        bounds: arguments.bounds || arguments.contention == Some(Contention::Estimate),
        only: arguments.only.clone(),
        effort: arguments.effort,
        progress: output::progress(),
        without_moments: true,
        laws: arguments.laws.carrier(),
        graphs: arguments.graphs.options(GraphMethod::Auto),
        ..Options::default()
    };
    let values = values::given(&arguments.values, &subject.names())?;
    let evaluated = match &subject {
        Subject::Model(model) => model.evaluate(&values, rule_base(&arguments.rules)?, &options),
        Subject::Compiled(compiled) if arguments.rules.rules.is_some() => compiled
            .model()?
            .evaluate(&values, rule_base(&arguments.rules)?, &options),
        Subject::Compiled(compiled) => compiled.evaluate(&values, &options),
    };
    output::end_progress();
    let evaluated = evaluated?;
    let estimates = arguments.contention.map(|contention| {
        let rules = &arguments.rules;
        estimates::of(contention, &subject, &values, &evaluated, &options, rules)
    });
    let estimates = estimates.transpose()?;
    let shown = Shows::new(&subject, arguments.time_unit.as_deref())?;
    let text = text(arguments, &evaluated, estimates, &shown)?;
    if !text.is_empty() {
        output::line(&text)?;
    }
    Ok(told(&evaluated))
}

/// What is printed of the values.
fn text(
    arguments: &Arguments,
    evaluated: &Evaluated,
    estimates: Option<Estimates>,
    shown: &Shows,
) -> Result<String, Error> {
    let form = match arguments.json {
        true => Form::Json,
        false => arguments.emit,
    };
    Ok(match (form, estimates) {
        (Form::Json, None) => output::json_text(&json::values(evaluated, shown))?,
        (Form::Json, Some(estimates)) => output::json_text(&WithEstimates {
            model: json::values(evaluated, shown),
            estimates,
        })?,
        (Form::Pamela, estimates) => {
            let text = model::text(evaluated, arguments.exact, shown);
            let more = estimates.map_or(Vec::new(), |estimates| estimates.lines());
            let lines: Vec<String> = std::iter::once(text).chain(more).collect();
            lines.join("\n")
        }
        (Form::Table, estimates) => table::text(
            evaluated,
            arguments.exact,
            shown,
            &estimates.unwrap_or_default(),
        ),
    })
}

/// Tells what has no value, and why.
fn told(evaluated: &Evaluated) -> Outcome {
    if evaluated.equations.is_empty()
        && evaluated.failures.is_empty()
        && evaluated.unfinished.is_empty()
    {
        output::note(
            "note: the model has no process and no numeric equation but its parameters: nothing has a value",
        );
    }
    for name in &evaluated.unfinished {
        output::note(&format!(
            "note: `{name}` takes too many steps or digits here; take smaller values, or `--effort high`"
        ));
    }
    output::failures(&evaluated.failures);
    output::missing(&evaluated.refuted);
    let without: Vec<&str> = evaluated.without_value.iter().map(String::as_str).collect();
    if !without.is_empty() {
        output::note(&format!("note: no value here: {}", listed(&without)));
    }
    match (
        evaluated.failures.is_empty(),
        evaluated.unfinished.is_empty(),
    ) {
        (false, _) => Outcome::Wrong,
        (true, true) => Outcome::Done,
        (true, false) => Outcome::Incomplete,
    }
}
