//! `pamela study`

use super::arguments::StudyCommand;
use super::{Outcome, output};
use crate::diagnostic::Error;
use crate::study::{sums, with_peers};

pub fn run(command: &StudyCommand) -> Result<Outcome, Error> {
    match command {
        StudyCommand::Sums { json, runs } => {
            let study = with_peers(sums::LIST, usize::from(*runs))?;
            if *json {
                output::json(&study)?;
            } else {
                output::line(study.to_string().trim_end())?;
            }
            Ok(Outcome::Done)
        }
    }
}
