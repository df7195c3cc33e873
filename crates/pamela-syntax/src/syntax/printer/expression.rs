//! Prints numeric expressions. Decides where brackets stand, for models, rules and formulas.

use std::fmt::{self, Display};

use super::{graph, list};
use crate::ring::Rational;
use crate::syntax::number::{Notation, Shape, magnitude, number_text};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, NAMED, POINT, ReduceKind, Relation, SPREAD,
};
use crate::with_stack;

/// Binding strength of an expression: an operand that binds looser than its position requires gets brackets.
///
/// Some places ask for more than reading back takes: `a * (-b)` and a choice within the first branch of another would be
/// hard to read without. Formulas, which are written as `{:#}`, also have brackets around a minus in `2^(-N)` and in
/// `(-N) mod P`, and powers in long numbers, where models and rules have none: whatever writes a part passes its
/// formatter on.
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

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expression(f, self, Binding::Whole)
    }
}

/// An expression as part of a larger text.
#[derive(Clone, Copy, Debug)]
pub enum Part<'t> {
    /// One side of a comparison.
    Side(&'t Expr),
    /// An operand; gets brackets if it has operands itself.
    Operand(&'t Expr),
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Side(expression) => write_expression(f, expression, Binding::Sum),
            Part::Operand(expression) => write_expression(f, expression, Binding::Operand),
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        })
    }
}

fn binding(f: &fmt::Formatter<'_>, expression: &Expr) -> Binding {
    match &expression.kind {
        ExprKind::If(..) => Binding::Whole,
        ExprKind::Or(_) => Binding::Or,
        ExprKind::And(_) => Binding::And,
        ExprKind::Compare(..) => Binding::Compare,
        ExprKind::Sum(..) => Binding::Sum,
        // `!a * b` looks like the negation of a product.
        ExprKind::Product(..) | ExprKind::Not(_) => Binding::Product,
        ExprKind::Negate(_) => Binding::Unary,
        ExprKind::Power(..) => Binding::Power,
        ExprKind::Number(value) if value.is_negative() => Binding::Sum,
        ExprKind::Number(value) => match size_text(f, value).1 {
            Shape::Digits => Binding::Operand,
            Shape::Power => Binding::Power,
            Shape::Product => Binding::Product,
        },
        _ => Binding::Operand,
    }
}

/// Writes `expression` at a position for operands that bind at least as tightly as `place`.
fn write_expression(f: &mut fmt::Formatter<'_>, expression: &Expr, place: Binding) -> fmt::Result {
    with_stack(|| {
        if binding(f, expression) < place {
            write_bracketed(f, expression)
        } else {
            write_bare(f, expression)
        }
    })
}

fn write_bracketed(f: &mut fmt::Formatter<'_>, expression: &Expr) -> fmt::Result {
    f.write_str("(")?;
    write_bare(f, expression)?;
    f.write_str(")")
}

