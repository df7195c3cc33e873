//! `pamela check`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::assertions::{self, Assertions};
use super::fmt::model_files;
use super::shared::{ADVANCED, Input, parse_definition};
use super::{Outcome, output, read_file, read_model, standard_input};
use crate::diagnostic::{Code, Diagnostic, Error};
use crate::document::Checked;
use crate::document::assertion_data;
use crate::effort::Effort;
use crate::model::{Evaluator, GraphCounts, Limits, RecordedTasks};
use crate::pipeline::Model;
use crate::syntax::LibraryLoader;

pub const EXAMPLES: &str = "\
Examples:
  pamela check corpus/papers/mrm.pam
  pamela check corpus/graphs/cholesky.pam -D k=4   also count tasks and precedences
  pamela check - < corpus/papers/mrm.pam
  pamela check models/ --format json               everything that is wrong, with positions and corrections";

pub const NOTES: &str = "\
JSON: an object with `files`. Each has `file` and `diagnostics` with a stable `code`, `severity`, `message`, `place`, \
`label`, `hint`, `related` places and `edits` that follow the hint. Lines and columns begin with 1, bytes with 0.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Model files, or directories with files named *.pam; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Search this directory for imported files (repeatable)
    #[arg(long, value_name = "DIR", help_heading = ADVANCED)]
    pub library: Vec<PathBuf>,
    /// Format of the output: text or json
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        hide_possible_values = true
    )]
    pub format: Format,
    /// Set a parameter, to count the tasks of graphs (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    pub define: Vec<(String, String)>,
    #[command(flatten)]
    pub assertions: Assertions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

#[derive(Debug, Serialize)]
struct Report {
    files: Vec<Checked>,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut files = Vec::new();
    for given in &arguments.files {
        if given == "-" {
            files.push(given.clone());
            continue;
        }
        let found = model_files(Path::new(given))?;
        files.extend(found.iter().map(|path| path.display().to_string()));
    }
    if arguments.format == Format::Json {
        return as_json(arguments, &files);
    }
    if let [file] = &files[..] {
        return in_words(arguments, file);
    }
    let mut outcome = Outcome::Done;
    for file in &files {
        match in_words(arguments, file) {
            Ok(own) => outcome = outcome.max(own),
            // The other files are checked.
            Err(error) => {
                output::failures(&[error]);
                outcome = Outcome::Wrong;
            }
        }
    }
    Ok(outcome)
}

/// Checks files and prints everything that is wrong with them.
fn as_json(arguments: &Arguments, files: &[String]) -> Result<Outcome, Error> {
    let mut outcome = Outcome::Done;
    let drafted = files.iter().map(|file| {
        let (checked, own) = drafted(arguments, file);
        outcome = outcome.max(own);
        checked
    });
    let report = Report {
        files: drafted.collect(),
    };
    output::json(&report)?;
    Ok(outcome)
}

/// What is wrong with a file, and whether that and its assertions are errors.
fn drafted(arguments: &Arguments, file: &str) -> (Checked, Outcome) {
    let failed = |error: &Error| {
        let checked = Checked::with(file, &error.diagnostics, &error.sources);
        (checked, Outcome::Wrong)
    };
    let read = match file {
        "-" => standard_input(),
        _ => read_file(Path::new(file)),
    };
    let text = match read {
        Ok(text) => text,
        Err(mut error) => {
            let unreadable = |own: Diagnostic| own.or_code(Code::FileUnreadable);
            error.diagnostics = error.diagnostics.into_iter().map(unreadable).collect();
            return failed(&error);
        }
    };
    let loader = LibraryLoader {
        directories: arguments.library.clone(),
    };
    let draft = Model::draft(file, &text, &loader);
    let mut checked = Checked::of(file, &draft);
    if checked.has_errors() {
        return (checked, Outcome::Wrong);
    }
    let judged = defined(draft.model, arguments)
        .and_then(|model| arguments.assertions.judged(&model, Effort::Normal));
    match judged {
        Ok(judged) => {
            checked.assertions = assertion_data(&judged);
            (checked, assertions::outcome(&judged))
        }
        Err(error) => failed(&error),
    }
}

/// The model with the given values.
fn defined(mut model: Model, arguments: &Arguments) -> Result<Model, Error> {
    for (name, value) in &arguments.define {
        model.define(name, value)?;
    }
    if !arguments.define.is_empty() {
        model.check()?;
    }
    Ok(model)
}

fn in_words(arguments: &Arguments, file: &str) -> Result<Outcome, Error> {
    let mut model = read_model(&Input {
        file: file.to_owned(),
        library: arguments.library.clone(),
        text: None,
    })?;
    for (name, value) in &arguments.define {
        model.define(name, value)?;
    }
    model.check()?;
    let equations = match model.checked().written_equations() {
        1 => "1 equation".to_string(),
        count => format!("{count} equations"),
    };
    output::line(&format!("{}: {equations}, no errors", model.name()))?;
    for line in units(&model) {
        output::line(&line)?;
    }
    let given = BTreeMap::new();
    let mut evaluator = Evaluator::new(model.checked(), &given, Limits::default());
    for counts in evaluator.graphs() {
        let place = model.checked().sources().place(counts.span);
        output::line(&format!("graph at {place}: {}", counted(&counts)))?;
    }
    for tasks in model.checked().all_recordings() {
        for line in recorded(tasks) {
            output::line(&line)?;
        }
    }
    let judged = arguments.assertions.judged(&model, Effort::Normal)?;
    assertions::print(&judged)?;
    Ok(assertions::outcome(&judged))
}

/// The units that follow for parameters of which none is declared.
fn units(model: &Model) -> Vec<String> {
    let checked = model.checked();
    let undeclared = checked.parameters().filter(|own| own.unit().is_none());
    let lines = undeclared.filter_map(|own| {
        let dimension = checked.units().dimension(&own.name.text)?;
        let place = checked.sources().place(own.name.span);
        let unit = (!dimension.is_none()).then(|| dimension.to_string())?;
        Some(format!(
            "`{}` at {place}: [{unit}], inferred from its use",
            own.name.text
        ))
    });
    lines.collect()
}

fn counted(counts: &GraphCounts) -> String {
    let number = |count: usize, name: &str| match count {
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    };
    let outside = match counts.outside {
        0 => String::new(),
        1 => "; 1 reference outside the range of its family is ignored".to_owned(),
        count => {
            format!("; {count} references outside the ranges of their families are ignored")
        }
    };
    format!(
        "{}, {}{outside}",
        number(counts.tasks, "task"),
        number(counts.precedences, "precedence")
    )
}

/// Remarks of files besides their tasks.
fn recorded(tasks: &RecordedTasks) -> Vec<String> {
    let files = tasks.files.join(", ");
    let unit = tasks
        .unit
        .as_ref()
        .map_or(String::new(), |unit| format!(" {unit}"));
    let mut facts = Vec::new();
    for makespan in &tasks.makespans {
        facts.push(format!("total time {makespan}{unit}"));
    }
    facts.extend(tasks.cores.map(|cores| format!("on {cores} cores")));
    let mut lines = Vec::new();
    if !facts.is_empty() {
        lines.push(format!("{files}: {}", facts.join(", ")));
    }
    lines.extend(tasks.notes.iter().map(|note| format!("{files}: {note}")));
    lines
}
