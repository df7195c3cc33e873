//! The largest element of a parabola over a range.

use crate::expr::{ExprId, Function, ReduceKind, Relation};
use crate::ring::{Polynomial, Rational};

use super::super::language::Scope;
use super::super::scope::{Candidate, mentions_index};
use super::Loop;

/// Where `p * i^2 + q * i + r` bends down, its largest element is the one nearest to the vertex; where it
/// bends up, or may do either, that is told apart.
pub fn max(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Max) else {
        return Vec::new();
    };
    let Some((bend, slope)) = parabola(scope, &parts) else {
        return Vec::new();
    };
    if scope.prover.nonnegative(&mut scope.terms, &bend) {
        return Vec::new();
    }
    let mut right = at_vertex(scope, &parts, &bend, &slope);
    if !scope.prover.positive(&mut scope.terms, &-&bend) {
        let arena = &mut scope.terms.arena;
        let ends = [parts.reduction.lower, parts.reduction.upper];
        let ends =
            ends.map(|end| arena.substitute(parts.reduction.body, parts.reduction.index, end));
        let largest = arena.max(&ends);
        let zero = arena.number(0);
        let bend = scope.terms.expression(&bend);
        let down = scope.terms.arena.relate(Relation::Less, bend, zero);
        right = scope.terms.arena.if_else(down, right, largest);
    }
    let guards = vec![
        parts.nonempty(&mut scope.terms),
        parts.aligned(&mut scope.terms),
    ];
    vec![Candidate { right, guards }]
}

/// `p` and `q` of `p * i^2 + q * i + r`, which speak of parameters only.
fn parabola(scope: &mut Scope, parts: &Loop) -> Option<(Polynomial, Polynomial)> {
    let mut by_power = parts.body.coefficients_in(parts.index);
    let bend = by_power.remove(&2)?;
    let slope = by_power.remove(&1).unwrap_or_default();
    let height = by_power.remove(&0).unwrap_or_default();
    let constant = !(scope.terms).polynomial_mentions(&height, parts.reduction.index);
    let mut free = |p: &Polynomial| {
        let term = scope.terms.expression(p);
        !mentions_index(&scope.terms, term)
    };
    (by_power.is_empty() && constant && free(&bend) && free(&slope)).then_some((bend, slope))
}

/// The element nearest to `-q / 2p`, among those of the range.
fn at_vertex(scope: &mut Scope, parts: &Loop, bend: &Polynomial, slope: &Polynomial) -> ExprId {
    let twice = scope.terms.expression(&bend.scale(&Rational::from(-2)));
    let slope = scope.terms.expression(slope);
    let arena = &mut scope.terms.arena;
    let (lower, upper) = (parts.reduction.lower, parts.reduction.upper);
    let vertex = arena.divide(slope, twice);
    let (one, two, distance) = (
        arena.number(1),
        arena.number(2),
        arena.subtract(vertex, lower),
    );
    let half = arena.divide(one, two);
    let middle = arena.add(&[distance, half]);
    let steps = arena.apply(Function::Floor, middle);
    let nearest = arena.add(&[lower, steps]);
    let above = arena.max(&[lower, nearest]);
    let inside = arena.min(&[upper, above]);
    arena.substitute(parts.reduction.body, parts.reduction.index, inside)
}
