//! Values of parameters: ranges, lists, and combinations.

use std::sync::Arc;

use crate::compiled::{Column, decimal};
use crate::diagnostic::{Error, Result};
use crate::ring::Rational;

/// Ranges of more values are not kept as lists.
const MOST_KEPT: u64 = 1 << 20;
/// Every whole number up to here is a double.
const WHOLE: i64 = 1 << 53;

/// Values in order, all exact.
///
/// Inner values of logarithmic ranges are doubles; each stands for its shortest decimal.
#[derive(Clone, Debug)]
pub enum Values {
    /// `first + k * step` for `0 <= k < count`.
    Range {
        /// The first value.
        first: Rational,
        /// Difference of neighbouring values; may be negative.
        step: Rational,
        /// Number of values.
        count: u64,
    },
    /// A list of values.
    List(Arc<Column>),
}

/// Parameters that vary together.
#[derive(Clone, Debug, Default)]
pub struct Axis {
    /// Names of the parameters.
    pub names: Vec<String>,
    /// Values of each parameter; all have the same length.
    pub values: Vec<Values>,
    /// Parameters among them that are rows of tables.
    pub rows: Vec<RowNames>,
    /// Ends of an interval, if all numbers between them are meant.
    pub interval: Option<[Rational; 2]>,
}

/// A parameter that is a row of a table.
///
/// Among the parameters of an axis it has the numbers of its rows, from 0. The fields of the row follow it.
#[derive(Clone, Debug)]
pub struct RowNames {
    /// Name of the parameter.
    pub parameter: String,
    /// Parameters of the model that are its fields.
    pub fields: Vec<String>,
    /// Names of its rows.
    pub rows: Arc<Vec<String>>,
}

impl Axis {
    /// All numbers between two ends.
    pub fn between(name: &str, ends: [Rational; 2]) -> Axis {
        Axis {
            names: vec![name.to_owned()],
            values: vec![Values::exact_list(ends.to_vec())],
            rows: Vec::new(),
            interval: Some(ends),
        }
    }

    /// Number of points along the axis.
    pub fn len(&self) -> u64 {
        self.values.first().map_or(0, Values::len)
    }

    /// True if the axis has no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Joins axes of equal length into one.
    ///
    /// # Errors
    /// Fails if the lengths differ.
    pub fn zip(axes: Vec<Axis>) -> Result<Axis> {
        let mut all = Axis::default();
        for axis in axes {
            if !all.names.is_empty() && axis.len() != all.len() {
                return Err(Error::new(format!(
                    "lists that advance together must have the same length: `{}` has {}, `{}` has {}",
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
    /// Number of values.
    pub fn len(&self) -> u64 {
        match self {
            Values::Range { count, .. } => *count,
            Values::List(column) => column.values().len() as u64,
        }
    }

    /// True if there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A list of doubles.
    pub fn list(values: Vec<f64>) -> Values {
        Values::List(Arc::new(Column::new(values)))
    }

    /// A list of exact numbers.
    pub fn exact_list(values: Vec<Rational>) -> Values {
        let values = values.into_iter().map(Some).collect();
        Values::List(Arc::new(Column::of_exact(values)))
    }

    /// The value at a position; `None` if it is not a number.
    pub fn exact(&self, position: u64) -> Option<Rational> {
        match self {
            Values::Range { first, step, .. } => Some(term(first, step, position)),
            Values::List(column) => column.exact(position as usize),
        }
    }

    /// `length` values from position `start`, as a column.
    pub fn column(&self, start: u64, length: usize) -> Column {
        match self {
            Values::Range { first, step, .. } => match (small(first), small(step)) {
                (Some(_), Some(_)) => Column::new(self.doubles(start, length)),
                _ => {
                    let places = start..start + length as u64;
                    Column::of_exact(places.map(|k| Some(term(first, step, k))).collect())
                }
            },
            Values::List(column) => column.gather(start as usize..start as usize + length),
        }
    }

    /// `length` values from position `start`, as doubles.
    pub fn doubles(&self, start: u64, length: usize) -> Vec<f64> {
        match self {
            Values::Range { first, step, .. } => {
                if let (Some(first), Some(step)) = (small(first), small(step)) {
                    let value = |k: u64| (first + step * k as i64) as f64;
                    return (start..start + length as u64).map(value).collect();
                }
                let value = |k: u64| term(first, step, k).to_f64();
                (start..start + length as u64).map(value).collect()
            }
            Values::List(column) => column.values()[start as usize..][..length].to_vec(),
        }
    }

    /// Converts short ranges to lists.
    pub fn kept(self) -> Values {
        match self {
            Values::Range { count, .. } if count <= MOST_KEPT => {
                Values::List(Arc::new(self.column(0, count as usize)))
            }
            other => other,
        }
    }

    /// Checks that a table can show each value.
    ///
    /// # Errors
    /// Fails if a number above 2^53 is not a double: a table would show another number.
    pub(super) fn representable(self, text: &str) -> Result<Values> {
        let wrong = |value: Rational| {
            let message = format!(
                "`{}` has the value {value}, which is above 2^53 and not a double",
                text.trim()
            );
            let hint = "tables and pictures hold doubles; `pamela eval` evaluates one point exactly, whatever its size";
            Err(Error::new(message).hint(hint))
        };
        match &self {
            Values::Range { first, step, count } => {
                let last = term(first, step, count - 1);
                let most = first.abs().max(last.abs());
                let mut unit = Rational::ONE;
                while most > &Rational::from(WHOLE) * &unit {
                    unit = &unit * &Rational::from(2);
                }
                let fits =
                    |value: &Rational| value.checked_div(&unit).is_some_and(|own| own.is_integer());
                if unit.is_one() || fits(first) && fits(step) {
                    Ok(self)
                } else {
                    wrong(last)
                }
            }
            Values::List(column) => {
                let large = column.values().iter().enumerate();
                let large = large.filter(|(_, value)| value.abs() >= WHOLE as f64);
                let mut exact =
                    large.filter_map(|(place, value)| Some((column.exact(place)?, *value)));
                let differs = |(exact, value): &(Rational, f64)| {
                    exact.abs() > Rational::from(WHOLE)
                        && decimal(*value).as_ref() != Some(exact)
                        && Rational::from_f64(*value).as_ref() != Some(exact)
                };
                match exact.find(differs) {
                    Some((value, _)) => wrong(value),
                    None => Ok(self),
                }
            }
        }
    }
}

/// The value at a position of a range.
fn term(first: &Rational, step: &Rational, position: u64) -> Rational {
    first + &(step * &Rational::from(position as i64))
}

fn small(value: &Rational) -> Option<i64> {
    value.to_i64().filter(|value| value.abs() < 1 << 52)
}
