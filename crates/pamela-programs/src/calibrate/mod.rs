//! Times of a model from measured times of the whole: bounded regression through the regimes.
//!
//! The time of a process is piecewise linear in the times of its parts. Where no regime changes it is `c + A t`, with
//! the slopes `A`, and the `t` within their bounds of least relative errors are found at once; the slopes are then taken there again,
//! until nothing changes.

mod bound;
mod deviations;
mod left_out;
mod matrix;
mod slopes;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use crate::measured::Table;
use crate::problem::{Place, Problem};
pub use bound::Bound;
pub use deviations::least_deviations;
use matrix::{Matrix, bounded};
pub use text::ranges;

/// Maximum number of times to fit; more could hardly be measured separately.
pub const MOST_TIMES: usize = 64;
/// Points at most.
pub const MOST_POINTS: usize = 10_000;
const ROUNDS: usize = 20;
const STARTS: usize = 5;
/// Relative changes below this count as no change.
const SAME: f64 = 1e-9;

/// Evaluates the model at all points of the table, for each of these lists of times.
pub type Predict<'a> = dyn FnMut(&[Vec<f64>]) -> Result<Vec<Vec<f64>>, Problem> + 'a;

/// Result of a calibration.
#[derive(Clone, Debug, Serialize)]
pub struct Calibration {
    pub times: Vec<Fitted>,
    pub points: Vec<Fit>,
    /// Times that cannot be distinguished, and parts that the measured times do not contain.
    pub notes: Vec<String>,
    /// Relative errors of the fit, and of each point predicted from the others.
    pub errors: Errors,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<Errors>,
    /// Calibrated ranges of the parameters.
    pub ranges: Vec<Range>,
    pub runs: usize,
    /// Units of these numbers, by parameter name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, String>,
}

/// A time to fit, possibly only for one value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unknown {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<(String, f64)>,
    /// The least and the greatest value that the fit may give it.
    #[serde(skip)]
    pub bounds: [Bound; 2],
}

impl From<&str> for Unknown {
    fn from(name: &str) -> Unknown {
        Unknown {
            name: name.to_string(),
            at: None,
            bounds: Bound::of_times(),
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name)?;
        match &self.at {
            Some((parameter, value)) => write!(f, " at {parameter} = {value}"),
            None => Ok(()),
        }
    }
}

/// A time of the model, in seconds, or another number of base units.
#[derive(Clone, Debug, Serialize)]
pub struct Fitted {
    #[serde(flatten)]
    pub time: Unknown,
    pub value: f64,
    /// 95 % interval; `None` if the points do not determine one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
}

/// A point, identified by its line in the table.
#[derive(Clone, Debug, Serialize)]
pub struct Fit {
    pub line: usize,
    pub measured: f64,
    pub fitted: f64,
    /// Prediction by the times that the other points give.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<f64>,
}

/// Relative errors in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    pub mean: f64,
    pub worst: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Range {
    pub name: String,
    pub from: f64,
    pub to: f64,
}

