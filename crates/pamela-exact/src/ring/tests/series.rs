use proptest::prelude::*;

use super::{ENOUGH, X, Y, Z, atom, number, product, rational};
use crate::ring::{
    Blocks, Monomial, Polynomial, Rational, antidifference, power_sum, sum_blocks, sum_geometric,
    sum_polynomial,
};

fn integer(value: i64) -> Rational {
    Rational::from(value)
}

fn evaluate(coefficients: &[Rational], n: i64) -> Rational {
    let horner = |value: Rational, c: &Rational| value * integer(n) + c;
    coefficients.iter().rev().fold(Rational::ZERO, horner)
}

/// A polynomial in X and Y with exponents up to 4.
fn body() -> impl Strategy<Value = Polynomial> {
    let term = (0..=4_i32, 0..=3_i32, -6_i64..=6, 1_i64..=3);
    let term = term.prop_map(|(a, b, n, d)| {
        let monomial = Monomial::power(X, a).checked_mul(&Monomial::power(Y, b));
        (monomial.unwrap(), rational(n, d))
    });
    prop::collection::vec(term, 0..6).prop_map(Polynomial::from_terms)
}

fn at(polynomial: &Polynomial, x: i64, y: i64) -> Rational {
    let values = [integer(x), integer(y)];
    polynomial
        .evaluate(|atom| values[atom.0 as usize].clone())
        .unwrap()
}

#[test]
fn power_sums_differ_by_the_power_everywhere() {
    for k in [0, 1, 2, 3, 7, 30, 101, 200] {
        let sum = power_sum(k).unwrap();
        assert_eq!(sum.len(), k as usize + 2);
        for n in -4..6 {
            let difference = evaluate(&sum, n) - evaluate(&sum, n - 1);
            assert_eq!(
                difference,
                integer(n).pow(k.into()).unwrap(),
                "k = {k}, n = {n}"
            );
        }
        assert!(evaluate(&sum, 0).is_zero());
    }
}

#[test]
fn the_sum_of_squares_is_faulhabers() {
    let expected = [
        rational(0, 1),
        rational(1, 6),
        rational(1, 2),
        rational(1, 3),
    ];
    assert_eq!(*power_sum(2).unwrap(), expected);
}

#[test]
fn power_sums_of_hostile_degree_are_refused() {
    assert_eq!(power_sum(513), None);
    assert_eq!(power_sum(512).unwrap().len(), 514);
    let high = atom(0).pow(1_000_000, 1).unwrap();
    assert_eq!(antidifference(&high, X, ENOUGH), None);
    assert_eq!(
        antidifference(
            &Polynomial::term(Monomial::power(X, -1), Rational::ONE),
            X,
            ENOUGH
        ),
        None
    );
}

#[test]
fn a_nest_of_depth_six_closes_fast() {
    // sum (i1 = 1, N) ... sum (i6 = i5, N) { 1 } counts multisets: binomial(N + 5, 6).
    let bound = atom(9);
    let mut body = Polynomial::one();
    for depth in (1..=6).rev() {
        let lower = if depth == 1 {
            number(1)
        } else {
            atom(depth - 1)
        };
        body = sum_polynomial(&body, super::Atom(depth), &lower, &bound, ENOUGH).unwrap();
    }
    let factors: Vec<Polynomial> = (0..6).map(|i| &bound + &number(i)).collect();
    let expected = product(&factors.iter().collect::<Vec<_>>()).scale(&rational(1, 720));
    assert_eq!(body, expected);
}

proptest! {
    #[test]
    fn polynomial_sums_are_loops(p in body(), lower in -4_i64..4, length in 0_i64..6, y in -3_i64..4) {
        let upper = lower + length - 1;
        let bounds = (&atom(1) + &number(lower), &atom(1) + &number(upper));
        let sum = sum_polynomial(&p, X, &bounds.0, &bounds.1, ENOUGH).unwrap();
        let expected: Rational = (y + lower..=y + upper).map(|i| at(&p, i, y)).sum();
        prop_assert_eq!(at(&sum, 0, y), expected);
    }

    #[test]
    fn geometric_sums_are_loops(
        p in body(), lower in -3_i64..4, length in 0_i64..6, y in -3_i64..4,
        (n, d) in (-5_i64..6, 1_i64..4),
    ) {
        let ratio = rational(n, d);
        prop_assume!(!ratio.is_one() && !ratio.is_zero());
        let reciprocal = (&ratio - Rational::ONE).recip().unwrap();
        let upper = lower + length - 1;
        let expected: Rational = (lower..=upper)
            .map(|i| at(&p, i, y) * ratio.pow(i).unwrap())
            .sum();
        // Once with the number, once with an atom that stands for it.
        for s in [Polynomial::constant(reciprocal.clone()), atom(2)] {
            let (high, low) =
                sum_geometric(&p, X, &number(lower), &number(upper), &s, ENOUGH).unwrap();
            let value = |q: &Polynomial| {
                let q = q.substitute(Z, &Polynomial::constant(reciprocal.clone()), ENOUGH);
                at(&q.unwrap(), 0, y)
            };
            let sum = value(&high) * ratio.pow(upper + 1).unwrap()
                - value(&low) * ratio.pow(lower).unwrap();
            prop_assert_eq!(sum, expected.clone());
        }
    }

    #[test]
    fn block_sums_are_loops(p in body(), n in 0_i64..30, divisor in 1_i64..9) {
        let blocks = Blocks {
            divisor: number(divisor),
            quotient: number(n / divisor),
            remainder: number(n % divisor),
        };
        let sum = sum_blocks(&p, X, Y, &blocks, ENOUGH).unwrap();
        let expected: Rational = (0..n).map(|i| at(&p, i / divisor, i % divisor)).sum();
        prop_assert_eq!(sum.as_constant(), Some(expected));
    }
}

#[test]
fn the_sum_of_remainders_closes_by_quotient_and_remainder() {
    let (p, q, r) = (atom(5), atom(6), atom(7));
    let blocks = Blocks {
        divisor: p.clone(),
        quotient: q.clone(),
        remainder: r.clone(),
    };
    let triangle = |n: &Polynomial| product(&[n, &(n - &number(1))]).scale(&rational(1, 2));
    let remainders = sum_blocks(&atom(1), X, Y, &blocks, ENOUGH).unwrap();
    assert_eq!(remainders, &product(&[&q, &triangle(&p)]) + &triangle(&r));
    let quotients = sum_blocks(&atom(0), X, Y, &blocks, ENOUGH).unwrap();
    assert_eq!(
        quotients,
        &product(&[&p, &triangle(&q)]) + &product(&[&q, &r])
    );
}

#[test]
fn sums_past_the_cap_are_refused() {
    let body = atom(0).pow(100, 1).unwrap();
    let upper: Polynomial = (1..9).map(atom).sum();
    assert_eq!(sum_polynomial(&body, X, &number(1), &upper, 4_000), None);
    assert_eq!(
        sum_geometric(&body, X, &number(1), &atom(1), &atom(2), 4_000),
        None
    );
}
