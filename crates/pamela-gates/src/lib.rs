//! The gates for every rewrite rule: equality, definedness, need of each guard, and use by a model.
//!
//! A rule is sampled: its variables are replaced by small expressions, and both sides are evaluated by the
//! definitional evaluator at random and at degenerate points, around the constants that it mentions and far out. A
//! rule implemented in code is tried on the same instances, and its results are evaluated. A failure is a proof that
//! a rule is wrong; passing is evidence, not a proof.

#![warn(clippy::match_bool)]

mod coverage;
mod evidence;
mod guards;
mod instance;
mod landmarks;
mod laws;
mod lowering;
mod made;
mod points;
pub mod random;
mod report;
mod value;
mod variables;
mod written;

use pamela::{
    algebra, diagnostic, eval, expr, formula, model, pipeline, ring, syntax, timing, words,
};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::algebra::{Rule, RuleBase};
use crate::diagnostic::Result;

pub use coverage::{Uses, models, steps, steps_of, uses};
pub use evidence::{Counterexample, Evidence, GuardEvidence};
pub use report::{Report, RuleReport};

use landmarks::Landmarks;
use made::ApplicationGate;
use random::Random;
use variables::{Kind, variables};
use written::TextGate;

/// Number of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Instances of each rule.
    pub instances: usize,
    /// Points of the grid for each instance; equally many random points are added.
    pub points: usize,
    /// If samples show no counterexample without some guard, the number of samples is doubled this many times.
    pub doublings: usize,
}

impl Effort {
    /// The effort of `pamela rules check`.
    pub const FULL: Effort = Effort {
        instances: 40,
        points: 240,
        doublings: 3,
    };
    /// Enough to find most mistakes, in a tenth of the time.
    pub const SMALL: Effort = Effort {
        instances: 12,
        points: 48,
        doublings: 3,
    };
}

impl Effort {
    /// Each guard is to fail alone somewhere: the more there are, the more samples that takes.
    fn for_guards(self, count: usize) -> Effort {
        Effort {
            instances: (self.instances * (3 + count)).div_ceil(6),
            ..self
        }
    }
}

/// Selection and method of checks.
#[derive(Clone, Debug)]
pub struct Options {
    pub seed: u64,
    /// Directory of models that must use each rule of the library; `None` skips that gate.
    pub corpus: Option<PathBuf>,
}

/// Checks the rules to which `effort` assigns an effort by all gates, in the presence of the other rules of `base`.
///
/// Checks the rules. `progress` receives the name of each rule before its check. The same seed gives the same report.
///
/// # Errors
/// Fails if the corpus cannot be read or contains an invalid model. A failing rule is not an error: the report states
/// it.
pub fn check(
    base: &RuleBase,
    effort: impl Fn(&Rule) -> Option<Effort> + Sync,
    options: &Options,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Report> {
    let uses = match &options.corpus {
        Some(directory) => Some(coverage::uses(base, directory, progress)?),
        None => None,
    };
    let rules = base.rules().iter();
    let rules: Vec<(&Rule, Effort)> = rules
        .filter_map(|rule| Some((&**rule, effort(rule)?)))
        .collect();
    let mut reports = in_parallel(&rules, |rule, effort| {
        progress(&format!("rule: {}", rule.name));
        check_rule(rule, effort, options.seed)
    });
    if let Some(uses) = uses {
        // A use by a model is required only of rules of the library.
        let shipped = |name: &str| base.find(name).is_some_and(|rule| rule.shipped);
        for report in reports.iter_mut().filter(|report| shipped(&report.name)) {
            report.cover(uses.get(&report.name).cloned().unwrap_or_default());
        }
    }
    Ok(Report::new(options.seed, reports))
}

/// The results of all rules in their order, found by as many threads as there are processors.
fn in_parallel(
    rules: &[(&Rule, Effort)],
    work: impl Fn(&Rule, Effort) -> RuleReport + Sync,
) -> Vec<RuleReport> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            match rules.get(number) {
                Some(&(rule, effort)) => done.push((number, work(rule, effort))),
                None => return done,
            }
        }
    };
    let mut done: Vec<(usize, RuleReport)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        // A panic of a worker is one of the check.
        let finished = workers.into_iter().map(|worker| worker.join());
        finished
            .flat_map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, report)| report).collect()
}

/// Laws are enumerated at each point, so this many times fewer points are used.
const SHARE_OF_LAWS: usize = 8;

fn check_rule(rule: &Rule, effort: Effort, seed: u64) -> RuleReport {
    let mut random = Random::new(seed, &rule.name);
    let variables = variables(rule.expanded(), Kind::Scalar);
    let guards = guards::declared(rule.expanded(), &variables);
    let mut effort = effort.for_guards(guards.len());
    if variables.speak_of_laws() {
        effort.points = effort.points.div_ceil(SHARE_OF_LAWS);
    }
    let landmarks = Landmarks::of(rule.expanded(), &variables);
    let written = TextGate::new(rule.expanded(), &variables, &guards, &landmarks);
    let made = ApplicationGate {
        rule,
        variables: &variables,
        guards: &guards,
        landmarks: &landmarks,
    };
    let mut of_text = written.as_ref().map(TextGate::evidence);
    let mut of_made = made.evidence();
    let mut doublings = 0;
    loop {
        if let (Some(written), Some(evidence)) = (&written, &mut of_text) {
            written.check(effort, &mut random, evidence);
        }
        made.check(effort, &mut random, &mut of_made);
        let report = RuleReport::new(rule, of_text.clone(), of_made.clone());
        if doublings == effort.doublings || !report.wants_samples() {
            return report;
        }
        // Doubles the number of samples.
        if doublings > 0 {
            effort.instances *= 2;
        }
        doublings += 1;
    }
}
