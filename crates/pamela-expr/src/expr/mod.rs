//! The only intermediate representation: typed, flat, hash-consed.
//!
//! Timing produces it, the algebra rewrites it, printers print it and the evaluator compiles it.
//! Expressions live in an [`Arena`] and are named by [`ExprId`]s; equal expressions have equal ids.
//! Constructors only flatten, order and fold constants; other equalities belong to the algebra.
//!
//! **Binders.** The index of a reduction is a [`Symbol`] that stands for the *height* of its binder (the nesting
//! depth of binders in its body) and its *range*. Reductions that differ only in the name of their index are
//! therefore one expression, an index never captures another, and the range of an index is known wherever it occurs.

mod arena;
mod construction;
mod contents;
mod derived;
mod domain;
mod facts;
mod law;
mod mention;
mod moment;
mod order;
mod probability;
mod saved;
mod substitute;
mod symbols;

pub use arena::Arena;
pub use contents::Contents;
pub use derived::root_of_number;
pub use law::{LawKind, LawName};
pub use moment::Moment;
pub use probability::Side;
pub use symbols::base_of;

pub use crate::operators::{Code, Condition, Domain, Function, Operation, Rounding, Sign};

use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::law::Sampled;
use crate::ring::Rational;
use crate::syntax::tree::Direction;

/// An expression in an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExprId(u32);

impl ExprId {
    /// The index in the arena, for tables and for the atoms of the ring.
    pub fn index(self) -> u32 {
        self.0
    }

    /// The inverse of [`ExprId::index`].
    pub fn from_index(index: u32) -> ExprId {
        ExprId(index)
    }
}

/// A parameter, an index, a resource array or a file of samples, named in an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Symbol(u32);

/// Meaning of a [`Symbol`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SymbolKind {
    /// A parameter of the model, or a resource array.
    Named(String),
    /// The index of a binder with `height` nested binders in its body, over `lower..=upper`.
    Index {
        height: u32,
        lower: ExprId,
        upper: ExprId,
    },
    /// The value of an equation that is not expanded.
    Definition(Arc<Defined>),
    /// 1 if that equation has a value; a condition for replacing it by its value.
    HasValue(Arc<Defined>),
    /// An index while its binder is built; never in a finished expression.
    Fresh(u32),
    /// The samples in a column of a file.
    Samples(Arc<Sampled>),
}

/// An equation that others mention by name, with properties of its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Defined {
    /// Its name, as in [`SymbolKind::Named`]; no parameter has the same name.
    pub name: String,
    /// Scalar or law.
    pub sort: Sort,
    /// True if the value is 0 or 1.
    pub boolean: bool,
    /// True if it has a value for all values of the parameters.
    pub total: bool,
    /// True if its name stays, however small its value is.
    #[serde(default)]
    pub kept: bool,
    /// Declared monotonicity in each argument.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub directions: Box<[Option<Direction>]>,
    /// Declared bounds of its values.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub limits: Box<[Limit]>,
}

/// A declared bound of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limit {
    pub number: Rational,
    /// True for a lower bound, false for an upper one.
    pub is_least: bool,
    /// True if values never equal the bound.
    pub is_strict: bool,
}

/// Sort of a numeric value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    Scalar,
    Vector,
    Law,
}

