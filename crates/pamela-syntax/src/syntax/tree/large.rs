//! Trees deeper than the stack.

use super::{Expr, ExprKind, GraphPartMut};
use crate::ring::Rational;

impl Expr {
    /// Frees a tree of any depth; the compiler's own drop is recursive.
    pub fn dismantle(self) {
        let mut pending = vec![self];
        while let Some(expr) = pending.pop() {
            take_parts(expr, &mut pending);
        }
    }
}

/// The direct parts of an expression, in no particular order.
fn take_parts(expr: Expr, parts: &mut Vec<Expr>) {
    use ExprKind as E;
    match expr.kind {
        E::Number(_) | E::Quantity(_) | E::Name(_) | E::Text(_) => {}
        E::Call(_, list) | E::And(list) | E::Or(list) | E::Vector(list) => parts.extend(list),
        E::Negate(part) | E::Not(part) => parts.push(*part),
        E::Sum(first, rest) => {
            parts.push(*first);
            parts.extend(rest.into_iter().map(|(_, term)| term));
        }
        E::Product(first, rest) => {
            parts.push(*first);
            parts.extend(rest.into_iter().map(|(_, factor)| factor));
        }
        E::Power(a, b) | E::Compare(_, a, b) => parts.extend([*a, *b]),
        E::If(condition, then, otherwise) => parts.extend([*condition, *then, *otherwise]),
        E::Switch(arms) => parts.extend(arms.into_iter().flat_map(<[Expr; 2]>::from)),
        E::Reduce(reduction) => {
            let range = reduction.range;
            parts.extend([reduction.body, range.lower, range.upper]);
            parts.extend(range.quorum.into_iter().chain(range.step));
        }
        E::Graph(mut graph) => graph.parts_mut(&mut |part, _| {
            let (GraphPartMut::Expr(part) | GraphPartMut::Task(part)) = part;
            let nothing = E::Number(Rational::ZERO);
            parts.push(Expr {
                kind: std::mem::replace(&mut part.kind, nothing),
                span: part.span,
            });
        }),
    }
}
