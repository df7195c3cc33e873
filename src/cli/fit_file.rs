//! What a calibration says of the values that it found: covariances, and the law of measurements beside predictions.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use crate::diagnostic::Error;
use crate::uncertain::{Factor, Kind};

/// The table of a file with it; no name of a model is like this.
pub const FIT: &str = "pamela-fit";

/// A group of a calibration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// The equation that was measured.
    pub equation: Option<String>,
    /// Columns of the table and their texts.
    pub by: BTreeMap<String, String>,
    /// Values of the group alone, as expressions.
    pub values: Vec<(String, String)>,
    /// Line in the file.
    pub line: usize,
    pub parameters: Vec<String>,
    estimates: Vec<f64>,
    bounds: Vec<[f64; 2]>,
    covariance: Option<Vec<Vec<f64>>>,
    scale: Option<f64>,
    residuals: Vec<f64>,
}

impl Fit {
    /// The group of a file that definitions of its columns choose; none if the file has no groups.
    ///
    /// # Errors
    /// Fails for a malformed table, or unless one group is chosen.
    pub fn read(text: &str, define: &[(String, String)]) -> Result<Option<Fit>, Error> {
        let table = DeTable::parse(text).map_err(|error| Error::new(error.message().to_owned()))?;
        let Some(DeValue::Table(own)) = table.get_ref().get(FIT).map(|own| own.get_ref()) else {
            return Ok(None);
        };
        let equation = own.get("equation").and_then(|own| string(own.get_ref()));
        let groups = match own.get("group").map(|own| own.get_ref()) {
            Some(DeValue::Array(groups)) => groups.iter(),
            _ => return Err(malformed("it has no groups")),
        };
        let group = |own: &toml::Spanned<DeValue<'_>>| {
            let before = &text.as_bytes()[..own.span().start.min(text.len())];
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            match own.get_ref() {
                DeValue::Table(own) => Fit::of(own, line, equation.clone()),
                _ => Err(malformed("a group is not a table")),
            }
        };
        let groups = groups.map(group).collect::<Result<Vec<Fit>, Error>>()?;
        chosen(groups, define).map(Some)
    }

    fn of(own: &DeTable<'_>, line: usize, equation: Option<String>) -> Result<Fit, Error> {
        let get = |name: &str| own.get(name).map(|own| own.get_ref());
        let texts = |own: &DeTable<'_>| {
            let pairs = own.iter().map(|(name, value)| {
                let value = of_toml(value.get_ref()).ok_or_else(|| malformed("a value is no text"));
                Ok((name.get_ref().to_string(), value?))
            });
            pairs.collect::<Result<Vec<_>, Error>>()
        };
        let pairs = |name: &str| match get(name) {
            Some(DeValue::Table(own)) => texts(own),
            _ => Ok(Vec::new()),
        };
        let list = |name: &str| match get(name) {
            Some(own) => numbers(own).ok_or_else(|| malformed(name)),
            None => Ok(Vec::new()),
        };
        let parameters = match get("parameters") {
            Some(DeValue::Array(names)) => {
                let names = names.iter().map(|name| string(name.get_ref()));
                names.collect::<Option<Vec<String>>>()
            }
            _ => None,
        };
        let parameters = parameters.ok_or_else(|| malformed("`parameters` are no names"))?;
        let rows = match get("covariance") {
            Some(own) => Some(matrix(own).ok_or_else(|| malformed("covariance"))?),
            None => None,
        };
        let bounds = get("bounds").and_then(matrix).unwrap_or_default();
        let bounds = bounds.iter().filter_map(|own| own[..].try_into().ok());
        let fit = Fit {
            equation,
            by: pairs("by")?.into_iter().collect(),
            values: pairs("values")?,
            line,
            estimates: list("estimates")?,
            bounds: bounds.collect(),
            covariance: rows,
            scale: get("scale").and_then(number),
            residuals: list("residuals")?,
            parameters,
        };
        let count = fit.parameters.len();
        let is_square =
            |rows: &Vec<Vec<f64>>| rows.len() == count && rows.iter().all(|row| row.len() == count);
        let fits = fit.estimates.len() == count && fit.bounds.len() == count;
        if fits && fit.covariance.as_ref().is_none_or(is_square) {
            Ok(fit)
        } else {
            Err(malformed(
                "each parameter needs an estimate, bounds and covariances",
            ))
        }
    }

    /// What is not known: the fitted parameters, except those that are given other values, and how measurements scatter.
    pub fn factors(&self, is_given: &dyn Fn(&str) -> bool) -> Vec<Factor> {
        let mut factors = Vec::new();
        let kept = 0..self.parameters.len();
        let kept: Vec<usize> = kept.filter(|k| !is_given(&self.parameters[*k])).collect();
        if let Some(covariance) = self.covariance.as_ref().filter(|_| !kept.is_empty()) {
            let row = |a: &usize| kept.iter().map(|b| covariance[*a][*b]).collect();
            factors.push(Factor {
                name: "fitted constants".to_owned(),
                kind: Kind::Normal {
                    parameters: kept.iter().map(|k| self.parameters[*k].clone()).collect(),
                    means: kept.iter().map(|k| self.estimates[*k]).collect(),
                    covariance: kept.iter().map(row).collect(),
                    bounds: kept.iter().map(|k| self.bounds[*k]).collect(),
                },
            });
        }
        if let (Some(scale), Some(equation), false) =
            (self.scale, &self.equation, self.residuals.is_empty())
        {
            factors.push(Factor {
                name: "measurements".to_owned(),
                kind: Kind::Residual {
                    equation: equation.clone(),
                    scale,
                    quantiles: self.residuals.clone(),
                },
            });
        }
        factors
    }
}

