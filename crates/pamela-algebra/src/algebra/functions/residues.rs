//! The difference between a polynomial in the index and its floor; it is periodic in the denominator of the
//! coefficients.

use crate::ring::{Monomial, Polynomial, Rational, Univariate};

use super::super::pattern::Value;
use super::super::scope::Scope;
use super::super::terms::{Terms, atom_of};
use super::{one, term_and_index};

/// Sums over what repeats after more elements have a term for each of them.
const LONGEST_PERIOD: i64 = 6;

/// `x - floor(x)` of a polynomial with numeric coefficients and at least degree 2, as a polynomial in the remainder
/// of the index by the common denominator.
pub fn residues(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(found(&mut scope.terms, values))
}

fn found(terms: &mut Terms, values: &[Value]) -> Option<Vec<Value>> {
    let (body, index) = term_and_index(&terms.arena, values)?;
    let own = terms.arena.symbol(index);
    let by_power = terms.polynomial(body).coefficients_in(atom_of(own));
    let highest = usize::try_from(*by_power.keys().next_back()?).ok()?;
    if highest < 2 || *by_power.keys().next()? < 0 {
        return None;
    }
    let mut coefficients = vec![Rational::ZERO; highest + 1];
    for (power, coefficient) in &by_power {
        coefficients[usize::try_from(*power).ok()?] = coefficient.as_constant()?;
    }
    let period = coefficients.iter().try_fold(1i64, |period, coefficient| {
        let denominator = Rational::from(coefficient.denominator()).to_i64()?;
        let period = num_integer::lcm(period, denominator);
        (period <= LONGEST_PERIOD).then_some(period)
    })?;
    let values = Univariate::new(coefficients);
    let residue = |k: Rational| {
        let value = values.evaluate(&k).fract();
        (k, value)
    };
    let points: Vec<_> = (0..period).map(Rational::from).map(residue).collect();
    let by_remainder = Univariate::through(&points);
    let period = terms.arena.number(period);
    let remainder = atom_of(terms.arena.modulo(own, period));
    let parts = (0..).zip(by_remainder.coefficients());
    let parts = parts.map(|(power, coefficient)| {
        Polynomial::term(Monomial::power(remainder, power), coefficient.clone())
    });
    let sum = parts.fold(Polynomial::zero(), |sum, part| &sum + &part);
    Some(vec![Value::Term(terms.expression(&sum))])
}
