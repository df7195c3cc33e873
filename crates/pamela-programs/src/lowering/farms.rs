//! Master and workers: one rank receives from any other and hands out what is next. Who does how much is decided while the
//! program runs; the model has each worker do the same number of rounds, and the master serve one message at a time.

use super::meeting::written_out;
use super::message::{ANYBODY, Transfer, Way, World};
use super::number::{Atom, Comparison, Condition, Number, Symbol};
use super::part::{ParameterKind, Part};
use super::walker::Walker;
use crate::problem::Problem;

/// The body with its farms said so; nothing where there is none.
pub fn rewritten(walker: &mut Walker, body: &Part) -> Option<Part> {
    let world = walker.world.clone()?;
    let whole = written_out(body, &walker.instances)?;
    if !holds(&whole, &|transfer| is_from_any(transfer)) {
        return None;
    }
    let mut farms = Vec::new();
    let part = farmed(walker, &whole, &world, &mut farms);
    for problem in farms {
        walker.unsure(problem);
    }
    part
}

/// A part in which the branch of the master and that of the workers are rewritten.
fn farmed(walker: &Walker, part: &Part, world: &World, farms: &mut Vec<Problem>) -> Option<Part> {
    match part {
        Part::If(condition, then, otherwise) => match is_master(condition, world) {
            Some(true) => {
                let (master, workers) = farm(walker, then, otherwise, world, farms)?;
                Some(Part::choice(condition.clone(), master, workers))
            }
            Some(false) => {
                let (master, workers) = farm(walker, otherwise, then, world, farms)?;
                Some(Part::choice(condition.clone(), workers, master))
            }
            None => {
                let found = [then, otherwise].map(|part| farmed(walker, part, world, farms));
                let [first, second] = found;
                if first.is_none() && second.is_none() {
                    return None;
                }
                let first = first.unwrap_or_else(|| (**then).clone());
                let second = second.unwrap_or_else(|| (**otherwise).clone());
                Some(Part::choice(condition.clone(), first, second))
            }
        },
        Part::Sequence(parts) => {
            let mut any = false;
            let parts = parts.iter().map(|part| {
                let found = farmed(walker, part, world, farms);
                any |= found.is_some();
                found.unwrap_or_else(|| part.clone())
            });
            let parts = Part::sequence(parts.collect());
            any.then_some(parts)
        }
        Part::Loop(range, body) if !range_mentions(range, world.rank) => {
            let body = farmed(walker, body, world, farms)?;
            Some(Part::repeated((**range).clone(), body))
        }
        _ => None,
    }
}

fn range_mentions(range: &super::part::Range, symbol: Symbol) -> bool {
    let mut found = false;
    range.symbols(&mut |other| found |= other == symbol);
    found
}

/// Whether a condition holds for the first rank alone, or for all others.
fn is_master(condition: &Condition, world: &World) -> Option<bool> {
    let Condition::Compare(comparison, a, b) = condition else {
        return None;
    };
    let rank = Number::symbol(world.rank);
    let is_first = |a: &Number, b: &Number| *a == rank && b.as_constant() == Some(0);
    match comparison {
        Comparison::Equal if is_first(a, b) || is_first(b, a) => Some(true),
        Comparison::NotEqual if is_first(a, b) || is_first(b, a) => Some(false),
        // `rank > 0`
        Comparison::Less if is_first(b, a) => Some(false),
        _ => None,
    }
}

/// What the master does, and what the workers do.
fn farm(
    walker: &Walker,
    master: &Part,
    workers: &Part,
    world: &World,
    farms: &mut Vec<Problem>,
) -> Option<(Part, Part)> {
    let results = received(master)?;
    let rounds = rounds(walker, workers)?;
    let others = world.ranks.plus_constant(-1)?.larger(&Number::constant(1));
    let share = Number::atom(Atom::Quotient(results, others));
    let share = Number::atom(Atom::Function("ceil", vec![share]));
    let mut place = None;
    master.walk(&mut |part| {
        if let Part::Transfer(transfer) = part {
            place.get_or_insert(transfer.place.clone());
        }
    });
    let message = "a master hands out what is next to the worker that is done: each worker is taken to do the same number of rounds, \
                   and the master to serve one message at a time";
    let mut problem = Problem::new(message);
    problem.place = place;
    farms.push(problem);
    let first = Number::constant(0);
    let of_master = Part::Owned(first, Box::new(without_messages(master)));
    Some((of_master, served(&workers.with(rounds, &share))))
}

