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
    for own in judged {
        output::line(&format!("{}: assert {}", own.place, own.assertion))?;
        for line in own.lines() {
            output::line(&format!("  {line}"))?;
        }
    }
    Ok(())
}

/// The worst answer: a claim that is false, or else one that is not decided.
pub fn outcome(judged: &[Judged]) -> Outcome {
    let any = |is: fn(&Verdict) -> bool| judged.iter().any(|own| is(&own.verdict));
    if any(|verdict| matches!(verdict, Verdict::Refuted(_))) {
        return Outcome::Wrong;
    }
    match any(|verdict| matches!(verdict, Verdict::Undecided { .. })) {
        true => Outcome::Incomplete,
        false => Outcome::Done,
    }
}
