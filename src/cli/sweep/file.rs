//! The file of a sweep, which may have rows already.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use super::Arguments;
use super::watch::Pipe;
use crate::cli::output::cannot_write;
use crate::diagnostic::Error;
use crate::sweep::{Format, Sweep, Watch};

/// Written at once.
const BUFFER: usize = 1 << 20;

pub type RowWriter = BufWriter<Box<dyn Write>>;

/// Opens the output of rows; also returns the first point that is missing in it.
pub fn open(
    arguments: &Arguments,
    sweep: &Sweep,
    range: (u64, u64),
    format: Format,
    watch: &Arc<Watch>,
) -> Result<(RowWriter, u64), Error> {
    let summary = !arguments.aggregate.is_empty();
    let first = arguments.shard.is_none_or(|shard| shard.number == 1);
    let head = if first && !summary {
        sweep.rows(format).head()
    } else {
        Vec::new()
    };
    let Some(path) = arguments.file() else {
        let mut out =
            BufWriter::with_capacity(BUFFER, Box::new(Pipe(watch.clone())) as Box<dyn Write>);
        out.write_all(&head)
            .map_err(|error| cannot_write(Path::new("-"), &error))?;
        return Ok((out, range.0));
    };
    let fail = |error: std::io::Error| cannot_write(path, &error);
    let (file, start) = if arguments.resume {
        sweep.resume(path, range, format, &head)?
    } else {
        let mut file = File::create(path).map_err(fail)?;
        file.write_all(&head).map_err(fail)?;
        (file, range.0)
    };
    let file: Box<dyn Write> = Box::new(file);
    Ok((BufWriter::with_capacity(BUFFER, file), start))
}
