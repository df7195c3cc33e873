//! Bounds that mention no index, by the ends of ranges.

use crate::expr::{ExprId, Function, Node, Symbol};
use crate::ring::{Monomial, Polynomial, Rational};

use super::super::terms::expr_of;
use super::{Relaxation, Side, Sign};

impl Relaxation<'_> {
    /// A bound that mentions no index.
    pub(super) fn end(&mut self, id: ExprId, side: Side) -> Option<ExprId> {
        if self.scope.terms.indices(id) == 0 {
            return Some(id);
        }
        let polynomial = self.scope.terms.polynomial(id);
        let terms = polynomial.terms();
        let ends: Option<Vec<ExprId>> = terms
            .map(|(monomial, coefficient)| self.end_of_term(monomial, coefficient, side))
            .collect();
        Some(self.scope.terms.arena.add(&ends?))
    }

    fn end_of_term(
        &mut self,
        monomial: &Monomial,
        coefficient: &Rational,
        side: Side,
    ) -> Option<ExprId> {
        let powers = monomial.powers().iter();
        let (moving, rest): (Vec<_>, Vec<_>) =
            powers.partition(|&&(atom, _)| self.scope.terms.indices(expr_of(atom)) > 0);
        let mut factor = Polynomial::constant(coefficient.clone());
        for &(atom, exponent) in rest {
            factor = factor.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
        }
        let side = match self.sign(&factor)? {
            Sign::NonNegative => side,
            Sign::NonPositive => side.opposite(),
        };
        let alone = matches!(moving[..], [&(_, 1)]);
        let mut whole = vec![self.scope.terms.expression(&factor)];
        for &(atom, exponent) in moving {
            let end = self.end_of_atom(expr_of(atom), side)?;
            if !alone {
                let least = match side {
                    Side::Lower => end,
                    Side::Upper => expr_of(atom),
                };
                let least = self.scope.terms.polynomial(least);
                if exponent < 0 || self.sign(&least)? != Sign::NonNegative {
                    return None;
                }
            }
            whole.push(self.power(end, exponent));
        }
        Some(self.scope.terms.arena.mul(&whole))
    }

    fn end_of_atom(&mut self, id: ExprId, side: Side) -> Option<ExprId> {
        match self.scope.terms.arena.node(id).clone() {
            Node::Symbol(index) => {
                let end = self.end_of_range(index, side)?;
                self.end(end, side)
            }
            Node::Apply(function @ (Function::Floor | Function::Ceil), operand) => {
                let end = self.end(operand, side)?;
                Some(self.scope.terms.arena.apply(function, end))
            }
            Node::Mod(value, modulus) if self.scope.terms.indices(modulus) == 0 => {
                Some(self.remainder(value, modulus, side))
            }
            Node::Max(operands) | Node::Min(operands) => {
                let largest = matches!(self.scope.terms.arena.node(id), Node::Max(_));
                let all = operands.len();
                let ends = operands
                    .iter()
                    .filter_map(|&operand| self.end(operand, side));
                let ends: Vec<ExprId> = ends.collect();
                let enough = match largest == (side == Side::Upper) {
                    true => ends.len() == all,
                    false => !ends.is_empty(),
                };
                enough.then(|| self.extreme(largest, &ends))
            }
            Node::If(_, then, otherwise) => {
                let ends = [self.end(then, side)?, self.end(otherwise, side)?];
                Some(self.extreme(side == Side::Upper, &ends))
            }
            Node::Compare(..) => {
                let value = i64::from(side == Side::Upper);
                Some(self.scope.terms.arena.number(value))
            }
            _ => None,
        }
    }

    fn end_of_range(&mut self, index: Symbol, side: Side) -> Option<ExprId> {
        let (lower, upper) = self.scope.terms.arena.range(index)?;
        Some(match side {
            Side::Lower => lower,
            Side::Upper => upper,
        })
    }
}
