//! Greatest common divisors of polynomials in several atoms.

use super::modular::{has_double_root, have_common_root};
use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::rational::Rational;

/// Polynomials of more terms on the way have no common divisor that is looked for.
const MAX_TERMS: usize = 400;
/// Factors of a greater degree in one atom are not looked for.
const MAX_DEGREE: i32 = 64;
/// Maximum number of remainders, over all atoms together.
const MAX_REMAINDERS: usize = 200;

impl Polynomial {
    /// A common divisor of the greatest degree, without monomials, with coprime integer
    /// coefficients.
    ///
    /// Returns `None` beyond the limits.
    pub fn common_divisor(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut left = MAX_REMAINDERS;
        gcd(&primitive(self)?, &primitive(other)?, &mut left)
    }

    /// Splits off factors found as common divisors, each with its power.
    ///
    /// These are factors without some of the atoms, and repeated factors. Their product is the
    /// polynomial up to a number and a monomial. Returns `None` beyond the limits.
    pub fn split(&self) -> Option<Vec<(Polynomial, u32)>> {
        let (mut found, mut left) = (Vec::new(), MAX_REMAINDERS);
        split(primitive(self)?, 1, &mut left, &mut found)?;
        Some(found)
    }

    /// Divides all polynomials by their common divisor.
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

/// The gcd of polynomials without negative exponents.
fn gcd(p: &Polynomial, q: &Polynomial, left: &mut usize) -> Option<Polynomial> {
    if p.is_zero() || q.is_zero() {
        return Some(if p.is_zero() { q.clone() } else { p.clone() });
    }
    if p.len() == 1 || q.len() == 1 {
        // Without monomials, which are units, one term is a number.
        return Some(Polynomial::one());
    }
    let Some(&atom) = p.atoms().first().max(q.atoms().first()) else {
        return Some(Polynomial::one());
    };
    if are_coprime(p, q) {
        return Some(Polynomial::one());
    }
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
        // Else its numbers are twice as long from step to step.
        let numbers = rest.content().recip().unwrap_or(Rational::ONE);
        (p, q) = (q, rest.scale(&numbers));
    }
    primitive(&p.checked_mul(&common, MAX_TERMS)?)
}

/// Adds the factors of `p` to the power of `times`.
fn split(
    p: Polynomial,
    times: u32,
    left: &mut usize,
    found: &mut Vec<(Polynomial, u32)>,
) -> Option<()> {
    if p.len() < 2 {
        return Some(());
    }
    for atom in p.atoms() {
        let content = content_in(&p, atom, left)?;
        if content.len() > 1 {
            let rest = p.divide_exact(&content)?;
            split(primitive(&content)?, times, left, found)?;
            return split(primitive(&rest)?, times, left, found);
        }
    }
    // Without a content, each factor has every atom.
    let repeated = p.atoms().into_iter().find(|&atom| is_repeated(&p, atom));
    let Some(atom) = repeated else {
        add(found, p, times);
        return Some(());
    };
    // Yun: what is left of the factors that are repeated more and more often.
    let mut common = gcd(&p, &primitive(&p.derivative(atom)?)?, left)?;
    let mut distinct = p.divide_exact(&common)?;
    let mut power = times;
    while distinct.len() > 1 {
        let next = gcd(&distinct, &common, left)?;
        let own = distinct.divide_exact(&next)?;
        if own.len() > 1 {
            add(found, primitive(&own)?, power);
        }
        common = common.divide_exact(&next)?;
        (distinct, power) = (next, power + times);
    }
    Some(())
}

fn add(found: &mut Vec<(Polynomial, u32)>, factor: Polynomial, times: u32) {
    match found.iter_mut().find(|(known, _)| *known == factor) {
        Some((_, power)) => *power += times,
        None => found.push((factor, times)),
    }
}

/// True if a factor is repeated where all other atoms have values, modulo a prime, as it seldom is by chance.
fn is_repeated(p: &Polynomial, atom: Atom) -> bool {
    let degree = p.degree_in(atom);
    if !(2..=MAX_DEGREE).contains(&degree) {
        return false;
    }
    in_one_atom(p, atom).is_some_and(|values| has_double_root(&values))
}

/// True if two polynomials are seen to be coprime. A common factor that contains one of their atoms remains a common
/// factor if all other atoms get values, unless its degree decreases; most pairs have no common factor then.
fn are_coprime(p: &Polynomial, q: &Polynomial) -> bool {
    let (of_p, of_q) = (p.atoms(), q.atoms());
    let mut both = of_p.intersection(&of_q);
    both.all(|&atom| {
        let images = in_one_atom(p, atom).zip(in_one_atom(q, atom));
        images.is_some_and(|(p, q)| {
            let keep_degrees = p.last() != Some(&0) && q.last() != Some(&0);
            keep_degrees && !have_common_root(p, q)
        })
    })
}

/// The coefficients of the powers of an atom, from 0 on, where all other atoms have values, modulo a prime. `None` for
/// greater degrees than are looked at.
fn in_one_atom(p: &Polynomial, atom: Atom) -> Option<Vec<u64>> {
    let degree = p.degree_in(atom);
    if degree > MAX_DEGREE {
        return None;
    }
    let coefficients = p.coefficients_in(atom);
    let value = |other: Atom| 1_000_003 + 100_003 * u64::from(other.0);
    let at = |power: i32| match coefficients.get(&power) {
        Some(coefficient) => coefficient.residue(value),
        None => Some(0),
    };
    (0..=degree).map(at).collect()
}

/// The gcd of the coefficients of the powers of an atom; 0 for the zero polynomial.
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
