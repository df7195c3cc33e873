//! `pamela study`

use std::fmt::Display;

use clap::CommandFactory;
use serde::Serialize;

use super::arguments::{Arguments, Printing, StudyCommand};
use super::rules::{clear_progress, progress};
#[cfg(feature = "programs")]
use super::study_programs;
use super::{Outcome, output};
use crate::diagnostic::Error;
use crate::pipeline::plain_error;
use crate::study::report::Report;
use crate::study::{contention, distributions, laws, mrm, rules, sums, times, with_peers};

/// Runs a study, or lists them all.
pub fn run(command: Option<&StudyCommand>) -> Result<Outcome, Error> {
    match command {
        None => output::line(&names())?,
        Some(StudyCommand::Sums { json, runs }) => {
            let study = with_peers(sums::LIST, usize::from(*runs))?;
            if *json {
                output::json(&study)?;
            } else {
                output::line(study.to_string().trim_end())?;
            }
        }
        Some(StudyCommand::Distributions { json, runs }) => {
            let study = distributions::with_peers(usize::from(*runs))?;
            if *json {
                output::json(&study)?;
            } else {
                output::line(study.to_string().trim_end())?;
            }
        }
        Some(StudyCommand::Gld(printing)) => law(laws::parameters(), printing)?,
        Some(StudyCommand::Nary(printing)) => law(laws::nary(), printing)?,
        Some(StudyCommand::Binary(printing)) => law(laws::binary(), printing)?,
        Some(StudyCommand::Series(printing)) => law(laws::series(), printing)?,
        Some(StudyCommand::Mrm(printing)) => print(&mrm::mrm()?, printing)?,
        Some(StudyCommand::Contention { models, printing }) => {
            print(&contention::contention(*models)?, printing)?;
        }
        Some(StudyCommand::Times { models, printing }) => {
            print(&times::times(*models)?, printing)?;
        }
        #[cfg(feature = "programs")]
        Some(StudyCommand::Branches { runs, printing }) => {
            print(&crate::study::branches::branches(*runs as usize), printing)?;
        }
        #[cfg(feature = "programs")]
        Some(StudyCommand::Programs(arguments)) => return study_programs::run(arguments),
        Some(StudyCommand::Rules {
            corpus,
            models,
            printing,
        }) => {
            let base = crate::rules::standard()?;
            let counts = rules::count(&base, corpus, *models, &progress)?;
            clear_progress();
            print(&counts, printing)?;
        }
    }
    Ok(Outcome::Done)
}

fn law(report: Result<Report, String>, printing: &Printing) -> Result<(), Error> {
    print(&report.map_err(plain_error)?, printing)
}

fn print<R: Serialize + Display>(report: &R, printing: &Printing) -> Result<(), Error> {
    if printing.json {
        output::json(report)
    } else {
        output::line(report.to_string().trim_end())
    }
}

/// A line for each study, with what the help says of it.
fn names() -> String {
    let mut arguments = Arguments::command();
    let studies = arguments.find_subcommand_mut("study");
    let studies = studies
        .into_iter()
        .flat_map(|study| study.get_subcommands());
    let line = |study: &clap::Command| {
        let about = study.get_about().map(ToString::to_string);
        format!("{:<15}{}", study.get_name(), about.unwrap_or_default())
    };
    studies.map(line).collect::<Vec<_>>().join("\n")
}
