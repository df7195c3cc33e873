//! `pamela rules`

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::{RuleOptions, RulesCheck, RulesCommand};
use super::{Outcome, output, read_file, rule_base};
use serde::Serialize;

use crate::algebra::{Kind, Rule, RuleBase};
use crate::diagnostic::Error;
use crate::formula::rule_latex;
use crate::gates;
use crate::pipeline::plain_error;

pub fn run(command: &RulesCommand, options: &RuleOptions) -> Result<Outcome, Error> {
    let mut base = rule_base(options)?;
    match command {
        RulesCommand::List { family, json } => {
            if let Some(family) = family {
                only(&mut base, family)?;
            }
            match json {
                true => output::json(
                    &base
                        .rules()
                        .iter()
                        .map(|r| Listed::of(r))
                        .collect::<Vec<_>>(),
                )?,
                false => output::line(list(&base).trim_end())?,
            }
        }
        RulesCommand::Show { name, uses, corpus } => {
            let Some(rule) = base.find(name) else {
                let message = format!("no rule is called `{name}`; `pamela rules list` shows all");
                return Err(plain_error(message));
            };
            let mut text = show(rule);
            if *uses {
                text.push_str(&users(&base, name, corpus)?);
            }
            output::line(&text)?;
        }
        RulesCommand::Check(arguments) => return check(&mut base, arguments),
    }
    Ok(Outcome::Done)
}

/// Leaves the rules of one family.
fn only(base: &mut RuleBase, family: &str) -> Result<(), Error> {
    known_family(base, family)?;
    base.retain(|rule| rule.family == family);
    Ok(())
}

fn known_family(base: &RuleBase, family: &str) -> Result<(), Error> {
    let mut families: Vec<&str> = base.rules().iter().map(|r| r.family.as_str()).collect();
    families.dedup();
    if !families.contains(&family) {
        let known = families.join(", ");
        let message = format!("no family is called `{family}`; expected one of {known}");
        return Err(plain_error(message));
    }
    Ok(())
}

/// The models below `corpus` that use the rule, as comments.
fn users(base: &RuleBase, name: &str, corpus: &Path) -> Result<String, Error> {
    let uses = gates::uses(base, corpus, &progress)?;
    clear_progress();
    Ok(match uses.get(name) {
        Some(models) => models
            .iter()
            .map(|model| format!("\n% used by {model}"))
            .collect(),
        None => format!("\n% used by no model of {}", corpus.display()),
    })
}

/// A rule as one entry of the list in JSON.
#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    family: &'a str,
    kind: Kind,
    /// What it says, in words.
    says: &'a str,
    /// Where it stands: `rules/sums.rules:3`.
    source: &'a str,
}

impl Listed<'_> {
    fn of(rule: &Rule) -> Listed<'_> {
        Listed {
            name: &rule.name,
            family: &rule.family,
            kind: rule.kind(),
            says: &rule.doc,
            source: &rule.source,
        }
    }
}

fn list(base: &RuleBase) -> String {
    let width = base
        .rules()
        .iter()
        .map(|rule| rule.name.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    let mut family = "";
    for rule in base.rules() {
        if rule.family != family {
            let separator = if family.is_empty() { "" } else { "\n" };
            family = &rule.family;
            text.push_str(&format!("{separator}{family}\n"));
        }
        let (name, kind) = (&rule.name, rule.kind());
        text.push_str(&format!("  {name:width$}  {kind:9}  {}\n", rule.doc));
    }
    text
}

fn show(rule: &Rule) -> String {
    let latex: String = rule_latex(rule.written())
        .lines()
        .map(|line| format!("\n% {line}"))
        .collect();
    format!("% {}\n{}\n{latex}", rule.source, rule.written())
}

/// Where models are looked for that use each rule.
const CORPUS: &str = "corpus";

fn check(base: &mut RuleBase, arguments: &RulesCheck) -> Result<Outcome, Error> {
    if let Some(family) = &arguments.family {
        known_family(base, family)?;
    }
    let known = base.rules().len();
    if let Some(path) = &arguments.file {
        let text = read_file(path)?;
        let family = path.file_stem().unwrap_or_default().to_string_lossy();
        base.add(&family, &path.to_string_lossy(), &text)?;
    }
    let first = if arguments.file.is_some() { known } else { 0 };
    let of_family = |rule: &&Arc<Rule>| arguments.family.as_ref().is_none_or(|f| *f == rule.family);
    let chosen: Vec<String> = base.rules()[first..]
        .iter()
        .filter(of_family)
        .map(|rule| rule.name.clone())
        .collect();
    // Of a file of one's own, no rule is asked that models use it.
    let default = || {
        let corpus = Some(PathBuf::from(CORPUS)).filter(|directory| Path::is_dir(directory));
        corpus.filter(|_| arguments.file.is_none())
    };
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
pub(super) fn progress(what: &str) {
    let mut stderr = std::io::stderr().lock();
    if stderr.is_terminal() {
        // A message that cannot be shown is not worth an error.
        let _ = write!(stderr, "\r\x1b[2K{what}").and_then(|()| stderr.flush());
    }
}

pub(super) fn clear_progress() {
    progress("");
}
