//! The kernels against enclosures in integer arithmetic, which know nothing of them.

use proptest::prelude::*;

use super::tables::{COARSE, FINE};
use super::{MOST, exp, factorial, harmonic, log, real_power, square_root};
use crate::eval::certified::CertifiedDouble;
use crate::real::{Real, RealOrRational};
use crate::ring::Rational;

fn rational(value: f64) -> Rational {
    Rational::from_f64(value).expect("it is finite")
}

fn real(value: &Rational) -> Real {
    Real::rational(&value.to_big())
}

fn sum(value: CertifiedDouble) -> Rational {
    &rational(value.high) + &rational(value.low)
}

/// True if the pair is as near to the number as it says, and whether it says so to some 90 bits of `unit`.
fn is_within(pair: CertifiedDouble, number: RealOrRational, unit: f64) -> bool {
    let as_real = |known: RealOrRational| match known {
        RealOrRational::Rational(number) => Real::rational(&number),
        RealOrRational::Real(number) => number,
    };
    let distance = as_real(number).add(&real(&-&sum(pair)));
    let distance = as_real(distance.expect("it is finite")).abs();
    let order = distance.compare(&real(&rational(pair.error)));
    order.is_ok_and(|order| order.is_le()) && pair.error <= unit * 2f64.powi(-88)
}

/// A number of two doubles without an error.
fn pair(high: f64, part: f64) -> CertifiedDouble {
    CertifiedDouble {
        high,
        low: high * f64::EPSILON / 2.0 * part,
        error: 0.0,
    }
}

/// Numbers of all sizes, of those that are near to 1 as many as of others.
fn above_0() -> impl Strategy<Value = f64> {
    prop_oneof![
        (1.0..2.0, -800..900).prop_map(|(m, power): (f64, i32)| m * 2f64.powi(power)),
        (-1.0..1.0, -50..0).prop_map(|(d, power): (f64, i32)| 1.0 + d * 0.5 * 2f64.powi(power)),
        (1u32..1_000_000).prop_map(f64::from),
    ]
}

proptest! {
    #[test]
    fn logarithms_are_within_their_bounds(x in above_0(), part in -0.99..0.99) {
        let x = pair(x, part);
        let exact = Real::log_of(&sum(x).to_big()).expect("it is above 0");
        prop_assert!(is_within(log(x), exact, log(x).high.abs().max(1.0)), "{x:?}: {:?}", log(x));
    }

    #[test]
    fn exponentials_are_within_their_bounds(
        x in prop_oneof![-MOST..MOST, -1.0..1.0, -1e-9..1e-9, (-500..500).prop_map(f64::from)],
        part in -0.99..0.99,
    ) {
        let x = pair(x, part);
        let exact = real(&sum(x)).exp().expect("it is finite");
        prop_assert!(is_within(exp(x), exact, exp(x).high), "{x:?}: {:?}", exp(x));
    }

    #[test]
    fn roots_are_within_their_bounds(x in above_0(), part in -0.99..0.99) {
        let x = pair(x, part);
        let half = real(&rational(0.5));
        let exact = real(&sum(x)).power(&half).expect("it is above 0");
        prop_assert!(is_within(square_root(x), exact, square_root(x).high), "{x:?}: {:?}", square_root(x));
    }

    /// With the error of a base and of an exponent that are known to some digits.
    #[test]
    fn powers_are_within_their_bounds(
        x in above_0().prop_filter("a moderate power", |x| x.ln().abs() < 100.0),
        y in -5.0..5.0,
        moved in -0.9..0.9,
    ) {
        let error = x * 2f64.powi(-60);
        let base = CertifiedDouble { high: x, low: 0.0, error };
        let near = &rational(x) + &(&rational(error) * &rational(moved));
        let exact = real(&near).power(&real(&rational(y))).expect("it is above 0");
        let found = real_power(base, CertifiedDouble::from(y));
        prop_assert!(is_within(found, exact, found.high * 2f64.powi(40)), "{x} {y}: {found:?}");
    }
}

