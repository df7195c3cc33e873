//! Linear factors and partial fractions, multiplied out again.

use super::{ENOUGH, X, Y, Z, atom, number, product, rational};
use crate::ring::{Monomial, PartialFractions, Polynomial, Rational};

fn factors_of(p: &Polynomial) -> Option<(Polynomial, Vec<(Polynomial, u32)>)> {
    let found = p.linear_factors(X, ENOUGH)?;
    Some((found.leading, found.factors))
}

fn multiplied(leading: &Polynomial, factors: &[(Polynomial, u32)]) -> Polynomial {
    let powers: Vec<Polynomial> = factors
        .iter()
        .map(|(shift, power)| (&atom(0) + shift).pow(*power, ENOUGH).unwrap())
        .collect();
    powers
        .iter()
        .fold(leading.clone(), |all, power| product(&[&all, power]))
}

#[test]
fn linear_factors_are_found_again() {
    let (x, y, z) = (atom(0), atom(1), atom(2));
    let cases = [
        (number(3), vec![(number(1), 1), (number(-2), 3)]),
        (y.clone(), vec![(y.clone(), 1), (number(1), 1)]),
        (number(1), vec![(y.clone(), 2), (&y + &number(1), 1)]),
        (
            &y + &z,
            vec![(&y - &z, 1), (z.scale(&rational(1, 2)), 1), (number(0), 2)],
        ),
    ];
    for (leading, factors) in cases {
        let p = multiplied(&leading, &factors);
        let (found_leading, mut found) = factors_of(&p).expect("it has linear factors");
        assert_eq!(found_leading, leading);
        assert_eq!(found.len(), factors.len());
        found.retain(|factor| !factors.contains(factor));
        assert!(found.is_empty(), "{found:?}");
    }
    assert!(factors_of(&(&product(&[&x, &x]) + &number(1))).is_none());
    assert!(factors_of(&(&product(&[&x, &x]) - &y)).is_none());
}

/// The value of the fractions at a point.
fn value(fractions: &PartialFractions, at: &dyn Fn(u32) -> Rational) -> Rational {
    let of = |p: &Polynomial| p.evaluate(|atom| at(atom.0)).unwrap();
    let fraction_value = |f: &crate::ring::Fraction| {
        let base = at(0) + of(&f.shift);
        of(&f.coefficient) / base.pow(f.power.into()).unwrap()
    };
    let sum: Rational = fractions.fractions.iter().map(fraction_value).sum();
    of(&fractions.polynomial) + sum
}

#[test]
fn partial_fractions_have_the_value_of_the_quotient() {
    // (x^4 + z) / ((x + 1)^2 (x + y) (x - 3)), where 1/(s - t) of symbolic shifts is the atom 7 or 8.
    let (x, y, z) = (atom(0), atom(1), atom(2));
    let numerator = &x.pow(4, ENOUGH).unwrap() + &z;
    let mut differences: Vec<Polynomial> = Vec::new();
    let mut fractions = PartialFractions::of_polynomial(numerator, X, ENOUGH).unwrap();
    for shift in [number(1), y.clone(), number(1), number(-3)] {
        let divided = fractions.divide(&shift, &mut |difference| {
            if let Some(value) = difference.as_constant() {
                return value.recip().map(Polynomial::constant);
            }
            let known = differences.iter().position(|d| d == difference);
            let position = known.unwrap_or_else(|| {
                differences.push(difference.clone());
                differences.len() - 1
            });
            Some(atom(7 + position as u32))
        });
        fractions = divided.unwrap();
    }
    assert_eq!(fractions.polynomial.degree_in(X), 0);
    let base = |index: u32| match index {
        0 => rational(5, 1),
        1 => rational(7, 2),
        _ => rational(-2, 3),
    };
    let at = |index: u32| match index.checked_sub(7) {
        None => base(index),
        Some(position) => {
            let difference = &differences[position as usize];
            difference
                .evaluate(|atom| base(atom.0))
                .unwrap()
                .recip()
                .unwrap()
        }
    };
    let (x, y, z) = (base(X.0), base(Y.0), base(Z.0));
    let one = Rational::ONE;
    let below = (&x + &one) * (&x + &one) * (&x + &y) * (&x - Rational::from(3));
    assert_eq!(value(&fractions, &at), (x.pow(4).unwrap() + z) / below);
    assert!(
        fractions
            .fractions
            .iter()
            .all(|f| f.coefficient.coefficient(&Monomial::power(X, 1)).is_zero())
    );
}
