//! Values of parameters from the command line and from files.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::fit_file::{FIT, Fit, of_toml};
use super::shared::Values;
use super::{Names, read_file};
use crate::diagnostic::Error;
use crate::syntax::parse_expression;
use crate::uncertain::Factor;

/// A value in a file.
pub(super) struct Entry {
    pub name: String,
    pub value: String,
    /// Line number, from 1.
    pub line: usize,
}

impl Entry {
    /// The file and the line, as an error names them.
    pub fn place(&self, file: &Path) -> String {
        format!("`{}`, line {}", file.display(), self.line)
    }
}

/// Names with PAMELA+ expressions: values of the file that no flag gives, then those of the flags. Each name has one
/// value.
///
/// # Errors
/// Fails for a file that cannot be read, a name that is not among `names`, a name that is given twice, or several
/// values.
pub fn given(values: &Values, names: &Names) -> Result<Vec<(String, String)>, Error> {
    with_fit(values, names).map(|(values, _)| values)
}

/// Names with their values, as they are written.
type Definitions = Vec<(String, String)>;

/// Like [`given`], with what a calibration says of its values.
///
/// # Errors
/// Fails like [`given`].
pub fn with_fit(values: &Values, names: &Names) -> Result<(Definitions, Vec<Factor>), Error> {
    let (mut all, mut define) = (Vec::new(), values.define.clone());
    let mut factors = Vec::new();
    if let Some(path) = &values.params {
        let (entries, fit) = read(path, &mut define, &|name| names.has(name))?;
        let is_given = |name: &str| define.iter().any(|(own, _)| own == name);
        factors = fit.map_or(Vec::new(), |fit| fit.factors(&is_given));
        all = of_file(path, entries, names)?;
    }
    twice(define.iter().map(|(name, _)| name))?;
    for (name, value) in &define {
        single(name, value, names.is_row(name))?;
    }
    all.retain(|(name, _)| !define.iter().any(|(flag, _)| flag == name));
    all.extend(define);
    for (name, _) in &mut all {
        *name = names.own(name);
    }
    twice(all.iter().map(|(name, _)| name))?;
    // A field of a row may be given by itself, whatever the row.
    all.sort_by_key(|(name, _)| !names.is_row(name));
    Ok((all, factors))
}

fn of_file(
    path: &Path,
    entries: Vec<Entry>,
    names: &Names,
) -> Result<Vec<(String, String)>, Error> {
    for entry in &entries {
        names.require(&entry.name, &entry.place(path))?;
        let place = format!("{}, value of {}", entry.place(path), entry.name);
        parse_expression(&place, &entry.value)?;
    }
    let named = entries.into_iter().map(|entry| (entry.name, entry.value));
    Ok(named.collect())
}

/// # Errors
/// Fails for a name that occurs twice.
pub(super) fn twice<'n>(names: impl Iterator<Item = &'n String>) -> Result<(), Error> {
    let mut known: Vec<&String> = Vec::new();
    for name in names {
        if known.contains(&name) {
            let message = format!("`{name}` is given twice");
            return Err(Error::new(message).hint("remove one of them"));
        }
        known.push(name);
    }
    Ok(())
}

/// # Errors
/// Fails for several values, such as `1:64`; the vector `[1, 2]` is one value.
fn single(name: &str, value: &str, is_row: bool) -> Result<(), Error> {
    let several = if is_row {
        value.trim() == "*" || value.contains(',')
    } else {
        is_list(value)
    };
    if several && !value.starts_with('[') {
        let message =
            format!("`-D {name}={value}` gives several values, but this command takes one");
        let hint = "use `pamela sweep` for a table, `plot` for a picture, `optimise --over` for the best value";
        Err(Error::new(message).hint(hint))
    } else {
        Ok(())
    }
}

/// True for several values of an axis, such as `1:64`.
#[cfg(feature = "tools")]
fn is_list(value: &str) -> bool {
    matches!(crate::sweep::Values::parse(value), Ok(Some(_)))
}

/// Without sweeps no value is a list, and `1:64` is an expression that cannot be read.
#[cfg(not(feature = "tools"))]
fn is_list(_value: &str) -> bool {
    false
}

/// Reads the values in a JSON or a TOML file, and what a calibration says of them. Of the groups of a calibration, definitions
/// of its columns choose one; these definitions are removed unless the column is a name of the model.
pub(super) fn read(
    path: &Path,
    define: &mut Vec<(String, String)>,
    is_name: &dyn Fn(&str) -> bool,
) -> Result<(Vec<Entry>, Option<Fit>), Error> {
    read_text(path, &read_file(path)?, define, is_name)
}

