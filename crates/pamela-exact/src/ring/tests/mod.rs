//! What the ring must hold, checked by brute force or against an independent computation.

mod common;
mod factors;
mod floor_sums;
mod polynomial;
mod prover;
mod rational;
mod series;

use super::{Atom, Polynomial, Rational};

const X: Atom = Atom(0);
const Y: Atom = Atom(1);
const Z: Atom = Atom(2);

/// More terms than any test needs.
const ENOUGH: usize = 100_000;

fn rational(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

fn atom(index: u32) -> Polynomial {
    Polynomial::atom(Atom(index))
}

fn number(value: i64) -> Polynomial {
    Polynomial::from(value)
}

fn product(factors: &[&Polynomial]) -> Polynomial {
    let multiply = |left: Polynomial, right: &&Polynomial| left.checked_mul(right, ENOUGH).unwrap();
    factors.iter().fold(Polynomial::one(), multiply)
}
