//! [`Rational`] to and from text and floating point.

use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Pow, Signed, ToPrimitive, Zero};
use serde::{Deserialize, Deserializer};

use super::rational::{Rational, Repr};

/// Limits that keep hostile input from costing more than it takes to read.
const MAX_EXPONENT: i64 = 10_000;
const MAX_DIGITS: usize = 10_000;
/// Maximum length of decimals from [`Rational::to_decimal`].
const MAX_DECIMAL_LENGTH: usize = 30;

/// Reason why a text is not a decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalError {
    /// The text does not have a form such as `12`, `10.1`, `5e-3`.
    Malformed,
    /// An exponent beyond 10,000 in magnitude.
    ExponentTooLarge,
    /// More than 10,000 digits.
    TooManyDigits,
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecimalError::Malformed => "not a decimal number such as 12, 10.1 or 5e-3",
            DecimalError::ExponentTooLarge => "an exponent beyond 10000 in magnitude",
            DecimalError::TooManyDigits => "a number of more than 10000 digits",
        })
    }
}

impl std::error::Error for DecimalError {}

impl Rational {
    /// The exact value of `12`, `10.1`, `.5`, `5e-3`, with an optional sign in front.
    pub fn parse_decimal(text: &str) -> Result<Rational, DecimalError> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let unsigned = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(DecimalError::Malformed);
        }
        if digits.len() > MAX_DIGITS {
            return Err(DecimalError::TooManyDigits);
        }
        // Digits are limited, so the difference fits.
        let scale = exponent - fraction.len() as i64;
        if let (Ok(digits), -18..=0) = (digits.parse::<i64>(), scale) {
            let signed = if mantissa.starts_with('-') {
                -digits
            } else {
                digits
            };
            let power = 10_i128.pow(scale.unsigned_abs() as u32);
            return Ok(Rational::reduce(signed.into(), power));
        }
        let magnitude: BigInt = digits.parse().map_err(|_| DecimalError::Malformed)?;
        let integer = if mantissa.starts_with('-') {
            -magnitude
        } else {
            magnitude
        };
        let power = Pow::pow(BigInt::from(10), scale.unsigned_abs());
        Ok(Rational::from(if scale < 0 {
            BigRational::new(integer, power)
        } else {
            BigRational::from_integer(integer * power)
        }))
    }

    /// The exact terminating decimal (`10.1`, `-0.005`, `12`).
    ///
    /// Returns `None` if there is no finite decimal, or if it takes more than 30 characters.
    pub fn to_decimal(&self) -> Option<String> {
        // 30 characters cannot hold more than this many bits, and powers of 2 in the denominator
        // need as many decimals.
        if self.bits() > 200 {
            return None;
        }
        let (mut rest, mut twos, mut fives) = (self.denominator(), 0_u32, 0_u32);
        for (prime, count) in [(2_u32, &mut twos), (5, &mut fives)] {
            while BigInt::is_zero(&(&rest % prime)) {
                rest /= prime;
                *count += 1;
            }
        }
        if rest != BigInt::from(1) {
            return None;
        }
        let decimals = twos.max(fives);
        let scaled = self.numerator() * Pow::pow(BigInt::from(10), decimals) / self.denominator();
        let decimals = decimals as usize;
        let mut text = format!("{:0>width$}", scaled.abs(), width = decimals + 1);
        if decimals > 0 {
            text.insert(text.len() - decimals, '.');
        }
        if self.is_negative() {
            text.insert(0, '-');
        }
        (text.len() <= MAX_DECIMAL_LENGTH).then_some(text)
    }

    /// 17 significant digits with a power of 10, such as `1.5e-400`; for numbers outside of the
    /// range of doubles.
    pub fn to_scientific(&self) -> String {
        const DIGITS: i64 = 17;
        let (above, below) = (self.numerator().abs(), self.denominator());
        if above.is_zero() {
            return "0".to_string();
        }
        let ten = |power: i64| Pow::pow(BigInt::from(10), power.unsigned_abs());
        let rounded = |power: i64| {
            let shift = DIGITS - 1 - power;
            let (above, below) = if shift >= 0 {
                (&above * ten(shift), below.clone())
            } else {
                (above.clone(), &below * ten(shift))
            };
            // To the nearest whole number.
            let twice: BigInt = above * 2 + &below;
            Integer::div_floor(&twice, &(below * 2))
        };
        // The lengths in binary tell the power to within one or two.
        let bits = above.bits() as f64 - below.bits() as f64;
        let mut power = (bits * std::f64::consts::LOG10_2).floor() as i64;
        let mut digits = rounded(power);
        while digits >= ten(DIGITS) {
            power += 1;
            digits = rounded(power);
        }
        while digits < ten(DIGITS - 1) {
            power -= 1;
            digits = rounded(power);
        }
        let digits = digits.to_string();
        let (first, rest) = digits.split_at(1);
        let rest = rest.trim_end_matches('0');
        let point = if rest.is_empty() { "" } else { "." };
        let sign = if self.is_negative() { "-" } else { "" };
        format!("{sign}{first}{point}{rest}e{power}")
    }

    /// The exact value of a finite double; `None` for infinities and NaN.
    pub fn from_f64(value: f64) -> Option<Rational> {
        // Excludes whole numbers and zero, and keeps fractions of 64-bit numbers.
        let (bits, exponent) = (value.to_bits(), (value.to_bits() >> 52) & 0x7ff);
        let fraction = (bits & ((1 << 52) - 1)) | 1 << 52;
        let shift = 1075 - exponent as i64 - i64::from(fraction.trailing_zeros());
        if exponent != 0 && (1..63).contains(&shift) {
            let numerator = (fraction >> fraction.trailing_zeros()) as i64;
            let sign = if value.is_sign_negative() { -1 } else { 1 };
            return Some(Rational(Repr::Small(sign * numerator, 1 << shift)));
        }
        BigRational::from_float(value).map(Rational::from)
    }

    /// The nearest double (ties to even), for numerators and denominators of any size.
    ///
    /// Infinite or zero only if the nearest double is.
    pub fn to_f64(&self) -> f64 {
        const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
        match &self.0 {
            Repr::Small(numerator, denominator)
                if numerator.unsigned_abs() <= EXACT && denominator.unsigned_abs() <= EXACT =>
            {
                *numerator as f64 / *denominator as f64
            }
            _ => {
                let magnitude = nearest_double(&self.numerator().abs(), &self.denominator());
                if self.is_negative() {
                    -magnitude
                } else {
                    magnitude
                }
            }
        }
    }
}

