//! Content and exact division of Laurent polynomials.

use std::collections::BTreeMap;

use super::monomial::Monomial;
use super::polynomial::Polynomial;
use super::rational::Rational;

/// A quotient of more terms than this is given up.
const MAX_QUOTIENT_TERMS: usize = 10_000;

impl Polynomial {
    /// The greatest common divisor of the coefficients, with the sign of the leading one; 0 for the
    /// zero polynomial.
    ///
    /// Division by it leaves coprime integers with a positive leading coefficient.
    pub fn content(&self) -> Rational {
        let gcd = Rational::common_measure(self.terms().map(|(_, coefficient)| coefficient));
        match self.terms().next() {
            Some((_, leading)) if leading.is_negative() => -gcd,
            _ => gcd,
        }
    }

    /// The greatest monomial whose division leaves no negative exponents; 1 for the zero
    /// polynomial.
    pub fn monomial_content(&self) -> Monomial {
        let mut monomials = self.terms().map(|(monomial, _)| monomial);
        let first = monomials.next().cloned().unwrap_or_default();
        monomials.fold(first, |content, monomial| {
            let least = content.combine(monomial, |a, b| Some(a.min(b)));
            // The least of two exponents exists.
            least.unwrap_or(content)
        })
    }

    /// The Laurent polynomial `q` with `q * divisor = self`.
    ///
    /// Returns `None` if the division has a remainder, for a zero divisor, if `q` has more than 10,000 terms, or if
    /// an exponent overflows.
    pub fn divide_exact(&self, divisor: &Polynomial) -> Option<Polynomial> {
        if let Some((monomial, coefficient)) = divisor.as_term() {
            let inverse = Monomial::one().checked_div(monomial)?;
            return self.mul_term(&inverse, &coefficient.recip()?);
        }
        if divisor.is_zero() {
            return None;
        }
        // Monomials are units: without them this is a division of proper polynomials, and a
        // quotient that exists is one too.
        let (dividend_unit, divisor_unit) = (self.monomial_content(), divisor.monomial_content());
        let quotient = divide_proper(
            &self.without_unit(&dividend_unit)?,
            &divisor.without_unit(&divisor_unit)?,
        )?;
        quotient.mul_term(&dividend_unit.checked_div(&divisor_unit)?, &Rational::ONE)
    }

    fn without_unit(&self, unit: &Monomial) -> Option<Polynomial> {
        self.mul_term(&Monomial::one().checked_div(unit)?, &Rational::ONE)
    }
}

/// Long division from the leading term down, for exponents that are not negative.
fn divide_proper(dividend: &Polynomial, divisor: &Polynomial) -> Option<Polynomial> {
    let mut divisor_terms = divisor.terms();
    let (divisor_monomial, divisor_coefficient) = divisor_terms.next()?;
    let inverse = divisor_coefficient.recip()?;
    if !degrees_allow(dividend, divisor) {
        return None;
    }
    let mut remainder: BTreeMap<Monomial, Rational> = dividend
        .terms()
        .map(|(monomial, coefficient)| (monomial.clone(), coefficient.clone()))
        .collect();
    let mut quotient = Vec::new();
    while let Some((monomial, coefficient)) = remainder.pop_last() {
        if coefficient.is_zero() {
            continue;
        }
        let monomial = monomial.checked_div(divisor_monomial)?;
        let proper = monomial.powers().iter().all(|(_, exponent)| *exponent > 0);
        if !proper || quotient.len() == MAX_QUOTIENT_TERMS {
            return None;
        }
        let coefficient = coefficient * &inverse;
        for (other, factor) in divisor_terms.clone() {
            *remainder.entry(monomial.checked_mul(other)?).or_default() -= &coefficient * factor;
        }
        quotient.push((monomial, coefficient));
    }
    Some(Polynomial::from_canonical(quotient))
}

/// Degrees add up in a product: a cheap way to see most failures early.
fn degrees_allow(dividend: &Polynomial, divisor: &Polynomial) -> bool {
    let atoms = divisor.atoms();
    dividend.is_zero()
        || atoms
            .into_iter()
            .all(|atom| dividend.degree_in(atom) >= divisor.degree_in(atom))
}
