//! Plays the events of all ranks: a message arrives when it is sent, and takes the time of a message at both ends.

use std::collections::VecDeque;

use super::record::{Event, Mate, Message};
use crate::lowering::message::Way;
use crate::problem::{Place, short};

/// A message without a matching send or receive.
pub struct Unmatched {
    pub reason: String,
    pub place: Place,
}

pub enum Playback {
    /// The total time, and the time without any waiting.
    Over {
        longest: f64,
        alone: f64,
        /// A call that receives another number of words than are sent.
        other: Option<Unmatched>,
    },
    Unmatched(Unmatched),
}

/// A message on its way: from whom, its tag and words, and when it was sent.
struct MessageInFlight {
    from: i64,
    tag: i64,
    words: f64,
    at: f64,
}

#[derive(Default)]
struct Rank {
    next: usize,
    now: f64,
    alone: f64,
    arriving: VecDeque<MessageInFlight>,
    /// Requests of nonblocking receives.
    asked: Vec<(Mate, Place)>,
    /// When the last message was posted since the last wait, in the time of the run and in that of the rank alone.
    posted: Option<(f64, f64)>,
    /// The time of a message.
    message: f64,
    /// The current event's messages are sent already.
    has_sent: bool,
    /// Sent and received words, if they differ.
    other: Option<(f64, f64, Place)>,
}

/// Words that differ by rounding.
const ROUNDING: f64 = 1e-9;

/// Plays the events of the ranks. `message` is the time of a message relative to that of straight code.
pub fn play(lists: &[Vec<Event>], message: f64) -> Playback {
    let new = |_| Rank {
        message,
        ..Rank::default()
    };
    let mut ranks: Vec<Rank> = lists.iter().map(new).collect();
    let (mut longest, mut alone) = (0.0, 0.0);
    loop {
        let mut moved = false;
        for (rank, list) in lists.iter().enumerate() {
            while step(&mut ranks, rank, list) {
                moved = true;
            }
        }
        if moved {
            continue;
        }
        let meets = |rank: usize| matches!(lists[rank].get(ranks[rank].next), Some(Event::Meet));
        let is_over = |rank: usize| ranks[rank].next >= lists[rank].len();
        let all = 0..ranks.len();
        let over = all.clone().all(is_over);
        if !over && !all.clone().all(meets) {
            return Playback::Unmatched(stuck(&ranks, lists));
        }
        // A message may be received after a common point.
        longest += ranks.iter().map(|rank| rank.now).fold(0.0, f64::max);
        alone += ranks.iter().map(|rank| rank.alone).fold(0.0, f64::max);
        for rank in &mut ranks {
            (rank.now, rank.alone) = (0.0, 0.0);
            rank.posted = rank.posted.map(|_| (0.0, 0.0));
            rank.next += 1;
            rank.arriving.iter_mut().for_each(|sent| sent.at = 0.0);
        }
        if over {
            break;
        }
    }
    match ranks.iter().position(|rank| !rank.arriving.is_empty()) {
        Some(rank) => Playback::Unmatched(left_over(&ranks, rank, lists)),
        None => Playback::Over {
            longest,
            alone,
            other: ranks.into_iter().find_map(of_other_length),
        },
    }
}

/// True if a rank gets through its next event.
fn step(ranks: &mut [Rank], rank: usize, list: &[Event]) -> bool {
    let Some(event) = list.get(ranks[rank].next) else {
        return false;
    };
    match event {
        Event::Work(time) => {
            ranks[rank].now += time;
            ranks[rank].alone += time;
        }
        Event::Meet => return false,
        Event::Wait => {
            if !waited(&mut ranks[rank]) {
                return false;
            }
        }
        Event::Message(message) => {
            if !exchanged(ranks, rank, message) {
                return false;
            }
        }
    }
    ranks[rank].next += 1;
    true
}

