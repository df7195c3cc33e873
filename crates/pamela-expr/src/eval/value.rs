//! Values: numbers, vectors of them, laws.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{EvalError, Number};
use crate::law::Law;
use crate::real::Real;
use crate::ring::Rational;

/// Values of parameters by name.
pub type Bindings = BTreeMap<String, Value>;

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
