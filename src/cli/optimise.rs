//! `pamela optimise`

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::arguments::{Input, Laws, RuleOptions, parse_definition};
use super::shared::words;
use super::simulate::{basis, number};
use super::{Outcome, compiling, output, sweep_values};
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::expr::Sort;
use crate::formula::number_text;
use crate::optimise::{self, Argument, Best, BestRun, Certainty, Evidence, Optimum, Question, Run};
use crate::pipeline::{Options, SimplifiedEquation, names_bound};
use crate::ring::Rational;
use crate::simulate::Basis;
use crate::sweep::Grid;
use crate::timing::Bound;

pub const EXAMPLES: &str = "\
Examples:
  pamela optimise model.pam --over P=1:4096 -D N=1e6 --minimise T_main
  pamela optimise model.pam --over P=1:4096 -D N=1e6 --minimise T_main --subject-to 'P * T_main <= 1e9'
  pamela optimise model.pam --over P=1:64 --over B=1:1024 -D N=1e4 --minimise T_main
  pamela optimise model.pam --over N=1:1e12 --maximise throughput
  pamela optimise model.pam --over K=1:64 -D V=1e8 --minimise L_main

Every point is looked at, up to 16 million; beyond these the closed form has to be convex. The answer says which.
T of processes that share resources is a lower bound: the answer says so, and what L, U and runs are nearby. L_main and
U_main can be asked for as well.";

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
        visible_alias = "minimize",
        value_name = "NAME",
        required_unless_present = "maximise",
        conflicts_with = "maximise"
    )]
    minimise: Option<String>,
    /// The equation whose value is to be greatest
    #[arg(long, visible_alias = "maximize", value_name = "NAME")]
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
            return Err(Error::new(format!(
                "`{}` has several values: what is chosen is given by `--over`",
                axis.names[0]
            )));
        }
    }
    let texts = arguments.subject_to.iter().chain([&objective]);
    let names: Vec<&str> = texts.flat_map(|text| words(text)).collect();
    let parts = ["phi_", "omega_", "U1_", "U2_"];
    let is_part = |name: &&str| parts.iter().any(|part| name.starts_with(part));
    let options = Options {
        all: names.iter().any(is_part),
        bounds: names.iter().any(|name| names_bound(name)),
        times: names.iter().any(|name| name.starts_with("time_")),
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
    if let Some(process) = optimise::process_of(&compiled, &question.objective) {
        return by_runs(arguments, &compiled, &question, &process);
    }
    let optimum = optimise::optimise(&compiled, &question)?;
    let evidence = optimise::evidence(&compiled, &question, &optimum)?;
    let answer = Answer {
        equation: compiled
            .equations()
            .iter()
            .find(|e| e.name == question.objective),
        question: &question,
        optimum: &optimum,
        evidence: evidence.as_ref(),
    };
    match arguments.json {
        true => output::json(&Json::of(&answer))?,
        false => output::line(&text(arguments, &answer))?,
    }
    Ok(Outcome::Done)
}

/// The optimum of a time that has no formula.
fn by_runs(
    arguments: &Arguments,
    compiled: &Compiled,
    question: &Question,
    process: &str,
) -> Result<Outcome, Error> {
    let Some(best) = optimise::best_run(compiled, question, process)? else {
        let message = format!(
            "`{process}` has no run at these points whose time could be compared; `L_{process}` and `U_{process}` are bounds"
        );
        return Err(Error::new(message));
    };
    match arguments.json {
        true => output::json(&JsonBestRun::of(question, &best))?,
        false => {
            let mut lines = vec![heading(arguments, question)];
            lines.extend(
                best.at
                    .iter()
                    .map(|(name, x)| format!("numeric {name} = {}", shown(*x))),
            );
            lines.push(format!("numeric {} = {}", best.name, shown(best.value)));
            lines.push(format!("% {}", how_certain(question, &best)));
            lines.extend(in_other_orders(&best).map(|orders| format!("% {orders}")));
            output::line(&lines.join("\n"))?;
        }
    }
    Ok(Outcome::Done)
}

/// What is asked.
fn heading(arguments: &Arguments, question: &Question) -> String {
    let over = arguments
        .over
        .iter()
        .map(|(name, values)| format!("{name} = {values}"));
    let over: Vec<String> = over.collect();
    let kind = if question.greatest {
        "greatest"
    } else {
        "least"
    };
    format!("% {kind} {} over {}", question.objective, over.join(", "))
}

