//! Vectors, comparisons and functions as polynomials.

use std::cmp::Ordering;

use super::{Terms, atom_of};
use crate::algebra::DEFAULT_ARRAY;
use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Monomial, Polynomial, Rational};

/// An exponential is the power of another one up to this: longer powers make polynomials of high degrees.
const MAX_EXPONENTIAL_POWER: i64 = 16;

impl Terms {
    pub(super) fn vector(&mut self, components: &[ExprId]) -> Polynomial {
        let array = self.arena.named(DEFAULT_ARRAY);
        let mut sum = Polynomial::zero();
        for (k, &component) in components.iter().enumerate() {
            let index = self.arena.number(k as i64);
            let unit = self.arena.unit_vector(array, index);
            let amount = self.polynomial(component);
            if let Some(part) = self.multiply(&amount, &Polynomial::atom(atom_of(unit))) {
                sum = &sum + &part;
            }
        }
        sum
    }

    /// Moves everything to the sides where coefficients are positive, over a common content.
    pub(super) fn comparison(
        &mut self,
        relation: Relation,
        left: ExprId,
        right: ExprId,
    ) -> Polynomial {
        let (left, right) = (self.polynomial(left), self.polynomial(right));
        let mut difference = &*left - &*right;
        let content = difference.content().abs();
        if let Some(inverse) = content.recip() {
            difference = difference.scale(&inverse);
        }
        if let Some(offset) = self.beside_one(&difference) {
            difference = offset;
        }
        if relation == Relation::Equal && self.leading_sign(&difference) == Ordering::Less {
            difference = -&difference;
        }
        let split = |positive: bool| {
            let terms = difference
                .terms()
                .filter(|(_, c)| c.is_positive() == positive);
            Polynomial::from_terms(terms.map(|(m, c)| (m.clone(), c.abs())).collect())
        };
        let (greater, less) = (split(true), split(false));
        let (greater, less) = (self.expression(&greater), self.expression(&less));
        let id = self.arena.relate(relation, greater, less);
        match self.arena.as_number(id) {
            Some(value) => Polynomial::constant(value.clone()),
            None => Polynomial::atom(atom_of(id)),
        }
    }

    /// A logarithm compares with 0 as its operand compares with 1.
    fn beside_one(&mut self, difference: &Polynomial) -> Option<Polynomial> {
        let (monomial, coefficient) = difference.as_term()?;
        let [(atom, 1)] = *monomial.powers() else {
            return None;
        };
        let (Function::Log, operand) = self.value_of(atom)? else {
            return None;
        };
        let offset = &*self.polynomial(operand) - &Polynomial::one();
        Some(if coefficient.is_negative() {
            -&offset
        } else {
            offset
        })
    }

    pub(in crate::algebra) fn application(
        &mut self,
        function: Function,
        operand: ExprId,
    ) -> Polynomial {
        let polynomial = self.polynomial(operand);
        if let Some(operand) = self.inverse(function, &polynomial) {
            return operand;
        }
        match function {
            Function::Floor | Function::Ceil => self.rounding(function, &polynomial),
            // Whole constants, and the sign, do not matter.
            Function::Integer => {
                let whole = polynomial.coefficient(&Monomial::one()).floor();
                let mut rest = &*polynomial - &Polynomial::constant(whole);
                if self.leading_sign(&rest) == Ordering::Less {
                    rest = -&rest;
                }
                let rest = self.expression(&rest);
                self.atomic_application(function, rest)
            }
            Function::Exp => self.exponential(&polynomial),
            Function::Abs if self.leading_sign(&polynomial) == Ordering::Less => {
                let mirrored = self.expression(&-&*polynomial);
                self.atomic_application(function, mirrored)
            }
            _ => {
                let operand = self.expression(&polynomial);
                self.atomic_application(function, operand)
            }
        }
    }

    /// `exp(x)`, `exp(-x)` and `exp(2 * x)` become powers of one atom, so they cancel.
    fn exponential(&mut self, exponent: &Polynomial) -> Polynomial {
        let mut power = exponent.content().abs();
        if !power.is_integer() || power > Rational::from(MAX_EXPONENTIAL_POWER) {
            power = Rational::ONE;
        }
        if self.is_falling(exponent) {
            power = -power;
        }
        let (Some(inverse), Some(power)) = (power.recip(), power.to_i64()) else {
            return Polynomial::one();
        };
        let operand = self.expression(&exponent.scale(&inverse));
        let base = self.atomic_application(Function::Exp, operand);
        match base.as_atom() {
            Some(base) => Polynomial::term(Monomial::power(base, power as i32), Rational::ONE),
            None => base,
        }
    }

    /// True if `exp` is represented by the negated exponent: more terms have a minus sign than not, or equally many
    /// and the first has none, as in `a - b`.
    fn is_falling(&mut self, exponent: &Polynomial) -> bool {
        let minuses = exponent.terms().filter(|(_, c)| c.is_negative()).count();
        match (2 * minuses).cmp(&exponent.len()) {
            Ordering::Less => false,
            Ordering::Equal => minuses > 0 && self.leading_sign(exponent) == Ordering::Greater,
            Ordering::Greater => true,
        }
    }

    /// Whole constants leave a floor; `floor(-x)` is `-ceil(x)`.
    fn rounding(&mut self, function: Function, operand: &Polynomial) -> Polynomial {
        let whole = operand.coefficient(&Monomial::one()).floor();
        let mut rest = operand - &Polynomial::constant(whole.clone());
        let mirrored = self.leading_sign(&rest) == Ordering::Less;
        let mut function = function;
        if mirrored {
            rest = -&rest;
            function = if function == Function::Floor {
                Function::Ceil
            } else {
                Function::Floor
            };
        }
        let rest = self.expression(&rest);
        let rounded = self.atomic_application(function, rest);
        let rounded = if mirrored { -&rounded } else { rounded };
        &rounded + &Polynomial::constant(whole)
    }

    fn atomic_application(&mut self, function: Function, operand: ExprId) -> Polynomial {
        let id = self.arena.apply(function, operand);
        match self.arena.node(id) {
            Node::Apply(..) => Polynomial::atom(atom_of(id)),
            _ => (*self.polynomial(id)).clone(),
        }
    }

    pub(super) fn conditional(
        &mut self,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    ) -> Polynomial {
        let condition = self.canonical(condition);
        let (mut then, mut otherwise) = (self.canonical(then), self.canonical(otherwise));
        let mut test = condition;
        if let Some(complement) = self.complement(condition) {
            test = complement;
            std::mem::swap(&mut then, &mut otherwise);
        }
        let id = self.arena.if_else(test, then, otherwise);
        match self.arena.node(id) {
            Node::If(..) => Polynomial::atom(atom_of(id)),
            _ => (*self.polynomial(id)).clone(),
        }
    }
}
