//! Conditions and choices; distinguishes truth values from probabilities and laws.

use super::numeric::Cases;
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Arena, ExprId};
use crate::syntax::tree::Expr;

type Lowered<T> = Result<T, Diagnostic>;

impl Lowering<'_, '_> {
    /// `a && b` becomes `a*b`. For truth values, `b` is evaluated only where `a` holds.
    pub(super) fn conjunction(&mut self, parts: &[Expr]) -> Lowered<ExprId> {
        let conditions = self.connected(parts, "`&&` of", Arena::both)?;
        let lazy = parts.iter().all(|e| self.is_truth_value(e));
        let mut result = self.arena.number(1);
        for &condition in conditions.iter().rev() {
            result = if lazy && !self.arena.is_total(result) {
                let zero = self.arena.number(0);
                self.arena.if_else(condition, result, zero)
            } else {
                self.arena.mul(&[condition, result])
            };
        }
        Ok(result)
    }

    /// `a || b` becomes `1 - (1 - a)*(1 - b)`. For truth values, `b` is evaluated only where `a` is
    /// false.
    pub(super) fn disjunction(&mut self, parts: &[Expr]) -> Lowered<ExprId> {
        let conditions = self.connected(parts, "`||` of", Arena::but_not)?;
        let lazy = parts.iter().all(|e| self.is_truth_value(e));
        let mut result = self.arena.number(0);
        for &condition in conditions.iter().rev() {
            result = if lazy && !self.arena.is_total(result) {
                let one = self.arena.number(1);
                self.arena.if_else(condition, one, result)
            } else {
                let neither = [self.arena.not(condition), self.arena.not(result)];
                let neither = self.arena.mul(&neither);
                self.arena.not(neither)
            };
        }
        Ok(result)
    }

    /// The parts of `&&` or `||`; truth values are looked at one after the other, each where `further` says.
    fn connected(
        &mut self,
        parts: &[Expr],
        what: &str,
        further: fn(&mut Arena, ExprId, ExprId) -> ExprId,
    ) -> Lowered<Vec<ExprId>> {
        let lazy = parts.iter().all(|e| self.is_truth_value(e));
        let mut looked_at = self.arena.number(1);
        let mut conditions = Vec::new();
        for part in parts {
            let condition = self.under_condition(looked_at, |inner| inner.numeric(part))?;
            self.no_law(condition, what, part.span)?;
            if lazy {
                looked_at = further(self.arena, looked_at, condition);
            }
            conditions.push(condition);
        }
        Ok(conditions)
    }

    /// Lowers the branches of a choice, each under its condition.
    pub(super) fn branches<B: Copy, T>(
        &mut self,
        cases: &Cases,
        branches: &[B],
        lower: impl Fn(&mut Self, B) -> Lowered<T>,
    ) -> Lowered<Vec<T>> {
        let Cases::Truths(conditions) = cases else {
            return branches.iter().map(|&branch| lower(self, branch)).collect();
        };
        let mut left = self.arena.number(1);
        let mut lowered = Vec::new();
        for (&condition, &branch) in conditions.iter().zip(branches) {
            let chosen = self.arena.both(left, condition);
            lowered.push(self.under_condition(chosen, |inner| lower(inner, branch))?);
            left = self.arena.but_not(left, condition);
        }
        Ok(lowered)
    }

    pub(super) fn condition(&mut self, condition: &Expr) -> Lowered<Cases> {
        let lowered = self.numeric(condition)?;
        if self.is_law(lowered) {
            return Ok(self.random_cases(lowered));
        }
        let rest = self.arena.not(lowered);
        if self.is_truth_value(condition) {
            return Ok(Cases::Truths(vec![lowered, rest]));
        }
        self.probability("a condition", lowered, condition.span)?;
        Ok(Cases::Weights(vec![lowered, rest]))
    }

    pub(super) fn conditions<'e>(
        &mut self,
        conditions: impl Iterator<Item = &'e Expr> + Clone,
        span: Span,
    ) -> Lowered<Cases> {
        if conditions.clone().all(|c| self.is_truth_value(c)) {
            return self.truths(conditions);
        }
        let lowered: Vec<ExprId> = conditions
            .clone()
            .map(|c| self.numeric(c))
            .collect::<Lowered<_>>()?;
        if let [first, second] = lowered[..]
            && self.is_law(first)
            && self.is_rest_of(first, second)
        {
            return Ok(self.random_cases(first));
        }
        if lowered.iter().any(|&condition| self.is_law(condition)) {
            return self.drawn(conditions, lowered, span);
        }
        let spans: Vec<Span> = conditions.map(|c| c.span).collect();
        self.weights("the `switch`", &lowered, &spans, span)?;
        Ok(Cases::Weights(lowered))
    }

    /// Truth values, looked at until the first that holds; one of them must.
    fn truths<'e>(&mut self, conditions: impl Iterator<Item = &'e Expr>) -> Lowered<Cases> {
        let mut left = self.arena.number(1);
        let mut lowered = Vec::new();
        for condition in conditions {
            let truth = self.under_condition(left, |inner| inner.numeric(condition))?;
            left = self.arena.but_not(left, truth);
            lowered.push(truth);
        }
        let one_holds = self.arena.not(left);
        self.ask(&[one_holds]);
        Ok(Cases::Truths(lowered))
    }

    /// True if the second of two conditions takes the rest of a random first one: 1, or `1 - c` for a share `c`. For
    /// a random truth value, `1 - c` would be drawn again.
    fn is_rest_of(&mut self, first: ExprId, second: ExprId) -> bool {
        let one = self.arena.number(1);
        let negative = self.negated(first);
        let complement = self.arena.add(&[one, negative]);
        let share = matches!(self.random_cases(first), Cases::Random(_));
        second == one || share && second == complement
    }

    /// The selected value, or the weighted sum.
    ///
    /// The last truth value is not evaluated: if no other holds, it holds or the choice is
    /// undefined.
    pub(super) fn choice(&mut self, cases: &Cases, values: &[ExprId]) -> Lowered<ExprId> {
        Ok(match cases {
            Cases::Bernoulli(_) | Cases::Random(_) => {
                return self.random_choice(cases, values[0], values[1]);
            }
            Cases::Drawn(conditions) => return self.first_drawn(conditions, values),
            Cases::Truths(conditions) => {
                let mut choices = conditions.iter().zip(values).rev();
                let last = choices.next().map(|(_, value)| *value);
                let last = last.unwrap_or_else(|| self.arena.number(0));
                choices.fold(last, |rest, (condition, value)| {
                    self.arena.if_else(*condition, *value, rest)
                })
            }
            Cases::Weights(weights) => {
                let terms: Vec<ExprId> = weights
                    .iter()
                    .zip(values)
                    .map(|(w, v)| self.mul(&[*w, *v]))
                    .collect();
                self.add(&terms)
            }
        })
    }
}
