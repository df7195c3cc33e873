//! Antidifferences and closed sums: powers of every degree, geometric and arithmetic-geometric
//! series, and series in the quotient and remainder of the index.
//!
//! `max_terms` limits the terms of each intermediate polynomial, as in
//! [`Polynomial::checked_mul`].

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use num_bigint::BigInt;
use num_rational::BigRational;

use super::monomial::{Atom, Monomial};
use super::polynomial::Polynomial;
use super::rational::Rational;

/// Sums of higher powers are refused: their coefficients grow to thousands of bits.
const MAX_DEGREE: u32 = 512;

/// Values computed so far.
struct Cache {
    /// The Bernoulli number of degree `2 n` at position `n - 1`.
    bernoulli: Vec<Rational>,
    power_sums: BTreeMap<u32, Arc<[Rational]>>,
}

static KNOWN: Mutex<Cache> = Mutex::new(Cache {
    bernoulli: Vec::new(),
    power_sums: BTreeMap::new(),
});

/// Faulhaber's polynomial `F` of degree `k + 1`: `F(n) = 1^k + 2^k + ... + n^k`.
///
/// Returns the coefficients from that of `n^0`, which is 0, to that of `n^(k+1)`. As polynomials,
/// `F(n) - F(n-1) = n^k` for every `n`, also a negative or fractional one. `None` for `k > 512`.
pub fn power_sum(k: u32) -> Option<Arc<[Rational]>> {
    if k > MAX_DEGREE {
        return None;
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(sum) = known.power_sums.get(&k) {
        return Some(sum.clone());
    }
    let half = k as usize / 2;
    if known.bernoulli.len() < half {
        known.bernoulli = even_bernoulli_numbers(half.next_power_of_two());
    }
    let sum = faulhaber(k as usize, &known.bernoulli);
    known.power_sums.insert(k, sum.clone());
    Some(sum)
}

/// The coefficient of `n^(k+1-j)` is `binomial(k+1, j) B_j / (k+1)` with `B_1 = +1/2`.
fn faulhaber(k: usize, even_bernoulli: &[Rational]) -> Arc<[Rational]> {
    let mut coefficients = vec![Rational::ZERO; k + 2];
    let size = Rational::from(k as i64 + 1);
    // binomial(k+1, j) / (k+1)
    let mut factor = Rational::ONE / &size;
    for j in 0..=k {
        coefficients[k + 1 - j] = match j {
            0 => factor.clone(),
            1 => &factor / Rational::from(2),
            _ if j % 2 == 1 => Rational::ZERO,
            _ => &factor * &even_bernoulli[j / 2 - 1],
        };
        let j = Rational::from(j as i64);
        factor = factor * (&size - &j) / (j + Rational::ONE);
    }
    coefficients.into()
}

/// The Bernoulli numbers of degrees 2, 4, ..., `2 count`, by integers only, from the tangent
/// numbers (Brent and Harvey, *Fast computation of Bernoulli, tangent and secant numbers*, 2011).
fn even_bernoulli_numbers(count: usize) -> Vec<Rational> {
    let mut tangent = vec![BigInt::from(1); count];
    for n in 1..count {
        tangent[n] = &tangent[n - 1] * n;
    }
    for n in 1..count {
        for j in n..count {
            tangent[j] = &tangent[j - 1] * (j - n) + &tangent[j] * (j - n + 2);
        }
    }
    let number = |(tangent, n): (BigInt, usize)| {
        let power = BigInt::from(1) << (2 * n);
        let numerator = tangent * (2 * n);
        let signed = if n % 2 == 1 { numerator } else { -numerator };
        Rational::from(BigRational::new(signed, (&power - 1_u32) * power))
    };
    tangent.into_iter().zip(1..).map(number).collect()
}

/// The polynomial `A` in `index` with `A(i) - A(i-1) = body(i)` and `A(0) = 0`.
///
/// Returns `None` if `index` occurs with a negative exponent or one above 512, or if the result exceeds the cap.
pub fn antidifference(body: &Polynomial, index: Atom, max_terms: usize) -> Option<Polynomial> {
    let mut terms = Vec::new();
    for (exponent, coefficient) in body.coefficients_in(index) {
        let sum = power_sum(u32::try_from(exponent).ok()?)?;
        for (power, factor) in (0..).zip(sum.iter()) {
            if !factor.is_zero() {
                let of_power = coefficient.mul_term(&Monomial::power(index, power), factor)?;
                terms.extend(of_power.into_terms());
            }
        }
        if terms.len() > max_terms.saturating_mul(MAX_DEGREE as usize) {
            return None;
        }
    }
    let antidifference = Polynomial::from_terms(terms);
    (antidifference.len() <= max_terms).then_some(antidifference)
}

/// `sum (index = lower, upper) { body }`, as `A(upper) - A(lower - 1)` with the antidifference `A`.
///
/// Equal to the sum wherever `upper - lower` is an integer `>= -1` (at -1, the empty sum, it is
/// 0). The bounds are free of `index`. `None` as for [`antidifference`], and where a bound is not
/// accepted by [`Polynomial::substitute`] for the cap.
pub fn sum_polynomial(
    body: &Polynomial,
    index: Atom,
    lower: &Polynomial,
    upper: &Polynomial,
    max_terms: usize,
) -> Option<Polynomial> {
    let antidifference = antidifference(body, index, max_terms)?;
    let before = lower - &Polynomial::one();
    let sum = antidifference.substitute(index, upper, max_terms)?
        - antidifference.substitute(index, &before, max_terms)?;
    (sum.len() <= max_terms).then_some(sum)
}

/// The polynomial `Q` in `index`, of the degree of `body`, with
/// `body(i) * r^i = Q(i+1) * r^(i+1) - Q(i) * r^i` for every `i`.
///
/// `reciprocal` is `s = 1 / (r - 1)`: a number for a known ratio, else an atom that stands for it;
/// both are free of `index`, and `r != 1`. The ratio itself is not needed: it is removed by
/// `r s = 1 + s`. `None` as for [`antidifference`].
pub fn geometric_antidifference(
    body: &Polynomial,
    index: Atom,
    reciprocal: &Polynomial,
    max_terms: usize,
) -> Option<Polynomial> {
    // Comparing coefficients of i^j in body(i) = r Q(i+1) - Q(i), from the highest down:
    // q_j = s body_j - (1 + s) sum over k > j of binomial(k, j) q_k.
    let mut body = body.coefficients_in(index);
    let Some((&degree, _)) = body.last_key_value() else {
        return Some(Polynomial::zero());
    };
    let lowest = body.first_key_value().map_or(0, |(&exponent, _)| exponent);
    if lowest < 0 || degree > MAX_DEGREE as i32 {
        return None;
    }
    let above = reciprocal + &Polynomial::one();
    let mut coefficients = Vec::<(i32, Polynomial)>::new();
    let mut total = 0;
    for j in (0..=degree).rev() {
        let carried = coefficients
            .iter()
            .map(|(k, coefficient)| coefficient.scale(&binomial(*k, j)));
        let carried = carried.sum::<Polynomial>().checked_mul(&above, max_terms)?;
        let own = body.remove(&j).unwrap_or_default();
        let coefficient = own.checked_mul(reciprocal, max_terms)? - carried;
        total += coefficient.len();
        if total > max_terms {
            return None;
        }
        coefficients.push((j, coefficient));
    }
    let with_power = |(j, coefficient): (i32, Polynomial)| {
        coefficient.mul_term(&Monomial::power(index, j), &Rational::ONE)
    };
    coefficients.into_iter().map(with_power).sum()
}

/// The sum of `body(i) * r^i` over `i = lower, ..., upper`, as the pair `(Q(upper+1), Q(lower))` of
/// polynomials with
///
/// ```text
/// sum (i = lower, upper) { body(i) * r^i } = Q(upper+1) * r^(upper+1) - Q(lower) * r^lower
/// ```
///
/// wherever `upper - lower` is an integer `>= -1` and `r != 1`. Arguments as for
/// [`geometric_antidifference`] and [`sum_polynomial`].
pub fn sum_geometric(
    body: &Polynomial,
    index: Atom,
    lower: &Polynomial,
    upper: &Polynomial,
    reciprocal: &Polynomial,
    max_terms: usize,
) -> Option<(Polynomial, Polynomial)> {
    let antidifference = geometric_antidifference(body, index, reciprocal, max_terms)?;
    let after = upper + &Polynomial::one();
    Some((
        antidifference.substitute(index, &after, max_terms)?,
        antidifference.substitute(index, lower, max_terms)?,
    ))
}

/// `binomial(n, k)` for `0 <= k <= n`.
fn binomial(n: i32, k: i32) -> Rational {
    let (n, k) = (i64::from(n), i64::from(k.min(n - k)));
    let factor = |i: i64| Rational::from(n - k + i) / Rational::from(i);
    (1..=k).map(factor).product()
}

/// The values of `i div divisor` and `i mod divisor` for `i = 0, ..., n - 1`.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The length of a full block, the modulus.
    pub divisor: Polynomial,
    /// The number of full blocks, `n div divisor`.
    pub quotient: Polynomial,
    /// The length of the last block, `n mod divisor`.
    pub remainder: Polynomial,
}

