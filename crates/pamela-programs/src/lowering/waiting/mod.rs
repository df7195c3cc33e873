//! Tests whether ranks wait for each other between two collective calls. Series and parallel composition cannot
//! express such waits: there the time is the largest of the ranks' own times, as if no message came late. The program
//! is simulated with numbers for a few ranks. If it takes longer, or if messages do not match, a note says so.

mod play;
mod record;
mod sample;

use super::message::{Grid, Transfer, World};
use super::number::{Number, Symbol};
use super::part::*;
use super::walker::Walker;
use crate::problem::Problem;
use play::{Playback, Unmatched};
use record::Event;
use sample::Sample;

/// Numbers of ranks that are tried if none are given.
const RANKS: [i64; 5] = [1, 2, 3, 4, 6];
/// Values of sizes that are tried, until one does not take too many steps.
const SIZES: [i64; 3] = [12, 6, 2];
/// Times of a message, where straight code takes 1: both may be long.
const MESSAGES: [f64; 2] = [0.01, 100.0];
/// Smaller ratios to the time without waiting are not reported.
const NEGLIGIBLE: f64 = 1.02;

/// Notes that the model of a program of ranks is a lower bound, or that its messages are not understood.
pub fn check(walker: &mut Walker, body: &Part) {
    let Some(world) = walker.world.clone() else {
        return;
    };
    let Some(whole) = super::meeting::written_out(body, &walker.instances) else {
        return untried(walker, body);
    };
    let mut transfers = Vec::new();
    whole.walk(&mut |part| {
        if let Part::Transfer(transfer) = part {
            transfers.push(transfer.clone());
        }
    });
    let Some(first) = transfers.first() else {
        return;
    };
    if let Some(transfer) = transfers.iter().find(|own| is_unknown(walker, own)) {
        let message = format!("the partner of a message depends on data: {BUSIEST}");
        walker.unsure(Problem::new(message).at(transfer.place.clone()));
        return;
    }
    let place = first.place.clone();
    let mut tried = 0;
    let given = std::mem::take(&mut walker.ranks);
    let tries = if given.is_empty() {
        RANKS.to_vec()
    } else {
        given
    };
    for ranks in tries {
        match of_ranks(walker, &whole, &world, ranks) {
            None => {}
            Some(Matching::Fits(other)) => {
                tried += 1;
                if let Some(what) = other {
                    let problem = Problem::new(format!(
                        "messages do not match: with {ranks} ranks, {}",
                        what.reason
                    ));
                    walker.unsure(problem.at(what.place));
                    return;
                }
            }
            Some(Matching::Waits(late)) => {
                let message = format!(
                    "ranks wait for later messages of other ranks; \
                     with {ranks} ranks the run takes up to {late:.1} times as long: {BUSIEST}"
                );
                walker.unsure(Problem::new(message).at(place));
                return;
            }
            Some(Matching::Unmatched(what)) => {
                let problem = Problem::new(format!("messages do not match: {}", what.reason));
                walker.unsure(problem.at(what.place));
                return;
            }
        }
    }
    if tried == 0 {
        untried(walker, body);
    }
}

/// True if the partner of a message is a parameter, which is the same number at all ranks and of which the program says nothing,
/// or is made of numbers that were not understood.
fn is_unknown(walker: &Walker, transfer: &Transfer) -> bool {
    let is_given = |symbol: Symbol| {
        let mut parameters = walker.parameters.iter();
        parameters.any(|p| p.symbol == symbol && p.kind == ParameterKind::Value)
    };
    let is_opaque = |symbol: Symbol| walker.opaque.iter().any(|own| own.name == Some(symbol));
    let is_open = |partner: &Number| {
        let mut is_open = partner.as_symbol().is_some_and(is_given);
        partner.symbols(&mut |symbol| is_open |= is_opaque(symbol));
        is_open
    };
    let partners = transfer.ends.iter().map(|end| end.partner.as_ref());
    partners
        .into_iter()
        .any(|partner| partner.is_none_or(is_open))
}

/// The note for a time in which the waiting of ranks is unknown.
const BUSIEST: &str =
    "the time is that of the busiest rank, a lower bound without its waiting for others";

/// Too long a program, or numbers without a value.
fn untried(walker: &mut Walker, body: &Part) {
    let is_message = |part: &Part| matches!(part, Part::Transfer(_));
    if super::meeting::holds(body, &walker.instances, &is_message) {
        let message = format!("waiting between ranks could not be tested with numbers: {BUSIEST}");
        walker.unsure(Problem::new(message));
    }
}

enum Matching {
    /// A message whose receive has another number of words than its send.
    Fits(Option<Unmatched>),
    /// The ratio to the time without waiting.
    Waits(f64),
    Unmatched(Unmatched),
}

/// Simulates the program with this many ranks; `None` if it cannot have so many, or takes too long.
fn of_ranks(walker: &Walker, body: &Part, world: &World, ranks: i64) -> Option<Matching> {
    for size in SIZES {
        let mut sample = Sample::new(size);
        sample.set(world.ranks.as_symbol()?, ranks);
        for grid in &walker.grids {
            fill(&mut sample, grid, ranks)?;
        }
        for parameter in &walker.parameters {
            if parameter.kind == ParameterKind::Trips {
                sample.set(parameter.symbol, 2);
            }
        }
        let lists: Option<Vec<Vec<Event>>> = (0..ranks)
            .map(|rank| record::events(body, &sample, world.rank, rank))
            .collect();
        let Some(lists) = lists else { continue };
        let (mut most, mut different) = (1.0, None);
        for message in MESSAGES {
            match play::play(&lists, message) {
                Playback::Unmatched(unmatched) => return Some(Matching::Unmatched(unmatched)),
                Playback::Over {
                    longest,
                    alone,
                    other,
                } => {
                    different = different.or(other);
                    if alone > 0.0 {
                        most = f64::max(most, longest / alone);
                    }
                }
            }
        }
        return Some(if most > NEGLIGIBLE {
            Matching::Waits(most)
        } else {
            Matching::Fits(different)
        });
    }
    None
}

/// Extents of a grid that are parameters: as equal as can be.
fn fill(sample: &mut Sample, grid: &Grid, ranks: i64) -> Option<()> {
    let known = |extent: &Number| extent.as_constant();
    let open: Vec<Symbol> = grid.extents.iter().filter_map(Number::as_symbol).collect();
    let given: i64 = grid.extents.iter().filter_map(known).product();
    if given <= 0 || ranks % given != 0 {
        return None;
    }
    let mut rest = ranks / given;
    for (place, symbol) in open.iter().enumerate() {
        let left = open.len() - place;
        let extent = match left {
            1 => rest,
            _ => {
                let is_enough =
                    |e: &i64| rest % e == 0 && e.checked_pow(left as u32).is_none_or(|p| p >= rest);
                (1..=rest).find(is_enough)?
            }
        };
        sample.set(*symbol, extent);
        rest /= extent;
    }
    (rest == 1).then_some(())
}
