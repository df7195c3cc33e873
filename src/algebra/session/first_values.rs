//! Closed forms that hold from the second value of a parameter on: the first is a case of its own.

use super::super::facts::Prover;
use super::super::terms::expr_of;
use super::{ExprId, Node, Result, Session, union};
use crate::expr::{Relation, Symbol};
use crate::ring::Rational;

impl Session<'_> {
    /// `expr` without an assumption `P >= 2` of a whole number that is at least 1 by the facts: at 1 it is closed by
    /// itself. With the assumptions that are left.
    ///
    /// A value below 1 is left to the assumption: nobody writes a case for a loop that does nothing.
    pub(super) fn with_first_value(
        &mut self,
        expr: ExprId,
        result: &Result,
        assumptions: &[ExprId],
    ) -> Option<(Result, Vec<ExprId>)> {
        if self.options.strict || self.is_open(result.expr) {
            return None;
        }
        for &condition in assumptions {
            let Some((symbol, value)) = self.first_value(condition) else {
                continue;
            };
            if !value.is_positive() {
                continue;
            }
            let value = self.terms.arena.number(value);
            let at = |session: &mut Session, expr| {
                let replaced = session.terms.arena.substitute(expr, symbol, value);
                session.terms.canonical(replaced)
            };
            let base = at(self, expr);
            let base = self.simplify(base);
            if self.is_open(base.expr) || !self.needed(&base.assumed).is_empty() {
                continue;
            }
            let whole = match at(self, result.expr) == base.expr {
                true => result.expr,
                false => {
                    let arena = &mut self.terms.arena;
                    let cases = arena.if_else(condition, result.expr, base.expr);
                    self.terms.canonical(cases)
                }
            };
            let left: Vec<ExprId> = assumptions
                .iter()
                .copied()
                .filter(|&assumption| assumption != condition)
                .collect();
            let records = result.record.iter().cloned().chain(base.record).collect();
            let whole = Result {
                expr: whole,
                assumed: left.clone().into(),
                rules: union(vec![result.rules.clone(), base.rules]),
                record: self.together(records, Vec::new(), whole),
            };
            return Some((whole, left));
        }
        None
    }

    /// `P` and 1 of a condition `P >= 2`, where `P` is a whole number that is at least 1 by the facts.
    fn first_value(&mut self, condition: ExprId) -> Option<(Symbol, Rational)> {
        let Node::Compare(relation @ (Relation::Less | Relation::LessEqual), left, right) =
            *self.terms.arena.node(condition)
        else {
            return None;
        };
        let difference = &*self.terms.polynomial(right) - &*self.terms.polynomial(left);
        let least = -&difference.evaluate(|_| Rational::ZERO)?;
        let atom = (&difference + &crate::ring::Polynomial::constant(least.clone())).as_atom()?;
        let Node::Symbol(symbol) = *self.terms.arena.node(expr_of(atom)) else {
            return None;
        };
        if self.terms.arena.range(symbol).is_some() {
            return None;
        }
        let value = match relation {
            Relation::Less => least.floor(),
            _ => least.ceil() - Rational::ONE,
        };
        let parameter = crate::ring::Polynomial::atom(atom);
        let above = &parameter - &crate::ring::Polynomial::constant(value.clone());
        let prover = Prover::new(self.facts.clone());
        let known = prover.integer(&mut self.terms, &parameter)
            && prover.nonnegative(&mut self.terms, &above);
        known.then_some((symbol, value))
    }
}