/// Sends what a call sends, once; then receives, if it is there.
fn exchanged(ranks: &mut [Rank], rank: usize, message: &Message) -> bool {
    let now = ranks[rank].now;
    if !ranks[rank].has_sent {
        for mate in message.ends.iter().filter(|mate| mate.way == Way::Sends) {
            let to = usize::try_from(mate.rank).ok();
            let Some(to) = to.and_then(|to| ranks.get_mut(to)) else {
                // There is no such rank.
                return false;
            };
            to.arriving.push_back(MessageInFlight {
                from: rank as i64,
                tag: mate.tag,
                words: mate.words,
                at: now,
            });
        }
        ranks[rank].has_sent = true;
    }
    let received = message.ends.iter().find(|mate| mate.way == Way::Receives);
    let own = &mut ranks[rank];
    if message.at_once {
        own.asked
            .extend(received.map(|mate| (mate.clone(), message.place.clone())));
        own.now += own.message;
        own.alone += own.message;
        own.posted = Some((own.now, own.alone));
    } else {
        let at = match received {
            None => now,
            Some(mate) => match take(own, mate, &message.place) {
                Some(at) => now.max(at),
                None => return false,
            },
        };
        own.now = at + own.message;
        own.alone += own.message;
    }
    own.has_sent = false;
    true
}

/// Completes a wait: all requested messages have arrived, and posted messages overlapped with the work done
/// meanwhile.
fn waited(own: &mut Rank) -> bool {
    while let Some((mate, place)) = own.asked.first().cloned() {
        let Some(at) = take(own, &mate, &place) else {
            return false;
        };
        own.posted = own.posted.map(|(now, alone)| (now.max(at), alone));
        own.asked.remove(0);
    }
    if let Some((now, alone)) = own.posted.take() {
        own.now = own.now.max(now + own.message);
        own.alone = own.alone.max(alone + own.message);
    }
    true
}

/// The first message that fits: of any rank, that which came first.
fn take(own: &mut Rank, mate: &Mate, place: &Place) -> Option<f64> {
    let arriving = &mut own.arriving;
    let fits = |sent: &MessageInFlight| {
        (mate.rank < 0 || sent.from == mate.rank)
            && (mate.tag < 0 || sent.tag < 0 || sent.tag == mate.tag)
    };
    let mut found: Option<usize> = None;
    for (place, sent) in arriving.iter().enumerate().filter(|(_, sent)| fits(sent)) {
        let is_first = found.is_none_or(|found| mate.rank < 0 && sent.at < arriving[found].at);
        if is_first {
            found = Some(place);
        }
    }
    let sent = arriving.remove(found?)?;
    if (sent.words - mate.words).abs() > ROUNDING * mate.words.max(1.0) {
        let lengths = (sent.words, mate.words, place.clone());
        own.other.get_or_insert(lengths);
    }
    Some(sent.at)
}

fn of_other_length(rank: Rank) -> Option<Unmatched> {
    let (sent, received, place) = rank.other?;
    let [sent, received] = [sent, received].map(short);
    Some(Unmatched {
        reason: format!(
            "{sent} words are received by a call for {received}, and count with the time of the call"
        ),
        place,
    })
}

fn stuck(ranks: &[Rank], lists: &[Vec<Event>]) -> Unmatched {
    let count = ranks.len();
    for (number, (rank, list)) in ranks.iter().zip(lists).enumerate() {
        let found = match list.get(rank.next) {
            Some(Event::Message(message)) => message.ends.last().map(|mate| (mate, &message.place)),
            Some(Event::Wait) => rank.asked.first().map(|(mate, place)| (mate, place)),
            _ => None,
        };
        if let Some((mate, place)) = found {
            let what = match mate.way {
                Way::Sends => format!("sends to rank {}, which does not exist", mate.rank),
                Way::Receives if mate.rank < 0 => {
                    "waits for a message that nobody sends".to_string()
                }
                Way::Receives => {
                    format!("waits for a message of rank {} that is not sent", mate.rank)
                }
            };
            return Unmatched {
                reason: format!("with {count} ranks, rank {number} {what}"),
                place: place.clone(),
            };
        }
    }
    unknown(
        count,
        lists,
        "not all ranks reach a call that all must make",
    )
}

fn left_over(ranks: &[Rank], rank: usize, lists: &[Vec<Event>]) -> Unmatched {
    let from = ranks[rank].arriving.front().map_or(0, |sent| sent.from);
    let what = format!("a message of rank {from} to rank {rank} is not received");
    unknown(ranks.len(), lists, &what)
}

fn unknown(count: usize, lists: &[Vec<Event>], what: &str) -> Unmatched {
    let place = lists.iter().flatten().find_map(|event| match event {
        Event::Message(message) => Some(message.place.clone()),
        _ => None,
    });
    Unmatched {
        reason: format!("with {count} ranks, {what}"),
        place: place.unwrap_or(Place {
            file: std::sync::Arc::from(""),
            first: 0,
            last: 0,
        }),
    }
}
