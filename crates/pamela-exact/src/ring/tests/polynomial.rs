use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{ENOUGH, X, Y, Z, atom, number, product, rational};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

fn monomial(powers: &[(u32, i32)]) -> Monomial {
    let multiply = |product: Monomial, &(index, exponent): &(u32, i32)| {
        product
            .checked_mul(&Monomial::power(Atom(index), exponent))
            .unwrap()
    };
    powers.iter().fold(Monomial::one(), multiply)
}

/// Up to `terms` terms in three atoms with exponents in -`lowest`..=3.
fn polynomial(terms: usize, lowest: i32) -> impl Strategy<Value = Polynomial> {
    let exponents = prop::array::uniform3(-lowest..=3_i32);
    let term = (exponents, -6_i64..=6, 1_i64..=4)
        .prop_map(|([a, b, c], n, d)| (monomial(&[(2, c), (0, a), (1, b)]), rational(n, d)));
    prop::collection::vec(term, 0..=terms).prop_map(Polynomial::from_terms)
}

/// Values of the three atoms, none of them 0.
fn point() -> impl Strategy<Value = [Rational; 3]> {
    let value = (1_i64..=5, 1_i64..=3, any::<bool>());
    prop::array::uniform3(value.prop_map(|(n, d, sign)| rational(if sign { n } else { -n }, d)))
}

fn at(polynomial: &Polynomial, point: &[Rational; 3]) -> Rational {
    polynomial
        .evaluate(|atom| point[atom.0 as usize].clone())
        .unwrap()
}

