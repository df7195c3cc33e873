//! Runs a plan over a filtered grid, in order.

mod batch;

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use batch::Thread;
pub(super) use batch::{BatchResult, ValueBatch};

use super::rows::{Kind, Rows, table_columns, written};
use super::summary::Best;
use super::{Filter, Format, Grid, Units};
use crate::compiled::{Column, Columns, Input, Plan, Workspace};
use crate::diagnostic::{Error, Result};
use crate::eval::certified::LANES;
use crate::pipeline::unknown_name;
use crate::pool::{self, Spares};

/// Points that a thread takes at a time, where they are computed in batches.
const PIECE: u64 = 64 * LANES as u64;

/// Points of which the numbers alone are computed at a time.
const VALUES: usize = 16 * LANES;

/// A plan, a grid and filters.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The equations to compute.
    pub plan: Plan,
    /// The points.
    pub grid: Grid,
    /// Parameters of the table, in order.
    parameters: Vec<String>,
    /// Parameters of the table, and the fields of rows, which it does not show.
    given: Vec<String>,
    /// Filter for the assumptions of the model.
    assumed: Option<Filter>,
    /// Filters on parameters alone, checked before anything is computed.
    before: Vec<Filter>,
    after: Vec<Filter>,
    /// Number of number columns.
    columns: usize,
    /// Number of threads; 0 means one per core.
    threads: usize,
}

/// Progress and interruption of a sweep.
#[derive(Debug, Default)]
pub struct Watch {
    done: AtomicU64,
    stop: AtomicBool,
    left: AtomicBool,
}

impl Watch {
    /// Stops the sweep after the current batches.
    pub fn interrupt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Stops the sweep because nobody reads its output any more.
    pub fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
    }

    /// True if the sweep was interrupted while its output is still read.
    pub fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn ends(&self) -> bool {
        self.interrupted() || self.left.load(Ordering::Relaxed)
    }

    /// Number of finished points.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }
}

/// The parameters that a table shows, in the order of the model, a row in the place of its first field; and the fields of
/// rows.
fn of_table(plan: &Plan, grid: &Grid) -> (Vec<String>, Vec<String>) {
    let constants = grid.constants.iter().map(|(name, _)| name.as_str());
    let given: Vec<&str> = grid.names().chain(constants).collect();
    let (mut shown, mut fields) = (Vec::new(), Vec::new());
    for name in plan.parameters() {
        match grid.row_of_field(name) {
            Some(row) => {
                fields.push(name.clone());
                if !shown.contains(&row.parameter) {
                    shown.push(row.parameter.clone());
                }
            }
            None if given.contains(&name.as_str()) => shown.push(name.clone()),
            None => {}
        }
    }
    // No field of it is used.
    for name in grid.names().filter(|name| grid.row_names(name).is_some()) {
        if !shown.iter().any(|own| own == name) {
            shown.push(name.to_owned());
        }
    }
    (shown, fields)
}

impl Sweep {
    /// Creates a sweep.
    ///
    /// # Errors
    /// Fails if an axis names something other than a scalar parameter, if a parameter has no value,
    /// or if a condition cannot be read.
    pub fn new(plan: Plan, grid: Grid, conditions: &[String], threads: usize) -> Result<Sweep> {
        let (parameters, fields) = of_table(&plan, &grid);
        let given = [&parameters[..], &fields[..]].concat();
        let values = plan.value_names();
        let has_value = |name: &&String| given.contains(name) || plan.default(name).is_some();
        let known: Vec<String> = plan
            .parameters()
            .iter()
            .filter(has_value)
            .cloned()
            .collect();
        let names = known.iter().chain(&values).map(String::as_str);
        let names: Vec<&str> = names.collect();
        let declared = plan.declared_units();
        let units = Units {
            of: &|name| plan.unit(name),
            declared: &declared,
        };
        let filters = conditions
            .iter()
            .map(|text| Filter::read(text, &names, &units, |text| plan.of_condition(text)));
        let filters = filters.collect::<Result<Vec<Filter>>>()?;
        let (before, after) = filters
            .into_iter()
            .partition(|filter| filter.names().iter().all(|name| known.contains(name)));
        let sweep = Sweep {
            assumed: Filter::of_assumptions(&plan)?,
            plan,
            grid,
            parameters,
            given,
            before,
            after,
            columns: values.len(),
            threads,
        };
        if !sweep.grid.is_empty() {
            sweep.plan.inputs(&sweep.grid.parameters(0, 1))?;
        }
        Ok(sweep)
    }