/// Why no other point is better, or how much better one may be.
fn how_certain(question: &Question, best: &BestRun) -> String {
    let (bound, less) = match question.greatest {
        true => ("U", "more"),
        false => ("L", "less"),
    };
    match (best.runs, best.rest) {
        (0, _) => "certain: the time is exact".to_string(),
        (runs, None) => {
            let plural = if runs == 1 { "" } else { "s" };
            format!(
                "certain in the order of the text: {runs} run{plural} in the order of {bound}, and no point that is left \
                 can take {less}"
            )
        }
        (runs, Some(rest)) => format!(
            "best of {runs} runs in the order of {bound}; no point takes {less} than {}",
            shown(rest)
        ),
    }
}

/// What requests of one time make of the run, where their order matters.
fn in_other_orders(best: &BestRun) -> Option<String> {
    let [least, greatest] = best.orders;
    (least < greatest).then(|| {
        let (least, greatest) = (shown(least), shown(greatest));
        format!("in 11 orders of requests that come at one time: {least} .. {greatest}")
    })
}

/// What is found of a question.
struct Answer<'a> {
    equation: Option<&'a SimplifiedEquation>,
    question: &'a Question,
    optimum: &'a Optimum,
    evidence: Option<&'a Evidence>,
}

fn shown(value: f64) -> String {
    crate::compiled::decimal(value)
        .map_or_else(|| value.to_string(), |value: Rational| number_text(&value))
}

fn text(arguments: &Arguments, answer: &Answer) -> String {
    let (question, optimum) = (answer.question, answer.optimum);
    let mut lines = vec![heading(arguments, question)];
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
    let looked = match optimum.certainty {
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
            format!("all {points} points were looked at{valued}{ties}")
        }
        Certainty::Shape { points } => {
            let shape = if question.greatest {
                "concave"
            } else {
                "convex"
            };
            format!("the closed form is {shape} in {name}; {points} points were looked at")
        }
    };
    lines.push(format!("% {}: {looked}", answer.claim()));
    lines.extend(
        answer
            .evidence
            .into_iter()
            .flat_map(|found| evidence_lines(answer, found)),
    );
    lines.join("\n")
}

impl Answer<'_> {
    /// What the optimum is one of, and so how far it is certain.
    fn claim(&self) -> String {
        let objective = &self.question.objective;
        match self.equation.and_then(SimplifiedEquation::bound) {
            None if self.is_evaluated() => {
                format!("optimum of {objective} as it is evaluated, with laws in it")
            }
            None => "certain".to_string(),
            Some(Bound::Lower) => {
                format!("certain optimum of the lower bound {objective}; a run may take longer")
            }
            Some(Bound::Upper) => {
                format!("certain optimum of the upper bound {objective}; a run may take less")
            }
            Some(Bound::ByLower) => format!(
                "certain optimum of {objective} by times that are lower bounds; by those of runs it may be elsewhere"
            ),
            Some(Bound::Estimate) => {
                format!("optimum of the estimate {objective}; that of runs may be elsewhere")
            }
        }
    }

    /// Whether a law has a part in the value, which is then no exact one.
    fn is_evaluated(&self) -> bool {
        let Some(formula) = self.equation.map(|equation| &equation.formula) else {
            return false;
        };
        let arena = formula.arena();
        let (mut pending, mut seen) = (vec![formula.root()], HashSet::new());
        while let Some(id) = pending.pop() {
            if arena.sort(id) == Sort::Law {
                return true;
            }
            pending.extend(arena.operands(id).into_iter().filter(|id| seen.insert(*id)));
        }
        false
    }
}

fn place_text(at: &[(String, f64)]) -> String {
    let each = at
        .iter()
        .map(|(name, value)| format!("{name} = {}", shown(*value)));
    each.collect::<Vec<_>>().join(", ")
}

