//! Sums of floors and remainders of the index with a common divisor, symbolic or not.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::{Atom, Blocks, Monomial, Polynomial, Rational, sum_blocks, sum_polynomial};

use super::{Loop, at_most, compare, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// `(i + shift) div divisor` and `(i + shift) mod divisor`, or their mirror images.
#[derive(Clone, PartialEq)]
pub(super) struct Grid {
    pub divisor: Polynomial,
    pub shift: Polynomial,
    /// The index runs against the grid: `(shift - i)`.
    pub mirrored: bool,
}

/// An atom of the body that rounds on a grid.
pub(super) struct Rounded {
    pub atom: ExprId,
    pub grid: Grid,
    /// `None`: the remainder; else the quotient plus this number.
    pub quotient: Option<i64>,
}

impl Rounded {
    /// The value at `i = P*step + start`, where the remainder on a grid is `residue`. The value on another grid is
    /// known if that grid begins at the same place or one later.
    fn at_period(
        &self,
        grid: &Grid,
        residue: &Polynomial,
        start: &Polynomial,
        step: &Polynomial,
    ) -> Option<Polynomial> {
        let one = Polynomial::one();
        if self.grid.divisor != grid.divisor {
            return None;
        }
        if self.grid == *grid && self.quotient.is_none() {
            return Some(residue.clone());
        }
        // Mirrored, floor((s - i)/P) is -1 - floor((i - s - 1)/P).
        let place = if self.grid.mirrored {
            &(start - &self.grid.shift) - &one
        } else {
            start + &self.grid.shift
        };
        let block = match () {
            () if place.is_zero() || self.grid == *grid && !grid.mirrored => step.clone(),
            () if place == -&one => step - &one,
            () => return None,
        };
        let more = Polynomial::from(self.quotient?);
        Some(if self.grid.mirrored {
            &(&more - &one) - &block
        } else {
            &more + &block
        })
    }
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
        return against_the_index(terms, &parts, rounded)
            .into_iter()
            .collect();
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

pub(super) fn rounded(terms: &mut Terms, parts: &Loop, atom: ExprId) -> Option<Rounded> {
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
            let (monomial, coefficient) = slope.as_term()?;
            let mirrored = coefficient.is_negative();
            let divisor = Polynomial::term(monomial.checked_pow(-1)?, coefficient.abs().recip()?);
            let divisor_term = terms.expression(&divisor);
            let divisor = (*terms.polynomial(divisor_term)).clone();
            let mut shift = terms.multiply(&offset, &divisor)?;
            let mut more = 0;
            if function == Function::Ceil {
                // For whole numbers, ceil(n/P) = (n - 1) div P + 1.
                shift = &shift - &Polynomial::one();
                more = 1;
            }
            Some(Rounded {
                atom,
                grid: Grid {
                    divisor,
                    shift,
                    mirrored,
                },
                quotient: Some(more),
            })
        }
        _ => None,
    }
}

