//! The shortest decimal that reads back as a double.
//!
//! Among the decimals with the fewest digits, it is the nearest one; on a tie, the one whose last digit is even.
//! Python, JavaScript and JSON write the same one. The standard library of Rust differs on ties, so all conversions
//! of doubles to decimals use this module.

use std::fmt::{self, Write};

/// `mantissa * 10^exponent`, negated if `negative`; a nonzero mantissa does not end in 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// True for negative numbers and negative zero.
    pub negative: bool,
    /// Digits of the decimal, at most 17.
    pub mantissa: u64,
    /// Exponent of ten.
    pub exponent: i32,
}

impl Decimal {
    /// The shortest decimal of a double; `None` if it is not finite.
    pub fn of(value: f64) -> Option<Decimal> {
        if !value.is_finite() {
            return None;
        }
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value.abs()).as_bytes();
        let (mut mantissa, mut exponent) = (0u64, 0);
        let mut fraction = false;
        let mut bytes = text.iter();
        for byte in bytes.by_ref() {
            match byte {
                b'.' => fraction = true,
                // More zeros would not fit: whole numbers of at most 17 digits are written out.
                b'0'..=b'9' => {
                    mantissa = mantissa.wrapping_mul(10) + u64::from(byte - b'0');
                    exponent -= i32::from(fraction);
                }
                _ => break,
            }
        }
        let written = bytes.as_slice();
        let (sign, digits) = match written {
            [b'-', digits @ ..] => (-1, digits),
            [b'+', digits @ ..] => (1, digits),
            digits => (1, digits),
        };
        let digits = digits
            .iter()
            .fold(0, |all, digit| 10 * all + i32::from(digit - b'0'));
        exponent += sign * digits;
        while mantissa != 0 && mantissa.is_multiple_of(10) {
            mantissa /= 10;
            exponent += 1;
        }
        Some(Decimal {
            negative: value.is_sign_negative(),
            mantissa,
            exponent: if mantissa == 0 { 0 } else { exponent },
        })
    }
}

/// The decimal number written out, without an exponent.
struct Plain(Decimal);

/// The decimal number with one digit before the point, and an exponent.
struct Scientific(Decimal);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decimal {
            negative,
            mantissa,
            exponent,
        } = self.0;
        if negative {
            f.write_char('-')?;
        }
        if exponent >= 0 {
            write!(f, "{mantissa}")?;
            return (0..exponent).try_for_each(|_| f.write_char('0'));
        }
        let digits = mantissa.to_string();
        let decimals = exponent.unsigned_abs() as usize;
        match digits.len().checked_sub(decimals) {
            Some(whole @ 1..) => write!(f, "{}.{}", &digits[..whole], &digits[whole..]),
            _ => write!(f, "0.{digits:0>decimals$}"),
        }
    }
}

impl fmt::Display for Scientific {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.mantissa.to_string();
        let exponent = self.0.exponent + digits.len() as i32 - 1;
        if self.0.negative {
            f.write_char('-')?;
        }
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        write!(f, "{first}{point}{rest}e{exponent}")
    }
}

/// The shortest decimal as text.
///
/// It has no exponent from 1e-5 to below 1e17. Other values: with an exponent, `NaN`, `inf`,
/// `-inf`.
pub fn text(value: f64) -> String {
    let mut text = String::new();
    // A string takes every text.
    let _ = write_to(value, &mut text);
    text
}

/// A number rounded to `digits` significant digits, without trailing zeros. Digits before the point are never cut. The text has
/// an exponent below 1e-5 and from 1e15.
pub fn rounded(value: f64, digits: usize) -> String {
    let after_first = digits.max(1) - 1;
    // Adding 0 takes the sign from -0.
    if value == 0.0 || !value.is_finite() {
        return text(value + 0.0);
    }
    let scientific = format!("{value:.after_first$e}");
    let nearest: f64 = scientific.parse().unwrap_or(value);
    if nearest.abs() < 10f64.powi(digits as i32) || value.abs() >= 1e15 {
        text(nearest)
    } else {
        text(value.round())
    }
}

/// Writes [`text`].
///
/// # Errors
/// Fails if `out` fails.
pub fn write_to(value: f64, out: &mut dyn Write) -> fmt::Result {
    let size = value.abs();
    match Decimal::of(value) {
        None => write!(out, "{value}"),
        Some(decimal) if value == 0.0 || (1e-5..1e17).contains(&size) => {
            write!(out, "{}", Plain(decimal))
        }
        Some(decimal) => write!(out, "{}", Scientific(decimal)),
    }
}

