//! Numbers that stay exact as long as possible, and vectors of them.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::EvalError;
use crate::law::{Law, shortest};
use crate::real::{Fault, Real, RealOrRational};
use crate::ring::Rational;

/// Numbers of more bits are given up.
const MAX_BITS: u64 = 1_000_000;

/// Values of parameters by name.
pub type Bindings = BTreeMap<String, Value>;

/// A scalar: exact, or real once an irrational function occurs.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    Exact(Rational),
    Real(Real),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Scalar(Number),
    Vector(Vector),
    Law(Box<Law>),
}

/// Components by array and index; missing ones are 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vector {
    /// For each array, the last index up to which components are written in a list.
    pub(super) last: BTreeMap<Arc<str>, Rational>,
    pub(super) components: BTreeMap<(Arc<str>, Rational), Number>,
}

impl Value {
    /// Adds the nearest double to an irrational number, from its canonical form or else from
    /// `other`.
    #[must_use]
    pub fn settled(self, other: impl FnOnce() -> Option<f64>) -> Value {
        let Value::Scalar(Number::Real(real)) = self else {
            return self;
        };
        Value::Scalar(Number::Real(if real.has_form() {
            real.settled()
        } else {
            other().map_or(real, Real::rounded)
        }))
    }

    /// Number of steps that an operation counts for the length of its result.
    pub(super) fn cost(&self) -> u64 {
        match self {
            Value::Scalar(number) => number.cost(),
            Value::Vector(vector) => vector.components.values().map(|x| 1 + x.cost()).sum(),
            Value::Law(_) => 0,
        }
    }

    /// Largest error bound of a value that has lost digits by cancellation; `None` if six digits
    /// are right.
    pub fn lost(&self) -> Option<f64> {
        let numbers: Vec<&Number> = match self {
            Value::Scalar(number) => vec![number],
            Value::Vector(vector) => vector.components.values().collect(),
            Value::Law(_) => Vec::new(),
        };
        let reals = numbers.into_iter().filter_map(|number| match number {
            Number::Exact(_) => None,
            Number::Real(real) => Some(real),
        });
        // A value too small for a double is 0.
        let vanishes = |real: &Real| real.value == 0.0 && real.error < 1e-300;
        let lost = reals.filter(|real| real.is_lost() && !vanishes(real));
        let lost = lost.map(|real| real.error);
        lost.reduce(f64::max)
    }
}

impl From<Rational> for Value {
    fn from(value: Rational) -> Value {
        Value::Scalar(Number::Exact(value))
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::from(Rational::from(value))
    }
}

impl Number {
    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Exact(value) => value.to_f64(),
            Number::Real(real) => real.value,
        }
    }

    /// The number as a double with its error.
    pub fn to_real(&self) -> Real {
        match self {
            Number::Exact(value) => Real::rational(&value.to_big()),
            Number::Real(real) => real.clone(),
        }
    }

    /// See [`Value::cost`]: reducing a fraction takes quadratic time.
    pub(super) fn cost(&self) -> u64 {
        match self {
            Number::Exact(value) if value.is_integer() => value.bits() / 64,
            Number::Exact(value) => (value.bits() / 64).pow(2) / 64,
            Number::Real(_) => 0,
        }
    }

    /// The value of an exact number.
    pub fn as_exact(&self) -> Option<&Rational> {
        match self {
            Number::Exact(value) => Some(value),
            Number::Real(_) => None,
        }
    }

    pub fn is_zero(&self) -> bool {
        match self {
            Number::Exact(value) => value.is_zero(),
            Number::Real(real) => real.sign() == Ok(Ordering::Equal),
        }
    }

    pub(super) fn exact(value: Rational) -> Result<Number, EvalError> {
        if value.bits() > MAX_BITS {
            return Err(EvalError::TooLarge);
        }
        Ok(Number::Exact(value))
    }

    /// A double whose error is at most its last digit.
    pub(super) fn real(value: f64) -> Result<Number, EvalError> {
        Number::real_within(value, 0.0)
    }

    /// A double computed from others, with the resulting error.
    pub(super) fn real_within(value: f64, error: f64) -> Result<Number, EvalError> {
        Ok(Number::Real(Real::within(value, error)?))
    }

    pub(super) fn known(result: Result<RealOrRational, Fault>) -> Result<Number, EvalError> {
        match result? {
            RealOrRational::Rational(value) => Number::exact(value.into()),
            RealOrRational::Real(real) => Ok(Number::Real(real)),
        }
    }

    /// Compares the values.
    ///
    /// # Errors
    /// Fails if they are too close to decide.
    pub(super) fn compare(&self, other: &Number) -> Result<Ordering, EvalError> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Ok(a.cmp(b)),
            (a, b) => Ok(a.to_real().compare(&b.to_real())?),
        }
    }

    /// Compares the values; undecidable pairs count as equal.
    pub(super) fn order(&self, other: &Number) -> Ordering {
        self.compare(other).unwrap_or(Ordering::Equal)
    }

    /// A number that is one of two indistinguishable numbers.
    pub(super) fn either(&self, other: &Number) -> Number {
        Number::Real(self.to_real().either(&other.to_real()))
    }

    pub(super) fn add(&self, other: &Number) -> Result<Number, EvalError> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Number::exact(a + b),
            (a, b) => Number::known(a.to_real().add(&b.to_real())),
        }
    }

    /// The product.
    ///
    /// # Errors
    /// Fails if it is too large.
    pub fn multiply(&self, other: &Number) -> Result<Number, EvalError> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Number::exact(a * b),
            (a, b) => Number::known(a.to_real().multiply(&b.to_real())),
        }
    }
}

