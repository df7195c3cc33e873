//! Assertions of models, and those given by `--assert`.

use clap::Args;

use super::{Outcome, output};
use crate::claims::{Judged, Verdict, judge};
use crate::diagnostic::Error;
use crate::effort::Effort;
use crate::pipeline::Model;

#[derive(Debug, Args)]
pub struct Assertions {
    /// Check a claim, with its condition: 'time_main <= 10 when P <= 100' (repeatable)
    #[arg(long = "assert", value_name = "CLAIM")]
    pub claims: Vec<String>,
}

impl Assertions {
    /// Adds the claims of the command line to those of the model, and judges all of them.
    pub fn judged(&self, model: &Model, effort: Effort) -> Result<Vec<Judged>, Error> {
        let mut model = model.clone();
        for claim in &self.claims {
            model.assert(claim)?;
        }
        judge(&model, &crate::rules::standard()?, effort)
    }
}

/// Prints each claim with the answer.
pub fn print(judged: &[Judged]) -> Result<(), Error> {
    lines(judged).iter().try_for_each(|line| output::line(line))
}

/// Like [`print`], on standard error.
pub fn note(judged: &[Judged]) {
    lines(judged).iter().for_each(|line| output::note(line));
}

fn lines(judged: &[Judged]) -> Vec<String> {
    let told = |own: &Judged| {
        let head = format!("{}: assert {}", own.place, own.assertion);
        let answer = own.lines().into_iter().map(|line| format!("  {line}"));
        [head].into_iter().chain(answer).collect::<Vec<_>>()
    };
    judged.iter().flat_map(told).collect()
}

/// The worst answer: a claim that is false, or else one that is not decided.
pub fn outcome(judged: &[Judged]) -> Outcome {
    let any = |is: fn(&Verdict) -> bool| judged.iter().any(|own| is(&own.verdict));
    if any(|verdict| matches!(verdict, Verdict::Refuted(_))) {
        return Outcome::Wrong;
    }
    if any(|verdict| matches!(verdict, Verdict::Undecided { .. })) {
        Outcome::Incomplete
    } else {
        Outcome::Done
    }
}
