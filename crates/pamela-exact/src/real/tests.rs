use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::ball::Ball;
use super::*;

fn q(n: i64, d: i64) -> BigRational {
    BigRational::new(n.into(), d.into())
}

fn number(n: i64) -> RealOrRational {
    RealOrRational::Rational(q(n, 1))
}

fn real(x: &RealOrRational) -> Real {
    match x {
        RealOrRational::Rational(value) => Real::rational(value),
        RealOrRational::Real(real) => real.clone(),
    }
}

fn log(x: RealOrRational) -> RealOrRational {
    real(&x).log().unwrap()
}

fn power(x: &RealOrRational, y: &RealOrRational) -> RealOrRational {
    real(x).power(&real(y)).unwrap()
}

fn root(n: i64, order: i64) -> RealOrRational {
    power(&number(n), &RealOrRational::Rational(q(1, order)))
}

fn add(a: &RealOrRational, b: &RealOrRational) -> RealOrRational {
    real(a).add(&real(b)).unwrap()
}

fn times(a: &RealOrRational, b: &RealOrRational) -> RealOrRational {
    real(a).multiply(&real(b)).unwrap()
}

fn over(a: &RealOrRational, b: &RealOrRational) -> RealOrRational {
    real(a).divide(&real(b)).unwrap()
}

#[test]
fn quotients_of_logarithms_of_powers_are_rational() {
    assert_eq!(over(&log(number(1000)), &log(number(10))), number(3));
    assert_eq!(over(&log(number(1 << 29)), &log(number(2))), number(29));
    assert_eq!(
        over(&log(number(8)), &log(number(4))),
        RealOrRational::Rational(q(3, 2))
    );
    assert_eq!(over(&log(number(36)), &log(number(6))), number(2));
    let eighth = RealOrRational::Rational(q(1, 8));
    assert_eq!(over(&log(eighth), &log(number(2))), number(-3));
    let root_of_eight = power(&number(8), &RealOrRational::Rational(q(1, 2)));
    assert_eq!(
        over(&log(root_of_eight), &log(number(2))),
        RealOrRational::Rational(q(3, 2))
    );
}

#[test]
fn powers_and_roots_are_rational_where_they_are() {
    assert_eq!(root(64, 3), number(4));
    let x = RealOrRational::Rational(q(27, 8));
    assert_eq!(
        power(&x, &RealOrRational::Rational(q(-2, 3))),
        RealOrRational::Rational(q(4, 9))
    );
    assert_eq!(times(&root(2, 2), &root(8, 2)), number(4));
    let (one, two) = (number(1), root(2, 2));
    let conjugates = times(&add(&one, &two), &add(&number(-1), &two));
    assert_eq!(conjugates, number(1));
    assert_eq!(over(&one, &add(&one, &two)), over(&one, &add(&two, &one)));
    let inverse = over(&one, &add(&one, &two));
    assert_eq!(
        real(&inverse).compare(&real(&add(&two, &number(-1)))),
        Ok(Ordering::Equal)
    );
    // sqrt(1 + sqrt(2))^2
    let nested = power(&add(&one, &two), &RealOrRational::Rational(q(1, 2)));
    let square = real(&times(&nested, &nested));
    assert_eq!(square.compare(&real(&add(&one, &two))), Ok(Ordering::Equal));
    // 2^(log(3) / log(2)), exp(3 log(2))
    let exponent = over(&log(number(3)), &log(number(2)));
    assert_eq!(power(&number(2), &exponent), number(3));
    assert_eq!(
        real(&times(&number(3), &log(number(2)))).exp().unwrap(),
        number(8)
    );
    assert_eq!(log(real(&number(5)).exp().unwrap()), number(5));
}

#[test]
fn products_of_roots_of_great_integers_are_told_equal() {
    let (a, b) = (1_000_003, 1_000_000_007);
    let product = times(&root(a, 2), &root(b, 2));
    assert_eq!(
        real(&product).compare(&real(&root(a * b, 2))),
        Ok(Ordering::Equal)
    );
    assert_eq!(over(&product, &root(a * b, 2)), number(1));
    let sum = add(&log(number(a)), &log(number(b)));
    assert_eq!(
        real(&sum).compare(&real(&log(number(a * b)))),
        Ok(Ordering::Equal)
    );
}

