//! Proofs in parts: by induction up to a maximum, and separately for each time parameter.

use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Atom, Polynomial};

use super::statement::Statement;
use super::{DEPTH, Goal, Prover, is_whole_atom};
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// Longer parts of a product are not proved separately: that takes long and is rarely needed.
const SHORT: usize = 4;

impl Prover {
    /// Induction: a function that is nonnegative at z and does not fall in whole steps from z on is nonnegative at
    /// `max(z, y)`. So a sum is nonnegative if its elements from z on are.
    pub(super) fn by_steps(&self, terms: &mut Terms, p: &Polynomial) -> bool {
        let atoms = p.atoms().into_iter().filter(|&atom| !is_whole_atom(atom));
        let curved = atoms.filter(|&atom| p.degree_in(atom) > 1);
        let maxima = curved.filter_map(|atom| match terms.arena.node(expr_of(atom)) {
            Node::Max(list) => Some((atom, list.to_vec())),
            _ => None,
        });
        let Some((largest, from)) = maxima.collect::<Vec<_>>().into_iter().next() else {
            return false;
        };
        from.into_iter()
            .any(|from| self.never_falls(terms, p, largest, from) == Some(true))
    }

    fn never_falls(
        &self,
        terms: &mut Terms,
        p: &Polynomial,
        largest: Atom,
        from: ExprId,
    ) -> Option<bool> {
        let from = (*terms.polynomial(from)).clone();
        let least = p.substitute(largest, &from, MAX_TERMS)?;
        if !least.is_zero() && !self.ask(terms, &least, Goal::NonNegative) {
            return None;
        }
        let place = Polynomial::atom(atom_of(terms.arena.fresh_index_term()));
        let next = p.substitute(largest, &(&place + &Polynomial::one()), MAX_TERMS)?;
        let step = &next - &p.substitute(largest, &place, MAX_TERMS)?;
        let begun = Statement::NonNegative(&place - &from);
        let rises = self.by_cases(terms, &step, &[begun], DEPTH, Goal::NonNegative);
        let whole = [Polynomial::atom(largest), from];
        Some(rises && whole.iter().all(|end| self.ask(terms, end, Goal::Integer)))
    }

    /// Times that are parameters, `t * p + u * q + r`, where none of p, q and r is below 0. `t * p` alone is proved so or not
    /// at all, where p is short; of others `None` where it is not proved.
    pub(super) fn by_amounts(&self, terms: &mut Terms, p: &Polynomial) -> Option<bool> {
        let mut rest = p.clone();
        let mut parts = Vec::new();
        for atom in p.atoms() {
            let mut by_power = rest.coefficients_in(atom);
            if by_power.keys().any(|power| ![0, 1].contains(power)) || !self.is_amount(terms, atom)
            {
                continue;
            }
            rest = by_power.remove(&0).unwrap_or_default();
            parts.extend(by_power.remove(&1));
        }
        let has_amounts = !parts.is_empty();
        parts.push(rest);
        parts.retain(|part| !part.is_zero());
        let is_long_product = matches!(&parts[..], [part] if part.len() > SHORT);
        if !has_amounts || is_long_product {
            return None;
        }
        let refuted = |part: &Polynomial| self.refuted(terms, part, &[], Goal::NonNegative);
        let proved = !parts.iter().any(refuted)
            && parts
                .iter()
                .all(|part| self.ask(terms, part, Goal::NonNegative));
        (proved || parts.len() == 1).then_some(proved)
    }

    /// A parameter that is known not to be below 0, and not known to be a whole number.
    fn is_amount(&self, terms: &mut Terms, atom: Atom) -> bool {
        if is_whole_atom(atom) || !matches!(terms.arena.node(expr_of(atom)), Node::Symbol(_)) {
            return false;
        }
        let symbol = expr_of(atom);
        let zero = terms.arena.number(0);
        let not_negative = [Relation::LessEqual, Relation::Less]
            .into_iter()
            .any(|relation| {
                let fact = terms.arena.relate(relation, zero, symbol);
                let fact = terms.canonical(fact);
                self.known.contains(&fact)
            });
        let whole = terms.arena.apply(Function::Integer, symbol);
        not_negative && !self.known.contains(&whole)
    }
}
