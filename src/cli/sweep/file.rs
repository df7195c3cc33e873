//! The file of a sweep, which may have rows already.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use super::Arguments;
use super::watch::Pipe;
use crate::diagnostic::Error;
use crate::sweep::{Rows, Sweep, Watch};

/// Written at once.
const BUFFER: usize = 1 << 20;

pub fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::new(format!("cannot write `{}`: {error}", path.display()))
}

pub type Out = BufWriter<Box<dyn Write>>;

/// Where rows go, and the point of the first one that is not there yet.
pub fn open(
    arguments: &Arguments,
    sweep: &Sweep,
    range: (u64, u64),
    rows: &Rows,
    watch: &Arc<Watch>,
) -> Result<(Out, u64), Error> {
    let summary = !arguments.aggregate.is_empty();
    let first = arguments.shard.is_none_or(|shard| shard.number == 1);
    let head = match first && !summary {
        true => rows.head(),
        false => Vec::new(),
    };
    let Some(path) = arguments.file() else {
        let mut out =
            BufWriter::with_capacity(BUFFER, Box::new(Pipe(watch.clone())) as Box<dyn Write>);
        out.write_all(&head)
            .map_err(|error| cannot_write(Path::new("-"), &error))?;
        return Ok((out, range.0));
    };
    let fail = |error: std::io::Error| cannot_write(path, &error);
    let mut start = range.0;
    let file = match arguments.resume && path.exists() {
        false => {
            let mut file = File::create(path).map_err(fail)?;
            file.write_all(&head).map_err(fail)?;
            file
        }
        true => {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .open(path)
                .map_err(fail)?;
            let (next, length) = resumed(&mut file, path, sweep, range, rows, &head)?;
            start = next;
            file.set_len(length).map_err(fail)?;
            file.seek(SeekFrom::End(0)).map_err(fail)?;
            if length == 0 {
                file.write_all(&head).map_err(fail)?;
            }
            file
        }
    };
    Ok((
        BufWriter::with_capacity(BUFFER, Box::new(file) as Box<dyn Write>),
        start,
    ))
}

/// The next point after the whole rows of a file, and where they end.
fn resumed(
    file: &mut File,
    path: &Path,
    sweep: &Sweep,
    range: (u64, u64),
    rows: &Rows,
    head: &[u8],
) -> Result<(u64, u64), Error> {
    let fail =
        |error: std::io::Error| Error::new(format!("cannot read `{}`: {error}", path.display()));
    let other = || {
        Error::new(format!(
            "`{}` holds another sweep: `--resume` goes on with the same model, values and conditions",
            path.display()
        ))
    };
    let mut begun = Vec::new();
    let mut begin = Read::by_ref(file).take(head.len() as u64);
    begin.read_to_end(&mut begun).map_err(fail)?;
    if !head.starts_with(&begun) {
        return Err(other());
    }
    if begun.len() < head.len() {
        return Ok((range.0, 0));
    }
    let (mut count, mut length, mut last) = (0, head.len() as u64, Vec::new());
    let mut reader = BufReader::with_capacity(BUFFER, file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(fail)?;
        if read == 0 || line.last() != Some(&b'\n') {
            break;
        }
        count += 1;
        length += read as u64;
        std::mem::swap(&mut line, &mut last);
    }
    let text = String::from_utf8_lossy(&last);
    let parameters = match count {
        0 => Vec::new(),
        _ => rows.read_parameters(text.trim_end()).ok_or_else(other)?,
    };
    let next = sweep.resumed(range, count, &parameters, &Watch::default())?;
    next.map(|next| (next, length)).ok_or_else(other)
}
