//! MPI programs, by the text that `otf2-print` prints of their traces.
//!
//! A location's work between two communications is a task. Time in MPI functions is waiting and is left out. A
//! message is a precedence from the work before its sending to the work after its receipt. A collective operation is
//! a task without duration that all work of the communicator before it precedes, and all work after it follows.

use std::collections::BTreeMap;

use super::{Format, Recording, Source, Unit};
use crate::error::{Error, short};
use crate::tasks::Place;

/// True if a text begins as those of `otf2-print` do.
pub fn is_of(text: &str) -> bool {
    text.trim_start().starts_with("=== OTF2-PRINT ===")
}

pub fn parse(source: Source) -> Result<Recording, Error> {
    let mut trace = Trace::default();
    for (line, text) in (1..).zip(source.text.lines()) {
        trace.line = line;
        let read = trace.read(text);
        read.map_err(|message| Error::at(format!("{}:{line}", source.name), message))?;
    }
    trace.recording(source)
}

/// State of a location.
#[derive(Default)]
struct Location {
    /// The names of open regions, and whether each is a function of MPI.
    regions: Vec<(String, bool)>,
    last: u64,
    work: u64,
    /// Number of finished pieces of work.
    pieces: u32,
    /// Number of finished collective operations, by communicator.
    collectives: BTreeMap<String, u32>,
}

/// A piece of work: the location, and how many were before it there.
type Piece = (u64, u32);

/// Sender, receiver, communicator and tag.
type Channel = (u64, u64, String, String);

#[derive(Default)]
struct Trace {
    /// State of the reader.
    line: usize,
    ticks_per_second: Option<f64>,
    locations: BTreeMap<u64, Location>,
    /// Duration and line of each piece.
    work: BTreeMap<Piece, (u64, usize)>,
    /// The pieces before each sending and after each receipt.
    messages: BTreeMap<Channel, [Vec<Piece>; 2]>,
    /// The pieces before the end of each collective operation.
    collectives: BTreeMap<(String, u32), Vec<Piece>>,
    span: Option<[u64; 2]>,
}

impl Trace {
    /// One line of the trace. One long function, because it is a table with an arm for each kind of event.
    fn read(&mut self, line: &str) -> Result<(), String> {
        if let Some(ticks) = attribute(line, "Ticks per Seconds: ") {
            let number = ticks.parse().ok();
            let number = number.filter(|ticks: &f64| *ticks > 0.0 && ticks.is_finite());
            self.ticks_per_second = Some(number.ok_or_else(|| {
                let ticks = short(ticks);
                format!("the clock has `{ticks}` ticks per second, but must have a number above 0")
            })?);
        }
        let mut words = line.split_whitespace();
        let (Some(event), Some(location), Some(time)) = (words.next(), words.next(), words.next())
        else {
            return Ok(());
        };
        let (Ok(number), Ok(time)) = (location.parse::<u64>(), time.parse::<u64>()) else {
            return Ok(());
        };
        if !event
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        {
            return Ok(());
        }
        let location = self.locations.entry(number).or_insert_with(|| Location {
            last: time,
            ..Location::default()
        });
        let Some(passed) = time.checked_sub(location.last) else {
            return Err(format!(
                "the location {number} is at {} before, and at {time} here: times must not fall",
                location.last
            ));
        };
        if !location.regions.iter().any(|(_, waits)| *waits) {
            location.work += passed;
        }
        location.last = time;
        let [begin, end] = self.span.unwrap_or([time; 2]);
        self.span = Some([begin.min(time), end.max(time)]);
        match event {
            "ENTER" => {
                if location.regions.len() >= 10_000 {
                    return Err("more than 10000 regions are open".to_string());
                }
                let name = attribute(line, "Region: ").unwrap_or_default();
                let waits = name.trim_start_matches('"').starts_with("MPI_");
                location.regions.push((name.to_owned(), waits));
            }
            "LEAVE" => {
                let entered = location.regions.pop();
                let (entered, _) = entered.ok_or("a region is left here, but none was entered")?;
                let left = attribute(line, "Region: ").unwrap_or(&entered);
                if entered != left {
                    let (left, entered) = (short(left), short(&entered));
                    return Err(format!(
                        "the region `{left}` is left here, but `{entered}` was entered last"
                    ));
                }
            }
            "MPI_SEND" | "MPI_ISEND" => self.message(number, line, "Receiver: ")?,
            "MPI_RECV" | "MPI_IRECV" => self.message(number, line, "Sender: ")?,
            "MPI_COLLECTIVE_END" => {
                let communicator = attribute(line, "Communicator: ")
                    .unwrap_or_default()
                    .to_string();
                let count = location
                    .collectives
                    .entry(communicator.clone())
                    .or_default();
                let which = *count;
                *count += 1;
                let piece = self.cut(number);
                self.collectives
                    .entry((communicator, which))
                    .or_default()
                    .push(piece);
            }
            _ => {}
        }
        Ok(())
    }

