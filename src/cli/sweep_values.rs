//! The axes of a sweep, from the command line and from files.

use std::path::Path;
use std::sync::Arc;

use super::columns::read;
use super::{Subject, read_file, values};
use crate::diagnostic::Error;
use crate::law::separator;
use crate::model::Rows;
use crate::pipeline::unknown_name;
use crate::ring::Rational;
use crate::sweep::{Axis, Form, RowNames, Values, constant};

/// What parameters are given.
pub struct Given {
    pub axes: Vec<Axis>,
    /// One number each.
    pub constants: Vec<(String, Rational)>,
    /// Expressions of other names, laws, and values of equations: the model is compiled with them.
    pub definitions: Vec<(String, String)>,
    /// Where each name is given, as an error says it.
    pub places: Vec<(String, String)>,
}

impl Given {
    /// Gives what is given the names that the model has.
    pub fn rename(&mut self, own: impl Fn(&str) -> String) {
        let axes = self.axes.iter_mut().flat_map(|axis| &mut axis.names);
        let constants = self.constants.iter_mut().map(|(name, _)| name);
        let definitions = self.definitions.iter_mut().map(|(name, _)| name);
        for name in axes.chain(constants).chain(definitions) {
            *name = own(name);
        }
    }
}

/// Of flags and a file of parameters; `zip` goes through all lists together.
pub fn given(
    subject: &Subject,
    flags: &[(String, String)],
    params: Option<&Path>,
    zip: bool,
) -> Result<Given, Error> {
    let mut given = Given {
        axes: Vec::new(),
        constants: Vec::new(),
        definitions: Vec::new(),
        places: Vec::new(),
    };
    let mut all: Vec<(String, String)> = Vec::new();
    if let Some(path) = params {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let columns = ending.and_then(Form::of_ending);
        match columns.filter(|form| form.text().is_none()) {
            _ if ending == Some("csv") => given.axes.push(rows_of(path, rows_of_text(path)?)?),
            Some(form) => given.axes.push(rows_of(path, read(path, form)?)?),
            None => {
                for entry in values::read(path)? {
                    given.places.push((entry.name.clone(), entry.place(path)));
                    all.push((entry.name, entry.value));
                }
            }
        }
        for name in given.axes.iter().flat_map(|axis| &axis.names) {
            let place = format!("`{}`, column `{name}`", path.display());
            given.places.push((name.clone(), place));
        }
    }
    let flag = |(name, value): &(String, String)| (name.clone(), format!("`{name}={value}`"));
    given.places.extend(flags.iter().map(flag));
    for axis in &given.axes {
        if let Some((name, _)) = flags.iter().find(|(name, _)| axis.names.contains(name)) {
            return Err(Error::new(format!(
                "`{name}` is a column of the file of parameters, and given by -D as well"
            )));
        }
    }
    all.retain(|(name, _)| !flags.iter().any(|(flag, _)| flag == name));
    all.extend(flags.iter().cloned());
    values::twice(all.iter().map(|(name, _)| name))?;
    let mut single = Vec::new();
    for (name, text) in all {
        if let Some(rows) = subject.rows(&name) {
            match rows_given(&name, &text, &rows)? {
                Some(axis) => single.push(axis),
                None => given.definitions.push((name, text)),
            }
            continue;
        }
        match Values::parse(&text)? {
            Some(values) => single.push(Axis {
                names: vec![name],
                values: vec![values],
                ..Axis::default()
            }),
            None => match constant(&text) {
                Ok(value) => given.constants.push((name, value)),
                Err(_) => given.definitions.push((name, text)),
            },
        }
    }
    match zip && !single.is_empty() {
        true => given.axes.push(Axis::zip(single)?),
        false => given.axes.extend(single),
    }
    Ok(given)
}

/// A point in each row.
fn rows_of(path: &Path, columns: Vec<(String, Vec<f64>)>) -> Result<Axis, Error> {
    let wrong = |what: String| Error::new(format!("no parameters in `{}`: {what}", path.display()));
    let (names, columns): (Vec<String>, Vec<Vec<f64>>) = columns.into_iter().unzip();
    if let Some(position) = names.iter().position(String::is_empty) {
        return Err(wrong(format!("column {} has no name", position + 1)));
    }
    for (position, name) in names.iter().enumerate() {
        if names[..position].contains(name) {
            return Err(wrong(format!("two columns are called `{name}`")));
        }
    }
    if columns.iter().all(Vec::is_empty) {
        return Err(wrong("it has no row".to_string()));
    }
    Ok(Axis {
        names,
        values: columns.into_iter().map(Values::list).collect(),
        ..Axis::default()
    })
}

/// The rows of a table that `a100,h100` or `*` names; none where it is one.
fn rows_given(parameter: &str, text: &str, all: &Rows) -> Result<Option<Axis>, Error> {
    let names: Vec<&str> = all.rows.iter().map(|(name, _)| name.as_str()).collect();
    let asked: Vec<&str> = match text.trim() {
        "*" => names.clone(),
        text => text.split(',').map(str::trim).collect(),
    };
    if asked.len() == 1 && text.trim() != "*" {
        return Ok(None);
    }
    let mut columns = vec![Vec::new(); all.fields.len()];
    for name in &asked {
        let Some(place) = names.iter().position(|own| own == name) else {
            let message = format!("`-D {parameter}={text}`: the table has no row `{name}`");
            return Err(unknown_name(message, name, &names));
        };
        for (column, value) in columns.iter_mut().zip(&all.rows[place].1) {
            let value = constant(&value.to_string()).map_err(|_| {
                let message =
                    format!("`{name}` has a law, and rows with laws are given one by one");
                Error::new(message).hint(format!("`-D {parameter}={name}`"))
            })?;
            column.push(value.to_f64());
        }
    }
    if asked.is_empty() {
        let message = format!("`-D {parameter}={text}`: the table has no rows");
        return Err(Error::new(message));
    }
    let numbers = (0..asked.len()).map(|number| number as f64).collect();
    let columns = std::iter::once(numbers).chain(columns);
    Ok(Some(Axis {
        names: [&[parameter.to_owned()], &all.fields[..]].concat(),
        values: columns.map(Values::list).collect(),
        rows: vec![RowNames {
            parameter: parameter.to_owned(),
            fields: all.fields.clone(),
            rows: Arc::new(asked.into_iter().map(str::to_owned).collect()),
        }],
    }))
}

/// What helps where a decimal was written with a comma.
fn comma(cell: &str) -> &'static str {
    match cell.contains(',') && cell.replace(',', ".").parse::<f64>().is_ok() {
        true => ": a decimal is written with a point",
        false => "",
    }
}

/// The columns of a CSV file, which has their names in its first line.
fn rows_of_text(path: &Path) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let shown = path.display();
    let text = read_file(path)?;
    let wrong = |reason: String| Error::new(format!("no parameters in `{shown}`: {reason}"));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator(&text))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| wrong(error.to_string()))?;
    let names: Vec<String> = names.iter().map(str::to_owned).collect();
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        for ((cell, column), name) in record.iter().zip(&mut columns).zip(&names) {
            match cell.parse::<f64>() {
                Ok(value) if value.is_finite() => column.push(value),
                _ => {
                    return Err(wrong(format!(
                        "line {line}: `{cell}` in column `{name}` is no number{}",
                        comma(cell)
                    )));
                }
            }
        }
    }
    Ok(names.into_iter().zip(columns).collect())
}
