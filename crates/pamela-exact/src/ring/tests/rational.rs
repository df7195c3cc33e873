use std::collections::HashSet;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;

use super::rational;
use crate::ring::{DecimalError, Rational};

fn decimal(text: &str) -> Rational {
    Rational::parse_decimal(text).unwrap()
}

/// Small numbers, and those at the edge of machine integers.
fn integer() -> impl Strategy<Value = i64> {
    let edge = prop_oneof![
        Just(i64::MIN),
        Just(i64::MAX),
        Just(i64::MIN + 1),
        Just(1 << 53),
        Just((1 << 53) + 1),
    ];
    prop_oneof![-12_i64..12, -12_i64..12, any::<i64>(), edge]
}

fn big(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

/// A number and what it should be, some of them too large for machine integers.
fn number() -> impl Strategy<Value = (Rational, BigRational)> {
    (integer(), integer(), integer()).prop_filter_map("denominator", |(n, d, factor)| {
        let machine = Rational::new(n, d)?;
        Some((machine * Rational::from(factor), big(n, d) * big(factor, 1)))
    })
}

fn canonical(value: &BigRational) -> Rational {
    Rational::from(value.clone())
}

/// Of hundreds of bits, with common factors across.
fn long() -> impl Strategy<Value = (Rational, BigRational)> {
    let part = || proptest::collection::vec(1_i64..1_000_000, 1..30);
    let signed = (part(), part(), any::<bool>(), 0_u32..300);
    signed.prop_map(|(numerator, denominator, negative, shift)| {
        let product = |part: &[i64]| part.iter().map(|&x| BigInt::from(x)).product::<BigInt>();
        let numerator = product(&numerator) << shift;
        let signed = if negative { -numerator } else { numerator };
        let value = BigRational::new(signed, product(&denominator));
        (Rational::from(value.clone()), value)
    })
}

fn words(most: usize) -> impl Strategy<Value = BigInt> {
    let word = prop_oneof![any::<u32>(), Just(0), Just(1), Just(u32::MAX)];
    proptest::collection::vec(word, 1..most)
        .prop_map(|words| BigInt::from(num_bigint::BigUint::new(words)))
}

#[test]
fn neighbours_among_fibonacci_numbers_have_no_common_divisor() {
    let (mut a, mut b) = (BigInt::from(0), BigInt::from(1));
    for _ in 0..5_000 {
        (a, b) = (b.clone(), a + b);
    }
    let [left, right] = [&a, &b].map(|x| Rational::from(BigRational::from(x * BigInt::from(21))));
    assert_eq!(left.gcd(&right), rational(21, 1));
}

proptest! {
    #[test]
    fn long_arithmetic_is_that_of_big_rationals((a, x) in long(), (b, y) in long(), n in integer()) {
        let whole = BigRational::from_integer(n.into());
        prop_assert_eq!(&a + &b, canonical(&(&x + &y)));
        prop_assert_eq!(&a - &a, Rational::ZERO);
        prop_assert_eq!(&a - &b, canonical(&(&x - &y)));
        prop_assert_eq!(&a * &b, canonical(&(&x * &y)));
        prop_assert_eq!(&a * Rational::from(n), canonical(&(&x * &whole)));
        prop_assert_eq!(&a + Rational::from(n), canonical(&(&x + &whole)));
        prop_assert_eq!(a.checked_div(&b), Some(canonical(&(&x / &y))));
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        let gcd = BigRational::new(x.numer().gcd(y.numer()), x.denom().lcm(y.denom()));
        prop_assert_eq!(a.gcd(&b), canonical(&gcd));
        prop_assert_eq!(Rational::common_measure([&a, &b].into_iter()), canonical(&gcd));
        let terms = [&a, &b, &a, &Rational::ONE, &b];
        prop_assert_eq!(terms.into_iter().sum::<Rational>(), canonical(&(&x + &y + &x + &y + BigRational::from_integer(1.into()))));
    }

    #[test]
    fn arithmetic_is_that_of_big_rationals((a, x) in number(), (b, y) in number()) {
        prop_assert_eq!(a.to_big(), x.clone());
        prop_assert_eq!(&a + &b, canonical(&(&x + &y)));
        prop_assert_eq!(&a - &b, canonical(&(&x - &y)));
        prop_assert_eq!(&a * &b, canonical(&(&x * &y)));
        prop_assert_eq!(-&a, canonical(&-&x));
        prop_assert_eq!(a.checked_div(&b), (!y.is_zero()).then(|| canonical(&(&x / &y))));
        prop_assert_eq!(a.floor(), canonical(&x.floor()));
        prop_assert_eq!(a.ceil(), canonical(&x.ceil()));
        prop_assert_eq!(a.fract(), canonical(&(&x - x.floor())));
        prop_assert_eq!(a.abs(), canonical(&x.abs()));
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a.is_integer(), x.is_integer());
        prop_assert_eq!(a.numerator(), x.numer().clone());
        prop_assert_eq!(a.denominator(), x.denom().clone());
        prop_assert_eq!(a.bits(), x.numer().bits() + x.denom().bits());
    }

    #[test]
    fn the_same_number_is_the_same_structure((a, _) in number(), (b, _) in number()) {
        let round_trip = (&a + &b) - &b;
        prop_assert_eq!(&round_trip, &a);
        let set: HashSet<Rational> = [round_trip, a].into_iter().collect();
        prop_assert_eq!(set.len(), 1);
    }

    #[test]
    fn pow_is_repeated_multiplication((a, _) in number(), exponent in 0_i64..9) {
        let product: Rational = (0..exponent).map(|_| a.clone()).product();
        prop_assert_eq!(a.pow(exponent), Some(product.clone()));
        if !a.is_zero() {
            prop_assert_eq!(a.pow(-exponent), product.recip());
        }
    }

    /// Lengths of thousands of bits, a common factor, and runs of ones and zeros, at which leading bits mislead.
    #[test]
    fn the_gcd_of_long_integers_is_that_of_another_algorithm(
        (a, b, common) in (words(40), words(40), words(20)),
        shift in 0_u32..200,
    ) {
        let (a, b) = ((a * &common) << shift, b * common);
        let gcd = Rational::from(BigRational::from(a.clone()))
            .gcd(&Rational::from(BigRational::from(b.clone())));
        prop_assert_eq!(gcd, canonical(&BigRational::from(a.gcd(&b))));
    }

    #[test]
    fn the_gcd_divides_both_and_leaves_coprime_integers((a, _) in number(), (b, _) in number()) {
        let gcd = a.gcd(&b);
        match (a.checked_div(&gcd), b.checked_div(&gcd)) {
            (Some(left), Some(right)) => {
                prop_assert!(left.is_integer() && right.is_integer());
                prop_assert!(left.gcd(&right).is_one());
            }
            _ => prop_assert!(a.is_zero() && b.is_zero()),
        }
    }

    #[test]
    fn every_double_survives_the_round_trip(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        match Rational::from_f64(value) {
            Some(exact) => prop_assert_eq!(exact.to_f64(), value),
            None => prop_assert!(!value.is_finite()),
        }
    }

    #[test]
    fn the_double_is_as_near_as_its_neighbours((a, _) in number(), (b, _) in number()) {
        prop_assume!(!b.is_zero());
        let exact = &a / &b;
        let nearest = exact.to_f64();
        let error = |value: f64| (Rational::from_f64(value).unwrap() - &exact).abs();
        prop_assert!(error(nearest) <= error(nearest.next_up()));
        prop_assert!(error(nearest) <= error(nearest.next_down()));
    }

    #[test]
    fn decimal_text_is_the_exact_value(digits in -1_000_000_i64..1_000_000, exponent in -9_i64..9) {
        let value = Rational::from(digits) * Rational::from(10).pow(exponent).unwrap();
        prop_assert_eq!(decimal(&format!("{digits}e{exponent}")), value.clone());
        prop_assert_eq!(decimal(&value.to_decimal().unwrap()), value);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[-+.e0-9x]{0,9}") {
        let _ = Rational::parse_decimal(&text);
    }
}