/// How many messages a part receives from any rank; nothing where that rests on data, or there are none.
fn received(part: &Part) -> Option<Number> {
    let number = count(part)?;
    (number != Number::default()).then_some(number)
}

fn count(part: &Part) -> Option<Number> {
    match part {
        Part::Transfer(transfer) => Some(Number::constant(i64::from(is_from_any(transfer)))),
        Part::Sequence(parts) => parts
            .iter()
            .try_fold(Number::default(), |sum, part| sum.plus(&count(part)?)),
        Part::Loop(range, body) => {
            let each = count(body)?;
            match each.mentions(range.index) {
                true => None,
                false if each == Number::default() => Some(each),
                false => each.times(&range.count()?),
            }
        }
        Part::If(_, then, otherwise) => {
            let (then, otherwise) = (count(then)?, count(otherwise)?);
            (then == otherwise).then_some(then)
        }
        _ => Some(Number::default()),
    }
}

/// How often the workers' loop runs, in which they have messages with the master.
fn rounds(walker: &Walker, workers: &Part) -> Option<Symbol> {
    let is_trips = |symbol: &Symbol| {
        let mut parameters = walker.parameters.iter();
        parameters.any(|p| p.symbol == *symbol && p.kind == ParameterKind::Trips)
    };
    let mut found = None;
    workers.walk(&mut |part| {
        if let Part::Loop(range, body) = part
            && let Some(symbol) = range.last.as_symbol().filter(is_trips)
            && holds(body, &|transfer| is_with_master(transfer))
        {
            found.get_or_insert(symbol);
        }
    });
    found
}

fn holds(part: &Part, is_one: &dyn Fn(&Transfer) -> bool) -> bool {
    let mut found = false;
    part.walk(&mut |part| {
        if let Part::Transfer(transfer) = part {
            found |= is_one(transfer);
        }
    });
    found
}

fn is_from_any(transfer: &Transfer) -> bool {
    transfer.ends.iter().any(|end| {
        let partner = end.partner.as_ref().and_then(Number::as_constant);
        end.way == Way::Receives && partner == Some(ANYBODY)
    })
}

fn is_with_master(transfer: &Transfer) -> bool {
    let partners = transfer.ends.iter().map(|end| end.partner.as_ref());
    partners
        .into_iter()
        .any(|partner| partner.and_then(Number::as_constant) == Some(0))
}

/// A part whose messages are another's to account for.
fn without_messages(part: &Part) -> Part {
    mapped(part, &|_| Part::nothing())
}

/// A part whose messages with the master hold that.
fn served(part: &Part) -> Part {
    mapped(part, &|transfer| {
        let part = Part::Transfer(Box::new(transfer.clone()));
        match is_with_master(transfer) {
            true => Part::Owned(Number::constant(0), Box::new(part)),
            false => part,
        }
    })
}

fn mapped(part: &Part, map: &dyn Fn(&Transfer) -> Part) -> Part {
    match part {
        Part::Transfer(transfer) => map(transfer),
        Part::Sequence(parts) => Part::sequence(parts.iter().map(|p| mapped(p, map)).collect()),
        Part::Loop(range, body) => Part::repeated((**range).clone(), mapped(body, map)),
        Part::If(condition, then, otherwise) => {
            Part::choice(condition.clone(), mapped(then, map), mapped(otherwise, map))
        }
        Part::Switch(cases) => {
            let cases = cases.iter().map(|(c, part)| (c.clone(), mapped(part, map)));
            Part::Switch(cases.collect())
        }
        other => other.clone(),
    }
}
