//! Aggregates over the points of a sweep.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use super::rows::Rows;
use super::run::ValueBatch;
use super::summary::{Aggregate, Figures, Summary};
use super::{Format, Sweep, Watch};
use crate::compiled::Input;
use crate::diagnostic::{Error, Result};

impl Sweep {
    /// Writes aggregates of each column: one row for each group, in order of first occurrence.
    ///
    /// # Errors
    /// Fails like [`Sweep::summarised`]; also fails if output fails.
    pub fn summary(
        &self,
        range: (u64, u64),
        aggregates: &[Aggregate],
        by: &[String],
        format: Format,
        watch: &Watch,
        out: &mut dyn Write,
    ) -> Result<()> {
        let with_sums = aggregates.iter().any(|figure| figure.is_of_sums());
        let summary = self.collected(range, by, with_sums, watch)?;
        if watch.interrupted() {
            return Ok(());
        }
        let (names, rows) = self.figures(&summary, aggregates);
        let table = (with_units(names, &self.base_units()), rows);
        let text = figures_text(table, &|column| self.rows_of(column), format);
        let written = out.write_all(&text).and_then(|()| out.flush());
        written.map_err(|e| Error::new(format!("cannot write: {e}")))
    }

    /// The parameters of the grid, in order, that are not grouped by.
    pub(super) fn swept(&self, by: &[String]) -> Vec<String> {
        let names = self.grid.names().map(str::to_owned);
        names.filter(|name| !by.contains(name)).collect()
    }

    /// The base units of the parameters and value columns that have a unit.
    pub(super) fn base_units(&self) -> BTreeMap<String, String> {
        let (values, parameters) = (self.values(), self.grid.names().map(str::to_owned));
        let names = values.into_iter().chain(parameters);
        let unit = |name: String| Some((self.plan().unit(&name)?.base, name));
        names
            .filter_map(unit)
            .map(|(unit, name)| (name, unit))
            .collect()
    }

    /// The values of the given parameters at a point.
    pub(super) fn values_at(&self, point: u64, names: &[String]) -> Vec<f64> {
        let at = self.grid.batch(point, 1);
        let value = |name: &String| at.iter().find(|(own, _)| own == name);
        let values = names.iter().map(value);
        values
            .map(|found| found.map_or(f64::NAN, |(_, input)| input.double(0)))
            .collect()
    }

    /// The names of the rows that a column of figures numbers.
    fn rows_of(&self, column: &str) -> Option<Arc<Vec<String>>> {
        let name = parameter_of(column, self.grid.names())?;
        self.grid.row_names(name).cloned()
    }

    /// Aggregates each value column in each group of a half-open range of points.
    ///
    /// # Errors
    /// Fails if `by` names something other than a parameter, or if there are too many groups.
    pub fn summarised(&self, range: (u64, u64), by: &[String], watch: &Watch) -> Result<Summary> {
        self.collected(range, by, true, watch)
    }

    /// Collects the figures, with or without sums, which take as long as all others together.
    fn collected(
        &self,
        range: (u64, u64),
        by: &[String],
        with_sums: bool,
        watch: &Watch,
    ) -> Result<Summary> {
        let by: Vec<String> = by.iter().map(|name| self.plan().own_name(name)).collect();
        let places = by.iter().map(|name| {
            let place = self.parameters().iter().position(|own| own == name);
            place.ok_or_else(|| {
                Error::new(format!(
                    "cannot group by `{name}`: it is not a parameter of the table; expected one of {}",
                    self.parameters().join(", ")
                ))
            })
        });
        let places = places.collect::<Result<Vec<usize>>>()?;
        let mut summary = Summary::new(&by);
        let of = |found: ValueBatch| grouped(&found, &places, with_sums);
        self.each_value(range, watch, of, |groups| {
            let mut groups = groups.iter();
            groups.try_for_each(|(key, figures)| summary.add(key, figures))
        })?;
        Ok(summary)
    }

    /// The names of the aggregates, and their values for each group, in order of first occurrence.
    pub fn figures(
        &self,
        summary: &Summary,
        aggregates: &[Aggregate],
    ) -> (Vec<String>, Vec<Vec<f64>>) {
        let swept = self.swept(&summary.by);
        let at = |point| self.values_at(point, &swept);
        figures(summary, aggregates, &self.values(), &swept, &at)
    }
}

/// The names of the aggregates of columns `values`, and their values for each group.
///
/// `at` gives the values of the `swept` parameters at a point.
pub(super) fn figures(
    summary: &Summary,
    aggregates: &[Aggregate],
    values: &[String],
    swept: &[String],
    at: &dyn Fn(u64) -> Vec<f64>,
) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut names = summary.by.clone();
    for value in values {
        for aggregate in aggregates {
            let name = format!("{value}_{}", aggregate.name());
            match aggregate {
                Aggregate::ArgMin | Aggregate::ArgMax => {
                    names.extend(swept.iter().map(|own| format!("{name}_{own}")));
                }
                _ => names.push(name),
            }
        }
    }
    let arguments = |extreme: Option<(f64, u64)>| match extreme {
        Some((_, point)) => at(point),
        None => vec![f64::NAN; swept.len()],
    };
    let row = |(key, all): &(Vec<f64>, Vec<Figures>)| {
        let mut cells = key.clone();
        for figures in all {
            for aggregate in aggregates {
                match aggregate {
                    Aggregate::ArgMin => cells.extend(arguments(figures.least)),
                    Aggregate::ArgMax => cells.extend(arguments(figures.greatest)),
                    _ => cells.push(figure(figures, *aggregate)),
                }
            }
        }
        cells
    };
    (names, summary.groups.iter().map(row).collect())
}

