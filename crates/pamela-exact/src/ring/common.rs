//! Greatest common divisors of polynomials in several atoms.

use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::rational::Rational;

/// Polynomials of more terms on the way have no common divisor that is looked for.
const MAX_TERMS: usize = 400;
/// So many remainders are taken, in all atoms together.
const MAX_REMAINDERS: usize = 200;

impl Polynomial {
    /// A common divisor of the greatest degree without monomials, which are units: its coefficients are coprime
    /// integers. `None` past the limits.
    pub fn common_divisor(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut left = MAX_REMAINDERS;
        gcd(&primitive(self)?, &primitive(other)?, &mut left)
    }

    /// All of them by what they have in common.
    pub fn without_common_divisor(list: &[Polynomial]) -> Option<Vec<Polynomial>> {
        let nonzero = list.iter().filter(|p| !p.is_zero());
        let divisor = nonzero
            .clone()
            .try_fold(Polynomial::zero(), |divisor, p| p.common_divisor(&divisor))?;
        let units = nonzero.fold(None, |least: Option<Monomial>, p| {
            let own = p.monomial_content();
            Some(match least {
                None => own,
                Some(least) => least.combine(&own, |a, b| Some(a.min(b))).unwrap_or(least),
            })
        });
        let inverse = units.unwrap_or_default().checked_pow(-1)?;
        let reduced = |p: &Polynomial| {
            let quotient = p.divide_exact(&divisor)?;
            quotient.mul_term(&inverse, &Rational::ONE)
        };
        list.iter().map(reduced).collect()
    }
}

/// Without its monomial, and with coprime integers as coefficients.
fn primitive(p: &Polynomial) -> Option<Polynomial> {
    let Some(inverse) = p.content().recip() else {
        return Some(Polynomial::zero());
    };
    p.mul_term(&p.monomial_content().checked_pow(-1)?, &inverse)
}

/// Of polynomials without negative exponents.
fn gcd(p: &Polynomial, q: &Polynomial, left: &mut usize) -> Option<Polynomial> {
    if p.is_zero() || q.is_zero() {
        return Some(if p.is_zero() { q.clone() } else { p.clone() });
    }
    let Some(&atom) = p.atoms().first().max(q.atoms().first()) else {
        return Some(Polynomial::one());
    };
    let (of_p, of_q) = (content_in(p, atom, left)?, content_in(q, atom, left)?);
    let common = gcd(&of_p, &of_q, left)?;
    let (mut p, mut q) = (p.divide_exact(&of_p)?, q.divide_exact(&of_q)?);
    if p.degree_in(atom) < q.degree_in(atom) {
        std::mem::swap(&mut p, &mut q);
    }
    while !q.is_zero() {
        if q.degree_in(atom) == 0 {
            p = Polynomial::one();
            break;
        }
        *left = left.checked_sub(1)?;
        let rest = pseudo_remainder(&p, &q, atom)?;
        let content = content_in(&rest, atom, left)?;
        let rest = rest.divide_exact(&content).unwrap_or_default();
        (p, q) = (q, rest);
    }
    primitive(&p.checked_mul(&common, MAX_TERMS)?)
}

/// What the coefficients of the powers of an atom have in common; 0 for the zero polynomial.
fn content_in(p: &Polynomial, atom: Atom, left: &mut usize) -> Option<Polynomial> {
    let mut content = Polynomial::zero();
    for coefficient in p.coefficients_in(atom).values() {
        content = gcd(&content, coefficient, left)?;
        if content.as_constant().is_some_and(|c| !c.is_zero()) {
            return Some(Polynomial::one());
        }
    }
    Some(content)
}

/// The remainder by `q` of `p` times a power of the leading coefficient of `q`.
fn pseudo_remainder(p: &Polynomial, q: &Polynomial, atom: Atom) -> Option<Polynomial> {
    let degree = q.degree_in(atom);
    let leading = q.coefficients_in(atom).remove(&degree)?;
    let mut rest = p.clone();
    while !rest.is_zero() && rest.degree_in(atom) >= degree {
        let above = rest.degree_in(atom);
        let first = rest.coefficients_in(atom).remove(&above)?;
        let raised = first.mul_term(&Monomial::power(atom, above - degree), &Rational::ONE)?;
        rest = &rest.checked_mul(&leading, MAX_TERMS)? - &q.checked_mul(&raised, MAX_TERMS)?;
    }
    Some(rest)
}
