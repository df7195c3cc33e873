//! Substitution in syntax trees.

use super::tree::spans_of_expr_mut;
use super::tree::{
    Expr, ExprKind, Family, Graph, GraphPart, Name, Range, Recorded, Reduction, Reference,
};
use crate::diagnostic::Span;

/// Applies `map` to the operands of an expression; names of functions and indices stay.
pub fn map_operands(expr: &Expr, map: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
    use ExprKind as E;
    let mut boxed = |e: &Expr| Box::new(map(e));
    let kind = match &expr.kind {
        E::Number(_) | E::Quantity(_) | E::Name(_) | E::Text(_) => expr.kind.clone(),
        E::Call(name, list) => E::Call(name.clone(), list.iter().map(map).collect()),
        E::Negate(e) => E::Negate(boxed(e)),
        E::Not(e) => E::Not(boxed(e)),
        E::Sum(first, rest) => {
            let first = boxed(first);
            E::Sum(first, rest.iter().map(|(op, e)| (*op, map(e))).collect())
        }
        E::Product(first, rest) => {
            let first = boxed(first);
            E::Product(first, rest.iter().map(|(op, e)| (*op, map(e))).collect())
        }
        E::Power(a, b) => E::Power(boxed(a), boxed(b)),
        E::Compare(relation, a, b) => E::Compare(*relation, boxed(a), boxed(b)),
        E::And(list) => E::And(list.iter().map(map).collect()),
        E::Or(list) => E::Or(list.iter().map(map).collect()),
        E::If(c, a, b) => E::If(boxed(c), boxed(a), boxed(b)),
        E::Switch(cases) => E::Switch(cases.iter().map(|(c, e)| (map(c), map(e))).collect()),
        E::Vector(list) => E::Vector(list.iter().map(map).collect()),
        E::Reduce(r) => E::Reduce(Box::new(Reduction {
            kind: r.kind,
            range: Range {
                quorum: r.range.quorum.as_ref().map(&mut *map),
                index: r.range.index.clone(),
                lower: map(&r.range.lower),
                upper: map(&r.range.upper),
                step: r.range.step.as_ref().map(&mut *map),
            },
            body: map(&r.body),
        })),
        E::Graph(graph) => E::Graph(Box::new(Graph {
            families: graph.families.iter().map(|f| map_family(f, map)).collect(),
            recorded: graph.recorded.as_ref().map(|recorded| Recorded {
                default: recorded.default.as_ref().map(&mut *map),
                ..recorded.clone()
            }),
        })),
    };
    node(kind)
}

fn map_family(family: &Family<Expr>, map: &mut dyn FnMut(&Expr) -> Expr) -> Family<Expr> {
    fn ranges(list: &[Range], map: &mut dyn FnMut(&Expr) -> Expr) -> Vec<Range> {
        let bounds = |range: &Range| Range {
            lower: map(&range.lower),
            upper: map(&range.upper),
            ..range.clone()
        };
        list.iter().map(bounds).collect()
    }
    let mut reference = |r: &Reference| Reference {
        label: r.label.clone(),
        arguments: r
            .arguments
            .as_ref()
            .map(|list| list.iter().map(&mut *map).collect()),
        ranges: ranges(&r.ranges, map),
        condition: r.condition.as_ref().map(&mut *map),
    };
    let after = family.after.iter().map(&mut reference).collect();
    Family {
        label: family.label.clone(),
        ranges: ranges(&family.ranges, map),
        task: map(&family.task),
        after,
    }
}

/// Replaces the free occurrences of names for which `value` has an expression.
///
/// The caller ensures that no index in `expr` has the name of a free name in a value.
pub fn substitute(expr: &Expr, value: &dyn Fn(&str) -> Option<Expr>) -> Expr {
    match &expr.kind {
        ExprKind::Name(name) => value(name).unwrap_or_else(|| expr.clone()),
        ExprKind::Reduce(r) => {
            let index = &r.range.index.text;
            let inner = |name: &str| if name == index { None } else { value(name) };
            let mut result = map_operands(expr, &mut |operand| substitute(operand, value));
            if let ExprKind::Reduce(rebuilt) = &mut result.kind {
                rebuilt.body = substitute(&r.body, &inner);
            }
            result
        }
        ExprKind::Graph(graph) => {
            let indices: Vec<&str> = graph.indices().collect();
            let inner = |name: &str| {
                if indices.contains(&name) {
                    None
                } else {
                    value(name)
                }
            };
            map_operands(expr, &mut |operand| substitute(operand, &inner))
        }
        _ => map_operands(expr, &mut |operand| substitute(operand, value)),
    }
}

/// True if two expressions are equal apart from their places in texts.
pub fn is_same(a: &Expr, b: &Expr) -> bool {
    let [a, b] = [a, b].map(|expr| {
        let mut expr = expr.clone();
        spans_of_expr_mut(&mut expr, &mut |span| *span = Span::default());
        expr
    });
    a == b
}

/// True if the expression or a part of it satisfies `wanted`.
pub fn any_part(expr: &Expr, wanted: &dyn Fn(&Expr) -> bool) -> bool {
    use ExprKind as E;
    let any = |part: &Expr| any_part(part, wanted);
    wanted(expr)
        || match &expr.kind {
            E::Number(_) | E::Quantity(_) | E::Name(_) | E::Text(_) => false,
            E::Call(_, list) | E::And(list) | E::Or(list) | E::Vector(list) => list.iter().any(any),
            E::Negate(e) | E::Not(e) => any(e),
            E::Sum(first, rest) => any(first) || rest.iter().any(|(_, e)| any(e)),
            E::Product(first, rest) => any(first) || rest.iter().any(|(_, e)| any(e)),
            E::Power(a, b) | E::Compare(_, a, b) => any(a) || any(b),
            E::If(c, a, b) => any(c) || any(a) || any(b),
            E::Switch(cases) => cases.iter().any(|(c, e)| any(c) || any(e)),
            E::Reduce(r) => {
                let range = &r.range;
                let optional = range.quorum.iter().chain(&range.step);
                let mut bounds = [&range.lower, &range.upper].into_iter().chain(optional);
                any(&r.body) || bounds.any(any)
            }
            E::Graph(graph) => {
                let mut found = false;
                graph.parts(&mut |part, _| {
                    found |= match part {
                        GraphPart::Expr(e) => any(e),
                        GraphPart::Task(task) => any(task),
                    }
                });
                found
            }
        }
}

/// An expression without a location.
pub fn node(kind: ExprKind) -> Expr {
    Expr {
        kind,
        span: Span::default(),
    }
}

/// The name of a parameter or index, as an expression.
pub fn name(text: &str) -> Expr {
    node(ExprKind::Name(text.to_string()))
}

/// A name without a location.
pub fn label(text: &str) -> Name {
    Name {
        text: text.to_string(),
        span: Span::default(),
    }
}
