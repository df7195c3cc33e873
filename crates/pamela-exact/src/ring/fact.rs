//! Facts about polynomials, and goals to prove.

use super::monomial::Monomial;
use super::polynomial::Polynomial;
use super::rational::Rational;

/// Relation of a polynomial to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `>= 0`
    NonNegative,
    /// `> 0`
    Positive,
    /// `== 0`
    Zero,
}

/// A polynomial and its relation to 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fact {
    pub polynomial: Polynomial,
    pub relation: Relation,
}

impl Fact {
    /// True for a constant fact that is false, such as `-1 >= 0`.
    pub(super) fn is_absurd(&self) -> bool {
        let absurd = |value: Rational| match self.relation {
            Relation::NonNegative => value.is_negative(),
            Relation::Positive => !value.is_positive(),
            Relation::Zero => !value.is_zero(),
        };
        self.polynomial.as_constant().is_some_and(absurd)
    }

    /// True if the sum of both is a false constant fact, as for `x >= y` and `x + 1 <= y`.
    pub(super) fn excludes(&self, other: &Fact) -> bool {
        if !self.polynomial.is_opposite_of(&other.polynomial) {
            return false;
        }
        let constant = |fact: &Fact| fact.polynomial.coefficient(&Monomial::one());
        let sum = constant(self) + constant(other);
        let is_strict = [self, other]
            .iter()
            .any(|fact| fact.relation == Relation::Positive);
        sum.is_negative() || is_strict && sum.is_zero()
    }
}

/// The goal of a proof: `polynomial >= 0`, or `> 0` if strict.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Goal {
    pub polynomial: Polynomial,
    pub strict: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::Atom;

    #[test]
    fn facts_exclude_each_other_where_their_sum_is_a_number_that_is_too_small() {
        let (x, y) = (Polynomial::atom(Atom(0)), Polynomial::atom(Atom(1)));
        let fact = |polynomial: Polynomial, relation| Fact {
            polynomial,
            relation,
        };
        let least = fact(&x - &y, Relation::NonNegative);
        let one = Polynomial::one();
        assert!(least.excludes(&fact(&y - &x - one, Relation::NonNegative)));
        assert!(least.excludes(&fact(&y - &x, Relation::Positive)));
        // Both hold where they are equal.
        assert!(!least.excludes(&fact(&y - &x, Relation::NonNegative)));
        assert!(!least.excludes(&fact(-&x, Relation::Positive)));
    }
}