/// Adds base units to the names of aggregates; a count has none.
pub(super) fn with_units(names: Vec<String>, units: &BTreeMap<String, String>) -> Vec<String> {
    let is_figure = |rest: &str| matches!(rest, "_min" | "_max" | "_mean" | "_sum");
    let unit = |column: &String| {
        let own = parameter_of(column, units.keys().map(String::as_str));
        let mut values = units.keys().map(String::as_str);
        let of = own.or_else(|| values.find(|v| column.strip_prefix(v).is_some_and(is_figure)));
        units.get(of?)
    };
    let head = |column: String| match unit(&column) {
        Some(unit) => format!("{column} [{unit}]"),
        None => column,
    };
    names.into_iter().map(head).collect()
}

/// The parameter whose values an aggregate column holds.
pub(super) fn parameter_of<'n>(
    column: &str,
    mut names: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    names.find(|name| {
        let before = column.strip_suffix(name);
        before.is_some_and(|b| b.is_empty() || b.ends_with("_argmin_") || b.ends_with("_argmax_"))
    })
}

/// Writes a table of aggregates as text. Row numbers are replaced by the names of rows.
pub(super) fn figures_text(
    (names, numbers): (Vec<String>, Vec<Vec<f64>>),
    rows_of: &dyn Fn(&str) -> Option<Arc<Vec<String>>>,
    format: Format,
) -> Vec<u8> {
    let row_names: Vec<_> = names.iter().map(|name| rows_of(name)).collect();
    let rows = Rows::of_cells(format, names).with_row_names(row_names);
    let mut text = rows.head();
    for row in numbers {
        rows.line(&mut text, |line| {
            row.into_iter().for_each(|value| line.parameter(value))
        });
    }
    text
}

/// A figure that is one number.
fn figure(figures: &Figures, aggregate: Aggregate) -> f64 {
    let value = |extreme: Option<(f64, u64)>| extreme.map_or(f64::NAN, |(value, _)| value);
    match aggregate {
        Aggregate::Min | Aggregate::ArgMin => value(figures.least),
        Aggregate::Max | Aggregate::ArgMax => value(figures.greatest),
        Aggregate::Mean if figures.count == 0 => f64::NAN,
        Aggregate::Mean => figures.sum.value() / figures.count as f64,
        Aggregate::Sum => figures.sum.value(),
        Aggregate::Count => figures.count as f64,
    }
}

/// The points of a batch by group, with the figures of each column.
fn grouped(found: &ValueBatch, places: &[usize], with_sums: bool) -> Vec<(Vec<f64>, Vec<Figures>)> {
    let keys: Vec<&Input> = places
        .iter()
        .map(|&place| &found.parameters[place])
        .collect();
    let key = |lane: usize| -> Vec<f64> { keys.iter().map(|input| input.double(lane)).collect() };
    let mut groups: Vec<(Vec<f64>, Vec<usize>)> = Vec::new();
    let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
    let figures = |lanes: Range<usize>| -> Vec<Figures> {
        let points = found.points.part(lanes.clone());
        let of = |column: &Vec<f64>| Figures::of(&column[lanes.clone()], &points, with_sums);
        found.values.iter().map(of).collect()
    };
    let runs = runs(&keys, found.points.len());
    // If the grouping parameters are on slow axes, groups are runs of points.
    if runs.len() * 8 <= found.points.len() {
        return runs
            .into_iter()
            .map(|run| (key(run.start), figures(run)))
            .collect();
    }
    for run in runs {
        let own = key(run.start);
        let bits = own.iter().map(|x| x.to_bits()).collect();
        let place = *known.entry(bits).or_insert_with(|| {
            groups.push((own, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.extend(run);
    }
    let figures = |lanes: &[usize]| -> Vec<Figures> {
        let points = found.points.listed(lanes);
        let of = |column: &Vec<f64>| {
            let values: Vec<f64> = lanes.iter().map(|&lane| column[lane]).collect();
            Figures::of(&values, &points, with_sums)
        };
        found.values.iter().map(of).collect()
    };
    let groups = groups.into_iter();
    groups.map(|(key, lanes)| (key, figures(&lanes))).collect()
}

/// Points one after another that are of the same group.
fn runs(keys: &[&Input], count: usize) -> Vec<Range<usize>> {
    let columns: Vec<&&Input> = keys
        .iter()
        .filter(|input| matches!(input, Input::Column(..)))
        .collect();
    if columns.is_empty() {
        return Vec::from_iter((count > 0).then_some(0..count));
    }
    let bits = |input: &Input, lane: usize| input.double(lane).to_bits();
    let (mut runs, mut start) = (Vec::new(), 0);
    for lane in 1..=count {
        let mut own = columns.iter();
        if lane == count || own.any(|input| bits(input, lane) != bits(input, lane - 1)) {
            runs.push(start..lane);
            start = lane;
        }
    }
    runs
}
