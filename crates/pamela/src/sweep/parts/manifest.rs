//! Files beside the parts: the request, and receipts of finished parts.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Division, SweepRequest};
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::sweep::rows::Kind;
use crate::sweep::{Axis, Sweep, Values};

/// Directories of other formats are not read.
const FORMAT: u32 = 3;

/// The request for which parts are computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the file format.
    format: u32,
    /// Version of the program; another version may write other bytes.
    version: String,
    /// Checksum of the compiled model.
    model: String,
    /// Checksum of the values of parameters and of the conditions on points.
    values: String,
    pub wanted: SweepRequest,
    pub division: Division,
    /// Number of parts, for readers.
    parts: u64,
    /// Columns of the table.
    pub columns: Vec<(String, Kind)>,
}

/// Receipt of a complete part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Checksum of the request.
    pub question: String,
    pub points: u64,
    pub bytes: u64,
    pub checksum: String,
}

impl Manifest {
    pub fn of(
        compiled: &Compiled,
        sweep: &Sweep,
        wanted: SweepRequest,
        division: Division,
    ) -> Result<Manifest> {
        let graphs = format!("{:?}", compiled.graphs());
        Ok(Manifest {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_string(),
            model: checksum([compiled.save()?.as_bytes(), graphs.as_bytes()]),
            values: values_checksum(sweep),
            wanted,
            division,
            parts: division.count(),
            columns: sweep.table_columns(),
        })
    }

    /// Reads the manifest of a directory, if it has one.
    pub fn read(directory: &Path) -> Result<Option<Manifest>> {
        let path = directory.join("_pamela.json");
        let wrong = |reason: String| {
            let message = format!("cannot read `{}`: {reason}", path.display());
            Error::new(message).hint("remove it to start again")
        };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        match value.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format == u64::from(FORMAT) => {}
            Some(format) => {
                return Err(wrong(format!(
                    "it has format {format}, but pamela {} reads format {FORMAT}",
                    env!("CARGO_PKG_VERSION")
                )));
            }
            None => return Err(wrong("it is not a list of parts of a sweep".to_string())),
        }
        let manifest: Manifest =
            serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
        if Some(manifest.parts) == manifest.division.checked_count() {
            Ok(Some(manifest))
        } else {
            Err(wrong(
                "its numbers of points and parts do not agree".to_string(),
            ))
        }
    }

    pub fn text(&self) -> Result<String> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n")
            .map_err(|error| Error::new(format!("cannot write the list of parts: {error}")))
    }

    /// Checksum of the manifest.
    pub fn question(&self) -> Result<String> {
        Ok(checksum([self.text()?.as_bytes()]))
    }

    /// The first difference to another request.
    pub fn difference(&self, other: &Manifest) -> Option<&'static str> {
        let same = [
            (self.version == other.version, "the version of the program"),
            (self.model == other.model, "the model, or its options"),
            (self.values == other.values, "the values, or the conditions"),
            (
                self.wanted == other.wanted,
                "the computed values, or their format",
            ),
            (self.division == other.division, "the division into parts"),
            (self.columns == other.columns, "the columns of the table"),
        ];
        same.iter().find(|(same, _)| !same).map(|(_, what)| *what)
    }
}

/// SHA-256 checksum in hexadecimal.
pub fn checksum<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut sum = Sha256::new();
    for part in parts {
        // No two lists of parts are the same bytes.
        sum.update((part.len() as u64).to_le_bytes());
        sum.update(part);
    }
    hexadecimal(sum)
}

/// Length and checksum of a file, as `sha256sum` prints it.
pub fn file_checksum(path: &Path) -> std::io::Result<(u64, String)> {
    let (mut sum, mut length) = (Sha256::new(), 0);
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((length, hexadecimal(sum))),
            Ok(read) => {
                sum.update(&buffer[..read]);
                length += read as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hexadecimal(sum: Sha256) -> String {
    let digits = sum.finalize();
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn values_checksum(sweep: &Sweep) -> String {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let axis = |axis: &Axis, parts: &mut Vec<Vec<u8>>| {
        parts.push(axis.names.join(",").into_bytes());
        parts.extend(axis.values.iter().map(values_bytes));
    };
    sweep.grid.axes.iter().for_each(|own| axis(own, &mut parts));
    let constants = sweep.grid.constants.iter();
    parts.extend(constants.map(|(name, value)| format!("{name}={value}").into_bytes()));
    parts.extend(
        sweep
            .conditions()
            .map(|text| format!("?{text}").into_bytes()),
    );
    checksum(parts.iter().map(Vec::as_slice))
}

fn values_bytes(values: &Values) -> Vec<u8> {
    match values {
        Values::Range { first, step, count } => format!("{first}:{step}:{count}").into_bytes(),
        Values::List(list) => {
            let bits = list.values().iter().map(|value| value.to_bits());
            let mut bytes: Vec<u8> = bits.flat_map(u64::to_le_bytes).collect();
            let exact = list.beyond_doubles().iter().flatten();
            exact.for_each(|value| bytes.extend(format!(",{value}").into_bytes()));
            bytes
        }
    }
}

/// Writes a file atomically: `write` fills a temporary file, which is then renamed to `path`.
pub fn whole(path: &Path, write: impl FnOnce(&Path) -> Result<bool>) -> Result<bool> {
    let own = own_name(path);
    let kept = write(&own).and_then(|done| {
        if done {
            fs::rename(&own, path)
                .map(|()| true)
                .map_err(|error| cannot_write(path, &error))
        } else {
            Ok(false)
        }
    });
    if !matches!(kept, Ok(true)) {
        // It may never have been there.
        let _ = fs::remove_file(&own);
    }
    kept
}

/// Writes a text atomically.
pub fn whole_text(path: &Path, text: &str) -> Result<()> {
    let write = |own: &Path| fs::write(own, text).map_err(|error| cannot_write(path, &error));
    whole(path, |own| write(own).map(|()| true)).map(|_| ())
}

/// A name that no other process uses, here or on another machine. Readers of the directory ignore names with a dot.
fn own_name(path: &Path) -> PathBuf {
    use std::hash::{BuildHasher, RandomState};
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let random = RandomState::new().hash_one(std::process::id());
    path.with_file_name(format!(".{name}.{random:016x}"))
}

pub fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::new(format!("cannot write `{}`: {error}", path.display()))
}
