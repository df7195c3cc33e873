//! Processes whose time equals their largest demand: services at single servers, in parallel.
//!
//! A nonnegative service time is part of the demand of its server. The critical path can therefore be ignored.

use std::collections::HashSet;

use crate::expr::{Arena, ExprId, Function, LawKind, Node, Symbol};
use crate::law::Least;
use crate::model::{Model, with_stack};
use crate::ring::Rational;
use crate::syntax::tree::{Expr, ExprKind, ParameterFact, Relation};

/// Parts of an expression looked at before it counts as one of unknown sign.
const MOST_LOOKS: u32 = 200;

/// Parameters that are declared to be at least some nonnegative number.
pub(in crate::timing) fn never_negative_parameters(
    model: &Model,
    arena: &mut Arena,
) -> HashSet<Symbol> {
    parameters_with(model, arena, |fact| match fact {
        ParameterFact::Bound(Relation::GreaterEqual | Relation::Greater, bound) => is_number(bound),
        _ => false,
    })
}

/// Parameters that are declared to be whole numbers.
pub(in crate::timing) fn whole_parameters(model: &Model, arena: &mut Arena) -> HashSet<Symbol> {
    parameters_with(model, arena, |fact| {
        matches!(fact, ParameterFact::Integer(_))
    })
}

fn parameters_with(
    model: &Model,
    arena: &mut Arena,
    has: impl Fn(&ParameterFact) -> bool,
) -> HashSet<Symbol> {
    let declared = model.equations().iter();
    let declared = declared.filter(|equation| equation.facts.iter().any(&has));
    let names = declared.map(|equation| arena.named(&equation.name.text));
    names.collect()
}

/// True if `id` is a whole number by its form, given the whole symbols in `known`.
pub(in crate::timing) fn is_whole(arena: &Arena, known: &HashSet<Symbol>, id: ExprId) -> bool {
    match arena.node(id) {
        Node::Number(value) => value.is_integer(),
        Node::Symbol(symbol) => known.contains(symbol),
        Node::Add(parts) | Node::Mul(parts) => parts.iter().all(|&p| is_whole(arena, known, p)),
        _ => false,
    }
}

/// True if `id` may be no whole number though all symbols in it are whole.
pub(in crate::timing) fn makes_fractions(arena: &Arena, id: ExprId) -> bool {
    let any =
        |parts: &[ExprId]| with_stack(|| parts.iter().any(|&part| makes_fractions(arena, part)));
    match arena.node(id) {
        Node::Number(value) => !value.is_integer(),
        Node::Add(parts) | Node::Mul(parts) | Node::Max(parts) | Node::Min(parts) => any(parts),
        Node::Pow(base, exponent) => {
            let exponent = arena.as_number(*exponent);
            let is_natural = exponent.is_none_or(|e| e.is_integer() && !e.is_negative());
            !is_natural || any(&[*base])
        }
        Node::Apply(function, operand) => match function {
            Function::Floor | Function::Ceil | Function::Integer | Function::Factorial => false,
            Function::Abs => any(&[*operand]),
            _ => true,
        },
        Node::If(_, then, otherwise) => any(&[*then, *otherwise]),
        Node::Mod(a, b) => any(&[*a, *b]),
        _ => false,
    }
}

fn is_number(bound: &Expr) -> bool {
    matches!(&bound.kind, ExprKind::Number(value) if *value >= num_traits::Zero::zero())
}

/// True if `id` is nonnegative by its form, for all random draws.
pub(in crate::timing) fn never_negative(
    arena: &Arena,
    known: &HashSet<Symbol>,
    id: ExprId,
) -> bool {
    let mut looks = 0;
    looked_at(arena, known, id, &mut looks)
}

fn looked_at(arena: &Arena, known: &HashSet<Symbol>, id: ExprId, looks: &mut u32) -> bool {
    *looks += 1;
    if *looks > MOST_LOOKS {
        return false;
    }
    let mut all = |parts: &[ExprId]| parts.iter().all(|&p| looked_at(arena, known, p, looks));
    match arena.node(id) {
        Node::Number(value) => !value.is_negative(),
        Node::Symbol(symbol) => match arena.range(*symbol) {
            Some((lower, _)) => all(&[lower]),
            None => known.contains(symbol),
        },
        Node::Add(parts) | Node::Mul(parts) | Node::Min(parts) => all(parts),
        Node::Max(parts) => parts.iter().any(|&part| all(&[part])),
        Node::If(_, then, otherwise) => all(&[*then, *otherwise]),
        Node::Reduce(r) => all(&[r.body]),
        Node::Compare(..) => true,
        Node::Pow(base, exponent) => {
            let even = |power: &Rational| power.to_i64().is_some_and(|power| power % 2 == 0);
            arena.as_number(*exponent).is_some_and(even) || all(&[*base])
        }
        Node::Apply(function, operand) => match function {
            Function::Floor | Function::Ceil | Function::Sqrt | Function::Harmonic(_) => {
                all(&[*operand])
            }
            Function::Exp | Function::Integer | Function::Factorial => true,
            _ => false,
        },
        Node::Mod(..) => true,
        Node::Operate(operation, operands) => match operation.row().not_negative_with {
            Some(places) => places.iter().all(|&place| all(&[operands[place]])),
            None => false,
        },
        Node::Law(kind, operands) => match kind {
            LawKind::Named(law) => match law.row().least {
                Some(Least::Number(number)) => number >= 0,
                Some(Least::Argument(position)) => all(&operands[position..=position]),
                None => false,
            },
            LawKind::Scale | LawKind::Product | LawKind::Min => all(operands),
            LawKind::Max => operands.iter().any(|&operand| all(&[operand])),
            LawKind::RandomSum | LawKind::Choice => all(&operands[1..]),
            LawKind::Mixture => operands.chunks(2).all(|part| all(&part[1..])),
            LawKind::Truncated => all(&operands[..1]) || all(&operands[1..2]),
            LawKind::Parameter(_) | LawKind::Empirical(_) | LawKind::VectorMax => false,
        },
        _ => false,
    }
}
