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

/// A number of a record, with its declared facts.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: Name,
    pub facts: Vec<ParameterFact>,
}

/// `table name [: record] { row: values .. }` or `table name [: record] = "file"`
#[derive(Clone, Debug)]
pub struct Table {
    pub name: Name,
    /// The record; without one, the rows determine the fields.
    pub record: Option<Name>,
    /// The file with the rows.
    pub file: Option<Name>,
    pub rows: Vec<Row>,
    pub span: Span,
}

/// Values in the order of the fields, then values by name.
#[derive(Clone, Debug)]
pub struct Row {
    /// Name of the row; any text in files.
    pub name: Name,
    pub values: Vec<Expr>,
}

/// Name of the call that is the lower end of `(r in t)`, of the table.
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

    /// The table whose rows the range traverses, if any.
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
