//! Preprocessed text: the lines that the user wrote, and their places.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::extensions;
use super::pragma::Pragma;
use crate::problem::{Place, Problem};

/// Longer texts are refused.
const LONGEST: usize = 64 << 20;

/// Origin of a line of the preprocessed text.
#[derive(Clone, Copy, Debug)]
struct Origin {
    file: u32,
    line: u32,
}

/// The preprocessed text, and the same text with everything blanked except C code of the user.
#[derive(Clone, Debug)]
pub struct Text {
    /// Output of the preprocessor.
    pub full: String,
    /// Text of the same length, with spaces in place of line markers, pragmas, compiler extensions and system
    /// headers.
    pub code: String,
    pub pragmas: Vec<Pragma>,
    files: Vec<Arc<str>>,
    /// First byte of each line, and where it comes from.
    lines: Vec<(usize, Origin)>,
}

impl Text {
    /// Reads line markers and takes the pragmas out.
    ///
    /// # Errors
    /// Fails if the text is longer than 64 MB.
    pub fn new(name: &str, full: String) -> Result<Text, Problem> {
        if full.len() > LONGEST {
            return Err(Problem::new(format!(
                "`{name}` is longer than 64 MB after preprocessing"
            )));
        }
        let mut text = Text {
            code: String::with_capacity(full.len()),
            full: String::new(),
            pragmas: Vec::new(),
            files: vec![Arc::from(name)],
            lines: Vec::new(),
        };
        let mut here = Origin { file: 0, line: 1 };
        let mut system = false;
        let mut own = BTreeSet::from([name.to_string()]);
        let mut rest = full.split_inclusive('\n');
        let mut start = 0;
        while let Some(line) = rest.next() {
            text.lines.push((start, here));
            let mut end = start + line.len();
            if let Some((line, file, flags)) = marker(line) {
                here = Origin {
                    file: text.file(&file),
                    line,
                };
                // Text that a system macro inserts into a user's file belongs to that file.
                let is_system = flags.contains(&"3") && !own.contains(&file);
                system = is_system || file.starts_with('<');
                if !system {
                    own.insert(file);
                }
                blank(&mut text.code, &full[start..end]);
            } else if line.trim_start().starts_with('#') {
                let origin = here;
                here.line += 1;
                // A directive goes on behind a line that ends with a backslash.
                while full[start..end].trim_end().ends_with('\\') {
                    let Some(next) = rest.next() else { break };
                    text.lines.push((end, here));
                    end += next.len();
                    here.line += 1;
                }
                if !system {
                    let place = text.place_of(origin);
                    let pragma = Pragma::read(&full[start..end], start, place);
                    text.pragmas.extend(pragma);
                }
                blank(&mut text.code, &full[start..end]);
            } else {
                if system {
                    blank(&mut text.code, line)
                } else {
                    text.code.push_str(line)
                }
                here.line = here.line.saturating_add(1);
            }
            start = end;
        }
        text.full = full;
        text.code = extensions::without(text.code);
        Ok(text)
    }

    fn file(&mut self, name: &str) -> u32 {
        let known = self.files.iter().position(|file| **file == *name);
        let place = known.unwrap_or_else(|| {
            self.files.push(Arc::from(name));
            self.files.len() - 1
        });
        place as u32
    }

    fn place_of(&self, origin: Origin) -> Place {
        let line = origin.line as usize;
        Place {
            file: self.files[origin.file as usize].clone(),
            first: line,
            last: line,
        }
    }

    fn origin(&self, byte: usize) -> Origin {
        let after = self.lines.partition_point(|(start, _)| *start <= byte);
        match after.checked_sub(1).and_then(|line| self.lines.get(line)) {
            Some((_, origin)) => *origin,
            None => Origin { file: 0, line: 1 },
        }
    }

    /// The lines of the user's files for bytes of the text.
    pub fn place(&self, start: usize, end: usize) -> Place {
        let mut place = self.place_of(self.origin(start));
        let last = self.place_of(self.origin(end.saturating_sub(1).max(start)));
        if last.file == place.file && last.first > place.first {
            place.last = last.first;
        }
        place
    }
}

/// The line, file and flags of `# 12 "file.c" 1 3`.
fn marker(line: &str) -> Option<(u32, String, Vec<&str>)> {
    let rest = line.trim().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line ").unwrap_or(rest).trim_start();
    let (number, rest) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    let rest = rest.trim_start().strip_prefix('"')?;
    let end = rest.rfind('"')?;
    let flags = rest[end + 1..].split_whitespace().collect();
    Some((number, rest[..end].replace("\\\\", "\\"), flags))
}

/// Appends as many bytes of spaces; line breaks stay.
fn blank(code: &mut String, text: &str) {
    code.extend(
        text.bytes()
            .map(|byte| if byte == b'\n' { '\n' } else { ' ' }),
    );
}
