//! Advice for slips of the command line.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::arguments::Arguments;

/// Corrects what the error of an unknown argument suggests.
pub fn advise(error: &mut clap::Error, given: &[OsString]) {
    if error.kind() == ErrorKind::InvalidSubcommand {
        advise_build(error);
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    // An option that is not known is hardly meant as a value, which a command that takes values suggests.
    if takes_values(given) {
        error.remove(ContextKind::Suggested);
    }
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return;
    };
    if !argument.starts_with('-') && argument.contains('=') {
        let tip = format!("a value follows its option: `-D {argument}`");
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
}

/// Commands that a build may lack, by its features.
const OPTIONAL: [&str; 17] = [
    "calibrate",
    "compare",
    "completions",
    "diff",
    "fit",
    "machine",
    "man",
    "merge",
    "model",
    "optimise",
    "plot",
    "profile",
    "report",
    "rules",
    "simulate",
    "solve",
    "sweep",
];

/// Says how to build a command that this build lacks.
fn advise_build(error: &mut clap::Error) {
    let Some(ContextValue::String(command)) = error.get(ContextKind::InvalidSubcommand) else {
        return;
    };
    if OPTIONAL.contains(&command.as_str()) {
        let tip = format!(
            "this build lacks the command `{command}`: build pamela without `--no-default-features`"
        );
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
}

/// True if the command that the arguments name takes values that follow no option.
fn takes_values(given: &[OsString]) -> bool {
    let words = given.iter().filter_map(|word| word.to_str());
    let root = Arguments::command();
    let command = words.fold(&root, |command, word| {
        command.find_subcommand(word).unwrap_or(command)
    });
    command.get_positionals().next().is_some()
}
