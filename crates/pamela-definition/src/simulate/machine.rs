//! One run of a model: frames run until they wait, and continue when the awaited event happens.
//!
//! If events are simultaneous, all ends come first, in the order of their starts. Then come requests, in random order
//! or in the order of the source.

mod control;
mod deadlock;
mod graphs;
mod resources;
mod values;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use super::agenda::{Agenda, Entry};
use super::chance::mix;
use super::code::Code;
use super::frames::{Frames, MAX_FRAMES, NONE, State, Stopped};
use super::servers::{Measured, Servers};
use super::time::{Clock, Escape, Time};
use super::trace::Trace;
use super::{Arbitration, Options, Watch};
use crate::diagnostic::Diagnostic;
use crate::model::{Evaluator, Fraction, Limits, Model};
use resources::ResourceNumber;
use values::{Certain, TimeKind};

/// Reason why a run ends before the process does.
#[derive(Clone, Debug)]
pub enum Halt {
    Error(Box<Diagnostic>),
    /// The clock cannot represent a time; the run is repeated with the next clock.
    Escape(Escape),
    /// The limit of events was reached.
    Events,
    Interrupted,
}

impl From<Diagnostic> for Halt {
    fn from(diagnostic: Diagnostic) -> Halt {
        Halt::Error(Box::new(diagnostic))
    }
}

impl From<Escape> for Halt {
    fn from(escape: Escape) -> Halt {
        Halt::Escape(escape)
    }
}

/// An element of an array of resources.
pub type Key<'m> = (&'m str, Fraction);

/// Executions of a named process: their number and total time.
#[derive(Clone, Copy)]
pub struct Executions<T> {
    pub count: u64,
    pub time: T,
}

/// Measurements of the requests of an open process, after the first ones.
pub struct Measuring<T> {
    /// The named process of a request.
    pub process: u32,
    /// Number of requests that are not measured, and of those that have left.
    pub skipped: u64,
    pub left: u64,
    /// When measurements began, and what those of the resources were then.
    pub from: T,
    pub before: Vec<Measured>,
    /// Times of the measured requests, in ticks.
    pub times: Vec<f64>,
}

/// The state of a run, and its results.
pub struct Machine<'r, 'm, T> {
    code: &'r Code<'m>,
    evaluator: Evaluator<'m>,
    options: &'r Options,
    watch: &'r Watch,
    clock: &'r Clock,
    frames: Frames<'m>,
    agenda: Agenda<T>,
    /// Frames that can run, with their tickets.
    ready: VecDeque<(u32, u64)>,
    /// Frames that request a resource now, in the order of admission.
    requests: BinaryHeap<Reverse<(u64, u64, u32)>>,
    tickets: u64,
    key: u64,
    stopped: Vec<Stopped>,
    learnt: Vec<TimeKind<T>>,
    certain: Vec<Option<Certain>>,
    known: Vec<Option<ResourceNumber>>,
    pub now: T,
    pub servers: Vec<Servers<T>>,
    pub names: BTreeMap<Key<'m>, u32>,
    pub executions: Vec<Executions<T>>,
    /// For each loop, the sum of its mean cycles in units of time, and their number.
    pub cycles: Vec<(f64, u64)>,
    pub events: u64,
    /// Task graphs that frames run.
    graphs: BTreeMap<u32, graphs::Running<'m, T>>,
    /// Number of graph tasks so far.
    tasks: u64,
    /// Number of iterations and branches; limits a run in which no time passes.
    turns: u64,
    /// True if the run was random.
    pub random: bool,
    /// Number of negative times that were treated as 0.
    pub clipped: u64,
    /// True if a drawn loop bound was rounded; the next field is true if a condition was a trial.
    pub rounded: bool,
    pub trials: bool,
    pub trace: Option<Trace>,
    /// The requests of an open process.
    pub measuring: Option<Measuring<T>>,
    /// Time of the latest request; also of the latest start that takes no time.
    latest_request: Option<T>,
    latest_instant: Option<T>,
    /// True if a section ended by a request at a time when a stopped branch may have had others.
    pub cut_short: bool,
}

