//! What extraction minimises, in this order: open reductions by nesting, undecided cases, choices
//! (`max`, `min`, brackets), weighted operations, digits. Ties are decided by the structure of the terms.

use crate::expr::{GraphPart, LawKind, Node};

/// Lexicographic; smaller is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// The deepest nest of open reductions.
    pub depth: u32,
    /// How many reductions are open; of the branches of a conditional, in the worse one.
    pub open: u32,
    /// Conditionals that stay as cases.
    pub cases: u32,
    /// Operands of `max` and `min`, absolute values and brackets: what a reader must decide.
    pub choices: u32,
    /// Operations as a tree, each with its weight.
    pub operations: u64,
    /// Bits of the numbers. Where `t` equals `t / 2`, being 0, smaller and smaller multiples of what `t`
    /// equals would each be better than the one before.
    pub digits: u64,
}

impl Cost {
    pub fn plus(self, other: Cost) -> Cost {
        Cost {
            depth: self.depth.max(other.depth),
            open: self.open.saturating_add(other.open),
            cases: self.cases.saturating_add(other.cases),
            choices: self.choices.saturating_add(other.choices),
            operations: self.operations.saturating_add(other.operations),
            digits: self.digits.saturating_add(other.digits),
        }
    }

    /// What is left without a part of it; the depth stays.
    pub fn minus(self, part: Cost) -> Cost {
        Cost {
            depth: self.depth,
            open: self.open.saturating_sub(part.open),
            cases: self.cases.saturating_sub(part.cases),
            choices: self.choices.saturating_sub(part.choices),
            operations: self.operations.saturating_sub(part.operations),
            digits: self.digits.saturating_sub(part.digits),
        }
    }
}

/// Of one operation, without its operands.
pub fn weight(node: &Node, operands: usize) -> u64 {
    let further = operands.saturating_sub(1) as u64;
    match node {
        Node::Number(_) => 0,
        Node::Symbol(_) => 1,
        Node::Add(_) => 4 * further,
        Node::Mul(_) => 5 * further,
        Node::Pow(..) => 8,
        Node::Max(_) | Node::Min(_) => 6 * further,
        Node::Apply(..) => 6,
        Node::Mod(..) | Node::CommonDivisor(_) => 8,
        Node::FloorSum(_) => 20,
        Node::Compare(..) => 4,
        Node::If(..) => 10,
        Node::Reduce(_) | Node::VectorMax(_) | Node::Graph(GraphPart::LongestPath(_), _) => 100,
        Node::Graph(..) => 2,
        Node::Vector(_) | Node::UnitVector(..) => 2,
        // Of a choice between laws more is known than of their product.
        Node::Law(LawKind::Product, _) => 40 * further,
        // Of a law of the language all is known, of an order statistic nothing.
        Node::Law(LawKind::Max | LawKind::Min, _) => 80 * further,
        Node::Law(LawKind::VectorMax, _) => 400,
        Node::Law(..) => 6 * operands as u64,
        Node::Call(..) => 10,
        // A moment that is not known is worse than any formula for it.
        Node::Cumulant(..) => 2_000,
    }
}
