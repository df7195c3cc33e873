//! Writes rows as text: CSV by RFC 4180 with line feeds, or lines of JSON.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::compiled::{Columns, Flag, Input, Plan, decimal};
use crate::expr::Sort;
use crate::formula::number_text;
use crate::law::shortest;
use crate::pipeline::Shown;
use crate::ring::Rational;

/// Text format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line of names, then a line of comma-separated values for each point.
    Csv,
    /// One JSON object to a line.
    JsonLines,
}

/// Layout of a row: parameters, values, regime and note.
#[derive(Clone, Debug)]
pub struct Rows {
    format: Format,
    names: Vec<String>,
    /// Number of names that are parameters.
    parameters: usize,
    /// For columns that number rows of tables, the names of the rows.
    row_names: Vec<Option<Arc<Vec<String>>>>,
    /// Text before the cell of each column.
    before: Vec<Vec<u8>>,
    /// The cell of an empty text, and of each regime.
    no_text: Vec<u8>,
    regimes: Vec<Vec<u8>>,
    /// Units of the parameters, and of the equations.
    units: [Vec<Option<Shown>>; 2],
}

/// Contents of a table column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Parameter,
    /// A parameter that is a row of a table.
    Row,
    Value,
    Text,
}

/// The columns of a table, in order.
pub(super) fn table_columns(parameters: &[String], plan: &Plan) -> Vec<(String, Kind)> {
    let with_unit = |name: &String| (plan.head(name, name), Kind::Parameter);
    let mut found: Vec<(String, Kind)> = parameters.iter().map(with_unit).collect();
    for (name, sort) in plan.equations() {
        match sort {
            Sort::Law => {
                let parts = plan.law_columns(name);
                found.extend(parts.map(|part| (plan.head(name, &part), Kind::Value)));
                found.push((format!("{name}_method"), Kind::Text));
            }
            _ => found.push((plan.head(name, name), Kind::Value)),
        }
    }
    found.extend(["regime", "note"].map(|name| (name.to_string(), Kind::Text)));
    found
}

impl Rows {
    /// The layout for these parameters and the results of the plan.
    pub fn new(format: Format, parameters: &[String], plan: &Plan) -> Rows {
        let columns = table_columns(parameters, plan).into_iter();
        let names = columns.map(|(name, _)| name).collect();
        let regimes = plan.regimes().map(|regime| cell(format, regime));
        Rows {
            parameters: parameters.len(),
            regimes: regimes.collect(),
            units: [
                parameters.iter().map(|name| plan.unit(name)).collect(),
                plan.equations().map(|(name, _)| plan.unit(name)).collect(),
            ],
            ..Rows::of_cells(format, names)
        }
    }

    /// The layout of plain cells with these names.
    pub(super) fn of_cells(format: Format, names: Vec<String>) -> Rows {
        let before = names.iter().enumerate().map(|(position, name)| {
            let mut text = Vec::new();
            match format {
                Format::Csv if position > 0 => text.push(b','),
                Format::Csv => {}
                Format::JsonLines => {
                    text.push(if position == 0 { b'{' } else { b',' });
                    json_text(name, &mut text);
                    text.push(b':');
                }
            }
            text
        });
        Rows {
            format,
            before: before.collect(),
            names,
            parameters: 0,
            no_text: cell(format, ""),
            row_names: Vec::new(),
            regimes: Vec::new(),
            units: Default::default(),
        }
    }

    /// Sets the names of rows, for leading columns that number rows of tables.
    pub(super) fn with_row_names(self, row_names: Vec<Option<Arc<Vec<String>>>>) -> Rows {
        Rows { row_names, ..self }
    }

    /// Adds a line; `cells` writes its cells one by one.
    pub(super) fn line(&self, out: &mut Vec<u8>, cells: impl FnOnce(&mut Row)) {
        let mut row = Row::new(self, out);
        cells(&mut row);
        row.end();
    }

    /// The first line of a file, with line feed; empty for JSON.
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

