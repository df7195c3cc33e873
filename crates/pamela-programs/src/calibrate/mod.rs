//! Times of a model from measured times of the whole: bounded regression through the regimes.
//!
//! The time of a process is piecewise linear in the times of its parts. Where no regime changes it is `c + A t`, with
//! the slopes `A`, and the `t` within their bounds of least relative errors are found at once; the slopes are then taken there again,
//! until nothing changes.

mod bound;
mod configurations;
mod deviations;
mod folds;
mod layout;
mod left_out;
mod matrix;
mod residuals;
mod search;
mod slopes;
mod text;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use serde::Serialize;

use crate::measured::{Repeats, Table};
use crate::problem::Problem;
pub use bound::Bound;
use configurations::Configurations;
pub use deviations::least_deviations;
pub use folds::{Folds, Predict as FoldedPredict, Prediction, Score, median};
use layout::Layout;
use left_out::{Spread, left_out, told_apart};
pub use matrix::Matrix;
pub use residuals::{Interval, Law, LawOfGroup, Predicted};
use search::Search;
pub use text::ranges;

/// Maximum number of times that are found together; more could hardly be measured separately.
pub const MOST_TIMES: usize = 128;
/// Maximum number of times of all groups.
pub const MOST_TIMES_OF_GROUPS: usize = 4096;
/// Points at most.
pub const MOST_POINTS: usize = 10_000;

/// Evaluates the model at all points of the table, for each of these lists of times.
pub type Predict<'a> = dyn FnMut(&[Vec<f64>]) -> Result<Vec<Vec<f64>>, Problem> + 'a;

/// What a fit makes least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// The sum of the squares of relative errors.
    #[default]
    Squares,
    /// The mean of relative errors, which few wrong rows hardly move.
    Relative,
    /// The mean of errors in seconds, so that long times weigh most.
    Absolute,
}

impl Loss {
    pub fn name(self) -> &'static str {
        match self {
            Loss::Squares => "squares",
            Loss::Relative => "relative",
            Loss::Absolute => "absolute",
        }
    }
}

/// How a fit is made.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub loss: Loss,
    /// Configurations that are left out by turns, for their errors and the law of these; the keys are those of points.
    pub folds: Option<Folds>,
    /// Number of fits that are made, which others may watch.
    pub done: Arc<AtomicU64>,
}

impl Settings {
    /// Number of fits that will be made, except those of the jackknife.
    pub fn fits(&self) -> u64 {
        let folds = self.folds.as_ref().map_or(0, |folds| folds.count as u64);
        1 + folds + folds * (folds + 1)
    }
}

/// Result of a calibration.
#[derive(Clone, Debug, Serialize)]
pub struct Calibration {
    /// Values that the fit rests on, as expressions: a prediction needs them again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<(String, String)>,
    pub times: Vec<Fitted>,
    pub points: Vec<Fit>,
    /// Times that cannot be distinguished, and parts that the measured times do not contain.
    pub notes: Vec<String>,
    /// Relative errors of the fit, and of each point predicted from the others.
    pub errors: Errors,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<Errors>,
    /// Errors of configurations that were left out, of all and by group, as fractions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// Runs of points that were measured more than once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
    pub loss: Loss,
    /// The times of each group, with what is not known of them; one without a name if there are no groups.
    pub groups: Vec<GroupFit>,
    /// Calibrated ranges of the parameters.
    pub ranges: Vec<Range>,
    pub runs: usize,
    /// What was measured: an equation of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equation: Option<String>,
    /// Units of these numbers, by parameter name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, String>,
}

/// The times of the rows of one group.
#[derive(Clone, Debug, Serialize)]
pub struct GroupFit {
    /// Columns and their texts.
    pub by: BTreeMap<String, String>,
    pub parameters: Vec<String>,
    /// In base units.
    pub values: Vec<f64>,
    /// The least and the greatest value that the fit may give each.
    pub bounds: Vec<[f64; 2]>,
    /// Covariances of the values; none if the points do not determine them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covariance: Option<Vec<Vec<f64>>>,
    /// The law of measured values beside predicted ones, if configurations were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residuals: Option<LawOfGroup>,
}

/// Errors of configurations that were left out.
#[derive(Clone, Debug, Serialize)]
pub struct HeldOut {
    pub folds: usize,
    pub configurations: usize,
    #[serde(flatten)]
    pub all: Score,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_group: BTreeMap<String, Score>,
}

