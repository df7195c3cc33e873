//! Detects whether a model needs linking.

use crate::model::walk::{self, Part, with_stack};
use crate::syntax::tree::{
    Equation, Expr, ExprKind, NAMED, POINT, ParameterFact, ProcessKind, ROWS, Value,
};

/// True if an equation mentions a path, or calls something with named arguments.
pub(super) fn has_linked(equation: &Equation) -> bool {
    let bounds = equation.facts.iter().any(|fact| match fact {
        ParameterFact::Bound(_, bound) => is_linked(bound),
        ParameterFact::Unknown(own) | ParameterFact::Arrivals(own) => is_linked(own),
        ParameterFact::Row(_) => true,
        ParameterFact::Integer(_)
        | ParameterFact::Law(_)
        | ParameterFact::Unit(_)
        | ParameterFact::Monotone(_) => false,
    });
    bounds
        || match &equation.value {
            Some(Value::Numeric(value) | Value::Resource(value)) => is_linked(value),
            Some(Value::Process(process)) => part_is_linked(Part::Process(process)),
            None => false,
        }
}

/// True if an expression mentions a path, or calls something with named arguments.
pub(super) fn is_linked(expr: &Expr) -> bool {
    part_is_linked(Part::Expr(expr))
}

fn part_is_linked(part: Part<'_>) -> bool {
    let is_path = |name: &str| name == NAMED || name == ROWS || name == POINT || name.contains('.');
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