    /// Adds a line for each point of a batch; `parameters` are in the order of the table.
    pub fn write(&self, parameters: &[&Input], columns: &Columns, out: &mut Vec<u8>) {
        let mut written = vec![Written::default(); self.names.len()];
        let mut notes = columns.notes.iter().peekable();
        let cells = self.parameter_cells(parameters);
        for lane in 0..columns.regimes.len() {
            let mut written = written.iter_mut();
            self.line(out, |row| {
                let mut number = |row: &mut Row, value: f64| match written.next() {
                    Some(written) => row.number_after(value, written),
                    None => row.number(value),
                };
                for cell in &cells {
                    match cell {
                        ParameterCell::Same(text, count) => row.cells(text, *count),
                        ParameterCell::Number(input, place) => {
                            number(row, in_unit(&self.units[0], *place, input.double(lane)));
                        }
                        ParameterCell::Exact(input, place) => {
                            let exact = input.exact(lane);
                            let unit = self.units[0].get(*place);
                            match exact.and_then(|exact| digits_of(&exact, unit)) {
                                Some(digits) => row.digits(&digits),
                                None => {
                                    number(row, in_unit(&self.units[0], *place, input.double(lane)))
                                }
                            }
                        }
                        ParameterCell::Row(input) => row.parameter(input.double(lane)),
                    }
                }
                for (place, equation) in columns.equations.iter().enumerate() {
                    let missing = equation.flags[lane] == Flag::Failed;
                    let value = if missing {
                        f64::NAN
                    } else {
                        equation.values[lane]
                    };
                    number(row, in_unit(&self.units[1], place, value));
                    if let Some(law) = &equation.law {
                        for (part, values) in law.numbers().enumerate() {
                            let value = values[lane];
                            number(
                                row,
                                if has_unit(part) {
                                    in_unit(&self.units[1], place, value)
                                } else {
                                    value
                                },
                            );
                        }
                        row.text(&law.methods[lane]);
                    }
                }
                let regime = columns.regimes[lane];
                row.cell(regime.map_or(&self.no_text, |regime| &self.regimes[regime]));
                match notes.next_if(|(place, _)| *place == lane) {
                    Some((_, note)) => row.text(note),
                    None => row.cell(&self.no_text),
                }
            });
        }
    }

    /// The cells of the parameters in a batch: cells that are equal in each line are formatted once.
    fn parameter_cells<'i>(&self, parameters: &[&'i Input]) -> Vec<ParameterCell<'i>> {
        let mut cells = Vec::new();
        for (place, &input) in parameters.iter().enumerate() {
            let has_rows = self.rows_of(place).is_some();
            match input {
                Input::Constant(exact) => {
                    let mut text = Vec::new();
                    let before = self.before.split_at(place).1.iter();
                    let mut row = Row {
                        table: self,
                        before,
                        out: &mut text,
                    };
                    let value = input.double(0);
                    if has_rows {
                        row.parameter(value)
                    } else {
                        match digits_of(exact, self.units[0].get(place)) {
                            Some(digits) => row.digits(&digits),
                            None => row.number(in_unit(&self.units[0], place, value)),
                        }
                    }
                    match cells.last_mut() {
                        Some(ParameterCell::Same(all, count)) => {
                            *count += 1;
                            all.append(&mut text);
                        }
                        _ => cells.push(ParameterCell::Same(text, 1)),
                    }
                }
                _ if has_rows => cells.push(ParameterCell::Row(input)),
                Input::Column(column, _) if !column.beyond_doubles().is_empty() => {
                    cells.push(ParameterCell::Exact(input, place));
                }
                _ => cells.push(ParameterCell::Number(input, place)),
            }
        }
        cells
    }

    /// Reads the parameters from a line of a file; `None` if the line is incomplete.
    pub fn read_parameters(&self, line: &str) -> Option<Vec<f64>> {
        match self.format {
            Format::Csv => {
                let cells: Vec<&str> = line.splitn(self.parameters + 1, ',').collect();
                let cells = cells.get(..self.parameters)?.iter().enumerate();
                let number = |(place, cell): (usize, &&str)| match self.rows_of(place) {
                    Some(rows) => row_number(rows, cell.trim_matches('"')),
                    None => number_of(cell),
                };
                cells.map(number).collect()
            }
            Format::JsonLines => {
                let object: serde_json::Map<String, serde_json::Value> =
                    serde_json::from_str(line).ok()?;
                let names = self.names[..self.parameters].iter().enumerate();
                let number = |(place, name): (usize, &String)| match self.rows_of(place) {
                    Some(rows) => row_number(rows, object.get(name)?.as_str()?),
                    None => match object.get(name)? {
                        serde_json::Value::String(digits) => number_of(digits),
                        value => value.as_f64(),
                    },
                };
                names.map(number).collect()
            }
        }
    }

    /// The names of the rows that a column numbers.
    fn rows_of(&self, column: usize) -> Option<&[String]> {
        self.row_names.get(column)?.as_deref().map(Vec::as_slice)
    }

    fn row_name(&self, column: usize, value: f64) -> Option<&String> {
        self.rows_of(column)?.get(value as usize)
    }
}

/// Converts a number from base units to the unit of its column.
pub(super) fn in_unit(units: &[Option<Shown>], place: usize, value: f64) -> f64 {
    match units.get(place) {
        Some(Some(shown)) => shown.double(value),
        _ => value,
    }
}

/// A number in the unit of its column, where no double tells it: `1/3`, which is read back as the same number.
fn digits_of(value: &Rational, unit: Option<&Option<Shown>>) -> Option<String> {
    let shown = unit
        .and_then(Option::as_ref)
        .map_or_else(|| value.clone(), |shown| shown.exact(value));
    let double = shown.to_f64();
    let is_told = decimal(double).as_ref() == Some(&shown)
        || Rational::from_f64(double).as_ref() == Some(&shown);
    (!is_told).then(|| number_text(&shown))
}

