//! The only CSV reader.
//!
//! - Columns are separated by commas, or by semicolons or tabs if the first line has one
//!   ([`separator`]).
//! - Blank lines, lines that start with `#`, and a byte order mark are skipped.
//! - Blanks around a field are ignored. A quoted field ends at the next single quote and may
//!   contain separators and line breaks; a doubled quote is one quote.
//! - Each row has as many fields as the first one.
//! - A number is finite, has a decimal point, and is close to its text: a whole number loses no
//!   digit.

use std::borrow::Cow;
use std::fmt;

/// One field of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'t> {
    /// Text of the field, without quotes and surrounding blanks.
    pub text: Cow<'t, str>,
    /// Byte at which the text starts.
    pub start: usize,
    /// Byte after its end.
    pub end: usize,
}

/// An error in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// Line of the error, from 1.
    pub line: usize,
    /// Byte range of the error.
    pub place: [usize; 2],
    /// Description of the error.
    pub message: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Reads the rows of a table in order.
pub struct Rows<'t> {
    text: &'t str,
    separator: u8,
    /// Byte at which the next row starts, and its line.
    at: usize,
    line: usize,
    /// Number of fields in the first row.
    count: Option<usize>,
}

impl<'t> Rows<'t> {
    /// The rows of a text.
    pub fn of(text: &'t str) -> Rows<'t> {
        Rows {
            text,
            separator: separator(text),
            at: if text.starts_with('\u{feff}') { 3 } else { 0 },
            line: 1,
            count: None,
        }
    }

    /// Reads the next row into `fields` and returns its line; `None` after the last row.
    ///
    /// # Errors
    /// Fails if a row has another length than the first, if a quote is not closed, or if text
    /// follows a closing quote.
    pub fn read(&mut self, fields: &mut Vec<Field<'t>>) -> Result<Option<usize>, TableError> {
        fields.clear();
        self.pass_over();
        if self.at >= self.text.len() {
            return Ok(None);
        }
        let (line, start) = (self.line, self.at);
        while self.field(fields)? {}
        let count = *self.count.get_or_insert(fields.len());
        if fields.len() == count {
            return Ok(Some(line));
        }
        let end = fields.last().map_or(start, |field| field.end);
        Err(TableError {
            line,
            place: [start, end],
            message: format!(
                "there {}, but the first line has {count}: every row must have as many, and a field with `{}` in it must be quoted",
                match fields.len() {
                    1 => "is 1 field".to_owned(),
                    found => format!("are {found} fields"),
                },
                char::from(self.separator)
            ),
        })
    }

    /// Passes over blank lines and comments.
    fn pass_over(&mut self) {
        while let Some(line) = self.text[self.at..].split_inclusive('\n').next() {
            let shown = line.trim();
            // Blanks may be separators.
            let only_separators = self.separator == b'\t' && line.contains('\t');
            if !(shown.is_empty() && !only_separators || shown.starts_with('#')) {
                break;
            }
            self.at += line.len();
            self.line += 1;
        }
    }

    /// Reads a field with the separator or the end of the line after it; whether there is another one.
    fn field(&mut self, fields: &mut Vec<Field<'t>>) -> Result<bool, TableError> {
        let bytes = self.text.as_bytes();
        let is_blank =
            |byte: u8| byte.is_ascii_whitespace() && byte != b'\n' && byte != self.separator;
        let mut at = self.at;
        while bytes.get(at).is_some_and(|byte| is_blank(*byte)) {
            at += 1;
        }
        let mut field = match bytes.get(at) {
            Some(b'"') => self.quoted(at)?,
            _ => {
                let ends = |byte: &u8| *byte == self.separator || *byte == b'\n';
                let length = bytes[at..].iter().position(ends);
                let end = length.map_or(bytes.len(), |length| at + length);
                self.at = end;
                self.plain(self.at.min(at), end)
            }
        };
        if let Cow::Borrowed(_) = field.text {
            field = self.plain(field.start, field.end);
        }
        fields.push(field);
        let more = bytes.get(self.at) == Some(&self.separator);
        if bytes.get(self.at) == Some(&b'\n') {
            self.line += 1;
        }
        self.at = (self.at + 1).min(bytes.len());
        Ok(more)
    }

    /// A piece of the text without the blanks around it.
    fn plain(&self, start: usize, end: usize) -> Field<'t> {
        let piece = &self.text[start..end];
        let start = start + (piece.len() - piece.trim_start().len());
        let text = piece.trim();
        Field {
            text: Cow::Borrowed(text),
            start,
            end: start + text.len(),
        }
    }

