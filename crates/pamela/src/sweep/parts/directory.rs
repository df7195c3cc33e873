//! A directory with the parts of a sweep.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::manifest::{Manifest, Receipt, cannot_write, file_checksum, whole, whole_text};
use super::partial::{PartialBest, PartialFigures};
use super::{Division, Form, SweepRequest};
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::sweep::{Best, Sweep, Watch};

/// Written at once.
const BUFFER: usize = 1 << 20;

/// The parts of a sweep in a directory, finished or not.
#[derive(Clone, Debug)]
pub struct Parts {
    directory: PathBuf,
    pub(super) manifest: Manifest,
    question: String,
}

impl Parts {
    /// Starts or continues a sweep in a directory, which may be empty or hold parts of the same
    /// request.
    ///
    /// # Errors
    /// Fails if the directory has parts of another request, if there are too many parts, or if
    /// files cannot be read or written.
    pub fn begin(
        directory: &Path,
        compiled: &Compiled,
        sweep: &Sweep,
        range: (u64, u64),
        wanted: SweepRequest,
        parts: Option<u64>,
    ) -> Result<Parts> {
        check(sweep, range, &wanted)?;
        let division = Division::of(sweep, range, &wanted, parts)?;
        let manifest = Manifest::of(compiled, sweep, wanted, division)?;
        let known = Manifest::read(directory)?;
        if let Some(difference) = known.as_ref().and_then(|own| manifest.difference(own)) {
            let message = format!(
                "`{}` has parts of another sweep, which differs in {difference}",
                directory.display()
            );
            return Err(Error::new(message).hint("choose another directory, or remove this one"));
        }
        if known.is_none() {
            let done = directory.join("_done");
            fs::create_dir_all(&done).map_err(|error| cannot_write(&done, &error))?;
            whole_text(&directory.join("_pamela.json"), &manifest.text()?)?;
        }
        Parts::of(directory, manifest)
    }

    /// Opens a directory that has parts.
    ///
    /// # Errors
    /// Fails if the directory has no parts, or cannot be read.
    pub fn open(directory: &Path) -> Result<Parts> {
        match Manifest::read(directory)? {
            Some(manifest) => Parts::of(directory, manifest),
            None => {
                let message = format!("`{}` has no parts of a sweep", directory.display());
                Err(Error::new(message).hint("`pamela sweep .. --parts DIR` writes them"))
            }
        }
    }

