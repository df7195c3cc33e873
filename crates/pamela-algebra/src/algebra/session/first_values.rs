//! Closed forms that hold from the second value of a parameter on: the first value becomes a separate case.

use super::{ExprId, Node, Result, Session, union};
use crate::algebra::facts::Prover;
use crate::algebra::terms::expr_of;
use crate::expr::{Relation, Symbol};
use crate::ring::Rational;

impl Session<'_> {
    /// The closed form of `expr`. If it assumes `P >= 2` for a whole number with the fact `P >= 1`, the closed form
    /// at 1 becomes a separate case, or the result has no such case if both agree.
    ///
    /// A value below 1 is left to the assumption: nobody writes a case for a loop that does nothing.
    pub(super) fn with_first_values(&mut self, expr: ExprId) -> Result {
        let result = self.simplify(expr);
        if self.options.strict || self.is_open(result.expr) {
            return result;
        }
        for condition in self.needed(&result.assumed) {
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
            let first = at(self, expr);
            let first = self.simplify(first);
            if self.is_open(first.expr) || !self.needed(&first.assumed).is_empty() {
                continue;
            }
            let others = self.under(condition, |session| session.with_first_values(expr));
            if self.is_open(others.expr) {
                continue;
            }
            let there = at(self, others.expr);
            let there = self.simplify(there);
            let whole = if there.expr == first.expr && there.assumed.is_empty() {
                others.expr
            } else {
                let arena = &mut self.terms.arena;
                let cases = arena.if_else(condition, others.expr, first.expr);
                self.terms.canonical(cases)
            };
            let records = [others.record, first.record, there.record];
            let records = records.into_iter().flatten().collect();
            return Result {
                expr: whole,
                assumed: others.assumed,
                rules: union(vec![others.rules, first.rules, there.rules]),
                record: self.together(records, Vec::new(), whole),
            };
        }
        result
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
