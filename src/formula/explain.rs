//! A derivation as a text for people: comment lines of a model.

use super::Notation;
use super::derivation::{Derivation, Status, StepText};

impl Derivation {
    /// Lines that each begin with `%`: the equation `name` as it was, then the numbered steps.
    pub fn comment(&self, name: &str) -> Vec<String> {
        let steps = self.steps(Notation::Pamela);
        if steps.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![format!("% {name} was {}", self.start(Notation::Pamela))];
        for (position, step) in steps.iter().enumerate() {
            lines.push(format!("% {}. {}: {}", position + 1, step.rule, step.says));
            lines.extend(body(step).into_iter().map(|line| format!("%      {line}")));
        }
        lines
    }
}

fn body(step: &StepText) -> Vec<String> {
    let mut lines = Vec::new();
    if !step.scope.is_empty() {
        let ranges = step.scope.iter().map(|range| {
            let (index, lower, upper) = (&range.index, &range.lower, &range.upper);
            format!("{index} = {lower}, ..., {upper}")
        });
        lines.push(format!("for {}", ranges.collect::<Vec<_>>().join("; ")));
    }
    lines.push(step.left.clone());
    lines.push(format!("  = {}", step.right));
    for (status, word) in [(Status::Proved, "since"), (Status::Assumed, "assuming")] {
        let premises = step.premises.iter().filter(|p| p.status == status);
        let conditions: Vec<&str> = premises.map(|p| p.condition.as_str()).collect();
        if !conditions.is_empty() {
            lines.push(format!("{word} {}", conditions.join(", ")));
        }
    }
    lines
}
