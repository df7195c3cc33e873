//! Visits the units in a tree.

use crate::model::walk::{
    Part, PartMut, parts_of_expr, parts_of_expr_mut, parts_of_process_mut, with_stack,
};
use crate::syntax::tree::{
    Equation, Expr, ExprKind, Item, ParameterFact, Process, Quantity, Unit, Value,
};

/// A declared unit, or the unit of a number.
pub(super) enum Place<'t> {
    Unit(&'t mut Unit),
    Quantity(&'t mut Quantity),
}

type Visit<'v> = &'v mut dyn FnMut(Place<'_>);

pub(super) fn of_item(item: &mut Item, visit: Visit<'_>) {
    match item {
        Item::Equation(equation) => of_equation(equation, visit),
        Item::Assume(relations) => relations.iter_mut().for_each(|e| of_expr(e, visit)),
        Item::Assert(assertion) => {
            of_expr(&mut assertion.claim, visit);
            assertion.when.iter_mut().for_each(|e| of_expr(e, visit));
        }
        Item::Import(import) => import.given.iter_mut().for_each(|(_, e)| of_expr(e, visit)),
        Item::Record(record) => {
            for field in &mut record.fields {
                of_facts(&mut field.facts, visit);
            }
        }
        Item::Table(table) => {
            let rows = table.rows.iter_mut();
            rows.flat_map(|row| &mut row.values)
                .for_each(|e| of_expr(e, visit));
        }
        Item::Unit(_) | Item::Later(_) => {}
    }
}

fn of_equation(equation: &mut Equation, visit: Visit<'_>) {
    for (_, unit) in equation.formal_units.iter_mut() {
        visit(Place::Unit(unit));
    }
    equation.defaults.iter_mut().for_each(|e| of_expr(e, visit));
    of_facts(&mut equation.facts, visit);
    match &mut equation.value {
        Some(Value::Numeric(e) | Value::Resource(e)) => of_expr(e, visit),
        Some(Value::Process(process)) => of_process(process, visit),
        None => {}
    }
}

fn of_facts(facts: &mut [ParameterFact], visit: Visit<'_>) {
    for fact in facts {
        match fact {
            ParameterFact::Unit(unit) => visit(Place::Unit(unit)),
            ParameterFact::Bound(_, bound) => of_expr(bound, visit),
            ParameterFact::Unknown(own) | ParameterFact::Arrivals(own) => of_expr(own, visit),
            _ => {}
        }
    }
}

pub(super) fn of_expr(expr: &mut Expr, visit: Visit<'_>) {
    if let ExprKind::Quantity(quantity) = &mut expr.kind {
        return visit(Place::Quantity(quantity));
    }
    parts_of_expr_mut(expr, &mut |part, _| of_part(part, visit));
}

fn of_process(process: &mut Process, visit: Visit<'_>) {
    parts_of_process_mut(process, &mut |part, _| of_part(part, visit));
}

fn of_part(part: PartMut<'_>, visit: Visit<'_>) {
    with_stack(|| match part {
        PartMut::Expr(e) => of_expr(e, visit),
        PartMut::Process(p) => of_process(p, visit),
    });
}

/// True if a value consists of numbers without units.
pub(super) fn is_bare(value: &Expr) -> bool {
    let mut bare = !matches!(value.kind, ExprKind::Quantity(_) | ExprKind::Name(_));
    parts_of_expr(value, &mut |part, _| match part {
        Part::Expr(part) if bare => bare = with_stack(|| is_bare(part)),
        _ => {}
    });
    bare
}
