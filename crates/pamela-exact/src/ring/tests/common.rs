//! Common divisors and factors of polynomials in several atoms.

use proptest::prelude::*;

use super::{ENOUGH, X, Y, Z};
use crate::ring::{Atom, Polynomial, Rational};

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
    /// A square and a factor without one of the atoms are separated, and the product of all factors is the polynomial.
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
