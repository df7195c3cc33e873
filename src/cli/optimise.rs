//! `pamela optimise`

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::arguments::{Input, Laws, RuleOptions, parse_definition};
use super::{Outcome, compiling, output, sweep_values};
use crate::diagnostic::Error;
use crate::formula::number_text;
use crate::optimise::{self, Argument, Certainty, Optimum, Question};
use crate::pipeline::{Options, plain_error};
use crate::ring::Rational;
use crate::sweep::Grid;

pub const EXAMPLES: &str = "\
Examples:
  pamela optimise model.pam --over P=1:4096 -D N=1e6 --minimise T_main
  pamela optimise model.pam --over P=1:4096 -D N=1e6 --minimise T_main --subject-to 'P * T_main <= 1e9'
  pamela optimise model.pam --over P=1:64 --over B=1:1024 -D N=1e4 --minimise T_main
  pamela optimise model.pam --over N=1:1e12 --maximise throughput

Every point is looked at, up to 16 million; beyond these the closed form has to be convex. The answer says which.";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The values among which a parameter is chosen: a range `1:64`, a list, `log(1, 1e9, 100)`, `2^(0:20)` (repeatable)
    #[arg(long, value_name = "NAME=VALUES", required = true, value_parser = parse_definition)]
    over: Vec<(String, String)>,
    /// Give another parameter a value (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    define: Vec<(String, String)>,
    /// Read values from a TOML or JSON file
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
    /// The equation whose value is to be least; of a law its mean
    #[arg(
        long,
        value_name = "NAME",
        required_unless_present = "maximise",
        conflicts_with = "maximise"
    )]
    minimise: Option<String>,
    /// The equation whose value is to be greatest
    #[arg(long, value_name = "NAME")]
    maximise: Option<String>,
    /// Only where this holds, over parameters and values (repeatable)
    #[arg(long, value_name = "CONDITION")]
    subject_to: Vec<String>,
    /// How laws are carried: grid is nearly exact, gld and johnson go by four moments
    #[arg(long, value_enum, default_value_t = Laws::Grid)]
    laws: Laws,
    /// Compute with so many threads, which changes no byte [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..))]
    threads: Option<u8>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let objective = arguments.minimise.as_ref().or(arguments.maximise.as_ref());
    let objective = objective.cloned().unwrap_or_default();
    let flags = [&arguments.over[..], &arguments.define[..]].concat();
    let given = sweep_values::given(&flags, arguments.params.as_deref(), false)?;
    for axis in &given.axes {
        if !arguments
            .over
            .iter()
            .any(|(name, _)| axis.names.contains(name))
        {
            return Err(plain_error(format!(
                "`{}` has several values: what is chosen is given by `--over`",
                axis.names[0]
            )));
        }
    }
    let options = Options {
        without_moments: true,
        regimes: true,
        laws: arguments.laws.carrier(),
        ..Options::default()
    };
    let (compiled, given) =
        compiling::compile(&arguments.input, given, &options, &arguments.rules)?;
    let question = Question {
        grid: Grid::new(given.axes, given.constants)?,
        objective,
        greatest: arguments.maximise.is_some(),
        subject_to: arguments.subject_to.clone(),
        threads: arguments.threads.map_or(0, usize::from),
    };
    let optimum = optimise::optimise(&compiled, &question)?;
    match arguments.json {
        true => output::json(&Json::of(&question, &optimum))?,
        false => output::line(&text(arguments, &question, &optimum))?,
    }
    Ok(Outcome::Done)
}

fn shown(value: f64) -> String {
    crate::compiled::decimal(value)
        .map_or_else(|| value.to_string(), |value: Rational| number_text(&value))
}

fn text(arguments: &Arguments, question: &Question, optimum: &Optimum) -> String {
    let over: Vec<String> = arguments
        .over
        .iter()
        .map(|(name, values)| format!("{name} = {values}"))
        .collect();
    let kind = if question.greatest {
        "greatest"
    } else {
        "least"
    };
    let mut lines = vec![format!(
        "% {kind} {} over {}",
        question.objective,
        over.join(", ")
    )];
    lines.extend(
        question
            .subject_to
            .iter()
            .map(|condition| format!("% subject to {condition}")),
    );
    lines.extend(
        optimum
            .at
            .iter()
            .map(|(name, value)| format!("numeric {name} = {}", shown(*value))),
    );
    lines.push(format!(
        "numeric {} = {}",
        question.objective,
        shown(optimum.value)
    ));
    let name = optimum.at.first().map_or("", |(name, _)| name.as_str());
    for (place, value) in &optimum.neighbours {
        lines.push(format!(
            "% {} at {name} = {}: {}",
            question.objective,
            shown(*place),
            shown(*value)
        ));
    }
    lines.extend(optimum.argument.as_ref().map(|argument| match argument {
        Argument::Stationary { formula, value } => {
            format!(
                "% where the slope is 0: {name} = {formula} = {}",
                shown(*value)
            )
        }
        Argument::Crossing { formula, value } => {
            format!(
                "% where two regimes meet: {name} = {formula} = {}",
                shown(*value)
            )
        }
        Argument::End => format!("% at an end of the range of {name}"),
    }));
    lines.push(match optimum.certainty {
        Certainty::Every {
            points,
            valued,
            ties,
        } => {
            let ties = match ties {
                1 => String::new(),
                several => format!("; {several} points have this value, of which it is the first"),
            };
            let valued = match valued == points {
                true => String::new(),
                false => format!(", {valued} of which are possible"),
            };
            format!("% certain: all {points} points were looked at{valued}{ties}")
        }
        Certainty::Shape { points } => {
            let shape = if question.greatest {
                "concave"
            } else {
                "convex"
            };
            format!(
                "% certain: the closed form is {shape} in {name}; {points} points were looked at"
            )
        }
    });
    lines.join("\n")
}

#[derive(Serialize)]
struct Json<'a> {
    objective: &'a str,
    greatest: bool,
    at: serde_json::Map<String, serde_json::Value>,
    value: f64,
    neighbours: &'a [(f64, f64)],
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<JsonArgument<'a>>,
    certainty: &'static str,
    points: u64,
    /// How many points have this value, where all were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    ties: Option<u64>,
}

#[derive(Serialize)]
struct JsonArgument<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
}

impl<'a> Json<'a> {
    fn of(question: &'a Question, optimum: &'a Optimum) -> Json<'a> {
        let argument = |argument: &'a Argument| {
            let (kind, formula, value) = match argument {
                Argument::Stationary { formula, value } => {
                    ("stationary", Some(formula), Some(*value))
                }
                Argument::Crossing { formula, value } => ("crossing", Some(formula), Some(*value)),
                Argument::End => ("end", None, None),
            };
            JsonArgument {
                kind,
                formula: formula.map(String::as_str),
                value,
            }
        };
        let (certainty, points, ties) = match optimum.certainty {
            Certainty::Every { points, ties, .. } => ("every point", points, Some(ties)),
            Certainty::Shape { points } => ("shape", points, None),
        };
        let at = optimum
            .at
            .iter()
            .map(|(name, value)| (name.clone(), (*value).into()));
        Json {
            objective: &question.objective,
            greatest: question.greatest,
            at: at.collect(),
            value: optimum.value,
            neighbours: &optimum.neighbours,
            argument: optimum.argument.as_ref().map(argument),
            certainty,
            points,
            ties,
        }
    }
}
