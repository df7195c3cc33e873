//! Facts about an atom that is a function value or a remainder.

use crate::expr::{ExprId, Function};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::statement::Statement;
use super::{Goal, Prover};
use crate::algebra::terms::Terms;

impl Prover {
    /// Facts about the value of a function, from its arguments.
    ///
    /// One long function, because it is a table with an arm for each.
    pub(super) fn describe_function(
        &self,
        terms: &mut Terms,
        atom: Atom,
        function: Function,
        operand: ExprId,
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        let this = Polynomial::atom(atom);
        let operand = terms.polynomial(operand);
        match function {
            Function::Floor | Function::Ceil => {
                known.push(Statement::Integer(Polynomial::atom(atom)));
                let floor = function == Function::Floor;
                let excess = if floor {
                    &*operand - &this
                } else {
                    &this - &*operand
                };
                let slack = &Polynomial::one() - &excess;
                for (polynomial, strict) in [(excess, false), (slack, true)] {
                    self.state_scaled(terms, &polynomial, strict, depth, known);
                }
                self.lift_bounds(terms, &this, &operand, floor, depth, known);
            }
            Function::Abs => {
                known.push(Statement::NonNegative(this.clone()));
                known.push(Statement::NonNegative(&this - &*operand));
                known.push(Statement::NonNegative(&this + &*operand));
            }
            Function::Sqrt => {
                known.push(
                    if depth > 0 && self.deeper(terms, &operand, depth, Goal::Positive) {
                        Statement::Positive(this.clone())
                    } else {
                        Statement::NonNegative(this.clone())
                    },
                );
                let offset = &*operand - &Polynomial::one();
                self.describe_beside_one(terms, &this, &offset, depth, known);
                if depth > 0 && self.deeper(terms, &offset, depth, Goal::NonNegative) {
                    known.push(Statement::NonNegative(&*operand - &this));
                }
            }
            Function::Exp => {
                known.push(Statement::Positive(this.clone()));
                // Its tangent at 0 lies below it.
                let beyond = &this - &Polynomial::one();
                known.push(Statement::NonNegative(&beyond - &*operand));
                self.describe_beside_one(terms, &this, &operand, depth, known);
            }
            Function::Harmonic(_) => {
                known.push(Statement::NonNegative(this.clone()));
                known.push(Statement::NonNegative(&*operand - &this));
                if depth > 0 {
                    let first = &*operand - &Polynomial::one();
                    if self.deeper(terms, &first, depth, Goal::NonNegative) {
                        known.push(Statement::NonNegative(&this - &Polynomial::one()));
                    }
                }
            }
            Function::Factorial => {
                known.push(Statement::Integer(Polynomial::atom(atom)));
                known.push(Statement::NonNegative(&this - &Polynomial::one()));
                known.push(Statement::NonNegative(&this - &*operand));
            }
            Function::Log if depth > 0 => {
                let beyond = &*operand - &Polynomial::one();
                if self.deeper(terms, &beyond, depth, Goal::Positive) {
                    known.push(Statement::Positive(this));
                } else if self.deeper(terms, &beyond, depth, Goal::NonNegative) {
                    known.push(Statement::NonNegative(this));
                }
            }
            Function::LogGamma if depth > 0 => {
                // It is 0 at 1 and 2, below 0 between them, and above 0 elsewhere.
                let beyond = &*operand - &Polynomial::from(2);
                if self.deeper(terms, &beyond, depth, Goal::NonNegative) {
                    known.push(Statement::NonNegative(this));
                }
            }
            _ => {}
        }
    }

    /// The atom is beside 1 as the offset is beside 0: above, at least, at most, or below.
    pub(super) fn describe_beside_one(
        &self,
        terms: &mut Terms,
        this: &Polynomial,
        offset: &Polynomial,
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        if depth == 0 {
            return;
        }
        let beyond = this - &Polynomial::one();
        for (offset, beyond) in [(offset.clone(), beyond.clone()), (-offset, -&beyond)] {
            if self.deeper(terms, &offset, depth, Goal::NonNegative) {
                let is_strict = self.deeper(terms, &offset, depth, Goal::Positive);
                known.push(if is_strict {
                    Statement::Positive(beyond)
                } else {
                    Statement::NonNegative(beyond)
                });
                return;
            }
        }
    }

    /// A floor is at least every integer that its operand is at least; a ceiling too, and it is
    /// above every integer that its operand is above.
    fn lift_bounds(
        &self,
        terms: &mut Terms,
        this: &Polynomial,
        operand: &Polynomial,
        floor: bool,
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        if depth == 0 {
            return;
        }
        for bound in [1, 0, -1] {
            let whole = Polynomial::from(bound);
            let reached = if floor {
                self.deeper(terms, &(operand - &whole), depth, Goal::NonNegative)
            } else {
                let above = &(operand - &whole) + &Polynomial::one();
                self.deeper(terms, &above, depth, Goal::Positive)
            };
            if reached {
                known.push(Statement::NonNegative(this - &whole));
                return;
            }
        }
    }

    /// States a bound as it is and, where it has positive denominators, multiplied by them.
    fn state_scaled(
        &self,
        terms: &mut Terms,
        p: &Polynomial,
        strict: bool,
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        let bound = |p: Polynomial| {
            if strict {
                Statement::Positive(p)
            } else {
                Statement::NonNegative(p)
            }
        };
        known.push(bound(p.clone()));
        let powers = p.monomial_content();
        let denominators: Vec<(Atom, i32)> = powers
            .powers()
            .iter()
            .copied()
            .filter(|&(_, e)| e < 0)
            .collect();
        if denominators.is_empty() || depth == 0 {
            return;
        }
        let mut factor = Monomial::one();
        for (atom, exponent) in denominators {
            if !self.deeper(terms, &Polynomial::atom(atom), depth, Goal::Positive) {
                return;
            }
            let Some(next) = factor.checked_mul(&Monomial::power(atom, -exponent)) else {
                return;
            };
            factor = next;
        }
        if let Some(scaled) = p.mul_term(&factor, &Rational::ONE) {
            known.push(bound(scaled));
        }
    }

    pub(super) fn describe_modulo(
        &self,
        terms: &mut Terms,
        atom: Atom,
        left: ExprId,
        modulus: ExprId,
        depth: u32,
        known: &mut Vec<Statement>,
    ) {
        let this = Polynomial::atom(atom);
        let (left, modulus) = (terms.polynomial(left), terms.polynomial(modulus));
        known.push(Statement::NonNegative(this.clone()));
        known.push(Statement::Positive(&*modulus - &this));
        if depth == 0 {
            return;
        }
        let whole = self.deeper(terms, &left, depth, Goal::Integer);
        if whole && self.deeper(terms, &modulus, depth, Goal::Integer) {
            known.push(Statement::Integer(Polynomial::atom(atom)));
        }
        if self.deeper(terms, &left, depth, Goal::NonNegative) {
            known.push(Statement::NonNegative(&*left - &this));
        }
    }
}
