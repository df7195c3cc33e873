//! Files with recorded tasks; the content determines the format.

mod chrome;
mod csv_table;
mod dot;
mod dot_graph;
mod entries;
mod json;
mod ninja;
mod otf2;
mod otlp;
mod runs;
mod slices;
mod spans;
mod stg;
#[cfg(test)]
mod tests;
mod values;
mod wfformat;

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::Error;
use crate::tasks::{Place, Tasks};

/// Maximum size of a file.
pub const MAX_BYTES: usize = 64 << 20;

/// The contents of recorded task files.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Format of the files.
    pub format: Format,
    /// The tasks, with a time for each recorded run.
    pub tasks: Tasks,
    /// Unit of the times; `None` for formats that do not state one.
    pub unit: Option<Unit>,
    /// Recorded total time of each run; empty if not recorded.
    pub makespans: Vec<f64>,
    /// Number of cores of the run, if recorded.
    pub cores: Option<f64>,
    /// Remarks for readers of the numbers, in sentences.
    pub notes: Vec<String>,
}

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table with the columns `task`, `after`, `time`.
    Table,
    /// Trace events in Chrome's format, which Perfetto shows.
    TraceEvents,
    /// WfFormat 1.5 and 1.6 of WfCommons.
    WfFormat,
    /// The log of Ninja and its graph.
    Ninja,
    /// A directed graph of Graphviz.
    Dot,
    /// A standard task graph of Kasahara's laboratory.
    Stg,
    /// Spans of OpenTelemetry.
    OpenTelemetry,
    /// Spans of Jaeger.
    Jaeger,
    /// A trace of MPI, as `otf2-print` prints it.
    Otf2,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 1 s.
    Seconds,
    /// 1e-3 s.
    Milliseconds,
    /// 1e-6 s.
    Microseconds,
}

/// Options for reading traces, which record more than a graph.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Meaning of the order of slices on a track. The default is [`Tracks::Free`] if there are flows; without flows a
    /// value is required.
    pub tracks: Option<Tracks>,
    /// Only slices with this name are tasks.
    pub name: Option<String>,
    /// Only slices of this category are tasks.
    pub category: Option<String>,
}

/// Meaning of the order of slices on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tracks {
    /// Each slice waits for the one before it, as on ranks and streams.
    Order,
    /// The order was the choice of a scheduler, so slices do not wait for each other.
    Free,
}

/// A file as text.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Name of the file in errors.
    pub name: &'a str,
    /// Contents of the file.
    pub text: &'a str,
}

/// Reads files: several runs of the same tasks, or the log and the graph of a build.
///
/// # Errors
/// Fails if a file cannot be read, is larger than [`MAX_BYTES`], which is checked before reading it, or is invalid.
pub fn read(paths: &[&Path], options: &Options) -> Result<Recording, Error> {
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let mut texts = Vec::new();
    for (path, name) in paths.iter().zip(&names) {
        texts.push(text_of(path, name)?);
    }
    let sources: Vec<Source> = (names.iter().zip(&texts))
        .map(|(name, text)| Source { name, text })
        .collect();
    parse(&sources, options)
}

/// Like [`read`], for texts.
///
/// # Errors
/// Fails if a text is invalid, or if there are no texts.
pub fn parse(sources: &[Source], options: &Options) -> Result<Recording, Error> {
    if let Some(large) = sources.iter().find(|source| source.text.len() > MAX_BYTES) {
        return Err(too_large(large.name));
    }
    let mut recordings = Vec::new();
    let (builds, others): (Vec<Source>, Vec<Source>) =
        sources.iter().partition(|source| ninja::is_of(source.text));
    if !builds.is_empty() {
        recordings.push(ninja::parse(&builds)?);
    }
    for source in others {
        let text = source.text.strip_prefix('\u{feff}').unwrap_or(source.text);
        let source = Source { text, ..source };
        match text.trim_start().as_bytes().first() {
            None => {
                return Err(Error::at(
                    source.name,
                    "the file is empty: there are no tasks in it",
                ));
            }
            Some(b'{' | b'[') => recordings.extend(json::parse(source, options)?),
            Some(_) if dot::is_of(text) => recordings.push(dot_graph::parse(source)?),
            Some(_) if otf2::is_of(text) => recordings.push(otf2::parse(source)?),
            Some(_) if stg::is_of(text) => recordings.push(stg::parse(source)?),
            Some(_) => recordings.push(csv_table::parse(source)?),
        }
    }
    runs::merged(recordings)
}

fn text_of(path: &Path, name: &str) -> Result<String, Error> {
    let failed =
        |error: std::io::Error| Error::at(name, format!("the file cannot be read: {error}"));
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() > MAX_BYTES as u64 {
        return Err(too_large(name));
    }
    // The size of anything but a plain file is not known in advance.
    let mut bytes = Vec::new();
    file.take(MAX_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() > MAX_BYTES {
        return Err(too_large(name));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
        Error::at(format!("{name}:{line}"), "this is not UTF-8 text")
    })
}

fn too_large(name: &str) -> Error {
    let most = MAX_BYTES >> 20;
    Error::at(
        name,
        format!("the file is larger than {most} MiB, the limit: remove entries that are not tasks"),
    )
}

impl Recording {
    /// An empty recording of a file whose tasks are the entries of `list`, if the format has one.
    fn new(format: Format, unit: Option<Unit>, file: &str, list: &'static str) -> Recording {
        Recording {
            format,
            tasks: Tasks::of_file(file, list),
            unit,
            makespans: Vec::new(),
            cores: None,
            notes: Vec::new(),
        }
    }

    /// Adds a task under a name that others may have: they are numbered.
    fn add_numbered(&mut self, name: &str, place: Place) -> Result<u32, Error> {
        let (task, is_new) = self.tasks.find_or_add(name, place)?;
        if is_new {
            return Ok(task);
        }
        let mut number = self.tasks.count_again(task);
        loop {
            let numbered = format!("{name} ({number})");
            let (task, is_new) = self.tasks.find_or_add(&numbered, place)?;
            if is_new {
                return Ok(task);
            }
            number += 1;
        }
    }
}

impl Unit {
    /// The unit in seconds.
    pub fn seconds(self) -> f64 {
        match self {
            Unit::Seconds => 1.0,
            Unit::Milliseconds => 1e-3,
            Unit::Microseconds => 1e-6,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Seconds => "s",
            Unit::Milliseconds => "ms",
            Unit::Microseconds => "us",
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Table => "table of tasks",
            Format::TraceEvents => "trace events",
            Format::WfFormat => "WfFormat",
            Format::Ninja => "Ninja",
            Format::Dot => "DOT",
            Format::Stg => "standard task graph",
            Format::OpenTelemetry => "OpenTelemetry",
            Format::Jaeger => "Jaeger",
            Format::Otf2 => "text of otf2-print",
        })
    }
}
