//! Trees as text that reads back as the same tree, with as few brackets as that takes.

mod graph;
mod heads;
mod record;
mod rules;
mod unit;

use std::fmt::{self, Write};

use super::tree::{
    AddOp, Composition, Direction, Equation, Expr, ExprKind, Item, Model, Monotone, MulOp, NAMED,
    Name, POINT, ParameterFact, Process, ProcessKind, Range, ReduceKind, Relation, SPREAD, Type,
    Value,
};
use crate::ring::Rational;
use crate::with_stack;

const INDENT: &str = "    ";

/// How tightly an expression binds: an operand that binds looser than its place gets brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    /// A numeric `if`, which extends as far as it can.
    Whole,
    Or,
    And,
    Compare,
    Sum,
    Product,
    Unary,
    Power,
    Operand,
}

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
        if self.parameter {
            f.write_str("parameter ")?;
        }
        if self.kept {
            f.write_str("kept ")?;
        }
        self.name.fmt(f)?;
        heads::write_formals(f, self)?;
        heads::write_facts(f, &self.facts)?;
        match &self.value {
            None => Ok(()),
            Some(Value::Numeric(value) | Value::Resource(value)) => write!(f, " = {value}"),
            Some(Value::Process(process)) => match process.kind {
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
            ParameterFact::Row(table) => write!(f, "{table}"),
            ParameterFact::Unit(unit) => unit.fmt(f),
            ParameterFact::Monotone(own) => own.fmt(f),
            ParameterFact::Bound(relation, bound) => {
                write!(f, "{} ", relation_sign(*relation))?;
                write_expression(f, bound, Binding::Sum)
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
        match formals.is_empty() {
            true => Ok(()),
            false => write!(f, "({})", formals.join(", ")),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expression(f, self, Binding::Whole)
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
            write!(f, "{quorum} of ")?;
        }
        write!(f, "{} = {}, {}", self.index, self.lower, self.upper)?;
        if let Some(step) = &self.step {
            write!(f, ", {step}")?;
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

fn binding(expression: &Expr) -> Binding {
    match &expression.kind {
        ExprKind::If(..) => Binding::Whole,
        ExprKind::Or(_) => Binding::Or,
        ExprKind::And(_) => Binding::And,
        ExprKind::Compare(..) => Binding::Compare,
        ExprKind::Sum(..) => Binding::Sum,
        ExprKind::Product(..) => Binding::Product,
        ExprKind::Negate(_) | ExprKind::Not(_) => Binding::Unary,
        ExprKind::Power(..) => Binding::Power,
        ExprKind::Number(value) => number_binding(value),
        _ => Binding::Operand,
    }
}

/// The text of a number: digits where they end, else a quotient.
fn number_text(value: &Rational) -> String {
    if value.is_integer() {
        return value.to_string();
    }
    value.to_decimal().unwrap_or_else(|| value.to_string())
}

fn number_binding(value: &Rational) -> Binding {
    if number_text(value).contains('/') {
        Binding::Product
    } else if value.is_negative() {
        Binding::Unary
    } else {
        Binding::Operand
    }
}

/// Writes `expression` in a place for what binds at least as tightly as `place`.
fn write_expression(f: &mut fmt::Formatter<'_>, expression: &Expr, place: Binding) -> fmt::Result {
    with_stack(|| {
        if binding(expression) < place {
            f.write_str("(")?;
            write_bare(f, expression)?;
            f.write_str(")")
        } else {
            write_bare(f, expression)
        }
    })
}

fn write_bare(f: &mut fmt::Formatter<'_>, expression: &Expr) -> fmt::Result {
    match &expression.kind {
        ExprKind::Number(value) => f.write_str(&number_text(value)),
        ExprKind::Quantity(quantity) => write!(f, "{quantity}"),
        ExprKind::Name(name) => f.write_str(name),
        ExprKind::Text(text) => write!(f, "\"{text}\""),
        ExprKind::Call(name, arguments) if name.text == SPREAD => {
            f.write_str(SPREAD)?;
            list(f, arguments)
        }
        ExprKind::Call(name, arguments) if [NAMED, POINT].contains(&name.text.as_str()) => {
            let sign = if name.text == NAMED { " = " } else { ": " };
            arguments.iter().enumerate().try_for_each(|(number, part)| {
                write!(f, "{}{part}", if number == 0 { "" } else { sign })
            })
        }
        ExprKind::Call(name, arguments) => {
            write!(f, "{name}(")?;
            list(f, arguments)?;
            f.write_str(")")
        }
        ExprKind::Vector(components) => {
            f.write_str("[")?;
            list(f, components)?;
            f.write_str("]")
        }
        ExprKind::Negate(operand) => write_prefixed(f, "-", operand),
        ExprKind::Not(operand) => write_prefixed(f, "!", operand),
        ExprKind::Sum(first, rest) => {
            let rest = rest
                .iter()
                .map(|(operator, term)| (add_sign(*operator), term));
            write_chain(f, first, rest, Binding::Product)
        }
        ExprKind::Product(first, rest) => {
            let rest = rest
                .iter()
                .map(|(operator, factor)| (multiply_sign(*operator), factor));
            write_chain(f, first, rest, Binding::Unary)
        }
        ExprKind::Power(base, exponent) => {
            write_expression(f, base, Binding::Operand)?;
            f.write_str("^")?;
            write_expression(f, exponent, Binding::Unary)
        }
        ExprKind::Compare(relation, left, right) => {
            let rest = std::iter::once((relation_sign(*relation), &**right));
            write_chain(f, left, rest, Binding::Sum)
        }
        ExprKind::And(operands) => write_joined(f, operands, "&&", Binding::Compare),
        ExprKind::Or(operands) => write_joined(f, operands, "||", Binding::And),
        ExprKind::If(condition, then, otherwise) => {
            write!(f, "if ({condition}) {then} else {otherwise}")
        }
        ExprKind::Switch(arms) => {
            f.write_str("switch { ")?;
            for (index, (condition, value)) in arms.iter().enumerate() {
                let separator = if index == 0 { "" } else { ", " };
                write!(f, "{separator}{condition}: {value}")?;
            }
            f.write_str(" }")
        }
        ExprKind::Reduce(reduction) => {
            let word = match reduction.kind {
                ReduceKind::Sum => "sum",
                ReduceKind::Product => "prod",
                ReduceKind::Max => "max",
                ReduceKind::Min => "min",
                ReduceKind::Kth => "kth",
            };
            write!(f, "{word} {} {{ {} }}", reduction.range, reduction.body)
        }
        ExprKind::Graph(graph) => graph::write_numeric(f, graph),
    }
}

fn write_prefixed(f: &mut fmt::Formatter<'_>, sign: &str, operand: &Expr) -> fmt::Result {
    f.write_str(sign)?;
    write_expression(f, operand, Binding::Unary)
}

fn write_chain<'a>(
    f: &mut fmt::Formatter<'_>,
    first: &Expr,
    rest: impl Iterator<Item = (&'static str, &'a Expr)>,
    place: Binding,
) -> fmt::Result {
    write_expression(f, first, place)?;
    for (sign, operand) in rest {
        write!(f, " {sign} ")?;
        write_expression(f, operand, place)?;
    }
    Ok(())
}

fn write_joined(
    f: &mut fmt::Formatter<'_>,
    operands: &[Expr],
    sign: &'static str,
    place: Binding,
) -> fmt::Result {
    match operands.split_first() {
        Some((first, rest)) => {
            write_chain(f, first, rest.iter().map(|operand| (sign, operand)), place)
        }
        None => Ok(()),
    }
}

fn add_sign(operator: AddOp) -> &'static str {
    match operator {
        AddOp::Add => "+",
        AddOp::Subtract => "-",
    }
}

fn multiply_sign(operator: MulOp) -> &'static str {
    match operator {
        MulOp::Multiply => "*",
        MulOp::Divide => "/",
        MulOp::Modulo => "mod",
        MulOp::FloorDivide => "div",
    }
}

fn relation_sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "<",
        Relation::LessEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterEqual => ">=",
        Relation::Equal => "==",
        Relation::NotEqual => "!=",
    }
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
