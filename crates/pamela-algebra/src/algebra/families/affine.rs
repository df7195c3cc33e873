//! Affine forms of whole numbers.

use std::collections::BTreeMap;

/// A size, an index, or what counts the repetitions of a path.
pub type Variable = u32;

/// `constant + sum of coefficients * variables`, without those whose coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Affine {
    pub constant: i64,
    terms: BTreeMap<Variable, i64>,
}

impl Affine {
    pub fn constant(constant: i64) -> Affine {
        Affine {
            constant,
            terms: BTreeMap::new(),
        }
    }

    pub fn variable(variable: Variable) -> Affine {
        Affine::constant(0).with(variable, 1)
    }

    /// With so much more of a variable.
    pub fn with(mut self, variable: Variable, coefficient: i64) -> Affine {
        let known = self.terms.entry(variable).or_insert(0);
        *known += coefficient;
        if *known == 0 {
            self.terms.remove(&variable);
        }
        self
    }

    pub fn coefficient(&self, variable: Variable) -> i64 {
        self.terms.get(&variable).copied().unwrap_or(0)
    }

    pub fn terms(&self) -> impl Iterator<Item = (Variable, i64)> {
        self.terms
            .iter()
            .map(|(&variable, &coefficient)| (variable, coefficient))
    }

    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`
    pub fn plus(&self, other: &Affine, factor: i64) -> Affine {
        let mut sum = self.clone();
        sum.constant += factor * other.constant;
        for (variable, coefficient) in other.terms() {
            sum = sum.with(variable, factor * coefficient);
        }
        sum
    }

    pub fn shifted(&self, by: i64) -> Affine {
        Affine {
            constant: self.constant + by,
            terms: self.terms.clone(),
        }
    }

    pub fn scaled(&self, factor: i64) -> Affine {
        Affine::default().plus(self, factor)
    }

    /// Over what divides all of its numbers.
    pub fn divided(&self, divisor: i64) -> Affine {
        let terms = self.terms();
        terms.fold(
            Affine::constant(self.constant / divisor),
            |sum, (variable, coefficient)| sum.with(variable, coefficient / divisor),
        )
    }

    /// With variables replaced, all at once.
    pub fn substituted(&self, values: &dyn Fn(Variable) -> Option<Affine>) -> Affine {
        let mut result = Affine::constant(self.constant);
        for (variable, coefficient) in self.terms() {
            result = match values(variable) {
                Some(value) => result.plus(&value, coefficient),
                None => result.with(variable, coefficient),
            };
        }
        result
    }

    /// The value where variables have these; others are 0.
    pub fn value(&self, values: &[i64]) -> i64 {
        let part = |(variable, coefficient): (Variable, i64)| {
            coefficient * values.get(variable as usize).copied().unwrap_or(0)
        };
        self.constant + self.terms().map(part).sum::<i64>()
    }
}
