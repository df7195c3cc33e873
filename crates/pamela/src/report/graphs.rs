//! Task graphs at the initial slider values: their time, a picture, and the tasks that matter.

use pamela_plot::{Arrangement, Picture, TaskGraph, short};

use super::{Page, escaped};
use crate::compiled::{Compiled, EvaluatedEquation};
use crate::diagnostic::{Error, Result};
use crate::pipeline::{GraphOptions, Model, Options};
use crate::plot;

/// Maximum number of tasks in a table.
const MOST_ROWS: usize = 20;

/// A heading and a figure for each process with a graph in its text; empty if there is none.
pub(super) fn graphs(compiled: &Compiled, page: &Page) -> String {
    let Ok(model) = compiled.model() else {
        return String::new();
    };
    let processes = model.checked().processes_with_graphs();
    if processes.is_empty() {
        return String::new();
    }
    let values = page.sliders.iter().filter_map(|slider| {
        let value = slider.values.get(slider.start)?;
        Some((slider.name.clone(), value.to_string()))
    });
    let values: Vec<(String, String)> = values.collect();
    let figures = processes.iter().map(|process| {
        let title = format!("<h3>{}</h3>\n", escaped(process));
        let part = |made: Result<String>| made.unwrap_or_else(|error| note(&error.to_string()));
        let (time, picture) = (
            time(model, process, &values),
            picture(model, process, &values),
        );
        format!("<figure>{title}{}{}</figure>\n", part(time), part(picture))
    });
    let figures: String = figures.collect();
    let given: Vec<String> = values
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let place = if given.is_empty() {
        String::new()
    } else {
        note(&format!("where {}", given.join(", ")))
    };
    format!("<h2>Tasks</h2>\n{place}{figures}")
}

fn note(text: &str) -> String {
    format!("<p class=\"note\">{}</p>\n", escaped(text))
}

/// `T` of a process; of random tasks its estimate, and guaranteed bounds.
fn time(model: &Model, process: &str, values: &[(String, String)]) -> Result<String> {
    let name = format!("T_{process}");
    let options = Options {
        only: vec![name.clone()],
        graphs: GraphOptions {
            bounds: true,
            ..GraphOptions::default()
        },
        ..Options::default()
    };
    let mut evaluated = model.evaluate(values, crate::rules::standard()?, &options)?;
    if let Some(error) = evaluated.failures.pop() {
        return Err(error);
    }
    let mut equations = evaluated.equations.iter();
    let equation = equations.find(|equation| equation.name == name);
    let equation = equation.ok_or_else(|| Error::new(format!("`{name}` has no value")))?;
    Ok(note(&sentence(equation, evaluated.number(&name).ok())))
}

fn sentence(equation: &EvaluatedEquation, number: Option<f64>) -> String {
    let mut text = equation.name.clone();
    match (&equation.law, number) {
        (None, Some(number)) => text.push_str(&format!(" = {}", short(number))),
        (Some(law), _) if equation.paths.is_none() => {
            text.push_str(&format!(" has a mean of {}", short(law.cumulants.mean)));
        }
        (Some(law), _) => {
            text.push_str(&format!(
                " has an estimated mean of {}",
                short(law.cumulants.mean)
            ));
        }
        (None, None) => {}
    }
    let paths = equation.paths.as_ref();
    if let Some(errors) = paths.and_then(|paths| paths.errors.as_ref()) {
        text.push_str(&format!(" (standard error {})", short(errors.mean)));
    }
    if let Some(bounds) = paths.and_then(|paths| paths.bounds.as_ref()) {
        let range = |[lower, upper]: [f64; 2]| format!("from {} to {}", short(lower), short(upper));
        text.push_str(&format!("; guaranteed {}", range(bounds.mean)));
        for (p, ends) in &bounds.quantiles {
            text.push_str(&format!(", quantile {p} {}", range(*ends)));
        }
    }
    for note in &equation.approximations {
        text.push_str(&format!("; {note}"));
    }
    text
}

/// The tasks in layers, and which of them are on the longest path how often.
fn picture(model: &Model, process: &str, values: &[(String, String)]) -> Result<String> {
    let mut there = model.clone();
    for (name, value) in values {
        there.define(name, value)?;
    }
    let picture = plot::tasks(there.checked(), process, Arrangement::Layers, process)?;
    let svg = format!("<div class=\"tasks\">{}</div>\n", picture.svg());
    let Picture::Tasks(graph) = &picture else {
        return Ok(svg);
    };
    Ok(svg + &criticality(graph))
}

fn criticality(graph: &TaskGraph) -> String {
    let mut tasks: Vec<_> = graph
        .tasks
        .iter()
        .filter(|task| task.criticality > 0.0)
        .collect();
    tasks.sort_by(|a, b| b.criticality.total_cmp(&a.criticality));
    let row = |task: &&pamela_plot::Task| {
        let cells = [
            escaped(&task.name),
            format!("{} %", short(100.0 * task.criticality)),
            short(task.from),
            short(task.to),
        ];
        format!("<tr><td>{}</td></tr>\n", cells.join("</td><td>"))
    };
    let rows: String = tasks.iter().take(MOST_ROWS).map(row).collect();
    let more = match tasks.len().checked_sub(MOST_ROWS) {
        Some(left) if left > 0 => note(&format!("and {left} more tasks")),
        _ => String::new(),
    };
    format!(
        "<table><tr><th>task</th><th>on the longest path</th><th>begins</th><th>ends</th></tr>\n{rows}</table>\n{more}"
    )
}