#[test]
fn near_misses_are_decided() {
    let two = log(number(2));
    for (shift, floor) in [(-1, 99_999), (0, 100_000), (1, 100_000)] {
        let n = (BigInt::from(1) << 100_000) + shift;
        let log = Real::log_of(&BigRational::from_integer(n)).unwrap();
        let quotient = over(&log, &two);
        assert_eq!(
            real(&quotient).floor(),
            Ok(floor.into()),
            "2^100000 + {shift}"
        );
        assert_eq!(real(&quotient).is_integer(), Ok(shift == 0));
    }
    let big = BigInt::from(10).pow(100);
    for (shift, floor) in [(-1, -1), (0, 0), (1, 0)] {
        let square = BigRational::from_integer(&big * &big + shift);
        let root = Real::rational(&square)
            .power(&Real::rational(&q(1, 2)))
            .unwrap();
        let distance = add(
            &root,
            &RealOrRational::Rational(BigRational::from_integer(-&big)),
        );
        assert_eq!(real(&distance).floor(), Ok(floor.into()));
    }
}

#[test]
fn nested_roots_are_told_equal() {
    let half = RealOrRational::Rational(q(1, 2));
    let sum = |a: i64, b: i64, c: i64| add(&number(a), &times(&number(b), &root(c, 2)));
    // sqrt(5 + 2 sqrt(6)) = sqrt(2) + sqrt(3)
    let nested = power(&sum(5, 2, 6), &half);
    let plain = add(&root(2, 2), &root(3, 2));
    assert_eq!(real(&nested).compare(&real(&plain)), Ok(Ordering::Equal));
    let product = times(&nested, &power(&sum(5, -2, 6), &half));
    assert_eq!(
        real(&product).compare(&real(&number(1))),
        Ok(Ordering::Equal)
    );
    assert_eq!(real(&product).floor(), Ok(1.into()));
    assert_eq!(real(&product).is_integer(), Ok(true));
    // cbrt(7 + 5 sqrt(2)) = 1 + sqrt(2); 7 + 5 sqrt(2) beside 1e-40 more is not.
    let cube = power(&sum(7, 5, 2), &RealOrRational::Rational(q(1, 3)));
    assert_eq!(
        real(&cube).compare(&real(&sum(1, 1, 2))),
        Ok(Ordering::Equal)
    );
    let tiny = RealOrRational::Rational(BigRational::new(1.into(), BigInt::from(10).pow(40)));
    let off = power(
        &add(&sum(7, 5, 2), &tiny),
        &RealOrRational::Rational(q(1, 3)),
    );
    assert_eq!(
        real(&off).compare(&real(&sum(1, 1, 2))),
        Ok(Ordering::Greater)
    );
}

/// `floor(log(n) / log(b))` is counted by multiplication, `floor(n^(1/k))` by powers.
#[test]
fn floors_are_those_of_integer_arithmetic() {
    for base in [2i64, 3, 7, 10] {
        for n in 1..600 {
            let quotient = over(&log(number(n)), &log(number(base)));
            let floor = real(&quotient).floor().unwrap().to_i64().unwrap();
            assert!(base.pow(floor as u32) <= n && n < base.pow(floor as u32 + 1));
            let exact = base.pow(floor as u32) == n;
            assert_eq!(real(&quotient).is_integer(), Ok(exact), "log({n}, {base})");
        }
    }
    for order in [2i64, 3, 5] {
        for n in 1..600 {
            let floor = real(&root(n, order)).floor().unwrap().to_i64().unwrap();
            assert!(floor.pow(order as u32) <= n && n < (floor + 1).pow(order as u32));
        }
    }
}

