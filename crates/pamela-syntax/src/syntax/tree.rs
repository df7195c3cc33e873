//! The syntax tree: what the parser makes and the printer writes.
//!
//! Chains (`a + b - c`, `a ; b ; c`) are flat, so that their length never becomes depth.

mod graph;
mod large;
mod record;
mod relation;
mod unit;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Span;
use crate::ring::Rational;
use crate::special::MAX_ORDER;

pub use graph::{Family, Graph, GraphPart, GraphPartMut, Recorded, Reference, Tracks};
pub use record::{Field, ROWS, Record, Row, Table};
pub use relation::Relation;
pub use unit::{DeclaredUnit, Meaning, Quantity, Unit, UnitPart};

/// A name with its place.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A model: its equations and assumptions in the order of the text, included files in place.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub items: Vec<Item>,
    /// The files that it imports, and those that these import, each once.
    pub libraries: Vec<Library>,
}

impl Model {
    /// A model that imports nothing.
    pub fn of(items: Vec<Item>) -> Model {
        Model {
            items,
            libraries: Vec::new(),
        }
    }
}

/// A file that is imported, with a scope of its own.
#[derive(Clone, Debug)]
pub struct Library {
    /// As messages show it.
    pub file: String,
    pub items: Vec<Item>,
}

/// An equation of a library that nothing reaches so far, by its head.
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
    /// `assume c1, c2`: each a relation between parameters.
    Assume(Vec<Expr>),
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
    /// What its parameters stand for.
    pub given: Vec<(Name, Expr)>,
    /// Among the libraries of the model.
    pub library: usize,
    pub span: Span,
}

/// How an importing file reaches what it imports.
#[derive(Clone, Debug)]
pub enum ImportedNames {
    /// As `name.x`; without `as` the name is that of the file.
    Under(Option<Name>),
    /// These, by their own names.
    Single(Vec<Name>),
}

/// The type word that an equation begins with.
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
    /// It stands by its name in closed forms.
    pub kept: bool,
    pub name: Name,
    pub formals: Vec<Name>,
    /// What the last so many formals stand for where a call leaves them out.
    pub defaults: Vec<Expr>,
    /// The units that are declared of formals, by their names.
    pub formal_units: Box<[(String, Unit)]>,
    /// What is declared of a parameter after `:`.
    pub facts: Vec<ParameterFact>,
    /// Absent for a parameter declared without a value.
    pub value: Option<Value>,
    /// What the comment at the end of its last line says, without the `%`: of a parameter its meaning and its unit.
    pub comment: Option<String>,
    /// It is of a library, or gives an argument its default: no result of the model.
    pub auxiliary: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ParameterFact {
    Integer(Span),
    /// `>= e`, `<= e`, `> e` or `< e`.
    Bound(Relation, Expr),
    Law(Span),
    /// `[us]`: also of an equation that is no parameter.
    Unit(Unit),
    /// The parameter is a row of this table, or a record of this form.
    Row(Name),
    /// `increasing` or `decreasing(x)`: only of a function that is kept.
    Monotone(Monotone),
}

/// How the value of a function moves with its arguments, each by itself.
#[derive(Clone, Debug)]
pub struct Monotone {
    pub direction: Direction,
    /// Those that are named; all of them where none is.
    pub formals: Vec<Name>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// The value never falls where the argument grows.
    Increasing,
    /// The value never rises where the argument grows.
    Decreasing,
}

impl Monotone {
    /// Whether it speaks of an argument.
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
    /// The unit that is declared of it.
    pub fn unit(&self) -> Option<&Unit> {
        self.facts.iter().find_map(|fact| match fact {
            ParameterFact::Unit(unit) => Some(unit),
            _ => None,
        })
    }

    /// How its value is declared to move with an argument.
    pub fn direction(&self, formal: &str) -> Option<Direction> {
        self.facts.iter().find_map(|fact| match fact {
            ParameterFact::Monotone(own) => own.speaks_of(formal).then_some(own.direction),
            _ => None,
        })
    }
}

/// A numeric expression (or, in the place of a resource, a call or name).
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(Rational),
    /// `5 [us]`
    Quantity(Box<Quantity>),
    /// A name without arguments.
    Name(String),
    /// `name(args)`: an equation with formals, a built-in function (`max`, `floor`, ...), a law, `unitvec`.
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
    /// `if (condition) then else otherwise`
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

#[derive(Clone, Debug)]
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

/// `([k of] i = a, b[, c])`: `a, a + c, a + 2*c, ...` up to `b`; or `(r in t)`, the rows of a table: [`Range::rows`].
#[derive(Clone, Debug)]
pub struct Range {
    /// Only with `kth` and `any`.
    pub quorum: Option<Expr>,
    pub index: Name,
    pub lower: Expr,
    pub upper: Expr,
    /// 1 where it is not written.
    pub step: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub kind: ProcessKind,
    pub span: Span,
    /// `as comm`: what its time is for.
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

/// The name of the call that `..e` is: each element of a list.
pub const SPREAD: &str = "..";

/// The name of the call that an argument `x = e` is: of `x` and `e`.
pub const NAMED: &str = "=";

/// The name of the call that a point `x: y` of `steps` and `linear` is: of `x` and `y`.
pub const POINT: &str = ":";

/// What a rule may compute: `fn name(x, ..r) -> (y, ..s) "doc" [ensures e, ...]`, whose code has the name, or
/// `fn name(x) = e "doc"`.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub doc: String,
    /// Names, and lists of them.
    pub formals: Vec<Expr>,
    pub results: Vec<Expr>,
    /// Of the results, where the function has some.
    pub ensures: Vec<Expr>,
    /// What the function is, where it is text.
    pub value: Option<Expr>,
    pub span: Span,
}

/// `let (y, ..s) = f(x)`: patterns, and what they are matched with.
#[derive(Clone, Debug)]
pub struct Let {
    pub results: Vec<Expr>,
    pub value: Expr,
}

/// `rule name "doc" left => right [law X, ...] [truth c, ...] [let p = f(x)]* [when g, ...] [assume g, ...]
/// [kept g, ... "why"] [repeat] [last]`, or `builtin name ... [law X, ...] ... [example e, ...]`
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: Name,
    pub doc: String,
    /// The applier is code with the rule's name; the text states what it does.
    pub builtin: bool,
    pub left: Expr,
    pub right: Expr,
    /// The variables that stand for laws.
    pub laws: Vec<Name>,
    /// Those that stand for comparisons.
    pub truths: Vec<Name>,
    /// What is computed once left has matched, in this order.
    pub lets: Vec<Let>,
    /// What it makes is matched again, and only the last result counts.
    pub repeat: bool,
    /// It is tried only where nothing else closes a term.
    pub last: bool,
    pub when: Vec<Guard>,
    pub assume: Vec<Guard>,
    /// Assumed as well, though equality asks for none of them: each clause says why.
    pub kept: Vec<Kept>,
    /// Terms of the form of the left side, for a builtin whose text says in words what it recognises.
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

/// The order `k` of `H(n, k)`: a number from 1 to [`MAX_ORDER`], as it stands.
pub fn order_of_harmonic(order: &Expr) -> Option<u32> {
    match &order.kind {
        ExprKind::Number(value) => value
            .to_i64()
            .and_then(|k| u32::try_from(k).ok())
            .filter(|k| (1..=MAX_ORDER).contains(k)),
        _ => None,
    }
}
