//! Expands loops over the rows of a table.

use super::Linker;
use super::forms::RowAt;
use super::records::Local;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::ring::Rational;
use crate::syntax::tree::{
    AddOp, Composition, Expr, ExprKind, MulOp, Name, Process, ProcessKind, Range, ReduceKind,
    Reduction, Replication,
};

/// Loops through more rows are not written out.
const MAX_ROWS: usize = 10_000;

type Written<T> = Result<T, Box<Diagnostic>>;

impl Linker {
    pub(super) fn over_rows(
        &mut self,
        instance: usize,
        reduction: &Reduction,
        span: Span,
        locals: &mut Vec<Local>,
    ) -> Written<Expr> {
        let body = (&reduction.body, reduction.body.span);
        let mut bodies = self.bodies(instance, &reduction.range, body, locals, Linker::expr)?;
        let number = |value: i64| Expr {
            kind: ExprKind::Number(Rational::from(value)),
            span,
        };
        if bodies.len() == 1 {
            return Ok(bodies.remove(0));
        }
        let extremum = |name: &str, bodies| {
            let text = name.to_owned();
            Ok(ExprKind::Call(Name { text, span }, bodies))
        };
        let kind = match (reduction.kind, bodies.is_empty()) {
            (ReduceKind::Sum, true) => return Ok(number(0)),
            (ReduceKind::Product, true) => return Ok(number(1)),
            (_, true) => return Err(no_rows(&reduction.range, "an extremum")),
            (ReduceKind::Sum, _) => {
                let rest = bodies.split_off(1).into_iter();
                let rest = rest.map(|body| (AddOp::Add, body)).collect();
                Ok(ExprKind::Sum(Box::new(bodies.remove(0)), rest))
            }
            (ReduceKind::Product, _) => {
                let rest = bodies.split_off(1).into_iter();
                let rest = rest.map(|body| (MulOp::Multiply, body)).collect();
                Ok(ExprKind::Product(Box::new(bodies.remove(0)), rest))
            }
            (ReduceKind::Max, _) => extremum("max", bodies),
            (ReduceKind::Min, _) => extremum("min", bodies),
            (ReduceKind::Kth, _) => Err(no_rows(&reduction.range, "a rank")),
        };
        Ok(Expr { kind: kind?, span })
    }

    pub(super) fn process_over_rows(
        &mut self,
        instance: usize,
        replication: &Replication,
        span: Span,
        locals: &mut Vec<Local>,
    ) -> Written<Process> {
        let body = (&replication.body, replication.body.span);
        let mut bodies =
            self.bodies(instance, &replication.range, body, locals, Linker::process)?;
        let kind = match (replication.kind, bodies.len()) {
            (Composition::Any, 0) => return Err(no_rows(&replication.range, "`any`")),
            (_, 0) => ProcessKind::Delay(Expr {
                kind: ExprKind::Number(Rational::from(0)),
                span,
            }),
            (_, 1) => return Ok(bodies.remove(0)),
            (Composition::Sequence, _) => ProcessKind::Sequence(bodies),
            (Composition::Parallel, _) => ProcessKind::Parallel(bodies),
            (Composition::Any, _) => ProcessKind::Any(bodies),
        };
        Ok(Process {
            kind,
            span,
            label: None,
        })
    }

    /// The body of a loop, with its place, for each of the rows, its names resolved.
    fn bodies<T: Clone>(
        &mut self,
        instance: usize,
        range: &Range,
        (body, place): (&T, Span),
        locals: &mut Vec<Local>,
        resolve: fn(&mut Linker, usize, &mut T, &mut Vec<Local>),
    ) -> Written<Vec<T>> {
        let rows = self.rows_of(instance, range)?;
        self.write_out(rows.len(), place)?;
        let body_at = |row| {
            let mut body = body.clone();
            locals.push(Local::Row(range.index.text.clone(), row));
            resolve(self, instance, &mut body, locals);
            locals.pop();
            body
        };
        Ok(rows.into_iter().map(body_at).collect())
    }

    fn rows_of(&mut self, instance: usize, range: &Range) -> Written<Vec<RowAt>> {
        let path = range.rows().unwrap_or_default();
        let span = range.lower.span;
        let Some(table) = self.find_declared(instance, path) else {
            let text = path.to_owned();
            return Err(self.no_declared(instance, &Name { text, span }, "table"));
        };
        let count = self.form(table).rows().len();
        if count > MAX_ROWS {
            let message = format!("`{path}` has {count} rows, but a loop takes at most {MAX_ROWS}");
            return Err(Box::new(
                Diagnostic::error(message, span, "too many rows").code(Code::Record),
            ));
        }
        Ok((0..count).map(|row| RowAt { table, row }).collect())
    }
}

fn no_rows(range: &Range, what: &str) -> Box<Diagnostic> {
    let message = format!("{what} over the rows of a table without rows");
    Box::new(Diagnostic::error(message, range.lower.span, "no rows").code(Code::Record))
}
