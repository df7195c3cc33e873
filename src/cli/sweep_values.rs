//! The axes of a sweep, from the command line and from files.

use std::path::Path;
use std::sync::Arc;

use super::columns::read;
use super::{Subject, output, read_file, values};
use crate::compiled::decimal;
use crate::diagnostic::Error;
use crate::law::table::{Rows, TableError, number};
use crate::model::Rows as TableRows;
use crate::pipeline::unknown_name;
use crate::ring::Rational;
use crate::sweep::{Axis, Form, InputUnit, RowNames, Values, of_value};
use crate::uncertain::Factor;

/// Values given for the parameters of a sweep.
pub struct SweepInputs {
    pub axes: Vec<Axis>,
    /// One number each.
    pub constants: Vec<(String, Rational)>,
    /// Expressions of other names, laws, and values of equations: the model is compiled with them.
    pub definitions: Vec<(String, String)>,
    /// What a calibration says of the values that it found.
    pub factors: Vec<Factor>,
    /// Place of each given name, for error messages.
    pub places: Vec<(String, String)>,
}

impl SweepInputs {
    /// Replaces given names by the model's names.
    pub fn rename(&mut self, own: impl Fn(&str) -> String) {
        let axes = self.axes.iter_mut().flat_map(|axis| &mut axis.names);
        let constants = self.constants.iter_mut().map(|(name, _)| name);
        let definitions = self.definitions.iter_mut().map(|(name, _)| name);
        for name in axes.chain(constants).chain(definitions) {
            *name = own(name);
        }
    }
}

/// Reads values from flags and a parameter file; `zip` steps through all lists together.
pub fn given(
    subject: &Subject,
    flags: &[(String, String)],
    params: Option<&Path>,
    zip: bool,
) -> Result<SweepInputs, Error> {
    let mut given = SweepInputs {
        axes: Vec::new(),
        constants: Vec::new(),
        definitions: Vec::new(),
        factors: Vec::new(),
        places: Vec::new(),
    };
    let mut flags = flags.to_vec();
    let mut all = match params {
        Some(path) => of_file(subject, path, &mut flags, &mut given)?,
        None => Vec::new(),
    };
    let flag = |(name, value): &(String, String)| (name.clone(), format!("`{name}={value}`"));
    given.places.extend(flags.iter().map(flag));
    for axis in &given.axes {
        if let Some((name, _)) = flags.iter().find(|(name, _)| axis.names.contains(name)) {
            return Err(Error::new(format!(
                "`{name}` is set by -D and by a column of the parameter file"
            )));
        }
    }
    all.retain(|(name, _)| !flags.iter().any(|(flag, _)| flag == name));
    all.extend(flags);
    values::twice(all.iter().map(|(name, _)| name))?;
    let mut single = Vec::new();
    for (name, text) in all {
        if let Some(rows) = subject.rows(&name) {
            match rows_given(subject, &name, &text, &rows)? {
                Some(axis) => single.push(axis),
                None => given.definitions.push((name, text)),
            }
            continue;
        }
        let unit = unit_of(subject, &name);
        match Values::parse_in(&text, &unit).map_err(|error| of_value(&name, error))? {
            Some(values) => {
                note_one_value(&name, &text, &values);
                single.push(Axis {
                    names: vec![name],
                    values: vec![values],
                    ..Axis::default()
                });
            }
            None => match unit.constant(&text) {
                Ok(value) => given.constants.push((name, value)),
                Err(_) => given.definitions.push((name, text)),
            },
        }
    }
    if zip && !single.is_empty() {
        given.axes.push(Axis::zip(single)?)
    } else {
        given.axes.extend(single)
    }
    Ok(given)
}

/// Reads the values of a file, or adds its points as an axis.
fn of_file(
    subject: &Subject,
    path: &Path,
    flags: &mut Vec<(String, String)>,
    given: &mut SweepInputs,
) -> Result<Vec<(String, String)>, Error> {
    let mut all = Vec::new();
    let ending = path.extension().and_then(|ending| ending.to_str());
    let columns = ending.and_then(Form::of_ending);
    match columns.filter(|form| form.text().is_none()) {
        _ if ending == Some("csv") => {
            let columns = in_base_units(subject, path, rows_of_text(path)?)?;
            given.axes.push(rows_of(path, columns)?);
        }
        Some(form) => {
            let columns = in_base_units(subject, path, read(path, form)?)?;
            given.axes.push(rows_of(path, columns)?);
        }
        None => {
            let names = subject.names();
            let is_name = |name: &str| names.has(name);
            let (entries, fit) = values::read(path, flags, &is_name)?;
            let is_given = |name: &str| flags.iter().any(|(own, _)| own == name);
            given.factors = fit.map_or(Vec::new(), |fit| fit.factors(&is_given));
            for entry in entries {
                given.places.push((entry.name.clone(), entry.place(path)));
                all.push((entry.name, entry.value));
            }
        }
    }
    for name in given.axes.iter().flat_map(|axis| &axis.names) {
        let place = format!("`{}`, column `{name}`", path.display());
        given.places.push((name.clone(), place));
    }
    Ok(all)
}

/// `1:10:2` is 1 alone, and often meant from 1 to 10.
fn note_one_value(name: &str, text: &str, values: &Values) {
    let [first, step, last] = text.split(':').collect::<Vec<_>>()[..] else {
        return;
    };
    if values.len() == 1 && first.trim() != last.trim() {
        output::note(&format!(
            "note: `{name}={text}` is the single value {first}: from {first} in steps of {step} to {last}; did you mean \
             `{first}:{last}:{step}`?"
        ));
    }
}

