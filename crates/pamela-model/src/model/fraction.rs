//! Fractions of the definitional evaluator: two machine words if they fit, else two big integers.
//!
//! Nearly all numbers of a model are fractions of small integers, and big integers allocate memory.
//! The ring has its own rationals. The two share no code, because the ring is tested against the
//! definition.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::ring::Rational;

/// A rational number in lowest terms, with a positive denominator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fraction(Form);

/// Numbers that fit [`Form::Small`] are small, so equal numbers have equal forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// Numerator and denominator; neither is `i64::MIN`, so both can be negated.
    Small(i64, i64),
    Large(Box<BigRational>),
}

impl Fraction {
    /// `numer / denom` in lowest terms; `denom` must be nonzero.
    pub fn new(numer: i64, denom: i64) -> Fraction {
        let sign = if denom < 0 { -1 } else { 1 };
        Fraction::reduced(i128::from(numer) * sign, i128::from(denom) * sign)
    }

    /// Reduces a numerator and a positive denominator, both below 2^127 in absolute value.
    fn reduced(numer: i128, denom: i128) -> Fraction {
        if denom == 1 {
            return Fraction::whole(numer);
        }
        // Words have a common divisor many times faster than pairs of words.
        let divisor = match (
            u64::try_from(numer.unsigned_abs()),
            u64::try_from(denom.unsigned_abs()),
        ) {
            (Ok(numer), Ok(denom)) => i128::from(numer.gcd(&denom)),
            _ => numer.gcd(&denom),
        };
        let (numer, denom) = match divisor {
            1 => (numer, denom),
            divisor => (numer / divisor, denom / divisor),
        };
        match (word(numer), word(denom)) {
            (Some(numer), Some(denom)) => Fraction(Form::Small(numer, denom)),
            _ => Fraction(Form::Large(Box::new(BigRational::new_raw(
                numer.into(),
                denom.into(),
            )))),
        }
    }

    fn whole(value: i128) -> Fraction {
        match word(value) {
            Some(value) => Fraction(Form::Small(value, 1)),
            None => Fraction(Form::Large(Box::new(BigRational::from_integer(
                value.into(),
            )))),
        }
    }

    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Form::Small(numer, denom) => BigRational::new_raw((*numer).into(), (*denom).into()),
            Form::Large(value) => (**value).clone(),
        }
    }

    pub fn into_big(self) -> BigRational {
        match self.0 {
            Form::Small(numer, denom) => BigRational::new_raw(numer.into(), denom.into()),
            Form::Large(value) => *value,
        }
    }

    pub fn numer(&self) -> BigInt {
        match &self.0 {
            Form::Small(numer, _) => (*numer).into(),
            Form::Large(value) => value.numer().clone(),
        }
    }

    pub fn denom(&self) -> BigInt {
        match &self.0 {
            Form::Small(_, denom) => (*denom).into(),
            Form::Large(value) => value.denom().clone(),
        }
    }

    /// Lengths of numerator and denominator in bits.
    pub fn bits(&self) -> (u64, u64) {
        let length = |word: &i64| u64::from(i64::BITS - word.unsigned_abs().leading_zeros());
        match &self.0 {
            Form::Small(numer, denom) => (length(numer), length(denom)),
            Form::Large(value) => (value.numer().bits(), value.denom().bits()),
        }
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Form::Small(_, denom) => *denom == 1,
            Form::Large(value) => value.is_integer(),
        }
    }

    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Form::Small(numer, _) => *numer < 0,
            Form::Large(value) => value.is_negative(),
        }
    }

    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    #[must_use]
    pub fn abs(&self) -> Fraction {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    #[must_use]
    pub fn floor(&self) -> Fraction {
        match &self.0 {
            Form::Small(_, 1) => self.clone(),
            Form::Small(numer, denom) => Fraction(Form::Small(numer.div_euclid(*denom), 1)),
            Form::Large(value) => value.floor().into(),
        }
    }

    /// The value as a machine word, if it is a whole number that fits.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Form::Small(numer, 1) => Some(*numer),
            Form::Small(..) => None,
            Form::Large(value) if value.is_integer() => value.numer().to_i64(),
            Form::Large(_) => None,
        }
    }

    /// The value as a natural number below 2^64, if it is one.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.0 {
            Form::Small(numer, 1) => u64::try_from(*numer).ok(),
            Form::Small(..) => None,
            Form::Large(value) if value.is_integer() => value.numer().to_u64(),
            Form::Large(_) => None,
        }
    }

    /// The nearest double; infinite if the value is too large.
    pub fn to_f64(&self) -> f64 {
        /// Whole numbers up to here are doubles, so that one division rounds once.
        const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
        match &self.0 {
            Form::Small(numer, denom)
                if numer.unsigned_abs() <= EXACT && denom.unsigned_abs() <= EXACT =>
            {
                *numer as f64 / *denom as f64
            }
            Form::Small(..) => self.to_big().to_f64().unwrap_or(f64::NAN),
            Form::Large(value) => value.to_f64().unwrap_or(f64::NAN),
        }
    }

    fn combine(
        &self,
        other: &Fraction,
        small: impl Fn((i64, i64), (i64, i64)) -> Fraction,
        large: impl Fn(&BigRational, &BigRational) -> BigRational,
    ) -> Fraction {
        match (&self.0, &other.0) {
            (&Form::Small(a, b), &Form::Small(c, d)) => small((a, b), (c, d)),
            (Form::Large(a), Form::Large(b)) => large(a, b).into(),
            (Form::Large(a), Form::Small(..)) => large(a, &other.to_big()).into(),
            (Form::Small(..), Form::Large(b)) => large(&self.to_big(), b).into(),
        }
    }
}