    fn message(&mut self, own: u64, line: &str, role: &str) -> Result<(), String> {
        let missing = || format!("a message names no `{}`", role.trim_end_matches(": "));
        let other = attribute(line, role)
            .and_then(location)
            .ok_or_else(missing)?;
        let text = |name: &str| attribute(line, name).unwrap_or_default().to_string();
        let (communicator, tag) = (text("Communicator: "), text("Tag: "));
        let piece = self.cut(own);
        match role {
            "Sender: " => {
                let ends = self
                    .messages
                    .entry((other, own, communicator, tag))
                    .or_default();
                ends[1].push((own, piece.1 + 1));
            }
            _ => self
                .messages
                .entry((own, other, communicator, tag))
                .or_default()[0]
                .push(piece),
        }
        Ok(())
    }

    /// Ends a piece of work.
    fn cut(&mut self, number: u64) -> Piece {
        let location = self.locations.entry(number).or_default();
        let piece = (number, location.pieces);
        let work = std::mem::take(&mut location.work);
        self.work.insert(piece, (work, self.line));
        location.pieces += 1;
        piece
    }

    fn recording(mut self, source: Source) -> Result<Recording, Error> {
        let all: Vec<u64> = self.locations.keys().copied().collect();
        if all.is_empty() {
            return Err(Error::at(
                source.name,
                "there are no events in the text of `otf2-print`: print it without options",
            ));
        }
        all.into_iter().for_each(|location| {
            self.cut(location);
        });
        let per_second = self.ticks_per_second.unwrap_or(1.0);
        let unit = self.ticks_per_second.map(|_| Unit::Seconds);
        let mut recording = Recording::new(Format::Otf2, unit, source.name, "");
        let open: usize = (self.locations.values())
            .map(|location| location.regions.len())
            .sum();
        if open > 0 {
            recording.notes.push(format!(
                "{open} regions are entered but not left: the trace is incomplete."
            ));
        }
        let mut numbers: BTreeMap<Piece, u32> = BTreeMap::new();
        for (&(location, piece), &(work, line)) in &self.work {
            let task = recording
                .tasks
                .add(&format!("{location}.{piece}"), Place::line(line))?;
            recording.tasks.took(task, work as f64 / per_second)?;
            if let Some(&before) = piece
                .checked_sub(1)
                .and_then(|before| numbers.get(&(location, before)))
            {
                recording.tasks.precede(before, task)?;
            }
            numbers.insert((location, piece), task);
        }
        let mut loose = 0;
        for [sent, received] in self.messages.values() {
            loose += sent.len().abs_diff(received.len());
            for pair in sent.iter().zip(received) {
                if let (Some(&before), Some(&after)) = (numbers.get(pair.0), numbers.get(pair.1)) {
                    recording.tasks.precede(before, after)?;
                }
            }
        }
        if loose > 0 {
            recording.notes.push(format!(
                "{loose} messages have no other end, and are left out."
            ));
        }
        for ((communicator, which), pieces) in &self.collectives {
            let task = recording.tasks.add(
                &format!("collective {which} of {}", short(communicator)),
                Place::default(),
            )?;
            recording.tasks.took(task, 0.0)?;
            for piece in pieces {
                for (piece, before) in [(*piece, true), ((piece.0, piece.1 + 1), false)] {
                    let Some(&own) = numbers.get(&piece) else {
                        continue;
                    };
                    let (first, second) = if before { (own, task) } else { (task, own) };
                    recording.tasks.precede(first, second)?;
                }
            }
        }
        recording.makespans.extend(
            self.span
                .map(|[begin, end]| (end - begin) as f64 / per_second),
        );
        Ok(recording)
    }
}

/// The text after a name, up to the next comma.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(name)?;
    rest.split(", ").next().map(str::trim)
}

/// The location in `0 ("Master thread" <3>)`; the rank if there is none.
fn location(text: &str) -> Option<u64> {
    let named = text
        .rsplit_once('<')
        .and_then(|(_, rest)| rest.split('>').next()?.parse().ok());
    named.or_else(|| text.split_whitespace().next()?.parse().ok())
}
