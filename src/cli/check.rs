//! `pamela check`

use std::collections::BTreeMap;

use clap::Args;

use super::assertions::{self, Assertions};
use super::shared::{Input, parse_definition};
use super::{Outcome, output, read_model};
use crate::diagnostic::Error;
use crate::effort::Effort;
use crate::model::{Evaluator, GraphCounts, Limits, RecordedTasks};
use crate::pipeline::Model;

pub const EXAMPLES: &str = "\
Examples:
  pamela check corpus/papers/mrm.pam
  pamela check corpus/graphs/cholesky.pam -D k=4   also count tasks and precedences
  pamela check - < corpus/papers/mrm.pam";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    pub input: Input,
    /// Set a parameter, to count the tasks of graphs (repeatable)
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = parse_definition)]
    pub define: Vec<(String, String)>,
    #[command(flatten)]
    pub assertions: Assertions,
}

pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let mut model = read_model(&arguments.input)?;
    for (name, value) in &arguments.define {
        model.define(name, value)?;
    }
    model.check()?;
    let equations = match model.checked().equations().len() {
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
