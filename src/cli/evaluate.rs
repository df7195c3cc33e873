//! `pamela eval`

use super::estimates::{self, Contention, Estimates, WithEstimates};
use super::shared::{
    ADVANCED, GraphMethod, Graphs, Input, Laws, RANDOM, RuleOptions, Values, parse_probability,
};
use super::uncertain::{self, Uncertainty, Unknowns};
use super::units::Shows;
use super::{Outcome, Subject, output, progress, read_subject, rule_base, values};
use crate::compiled::Evaluated;
use crate::diagnostic::{Error, listed};
use crate::effort::Effort;
use crate::pipeline::Options;
use crate::uncertain::{Factor, Spread};

use clap::{Args, ValueEnum};

mod json;
mod model;
mod table;
mod words;

pub const EXAMPLES: &str = "\
Examples:
  pamela eval corpus/papers/mrm.pam -D P=8 -D N=100 -D tl=10 -D ts=0.5
  pamela eval corpus/papers/mrm.pam -D P=8 -D N=100 -D tl=10 -D ts=0.5 --bounds
  pamela eval corpus/papers/mrm_stochastic.pam -D P=8 -D N=100   distribution of a random time";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub values: Values,
    /// Add critical path phi_L, demand delta_L, bottleneck omega_L
    #[arg(long)]
    pub all: bool,
    /// Add bounds L_L and U_L of times; with --all also U1_L and U2_L
    #[arg(long)]
    pub bounds: bool,
    /// Print only these equations, for example time_main
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "all"
    )]
    pub only: Vec<String>,
    /// Add an estimate of the time under contention (not a bound)
    #[arg(
        long,
        value_enum,
        value_name = "mva|estimate",
        conflicts_with = "only",
        hide_possible_values = true
    )]
    pub contention: Option<Contention>,
    /// Split the time of each process by the labels of its parts
    #[arg(long)]
    pub by_label: bool,
    /// Unit of times in models with units [default: by the value]
    #[arg(long, value_name = "UNIT")]
    pub time_unit: Option<String>,
    /// Print fractions such as 1/3 (JSON always has both)
    #[arg(long)]
    pub exact: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Format: table, pamela (a model that can be read back) or json
    #[arg(
        long, value_enum, value_name = "FORMAT", default_value_t = Form::Table, conflicts_with = "json",
        hide_possible_values = true
    )]
    pub emit: Form,
    /// Print these quantiles of distributions
    #[arg(
        long, value_name = "P,...", value_delimiter = ',', default_value = "0.5,0.9,0.99",
        value_parser = parse_probability, help_heading = RANDOM
    )]
    pub quantiles: Vec<f64>,
    /// Distributions: grid (nearly exact), gld or johnson
    #[arg(
        long, value_enum, value_name = "METHOD", default_value_t = Laws::Grid, hide_possible_values = true,
        help_heading = RANDOM
    )]
    pub laws: Laws,
    #[command(flatten)]
    pub graphs: Graphs,
    #[command(flatten)]
    pub uncertainty: Uncertainty,
    /// Work limit: low (1/16), normal or high (16 times)
    #[arg(
        long, value_enum, value_name = "EFFORT", default_value_t = Effort::Normal, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    pub effort: Effort,
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub rules: RuleOptions,
}

