//! Decides if facts and conditions hold at a point.

use super::{PointEvaluation, Run};
use crate::diagnostic;
use crate::eval::{Bindings, EvalError, Evaluation, Value};
use crate::expr::{Arena, ExprId};
use crate::formula::{Formula, Notation};
use crate::law::Carrier;

/// Result of checking a condition at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The condition holds.
    Holds,
    /// The condition is false or undefined.
    Fails,
    /// The limit of steps or digits was reached before a decision.
    Undecided,
}

impl Verdict {
    pub(super) fn of(value: &Result<bool, EvalError>) -> Verdict {
        match value {
            Ok(true) => Verdict::Holds,
            Err(EvalError::TooManySteps(_) | EvalError::TooLarge | EvalError::Undecided(_)) => {
                Verdict::Undecided
            }
            Ok(false) | Err(_) => Verdict::Fails,
        }
    }
}

impl PointEvaluation<'_> {
    /// True if the closed forms of all facts hold. If not, the definition decides.
    pub(super) fn facts_hold(&self) -> bool {
        let holds = |fact: &Formula| {
            let value = self.holds(fact.arena(), fact.root(), &self.bindings);
            matches!(value, Ok(true))
        };
        !self.compiled.has_random_facts && self.compiled.simplified.facts.iter().all(holds)
    }

    /// True if the conditions of a formula hold and everything that it rests on has a value.
    ///
    /// Returns `None` if a condition takes too many steps.
    pub(super) fn applies(
        &self,
        formula: &Formula,
        bindings: &Bindings,
        run: &mut Run<'_>,
    ) -> diagnostic::Result<Option<bool>> {
        let failed = |name: &String| run.failed.contains(name);
        let mut applies = !formula.rests_on().iter().any(failed);
        let texts = formula.condition_texts(Notation::Pamela);
        for (text, value) in texts.into_iter().zip(self.conditions(formula, bindings)) {
            if let Err(reason) = &value
                && let Some(failure) = run.failure(reason)
            {
                return failure.map(|_| None);
            }
            let holds = Verdict::of(&value);
            applies &= holds == Verdict::Holds;
            if !run.conditions.iter().any(|(known, _)| *known == text) {
                run.conditions.push((text, holds));
            }
        }
        Ok(Some(applies))
    }

    /// Evaluates each condition of a formula.
    pub(super) fn conditions(
        &self,
        formula: &Formula,
        bindings: &Bindings,
    ) -> Vec<Result<bool, EvalError>> {
        let holds = |&condition: &ExprId| self.holds(formula.arena(), condition, bindings);
        formula.conditions().iter().map(holds).collect()
    }

    fn holds(
        &self,
        arena: &Arena,
        condition: ExprId,
        bindings: &Bindings,
    ) -> Result<bool, EvalError> {
        let mut evaluation = Evaluation::new(arena, bindings, Carrier::default());
        let value = evaluation.value(condition, self.budget.limits());
        self.budget.spend(evaluation.steps());
        Ok(matches!(value?, Value::Scalar(number) if !number.is_zero()))
    }
}
