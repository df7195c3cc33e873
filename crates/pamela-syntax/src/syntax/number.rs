//! Texts of numbers. Long numbers become powers of 2, 3, 5 and 10, such as `2^100`.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::ring::Rational;

/// Number of digits that are examined.
const LONG: usize = 16;
/// Longer numbers are not.
const MOST_BITS: u64 = 20_000;

/// Smaller powers stay in digits.
const SMALL: u64 = 1_000;

/// Notation of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// PAMELA+, which can be read back.
    Pamela,
    /// LaTeX for mathematics.
    Latex,
}

/// Form of a number's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Digits, with or without a point.
    Digits,
    Power,
    /// A product of powers, or a fraction.
    Product,
}

/// A terminating decimal, or else a quotient: `10.1`, `1/3`, `-2`.
pub fn number_text(value: &Rational) -> String {
    value.to_decimal().unwrap_or_else(|| value.to_string())
}

/// The shortest text of a nonnegative number.
pub fn magnitude(value: &Rational, notation: Notation) -> (String, Shape) {
    let plain = value.to_decimal();
    let (numerator, denominator) = (value.numerator(), value.denominator());
    let of_digits = match plain {
        Some(digits) if digits.len() <= LONG => return (digits, Shape::Digits),
        plain => plain.map(|digits| (digits, Shape::Digits)),
    };
    let (top, top_shape) = integer(&numerator, notation);
    let bar = |top: &str, bottom: &str| match notation {
        Notation::Latex => format!("\\frac{{{top}}}{{{bottom}}}"),
        Notation::Pamela => format!("{top}/{bottom}"),
    };
    let by_powers = match (denominator.is_one(), decimal_over_bar(value)) {
        (true, _) => (top, top_shape),
        (false, Some([top, bottom])) => {
            let decimal = |value: Rational| value.to_decimal().unwrap_or_default();
            (bar(&decimal(top), &decimal(bottom)), Shape::Product)
        }
        (false, None) => {
            let (bottom, bottom_shape) = integer(&denominator, notation);
            let text = match (notation, bottom_shape) {
                (Notation::Pamela, Shape::Product) => bar(&top, &format!("({bottom})")),
                _ => bar(&top, &bottom),
            };
            (text, Shape::Product)
        }
    };
    match of_digits {
        Some(digits) if digits.0.len() <= by_powers.0.len() => digits,
        _ => by_powers,
    }
}

/// Splits a long fraction into numerator and denominator, with a decimal point if that is shorter.
///
/// A third of 3.14159265 is 3.14159265/3, not 314159265/300000000.
pub fn decimal_over_bar(value: &Rational) -> Option<[Rational; 2]> {
    let whole = [value.numerator(), value.denominator()];
    let bits = whole.iter().map(|part| part.bits()).sum::<u64>();
    let digits = |parts: &[Rational; 2]| {
        let digits = parts
            .each_ref()
            .map(|part| part.to_decimal().map(|text| text.len()));
        digits.into_iter().sum::<Option<usize>>()
    };
    let plain = whole.map(Rational::from);
    if bits > MOST_BITS || digits(&plain)? <= LONG {
        return None;
    }
    let scaled = |by: &Rational| {
        let unit = decimal_unit(by)?.recip()?;
        Some(plain.each_ref().map(|part| part * &unit))
    };
    let ways = plain.each_ref().map(scaled).into_iter().flatten();
    let shortest = ways.min_by_key(|parts| digits(parts).unwrap_or(usize::MAX))?;
    (digits(&shortest)? < digits(&plain)?).then_some(shortest)
}

/// The greatest product of powers of 2 and 5 that divides a positive integer.
fn decimal_unit(value: &Rational) -> Option<Rational> {
    let mut rest = value.numerator();
    let (twos, fives) = (taken(&mut rest, 2), taken(&mut rest, 5));
    Some(&Rational::from(2).pow(i64::from(twos))? * &Rational::from(5).pow(i64::from(fives))?)
}

/// A positive integer, or 0.
fn integer(value: &BigInt, notation: Notation) -> (String, Shape) {
    let digits = value.to_string();
    if digits.len() < LONG || value.bits() > MOST_BITS || value.is_zero() {
        return (digits, Shape::Digits);
    }
    let mut rest = value.abs();
    let twos = rest.trailing_zeros().unwrap_or(0) as u32;
    rest >>= twos;
    let mut taken = |base: u32| taken(&mut rest, base);
    let (threes, fives) = (taken(3), taken(5));
    let tens = twos.min(fives);
    let powers = [
        (10_u32, tens),
        (2, twos - tens),
        (3, threes),
        (5, fives - tens),
    ];
    let (small, powers): (Vec<_>, Vec<_>) = powers
        .into_iter()
        .partition(|&(base, power)| u64::from(base).saturating_pow(power) < SMALL);
    for (base, power) in small {
        rest *= BigInt::from(base).pow(power);
    }
    let mut factors = Vec::new();
    if !rest.is_one() {
        factors.push(rest.to_string());
    }
    for (base, power) in powers {
        match notation {
            Notation::Pamela => factors.push(format!("{base}^{power}")),
            Notation::Latex => factors.push(format!("{base}^{{{power}}}")),
        }
    }
    let times = match notation {
        Notation::Pamela => " * ",
        Notation::Latex => " \\cdot ",
    };
    let text = factors.join(times);
    match (text.len() < digits.len(), factors.len()) {
        (false, _) => (digits, Shape::Digits),
        (true, 1) => (text, Shape::Power),
        (true, _) => (text, Shape::Product),
    }
}

/// The multiplicity of `base` as a divisor of a number, which is divided: by powers that double while they divide.
fn taken(rest: &mut BigInt, base: u32) -> u32 {
    let mut powers = Vec::new();
    let (mut power, mut exponent) = (BigInt::from(base), 1);
    while (&*rest % &power).is_zero() {
        powers.push((power.clone(), exponent));
        power = &power * &power;
        exponent *= 2;
    }
    let mut total = 0;
    for (power, exponent) in powers.into_iter().rev() {
        if (&*rest % &power).is_zero() {
            *rest /= power;
            total += exponent;
        }
    }
    total
}