    /// Parameters of the table, in order.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    /// Number of threads; 0 means one per core.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// The conditions as written, those on parameters alone first.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &str> {
        self.before.iter().chain(&self.after).map(Filter::text)
    }

    /// True if no condition removes points of the grid.
    pub fn is_unfiltered(&self) -> bool {
        self.assumed.is_none() && self.before.is_empty() && self.after.is_empty()
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Names of the number columns.
    pub fn values(&self) -> Vec<String> {
        self.plan.value_names()
    }

    /// The layout of its rows.
    pub fn rows(&self, format: Format) -> Rows {
        let row_names = self.parameters.iter();
        let row_names = row_names.map(|name| self.grid.row_names(name).cloned());
        Rows::new(format, &self.parameters, &self.plan).with_row_names(row_names.collect())
    }

    /// The columns of its table, in order.
    pub(super) fn table_columns(&self) -> Vec<(String, Kind)> {
        let mut columns = table_columns(&self.parameters, &self.plan);
        // The parameters come first.
        for ((_, kind), name) in columns.iter_mut().zip(&self.parameters) {
            if self.grid.row_names(name).is_some() {
                *kind = Kind::Row;
            }
        }
        columns
    }

    /// Computes a half-open range of points and passes the results to `take` in order, batch by
    /// batch.
    pub(super) fn each<T: Send>(
        &self,
        range: (u64, u64),
        watch: &Watch,
        of: impl Fn(BatchResult) -> T + Sync,
        take: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let batch = |start, length, thread: &mut Thread| of(self.batch(start, length, thread));
        let turns = if self.plan.is_fast() { 4 } else { 1 };
        self.batches(range, (LANES, turns), watch, batch, take)
    }

    /// Like [`Sweep::each`], with the number columns only, which is faster.
    pub(super) fn each_value<T: Send>(
        &self,
        range: (u64, u64),
        watch: &Watch,
        of: impl Fn(ValueBatch) -> T + Sync,
        take: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let batch = |start, length, thread: &mut Thread| of(self.values_of(start, length, thread));
        let (size, turns) = if self.plan.is_fast() {
            (VALUES, 16)
        } else {
            (LANES, 1)
        };
        self.batches(range, (size, turns), watch, batch, take)
    }

    /// Splits into batches of `size` points; each thread takes several pieces before results are passed on.
    fn batches<T: Send>(
        &self,
        (start, end): (u64, u64),
        (size, turns): (usize, u64),
        watch: &Watch,
        of: impl Fn(u64, usize, &mut Thread) -> T + Sync,
        mut take: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let pool = pool::of(self.threads)?;
        // Somebody who interrupts does not wait for long.
        let piece = if self.plan.is_fast() {
            PIECE
        } else {
            LANES as u64
        };
        let pieces = turns * pool.current_num_threads() as u64;
        let (spares, mut from) = (Spares::default(), start);
        while from < end && !watch.ends() {
            let to = end.min(from + pieces * piece);
            let starts: Vec<u64> = (from..to).step_by(piece as usize).collect();
            let work = |thread: &mut Thread, start: u64| -> Vec<T> {
                let end = to.min(start + piece);
                let (mut found, mut batch) = (Vec::new(), start);
                while batch < end {
                    let length = size.min(self.grid.left(batch).min(end - batch) as usize);
                    found.push(of(batch, length, thread));
                    batch += length as u64;
                }
                found
            };
            let found: Vec<Vec<T>> = pool.install(|| {
                let starts = starts.par_iter();
                let piece = |&start| spares.with(|| self.thread(), |thread| work(thread, start));
                starts.map(piece).collect()
            });
            for one in found.into_iter().flatten() {
                take(one)?;
            }
            from = to;
            watch.done.store(from - start, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Writes a table of a half-open range of points.
    ///
    /// # Errors
    /// Fails if output fails.
    pub fn table(
        &self,
        range: (u64, u64),
        format: Format,
        watch: &Watch,
        out: &mut dyn Write,
    ) -> Result<()> {
        let rows = self.rows(format);
        let of = |found: BatchResult| {
            let mut text = Vec::new();
            let parameters: Vec<&Input> = found.parameters.iter().collect();
            rows.write(&parameters, &found.columns, &mut text);
            text
        };
        self.each(range, watch, of, |text| {
            out.write_all(&text)
                .map_err(|e| Error::new(format!("cannot write: {e}")))
        })?;
        out.flush()
            .map_err(|e| Error::new(format!("cannot write: {e}")))
    }

    /// Writes the rows of the best points by a column.
    ///
    /// # Errors
    /// Fails if no number column has the name, or if output fails.
    pub fn best(
        &self,
        range: (u64, u64),
        by: &str,
        best: Best,
        format: Format,
        watch: &Watch,
        out: &mut dyn Write,
    ) -> Result<()> {
        let rows = self.rows(format);
        let mut text = Vec::new();
        for found in self.best_found(range, by, best, watch)? {
            let parameters: Vec<&Input> = found.parameters.iter().collect();
            rows.write(&parameters, &found.columns, &mut text);
        }
        let written = out.write_all(&text).and_then(|()| out.flush());
        written.map_err(|e| Error::new(format!("cannot write: {e}")))
    }

    /// Finds the best points by a column: their values and numbers, best first.
    ///
    /// # Errors
    /// Fails if no number column has the name.
    pub fn best_points(
        &self,
        range: (u64, u64),
        by: &str,
        mut best: Best,
        watch: &Watch,
    ) -> Result<Vec<(f64, u64)>> {
        let place = self.place_of(by)?;
        let kept = best.clone();
        let of = |found: ValueBatch| {
            let mut best = kept.clone();
            best.add_all(&found.values[place], &found.points);
            best.values().to_vec()
        };
        self.each_value(range, watch, of, |points| {
            best.add(points.into_iter());
            Ok(())
        })?;
        Ok(best.values().to_vec())
    }

    /// Evaluates the best points by a column; empty if interrupted.
    pub(super) fn best_found(
        &self,
        range: (u64, u64),
        by: &str,
        best: Best,
        watch: &Watch,
    ) -> Result<Vec<BatchResult>> {
        let best = self.best_points(range, by, best, watch)?;
        if watch.interrupted() {
            return Ok(Vec::new());
        }
        Ok(self.found_at(best.into_iter().map(|(_, point)| point)))
    }

    /// Evaluates single points.
    pub(super) fn found_at(&self, points: impl Iterator<Item = u64>) -> Vec<BatchResult> {
        let mut thread = self.thread();
        let found = points.map(|point| self.batch(point, 1, &mut thread));
        found.collect()
    }

    fn place_of(&self, name: &str) -> Result<usize> {
        let names = self.values();
        let own_name = self.plan.own_name(name);
        let place = names.iter().position(|own| *own == own_name);
        place.ok_or_else(|| {
            let listed = names.join(", ");
            let message =
                format!("the table has no column `{name}` of values; expected one of {listed}");
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            unknown_name(message, name, &names)
        })
    }

    /// Checks that the table has a value column of this name.
    ///
    /// # Errors
    /// Fails if it has none.
    pub fn check_column(&self, name: &str) -> Result<()> {
        self.place_of(name).map(|_| ())
    }

    /// Number of the next point, if a file of `rows` rows ends with the parameters `last`.
    ///
    /// Returns `None` if the file does not hold the rows from the start of the range.
    pub(super) fn resumed(
        &self,
        range: (u64, u64),
        rows: u64,
        last: &[f64],
        watch: &Watch,
    ) -> Result<Option<u64>> {
        let mut thread = self.thread();
        if rows == 0 {
            return Ok(Some(range.0));
        }
        let units: Vec<_> = self
            .parameters
            .iter()
            .map(|name| self.plan.unit(name))
            .collect();
        let same = |found: &BatchResult, lane: usize| {
            let own = found.parameters.iter().enumerate();
            let own = own.map(|(place, input)| written(&units, place, input, lane));
            own.map(f64::to_bits).eq(last.iter().map(|x| x.to_bits()))
        };
        if self.is_unfiltered() {
            let point = range.0 + rows - 1;
            if point >= range.1 {
                return Ok(None);
            }
            let found = self.batch(point, 1, &mut thread);
            return Ok(same(&found, 0).then_some(point + 1));
        }
        let (mut seen, mut next) = (0, None);
        let of = |found: BatchResult| {
            let all =
                (0..found.points.len()).map(|lane| (found.points.at(lane), same(&found, lane)));
            all.collect::<Vec<(u64, bool)>>()
        };
        self.each(range, watch, of, |points| {
            for (point, same) in points {
                seen += 1;
                if seen == rows && same {
                    next = Some(point + 1);
                    watch.interrupt();
                }
            }
            Ok(())
        })?;
        Ok(next)
    }
}
