//! Operands of a maximum that are needed, and the conditions under which each is the greatest.

use crate::expr::{ExprId, Relation};
use crate::ring::Polynomial;

use super::{Alternative, Search};
use crate::algebra::facts::Prover;
use crate::algebra::functions::{Strictest, conditions_of, needed};
use crate::algebra::signs::signed;

impl Search<'_> {
    /// Each operand, with the conditions under which it is the least or the greatest. Conditions that differ by a
    /// number are replaced by the strictest: `x <= 3` also for `x <= 4`.
    pub(super) fn extremes(&mut self, operands: &[ExprId], greatest: bool) -> Vec<Alternative> {
        let lead = self.lead(operands, greatest);
        let needed = needed(&lead);
        let mut alternatives = Vec::new();
        for &chosen in &needed {
            if let Some([when, alone]) = conditions_of(chosen, &lead[chosen], &needed) {
                alternatives.push(Alternative {
                    value: operands[chosen],
                    when: self.conditions(Relation::LessEqual, when),
                    alone: self.conditions(Relation::Less, alone),
                });
            }
        }
        alternatives
    }

    /// By how much each operand is beyond each other one: what has the sign of that where both differ. Operands that
    /// are equal where a factor of all these is 0 are told apart by the rest: `e <= l` for `(n - 1) * e <= (n - 1) * l`.
    fn lead(&mut self, operands: &[ExprId], greatest: bool) -> Vec<Vec<Polynomial>> {
        let forms: Vec<_> = operands.iter().map(|&o| self.terms.polynomial(o)).collect();
        let mut lead = vec![vec![Polynomial::zero(); forms.len()]; forms.len()];
        let mut shorter = lead.clone();
        let mut factors: Vec<Polynomial> = Vec::new();
        for (own, other) in (0..forms.len()).flat_map(|own| (0..own).map(move |other| (own, other)))
        {
            let beyond = if greatest {
                &*forms[own] - &*forms[other]
            } else {
                &*forms[other] - &*forms[own]
            };
            let rest = match self.touching(&beyond) {
                Some((factor, rest)) => {
                    if !factors.contains(&factor) {
                        factors.push(factor);
                    }
                    rest
                }
                None => beyond.clone(),
            };
            (shorter[own][other], shorter[other][own]) = (rest.clone(), -rest);
            (lead[own][other], lead[other][own]) = (beyond.clone(), -beyond);
        }
        // If two factors are 0, the remaining conditions may be circular.
        match factors.len() {
            1 => shorter,
            _ => lead,
        }
    }

    /// The factor of a difference that is nonnegative and may be 0, and its cofactor.
    fn touching(&mut self, difference: &Polynomial) -> Option<(Polynomial, Polynomial)> {
        let mut found = signed(self.terms, &self.prover, Prover::nonnegative, difference)?;
        let (prover, terms) = (&self.prover, &mut *self.terms);
        found
            .powers
            .retain(|(base, exponent)| *exponent > 0 && !prover.positive(terms, base));
        let factor = found.factor()?;
        if factor.as_constant().is_some() {
            return None;
        }
        let rest = difference.divide_exact(&factor)?;
        Some((factor, rest))
    }

    /// The conditions that each form is above the negative of its least number, or not below it.
    fn conditions(&mut self, relation: Relation, strictest: Strictest) -> Vec<ExprId> {
        let conditions = strictest.numbers.into_iter().map(|(form, number)| {
            let beyond = &form + &Polynomial::constant(number);
            self.relate(relation, &beyond)
        });
        conditions.collect()
    }

    /// The truth value that a polynomial is above 0, or not below.
    fn relate(&mut self, relation: Relation, beyond: &Polynomial) -> ExprId {
        let (zero, beyond) = (self.terms.arena.number(0), self.terms.expression(beyond));
        self.terms.arena.relate(relation, zero, beyond)
    }
}
