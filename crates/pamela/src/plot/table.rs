//! Values at all points of a grid.

use std::collections::BTreeMap;
use std::fmt;

use crate::compiled::{Compiled, Flag};
use crate::diagnostic::{Error, Result};
use crate::eval::certified::LANES;
use crate::expr::Sort;
use crate::law::shortest::rounded;
use crate::sweep::{Axis, Grid};
use crate::timing::Origin;

/// A picture shows no more points.
const MOST_POINTS: u64 = 100_000;

/// The scalar and law equations at the points of a grid, in order.
pub(super) struct Table {
    pub equations: Vec<Column>,
    /// Regimes of the first equation that has some.
    pub regimes: Vec<Option<usize>>,
    pub regime_names: Vec<String>,
    /// Points without a value.
    pub gaps: Vec<Gap>,
}

pub(super) struct Column {
    pub name: String,
    pub sort: Sort,
    /// Values; means for laws; NaN if missing.
    pub values: Vec<f64>,
    /// For laws, the requested quantiles.
    pub quantiles: Option<Vec<Vec<f64>>>,
}

/// Points at which an equation has no value, so that nothing is drawn there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Name of the equation.
    pub equation: String,
    /// Number of points without a value.
    pub points: usize,
    /// Number of all points.
    pub of: u64,
    /// The first of the given points, for example `P = 3`.
    pub first: String,
    /// Reason why there is no value, if known.
    pub reason: Option<String>,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gap {
            equation,
            points,
            of,
            first,
            reason,
        } = self;
        write!(
            f,
            "{equation} has no value at {points} of {of} points, first at {first}"
        )?;
        match reason {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

/// A point of a grid by its position; the last axis changes fastest.
fn place(grid: &Grid, position: u64) -> String {
    let mut rest = position;
    let mut parts: Vec<String> = Vec::new();
    for axis in grid.axes.iter().rev() {
        let (length, at) = (axis.len().max(1), rest % axis.len().max(1));
        rest /= length;
        let value = axis.values[0].doubles(at, 1);
        let value = value
            .first()
            .map_or(String::new(), |value| rounded(*value, 6));
        parts.push(format!("{} = {value}", axis.names[0]));
    }
    parts.reverse();
    parts.join(", ")
}

impl Table {
    pub fn new(compiled: &Compiled, grid: &Grid, probabilities: &[f64]) -> Result<Table> {
        if grid.len() > MOST_POINTS {
            return Err(Error::new(format!(
                "there would be {} points, but a picture has at most {MOST_POINTS}; use fewer values, for example `log(1, \
                 1e6, 200)` instead of `1:1e6`",
                grid.len()
            )));
        }
        let plan = compiled.plan(probabilities)?;
        let mut table = Table {
            equations: Vec::new(),
            regimes: Vec::new(),
            regime_names: plan.distinct_regimes().collect(),
            gaps: Vec::new(),
        };
        let mut workspace = plan.workspace();
        let (mut any, mut reason) = (false, String::new());
        for start in (0..grid.len()).step_by(LANES) {
            let length = LANES.min((grid.len() - start) as usize);
            let inputs = plan.inputs(&grid.parameters(start, length))?;
            let part = plan.run(&inputs, length, &mut workspace);
            table.regimes.extend(part.regimes);
            if let Some((_, note)) = part.notes.first() {
                reason.clone_from(note);
            }
            let why = |lane: usize| {
                let mut notes = part.notes.iter();
                notes
                    .find(|(own, _)| *own == lane)
                    .map(|(_, note)| note.clone())
            };
            for (position, own) in part.equations.into_iter().enumerate() {
                any |= own.flags.iter().any(|flag| *flag != Flag::Failed);
                let failed = own.flags.iter().enumerate();
                let failed = failed.filter(|(_, flag)| **flag == Flag::Failed);
                let failed: Vec<usize> = failed.map(|(lane, _)| lane).collect();
                if let Some(&first) = failed.first() {
                    match table.gaps.iter_mut().find(|gap| gap.equation == own.name) {
                        Some(gap) => gap.points += failed.len(),
                        None => table.gaps.push(Gap {
                            equation: own.name.clone(),
                            points: failed.len(),
                            of: grid.len(),
                            first: place(grid, start + first as u64),
                            reason: why(first),
                        }),
                    }
                }
                let quantiles = own.law.map(|law| law.quantiles);
                match table.equations.get_mut(position) {
                    None => table.equations.push(Column {
                        name: own.name,
                        sort: own.sort,
                        values: own.values,
                        quantiles,
                    }),
                    Some(column) => {
                        column.values.extend(own.values);
                        let both = column.quantiles.iter_mut().flatten();
                        both.zip(quantiles.into_iter().flatten())
                            .for_each(|(all, own)| all.extend(own));
                    }
                }
            }
        }
        if any {
            Ok(table)
        } else {
            Err(Error::new(format!(
                "there is no value at any point: {reason}"
            )))
        }
    }
}

impl Table {
    /// Removes the bounds of times from the columns. Returns lower and upper bound of each time
    /// that has both.
    pub fn take_bounds(&mut self, compiled: &Compiled) -> BTreeMap<String, (Column, Column)> {
        let origins = compiled.equations().iter().map(|e| (&e.name, &e.origin));
        let origins: BTreeMap<&String, &Origin> = origins.collect();
        let columns = std::mem::take(&mut self.equations).into_iter();
        let (bounds, others): (Vec<Column>, Vec<Column>) =
            columns.partition(|column| origins[&column.name].is_bound());
        self.equations = others;
        let mut lower = BTreeMap::new();
        let mut upper = BTreeMap::new();
        for column in bounds {
            match origins[&column.name] {
                Origin::Lower(process) => lower.insert(process, column),
                Origin::Upper(process) => upper.insert(process, column),
                _ => None,
            };
        }
        let times = origins.iter().filter_map(|(name, origin)| match origin {
            Origin::Time(process) => Some((*name, process)),
            _ => None,
        });
        let both = times.filter_map(|(name, process)| {
            Some((
                name.clone(),
                (lower.remove(process)?, upper.remove(process)?),
            ))
        });
        both.collect()
    }
}

/// The values of an axis.
pub(super) fn doubles(axis: &Axis) -> Vec<f64> {
    axis.values[0].doubles(0, axis.len() as usize)
}
