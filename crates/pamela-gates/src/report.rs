//! Findings of the gates, rule by rule.

use std::fmt;

use serde::Serialize;

use super::evidence::{Counterexample, Evidence, GuardEvidence, Status};
use crate::algebra::Rule;

/// The verdict on one rule, with its evidence.
#[derive(Clone, Debug, Serialize)]
pub struct RuleReport {
    pub name: String,
    pub family: String,
    pub builtin: bool,
    /// Reasons for a failure; empty if the rule passes.
    pub failures: Vec<String>,
    /// Number of failures that more samples cannot repair.
    #[serde(skip)]
    certain: usize,
    /// Evidence about the text of the rule; `None` if the text contains words.
    pub written: Option<Evidence>,
    /// Evidence about its results.
    pub made: Evidence,
    /// The models of the corpus that use the rule; `None` if this was not checked.
    pub corpus: Option<Vec<String>>,
}

/// The verdicts on all rules that were checked.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub seed: u64,
    pub failing: usize,
    /// The rules: failed ones first, then in the order of the rule base.
    pub rules: Vec<RuleReport>,
}

impl RuleReport {
    pub(super) fn new(rule: &Rule, written: Option<Evidence>, made: Evidence) -> RuleReport {
        let mut report = RuleReport {
            name: rule.name.clone(),
            family: rule.family.clone(),
            builtin: rule.written().builtin,
            failures: Vec::new(),
            certain: 0,
            written,
            made,
            corpus: None,
        };
        report.judge();
        report
    }

    fn judge(&mut self) {
        let (mut failures, mut unneeded) = (Vec::new(), Vec::new());
        if let Some(written) = &self.written {
            judge_values(written, "as written", &mut failures);
            if written.applicable == 0 {
                failures.push("no sample satisfies left and all guards".to_string());
            }
        }
        judge_values(&self.made, "as made", &mut failures);
        if self.made.applicable == 0 {
            failures.push("no result that it made applies to the samples".to_string());
        }
        for (number, made) in self.made.guards.iter().enumerate() {
            let written = self.written.as_ref().and_then(|w| w.guards.get(number));
            // A pattern may match otherwise than it was instantiated.
            if !self.builtin && made.status == Status::Undeclared {
                continue;
            }
            let evidence: Vec<&GuardEvidence> = match written {
                Some(written) if self.builtin => vec![written, made],
                Some(written) => vec![written],
                None => vec![made],
            };
            match judge_guard(&evidence) {
                Some(GuardFailure::Kept(why)) => failures.push(why),
                Some(GuardFailure::NotNeeded(why)) => unneeded.push(why),
                None => {}
            }
        }
        self.certain = failures.len();
        self.failures = [failures, unneeded].concat();
    }

    /// Takes in which models use the rule: at least one must.
    pub(super) fn cover(&mut self, models: Vec<String>) {
        if models.is_empty() {
            self.failures
                .push("not covered: no model of the corpus uses it".to_string());
            self.certain += 1;
        }
        self.corpus = Some(models);
    }

    pub fn passes(&self) -> bool {
        self.failures.is_empty()
    }

    /// True if the rule fails only because counterexamples were not found yet.
    pub(super) fn wants_samples(&self) -> bool {
        !self.passes() && self.certain == 0
    }
}

fn judge_values(evidence: &Evidence, how: &str, failures: &mut Vec<String>) {
    if let Some(counterexample) = &evidence.unequal {
        failures.push(format!("not equal ({how}): {counterexample}"));
    }
    if let Some(Counterexample { left, at, .. }) = &evidence.broken {
        failures.push(format!(
            "a function violates what it ensures: {left}, at {at}"
        ));
    }
    if let Some(counterexample) = &evidence.undefined {
        failures.push(format!("not defined ({how}): {counterexample}"));
    }
}

/// Reason why a guard does not pass.
enum GuardFailure {
    /// The guard is needed, although the rule declares another reason for it.
    Kept(String),
    /// No counterexample without the guard was found; more samples may give one.
    NotNeeded(String),
}

/// The reason why a guard does not pass, from all evidence.
fn judge_guard(evidence: &[&GuardEvidence]) -> Option<GuardFailure> {
    let guard = &evidence.first()?.guard;
    let counterexample = evidence.iter().find_map(|e| e.needed.as_ref());
    let tried: usize = evidence.iter().map(|e| e.tried).sum();
    let why = match (evidence.first()?.status, counterexample) {
        (Status::Kept, Some(counterexample)) => {
            return Some(GuardFailure::Kept(format!(
                "guard `{guard}` is needed, not only kept: without it, {counterexample}"
            )));
        }
        (Status::Needed, None) if evidence.iter().any(|e| e.automatic) => {
            format!("guard `{guard}` is found automatically: remove it")
        }
        (Status::Needed, None) if tried == 0 => format!(
            "guard `{guard}` is not needed: it follows from the others wherever left is defined"
        ),
        (Status::Needed, None) => {
            format!(
                "guard `{guard}` is not needed: no counterexample without it in {tried} samples"
            )
        }
        _ => return None,
    };
    Some(GuardFailure::NotNeeded(why))
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

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Needed => "no counterexample without it",
            Status::Kept => "kept for another reason",
            Status::Proved => "proved in code",
            Status::Words => "in words",
            Status::Undeclared => "not declared",
        })
    }
}

impl fmt::Display for GuardEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.needed {
            Some(counterexample) => write!(f, "{}: without it, {counterexample}", self.guard),
            None => write!(f, "{}: {}", self.guard, self.status),
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
        write_evidence(f, "made", &self.made)?;
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
        disputed,
        ensured,
        ..
    } = evidence;
    write!(
        f,
        "\n     {title}: {points} samples, {applicable} apply ({degenerate} degenerate)"
    )?;
    if *automatic > 0 {
        write!(f, ", automatic guards excluded {automatic}")?;
    }
    if *ensured > 0 {
        write!(f, ", what functions ensure was checked {ensured} times")?;
    }
    if *disputed > 0 {
        write!(f, ", {disputed} disputed")?;
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