/// The sum with the range reversed: `i` becomes `a + b - i`.
pub(super) fn reversed(terms: &mut Terms, parts: &Loop) -> Option<Candidate> {
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

/// The sum from its other end; where that runs against the index again, by the mirrored grid:
/// `(s - i) div D` is `-1 - (i - s - 1) div D`, `(s - i) mod D` is `D - 1 - (i - s - 1) mod D`.
fn against_the_index(terms: &mut Terms, parts: &Loop, rounded: Vec<Rounded>) -> Option<Candidate> {
    let again = reversed(terms, parts)?;
    let other = terms.canonical(again.right);
    let returns = Loop::of(terms, other, ReduceKind::Sum)
        .and_then(|parts| recognise(terms, &parts))
        .is_some_and(|rounded| rounded[0].grid.mirrored);
    if !returns {
        return Some(again);
    }
    close(terms, parts, &rounded)
}

fn close(terms: &mut Terms, parts: &Loop, rounded: &[Rounded]) -> Option<Candidate> {
    let Grid {
        divisor,
        shift,
        mirrored,
    } = &rounded[0].grid;
    let shift = &if *mirrored {
        -&(shift + &Polynomial::one())
    } else {
        shift.clone()
    };
    let [quotient, remainder] = [(); 2].map(|()| atom_of(terms.arena.fresh_index_term()));
    let (d, r) = (Polynomial::atom(quotient), Polynomial::atom(remainder));
    let mut body = parts.body.clone();
    for part in rounded {
        let one = Polynomial::one();
        let value = match (part.quotient, mirrored) {
            (Some(more), false) => &d + &Polynomial::from(more),
            (Some(more), true) => &Polynomial::from(more) - &(&d + &one),
            (None, false) => r.clone(),
            (None, true) => divisor - &(&r + &one),
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
        sums.push(sum_before(
            terms,
            &body,
            [quotient, remainder],
            end,
            divisor,
        )?);
    }
    let right = terms.expression(&(&sums[0] - &sums[1]));
    let mut guards = parts.sum_guards(terms);
    guards.push(integral(terms, &ends[1]));
    guards.push(integral(terms, divisor));
    Some(Candidate { right, guards })
}

/// `sum (i = 0, n - 1) { body(i div P, i mod P) }`
///
/// For `n = m + 1` the last element is written by itself, so that the result speaks of `m`.
fn sum_before(
    terms: &mut Terms,
    body: &Polynomial,
    [quotient, remainder]: [Atom; 2],
    count: &Polynomial,
    divisor: &Polynomial,
) -> Option<Polynomial> {
    let one = Polynomial::one();
    let after_whole = count.coefficient(&Monomial::one()).is_one();
    let whole = if after_whole {
        count - &one
    } else {
        count.clone()
    };
    let blocks = blocks_of(terms, &whole, divisor);
    let sum = sum_blocks(body, quotient, remainder, &blocks, MAX_TERMS)?;
    if !after_whole {
        return Some(sum);
    }
    let last = body.substitute(quotient, &blocks.quotient, MAX_TERMS)?;
    Some(&sum + &last.substitute(remainder, &blocks.remainder, MAX_TERMS)?)
}

fn blocks_of(terms: &mut Terms, count: &Polynomial, divisor: &Polynomial) -> Blocks {
    // The arena keeps `0 mod P` unchanged, because it does not know that P is not 0.
    if count.is_zero() {
        return Blocks {
            divisor: divisor.clone(),
            quotient: Polynomial::zero(),
            remainder: Polynomial::zero(),
        };
    }
    let (count, modulus) = (terms.expression(count), terms.expression(divisor));
    let quotient = terms.arena.floor_divide(count, modulus);
    let remainder = terms.arena.modulo(count, modulus);
    Blocks {
        divisor: divisor.clone(),
        quotient: (*terms.polynomial(quotient)).clone(),
        remainder: (*terms.polynomial(remainder)).clone(),
    }
}

/// A remainder selects every P-th index: `sum {f * ((i + c) mod P == k)}` runs over `i = P*t + k - c`.
pub fn residue(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(parts) = Loop::of(terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    residue_class(terms, &parts).into_iter().collect()
}

fn residue_class(terms: &mut Terms, parts: &Loop) -> Option<Candidate> {
    let (monomial, coefficient) = parts.body.as_term()?;
    let mut class = None;
    let mut quotients = Vec::new();
    let mut factor = Polynomial::constant(coefficient.clone());
    for &(atom, exponent) in monomial.powers() {
        let id = expr_of(atom);
        if exponent > 0
            && atom != parts.index
            && let Some(part) = rounded(terms, parts, id)
        {
            factor = factor.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
            quotients.push(part);
            continue;
        }
        let simple = atom == parts.index && exponent > 0 || !parts.depends(&terms.arena, id);
        if simple {
            factor = factor.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
        } else if class.is_none() && exponent == 1 {
            class = Some(remainder_equals(terms, parts, id)?);
        } else {
            return None;
        }
    }
    let (grid, residue) = class?;
    // i = P*t + k - c, for t between these bounds.
    let start = if grid.mirrored {
        &grid.shift - &residue
    } else {
        &residue - &grid.shift
    };
    let [first, last] = [
        (&parts.lower, Function::Ceil),
        (&parts.upper, Function::Floor),
    ]
    .map(|(end, function)| {
        let (distance, divisor) = (
            terms.expression(&(end - &start)),
            terms.expression(&grid.divisor),
        );
        let quotient = terms.arena.divide(distance, divisor);
        let bound = terms.arena.apply(function, quotient);
        (*terms.polynomial(bound)).clone()
    });
    let step = atom_of(terms.arena.fresh_index_term());
    let position = &grid
        .divisor
        .checked_mul(&Polynomial::atom(step), MAX_TERMS)?
        + &start;
    // On the same grid, the quotient is the number of the period, and the remainder is known.
    for part in quotients {
        let value = part.at_period(&grid, &residue, &start, &Polynomial::atom(step))?;
        factor = factor.substitute(atom_of(part.atom), &value, MAX_TERMS)?;
    }
    let body = factor.substitute(parts.index, &position, MAX_TERMS)?;
    // Whole bounds with last >= first - 1: the sum of a polynomial is closed without guards of its own.
    let sum = sum_polynomial(&body, step, &first, &last, MAX_TERMS)?;
    let within = [
        at_most(terms, &Polynomial::zero(), &residue),
        compare(terms, Relation::Less, &residue, &grid.divisor),
        terms.expression(&sum),
    ];
    let guards = vec![
        at_most(terms, &(&parts.lower - &Polynomial::one()), &parts.upper),
        integral(terms, &parts.lower),
        integral(terms, &start),
        integral(terms, &grid.divisor),
    ];
    Some(Candidate {
        right: terms.arena.mul(&within),
        guards,
    })
}

/// `(i + c) mod P == k` as its grid and `k`.
fn remainder_equals(terms: &mut Terms, parts: &Loop, id: ExprId) -> Option<(Grid, Polynomial)> {
    let Node::Compare(Relation::Equal, left, right) = *terms.arena.node(id) else {
        return None;
    };
    let difference = terms.arena.subtract(left, right);
    let difference = terms.polynomial(difference);
    for atom in difference.atoms() {
        let remainder = expr_of(atom);
        if !matches!(terms.arena.node(remainder), Node::Mod(..))
            || !parts.depends(&terms.arena, remainder)
        {
            continue;
        }
        let rounded = rounded(terms, parts, remainder)?;
        let by_power = difference.coefficients_in(atom);
        let slope = by_power.get(&1)?.as_constant()?;
        let rest = by_power.get(&0).cloned().unwrap_or_default();
        let linear = by_power.keys().all(|&power| power == 0 || power == 1);
        if !linear || terms.polynomial_mentions(&rest, parts.reduction.index) {
            return None;
        }
        return Some((rounded.grid, -&rest.scale(&slope.recip()?)));
    }
    None
}