/// The unit in which a number is given.
pub fn unit_of(subject: &Subject, name: &str) -> InputUnit {
    let shown = subject.shown_number(name);
    InputUnit {
        declared: shown
            .as_ref()
            .map_or(String::new(), |_| subject.declared_units()),
        shown,
    }
}

/// Columns as numbers of base units, with names alone: a head may say a unit, `message [MiB]`.
fn in_base_units(
    subject: &Subject,
    path: &Path,
    columns: Vec<(String, Vec<f64>)>,
) -> Result<Vec<(String, Values)>, Error> {
    let mut all = Vec::new();
    for (head, values) in columns {
        let own = head
            .split_once('[')
            .map(|(name, unit)| (name.trim().to_owned(), unit));
        let (name, unit) = match own {
            Some((name, unit)) => (name, Some(unit.trim_end().trim_end_matches(']').to_owned())),
            None => (head.clone(), None),
        };
        let known = unit_of(subject, &name);
        let scale = match &unit {
            Some(unit) => known.constant(&format!("1 [{unit}]")).map_err(|error| {
                let reason = error.first_message();
                Error::new(format!("`{}`, column `{head}`: {reason}", path.display()))
            })?,
            None => known.shown.map_or(Rational::ONE, |shown| shown.scale),
        };
        let base = |value: f64| decimal(value).map(|exact| &exact * &scale);
        let exact: Option<Vec<Rational>> = if scale.is_one() {
            None
        } else {
            values.iter().map(|value| base(*value)).collect()
        };
        all.push((
            name,
            exact.map_or_else(|| Values::list(values), Values::exact_list),
        ));
    }
    Ok(all)
}

/// A point in each row.
fn rows_of(path: &Path, columns: Vec<(String, Values)>) -> Result<Axis, Error> {
    let wrong = |what: String| Error::new(format!("no parameters in `{}`: {what}", path.display()));
    let (names, columns): (Vec<String>, Vec<Values>) = columns.into_iter().unzip();
    if let Some(position) = names.iter().position(String::is_empty) {
        return Err(wrong(format!("column {} has no name", position + 1)));
    }
    for (position, name) in names.iter().enumerate() {
        if names[..position].contains(name) {
            return Err(wrong(format!("two columns are named `{name}`")));
        }
    }
    if columns.iter().all(Values::is_empty) {
        return Err(wrong("it has no row".to_string()));
    }
    Ok(Axis {
        names,
        values: columns,
        ..Axis::default()
    })
}

/// The rows of a table that `a100,h100` or `*` names; none where it is one.
fn rows_given(
    subject: &Subject,
    parameter: &str,
    text: &str,
    all: &TableRows,
) -> Result<Option<Axis>, Error> {
    let names: Vec<&str> = all.rows.iter().map(|(name, _)| name.as_str()).collect();
    let asked: Vec<&str> = match text.trim() {
        "*" => names.clone(),
        text => text.split(',').map(str::trim).collect(),
    };
    if asked.len() == 1 && text.trim() != "*" {
        return Ok(None);
    }
    let mut columns = vec![Vec::new(); all.fields.len()];
    let units = all.fields.iter().map(|field| unit_of(subject, field));
    let units: Vec<InputUnit> = units.collect();
    for name in &asked {
        let Some(place) = names.iter().position(|own| own == name) else {
            let message = format!("`-D {parameter}={text}`: the table has no row `{name}`");
            return Err(unknown_name(message, name, &names));
        };
        let fields = columns.iter_mut().zip(&all.rows[place].1);
        for ((column, value), unit) in fields.zip(&units) {
            let value = unit.constant(&value.to_string()).map_err(|_| {
                let message = format!("`{name}` has a law; give rows with laws one at a time");
                Error::new(message).hint(format!("`-D {parameter}={name}`"))
            })?;
            column.push(value);
        }
    }
    if asked.is_empty() {
        let message = format!("`-D {parameter}={text}`: the table has no rows");
        return Err(Error::new(message));
    }
    let numbers = (0..asked.len())
        .map(|number| Rational::from(number as i64))
        .collect();
    let columns = std::iter::once(numbers).chain(columns);
    Ok(Some(Axis {
        names: [&[parameter.to_owned()], &all.fields[..]].concat(),
        values: columns.map(Values::exact_list).collect(),
        rows: vec![RowNames {
            parameter: parameter.to_owned(),
            fields: all.fields.clone(),
            rows: Arc::new(asked.into_iter().map(str::to_owned).collect()),
        }],
        interval: None,
    }))
}

/// The columns of a CSV file, which has their names in its first line.
fn rows_of_text(path: &Path) -> Result<Vec<(String, Vec<f64>)>, Error> {
    let shown = path.display();
    let text = read_file(path)?;
    let wrong = |reason: String| Error::new(format!("no parameters in `{shown}`: {reason}"));
    let (mut rows, mut fields) = (Rows::of(&text), Vec::new());
    let no_row = |error: TableError| wrong(error.to_string());
    rows.read(&mut fields).map_err(no_row)?;
    let names: Vec<String> = fields.iter().map(|field| field.text.to_string()).collect();
    let mut columns: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    while let Some(line) = rows.read(&mut fields).map_err(no_row)? {
        for ((field, column), name) in fields.iter().zip(&mut columns).zip(&names) {
            let value = number(&field.text);
            let value =
                value.map_err(|reason| wrong(format!("line {line}, column `{name}`: {reason}")))?;
            column.push(value);
        }
    }
    Ok(names.into_iter().zip(columns).collect())
}