#[test]
fn tables_hold_the_nearest_pairs() {
    for (table, steps) in [(COARSE, 32u16), (FINE, 1024)] {
        for (k, [high, low]) in table.into_iter().enumerate() {
            let exponent = rational(k as f64 / f64::from(steps));
            let power = real(&rational(2.0))
                .power(&real(&exponent))
                .expect("it is above 0");
            let entry = CertifiedDouble {
                high,
                low,
                error: if k == 0 { 0.0 } else { 2f64.powi(-106) },
            };
            assert!(is_within(entry, power, 1.0), "2^({k}/{steps})");
        }
    }
}

#[test]
fn exact_values_are_known_to_be_exact() {
    let is = |found: CertifiedDouble, value: f64| {
        (found.high, found.low, found.error) == (value, 0.0, 0.0)
    };
    let from = CertifiedDouble::from;
    assert!(is(log(from(1.0)), 0.0));
    assert!(is(exp(from(0.0)), 1.0));
    for root in [0.0, 1.0, 3.0, 0.5, 94_906_265.0] {
        assert!(is(square_root(from(root * root)), root), "{root}");
    }
    assert!(square_root(from(2.0)).error > 0.0);
    assert!(is(real_power(from(0.0), from(0.1)), 0.0));
}

#[test]
fn nothing_is_known_beyond_the_domain() {
    let unknown = |found: CertifiedDouble| found.error.is_nan() || found.error == f64::INFINITY;
    let doubtful = CertifiedDouble {
        high: 1.0,
        low: 0.0,
        error: 2.0,
    };
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-260, 1e295] {
        assert!(unknown(log(value.into())), "log of {value}");
    }
    for value in [-1.0, f64::NAN, f64::INFINITY, 1e-260] {
        assert!(unknown(square_root(value.into())), "root of {value}");
        assert!(
            unknown(real_power(value.into(), 0.3.into())),
            "power of {value}"
        );
    }
    for value in [-576.0, 576.0, f64::NAN, f64::NEG_INFINITY] {
        assert!(unknown(exp(value.into())), "exp of {value}");
    }
    assert!(unknown(log(doubtful)) && unknown(square_root(doubtful)) && unknown(exp(doubtful)));
    assert!(unknown(real_power(0.0.into(), (-1.5).into())));
}

/// Small ones by fractions, and great ones by the tail of the sum between two integrals.
#[test]
fn harmonic_numbers_are_within_their_bounds() {
    let mut sum_of_all = Rational::ZERO;
    for n in 0..2_000 {
        if n > 0 {
            sum_of_all = &sum_of_all + &Rational::new(1, n).expect("n is not 0");
        }
        let found = harmonic(CertifiedDouble::from(n as f64));
        let exact = RealOrRational::Rational(sum_of_all.to_big());
        assert!(is_within(found, exact, 4.0), "H({n}): {found:?}");
    }
    // H(2 n) - H(n) is log(2) - 1/(4 n) + 1/(16 n^2) to within 1/(128 n^4).
    for n in [1e5, 123_456_789.0, 3e14] {
        let found = [2.0 * n, n].map(|n| sum(harmonic(CertifiedDouble::from(n))));
        let rest = &(&found[0] - &found[1]) - &rational(-0.25 / n + 0.0625 / (n * n));
        let log = Real::log_of(&rational(2.0).to_big()).expect("it is above 0");
        let near = CertifiedDouble {
            high: rest.to_f64(),
            low: (&rest - &rational(rest.to_f64())).to_f64(),
            error: 1.0 / (64.0 * n.powi(4)) + 2f64.powi(-86) + 2f64.powi(-54) / n,
        };
        assert!(is_within(near, log, 2f64.powi(80)), "H({n}): {near:?}");
    }
}

#[test]
fn factorials_are_those_of_products() {
    let mut product = Rational::ONE;
    for n in 0..=160 {
        product = &product * &Rational::from(n.max(1));
        let found = factorial(CertifiedDouble::from(n as f64));
        let unit = found.high;
        assert!(
            is_within(found, RealOrRational::Rational(product.to_big()), unit),
            "{n}!"
        );
    }
    for value in [-1.0, 0.5, 161.0, f64::NAN] {
        assert!(factorial(CertifiedDouble::from(value)).error.is_infinite());
        assert!(value == 161.0 || harmonic(CertifiedDouble::from(value)).error.is_infinite());
    }
}
