//! Signs and integer parts of canonical forms.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::form::{Atom, Form, Monomial, Sum};

/// Bits with which a form is enclosed, one after the other until it is decided.
const PRECISIONS: [u64; 3] = [128, 512, 2_048];

/// Maximum number of bits of products in a decision.
const MAX_PRODUCT_BITS: u64 = 2_000_000;

/// Sums of roots of a greater degree are not decided by it.
const MAX_DEGREE: u64 = 64;

/// Maximum number of bits computed to distinguish such a sum from 0.
const MAX_SEPARATION_BITS: f64 = 4_096.0;

impl Form {
    /// The sign of the number; `None` if it needs more digits than are computed.
    pub(super) fn sign(&self) -> Option<Ordering> {
        if let Some(value) = self.as_rational() {
            return Some(value.cmp(&BigRational::zero()));
        }
        let by_balls = |bits: &[u64]| {
            let mut balls = bits.iter().filter_map(|&bits| self.ball(bits));
            balls.find_map(|ball| ball.sign())
        };
        let (first, others) = PRECISIONS.split_at(1);
        by_balls(first)
            .or_else(|| self.sign_by_products())
            .or_else(|| self.sign_by_separation())
            .or_else(|| by_balls(others))
    }

    /// The greatest integer that is at most this.
    pub(super) fn floor(&self) -> Option<BigInt> {
        if let Some(value) = self.as_rational() {
            return Some(value.floor().to_integer());
        }
        let mut last = None;
        for bits in PRECISIONS {
            let Some((least, greatest)) = self.ball(bits).map(|ball| ball.floors()) else {
                continue;
            };
            if least == greatest {
                return Some(least);
            }
            let near = &greatest - &least == BigInt::one();
            last = near.then_some(greatest);
            if near {
                break;
            }
        }
        let step = last?;
        let distance = Form::rational(BigRational::from_integer(-step.clone()))?.add(self)?;
        Some(if distance.sign()?.is_lt() {
            step - 1
        } else {
            step
        })
    }

    /// The nearest double, where the digits that are computed give it.
    pub(super) fn to_f64(&self) -> Option<f64> {
        let mut balls = PRECISIONS.iter().filter_map(|&bits| self.ball(bits));
        balls.find_map(|ball| ball.to_f64())
    }

    /// The double that is nearest to the number, where the digits that are computed leave one.
    pub(super) fn nearest(&self) -> Option<f64> {
        let mut balls = PRECISIONS.iter().filter_map(|&bits| self.ball(bits));
        balls.find_map(|ball| ball.nearest())
    }

    /// A sum of nested roots is 0 where it lies nearer to 0 than one that is not 0 can.
    fn sign_by_separation(&self) -> Option<Ordering> {
        let distance = separation(&self.numerator)?;
        let numerator = Form::of_sum(&self.numerator)?.ball(distance + 128)?;
        match numerator.sign() {
            Some(_) => self.ball(distance + 128)?.sign(),
            None => numerator.is_within(distance).then_some(Ordering::Equal),
        }
    }

    /// The sign of a sum of logarithms, or of two roots, is that of a comparison of integers.
    fn sign_by_products(&self) -> Option<Ordering> {
        let denominator = Form::of_sum(&self.denominator)?;
        let sign = |sum: &Sum| {
            let sum = without_divisors(sum);
            sign_of_logarithms(&sum).or_else(|| sign_of_two_roots(&sum))
        };
        let below = match denominator.as_rational() {
            Some(value) => value.cmp(&BigRational::zero()),
            None => sign(&self.denominator).or_else(|| denominator.sign())?,
        };
        let above = sign(&self.numerator)?;
        Some(match below {
            Ordering::Less => above.reverse(),
            _ => above,
        })
    }
}

/// A nonzero sum of roots of integers, and of such sums, is at least 2 to the power of minus this number of bits.
///
/// Times the common denominator of its coefficients, the sum is an algebraic integer, so the product of its
/// conjugates has a size of at least 1. No conjugate is larger than the sum of the sizes of the terms, and there are
/// at most as many conjugates as the product of the orders of all roots.
fn separation(sum: &Sum) -> Option<u64> {
    let mut orders = BTreeMap::new();
    collect_orders(sum, &mut orders)?;
    let degree = orders.values().try_fold(1u64, |degree, order| {
        let degree = degree.checked_mul(order.to_u64()?)?;
        (degree <= MAX_DEGREE).then_some(degree)
    })?;
    let common = common_denominator(sum.values());
    let factor = common.numer().bits();
    let size = (size_in_bits(sum)? + factor as f64).max(1.0);
    let distance = factor as f64 + size * (degree - 1) as f64 + 1.0;
    (distance <= MAX_SEPARATION_BITS).then_some(distance.ceil() as u64)
}