/// One operator with its operands.
///
/// Other operators are expressed by these: `a - b` is `a + -1*b`, `a / b` is `a * b^-1`, `a div b`
/// is `floor(a * b^-1)`, `a > b` is `b < a`, `a != b` is `1 - (a == b)`, `!a` is `1 - a`. `a && b`
/// is `a * b` (or a conditional if `b` may be undefined), `a || b` is `1 - (1 - a)*(1 - b)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Node {
    Number(Rational),
    /// A parameter or an index.
    Symbol(Symbol),
    /// Two or more operands; none is an `Add`, at most one a number.
    Add(Box<[ExprId]>),
    /// Two or more operands; none is a `Mul`, at most one a number and at most one a vector.
    Mul(Box<[ExprId]>),
    Pow(ExprId, ExprId),
    /// Two or more operands; none is a `Max`.
    Max(Box<[ExprId]>),
    /// Two or more operands; none is a `Min`.
    Min(Box<[ExprId]>),
    Apply(Function, ExprId),
    /// `a mod b = a - b*floor(a/b)` for b > 0; undefined elsewhere.
    Mod(ExprId, ExprId),
    /// As many operands as its row says.
    Operate(Operation, Box<[ExprId]>),
    /// 1 if the relation holds, else 0 (Iverson bracket).
    Compare(Relation, ExprId, ExprId),
    /// Evaluates only the selected branch; the condition is 0 or 1.
    If(ExprId, ExprId, ExprId),
    Reduce(Reduction),
    /// `[e0, e1, ...]`: components 0, 1, ... of the array `fcfs`; an empty list is the zero vector.
    Vector(Box<[ExprId]>),
    /// `unitvec(array, k)`
    UnitVector(Symbol, ExprId),
    /// The largest component of a vector with one for each resource; at least 0.
    VectorMax(ExprId),
    /// An operator of laws with its operands.
    Law(LawKind, Box<[ExprId]>),
    /// A graph of tasks, or a part of one.
    Graph(GraphPart, Box<[ExprId]>),
    /// The value of an equation with arguments, by name; or the condition that it has one.
    Call(Symbol, Box<[ExprId]>),
    /// The cumulant of order 1 to 4 of a law: mean, variance, third, fourth.
    Cumulant(u8, ExprId),
    /// The least `x` with `P(X <= x) >= q`, of a law X and a number `0 < q < 1`.
    Quantile(ExprId, ExprId),
    /// The probability that a law lies on this side of a number.
    Probability(Side, ExprId, ExprId),
}

/// Kind of a [`Node::Graph`]. Only a longest path has a value.
///
/// A family of tasks is a [`Task`](GraphPart::Task) inside a [`ReduceKind::Each`] for each of its indices, outermost
/// first. A reference is an [`After`](GraphPart::After), nested in one range for each of its own indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GraphPart {
    /// The time at which the last task of the families ends. A task starts when its predecessors
    /// have ended.
    ///
    /// Labels are in [`Arena::labels`].
    LongestPath(Option<Symbol>),
    /// A time, and references to predecessors.
    Task,
    /// The task with these indices in the family of this index, if it exists and a condition holds.
    After(u32),
    /// All tasks of the family of this index, if a condition holds.
    AfterAll(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Relation {
    Less,
    LessEqual,
    Equal,
}

impl Relation {
    /// True if two values in this order are related so.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Less => order.is_lt(),
            Relation::LessEqual => order.is_le(),
            Relation::Equal => order.is_eq(),
        }
    }
}

/// Limit of the bits of numbers in expanded equations; others are mentioned by name.
///
/// Text that grows from one equation to the next is unreadable.
pub const LONGEST_NUMBER: u64 = 512;

/// `kind (index = lower, upper) { body }` over `lower, lower+1, ...` while `<= upper`.
///
/// Over an empty range a sum is 0 (or the zero vector), a product 1, anything else 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reduction {
    pub kind: ReduceKind,
    pub index: Symbol,
    pub lower: ExprId,
    pub upper: ExprId,
    pub body: ExprId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ReduceKind {
    Sum,
    Product,
    Max,
    Min,
    /// The k-th smallest; `k` is free of the index and in `1..=n`.
    Kth(ExprId),
    /// The largest of independent laws, one for each value of the index; 0 for none.
    LawMax,
    /// The smallest of independent laws.
    LawMin,
    /// The k-th smallest of independent laws.
    LawKth(ExprId),
    /// The tasks of a family, or its references; only inside a [`Node::Graph`].
    Each,
}

impl ReduceKind {
    /// The `k` of a k-th smallest.
    pub fn quorum(self) -> Option<ExprId> {
        match self {
            ReduceKind::Kth(quorum) | ReduceKind::LawKth(quorum) => Some(quorum),
            _ => None,
        }
    }

    /// This kind with another `k`.
    pub fn with_quorum(self, quorum: ExprId) -> ReduceKind {
        match self {
            ReduceKind::Kth(_) => ReduceKind::Kth(quorum),
            ReduceKind::LawKth(_) => ReduceKind::LawKth(quorum),
            other => other,
        }
    }
}