fn write_bare(f: &mut fmt::Formatter<'_>, expression: &Expr) -> fmt::Result {
    match &expression.kind {
        ExprKind::Number(value) => write_number(f, value),
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
                f.write_str(if number == 0 { "" } else { sign })?;
                part.fmt(f)
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
        ExprKind::Negate(operand) => write_negated(f, operand),
        ExprKind::Not(operand) => {
            f.write_str("!")?;
            write_expression(f, operand, Binding::Operand)
        }
        ExprKind::Sum(first, rest) => write_sum(f, first, rest),
        ExprKind::Product(first, rest) => write_product(f, first, rest),
        ExprKind::Power(base, exponent) => write_power(f, base, exponent),
        ExprKind::Compare(relation, left, right) => {
            write_expression(f, left, Binding::Sum)?;
            write!(f, " {relation} ")?;
            write_expression(f, right, Binding::Sum)
        }
        ExprKind::And(operands) => write_joined(f, operands, " && ", Binding::Compare),
        ExprKind::Or(operands) => write_joined(f, operands, " || ", Binding::And),
        ExprKind::If(condition, then, otherwise) => {
            f.write_str("if (")?;
            condition.fmt(f)?;
            f.write_str(") ")?;
            write_expression(f, then, Binding::Or)?;
            f.write_str(" else ")?;
            otherwise.fmt(f)
        }
        ExprKind::Switch(arms) => {
            f.write_str("switch { ")?;
            for (index, (condition, value)) in arms.iter().enumerate() {
                f.write_str(if index == 0 { "" } else { ", " })?;
                condition.fmt(f)?;
                f.write_str(": ")?;
                value.fmt(f)?;
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
            write!(f, "{word} ")?;
            reduction.range.fmt(f)?;
            f.write_str(" { ")?;
            reduction.body.fmt(f)?;
            f.write_str(" }")
        }
        ExprKind::Graph(graph) => graph::write_numeric(f, graph),
    }
}

fn write_number(f: &mut fmt::Formatter<'_>, value: &Rational) -> fmt::Result {
    f.write_str(if value.is_negative() { "-" } else { "" })?;
    f.write_str(&size_text(f, &value.abs()).0)
}

/// The text of a number that is not negative. Only digits read back as the same number.
fn size_text(f: &fmt::Formatter<'_>, size: &Rational) -> (String, Shape) {
    if f.alternate() {
        return magnitude(size, Notation::Pamela);
    }
    let text = number_text(size);
    let shape = if text.contains('/') {
        Shape::Product
    } else {
        Shape::Digits
    };
    (text, shape)
}

/// A minus may stand before any number: `-1/3` and `-3 * 2^100` are the same either way.
fn write_negated(f: &mut fmt::Formatter<'_>, operand: &Expr) -> fmt::Result {
    f.write_str("-")?;
    match &operand.kind {
        ExprKind::Number(value) if !value.is_negative() => write_bare(f, operand),
        _ => write_expression(f, operand, Binding::Unary),
    }
}

fn write_sum(f: &mut fmt::Formatter<'_>, first: &Expr, rest: &[(AddOp, Expr)]) -> fmt::Result {
    write_expression(f, first, Binding::Product)?;
    rest.iter().try_for_each(|(operator, term)| {
        f.write_str(match operator {
            AddOp::Add => " + ",
            AddOp::Subtract => " - ",
        })?;
        write_expression(f, term, Binding::Product)
    })
}

fn write_product(f: &mut fmt::Formatter<'_>, first: &Expr, rest: &[(MulOp, Expr)]) -> fmt::Result {
    let of_remainders = |operator| matches!(operator, MulOp::Modulo | MulOp::FloorDivide);
    match &first.kind {
        ExprKind::Negate(_) if !f.alternate() => write_bare(f, first)?,
        // Brackets show how far what is divided reaches.
        _ if rest.iter().take(1).any(|rest| of_remainders(rest.0)) => {
            write_expression(f, first, Binding::Power)?;
        }
        ExprKind::Number(value) if !value.is_negative() => write_bare(f, first)?,
        _ => write_expression(f, first, Binding::Unary)?,
    }
    rest.iter().try_for_each(|(operator, factor)| {
        f.write_str(match operator {
            MulOp::Multiply => " * ",
            MulOp::Divide => " / ",
            MulOp::Modulo => " mod ",
            MulOp::FloorDivide => " div ",
        })?;
        match &factor.kind {
            // A unit looks like one more divisor.
            ExprKind::Quantity(_) if *operator != MulOp::Multiply => write_bracketed(f, factor),
            _ => write_expression(f, factor, Binding::Power),
        }
    })
}

fn write_power(f: &mut fmt::Formatter<'_>, base: &Expr, exponent: &Expr) -> fmt::Result {
    match &base.kind {
        ExprKind::Quantity(_) => write_bracketed(f, base)?,
        _ => write_expression(f, base, Binding::Operand)?,
    }
    f.write_str("^")?;
    match &exponent.kind {
        ExprKind::Negate(inner) if !f.alternate() || is_plain_number(f, inner) => {
            write_bare(f, exponent)
        }
        _ => write_expression(f, exponent, Binding::Operand),
    }
}

fn is_plain_number(f: &fmt::Formatter<'_>, expression: &Expr) -> bool {
    matches!(expression.kind, ExprKind::Number(_)) && binding(f, expression) == Binding::Operand
}

fn write_joined(
    f: &mut fmt::Formatter<'_>,
    operands: &[Expr],
    sign: &str,
    place: Binding,
) -> fmt::Result {
    operands
        .iter()
        .enumerate()
        .try_for_each(|(number, operand)| {
            f.write_str(if number == 0 { "" } else { sign })?;
            write_expression(f, operand, place)
        })
}
