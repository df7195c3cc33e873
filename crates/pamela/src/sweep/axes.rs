//! The values that a parameter takes: ranges, lists, and what is made of them.

use std::sync::Arc;

use crate::compiled::{Column, decimal};
use crate::diagnostic::{Error, Result};
use crate::eval::{Number, Value};
use crate::pipeline::{Model, Options, Shown};
use crate::ring::Rational;

/// Ranges of more values are not kept as lists.
const MOST_KEPT: u64 = 1 << 20;
/// Longer lists are not made.
const MOST_MADE: u64 = 10_000_000;

/// Values in order. Those of lists and logarithmic ranges are doubles, each read as the decimal that it prints as.
#[derive(Clone, Debug)]
pub enum Values {
    /// `first + k * step` for `k` below `count`.
    Range {
        /// The value at position 0.
        first: Rational,
        /// What is added from one value to the next; it may be negative.
        step: Rational,
        /// How many there are.
        count: u64,
    },
    /// These numbers.
    List(Arc<Column>),
}

/// Parameters that go through their values together.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// The parameters.
    pub names: Vec<String>,
    /// The values of each, all of one length.
    pub values: Vec<Values>,
    /// Which of them are rows of tables.
    pub rows: Vec<RowNames>,
}

/// A parameter that is a row of a table: among the parameters of an axis it has the numbers of its rows, from 0, and
/// after it come its fields.
#[derive(Clone, Debug)]
pub struct RowNames {
    /// The parameter.
    pub parameter: String,
    /// The parameters of the model that its fields are.
    pub fields: Vec<String>,
    /// What its rows are called.
    pub rows: Arc<Vec<String>>,
}

impl Axis {
    /// How many points there are along it.
    pub fn len(&self) -> u64 {
        self.values.first().map_or(0, Values::len)
    }

