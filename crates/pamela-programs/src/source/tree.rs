//! Syntax trees of C programs, reduced to control flow, integers and calls.

use std::collections::BTreeMap;

use super::Pragma;
use crate::problem::Place;

/// Bytes of the preprocessed text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

/// The functions and variables of one or more files.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub functions: Vec<Function>,
    pub globals: Vec<Variable>,
    /// Members of structures by their names.
    pub members: BTreeMap<String, Member>,
    /// Enumeration constants; those without an explicit value have one here.
    pub constants: Vec<(String, Expression)>,
    /// Values of the macros that are kept as parameters.
    pub defaults: Vec<(String, String)>,
    /// Pragmas outside of functions.
    pub pragmas: Vec<Pragma>,
}

/// A member of a structure, or of all structures with a member of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub kind: Kind,
    /// The kind without pointers and brackets.
    pub base: Kind,
}

impl Member {
    /// Combines two members with the same name: whole numbers win, since they are usually sizes, and of these the one that
    /// holds less.
    pub fn or(self, other: Member) -> Member {
        let either = |a: Kind, b: Kind| match (a, b) {
            (a, b) if a == b => a,
            // One is a truth value and the other a number: neither kind holds for both.
            (Kind::Integer { bits: 1, .. }, Kind::Integer { .. })
            | (Kind::Integer { .. }, Kind::Integer { bits: 1, .. }) => Kind::Other,
            (Kind::Integer { bits: own, .. }, Kind::Integer { bits: other, .. })
                if other < own && other < 32 =>
            {
                b
            }
            (Kind::Real, _) | (_, Kind::Real) => Kind::Real,
            (Kind::Integer { .. }, _) => a,
            _ => b,
        };
        let base = if self.base == other.base {
            self.base
        } else {
            Kind::Other
        };
        Member {
            kind: either(self.kind, other.kind),
            base,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Kind of the return value.
    pub kind: Kind,
    pub formals: Vec<Variable>,
    pub body: Statement,
    /// Pragmas before the function.
    pub pragmas: Vec<Pragma>,
    pub span: Span,
    pub place: Place,
    /// First place that the parser did not understand.
    pub broken: Option<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers with this many bits; unsigned ones wrap around below 0.
    Integer {
        signed: bool,
        bits: u8,
    },
    Real,
    /// Pointers, arrays, structures.
    Other,
}

impl Kind {
    pub const INT: Kind = Kind::Integer {
        signed: true,
        bits: 32,
    };

    /// True if arithmetic on this kind wraps around below 0; shorter unsigned numbers become an `int`.
    pub fn wraps(self) -> bool {
        matches!(self, Kind::Integer { signed: false, bits } if bits >= 32)
    }
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// For an array, the kind of its elements.
    pub element: Option<Kind>,
    pub value: Option<Expression>,
    /// The kind without pointers and brackets: `int` for `int *a`.
    pub base: Kind,
    pub is_pointer: bool,
    /// A static variable, which keeps its value between calls.
    pub is_static: bool,
    /// An extern variable, set elsewhere.
    pub is_extern: bool,
    /// A volatile variable, whose value may change at any time.
    pub is_volatile: bool,
    pub is_constant: bool,
    pub span: Span,
}

impl Variable {
    /// A variable without a value.
    pub fn plain(name: String, kind: Kind, span: Span) -> Variable {
        Variable {
            name,
            kind,
            element: None,
            value: None,
            base: kind,
            is_pointer: false,
            is_static: false,
            is_extern: false,
            is_volatile: false,
            is_constant: false,
            span,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExpressionKind {
    Number(String),
    Name(String),
    Call(Box<Expression>, Vec<Expression>),
    /// `-`, `+`, `!`, `~`, `*`, `&`.
    Unary(String, Box<Expression>),
    /// `i++`: the increment 1 or -1, and whether the result is the old value.
    Update {
        by: i8,
        after: bool,
        place: Box<Expression>,
    },
    Binary(String, Box<Expression>, Box<Expression>),
    /// `=`, `+=`, ..
    Assign(String, Box<Expression>, Box<Expression>),
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    Index(Box<Expression>, Box<Expression>),
    /// `m.rows`, or `m->rows` with an arrow.
    Field {
        of: Box<Expression>,
        name: String,
        arrow: bool,
    },
    /// `sizeof(struct point)`: the text, and the number of bytes for a plain number.
    Size(String, Option<i64>),
    Cast(Kind, Box<Expression>),
    Comma(Box<Expression>, Box<Expression>),
    /// Any other expression; its parts are searched for calls and assignments.
    Other(Vec<Expression>),
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    /// Pragmas before the statement, in order.
    pub pragmas: Vec<Pragma>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Block(Vec<Statement>),
    Expression(Expression),
    Declaration(Vec<Variable>),
    If {
        condition: Expression,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    For {
        first: Box<Statement>,
        condition: Option<Expression>,
        update: Option<Expression>,
        body: Box<Statement>,
    },
    While {
        condition: Expression,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Expression,
    },
    Switch {
        value: Expression,
        cases: Vec<Case>,
    },
    Break,
    Continue,
    Return(Option<Expression>),
    Goto(String),
    Label(String),
    /// A standalone pragma, or an empty statement.
    Empty,
    /// Code that was not understood.
    Broken,
}

/// `case 1: ..` or, without a value, `default: ..`.
#[derive(Clone, Debug)]
pub struct Case {
    pub value: Option<Expression>,
    pub body: Vec<Statement>,
}

impl Expression {
    /// The parts of an expression in evaluation order, as far as C defines it.
    pub fn parts(&self) -> Vec<&Expression> {
        use ExpressionKind::*;
        match &self.kind {
            Number(_) | Name(_) | Size(..) => Vec::new(),
            Call(function, arguments) => std::iter::once(&**function).chain(arguments).collect(),
            Unary(_, a) | Field { of: a, .. } | Cast(_, a) | Update { place: a, .. } => vec![a],
            Binary(_, a, b) | Assign(_, a, b) | Index(a, b) | Comma(a, b) => vec![a, b],
            Conditional(c, a, b) => vec![c, a, b],
            Other(parts) => parts.iter().collect(),
        }
    }

    /// Calls `visit` with this expression and all of its parts.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        visit(self);
        self.parts().into_iter().for_each(|part| part.walk(visit));
    }

    pub fn name(&self) -> Option<&str> {
        match &self.kind {
            ExpressionKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The variable that stores a value, or an element of an array by number, `size[0]`.
    pub fn place(&self) -> Option<String> {
        match &self.kind {
            ExpressionKind::Name(name) => Some(name.clone()),
            ExpressionKind::Index(array, index) => match &index.kind {
                ExpressionKind::Number(index) => Some(format!("{}[{index}]", array.name()?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The member that is assigned or addressed: `rows` for `m->rows` and for `m->rows[i]`.
    pub fn member(&self) -> Option<&str> {
        match &self.kind {
            ExpressionKind::Field { name, .. } => Some(name),
            ExpressionKind::Cast(_, inner) => inner.member(),
            _ => None,
        }
    }

    /// The array of an element.
    pub fn array(&self) -> Option<&str> {
        match &self.kind {
            ExpressionKind::Index(array, _) => array.name(),
            _ => None,
        }
    }
}

impl Statement {
    /// The direct inner statements, in order.
    pub fn inner(&self) -> Vec<&Statement> {
        use StatementKind::*;
        match &self.kind {
            Block(statements) => statements.iter().collect(),
            If {
                then, otherwise, ..
            } => std::iter::once(&**then)
                .chain(otherwise.as_deref())
                .collect(),
            For { first, body, .. } => vec![first, body],
            While { body, .. } | DoWhile { body, .. } => vec![body],
            Switch { cases, .. } => cases.iter().flat_map(|case| &case.body).collect(),
            _ => Vec::new(),
        }
    }

    /// The expressions of this statement, without those of inner statements.
    pub fn expressions(&self) -> Vec<&Expression> {
        use StatementKind::*;
        match &self.kind {
            Expression(e) | Return(Some(e)) => vec![e],
            Declaration(variables) => variables.iter().filter_map(|v| v.value.as_ref()).collect(),
            If { condition, .. } | While { condition, .. } | DoWhile { condition, .. } => {
                vec![condition]
            }
            For {
                condition, update, ..
            } => condition.iter().chain(update).collect(),
            Switch { value, .. } => vec![value],
            _ => Vec::new(),
        }
    }

    /// Calls `visit` with this statement and all inside of it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Statement)) {
        visit(self);
        self.inner().into_iter().for_each(|inner| inner.walk(visit));
    }

    /// Calls `visit` with each expression in this statement and in those inside of it.
    pub fn walk_expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        self.walk(&mut |statement| {
            for expression in statement.expressions() {
                expression.walk(visit);
            }
        });
    }

    pub fn is(&self, pragma: &str) -> bool {
        self.pragmas
            .iter()
            .any(|p| p.is(super::Family::Pamela, pragma))
    }
}
