//! Proofs by induction over a whole parameter, and for each of its values.

use super::ground::{Goal, Ground};
use super::points::Axis;
use crate::expr::{ExprId, Function, Node, Relation};
use crate::formula::Formula;
use crate::ring::Rational;

/// True if a difference is proved to have a sign at the first value of the parameter, and at each value after one at which it
/// has it.
///
/// All facts about the parameter must be those that its axis states, see [`is_interval`].
pub(super) fn by_induction(
    ground: &mut Ground,
    difference: ExprId,
    goal: Goal,
    axis: &Axis,
) -> bool {
    let (Some(first), true) = (axis.first(), axis.is_whole) else {
        return false;
    };
    if !matches!(goal, Goal::NonNegative | Goal::Positive) {
        return false;
    }
    let arena = ground.results();
    let symbol = arena.named(&axis.name);
    if !arena.mentions(difference, symbol) {
        return false;
    }
    let first = arena.number(Rational::from(first));
    let base = arena.substitute(difference, symbol, first);
    let (own, one) = (arena.symbol(symbol), arena.number(1));
    let after = arena.add(&[own, one]);
    let next = arena.substitute(difference, symbol, after);
    let step = arena.subtract(next, difference);
    let zero = arena.number(0);
    let relation = match goal {
        Goal::Positive => Relation::Less,
        _ => Relation::LessEqual,
    };
    let assumed = arena.relate(relation, zero, difference);
    let mut proved = |expr: ExprId, goal: Goal, further: &[ExprId]| {
        let simple = ground.reclosed(expr);
        simple.is_some_and(|simple| ground.has_sign(simple, goal, further))
    };
    proved(base, goal, &[])
        && (proved(step, Goal::NonNegative, &[]) || proved(next, goal, &[assumed]))
}

/// A parameter with no more values is replaced by each of them.
const MOST_VALUES: i64 = 1_000;

/// The number of values of a whole parameter, if the difference is proved to have the sign at each.
pub(super) fn by_values(
    ground: &mut Ground,
    difference: ExprId,
    goal: Goal,
    axis: &Axis,
) -> Option<u64> {
    let (first, last) = (axis.first()?, axis.last()?);
    let count = last.checked_sub(first)?.checked_add(1)?;
    let symbol = ground.results().named(&axis.name);
    let is_asked = axis.is_whole && (1..=MOST_VALUES).contains(&count);
    if !is_asked || !ground.results().mentions(difference, symbol) {
        return None;
    }
    let proved = (first..=last).all(|value| {
        let arena = ground.results();
        let value = arena.number(Rational::from(value));
        let there = arena.substitute(difference, symbol, value);
        let there = ground.reclosed(there);
        there.is_some_and(|there| ground.has_sign(there, goal, &[]))
    });
    proved.then(|| count.unsigned_abs())
}

/// True if the facts leave all whole numbers of an interval to a parameter, whatever the others are.
pub(super) fn is_interval(facts: &[Formula], axis: &Axis) -> bool {
    facts.iter().all(|fact| {
        let parameters = fact.parameters();
        if !parameters.contains(&axis.name) {
            return true;
        }
        let (arena, root) = (fact.arena(), fact.root());
        let is_plain = |id: ExprId| matches!(arena.node(id), Node::Symbol(_) | Node::Number(_));
        parameters.len() == 1
            && match *arena.node(root) {
                Node::Compare(Relation::Less | Relation::LessEqual, left, right) => {
                    is_plain(left) && is_plain(right)
                }
                Node::Apply(Function::Integer, operand) => is_plain(operand),
                _ => false,
            }
    })
}
