//! Measures the length of expressions for a reader.

use rustc_hash::FxHashMap;

use crate::expr::{Arena, ExprId, Node};
use crate::ring::Rational;
use crate::with_stack;

/// Cached weights of the expressions of one arena.
#[derive(Default)]
pub(super) struct Weights(FxHashMap<ExprId, u32>);

impl Weights {
    /// The weight of an expression: operators, operands and parentheses.
    pub fn of(&mut self, arena: &Arena, id: ExprId) -> u32 {
        if let Some(&known) = self.0.get(&id) {
            return known;
        }
        let weight = with_stack(|| self.weigh(arena, id));
        self.0.insert(id, weight);
        weight
    }

    fn weigh(&mut self, arena: &Arena, id: ExprId) -> u32 {
        let minus_one = Rational::from(-1);
        match arena.node(id) {
            Node::Number(value) if value.is_integer() => 1,
            // A numerator and a denominator, or digits around a point.
            Node::Number(_) => 2,
            Node::Symbol(_) => 1,
            Node::Mul(list) => {
                list.iter()
                    .fold(numerator_weight(arena, list), |total, &factor| {
                        let parentheses = matches!(arena.node(factor), Node::Add(_));
                        let factor = match arena.node(factor) {
                            Node::Number(value) if *value == minus_one => 0,
                            Node::Pow(base, exponent)
                                if arena.as_number(*exponent) == Some(&minus_one) =>
                            {
                                self.of(arena, *base).saturating_add(1)
                            }
                            _ => self.of(arena, factor).saturating_add(1),
                        };
                        total
                            .saturating_add(factor)
                            .saturating_add(u32::from(parentheses))
                    })
                    - 1
            }
            Node::Add(list) => {
                list.iter().fold(0_u32, |total, &term| {
                    let term = self.of(arena, term);
                    total.saturating_add(term).saturating_add(1)
                }) - 1
            }
            Node::Pow(base, exponent) if arena.as_number(*exponent) == Some(&minus_one) => {
                self.of(arena, *base).saturating_add(2)
            }
            _ => arena.operands(id).iter().fold(1_u32, |total, &operand| {
                total.saturating_add(self.of(arena, operand))
            }),
        }
    }
}

/// A fraction without a numerator is written with a 1.
fn numerator_weight(arena: &Arena, factors: &[ExprId]) -> u32 {
    let divides = |&factor: &ExprId| match arena.node(factor) {
        Node::Pow(_, exponent) => arena
            .as_number(*exponent)
            .is_some_and(Rational::is_negative),
        _ => arena.as_number(factor).is_some_and(|n| n.abs().is_one()),
    };
    2 * u32::from(factors.iter().all(divides))
}
