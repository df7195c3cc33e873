//! Rows as text: CSV by RFC 4180 with lines that end in a line feed, and lines of JSON.

use std::io::Write;
use std::sync::Arc;

use crate::compiled::{Columns, Flag, Input, Plan};
use crate::expr::Sort;
use crate::law::shortest;

/// How a table is written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line of names, then a line of values for each point, with commas between them.
    Csv,
    /// An object a line.
    JsonLines,
}

/// What is in a row: parameters, values, regime and note.
#[derive(Clone, Debug)]
pub struct Rows {
    format: Format,
    names: Vec<String>,
    /// How many of the names are parameters.
    parameters: usize,
    /// Of columns of numbers that stand for rows of tables, what these are called.
    texts: Vec<Option<Arc<Vec<String>>>>,
    regimes: Vec<String>,
}

/// What a column of a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Parameter,
    Value,
    Text,
}

/// The columns of a table, in its order.
pub(super) fn table_columns(parameters: &[String], plan: &Plan) -> Vec<(String, Kind)> {
    let parameters = parameters.iter().cloned();
    let mut found: Vec<(String, Kind)> = parameters.map(|name| (name, Kind::Parameter)).collect();
    for (name, sort) in plan.equations() {
        match sort {
            Sort::Law => {
                let parts = plan.law_columns(name);
                found.extend(parts.map(|part| (part, Kind::Value)));
                found.push((format!("{name}_method"), Kind::Text));
            }
            _ => found.push((name.to_string(), Kind::Value)),
        }
    }
    found.extend(["regime", "note"].map(|name| (name.to_string(), Kind::Text)));
    found
}

impl Rows {
    /// Rows of these parameters, and of what the plan computes.
    pub fn new(format: Format, parameters: &[String], plan: &Plan) -> Rows {
        let columns = table_columns(parameters, plan).into_iter();
        Rows {
            format,
            names: columns.map(|(name, _)| name).collect(),
            parameters: parameters.len(),
            texts: Vec::new(),
            regimes: plan.regimes().map(str::to_owned).collect(),
        }
    }

    /// Rows of numbers only.
    pub(super) fn of_numbers(format: Format, names: Vec<String>) -> Rows {
        Rows {
            format,
            parameters: 0,
            names,
            texts: Vec::new(),
            regimes: Vec::new(),
        }
    }

    /// With the names of the rows that the first columns number, where they do.
    pub(super) fn with_texts(
        mut self,
        texts: impl Iterator<Item = Option<Arc<Vec<String>>>>,
    ) -> Rows {
        self.texts = texts.collect();
        self
    }

    /// Adds a line of numbers.
    pub(super) fn write_numbers(&self, numbers: &[f64], out: &mut Vec<u8>) {
        let mut row = Row {
            table: self,
            column: 0,
            out,
        };
        numbers.iter().for_each(|&value| row.parameter(value));
        row.end();
    }

    /// The first line of a file, with its end; nothing in JSON.
    pub fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        if self.format == Format::Csv {
            for (position, name) in self.names.iter().enumerate() {
                if position > 0 {
                    head.push(b',');
                }
                quoted(name, &mut head);
            }
            head.push(b'\n');
        }
        head
    }

    /// Adds a line for each point of a batch; `parameters` in the order of the table.
    pub fn write(&self, parameters: &[&Input], columns: &Columns, out: &mut Vec<u8>) {
        let mut notes = columns.notes.iter().peekable();
        for lane in 0..columns.regimes.len() {
            let mut row = Row {
                table: self,
                column: 0,
                out,
            };
            for input in parameters {
                row.parameter(input.double(lane));
            }
            for equation in &columns.equations {
                let missing = equation.flags[lane] == Flag::Failed;
                row.number(if missing {
                    f64::NAN
                } else {
                    equation.values[lane]
                });
                if let Some(law) = &equation.law {
                    law.numbers().for_each(|values| row.number(values[lane]));
                    row.text(&law.methods[lane]);
                }
            }
            row.text(columns.regimes[lane].map_or("", |regime| &self.regimes[regime]));
            let note = notes.next_if(|(place, _)| *place == lane);
            row.text(note.map_or("", |(_, note)| note));
            row.end();
        }
    }

    /// The values of the parameters in a line of a file, if it is a complete one.
    pub fn read_parameters(&self, line: &str) -> Option<Vec<f64>> {
        match self.format {
            Format::Csv => {
                let cells: Vec<&str> = line.splitn(self.parameters + 1, ',').collect();
                let cells = cells.get(..self.parameters)?.iter().enumerate();
                let number = |(place, cell): (usize, &&str)| match self.text(place) {
                    Some(rows) => row_number(rows, cell.trim_matches('"')),
                    None => cell.parse().ok(),
                };
                cells.map(number).collect()
            }
            Format::JsonLines => {
                let object: serde_json::Map<String, serde_json::Value> =
                    serde_json::from_str(line).ok()?;
                let names = self.names[..self.parameters].iter().enumerate();
                let number = |(place, name): (usize, &String)| match self.text(place) {
                    Some(rows) => row_number(rows, object.get(name)?.as_str()?),
                    None => object.get(name)?.as_f64(),
                };
                names.map(number).collect()
            }
        }
    }

    fn text(&self, column: usize) -> Option<&[String]> {
        self.texts.get(column)?.as_deref().map(Vec::as_slice)
    }
}

struct Row<'a> {
    table: &'a Rows,
    column: usize,
    out: &'a mut Vec<u8>,
}

fn row_number(rows: &[String], name: &str) -> Option<f64> {
    let place = rows.iter().position(|row| row == name);
    place.map(|place| place as f64)
}

impl Row<'_> {
    /// A number, or the name of the row that it stands for.
    fn parameter(&mut self, value: f64) {
        let rows = self.table.text(self.column);
        match rows.and_then(|rows| rows.get(value as usize)) {
            Some(name) => self.text(name),
            None => self.number(value),
        }
    }

    fn start(&mut self) {
        match self.table.format {
            Format::Csv if self.column > 0 => self.out.push(b','),
            Format::Csv => {}
            Format::JsonLines => {
                self.out.push(if self.column == 0 { b'{' } else { b',' });
                json_text(&self.table.names[self.column], self.out);
                self.out.push(b':');
            }
        }
        self.column += 1;
    }

    /// Nothing, or `null`, where it is not finite.
    fn number(&mut self, value: f64) {
        self.start();
        match value.is_finite() {
            true => number(value, self.out),
            false if self.table.format == Format::JsonLines => self.out.extend(b"null"),
            false => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.start();
        match self.table.format {
            Format::Csv => quoted(text, self.out),
            Format::JsonLines if text.is_empty() => self.out.extend(b"null"),
            Format::JsonLines => json_text(text, self.out),
        }
    }

    fn end(self) {
        if self.table.format == Format::JsonLines {
            self.out.push(b'}');
        }
        self.out.push(b'\n');
    }
}

/// The shortest text that reads back as the same double.
fn number(value: f64, out: &mut Vec<u8>) {
    // A vector takes every text.
    let _ = match value.fract() == 0.0 && value.abs() < 1e15 {
        true => write!(out, "{}", value as i64),
        false => out.write_all(shortest::text(value).as_bytes()),
    };
}

fn quoted(text: &str, out: &mut Vec<u8>) {
    if !text.contains([',', '"', '\n', '\r']) {
        return out.extend(text.as_bytes());
    }
    out.push(b'"');
    out.extend(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

fn json_text(text: &str, out: &mut Vec<u8>) {
    let text = serde_json::Value::from(text);
    out.extend(text.to_string().as_bytes());
}
