//! What the gates found, rule by rule.

use std::fmt;

use serde::Serialize;

use super::evidence::{Counterexample, Evidence, GuardEvidence};
use crate::algebra::Rule;

/// The verdict on one rule, with what it rests on.
#[derive(Clone, Debug, Serialize)]
pub struct RuleReport {
    pub name: String,
    pub family: String,
    pub builtin: bool,
    /// Why it does not pass; empty where it does.
    pub failures: Vec<String>,
    /// The rule as it is written; `None` where its text says something in words.
    pub written: Option<Evidence>,
    /// What it made of terms, by the number of guards that came with it.
    pub made: Vec<Evidence>,
    /// The models of the corpus that use it; `None` where that was not looked at.
    pub corpus: Option<Vec<String>>,
}

/// The verdicts on all rules that were checked.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub seed: u64,
    pub failing: usize,
    /// Those that fail first, else in the order of the rule base.
    pub rules: Vec<RuleReport>,
}

impl RuleReport {
    pub(super) fn new(rule: &Rule, written: Option<Evidence>, made: Vec<Evidence>) -> RuleReport {
        let mut report = RuleReport {
            name: rule.name.clone(),
            family: rule.family.clone(),
            builtin: rule.text.builtin,
            failures: Vec::new(),
            written,
            made,
            corpus: None,
        };
        report.judge();
        report
    }

    fn judge(&mut self) {
        let mut failures = Vec::new();
        if let Some(written) = &self.written {
            judge_values(written, "as written", &mut failures);
            judge_guards(written, &mut failures);
            if written.applicable == 0 {
                failures.push("left and all guards hold at no sample".to_string());
            }
        }
        for made in &self.made {
            judge_values(made, "as made", &mut failures);
            if self.builtin {
                judge_guards(made, &mut failures);
            }
        }
        let applied: usize = self.made.iter().map(|made| made.applicable).sum();
        if self.builtin && applied == 0 {
            failures.push("its code made nothing that applies of the samples".to_string());
        }
        self.failures.extend(failures);
    }

    /// Takes in which models use the rule: at least one must.
    pub(super) fn cover(&mut self, models: Vec<String>) {
        if models.is_empty() {
            self.failures
                .push("not covered: no model of the corpus uses it".to_string());
        }
        self.corpus = Some(models);
    }

    pub fn passes(&self) -> bool {
        self.failures.is_empty()
    }
}

fn judge_values(evidence: &Evidence, how: &str, failures: &mut Vec<String>) {
    if let Some(counterexample) = &evidence.unequal {
        failures.push(format!("not equal ({how}): {counterexample}"));
    }
    if let Some(counterexample) = &evidence.undefined {
        failures.push(format!("not defined ({how}): {counterexample}"));
    }
}

fn judge_guards(evidence: &Evidence, failures: &mut Vec<String>) {
    for guard in evidence
        .guards
        .iter()
        .filter(|guard| guard.needed.is_none())
    {
        let text = &guard.guard;
        failures.push(if guard.automatic {
            format!("guard `{text}` is found by itself: leave it out")
        } else {
            format!(
                "guard `{text}` is not needed: no counterexample without it in {} samples",
                guard.tried
            )
        });
    }
}

impl Report {
    pub(super) fn new(seed: u64, mut rules: Vec<RuleReport>) -> Report {
        rules.sort_by_key(RuleReport::passes);
        Report {
            seed,
            failing: rules.iter().filter(|rule| !rule.passes()).count(),
            rules,
        }
    }

    pub fn passes(&self) -> bool {
        self.failing == 0
    }

    /// The report on one rule.
    pub fn rule(&self, name: &str) -> Option<&RuleReport> {
        self.rules.iter().find(|rule| rule.name == name)
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.left, self.left_value)?;
        write!(f, ", {} is {}", self.right, self.right_value)?;
        if !self.at.is_empty() {
            write!(f, ", at {}", self.at)?;
        }
        Ok(())
    }
}

impl fmt::Display for GuardEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.needed {
            Some(counterexample) => write!(f, "{}: without it, {counterexample}", self.guard),
            None => write!(f, "{}: no counterexample", self.guard),
        }
    }
}

impl fmt::Display for RuleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passes() { "ok" } else { "FAIL" };
        write!(f, "{verdict:4} {} ({})", self.name, self.family)?;
        for failure in &self.failures {
            write!(f, "\n       {failure}")?;
        }
        match &self.written {
            Some(evidence) => write_evidence(f, "written", evidence)?,
            None => f.write_str("\n     written: in words")?,
        }
        for evidence in &self.made {
            write_evidence(f, "made", evidence)?;
        }
        match self.corpus.as_deref() {
            None => f.write_str("\n     corpus: skipped")?,
            Some([]) => f.write_str("\n     corpus: none")?,
            Some([first]) => write!(f, "\n     corpus: {first}")?,
            Some([first, rest @ ..]) => {
                write!(f, "\n     corpus: {first} and {} more", rest.len())?
            }
        }
        Ok(())
    }
}

fn write_evidence(f: &mut fmt::Formatter<'_>, title: &str, evidence: &Evidence) -> fmt::Result {
    let Evidence {
        points,
        applicable,
        degenerate,
        automatic,
        ..
    } = evidence;
    write!(
        f,
        "\n     {title}: {points} samples, it applies to {applicable} ({degenerate} degenerate)"
    )?;
    if *automatic > 0 {
        write!(f, ", automatic guards kept it from {automatic}")?;
    }
    for guard in &evidence.guards {
        write!(f, "\n       {guard}")?;
    }
    Ok(())
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            writeln!(f, "{rule}")?;
        }
        write!(
            f,
            "{} rules, {} fail (seed {})",
            self.rules.len(),
            self.failing,
            self.seed
        )
    }
}
