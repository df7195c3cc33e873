//! Separates the first and the last rank from the others if a condition distinguishes them: work of a single rank
//! needs no maximum over all ranks.

use super::message::World;
use super::number::{Comparison, Condition, Number};
use super::part::Range;
use super::process::Process;

/// The parallel work of all ranks, with separate terms for ranks that conditions distinguish.
pub fn all_at_once(work: Process, world: &World) -> Process {
    let rank = Number::symbol(world.rank);
    let Some(last) = world.ranks.plus_constant(-1) else {
        return Process::Par(Range::of_ranks(world), Box::new(work));
    };
    let mut range = Range::of_ranks(world);
    let mut apart = Vec::new();
    let mut rest = work;
    if tells(&rest, &rank, &Number::constant(0))
        && let Some(first) = rest.with(world.rank, &Number::constant(0))
    {
        apart.push(first);
        range.first = Number::constant(1);
        rest = rest.map_conditions(&|condition| from_one(condition, world));
    }
    if tells(&rest, &rank, &last)
        && let Some(of_last) = rest.with(world.rank, &last)
        && let Some(before) = last.plus_constant(-1)
    {
        // A single rank is the first one.
        let is_another =
            Condition::compare(Comparison::Less, range.first.clone(), world.ranks.clone());
        let is_first = apart.is_empty();
        range.last = before;
        rest = rest.map_conditions(&|condition| differs(condition, &rank, &last));
        let nothing = Process::Sequence(Vec::new());
        apart.push(if is_first {
            of_last
        } else {
            Process::choice(is_another, of_last, nothing)
        });
    }
    apart.retain(|process| !process.is_nothing());
    if !rest.is_nothing() {
        apart.push(Process::Par(Range { ..range }, Box::new(rest)));
    }
    match apart.len() {
        1 => apart.remove(0),
        _ => Process::Both(apart),
    }
}

/// True if a condition in a process asks whether the rank is this one.
fn tells(process: &Process, rank: &Number, which: &Number) -> bool {
    let mut found = false;
    process.conditions(&mut |condition| found |= asks(condition, rank, which));
    found
}

fn asks(condition: &Condition, rank: &Number, which: &Number) -> bool {
    match condition {
        Condition::Compare(Comparison::Equal | Comparison::NotEqual, a, b) => {
            let difference = |x: &Number, y: &Number| x.minus(y);
            let wanted = difference(rank, which);
            difference(a, b) == wanted || difference(b, a) == wanted
        }
        Condition::Not(inner) => asks(inner, rank, which),
        Condition::And(a, b) | Condition::Or(a, b) => asks(a, rank, which) || asks(b, rank, which),
        _ => false,
    }
}

/// A condition where the rank is not this one.
fn differs(condition: &Condition, rank: &Number, which: &Number) -> Condition {
    let inner = |condition: &Condition| differs(condition, rank, which);
    match condition {
        Condition::Compare(comparison @ (Comparison::Equal | Comparison::NotEqual), ..)
            if asks(condition, rank, which) =>
        {
            Condition::Constant(*comparison == Comparison::NotEqual)
        }
        Condition::Not(a) => inner(a).negated(),
        Condition::And(a, b) => inner(a).and(inner(b)),
        Condition::Or(a, b) => inner(a).or(inner(b)),
        other => other.clone(),
    }
}

/// A condition where the rank is at least 1.
fn from_one(condition: &Condition, world: &World) -> Condition {
    let inner = |condition: &Condition| from_one(condition, world);
    match condition {
        Condition::Compare(comparison, a, b) => {
            // The difference at rank 1, and how it goes on.
            let difference = b.minus(a);
            let slope = difference.as_ref().and_then(|d| d.coefficient(world.rank));
            let first = difference.and_then(|d| d.with(world.rank, &Number::constant(1)));
            let (Some(slope), Some(first)) = (slope, first.and_then(|first| first.as_constant()))
            else {
                return condition.clone();
            };
            let (is_above, is_below) = (slope > 0 && first > 0, slope < 0 && first < 0);
            match comparison {
                _ if slope == 0 => condition.clone(),
                Comparison::Less if is_above => Condition::Constant(true),
                Comparison::Less if slope < 0 && first <= 0 => Condition::Constant(false),
                Comparison::LessEqual if slope > 0 && first >= 0 => Condition::Constant(true),
                Comparison::LessEqual if is_below => Condition::Constant(false),
                Comparison::Equal if is_above || is_below => Condition::Constant(false),
                Comparison::NotEqual if is_above || is_below => Condition::Constant(true),
                _ => condition.clone(),
            }
        }
        Condition::Not(a) => inner(a).negated(),
        Condition::And(a, b) => inner(a).and(inner(b)),
        Condition::Or(a, b) => inner(a).or(inner(b)),
        other => other.clone(),
    }
}