#[test]
fn a_denominator_of_zero_is_refused() {
    assert_eq!(Rational::new(1, 0), None);
    assert_eq!(Rational::ONE.checked_div(&Rational::ZERO), None);
    assert_eq!(Rational::ZERO.recip(), None);
}

#[test]
fn powers_of_zero_and_huge_powers() {
    assert_eq!(Rational::ZERO.pow(0), Some(Rational::ONE));
    assert_eq!(Rational::ZERO.pow(3), Some(Rational::ZERO));
    assert_eq!(Rational::ZERO.pow(-1), None);
    assert_eq!(Rational::from(2).pow(1_000_000_000), None);
    assert_eq!(Rational::from(2).pow(i64::MIN), None);
    assert_eq!(Rational::from(-1).pow(i64::MIN), Some(Rational::ONE));
    assert_eq!(Rational::from(-1).pow(i64::MAX), Some(Rational::from(-1)));
    assert_eq!(rational(-2, 3).pow(-3), Some(rational(-27, 8)));
}

#[test]
fn decimals_are_exact() {
    assert_eq!(decimal("10.1"), rational(101, 10));
    assert_eq!(decimal("5e-3"), rational(1, 200));
    assert_eq!(decimal("12"), Rational::from(12));
    assert_eq!(decimal("-.5E+1"), Rational::from(-5));
    assert_eq!(decimal("1e30").to_string(), format!("1{}", "0".repeat(30)));
}

