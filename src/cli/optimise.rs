//! `pamela optimise`

mod answer;
mod json;
mod text;

use clap::Args;

use super::shared::{ADVANCED, Input, Laws, RuleOptions, Values, parse_definition, words};
use super::{Outcome, Subject, compiling, output, progress, read_subject, sweep_values, values};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::optimise::{self, Question};
use crate::pipeline::{Asked, Options};
use crate::sweep::{self, Axis, Grid, of_value};
use answer::Answer;
use json::{Json, JsonBestRun};

pub const EXAMPLES: &str = "\
Examples:
  pamela optimise corpus/papers/mrm.pam --over P=1:1:64 -D N=100 -D tl=10 -D ts=0.5 \\
      --minimise time_main --subject-to 'P >= 10'
  pamela optimise corpus/practice/checkpoint.pam --over n=1:100 -D work=12 -D save=0.1 \\
      -D restart=0.5 -D mtbf=8 --minimise overhead";

pub const NOTES: &str = "\
Up to 16 million points are evaluated one by one. Larger ranges need a convex closed form; the answer says which method \
was used. A parameter that is not an integer varies continuously over 0.1:0.9, and takes points in 0.1:0.01:0.9.

T of processes that share resources is a lower bound. The answer says so and compares it with L, U and simulated \
runs nearby.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Values to choose from: 1:64, 1,2,4, log(1, 1e9, 10) (repeatable)
    #[arg(long, value_name = "NAME=VALUES", required = true, value_parser = parse_definition)]
    over: Vec<(String, String)>,
    /// Minimise this equation or expression, or the mean of a random one
    #[arg(
        long,
        visible_alias = "minimize",
        value_name = "EXPRESSION",
        required_unless_present = "maximise",
        conflicts_with = "maximise"
    )]
    minimise: Option<String>,
    /// Maximise this equation or expression, or the mean of a random one
    #[arg(long, visible_alias = "maximize", value_name = "EXPRESSION")]
    maximise: Option<String>,
    /// Require this condition on parameters and results (repeatable)
    #[arg(long, value_name = "CONDITION")]
    subject_to: Vec<String>,
    #[command(flatten)]
    values: Values,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Distributions: grid (nearly exact), gld or johnson
    #[arg(
        long, value_enum, value_name = "METHOD", default_value_t = Laws::Grid, hide_possible_values = true,
        help_heading = ADVANCED
    )]
    laws: Laws,
    /// Number of threads (does not affect results) [default: one per core]
    #[arg(
        long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..), help_heading = ADVANCED
    )]
    threads: Option<u8>,
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    rules: RuleOptions,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let objective = arguments.minimise.as_ref().or(arguments.maximise.as_ref());
    let asked = objective.cloned().unwrap_or_default();
    let (mut subject, name) = with_objective(read_subject(&arguments.input)?, asked.clone())?;
    let objective_text = (name != asked).then(|| asked.clone());
    let asked = name;
    let objective = subject.reached(&asked);
    let subject_to = subject.own_conditions(&arguments.subject_to);
    values::twice(
        arguments
            .over
            .iter()
            .chain(&arguments.values.define)
            .map(|(name, _)| name),
    )?;
    let given = points(&subject, arguments)?;
    let options = options(arguments, &asked, &objective);
    let (compiled, given) = compiling::compile(subject, given, &options, &arguments.rules)?;
    let question = Question {
        grid: Grid::new(given.axes, given.constants)?,
        objective,
        greatest: arguments.maximise.is_some(),
        subject_to,
        threads: arguments.threads.map_or(0, usize::from),
    };
    if let Some(process) = optimise::process_of(&compiled, &question.objective) {
        return by_runs(arguments, &compiled, &question, &process);
    }
    let watch = progress::watch();
    let points = question.grid.len();
    let found = progress::watched(
        "points",
        || (watch.done(), points),
        || {
            let optimum = optimise::optimise(&compiled, &question, &watch)?;
            let evidence = optimise::evidence(&compiled, &question, &optimum)?;
            Ok::<_, Error>((optimum, evidence))
        },
    );
    let (optimum, evidence) = found?;
    let answer = Answer {
        equation: compiled
            .equations()
            .iter()
            .find(|e| e.name == question.objective),
        question: &question,
        optimum: &optimum,
        evidence: evidence.as_ref(),
        units: &compiled,
    };
    if arguments.json {
        output::json(&Json::of(&answer))?
    } else {
        let expression = objective_text.as_ref();
        let told = expression.map(|text| format!("% {} = {text}\n", question.objective));
        let told = told.unwrap_or_default();
        output::line(&format!("{told}{}", text::text(&arguments.over, &answer)))?;
    }
    Ok(Outcome::Done)
}