proptest! {
    #[test]
    fn operations_commute_with_evaluation(
        p in polynomial(6, 2), q in polynomial(6, 2), values in point(), factor in -5_i64..5,
    ) {
        let (a, b) = (at(&p, &values), at(&q, &values));
        let factor = rational(factor, 3);
        prop_assert_eq!(at(&(&p + &q), &values), &a + &b);
        prop_assert_eq!(at(&(&p - &q), &values), &a - &b);
        prop_assert_eq!(at(&-&p, &values), -&a);
        prop_assert_eq!(at(&p.scale(&factor), &values), &a * &factor);
        prop_assert_eq!(at(&product(&[&p, &q]), &values), &a * &b);
        prop_assert_eq!(at(&p.pow(5, ENOUGH).unwrap(), &values), a.pow(5).unwrap());
    }

    #[test]
    fn ring_laws_hold_structurally(
        p in polynomial(6, 2), q in polynomial(6, 2), r in polynomial(12, 2),
    ) {
        prop_assert_eq!(&p + &q, &q + &p);
        prop_assert_eq!(&(&p + &q) + &r, &p + &(&q + &r));
        prop_assert_eq!(product(&[&p, &q]), product(&[&q, &p]));
        prop_assert_eq!(product(&[&product(&[&p, &q]), &r]), product(&[&p, &product(&[&q, &r])]));
        prop_assert_eq!(product(&[&(&p + &q), &r]), &product(&[&p, &r]) + &product(&[&q, &r]));
        prop_assert!((&p - &p).is_zero());
        prop_assert_eq!([&p, &q, &r].into_iter().sum::<Polynomial>(), &(&p + &q) + &r);
    }

    #[test]
    fn an_exact_quotient_is_found(p in polynomial(8, 2), q in polynomial(8, 2)) {
        prop_assume!(!q.is_zero());
        prop_assert_eq!(product(&[&p, &q]).divide_exact(&q), Some(p));
    }

    #[test]
    fn what_division_finds_is_a_quotient(p in polynomial(5, 1), q in polynomial(3, 1)) {
        if let Some(quotient) = p.divide_exact(&q) {
            prop_assert_eq!(product(&[&quotient, &q]), p);
        }
    }

    #[test]
    fn substitution_commutes_with_evaluation(
        p in polynomial(6, 0), q in polynomial(4, 0), values in point(),
    ) {
        let replaced = p.substitute(Y, &q, ENOUGH).unwrap();
        let mut shifted = values.clone();
        shifted[1] = at(&q, &values);
        prop_assert_eq!(at(&replaced, &values), at(&p, &shifted));
    }

    #[test]
    fn a_term_substitutes_for_negative_powers_too(p in polynomial(6, 2), values in point()) {
        let term = Polynomial::term(monomial(&[(0, -1), (1, 2)]), rational(-2, 3));
        let replaced = p.substitute(Y, &term, ENOUGH).unwrap();
        let mut shifted = values.clone();
        shifted[1] = at(&term, &values);
        prop_assert_eq!(at(&replaced, &values), at(&p, &shifted));
    }

    #[test]
    fn coefficients_in_an_atom_rebuild_the_polynomial(p in polynomial(8, 2)) {
        let coefficients = p.coefficients_in(X);
        prop_assert!(coefficients.values().all(|c| !c.is_zero() && !c.contains(X)));
        if !p.is_zero() {
            prop_assert_eq!(coefficients.last_key_value().unwrap().0, &p.degree_in(X));
            prop_assert_eq!(coefficients.first_key_value().unwrap().0, &p.min_degree_in(X));
            for (atom, ends) in p.exponents() {
                prop_assert_eq!(ends, (p.min_degree_in(atom), p.degree_in(atom)));
            }
        }
        let terms = coefficients.iter().map(|(exponent, coefficient)| {
            coefficient.mul_term(&Monomial::power(X, *exponent), &Rational::ONE).unwrap()
        });
        prop_assert_eq!(terms.sum::<Polynomial>(), p);
    }

    #[test]
    fn the_derivative_obeys_the_product_rule(p in polynomial(5, 2), q in polynomial(5, 2)) {
        let left = product(&[&p, &q]).derivative(X).unwrap();
        let right = &product(&[&p.derivative(X).unwrap(), &q])
            + &product(&[&p, &q.derivative(X).unwrap()]);
        prop_assert_eq!(left, right);
    }

    #[test]
    fn content_leaves_coprime_integers(p in polynomial(6, 2)) {
        prop_assume!(!p.is_zero());
        let primitive = p.scale(&p.content().recip().unwrap());
        prop_assert!(primitive.terms().all(|(_, coefficient)| coefficient.is_integer()));
        prop_assert!(primitive.terms().next().unwrap().1.is_positive());
        prop_assert!(primitive.content().is_one());
    }

    #[test]
    fn multiplication_keeps_the_order_of_monomials(
        a in prop::array::uniform3(-3..3_i32),
        b in prop::array::uniform3(-3..3_i32),
        c in prop::array::uniform3(-3..3_i32),
    ) {
        let [x, y, z] = [a, b, c].map(|[i, j, k]| monomial(&[(0, i), (1, j), (2, k)]));
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        let (left, right) = (x.checked_mul(&z).unwrap(), y.checked_mul(&z).unwrap());
        prop_assert_eq!(left.cmp(&right), a.cmp(&b));
        prop_assert_eq!(left.checked_div(&z), Some(x));
    }
}

#[test]
fn a_square_is_expanded() {
    let expanded = (&atom(0) - &number(3)).pow(2, ENOUGH).unwrap();
    let expected =
        &(&product(&[&atom(0), &atom(0)]) - &atom(0).scale(&rational(6, 1))) + &number(9);
    assert_eq!(expanded, expected);
    assert_eq!(format!("{expanded:?}"), "x0^2 + -6*x0 + 9");
}

