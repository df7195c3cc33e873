//! Doubles as the decimals that they print as: 0.1 is one tenth, as in the language.

use super::certified::CertifiedDouble;
use crate::law::shortest::Decimal;
use crate::ring::Rational;

/// Whole numbers up to here are doubles.
const WHOLE: f64 = 9e15;

/// The shortest decimal that reads back as this double; `None` if it is not finite.
pub fn decimal(value: f64) -> Option<Rational> {
    if is_whole(value) {
        return Some(Rational::from(value as i64));
    }
    let decimal = Decimal::of(value)?;
    let size = i64::try_from(decimal.mantissa).ok()?;
    let mantissa = Rational::from(if decimal.negative { -size } else { size });
    let power = Rational::from(10).pow(decimal.exponent.into())?;
    Some(&mantissa * &power)
}

/// True if a double is a whole number that no other whole number rounds to.
pub fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= WHOLE
}

/// Powers of ten, and their fives, that are doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

impl CertifiedDouble {
    /// The nearest sum of two doubles to the decimal of a double; unknown if it is not finite.
    pub fn of_decimal(value: f64) -> CertifiedDouble {
        CertifiedDouble::with_decimals(value).0
    }

    /// Like [`of_decimal`], with the number of decimals.
    pub fn with_decimals(value: f64) -> (CertifiedDouble, u32) {
        if is_whole(value) {
            return (CertifiedDouble::from(value), 0);
        }
        let short = Decimal::of(value);
        let decimals = short.map_or(0, |decimal| decimal.exponent.min(0).unsigned_abs());
        let near = short.and_then(|decimal| near(value, decimal));
        let near = near.unwrap_or_else(|| match decimal(value) {
            Some(exact) => CertifiedDouble::of(&exact),
            None => CertifiedDouble {
                high: f64::NAN,
                low: 0.0,
                error: f64::INFINITY,
            },
        });
        (near, decimals)
    }
}

/// Like `of_decimal`, without big numbers, for at most 22 decimals.
///
/// Let `d / 10^k` be the decimal of the double `x = m 2^q`. Then `d - x 10^k` is a whole multiple of `2^(q+k)`. It is
/// at most half a unit of `x` times `10^k`, that is, `5^k / 2` of these multiples, so a double holds it. It also
/// holds the intermediate steps. The only rounding is that of the division, as in [`CertifiedDouble::of`].
fn near(value: f64, decimal: Decimal) -> Option<CertifiedDouble> {
    let power = *POWERS.get(usize::try_from(-decimal.exponent).ok()?)?;
    let size = value.abs();
    // The mantissa as a sum of two doubles.
    let high = decimal.mantissa as f64;
    let low = (decimal.mantissa as i64 - high as i64) as f64;
    // And so is the product.
    let product = size * power;
    let beyond = size.mul_add(power, -product);
    let rest = ((high - product) + low) - beyond;
    let low = rest / power;
    let error = if low.mul_add(power, -rest) == 0.0 {
        0.0
    } else {
        size * CertifiedDouble::RELATIVE
    };
    Some(CertifiedDouble {
        high: value,
        low: if decimal.negative { -low } else { low } + 0.0,
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use proptest::prelude::*;

    /// By big numbers.
    fn slow(value: f64) -> CertifiedDouble {
        if is_whole(value) {
            CertifiedDouble::from(value)
        } else {
            CertifiedDouble::of(&decimal(value).unwrap())
        }
    }

    fn bits(x: CertifiedDouble) -> [u64; 3] {
        [x.high, x.low, x.error].map(f64::to_bits)
    }

    /// Decimals of few digits, doubles of all sizes that have a fast way, and some beyond them.
    fn values() -> impl Strategy<Value = f64> {
        let short = (-1_000_000_000i64..1_000_000_000, 0u32..12)
            .prop_map(|(digits, places)| digits as f64 / 10f64.powi(places as i32));
        let any = (any::<u64>(), -80i32..60).prop_map(|(bits, exponent)| {
            let mantissa = 1.0 + (bits >> 12) as f64 / (1u64 << 52) as f64;
            let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
            sign * mantissa * 2f64.powi(exponent)
        });
        prop_oneof![short, any]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(
            std::env::var("PAMELA_DECIMALS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000)
        ))]

        #[test]
        fn decimals_are_those_of_big_numbers(value in values()) {
            prop_assert_eq!(bits(CertifiedDouble::of_decimal(value)), bits(slow(value)), "{:?}", value);
        }
    }

    #[test]
    fn a_tenth_is_one() {
        assert_eq!(decimal(0.1), Rational::new(1, 10));
        assert_eq!(decimal(-1.5e-3), Rational::new(-3, 2000));
        assert_eq!(decimal(f64::NAN), None);
        assert!(CertifiedDouble::of_decimal(f64::INFINITY).high.is_nan());
    }
}
