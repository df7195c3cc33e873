//! Line counts of a single-threaded program, from the JSON output of gcov.
//!
//! A branch holds as often as the first line after it runs, out of the runs of the line with its condition. The line
//! of a loop runs once per iteration and once more at the end. If both are on one line, or a loop is left early,
//! lines do not suffice.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::lowering::{Known, KnownValue, sites};
use crate::problem::{Problem, six_digits};
use crate::source::Unit;
use crate::source::tree::{Function, Statement, StatementKind};

#[derive(Deserialize)]
struct Report {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    file: String,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    line_number: usize,
    count: u64,
}

/// Counts by file and line.
type Counts = BTreeMap<(String, usize), u64>;

/// True if a text begins as such counts do.
pub fn is_one(text: &str) -> bool {
    let start: String = text.chars().take(200).collect();
    start.trim_start().starts_with('{') && start.contains("\"gcc_version\"")
}

/// Facts about branches and loops from line counts, by site.
///
/// # Errors
/// Fails if the text is not from gcov, or contains no line of the program.
pub fn known(units: &[Unit], name: &str, text: &str) -> Result<BTreeMap<String, Known>, Problem> {
    let mut counts = Counts::new();
    // A line of JSON for each file of counts.
    for report in serde_json::Deserializer::from_str(text).into_iter::<Report>() {
        let report = report
            .map_err(|error| Problem::new(format!("`{name}` has no counts of gcov: {error}")))?;
        for file in report.files {
            for line in file.lines {
                *counts
                    .entry((file.file.clone(), line.line_number))
                    .or_insert(0) += line.count;
            }
        }
    }
    let mut all = BTreeMap::new();
    let mut has_file = false;
    for unit in units {
        for function in &unit.program.functions {
            let own = of_file(&counts, &function.place.file);
            has_file |= !own.is_empty();
            all.extend(of_function(unit, function, &own));
        }
    }
    if has_file {
        Ok(all)
    } else {
        Err(
            Problem::new(format!("`{name}` counts no line of the program")).hint(
                "print it with gcov --json-format --stdout, after compiling with gcc --coverage",
            ),
        )
    }
}

/// The lines of a file, which gcov may call by a longer or a shorter path.
fn of_file(counts: &Counts, file: &str) -> BTreeMap<usize, u64> {
    let is_end = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let is_own = |other: &str| is_end(other, file) || is_end(file, other);
    let own = counts.iter().filter(|((other, _), _)| is_own(other));
    own.map(|((_, line), count)| (*line, *count)).collect()
}

fn of_function(
    unit: &Unit,
    function: &Function,
    counts: &BTreeMap<usize, u64>,
) -> BTreeMap<String, Known> {
    let sites = sites(function);
    let line = |at: usize| unit.text.place(at, at).first;
    let mut all = BTreeMap::new();
    function.body.walk(&mut |statement| {
        let Some(site) = sites.get(&statement.span.start) else {
            return;
        };
        let (condition, body, is_loop) = match &statement.kind {
            StatementKind::If {
                condition, then, ..
            } => (condition.span.start, then, false),
            StatementKind::For {
                condition: Some(condition),
                body,
                ..
            }
            | StatementKind::While { condition, body } => (condition.span.start, body, true),
            _ => return,
        };
        let Some(first) = first_of(body) else { return };
        let (at, inside) = (line(condition), line(first.span.start));
        let (Some(calls), Some(times)) = (counts.get(&at), counts.get(&inside)) else {
            return;
        };
        if at == inside || (is_loop && is_left_early(body)) {
            return;
        }
        let of = if is_loop {
            calls.checked_sub(*times)
        } else {
            Some(*calls).filter(|calls| times <= calls)
        };
        let Some(of) = of.filter(|of| *of > 0) else {
            return;
        };
        let value = *times as f64 / of as f64;
        let known = Known {
            value: KnownValue::constant(six_digits(value)),
            note: format!("{times} of {of}, by the lines that gcov counted"),
        };
        all.insert(format!("{}/{site}", function.name), known);
    });
    all
}

/// The first statement that has a line of its own.
fn first_of(statement: &Statement) -> Option<&Statement> {
    match &statement.kind {
        StatementKind::Block(list) => list.iter().find_map(first_of),
        StatementKind::Empty | StatementKind::Label(_) => None,
        // A declaration without a value is no code.
        StatementKind::Declaration(variables) if variables.iter().all(|v| v.value.is_none()) => {
            None
        }
        _ => Some(statement),
    }
}

/// True if something in the body may leave the loop.
fn is_left_early(body: &Statement) -> bool {
    match &body.kind {
        StatementKind::Break | StatementKind::Return(_) | StatementKind::Goto(_) => true,
        // A `break` inside an inner loop leaves only that loop.
        StatementKind::For { body, .. }
        | StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. } => {
            let mut found = false;
            body.walk(&mut |inner| {
                found |= matches!(
                    inner.kind,
                    StatementKind::Return(_) | StatementKind::Goto(_)
                );
            });
            found
        }
        _ => body.inner().into_iter().any(is_left_early),
    }
}