impl Errors {
    /// Errors of pairs of predicted and measured times.
    pub fn of(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> Errors {
        let error = |(predicted, measured): (f64, f64)| 100.0 * (predicted / measured - 1.0).abs();
        let count = pairs.clone().count().max(1);
        Errors {
            mean: pairs.clone().map(error).sum::<f64>() / count as f64,
            worst: pairs.map(error).fold(0.0, f64::max),
        }
    }
}

/// Finds the times, each within its bounds, for which the model is nearest to the medians of the table, by relative
/// errors.
///
/// # Errors
/// No time, or too many; bounds that leave none; more times than points; a point at which the model has no value, or one that no time changes.
pub fn calibrate(
    table: &Table,
    file: &str,
    names: &[Unknown],
    predict: &mut Predict,
) -> Result<Calibration, Problem> {
    if names.is_empty() || names.len() > MOST_TIMES || table.points.len() > MOST_POINTS {
        return Err(Problem::new(format!(
            "{} times and {} points: at least one and at most {MOST_TIMES} times are found, from at most {MOST_POINTS} points",
            names.len(),
            table.points.len()
        )));
    }
    let measured: Vec<f64> = table.points.iter().map(|point| point.median()).collect();
    let mut search = Search {
        table,
        file,
        names,
        measured,
        edges: bound::edges(names)?,
        predict,
    };
    let times = search.best()?;
    let linear = search.linear(&times)?;
    let fitted = search.at(std::slice::from_ref(&times))?.remove(0);
    let mut notes = told_apart(names, &linear.weighted());
    notes.extend(bound::held(names, &times, &linear.weighted()));
    let left = left_out::left_out(&mut search, &linear, &times)?;
    let points = search.measured.iter().zip(&fitted).enumerate();
    let points: Vec<Fit> = points
        .map(|(place, (measured, fitted))| Fit {
            line: table.points[place].line,
            measured: *measured,
            fitted: *fitted,
            left_out: left.predicted[place],
        })
        .collect();
    let pairs = |of: fn(&Fit) -> Option<f64>| {
        points
            .iter()
            .filter_map(move |fit| Some((of(fit)?, fit.measured)))
    };
    let ranges = table.parameters.iter().zip(table.ranges());
    Ok(Calibration {
        times: names
            .iter()
            .zip(times.iter().zip(left.intervals))
            .map(|(time, (value, interval))| Fitted {
                time: time.clone(),
                value: *value,
                interval,
            })
            .collect(),
        errors: Errors::of(pairs(|fit| Some(fit.fitted))),
        left_out: (pairs(|fit| fit.left_out).count() > 0)
            .then(|| Errors::of(pairs(|fit| fit.left_out))),
        points: points.clone(),
        notes,
        ranges: ranges
            .map(|(name, [from, to])| Range {
                name: name.clone(),
                from,
                to,
            })
            .collect(),
        runs: table.points.iter().map(|point| point.times.len()).sum(),
        units: BTreeMap::new(),
    })
}

/// The search for times.
struct Search<'a, 'p> {
    table: &'a Table,
    file: &'a str,
    names: &'a [Unknown],
    /// The medians, in seconds.
    measured: Vec<f64>,
    /// The least and the greatest value of each time.
    edges: Vec<[f64; 2]>,
    predict: &'a mut Predict<'p>,
}

/// The model near some times: `constant + slopes t`.
struct Linear {
    slopes: Matrix,
    constant: Vec<f64>,
    measured: Vec<f64>,
}

impl Linear {
    /// The slopes as shares of the measured times.
    fn weighted(&self) -> Matrix {
        let mut matrix = self.slopes.clone();
        for row in 0..matrix.rows {
            for column in 0..matrix.columns {
                matrix.set(
                    row,
                    column,
                    self.slopes.get(row, column) / self.measured[row],
                );
            }
        }
        matrix
    }

