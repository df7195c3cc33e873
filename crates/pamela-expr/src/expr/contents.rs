//! Which operators occur in an expression.

use serde::{Deserialize, Serialize};

use super::{Function, Node};

/// A set of operators on which rules depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents(u8);

impl Contents {
    pub const NOTHING: Contents = Contents(0);
    /// A maximum or a minimum of several operands.
    pub const EXTREME: Contents = Contents(1);
    pub const FLOOR: Contents = Contents(2);
    pub const CEILING: Contents = Contents(4);
    pub const REMAINDER: Contents = Contents(8);
    pub const COMPARISON: Contents = Contents(16);
    pub const CONDITIONAL: Contents = Contents(32);

    /// The operator of a node, if it belongs to the set.
    pub(super) fn of(node: &Node) -> Contents {
        match node {
            Node::Max(_) | Node::Min(_) => Contents::EXTREME,
            Node::Apply(Function::Floor, _) => Contents::FLOOR,
            Node::Apply(Function::Ceil, _) => Contents::CEILING,
            Node::Mod(..) => Contents::REMAINDER,
            Node::Compare(..) => Contents::COMPARISON,
            Node::If(..) => Contents::CONDITIONAL,
            _ => Contents::NOTHING,
        }
    }

    pub fn with(self, other: Contents) -> Contents {
        Contents(self.0 | other.0)
    }

    /// True if both have an operator in common.
    pub fn meets(self, other: Contents) -> bool {
        self.0 & other.0 != 0
    }

    /// True if all operators of the other are among these.
    pub fn includes(self, other: Contents) -> bool {
        self.0 & other.0 == other.0
    }
}