    fn of(directory: &Path, manifest: Manifest) -> Result<Parts> {
        Ok(Parts {
            directory: directory.to_owned(),
            question: manifest.question()?,
            manifest,
        })
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The request that the parts answer.
    pub fn wanted(&self) -> &SweepRequest {
        &self.manifest.wanted
    }

    /// How the points are divided into parts.
    pub fn division(&self) -> Division {
        self.manifest.division
    }

    /// Numbers of the parts that are missing or damaged.
    pub fn missing(&self) -> Vec<u64> {
        let all = 0..self.division().count();
        all.filter(|&part| self.whole_part(part).is_err()).collect()
    }

    /// True if a part is complete and undamaged.
    pub fn has(&self, part: u64) -> bool {
        self.whole_part(part).is_ok()
    }

    pub(super) fn path(&self, part: u64) -> PathBuf {
        let ending = match self.wanted() {
            SweepRequest::Rows { form } => form.ending(),
            SweepRequest::Figures { .. } => "figures",
            SweepRequest::Best { .. } => "best",
        };
        self.directory.join(format!("part-{part:05}.{ending}"))
    }

    fn receipt_path(&self, part: u64) -> PathBuf {
        let name = format!("part-{part:05}.json");
        self.directory.join("_done").join(name)
    }

    /// The file of a complete part.
    ///
    /// # Errors
    /// Fails if the part is missing or damaged.
    pub(super) fn whole_part(&self, part: u64) -> Result<PathBuf> {
        let path = self.path(part);
        let wrong = |reason: String| {
            let message = format!("part {part}, `{}`, {reason}", path.display());
            Error::new(message).hint(
                "repeat the command or call that began the directory; it computes only the missing parts",
            )
        };
        let receipt = fs::read_to_string(self.receipt_path(part)).ok();
        let receipt: Option<Receipt> = receipt.and_then(|text| serde_json::from_str(&text).ok());
        let Some(receipt) = receipt else {
            return Err(wrong("is not there".to_string()));
        };
        if receipt.question != self.question {
            return Err(wrong("belongs to another sweep".to_string()));
        }
        match file_checksum(&path) {
            Err(error) => Err(wrong(format!("cannot be read: {error}"))),
            Ok((bytes, _)) if bytes != receipt.bytes => Err(wrong(format!(
                "has {bytes} bytes, but {} were written",
                receipt.bytes
            ))),
            Ok((_, sum)) if sum != receipt.checksum => Err(wrong(
                "does not have the bytes that were written".to_string(),
            )),
            Ok(_) => Ok(path),
        }
    }

    /// Computes a part and writes it atomically, unless it exists; `false` if the watch stopped it.
    ///
    /// # Errors
    /// Fails if the part number is invalid, or if output fails.
    pub fn write(&self, sweep: &Sweep, part: u64, watch: &Watch) -> Result<bool> {
        let count = self.division().count();
        if part >= count {
            let last = count.saturating_sub(1);
            let message = format!("no part {part}: the parts are 0 to {last}");
            return Err(Error::new(message));
        }
        let path = self.path(part);
        let mut sum = (0, String::new());
        if self.has(part) {
            return Ok(true);
        }
        // It may never have been there.
        let _ = fs::remove_file(self.directory.join("_SUCCESS"));
        let written = whole(&path, |own| {
            let cannot = |error: std::io::Error| cannot_write(&path, &error);
            let file = File::create(own).map_err(cannot)?;
            self.put(sweep, part, watch, &file)?;
            if watch.interrupted() {
                return Ok(false);
            }
            file.sync_all().map_err(cannot)?;
            sum = file_checksum(own).map_err(cannot)?;
            Ok(true)
        });
        match written {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            // Another process has written it meanwhile, and ended what was begun.
            Err(_) if self.has(part) => return Ok(true),
            Err(error) => return Err(error),
        }
        let (start, end) = self.division().range(part);
        let receipt = Receipt {
            question: self.question.clone(),
            points: end - start,
            bytes: sum.0,
            checksum: sum.1,
        };
        let text = serde_json::to_string_pretty(&receipt);
        let text = text.map_err(|error| Error::new(format!("cannot write: {error}")))?;
        whole_text(&self.receipt_path(part), &(text + "\n"))?;
        Ok(true)
    }

    fn put(&self, sweep: &Sweep, part: u64, watch: &Watch, file: &File) -> Result<()> {
        let range = self.division().range(part);
        let mut out = BufWriter::with_capacity(BUFFER, file);
        let bytes = match self.wanted() {
            SweepRequest::Rows { form } => {
                let Some(format) = form.text() else {
                    return columns(sweep, range, *form, watch, out);
                };
                if part == 0 {
                    out.write_all(&sweep.rows(format).head())
                        .map_err(|error| Error::new(format!("cannot write: {error}")))?;
                }
                return sweep.table(range, format, watch, &mut out);
            }
            SweepRequest::Figures { by, .. } => {
                encoded(&PartialFigures::of(sweep, range, by, watch)?)?
            }
            SweepRequest::Best {
                count,
                by,
                smallest,
                form,
            } => {
                let best = Best::new(*count, *smallest);
                let format = form.text().unwrap_or(crate::sweep::Format::Csv);
                encoded(&PartialBest::of(sweep, range, by, best, format, watch)?)?
            }
        };
        let written = out.write_all(&bytes).and_then(|()| out.flush());
        written.map_err(|error| Error::new(format!("cannot write: {error}")))
    }

    /// Writes `_SUCCESS` if all parts are complete; returns `false` if some are missing.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
    pub fn finish(&self) -> Result<bool> {
        let all = (0..self.division().count()).all(|part| self.receipt_path(part).exists());
        if all {
            self.remove_begun()?;
            whole_text(&self.directory.join("_SUCCESS"), "")?;
        }
        Ok(all)
    }

    /// Removes what processes that were killed had begun.
    fn remove_begun(&self) -> Result<()> {
        let fail = |error: std::io::Error| cannot_write(&self.directory, &error);
        for entry in fs::read_dir(&self.directory).map_err(fail)? {
            let name = entry.map_err(fail)?.file_name();
            if name.to_string_lossy().starts_with(".part-") {
                // Its process may end in this moment.
                let _ = fs::remove_file(self.directory.join(name));
            }
        }
        Ok(())
    }
}

fn encoded(part: &impl serde::Serialize) -> Result<Vec<u8>> {
    postcard::to_allocvec(part).map_err(|error| Error::new(format!("cannot write: {error}")))
}

/// Checks that can be made before anything is computed.
fn check(sweep: &Sweep, (start, _): (u64, u64), wanted: &SweepRequest) -> Result<()> {
    match wanted {
        SweepRequest::Rows { form } => match form.text() {
            Some(_) => Ok(()),
            None => columns(
                sweep,
                (start, start),
                *form,
                &Watch::default(),
                std::io::sink(),
            ),
        },
        SweepRequest::Figures { by, .. } => {
            let nothing = sweep.summarised((start, start), by, &Watch::default());
            nothing.map(|_| ())
        }
        SweepRequest::Best { by, form, .. } => {
            sweep.check_column(by)?;
            match form.text() {
                Some(_) => Ok(()),
                None => Err(Error::new(
                    "the best rows of parts can only be written as CSV or JSON lines",
                )),
            }
        }
    }
}

#[cfg(feature = "columns")]
fn columns(
    sweep: &Sweep,
    range: (u64, u64),
    form: Form,
    watch: &Watch,
    out: impl Write + Send,
) -> Result<()> {
    sweep.columns(range, None, super::merge::columnar(form), watch, out)
}

#[cfg(not(feature = "columns"))]
fn columns(_: &Sweep, _: (u64, u64), _: Form, _: &Watch, _: impl Write + Send) -> Result<()> {
    Err(super::merge::not_built())
}
