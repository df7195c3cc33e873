//! Records, and tables of them.

use super::{Expr, ExprKind, Name, ParameterFact, Range};
use crate::diagnostic::Span;
use crate::ring::Rational;

/// `record name { field : facts, .. }`
#[derive(Clone, Debug)]
pub struct Record {
    pub name: Name,
    pub fields: Vec<Field>,
    pub span: Span,
}

/// A number of a record, and what is declared of it.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Name,
    pub facts: Vec<ParameterFact>,
}

/// `table name [: record] { row: values .. }` or `table name [: record] = "file"`
#[derive(Clone, Debug)]
pub struct Table {
    pub name: Name,
    /// Without one, the rows say which fields there are.
    pub record: Option<Name>,
    /// The file that has the rows.
    pub file: Option<Name>,
    pub rows: Vec<Row>,
    pub span: Span,
}

/// Values in the order of the fields, and then by their names.
#[derive(Clone, Debug)]
pub struct Row {
    /// In files any text.
    pub name: Name,
    pub values: Vec<Expr>,
}

/// The name of the call that the lower end of `(r in t)` is: of the table.
pub const ROWS: &str = "in";

impl Range {
    /// `(index in table)`
    pub fn over_rows(index: Name, table: Name) -> Range {
        let end = |kind| Expr {
            kind,
            span: table.span,
        };
        let sign = Name {
            text: ROWS.to_owned(),
            span: table.span,
        };
        let path = end(ExprKind::Name(table.text.clone()));
        Range {
            quorum: None,
            index,
            lower: end(ExprKind::Call(sign, vec![path])),
            upper: end(ExprKind::Number(Rational::from(0))),
            step: None,
        }
    }

    /// The table through whose rows it goes, if it does.
    pub fn rows(&self) -> Option<&str> {
        match &self.lower.kind {
            ExprKind::Call(sign, parts) if sign.text == ROWS => match &parts[..] {
                [
                    Expr {
                        kind: ExprKind::Name(table),
                        ..
                    },
                ] => Some(table),
                _ => None,
            },
            _ => None,
        }
    }
}
