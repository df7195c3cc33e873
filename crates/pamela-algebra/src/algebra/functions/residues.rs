//! What a polynomial in the index is above the whole number below it: it repeats with the denominator.

use crate::ring::{Monomial, Polynomial, Rational, Univariate};

use super::super::pattern::Value;
use super::super::scope::Scope;
use super::super::terms::{Terms, atom_of};
use super::{one, term_and_index};

/// Sums over what repeats after more elements have a term for each of them.
const LONGEST_PERIOD: i64 = 6;

/// `x - floor(x)` of a polynomial with numbers for coefficients, of the second degree at least, as a polynomial in the
/// remainder of the index by the common denominator.
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
    let residue = |k: i64| values.evaluate(&Rational::from(k)).fract();
    let by_remainder = interpolated(&(0..period).map(residue).collect::<Vec<_>>());
    let period = terms.arena.number(period);
    let remainder = terms.arena.modulo(own, period);
    let remainder = atom_of(remainder);
    let parts = (0..).zip(by_remainder.coefficients());
    let parts = parts.map(|(power, coefficient)| {
        Polynomial::term(Monomial::power(remainder, power), coefficient.clone())
    });
    let sum = parts.fold(Polynomial::zero(), |sum, part| &sum + &part);
    Some(vec![Value::Term(terms.expression(&sum))])
}

/// The polynomial with these values at 0, 1, ..., by Newton's forward differences.
fn interpolated(values: &[Rational]) -> Univariate {
    let mut differences = values.to_vec();
    let (mut sum, mut choose) = (Univariate::zero(), Univariate::one());
    for k in 0..values.len() {
        sum = sum.plus(&choose.scale(&differences[0]));
        differences = differences
            .windows(2)
            .map(|two| &two[1] - &two[0])
            .collect();
        let [own, next] = [k, k + 1].map(|k| Rational::from(k as i64));
        let factor = Univariate::linear(Rational::ONE, -own);
        choose = choose.times(&factor);
        choose = choose.scale(&next.recip().unwrap_or(Rational::ONE));
    }
    sum
}