#[test]
fn constants_atoms_and_terms_are_recognised() {
    assert_eq!(number(3).as_constant(), Some(Rational::from(3)));
    assert_eq!(Polynomial::zero().as_constant(), Some(Rational::ZERO));
    assert_eq!(atom(1).as_constant(), None);
    assert_eq!(atom(1).as_atom(), Some(Y));
    assert_eq!(atom(1).scale(&rational(2, 1)).as_atom(), None);
    assert_eq!(number(1).as_atom(), None);
    assert_eq!(
        (&atom(0) + &atom(2))
            .atoms()
            .into_iter()
            .collect::<Vec<_>>(),
        [X, Z]
    );
    assert_eq!(
        (&atom(0) + &number(7)).coefficient(&Monomial::one()),
        Rational::from(7)
    );
    assert_eq!(atom(0).coefficient(&Monomial::power(Y, 1)), Rational::ZERO);
}

#[test]
fn powers_of_zero_and_one_term() {
    assert_eq!(Polynomial::zero().pow(0, 1), Some(Polynomial::one()));
    assert_eq!(Polynomial::zero().pow(4, 1), Some(Polynomial::zero()));
    let high = atom(0).pow(2_000_000_000, 1).unwrap();
    assert_eq!(high.degree_in(X), 2_000_000_000);
}

#[test]
fn exponents_that_overflow_are_refused() {
    let high = atom(0).pow(2_000_000_000, 1).unwrap();
    assert_eq!(high.checked_mul(&high, ENOUGH), None);
    assert_eq!(high.pow(2, ENOUGH), None);
    assert_eq!(atom(0).pow(u32::MAX, ENOUGH), None);
    assert_eq!(
        (&high + &number(1)).checked_mul(&(&high + &number(2)), ENOUGH),
        None
    );
    let low = Polynomial::term(Monomial::power(X, i32::MIN), Rational::ONE);
    assert_eq!(low.derivative(X), None);
    assert_eq!(number(1).divide_exact(&low), None);
    assert_eq!(
        (&low + &number(1)).divide_exact(&(&atom(0) + &number(1))),
        None
    );
}

#[test]
fn products_past_the_cap_are_refused() {
    let sum: Polynomial = (0..100).map(atom).sum();
    let other: Polynomial = (100..200).map(atom).sum();
    assert_eq!(sum.checked_mul(&other, 9_999), None);
    assert_eq!(sum.checked_mul(&other, 10_000).unwrap().len(), 10_000);
    assert_eq!(sum.pow(4_000_000_000, 4_000), None);
    assert_eq!(sum.pow(40, 4_000), None);
}

#[test]
fn sums_do_not_substitute_for_negative_powers() {
    let inverse = Polynomial::term(Monomial::power(X, -1), Rational::ONE);
    let sum = &atom(1) + &number(1);
    assert_eq!(inverse.substitute(X, &sum, ENOUGH), None);
    assert_eq!(inverse.substitute(X, &Polynomial::zero(), ENOUGH), None);
    assert_eq!((&inverse + &atom(0)).substitute(X, &sum, ENOUGH), None);
    assert_eq!(inverse.evaluate(|_| Rational::ZERO), None);
}

#[test]
fn division_without_a_quotient_is_refused() {
    let (x, y) = (atom(0), atom(1));
    assert_eq!(x.divide_exact(&(&x + &number(1))), None);
    assert_eq!((&product(&[&x, &x]) + &y).divide_exact(&(&x + &y)), None);
    assert_eq!(x.divide_exact(&Polynomial::zero()), None);
    assert_eq!(
        Polynomial::zero().divide_exact(&(&x + &y)),
        Some(Polynomial::zero())
    );
    let huge = &atom(0).pow(1_000_000_000, 1).unwrap() - &number(1);
    assert_eq!(huge.divide_exact(&(&x - &number(1))), None);
}

#[test]
fn ten_thousand_polynomials_add_up_in_linear_time() {
    let total: Polynomial = (0..10_000).map(|i| atom(i * 7_919 % 10_000)).sum();
    assert_eq!(total.len(), 10_000);
    let expected: BTreeMap<i32, Polynomial> = [(1, number(1)), (0, &total - &atom(5))].into();
    assert_eq!(total.coefficients_in(Atom(5)), expected);
}
