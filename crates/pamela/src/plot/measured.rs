//! Reads measured points from a CSV file.

use std::collections::BTreeMap;

use pamela_plot::{plain, short};

use super::Request;
use crate::diagnostic::{Error, Result};
use crate::law::table::{Rows, TableError, number, time_column};
use crate::sweep::Grid;

/// Measured values of an equation over the horizontal parameter.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The measured equation.
    pub equation: String,
    /// Label of the curve, if the file has a column for the second axis.
    pub label: Option<String>,
    /// True if the values are in seconds, false if they are in the unit of the axis.
    pub in_seconds: bool,
    /// Horizontal value, measured value, and half-width of an interval if known.
    pub points: Vec<(f64, f64, Option<f64>)>,
}

/// Contents of a file of measured points.
pub struct File {
    /// One entry for each curve.
    pub runs: Vec<Runs>,
    /// Number of rows with other values of the parameters.
    pub others: usize,
}

impl Runs {
    /// The points to draw. Speedups are relative to the mean of the measurements at the base.
    pub(super) fn shown(&self, request: &Request) -> Result<Vec<(f64, f64, Option<f64>)>> {
        let Some(relative) = request.relative else {
            return Ok(self.points.clone());
        };
        let axis = &request.grid.axes[0].names[0];
        let of = self
            .label
            .as_ref()
            .map_or(String::new(), |label| format!(" for {label}"));
        let at_base = self.points.iter().filter(|p| p.0 == relative.base);
        let at_base: Vec<_> = at_base.collect();
        let count = at_base.len() as f64;
        let base = at_base.iter().map(|p| p.1).sum::<f64>() / count;
        if !base.is_finite() || base <= 0.0 {
            return Err(Error::new(format!(
                "there is no measured speedup{of}: no positive value of {} was measured at the base, {axis} = {}; measure \
                 it, or choose a measured base with `--base`",
                self.equation,
                plain(relative.base)
            )));
        }
        let errors = at_base.iter().filter_map(|p| p.2);
        let share = errors.map(|e| e * e).sum::<f64>().sqrt() / count / base;
        // The errors of both, which are independent.
        let point = |&(x, value, error): &(f64, f64, Option<f64>)| {
            let shown = relative.of(value, base, x);
            let error = error.map(|e| {
                if x == relative.base && count == 1.0 {
                    0.0
                } else {
                    shown * (e / value).hypot(share)
                }
            });
            (x, shown, error)
        };
        Ok(self.points.iter().map(point).collect())
    }
}

/// A column with values of an equation.
struct Measured<'a> {
    equation: &'a str,
    column: usize,
    /// Seconds in the unit that the column names.
    seconds: Option<f64>,
}

/// The columns of measured points, by their positions.
struct Columns<'a> {
    horizontal: usize,
    /// Columns of the measured equations.
    values: Vec<Measured<'a>>,
    error: Option<usize>,
    /// The second axis, with its column.
    series: Option<(&'a String, usize)>,
    /// Columns of parameters that have one value here.
    fixed: Vec<(usize, f64)>,
}

impl<'a> Columns<'a> {
    /// # Errors
    /// Fails for a missing column.
    fn new(
        head: &[String],
        grid: &'a Grid,
        equations: &[&'a str],
    ) -> std::result::Result<Columns<'a>, String> {
        let column = |wanted: &str| head.iter().position(|name| name == wanted);
        let missing = |what: String| match head.join(", ") {
            none if none.is_empty() => "it is empty".to_string(),
            columns => format!("it has no column {what}; its columns are {columns}"),
        };
        let Some(parameter) = grid.axes.first().map(|axis| &axis.names[0]) else {
            return Err("no parameter has several values here".to_string());
        };
        let horizontal = column(parameter).ok_or_else(|| missing(format!("`{parameter}`")))?;
        let mut values = Vec::new();
        let names = [equations, &["value"]].concat();
        for (column, name) in head.iter().enumerate() {
            if grid.names().any(|own| own == name) {
                continue;
            }
            let Some((own, seconds)) = time_column(name, &names)? else {
                continue;
            };
            // A name of the model without a unit is in the unit of the axis.
            let is_bare = own == name && own != "time";
            let equation = equations.iter().find(|equation| **equation == own);
            values.extend(equation.or(equations.first()).map(|equation| Measured {
                equation,
                column,
                seconds: (!is_bare).then_some(seconds),
            }));
        }
        if values.is_empty() {
            return Err(missing(format!("`time`, `{}`", names.join("`, `"))));
        }
        let error = column("error");
        let series = grid
            .axes
            .get(1)
            .and_then(|axis| Some((&axis.names[0], column(&axis.names[0])?)));
        let fixed = grid.constants.iter();
        let fixed = fixed.filter_map(|(name, value)| Some((column(name)?, value.to_f64())));
        let fixed: Vec<(usize, f64)> = fixed.collect();
        Ok(Columns {
            horizontal,
            values,
            error,
            series,
            fixed,
        })
    }
}