fn parse_exponent(text: &str) -> Result<i64, DecimalError> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalError::Malformed);
    }
    match text.parse::<i64>() {
        Ok(exponent) if exponent.abs() <= MAX_EXPONENT => Ok(exponent),
        _ => Err(DecimalError::ExponentTooLarge),
    }
}

/// The double nearest to `numerator / denominator`, both positive (or the numerator 0).
fn nearest_double(numerator: &BigInt, denominator: &BigInt) -> f64 {
    // The quotient lies in (2^(magnitude - 1), 2^(magnitude + 1)).
    let magnitude = numerator.bits() as i64 - denominator.bits() as i64;
    if numerator.is_zero() || magnitude < -1080 {
        return 0.0;
    }
    if magnitude > 1030 {
        return f64::INFINITY;
    }
    // Some 64 leading bits of the quotient, its last bit set if anything follows: enough to round
    // once, correctly. Below 2^-1076 nothing matters but that.
    let shift = (64 - magnitude).min(1076);
    let (scaled, divisor) = if shift >= 0 {
        (numerator << shift.unsigned_abs(), denominator.clone())
    } else {
        (numerator.clone(), denominator << shift.unsigned_abs())
    };
    let (quotient, remainder) = scaled.div_rem(&divisor);
    let leading = quotient.to_u128().unwrap_or(u128::MAX) | u128::from(!remainder.is_zero());
    round_to_double(leading, -shift)
}

/// `mantissa * 2^exponent` rounded to nearest, ties to even, where `exponent >= -1076`.
fn round_to_double(mantissa: u128, exponent: i64) -> f64 {
    let bits = i64::from(128 - mantissa.leading_zeros());
    let dropped = (bits - i64::from(f64::MANTISSA_DIGITS)).max(-1074 - exponent);
    let (rounded, exponent) = if dropped <= 0 {
        (mantissa, exponent)
    } else {
        let half = 1_u128 << (dropped - 1);
        let (kept, rest) = (mantissa >> dropped, mantissa & ((half << 1) - 1));
        let up = rest > half || (rest == half && kept & 1 == 1);
        (kept + u128::from(up), exponent + dropped)
    };
    // In two steps, since 2^exponent itself may lie outside the doubles; both are exact.
    let half = exponent / 2;
    rounded as f64 * 2_f64.powi(half as i32) * 2_f64.powi((exponent - half) as i32)
}

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rational, D::Error> {
        let text = String::deserialize(deserializer)?;
        if let Ok(value) = text.parse::<i64>() {
            return Ok(Rational::from(value));
        }
        let value: Result<BigRational, _> = text.parse();
        let wrong = |_| serde::de::Error::custom(format!("`{text}` is not a fraction"));
        value.map(Rational::from).map_err(wrong)
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(numerator, 1) => fmt::Display::fmt(numerator, f),
            Repr::Small(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Repr::Big(big) => fmt::Display::fmt(big, f),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Serialises as text, `"101/10"`: most readers would round a JSON number.
impl serde::Serialize for Rational {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
