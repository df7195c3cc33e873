//! The one intermediate representation: typed, flat, hash-consed.
//!
//! Timing produces it, the algebra rewrites it, the printers print it and the evaluator compiles it.
//! Expressions live in an [`Arena`] and are named by [`ExprId`]s; equal expressions have equal ids.
//! Constructors only flatten, order and fold constants; what is equal by algebra is the algebra's business.
//!
//! **Binders.** The index of a reduction is a [`Symbol`] that stands for the *height* of its binder
//! (how many binders are nested in its body) together with its *range*. So two reductions that differ
//! in the name of their index are one expression, an index never captures another, and the range of an
//! index is known wherever the index is met.

mod arena;
mod facts;
mod order;
mod substitute;

pub use arena::Arena;

use crate::ring::Rational;

/// An expression in an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(u32);

impl ExprId {
    /// The position in the arena, for tables indexed by expression and for the ring's atoms.
    pub fn index(self) -> u32 {
        self.0
    }

    /// The inverse of [`ExprId::index`].
    pub fn from_index(index: u32) -> ExprId {
        ExprId(index)
    }
}

/// A parameter, an index or a resource array, named in an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

/// What a [`Symbol`] stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A parameter of the model, or a resource array.
    Named(String),
    /// The index of a binder whose body holds `height` nested binders, running over `lower..=upper`.
    Index {
        height: u32,
        lower: ExprId,
        upper: ExprId,
    },
    /// An index while its binder is being built; never inside a finished expression.
    Fresh(u32),
}

/// The three sorts of numeric value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    Scalar,
    Vector,
    Law,
}

/// One operator with its operands.
///
/// Absent operators are spelled with those present: `a - b` is `a + -1*b`, `a / b` is `a * b^-1`,
/// `a div b` is `floor(a * b^-1)`, `a > b` is `b < a`, `a != b` is `1 - (a == b)`, `!a` is `1 - a`,
/// `a && b` is `a * b` (or a conditional where `b` may be undefined), `a || b` is `1 - (1 - a)*(1 - b)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Number(Rational),
    /// A parameter or an index.
    Symbol(Symbol),
    /// Two or more operands, none of them an `Add`, at most one a number.
    Add(Box<[ExprId]>),
    /// Two or more operands, none of them a `Mul`, at most one a number; at most one vector.
    Mul(Box<[ExprId]>),
    Pow(ExprId, ExprId),
    /// Two or more operands, none of them a `Max`.
    Max(Box<[ExprId]>),
    /// Two or more operands, none of them a `Min`.
    Min(Box<[ExprId]>),
    Apply(Function, ExprId),
    /// `a mod b = a - b*floor(a/b)` for b > 0; undefined elsewhere.
    Mod(ExprId, ExprId),
    /// 1 where the relation holds, else 0 (an Iverson bracket).
    Compare(Relation, ExprId, ExprId),
    /// Evaluates only the chosen branch; the condition is 0 or 1.
    If(ExprId, ExprId, ExprId),
    Reduce(Reduction),
    /// `[e0, e1, ...]`: components 0, 1, ... of the array `fcfs`; the empty one is the zero vector.
    Vector(Box<[ExprId]>),
    /// `unitvec(array, k)`
    UnitVector(Symbol, ExprId),
    /// `max(v)`: the largest component.
    VectorMax(ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    Floor,
    Ceil,
    Abs,
    Sqrt,
    Log,
    Exp,
    /// 1 where the operand is an integer, else 0.
    Integer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    Less,
    LessEqual,
    Equal,
}

/// `kind (index = lower, upper) { body }`, over `lower, lower+1, ...` while `<= upper`.
///
/// Empty: a sum is 0 (the zero vector), a product 1, the others 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    pub kind: ReduceKind,
    pub index: Symbol,
    pub lower: ExprId,
    pub upper: ExprId,
    pub body: ExprId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReduceKind {
    Sum,
    Product,
    Max,
    Min,
    /// The k-th smallest, `k` free of the index and in `1..=n`.
    Kth(ExprId),
}
