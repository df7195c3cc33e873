//! Tables in columnar files.

use std::io::Write;

use pamela_columns::{Column, Field, Format, Problem, Writer, numbers, texts};

use super::rows::{Kind, table_columns};
use super::run::BatchResult;
use super::{Best, Sweep, Watch};
use crate::compiled::Flag;
use crate::diagnostic::{Error, Result};

fn cannot_write(problem: Problem) -> crate::diagnostic::Error {
    Error::new(format!("cannot write: {problem}"))
}

impl Sweep {
    /// Writes the columns of a table of the points from one to before another, or of the best of these by a column.
    ///
    /// # Errors
    /// A name of no column of numbers; what cannot be written.
    pub fn columns(
        &self,
        range: (u64, u64),
        best: Option<(&str, Best)>,
        format: Format,
        watch: &Watch,
        out: impl Write + Send,
    ) -> Result<()> {
        let fields = self.fields();
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
        // What was done before an interruption can be read.
        writer.finish().map_err(cannot_write)
    }

    /// The columns in the order of [`columns_of`].
    fn fields(&self) -> Vec<Field> {
        let columns = table_columns(self.parameters(), self.plan()).into_iter();
        let field = |(name, kind): (String, Kind)| Field {
            texts: kind == Kind::Text || self.grid.row_names(&name).is_some(),
            name,
            repeats: kind != Kind::Value,
        };
        columns.map(field).collect()
    }
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
            None => numbers(values),
        });
    }
    for equation in &columns.equations {
        let values = equation.values.iter().zip(&equation.flags);
        let missing = |flag: &Flag| *flag == Flag::Failed;
        all.push(numbers(values.map(|(&value, flag)| match missing(flag) {
            true => f64::NAN,
            false => value,
        })));
        if let Some(law) = &equation.law {
            let parts = law.numbers();
            all.extend(parts.map(|values| numbers(values.iter().copied())));
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
