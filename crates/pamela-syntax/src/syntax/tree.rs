//! The syntax tree that the parser makes and the printer writes.
//!
//! Chains (`a + b - c`, `a ; b ; c`) are flat, so their length does not become depth.

mod assertion;
mod graph;
mod large;
mod parts;
mod record;
mod relation;
mod spans;
mod unit;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Span;
use crate::ring::Rational;
use crate::special::MAX_ORDER;

pub use assertion::Assertion;
pub use graph::{Family, Graph, GraphPart, GraphPartMut, Recorded, Reference, Tracks};
pub use parts::{PartMut, parts_of_expr_mut, parts_of_process_mut};
pub use record::{Field, ROWS, Record, Row, Table};
pub use relation::Relation;
pub use spans::{spans_of_equation_mut, spans_of_expr_mut};
pub use unit::{DeclaredUnit, Meaning, Quantity, Unit, UnitPart};

/// A name with its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A model: its equations and assumptions in the order of the text, with included files in place.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub items: Vec<Item>,
    /// Files that are imported, directly or not, each once.
    pub libraries: Vec<Library>,
}

impl Model {
    /// A model without imports.
    pub fn of(items: Vec<Item>) -> Model {
        Model {
            items,
            libraries: Vec::new(),
        }
    }
}

/// An imported file, with a scope of its own.
#[derive(Clone, Debug)]
pub struct Library {
    /// Name of the file in messages.
    pub file: String,
    pub items: Vec<Item>,
}

/// The head of a library equation that nothing reaches yet.
#[derive(Clone, Debug)]
pub struct Later {
    pub kind: Type,
    pub name: Name,
    pub takes_arguments: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Item {
    Equation(Equation),
    Later(Box<Later>),
    /// `assume c1, c2`: relations between parameters.
    Assume(Vec<Expr>),
    Assert(Assertion),
    Import(Import),
    Record(Record),
    Table(Table),
    Unit(DeclaredUnit),
}

/// `import "path" [as name] [with (a = e, ..)]` or `from "path" import a, .. [with (a = e, ..)]`
#[derive(Clone, Debug)]
pub struct Import {
    pub path: Name,
    pub names: ImportedNames,
    /// Values of its parameters.
    pub given: Vec<(Name, Expr)>,
    /// Index among the libraries of the model.
    pub library: usize,
    pub span: Span,
}

/// How an importing file refers to what it imports.
#[derive(Clone, Debug)]
pub enum ImportedNames {
    /// As `name.x`; without `as`, the name is that of the file.
    Under(Option<Name>),
    /// Imported under their own names.
    Single(Vec<Name>),
}

/// The type word that begins an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Numeric,
    Process,
    Resource,
}

/// `type [parameter] name [(formals)] [: facts] [= value]`
#[derive(Clone, Debug)]
pub struct Equation {
    pub kind: Type,
    pub parameter: bool,
    /// True if closed forms keep its name.
    pub kept: bool,
    pub name: Name,
    pub formals: Vec<Name>,
    /// Defaults of the last formals, used if a call omits them.
    pub defaults: Vec<Expr>,
    /// Declared units of formals, by name.
    pub formal_units: Box<[(String, Unit)]>,
    /// Facts declared after `:`.
    pub facts: Vec<ParameterFact>,
    /// `None` for a parameter without a value.
    pub value: Option<Value>,
    /// The comment at the end of its last line, without `%`: the meaning and the unit of a
    /// parameter.
    pub comment: Option<String>,
    /// True if it belongs to a library or is the default of an argument, and so is not a result.
    pub auxiliary: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ParameterFact {
    Integer(Span),
    /// `>= e`, `<= e`, `> e` or `< e`.
    Bound(Relation, Expr),
    Law(Span),
    /// The parameter is one number that is not known; this law says what is known of it.
    Unknown(Box<Expr>),
    /// The process begins again at this rate, by a Poisson process: `open (rate) A`.
    Arrivals(Box<Expr>),
    /// `[us]`; also allowed for an equation that is not a parameter.
    Unit(Unit),
    /// The parameter is a row of this table, or a record of this form.
    Row(Name),
    /// `increasing` or `decreasing(x)`; only for kept functions.
    Monotone(Monotone),
}

/// Monotonicity of a function in single arguments.
#[derive(Clone, Debug)]
pub struct Monotone {
    pub direction: Direction,
    /// The named arguments; empty means all.
    pub formals: Vec<Name>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// The value never decreases when the argument increases.
    Increasing,
    /// The value never increases when the argument increases.
    Decreasing,
}

impl Monotone {
    /// True if it applies to an argument.
    pub fn speaks_of(&self, formal: &str) -> bool {
        self.formals.is_empty() || self.formals.iter().any(|own| own.text == formal)
    }
}

#[derive(Clone, Debug)]
pub enum Value {
    Numeric(Expr),
    Process(Process),
    /// A call such as `fcfs(0, 1)`, or the name of another resource.
    Resource(Expr),
}

impl Equation {
    /// The declared unit.
    pub fn unit(&self) -> Option<&Unit> {
        self.facts.iter().find_map(|fact| match fact {
            ParameterFact::Unit(unit) => Some(unit),
            _ => None,
        })
    }