    /// The field whose quote opens at a byte.
    fn quoted(&mut self, open: usize) -> Result<Field<'t>, TableError> {
        let bytes = self.text.as_bytes();
        let line = self.line;
        let wrong = |place: [usize; 2], message: &str| TableError {
            line,
            place,
            message: message.to_owned(),
        };
        let (mut at, mut doubled) = (open + 1, false);
        loop {
            match bytes.get(at) {
                None => return Err(wrong([open, open + 1], "a quote is not closed")),
                Some(b'"') if bytes.get(at + 1) == Some(&b'"') => {
                    doubled = true;
                    at += 2;
                }
                Some(b'"') => break,
                Some(byte) => {
                    self.line += usize::from(*byte == b'\n');
                    at += 1;
                }
            }
        }
        let (start, end) = (open + 1, at);
        let rest = |byte: &u8| *byte == self.separator || *byte == b'\n';
        let length = bytes[at + 1..].iter().position(rest);
        self.at = length.map_or(bytes.len(), |length| at + 1 + length);
        if !self.text[at + 1..self.at].trim().is_empty() {
            let message =
                "text follows a closing quote: a quote in a quoted field is written twice";
            return Err(wrong([at + 1, self.at], message));
        }
        let mut field = self.plain(start, end);
        if doubled {
            field.text = Cow::Owned(field.text.replace("\"\"", "\""));
        }
        Ok(field)
    }
}

/// The column separator: a semicolon or a tab if the first line has one, else a comma.
pub fn separator(text: &str) -> u8 {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let mut quoted = false;
    let first = lines.next().unwrap_or_default().bytes().filter(|byte| {
        quoted ^= *byte == b'"';
        !quoted
    });
    let bare: Vec<u8> = first.collect();
    let first = [b';', b'\t'].into_iter().find(|sign| bare.contains(sign));
    match first {
        Some(b'\t') if bare.contains(&b',') => b',',
        first => first.unwrap_or(b','),
    }
}

/// The name of a column of times without its unit, and the length of the unit in seconds.
///
/// `time` and `others` name such columns; `time[ms]` has a unit, `time` is in seconds.
///
/// # Errors
/// Fails if the unit is unknown.
pub fn time_column<'n>(name: &'n str, others: &[&str]) -> Result<Option<(&'n str, f64)>, String> {
    let in_brackets = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let (own, unit) = in_brackets.unwrap_or((name, "s"));
    let own = own.trim_end();
    if own != "time" && !others.contains(&own) {
        return Ok(None);
    }
    match unit.trim() {
        "s" => Ok(Some((own, 1.0))),
        "ms" => Ok(Some((own, 1e-3))),
        "us" => Ok(Some((own, 1e-6))),
        "ns" => Ok(Some((own, 1e-9))),
        _ => Err(format!(
            "`{name}` has an unknown unit; units are s, ms, us and ns"
        )),
    }
}

