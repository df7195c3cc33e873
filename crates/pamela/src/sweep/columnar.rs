//! Writes tables as columnar files.

use std::io::Write;

use pamela_columns::{Column, Field, Format, Problem, Writer, numbers, texts};

use super::rows::{Kind, has_unit, in_unit};
use super::run::BatchResult;
use super::{Best, Sweep, Watch};
use crate::compiled::Flag;
use crate::diagnostic::{Error, Result};

fn cannot_write(problem: Problem) -> crate::diagnostic::Error {
    Error::new(format!("cannot write: {problem}"))
}

impl Sweep {
    /// Writes the points of a half-open range, or the best of them by a column.
    ///
    /// # Errors
    /// Fails if no number column has the name, or if output fails.
    pub fn columns(
        &self,
        range: (u64, u64),
        best: Option<(&str, Best)>,
        format: Format,
        watch: &Watch,
        out: impl Write + Send,
    ) -> Result<()> {
        let fields = fields(&self.table_columns());
        let mut writer = Writer::new(out, format, &fields).map_err(cannot_write)?;
        let regimes: Vec<&str> = self.plan().regimes().collect();
        match best {
            None => {
                let of = |found: BatchResult| columns_of(self, &found, &regimes);
                self.each(range, watch, of, |columns| {
                    writer.write(&columns).map_err(cannot_write)
                })?;
            }
            Some((by, best)) => {
                for found in self.best_found(range, by, best, watch)? {
                    let columns = columns_of(self, &found, &regimes);
                    writer.write(&columns).map_err(cannot_write)?;
                }
            }
        }
        // The rows written before an interruption can be read.
        writer.finish().map_err(cannot_write)
    }
}

/// Fields of the columns of a table, in the order of [`columns_of`].
pub(super) fn fields(columns: &[(String, Kind)]) -> Vec<Field> {
    let field = |(name, kind): &(String, Kind)| Field {
        name: name.clone(),
        texts: matches!(kind, Kind::Text | Kind::Row),
        repeats: *kind != Kind::Value,
    };
    columns.iter().map(field).collect()
}

/// Some rows, column by column.
fn columns_of(sweep: &Sweep, found: &BatchResult, regimes: &[&str]) -> Vec<Column> {
    let columns = &found.columns;
    let lanes = 0..columns.regimes.len();
    let mut all = Vec::new();
    for (input, name) in found.parameters.iter().zip(sweep.parameters()) {
        let values = lanes.clone().map(|lane| input.double(lane));
        all.push(match sweep.grid.row_names(name) {
            Some(_) => texts(values.map(|value| sweep.grid.row_name(name, value).unwrap_or(""))),
            None => {
                let unit = [sweep.plan.unit(name)];
                numbers(values.map(|value| in_unit(&unit, 0, value)))
            }
        });
    }
    for equation in &columns.equations {
        let values = equation.values.iter().zip(&equation.flags);
        let unit = [sweep.plan.unit(&equation.name)];
        let missing = |flag: &Flag| *flag == Flag::Failed;
        all.push(numbers(values.map(|(&value, flag)| {
            if missing(flag) {
                f64::NAN
            } else {
                in_unit(&unit, 0, value)
            }
        })));
        if let Some(law) = &equation.law {
            let parts = law.numbers();
            all.extend(parts.enumerate().map(|(part, values)| {
                let unit = &unit[..usize::from(has_unit(part))];
                numbers(values.iter().map(|value| in_unit(unit, 0, *value)))
            }));
            all.push(texts(law.methods.iter().map(AsRef::as_ref)));
        }
    }
    let regime = |regime: &Option<usize>| regime.map_or("", |regime| regimes[regime]);
    all.push(texts(columns.regimes.iter().map(regime)));
    let mut notes = columns.notes.iter().peekable();
    all.push(texts(lanes.map(|lane| {
        let note = notes.next_if(|(place, _)| *place == lane);
        note.map_or("", |(_, note)| note.as_ref())
    })));
    all
}
