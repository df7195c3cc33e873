//! Polynomials as products of sums.

use std::cmp::Ordering;

use super::Terms;
use super::bases::content;
use crate::ring::{Monomial, Polynomial, Rational};

/// Sums of more terms are not taken apart.
const MOST_TERMS: usize = 60;
/// No factor has a greater power.
const MOST_POWER: u32 = 16;

/// A factorisation of a polynomial: a number, a monomial, and sums with their powers.
pub struct Product {
    pub scale: Rational,
    pub monomial: Monomial,
    /// The sums, each with a positive sign in the term that is printed first.
    pub sums: Vec<(Polynomial, u32)>,
}

impl Terms {
    /// A polynomial as a product; a single sum if no factors are found.
    pub fn product_of_sums(&mut self, polynomial: &Polynomial) -> Option<Product> {
        let (mut scale, mut monomial, sum) = self.primitive(polynomial)?;
        let mut sums = Vec::new();
        if sum.as_constant().is_some() {
            return Some(Product {
                scale,
                monomial,
                sums,
            });
        }
        let mut rest = sum.clone();
        for (factor, power) in self.split(&sum) {
            let base = content(&self.arena, &factor).checked_pow(-1)?;
            let factor = factor.mul_term(&base, &Rational::ONE)?;
            let factor = match self.leading_sign(&factor) {
                Ordering::Less => -factor,
                _ => factor,
            };
            let whole = factor.pow(power, MOST_TERMS)?;
            rest = rest.divide_exact(&whole)?;
            sums.push((factor, power));
        }
        let (unit, number) = rest.as_term()?;
        (scale, monomial) = (&scale * number, monomial.checked_mul(unit)?);
        Some(Product {
            scale,
            monomial,
            sums,
        })
    }

    fn split(&self, sum: &Polynomial) -> Vec<(Polynomial, u32)> {
        let whole = || vec![(sum.clone(), 1)];
        if sum.len() > MOST_TERMS {
            return whole();
        }
        let parts = sum.split().unwrap_or_default();
        if parts.is_empty() || parts.iter().any(|&(_, power)| power > MOST_POWER) {
            whole()
        } else {
            parts
        }
    }
}