/// Output form of values.
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
        progress: progress::of_equations(),
        without_moments: true,
        laws: arguments.laws.carrier(),
        graphs: arguments.graphs.options(GraphMethod::Auto),
        ..Options::default()
    };
    let (mut values, calibrated) = values::with_fit(&arguments.values, &subject.names())?;
    let model = match &subject {
        Subject::Model(model) => model,
        Subject::Compiled(compiled) => compiled.model()?,
    };
    let unknown = Unknowns::of(model, &values, &calibrated)?;
    values.extend(unknown.centres());
    let evaluated = match &subject {
        Subject::Model(model) => model.evaluate(&values, rule_base(&arguments.rules)?, &options),
        Subject::Compiled(compiled) if arguments.rules.rules.is_some() => compiled
            .model()?
            .evaluate(&values, rule_base(&arguments.rules)?, &options),
        Subject::Compiled(compiled) => compiled.evaluate(&values, &options),
    };
    progress::end_of_equations();
    let evaluated = evaluated?.with_quantiles(arguments.laws.carrier(), &arguments.quantiles);
    let estimates = match arguments.contention {
        Some(contention) => {
            let rules = &arguments.rules;
            let found = estimates::of(contention, &subject, &values, &evaluated, &options, rules)?;
            Some(found)
        }
        None => estimates::beside_runs(&subject, &values, &evaluated)?,
    };
    let shown = Shows::new(&subject, arguments.time_unit.as_deref())?;
    let sampling = arguments.uncertainty.sampling(&[0.05, 0.5, 0.95], true);
    let mut spreads = unknown.spreads(rule_base(&arguments.rules)?, &options, &sampling)?;
    let is_shown = |name: &str| {
        let mut equations = evaluated.equations.iter().filter(|own| !own.superseded);
        equations.any(|own| own.name == name)
    };
    spreads.retain(|own| is_shown(&own.name));
    let spreads = (spreads, unknown.factors);
    let text = text(arguments, &evaluated, estimates, &shown, &spreads)?;
    if !text.is_empty() {
        output::line(&text)?;
    }
    Ok(told(&evaluated))
}

/// The values of a model at a point, as JSON.
#[cfg(feature = "editor")]
pub fn as_json(
    model: crate::pipeline::Model,
    values: &[(String, String)],
    options: &Options,
) -> Result<String, Error> {
    let options = Options {
        without_moments: true,
        ..options.clone()
    };
    let evaluated = model.evaluate(values, crate::rules::standard()?, &options)?;
    let subject = Subject::Model(Box::new(model));
    let shown = Shows::new(&subject, None)?;
    output::json_text(&json::values(&evaluated, &shown))
}

/// The printed values.
fn text(
    arguments: &Arguments,
    evaluated: &Evaluated,
    estimates: Option<Estimates>,
    shown: &Shows,
    (spreads, factors): &(Vec<Spread>, Vec<Factor>),
) -> Result<String, Error> {
    let unit = |name: &str, value: f64| {
        let own = evaluated.equations.iter().find(|own| own.name == name)?;
        shown.of(own).map(|own| own.for_value(value))
    };
    let lines = uncertain::lines(spreads, factors, &unit);
    let form = if arguments.json {
        Form::Json
    } else {
        arguments.emit
    };
    let values = || json::with_spreads(json::values(evaluated, shown), spreads, evaluated, shown);
    Ok(match (form, estimates) {
        (Form::Json, None) => output::json_text(&values())?,
        (Form::Json, Some(estimates)) => output::json_text(&WithEstimates {
            model: values(),
            estimates,
        })?,
        (Form::Pamela, estimates) => {
            let text = model::text(evaluated, arguments.exact, shown);
            let more = estimates.map_or(Vec::new(), |estimates| estimates.lines());
            let comment = |line: &String| format!("% {line}");
            let told = lines.iter().filter(|line| !line.is_empty()).map(comment);
            let lines: Vec<String> = std::iter::once(text).chain(more).chain(told).collect();
            lines.join("\n")
        }
        (Form::Table, estimates) => {
            let estimates = estimates.unwrap_or_default();
            let text = table::text(evaluated, arguments.exact, shown, &estimates);
            let lines: Vec<String> = std::iter::once(text).chain(lines).collect();
            lines.join("\n")
        }
    })
}

/// Tells what has no value, and why.
fn told(evaluated: &Evaluated) -> Outcome {
    if evaluated.equations.is_empty()
        && evaluated.failures.is_empty()
        && evaluated.unfinished.is_empty()
    {
        output::note(
            "note: nothing to evaluate: the model has no process and no numeric equation other than parameters",
        );
    }
    for name in &evaluated.unfinished {
        output::note(&format!(
            "note: `{name}` takes too many steps or digits here; use smaller values or `--effort high`"
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
