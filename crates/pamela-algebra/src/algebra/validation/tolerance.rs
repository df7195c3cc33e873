//! Tolerance between two values of one expression.

use super::points::nodes;
use crate::expr::{Arena, ExprId, Node};
use pamela_expr::eval::Number;

/// Means and variances of laws on grids are exact to some 1e-7.
pub(super) const LAWS_WITHIN: f64 = 1e-5;

/// The density of a part of a copy, such as half an exponential time, has a pole at 0, which a grid meets less well.
pub(super) const PARTS_OF_COPIES_WITHIN: f64 = 2e-3;

/// True for a sum of copies of a law whose number need not be whole: branches count with their mean.
pub(super) fn has_parts_of_copies(arena: &Arena, id: ExprId) -> bool {
    let is_part = |id: &ExprId| {
        arena
            .as_number(*id)
            .is_some_and(|number| !number.is_integer())
    };
    match arena.node(id) {
        Node::Reduce(copies) if arena.is_law(copies.body) => {
            nodes(arena, &[copies.lower, copies.upper])
                .iter()
                .any(is_part)
        }
        Node::Mul(factors) if arena.is_law(id) => factors.iter().any(is_part),
        _ => false,
    }
}

/// Each further order takes a power of the values, and as much of the error.
pub(super) fn cumulant_within(order: u8) -> f64 {
    LAWS_WITHIN * 10f64.powi(i32::from(order.saturating_sub(2)))
}

pub(super) fn is_near(a: f64, b: f64, tolerance: f64) -> bool {
    let largest = a.abs().max(b.abs());
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * largest + 1e-9
}

pub(super) fn same_numbers(a: &Number, b: &Number) -> bool {
    match (a, b) {
        (Number::Exact(a), Number::Exact(b)) => a == b,
        (a, b) => {
            let (a, b) = (a.to_real(), b.to_real());
            let largest = a.value.abs().max(b.value.abs());
            (a.value - b.value).abs() <= 4.0 * (a.error + b.error) + 1e-9 * largest
        }
    }
}