/// A number as a machine word, but for the one that has no negative.
fn word(value: i128) -> Option<i64> {
    i64::try_from(value).ok().filter(|word| *word != i64::MIN)
}

/// A number of the model's text.
pub fn literal(value: &Rational) -> Fraction {
    match value.to_i64() {
        Some(value) => value.into(),
        None => value.to_big().into(),
    }
}

impl From<i64> for Fraction {
    fn from(value: i64) -> Fraction {
        Fraction::whole(value.into())
    }
}

impl From<BigInt> for Fraction {
    fn from(value: BigInt) -> Fraction {
        BigRational::from_integer(value).into()
    }
}

impl From<BigRational> for Fraction {
    fn from(value: BigRational) -> Fraction {
        let small = |part: &BigInt| part.to_i64().filter(|word| *word != i64::MIN);
        match (small(value.numer()), small(value.denom())) {
            (Some(numer), Some(denom)) => Fraction(Form::Small(numer, denom)),
            _ => Fraction(Form::Large(Box::new(value))),
        }
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Small(a, b), Form::Small(c, d)) if b == d => a.cmp(c),
            (&Form::Small(a, b), &Form::Small(c, d)) => {
                (i128::from(a) * i128::from(d)).cmp(&(i128::from(c) * i128::from(b)))
            }
            (Form::Large(a), Form::Large(b)) => a.cmp(b),
            (Form::Large(a), Form::Small(..)) => (**a).cmp(&other.to_big()),
            (Form::Small(..), Form::Large(b)) => self.to_big().cmp(b),
        }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add<&Fraction> for &Fraction {
    type Output = Fraction;

    fn add(self, other: &Fraction) -> Fraction {
        self.combine(
            other,
            |(a, b), (c, d)| sum(a, b, c, d),
            |a, b| raw_sum(a, b).unwrap_or_else(|| a + b),
        )
    }
}

impl Sub<&Fraction> for &Fraction {
    type Output = Fraction;

    fn sub(self, other: &Fraction) -> Fraction {
        self.combine(
            other,
            |(a, b), (c, d)| sum(a, b, -c, d),
            |a, b| raw_sum(a, &-b).unwrap_or_else(|| a - b),
        )
    }
}

