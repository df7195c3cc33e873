//! Merges all parts into one table.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::partial::{BestRows, PartialBest, PartialFigures};
use super::{Form, Parts, SweepRequest};
use crate::diagnostic::{Error, Result};
use crate::sweep::rows::Rows;
use crate::sweep::{Aggregate, Best, Format};

fn cannot_write(error: impl std::fmt::Display) -> Error {
    Error::new(format!("cannot write: {error}"))
}

impl Parts {
    /// The format of the merged table: `asked`, or the format of the parts.
    ///
    /// # Errors
    /// Fails if the parts cannot be merged into that format.
    pub fn merged_form(&self, asked: Option<Form>) -> Result<Form> {
        let own = self.wanted().form();
        let form = asked.unwrap_or(own);
        let can = match self.wanted() {
            SweepRequest::Rows { form: own } => form == *own || own.text().is_none(),
            SweepRequest::Figures { .. } => form.text().is_some(),
            SweepRequest::Best { .. } => form == own,
        };
        if can {
            Ok(form)
        } else {
            Err(Error::new(format!(
                "the parts in `{}` can only be merged into a table as .{}, not as .{}",
                self.directory().display(),
                own.ending(),
                form.ending()
            )))
        }
    }

    /// Writes the table of all parts, byte for byte the table of the whole sweep.
    ///
    /// Checks all parts before the first byte is written.
    ///
    /// # Errors
    /// Fails if a part is missing or damaged, if the parts have another format, or if output fails.
    pub fn merge(
        &self,
        form: Form,
        open: impl FnOnce() -> Result<Box<dyn Write + Send>>,
    ) -> Result<()> {
        let form = self.merged_form(Some(form))?;
        let parts = (0..self.division().count()).map(|part| self.whole_part(part));
        let parts = parts.collect::<Result<Vec<PathBuf>>>()?;
        self.finish()?;
        match self.wanted() {
            SweepRequest::Rows { form: own } => match own.text() {
                Some(format) => self.merge_lines(&parts, format, open()?),
                None => self.merge_columns(&parts, *own, form, open()?),
            },
            SweepRequest::Figures { figures, .. } => {
                let format = form.text().unwrap_or(Format::Csv);
                write(open()?, &merged_figures(&parts, figures, format)?)
            }
            SweepRequest::Best {
                count, smallest, ..
            } => {
                let mut rows = BestRows::new(Best::new(*count, *smallest));
                for part in &parts {
                    rows.add(decoded::<PartialBest>(part)?);
                }
                let mut text = self.head(form.text().unwrap_or(Format::Csv));
                text.extend(rows.text());
                write(open()?, &text)
            }
        }
    }

    fn names(&self) -> Vec<String> {
        let columns = self.manifest.columns.iter();
        columns.map(|(name, _)| name.clone()).collect()
    }

    fn head(&self, format: Format) -> Vec<u8> {
        Rows::of_cells(format, self.names()).head()
    }

    fn merge_lines(
        &self,
        parts: &[PathBuf],
        format: Format,
        mut out: Box<dyn Write + Send>,
    ) -> Result<()> {
        if parts.is_empty() {
            out.write_all(&self.head(format)).map_err(cannot_write)?;
        }
        for part in parts {
            let mut file = File::open(part).map_err(|error| cannot_read(part, error))?;
            std::io::copy(&mut file, &mut out).map_err(cannot_write)?;
        }
        out.flush().map_err(cannot_write)
    }

    #[cfg(not(feature = "columns"))]
    fn merge_columns(
        &self,
        _: &[PathBuf],
        _: Form,
        _: Form,
        _: Box<dyn Write + Send>,
    ) -> Result<()> {
        Err(not_built())
    }

    /// Columns are put together again as the whole writes them, or as lines of text.
    #[cfg(feature = "columns")]
    fn merge_columns(
        &self,
        parts: &[PathBuf],
        own: Form,
        form: Form,
        mut out: Box<dyn Write + Send>,
    ) -> Result<()> {
        use pamela_columns::{Cell, Column, Writer, batches};
        let each = |take: &mut dyn FnMut(Vec<Column>) -> Result<()>| {
            for part in parts {
                let wrong = |problem| cannot_read(part, problem);
                for batch in batches(part, columnar(own)).map_err(wrong)? {
                    take(batch.map_err(wrong)?)?;
                }
            }
            Ok(())
        };
        let Some(format) = form.text() else {
            let fields = crate::sweep::columnar::fields(&self.manifest.columns);
            let mut writer = Writer::new(out, columnar(form), &fields).map_err(cannot_write)?;
            each(&mut |columns| writer.write(&columns).map_err(cannot_write))?;
            return writer.finish().map_err(cannot_write);
        };
        let rows = Rows::of_cells(format, self.names());
        out.write_all(&rows.head()).map_err(cannot_write)?;
        each(&mut |columns| {
            let mut text = Vec::new();
            for row in 0..columns.first().map_or(0, Column::len) {
                rows.line(&mut text, |line| {
                    columns.iter().for_each(|column| match column.cell(row) {
                        Cell::Number(value) => line.number(value),
                        Cell::Text(text) => line.text(text),
                    });
                });
            }
            out.write_all(&text).map_err(cannot_write)
        })?;
        out.flush().map_err(cannot_write)
    }
}

fn merged_figures(parts: &[PathBuf], figures: &[Aggregate], format: Format) -> Result<Vec<u8>> {
    let mut all: Option<PartialFigures> = None;
    for part in parts {
        let later: PartialFigures = decoded(part)?;
        match &mut all {
            None => all = Some(later),
            Some(before) => before.merge(later)?,
        }
    }
    Ok(all.map_or_else(Vec::new, |all| all.text(figures, format)))
}

fn decoded<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let bytes = std::fs::read(path).map_err(|error| cannot_read(path, error))?;
    postcard::from_bytes(&bytes).map_err(|error| cannot_read(path, error))
}

fn cannot_read(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::new(format!("cannot read `{}`: {error}", path.display()))
}

fn write(mut out: Box<dyn Write + Send>, bytes: &[u8]) -> Result<()> {
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(cannot_write)
}

/// The kind of columnar file for a format.
#[cfg(feature = "columns")]
pub fn columnar(form: Form) -> pamela_columns::Format {
    form.columns().unwrap_or(pamela_columns::Format::Parquet)
}

#[cfg(not(feature = "columns"))]
pub fn not_built() -> Error {
    let message =
        "this program was built without Parquet and Arrow; build it with the feature `columns`";
    Error::new(message).hint("or use CSV or JSON lines")
}
