//! The events of a rank, in order.

use super::sample::Sample;
use crate::lowering::message::{Transfer, Way};
use crate::lowering::number::Symbol;
use crate::lowering::part::*;
use crate::problem::Place;

/// Steps of a trial before it is given up.
const MOST_STEPS: usize = 100_000;

#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Work(f64),
    Message(Message),
    Wait,
    /// All ranks.
    Meet,
}

/// The messages of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub ends: Vec<Mate>,
    pub at_once: bool,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Mate {
    pub way: Way,
    /// Below 0: any rank.
    pub rank: i64,
    pub tag: i64,
    pub words: f64,
}

/// The time of straight code.
const WORK: f64 = 1.0;

struct Recorder {
    sample: Sample,
    events: Vec<Event>,
    steps: usize,
}

/// The events of a rank; `None` if there are too many, or if a number has no value.
pub fn events(body: &Part, sample: &Sample, symbol: Symbol, rank: i64) -> Option<Vec<Event>> {
    let mut sample = sample.copy();
    sample.set(symbol, rank);
    let mut recorder = Recorder {
        sample,
        events: Vec::new(),
        steps: 0,
    };
    recorder.part(body)?;
    Some(recorder.events)
}

impl Recorder {
    fn work(&mut self, time: f64) {
        match self.events.last_mut() {
            Some(Event::Work(before)) => *before += time,
            _ => self.events.push(Event::Work(time)),
        }
    }

    fn part(&mut self, part: &Part) -> Option<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return None;
        }
        match part {
            Part::Sequence(parts) => parts.iter().try_for_each(|part| self.part(part))?,
            Part::Block(_) | Part::Cost(_) | Part::Message(_) => self.work(WORK),
            Part::Loop(range, body) => self.repeated(range, body)?,
            Part::Shared(shared) => self.repeated(&shared.range, &shared.body)?,
            Part::Mapped(mapped) => self.repeated(&mapped.range, &mapped.body)?,
            Part::If(condition, then, otherwise) => {
                if self.sample.holds(condition)? {
                    self.part(then)?
                } else {
                    self.part(otherwise)?
                }
            }
            Part::Switch(cases) => {
                for (condition, part) in cases {
                    if self.sample.holds(condition)? {
                        self.part(part)?;
                        break;
                    }
                }
            }
            Part::Call(..) | Part::Again(_) => return None,
            Part::Parallel(team) => self.part(&team.body)?,
            Part::Sections(parts, _) => parts.iter().try_for_each(|part| self.part(part))?,
            Part::Single(body, _)
            | Part::Master(body)
            | Part::Critical(_, body)
            | Part::Owned(_, body)
            | Part::Task(body) => self.part(body)?,
            Part::Barrier | Part::TaskWait => {}
            Part::Transfer(transfer) => self.message(transfer)?,
            Part::Wait => self.events.push(Event::Wait),
            // Its waiting is said in the model.
            // Some ranks are taken not to wait for each other.
            Part::Collective(collective) if collective.among.is_some() => {}
            Part::Collective(_) | Part::Pipeline(_) => self.events.push(Event::Meet),
        }
        Some(())
    }

    fn repeated(&mut self, range: &Range, body: &Part) -> Option<()> {
        let whole = |number| Some(self.sample.value(number)?.round() as i64);
        let (mut at, last, step) = (
            whole(&range.first)?,
            whole(&range.last)?,
            whole(&range.step)?,
        );
        if step == 0 {
            return None;
        }
        while if step > 0 { at <= last } else { at >= last } {
            self.sample.set(range.index, at);
            self.part(body)?;
            at = at.checked_add(step)?;
        }
        Some(())
    }

    fn message(&mut self, transfer: &Transfer) -> Option<()> {
        let mut ends = Vec::new();
        for end in &transfer.ends {
            let rank = self.sample.value(end.partner.as_ref()?)?.round() as i64;
            let tag = end.tag.as_ref().and_then(|tag| self.sample.value(tag));
            ends.push(Mate {
                way: end.way,
                rank,
                tag: tag.map_or(-1, |tag| tag.round() as i64),
                words: self.sample.value(&end.words)?,
            });
        }
        self.events.push(Event::Message(Message {
            ends,
            at_once: transfer.at_once,
            place: transfer.place.clone(),
        }));
        Some(())
    }
}
