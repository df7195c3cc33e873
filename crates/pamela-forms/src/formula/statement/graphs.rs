//! Prints graphs of tasks in rules.

use super::{Level, base_name, list, name, text, truth};
use crate::syntax::tree::{Expr, Graph, Range, Reference};

/// Prints `path{ a_i: t after a_{i-1} (1 <= i <= n); .. }`.
pub(super) fn graph_of(graph: &Graph<Expr>) -> String {
    let families = graph.families.iter().map(|family| {
        let indices: Vec<String> = family.ranges.iter().map(|r| name(&r.index.text)).collect();
        let indices = subscript(&indices.join(", "));
        let after: Vec<String> = family.after.iter().map(reference).collect();
        let after = if after.is_empty() {
            String::new()
        } else {
            format!("\\text{{ after }} {}", after.join(", "))
        };
        let (label, task) = (base_name(&family.label.text), text(&family.task, Level::Or));
        format!(
            "{label}{indices}\\colon {task}{after}{}",
            ranges(&family.ranges)
        )
    });
    let families: Vec<String> = families.collect();
    format!(
        "\\operatorname{{path}}\\left\\{{{}\\right\\}}",
        families.join(";\\; ")
    )
}

fn reference(reference: &Reference) -> String {
    let indices = subscript(&list(reference.arguments.as_deref().unwrap_or_default()));
    let condition = match &reference.condition {
        Some(condition) => format!("\\text{{ if }} {}", truth(condition)),
        None => String::new(),
    };
    let label = base_name(&reference.label.text);
    format!("{label}{indices}{}{condition}", ranges(&reference.ranges))
}

fn subscript(indices: &str) -> String {
    match indices {
        "" => String::new(),
        indices => format!("_{{{indices}}}"),
    }
}

fn ranges(ranges: &[Range]) -> String {
    let bounds = ranges.iter().map(|range| {
        let (lower, upper) = (text(&range.lower, Level::Or), text(&range.upper, Level::Or));
        format!("{lower} \\le {} \\le {upper}", name(&range.index.text))
    });
    let bounds: Vec<String> = bounds.collect();
    if bounds.is_empty() {
        String::new()
    } else {
        format!("\\;\\left({}\\right)", bounds.join(",\\; "))
    }
}
