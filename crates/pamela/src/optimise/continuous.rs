//! Optimises over intervals of real parameters.
//!
//! Boxes are split until bounds of the closed form show that no box has a better value.

use super::best::{Best, no_bounds, tolerance};
use super::interval::Interval;
use super::search::Search;
use super::{Argument, Certainty, Optimum, Question, argument, equation};
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::expr::Sort;
use crate::pipeline::{SimplifiedEquation, unknown_name};
use crate::ring::Rational;
use crate::sweep::{Axis, Filter, Grid, Units, Watch};

/// Combinations of values of the parameters that have lists.
const MOST_COMBINATIONS: u64 = 4096;

/// True if an axis means all numbers between its ends.
pub(super) fn is_interval(axis: &Axis) -> bool {
    axis.interval.is_some() && axis.names.len() == 1
}

/// Finds the best point over intervals, crossed with lists of values.
///
/// # Errors
/// Fails if bounds of a value are not known, if a closed form does not hold everywhere, or if no
/// point has a value.
pub(super) fn by_boxes(compiled: &Compiled, question: &Question, watch: &Watch) -> Result<Optimum> {
    let axes = question.grid.axes.iter().cloned();
    let (intervals, lists): (Vec<Axis>, Vec<Axis>) = axes.partition(is_interval);
    let lists = Grid::new(lists, question.grid.constants.clone())?;
    if lists.len() > MOST_COMBINATIONS {
        let message = format!(
            "there are {} combinations of values besides an interval, but at most {MOST_COMBINATIONS} are searched",
            lists.len()
        );
        return Err(Error::new(message).hint("give fewer values"));
    }
    let names: Vec<String> = intervals
        .iter()
        .flat_map(|axis| axis.names.clone())
        .collect();
    let ends = intervals.iter().filter_map(|axis| axis.interval.clone());
    let whole: Vec<Interval> = ends.map(|[first, last]| between(&first, &last)).collect();
    let objective = objective(compiled, question)?;
    // A parameter without a value is told first.
    compiled
        .plan_of_values(&[])?
        .inputs(&question.grid.parameters(0, 1))?;
    let Searched { best, boxes, bound } = searched(
        compiled,
        question,
        watch,
        objective,
        (&names, &whole),
        &lists,
    )?;
    let best = best.ok_or_else(|| no_point(question))?;
    let sign = if question.greatest { -1.0 } else { 1.0 };
    let bound = sign * bound.min(best.value);
    if !bound.is_finite() {
        return Err(no_bounds(question, "it may be unbounded in the interval"));
    }
    let mut optimum = Optimum {
        at: question
            .grid
            .names()
            .filter_map(|name| Some((name.to_owned(), best.at(name)?)))
            .collect(),
        value: sign * best.value,
        certainty: Certainty::Bounds {
            boxes,
            bound,
            is_tight: (bound - sign * best.value).abs() <= 2.0 * tolerance(best.value, best.spread),
        },
        neighbours: Vec::new(),
        argument: None,
    };
    if let ([name], []) = (names.as_slice(), lists.axes.as_slice()) {
        explain(compiled, question, objective, name, whole[0], &mut optimum)?;
    }
    Ok(optimum)
}

/// Result of a search over boxes, and its extent.
struct Searched {
    best: Option<Best>,
    boxes: u64,
    /// No value is below this; negated when the greatest value is sought.
    bound: f64,
}

/// The best point over intervals of the given parameters, with each combination of the lists.
fn searched(
    compiled: &Compiled,
    question: &Question,
    watch: &Watch,
    objective: &SimplifiedEquation,
    (names, whole): (&[String], &[Interval]),
    lists: &Grid,
) -> Result<Searched> {
    let filters = filters(compiled, question)?;
    let (mut best, mut boxes, mut bound) = (None, 0, f64::INFINITY);
    for number in 0..lists.len() {
        let fixed = lists.batch(number, 1);
        let fixed = fixed
            .into_iter()
            .filter_map(|(name, input)| Some((name.to_owned(), input.exact(0)?)));
        let mut search = Search {
            compiled,
            question,
            objective,
            filters: &filters,
            names,
            fixed: fixed.collect(),
            watch,
            sign: if question.greatest { -1.0 } else { 1.0 },
            best,
            boxes,
        };
        bound = bound.min(search.run(whole)?);
        (best, boxes) = (search.best, search.boxes);
    }
    Ok(Searched { best, boxes, bound })
}

fn no_point(question: &Question) -> Error {
    let (objective, conditions) = (&question.objective, question.subject_to.join(" and "));
    Error::new(if question.subject_to.is_empty() {
        format!("{objective} has no value at any point that was tried")
    } else {
        format!("no point was found at which {conditions} holds and {objective} has a value")
    })
}

fn objective<'c>(compiled: &'c Compiled, question: &Question) -> Result<&'c SimplifiedEquation> {
    let name = &question.objective;
    let Some(found) = equation(compiled, name) else {
        let names: Vec<&str> = compiled
            .equations()
            .iter()
            .map(|own| own.name.as_str())
            .collect();
        let message = format!("there is no value `{name}`");
        return Err(unknown_name(message, name, &names));
    };
    match found.sort {
        Sort::Scalar => Ok(found),
        Sort::Law | Sort::Vector => {
            Err(no_bounds(question, "it is a law or a vector, not a number"))
        }
    }
}

fn between(first: &Rational, last: &Rational) -> Interval {
    let (low, high) = if first <= last {
        (first, last)
    } else {
        (last, first)
    };
    Interval {
        low: low.to_f64(),
        high: high.to_f64(),
    }
}

/// Conditions on parameters and values.
fn filters(compiled: &Compiled, question: &Question) -> Result<Vec<Filter>> {
    let parameters = compiled.parameters().iter().map(|own| own.name.as_str());
    let equations = compiled
        .equations()
        .iter()
        .filter(|own| own.sort == Sort::Scalar);
    let names: Vec<&str> = parameters
        .chain(equations.map(|own| own.name.as_str()))
        .collect();
    let declared = compiled.declared_units();
    let units = Units {
        of: &|name| compiled.shown(name).cloned(),
        declared: &declared,
    };
    let conditions = question.subject_to.iter();
    conditions
        .map(|text| {
            Filter::read(text, &names, &units, |text| {
                compiled.plan_of_condition(text)
            })
        })
        .collect()
}

/// The kind of the optimum, and the double next to it if its location has a formula.
fn explain(
    compiled: &Compiled,
    question: &Question,
    objective: &SimplifiedEquation,
    name: &str,
    whole: Interval,
    optimum: &mut Optimum,
) -> Result<()> {
    let place = optimum.at[0].1;
    let known = super::known(question);
    let slack = 1e-6 * place.abs();
    let found = argument::of(
        compiled,
        objective,
        (name, place),
        &known,
        [whole.low, whole.high],
        slack,
    )?;
    if let Some(Argument::Stationary { value, .. } | Argument::Crossing { value, .. }) = found {
        let inside = whole.low <= value && value <= whole.high;
        let there = super::value_at(compiled, question, &known, name, value).filter(|_| inside);
        let is_same = |own: &f64| (own - optimum.value).abs() <= 1e-14 * own.abs();
        if let Some(own) = there
            .filter(is_same)
            .filter(|_| question.subject_to.is_empty())
        {
            (optimum.at[0].1, optimum.value) = (value, own);
        }
    }
    optimum.argument = found;
    Ok(())
}
