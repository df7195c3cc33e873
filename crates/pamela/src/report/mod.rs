//! A web page about a model.
//!
//! It shows closed forms, conditions, derivations, regimes, sensitivities, pictures, and sliders.
//! The page computes the values of the sliders itself and needs no network. If a part cannot be
//! made, the page says why.

mod forms;
mod given;
#[cfg(feature = "plot")]
mod graphs;
mod live;
mod slider;
mod standing;
mod table;
mod unknown;

use std::collections::BTreeMap;

use crate::compiled::Compiled;
use crate::diagnostic::{Error, one_line};
use crate::uncertain::Spread;

pub use given::{Texts, Values, assumed, page_at};
pub use slider::Slider;

/// Contents of a page beside the compiled model.
#[derive(Clone, Debug)]
pub struct Page {
    /// Heading of the page.
    pub heading: Heading,
    /// Source text of the model.
    pub model: String,
    /// One slider for each parameter.
    pub sliders: Vec<Slider>,
    /// Index of the slider that is the horizontal axis at first.
    pub axis: usize,
    /// Laws of results where some numbers are not known, in the units that are shown beside them.
    pub unknown: Vec<(Spread, String)>,
    /// The command that prints the same values, without slider values; empty if the model has no
    /// file.
    pub command: String,
    /// Answers to questions, as text.
    pub answers: Vec<String>,
}

/// Heading of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// Title of the page.
    pub title: String,
    /// Further description, from the model's comments.
    pub lead: String,
    /// Name of the model's file.
    pub file: String,
}

impl Heading {
    /// Makes a heading from the first comment of the model, or else from the name of its file.
    pub fn of(file: &str, model: &str) -> Heading {
        let comment = model.lines().map(str::trim);
        let comment = comment
            .skip_while(|line| line.is_empty())
            .map_while(|line| line.strip_prefix('%'))
            .map(|line| line.trim_start_matches('%').trim());
        let lines: Vec<&str> = comment.collect();
        let (first, others) = match lines.as_slice() {
            [first, others @ ..] if first.chars().any(char::is_alphanumeric) => (*first, others),
            _ => ("", &[][..]),
        };
        let (title, rest) = cut(first);
        let name = std::path::Path::new(file).file_name();
        let name = name.map_or(file.to_string(), |name| name.to_string_lossy().into_owned());
        let lead: Vec<&str> = std::iter::once(rest)
            .chain(others.iter().copied())
            .collect();
        Heading {
            title: match (title, file) {
                ("", "-") => "A model".to_string(),
                ("", _) => name,
                (title, _) => title.to_string(),
            },
            lead: lead.join("\n").trim().to_string(),
            file: if file == "-" {
                String::new()
            } else {
                file.to_string()
            },
        }
    }
}

/// A longer title is cut where a sentence or its first part ends.
const LONG_TITLE: usize = 72;

fn cut(line: &str) -> (&str, &str) {
    let line = line.strip_suffix('.').unwrap_or(line);
    if line.chars().count() <= LONG_TITLE {
        return (line, "");
    }
    let ends = [". ", ": ", "; "].into_iter();
    let end = ends.filter_map(|end| line.find(end)).min();
    match end {
        Some(end) => (&line[..end], line[end + 1..].trim()),
        None => (line, ""),
    }
}

const TEMPLATE: &str = include_str!("page.html");

/// Writes the page as HTML.
pub fn page(compiled: &Compiled, page: &Page) -> String {
    let live = live::live(compiled, page);
    let parts = BTreeMap::from([
        ("title", escaped(&page.heading.title)),
        ("lead", lead(&page.heading)),
        ("model", escaped(&page.model)),
        ("missing", missing(&compiled.simplified().failures)),
        ("forms", forms::results(compiled)),
        ("sensitivities", forms::sensitivities(compiled)),
        ("tasks", tasks(compiled, page)),
        ("answers", answers(&page.answers)),
        ("unknown", unknown::section(&page.unknown)),
        ("sliders", slider::all(&page.sliders)),
        ("axes", slider::axes(&page.sliders, page.axis)),
        ("values", live.values),
        ("panels", live.panels),
        ("data", live.data),
        ("functions", live.functions),
        ("style", include_str!("page.css").to_string()),
        ("script", include_str!("page.js").to_string()),
    ]);
    // Each part once, so that no text of the user is taken for a place.
    let mut text = String::new();
    for piece in TEMPLATE.split("{{") {
        match piece.split_once("}}") {
            None => text.push_str(piece),
            Some((name, rest)) => {
                text.push_str(parts.get(name).map_or("", String::as_str));
                text.push_str(rest);
            }
        }
    }
    text
}

fn answers(answers: &[String]) -> String {
    let shown = answers
        .iter()
        .map(|answer| format!("<pre tabindex=\"0\">{}</pre>\n", escaped(answer)));
    let shown: String = shown.collect();
    if shown.is_empty() {
        shown
    } else {
        format!("<h2>Answers</h2>\n{shown}")
    }
}

#[cfg(feature = "plot")]
fn tasks(compiled: &Compiled, page: &Page) -> String {
    graphs::graphs(compiled, page)
}

/// Without the feature for plots, no tasks are drawn.
#[cfg(not(feature = "plot"))]
fn tasks(_: &Compiled, _: &Page) -> String {
    String::new()
}

/// Text as HTML, line by line: no character of it is markup, or changes the order of others.
fn escaped(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(one_line).collect();
    lines
        .join("\n")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn lead(heading: &Heading) -> String {
    let mut html = String::new();
    if !heading.lead.is_empty() {
        html.push_str(&format!(
            "<p class=\"lead\">{}</p>\n",
            escaped(&heading.lead)
        ));
    }
    if !heading.file.is_empty() {
        let file = escaped(&heading.file);
        html.push_str(&format!(
            "<p class=\"note\">Model: <code>{file}</code></p>\n"
        ));
    }
    html
}

/// The equations without a closed form, with the reasons.
fn missing(failures: &[Error]) -> String {
    let texts = failures.iter().map(|error| error.render(false));
    let texts: Vec<String> = texts.map(|text| escaped(text.trim_end())).collect();
    if texts.is_empty() {
        String::new()
    } else {
        format!(
            "<section class=\"missing\"><h2>Not on this page</h2>\n<pre tabindex=\"0\">{}</pre></section>\n",
            texts.join("\n\n")
        )
    }
}
