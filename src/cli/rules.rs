//! `pamela rules`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};

use super::progress::{clear_line, line as progress};
use super::shared::{RuleOptions, parse_seed};
use super::{Outcome, output, read_file, rule_base};
use serde::Serialize;

use crate::algebra::{Kind, Rule, RuleBase};
use crate::diagnostic::Error;
use crate::formula::rule_latex;
use crate::gates::{self, Uses};
use crate::pipeline::unknown_name;

pub const EXAMPLES: &str = "\
Examples:
  pamela rules list --family series
  pamela rules show sum-constant --uses
  pamela rules check rules/roots.rules";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: RulesCommand,
    #[command(flatten)]
    pub base: RuleOptions,
}

#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// List all rules by family; `text` runs as written, a `procedure` is code
    List {
        /// List only this family
        #[arg(long, value_name = "NAME")]
        family: Option<String>,
        /// List below each rule the models whose derivations use it
        #[arg(long)]
        uses: bool,
        /// Directory of these models
        #[arg(long, value_name = "DIR", default_value = "corpus")]
        corpus: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a rule in full
    Show {
        /// Name of the rule
        name: String,
        /// List the models whose derivations use the rule
        #[arg(long)]
        uses: bool,
        /// Directory of these models
        #[arg(long, value_name = "DIR", default_value = "corpus")]
        corpus: PathBuf,
    },
    /// Test rules at sample points: equality, definedness, need of each guard, use by a model
    Check(RulesCheck),
    /// Write the compiled form of the library's rules, which the next build includes
    Compile {
        /// Output file, in a clone of the repository
        #[arg(short, long, value_name = "FILE", default_value = "rules/compiled.bin")]
        output: PathBuf,
    },
}

#[derive(Debug, Args)]
pub struct RulesCheck {
    /// Check only the rules of this file, together with the library
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Check only the rules of this family
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    pub family: Option<String>,
    /// Directory whose */*.pam must use each rule of the library [default: corpus, if it exists]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Seed of the sample points
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut base = rule_base(&arguments.base)?;
    match &arguments.command {
        RulesCommand::List {
            family,
            uses,
            corpus,
            json,
        } => {
            // The models are simplified by all rules, of whatever family the listed ones are.
            let uses = uses.then(|| used(&base, corpus)).transpose()?;
            if let Some(family) = family {
                only(&mut base, family)?;
            }
            if *json {
                let entries = base.rules().iter();
                let entries = entries.map(|rule| RuleEntry::of(rule, uses.as_ref()));
                output::json(&entries.collect::<Vec<_>>())?
            } else {
                output::line(list(&base, uses.as_ref()).trim_end())?
            }
        }
        RulesCommand::Show { name, uses, corpus } => {
            let Some(rule) = base.find(name) else {
                let message =
                    format!("no rule named `{name}`; `pamela rules list` lists all rules");
                let names: Vec<&str> = base.rules().iter().map(|rule| rule.name.as_str()).collect();
                return Err(unknown_name(message, name, &names));
            };
            let mut text = show(rule);
            if *uses {
                let uses = used(&base, corpus)?;
                text.push_str(&match uses.get(name) {
                    Some(models) => models.iter().map(|m| format!("\n% used by {m}")).collect(),
                    None => format!("\n% not used by any model of {}", corpus.display()),
                });
            }
            output::line(&text)?;
        }
        RulesCommand::Check(arguments) => return check(&mut base, arguments),
        RulesCommand::Compile { output } => {
            let written = std::fs::write(output, crate::rules::saved()?);
            written.map_err(|error| output::cannot_write(output, &error))?;
        }
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
        let message = format!("no family named `{family}`; expected one of {known}");
        return Err(Error::new(message));
    }
    Ok(())
}

/// The models below `corpus` that use each rule.
fn used(base: &RuleBase, corpus: &Path) -> Result<Uses, Error> {
    let uses = gates::uses(base, corpus, &progress)?;
    clear_line();
    Ok(uses)
}

/// A rule as one entry of the list in JSON.
#[derive(Serialize)]
struct RuleEntry<'a> {
    name: &'a str,
    family: &'a str,
    kind: Kind,
    /// Statement of the rule in words.
    says: &'a str,
    /// Location of the rule: `rules/sums.rules:3`.
    source: &'a str,
    /// With `--uses`: the models whose derivations use the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    models: Option<&'a [String]>,
}

impl<'a> RuleEntry<'a> {
    fn of(rule: &'a Rule, uses: Option<&'a Uses>) -> RuleEntry<'a> {
        RuleEntry {
            name: &rule.name,
            family: &rule.family,
            kind: rule.kind(),
            says: &rule.doc,
            source: &rule.source,
            models: uses.map(|uses| users(uses, rule)),
        }
    }
}

/// The models that use a rule: none where `uses` does not have it.
fn users<'a>(uses: &'a Uses, rule: &Rule) -> &'a [String] {
    uses.get(&rule.name).map_or(&[], Vec::as_slice)
}

fn list(base: &RuleBase, uses: Option<&Uses>) -> String {
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
        if let Some(uses) = uses {
            text.push_str(&match users(uses, rule) {
                [] => "    used by no model\n".to_string(),
                [model] => format!("    used by {model}\n"),
                models => format!(
                    "    used by {} models: {}\n",
                    models.len(),
                    models.join(", ")
                ),
            });
        }
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

/// Directory of models that must use each rule.
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
        if base.rules().len() == known {
            return Err(Error::new(format!("no rule in `{}`", path.display())));
        }
    }
    let first = if arguments.file.is_some() { known } else { 0 };
    let of_family = |rule: &&Arc<Rule>| arguments.family.as_ref().is_none_or(|f| *f == rule.family);
    let chosen: Vec<String> = base.rules()[first..]
        .iter()
        .filter(of_family)
        .map(|rule| rule.name.clone())
        .collect();
    // For a rule file of the user, models need not use the rules.
    let default = || {
        let corpus = Some(PathBuf::from(CORPUS)).filter(|directory| Path::is_dir(directory));
        corpus.filter(|_| arguments.file.is_none())
    };
    let options = gates::Options {
        seed: arguments.seed,
        corpus: arguments.corpus.clone().or_else(default),
    };
    let report = gates::check(
        base,
        |rule| chosen.contains(&rule.name).then_some(gates::Effort::FULL),
        &options,
        &progress,
    )?;
    clear_line();
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
