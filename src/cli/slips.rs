//! Advice for slips of the command line.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::arguments::Arguments;

/// Corrects what the error of an unknown argument suggests.
pub fn advise(error: &mut clap::Error, given: &[OsString]) {
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

/// True if the command that the arguments name takes values that follow no option.
fn takes_values(given: &[OsString]) -> bool {
    let words = given.iter().filter_map(|word| word.to_str());
    let root = Arguments::command();
    let command = words.fold(&root, |command, word| {
        command.find_subcommand(word).unwrap_or(command)
    });
    command.get_positionals().next().is_some()
}
