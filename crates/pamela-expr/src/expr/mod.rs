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
mod construction;
mod derived;
mod domain;
mod facts;
mod law;
mod mention;
mod moment;
mod order;
mod saved;
mod substitute;
mod symbols;

pub use arena::Arena;
use derived::rational_power;
pub use derived::root_of_number;
pub use law::{LawKind, LawName};
pub use moment::Moment;
pub use symbols::base_of;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::law::Sampled;
use crate::ring::Rational;
use crate::special;
use crate::syntax::tree::Direction;

/// An expression in an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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

/// A parameter, an index, a resource array or a file of samples, named in an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Symbol(u32);

/// What a [`Symbol`] stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SymbolKind {
    /// A parameter of the model, or a resource array.
    Named(String),
    /// The index of a binder whose body holds `height` nested binders, running over `lower..=upper`.
    Index {
        height: u32,
        lower: ExprId,
        upper: ExprId,
    },
    /// The value of an equation that is not written out.
    Definition(Arc<Defined>),
    /// 1 where that equation has a value: what is asked for before its value is used where it was not.
    HasValue(Arc<Defined>),
    /// An index while its binder is being built; never inside a finished expression.
    Fresh(u32),
    /// The samples in a column of a file.
    Samples(Arc<Sampled>),
}

/// An equation that others mention by name, with what is known of its value from its construction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Defined {
    /// As in [`SymbolKind::Named`]: no parameter has the same name.
    pub name: String,
    /// A scalar or a law.
    pub sort: Sort,
    /// It is 0 or 1.
    pub boolean: bool,
    /// It has a value for all values of the parameters.
    pub total: bool,
    /// Its name stays, however small its value is.
    #[serde(default)]
    pub kept: bool,
    /// How its value is declared to move with each argument.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub directions: Box<[Option<Direction>]>,
    /// Numbers that its values are declared to be between.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub limits: Box<[Limit]>,
}

/// A number that no value passes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limit {
    pub number: Rational,
    /// Values are above it, else below.
    pub is_least: bool,
    /// None is the number itself.
    pub is_strict: bool,
}

/// The three sorts of numeric value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// The greatest common divisor of two whole numbers, 0 of 0 and 0; in order.
    CommonDivisor([ExprId; 2]),
    /// The sum of `i^p * floor((a*i + b) / m)^q` for `i = 0, .., n - 1`, of `[n, m, a, b, p, q]`.
    FloorSum([ExprId; 6]),
    /// 1 where the relation holds, else 0 (an Iverson bracket).
    Compare(Relation, ExprId, ExprId),
    /// Evaluates only the chosen branch; the condition is 0 or 1.
    If(ExprId, ExprId, ExprId),
    Reduce(Reduction),
    /// `[e0, e1, ...]`: components 0, 1, ... of the array `fcfs`; the empty one is the zero vector.
    Vector(Box<[ExprId]>),
    /// `unitvec(array, k)`
    UnitVector(Symbol, ExprId),
    /// The largest component of a vector that has one for each resource: at least 0.
    VectorMax(ExprId),
    /// An operator of laws over its operands.
    Law(LawKind, Box<[ExprId]>),
    /// A graph of tasks, or a part of one.
    Graph(GraphPart, Box<[ExprId]>),
    /// The value of an equation with arguments, by its name; or that it has one.
    Call(Symbol, Box<[ExprId]>),
    /// The cumulant of order 1 to 4 of a law: mean, variance, third, fourth.
    Cumulant(u8, ExprId),
}

