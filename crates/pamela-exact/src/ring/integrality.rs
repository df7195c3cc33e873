//! Proofs that polynomials take integer values at integers.

use super::polynomial::Polynomial;
use super::rational::Rational;

/// Beyond this degree in an atom only integer coefficients are recognised.
const MAX_DEGREE: i32 = 32;

/// True if the polynomial has an integer value whenever all its atoms have integer values.
///
/// It has just when its coefficients in the basis of products of `binomial(atom, j)` are integers
/// (Pólya 1915). Sound but incomplete for high degrees and for negative exponents.
pub(super) fn integer_valued(polynomial: &Polynomial) -> bool {
    let proper = |exponent: i32| exponent >= 0;
    let mut powers = polynomial
        .terms()
        .flat_map(|(monomial, _)| monomial.powers());
    if !powers.all(|(_, exponent)| proper(*exponent)) {
        return false;
    }
    if polynomial
        .terms()
        .all(|(_, coefficient)| coefficient.is_integer())
    {
        return true;
    }
    // One atom less at each level, so the depth is at most their number, and at most the degree.
    let Some(atom) = polynomial.atoms().pop_first() else {
        return false;
    };
    let degree = polynomial.degree_in(atom);
    if degree > MAX_DEGREE {
        return false;
    }
    let mut values = vec![Polynomial::zero(); degree as usize + 1];
    for (exponent, coefficient) in polynomial.coefficients_in(atom) {
        for (point, value) in (0_i64..).zip(&mut values) {
            if let Some(power) = Rational::from(point).pow(exponent.into()) {
                *value += coefficient.scale(&power);
            }
        }
    }
    // The coefficients in the basis are the forward differences at 0.
    for order in 1..values.len() {
        for position in (order..values.len()).rev() {
            values[position] = &values[position] - &values[position - 1];
        }
    }
    values.iter().all(integer_valued)
}