/// The sum of `body(i div P, i mod P)` over `i = 0, ..., n - 1`, where `P = blocks.divisor`, as
///
/// ```text
/// sum (d = 0, q-1) { sum (r = 0, P-1) { body(d, r) } } + sum (r = 0, rest-1) { body(q, r) }
/// ```
///
/// with `q = blocks.quotient`, `rest = blocks.remainder`. `body` is a polynomial in the atoms
/// `quotient` (for `i div P`) and `remainder` (for `i mod P`), of which the blocks are free. Equal
/// to the sum for integers `n >= 0` and `P >= 1`. `None` as for [`sum_polynomial`].
pub fn sum_blocks(
    body: &Polynomial,
    quotient: Atom,
    remainder: Atom,
    blocks: &Blocks,
    max_terms: usize,
) -> Option<Polynomial> {
    let (zero, one) = (Polynomial::zero(), Polynomial::one());
    let last_of = |count: &Polynomial| count - &one;
    let block = last_of(&blocks.divisor);
    let of_block = sum_polynomial(body, remainder, &zero, &block, max_terms)?;
    let last_block = last_of(&blocks.quotient);
    let full = sum_polynomial(&of_block, quotient, &zero, &last_block, max_terms)?;
    let last = body.substitute(quotient, &blocks.quotient, max_terms)?;
    let rest = last_of(&blocks.remainder);
    let partial = sum_polynomial(&last, remainder, &zero, &rest, max_terms)?;
    Some(full + partial)
}