/// Like [`read`], for the text of a file.
pub(super) fn read_text(
    path: &Path,
    text: &str,
    define: &mut Vec<(String, String)>,
    is_name: &dyn Fn(&str) -> bool,
) -> Result<(Vec<Entry>, Option<Fit>), Error> {
    let shown = path.display();
    let is_toml = path.extension().is_none_or(|ending| ending == "toml");
    let fit = if text.contains(FIT) && is_toml {
        Fit::read(text, define)
            .map_err(|error| Error::new(format!("`{shown}`: {}", error.first_message())))?
    } else {
        None
    };
    if let Some(fit) = &fit {
        define.retain(|(name, _)| is_name(name) || !fit.by.contains_key(name));
    }
    let values = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => from_json(text),
        Some("toml") => from_toml(text),
        // A pipe of the shell has no name that tells.
        None if text.trim_start().starts_with('{') => from_json(text),
        None => from_toml(text),
        Some("csv") => {
            Err("a table gives several points: use .json or .toml, or `pamela sweep`".to_string())
        }
        _ => Err("its name ends neither in .json nor in .toml".to_string()),
    };
    let wrong = |reason| Error::new(format!("no parameters in `{shown}`: {reason}"));
    let mut values = values.map_err(wrong)?;
    if let Some(fit) = &fit {
        values.extend(fit.values.iter().map(|(name, value)| Entry {
            name: name.clone(),
            value: value.clone(),
            line: fit.line,
        }));
    }
    for (position, entry) in values.iter().enumerate() {
        let before = values[..position]
            .iter()
            .find(|other| other.name == entry.name);
        if let Some(before) = before {
            let (name, first, second) = (&entry.name, before.line, entry.line);
            return Err(wrong(format!(
                "`{name}` is given in line {first} and again in line {second}"
            )));
        }
    }
    Ok((values, fit))
}

/// An object of numbers and of texts that are expressions.
fn from_json(text: &str) -> Result<Vec<Entry>, String> {
    use serde_json::Value;
    let object: serde_json::Map<String, Value> =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let entry = |(name, value): (String, Value)| {
        let value = match value {
            Value::Number(number) => number.to_string(),
            Value::String(expression) => expression,
            Value::Array(list) => Value::Array(list).to_string(),
            _ => {
                return Err(format!(
                    "the value of `{name}` is neither a number nor a text"
                ));
            }
        };
        // Position of the first occurrence of the name.
        let quoted = serde_json::to_string(&name).unwrap_or_default();
        let before = text.find(&quoted).map_or("", |place| &text[..place]);
        Ok(Entry {
            line: 1 + before.matches('\n').count(),
            name,
            value,
        })
    };
    object.into_iter().map(entry).collect()
}

/// Numbers, texts that are expressions, and arrays of them; those of a table have its name before them.
fn from_toml(text: &str) -> Result<Vec<Entry>, String> {
    let line = |place: usize| 1 + text.bytes().take(place).filter(|&b| b == b'\n').count();
    let malformed = |error: toml::de::Error| {
        let place = error.span().map_or(0, |span| span.start);
        format!("line {}: {}", line(place), error.message())
    };
    let table = DeTable::parse(text).map_err(malformed)?;
    let mut values = Vec::new();
    flattened("", table.get_ref(), &mut |name, place, value| {
        let line = line(place);
        let wrong = || format!("line {line}: the value of `{name}` is neither a number nor a text");
        let value = of_toml(value).ok_or_else(wrong)?;
        values.push(Entry { name, value, line });
        Ok(())
    })?;
    // The table has them in the order of their names.
    values.sort_by_key(|entry| entry.line);
    Ok(values)
}

fn flattened(
    before: &str,
    table: &DeTable<'_>,
    visit: &mut dyn FnMut(String, usize, &DeValue<'_>) -> Result<(), String>,
) -> Result<(), String> {
    for (name, value) in table {
        let path = format!("{before}{}", name.get_ref());
        match value.get_ref() {
            // Read by itself.
            _ if before.is_empty() && name.get_ref() == FIT => {}
            DeValue::Table(inner) => flattened(&format!("{path}."), inner, visit)?,
            other => visit(path, name.span().start, other)?,
        }
    }
    Ok(())
}
