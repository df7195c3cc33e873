//! Writes products with brackets as choices: `(N >= 2) * u` becomes `if (N >= 2) u else 0`.
//!
//! This applies to products that are not terms of a sum.

use super::{Builder, choice, number};
use crate::expr::{Arena, Sort};
use crate::formula::view::{Exponent, Factor, Product, Truth, truth};
use crate::syntax::tree::Expr;

/// A product that has brackets.
pub(super) struct Chosen {
    condition: Truth,
    /// The product without its brackets, with the numbers.
    inside: Product,
}

impl Chosen {
    /// Splits a product into brackets and the rest.
    ///
    /// Returns `None` if all factors are brackets and numbers, because these count. Also returns
    /// `None` if a factor may be undefined, because it is evaluated whatever the condition says.
    pub fn of(arena: &Arena, product: &Product) -> Option<Chosen> {
        let is_bracket = |factor: &Factor| match truth(arena, factor.base) {
            Some(condition @ Truth::Relation(..)) => Some(condition),
            _ => None,
        };
        let is_total = |factor: &Factor| {
            let power = matches!(factor.exponent, Exponent::One | Exponent::Number(_));
            power && arena.sort(factor.base) == Sort::Scalar && arena.is_total(factor.base)
        };
        let (mut conditions, mut inside) = (Vec::new(), Vec::new());
        for factor in &product.factors {
            match is_bracket(factor) {
                Some(condition) if matches!(factor.exponent, Exponent::One) => {
                    conditions.push(condition);
                }
                _ if is_total(factor) => inside.push(factor.clone()),
                _ => return None,
            }
        }
        let is_chosen = !conditions.is_empty() && !inside.is_empty();
        if !is_chosen || product.negative || !product.divisors.is_empty() {
            return None;
        }
        let condition = match conditions.len() {
            1 => conditions.remove(0),
            _ => Truth::And(conditions),
        };
        let inside = Product {
            factors: inside,
            ..product.clone()
        };
        Some(Chosen { condition, inside })
    }
}

impl Builder<'_> {
    pub(super) fn chosen(&mut self, chosen: &Chosen) -> Expr {
        let condition = self.truth(&chosen.condition);
        choice(condition, self.product(&chosen.inside), number(0))
    }
}
