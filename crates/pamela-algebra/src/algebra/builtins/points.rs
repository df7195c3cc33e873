//! Separates the element of a sum at the index that a condition selects.

use crate::expr::{ExprId, Node, ReduceKind, Sort};
use crate::ring::Polynomial;

use super::{Loop, at_most, integral};
use crate::algebra::functions::asked;
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{Terms, expr_of};

/// An equality in the body that is linear in the index, with the value of the index that it asks for.
fn equality(terms: &mut Terms, parts: &Loop) -> Option<(ExprId, Polynomial)> {
    for atom in parts.body.atoms() {
        let id = expr_of(atom);
        if let Some(at) = asked(terms, parts.reduction.index, id) {
            return Some((id, at));
        }
    }
    None
}

/// `sum { if (i == k) f else g }`: `f` at k if k is in the range, and `g` before and after it. The branch that is
/// not taken is never evaluated.
pub fn peel(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    peeled(scope, term).into_iter().collect()
}

fn peeled(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let parts = Loop::of(&mut scope.terms, term, ReduceKind::Sum)?;
    let terms = &mut scope.terms;
    let (part, [then, otherwise], at) = conditional(terms, &parts)?;
    let body = parts.reduction.body;
    let [single, others] = [then, otherwise].map(|value| {
        let body = terms
            .arena
            .replace(body, &|_, id| (id == part).then_some(value));
        terms.canonical(body)
    });
    let one = Polynomial::one();
    let position = terms.expression(&at);
    let single = terms
        .arena
        .substitute(single, parts.reduction.index, position);
    let (inside, ranges) = if at == parts.lower {
        (
            parts.nonempty(terms),
            vec![(&at + &one, parts.upper.clone())],
        )
    } else if at == parts.upper {
        (
            parts.nonempty(terms),
            vec![(parts.lower.clone(), &at - &one)],
        )
    } else {
        let within = [
            at_most(terms, &parts.lower, &at),
            at_most(terms, &at, &parts.upper),
        ];
        let inside = terms.arena.mul(&within);
        let before = [
            terms.expression(&parts.upper),
            terms.expression(&(&at - &one)),
        ];
        let after = [
            terms.expression(&parts.lower),
            terms.expression(&(&at + &one)),
        ];
        let (before, after) = (terms.arena.min(&before), terms.arena.max(&after));
        let (before, after) = (terms.polynomial(before), terms.polynomial(after));
        let ranges = vec![
            (parts.lower.clone(), (*before).clone()),
            ((*after).clone(), parts.upper.clone()),
        ];
        (inside, ranges)
    };
    let whole = integral(terms, &(&at - &parts.lower));
    let whole = terms.canonical(whole);
    if !scope.holds(whole) {
        return None;
    }
    let terms = &mut scope.terms;
    let nothing = match terms.arena.sort(body) {
        Sort::Vector => terms.arena.zero_vector(),
        _ => terms.arena.number(0),
    };
    let mut sum = vec![terms.arena.if_else(inside, single, nothing)];
    for (lower, upper) in ranges {
        sum.push(parts.over(terms, &lower, &upper, others));
    }
    Some(Candidate {
        right: terms.arena.add(&sum),
        guards: Vec::new(),
    })
}

/// A conditional whose condition is that the index has a value; of vectors, a truth value that is a factor is one, too,
/// where the value is an end of the range.
fn conditional(terms: &mut Terms, parts: &Loop) -> Option<(ExprId, [ExprId; 2], Polynomial)> {
    let mut pending = vec![parts.reduction.body];
    while let Some(id) = pending.pop() {
        if !parts.depends(&terms.arena, id) {
            continue;
        }
        match *terms.arena.node(id) {
            Node::If(condition, then, otherwise) => {
                if let Some(at) = asked(terms, parts.reduction.index, condition) {
                    return Some((id, [then, otherwise], at));
                }
            }
            Node::Reduce(_) => continue,
            _ => {}
        }
        pending.extend(terms.arena.operands(id));
    }
    if terms.arena.sort(parts.reduction.body) != Sort::Vector {
        return None;
    }
    let (part, at) = equality(terms, parts)?;
    let values = [1, 0].map(|value| terms.arena.number(value));
    (at == parts.lower || at == parts.upper).then_some((part, values, at))
}
