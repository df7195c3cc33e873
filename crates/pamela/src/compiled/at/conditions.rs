//! Whether facts and conditions hold at a point.

use super::{PointEvaluation, Run};
use crate::diagnostic;
use crate::eval::{Bindings, EvalError, Evaluation, Value};
use crate::expr::{Arena, ExprId};
use crate::formula::{Formula, Notation};
use crate::law::Carrier;

/// Whether a condition holds at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not hold, or is undefined.
    Fails,
    /// It takes more steps or digits to decide than there are.
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
    /// Whether the closed facts say that all is as it is declared; where they do not, the definition is asked.
    pub(super) fn facts_hold(&self) -> bool {
        let holds = |fact: &Formula| {
            let value = self.holds(fact.arena(), fact.root(), &self.bindings);
            matches!(value, Ok(true))
        };
        !self.compiled.has_random_facts && self.compiled.simplified.facts.iter().all(holds)
    }

    /// Whether the conditions of a formula hold, and what it rests on has a value; `None` where a condition takes too many
    /// steps.
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

    /// Whether each condition of a formula holds.
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
