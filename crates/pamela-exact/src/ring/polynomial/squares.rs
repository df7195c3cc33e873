//! Squares that are completed: `2*x^2 - 4*x*y + 3*y^2 = 2*(x - y)^2 + y^2`.

use super::{Atom, Polynomial};
use crate::ring::Rational;

/// Sums of more terms have no square that one would see.
const MOST_TERMS: usize = 40;

/// `factor * (atom + shift)^2 + rest`
#[derive(Clone, Debug)]
pub struct CompletedSquare {
    pub factor: Polynomial,
    pub atom: Atom,
    pub shift: Polynomial,
    /// The polynomial without the atom.
    pub rest: Polynomial,
}

impl Polynomial {
    /// One completed square for each atom for which all divisors are numbers.
    pub fn completed_squares(&self) -> Vec<CompletedSquare> {
        if self.len() < 3 || self.len() > MOST_TERMS {
            return Vec::new();
        }
        let atoms = self.atoms().into_iter();
        atoms
            .filter_map(|atom| self.completed_square(atom))
            .collect()
    }

    fn completed_square(&self, atom: Atom) -> Option<CompletedSquare> {
        if (self.min_degree_in(atom), self.degree_in(atom)) != (0, 2) {
            return None;
        }
        let mut by_power = self.coefficients_in(atom);
        let (factor, slope) = (by_power.remove(&2)?, by_power.remove(&1)?);
        let half = Rational::from(2).recip()?;
        let shift = slope.divide_exact(&factor)?.scale(&half);
        // A divisor is 0 somewhere.
        if shift.exponents().values().any(|&(least, _)| least < 0) {
            return None;
        }
        let square = shift.pow(2, MOST_TERMS)?.checked_mul(&factor, MOST_TERMS)?;
        let rest = &by_power.remove(&0).unwrap_or_default() - &square;
        Some(CompletedSquare {
            factor,
            atom,
            shift,
            rest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::Monomial;

    fn atom(k: u32) -> Polynomial {
        Polynomial::atom(Atom(k))
    }

    fn whole(square: &CompletedSquare) -> Option<Polynomial> {
        let base = &atom(square.atom.0) + &square.shift;
        let square_of_base = base.pow(2, MOST_TERMS)?;
        Some(&square_of_base.checked_mul(&square.factor, MOST_TERMS)? + &square.rest)
    }

    #[test]
    fn squares_are_completed_where_nothing_but_numbers_divides() {
        let (x, y, p) = (atom(0), atom(1), atom(2));
        let other = &Polynomial::one() - &p;
        let product = |list: &[&Polynomial]| {
            let one = Some(Polynomial::one());
            let all = list
                .iter()
                .fold(one, |all, next| all?.checked_mul(next, MOST_TERMS));
            all.expect("small")
        };
        // (1 - p)*x^2 - 2*(1 - p)*x*y + (2 - p)*y^2 = (1 - p)*(x - y)^2 + y^2
        let two = Polynomial::from(2);
        let sum = &(&product(&[&other, &x, &x]) - &product(&[&two, &other, &x, &y]))
            + &product(&[&(&other + &Polynomial::one()), &y, &y]);
        let squares = sum.completed_squares();
        let of_x = squares
            .iter()
            .find(|square| square.atom == Atom(0))
            .expect("x");
        assert_eq!(of_x.rest, product(&[&y, &y]));
        assert_eq!(of_x.shift, -&y);
        assert!(
            squares
                .iter()
                .all(|square| whole(square).as_ref() == Some(&sum))
        );
        // x^2 * p + x * y: the half of y / p is no polynomial.
        let uneven = &(&product(&[&x, &x, &p]) + &product(&[&x, &y])) + &y;
        assert!(uneven.completed_squares().is_empty());
        assert!(uneven.coefficient(&Monomial::one()).is_zero());
    }
}
