//! Prints graphs of tasks.

use std::fmt::{self, Display};

use super::{list, new_line, write_body};
use crate::syntax::tree::{Expr, Family, Graph, Process, Range, Recorded, Reference, Tracks};

/// Writes a graph of numbers on one line.
pub(super) fn write_numeric(f: &mut fmt::Formatter<'_>, graph: &Graph<Expr>) -> fmt::Result {
    if let Some(recorded) = &graph.recorded {
        write_recorded(f, recorded)?;
        let mut families = graph.families.iter();
        return families.try_for_each(|family| write!(f, "{{ {} }}", family.task));
    }
    f.write_str("graph { ")?;
    for (number, family) in graph.families.iter().enumerate() {
        f.write_str(if number > 0 { "; " } else { "" })?;
        write_family(f, family, |f, task| task.fmt(f))?;
    }
    f.write_str(" }")
}

/// Writes a graph of processes, indented `depth` times after the first line.
pub(super) fn write_graph(
    f: &mut fmt::Formatter<'_>,
    graph: &Graph<Process>,
    depth: usize,
) -> fmt::Result {
    if let Some(recorded) = &graph.recorded {
        write_recorded(f, recorded)?;
        let mut families = graph.families.iter();
        return families.try_for_each(|family| write_body(f, &family.task, depth));
    }
    f.write_str("graph {")?;
    for (number, family) in graph.families.iter().enumerate() {
        f.write_str(if number > 0 { ";" } else { "" })?;
        new_line(f, depth + 1)?;
        write_family(f, family, |f, task| write_body(f, task, depth + 1))?;
    }
    new_line(f, depth)?;
    f.write_str("}")
}

/// `graph (w in "file", default = e) `
fn write_recorded(f: &mut fmt::Formatter<'_>, recorded: &Recorded) -> fmt::Result {
    write!(f, "graph ({} in ", recorded.time.text)?;
    for (number, file) in recorded.files.iter().enumerate() {
        write!(f, "{}\"{}\"", if number > 0 { ", " } else { "" }, file.text)?;
    }
    if let Some(default) = &recorded.default {
        write!(f, ", default = {default}")?;
    }
    f.write_str(match recorded.tracks {
        Some(Tracks::Order) => ", tracks = order) ",
        Some(Tracks::Free) => ", tracks = free) ",
        None => ") ",
    })
}

/// Writes a family, whose task is written by `task`.
fn write_family<T>(
    f: &mut fmt::Formatter<'_>,
    family: &Family<T>,
    task: impl FnOnce(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    f.write_str(&family.label.text)?;
    if !family.ranges.is_empty() {
        f.write_str(" ")?;
        write_ranges(f, &family.ranges)?;
    }
    f.write_str(": ")?;
    task(f, &family.task)?;
    for (number, reference) in family.after.iter().enumerate() {
        f.write_str(if number == 0 { " after " } else { ", " })?;
        write_reference(f, reference)?;
    }
    Ok(())
}

fn write_reference(f: &mut fmt::Formatter<'_>, reference: &Reference) -> fmt::Result {
    f.write_str(&reference.label.text)?;
    if let Some(arguments) = &reference.arguments {
        f.write_str("(")?;
        list(f, arguments)?;
        f.write_str(")")?;
    }
    if !reference.ranges.is_empty() {
        f.write_str(" for ")?;
        write_ranges(f, &reference.ranges)?;
    }
    match &reference.condition {
        Some(condition) => {
            f.write_str(" if (")?;
            condition.fmt(f)?;
            f.write_str(")")
        }
        None => Ok(()),
    }
}

fn write_ranges(f: &mut fmt::Formatter<'_>, ranges: &[Range]) -> fmt::Result {
    for (number, range) in ranges.iter().enumerate() {
        f.write_str(if number == 0 { "(" } else { "; " })?;
        write!(f, "{} = ", range.index.text)?;
        range.lower.fmt(f)?;
        f.write_str(", ")?;
        range.upper.fmt(f)?;
    }
    f.write_str(")")
}
