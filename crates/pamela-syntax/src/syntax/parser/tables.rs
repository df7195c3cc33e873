//! Files with the rows of a table.
//!
//! CSV has the names of the fields in its first line and those of the rows in its first column.
//! TOML has a section for each row.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::Reader;
use super::one::parse_text;
use crate::diagnostic::{Code, Diagnostic, SourceFile, Span};
use crate::ring::Rational;
use crate::syntax::build::{Failure, Parsed, lone_unit};
use crate::syntax::explain::{File, Stop, explain_fault, explain_grammar};
use crate::syntax::items::{FileKind, ItemKind, Items};
use crate::syntax::tree::{Expr, ExprKind, Item, NAMED, Name, Quantity, Row, Table, Unit};
use crate::table::{Field, Rows};

type Read<T> = Result<T, Box<Diagnostic>>;

impl Reader<'_> {
    /// Adds a table, whose rows may be in a file.
    pub(super) fn table(&mut self, mut table: Table, file: u32) {
        if let Some(path) = table.file.clone() {
            match self.file_of_rows(&path, file) {
                Ok(Ok(rows)) => table.rows = rows,
                Ok(Err(error)) => return self.diagnostics.push(error.or_code(Code::Record)),
                Err(reason) => {
                    let message = format!("cannot read {:?}: {reason}", path.text);
                    let error = Diagnostic::error(message, path.span, "named here")
                        .code(Code::FileUnreadable);
                    return self.diagnostics.push(error);
                }
            }
        }
        self.items.push(Item::Table(table));
    }

    fn file_of_rows(&mut self, path: &Name, file: u32) -> Result<Read<Vec<Row>>, String> {
        let is_toml = match path.text.rsplit_once('.') {
            Some((_, "csv" | "tsv" | "txt" | "dat")) => false,
            Some((_, "toml")) => true,
            _ => return Err("its name ends neither in .csv nor in .toml".to_owned()),
        };
        let name = self.loader.resolve(&self.file_name(file), &path.text)?;
        let text = self.text_of_next(&name, "name")?;
        let number = u32::try_from(self.sources.0.len()).unwrap_or(u32::MAX);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        let cells = Cells {
            text: &text,
            number,
        };
        let rows = if is_toml {
            cells.sections()
        } else {
            cells.lines()
        };
        self.total += text.len();
        self.sources.0.push(SourceFile { name, text });
        Ok(rows)
    }
}

/// The text of a file that values are read from.
struct Cells<'t> {
    text: &'t str,
    number: u32,
}

/// A piece of the text by its bytes, without the blanks around it.
#[derive(Clone, Copy)]
struct Piece {
    start: usize,
    end: usize,
}

impl From<Range<usize>> for Piece {
    fn from(range: Range<usize>) -> Piece {
        Piece {
            start: range.start,
            end: range.end,
        }
    }
}

