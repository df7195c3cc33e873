//! Sums over parts of rows that telescope.

use crate::expr::{ExprId, ReduceKind, Relation};
use crate::ring::{Polynomial, shift};

use super::super::scope::{Candidate, Scope};
use super::super::terms::{MAX_TERMS, Terms};
use super::row_terms::{few_factorials, rows};
use super::rows::end;
use super::{Loop, compare};

/// `F(b + 1) - F(a)` for a telescoping term with parameters.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    telescoped(&mut scope.terms, term).unwrap_or_default()
}

fn telescoped(terms: &mut Terms, term: ExprId) -> Option<Vec<Candidate>> {
    let parts = Loop::of(terms, term, ReduceKind::Sum)?;
    let index = parts.index;
    let mut ends = [Vec::new(), Vec::new()];
    let mut guards = parts.sum_guards(terms);
    for row in rows(terms, &parts)? {
        let is_whole = [1, -1].map(|direction| end(terms, &parts, &row, direction).is_some());
        if row.is_of_numbers(index) || !row.has_factorials(index) || is_whole == [true, true] {
            return None;
        }
        let found = row.term.antidifference(index)?;
        let zero = compare(terms, Relation::Equal, &found.factor, &Polynomial::zero());
        guards.push(terms.arena.not(zero));
        let divisor = terms.expression(&found.factor);
        let next = shift(&found.solution, index, 1)?;
        let before = shift(&found.falling, index, -1)?;
        let mut value = |factors: [&Polynomial; 2], at: &Polynomial| {
            let factor = factors[0].checked_mul(factors[1], MAX_TERMS)?;
            let factor = factor.substitute(index, at, MAX_TERMS)?;
            if factor.is_zero() {
                return Some(terms.arena.number(0));
            }
            let kernel = row.kernel_at(terms, index, at, &factor)?;
            let quotient = terms.arena.divide(kernel, divisor);
            Some(few_factorials(terms, quotient))
        };
        let start = value([&before, &found.solution], &parts.lower)?;
        let beyond = &parts.upper + &Polynomial::one();
        let last = value([&found.rising, &next], &parts.upper)?;
        let after = value([&before, &found.solution], &beyond)?;
        for (end, value) in ends.iter_mut().zip([last, after]) {
            end.push(terms.arena.subtract(value, start));
        }
    }
    let candidate = |terms: &mut Terms, sums: &[ExprId]| Candidate {
        right: terms.arena.add(sums),
        guards: guards.clone(),
    };
    (!ends[0].is_empty()).then(|| ends.iter().map(|sums| candidate(terms, sums)).collect())
}