    /// There is no point at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Axes of one length as one.
    ///
    /// # Errors
    /// Axes of different lengths.
    pub fn zip(axes: Vec<Axis>) -> Result<Axis> {
        let mut all = Axis::default();
        for axis in axes {
            if !all.names.is_empty() && axis.len() != all.len() {
                return Err(Error::new(format!(
                    "values that are gone through together are as many: `{}` has {}, `{}` has {}",
                    all.names[0],
                    all.len(),
                    axis.names[0],
                    axis.len()
                )));
            }
            all.names.extend(axis.names);
            all.values.extend(axis.values);
            all.rows.extend(axis.rows);
        }
        Ok(all)
    }
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> u64 {
        match self {
            Values::Range { count, .. } => *count,
            Values::List(column) => column.values().len() as u64,
        }
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A list of doubles.
    pub fn list(values: Vec<f64>) -> Values {
        Values::List(Arc::new(Column::new(values)))
    }

    /// The values from one position on.
    pub fn doubles(&self, start: u64, length: usize) -> Vec<f64> {
        match self {
            Values::Range { first, step, .. } => {
                if let (Some(first), Some(step)) = (small(first), small(step)) {
                    let value = |k: u64| (first + step * k as i64) as f64;
                    return (start..start + length as u64).map(value).collect();
                }
                let value = |k: u64| (first + &(step * &Rational::from(k as i64))).to_f64();
                (start..start + length as u64).map(value).collect()
            }
            Values::List(column) => column.values()[start as usize..][..length].to_vec(),
        }
    }

    /// The same as a list, where it is short.
    pub fn kept(self) -> Values {
        match self {
            Values::Range { count, .. } if count <= MOST_KEPT => {
                Values::list(self.doubles(0, count as usize))
            }
            other => other,
        }
    }

    /// Reads `1:64`, `1:2:64`, `log(1e3, 1e9, 13)`, `2^(0:10)`, `1, 2, 4`, or several of these with commas between
    /// them, perhaps in brackets. `None` for an expression that is one value.
    ///
    /// # Errors
    /// A part that is no constant, a range without end.
    pub fn parse(text: &str) -> Result<Option<Values>> {
        Values::parse_in(text, &InputUnit::default())
    }

    /// The same of a parameter that is given in a unit; the values are numbers of base units.
    ///
    /// # Errors
    /// As [`Values::parse`]; a value in a unit that does not fit.
    pub fn parse_in(text: &str, unit: &InputUnit) -> Result<Option<Values>> {
        if text.contains('%') && !text.contains('"') {
            return Err(percent(text));
        }
        let inner = text.trim();
        let listed = inner
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let inner = listed.unwrap_or(inner);
        let parts = split(inner, ',');
        if let ([only], None) = (parts.as_slice(), listed) {
            return Values::parse_part(only, unit);
        }
        let mut all = Vec::new();
        for part in parts {
            match Values::parse_part(part, unit)? {
                None => all.push(unit.constant(part)?.to_f64()),
                Some(values) => all.extend(values.all(part)?),
            }
        }
        Ok(Some(Values::list(all)))
    }

    fn all(&self, text: &str) -> Result<Vec<f64>> {
        match self.len() {
            length @ ..=MOST_MADE => Ok(self.doubles(0, length as usize)),
            length => Err(Error::new(format!(
                "`{text}` has {length} values, and a list at most {MOST_MADE}; a range alone may have more"
            ))),
        }
    }

    fn parse_part(text: &str, unit: &InputUnit) -> Result<Option<Values>> {
        let text = text.trim();
        let ends = split(text, ':');
        match ends.as_slice() {
            [first, last] => return range(text, [first, "1", last], unit).map(Some),
            [first, step, last] => return range(text, [first, step, last], unit).map(Some),
            [_] => {}
            _ => {
                return Err(Error::new(format!(
                    "`{text}` is no range: `first:step:last`"
                )));
            }
        }
        if let Some(inner) = text.strip_prefix("log(").and_then(|t| t.strip_suffix(')'))
            && let [first, last, count] = split(inner, ',').as_slice()
        {
            return logarithmic(text, [first, last, count], unit).map(Some);
        }
        // `2^(0:10)`: an expression of every value of the range in it.
        let Some((start, end)) = range_within(text) else {
            return Ok(None);
        };
        let Some(values) = Values::parse_part(&text[start + 1..end], &InputUnit::default())? else {
            return Ok(None);
        };
        let values = Column::new(values.all(text)?);
        let values = mapped(&text[..start], values, &text[end + 1..])?;
        Ok(Some(unit.all_of(values)))
    }
}

/// The unit in which values are given, of a model that has some.
#[derive(Clone, Debug, Default)]
pub struct InputUnit {
    /// The unit of bare numbers.
    pub shown: Option<Shown>,
    /// The units that the model declares, as a text.
    pub declared: String,
}

impl InputUnit {
    /// The value of an expression without names, as a number of base units.
    ///
    /// # Errors
    /// A text that is no expression of numbers, a unit that does not fit.
    pub fn constant(&self, text: &str) -> Result<Rational> {
        let has_unit = text.contains('[') && !text.trim_start().starts_with('[');
        let Some(shown) = &self.shown else {
            if has_unit {
                let message = format!("`{text}` has a unit, and what it is given for has none");
                return Err(Error::new(message));
            }
            return constant(text);
        };
        if !has_unit {
            return Ok(shown.of_base(&constant(text)?));
        }
        let declaration = format!("{}numeric parameter x : [{}]", self.declared, shown.unit);
        value_of(text, &declaration)
    }