/// The sum of a whole number and a fraction is already in lowest terms; finding a common divisor would take quadratic
/// time.
fn raw_sum(a: &BigRational, b: &BigRational) -> Option<BigRational> {
    (a.is_integer() || b.is_integer()).then(|| {
        let numer = a.numer() * b.denom() + b.numer() * a.denom();
        BigRational::new_raw(numer, a.denom() * b.denom())
    })
}

/// `a/b + c/d`
fn sum(a: i64, b: i64, c: i64, d: i64) -> Fraction {
    let [a, b, c, d] = [a, b, c, d].map(i128::from);
    if b == d {
        Fraction::reduced(a + c, b)
    } else {
        Fraction::reduced(a * d + c * b, b * d)
    }
}

impl Mul<&Fraction> for &Fraction {
    type Output = Fraction;

    fn mul(self, other: &Fraction) -> Fraction {
        let product = |(a, b), (c, d)| {
            let [a, b, c, d] = [a, b, c, d].map(i128::from);
            Fraction::reduced(a * c, b * d)
        };
        self.combine(other, product, |a, b| {
            if a.is_integer() && b.is_integer() {
                BigRational::from_integer(a.numer() * b.numer())
            } else {
                a * b
            }
        })
    }
}

/// # Panics
/// The divisor is 0.
impl Div<&Fraction> for &Fraction {
    type Output = Fraction;

    fn div(self, other: &Fraction) -> Fraction {
        let quotient = |(a, b), (c, d): (i64, i64)| {
            assert!(c != 0, "a fraction is divided by 0");
            let [a, b, c, d] = [a, b, c, d].map(i128::from);
            Fraction::reduced(a * d * c.signum(), b * c.abs())
        };
        self.combine(other, quotient, |a, b| a / b)
    }
}

impl Neg for &Fraction {
    type Output = Fraction;

    fn neg(self) -> Fraction {
        match &self.0 {
            Form::Small(numer, denom) => Fraction(Form::Small(-numer, *denom)),
            Form::Large(value) => (-&**value).into(),
        }
    }
}

macro_rules! by_value {
    ($($operation:ident $name:ident),*) => { $(
        impl $operation for Fraction {
            type Output = Fraction;

            fn $name(self, other: Fraction) -> Fraction {
                (&self).$name(&other)
            }
        }
        impl $operation<&Fraction> for Fraction {
            type Output = Fraction;

            fn $name(self, other: &Fraction) -> Fraction {
                (&self).$name(other)
            }
        }
    )* };
}

by_value!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Fraction {
    type Output = Fraction;

    fn neg(self) -> Fraction {
        -&self
    }
}

impl AddAssign<&Fraction> for Fraction {
    fn add_assign(&mut self, other: &Fraction) {
        *self = &*self + other;
    }
}

impl AddAssign for Fraction {
    fn add_assign(&mut self, other: Fraction) {
        *self += &other;
    }
}

impl MulAssign<&Fraction> for Fraction {
    fn mul_assign(&mut self, other: &Fraction) {
        *self = &*self * other;
    }
}

impl Zero for Fraction {
    fn zero() -> Fraction {
        Fraction(Form::Small(0, 1))
    }

    fn is_zero(&self) -> bool {
        self.0 == Form::Small(0, 1)
    }
}

impl One for Fraction {
    fn one() -> Fraction {
        Fraction(Form::Small(1, 1))
    }

    fn is_one(&self) -> bool {
        self.0 == Form::Small(1, 1)
    }
}

impl std::iter::Sum for Fraction {
    fn sum<I: Iterator<Item = Fraction>>(values: I) -> Fraction {
        values.fold(Fraction::zero(), |sum, value| sum + value)
    }
}

impl<'a> std::iter::Sum<&'a Fraction> for Fraction {
    fn sum<I: Iterator<Item = &'a Fraction>>(values: I) -> Fraction {
        values.fold(Fraction::zero(), |sum, value| sum + value)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Small(numer, 1) => write!(f, "{numer}"),
            Form::Small(numer, denom) => write!(f, "{numer}/{denom}"),
            Form::Large(value) => write!(f, "{value}"),
        }
    }
}