/// Reads the number in a field.
///
/// # Errors
/// Fails if it is not a finite number, or is a whole number that no double holds.
pub fn number(field: &str) -> Result<f64, String> {
    let value = match field.parse::<f64>() {
        Ok(value) if value.is_finite() => value,
        _ => {
            let decimal = match field.replace(',', ".").parse::<f64>() {
                Ok(_) if field.contains(',') => ": a decimal is written with a point",
                _ => "",
            };
            return Err(format!("`{field}` is not a finite number{decimal}"));
        }
    };
    let digits = field.trim_start_matches(['+', '-']);
    let whole = digits.split_once('.').map_or(digits, |(whole, part)| {
        let is_whole = part.bytes().all(|byte| byte == b'0');
        if is_whole { whole } else { "" }
    });
    let whole = whole.trim_start_matches('0');
    let is_whole = !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit());
    let nearest = format!("{:.0}", value.abs());
    if is_whole && nearest != whole {
        return Err(format!(
            "`{field}` is a whole number that no double can hold: the nearest one is {value:.0}"
        ));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<(usize, Vec<String>)>, TableError> {
        let (mut rows, mut fields, mut found) = (Rows::of(text), Vec::new(), Vec::new());
        while let Some(line) = rows.read(&mut fields)? {
            for field in &fields {
                // A text without doubled quotes is unchanged.
                let piece = &text[field.start..field.end];
                assert!(piece == field.text || piece.contains("\"\""));
            }
            let texts = fields.iter().map(|field| field.text.to_string());
            found.push((line, texts.collect()));
        }
        Ok(found)
    }

    fn texts(line: usize, fields: &[&str]) -> (usize, Vec<String>) {
        (
            line,
            fields.iter().map(|field| (*field).to_string()).collect(),
        )
    }

    #[test]
    fn rows_have_their_lines_and_fields_their_places() {
        let text = "\u{feff}# head\n a , \"b, \"\"c\"\"\"\r\n\n  # more\n1,\n\"x\ny\" ,2";
        let expected = [
            texts(2, &["a", "b, \"c\""]),
            texts(5, &["1", ""]),
            texts(6, &["x\ny", "2"]),
        ];
        assert_eq!(rows(text).unwrap(), expected);
        assert_eq!(rows("a;b,c\n1;2").unwrap()[0], texts(1, &["a", "b,c"]));
        let tabs = rows("a\tb\n\t\n 1\t2 \n").unwrap();
        assert_eq!(tabs[1..], [texts(2, &["", ""]), texts(3, &["1", "2"])]);
        assert_eq!(rows("").unwrap(), []);
        assert_eq!(rows("\n#\n").unwrap(), []);
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        let error = |text: &str| rows(text).unwrap_err().to_string();
        for (text, start) in [
            (
                "a,b\n1,2,3\n",
                "line 2: there are 3 fields, but the first line has 2:",
            ),
            (
                "a,b\n\n1\n",
                "line 3: there is 1 field, but the first line has 2:",
            ),
            ("a,b\n1,\"2\n3\n", "line 2: a quote is not closed"),
            ("a\n\"1\" 2\n", "line 2: text follows a closing quote"),
        ] {
            assert!(error(text).starts_with(start), "{}", error(text));
        }
    }

    #[test]
    fn whole_numbers_keep_their_digits() {
        // 2^53 + 1 lies between two doubles; 2^53 + 2 is one, and so is 10^22, but not 10^23.
        for (field, value) in [
            ("9007199254740992", 9_007_199_254_740_992.0),
            ("-9007199254740994", -9_007_199_254_740_994.0),
            ("+007.00", 7.0),
            ("0", 0.0),
            ("1e3", 1000.0),
            ("0.1", 0.1),
            ("10000000000000000000000", 1e22),
        ] {
            assert_eq!(number(field), Ok(value));
        }
        for field in [
            "9007199254740993",
            "-9007199254740993.0",
            "100000000000000000000000",
        ] {
            assert!(
                number(field).unwrap_err().contains("no double can hold"),
                "{field}"
            );
        }
        assert!(number("1,5").unwrap_err().ends_with("with a point"));
        for field in ["", "NaN", "inf", "1e999", "x"] {
            assert!(
                number(field)
                    .unwrap_err()
                    .ends_with("is not a finite number")
            );
        }
    }
}