#[test]
fn malformed_and_hostile_decimals_are_refused() {
    for text in [
        "", ".", "-", "1.2.3", "1e", "e5", "0x1", "1_000", "+-1", "1e+-2", " 1", "--1",
    ] {
        assert_eq!(
            Rational::parse_decimal(text),
            Err(DecimalError::Malformed),
            "{text}"
        );
    }
    for text in ["1e10001", "1e-10001", "1e99999999999999999999"] {
        assert_eq!(
            Rational::parse_decimal(text),
            Err(DecimalError::ExponentTooLarge)
        );
    }
    let long = "1".repeat(1_000_000);
    assert_eq!(
        Rational::parse_decimal(&long),
        Err(DecimalError::TooManyDigits)
    );
}

#[test]
fn terminating_decimals_are_printed_exactly() {
    let text = |numerator, denominator| rational(numerator, denominator).to_decimal();
    assert_eq!(text(101, 10).as_deref(), Some("10.1"));
    assert_eq!(text(1, 200).as_deref(), Some("0.005"));
    assert_eq!(text(-1, 8).as_deref(), Some("-0.125"));
    assert_eq!(text(12, 1).as_deref(), Some("12"));
    assert_eq!(text(0, 1).as_deref(), Some("0"));
    assert_eq!(text(1, 3), None);
    assert_eq!(text(1, 1 << 40), None);
}

#[test]
fn numbers_print_as_integers_or_fractions() {
    assert_eq!(rational(6, -4).to_string(), "-3/2");
    assert_eq!(rational(i64::MIN, -1).to_string(), "9223372036854775808");
    assert_eq!(
        serde_json::to_string(&rational(101, 10)).unwrap(),
        "\"101/10\""
    );
}

#[test]
fn doubles_of_huge_parts_are_nearest_even() {
    let power = |exponent: i64| Rational::from(2).pow(exponent).unwrap();
    let one_third = Rational::from(BigRational::new(
        BigInt::from(10).pow(4000),
        BigInt::from(10).pow(4000) * 3 + 1,
    ));
    assert_eq!(one_third.to_f64(), 1.0 / 3.0);
    assert_eq!((power(53) + rational(1, 1)).to_f64(), 9007199254740992.0);
    assert_eq!((power(53) + rational(3, 1)).to_f64(), 9007199254740996.0);
    assert_eq!((power(100) + power(47)).to_f64(), power(100).to_f64());
    assert!((power(100) + power(47) + power(-300)).to_f64() > power(100).to_f64());
    assert_eq!(power(-1074).to_f64(), f64::from_bits(1));
    assert_eq!(power(-1075).to_f64(), 0.0);
    assert_eq!((power(-1075) + power(-9000)).to_f64(), f64::from_bits(1));
    assert_eq!(
        (-power(-1075) * rational(3, 1)).to_f64(),
        -f64::from_bits(2)
    );
    assert_eq!(power(-9000).to_f64(), 0.0);
    assert_eq!(power(1024).to_f64(), f64::INFINITY);
    assert_eq!((-power(9000)).to_f64(), f64::NEG_INFINITY);
    assert_eq!((power(1024) - power(970)).to_f64(), f64::INFINITY);
    assert_eq!((power(1024) - power(970) - power(0)).to_f64(), f64::MAX);
}
