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
  pamela sweep corpus/papers/mrm.pam -D P=1:64 -D N=100 -D tl=10 -D ts=0.5 --parts parts
  pamela merge parts -o table.csv
  pamela merge parts | head";

pub const NOTES: &str = "\
DIR was written by `pamela sweep --parts DIR` or by the Python package. The table has the same bytes as that of the \
undivided sweep. A missing or damaged part is an error.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Directory of the parts
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Write to this file; `-` is standard output, the default
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Format: csv, jsonl, parquet, arrow [default: by the file name]
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
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