/// Lists of runnable frames and of ends that grew longer than this are freed when they are empty.
const LONG: usize = 1 << 16;
/// Number of events between two checks for interruption.
const EVENTS_BETWEEN_LOOKS: u64 = 1 << 14;

impl<'r, 'm, T: Time> Machine<'r, 'm, T> {
    pub fn new(
        model: &'m Model,
        bindings: &'m BTreeMap<String, crate::model::Value>,
        code: &'r Code<'m>,
        options: &'r Options,
        watch: &'r Watch,
        clock: &'r Clock,
        replication: u64,
    ) -> Machine<'r, 'm, T> {
        let expressions = code.expressions.len();
        let traced = options.trace_limit.filter(|_| replication == 0);
        Machine {
            code,
            evaluator: Evaluator::new(model, bindings, Limits::default()).executing(),
            options,
            watch,
            clock,
            frames: Frames::default(),
            agenda: Agenda::new(),
            ready: VecDeque::new(),
            requests: BinaryHeap::new(),
            tickets: 0,
            key: mix(mix(options.seed, 0), replication),
            stopped: Vec::new(),
            learnt: (0..expressions).map(|_| TimeKind::Nothing).collect(),
            certain: (0..expressions + code.choices.len())
                .map(|_| None)
                .collect(),
            known: vec![None; expressions],
            now: T::ZERO,
            servers: Vec::new(),
            names: BTreeMap::new(),
            executions: vec![
                Executions {
                    count: 0,
                    time: T::ZERO
                };
                code.processes.len()
            ],
            cycles: vec![(0.0, 0); code.cycles.len()],
            events: 0,
            graphs: BTreeMap::new(),
            tasks: 0,
            turns: 0,
            random: false,
            clipped: 0,
            rounded: false,
            trials: false,
            trace: traced.map(Trace::new),
            measuring: code.measured.map(|(process, skipped)| Measuring {
                process,
                skipped,
                left: 0,
                from: T::ZERO,
                before: Vec::new(),
                times: Vec::new(),
            }),
            latest_request: None,
            latest_instant: None,
            cut_short: false,
        }
    }

    /// Runs the process to its end.
    pub fn run(&mut self) -> Result<(), Halt> {
        let ended = self.run_to_end();
        for servers in &mut self.servers {
            servers.measure(self.now);
        }
        ended
    }

    fn run_to_end(&mut self) -> Result<(), Halt> {
        let root = self.start(0, NONE, 0, mix(self.key, 1))?;
        self.make_ready(root);
        while self.next_event()? {}
        self.find_deadlock()?;
        self.executions[0] = Executions {
            count: 1,
            time: self.now,
        };
        Ok(())
    }

    /// Differences between the run and the model.
    pub fn approximations(&self) -> Vec<String> {
        let mut notes = self.evaluator.approximations();
        if self.trials {
            notes.push(
                "a condition that is not a truth value is drawn at each execution".to_string(),
            );
        }
        if self.rounded {
            notes.push(
                "a random loop bound that is not a whole number is rounded up or down at random, which keeps its mean"
                    .to_string(),
            );
        }
        notes
    }