impl From<Fault> for EvalError {
    fn from(fault: Fault) -> EvalError {
        match fault {
            Fault::NotFinite => EvalError::NotFinite,
            Fault::Undecided(reason) => EvalError::Undecided(reason),
        }
    }
}

/// Text that reads back as the same value: exact where that is short, else 17 significant digits.
impl Number {
    /// True for an exact whole number.
    pub fn is_whole(&self) -> bool {
        matches!(self, Number::Exact(value) if value.is_integer())
    }

    /// The exact decimal if it terminates and the number is not very long, else the nearest double.
    pub fn decimal_text(&self) -> String {
        /// Whole numbers of more than 64 digits are not printed in full.
        const MAX_WHOLE_BITS: u64 = 212;
        match self {
            Number::Exact(value) if value.is_integer() && value.bits() > MAX_WHOLE_BITS => {
                value.to_scientific()
            }
            Number::Exact(value) if !value.is_integer() && value.to_decimal().is_none() => {
                match value.to_f64() {
                    double if double.is_normal() => Number::Real(Real::double(double)).to_string(),
                    _ => value.to_scientific(),
                }
            }
            other => other.to_string(),
        }
    }

    /// The exact fraction, at any length.
    pub fn exact_text(&self) -> String {
        match self {
            Number::Exact(value) if !value.is_integer() => match value.to_decimal() {
                Some(decimal) => decimal,
                None => value.to_string(),
            },
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Longer fractions are not for reading.
        const MAX_FRACTION_BITS: u64 = 40;
        match self {
            Number::Exact(value) => match value.to_decimal() {
                Some(decimal) => f.write_str(&decimal),
                None if value.is_integer() || value.bits() <= MAX_FRACTION_BITS => {
                    fmt::Display::fmt(value, f)
                }
                None => match value.to_f64() {
                    double if double.is_normal() => f.write_str(&shortest::text(double)),
                    _ => f.write_str(&value.to_scientific()),
                },
            },
            Number::Real(real) => f.write_str(&shortest::text(real.value)),
        }
    }
}

impl Vector {
    /// The unit vector of `array(index)`; printed from component 0 on, like a list.
    pub(super) fn unit(array: Arc<str>, index: Rational) -> Vector {
        let mut vector = Vector::default();
        if index.is_integer() && !index.is_negative() {
            vector.last.insert(array.clone(), index.clone());
        }
        let one = Number::Exact(Rational::ONE);
        vector.components.insert((array, index), one);
        vector
    }

    /// `[e0, e1, ...]`
    pub(super) fn list(array: Arc<str>, elements: Vec<Number>) -> Vector {
        let mut vector = Vector::default();
        for (index, element) in elements.into_iter().enumerate() {
            let index = Rational::from(index as i64);
            vector.last.insert(array.clone(), index.clone());
            vector.components.insert((array.clone(), index), element);
        }
        vector
    }

    /// A vector with exactly these components.
    pub fn from_components(
        components: impl IntoIterator<Item = (Arc<str>, Rational, Number)>,
    ) -> Vector {
        Vector {
            last: BTreeMap::new(),
            components: components
                .into_iter()
                .map(|(array, index, value)| ((array, index), value))
                .collect(),
        }
    }

    /// The nonzero components, by array and index.
    pub fn components(&self) -> impl Iterator<Item = (&str, &Rational, &Number)> {
        self.components
            .iter()
            .filter(|(_, value)| !value.is_zero())
            .map(|((array, index), value)| (array.as_ref(), index, value))
    }

    /// Components 0, 1, ... up to the last written one, if all are in `array` and there are at most
    /// `limit`.
    pub fn as_list(&self, array: &str, limit: usize) -> Option<Vec<Number>> {
        let mut length = self.last.get(array).map_or(0, |last| {
            last.to_i64()
                .and_then(|last| usize::try_from(last).ok())
                .map_or(usize::MAX, |last| last.saturating_add(1))
        });
        for (own, index) in self.components.keys() {
            let index = usize::try_from(index.to_i64()?).ok()?;
            if own.as_ref() != array {
                return None;
            }
            length = length.max(index.saturating_add(1));
        }
        if length > limit {
            return None;
        }
        let mut list = vec![Number::Exact(Rational::ZERO); length];
        for (_, index, value) in self.components() {
            list[usize::try_from(index.to_i64()?).ok()?] = value.clone();
        }
        Some(list)
    }

    /// Combines two vectors elementwise, on the union of their components.
    pub(super) fn combine(
        mut self,
        other: Vector,
        combine: impl Fn(&Number, &Number) -> Result<Number, EvalError>,
    ) -> Result<Vector, EvalError> {
        let zero = Number::Exact(Rational::ZERO);
        for (key, value) in &mut self.components {
            if !other.components.contains_key(key) {
                *value = combine(value, &zero)?;
            }
        }
        for (key, value) in other.components {
            let mine = self.components.entry(key).or_insert_with(|| zero.clone());
            *mine = combine(mine, &value)?;
        }
        for (array, last) in other.last {
            let mine = self.last.entry(array).or_insert_with(|| last.clone());
            if *mine < last {
                *mine = last;
            }
        }
        Ok(self)
    }

    pub(super) fn map(
        mut self,
        map: impl Fn(&Number) -> Result<Number, EvalError>,
    ) -> Result<Vector, EvalError> {
        for value in self.components.values_mut() {
            *value = map(value)?;
        }
        Ok(self)
    }

    /// The largest component; nonnegative, because missing components are 0.
    pub(super) fn largest(&self) -> Number {
        let zero = Number::Exact(Rational::ZERO);
        let given = self.components.values().cloned();
        given.fold(zero, |a, b| if a.order(&b).is_lt() { b } else { a })
    }
}
