//! The cost that extraction minimises.
//!
//! In this order: open reductions by nesting, undecided cases, choices (`max`, `min`, brackets),
//! weighted operations, digits. The structure of the terms decides ties.

use crate::expr::{GraphPart, LawKind, Node};

/// A cost; costs compare lexicographically, smaller is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Deepest nesting of open reductions.
    pub depth: u32,
    /// Number of open reductions; for a conditional, of its worse branch.
    pub open: u32,
    /// Number of conditionals that stay as cases.
    pub cases: u32,
    /// Number of operands of `max` and `min`, absolute values and brackets: the decisions that a reader must make.
    pub choices: u32,
    /// Weighted number of operations, as a tree.
    pub operations: u64,
    /// Bits of the numbers.
    ///
    /// If `t` equals `t / 2`, because it is 0, each smaller multiple of `t` would otherwise be better than the one
    /// before.
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

    /// The cost without a part; the depth stays.
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

/// The weight of one operation, without its operands.
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
        Node::Mod(..) => 8,
        Node::Operate(operation, _) => operation.row().weight,
        Node::Compare(..) => 4,
        Node::If(..) => 10,
        Node::Reduce(_) | Node::VectorMax(_) | Node::Graph(GraphPart::LongestPath(_), _) => 100,
        Node::Graph(..) => 2,
        Node::Vector(_) | Node::UnitVector(..) => 2,
        // More is known of a choice between laws than of their product.
        Node::Law(LawKind::Product, _) => 40 * further,
        // The moments of a named law are known, those of an order statistic are not.
        Node::Law(LawKind::Max | LawKind::Min, _) => 80 * further,
        Node::Law(LawKind::VectorMax, _) => 400,
        Node::Law(..) => 6 * operands as u64,
        Node::Call(..) => 10,
        // A moment that is not known is worse than any formula for it.
        Node::Cumulant(..) => 2_000,
        Node::Quantile(..) | Node::Probability(..) => 200,
    }
}