/// The order of each root that is taken; `None` of another function.
fn collect_orders(sum: &Sum, orders: &mut BTreeMap<Atom, BigInt>) -> Option<()> {
    for (atom, exponent) in sum.keys().flatten() {
        match atom {
            Atom::Base(_) => {}
            Atom::Sum(form) if form.is_whole() => collect_orders(&form.numerator, orders)?,
            _ => return None,
        }
        let order = orders.entry(atom.clone()).or_insert_with(BigInt::one);
        *order = order.lcm(exponent.denom());
    }
    Some(())
}

/// The binary logarithm of the sum of the sizes of all terms, from above.
fn size_in_bits(sum: &Sum) -> Option<f64> {
    let mut largest = 0f64;
    for (monomial, coefficient) in sum {
        let mut size = coefficient.numer().bits() as f64 - coefficient.denom().bits() as f64 + 1.0;
        for (atom, exponent) in monomial {
            let bits = match atom {
                Atom::Base(base) => base.bits() as f64,
                Atom::Sum(form) => size_in_bits(&form.numerator)?,
                _ => return None,
            };
            size += bits * exponent.to_f64()?;
        }
        largest = largest.max(size);
    }
    Some(largest + (sum.len() as f64).log2())
}

/// A sum of the same sign in which no positive atom has a negative power.
fn without_divisors(sum: &Sum) -> Sum {
    let mut divisors = Monomial::new();
    for (atom, exponent) in sum.keys().flatten() {
        if exponent.is_negative() && atom.is_positive() {
            let least = divisors
                .entry(atom.clone())
                .or_insert_with(BigRational::zero);
            *least = exponent.clone().min(least.clone());
        }
    }
    let times = |monomial: &Monomial| {
        let mut product = monomial.clone();
        for (atom, exponent) in &divisors {
            *product
                .entry(atom.clone())
                .or_insert_with(BigRational::zero) -= exponent;
        }
        product.retain(|_, exponent| !exponent.is_zero());
        product
    };
    sum.iter().map(|(m, c)| (times(m), c.clone())).collect()
}

/// The sign of `c1 log(b1) + c2 log(b2) + ...` is that of `b1^c1 b2^c2 ...` beside 1.
fn sign_of_logarithms(sum: &Sum) -> Option<Ordering> {
    let base = |monomial: &Monomial| match (monomial.len(), monomial.first_key_value()) {
        (1, Some((Atom::Log(base), exponent))) if exponent.is_one() => Some(base.clone()),
        _ => None,
    };
    let common = common_denominator(sum.values());
    let factors: Option<Vec<(BigInt, BigInt)>> = sum
        .iter()
        .map(|(monomial, c)| Some((base(monomial)?.into(), (c * &common).to_integer())))
        .collect();
    compare_product_with_one(&factors?)
}

/// The sign of `a r + b s` for roots `r`, `s` of rationals.
fn sign_of_two_roots(sum: &Sum) -> Option<Ordering> {
    let mut terms = sum.iter();
    let (Some(first), Some(second), None) = (terms.next(), terms.next(), terms.next()) else {
        return None;
    };
    let (sign, other) = (first.1.is_positive(), second.1.is_positive());
    if sign == other {
        return Some(if sign {
            Ordering::Greater
        } else {
            Ordering::Less
        });
    }
    let exponents = first.0.values().chain(second.0.values());
    let common = common_denominator(exponents).to_integer();
    let power = BigRational::from_integer(common.clone());
    let mut factors = Vec::new();
    for ((monomial, coefficient), direction) in [(first, 1), (second, -1)] {
        for (atom, exponent) in monomial {
            let Atom::Base(base) = atom else {
                return None;
            };
            let exponent = (exponent * &power).to_integer() * direction;
            factors.push((base.clone().into(), exponent));
        }
        factors.push((coefficient.numer().abs(), &common * direction));
        factors.push((coefficient.denom().clone(), &common * -direction));
    }
    let order = compare_product_with_one(&factors)?;
    Some(if sign { order } else { order.reverse() })
}

fn common_denominator<'a>(values: impl Iterator<Item = &'a BigRational>) -> BigRational {
    let common = values.fold(BigInt::one(), |lcm, value| lcm.lcm(value.denom()));
    BigRational::from_integer(common)
}

/// Compares `b1^e1 b2^e2 ...` with 1, for positive integers and powers that are short enough.
fn compare_product_with_one(factors: &[(BigInt, BigInt)]) -> Option<Ordering> {
    let length = |(base, exponent): &(BigInt, BigInt)| {
        let size = exponent.magnitude().to_u64()?;
        base.bits().checked_mul(size)
    };
    let mut lengths = factors.iter().map(length);
    let total = lengths.try_fold(0u64, |sum, length| sum.checked_add(length?))?;
    if total > MAX_PRODUCT_BITS {
        return None;
    }
    let (mut above, mut below) = (BigInt::one(), BigInt::one());
    for (base, exponent) in factors {
        let power = base.pow(exponent.magnitude().to_u32()?);
        if exponent.is_negative() {
            below *= power
        } else {
            above *= power
        }
    }
    Some(above.cmp(&below))
}
