//! Values of the definitional evaluator: scalars, and vectors over elements of arrays.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fraction::Fraction;

use super::number::{Fault, Number};
use super::{Extent, FCFS, Sort};

/// The value of a numeric expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Scalar(Number),
    Vector(Vector),
}

/// A vector with components by array and index; its [`Extent`] says which ones it has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vector {
    /// True if it has a component for each element of each array.
    everywhere: bool,
    /// Number of components 0, 1, ... of the array `fcfs` that it has as a list.
    length: usize,
    /// The nonzero components.
    set: BTreeMap<(Arc<str>, Fraction), Number>,
}

impl Vector {
    /// The unit vector of `array(index)`.
    pub fn unit(array: &str, index: Fraction) -> Vector {
        let mut vector = Vector::of_extent(Extent::Everywhere);
        vector.set.insert((array.into(), index), Number::one());
        vector
    }

    /// The vector with these components, all of them 0.
    pub(super) fn of_extent(extent: Extent) -> Vector {
        Vector::default().within(extent)
    }

    /// The vector extended by zeros to these components.
    pub(super) fn within(mut self, extent: Extent) -> Vector {
        match extent {
            Extent::Everywhere => self.everywhere = true,
            Extent::List(length) => self.length = self.length.max(length),
        }
        self
    }

    /// The vector restricted to these components.
    pub(super) fn only_within(mut self, extent: Extent) -> Vector {
        (self.everywhere, self.length) = (false, 0);
        self.within(extent)
    }

    pub(super) fn extent(&self) -> Extent {
        if self.everywhere {
            Extent::Everywhere
        } else {
            Extent::List(self.length)
        }
    }

    /// `[e0, e1, ...]`: components 0, 1, ... of the array `fcfs`.
    pub fn from_elements(elements: Vec<Number>) -> Vector {
        let array: Arc<str> = FCFS.into();
        let mut vector = Vector::of_extent(Extent::List(elements.len()));
        let keyed = elements.into_iter().enumerate();
        vector.set = keyed
            .map(|(k, e)| ((array.clone(), Fraction::from(k as i64)), e))
            .collect();
        vector.normalised()
    }

    /// The component of `array(index)`; 0 if it is missing.
    pub fn get(&self, array: &str, index: &Fraction) -> Number {
        self.set
            .get(&(array.into(), index.clone()))
            .cloned()
            .unwrap_or_else(Number::zero)
    }

    /// The components of a list, and all other nonzero ones, by array and index.
    pub fn components(&self) -> BTreeMap<(Arc<str>, Fraction), Number> {
        let mut all = self.set.clone();
        let array: Arc<str> = FCFS.into();
        for k in 0..self.length {
            all.entry((array.clone(), Fraction::from(k as i64)))
                .or_insert_with(Number::zero);
        }
        all
    }

    /// Makes one component 0.
    pub(super) fn remove(&mut self, array: &str, index: &Fraction) {
        self.set.remove(&(array.into(), index.clone()));
    }

    /// True if no component is below 0.
    pub(super) fn is_nonnegative(&self) -> bool {
        self.set.values().all(|x| x.order(&Number::zero()).is_ge())
    }

    /// An upper bound of the number of [`Vector::components`].
    pub fn len(&self) -> u64 {
        (self.length as u64).saturating_add(self.set.len() as u64)
    }

    /// True if it has no components.
    pub fn is_empty(&self) -> bool {
        self.length == 0 && self.set.is_empty()
    }

    /// Leaves out what is 0, so that equal vectors are equal.
    fn normalised(mut self) -> Vector {
        self.set.retain(|_, element| !element.is_zero());
        self
    }

    /// As [`Value::cost`].
    pub(super) fn cost(&self) -> u64 {
        self.set.values().map(|element| 1 + element.cost()).sum()
    }

    /// The largest or smallest component; 0 if there are no components.
    pub(super) fn extreme(&self, pick: fn(Number, Number) -> Number) -> Number {
        let idle = self.everywhere || self.set.len() < self.length;
        let zero = idle.then(Number::zero);
        self.set
            .values()
            .cloned()
            .chain(zero)
            .reduce(pick)
            .unwrap_or_else(Number::zero)
    }

    /// The largest demand for a resource; never below that for one that is not used, 0.
    pub(super) fn largest(&self) -> Number {
        self.extreme(Number::max).max(Number::zero())
    }

    /// Elementwise on the components of both; a missing component counts as 0.
    ///
    /// `combine` must give 0 for two zeros.
    pub(super) fn combine(
        &self,
        other: &Vector,
        combine: impl Fn(&Number, &Number) -> Result<Number, Fault>,
    ) -> Result<Vector, Fault> {
        let mut result = Vector::of_extent(self.extent()).within(other.extent());
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

    /// True if [`Vector::map`] of this function touches the components that are 0.
    pub(super) fn keeps_zero(function: impl Fn(&Number) -> Result<Number, Fault>) -> bool {
        matches!(function(&Number::zero()), Ok(value) if value.is_zero())
    }

    /// The function of every component.
    pub(super) fn map(
        &self,
        function: impl Fn(&Number) -> Result<Number, Fault>,
    ) -> Result<Vector, Fault> {
        let all = match (Vector::keeps_zero(&function), self.everywhere) {
            (true, _) => self.set.clone(),
            (false, false) => self.components(),
            (false, true) => {
                return Err(
                    "a unit vector whose index is not a number has a component for each resource: \
                            not all of them can be other than 0"
                        .to_owned(),
                );
            }
        };
        let mut result = Vector::of_extent(self.extent());
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

    /// Number of steps counted for an operation with this result, by its length.
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

impl From<num_rational::BigRational> for Value {
    fn from(value: num_rational::BigRational) -> Value {
        Value::Scalar(value.into())
    }
}

impl From<Fraction> for Value {
    fn from(value: Fraction) -> Value {
        Value::Scalar(value.into())
    }
}
