//! Finds the parameters at which a value is least or greatest, and how certain that is.

mod argument;
mod best;
mod boxes;
mod continuous;
mod evidence;
mod interval;
mod polish;
mod runs;
mod search;
mod shape;

pub use argument::Argument;
pub(crate) use boxes::{Bounded, Program};
pub use evidence::{Best, Evidence, Run, evidence};
pub(crate) use interval::Interval;
pub use runs::{BestRun, best_run, process_of};

use serde::Serialize;

use crate::compiled::{Compiled, Method, Point, decimal};
use crate::diagnostic::{Error, Result};
use crate::eval::{Bindings, Number, Value};
use crate::expr::Sort;
use crate::pipeline::SimplifiedEquation;
use crate::ring::Rational;
use crate::sweep::{Axis, Extreme, Grid, Sweep, Values, Watch};
use shape::Curvature;

/// More points are not looked at one by one.
const MOST_POINTS: u64 = 1 << 24;

/// Values of the chosen parameters.
pub type Place = Vec<(String, f64)>;

/// An optimisation problem.
#[derive(Clone, Debug)]
pub struct Question {
    /// The search space, and the values of the other parameters.
    pub grid: Grid,
    /// Name of the equation to optimise; for a law, its mean is used.
    pub objective: String,
    /// True to maximise, false to minimise.
    pub greatest: bool,
    /// Constraints over parameters and values.
    pub subject_to: Vec<String>,
    /// Number of threads; 0 means one per core.
    pub threads: usize,
}

impl Question {
    /// True if some parameter ranges over an interval.
    pub fn is_continuous(&self) -> bool {
        self.grid.axes.iter().any(continuous::is_interval)
    }
}

/// The best value of an equation over a search space.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// The first point with the best value.
    pub at: Place,
    /// The double nearest to the best value.
    pub value: f64,
    /// Reason why no point is better.
    pub certainty: Certainty,
    /// With one parameter: its neighbouring values.
    pub neighbours: Vec<Neighbour>,
    /// With one parameter: how its best value follows from the closed form.
    pub argument: Option<Argument>,
}

/// A value of the parameter beside the best one.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Neighbour {
    /// The value of the parameter.
    pub place: f64,
    /// The objective there.
    pub value: f64,
    /// True if the constraints hold there.
    #[serde(rename = "feasible")]
    pub is_feasible: bool,
}

/// Why no point is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Certainty {
    /// All points were evaluated.
    Every {
        /// Number of points.
        points: u64,
        /// Number of points with a value.
        valued: u64,
        /// Number of points with the best value.
        ties: u64,
    },
    /// The closed form is convex (concave when maximising), so values fall and then rise.
    Shape {
        /// Number of points evaluated.
        points: u64,
    },
    /// Bounds of the closed form over boxes that cover all points.
    Bounds {
        /// Number of boxes evaluated.
        boxes: u64,
        /// No value is better than this.
        bound: f64,
        /// True if `bound` agrees with the value found to nine digits.
        is_tight: bool,
    },
}

/// Finds the best point of the search space, unless the watch stops the search.
///
/// # Errors
/// Fails if no parameter has several values, if the equation does not exist, or if no point has a
/// value and meets the constraints. Fails if there are too many points and the shape of the closed
/// form does not help, or if the search is interrupted.
pub fn optimise(compiled: &Compiled, question: &Question, watch: &Watch) -> Result<Optimum> {
    if question.grid.axes.is_empty() {
        return Err(Error::new(
            "nothing to optimise; give a parameter a range, for example `--over P=1:4096`"
                .to_string(),
        ));
    }
    if question.is_continuous() {
        return continuous::by_boxes(compiled, question, watch);
    }
    let few = question.grid.len() <= MOST_POINTS;
    if few {
        by_every_point(compiled, question, watch)
    } else {
        by_shape(compiled, question)
    }
}

fn by_every_point(compiled: &Compiled, question: &Question, watch: &Watch) -> Result<Optimum> {
    let best = best_point(compiled, question, watch)?;
    if watch.interrupted() {
        return Err(Error::new("interrupted"));
    }
    let Some((at, best)) = best else {
        let (objective, points) = (&question.objective, question.grid.len());
        return Err(Error::new(match question.subject_to.as_slice() {
            [] => format!("{objective} has no value at any of the {points} points"),
            some => format!(
                "at none of the {points} points {} holds and {objective} has a value",
                some.join(" and ")
            ),
        }));
    };
    let certainty = Certainty::Every {
        points: question.grid.len(),
        valued: best.valued,
        ties: best.ties,
    };
    finish(compiled, question, at, best.value, certainty)
}

