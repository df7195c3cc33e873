//! `pamela new`: models to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Outcome, output};
use crate::diagnostic::Error;

pub const EXAMPLES: &str = "\
Examples:
  pamela new pipeline                write pipeline.pam
  pamela new service -o shop.pam     write shop.pam from the template `service`
  pamela new                         write master-worker.pam";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The model to start from
    #[arg(value_enum, default_value_t = Template::MasterWorker)]
    pub template: Template,
    /// Name of the new file [default: the template's name with .pam]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A commented model with values, which every command takes as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Template {
    /// A master deals out tasks to workers
    MasterWorker,
    /// Items pass through stages
    Pipeline,
    /// A grid in strips, whose neighbours exchange rows
    Halo,
    /// A ring and a tree that add up vectors
    AllReduce,
    /// Clients that queue for servers, at random times
    Service,
    /// How often a long job should save its state
    Checkpoint,
    /// Data-parallel training of a network
    Training,
}

impl Template {
    fn text(self) -> &'static str {
        match self {
            Template::MasterWorker => include_str!("templates/master-worker.pam"),
            Template::Pipeline => include_str!("templates/pipeline.pam"),
            Template::Halo => include_str!("templates/halo.pam"),
            Template::AllReduce => include_str!("templates/all-reduce.pam"),
            Template::Service => include_str!("templates/service.pam"),
            Template::Checkpoint => include_str!("templates/checkpoint.pam"),
            Template::Training => include_str!("templates/training.pam"),
        }
    }

    fn file(self) -> PathBuf {
        let name = self.to_possible_value();
        let name = name.map_or_else(String::new, |value| value.get_name().to_owned());
        PathBuf::from(format!("{name}.pam"))
    }
}

/// Writes a model into a new file.
///
/// # Errors
/// Fails if the file exists or cannot be written.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let file = arguments.template.file();
    let path = arguments.output.as_ref().unwrap_or(&file);
    let shown = path.display();
    let opened = OpenOptions::new().write(true).create_new(true).open(path);
    let mut opened = opened.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Error::new(format!("`{shown}` exists and is not overwritten"))
            .hint("`-o FILE` writes another file"),
        _ => output::cannot_write(path, &error),
    })?;
    opened
        .write_all(arguments.template.text().as_bytes())
        .map_err(|error| output::cannot_write(path, &error))?;
    output::line(&format!(
        "wrote {shown}\n\n\
         pamela simplify {shown}    its formulas\n\
         pamela eval {shown}        their values"
    ))?;
    Ok(Outcome::Done)
}
