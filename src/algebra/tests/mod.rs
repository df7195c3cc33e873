//! What canonical terms, the prover, patterns, the rule base and derivations promise.

mod derivation;
mod facts;
mod pattern;
mod rulebase;
mod simplify;
mod terms;

use crate::expr::{Arena, ExprId, Function, Relation};

use super::terms::Terms;

/// Builds terms over parameters; each helper is one operator.
struct Build {
    terms: Terms,
}

impl Build {
    fn new() -> Build {
        Build {
            terms: Terms::new(Arena::new()),
        }
    }

    fn name(&mut self, name: &str) -> ExprId {
        self.terms.arena.parameter(name)
    }

    fn number(&mut self, value: i64) -> ExprId {
        self.terms.arena.number(value)
    }

    fn add(&mut self, parts: &[ExprId]) -> ExprId {
        self.terms.arena.add(parts)
    }

    fn mul(&mut self, parts: &[ExprId]) -> ExprId {
        self.terms.arena.mul(parts)
    }

    fn minus(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.terms.arena.subtract(left, right)
    }

    fn over(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.terms.arena.divide(left, right)
    }

    fn power(&mut self, base: ExprId, exponent: ExprId) -> ExprId {
        self.terms.arena.pow(base, exponent)
    }

    fn floor(&mut self, operand: ExprId) -> ExprId {
        self.terms.arena.apply(Function::Floor, operand)
    }

    fn apply(&mut self, function: Function, operand: ExprId) -> ExprId {
        self.terms.arena.apply(function, operand)
    }

    fn whole(&mut self, operand: ExprId) -> ExprId {
        self.terms.arena.apply(Function::Integer, operand)
    }

    fn at_most(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.terms.arena.relate(Relation::LessEqual, left, right)
    }

    fn less(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.terms.arena.relate(Relation::Less, left, right)
    }

    /// Whether both have one canonical term.
    fn same(&mut self, left: ExprId, right: ExprId) -> bool {
        self.terms.canonical(left) == self.terms.canonical(right)
    }
}