fn malformed(what: &str) -> Error {
    Error::new(format!(
        "the table `{FIT}` is not one that `pamela calibrate` writes: {what}"
    ))
}

/// The one group with these texts in its columns.
fn chosen(groups: Vec<Fit>, define: &[(String, String)]) -> Result<Fit, Error> {
    let is_chosen = |group: &&Fit| {
        let mut columns = group.by.iter();
        columns.all(|(column, text)| {
            let given = define.iter().find(|(name, _)| name == column);
            given.is_none_or(|(_, given)| given.trim() == text)
        })
    };
    let found: Vec<&Fit> = groups.iter().filter(is_chosen).collect();
    if let [one] = found[..] {
        return Ok(one.clone());
    }
    let text = |group: &Fit| {
        let columns = group.by.iter();
        let columns = columns.map(|(column, text)| format!("-D {column}={text}"));
        columns.collect::<Vec<_>>().join(" ")
    };
    const SHOWN: usize = 20;
    let texts: Vec<String> = groups.iter().take(SHOWN).map(text).collect();
    let message = if found.is_empty() {
        "no group of the calibration is like this"
    } else {
        "the calibration has several groups"
    };
    Err(Error::new(format!(
        "{message}; choose one of: {}",
        texts.join("; ")
    )))
}

fn string(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        _ => None,
    }
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::Integer(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

fn numbers(value: &DeValue<'_>) -> Option<Vec<f64>> {
    match value {
        DeValue::Array(values) => values.iter().map(|value| number(value.get_ref())).collect(),
        _ => None,
    }
}

fn matrix(value: &DeValue<'_>) -> Option<Vec<Vec<f64>>> {
    match value {
        DeValue::Array(rows) => rows.iter().map(|row| numbers(row.get_ref())).collect(),
        _ => None,
    }
}

/// A value of TOML as an expression.
pub fn of_toml(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Some(unsigned(number.as_str())),
        DeValue::Integer(number) => {
            let value = i128::from_str_radix(number.as_str(), number.radix()).ok()?;
            Some(value.to_string())
        }
        DeValue::Float(number) => {
            let text = unsigned(number.as_str());
            text.ends_with(|c: char| c.is_ascii_digit()).then_some(text)
        }
        DeValue::Array(values) => {
            let values: Option<Vec<String>> = values.iter().map(|v| of_toml(v.get_ref())).collect();
            Some(format!("[{}]", values?.join(", ")))
        }
        DeValue::Boolean(_) | DeValue::Datetime(_) | DeValue::Table(_) => None,
    }
}

/// A number without a plus sign before it.
fn unsigned(number: &str) -> String {
    number.strip_prefix('+').unwrap_or(number).to_owned()
}
