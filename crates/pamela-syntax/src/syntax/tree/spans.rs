//! Visits the spans of a tree, to move it to another place.

use super::{
    Equation, Expr, ExprKind, Name, ParameterFact, PartMut, Process, ProcessKind, Unit, Value,
    parts_of_expr_mut, parts_of_process_mut,
};
use crate::diagnostic::Span;
use crate::with_stack;

/// Callback for a span.
type Visit<'v> = &'v mut dyn FnMut(&mut Span);

/// Visits all spans of an expression.
pub fn spans_of_expr_mut(expr: &mut Expr, visit: Visit<'_>) {
    visit(&mut expr.span);
    match &mut expr.kind {
        ExprKind::Call(callee, _) => visit(&mut callee.span),
        ExprKind::Reduce(reduction) => visit(&mut reduction.range.index.span),
        ExprKind::Graph(graph) => graph.names_mut(|name| visit(&mut name.span)),
        ExprKind::Quantity(quantity) => of_unit(&mut quantity.unit, visit),
        _ => {}
    }
    parts_of_expr_mut(expr, &mut |part, _| of_part(part, visit));
}

fn spans_of_process_mut(process: &mut Process, visit: Visit<'_>) {
    visit(&mut process.span);
    if let Some(label) = &mut process.label {
        visit(&mut label.span);
    }
    match &mut process.kind {
        ProcessKind::Call(callee, _) => visit(&mut callee.span),
        ProcessKind::Replicate(replication) => visit(&mut replication.range.index.span),
        ProcessKind::Graph(graph) => graph.names_mut(|name| visit(&mut name.span)),
        _ => {}
    }
    parts_of_process_mut(process, &mut |part, _| of_part(part, visit));
}

fn of_part(part: PartMut<'_>, visit: Visit<'_>) {
    with_stack(|| match part {
        PartMut::Expr(e) => spans_of_expr_mut(e, visit),
        PartMut::Process(p) => spans_of_process_mut(p, visit),
    });
}

fn of_unit(unit: &mut Unit, visit: Visit<'_>) {
    visit(&mut unit.span);
    let names = unit.parts.iter_mut().map(|part| &mut part.name);
    names.for_each(|name| visit(&mut name.span));
}

/// Visits all spans of an equation.
pub fn spans_of_equation_mut(equation: &mut Equation, visit: Visit<'_>) {
    let mut name = |name: &mut Name| visit(&mut name.span);
    name(&mut equation.name);
    equation.formals.iter_mut().for_each(&mut name);
    visit(&mut equation.span);
    for default in &mut equation.defaults {
        spans_of_expr_mut(default, visit);
    }
    for (_, unit) in &mut equation.formal_units {
        of_unit(unit, visit);
    }
    for fact in &mut equation.facts {
        match fact {
            ParameterFact::Integer(span) | ParameterFact::Law(span) => visit(span),
            ParameterFact::Bound(_, bound) => spans_of_expr_mut(bound, visit),
            ParameterFact::Unknown(own) | ParameterFact::Arrivals(own) => {
                spans_of_expr_mut(own, visit);
            }
            ParameterFact::Unit(unit) => of_unit(unit, visit),
            ParameterFact::Row(table) => visit(&mut table.span),
            ParameterFact::Monotone(own) => {
                visit(&mut own.span);
                let formals = own.formals.iter_mut();
                formals.for_each(|formal| visit(&mut formal.span));
            }
        }
    }
    match &mut equation.value {
        Some(Value::Numeric(value) | Value::Resource(value)) => spans_of_expr_mut(value, visit),
        Some(Value::Process(process)) => spans_of_process_mut(process, visit),
        None => {}
    }
}