/// The model with an equation for the objective, and its name, unless the objective is the name of a result.
fn with_objective(subject: Subject, asked: String) -> Result<(Subject, String), Error> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    let is_name = asked.chars().all(is_letter) && !asked.starts_with(|c: char| c.is_ascii_digit());
    if is_name && !subject.is_parameter(&asked) {
        return Ok((subject, asked));
    }
    let (model, name) = match &subject {
        Subject::Model(model) => model.with_expression(&asked)?,
        Subject::Compiled(compiled) => compiled.model()?.with_expression(&asked)?,
    };
    Ok((Subject::Model(Box::new(model)), name))
}

/// Options for the compilation.
fn options(arguments: &Arguments, asked: &str, objective: &str) -> Options {
    let texts = arguments.subject_to.iter().map(String::as_str);
    let names = texts.chain([objective]).flat_map(words);
    let names: Vec<Asked> = names.map(Asked::by).collect();
    let is_part = |asked: &Asked| matches!(asked, Asked::Part | Asked::Bound { is_part: true });
    Options {
        all: names.iter().any(is_part),
        bounds: names.iter().any(|asked| asked.is_bound()),
        times: names.contains(&Asked::Time),
        without_moments: true,
        regimes: true,
        // For a library, only the requested equation is a result.
        only: (asked != objective)
            .then(|| asked.to_owned())
            .into_iter()
            .collect(),
        laws: arguments.laws.carrier(),
        ..Options::default()
    }
}

/// The axes, in the order in which they are given, and the values of the other parameters.
fn points(subject: &Subject, arguments: &Arguments) -> Result<sweep_values::SweepInputs, Error> {
    let (intervals, lists) = intervals(subject, &arguments.over)?;
    let flags = [&lists[..], &arguments.values.define[..]].concat();
    let mut given =
        sweep_values::given(subject, &flags, arguments.values.params.as_deref(), false)?;
    for axis in intervals {
        given.axes.retain(|own| own.names != axis.names);
        given.constants.retain(|(name, _)| *name != axis.names[0]);
        given.axes.push(axis);
    }
    let order = |axis: &Axis| {
        arguments
            .over
            .iter()
            .position(|(name, _)| axis.names.contains(name))
    };
    given.axes.sort_by_key(order);
    for axis in &given.axes {
        if !arguments
            .over
            .iter()
            .any(|(name, _)| axis.names.contains(name))
        {
            return Err(Error::new(format!(
                "`{}` has several values: use `--over` for a parameter to choose",
                axis.names[0]
            )));
        }
    }
    Ok(given)
}

/// Searched parameters by name: intervals of parameters that are not whole numbers, and lists.
type Over = (Vec<Axis>, Vec<(String, String)>);

fn intervals(subject: &Subject, over: &[(String, String)]) -> Result<Over, Error> {
    let (mut intervals, mut lists): Over = Default::default();
    for (name, text) in over {
        let unit = sweep_values::unit_of(subject, name);
        let ends = if subject.is_real(name) {
            sweep::Values::interval_in(text, &unit).map_err(|error| of_value(name, error))?
        } else {
            None
        };
        match ends {
            Some(ends) => intervals.push(Axis::between(name, ends)),
            None => lists.push((name.clone(), text.clone())),
        }
    }
    Ok((intervals, lists))
}

/// The optimum of a time that has no formula.
fn by_runs(
    arguments: &Arguments,
    compiled: &Compiled,
    question: &Question,
    process: &str,
) -> Result<Outcome, Error> {
    if question.is_continuous() {
        let message = format!(
            "runs of `{process}` are compared point by point, but an interval is not a list of points"
        );
        return Err(Error::new(message).hint("give a step, `0.1:0.1:10`, or a list"));
    }
    let Some(best) = optimise::best_run(compiled, question, process)? else {
        let message = format!(
            "`{process}` has no run at these points to compare; `L_{process}` and `U_{process}` are bounds"
        );
        return Err(Error::new(message));
    };
    if arguments.json {
        output::json(&JsonBestRun::of(question, &best))?
    } else {
        output::line(&text::of_run(&arguments.over, question, compiled, &best))?
    }
    Ok(Outcome::Done)
}
