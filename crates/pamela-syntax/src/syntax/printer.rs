//! Prints trees as text that reads back as the same tree, with few unnecessary brackets.

mod expression;
mod graph;
mod heads;
mod record;
mod rules;
mod unit;

use std::fmt::{self, Write};

use super::tree::{
    Composition, Direction, Equation, Item, Model, Monotone, Name, ParameterFact, Process,
    ProcessKind, Range, Type, Value,
};
use crate::with_stack;
pub use expression::Part;

const INDENT: &str = "    ";

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut after_block = false;
        for (index, item) in self.items.iter().enumerate() {
            let text = item.to_string();
            let block = text.contains('\n');
            if index > 0 && (block || after_block) {
                f.write_char('\n')?;
            }
            writeln!(f, "{text}")?;
            after_block = block;
        }
        Ok(())
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Equation(equation) => equation.fmt(f),
            Item::Assume(relations) => {
                f.write_str("assume ")?;
                list(f, relations)
            }
            Item::Assert(assertion) => write!(f, "assert {assertion}"),
            Item::Import(import) => import.fmt(f),
            Item::Record(record) => record.fmt(f),
            Item::Table(table) => table.fmt(f),
            Item::Unit(unit) => unit.fmt(f),
            Item::Later(later) => write!(f, "% {}", later.name),
        }
    }
}

impl fmt::Display for Equation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Type::Numeric => "numeric ",
            Type::Process => "process ",
            Type::Resource => "resource ",
        })?;
        if self.unknown().is_some() {
            f.write_str("unknown ")?;
        } else if self.parameter {
            f.write_str("parameter ")?;
        }
        if self.kept {
            f.write_str("kept ")?;
        }
        self.name.fmt(f)?;
        heads::write_formals(f, self)?;
        heads::write_facts(f, &self.facts)?;
        if let Some(law) = self.unknown() {
            return write!(f, " = {law}");
        }
        match &self.value {
            None => Ok(()),
            Some(Value::Numeric(value) | Value::Resource(value)) => write!(f, " = {value}"),
            Some(Value::Process(process)) => match process.kind {
                _ if self.arrivals().is_some() => {
                    let open = self.facts.iter();
                    let mut open = open.filter(|fact| matches!(fact, ParameterFact::Arrivals(_)));
                    open.try_for_each(|open| write!(f, " = {open} "))?;
                    write_body(f, process, 0)
                }
                ProcessKind::Sequence(_) => {
                    write!(f, " =\n{INDENT}")?;
                    write_process(f, process, 1)
                }
                _ => {
                    f.write_str(" = ")?;
                    write_process(f, process, 0)
                }
            },
        }
    }
}

impl fmt::Display for ParameterFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterFact::Integer(_) => f.write_str("integer"),
            ParameterFact::Law(_) => f.write_str("law"),
            ParameterFact::Unknown(law) => law.fmt(f),
            ParameterFact::Arrivals(rate) => write!(f, "open ({rate})"),
            ParameterFact::Row(table) => write!(f, "{table}"),
            ParameterFact::Unit(unit) => unit.fmt(f),
            ParameterFact::Monotone(own) => own.fmt(f),
            ParameterFact::Bound(relation, bound) => {
                write!(f, "{relation} {}", Part::Side(bound))
            }
        }
    }
}

impl fmt::Display for Monotone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.direction {
            Direction::Increasing => "increasing",
            Direction::Decreasing => "decreasing",
        })?;
        let formals: Vec<&str> = self.formals.iter().map(|own| own.text.as_str()).collect();
        if formals.is_empty() {
            Ok(())
        } else {
            write!(f, "({})", formals.join(", "))
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_process(f, self, 0)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(table) = self.rows() {
            return write!(f, "({} in {table})", self.index);
        }
        f.write_str("(")?;
        if let Some(quorum) = &self.quorum {
            quorum.fmt(f)?;
            f.write_str(" of ")?;
        }
        write!(f, "{} = ", self.index)?;
        self.lower.fmt(f)?;
        for bound in std::iter::once(&self.upper).chain(&self.step) {
            f.write_str(", ")?;
            bound.fmt(f)?;
        }
        f.write_str(")")
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, elements: &[T]) -> fmt::Result {
    for (index, element) in elements.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { ", " })?;
        element.fmt(f)?;
    }
    Ok(())
}