#[test]
fn balls_hold_known_digits() {
    // log(2), log(10), e and the root of 2 to 60 digits.
    let digits = [
        "693147180559945309417232121458176568075500134360255254120680",
        "2302585092994045684017991454684364207601101488628772976033327",
        "2718281828459045235360287471352662497757247093699959574966967",
        "1414213562373095048801688724209698078569671875376948073176679",
    ];
    let integer = |n: i64| Ball::integer(n.into());
    for bits in [64, 128, 300, 1000, 2048] {
        let balls = [
            integer(2).log(bits).unwrap(),
            integer(10).log(bits).unwrap(),
            integer(1).exp(bits).unwrap(),
            integer(2).power(&q(1, 2), bits).unwrap(),
        ];
        for (ball, digits) in balls.iter().zip(digits) {
            let first: BigInt = digits.parse().unwrap();
            let scale = Ball::integer(BigInt::from(10).pow(60));
            let (least, greatest) = ball.multiply(&scale, 4096).unwrap().floors();
            assert!(
                least <= first && first <= greatest,
                "{digits} at {bits}: {least}"
            );
            let width = (&greatest - &least).bits();
            assert!(
                width <= 210u64.saturating_sub(bits),
                "{digits} at {bits}: {width}"
            );
        }
    }
}

#[test]
fn logarithm_and_exponential_undo_each_other() {
    for (n, d) in [(1, 1000), (1, 3), (7, 2), (500, 1), (123_456_789, 1)] {
        for bits in [96, 700, 2048] {
            let x = Ball::rational(&q(n, d), bits).unwrap();
            let back = x.log(bits).unwrap().exp(bits).unwrap();
            let difference = back.add(&Ball::rational(&q(-n, d), bits).unwrap(), bits);
            assert_eq!(difference.unwrap().sign(), None, "{n}/{d} at {bits}");
            let off = back.add(
                &Ball::rational(&(q(-n, d) + q(1, 1 << 60)), bits).unwrap(),
                bits,
            );
            assert_eq!(off.unwrap().sign(), Some(Ordering::Greater));
        }
    }
}

#[test]
fn what_has_no_form_is_not_decided() {
    let near = Real::rounded(3.0);
    assert!(near.floor().is_err() && near.is_integer().is_err());
    assert!(near.compare(&Real::rational(&q(3, 1))).is_err());
    assert_eq!(Real::rounded(3.5).floor(), Ok(3.into()));
    assert_eq!(Real::rounded(3.5).is_integer(), Ok(false));
    assert_eq!(Real::double(3.0).floor(), Ok(3.into()));
}

#[test]
fn digits_that_cancel_are_computed_anew() {
    let n = BigRational::from_integer(BigInt::from(10).pow(20) + 1);
    let log = real(&Real::log_of(&n).unwrap());
    let ten = times(&number(-20), &log_of(10));
    let difference = log.add(&real(&ten)).unwrap();
    assert!((real(&difference).value / 1e-20 - 1.0).abs() < 1e-12);
}

fn log_of(n: i64) -> RealOrRational {
    log(number(n))
}

#[test]
fn logarithms_of_numbers_that_no_double_holds_are_known() {
    let ten = BigRational::from_integer(10.into());
    for power in [400, -400, 5_000, -5_000] {
        let log = real(&Real::log_of(&ten.pow(power)).unwrap());
        let exact = f64::from(power) * std::f64::consts::LN_10;
        assert!((log.value / exact - 1.0).abs() < 1e-14, "10^{power}");
        assert!(log.error < 1e-12 * exact.abs(), "10^{power}");
    }
}

/// Beside the logarithm of the exact factorial: the difference is within 2^-60.
#[test]
fn the_gamma_function_is_that_of_factorials() {
    let bits = 128;
    for n in [20u32, 1_000, 5_000] {
        let factorial = (1..n).fold(BigInt::from(1), |product, k| product * k);
        let found = Ball::log_gamma(&n.into(), bits).unwrap();
        let exact = Ball::integer(factorial).log(bits).unwrap();
        let exact = exact.multiply(&Ball::integer((-1).into()), bits).unwrap();
        let difference = found.add(&exact, bits).unwrap();
        let scaled = difference.multiply(&Ball::integer(BigInt::from(1) << 60u32), bits);
        let (least, most) = scaled.unwrap().floors();
        assert!(
            least >= (-1).into() && most <= 0.into(),
            "{n}: {least} {most}"
        );
    }
}
