//! Counts the rules in derivations, by whether they run as text or as code.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Serialize;

use super::contention::generated;
use crate::algebra::{Kind, RuleBase};
use crate::diagnostic::Error;
use crate::gates;
use crate::pipeline::Model;

/// The steps of all derivations of some models.
#[derive(Clone, Debug, Serialize)]
pub struct Counts {
    /// Number of rules, and of text rules.
    pub rules: usize,
    pub text: usize,
    pub steps: usize,
    /// Steps by text rules only.
    pub text_steps: usize,
    /// Steps by ring arithmetic only.
    pub ring_steps: usize,
    /// Steps that involve a rule implemented in code.
    pub procedure_steps: usize,
    /// The rules that occur in no derivation.
    pub unused: Vec<String>,
    /// All rules, most frequent first.
    #[serde(skip)]
    pub by_rule: Vec<Used>,
}

/// A rule with the number of its steps.
#[derive(Clone, Debug)]
pub struct Used {
    pub name: String,
    pub kind: Kind,
    pub steps: usize,
}

/// Counts the steps for the models below `corpus` (all `*/*.pam`), and for `random` random models.
///
/// # Errors
/// Fails for a directory that cannot be read or contains no model, and for an invalid model.
pub fn count(
    base: &RuleBase,
    corpus: &Path,
    random: u64,
    progress: &dyn Fn(&str),
) -> Result<Counts, Error> {
    let kinds: BTreeMap<&str, Kind> = base
        .rules()
        .iter()
        .map(|rule| (rule.name.as_str(), rule.kind()))
        .collect();
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    let (mut text, mut ring, mut code) = (0, 0, 0);
    let mut step = |rules: &[String]| {
        let is_text = |name: &String| kinds.get(name.as_str()) == Some(&Kind::Text);
        match rules {
            [] => ring += 1,
            _ if rules.iter().all(is_text) => text += 1,
            _ => code += 1,
        }
        for rule in rules {
            *uses.entry(rule.clone()).or_default() += 1;
        }
    };
    gates::steps(base, corpus, progress, &mut |_, rules| step(rules))?;
    for seed in 0..random {
        progress(&format!("random model {seed}"));
        gates::steps_of(&Model::parse(&generated(seed).text)?, base, &mut step)?;
    }
    let used = |(&name, &kind): (&&str, &Kind)| Used {
        name: name.to_string(),
        kind,
        steps: uses.get(name).copied().unwrap_or_default(),
    };
    let mut by_rule: Vec<Used> = kinds.iter().map(used).collect();
    by_rule.sort_by_key(|used| std::cmp::Reverse(used.steps));
    let unused = by_rule.iter().filter(|used| used.steps == 0);
    Ok(Counts {
        rules: by_rule.len(),
        text: by_rule
            .iter()
            .filter(|used| used.kind == Kind::Text)
            .count(),
        steps: text + ring + code,
        text_steps: text,
        ring_steps: ring,
        procedure_steps: code,
        unused: unused.map(|used| used.name.clone()).collect(),
        by_rule,
    })
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "rules       {:6}", self.rules)?;
        let of_rules = share(self.text, self.rules);
        writeln!(f, "  text      {:6}  {of_rules:3.0} %", self.text)?;
        writeln!(f, "steps       {:6}", self.steps)?;
        for (name, count) in [
            ("text", self.text_steps),
            ("ring", self.ring_steps),
            ("procedure", self.procedure_steps),
        ] {
            let of_steps = share(count, self.steps);
            writeln!(f, "  {name:10}{count:6}  {of_steps:3.0} %")?;
        }
        writeln!(f, "\nsteps by rule")?;
        for used in &self.by_rule {
            writeln!(f, "{:8}  {:9}  {}", used.steps, used.kind, used.name)?;
        }
        Ok(())
    }
}