impl Cells<'_> {
    fn trimmed(&self, start: usize, end: usize) -> Piece {
        let text = &self.text[start..end];
        let start = start + (text.len() - text.trim_start().len());
        let end = start + text.trim().len();
        Piece { start, end }
    }

    fn of(&self, piece: Piece) -> &str {
        &self.text[piece.start..piece.end]
    }

    fn span(&self, piece: Piece) -> Span {
        Span {
            file: self.number,
            start: piece.start as u32,
            end: piece.end as u32,
        }
    }

    fn name(&self, piece: Piece) -> Name {
        Name {
            text: self.of(piece).to_owned(),
            span: self.span(piece),
        }
    }

    fn wrong<T>(&self, piece: Piece, message: &str, label: &str) -> Read<T> {
        let error = Diagnostic::error(message, self.span(piece), label);
        Err(Box::new(error))
    }

    fn lines(&self) -> Read<Vec<Row>> {
        let mut records = Rows::of(self.text);
        let mut next = || -> Read<Option<Vec<Piece>>> {
            let mut record = Vec::new();
            let line = records.read(&mut record).or_else(|error| {
                let [start, end] = error.place;
                self.wrong(Piece { start, end }, &error.message, "in this row")
            })?;
            let piece = |field: &Field<'_>| Piece::from(field.start..field.end);
            Ok(line.map(|_| record.iter().map(piece).collect()))
        };
        let Some(fields) = next()? else {
            let all = Piece { start: 0, end: 0 };
            return self.wrong(all, "the file is empty", "expected the names of fields");
        };
        let (fields, units) = self.with_units(&fields)?;
        for (position, &field) in fields.iter().enumerate().skip(1) {
            let earlier = fields[1..position].iter();
            if !is_name(self.of(field)) {
                let message = format!("`{}` is not the name of a field", self.of(field));
                return self.wrong(field, &message, "expected letters, digits and `_`");
            }
            if { earlier }.any(|&other| self.of(other) == self.of(field)) {
                let message = format!("two columns are named `{}`", self.of(field));
                return self.wrong(field, &message, "again here");
            }
        }
        let mut rows = Vec::new();
        while let Some(cells) = next()? {
            let values = fields.iter().zip(&cells).zip(&units).skip(1);
            let values = values.map(|((&field, &cell), unit)| {
                let value = self.value(cell, unit.as_ref())?;
                Ok(given(self.name(field), value))
            });
            rows.push(Row {
                name: self.name(cells[0]),
                values: values.collect::<Read<_>>()?,
            });
        }
        Ok(rows)
    }

    /// Heads without their units, and these: `bandwidth [GB/s]`.
    fn with_units(&self, heads: &[Piece]) -> Read<(Vec<Piece>, Vec<Option<Unit>>)> {
        let (mut names, mut units) = (Vec::new(), Vec::new());
        for &head in heads {
            let Some(place) = self.of(head).find('[') else {
                names.push(head);
                units.push(None);
                continue;
            };
            let unit = self.trimmed(head.start + place, head.end);
            names.push(self.trimmed(head.start, head.start + place));
            match lone_unit(self.of(unit), self.span(unit)) {
                Ok(unit) => units.push(Some(unit)),
                Err(Failure::Meaning(error)) => return Err(error),
                Err(Failure::Grammar(_)) => {
                    let message = format!("`{}` is not a unit", self.of(unit));
                    return self.wrong(unit, &message, "expected a unit such as `[GB/s]`");
                }
            }
        }
        Ok((names, units))
    }

    /// The sections of a TOML file, in their order.
    fn sections(&self) -> Read<Vec<Row>> {
        let document = DeTable::parse(self.text).map_err(|error| self.malformed(&error))?;
        let row = |(key, value): Entry<'_>| {
            let name = self.key(key);
            let DeValue::Table(fields) = value.get_ref() else {
                let message = format!("`{}` is not in a row", name.text);
                let error = Diagnostic::error(message, name.span, "expected `[row]` before it");
                return Err(Box::new(error));
            };
            let values = in_order(fields).into_iter().map(|(key, value)| {
                let field = self.key(key);
                if !is_name(&field.text) {
                    let message = format!("`{}` is not the name of a field", field.text);
                    let label = "expected `field = value`";
                    return Err(Box::new(Diagnostic::error(message, field.span, label)));
                }
                let value = self.of_toml(value)?;
                Ok(given(field, value))
            });
            Ok(Row {
                values: values.collect::<Read<_>>()?,
                name,
            })
        };
        in_order(document.get_ref()).into_iter().map(row).collect()
    }

    fn malformed(&self, error: &toml::de::Error) -> Box<Diagnostic> {
        let piece = Piece::from(error.span().unwrap_or_default());
        let message = format!("this is not TOML: {}", error.message());
        let hint = "a row is a section `[h100]` with lines such as `flops = 989e12`, or `flops = \"989 [TFLOP/s]\"`";
        Box::new(Diagnostic::error(message, self.span(piece), "not readable").hint(hint))
    }

    fn key(&self, key: &Spanned<DeString<'_>>) -> Name {
        Name {
            text: key.get_ref().to_string(),
            span: self.span(Piece::from(key.span())),
        }
    }

    /// A number, or a text that is an expression.
    fn of_toml(&self, value: &Spanned<DeValue<'_>>) -> Read<Expr> {
        let piece = Piece::from(value.span());
        let number = match value.get_ref() {
            DeValue::String(text) => {
                let inside = self.trimmed(piece.start + 1, piece.end - 1);
                return if text.trim() == self.of(inside) {
                    self.value(inside, None)
                } else {
                    self.wrong(piece, "a text of several lines, or with `\\`", "here")
                };
            }
            DeValue::Integer(number) if number.radix() != 10 => {
                let value = i64::from_str_radix(number.as_str(), number.radix());
                value.ok().map(Rational::from)
            }
            DeValue::Integer(number) => Rational::parse_decimal(number.as_str()).ok(),
            DeValue::Float(number) => Rational::parse_decimal(number.as_str()).ok(),
            _ => None,
        };
        let Some(number) = number else {
            return self.wrong(
                piece,
                "no finite number and no text",
                "expected a number or a law",
            );
        };
        Ok(Expr {
            kind: ExprKind::Number(number),
            span: self.span(piece),
        })
    }

    /// The value of a cell; a number has the unit of its column.
    fn value(&self, cell: Piece, unit: Option<&Unit>) -> Read<Expr> {
        let Ok(number) = Rational::parse_decimal(self.of(cell)) else {
            return self.expression(cell);
        };
        let kind = match unit.cloned() {
            Some(unit) => ExprKind::Quantity(Box::new(Quantity { number, unit })),
            None => ExprKind::Number(number),
        };
        Ok(Expr {
            kind,
            span: self.span(cell),
        })
    }

    fn expression(&self, cell: Piece) -> Read<Expr> {
        if self.of(cell).is_empty() {
            return self.wrong(cell, "a value is missing", "expected a number or a law");
        }
        if self.of(cell).contains('%') {
            return self.wrong(cell, "`%` begins a comment", "expected a number or a law");
        }
        let kind = FileKind::Expression;
        let text = &self.text[..cell.end];
        let number = self.number;
        let file = File { text, number, kind };
        for item in Items::from(text, cell.start, kind) {
            if let Some(fault) = item.fault {
                return Err(Box::new(explain_fault(file, item, fault)));
            }
        }
        match parse_text(file, ItemKind::Expression, cell.start, cell.end) {
            Ok(Parsed::Expression(value)) => Ok(value),
            Ok(_) => self.wrong(cell, "no expression", "expected a number or a law"),
            Err(Failure::Meaning(error)) => Err(error),
            Err(Failure::Grammar(error)) => {
                let stop = Stop::new(file, cell.start, cell.end, &error);
                Err(Box::new(explain_grammar(file, ItemKind::Expression, &stop)))
            }
        }
    }
}

/// `field = value`
fn given(field: Name, value: Expr) -> Expr {
    let span = value.span;
    let name = Expr {
        kind: ExprKind::Name(field.text),
        span,
    };
    let sign = Name {
        text: NAMED.to_owned(),
        span,
    };
    Expr {
        kind: ExprKind::Call(sign, vec![name, value]),
        span,
    }
}

type Entry<'t> = (&'t Spanned<DeString<'t>>, &'t Spanned<DeValue<'t>>);

/// The entries of a table, in the order of the file.
fn in_order<'t>(table: &'t DeTable<'t>) -> Vec<Entry<'t>> {
    let mut entries: Vec<Entry<'t>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && text.chars().all(letter) && !crate::syntax::is_reserved(text)
}
