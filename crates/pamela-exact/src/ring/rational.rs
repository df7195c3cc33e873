//! Exact rational numbers: checked machine integers, with big integers on overflow.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

use super::divisors::{common_multiple, greatest_common, greatest_common_divisor};

/// No power is computed whose result could need more bits than this.
const MAX_POWER_BITS: u64 = 1_000_000;

/// An exact rational number of any size.
///
/// Always in lowest terms with a positive denominator, and held in machine integers whenever
/// both parts fit, so that structural equality and hashing are those of the number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(pub(super) Repr);

/// `Big` only holds what does not fit into `Small`.
#[derive(Clone, Eq)]
pub(super) enum Repr {
    Small(i64, i64),
    Big(Box<BigRational>),
}

/// In lowest terms, numbers are equal part by part. [`BigRational`] divides the parts by each other, and again, to
/// compare or to hash them, which takes minutes for long ones.
impl PartialEq for Repr {
    fn eq(&self, other: &Repr) -> bool {
        match (self, other) {
            (Repr::Small(a, b), Repr::Small(c, d)) => (a, b) == (c, d),
            (Repr::Big(a), Repr::Big(b)) => (a.numer(), a.denom()) == (b.numer(), b.denom()),
            _ => false,
        }
    }
}

impl Hash for Repr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Repr::Small(numerator, denominator) => (numerator, denominator).hash(state),
            Repr::Big(big) => (big.numer(), big.denom()).hash(state),
        }
    }
}

/// Longer numbers are not searched for common divisors, which takes quadratic time.
const LONGEST_DIVIDED: u64 = 100_000;

impl Rational {
    pub const ZERO: Rational = Rational(Repr::Small(0, 1));
    pub const ONE: Rational = Rational(Repr::Small(1, 1));

    /// `numerator / denominator`; `None` when the denominator is 0.
    pub fn new(numerator: i64, denominator: i64) -> Option<Rational> {
        (denominator != 0).then(|| Rational::reduce(numerator.into(), denominator.into()))
    }

    /// The quotient in lowest terms. `denominator` is not 0, and neither part is `i128::MIN`.
    pub(super) fn reduce(numerator: i128, denominator: i128) -> Rational {
        let divisor = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = if denominator < 0 {
            -(divisor as i128)
        } else {
            divisor as i128
        };
        Rational::lowest(numerator / divisor, denominator / divisor)
    }

