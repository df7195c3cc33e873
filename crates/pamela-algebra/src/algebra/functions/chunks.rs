//! Chunks of a range, each with a constant number of indices, all cut off at one end.
//!
//! A chunk from x up to y has `G(y) - G(x)`, which is the sum of `G(z + 1) - G(z)` over its elements z.

use crate::expr::{ExprId, Node, Symbol};
use crate::ring::{Atom, Polynomial};

use super::{one, term_and_index};
use crate::algebra::builtins::shares::Total;
use crate::algebra::builtins::vectors::reciprocal;
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// `G`, z, s, D, C and n of a chunk from `D*i + s` to `max(D*i + s, min(n, D*i + s + C))`, and the remaining terms.
pub fn chunks(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some((body, index)) = term_and_index(&scope.terms.arena, values) else {
        return Vec::new();
    };
    one(taken_apart(&mut scope.terms, body, index))
}

fn taken_apart(terms: &mut Terms, body: ExprId, index: Symbol) -> Option<Vec<Value>> {
    let symbol = terms.arena.symbol(index);
    let body = (*terms.polynomial(body)).clone();
    let cut = Cut::of(terms, &body, index)?;
    // The index by where its chunk begins.
    let from = atom_of(terms.arena.fresh_index_term());
    let per_chunk = reciprocal(terms, &cut.step)?;
    let number = terms.multiply(&(&Polynomial::atom(from) - &cut.offset), &per_chunk)?;
    let body = body.substitute(atom_of(symbol), &number, MAX_TERMS)?;
    let body = terms.expression(&body);
    let body = (*terms.polynomial(body)).clone();
    let total = Total::up_to(cut.to, &body, from, terms)?;
    let begun = Polynomial::atom(from);
    let share = total.between(&begun, &Polynomial::atom(cut.to))?;
    let begin = &terms.multiply(&cut.step, &Polynomial::atom(atom_of(symbol)))? + &cut.offset;
    let rest = (&body - &share).substitute(from, &begin, MAX_TERMS)?;
    let found = [
        &total.total,
        &Polynomial::atom(total.place),
        &cut.offset,
        &cut.step,
        &cut.size,
        &cut.limit,
        &rest,
    ];
    Some(found.map(|p| Value::Term(terms.expression(p))).to_vec())
}

/// `from = step*i + offset`, and where a chunk ends: `to = max(from, min(limit, from + size))`.
struct Cut {
    step: Polynomial,
    offset: Polynomial,
    size: Polynomial,
    limit: Polynomial,
    to: Atom,
}

impl Cut {
    fn of(terms: &mut Terms, body: &Polynomial, index: Symbol) -> Option<Cut> {
        let symbol = atom_of(terms.arena.symbol(index));
        let mut moving = (body.atoms().into_iter())
            .filter(|&atom| atom != symbol && terms.mentions(expr_of(atom), index));
        let (to, None) = (moving.next()?, moving.next()) else {
            return None;
        };
        let Node::Max(list) = terms.arena.node(expr_of(to)).clone() else {
            return None;
        };
        let [a, b] = *list.as_ref() else {
            return None;
        };
        let (from, ends) = match (terms.arena.node(a).clone(), terms.arena.node(b).clone()) {
            (_, Node::Min(ends)) => (a, ends),
            (Node::Min(ends), _) => (b, ends),
            _ => return None,
        };
        let [c, d] = *ends.as_ref() else {
            return None;
        };
        let (limit, next) = match (terms.mentions(c, index), terms.mentions(d, index)) {
            (false, true) => (c, d),
            (true, false) => (d, c),
            _ => return None,
        };
        let [from, next, limit] = [from, next, limit].map(|id| (*terms.polynomial(id)).clone());
        let size = &next - &from;
        let mut by_power = from.coefficients_in(symbol);
        let (step, offset) = (
            by_power.remove(&1)?,
            by_power.remove(&0).unwrap_or_default(),
        );
        let free = |p: &Polynomial| !terms.polynomial_mentions(p, index);
        let linear = by_power.is_empty() && [&step, &offset, &size].into_iter().all(free);
        linear.then_some(Cut {
            step,
            offset,
            size,
            limit,
            to,
        })
    }
}
