//! Partial fractions in one index, over coefficients that are polynomials in other atoms.

use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::rational::Rational;

/// `coefficient / (index + shift)^power`, with `power >= 1`; coefficient and shift are free of the index.
#[derive(Clone, Debug, PartialEq)]
pub struct Fraction {
    pub shift: Polynomial,
    pub power: u32,
    pub coefficient: Polynomial,
}

/// A polynomial in an index plus fractions of different poles or powers.
#[derive(Clone, Debug)]
pub struct PartialFractions {
    index: Atom,
    pub polynomial: Polynomial,
    pub fractions: Vec<Fraction>,
    max_terms: usize,
}

impl PartialFractions {
    /// The polynomial part; its exponents of the index are not negative. `max_terms` limits the terms of every
    /// coefficient.
    pub fn of_polynomial(
        polynomial: Polynomial,
        index: Atom,
        max_terms: usize,
    ) -> Option<PartialFractions> {
        (polynomial.min_degree_in(index) >= 0).then_some(PartialFractions {
            index,
            polynomial,
            fractions: Vec::new(),
            max_terms,
        })
    }

    /// Divides by `index + shift`.
    ///
    /// `reciprocal` gives `1 / d` for the difference `d` of two shifts, which is not the zero polynomial. If it gives
    /// `None`, or beyond the cap, there is no result.
    pub fn divide(
        &self,
        shift: &Polynomial,
        reciprocal: &mut dyn FnMut(&Polynomial) -> Option<Polynomial>,
    ) -> Option<PartialFractions> {
        let (quotient, remainder) = self.divide_polynomial(shift)?;
        let mut result = PartialFractions {
            polynomial: quotient,
            fractions: Vec::new(),
            ..*self
        };
        result.add(shift, 1, remainder);
        for Fraction {
            shift: own,
            power,
            coefficient,
        } in &self.fractions
        {
            if own == shift {
                result.add(own, power + 1, coefficient.clone());
                continue;
            }
            // 1 / ((i+s) (i+t)) = r / (i+s) - r / (i+t) with r = 1 / (t - s), once for each power.
            let inverse = reciprocal(&(shift - own))?;
            let mut carried = coefficient.clone();
            for power in (1..=*power).rev() {
                carried = carried.checked_mul(&inverse, self.max_terms)?;
                result.add(own, power, carried.clone());
                carried = -carried;
            }
            result.add(shift, 1, carried);
        }
        Some(result)
    }

    /// Quotient and remainder by `index + shift` (Horner).
    fn divide_polynomial(&self, shift: &Polynomial) -> Option<(Polynomial, Polynomial)> {
        let mut coefficients = self.polynomial.coefficients_in(self.index);
        let degree = coefficients.last_key_value().map_or(0, |(&power, _)| power);
        let root = -shift;
        let mut quotient = Polynomial::zero();
        let mut carried = Polynomial::zero();
        for power in (0..=degree).rev() {
            if power < degree {
                let of_index = Monomial::power(self.index, power);
                quotient += carried.mul_term(&of_index, &Rational::ONE)?;
            }
            let own = coefficients.remove(&power).unwrap_or_default();
            carried = carried.checked_mul(&root, self.max_terms)? + own;
        }
        Some((quotient, carried))
    }

    /// The sum of two.
    pub fn plus(mut self, other: &PartialFractions) -> PartialFractions {
        self.polynomial += other.polynomial.clone();
        for fraction in &other.fractions {
            self.add(
                &fraction.shift,
                fraction.power,
                fraction.coefficient.clone(),
            );
        }
        self
    }

    fn add(&mut self, shift: &Polynomial, power: u32, coefficient: Polynomial) {
        let same = |fraction: &Fraction| fraction.power == power && fraction.shift == *shift;
        match self.fractions.iter().position(same) {
            Some(position) => {
                self.fractions[position].coefficient += coefficient;
                if self.fractions[position].coefficient.is_zero() {
                    self.fractions.remove(position);
                }
            }
            None if coefficient.is_zero() => {}
            None => self.fractions.push(Fraction {
                shift: shift.clone(),
                power,
                coefficient,
            }),
        }
    }
}
