//! Small and large fractions beside the big rationals of `num`, at and around the ends of machine words.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use proptest::prelude::*;

use crate::model::Fraction;

/// Near the ends of a word, near 0, and long.
fn part() -> impl Strategy<Value = BigInt> {
    let near = |place: i128| (-3..=3_i128).prop_map(move |step| BigInt::from(place + step));
    prop_oneof![
        near(0),
        near(i64::MAX.into()),
        near(i64::MIN.into()),
        near(1 << 53),
        near(1 << 32),
        any::<i64>().prop_map(BigInt::from),
        any::<i128>().prop_map(BigInt::from),
    ]
}

fn number() -> impl Strategy<Value = BigRational> {
    (part(), part()).prop_map(|(numer, denom)| {
        if denom.is_zero() {
            BigRational::from_integer(numer)
        } else {
            BigRational::new(numer, denom)
        }
    })
}

proptest! {
    #[test]
    fn operations_are_those_of_big_rationals(a in number(), b in number()) {
        let [x, y] = [&a, &b].map(|value| Fraction::from(value.clone()));
        prop_assert_eq!((&x + &y).to_big(), &a + &b);
        prop_assert_eq!((&x - &y).to_big(), &a - &b);
        prop_assert_eq!((&x * &y).to_big(), &a * &b);
        if !b.is_zero() {
            prop_assert_eq!((&x / &y).to_big(), &a / &b);
        }
        prop_assert_eq!((-&x).to_big(), -&a);
        prop_assert_eq!(x.floor().to_big(), a.floor());
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x == y, a == b);
        prop_assert_eq!(x.to_string(), a.to_string());
        prop_assert_eq!(x.to_f64(), a.to_f64().unwrap());
        prop_assert_eq!(x.bits(), (a.numer().bits(), a.denom().bits()));
        prop_assert_eq!((x.numer(), x.denom()), (a.numer().clone(), a.denom().clone()));
        prop_assert_eq!(x.is_integer(), a.is_integer());
        let whole = a.is_integer().then(|| a.to_integer());
        prop_assert_eq!(x.to_i64(), whole.as_ref().and_then(ToPrimitive::to_i64));
        prop_assert_eq!(x.to_u64(), whole.as_ref().and_then(ToPrimitive::to_u64));
        prop_assert_eq!(x.into_big(), a);
    }

    /// Whichever way a number was got: large ones that cancel are small again.
    #[test]
    fn equal_numbers_have_equal_forms(a in number(), b in number()) {
        let [x, y] = [&a, &b].map(|value| Fraction::from(value.clone()));
        prop_assert_eq!(&(&(&x + &y) - &y), &x);
        if !b.is_zero() {
            prop_assert_eq!(&(&(&x * &y) / &y), &x);
            prop_assert!((&y / &y).is_one());
        }
        prop_assert!((&x - &x).is_zero());
    }
}

#[test]
fn a_quotient_of_words_is_in_lowest_terms() {
    assert_eq!(Fraction::new(6, -4).to_string(), "-3/2");
    assert_eq!(Fraction::new(i64::MIN, i64::MIN).to_string(), "1");
    assert_eq!(Fraction::new(i64::MIN, 1).to_string(), i64::MIN.to_string());
    assert_eq!(Fraction::new(0, -7), Fraction::zero());
}