    fn all_of(&self, values: Values) -> Values {
        let Some(shown) = self.shown.as_ref().filter(|shown| !shown.scale.is_one()) else {
            return values;
        };
        let doubles = values.doubles(0, values.len() as usize).into_iter();
        Values::list(doubles.map(|value| shown.base(value)).collect())
    }
}

/// A `%` in a value: what follows would be a comment.
fn percent(text: &str) -> Error {
    let share = text
        .trim()
        .strip_suffix('%')
        .and_then(|share| share.trim().parse::<f64>().ok());
    let hint = match share {
        Some(share) => format!("{share} per cent are {}", share / 100.0),
        None => "a remainder is written `a mod b`".to_string(),
    };
    Error::new(format!("`{text}` is no value: `%` begins a comment")).hint(hint)
}

/// An expression of each value.
fn mapped(before: &str, values: Column, after: &str) -> Result<Values> {
    let model = format!("numeric parameter each\nnumeric value = {before}(each){after}");
    let compiled = Model::parse(&model)?.compile(&Options::default())?;
    let columns = compiled.batch(&[("each", values)], &[])?;
    match columns
        .notes
        .iter()
        .find(|(lane, _)| !columns.equations[0].values[*lane].is_finite())
    {
        Some((_, note)) => Err(Error::new(format!(
            "`{before}(...){after}` has no value: {note}"
        ))),
        None => Ok(Values::list(columns.equations[0].values.clone())),
    }
}

fn small(value: &Rational) -> Option<i64> {
    value.to_i64().filter(|value| value.abs() < 1 << 52)
}

fn range(text: &str, [first, step, last]: [&str; 3], unit: &InputUnit) -> Result<Values> {
    let constant = |text| unit.constant(text);
    let [first, step, last] = [constant(first)?, constant(step)?, constant(last)?];
    let wrong = |reason: &str| Error::new(format!("the range `{text}` {reason}"));
    let distance = &last + &(&first * &Rational::from(-1));
    let count = distance
        .checked_div(&step)
        .ok_or_else(|| wrong("has the step 0"))?
        .floor();
    if count.is_negative() {
        return Err(wrong("is empty: its step leads away from its end"));
    }
    let count = count
        .to_i64()
        .and_then(|n| u64::try_from(n).ok()?.checked_add(1));
    let values = Values::Range {
        first,
        step,
        count: count.ok_or_else(|| wrong("has too many values to be counted"))?,
    };
    Ok(values.kept())
}

/// So many values with one quotient between neighbours, both ends among them.
fn logarithmic(text: &str, [first, last, count]: [&str; 3], unit: &InputUnit) -> Result<Values> {
    let wrong = |reason: &str| Error::new(format!("`{text}` {reason}"));
    let (first, last) = (
        unit.constant(first)?.to_f64(),
        unit.constant(last)?.to_f64(),
    );
    let count = constant(count)?
        .to_i64()
        .and_then(|n| u64::try_from(n).ok());
    let count = count
        .filter(|n| (2..=MOST_MADE).contains(n))
        .ok_or_else(|| wrong("takes a number of values from 2 to 1e7 at its end"))?;
    if !(first > 0.0 && last > 0.0 && first.is_finite() && last.is_finite()) {
        return Err(wrong("takes ends above 0"));
    }
    let ratio = last / first;
    let value = |k: u64| match k {
        0 => first,
        k if k == count - 1 => last,
        k => {
            let value = first * ratio.powf(k as f64 / (count - 1) as f64);
            // Powers of ten that are meant come out as they are written.
            let short: f64 = format!("{value:.12e}").parse().unwrap_or(value);
            short
        }
    };
    Ok(Values::list((0..count).map(value).collect()))
}

/// An error in the value of a parameter, which is read by itself.
pub fn of_value(name: &str, mut error: Error) -> Error {
    for source in &mut Arc::make_mut(&mut error.sources).0 {
        if source.name == "value of x" {
            source.name = format!("value of {name}");
        }
    }
    error
}

/// The value of an expression without names, exactly.
///
/// # Errors
/// A text that is no expression of numbers, or a vector or a law.
pub fn constant(text: &str) -> Result<Rational> {
    let text = text.trim();
    if let Ok(value) = Rational::parse_decimal(text) {
        return Ok(value);
    }
    value_of(text, "numeric parameter x")
}

/// The same of what is declared as `x`.
fn value_of(text: &str, declaration: &str) -> Result<Rational> {
    let wrong = |reason: String| Error::new(format!("`{text}` is no number: {reason}"));
    if text.is_empty() {
        return Err(Error::new(
            "a value is missing beside a comma or a colon".to_string(),
        ));
    }
    let given = [("x".to_string(), text.to_string())];
    let model = Model::parse(&format!("{declaration}\nnumeric y = x"))?;
    let rules = crate::rules::standard()?;
    let evaluated = model.evaluate(&given, rules, &Options::default())?;
    let value = evaluated.equations.into_iter().find(|e| e.name == "y");
    match value.map(|equation| equation.value) {
        Some(Value::Scalar(Number::Exact(value))) => Ok(value),
        Some(Value::Scalar(number)) => {
            let value = decimal(number.to_f64());
            value.ok_or_else(|| wrong("it is not finite".to_string()))
        }
        _ => Err(wrong("it is a vector or a law".to_string())),
    }
}

/// The parts between the separators that stand in no parentheses.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (position, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if letter == separator && depth == 0 => {
                parts.push(&text[start..position]);
                start = position + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The parentheses of the first range in an expression.
fn range_within(text: &str) -> Option<(usize, usize)> {
    let mut open = Vec::new();
    for (position, letter) in text.char_indices() {
        match letter {
            '(' => open.push(position),
            ')' => {
                let start = open.pop()?;
                if split(&text[start + 1..position], ':').len() > 1 {
                    return Some((start, position));
                }
            }
            _ => {}
        }
    }
    None
}
