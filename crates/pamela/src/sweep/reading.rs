//! Reads values of parameters: numbers, ranges, lists, and expressions of these, with units.

use std::sync::Arc;

use super::axes::Values;
use crate::compiled::{Column, Compiled, Point, decimal};
use crate::diagnostic::{Error, Result};
use crate::eval::{Number, Value};
use crate::pipeline::{Model, Options, Shown};
use crate::ring::Rational;

/// Longer lists are not made.
const MOST_MADE: u64 = 10_000_000;
/// Expressions of more values than this are evaluated as doubles.
const MOST_EXACT: usize = 1 << 16;

impl Values {
    /// Reads values such as `1:64`, `1:2:64`, `log(1e3, 1e9, 13)`, `2^(0:10)`, `1, 2, 4`.
    ///
    /// Several of these may be joined by commas, with or without brackets. Returns `None` for an
    /// expression with a single value.
    ///
    /// # Errors
    /// Fails if a part is not constant, or if a range has no end.
    pub fn parse(text: &str) -> Result<Option<Values>> {
        Values::parse_in(text, &InputUnit::default())
    }

    /// Like [`Values::parse`], for a parameter with a unit. Values are in base units.
    ///
    /// # Errors
    /// Fails like [`Values::parse`]; also fails if a unit does not fit, or if only some numbers have units.
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
            let values = Values::parse_part(only, unit)?;
            return values.map(|values| values.representable(only)).transpose();
        }
        unit.require_all_or_none(&parts)?;
        let mut all = Vec::new();
        for part in parts {
            match Values::parse_part(part, unit)? {
                None => all.push(Some(unit.constant(part)?)),
                Some(values) => all.extend(values.all(part)?),
            }
        }
        let all = Values::List(Arc::new(Column::of_exact(all)));
        all.representable(inner).map(Some)
    }

    /// The ends of a range without step, read as in [`Values::parse_in`].
    ///
    /// # Errors
    /// Fails if an end is not constant, or does not fit.
    pub fn interval_in(text: &str, unit: &InputUnit) -> Result<Option<[Rational; 2]>> {
        match split(text, ':').as_slice() {
            [first, last] if split(text, ',').len() == 1 => {
                Ok(Some([unit.constant(first)?, unit.constant(last)?]))
            }
            _ => Ok(None),
        }
    }

    fn all(&self, text: &str) -> Result<Vec<Option<Rational>>> {
        match self.len() {
            length @ ..=MOST_MADE => Ok((0..length).map(|k| self.exact(k)).collect()),
            length => Err(Error::new(format!(
                "`{text}` has {length} values, but a list has at most {MOST_MADE}; only a range may have more"
            ))),
        }
    }

    fn parse_part(text: &str, unit: &InputUnit) -> Result<Option<Values>> {
        let text = text.trim();
        let ends = split(text, ':');
        match ends.as_slice() {
            [first, last] => return range(text, [first, last], None, unit).map(Some),
            [first, step, last] => return range(text, [first, last], Some(step), unit).map(Some),
            [_] => {}
            _ => {
                return Err(Error::new(format!(
                    "`{text}` is not a range: `first:step:last`"
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
        mapped(&text[..start], &values, &text[end + 1..], unit).map(Some)
    }
}

/// The unit of given values, for a model with units.
#[derive(Clone, Debug, Default)]
pub struct InputUnit {
    /// Unit of bare numbers.
    pub shown: Option<Shown>,
    /// The units that the model declares, as text.
    pub declared: String,
}

impl InputUnit {
    /// Evaluates an expression without names, in base units.
    ///
    /// # Errors
    /// Fails if the text is not an expression of numbers, or if a unit does not fit.
    pub fn constant(&self, text: &str) -> Result<Rational> {
        let has_unit = has_unit(text);
        let Some(shown) = &self.shown else {
            if has_unit {
                let message = format!("`{text}` has a unit, but the parameter has none");
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

    /// # Errors
    /// Fails if some parts of a list or a range have units and others do not, as in `1, 2 [GB]`. 0 is the same in any
    /// unit.
    fn require_all_or_none(&self, parts: &[&str]) -> Result<()> {
        let Some(with) = parts.iter().find(|part| has_unit(part)) else {
            return Ok(());
        };
        let is_zero =
            |part: &str| Rational::parse_decimal(part.trim()).is_ok_and(|own| own.is_zero());
        let mut bare = parts
            .iter()
            .filter(|part| !has_unit(part) && !is_zero(part));
        match bare.next() {
            None => Ok(()),
            Some(bare) => {
                let (bare, with) = (bare.trim(), with.trim());
                let message = format!("`{bare}` has no unit, but `{with}` has one");
                let own = with.find('[').map_or("", |start| &with[start..]);
                Err(Error::new(message).hint(format!("give each number its unit: `{bare} {own}`")))
            }
        }
    }

    /// Numbers that are given without a unit, as those of base units.
    fn all_of(&self, values: Vec<Option<Rational>>) -> Vec<Option<Rational>> {
        match &self.shown {
            None => values,
            Some(shown) => {
                let base = |value: Option<Rational>| value.map(|value| shown.of_base(&value));
                values.into_iter().map(base).collect()
            }
        }
    }
}

/// True if a number is written with a unit, `5 [us]`, which is no list.
fn has_unit(text: &str) -> bool {
    text.contains('[') && !text.trim_start().starts_with('[')
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
    Error::new(format!("`{text}` is not a value: `%` begins a comment")).hint(hint)
}

/// An expression applied to each value. If the expression has units, they are the units of the results.
fn mapped(before: &str, values: &Values, after: &str, unit: &InputUnit) -> Result<Values> {
    let text = format!("{before}(each){after}");
    let own = has_unit(before) || has_unit(after);
    let model = match &unit.shown {
        Some(shown) if own => format!(
            "{}numeric parameter each : [1]\nnumeric value : [{}] = {text}",
            unit.declared, shown.unit
        ),
        _ => format!("numeric parameter each\nnumeric value = {text}"),
    };
    if own && unit.shown.is_none() {
        let message = format!("`{text}` has a unit, but the parameter has none");
        return Err(Error::new(message));
    }
    let compiled = Model::parse(&model)?.compile(&Options::default())?;
    let all = values.all(&text)?;
    let all = if all.len() <= MOST_EXACT {
        each(&compiled, all, &text)?
    } else {
        doubles_of(&compiled, all, (before, after))?
    };
    let all = if own { all } else { unit.all_of(all) };
    Ok(Values::List(Arc::new(Column::of_exact(all))))
}

/// The value of an expression at each of some numbers, exactly where it is rational.
fn each(
    compiled: &Compiled,
    numbers: Vec<Option<Rational>>,
    text: &str,
) -> Result<Vec<Option<Rational>>> {
    let value = |number: Option<Rational>| {
        let number = number.unwrap_or_default();
        let wrong = |reason: &str| Error::new(format!("`{text}` has no value at {number}{reason}"));
        let evaluated = compiled.at(Point::default().with("each", number.clone()))?;
        let found = evaluated.equations.into_iter().find(|e| e.name == "value");
        match found.map(|equation| equation.value) {
            Some(Value::Scalar(Number::Exact(value))) => Ok(Some(value)),
            Some(Value::Scalar(number)) => match decimal(number.to_f64()) {
                Some(value) => Ok(Some(value)),
                None => Err(wrong(": it is not finite")),
            },
            _ => {
                let failure = evaluated
                    .failures
                    .iter()
                    .flat_map(|error| &error.diagnostics);
                let reason = { failure }.next().map(|own| format!(": {}", own.message));
                Err(wrong(&reason.unwrap_or_default()))
            }
        }
    };
    numbers.into_iter().map(value).collect()
}

/// Like `value_of`, for many numbers: the doubles nearest to the values.
fn doubles_of(
    compiled: &Compiled,
    numbers: Vec<Option<Rational>>,
    (before, after): (&str, &str),
) -> Result<Vec<Option<Rational>>> {
    let values = Column::of_exact(numbers);
    let columns = compiled.batch(&[("each", values)], &[])?;
    match columns
        .notes
        .iter()
        .find(|(lane, _)| !columns.equations[0].values[*lane].is_finite())
    {
        Some((_, note)) => Err(Error::new(format!(
            "`{before}(...){after}` has no value: {note}"
        ))),
        None => Ok(columns.equations[0]
            .values
            .iter()
            .map(|value| decimal(*value))
            .collect()),
    }
}

/// From `first` to `last`; without a step, by one of the unit in which the ends are given.
fn range(
    text: &str,
    [first, last]: [&str; 2],
    step: Option<&str>,
    unit: &InputUnit,
) -> Result<Values> {
    let parts: Vec<&str> = [Some(first), step, Some(last)]
        .into_iter()
        .flatten()
        .collect();
    unit.require_all_or_none(&parts)?;
    let with_unit = [first, last]
        .into_iter()
        .find_map(|end| Some(&end[end.find('[')?..]));
    let step = match (step, with_unit) {
        (Some(step), _) => unit.constant(step)?,
        (None, Some(own)) if unit.shown.is_some() => unit.constant(&format!("1 {own}"))?,
        (None, _) => unit.constant("1")?,
    };
    let [first, last] = [unit.constant(first)?, unit.constant(last)?];
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

/// This many values with a constant ratio, including both ends.
fn logarithmic(text: &str, [first, last, count]: [&str; 3], unit: &InputUnit) -> Result<Values> {
    let wrong = |reason: &str| Error::new(format!("`{text}` {reason}"));
    unit.require_all_or_none(&[first, last])?;
    let ends = [unit.constant(first)?, unit.constant(last)?];
    let [first, last] = [0, 1].map(|end: usize| ends[end].to_f64());
    let count = constant(count)?
        .to_i64()
        .and_then(|n| u64::try_from(n).ok());
    let count = count
        .filter(|n| (2..=MOST_MADE).contains(n))
        .ok_or_else(|| wrong("needs a number of values from 2 to 1e7 at its end"))?;
    if !(first > 0.0 && last > 0.0 && first.is_finite() && last.is_finite()) {
        return Err(wrong("needs ends above 0"));
    }
    let ratio = last / first;
    let value = |k: u64| match k {
        0 => Some(ends[0].clone()),
        k if k == count - 1 => Some(ends[1].clone()),
        k => {
            let value = first * ratio.powf(k as f64 / (count - 1) as f64);
            // Powers of ten that are meant come out as they are written.
            decimal(format!("{value:.12e}").parse().unwrap_or(value))
        }
    };
    Ok(Values::List(Arc::new(Column::of_exact(
        (0..count).map(value).collect(),
    ))))
}

/// Adds the name of the parameter to an error in its value.
pub fn of_value(name: &str, mut error: Error) -> Error {
    for source in &mut Arc::make_mut(&mut error.sources).0 {
        if source.name == "value of x" {
            source.name = format!("value of {name}");
        }
    }
    error
}

/// Evaluates an expression without names, exactly.
///
/// # Errors
/// Fails if the text is not an expression of numbers, or is a vector or a law.
pub fn constant(text: &str) -> Result<Rational> {
    let text = text.trim();
    if let Ok(value) = Rational::parse_decimal(text) {
        return Ok(value);
    }
    value_of(text, "numeric parameter x")
}

/// The value of `text` with the declaration of `x`.
fn value_of(text: &str, declaration: &str) -> Result<Rational> {
    let wrong = |reason: String| Error::new(format!("`{text}` is not a number: {reason}"));
    if text.is_empty() {
        return Err(Error::new(
            "a value is missing next to a comma or a colon".to_string(),
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