/// Appends [`text`] to bytes; many times faster if it has no exponent.
pub fn append(value: f64, out: &mut Vec<u8>) {
    let whole = value as i64;
    let is_whole = whole as f64 == value && value.abs() < 1e15;
    if is_whole && !(whole == 0 && value.is_sign_negative()) {
        return out.extend_from_slice(itoa::Buffer::new().format(whole).as_bytes());
    }
    if append_thousandths(value, out) {
        return;
    }
    if value.is_finite() && (1e-5..1e17).contains(&value.abs()) {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value).as_bytes();
        if !text.contains(&b'e') && !text.ends_with(b".0") {
            return out.extend_from_slice(text);
        }
    }
    out.extend_from_slice(text(value).as_bytes());
}

/// Appends a number of at most three decimals and 14 digits; returns `false` and appends nothing for other numbers.
/// No two decimals of at most 15 digits have the same double, so the decimal found is the shortest.
fn append_thousandths(value: f64, out: &mut Vec<u8>) -> bool {
    let size = value.abs();
    let thousandths = (size * 1e3).round();
    if !(1.0..1e14).contains(&thousandths) || thousandths / 1e3 != size {
        return false;
    }
    let thousandths = thousandths as u64;
    if value < 0.0 {
        out.push(b'-');
    }
    out.extend_from_slice(itoa::Buffer::new().format(thousandths / 1000).as_bytes());
    let rest = (thousandths % 1000) as u16;
    let digits = [rest / 100, rest / 10 % 10, rest % 10].map(|digit| b'0' + digit as u8);
    let length = match digits {
        [_, b'0', b'0'] => 1,
        [_, _, b'0'] => 2,
        _ => 3,
    };
    out.push(b'.');
    out.extend_from_slice(&digits[..length]);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::prelude::*;

    #[test]
    fn of_two_equally_near_ones_the_last_digit_is_even() {
        // Both lie in the middle.
        for (exact, short) in [
            ("240234816.072265625", "240234816.07226562"),
            ("-1085002550194335.25", "-1085002550194335.2"),
        ] {
            assert_eq!(text(exact.parse().unwrap()), short);
        }
    }

    #[test]
    fn texts_are_those_of_the_standard_library() {
        for value in [
            0.0,
            -0.0,
            0.1,
            -0.5,
            1.0,
            120.0,
            1e16,
            9.9e16,
            1e17,
            1.5e-5,
            1e-5,
            9.9e-6,
            1.5e-300,
            5e-324,
            f64::MAX,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            123_456_789.125,
            9_007_199_254_740_993.0,
        ] {
            let size = value.abs();
            let known = if value == 0.0 || (1e-5..1e17).contains(&size) || !size.is_finite() {
                value.to_string()
            } else {
                format!("{value:e}")
            };
            assert_eq!(text(value), known);
            assert_eq!(appended(value), known);
        }
    }

    #[test]
    fn few_digits_keep_the_whole_part() {
        for (value, digits, expected) in [
            (0.0, 6, "0"),
            (1.0 / 3.0, 6, "0.333333"),
            (2.0 / 3.0, 1, "0.7"),
            (-12.000_000_4, 6, "-12"),
            (999_999.96, 6, "1000000"),
            (1_234_567.8, 6, "1234568"),
            (0.000_012_345_678, 4, "0.00001235"),
            (1.234_567_8e-9, 3, "1.23e-9"),
            (1.5e20, 6, "1.5e20"),
            (f64::INFINITY, 6, "inf"),
        ] {
            assert_eq!(
                rounded(value, digits),
                expected,
                "{value} to {digits} digits"
            );
        }
    }

    fn appended(value: f64) -> String {
        let mut bytes = Vec::new();
        append(value, &mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    proptest! {
        #[test]
        fn bytes_of_usual_numbers_are_their_texts(digits in -10_000_000i64..10_000_000, places in -17i32..10) {
            let value = digits as f64 * 10f64.powi(places);
            prop_assert_eq!(appended(value), text(value));
        }

        #[test]
        fn texts_read_back(value in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
            prop_assert_eq!(text(value).parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
            prop_assert_eq!(appended(value), text(value));
            // Equally short as that of the standard library.
            let decimal = Decimal::of(value).unwrap();
            let known = format!("{:e}", value.abs());
            let known = known.split('e').next().unwrap().replace('.', "");
            prop_assert_eq!(decimal.mantissa.to_string().len(), known.len());
        }
    }
}