/// What a [`Node::Graph`] is. Only a longest path has a value.
///
/// A family of tasks is a [`Task`](GraphPart::Task) within a [`ReduceKind::Each`] for each of its indices, outermost
/// first; a reference is an [`After`](GraphPart::After) within one for each of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GraphPart {
    /// Of families of tasks: when the last of them ends, where each begins when those that it waits for have ended. Where
    /// they have labels, see [`Arena::labels`].
    LongestPath(Option<Symbol>),
    /// A time, and references to what the task waits for.
    Task,
    /// Where a condition holds, the task of the family of this number that has these indices, if there is one.
    After(u32),
    /// Where a condition holds, all tasks of the family of this number.
    AfterAll(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Function {
    Floor,
    Ceil,
    Abs,
    Sqrt,
    Log,
    Exp,
    /// 1 where the operand is an integer, else 0.
    Integer,
    /// `H(n, k) = 1/1^k + ... + 1/n^k` of the order `k >= 1`, for whole `n >= 0`.
    Harmonic(u32),
    /// `n!`, for whole `n >= 0`.
    Factorial,
    /// `log(gamma(x))`, for `x > 0`.
    LogGamma,
}

impl Function {
    /// The function that the language calls `name`, except those of several arguments.
    pub fn named(name: &str) -> Option<Function> {
        Some(match name {
            "floor" => Function::Floor,
            "ceil" => Function::Ceil,
            "abs" => Function::Abs,
            "sqrt" => Function::Sqrt,
            "log" => Function::Log,
            "exp" => Function::Exp,
            "integer" => Function::Integer,
            "H" => Function::Harmonic(1),
            "fact" => Function::Factorial,
            "lgamma" => Function::LogGamma,
            _ => return None,
        })
    }

    /// What the language calls the function; the order of a harmonic number is an argument of its own.
    pub fn name(self) -> &'static str {
        match self {
            Function::Floor => "floor",
            Function::Ceil => "ceil",
            Function::Abs => "abs",
            Function::Sqrt => "sqrt",
            Function::Log => "log",
            Function::Exp => "exp",
            Function::Integer => "integer",
            Function::Harmonic(_) => "H",
            Function::Factorial => "fact",
            Function::LogGamma => "lgamma",
        }
    }

    /// Whether it is defined for every number.
    pub fn is_total(self) -> bool {
        match self {
            Function::Floor
            | Function::Ceil
            | Function::Abs
            | Function::Exp
            | Function::Integer => true,
            Function::Sqrt
            | Function::Log
            | Function::Harmonic(_)
            | Function::Factorial
            | Function::LogGamma => false,
        }
    }

    /// The value at a number, where that is exact, defined and short.
    pub fn exact(self, value: &Rational) -> Option<Rational> {
        let count = |most: u64| {
            let n = value.to_i64().and_then(|n| u64::try_from(n).ok())?;
            (n <= most).then_some(n)
        };
        match self {
            Function::Floor => Some(value.floor()),
            Function::Ceil => Some(value.ceil()),
            Function::Abs => Some(value.abs()),
            Function::Integer => Some(Rational::from(i64::from(value.is_integer()))),
            Function::Log => value.is_one().then_some(Rational::ZERO),
            Function::Exp => value.is_zero().then_some(Rational::ONE),
            Function::Sqrt if value.is_zero() => Some(Rational::ZERO),
            Function::Sqrt => rational_power(value, &Rational::new(1, 2)?),
            Function::Harmonic(k) => {
                let n = count(MAX_FOLDED / u64::from(k))?;
                Some(Rational::from(special::exact_harmonic(n, k)))
            }
            Function::Factorial => {
                Some(Rational::from(special::exact_factorial(count(MAX_FOLDED)?)))
            }
            Function::LogGamma => {
                (value.is_one() || *value == Rational::from(2)).then_some(Rational::ZERO)
            }
        }
    }
}

/// Special functions of greater numbers stay as they are: their values are long.
const MAX_FOLDED: u64 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Relation {
    Less,
    LessEqual,
    Equal,
}

/// Equations with a number of more bits are mentioned by name, not written out: text that grows from one to the next
/// is read by no one.
pub const LONGEST_NUMBER: u64 = 512;

/// `kind (index = lower, upper) { body }`, over `lower, lower+1, ...` while `<= upper`.
///
/// Empty: a sum is 0 (the zero vector), a product 1, the others 0.
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
    /// The k-th smallest, `k` free of the index and in `1..=n`.
    Kth(ExprId),
    /// The largest of independent laws, one for each value of the index; 0 of none.
    LawMax,
    /// The smallest of them.
    LawMin,
    /// The k-th smallest of them.
    LawKth(ExprId),
    /// The tasks of a family, or its references; only in a [`Node::Graph`].
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

    /// The same kind with another `k`.
    pub fn with_quorum(self, quorum: ExprId) -> ReduceKind {
        match self {
            ReduceKind::Kth(_) => ReduceKind::Kth(quorum),
            ReduceKind::LawKth(_) => ReduceKind::LawKth(quorum),
            other => other,
        }
    }
}
