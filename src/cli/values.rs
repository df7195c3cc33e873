//! Values of parameters from the command line and from files.

use std::path::Path;

use super::arguments::Values;
use super::read_file;
use crate::diagnostic::Error;
use crate::pipeline::plain_error;

/// Names with PAMELA+ expressions: those of the file that no flag gives, then those of the flags.
pub fn given(values: &Values) -> Result<Vec<(String, String)>, Error> {
    let mut all = match &values.params {
        Some(path) => read(path)?,
        None => Vec::new(),
    };
    all.retain(|(name, _)| !values.define.iter().any(|(flag, _)| flag == name));
    all.extend(values.define.iter().cloned());
    Ok(all)
}

/// What a JSON or a TOML file gives.
pub(super) fn read(path: &Path) -> Result<Vec<(String, String)>, Error> {
    let shown = path.display();
    let text = read_file(path)?;
    let values = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => from_json(&text),
        Some("toml") => from_toml(&text),
        // A pipe of the shell has no name that tells.
        None if text.trim_start().starts_with('{') => from_json(&text),
        None => from_toml(&text),
        _ => Err("its name ends neither in .json nor in .toml".to_string()),
    };
    values.map_err(|reason| plain_error(format!("no parameters in `{shown}`: {reason}")))
}

/// An object of numbers and of texts that are expressions.
fn from_json(text: &str) -> Result<Vec<(String, String)>, String> {
    use serde_json::Value;
    let object: serde_json::Map<String, Value> =
        serde_json::from_str(text).map_err(|error| error.to_string())?;
    let value = |(name, value): (String, Value)| match value {
        Value::Number(number) => Ok((name, number.to_string())),
        Value::String(expression) => Ok((name, expression)),
        Value::Array(list) => Ok((name, Value::Array(list).to_string())),
        _ => Err(format!(
            "the value of `{name}` is neither a number nor a text"
        )),
    };
    object.into_iter().map(value).collect()
}

/// Lines `name = value`, the value a number or a quoted expression.
fn from_toml(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut values = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let malformed = || format!("line {} is not of the form name = value", number + 1);
        let (name, value) = line.split_once('=').ok_or_else(malformed)?;
        let value = value.trim();
        let quoted = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
        let value = match quoted('"').or_else(|| quoted('\'')) {
            Some(expression) => expression.to_string(),
            // Between the digits of a number.
            None => value.replace('_', ""),
        };
        values.push((name.trim().to_string(), value));
    }
    Ok(values)
}