/// Reads measured points.
///
/// The file has a column with the name of the horizontal parameter. Each measured equation has a
/// column, or `value` or `time` stands for the first one; `time` is in seconds, `time[ms]` has a unit. A column `error` holds half-widths of intervals. A
/// column for the second axis separates the curves. Rows for other values of fixed parameters are
/// skipped.
///
/// # Errors
/// Fails if a column is missing, if a cell is not a number (with its line), or if no row fits the
/// parameters.
pub fn measured(name: &str, text: &str, grid: &Grid, equations: &[&str]) -> Result<File> {
    let wrong = |reason: String| Error::new(format!("no measured points in `{name}`: {reason}"));
    let (mut records, mut fields) = (Rows::of(text), Vec::new());
    let no_row = |error: TableError| wrong(error.to_string());
    records.read(&mut fields).map_err(no_row)?;
    let head: Vec<String> = fields.iter().map(|field| field.text.to_string()).collect();
    let columns = Columns::new(&head, grid, equations).map_err(&wrong)?;
    let labels = super::labels(None, grid.axes.get(1));
    let mut runs: BTreeMap<(usize, Option<String>), Runs> = BTreeMap::new();
    let (mut others, mut rows) = (0, 0);
    while let Some(line) = records.read(&mut fields).map_err(no_row)? {
        let text = |column: usize| &*fields[column].text;
        let cell = |column: usize| {
            let name = &head[column];
            let value = number(text(column));
            value.map_err(|reason| wrong(format!("line {line}, column `{name}`: {reason}")))
        };
        rows += 1;
        let mut here = true;
        for &(column, value) in &columns.fixed {
            here &= (cell(column)? - value).abs() <= 1e-9 * value.abs();
        }
        if !here {
            others += 1;
            continue;
        }
        let label = match columns.series {
            Some((name, column)) => Some(format!("{name} = {}", plain(cell(column)?))),
            None => None,
        };
        if label.as_ref().is_some_and(|label| !labels.contains(label)) {
            others += 1;
            continue;
        }
        for (position, measured) in columns.values.iter().enumerate() {
            // A column among several may have gaps.
            if columns.values.len() > 1 && text(measured.column).is_empty() {
                continue;
            }
            let scale = measured.seconds.unwrap_or(1.0);
            let error = match columns.error.filter(|error| !text(*error).is_empty()) {
                Some(error) => Some(scale * cell(error)?.abs()),
                None => None,
            };
            let own = runs
                .entry((position, label.clone()))
                .or_insert_with(|| Runs {
                    equation: measured.equation.to_string(),
                    label: label.clone(),
                    in_seconds: measured.seconds.is_some(),
                    points: Vec::new(),
                });
            let value = scale * cell(measured.column)?;
            own.points.push((cell(columns.horizontal)?, value, error));
        }
    }
    if rows == 0 {
        return Err(wrong("it has no row".to_string()));
    }
    if runs.is_empty() {
        let given = columns
            .fixed
            .iter()
            .map(|&(column, value)| format!("{} = {}", head[column], short(value)));
        let mut given: Vec<String> = given.collect();
        given.extend(columns.series.iter().map(|_| labels.join(" or ")));
        return Err(wrong(format!("no row has {}", given.join(", "))));
    }
    Ok(File {
        runs: runs.into_values().collect(),
        others,
    })
}