/// The first point of the grid at which the objective is best, by all points where the conditions hold.
fn best_point(
    compiled: &Compiled,
    question: &Question,
    watch: &Watch,
) -> Result<Option<(Place, Extreme)>> {
    let plan = compiled.plan(&[])?;
    let grid = question.grid.clone();
    let sweep = Sweep::new(plan, grid, &question.subject_to, question.threads)?;
    let column = column(compiled, &question.objective);
    let Some(best) = sweep.extreme(&column, question.greatest, watch)? else {
        return Ok(None);
    };
    let given = question.grid.batch(best.point, 1);
    let names: Vec<&str> = question.grid.names().collect();
    let at = given.iter().filter(|(name, _)| names.contains(name));
    let at = at.map(|(name, input)| (name.to_string(), input.double(0)));
    Ok(Some((at.collect(), best)))
}

/// Adds the neighbours and the argument to an optimum over one parameter.
fn finish(
    compiled: &Compiled,
    question: &Question,
    at: Place,
    value: f64,
    certainty: Certainty,
) -> Result<Optimum> {
    let mut optimum = Optimum {
        at,
        value,
        certainty,
        neighbours: Vec::new(),
        argument: None,
    };
    let [axis] = question.grid.axes.as_slice() else {
        return Ok(optimum);
    };
    let ([(name, place)], [values]) = (optimum.at.as_slice(), axis.values.as_slice()) else {
        return Ok(optimum);
    };
    let known = known(question);
    for next in beside(axis, *place) {
        if let Some(value) = value_at(compiled, question, &known, name, next) {
            optimum.neighbours.push(Neighbour {
                place: next,
                value,
                is_feasible: is_feasible(compiled, question, next)?,
            });
        }
    }
    let ends = [
        values.doubles(0, 1)[0],
        values.doubles(values.len() - 1, 1)[0],
    ];
    if let Some(equation) = equation(compiled, &question.objective)
        && equation.sort == Sort::Scalar
    {
        let place = (name.as_str(), *place);
        optimum.argument = argument::of(compiled, equation, place, &known, ends, 1.0)?;
    }
    Ok(optimum)
}

/// True if the constraints hold at a value of the only parameter.
fn is_feasible(compiled: &Compiled, question: &Question, place: f64) -> Result<bool> {
    if question.subject_to.is_empty() {
        return Ok(true);
    }
    let mut there = question.clone();
    there.grid.axes[0].values = vec![Values::list(vec![place])];
    let found = best_point(compiled, &there, &Watch::default())?;
    Ok(found.is_some())
}

fn equation<'c>(compiled: &'c Compiled, name: &str) -> Option<&'c SimplifiedEquation> {
    compiled.equations().iter().find(|e| e.name == name)
}

/// The column of the equation: of a law that of its mean.
fn column(compiled: &Compiled, objective: &str) -> String {
    match equation(compiled, objective) {
        Some(equation) if equation.sort == Sort::Law => format!("{objective}_mean"),
        _ => objective.to_string(),
    }
}

fn known(question: &Question) -> Bindings {
    let constants = question.grid.constants.iter();
    let value = |value: &Rational| Value::Scalar(Number::Exact(value.clone()));
    constants
        .map(|(name, exact)| (name.clone(), value(exact)))
        .collect()
}

/// The values of the axis before and after one.
fn beside(axis: &Axis, place: f64) -> Vec<f64> {
    let values = &axis.values[0];
    let (mut low, mut high) = (0, values.len());
    let rising = values.len() < 2 || values.doubles(0, 1) < values.doubles(1, 1);
    while rising && low < high {
        let middle = low + (high - low) / 2;
        if values.doubles(middle, 1)[0] < place {
            low = middle + 1
        } else {
            high = middle
        }
    }
    if !rising {
        return Vec::new();
    }
    let before = low.checked_sub(1);
    let after = Some(low + 1).filter(|&k| k < values.len());
    before
        .into_iter()
        .chain(after)
        .map(|k| values.doubles(k, 1)[0])
        .collect()
}