    /// Lets one thing happen; whether there was one.
    fn next_event(&mut self) -> Result<bool, Halt> {
        if let Some((frame, ticket)) = self.ready.pop_front() {
            if self.frames.waits(frame, ticket) {
                self.resume(frame)?;
            }
            return Ok(true);
        }
        if self.ready.capacity() > LONG {
            self.ready = VecDeque::new();
        }
        self.agenda.give_back(LONG);
        let ends_now = self.agenda.first().is_some_and(|e| e.time == self.now);
        if !ends_now && let Some(Reverse((_, ticket, frame))) = self.requests.pop() {
            if self.frames.waits(frame, ticket) {
                self.arrive(frame)?;
            }
            return Ok(true);
        }
        let Some(entry) = self.agenda.pop() else {
            return Ok(false);
        };
        if !self.frames.waits(entry.frame, entry.ticket) {
            self.agenda.found_stopped();
            return Ok(true);
        }
        self.now = entry.time;
        self.count_event()?;
        let mut granted = None;
        if let State::Served(resource) = self.frames[entry.frame].state {
            granted = self.release(resource, entry.frame)?;
        } else if let Some(trace) = &mut self.trace {
            trace.delayed(entry.frame, self.now.to_f64() / self.clock.rate());
        }
        self.frames[entry.frame].position += 1;
        match granted {
            None => self.resume(entry.frame)?,
            Some(granted) => self.run_next([granted, entry.frame].into_iter()),
        }
        Ok(true)
    }

    /// These frames run before all others that can, in this order.
    fn run_next(&mut self, frames: impl DoubleEndedIterator<Item = u32>) {
        for frame in frames.rev() {
            self.make_ready(frame);
            self.ready.rotate_right(1);
        }
    }

    fn count_event(&mut self) -> Result<(), Halt> {
        self.events += 1;
        self.look(self.events)
    }

    /// An iteration or a branch begins.
    fn count_turn(&mut self) -> Result<(), Halt> {
        self.turns += 1;
        self.look(self.turns)
    }

    fn look(&self, count: u64) -> Result<(), Halt> {
        if count > self.options.max_events {
            return Err(Halt::Events);
        }
        if count.is_multiple_of(EVENTS_BETWEEN_LOOKS) && self.watch.is_interrupted() {
            return Err(Halt::Interrupted);
        }
        Ok(())
    }

    fn ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    fn make_ready(&mut self, frame: u32) {
        let ticket = self.ticket();
        self.frames[frame].ticket = ticket;
        self.frames[frame].state = State::Ready;
        self.ready.push_back((frame, ticket));
    }

    /// Reserves memory for this many frames at once: growing by doubling takes up to three times as much in between.
    fn expect(&mut self, frames: usize) {
        self.frames.reserve(frames);
        self.ready.reserve(frames);
        self.agenda.reserve(frames);
        self.requests.reserve(frames);
    }

    fn start(&mut self, position: u32, parent: u32, index: i64, stream: u64) -> Result<u32, Halt> {
        let frame = self.frames.start(position, parent, index, stream);
        frame.ok_or_else(|| self.too_many(parent))
    }

    fn too_many(&self, parent: u32) -> Halt {
        let message = format!("more than {MAX_FRAMES} processes at one time");
        let diagnostic = Diagnostic::error(message, self.place_of(parent), "they are started here");
        diagnostic.hint("use smaller values").into()
    }

    /// The frame waits for this time to pass.
    fn schedule(&mut self, frame: u32, state: State, duration: T) -> Result<(), Halt> {
        let time = self.now.plus(duration)?;
        if !time.to_f64().is_finite() {
            let span = self.place_of(frame);
            let diagnostic = Diagnostic::error("the time is too large", span, "at this");
            return Err(diagnostic.hint("times are at most about 1e308").into());
        }
        if duration == T::ZERO {
            self.latest_instant = Some(self.now);
        }
        let ticket = self.ticket();
        self.frames[frame].ticket = ticket;
        self.frames[frame].state = state;
        self.agenda.insert(Entry {
            time,
            ticket,
            frame,
        });
        Ok(())
    }

    /// The frame comes to a resource.
    fn come(&mut self, frame: u32, resource: u32) {
        let ticket = self.ticket();
        self.frames[frame].ticket = ticket;
        self.frames[frame].state = State::Requests(resource);
        let order = match self.options.arbitration {
            Arbitration::Seeded => mix(self.key, ticket),
            Arbitration::Source => 0,
        };
        self.requests.push(Reverse((order, ticket, frame)));
    }
}
