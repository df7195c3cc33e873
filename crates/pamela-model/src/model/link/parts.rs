//! The parts of a tree, to be changed, with the indices that are bound in them.

use crate::model::walk::{self, Part, with_stack};
use crate::syntax::tree::{
    Equation, Expr, ExprKind, Family, Graph, NAMED, ParameterFact, Process, ProcessKind, Range,
    Value,
};

/// A direct part of an expression or process.
pub(super) enum PartMut<'t> {
    Expr(&'t mut Expr),
    Process(&'t mut Process),
}

/// What is done with a part, and with the indices that are bound in it.
type Visit<'v> = &'v mut dyn FnMut(PartMut<'_>, &[String]);

pub(super) fn parts_of_expr(expr: &mut Expr, visit: Visit<'_>) {
    let mut part = |e: &mut Expr| visit(PartMut::Expr(e), &[]);
    match &mut expr.kind {
        ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Text(_) => {}
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

pub(super) fn parts_of_process(process: &mut Process, visit: Visit<'_>) {
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

fn parts_of_graph<T>(graph: &mut Graph<T>, of_task: fn(&mut T) -> PartMut<'_>, visit: Visit<'_>) {
    for family in &mut graph.families {
        let Family {
            ranges,
            task,
            after,
            ..
        } = family;
        let mut indices = Vec::new();
        parts_of_ranges(ranges, &mut indices, visit);
        visit(of_task(task), &indices);
        for reference in after {
            let outer = indices.len();
            parts_of_ranges(&mut reference.ranges, &mut indices, visit);
            let arguments = reference.arguments.iter_mut().flatten();
            for part in arguments.chain(&mut reference.condition) {
                visit(PartMut::Expr(part), &indices);
            }
            indices.truncate(outer);
        }
    }
}

fn parts_of_ranges(ranges: &mut [Range], indices: &mut Vec<String>, visit: Visit<'_>) {
    for range in ranges {
        visit(PartMut::Expr(&mut range.lower), indices);
        visit(PartMut::Expr(&mut range.upper), indices);
        indices.push(range.index.text.clone());
    }
}

/// Whether an equation mentions a path, or calls something by names of arguments.
pub(super) fn has_linked(equation: &Equation) -> bool {
    let bounds = equation.facts.iter().any(|fact| match fact {
        ParameterFact::Bound(_, bound) => is_linked(bound),
        ParameterFact::Integer(_) | ParameterFact::Law(_) => false,
    });
    bounds
        || match &equation.value {
            Some(Value::Numeric(value) | Value::Resource(value)) => is_linked(value),
            Some(Value::Process(process)) => part_is_linked(Part::Process(process)),
            None => false,
        }
}

/// Whether an expression mentions a path, or calls something by names of arguments.
pub(super) fn is_linked(expr: &Expr) -> bool {
    part_is_linked(Part::Expr(expr))
}

fn part_is_linked(part: Part<'_>) -> bool {
    let is_path = |name: &str| name == NAMED || name.contains('.');
    let own = match &part {
        Part::Expr(e) => match &e.kind {
            ExprKind::Name(name) => is_path(name),
            ExprKind::Call(name, _) => is_path(&name.text),
            _ => false,
        },
        Part::Process(p) => match &p.kind {
            ProcessKind::Call(name, _) => is_path(&name.text),
            _ => false,
        },
    };
    let mut found = own;
    let mut inner = |part: Part<'_>, _: &[&str]| {
        found = found || with_stack(|| part_is_linked(part));
    };
    match part {
        Part::Expr(e) => walk::parts_of_expr(e, &mut inner),
        Part::Process(p) => walk::parts_of_process(p, &mut inner),
    }
    found
}