/// Writes `process`, whose further lines are indented `depth` times.
fn write_process(f: &mut fmt::Formatter<'_>, process: &Process, depth: usize) -> fmt::Result {
    let Some(label) = &process.label else {
        return write_unlabelled(f, process, depth);
    };
    // A label is that of the whole, also where its last part would take one.
    match process.kind {
        ProcessKind::Delay(_) | ProcessKind::Use(..) | ProcessKind::Call(..) => {
            write_unlabelled(f, process, depth)?;
        }
        _ => {
            f.write_str("{")?;
            new_line(f, depth + 1)?;
            write_unlabelled(f, process, depth + 1)?;
            new_line(f, depth)?;
            f.write_str("}")?;
        }
    }
    write!(f, " as {label}")
}

fn write_unlabelled(f: &mut fmt::Formatter<'_>, process: &Process, depth: usize) -> fmt::Result {
    with_stack(|| match &process.kind {
        ProcessKind::Delay(time) => write!(f, "delay({time})"),
        ProcessKind::Use(resource, time) => write!(f, "use({resource}, {time})"),
        ProcessKind::Hold(resource, body) => {
            write!(f, "use({resource}) ")?;
            write_block(f, body, depth)
        }
        ProcessKind::Call(name, arguments) if arguments.is_empty() => write!(f, "{name}"),
        ProcessKind::Call(name, arguments) => {
            write!(f, "{name}(")?;
            list(f, arguments)?;
            f.write_str(")")
        }
        ProcessKind::Sequence(steps) => {
            for (index, step) in steps.iter().enumerate() {
                if index > 0 {
                    f.write_str(";")?;
                    new_line(f, depth)?;
                }
                match step.kind {
                    ProcessKind::Sequence(_) if step.label.is_none() => {
                        write_block(f, step, depth)?;
                    }
                    _ => write_process(f, step, depth)?,
                }
            }
            Ok(())
        }
        ProcessKind::Parallel(branches) => write_branches(f, branches, " || ", depth),
        ProcessKind::Any(branches) => write_branches(f, branches, " <> ", depth),
        ProcessKind::Replicate(replication) => {
            let word = match replication.kind {
                Composition::Sequence => "seq",
                Composition::Parallel => "par",
                Composition::Any => "any",
            };
            write!(f, "{word} {} ", replication.range)?;
            write_body(f, &replication.body, depth)
        }
        ProcessKind::Graph(graph) => graph::write_graph(f, graph, depth),
        ProcessKind::If(condition, then, otherwise) => {
            write!(f, "if ({condition}) ")?;
            write_body(f, then, depth)?;
            match otherwise.as_deref() {
                None => Ok(()),
                Some(otherwise) => {
                    f.write_str(" else ")?;
                    match otherwise.kind {
                        ProcessKind::If(..) => write_process(f, otherwise, depth),
                        _ => write_body(f, otherwise, depth),
                    }
                }
            }
        }
        ProcessKind::Switch(arms) => {
            f.write_str("switch {")?;
            for (index, (condition, arm)) in arms.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { "," })?;
                new_line(f, depth + 1)?;
                write!(f, "{condition}: ")?;
                write_body(f, arm, depth + 1)?;
            }
            new_line(f, depth)?;
            f.write_str("}")
        }
    })
}

/// The body of a prefix form: braces around all that could be read otherwise. An `if` always gets
/// them, so that no `else` is taken for its own.
fn write_body(f: &mut fmt::Formatter<'_>, body: &Process, depth: usize) -> fmt::Result {
    match body.kind {
        _ if body.label.is_some() => write_process(f, body, depth),
        ProcessKind::Delay(_)
        | ProcessKind::Use(..)
        | ProcessKind::Hold(..)
        | ProcessKind::Call(..)
        | ProcessKind::Replicate(_)
        | ProcessKind::Graph(_)
        | ProcessKind::Switch(_) => write_process(f, body, depth),
        _ => write_block(f, body, depth),
    }
}

fn write_branches(
    f: &mut fmt::Formatter<'_>,
    branches: &[Process],
    sign: &str,
    depth: usize,
) -> fmt::Result {
    for (index, branch) in branches.iter().enumerate() {
        f.write_str(if index == 0 { "" } else { sign })?;
        write_body(f, branch, depth)?;
    }
    Ok(())
}

fn write_block(f: &mut fmt::Formatter<'_>, body: &Process, depth: usize) -> fmt::Result {
    f.write_str("{")?;
    new_line(f, depth + 1)?;
    write_process(f, body, depth + 1)?;
    new_line(f, depth)?;
    f.write_str("}")
}

fn new_line(f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    f.write_char('\n')?;
    (0..depth).try_for_each(|_| f.write_str(INDENT))
}