/// What other bounds and runs say of the place.
fn evidence_lines(answer: &Answer, found: &Evidence) -> Vec<String> {
    let greatest = answer.question.greatest;
    let (best, worse) = match greatest {
        true => ("greatest", "less"),
        false => ("least", "more"),
    };
    let bound = |own: &Best| {
        let (name, value) = (&own.name, shown(own.value));
        format!("% {name} is {best} at {}: {value}", place_text(&own.at))
    };
    let mut lines: Vec<String> = Vec::new();
    if let Some(run) = &found.best_run {
        let (at, value) = (place_text(&run.at), shown(run.value));
        let certain = how_certain(answer.question, run);
        lines.push(format!("% the run is {best} at {at}: {value} ({certain})"));
        lines.extend(in_other_orders(run).map(|orders| format!("% there, {orders}")));
    }
    lines.extend(found.bounds.iter().map(bound));
    let differs = |run: &Run| matches!(run.basis, Basis::Draws | Basis::Orders);
    let mean = |run: &Run| match run.interval.filter(|_| differs(run)) {
        Some([from, to]) => format!("{} ({} .. {})", number(run.mean), number(from), number(to)),
        None => number(run.mean),
    };
    lines.extend(found.runs.iter().map(|run| {
        let (at, basis) = (place_text(&run.at), basis(run.basis, run.replications));
        format!("% a run takes {} at {at}: {basis}", mean(run))
    }));
    let own = found.runs.iter().find(|run| run.at == answer.optimum.at);
    let better = |a: &&Run, b: &&Run| match greatest {
        true => b.mean.total_cmp(&a.mean),
        false => a.mean.total_cmp(&b.mean),
    };
    if let (Some(own), Some(first)) = (own, found.runs.iter().min_by(better))
        && own.mean != first.mean
    {
        let share = 100.0 * (own.mean / first.mean - 1.0).abs();
        let (here, there) = (place_text(&own.at), place_text(&first.at));
        lines.push(format!(
            "% of these runs that at {there} is {best}; at {here} it takes {} % {worse}",
            number(share)
        ));
    }
    if found.is_cut {
        lines.push(
            "% runs of more than 20000 events are left out; `pamela simulate` makes them"
                .to_string(),
        );
    }
    lines
}

#[derive(Serialize)]
struct Json<'a> {
    objective: &'a str,
    greatest: bool,
    at: JsonPlace,
    value: f64,
    neighbours: &'a [(f64, f64)],
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<JsonArgument<'a>>,
    certainty: &'static str,
    /// How the objective stands to what a run takes, where it is not that.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<Bound>,
    /// What the objective rests on.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    /// Where other bounds of the time are best.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bounds: Vec<JsonBest<'a>>,
    /// Where a run is best.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_run: Option<JsonBestRun<'a>>,
    /// What runs take there and nearby.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<JsonRun>,
    points: u64,
    /// How many points have this value, where all were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    ties: Option<u64>,
}

type JsonPlace = serde_json::Map<String, serde_json::Value>;

fn json_place(at: &[(String, f64)]) -> JsonPlace {
    let each = at
        .iter()
        .map(|(name, value)| (name.clone(), (*value).into()));
    each.collect()
}

#[derive(Serialize)]
struct JsonBest<'a> {
    name: &'a str,
    at: JsonPlace,
    value: f64,
}

/// The point at which a run is best.
#[derive(Serialize)]
struct JsonBestRun<'a> {
    objective: &'a str,
    greatest: bool,
    at: JsonPlace,
    value: f64,
    /// The least and the greatest in other orders of requests that come at one time.
    orders: [f64; 2],
    runs: usize,
    /// Whether no other point is better.
    certain: bool,
    /// No point is better than this, where one may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<f64>,
}

impl<'a> JsonBestRun<'a> {
    fn of(question: &Question, best: &'a BestRun) -> JsonBestRun<'a> {
        JsonBestRun {
            objective: &best.name,
            greatest: question.greatest,
            at: json_place(&best.at),
            value: best.value,
            orders: best.orders,
            runs: best.runs,
            certain: best.rest.is_none(),
            rest: best.rest,
        }
    }
}

#[derive(Serialize)]
struct JsonRun {
    at: JsonPlace,
    mean: f64,
    interval: Option<[f64; 2]>,
    basis: Basis,
    replications: usize,
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
    fn of(answer: &Answer<'a>) -> Json<'a> {
        let (question, optimum) = (answer.question, answer.optimum);
        let bounds = answer.evidence.into_iter().flat_map(|found| &found.bounds);
        let bounds = bounds.map(|best| JsonBest {
            name: &best.name,
            at: json_place(&best.at),
            value: best.value,
        });
        let runs = answer.evidence.into_iter().flat_map(|found| &found.runs);
        let runs = runs.map(|run| JsonRun {
            at: json_place(&run.at),
            mean: run.mean,
            interval: run.interval,
            basis: run.basis,
            replications: run.replications,
        });
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
        Json {
            bound: answer.equation.and_then(SimplifiedEquation::bound),
            notes: answer.equation.map_or(&[], |e| e.formula.approximations()),
            bounds: bounds.collect(),
            best_run: answer
                .evidence
                .and_then(|found| found.best_run.as_ref())
                .map(|best| JsonBestRun::of(question, best)),
            runs: runs.collect(),
            objective: &question.objective,
            greatest: question.greatest,
            at: json_place(&optimum.at),
            value: optimum.value,
            neighbours: &optimum.neighbours,
            argument: optimum.argument.as_ref().map(argument),
            certainty,
            points,
            ties,
        }
    }
}
