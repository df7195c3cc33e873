//! `pamela merge`

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::Outcome;
use super::columns::{TableFormat, file, form};
use super::output::cannot_write;
use super::sweep::Pipe;
use crate::diagnostic::Error;
use crate::sweep::{Form, Parts, Watch};

pub const EXAMPLES: &str = "\
Examples:
  pamela merge study -o table.csv
  pamela merge study | head

The directory is one that `pamela sweep --parts DIR` wrote, or the Python package. The table is that of the whole sweep, \
byte by byte: its rows, or the figures or the best rows that were asked for. A part that is missing, or is not as it was \
written, is an error.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The directory of the parts
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Write to this file, or `-` for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The format of the table [default: by the name of the file, else that of the parts]
    #[arg(long, value_enum)]
    pub format: Option<TableFormat>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let parts = Parts::open(&arguments.directory)?;
    let output = file(&arguments.output);
    let asked = form(arguments.format, output)?;
    // Only a stream goes through a pipe.
    let usual = match (parts.wanted().form(), output) {
        (Form::Arrow, None) => Form::Stream,
        (own, _) => own,
    };
    merge(&parts, asked.unwrap_or(usual), output)?;
    Ok(Outcome::Done)
}

/// Writes the table of all parts.
pub fn merge(parts: &Parts, form: Form, output: Option<&Path>) -> Result<(), Error> {
    parts.merge(form, || {
        let out: Box<dyn Write + Send> = match output {
            Some(path) => Box::new(File::create(path).map_err(|e| cannot_write(path, &e))?),
            None => Box::new(Pipe(Arc::new(Watch::default()))),
        };
        Ok(Box::new(BufWriter::with_capacity(1 << 20, out)))
    })
}
