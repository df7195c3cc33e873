//! `pamela completions` and `pamela man`.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use super::{Outcome, output};
use crate::diagnostic::Error;

pub const COMPLETIONS: &str = "\
Examples:
  pamela completions bash > ~/.local/share/bash-completion/completions/pamela
  pamela completions zsh > ~/.zfunc/_pamela
  pamela completions fish > ~/.config/fish/completions/pamela.fish";

pub const MAN: &str = "\
Examples:
  pamela man ~/.local/share/man/man1    write pamela.1 and a page for each command";

#[derive(Debug, Args)]
pub struct Completions {
    /// The shell that completes commands and options
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct Man {
    /// Directory of the pages; it is created if it does not exist
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// Prints the script that completes the commands of `pamela` in a shell.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn completions(arguments: &Completions, mut program: Command) -> Result<Outcome, Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "pamela", &mut script);
    output::raw(&script)?;
    Ok(Outcome::Done)
}

/// Writes a manual page of the program and of each command.
///
/// # Errors
/// Fails if the directory cannot be written.
pub fn man(arguments: &Man, program: Command) -> Result<Outcome, Error> {
    let directory = &arguments.directory;
    let cannot_write = |error: std::io::Error| output::cannot_write(directory, &error);
    std::fs::create_dir_all(directory).map_err(cannot_write)?;
    clap_mangen::generate_to(program, directory).map_err(cannot_write)?;
    Ok(Outcome::Done)
}