    /// The part of the measured times that the unknown times must explain, as shares.
    fn wanted(&self) -> Vec<f64> {
        let rows = self.measured.iter().zip(&self.constant);
        rows.map(|(measured, constant)| (measured - constant) / measured)
            .collect()
    }
}

impl Search<'_, '_> {
    /// The model at all points.
    fn at(&mut self, candidates: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, Problem> {
        let values = (self.predict)(candidates)?;
        for list in &values {
            if let Some(place) = list.iter().position(|value| !value.is_finite()) {
                return Err(
                    Problem::new("the model has no value at this point").at(self.place(place))
                );
            }
        }
        Ok(values)
    }

    /// The times, none beyond its bounds.
    fn within(&self, times: impl Iterator<Item = f64>) -> Vec<f64> {
        let bounded = times.zip(&self.edges);
        bounded
            .map(|(t, [least, most])| t.clamp(*least, *most))
            .collect()
    }

    fn place(&self, point: usize) -> Place {
        let line = self.table.points[point].line;
        Place {
            file: self.file.into(),
            first: line,
            last: line,
        }
    }

    /// The sum of the squared relative errors.
    fn loss(&mut self, times: &[f64]) -> Result<f64, Problem> {
        let values = self.at(&[times.to_vec()])?.remove(0);
        let errors = values.iter().zip(&self.measured).map(|(v, m)| v / m - 1.0);
        Ok(errors.map(|error| error * error).sum())
    }

    /// The best that any start leads to.
    fn best(&mut self) -> Result<Vec<f64>, Problem> {
        let scale = self.scale()?;
        let mut best: Option<(f64, Vec<f64>)> = None;
        for start in 0..STARTS {
            let times = (0..self.names.len()).map(|k| scale * factor(start, k));
            let times = self.within(times);
            let found = self.descend(times)?;
            let loss = self.loss(&found)?;
            // An earlier start is kept unless a later one is really better.
            if best
                .as_ref()
                .is_none_or(|(least, _)| loss < least * (1.0 - 1e-6) - 1e-18)
            {
                best = Some((loss, found));
            }
        }
        Ok(best.map(|(_, times)| times).unwrap_or_default())
    }

    /// The single time that, used for all unknowns, best reproduces the measured times.
    fn scale(&mut self) -> Result<f64, Problem> {
        let none: Vec<f64> = self.edges.iter().map(|[least, _]| *least).collect();
        let one = self.within(none.iter().map(|least| least + 1.0));
        let [none, one] = &self.at(&[none, one])?[..] else {
            return Err(Problem::new("the model has no values"));
        };
        let per_time: Vec<f64> = one.iter().zip(none).map(|(one, none)| one - none).collect();
        if per_time.iter().all(|value| *value <= 0.0) {
            let names: Vec<String> = self.names.iter().map(Unknown::to_string).collect();
            return Err(Problem::new(format!(
                "the time does not depend on {} at any point",
                names.join(", ")
            ))
            .at(self.place(0)));
        }
        let mut shares: Vec<f64> = per_time
            .iter()
            .zip(&self.measured)
            .filter(|(per_time, _)| **per_time > 0.0)
            .map(|(per_time, measured)| measured / per_time)
            .collect();
        shares.sort_by(f64::total_cmp);
        Ok(shares[shares.len() / 2])
    }

    /// Steps to the times that are best where no regime changes, until they are where they were.
    fn descend(&mut self, mut times: Vec<f64>) -> Result<Vec<f64>, Problem> {
        let mut loss = self.loss(&times)?;
        for _ in 0..ROUNDS {
            let linear = self.linear(&times)?;
            let next = bounded(&linear.weighted(), &linear.wanted(), &self.edges);
            let size = next.iter().fold(0.0_f64, |most, t| most.max(*t));
            let moved = times
                .iter()
                .zip(&next)
                .any(|(t, n)| (t - n).abs() > SAME * size);
            // Beyond a change of regime a shorter step may be better.
            let (mut step, mut better) = (1.0, None);
            for _ in 0..6 {
                let there = times.iter().zip(&next).map(|(t, n)| t + step * (n - t));
                let there = self.within(there);
                let reached = self.loss(&there)?;
                if reached <= loss {
                    better = Some((reached, there));
                    break;
                }
                step /= 4.0;
            }
            let Some((reached, there)) = better else {
                break;
            };
            let gained = loss - reached;
            (loss, times) = (reached, there);
            if !moved || (gained <= 1e-12 * loss && step < 1.0) {
                break;
            }
        }
        Ok(times)
    }

    fn linear(&mut self, times: &[f64]) -> Result<Linear, Problem> {
        let (values, slopes) = slopes::slopes(self, times)?;
        let part = slopes.times(times);
        Ok(Linear {
            constant: values
                .iter()
                .zip(&part)
                .map(|(value, part)| value - part)
                .collect(),
            slopes,
            measured: self.measured.clone(),
        })
    }
}

/// Factors near 1 for the first start, further apart for the others. No two times are in a simple ratio, at which
/// regimes might meet.
fn factor(start: usize, time: usize) -> f64 {
    let golden = 0.618_033_988_749_894_9;
    let place = (golden * (time + 1) as f64 + 0.414_213_562 * start as f64).fract();
    ((place - 0.5) * (0.1 + 2.5 * start as f64)).exp()
}

/// Notes on times that the measured points cannot distinguish.
fn told_apart(names: &[Unknown], matrix: &Matrix) -> Vec<String> {
    let (chosen, rest) = matrix.independent();
    let mut notes = Vec::new();
    for (column, weights) in rest {
        let parts: Vec<String> = chosen
            .iter()
            .zip(&weights)
            .filter(|(c, weight)| left_out::matters(matrix, column, **c, **weight))
            .map(|(c, weight)| match (weight - 1.0).abs() < 1e-6 {
                true => names[*c].to_string(),
                false => format!("{} * {}", crate::problem::short(*weight), names[*c]),
            })
            .collect();
        notes.push(match parts.is_empty() {
            true => format!("{} has no effect at any measured point", names[column]),
            false => format!(
                "{} has the same effect as {} at all measured points: only their sum is known",
                names[column],
                parts.join(" + ")
            ),
        });
    }
    notes
}
