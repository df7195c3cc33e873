//! Runs one replication, with the first clock that can represent all its times.

use std::borrow::Cow;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::code::Code;
use super::machine::{Halt, Machine};
use super::servers::Measured;
use super::time::{self, Clock, Kind, Real, Time};
use super::trace::Trace;
use super::{Arbitration, Options, Watch};
use crate::diagnostic::Diagnostic;
use crate::model::{Fraction, Model, Value};

/// A resource: its array and its index.
pub type ArrayElement<'m> = (Cow<'m, str>, Fraction);

/// Results of one replication.
pub struct Run<'m> {
    /// Time of the process, or the time up to which it ran.
    pub time: f64,
    /// Times of each named process.
    pub processes: Vec<Timed>,
    pub resources: BTreeMap<ArrayElement<'m>, Used>,
    /// Time from which resources and requests of an open process are measured.
    pub measured_from: f64,
    /// Times of the measured requests of an open process.
    pub requests: Vec<f64>,
    /// For each measured loop, the mean cycle over its executions.
    pub cycles: Vec<Option<f64>>,
    pub events: u64,
    /// True if anything was drawn, other than the order of simultaneous requests.
    pub random: bool,
    /// True if the order of simultaneous requests mattered.
    pub contended: bool,
    pub clipped: u64,
    pub approximations: Vec<String>,
    pub trace: Option<Trace>,
    pub clock: Clock,
    /// Reason why it did not run to the end.
    pub halt: Option<Halt>,
}

impl Run<'_> {
    /// True if other replications would draw something else.
    pub fn is_drawn(&self, options: &Options) -> bool {
        self.random || (self.contended && options.arbitration == Arbitration::Seeded)
    }
}

/// Executions of a named process in one replication.
pub struct Timed {
    pub count: u64,
    /// Mean time of the executions.
    pub mean: f64,
    /// The exact mean, if time is counted in ticks.
    pub exact: Option<BigRational>,
}

/// A resource in one replication, in units of time.
pub struct Used {
    pub servers: u64,
    pub measured: Measured,
}

/// Makes one replication, starting with a clock.
///
/// # Errors
/// Fails with an error of the model or of a draw.
pub fn run<'m>(
    model: &'m Model,
    bindings: &'m BTreeMap<String, Value>,
    code: &Code<'m>,
    options: &Options,
    watch: &Watch,
    replication: u64,
    mut clock: Clock,
) -> Result<Run<'m>, Box<Diagnostic>> {
    loop {
        let context = Context {
            model,
            bindings,
            code,
            options,
            watch,
            replication,
            clock: &clock,
        };
        let (run, halt) = match clock.kind {
            Kind::Short => context.run::<u64>(),
            Kind::Long => context.run::<u128>(),
            Kind::Real => context.run::<Real>(),
        };
        match halt {
            Some(Halt::Escape(escape)) => clock = clock.after(escape),
            Some(Halt::Error(diagnostic)) => return Err(diagnostic),
            halt => return Ok(Run { halt, ..run }),
        }
    }
}

struct Context<'c, 'm> {
    model: &'m Model,
    bindings: &'m BTreeMap<String, Value>,
    code: &'c Code<'m>,
    options: &'c Options,
    watch: &'c Watch,
    replication: u64,
    clock: &'c Clock,
}

impl<'m> Context<'_, 'm> {
    fn run<T: Time>(&self) -> (Run<'m>, Option<Halt>) {
        let mut machine: Machine<'_, 'm, T> = Machine::new(
            self.model,
            self.bindings,
            self.code,
            self.options,
            self.watch,
            self.clock,
            self.replication,
        );
        let halt = machine.run().err();
        (self.tell(machine), halt)
    }

    fn tell<T: Time>(&self, mut machine: Machine<'_, 'm, T>) -> Run<'m> {
        let rate = self.clock.rate();
        let executions = machine.executions.iter();
        let processes = executions.map(|e| Timed {
            count: e.count,
            mean: e.time.to_f64() / rate / e.count.max(1) as f64,
            exact: e
                .time
                .to_exact()
                .map(|ticks| time::exact(ticks, self.clock) / BigInt::from(e.count.max(1))),
        });
        let servers = &machine.servers;
        let measuring = machine.measuring.take();
        let before = |number: u32| {
            let before = measuring
                .as_ref()
                .map(|own| own.before.get(number as usize));
            before.flatten().copied().unwrap_or_default()
        };
        let used = |number: u32| {
            let servers = &servers[number as usize];
            let measured = servers.measured.since(before(number));
            Used {
                servers: servers.count(),
                measured: Measured {
                    busy: measured.busy / rate,
                    queue: measured.queue / rate,
                    ..measured
                },
            }
        };
        let names = std::mem::take(&mut machine.names);
        let cycles = machine.cycles.iter();
        Run {
            time: machine.now.to_f64() / rate,
            processes: processes.collect(),
            resources: names
                .into_iter()
                .map(|((array, index), n)| ((Cow::Borrowed(array), index), used(n)))
                .collect(),
            measured_from: measuring
                .as_ref()
                .map_or(0.0, |own| own.from.to_f64() / rate),
            requests: measuring.map_or_else(Vec::new, |own| {
                own.times.iter().map(|time| time / rate).collect()
            }),
            cycles: cycles
                .map(|(sum, count)| (*count > 0).then(|| sum / *count as f64))
                .collect(),
            events: machine.events,
            random: machine.random,
            contended: machine.cut_short || machine.servers.iter().any(|servers| servers.contended),
            clipped: machine.clipped,
            approximations: machine.approximations(),
            trace: machine.trace.take(),
            clock: self.clock.clone(),
            halt: None,
        }
    }
}
