//! Prints a derivation for people, as comment lines of a model or as LaTeX.

use super::{Notation, latex_name};
use std::collections::HashSet;

use super::derivation::{Derivation, PremiseText, Status, StepText};

impl Derivation {
    /// Comment lines with `%`: the original equation `name`, then the numbered steps.
    pub fn comment(&self, name: &str) -> Vec<String> {
        let steps = self.steps(Notation::Pamela);
        if steps.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![format!(
            "% Derivation from {name} = {}",
            self.start(Notation::Pamela)
        )];
        let mut said = HashSet::new();
        for (position, step) in steps.iter().enumerate() {
            let heading = if said.insert(step.rule.as_str()) {
                format!("{}: {}", step.rule, step.says)
            } else {
                step.rule.clone()
            };
            lines.push(format!("% {}. {heading}", position + 1));
            lines.extend(body(step).into_iter().map(|line| format!("%      {line}")));
        }
        lines
    }
}

/// A block of more steps is too much for KaTeX, and for a page.
const BLOCK: usize = 10;

impl Derivation {
    /// `align*` blocks: the original equation `name`, then the numbered steps, ten to a block.
    pub fn latex(&self, name: &str) -> Vec<String> {
        let steps = self.steps(Notation::Latex);
        let blocks = steps.chunks(BLOCK).enumerate().map(|(position, steps)| {
            let mut rows = Vec::new();
            if position == 0 {
                let start = self.start(Notation::Latex);
                rows.push(format!("& {} = {start}", latex_name(name)));
            }
            for (offset, step) in steps.iter().enumerate() {
                rows.extend(latex_rows(position * BLOCK + offset + 1, step));
            }
            let rows = rows.join(" \\\\\n");
            format!("\\begin{{align*}}\n{rows}\n\\end{{align*}}")
        });
        blocks.collect()
    }
}

fn latex_rows(number: usize, step: &StepText) -> Vec<String> {
    let mut heading = format!("& \\text{{{number}. {}", step.rule);
    if !step.scope.is_empty() {
        let ranges = step.scope.iter().map(|range| {
            let (index, lower, upper) = (&range.index, &range.lower, &range.upper);
            format!("{index} = {lower}, \\dots, {upper}")
        });
        let ranges = ranges.collect::<Vec<_>>().join(";\\; ");
        heading.push_str(&format!(", for }} {ranges}\\text{{"));
    }
    heading.push_str(":}");
    let mut rows = vec![
        heading,
        format!("& \\qquad {}", step.left),
        format!("& \\qquad = {}", step.right),
    ];
    for (status, word) in PREMISES {
        let conditions = reasons(step, status, "\\;(\\text{by }");
        if !conditions.is_empty() {
            let conditions = conditions.join(",\\; ");
            rows.push(format!("& \\qquad \\text{{{word} }} {conditions}"));
        }
    }
    rows
}

/// Introductions of premises, by status.
const PREMISES: [(Status, &str); 3] = [
    (Status::Case, "in the case"),
    (Status::Proved, "since"),
    (Status::Assumed, "assuming"),
];

/// The premises of one status, each with its grounds, introduced by `by`.
fn reasons(step: &StepText, status: Status, by: &str) -> Vec<String> {
    let premises = step.premises.iter().filter(|p| p.status == status);
    let reason = |premise: &PremiseText| {
        if premise.from.is_empty() {
            premise.condition.clone()
        } else {
            format!("{}{by}{})", premise.condition, premise.from.join(", "))
        }
    };
    premises.map(reason).collect()
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
    for (status, word) in PREMISES {
        let conditions = reasons(step, status, " (by ");
        if !conditions.is_empty() {
            lines.push(format!("{word} {}", conditions.join(", ")));
        }
    }
    lines.extend(step.proof.iter().cloned());
    lines
}
