//! Continues text files of interrupted sweeps.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Format, Sweep, Watch};
use crate::diagnostic::{Error, Result};

/// Read at once.
const BUFFER: usize = 1 << 20;

impl Sweep {
    /// Opens the file of a table, which may hold some rows already.
    ///
    /// Keeps complete rows and removes an incomplete last row. Returns the file and the number of
    /// the point to write next. The table begins with `head`.
    ///
    /// # Errors
    /// Fails if the file belongs to another sweep, or cannot be read or written.
    pub fn resume(
        &self,
        path: &Path,
        range: (u64, u64),
        format: Format,
        head: &[u8],
    ) -> Result<(File, u64)> {
        let fail = |error| Error::new(format!("cannot write `{}`: {error}", path.display()));
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(fail)?;
        let (next, length) = self.whole_rows(&mut file, path, range, format, head)?;
        file.set_len(length).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        if length == 0 {
            file.write_all(head).map_err(fail)?;
        }
        Ok((file, next))
    }

    /// The next point after the whole rows of a file, and where they end.
    fn whole_rows(
        &self,
        file: &mut File,
        path: &Path,
        range: (u64, u64),
        format: Format,
        head: &[u8],
    ) -> Result<(u64, u64)> {
        let fail = |error: std::io::Error| {
            Error::new(format!("cannot read `{}`: {error}", path.display()))
        };
        let other = || {
            let message = format!("`{}` holds another sweep", path.display());
            Error::new(message).hint("continue a file with the same model, values and conditions")
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
            _ => {
                let read = self.rows(format).read_parameters(text.trim_end());
                read.ok_or_else(other)?
            }
        };
        let next = self.resumed(range, count, &parameters, &Watch::default())?;
        next.map(|next| (next, length)).ok_or_else(other)
    }
}
