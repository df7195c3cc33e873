//! Signs, sums and conversions of polynomials by the operators of Rust.

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use super::{Atom, Polynomial, Rational};

fn add(left: Polynomial, right: Polynomial) -> Polynomial {
    if left.is_zero() {
        return right;
    }
    if right.is_zero() {
        return left;
    }
    let mut terms = Vec::with_capacity(left.len() + right.len());
    let mut left = left.terms.into_iter().peekable();
    let mut right = right.terms.into_iter().peekable();
    while let (Some((x, _)), Some((y, _))) = (left.peek(), right.peek()) {
        match x.cmp(y) {
            Ordering::Greater => terms.extend(left.next()),
            Ordering::Less => terms.extend(right.next()),
            Ordering::Equal => {
                if let (Some((monomial, a)), Some((_, b))) = (left.next(), right.next()) {
                    let sum = a + b;
                    if !sum.is_zero() {
                        terms.push((monomial, sum));
                    }
                }
            }
        }
    }
    terms.extend(left);
    terms.extend(right);
    Polynomial::from_canonical(terms)
}

impl Neg for Polynomial {
    type Output = Polynomial;
    fn neg(mut self) -> Polynomial {
        for (_, coefficient) in &mut self.terms {
            *coefficient = -&*coefficient;
        }
        self
    }
}

impl Neg for &Polynomial {
    type Output = Polynomial;
    fn neg(self) -> Polynomial {
        -self.clone()
    }
}

impl Add for Polynomial {
    type Output = Polynomial;
    fn add(self, right: Polynomial) -> Polynomial {
        add(self, right)
    }
}

impl Add for &Polynomial {
    type Output = Polynomial;
    fn add(self, right: &Polynomial) -> Polynomial {
        add(self.clone(), right.clone())
    }
}

impl Sub for Polynomial {
    type Output = Polynomial;
    fn sub(self, right: Polynomial) -> Polynomial {
        add(self, -right)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;
    fn sub(self, right: &Polynomial) -> Polynomial {
        add(self.clone(), -right)
    }
}

impl AddAssign for Polynomial {
    fn add_assign(&mut self, right: Polynomial) {
        *self = add(std::mem::take(self), right);
    }
}

/// Sums many polynomials at once: in O(n log n) for n terms, where adding one after the other may
/// be quadratic.
impl Sum for Polynomial {
    fn sum<I: Iterator<Item = Polynomial>>(polynomials: I) -> Polynomial {
        Polynomial::from_terms(
            polynomials
                .flat_map(|polynomial| polynomial.terms)
                .collect(),
        )
    }
}

/// Like the sum of values.
impl<'a> Sum<&'a Polynomial> for Polynomial {
    fn sum<I: Iterator<Item = &'a Polynomial>>(polynomials: I) -> Polynomial {
        polynomials.cloned().sum()
    }
}

impl From<Rational> for Polynomial {
    fn from(value: Rational) -> Polynomial {
        Polynomial::constant(value)
    }
}

impl From<i64> for Polynomial {
    fn from(value: i64) -> Polynomial {
        Polynomial::constant(Rational::from(value))
    }
}

impl From<Atom> for Polynomial {
    fn from(atom: Atom) -> Polynomial {
        Polynomial::atom(atom)
    }
}
