//! Master and workers: one rank receives from any other rank and hands out the next piece of work. The distribution
//! of work is decided at run time. The model assumes that each worker does the same number of rounds, and that the
//! master serves one message at a time.

use super::meeting::written_out;
use super::message::{ANYBODY, End, NOBODY, Transfer, Way, World};
use super::number::{Atom, Number, Symbol};
use super::part::{ParameterKind, Part, Range};
use super::walker::Walker;
use crate::problem::Problem;

/// Messages of the master to each worker beside those of its rounds.
const MOST_MORE: i64 = 4;

/// The body with its farms replaced; `None` if it has no farm.
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
        Part::If(condition, then, otherwise) => match condition.is_of_first(world.rank) {
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

fn range_mentions(range: &Range, symbol: Symbol) -> bool {
    let mut found = false;
    range.symbols(&mut |other| found |= other == symbol);
    found
}

/// The parts of the master and of the workers.
fn farm(
    walker: &Walker,
    master: &Part,
    workers: &Part,
    world: &World,
    farms: &mut Vec<Problem>,
) -> Option<(Part, Part)> {
    if !holds(master, &is_from_any) {
        return None;
    }
    let all = |end: &End| end.partner.as_ref().and_then(Number::as_constant) != Some(NOBODY);
    let received = messages(walker, master, Way::Receives, &all)?;
    let rounds = rounds(walker, workers)?;
    let others = world.ranks.plus_constant(-1)?;
    let of_worker = |way| Linear::of(&messages(walker, workers, way, &is_of_master)?, rounds);
    let results = of_worker(Way::Sends).filter(|results| results.each > 0);
    // Without another word each round has one result.
    let (in_rounds, each) = match &results {
        Some(results) => (
            received.minus(&others.times(&results.first)?)?,
            results.each,
        ),
        None => (received, 1),
    };
    let jobs = results.and(of_worker(Way::Receives));
    let more = jobs.and_then(|jobs| {
        // The messages of the master that the rounds and the code around them do not receive are equally many for
        // each worker.
        let sent = messages(walker, master, Way::Sends, &all)?.scaled(each)?;
        let left = sent.minus(&others.times(&jobs.first)?.scaled(each)?)?;
        let left = left.minus(&in_rounds.scaled(jobs.each)?)?;
        (0..=MOST_MORE).find(|more| others.scaled(more * each).as_ref() == Some(&left))
    });
    let divisor = others.larger(&Number::constant(1)).scaled(each)?;
    let share = Number::atom(Atom::Quotient(in_rounds, divisor));
    let share = Number::atom(Atom::Function("ceil", vec![share]));
    farms.push(told(master, more.is_none()));
    let first = Number::constant(0);
    let of_master = Part::Owned(first, Box::new(without_messages(master)));
    let workers = with_more(workers, rounds, more.unwrap_or(0));
    Some((of_master, served(&workers.with(rounds, &share))))
}

/// The note about a farm.
fn told(master: &Part, is_left_out: bool) -> Problem {
    let mut place = None;
    master.walk(&mut |part| {
        if let Part::Transfer(transfer) = part {
            place.get_or_insert(transfer.place.clone());
        }
    });
    let mut message = "a master gives work to the next free worker: each worker is assumed to do the same number of rounds, and the master \
                       to serve one message at a time"
        .to_string();
    if is_left_out {
        message.push_str("; its messages outside these rounds are left out");
    }
    let mut problem = Problem::new(message);
    problem.place = place;
    problem
}

/// Messages of a worker whose loop runs k times: `first + each * k`.
struct Linear {
    first: Number,
    each: i64,
}

impl Linear {
    fn of(number: &Number, rounds: Symbol) -> Option<Linear> {
        let at = |rounds_done| number.with(rounds, &Number::constant(rounds_done));
        let first = at(0)?;
        let each = at(1)?.minus(&first)?.as_constant()?;
        let is_linear = at(2)?.minus(&first)?.as_constant() == Some(2 * each);
        is_linear.then_some(Linear { first, each })
    }
}

/// The workers' loop with `more` messages of the master after it: the message that ends the loop has a round of its
/// own.
fn with_more(part: &Part, rounds: Symbol, more: i64) -> Part {
    let inner = |part: &Part| with_more(part, rounds, more);
    match part {
        Part::Loop(range, body) if range.last.as_symbol() == Some(rounds) => {
            let mut job = None;
            body.walk(&mut |part| {
                if let Part::Transfer(transfer) = part
                    && transfer
                        .ends
                        .iter()
                        .any(|end| end.way == Way::Receives && is_of_master(end))
                {
                    job.get_or_insert(part);
                }
            });
            let mut row = vec![part.clone()];
            row.extend((0..more).filter_map(|_| job.cloned()));
            Part::sequence(row)
        }
        Part::Sequence(parts) => Part::sequence(parts.iter().map(inner).collect()),
        Part::Loop(range, body) => Part::repeated((**range).clone(), inner(body)),
        Part::If(condition, then, otherwise) => {
            Part::choice(condition.clone(), inner(then), inner(otherwise))
        }
        other => other.clone(),
    }
}

/// Number of messages of a part in one direction; `None` if it depends on data.
fn messages(
    walker: &Walker,
    part: &Part,
    way: Way,
    is_one: &dyn Fn(&End) -> bool,
) -> Option<Number> {
    let inner = |part: &Part| messages(walker, part, way, is_one);
    match part {
        Part::Transfer(transfer) => {
            let ends = transfer
                .ends
                .iter()
                .filter(|end| end.way == way && is_one(end));
            Some(Number::constant(ends.count() as i64))
        }
        Part::Sequence(parts) => parts
            .iter()
            .try_fold(Number::default(), |sum, part| sum.plus(&inner(part)?)),
        Part::Loop(range, body) => {
            let each = inner(body)?;
            if each.mentions(range.index) {
                None
            } else if each == Number::default() {
                Some(each)
            } else {
                each.times(&iterations(walker, range)?)
            }
        }
        Part::If(_, then, otherwise) => {
            let (then, otherwise) = (inner(then)?, inner(otherwise)?);
            (then == otherwise).then_some(then)
        }
        _ => Some(Number::default()),
    }
}

/// Loops whose number of iterations is measured run so often.
fn iterations(walker: &Walker, range: &Range) -> Option<Number> {
    if range.first.as_constant() == Some(1) && is_measured(walker, &range.last) {
        Some(range.last.clone())
    } else {
        walker.count_of(range)
    }
}

fn is_measured(walker: &Walker, number: &Number) -> bool {
    let symbol = number.as_symbol();
    let mut parameters = walker.parameters.iter();
    parameters.any(|p| Some(p.symbol) == symbol && p.kind == ParameterKind::Trips)
}

/// Number of iterations of the workers' loop that exchanges messages with the master.
fn rounds(walker: &Walker, workers: &Part) -> Option<Symbol> {
    let mut found = None;
    workers.walk(&mut |part| {
        if let Part::Loop(range, body) = part
            && let Some(symbol) = range.last.as_symbol()
            && is_measured(walker, &range.last)
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

fn is_of_master(end: &End) -> bool {
    end.partner.as_ref().and_then(Number::as_constant) == Some(0)
}

fn is_with_master(transfer: &Transfer) -> bool {
    transfer.ends.iter().any(is_of_master)
}

/// A part whose messages are another's to account for.
fn without_messages(part: &Part) -> Part {
    mapped(part, &|_| Part::nothing())
}

/// A part whose messages with the master hold that.
fn served(part: &Part) -> Part {
    mapped(part, &|transfer| {
        let part = Part::Transfer(Box::new(transfer.clone()));
        if is_with_master(transfer) {
            Part::Owned(Number::constant(0), Box::new(part))
        } else {
            part
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
