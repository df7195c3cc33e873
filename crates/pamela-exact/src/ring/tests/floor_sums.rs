//! Sums by Euclid's algorithm beside those that are added up one by one.

use num_bigint::BigInt;
use num_traits::One;

use crate::ring::Rational;

fn by_euclid(operands: [i64; 6]) -> Option<Rational> {
    let operands = operands.map(Rational::from);
    Rational::floor_sum(operands.each_ref())
}

fn one_by_one([n, m, a, b, p, q]: [i64; 6]) -> Rational {
    let term = |i: i64| {
        BigInt::from(i).pow(p as u32) * BigInt::from((a * i + b).div_euclid(m)).pow(q as u32)
    };
    Rational::from((0..n).map(term).sum::<BigInt>())
}

fn is_the_sum(operands: [i64; 6]) {
    let sum = Some(one_by_one(operands));
    assert_eq!(by_euclid(operands), sum, "{operands:?}");
}

#[test]
fn all_small_ones_are_sums() {
    for n in 0..7 {
        for m in 1..6 {
            for a in -7..8 {
                for b in -7..8 {
                    for (p, q) in [
                        (0, 0),
                        (0, 1),
                        (1, 0),
                        (1, 1),
                        (0, 2),
                        (2, 3),
                        (6, 0),
                        (0, 6),
                    ] {
                        is_the_sum([n, m, a, b, p, q]);
                    }
                }
            }
        }
    }
}

#[test]
fn greater_ones_are_sums_of_all_powers() {
    for [n, m, a, b] in [
        [100, 7, 31, -5],
        [60, 89, 55, 34],
        [33, 1_000_003, 999_983, 7],
        [50, 10, -3, 149],
    ] {
        for p in 0..=6 {
            for q in 0..=6 - p {
                is_the_sum([n, m, a, b, p, q]);
            }
        }
    }
}

/// Lattice points below a diagonal of a rectangle whose sides have no common divisor: half of those inside.
#[test]
fn long_ones_count_half_a_rectangle() {
    let m = Rational::from(BigInt::one() << 900);
    let a = &m - &Rational::ONE;
    let (zero, one) = (Rational::ZERO, Rational::ONE);
    let found = Rational::floor_sum([&m, &m, &a, &zero, &zero, &one]);
    let inside = &(&m - &one) * &(&a - &one);
    assert_eq!(found, inside.checked_div(&Rational::from(2)));
}

#[test]
fn others_have_no_value() {
    for operands in [
        [-1, 2, 3, 4, 0, 1],
        [1, 0, 3, 4, 0, 1],
        [1, -2, 3, 4, 0, 1],
        [1, 2, 3, 4, -1, 1],
        [1, 2, 3, 4, 0, -1],
        [1, 2, 3, 4, 3, 4],
    ] {
        assert_eq!(by_euclid(operands), None, "{operands:?}");
    }
    let (one, half) = (Rational::ONE, Rational::new(1, 2).unwrap());
    assert_eq!(
        Rational::floor_sum([&one, &one, &half, &one, &one, &one]),
        None
    );
    let long = Rational::from(BigInt::one() << 1_001);
    assert_eq!(
        Rational::floor_sum([&one, &long, &one, &one, &one, &one]),
        None
    );
}
