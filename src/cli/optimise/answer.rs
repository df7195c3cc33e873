//! The answer to a question, and its certainty.

use std::collections::HashSet;

use crate::compiled::Compiled;
use crate::expr::Sort;
use crate::optimise::{Certainty, Evidence, Optimum, Question};
use crate::pipeline::SimplifiedEquation;
use crate::timing::{Order, Standing};

/// The answer to a question: an optimum and its equation.
pub struct Answer<'a> {
    pub equation: Option<&'a SimplifiedEquation>,
    pub question: &'a Question,
    pub optimum: &'a Optimum,
    pub evidence: Option<&'a Evidence>,
    /// Compiled model with the units of the numbers.
    pub units: &'a Compiled,
}

impl Answer<'_> {
    /// States the quantity that the optimum optimises, and hence how certain it is.
    pub fn claim(&self) -> String {
        if let Certainty::Bounds {
            is_tight: false, ..
        } = self.optimum.certainty
        {
            return "the best value found".to_string();
        }
        let objective = &self.question.objective;
        let is_time = self.equation.is_some_and(|e| e.origin.process().is_some());
        match self.equation.map(|equation| &equation.standing) {
            None | Some(Standing::Exact(_)) if self.is_evaluated() => {
                format!("optimum of {objective} as evaluated, with laws in it")
            }
            None | Some(Standing::Exact(_)) if self.is_in_one_order() => {
                "certain in the order of the text; in other orders of requests it may be elsewhere"
                    .to_string()
            }
            None | Some(Standing::Exact(_)) => "certain".to_string(),
            Some(Standing::Lower) => {
                let rest = if is_time {
                    "a run may take longer"
                } else {
                    "in a run it may be greater"
                };
                format!("certain optimum of the lower bound {objective}; {rest}")
            }
            Some(Standing::Upper) => {
                let rest = if is_time {
                    "a run may take less"
                } else {
                    "in a run it may be less"
                };
                format!("certain optimum of the upper bound {objective}; {rest}")
            }
            Some(Standing::Unknown) => format!(
                "certain optimum of {objective} computed from bounds of times; in a run it may be elsewhere"
            ),
            Some(Standing::Estimate(_) | Standing::Between | Standing::Drawn { .. }) => {
                format!("optimum of the estimate {objective}; in a run it may be elsewhere")
            }
        }
    }

    /// True if the value is what a run takes in one of several orders.
    fn is_in_one_order(&self) -> bool {
        let proof = self.equation.and_then(|equation| equation.standing.proof());
        proof.is_some_and(|proof| proof.order == Order::Text)
    }

    /// True if a law has a part in the value, which is then no exact one.
    fn is_evaluated(&self) -> bool {
        let Some(formula) = self.equation.map(|equation| &equation.formula) else {
            return false;
        };
        let arena = formula.arena();
        let (mut pending, mut seen) = (vec![formula.root()], HashSet::new());
        while let Some(id) = pending.pop() {
            if arena.sort(id) == Sort::Law {
                return true;
            }
            pending.extend(arena.operands(id).into_iter().filter(|id| seen.insert(*id)));
        }
        false
    }
}
