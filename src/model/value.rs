//! Values of the definitional evaluator: scalars, and vectors whose components are elements of arrays.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use super::number::{Fault, Number};
use super::{FCFS, Sort};

/// The value of a numeric expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Scalar(Number),
    Vector(Vector),
}

/// A vector: its components are keyed by array of resources and index.
///
/// A vector *names* some components and is 0 at all others. `unitvec(k)` names the components 0..k, so
/// that it reads as the list `[0, ..., 0, 1]`; what is named counts in `max(v)` and when a scalar is added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vector {
    /// For each array, the last component of the named initial ones.
    last: BTreeMap<Arc<str>, BigInt>,
    /// The other named components, and those of the initial ones that are not 0.
    set: BTreeMap<(Arc<str>, BigRational), Number>,
}

impl Vector {
    /// The unit vector of `array(index)`.
    pub fn unit(array: &str, index: BigRational) -> Vector {
        let array: Arc<str> = array.into();
        let mut vector = Vector::default();
        if index.is_integer() && !index.is_negative() {
            vector.last.insert(array.clone(), index.numer().clone());
        }
        vector.set.insert((array, index), Number::one());
        vector
    }

    /// `[e0, e1, ...]`: components 0, 1, ... of the array `fcfs`.
    pub fn from_elements(elements: Vec<Number>) -> Vector {
        let array: Arc<str> = FCFS.into();
        let mut vector = Vector::default();
        if !elements.is_empty() {
            vector
                .last
                .insert(array.clone(), (elements.len() - 1).into());
        }
        let keyed = elements.into_iter().enumerate();
        vector.set = keyed
            .map(|(k, e)| ((array.clone(), BigRational::from_integer(k.into())), e))
            .collect();
        vector.normalised()
    }

    /// The component of `array(index)`; 0 where none is named.
    pub fn get(&self, array: &str, index: &BigRational) -> Number {
        self.set
            .get(&(array.into(), index.clone()))
            .cloned()
            .unwrap_or_else(Number::zero)
    }

    /// All named components, by array and index; the initial ones that are 0 included.
    pub fn components(&self) -> BTreeMap<(Arc<str>, BigRational), Number> {
        let mut all = self.set.clone();
        for (array, last) in &self.last {
            let mut index = BigInt::zero();
            while &index <= last {
                let key = (array.clone(), BigRational::from_integer(index.clone()));
                all.entry(key).or_insert_with(Number::zero);
                index += 1;
            }
        }
        all
    }

    /// The number of named components.
    pub fn len(&self) -> u64 {
        let initial: BigInt = self.last.values().map(|last| last + 1).sum();
        let others = self
            .set
            .keys()
            .filter(|(array, index)| !self.is_initial(array, index))
            .count();
        initial
            .to_u64()
            .unwrap_or(u64::MAX)
            .saturating_add(others as u64)
    }

    /// Whether no component is named.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty() && self.set.is_empty()
    }

    fn is_initial(&self, array: &Arc<str>, index: &BigRational) -> bool {
        index.is_integer()
            && !index.is_negative()
            && self
                .last
                .get(array)
                .is_some_and(|last| index.numer() <= last)
    }

    /// Leaves out what [`Vector::components`] puts back, so that equal vectors are equal.
    fn normalised(mut self) -> Vector {
        let set = std::mem::take(&mut self.set);
        self.set = set
            .into_iter()
            .filter(|((a, i), e)| !(e.is_zero() && self.is_initial(a, i)))
            .collect();
        self
    }

    /// The same components, of which those that are 0 name nothing by themselves.
    pub(super) fn without_zeros(&self) -> Vector {
        let mut vector = Vector::default();
        for ((array, index), element) in self.set.iter().filter(|(_, element)| !element.is_zero()) {
            if index.is_integer() && !index.is_negative() {
                let last = vector
                    .last
                    .entry(array.clone())
                    .or_insert_with(BigInt::zero);
                *last = index.numer().max(last).clone();
            }
            vector
                .set
                .insert((array.clone(), index.clone()), element.clone());
        }
        vector
    }

    /// As [`Value::cost`].
    pub(super) fn cost(&self) -> u64 {
        self.set.values().map(|element| 1 + element.cost()).sum()
    }

    /// The largest named component, or the smallest; 0 if there is none.
    pub(super) fn extreme(&self, pick: fn(Number, Number) -> Number) -> Number {
        let unset = self.len() > self.set.len() as u64;
        let zero = unset.then(Number::zero);
        self.set
            .values()
            .cloned()
            .chain(zero)
            .reduce(pick)
            .unwrap_or_else(Number::zero)
    }

    /// Elementwise on the union of the named components, the absent ones counting 0.
    ///
    /// `combine` must give 0 for two zeros.
    pub(super) fn combine(
        &self,
        other: &Vector,
        combine: impl Fn(&Number, &Number) -> Result<Number, Fault>,
    ) -> Result<Vector, Fault> {
        let mut result = Vector {
            last: self.last.clone(),
            set: BTreeMap::new(),
        };
        for (array, last) in &other.last {
            let joined = result
                .last
                .entry(array.clone())
                .or_insert_with(|| last.clone());
            *joined = joined.clone().max(last.clone());
        }
        let zero = Number::zero();
        for (key, mine) in &self.set {
            result.set.insert(
                key.clone(),
                combine(mine, other.set.get(key).unwrap_or(&zero))?,
            );
        }
        for (key, theirs) in other
            .set
            .iter()
            .filter(|(key, _)| !self.set.contains_key(key))
        {
            result.set.insert(key.clone(), combine(&zero, theirs)?);
        }
        Ok(result.normalised())
    }

    /// Whether [`Vector::map`] of this function touches the components that are 0.
    pub(super) fn keeps_zero(function: impl Fn(&Number) -> Result<Number, Fault>) -> bool {
        matches!(function(&Number::zero()), Ok(value) if value.is_zero())
    }

    /// The function of every named component.
    pub(super) fn map(
        &self,
        function: impl Fn(&Number) -> Result<Number, Fault>,
    ) -> Result<Vector, Fault> {
        let all = if Vector::keeps_zero(&function) {
            self.set.clone()
        } else {
            self.components()
        };
        let mut result = Vector {
            last: self.last.clone(),
            set: BTreeMap::new(),
        };
        for (key, value) in all {
            result.set.insert(key, function(&value)?);
        }
        Ok(result.normalised())
    }
}

impl Value {
    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Scalar(_) => Sort::Scalar,
            Value::Vector(_) => Sort::Vector,
        }
    }

    /// How many steps the operation that gave the value counts for its length.
    pub(super) fn cost(&self) -> u64 {
        match self {
            Value::Scalar(number) => number.cost(),
            Value::Vector(vector) => vector.cost(),
        }
    }

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<&Number> {
        match self {
            Value::Scalar(number) => Some(number),
            Value::Vector(_) => None,
        }
    }
}

impl From<Number> for Value {
    fn from(value: Number) -> Value {
        Value::Scalar(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Scalar(value.into())
    }
}

impl From<BigRational> for Value {
    fn from(value: BigRational) -> Value {
        Value::Scalar(value.into())
    }
}
