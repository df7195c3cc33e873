//! `pamela study`, which the program `pamela-lab` runs.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use super::Outcome;
use crate::diagnostic::Error;

pub const NOTES: &str = "\
Another program runs the studies: `pamela-lab`, which is beside `pamela` or on the PATH. `cargo build` and `cargo install --path .` \
make both.";

// Everything after `study` belongs to the other program, options as well.
#[derive(Debug, Args)]
#[command(disable_help_flag = true, disable_version_flag = true)]
pub struct Arguments {
    /// Name of a study and its options
    #[arg(
        value_name = "STUDY",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub given: Vec<OsString>,
}

/// The arguments of `pamela help study ...`, as those of the study.
pub fn asked_for_help(given: &[OsString]) -> Option<Arguments> {
    let words: Vec<&OsString> = given.iter().skip(1).collect();
    let [help, study, rest @ ..] = &words[..] else {
        return None;
    };
    let asks = *help == "help" && *study == "study";
    asks.then(|| Arguments {
        given: rest
            .iter()
            .map(|word| (*word).clone())
            .chain(["--help".into()])
            .collect(),
    })
}

/// Runs the studies' program, with the standard streams of this one.
///
/// # Errors
/// Fails if that program is not installed or cannot be started.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let beside = beside();
    let program = beside.clone().filter(|path| path.is_file());
    let program = program.unwrap_or_else(|| PathBuf::from(NAME));
    match Command::new(&program).args(&arguments.given).status() {
        Ok(status) => Ok(Outcome::Exit(
            status
                .code()
                .and_then(|code| u8::try_from(code).ok())
                .unwrap_or(1),
        )),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(absent(beside)),
        Err(error) => Err(Error::new(format!(
            "cannot run `{}`: {error}",
            program.display()
        ))),
    }
}

/// Name of the program that runs studies.
const NAME: &str = "pamela-lab";

/// Where that program is built and installed: in the directory of this one.
fn beside() -> Option<PathBuf> {
    let file = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    Some(std::env::current_exe().ok()?.with_file_name(file))
}

fn absent(beside: Option<PathBuf>) -> Error {
    let beside = beside.map_or_else(String::new, |path| format!("{} or on ", path.display()));
    Error::new(format!(
        "`pamela study` needs the program `{NAME}`, expected at {beside}the PATH"
    ))
    .hint(
        "in a clone of the repository, `cargo build` makes it beside `pamela`, and `cargo install --path .` installs both",
    )
}