    /// The quotient of coprime parts with a positive denominator.
    pub(super) fn lowest(numerator: i128, denominator: i128) -> Rational {
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Rational(Repr::Small(numerator, denominator)),
            _ => Rational(Repr::Big(Box::new(BigRational::new_raw(
                numerator.into(),
                denominator.into(),
            )))),
        }
    }

    /// The number as a big rational.
    pub fn to_big(&self) -> BigRational {
        match &self.0 {
            Repr::Small(numerator, denominator) => {
                BigRational::new_raw((*numerator).into(), (*denominator).into())
            }
            Repr::Big(big) => (**big).clone(),
        }
    }

    /// Greatest common divisor of two whole numbers; 0 for 0 and 0.
    ///
    /// Returns `None` if one is not whole, or is very long.
    pub fn common_divisor(&self, other: &Rational) -> Option<Rational> {
        let of_both = |holds: fn(&Rational) -> bool| holds(self) && holds(other);
        let short = of_both(|x| x.bits() <= LONGEST_DIVIDED);
        (short && of_both(Rational::is_integer))
            .then(|| Rational::from(self.numerator().gcd(&other.numerator())))
    }

    /// The numerator in lowest terms, with the sign of the number.
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Repr::Small(numerator, _) => (*numerator).into(),
            Repr::Big(big) => big.numer().clone(),
        }
    }

    /// The denominator in lowest terms; at least 1.
    pub fn denominator(&self) -> BigInt {
        match &self.0 {
            Repr::Small(_, denominator) => (*denominator).into(),
            Repr::Big(big) => big.denom().clone(),
        }
    }

    /// The size: bits of the numerator plus bits of the denominator.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Repr::Small(numerator, denominator) => u64::from(
                128 - numerator.unsigned_abs().leading_zeros()
                    - denominator.unsigned_abs().leading_zeros(),
            ),
            Repr::Big(big) => big.numer().bits() + big.denom().bits(),
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1, 1))
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_, denominator) => *denominator == 1,
            Repr::Big(big) => big.is_integer(),
        }
    }

    /// Greater than 0.
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Repr::Small(numerator, _) => *numerator > 0,
            Repr::Big(big) => big.is_positive(),
        }
    }

    /// Less than 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(numerator, _) => *numerator < 0,
            Repr::Big(big) => big.is_negative(),
        }
    }

    pub fn abs(&self) -> Rational {
        if self.is_negative() {
            -self
        } else {
            self.clone()
        }
    }

    /// The greatest integer that is at most this.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Repr::Small(_, 1) => self.clone(),
            Repr::Small(numerator, denominator) => {
                Rational::from(Integer::div_floor(numerator, denominator))
            }
            Repr::Big(big) => Rational::from(big.floor()),
        }
    }

    /// The least integer that is at least this.
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }

    /// `self - floor(self)`: in [0, 1), also for negative numbers.
    pub fn fract(&self) -> Rational {
        self - self.floor()
    }

    /// `1 / self`; `None` for 0.
    pub fn recip(&self) -> Option<Rational> {
        match &self.0 {
            Repr::Small(0, _) => None,
            Repr::Small(numerator, denominator) => {
                let sign = i128::from(numerator.signum());
                Some(Rational::lowest(
                    sign * i128::from(*denominator),
                    sign * i128::from(*numerator),
                ))
            }
            Repr::Big(big) => Some(Rational::from(big.recip())),
        }
    }

    /// `self / divisor`; `None` when the divisor is 0.
    pub fn checked_div(&self, divisor: &Rational) -> Option<Rational> {
        divisor.recip().map(|reciprocal| self * reciprocal)
    }

    /// `self ^ exponent`, with `0 ^ 0 = 1`. `None` for a negative power of 0, and where the
    /// result could need more than a million bits.
    pub fn pow(&self, exponent: i64) -> Option<Rational> {
        if exponent == 0 || self.is_one() {
            return Some(Rational::ONE);
        }
        if self.is_zero() {
            return (exponent > 0).then_some(Rational::ZERO);
        }
        if self.abs().is_one() {
            return Some(if exponent % 2 == 0 {
                Rational::ONE
            } else {
                self.clone()
            });
        }
        let bits = self.bits().checked_mul(exponent.unsigned_abs())?;
        if bits > MAX_POWER_BITS {
            return None;
        }
        let base = if exponent < 0 {
            self.recip()?
        } else {
            self.clone()
        };
        let exponent = exponent.unsigned_abs();
        if let Repr::Small(numerator, denominator) = base.0
            && let Ok(small) = u32::try_from(exponent)
            && let Some(numerator) = numerator.checked_pow(small)
            && let Some(denominator) = denominator.checked_pow(small)
        {
            return Some(Rational(Repr::Small(numerator, denominator)));
        }
        Some(Rational::from(BigRational::new_raw(
            Pow::pow(base.numerator(), exponent),
            Pow::pow(base.denominator(), exponent),
        )))
    }

    /// The greatest rational that both are integer multiples of; `gcd(0, q) = |q|`.
    pub fn gcd(&self, other: &Rational) -> Rational {
        if let (Repr::Small(a, 1), Repr::Small(b, 1)) = (&self.0, &other.0) {
            let divisor = greatest_common_divisor(a.unsigned_abs(), b.unsigned_abs());
            return Rational::lowest(i128::from(divisor), 1);
        }
        Rational::from(BigRational::new_raw(
            greatest_common(&self.numerator(), &other.numerator()),
            common_multiple(&self.denominator(), &other.denominator()),
        ))
    }

    /// The greatest rational that all are integer multiples of; 0 of nothing but zeros.
    pub fn common_measure<'a>(numbers: impl Iterator<Item = &'a Rational> + Clone) -> Rational {
        let mut numerator = Rational::ZERO;
        for number in numbers.clone() {
            // Among integers nothing is less than 1.
            if numerator.is_one() {
                break;
            }
            numerator = numerator.gcd(&number.whole_multiple());
        }
        let mut denominator = BigInt::one();
        for number in numbers.filter(|number| !number.is_integer()) {
            denominator = common_multiple(&denominator, &number.denominator());
        }
        if denominator.is_one() {
            numerator
        } else {
            Rational::from(BigRational::new_raw(numerator.numerator(), denominator))
        }
    }

    /// The numerator as a rational.
    fn whole_multiple(&self) -> Rational {
        match &self.0 {
            Repr::Small(numerator, _) => Rational::from(*numerator),
            Repr::Big(big) => Rational::from(big.numer().clone()),
        }
    }

    /// Numerator and denominator where both fit.
    pub(super) fn to_small(&self) -> Option<(i64, i64)> {
        match &self.0 {
            Repr::Small(numerator, denominator) => Some((*numerator, *denominator)),
            Repr::Big(big) => Some((big.numer().to_i64()?, big.denom().to_i64()?)),
        }
    }

    /// The number itself when it is an integer that fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(numerator, 1) => Some(numerator),
            _ => None,
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a, 1), Repr::Small(b, 1)) => a.cmp(b),
            (Repr::Small(a, b), Repr::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => {
                let left = self.numerator() * other.denominator();
                left.cmp(&(other.numerator() * self.denominator()))
            }
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Rational {
    fn default() -> Rational {
        Rational::ZERO
    }
}

impl From<i64> for Rational {
    fn from(integer: i64) -> Rational {
        Rational(Repr::Small(integer, 1))
    }
}

impl From<BigInt> for Rational {
    fn from(integer: BigInt) -> Rational {
        Rational::from(BigRational::from_integer(integer))
    }
}

/// The argument is in lowest terms, as every `BigRational` is that was not made with `new_raw`.
impl From<BigRational> for Rational {
    fn from(big: BigRational) -> Rational {
        match (big.numer().to_i64(), big.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => Rational(Repr::Small(numerator, denominator)),
            _ => Rational(Repr::Big(Box::new(big))),
        }
    }
}

impl From<&Rational> for BigRational {
    fn from(rational: &Rational) -> BigRational {
        rational.to_big()
    }
}

impl Zero for Rational {
    fn zero() -> Rational {
        Rational::ZERO
    }

    fn is_zero(&self) -> bool {
        Rational::is_zero(self)
    }
}

impl One for Rational {
    fn one() -> Rational {
        Rational::ONE
    }
}
