//! Visits the parts of a tree mutably, with the indices that binders bring into scope.

use super::{Expr, ExprKind, Graph, GraphPartMut, Process, ProcessKind, Range};

/// A mutable direct part of an expression or process.
#[derive(Debug)]
pub enum PartMut<'t> {
    Expr(&'t mut Expr),
    Process(&'t mut Process),
}

/// Callback for a part and the indices bound in it.
type VisitMut<'v> = &'v mut dyn FnMut(PartMut<'_>, &[String]);

/// Visits the parts of an expression.
pub fn parts_of_expr_mut(expr: &mut Expr, visit: VisitMut<'_>) {
    let mut part = |e: &mut Expr| visit(PartMut::Expr(e), &[]);
    match &mut expr.kind {
        ExprKind::Number(_) | ExprKind::Quantity(_) | ExprKind::Name(_) | ExprKind::Text(_) => {}
        ExprKind::Call(_, parts)
        | ExprKind::And(parts)
        | ExprKind::Or(parts)
        | ExprKind::Vector(parts) => parts.iter_mut().for_each(part),
        ExprKind::Negate(e) | ExprKind::Not(e) => part(e),
        ExprKind::Sum(first, rest) => {
            part(first);
            rest.iter_mut().for_each(|(_, e)| part(e));
        }
        ExprKind::Product(first, rest) => {
            part(first);
            rest.iter_mut().for_each(|(_, e)| part(e));
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
        ExprKind::Switch(cases) => cases.iter_mut().for_each(|(c, e)| {
            part(c);
            part(e);
        }),
        ExprKind::Reduce(reduction) => {
            parts_of_range(&mut reduction.range, &mut part);
            let index = [reduction.range.index.text.clone()];
            visit(PartMut::Expr(&mut reduction.body), &index);
        }
        ExprKind::Graph(graph) => parts_of_graph(graph, |e| PartMut::Expr(e), visit),
    }
}

/// Visits the parts of a process.
pub fn parts_of_process_mut(process: &mut Process, visit: VisitMut<'_>) {
    match &mut process.kind {
        ProcessKind::Delay(t) => visit(PartMut::Expr(t), &[]),
        ProcessKind::Use(r, t) => {
            visit(PartMut::Expr(r), &[]);
            visit(PartMut::Expr(t), &[]);
        }
        ProcessKind::Hold(r, body) => {
            visit(PartMut::Expr(r), &[]);
            visit(PartMut::Process(body), &[]);
        }
        ProcessKind::Sequence(parts) | ProcessKind::Parallel(parts) | ProcessKind::Any(parts) => {
            for part in parts {
                visit(PartMut::Process(part), &[]);
            }
        }
        ProcessKind::Replicate(replication) => {
            let range = &mut replication.range;
            parts_of_range(range, &mut |e| visit(PartMut::Expr(e), &[]));
            let index = [range.index.text.clone()];
            visit(PartMut::Process(&mut replication.body), &index);
        }
        ProcessKind::Graph(graph) => parts_of_graph(graph, |p| PartMut::Process(p), visit),
        ProcessKind::If(c, a, b) => {
            visit(PartMut::Expr(c), &[]);
            visit(PartMut::Process(a), &[]);
            if let Some(b) = b {
                visit(PartMut::Process(b), &[]);
            }
        }
        ProcessKind::Switch(cases) => {
            for (c, p) in cases {
                visit(PartMut::Expr(c), &[]);
                visit(PartMut::Process(p), &[]);
            }
        }
        ProcessKind::Call(_, arguments) => {
            for argument in arguments {
                visit(PartMut::Expr(argument), &[]);
            }
        }
    }
}

fn parts_of_range(range: &mut Range, part: &mut dyn FnMut(&mut Expr)) {
    if let Some(quorum) = &mut range.quorum {
        part(quorum);
    }
    part(&mut range.lower);
    part(&mut range.upper);
    range.step.iter_mut().for_each(part);
}

fn parts_of_graph<T>(
    graph: &mut Graph<T>,
    of_task: fn(&mut T) -> PartMut<'_>,
    visit: VisitMut<'_>,
) {
    graph.parts_mut(&mut |part, indices| match part {
        GraphPartMut::Expr(e) => visit(PartMut::Expr(e), indices),
        GraphPartMut::Task(task) => visit(of_task(task), indices),
    });
}
