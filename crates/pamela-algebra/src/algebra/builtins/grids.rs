//! The largest demand of two loops: in triangles on a grid of owners.

use crate::expr::{ExprId, Function, Node, Relation, Symbol};
use crate::ring::Polynomial;

use super::digits::{Span, remainder};
use super::vectors::{Demand, demands_of, linear, nonnegative, reciprocal};
use super::{compare, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{Terms, expr_of};

/// The only demand, if it has two binders.
fn only_nest(scope: &mut Scope, term: ExprId) -> Option<(Demand, [Symbol; 2])> {
    let [demand] = <[Demand; 1]>::try_from(demands_of(scope, term)?).ok()?;
    let binders = <[Symbol; 2]>::try_from(demand.binders.as_slice()).ok()?;
    Some((demand, binders))
}

/// Equal demands in a triangle on a grid of P x P owners, whose elements or whole blocks are dealt out in turn.
pub fn triangle(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    on_triangle(scope, term).into_iter().collect()
}

/// A digit `(index + shift) div block mod P` of a position.
struct Digit {
    /// `shift / block`, of a block that is not 1.
    blocks: Option<(Polynomial, Polynomial)>,
    modulus: ExprId,
}

fn digit(terms: &mut Terms, position: ExprId, index: Symbol) -> Option<Digit> {
    let (dividend, modulus) = remainder(terms, position)?;
    let whole = match *terms.arena.node(dividend) {
        Node::Apply(Function::Floor, operand) => Some(operand),
        _ => None,
    };
    let (slope, offset) = linear(terms, whole.unwrap_or(dividend), index)?;
    let blocks = match whole {
        Some(_) => Some((offset, reciprocal(terms, &slope)?)),
        None if slope == Polynomial::one() => None,
        None => return None,
    };
    Some(Digit { blocks, modulus })
}

fn on_triangle(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let (demand, [outer, inner]) = only_nest(scope, term)?;
    let terms = &mut scope.terms;
    let constant = |index: &Symbol| !terms.polynomial_mentions(&demand.amount, *index);
    if ![outer, inner].iter().all(constant) {
        return None;
    }
    let (high, low) = axes(terms, demand.position)?;
    let (of_outer, of_inner) = if terms.mentions(high, outer) {
        (high, low)
    } else {
        (low, high)
    };
    if terms.mentions(of_outer, inner) || terms.mentions(of_inner, outer) {
        return None;
    }
    let (rows, columns) = (
        digit(terms, of_outer, outer)?,
        digit(terms, of_inner, inner)?,
    );
    if rows.modulus != columns.modulus || terms.mentions(rows.modulus, outer) {
        return None;
    }
    let triangle = Triangle::of(terms, [outer, inner])?;
    let amount = terms.expression(&demand.amount);
    let mut guards = triangle.span.guards(terms).to_vec();
    let modulus = (*terms.polynomial(rows.modulus)).clone();
    guards.push(integral(terms, &modulus));
    guards.push(compare(
        terms,
        Relation::Less,
        &Polynomial::zero(),
        &modulus,
    ));
    guards.push(nonnegative(terms, &demand.amount));
    let met = match (&rows.blocks, &columns.blocks) {
        (None, None) => half_square(terms, &triangle.side, rows.modulus),
        (Some(of_rows), Some(of_columns)) if of_rows.1 == of_columns.1 => {
            let size = &of_rows.1;
            let starts = [
                (&triangle.span.lower, &of_rows.0),
                (&triangle.columns_from, &of_columns.0),
            ];
            by_blocks(scope, &triangle, starts, size, rows.modulus, &mut guards)?
        }
        _ => return None,
    };
    Some(Candidate {
        right: scope.terms.arena.mul(&[amount, met]),
        guards,
    })
}

/// The two digits of `Q*x + y mod Q`.
fn axes(terms: &mut Terms, position: ExprId) -> Option<(ExprId, ExprId)> {
    let polynomial = (*terms.polynomial(position)).clone();
    polynomial.atoms().into_iter().find_map(|atom| {
        let (_, modulus) = remainder(terms, expr_of(atom))?;
        let rest = &polynomial - &Polynomial::atom(atom);
        let modulus = (*terms.polynomial(modulus)).clone();
        let inverse = reciprocal(terms, &modulus).filter(|_| !rest.atoms().contains(&atom))?;
        let high = terms.multiply(&rest, &inverse)?;
        Some((expr_of(high.as_atom()?), expr_of(atom)))
    })
}

/// `i` in a range, `j <= i + e` or `j >= i + e`, so that there is one more for each `i`.
struct Triangle {
    span: Span,
    /// Number of rows that are not empty.
    side: Polynomial,
    /// The least column.
    columns_from: Polynomial,
    strict: bool,
}

impl Triangle {
    fn of(terms: &mut Terms, [outer, inner]: [Symbol; 2]) -> Option<Triangle> {
        let (span, columns) = (Span::of(terms, outer)?, Span::of(terms, inner)?);
        let symbol = terms.arena.symbol(outer);
        let diagonal = (*terms.polynomial(symbol)).clone();
        let (below, above) = (&columns.upper - &diagonal, &columns.lower - &diagonal);
        // Number of empty rows: at the start of a lower triangle, at the end of an upper one.
        let (empty, columns_from) = if !terms.polynomial_mentions(&below, outer) {
            (
                &(&columns.lower - &below) - &span.lower,
                columns.lower.clone(),
            )
        } else {
            (
                &(&span.upper + &above) - &columns.upper,
                &span.lower + &above,
            )
        };
        let empty = empty.as_constant()?;
        if !(empty.is_zero() || empty.is_one()) {
            return None;
        }
        let side = &span.count - &Polynomial::constant(empty.clone());
        Some(Triangle {
            span,
            side,
            columns_from,
            strict: empty.is_one(),
        })
    }
}

/// `K*(K + 1)/2` for `K = ceil(side / P)`.
fn half_square(terms: &mut Terms, side: &Polynomial, owners: ExprId) -> ExprId {
    let side = terms.expression(side);
    let arena = &mut terms.arena;
    let [one, two] = [1, 2].map(|n| arena.number(n));
    let half = arena.reciprocal(two);
    let share = arena.divide(side, owners);
    let share = arena.apply(Function::Ceil, share);
    let next = arena.add(&[share, one]);
    arena.mul(&[half, share, next])
}

/// With whole blocks, the owner on the diagonal has halves of blocks and its neighbour has whole blocks. The busiest
/// owner has the lower half of its blocks in the triangle, plus the upper half of its blocks below the diagonal.
fn by_blocks(
    scope: &mut Scope,
    triangle: &Triangle,
    starts: [(&Polynomial, &Polynomial); 2],
    size: &Polynomial,
    owners: ExprId,
    guards: &mut Vec<ExprId>,
) -> Option<ExprId> {
    let terms = &mut scope.terms;
    let per_block = reciprocal(terms, size)?;
    let side = terms.multiply(&triangle.side, &per_block)?;
    let mut whole = vec![integral(terms, &side)];
    for (start, offset) in starts {
        let start = terms.multiply(start, &per_block)?;
        whole.push(integral(terms, &(&start + offset)));
    }
    if triangle.strict || !whole.into_iter().all(|whole| scope.holds(whole)) {
        return None;
    }
    let terms = &mut scope.terms;
    guards.push(integral(terms, size));
    guards.push(compare(terms, Relation::Less, &Polynomial::zero(), size));
    let with = half_square(terms, &side, owners);
    let without = half_square(terms, &(&side - &Polynomial::one()), owners);
    let size = terms.expression(size);
    let arena = &mut terms.arena;
    let [one, two] = [1, 2].map(|n| arena.number(n));
    let half = arena.reciprocal(two);
    let (more, less) = (arena.add(&[size, one]), arena.subtract(size, one));
    let lower = arena.mul(&[half, size, more, with]);
    let upper = arena.mul(&[half, size, less, without]);
    Some(arena.add(&[lower, upper]))
}
