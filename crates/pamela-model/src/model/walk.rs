//! Visits the parts of a tree, with the indices that binders bring into scope.

pub use crate::syntax::tree::{PartMut, parts_of_expr_mut, parts_of_process_mut};
pub use pamela_exact::with_stack;

use crate::diagnostic::Span;
use crate::syntax::tree::{
    Expr, ExprKind, Graph, GraphPart, Name, Process, ProcessKind, Range, Value,
};

/// A direct part of an expression or process.
pub enum Part<'t> {
    Expr(&'t Expr),
    Process(&'t Process),
}

/// Called with a part, and with the indices bound in it.
pub type Visit<'v, 't> = &'v mut dyn FnMut(Part<'t>, &[&'t str]);

/// Visits the direct parts of an expression, each with the indices bound in it.
pub fn parts_of_expr<'t>(expr: &'t Expr, visit: Visit<'_, 't>) {
    let mut part = |e: &'t Expr| visit(Part::Expr(e), &[]);
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Quantity(_) | ExprKind::Name(_) | ExprKind::Text(_) => {}
        ExprKind::Call(_, parts)
        | ExprKind::And(parts)
        | ExprKind::Or(parts)
        | ExprKind::Vector(parts) => {
            parts.iter().for_each(part);
        }
        ExprKind::Negate(e) | ExprKind::Not(e) => part(e),
        ExprKind::Sum(first, rest) => {
            part(first);
            rest.iter().for_each(|(_, e)| part(e));
        }
        ExprKind::Product(first, rest) => {
            part(first);
            rest.iter().for_each(|(_, e)| part(e));
        }
        ExprKind::Power(l, r) | ExprKind::Compare(_, l, r) => {
            part(l);
            part(r);
        }
        ExprKind::If(c, a, b) => {
            part(c);
            part(a);
            part(b);
        }
        ExprKind::Switch(cases) => cases.iter().for_each(|(c, e)| {
            part(c);
            part(e);
        }),
        ExprKind::Reduce(reduction) => {
            parts_of_range(&reduction.range, &mut part);
            visit(Part::Expr(&reduction.body), &[&reduction.range.index.text]);
        }
        ExprKind::Graph(graph) => parts_of_graph(graph, Part::Expr, visit),
    }
}

/// Visits the direct parts of a process, each with the indices bound in it.
pub fn parts_of_process<'t>(process: &'t Process, visit: Visit<'_, 't>) {
    match &process.kind {
        ProcessKind::Delay(t) => visit(Part::Expr(t), &[]),
        ProcessKind::Use(r, t) => {
            visit(Part::Expr(r), &[]);
            visit(Part::Expr(t), &[]);
        }
        ProcessKind::Hold(r, body) => {
            visit(Part::Expr(r), &[]);
            visit(Part::Process(body), &[]);
        }
        ProcessKind::Sequence(parts) | ProcessKind::Parallel(parts) | ProcessKind::Any(parts) => {
            parts.iter().for_each(|p| visit(Part::Process(p), &[]));
        }
        ProcessKind::Replicate(replication) => {
            parts_of_range(&replication.range, &mut |e| visit(Part::Expr(e), &[]));
            visit(
                Part::Process(&replication.body),
                &[&replication.range.index.text],
            );
        }
        ProcessKind::Graph(graph) => parts_of_graph(graph, Part::Process, visit),
        ProcessKind::If(c, a, b) => {
            visit(Part::Expr(c), &[]);
            visit(Part::Process(a), &[]);
            if let Some(b) = b {
                visit(Part::Process(b), &[]);
            }
        }
        ProcessKind::Switch(cases) => cases.iter().for_each(|(c, p)| {
            visit(Part::Expr(c), &[]);
            visit(Part::Process(p), &[]);
        }),
        ProcessKind::Call(_, arguments) => arguments.iter().for_each(|e| visit(Part::Expr(e), &[])),
    }
}

fn parts_of_graph<'t, T>(
    graph: &'t Graph<T>,
    of_task: fn(&'t T) -> Part<'t>,
    visit: Visit<'_, 't>,
) {
    graph.parts(&mut |part, indices| match part {
        GraphPart::Expr(e) => visit(Part::Expr(e), indices),
        GraphPart::Task(task) => visit(of_task(task), indices),
    });
}

pub fn parts_of_range<'t>(range: &'t Range, part: &mut dyn FnMut(&'t Expr)) {
    if let Some(quorum) = &range.quorum {
        part(quorum);
    }
    part(&range.lower);
    part(&range.upper);
    range.step.iter().for_each(part);
}

/// Visits every free name in `value`, with its location.
///
/// `formals` are the names that the equation binds. The last argument of `visit` is true if the
/// name is called.
pub fn free_names<'t>(
    value: &'t Value,
    formals: &[&'t str],
    visit: &mut dyn FnMut(&'t str, Span, bool),
) {
    let mut scope = formals.to_vec();
    let root = match value {
        Value::Numeric(e) | Value::Resource(e) => Part::Expr(e),
        Value::Process(p) => Part::Process(p),
    };
    names_in(root, &mut scope, visit);
}

/// Visits every call in an expression or process that has the form of a numeric call.
pub fn calls<'t>(part: Part<'t>, visit: &mut dyn FnMut(&'t Name, &'t [Expr])) {
    if let Part::Expr(Expr {
        kind: ExprKind::Call(name, arguments),
        ..
    }) = part
    {
        visit(name, arguments);
    }
    let mut descend = |inner: Part<'t>, _: &[&'t str]| with_stack(|| calls(inner, visit));
    match part {
        Part::Expr(e) => parts_of_expr(e, &mut descend),
        Part::Process(p) => parts_of_process(p, &mut descend),
    }
}

/// Visits every free name of an expression, with its location; names in `bound` are bound around
/// it.
pub fn free_names_of<'t>(expr: &'t Expr, bound: &[&'t str], visit: &mut dyn FnMut(&'t str, Span)) {
    names_in(
        Part::Expr(expr),
        &mut bound.to_vec(),
        &mut |name, span, _| visit(name, span),
    );
}

fn names_in<'t>(
    part: Part<'t>,
    scope: &mut Vec<&'t str>,
    visit: &mut dyn FnMut(&'t str, Span, bool),
) {
    let mention = match part {
        Part::Expr(Expr {
            kind: ExprKind::Name(name),
            span,
        }) => Some((name.as_str(), *span, false)),
        Part::Expr(Expr {
            kind: ExprKind::Call(name, _),
            ..
        })
        | Part::Process(Process {
            kind: ProcessKind::Call(name, _),
            ..
        }) => Some((name.text.as_str(), name.span, true)),
        _ => None,
    };
    if let Some((name, span, called)) = mention
        && !scope.contains(&name)
    {
        visit(name, span, called);
    }
    let mut descend = |inner: Part<'t>, indices: &[&'t str]| {
        let outer = scope.len();
        scope.extend(indices);
        with_stack(|| names_in(inner, scope, visit));
        scope.truncate(outer);
    };
    match part {
        Part::Expr(e) => parts_of_expr(e, &mut descend),
        Part::Process(p) => parts_of_process(p, &mut descend),
    }
}
