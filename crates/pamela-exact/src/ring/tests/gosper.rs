//! Univariate polynomials, and Gosper's algorithm on terms with known sums.

use super::rational;
use crate::ring::{Rational, RationalFunction, Univariate, gosper};

fn polynomial(coefficients: &[i64]) -> Univariate {
    Univariate::new(coefficients.iter().map(|&c| Rational::from(c)).collect())
}

fn ratio(numerator: &[i64], denominator: &[i64]) -> RationalFunction {
    RationalFunction::new(polynomial(numerator), polynomial(denominator)).unwrap()
}

/// `R(n) t(n)` at `n`, where the terms begin with 1 at `first`.
fn antidifference(certificate: &RationalFunction, terms: &[Rational], first: i64) -> Vec<Rational> {
    let at = |(term, n): (&Rational, i64)| {
        let n = Rational::from(n);
        let (top, bottom) = (&certificate.numerator, &certificate.denominator);
        term * top.evaluate(&n).checked_div(&bottom.evaluate(&n)).unwrap()
    };
    terms.iter().zip(first..).map(at).collect()
}

/// The sums that the certificate promises are those of the terms, added one by one.
fn assert_sums(ratio: &RationalFunction, first: i64) {
    let certificate = gosper(ratio).expect("the sum is hypergeometric");
    let mut terms = vec![Rational::ONE];
    for n in first..first + 10 {
        let n = Rational::from(n);
        let step = ratio.numerator.evaluate(&n) / ratio.denominator.evaluate(&n);
        terms.push(terms.last().unwrap() * step);
    }
    let sums = antidifference(&certificate, &terms, first);
    let mut total = Rational::ZERO;
    for (term, sum) in terms.iter().zip(&sums) {
        assert_eq!(sum - &sums[0], total);
        total += term;
    }
}

#[test]
fn division_leaves_a_remainder_of_a_lower_degree() {
    let (a, b) = (polynomial(&[1, 2, 0, 3, 5]), polynomial(&[2, 0, 7]));
    let (quotient, remainder) = a.divide(&b).unwrap();
    assert!(remainder.degree() < b.degree());
    assert_eq!(quotient.times(&b).plus(&remainder), a);
    assert_eq!(a.divide(&Univariate::zero()), None);
}

#[test]
fn the_greatest_common_divisor_holds_the_common_roots() {
    let a = polynomial(&[-1, 1])
        .times(&polynomial(&[2, 1]))
        .times(&polynomial(&[1, 0, 1]));
    let b = polynomial(&[2, 1])
        .times(&polynomial(&[1, 0, 3]))
        .scale(&rational(5, 3));
    assert_eq!(a.gcd(&b), polynomial(&[2, 1]));
    assert_eq!(a.gcd(&polynomial(&[7])), Univariate::one());
    assert_eq!(a.gcd(&Univariate::zero()), a.monic());
}

#[test]
fn a_shift_moves_the_argument() {
    let p = polynomial(&[3, -1, 4, 1]);
    let moved = p.shift(&rational(5, 2));
    for x in -3..4 {
        let x = Rational::from(x);
        assert_eq!(moved.evaluate(&x), p.evaluate(&(&x + rational(5, 2))));
    }
}

#[test]
fn rational_roots_are_found_with_their_multiplicities() {
    // (2x - 1)^2 (3x + 7) (x^2 + 1) x
    let p = polynomial(&[-1, 2])
        .pow(2)
        .times(&polynomial(&[7, 3]))
        .times(&polynomial(&[1, 0, 1]))
        .times(&polynomial(&[0, 1]));
    let expected = [
        (rational(-7, 3), 1),
        (rational(0, 1), 1),
        (rational(1, 2), 2),
    ];
    assert_eq!(p.rational_roots(), expected);
    assert_eq!(p.scale(&rational(2, 9)).rational_roots(), expected);
    assert!(polynomial(&[5]).rational_roots().is_empty());
}

#[test]
fn the_resultant_is_the_product_of_the_differences_of_roots() {
    // (x-1)(x-4) and 2(x-2)(x-7): 2^2 (1-2)(1-7)(4-2)(4-7)
    let a = polynomial(&[4, -5, 1]);
    let b = polynomial(&[28, -18, 2]);
    assert_eq!(a.resultant(&b), Rational::from(-144));
    assert_eq!(a.resultant(&a), Rational::ZERO);
    let odd = polynomial(&[-3, 1]);
    assert_eq!(odd.resultant(&polynomial(&[-5, 1])), Rational::from(-2));
    assert_eq!(
        odd.resultant(&polynomial(&[1, 2, 0, 1])),
        Rational::from(34)
    );
}

#[test]
fn the_dispersion_holds_the_whole_distances_of_roots() {
    // x (x^2 + 1) against (x - 3) ((x - 5)^2 + 1) and a root at -2, which lies before 0.
    let a = polynomial(&[0, 1]).times(&polynomial(&[1, 0, 1]));
    let b = polynomial(&[-3, 1])
        .times(&polynomial(&[26, -10, 1]))
        .times(&polynomial(&[2, 1]));
    let found: Vec<i64> = a.dispersion(&b).unwrap().into_iter().collect();
    assert_eq!(found, [3, 5]);
}

#[test]
fn sums_of_known_terms_are_found() {
    // n n!, from 1: ratio (n+1)^2 / n
    assert_sums(&ratio(&[1, 2, 1], &[0, 1]), 1);
    // n 2^n / ((n+1) (n+2)), from 1: ratio 2 (n+1)^2 / (n (n+3))
    assert_sums(&ratio(&[2, 4, 2], &[0, 3, 1]), 1);
    // A polynomial, 1/(n (n+2)), and a geometric series.
    assert_sums(&ratio(&[8, 12, 6, 1], &[1, 3, 3, 1]), 0);
    assert_sums(&ratio(&[0, 2, 1], &[3, 4, 1]), 1);
    assert_sums(&ratio(&[3], &[7]), 0);
    // The central binomial coefficient over 4^n: (2n+1) / (2n+2)
    assert_sums(&ratio(&[1, 2], &[2, 2]), 0);
    // (-1)^n binomial(9/2, n): (n - 9/2) / (n + 1)
    assert_sums(&ratio(&[-9, 2], &[2, 2]), 0);
}

#[test]
fn sums_that_are_not_hypergeometric_are_left() {
    // n!, 1/n, 2^n / n, 1 / n!
    assert_eq!(gosper(&ratio(&[1, 1], &[1])), None);
    assert_eq!(gosper(&ratio(&[0, 1], &[1, 1])), None);
    assert_eq!(gosper(&ratio(&[0, 2], &[1, 1])), None);
    assert_eq!(gosper(&ratio(&[1], &[1, 1])), None);
}
