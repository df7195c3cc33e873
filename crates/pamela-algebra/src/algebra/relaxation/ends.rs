//! Index-free bounds, from the ends of ranges.

use crate::expr::{ExprId, Function, Node, ReduceKind, Reduction, Relation, Symbol};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::{Relaxation, Side, Sign};
use crate::algebra::terms::expr_of;

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
        let Some(sign) = self.sign(&factor) else {
            return self.corner(&factor, &moving, side);
        };
        let side_of_factor = side;
        let side = match sign {
            Sign::NonNegative => side,
            Sign::NonPositive => side.opposite(),
        };
        let alone = matches!(moving[..], [&(_, 1)]);
        let mut whole = vec![self.scope.terms.expression(&factor)];
        for &&(atom, exponent) in &moving {
            let end = self.end_of_atom(expr_of(atom), side)?;
            if !alone {
                let least = match side {
                    Side::Lower => end,
                    Side::Upper => expr_of(atom),
                };
                let least = self.scope.terms.polynomial(least);
                if exponent < 0 || self.sign(&least) != Some(Sign::NonNegative) {
                    return self.corner(&factor, &moving, side_of_factor);
                }
            }
            whole.push(self.power(end, exponent));
        }
        Some(self.scope.terms.arena.mul(&whole))
    }

    /// The greatest, or the least, of a product of few factors of unknown signs: that of the products of their bounds.
    fn corner(
        &mut self,
        factor: &Polynomial,
        moving: &[&(Atom, i32)],
        side: Side,
    ) -> Option<ExprId> {
        const MOST: usize = 2;
        if moving.len() > MOST || moving.iter().any(|(_, exponent)| *exponent < 0) {
            return None;
        }
        let mut products = vec![self.scope.terms.expression(factor)];
        for &&(atom, exponent) in moving {
            let mut bounds = Vec::new();
            for side in [Side::Lower, Side::Upper] {
                let end = self.end_of_atom(expr_of(atom), side)?;
                bounds.push(self.power(end, exponent));
            }
            if exponent % 2 == 0 {
                bounds.push(self.scope.terms.arena.number(0));
            }
            let arena = &mut self.scope.terms.arena;
            products = products
                .iter()
                .flat_map(|&product| bounds.iter().map(move |&bound| [product, bound]))
                .map(|pair| arena.mul(&pair))
                .collect();
        }
        Some(self.extreme(side == Side::Upper, &products))
    }

    /// A bound of a sum or an extreme that runs over nothing; `None` where the body has none at an end of the range.
    pub(super) fn without_loop(
        &mut self,
        r: Reduction,
        side: Side,
        choices: u32,
    ) -> Option<ExprId> {
        let beyond = match r.kind {
            ReduceKind::Sum => true,
            ReduceKind::Max => side == Side::Upper,
            ReduceKind::Min => side == Side::Lower,
            _ => return None,
        };
        let body = self.bound_within(r.body, side, choices);
        let value = if beyond {
            self.end(body, side)?
        } else {
            let arena = &mut self.scope.terms.arena;
            let distance = arena.subtract(r.upper, r.lower);
            let whole = arena.apply(Function::Floor, distance);
            let last = arena.add(&[r.lower, whole]);
            let ends = [r.lower, last].map(|end| arena.substitute(body, r.index, end));
            self.extreme(r.kind == ReduceKind::Max, &ends)
        };
        let arena = &mut self.scope.terms.arena;
        if r.kind == ReduceKind::Sum {
            let distance = arena.subtract(r.upper, r.lower);
            let whole = arena.apply(Function::Floor, distance);
            let (zero, one) = (arena.number(0), arena.number(1));
            let count = arena.add(&[whole, one]);
            let count = arena.max(&[zero, count]);
            return Some(arena.mul(&[count, value]));
        }
        let some = arena.relate(Relation::LessEqual, r.lower, r.upper);
        let none = arena.number(0);
        Some(arena.if_else(some, value, none))
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
                let remainder = self.remainder(value, modulus, side);
                let whole = self.scope.terms.polynomial(value);
                if side == Side::Lower || self.sign(&whole) != Some(Sign::NonNegative) {
                    return Some(remainder);
                }
                Some(match self.end(value, side) {
                    Some(end) => self.scope.terms.arena.min(&[remainder, end]),
                    None => remainder,
                })
            }
            Node::Max(operands) | Node::Min(operands) => {
                let largest = matches!(self.scope.terms.arena.node(id), Node::Max(_));
                let all = operands.len();
                let ends = operands
                    .iter()
                    .filter_map(|&operand| self.end(operand, side));
                let ends: Vec<ExprId> = ends.collect();
                let enough = if largest == (side == Side::Upper) {
                    ends.len() == all
                } else {
                    !ends.is_empty()
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
