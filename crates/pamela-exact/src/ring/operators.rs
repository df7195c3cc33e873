//! The operator traits of [`Rational`], by value and by reference.

use std::convert::Infallible;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_rational::BigRational;

use super::divisors::greatest_common_divisor;
use super::large;
use super::rational::{Rational, Repr};
use crate::special::Halves;

fn add(left: &Rational, right: &Rational) -> Rational {
    match (&left.0, &right.0) {
        (Repr::Small(a, 1), Repr::Small(c, 1)) => match a.checked_add(*c) {
            Some(sum) => Rational(Repr::Small(sum, 1)),
            None => Rational::lowest(i128::from(*a) + i128::from(*c), 1),
        },
        (Repr::Small(a, b), Repr::Small(c, d)) => sum_of_fractions((*a, *b), (*c, *d)),
        _ => large::add(left, right),
    }
}

fn sub(left: &Rational, right: &Rational) -> Rational {
    match (&left.0, &right.0) {
        (Repr::Small(a, 1), Repr::Small(c, 1)) => match a.checked_sub(*c) {
            Some(difference) => Rational(Repr::Small(difference, 1)),
            None => Rational::lowest(i128::from(*a) - i128::from(*c), 1),
        },
        _ => add(left, &-right),
    }
}

/// `a/b + c/d`, in 64 bits as long as that suffices: 128-bit division is several times slower.
fn sum_of_fractions((a, b): (i64, i64), (c, d): (i64, i64)) -> Rational {
    let narrow = || {
        let numerator = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
        let denominator = b.checked_mul(d)?;
        let divisor = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        // The denominator is positive, so the divisor is at most i64::MAX.
        let divisor = divisor as i64;
        Some(Rational(Repr::Small(
            numerator / divisor,
            denominator / divisor,
        )))
    };
    narrow().unwrap_or_else(|| {
        let [a, b, c, d] = [a, b, c, d].map(i128::from);
        Rational::reduce(a * d + c * b, b * d)
    })
}

/// `a/b * c/d`, in 64 bits as long as that suffices. Cancelling across keeps the products small and in lowest terms.
fn product_of_fractions((a, b): (i64, i64), (c, d): (i64, i64)) -> Rational {
    // The denominators are positive, so the divisors are at most i64::MAX.
    let first = greatest_common_divisor(a.unsigned_abs(), d.unsigned_abs()) as i64;
    let second = greatest_common_divisor(c.unsigned_abs(), b.unsigned_abs()) as i64;
    let [a, b, c, d] = [a / first, b / second, c / second, d / first];
    match (a.checked_mul(c), b.checked_mul(d)) {
        (Some(numerator), Some(denominator)) => Rational(Repr::Small(numerator, denominator)),
        _ => Rational::lowest(i128::from(a) * i128::from(c), i128::from(b) * i128::from(d)),
    }
}

fn mul(left: &Rational, right: &Rational) -> Rational {
    match (&left.0, &right.0) {
        (Repr::Small(a, 1), Repr::Small(c, 1)) => match a.checked_mul(*c) {
            Some(product) => Rational(Repr::Small(product, 1)),
            None => Rational::lowest(i128::from(*a) * i128::from(*c), 1),
        },
        (Repr::Small(a, b), Repr::Small(c, d)) => product_of_fractions((*a, *b), (*c, *d)),
        _ => large::mul(left, right),
    }
}

#[expect(
    clippy::panic,
    reason = "as integers do; what may be 0 is divided by `checked_div`"
)]
fn div(left: &Rational, right: &Rational) -> Rational {
    match left.checked_div(right) {
        Some(quotient) => quotient,
        None => panic!("division of a rational by zero"),
    }
}

macro_rules! binary_operator {
    ($(#[$doc:meta])* $trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident) => {
        $(#[$doc])*
        impl $trait<&Rational> for &Rational {
            type Output = Rational;
            fn $method(self, right: &Rational) -> Rational {
                $method(self, right)
            }
        }

        $(#[$doc])*
        impl $trait<Rational> for &Rational {
            type Output = Rational;
            fn $method(self, right: Rational) -> Rational {
                $method(self, &right)
            }
        }

        $(#[$doc])*
        impl $trait<&Rational> for Rational {
            type Output = Rational;
            fn $method(self, right: &Rational) -> Rational {
                $method(&self, right)
            }
        }

        $(#[$doc])*
        impl $trait for Rational {
            type Output = Rational;
            fn $method(self, right: Rational) -> Rational {
                $method(&self, &right)
            }
        }

        $(#[$doc])*
        impl $assign_trait<&Rational> for Rational {
            fn $assign_method(&mut self, right: &Rational) {
                *self = $method(self, right);
            }
        }

        $(#[$doc])*
        impl $assign_trait for Rational {
            fn $assign_method(&mut self, right: Rational) {
                *self = $method(self, &right);
            }
        }
    };
}

binary_operator!(Add, add, AddAssign, add_assign);
binary_operator!(Sub, sub, SubAssign, sub_assign);
binary_operator!(Mul, mul, MulAssign, mul_assign);
binary_operator!(
    /// The divisor must not be 0: like integer division it panics. [`Rational::checked_div`]
    /// is for divisors that a user chose.
    Div, div, DivAssign, div_assign
);

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        match &self.0 {
            Repr::Small(numerator, denominator) => {
                Rational::lowest(-i128::from(*numerator), (*denominator).into())
            }
            Repr::Big(big) => Rational::from(-BigRational::clone(big)),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

impl Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(terms: I) -> Rational {
        by_halves(terms, |left, right| left + right).unwrap_or(Rational::ZERO)
    }
}

impl<'a> Sum<&'a Rational> for Rational {
    fn sum<I: Iterator<Item = &'a Rational>>(terms: I) -> Rational {
        terms.cloned().sum()
    }
}

impl Product for Rational {
    fn product<I: Iterator<Item = Rational>>(factors: I) -> Rational {
        by_halves(factors, |left, right| left * right).unwrap_or(Rational::ONE)
    }
}

/// Combines neighbours, then their results, and so on: numbers grow as late as they can, where one
/// after the other each would be added to a long one. `None` of nothing.
fn by_halves(
    terms: impl Iterator<Item = Rational>,
    combine: impl Fn(Rational, Rational) -> Rational,
) -> Option<Rational> {
    let mut halves = Halves::default();
    let never = |left, right| Ok::<_, Infallible>(combine(left, right));
    for term in terms {
        let Ok(()) = halves.push(term, never);
    }
    let Ok(total) = halves.finish(never);
    total
}
