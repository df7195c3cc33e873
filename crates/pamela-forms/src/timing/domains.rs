//! Domains of probabilities and of parameters of laws.
//!
//! A number outside its domain is an error. For a formula, the domain becomes a condition of the
//! result.

use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Function, Relation};
use crate::model::{Domain, domains, misuse};
use crate::syntax::tree::Expr;

type Lowered<T> = Result<T, Diagnostic>;

impl Lowering<'_, '_> {
    /// Checks that a condition that is not a truth value is a probability.
    pub(super) fn probability(&mut self, role: &str, value: ExprId, span: Span) -> Lowered<()> {
        if self.arena.is_boolean(value) || self.is_law(value) {
            return Ok(());
        }
        match self.arena.as_number(value) {
            Some(number) if number.is_negative() || number > &1.into() => {
                let message = format!(
                    "{role} is {number}, expected a truth value or a probability from 0 to 1"
                );
                Err(Diagnostic::error(message, span, "not from 0 to 1")
                    .hint("to test a number write a comparison, for example `x != 0`"))
            }
            Some(_) => Ok(()),
            None => {
                let (zero, one) = (self.arena.number(0), self.arena.number(1));
                let conditions = [
                    self.arena.relate(Relation::LessEqual, zero, value),
                    self.arena.relate(Relation::LessEqual, value, one),
                ];
                self.ask(&conditions);
                Ok(())
            }
        }
    }

    /// Checks that the weights of a mixture or `switch` are nonnegative and add up to 1.
    pub(super) fn weights(
        &mut self,
        of: &str,
        weights: &[ExprId],
        spans: &[Span],
        span: Span,
    ) -> Lowered<()> {
        let zero = self.arena.number(0);
        for (&weight, &place) in weights.iter().zip(spans) {
            match self.arena.as_number(weight) {
                Some(number) if number.is_negative() => {
                    let message =
                        format!("a probability of {of} is {number}, expected a number from 0 to 1");
                    return Err(Diagnostic::error(message, place, "below 0"));
                }
                Some(_) => {}
                None if self.arena.is_boolean(weight) => {}
                None => {
                    let condition = self.arena.relate(Relation::LessEqual, zero, weight);
                    self.ask(&[condition]);
                }
            }
        }
        self.weights_add_up(of, weights, span)
    }

    /// Checks that probabilities add up to 1, or takes it for granted.
    fn weights_add_up(&mut self, of: &str, weights: &[ExprId], span: Span) -> Lowered<()> {
        let total = self.arena.add(weights);
        match self.arena.as_number(total) {
            Some(value) if !value.is_one() => {
                let message = format!("the probabilities of {of} add up to {value}");
                Err(Diagnostic::error(message, span, "they must add up to 1"))
            }
            Some(_) => Ok(()),
            None => {
                let one = self.arena.number(1);
                let complete = self.arena.relate(Relation::Equal, total, one);
                self.ask(&[complete]);
                Ok(())
            }
        }
    }

    /// Checks that the arguments of the law `name` are in their domains.
    pub(super) fn law_arguments(
        &mut self,
        name: &str,
        operands: &[ExprId],
        arguments: &[Expr],
        span: Span,
    ) -> Lowered<()> {
        let numbers = operands
            .iter()
            .map(|&operand| self.arena.as_number(operand));
        let numbers: Vec<_> = numbers
            .map(|number| Some(number?.to_big().into()))
            .collect();
        if let Some((position, message)) = misuse(name, &numbers) {
            let place = arguments
                .get(position)
                .map_or(span, |argument| argument.span);
            let label = "outside of the domain of the law";
            return Err(Diagnostic::error(message, place, label));
        }
        for (domain, &operand) in domains(name).zip(operands) {
            if self.arena.as_number(operand).is_none() {
                let conditions = self.within(domain, operand);
                self.ask(&conditions);
            }
        }
        if let ("uniform", &[lower, upper]) | ("truncated", &[_, lower, upper]) = (name, operands) {
            let ordered = self.arena.relate(Relation::LessEqual, lower, upper);
            self.ask(&[ordered]);
        }
        if let ("truncated", &[law, lower, ref upper @ ..]) = (name, operands) {
            self.ask_of_truncation(law, lower, upper.first().copied(), span)?;
        }
        Ok(())
    }

    /// Truth values that say that `x` is in a domain.
    fn within(&mut self, domain: Domain, x: ExprId) -> Vec<ExprId> {
        let (zero, one) = (self.arena.number(0), self.arena.number(1));
        let arena = &mut self.arena;
        match domain {
            Domain::Any => Vec::new(),
            Domain::Positive => vec![arena.relate(Relation::Less, zero, x)],
            Domain::NotNegative => vec![arena.relate(Relation::LessEqual, zero, x)],
            Domain::Probability => vec![
                arena.relate(Relation::LessEqual, zero, x),
                arena.relate(Relation::LessEqual, x, one),
            ],
            Domain::Chance => vec![
                arena.relate(Relation::Less, zero, x),
                arena.relate(Relation::LessEqual, x, one),
            ],
            Domain::Count => vec![
                arena.relate(Relation::LessEqual, zero, x),
                arena.apply(Function::Integer, x),
            ],
            Domain::Stages => vec![
                arena.relate(Relation::LessEqual, one, x),
                arena.apply(Function::Integer, x),
            ],
        }
    }
}