/// The exact number, or the mean of a law, where the closed form is used or the definition.
fn exact_at(
    compiled: &Compiled,
    question: &Question,
    known: &Bindings,
    name: &str,
    place: f64,
) -> Option<(Number, Method)> {
    let mut point = Point::default();
    for (name, value) in known {
        let Value::Scalar(Number::Exact(value)) = value else {
            return None;
        };
        point = point.with(name, value.clone());
    }
    let evaluated = compiled.at(point.with(name, decimal(place)?)).ok()?;
    let own = evaluated
        .equations
        .into_iter()
        .find(|e| e.name == question.objective)?;
    match own.value {
        Value::Scalar(number) => Some((number, own.method)),
        _ => None,
    }
}

fn value_at(
    compiled: &Compiled,
    question: &Question,
    known: &Bindings,
    name: &str,
    place: f64,
) -> Option<f64> {
    let value = exact_at(compiled, question, known, name, place);
    value.map(|(number, _)| number.to_f64())
}

/// The error for a question with too many points that no other method answers.
fn too_many(question: &Question, reason: &str) -> Error {
    Error::new(format!(
        "there are {} points, more than the {MOST_POINTS} that can be evaluated one by one, and {reason}; use a \
         smaller range or fewer values such as `log(1, 1e9, 1000)`",
        question.grid.len()
    ))
}

/// The only parameter of a question without conditions, whose values are whole numbers in equal steps.
fn whole_axis(question: &Question) -> Result<(&String, &Values)> {
    let [axis] = question.grid.axes.as_slice() else {
        return Err(too_many(question, "there are several parameters"));
    };
    if !question.subject_to.is_empty() {
        return Err(too_many(question, "there are conditions"));
    }
    let (name, values) = (&axis.names[0], &axis.values[0]);
    let is_whole = |place: &f64| place.fract() == 0.0;
    // Beyond, doubles skip whole numbers.
    let whole = matches!(values, Values::Range { .. })
        && values.doubles(0, 2).iter().all(is_whole)
        && values.doubles(values.len() - 1, 1)[0] <= 9e15;
    if whole {
        Ok((name, values))
    } else {
        Err(too_many(
            question,
            "they are not whole numbers in equal steps up to 9e15",
        ))
    }
}

/// Whole numbers from one to another, where the values fall and then rise, or the other way round: the place is halved.
fn by_shape(compiled: &Compiled, question: &Question) -> Result<Optimum> {
    let (name, values) = whole_axis(question)?;
    let [first, last] = [
        values.doubles(0, 1)[0],
        values.doubles(values.len() - 1, 1)[0],
    ];
    let wanted = if question.greatest {
        Curvature::Concave
    } else {
        Curvature::Convex
    };
    let known = known(question);
    let found = equation(compiled, &question.objective)
        .filter(|equation| equation.sort == Sort::Scalar && first > 0.0 && first < last)
        .filter(|equation| shape::applies_between(equation, compiled.simplified(), name, &known))
        .and_then(|equation| shape::curvature(&equation.formula, name, &known));
    if found != Some(wanted) && found != Some(Curvature::Straight) {
        return Err(too_many(
            question,
            "the closed form is not known to be unimodal",
        ));
    }
    let value = |k: u64| {
        let place = values.doubles(k, 1)[0];
        let known = exact_at(compiled, question, &known, name, place);
        // Roots and logarithms may be too near to each other to be told apart.
        known
            .filter(|(number, method)| {
                *method == Method::Closed && matches!(number, Number::Exact(_))
            })
            .map(|(number, _)| number)
    };
    let no_value = || {
        let reason = "the closed form does not hold, or has no rational value, in all of the range";
        too_many(question, reason)
    };
    let (mut low, mut high, mut points) = (0, values.len() - 1, 2);
    value(low).ok_or_else(no_value)?;
    value(high).ok_or_else(no_value)?;
    // The best is from `low` to `high`, both included.
    while low < high {
        let middle = low + (high - low) / 2;
        let (here, next) = (
            value(middle).ok_or_else(no_value)?,
            value(middle + 1).ok_or_else(no_value)?,
        );
        points += 2;
        if is_better(&next, &here, question.greatest) {
            low = middle + 1
        } else {
            high = middle
        }
    }
    let best = value(low).ok_or_else(no_value)?.to_f64();
    let place = values.doubles(low, 1)[0];
    finish(
        compiled,
        question,
        vec![(name.clone(), place)],
        best,
        Certainty::Shape { points },
    )
}

/// Compares exact numbers.
fn is_better(a: &Number, b: &Number, greatest: bool) -> bool {
    let order = match (a, b) {
        (Number::Exact(a), Number::Exact(b)) => a.cmp(b),
        _ => return false,
    };
    if greatest {
        order.is_gt()
    } else {
        order.is_lt()
    }
}