/// The points that a time belongs to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum At {
    /// Those with this value of a parameter of the model.
    Value(String, f64),
    /// Those with these texts in columns of the table.
    Group(BTreeMap<String, String>),
}

/// A time to fit, possibly only for some points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unknown {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<At>,
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

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Value(parameter, value) => write!(f, "{parameter} = {value}"),
            At::Group(group) => {
                let columns = group.iter();
                let columns = columns.map(|(name, text)| format!("{name} = {text}"));
                f.write_str(&columns.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name)?;
        match &self.at {
            Some(at) => write!(f, " at {at}"),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
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

/// Finds the times, each within its bounds, for which the model is nearest to the medians of the table, by the loss of
/// the settings.
///
/// # Errors
/// No time, or too many; bounds that leave none; more times than points; a point at which the model has no value, or one that no time changes.
pub fn calibrate(
    table: &Table,
    file: &str,
    names: &[Unknown],
    settings: &Settings,
    predict: &mut Predict,
) -> Result<Calibration, Problem> {
    let layout = layout(table, names)?;
    let measured: Vec<f64> = table.points.iter().map(|point| point.median()).collect();
    let mut search = Search {
        table,
        file,
        names,
        layout: &layout,
        loss: settings.loss,
        measured: &measured,
        points: (0..measured.len()).collect(),
        edges: bound::edges(names)?,
        predict,
    };
    let times = search.best()?;
    let linear = search.linear(&times)?;
    let fitted = search.at(std::slice::from_ref(&times))?.remove(0);
    let mut notes = notes(&search, &linear, &times);
    let left = left_out(&mut search, &linear, &times)?;
    settings
        .done
        .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let points = measured.iter().zip(&fitted).enumerate();
    let points: Vec<Fit> = points
        .map(|(place, (measured, fitted))| Fit {
            line: table.points[place].line,
            measured: *measured,
            fitted: *fitted,
            left_out: left.predicted[place],
        })
        .collect();
    let mut groups = groups(names, &layout, &times, &left.spread);
    let held_out = match &settings.folds {
        Some(folds) => Some(held_out(
            search,
            &times,
            folds,
            settings,
            &mut groups,
            &mut notes,
        )?),
        None => None,
    };
    let pairs = |of: fn(&Fit) -> Option<f64>| {
        points
            .iter()
            .filter_map(move |fit| Some((of(fit)?, fit.measured)))
    };
    let ranges = table.parameters.iter().zip(table.ranges());
    Ok(Calibration {
        given: Vec::new(),
        times: fitted_times(names, &layout, &times, &left.spread),
        errors: Errors::of(pairs(|fit| Some(fit.fitted))),
        left_out: (pairs(|fit| fit.left_out).count() > 0)
            .then(|| Errors::of(pairs(|fit| fit.left_out))),
        held_out,
        repeats: table.repeats(),
        loss: settings.loss,
        groups,
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
        equation: None,
        units: BTreeMap::new(),
    })
}

/// # Errors
/// Fails for too many times or points.
fn layout(table: &Table, names: &[Unknown]) -> Result<Layout, Problem> {
    let too_many = |times: usize, points: usize| {
        Problem::new(format!(
            "{times} times and {points} points: at least one and at most {MOST_TIMES} times are found together, from at most {MOST_POINTS} points"
        ))
    };
    let points = table.points.len();
    if names.is_empty() || names.len() > MOST_TIMES_OF_GROUPS || points > MOST_POINTS {
        return Err(too_many(names.len(), points));
    }
    let layout = Layout::of(table, names)?;
    let largest = layout.blocks.iter().map(|own| own.values.len()).max();
    match largest.filter(|count| *count > MOST_TIMES) {
        Some(count) => Err(too_many(count, points).hint("share fewer names between groups")),
        None => Ok(layout),
    }
}

fn notes(search: &Search, linear: &search::Linear, times: &[f64]) -> Vec<String> {
    let (mut alike, mut held) = (Vec::new(), Vec::new());
    for block in &search.layout.blocks {
        let part = search.part(linear, block);
        let names: Vec<&Unknown> = block.values.iter().map(|v| &search.names[*v]).collect();
        let times: Vec<f64> = block.values.iter().map(|v| times[*v]).collect();
        alike.extend(told_apart(&names, &part.matrix));
        held.extend(bound::held(&names, &times, &part.matrix));
    }
    alike.into_iter().chain(held).collect()
}

fn fitted_times(names: &[Unknown], layout: &Layout, times: &[f64], spread: &Spread) -> Vec<Fitted> {
    let mut errors = vec![None; names.len()];
    for (block, covariance) in layout.blocks.iter().zip(&spread.covariances) {
        for (k, value) in block.values.iter().enumerate() {
            errors[*value] = covariance.as_ref().map(|rows| rows[k][k].sqrt());
        }
    }
    let times = names.iter().zip(times).zip(&spread.intervals).zip(errors);
    times
        .map(|(((time, value), interval), error)| Fitted {
            time: time.clone(),
            value: *value,
            standard_error: error.filter(|_| interval.is_some()),
            interval: *interval,
        })
        .collect()
}

/// The times of each group. A time that has another value for each of a parameter is in none.
fn groups(names: &[Unknown], layout: &Layout, times: &[f64], spread: &Spread) -> Vec<GroupFit> {
    let mut found: Vec<BTreeMap<String, String>> = Vec::new();
    for name in names {
        if let Some(At::Group(group)) = &name.at
            && !found.contains(group)
        {
            found.push(group.clone());
        }
    }
    if found.is_empty() {
        found.push(BTreeMap::new());
    }
    let covariance = |a: usize, b: usize| {
        let blocks = layout.blocks.iter().zip(&spread.covariances);
        for (block, covariance) in blocks {
            let place = |value: usize| block.values.iter().position(|own| *own == value);
            if let Some(row) = place(a) {
                return match place(b) {
                    Some(column) => Some(covariance.as_ref()?[row][column]),
                    None => Some(0.0),
                };
            }
        }
        None
    };
    let group = |by: BTreeMap<String, String>| {
        let is_own = |value: &usize| match &names[*value].at {
            None => true,
            Some(At::Value(..)) => false,
            Some(At::Group(own)) => *own == by,
        };
        let own: Vec<usize> = (0..names.len()).filter(is_own).collect();
        let row = |a: &usize| own.iter().map(|b| covariance(*a, *b)).collect();
        GroupFit {
            parameters: own.iter().map(|value| names[*value].name.clone()).collect(),
            values: own.iter().map(|value| times[*value]).collect(),
            bounds: own.iter().map(|value| names[*value].edges()).collect(),
            covariance: own.iter().map(row).collect(),
            residuals: None,
            by,
        }
    };
    found.into_iter().map(group).collect()
}

/// Leaves configurations out by turns, and gives each group the law of their errors.
fn held_out(
    search: Search,
    times: &[f64],
    folds: &Folds,
    settings: &Settings,
    groups: &mut [GroupFit],
    notes: &mut Vec<String>,
) -> Result<HeldOut, Problem> {
    let rows: Vec<usize> = search.points.clone();
    let table = search.table;
    let configurations: std::collections::BTreeSet<&Vec<String>> = folds.keys.iter().collect();
    if configurations.len() < 3 {
        let message = "there are fewer than three configurations: none can be predicted by others, with an interval";
        return Err(Problem::new(message).hint("name other columns with --hold-out"));
    }
    let mut model = Configurations {
        search,
        times,
        done: settings.done.clone(),
    };
    let predictions = folds
        .each_beyond(&mut model, &rows)?
        .pop()
        .unwrap_or_default();
    let law = folds.residuals(&mut model, &rows)?.pop();
    for group in groups {
        let key: Vec<String> = group.by.values().cloned().collect();
        group.residuals = law.as_ref().map(|law| law.of_group(&[key, Vec::new()]));
        let count = group
            .residuals
            .as_ref()
            .map_or(0, |own| own.quantiles.len());
        if count < 19 {
            notes.push(format!("{count} points that were left out tell the law of errors: intervals of 90 % need 19"));
        }
    }
    let line = |own: &Prediction| table.points[own.row].line;
    let mut by_group: BTreeMap<String, Vec<&Prediction>> = BTreeMap::new();
    for own in &predictions {
        let [group, _] = folds::Predict::group(&model, own.row);
        if !group.is_empty() {
            by_group.entry(group.join(", ")).or_default().push(own);
        }
    }
    let by_group = by_group.into_iter().map(|(group, some)| {
        (
            group,
            Score::of(some.into_iter().map(|own| (own, line(own)))),
        )
    });
    Ok(HeldOut {
        folds: folds.count.min(configurations.len()),
        configurations: configurations.len(),
        all: Score::of(predictions.iter().map(|own| (own, line(own)))),
        by_group: by_group.collect(),
    })
}
