//! Sums of floors and remainders of the index with a common divisor, symbolic or not.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::{Blocks, Polynomial, Rational, sum_blocks};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{MAX_TERMS, Terms, atom_of, expr_of};
use super::{Loop, compare, integral};

/// `(i + shift) div divisor` and `(i + shift) mod divisor`, or their mirror images.
#[derive(Clone, PartialEq)]
struct Grid {
    divisor: Polynomial,
    shift: Polynomial,
    /// The index runs against the grid: `(shift - i)`.
    mirrored: bool,
}

/// An atom of the body that rounds on a grid: `sign * ((i + shift) div divisor)`, or the remainder.
struct Rounded {
    atom: ExprId,
    grid: Grid,
    /// `None`: the remainder; else the quotient times this sign.
    quotient: Option<i64>,
}

/// `sum (i = a, b) { g(i, (i + c) div P, (i + c) mod P) }` for a polynomial `g`: whole blocks of `P`
/// and a rest.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let Some(rounded) = recognise(terms, &parts) else {
        return Vec::new();
    };
    if rounded[0].grid.mirrored {
        return reversed(terms, &parts).into_iter().collect();
    }
    close(terms, &parts, &rounded).into_iter().collect()
}

/// All atoms of the body that depend on the index, if they round on one grid.
fn recognise(terms: &mut Terms, parts: &Loop) -> Option<Vec<Rounded>> {
    let mut found: Vec<Rounded> = Vec::new();
    if parts.body.min_degree_in(parts.index) < 0 {
        return None;
    }
    for atom in parts.body.atoms() {
        let id = expr_of(atom);
        if atom == parts.index || !parts.depends(&terms.arena, id) {
            continue;
        }
        if parts.body.min_degree_in(atom) < 0 {
            return None;
        }
        let rounded = rounded(terms, parts, id)?;
        if found
            .first()
            .is_some_and(|first| first.grid != rounded.grid)
        {
            return None;
        }
        found.push(rounded);
    }
    if found.is_empty() { None } else { Some(found) }
}

fn rounded(terms: &mut Terms, parts: &Loop, atom: ExprId) -> Option<Rounded> {
    match *terms.arena.node(atom) {
        Node::Mod(dividend, modulus) => {
            let divisor = (*terms.polynomial(modulus)).clone();
            let (slope, offset) = super::geometric::linear_in(terms, parts, dividend)?;
            if terms.polynomial_mentions(&divisor, parts.reduction.index) {
                return None;
            }
            let slope = slope.as_constant()?;
            let unit = slope.abs().is_one();
            let grid = Grid {
                divisor,
                shift: offset,
                mirrored: slope.is_negative(),
            };
            unit.then_some(Rounded {
                atom,
                grid,
                quotient: None,
            })
        }
        Node::Apply(function @ (Function::Floor | Function::Ceil), operand) => {
            let (slope, offset) = super::geometric::linear_in(terms, parts, operand)?;
            // ceil(x) = -floor(-x)
            let sign = if function == Function::Floor { 1 } else { -1 };
            let factor = Rational::from(sign);
            let (slope, offset) = (slope.scale(&factor), offset.scale(&factor));
            let (monomial, coefficient) = slope.as_term()?;
            let mirrored = coefficient.is_negative();
            let divisor = Polynomial::term(monomial.checked_pow(-1)?, coefficient.abs().recip()?);
            let divisor_term = terms.expression(&divisor);
            let divisor = (*terms.polynomial(divisor_term)).clone();
            let shift = terms.multiply(&offset, &divisor)?;
            Some(Rounded {
                atom,
                grid: Grid {
                    divisor,
                    shift,
                    mirrored,
                },
                quotient: Some(sign),
            })
        }
        _ => None,
    }
}

/// The same sum from the other end: `i` becomes `a + b - i`.
fn reversed(terms: &mut Terms, parts: &Loop) -> Option<Candidate> {
    let ends = &parts.lower + &parts.upper;
    let opposite = &ends - &Polynomial::atom(parts.index);
    let opposite = terms.expression(&opposite);
    let body = terms
        .arena
        .substitute(parts.reduction.body, parts.reduction.index, opposite);
    let right = parts.over(terms, &parts.lower, &parts.upper, body);
    let guards = vec![parts.aligned(terms)];
    Some(Candidate { right, guards })
}

fn close(terms: &mut Terms, parts: &Loop, rounded: &[Rounded]) -> Option<Candidate> {
    let Grid { divisor, shift, .. } = &rounded[0].grid;
    let [quotient, remainder] = [(); 2].map(|()| {
        let fresh = terms.arena.fresh_index();
        atom_of(terms.arena.symbol(fresh))
    });
    let (d, r) = (Polynomial::atom(quotient), Polynomial::atom(remainder));
    let mut body = parts.body.clone();
    for part in rounded {
        let value = match part.quotient {
            Some(sign) => d.scale(&Rational::from(sign)),
            None => r.clone(),
        };
        body = body.substitute(atom_of(part.atom), &value, MAX_TERMS)?;
    }
    let position = &(&divisor.checked_mul(&d, MAX_TERMS)? + &r) - shift;
    body = body.substitute(parts.index, &position, MAX_TERMS)?;
    let mut sums = Vec::new();
    let ends = [
        &(&parts.upper + &Polynomial::one()) + shift,
        &parts.lower + shift,
    ];
    for end in &ends {
        let blocks = blocks_of(terms, end, divisor);
        sums.push(sum_blocks(&body, quotient, remainder, &blocks, MAX_TERMS)?);
    }
    let right = terms.expression(&(&sums[0] - &sums[1]));
    let mut guards = parts.sum_guards(terms);
    guards.push(integral(terms, &ends[1]));
    guards.push(integral(terms, divisor));
    guards.push(compare(terms, Relation::Less, &Polynomial::zero(), divisor));
    Some(Candidate { right, guards })
}

fn blocks_of(terms: &mut Terms, count: &Polynomial, divisor: &Polynomial) -> Blocks {
    let (count, modulus) = (terms.expression(count), terms.expression(divisor));
    let quotient = terms.arena.floor_divide(count, modulus);
    let remainder = terms.arena.modulo(count, modulus);
    Blocks {
        divisor: divisor.clone(),
        quotient: (*terms.polynomial(quotient)).clone(),
        remainder: (*terms.polynomial(remainder)).clone(),
    }
}
