//! Reads a product as a number times other factors.

use crate::expr::{Arena, ExprId, Node};
use crate::ring::Rational;

/// `coefficient * factors`, a product that need not be in the arena.
#[derive(Clone, Debug)]
pub(super) struct OwnedTerm {
    pub coefficient: Rational,
    pub factors: Vec<ExprId>,
}

impl OwnedTerm {
    pub fn is_one(&self) -> bool {
        self.factors.is_empty() && self.coefficient.is_one()
    }
}

/// Splits a product into the coefficient and the other factors.
pub(super) fn term(arena: &Arena, id: ExprId) -> OwnedTerm {
    match arena.node(id) {
        Node::Number(value) => OwnedTerm {
            coefficient: value.clone(),
            factors: Vec::new(),
        },
        Node::Mul(list) => {
            let (coefficient, rest) = split(arena, list);
            OwnedTerm {
                coefficient,
                factors: rest.to_vec(),
            }
        }
        _ => OwnedTerm {
            coefficient: Rational::from(1),
            factors: vec![id],
        },
    }
}

/// Splits off the leading number; numbers come first in a product.
pub(super) fn split<'a>(arena: &Arena, factors: &'a [ExprId]) -> (Rational, &'a [ExprId]) {
    match factors {
        [first, rest @ ..] => match arena.as_number(*first) {
            Some(value) => (value.clone(), rest),
            None => (Rational::from(1), factors),
        },
        [] => (Rational::from(1), factors),
    }
}
