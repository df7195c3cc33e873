//! Affine forms of whole numbers.

use smallvec::SmallVec;

/// A size, an index, or a counter of the repetitions of a path.
pub type Variable = u32;

/// `constant + sum of coefficients * variables`, without those whose coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Affine {
    pub constant: i64,
    /// In the order of the variables.
    terms: SmallVec<[(Variable, i64); 4]>,
}

impl Affine {
    pub fn constant(constant: i64) -> Affine {
        Affine {
            constant,
            terms: SmallVec::new(),
        }
    }

    pub fn variable(variable: Variable) -> Affine {
        Affine::constant(0).with(variable, 1)
    }

    /// Adds a multiple of a variable.
    pub fn with(mut self, variable: Variable, coefficient: i64) -> Affine {
        match self.place(variable) {
            Ok(place) => {
                self.terms[place].1 += coefficient;
                if self.terms[place].1 == 0 {
                    self.terms.remove(place);
                }
            }
            Err(place) if coefficient != 0 => self.terms.insert(place, (variable, coefficient)),
            Err(_) => {}
        }
        self
    }

    /// The position of a variable, or the position at which to insert it.
    fn place(&self, variable: Variable) -> Result<usize, usize> {
        self.terms.binary_search_by_key(&variable, |term| term.0)
    }

    pub fn coefficient(&self, variable: Variable) -> i64 {
        self.place(variable).map_or(0, |place| self.terms[place].1)
    }

    pub fn terms(&self) -> impl Iterator<Item = (Variable, i64)> {
        self.terms.iter().copied()
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

    /// Divides by a common divisor of all coefficients.
    pub fn divided(&self, divisor: i64) -> Affine {
        let terms = self.terms();
        terms.fold(
            Affine::constant(self.constant / divisor),
            |sum, (variable, coefficient)| sum.with(variable, coefficient / divisor),
        )
    }

    /// Replaces variables simultaneously.
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

    /// The value at these values of the variables; others are 0.
    pub fn value(&self, values: &[i64]) -> i64 {
        let part = |(variable, coefficient): (Variable, i64)| {
            coefficient * values.get(variable as usize).copied().unwrap_or(0)
        };
        self.constant + self.terms().map(part).sum::<i64>()
    }
}