    /// What is known of a parameter whose value is not.
    pub fn unknown(&self) -> Option<&Expr> {
        self.facts.iter().find_map(|fact| match fact {
            ParameterFact::Unknown(law) => Some(&**law),
            _ => None,
        })
    }

    /// The rate at which an open process begins.
    pub fn arrivals(&self) -> Option<&Expr> {
        self.facts.iter().find_map(|fact| match fact {
            ParameterFact::Arrivals(rate) => Some(&**rate),
            _ => None,
        })
    }

    /// The declared monotonicity in an argument.
    pub fn direction(&self, formal: &str) -> Option<Direction> {
        self.facts.iter().find_map(|fact| match fact {
            ParameterFact::Monotone(own) => own.speaks_of(formal).then_some(own.direction),
            _ => None,
        })
    }
}

/// A numeric expression (or a call or name where a resource is expected).
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Number(Rational),
    /// `5 [us]`
    Quantity(Box<Quantity>),
    /// A name without arguments.
    Name(String),
    /// `name(args)`: an equation with formals, a predefined function (`max`, `floor`, ...), a law,
    /// `unitvec`.
    Call(Name, Vec<Expr>),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    /// `first + a - b ...`; at least one further term.
    Sum(Box<Expr>, Vec<(AddOp, Expr)>),
    /// `first * a / b mod c ...`, from left to right; at least one further factor.
    Product(Box<Expr>, Vec<(MulOp, Expr)>),
    /// `base ^ exponent`, associating to the right.
    Power(Box<Expr>, Box<Expr>),
    /// `l < r`; comparisons do not chain.
    Compare(Relation, Box<Expr>, Box<Expr>),
    /// `a && b && ...`; at least two.
    And(Vec<Expr>),
    /// `a || b || ...`; at least two.
    Or(Vec<Expr>),
    /// `if (condition) then else otherwise`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `switch { c1: a1, ..., cn: an }`
    Switch(Vec<(Expr, Expr)>),
    /// `sum (i = a, b) { e }`, ...
    Reduce(Box<Reduction>),
    /// `graph { .. }` of numbers: the longest path.
    Graph(Box<Graph<Expr>>),
    /// `[e, ..., e]`
    Vector(Vec<Expr>),
    /// `"text"`: the file name of `empirical`.
    Text(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddOp {
    Add,
    Subtract,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MulOp {
    Multiply,
    /// `/`: real division.
    Divide,
    /// `mod`
    Modulo,
    /// `div`: floored division.
    FloorDivide,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    pub kind: ReduceKind,
    pub range: Range,
    pub body: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReduceKind {
    Sum,
    Product,
    Max,
    Min,
    /// `kth (k of i = a, b)`: the k-th smallest.
    Kth,
}

/// A range.
///
/// `([k of] i = a, b[, c])` is `a, a + c, a + 2*c, ...` up to `b`. `(r in t)` is the rows of a
/// table, see [`Range::rows`].
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Only with `kth` and `any`.
    pub quorum: Option<Expr>,
    pub index: Name,
    pub lower: Expr,
    pub upper: Expr,
    /// The step; `None` means 1.
    pub step: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub kind: ProcessKind,
    pub span: Span,
    /// `as comm`: the label of its time.
    pub label: Option<Box<Name>>,
}

#[derive(Clone, Debug)]
pub enum ProcessKind {
    Delay(Expr),
    /// `use(r, t)`
    Use(Expr, Expr),
    /// `use(r) { a }`
    Hold(Expr, Box<Process>),
    /// `a ; b ; ...`; at least two.
    Sequence(Vec<Process>),
    /// `a || b || ...`; at least two.
    Parallel(Vec<Process>),
    /// `a <> b <> ...`; at least two.
    Any(Vec<Process>),
    /// `seq`, `par`, `any` with a range.
    Replicate(Box<Replication>),
    /// `graph { .. }`
    Graph(Box<Graph<Process>>),
    /// `if (c) L [else L]`
    If(Expr, Box<Process>, Option<Box<Process>>),
    Switch(Vec<(Expr, Process)>),
    /// `name` or `name(args)`
    Call(Name, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub struct Replication {
    pub kind: Composition,
    pub range: Range,
    pub body: Process,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Composition {
    Sequence,
    Parallel,
    Any,
}

/// A file of rewrite rules (`rules/*.rules`).
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    pub rules: Vec<Rule>,
    pub functions: Vec<Function>,
}

/// Name of the call for `..e`: each element of a list.
pub const SPREAD: &str = "..";

/// Name of the call for an argument `x = e`, of `x` and `e`.
pub const NAMED: &str = "=";

/// Name of the call for a point `x: y` of `steps` and `linear`, of `x` and `y`.
pub const POINT: &str = ":";

/// A function that rules may call.
///
/// `fn name(x, ..r) -> (y, ..s) "doc" [ensures e, ...]` has code of the same name.
/// `fn name(x) = e "doc"` is text.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub doc: String,
    /// Names and lists of names.
    pub formals: Vec<Expr>,
    pub results: Vec<Expr>,
    /// Properties of the results.
    pub ensures: Vec<Expr>,
    /// The body, if the function is text.
    pub value: Option<Expr>,
    pub span: Span,
}

/// `let (y, ..s) = f(x)`: patterns and the expression that they match.
#[derive(Clone, Debug)]
pub struct Let {
    pub results: Vec<Expr>,
    pub value: Expr,
}

/// A rewrite rule.
///
/// ```text
/// rule name "doc" left => right [law X, ...] [truth c, ...] [let p = f(x)]*
///   [when g, ...] [assume g, ...] [kept g, ... "why"] [repeat] [last]
/// builtin name ... [law X, ...] ... [example e, ...]
/// ```
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: Name,
    pub doc: String,
    /// True if code with the rule's name applies the rule; the text documents it.
    pub builtin: bool,
    pub left: Expr,
    pub right: Expr,
    /// Variables for laws.
    pub laws: Vec<Name>,
    /// Variables for comparisons.
    pub truths: Vec<Name>,
    /// Computed in this order after the left side has matched.
    pub lets: Vec<Let>,
    /// True if the result is matched again; only the last result counts.
    pub repeat: bool,
    /// True if the rule is tried only when nothing else closes a term.
    pub last: bool,
    pub when: Vec<Guard>,
    pub assume: Vec<Guard>,
    /// Further assumptions, which equality does not need; each clause gives a reason.
    pub kept: Vec<Kept>,
    /// Terms of the form of the left side, for a builtin whose text describes them in words.
    pub examples: Vec<Expr>,
    pub span: Span,
}

/// `kept g, ... "reason"`
#[derive(Clone, Debug)]
pub struct Kept {
    pub guards: Vec<Guard>,
    pub reason: String,
}

#[derive(Clone, Debug)]
pub enum Guard {
    /// `i notin e`
    NotIn(Name, Expr),
    /// A relation (`b >= a - 1`) or a predicate (`integer(b - a)`).
    Holds(Expr),
}

/// The order `k` of `H(n, k)`, if it is a literal number from 1 to [`MAX_ORDER`].
pub fn order_of_harmonic(order: &Expr) -> Option<u32> {
    match &order.kind {
        ExprKind::Number(value) => value
            .to_i64()
            .and_then(|k| u32::try_from(k).ok())
            .filter(|k| (1..=MAX_ORDER).contains(k)),
        _ => None,
    }
}
