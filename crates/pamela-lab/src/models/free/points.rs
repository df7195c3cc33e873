//! Values of the parameters: small values; at a third of the points two compared terms are equal.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Zero};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::expression::{Free, INDICES};
use crate::diagnostic::Error;
use crate::model::{Evaluator, Limits, Number, Value};
use crate::pipeline::Model;

const WHOLE: [i64; 10] = [0, 1, 2, 3, 4, 5, 0, 1, 7, -1];
/// Numerators and denominators.
const NUMBERS: [(i64, i64); 10] = [
    (0, 1),
    (1, 1),
    (-1, 1),
    (0, 1),
    (1, 1),
    (2, 1),
    (3, 1),
    (1, 2),
    (-3, 2),
    (5, 1),
];
/// Parameters that are tried to make a pair equal.
const TRIES: usize = 4;
/// Steps to evaluate one side of a comparison.
const STEPS: u64 = 2_000;

pub type Values = BTreeMap<String, BigRational>;

/// Values that may contradict the facts of the model.
pub struct Draw {
    pub values: Values,
    /// True if something that is compared is equal there.
    pub boundary: bool,
}

/// Draws values for the parameters of one model.
pub struct Points<'f> {
    free: &'f Free,
    random: Pcg64,
    /// For each pair that is compared, the difference as an equation over parameters and indices.
    differences: Model,
    count: usize,
}

impl<'f> Points<'f> {
    /// # Errors
    /// Fails if a part of the model is invalid.
    pub fn new(free: &'f Free, seed: u64) -> Result<Points<'f>, Error> {
        let mut text: String = free.declarations();
        for index in INDICES {
            text.push_str(&format!("numeric parameter {index}\n"));
        }
        let pairs = free.body.pairs();
        for (number, [left, right]) in pairs.iter().enumerate() {
            text.push_str(&format!("numeric {} = {left} - {right}\n", name(number)));
        }
        Ok(Points {
            free,
            random: Pcg64::seed_from_u64(seed),
            differences: Model::parse(&text)?,
            count: pairs.len(),
        })
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.random_range(0..list.len())]
    }

    fn whole(&mut self) -> BigRational {
        BigRational::from_integer(self.one_of(&WHOLE).into())
    }

    fn number(&mut self) -> BigRational {
        let (numerator, denominator) = self.one_of(&NUMBERS);
        BigRational::new(numerator.into(), denominator.into())
    }

    /// Random values. Most are moved to a point at which two compared terms are equal, or two values are made equal.
    pub fn draw(&mut self) -> Draw {
        let mut values = Values::new();
        for parameter in self.free.used() {
            let value = if parameter.whole {
                self.whole()
            } else {
                self.number()
            };
            values.insert(parameter.name.to_string(), value);
        }
        let names: Vec<String> = values.keys().cloned().collect();
        let mut boundary = false;
        if !names.is_empty() {
            let tries = self.one_of(&[0, 1, TRIES, TRIES, TRIES]);
            for _ in 0..tries {
                let moved = &names[self.random.random_range(0..names.len())];
                if let Some(root) = self.root(&values, moved) {
                    values.insert(moved.clone(), root);
                    boundary = true;
                    break;
                }
            }
            if tries == 0 {
                let [one, other] = [(); 2].map(|()| self.random.random_range(0..names.len()));
                values.insert(names[one].clone(), values[&names[other]].clone());
            }
        }
        Draw { values, boundary }
    }

    /// The value of the parameter `moved` at which two operands are equal, for some values of the indices: where their
    /// difference is linear, one step of the secant method is exact.
    fn root(&mut self, values: &Values, moved: &str) -> Option<BigRational> {
        if self.count == 0 {
            return None;
        }
        let pair = name(self.random.random_range(0..self.count));
        let mut at = values.clone();
        for index in INDICES {
            at.insert(index.to_string(), self.whole());
        }
        let here = at[moved].clone();
        let first = self.difference(&pair, &at)?;
        at.insert(moved.to_string(), &here + BigRational::one());
        let slope = self.difference(&pair, &at)? - &first;
        if slope.is_zero() {
            return first.is_zero().then_some(here);
        }
        let root = here - first / slope;
        at.insert(moved.to_string(), root.clone());
        self.difference(&pair, &at)?.is_zero().then_some(root)
    }

    fn difference(&self, pair: &str, at: &Values) -> Option<BigRational> {
        let bindings = at
            .iter()
            .map(|(name, value)| (name.clone(), Value::from(value.clone())));
        let bindings = bindings.collect();
        let model = self.differences.checked();
        let mut evaluator = Evaluator::new(model, &bindings, Limits { steps: STEPS });
        match evaluator.equation(pair).ok()? {
            Value::Scalar(Number::Exact(value)) => Some(value.into_big()),
            _ => None,
        }
    }
}

fn name(number: usize) -> String {
    format!("difference_{number}")
}
