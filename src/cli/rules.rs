//! `pamela rules`

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::arguments::{RuleOptions, RulesCheck, RulesCommand};
use super::{Outcome, output, rule_base};
use crate::algebra::{Rule, RuleBase};
use crate::diagnostic::Error;
use crate::gates;
use crate::pipeline::plain_error;

pub fn run(command: &RulesCommand, options: &RuleOptions) -> Result<Outcome, Error> {
    let mut base = rule_base(options)?;
    match command {
        RulesCommand::List => output::line(list(&base).trim_end())?,
        RulesCommand::Show { name } => match base.find(name) {
            Some(rule) => output::line(&show(rule))?,
            None => {
                let message = format!("no rule is called `{name}`; `pamela rules list` shows all");
                return Err(plain_error(message));
            }
        },
        RulesCommand::Check(arguments) => return check(&mut base, arguments),
    }
    Ok(Outcome::Done)
}

fn list(base: &RuleBase) -> String {
    let width = base
        .rules
        .iter()
        .map(|rule| rule.name.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    let mut family = "";
    for rule in &base.rules {
        if rule.family != family {
            let separator = if family.is_empty() { "" } else { "\n" };
            family = &rule.family;
            text.push_str(&format!("{separator}{family}\n"));
        }
        text.push_str(&format!("  {:width$}  {}\n", rule.name, rule.doc));
    }
    text
}

fn show(rule: &Rule) -> String {
    format!("% family: {}\n{}", rule.family, rule.text)
}

/// Where models are looked for that use each rule.
const CORPUS: &str = "corpus";

fn check(base: &mut RuleBase, arguments: &RulesCheck) -> Result<Outcome, Error> {
    let known = base.rules.len();
    if let Some(path) = &arguments.file {
        let text = std::fs::read_to_string(path)
            .map_err(|error| plain_error(format!("cannot read `{}`: {error}", path.display())))?;
        let family = path.file_stem().unwrap_or_default().to_string_lossy();
        base.add(&family, &path.to_string_lossy(), &text)?;
    }
    let first = if arguments.file.is_some() { known } else { 0 };
    let chosen: Vec<String> = base.rules[first..]
        .iter()
        .map(|rule| rule.name.clone())
        .collect();
    let default = || Some(PathBuf::from(CORPUS)).filter(|directory| Path::is_dir(directory));
    let options = gates::Options {
        seed: arguments.seed,
        effort: gates::Effort::FULL,
        corpus: arguments.corpus.clone().or_else(default),
    };
    let report = gates::check(
        base,
        |rule| chosen.contains(&rule.name),
        &options,
        &progress,
    )?;
    clear_progress();
    if arguments.json {
        output::json(&report)?;
    } else {
        output::line(&report.to_string())?;
    }
    Ok(if report.passes() {
        Outcome::Done
    } else {
        Outcome::Wrong
    })
}

/// One line on a terminal that is written over; nothing elsewhere.
fn progress(what: &str) {
    let mut stderr = std::io::stderr().lock();
    if stderr.is_terminal() {
        // A message that cannot be shown is not worth an error.
        let _ = write!(stderr, "\r\x1b[2K{what}").and_then(|()| stderr.flush());
    }
}

fn clear_progress() {
    progress("");
}
