//! Common divisors of polynomials in several atoms, and sums that follow from the last one.

use proptest::prelude::*;

use super::{ENOUGH, X, Y, Z, atom, number};
use crate::ring::{Atom, Hypergeometric, Polynomial, Rational};

/// The index, the parameter that grows, and two more.
const K: Atom = X;
const N: Atom = Y;
const M: Atom = Z;
const R: Atom = Atom(3);

fn small() -> impl Strategy<Value = Polynomial> {
    let term = (prop::array::uniform3(0i32..3), -3i64..4);
    prop::collection::vec(term, 1..4).prop_map(|terms| {
        let product = |exponents: [i32; 3]| {
            let powers = [X, Y, Z].into_iter().zip(exponents);
            powers.fold(Polynomial::one(), |product, (atom, exponent)| {
                let power = Polynomial::atom(atom).pow(exponent as u32, ENOUGH).unwrap();
                product.checked_mul(&power, ENOUGH).unwrap()
            })
        };
        let terms = terms.into_iter();
        let terms = terms.map(|(exponents, c)| product(exponents).scale(&Rational::from(c)));
        terms.fold(Polynomial::zero(), |sum, term| &sum + &term)
    })
}

fn times(p: &Polynomial, q: &Polynomial) -> Polynomial {
    p.checked_mul(q, ENOUGH).unwrap()
}

proptest! {
    #[test]
    fn a_common_factor_divides_the_common_divisor(p in small(), q in small(), common in small()) {
        prop_assume!(!p.is_zero() && !q.is_zero() && !common.is_zero());
        let (p, q) = (times(&p, &common), times(&q, &common));
        let Some(found) = p.common_divisor(&q) else { return Ok(()) };
        prop_assert!(found.divide_exact(&common).is_some(), "{found:?} of {p:?} and {q:?}");
        prop_assert!(p.divide_exact(&found).is_some());
        prop_assert!(q.divide_exact(&found).is_some());
    }
}

proptest! {
    /// A square and a factor without one of the atoms are told apart, and all factors together are the polynomial.
    #[test]
    fn factors_are_split(p in small(), q in small(), alone in 1_i64..4) {
        let alone = &Polynomial::atom(Atom(7)) + &Polynomial::from(Rational::from(alone));
        let whole = times(&times(&p, &times(&q, &q)), &alone);
        prop_assume!(!whole.is_zero());
        let Some(parts) = whole.split() else { return Ok(()) };
        let product = parts.iter().fold(Polynomial::one(), |product, (part, power)| {
            times(&product, &part.pow(*power, ENOUGH).unwrap())
        });
        let rest = whole.divide_exact(&product).unwrap();
        prop_assert!(rest.as_term().is_some(), "{rest:?} is left");
        prop_assert!(parts.iter().any(|(part, _)| part.len() == 2 && part.contains(Atom(7)) && part.atoms().len() == 1));
        if q.len() > 1 {
            prop_assert!(parts.iter().any(|(_, power)| *power > 1), "{parts:?}");
        }
    }
}

fn factorial(n: i64) -> Rational {
    (1..=n).fold(Rational::ONE, |product, factor| {
        product * Rational::from(factor)
    })
}

/// The element at whole numbers, where reciprocals of factorials of negative numbers are 0.
fn element(term: &Hypergeometric, at: &dyn Fn(Atom) -> Rational) -> Rational {
    let whole = |p: &Polynomial| p.evaluate(at).unwrap().to_i64().unwrap();
    let arguments = term
        .factorials
        .iter()
        .map(|(argument, power)| (whole(argument), *power));
    if arguments.clone().any(|(argument, _)| argument < 0) {
        return Rational::ZERO;
    }
    let factorials = arguments.map(|(argument, power)| factorial(argument).pow(power).unwrap());
    let powers = term.powers.iter();
    let powers =
        powers.map(|(base, exponent)| base.evaluate(at).unwrap().pow(whole(exponent)).unwrap());
    let weight = term.weight.evaluate(at).unwrap();
    factorials
        .chain(powers)
        .fold(weight, |product, factor| product * factor)
}

fn sum(term: &Hypergeometric, n: i64, m: i64, r: i64) -> Rational {
    (-40..=40).fold(Rational::ZERO, |sum, k| {
        let at = |atom| match atom {
            K => Rational::from(k),
            N => Rational::from(n),
            M => Rational::from(m),
            _ => Rational::from(r),
        };
        sum + element(term, &at)
    })
}

/// `factor * S(n) + next * S(n + 1)` is 0 everywhere, of rows that are empty, too.
fn assert_recurrence(term: &Hypergeometric) {
    let found = term.recurrence(K, N).expect("one step is enough");
    assert!(!found.next.is_zero());
    for n in -3..7 {
        for m in 0..5 {
            for r in 1..6 {
                let at = |atom| match atom {
                    N => Rational::from(n),
                    M => Rational::from(m),
                    _ => Rational::from(r),
                };
                let [factor, next] = [&found.factor, &found.next].map(|p| p.evaluate(at).unwrap());
                let left = factor * sum(term, n, m, r) + next * sum(term, n + 1, m, r);
                assert_eq!(left, Rational::ZERO, "n = {n}, m = {m}, r = {r}");
            }
        }
    }
}

fn below(arguments: &[Polynomial]) -> Vec<(Polynomial, i64)> {
    arguments
        .iter()
        .map(|argument| (argument.clone(), -1))
        .collect()
}

#[test]
fn rows_of_binomial_coefficients_follow_from_the_last() {
    let (k, n, m, r) = (atom(0), atom(1), atom(2), Polynomial::atom(R));
    let fall = &n - &k;
    for weight in [
        number(1),
        k.clone(),
        &times(&k, &k) - &number(1),
        fall.clone(),
    ] {
        for powers in [
            Vec::new(),
            vec![(r.clone(), k.clone())],
            vec![(r.clone(), k.clone()), (&number(1) - &m, fall.clone())],
        ] {
            assert_recurrence(&Hypergeometric {
                weight: weight.clone(),
                powers,
                factorials: below(&[k.clone(), fall.clone()]),
            });
        }
    }
    let vandermonde = below(&[k.clone(), &m - &k, &n - &k, &(&r - &n) + &k]);
    assert_recurrence(&Hypergeometric {
        weight: number(1),
        powers: Vec::new(),
        factorials: vandermonde,
    });
}

#[test]
fn a_row_of_cubes_does_not_follow_from_the_last() {
    let (k, n) = (atom(0), atom(1));
    let factorials = [k.clone(), &n - &k].map(|argument| (argument, -3));
    let term = Hypergeometric {
        weight: number(1),
        powers: Vec::new(),
        factorials: factorials.into(),
    };
    assert!(term.recurrence(K, N).is_none());
}