/// The double nearest to the written value of a parameter at a point of a batch.
pub(super) fn written(units: &[Option<Shown>], place: usize, input: &Input, lane: usize) -> f64 {
    let exact = input.exact(lane);
    let digits = exact.and_then(|exact| digits_of(&exact, units.get(place)));
    let number = digits.and_then(|digits| number_of(&digits));
    number.unwrap_or_else(|| in_unit(units, place, input.double(lane)))
}

/// The double nearest to a number that is written as digits or as a fraction of such.
fn number_of(text: &str) -> Option<f64> {
    let Some((numerator, denominator)) = text.split_once('/') else {
        return text.parse().ok();
    };
    let whole = |text: &str| Rational::parse_decimal(text).ok();
    let value = whole(numerator)?.checked_div(&whole(denominator)?)?;
    Some(value.to_f64())
}

/// True if a law's column after its mean has the law's unit. Skewness and kurtosis have none.
pub(super) fn has_unit(part: usize) -> bool {
    !matches!(part, 1 | 2)
}

fn row_number(rows: &[String], name: &str) -> Option<f64> {
    let place = rows.iter().position(|row| row == name);
    place.map(|place| place as f64)
}

/// The last number of a column, and where its text stands. Mostly it is the next one, too.
#[derive(Clone, Debug, Default)]
struct Written {
    bits: u64,
    text: std::ops::Range<usize>,
}

/// The formatted cells of one parameter in a batch, or of several.
enum ParameterCell<'i> {
    /// Cells that are equal in each line, with the text before them: text and number of cells.
    Same(Vec<u8>, usize),
    /// A number, with its index among the parameters.
    Number(&'i Input, usize),
    /// Like `Number`, if doubles do not represent all values.
    Exact(&'i Input, usize),
    /// The name of a row of a table.
    Row(&'i Input),
}

/// A line under construction.
pub(super) struct Row<'a> {
    table: &'a Rows,
    before: std::slice::Iter<'a, Vec<u8>>,
    out: &'a mut Vec<u8>,
}

impl<'a> Row<'a> {
    fn new(table: &'a Rows, out: &'a mut Vec<u8>) -> Row<'a> {
        let before = table.before.iter();
        Row { table, before, out }
    }

    /// Writes a number, or the name of the row that it numbers.
    pub(super) fn parameter(&mut self, value: f64) {
        let column = self.table.before.len() - self.before.len();
        match self.table.row_name(column, value) {
            Some(name) => self.text(name),
            None => self.number(value),
        }
    }

    /// Writes `count` formatted cells with their separators.
    fn cells(&mut self, text: &[u8], count: usize) {
        self.before.by_ref().take(count).for_each(drop);
        self.out.extend_from_slice(text);
    }

    fn start(&mut self) {
        // Mostly a comma, which takes less than a call.
        match self.before.next().map(Vec::as_slice) {
            None | Some([]) => {}
            Some(&[sign]) => self.out.push(sign),
            Some(before) => self.out.extend_from_slice(before),
        }
    }

    /// Writes a number: empty for NaN, `inf` beyond the largest double. JSON writes `null` for
    /// both.
    pub(super) fn number(&mut self, value: f64) {
        self.start();
        self.append(value);
    }

    /// Writes a number. If it equals the last number of its column, copies that text.
    fn number_after(&mut self, value: f64, last: &mut Written) {
        self.start();
        if value.to_bits() == last.bits && !last.text.is_empty() {
            return self.out.extend_from_within(last.text.clone());
        }
        let start = self.out.len();
        self.append(value);
        *last = Written {
            bits: value.to_bits(),
            text: start..self.out.len(),
        };
    }

    fn append(&mut self, value: f64) {
        match self.table.format {
            // There is one zero.
            _ if value.is_finite() => shortest::append(value + 0.0, self.out),
            Format::JsonLines => self.out.extend(b"null"),
            Format::Csv if value.is_nan() => {}
            Format::Csv => self.out.extend(value.to_string().as_bytes()),
        }
    }

    /// A cell as it is written.
    fn cell(&mut self, cell: &[u8]) {
        self.start();
        if !cell.is_empty() {
            self.out.extend_from_slice(cell);
        }
    }

    /// A number as it is read back: JSON has no fractions, and has them as texts.
    fn digits(&mut self, digits: &str) {
        if digits.contains('/') {
            self.text(digits)
        } else {
            self.cell(digits.as_bytes())
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        self.cell(&cell(self.table.format, text));
    }

    fn end(self) {
        if self.table.format == Format::JsonLines {
            self.out.push(b'}');
        }
        self.out.push(b'\n');
    }
}

/// Formats a text as a cell.
fn cell(format: Format, text: &str) -> Vec<u8> {
    let mut cell = Vec::new();
    match format {
        Format::Csv => quoted(text, &mut cell),
        Format::JsonLines if text.is_empty() => cell.extend(b"null"),
        Format::JsonLines => json_text(text, &mut cell),
    }
    cell
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
