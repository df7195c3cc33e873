//! Pipelines and wavefronts: each rank repeatedly receives from the previous rank, works, and sends to the next one.
//! Work and messages of all ranks form a graph.

use super::meeting::written_out;
use super::message::{Transfer, Way, World};
use super::number::{Comparison, Condition, Number};
use super::part::{Part, Pipeline, Range};
use super::walker::Walker;

/// Loops around the work of a rank.
const MOST_LOOPS: usize = 2;

/// The body with its pipelines replaced; `None` if it has no pipeline.
pub fn rewritten(walker: &Walker, body: &Part) -> Option<Part> {
    let world = walker.world.as_ref()?;
    piped(&written_out(body, &walker.instances)?, world)
}

/// Only what all ranks do once: from one iteration of a loop around to the next, ranks would overlap.
fn piped(part: &Part, world: &World) -> Option<Part> {
    if let Some(pipeline) = pipeline(part, world, Vec::new()) {
        return Some(Part::Pipeline(Box::new(pipeline)));
    }
    match part {
        Part::Sequence(parts) => {
            let mut any = false;
            let (mut row, mut at) = (Vec::new(), 0);
            while at < parts.len() {
                // The work of a rank from a message that it receives to one that it sends.
                let end = (at + 2..=parts.len())
                    .find(|end| message(&parts[end - 1], world, Way::Sends).is_some());
                let window = end.map(|end| Part::Sequence(parts[at..end].to_vec()));
                let once = window.and_then(|window| pipeline(&window, world, Vec::new()));
                if let (Some(once), Some(end)) = (once, end) {
                    row.push(Part::Pipeline(Box::new(once)));
                    (at, any) = (end, true);
                    continue;
                }
                let found = piped(&parts[at], world);
                any |= found.is_some();
                row.push(found.unwrap_or_else(|| parts[at].clone()));
                at += 1;
            }
            any.then(|| Part::sequence(row))
        }
        Part::If(condition, then, otherwise) if otherwise.is_nothing() => {
            let then = piped(then, world)?;
            let mut of_rank = false;
            condition.symbols(&mut |symbol| of_rank |= symbol == world.rank);
            (!of_rank).then(|| Part::choice(condition.clone(), then, Part::nothing()))
        }
        _ => None,
    }
}

fn pipeline(part: &Part, world: &World, mut ranges: Vec<Range>) -> Option<Pipeline> {
    match part {
        Part::Loop(range, body) => {
            let mut is_fixed = true;
            range.symbols(&mut |symbol| {
                is_fixed &= symbol != world.rank && ranges.iter().all(|r| r.index != symbol);
            });
            if !is_fixed || range.step.as_constant() != Some(1) || ranges.len() == MOST_LOOPS {
                return None;
            }
            ranges.push((**range).clone());
            pipeline(body, world, ranges)
        }
        Part::Sequence(parts) => {
            // The loops begin together, and the code around them runs once.
            let (first, rest) = parts.split_first()?;
            let (last, work) = rest.split_last()?;
            let from = message(first, world, Way::Receives)?;
            let to = message(last, world, Way::Sends)?;
            let before = Number::symbol(world.rank).plus_constant(-1)?;
            let next = Number::symbol(world.rank).plus_constant(1)?;
            let is_next = is_with(&from, &before) && is_with(&to, &next);
            let is_alone = !work.iter().any(has_messages);
            (is_next && is_alone && from.words() == to.words()).then(|| Pipeline {
                ranges,
                work: Part::sequence(work.to_vec()),
                message: to,
            })
        }
        _ => None,
    }
}

/// The message of all ranks but the first or the last one.
fn message(part: &Part, world: &World, way: Way) -> Option<Transfer> {
    let Part::If(condition, then, otherwise) = part else {
        return None;
    };
    let (holds, part) = match (then.is_nothing(), otherwise.is_nothing()) {
        (false, true) => (condition.clone(), then),
        (true, false) => (condition.clone().negated(), otherwise),
        _ => return None,
    };
    let Part::Transfer(transfer) = &**part else {
        return None;
    };
    let Condition::Compare(comparison, a, b) = &holds else {
        return None;
    };
    let rank = Number::symbol(world.rank);
    let end = match way {
        Way::Receives => Number::constant(0),
        Way::Sends => world.ranks.plus_constant(-1)?,
    };
    // Distance of the rank from the end without a neighbour.
    let difference = b.minus(a)?;
    let from_end = match way {
        Way::Receives => rank.minus(&end)?,
        Way::Sends => end.minus(&rank)?,
    };
    let is_others = match comparison {
        Comparison::Less => difference == from_end,
        Comparison::LessEqual => difference.plus_constant(1)? == from_end,
        Comparison::NotEqual => difference == from_end || difference.scaled(-1)? == from_end,
        Comparison::Equal => false,
    };
    let is_one = matches!(&transfer.ends[..], [end] if end.way == way) && !transfer.at_once;
    (is_others && is_one).then(|| (**transfer).clone())
}

fn is_with(transfer: &Transfer, partner: &Number) -> bool {
    transfer
        .ends
        .iter()
        .all(|end| end.partner.as_ref() == Some(partner))
}

fn has_messages(part: &Part) -> bool {
    let mut found = false;
    part.walk(&mut |part| {
        found |= matches!(
            part,
            Part::Transfer(_) | Part::Wait | Part::Collective(_) | Part::Again(_)
        );
    });
    found
}
