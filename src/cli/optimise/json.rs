//! An optimum as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer::Answer;
use crate::optimise::{Argument, BestRun, Certainty, Neighbour, Question};
use crate::simulate::Basis;
use crate::timing::Standing;

/// The optimum of a value that has a formula.
#[derive(Serialize)]
pub struct Json<'a> {
    objective: &'a str,
    greatest: bool,
    at: JsonPlace,
    value: f64,
    neighbours: &'a [Neighbour],
    #[serde(skip_serializing_if = "Option::is_none")]
    argument: Option<JsonArgument<'a>>,
    certainty: &'static str,
    /// Standing of the objective.
    standing: &'static str,
    /// Notes on the objective.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// Best points of other bounds of the time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bounds: Vec<JsonBest<'a>>,
    /// Best point of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_run: Option<JsonBestRun<'a>>,
    /// Run times at the best points and nearby.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<JsonRun>,
    /// The base units of numbers, by the names that have some.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    units: BTreeMap<&'a str, &'a str>,
    points: u64,
    /// Bound on all values, if the search used bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_better_than: Option<f64>,
    /// Number of points with this value, if all were evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    ties: Option<u64>,
}

type JsonPlace = serde_json::Map<String, serde_json::Value>;

fn json_place(question: &Question, at: &[(String, f64)]) -> JsonPlace {
    let each = at.iter().map(|(name, value)| {
        let row = question.grid.row_name(name, *value);
        (name.clone(), row.map_or((*value).into(), Into::into))
    });
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
pub struct JsonBestRun<'a> {
    objective: &'a str,
    greatest: bool,
    at: JsonPlace,
    value: f64,
    /// The least and the greatest in other orders of simultaneous requests.
    orders: [f64; 2],
    runs: usize,
    /// True if no other point is better.
    certain: bool,
    /// No point is better than this, where one may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<f64>,
}

impl<'a> JsonBestRun<'a> {
    pub fn of(question: &Question, best: &'a BestRun) -> JsonBestRun<'a> {
        JsonBestRun {
            objective: &best.name,
            greatest: question.greatest,
            at: json_place(question, &best.at),
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
    pub fn of(answer: &Answer<'a>) -> Json<'a> {
        let (question, optimum) = (answer.question, answer.optimum);
        let bounds = answer.evidence.into_iter().flat_map(|found| &found.bounds);
        let bounds = bounds.map(|best| JsonBest {
            name: &best.name,
            at: json_place(question, &best.at),
            value: best.value,
        });
        let runs = answer.evidence.into_iter().flat_map(|found| &found.runs);
        let runs = runs.map(|run| JsonRun {
            at: json_place(question, &run.at),
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
            Certainty::Bounds {
                boxes, is_tight, ..
            } => (if is_tight { "enclosure" } else { "bounds" }, boxes, None),
        };
        Json {
            standing: answer
                .equation
                .map_or(Standing::exact().words(), |e| e.standing.words()),
            notes: answer.equation.map_or(Vec::new(), |e| {
                let notes = e.formula.approximations().iter();
                notes.map(ToString::to_string).collect()
            }),
            bounds: bounds.collect(),
            best_run: answer
                .evidence
                .and_then(|found| found.best_run.as_ref())
                .map(|best| JsonBestRun::of(question, best)),
            runs: runs.collect(),
            objective: &question.objective,
            greatest: question.greatest,
            at: json_place(question, &optimum.at),
            value: optimum.value,
            neighbours: &optimum.neighbours,
            argument: optimum.argument.as_ref().map(argument),
            certainty,
            no_better_than: match optimum.certainty {
                Certainty::Bounds { bound, .. } => Some(bound),
                Certainty::Every { .. } | Certainty::Shape { .. } => None,
            },
            units: answer
                .units
                .shown_units()
                .map(|(name, shown)| (name, shown.base.as_str()))
                .collect(),
            points,
            ties,
        }
    }
}
