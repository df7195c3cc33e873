//! The calls of a rank, read from what the preloaded library writes.

use std::collections::BTreeMap;

/// More calls of a rank are not recorded, as `profile/messages.c` says.
pub const MOST_CALLS: u64 = 1_000_000;
/// No partner: none is meant, or `MPI_PROC_NULL`.
pub const NOBODY: i64 = -1;
/// `MPI_ANY_SOURCE`
pub const ANYBODY: i64 = -2;

/// A call of MPI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Name without `MPI_`.
    pub call: String,
    /// Key of the calls on the stack, equal in all ranks and runs.
    pub site: u64,
    /// Index into the communicators of the report.
    pub communicator: Option<usize>,
    pub numbers: Numbers,
}

/// What differs between executions of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The receiving rank of `MPI_COMM_WORLD`, or the root in its communicator.
    pub to: i64,
    /// Bytes sent, or those of the own part.
    pub sent: i64,
    pub from: i64,
    pub received: i64,
    /// Nanoseconds since the call before.
    pub gap: i64,
}

impl Event {
    /// Adds the call and its bytes to what is counted.
    pub fn count(&self, counted: &mut BTreeMap<String, (u64, u64)>) {
        let mut add = |what: &str, bytes: i64| {
            let own = counted.entry(what.to_string()).or_default();
            own.0 += 1;
            own.1 += bytes.unsigned_abs();
        };
        match Meaning::of(&self.call) {
            Meaning::Message => {
                let numbers = self.numbers;
                if numbers.to != NOBODY {
                    add("sent", numbers.sent);
                }
                if numbers.from != NOBODY {
                    add("received", numbers.received);
                }
            }
            Meaning::Wait | Meaning::End => {}
            Meaning::Together(kind) => add(kind, self.numbers.sent),
        }
    }
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Message,
    Wait,
    /// `MPI_Finalize`
    End,
    /// A call of all ranks, by its name in models.
    Together(&'static str),
}

impl Meaning {
    /// The meaning of a call by its name without `MPI_`.
    pub fn of(call: &str) -> Meaning {
        const TOGETHER: [(&str, &str); 10] = [
            ("barrier", "barrier"),
            ("bcast", "bcast"),
            ("reduce", "reduce"),
            ("allreduce", "allreduce"),
            ("gather", "gather"),
            ("scatter", "scatter"),
            ("allgather", "allgather"),
            ("alltoall", "alltoall"),
            ("scan", "scan"),
            ("exscan", "scan"),
        ];
        let lower = call.to_lowercase();
        let blocking = lower.strip_prefix('i').unwrap_or(&lower);
        if blocking.starts_with("reduce_scatter") {
            return Meaning::Together("reduce_scatter");
        }
        let plain = blocking.strip_suffix('v').unwrap_or(blocking);
        let found = TOGETHER.iter().find(|(name, _)| *name == plain);
        match found {
            Some((_, kind)) => Meaning::Together(kind),
            None if lower == "finalize" => Meaning::End,
            None if blocking.contains("send") || blocking.contains("recv") => Meaning::Message,
            None => Meaning::Wait,
        }
    }
}

/// The calls of a rank in their order.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub events: Vec<Event>,
    /// The ranks of `MPI_COMM_WORLD` in each communicator.
    pub communicators: Vec<Vec<i64>>,
    /// All calls, also those after the last event.
    pub calls: u64,
    /// Calls on communicators that are not known, such as those between two groups.
    pub unknown: u64,
}

/// Parses a report; none if it is incomplete.
pub fn read(text: &str) -> Option<Report> {
    let mut reader = Reader::default();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["site", _, key] => reader.sites.push(u64::from_str_radix(key, 16).ok()?),
            ["comm", _, ref ranks @ ..] => {
                let ranks = ranks.iter().map(|rank| rank.parse().ok());
                let ranks = ranks.collect::<Option<Vec<i64>>>()?;
                reader.report.communicators.push(ranks);
            }
            ["done", handle, source, bytes] => {
                reader.complete(handle, source.parse().ok()?, bytes.parse().ok()?);
            }
            ["end", calls, unknown] => {
                reader.report.calls = calls.parse().ok()?;
                reader.report.unknown = unknown.parse().ok()?;
                return Some(reader.report);
            }
            [call, site, shift, ref numbers @ .., handle] => {
                let numbers = numbers.iter().map(|number| number.parse().ok());
                let numbers = numbers.collect::<Option<Vec<i64>>>()?;
                reader.call(
                    call,
                    site.parse().ok()?,
                    shift.parse().ok()?,
                    &numbers,
                    handle,
                )?;
            }
            _ => return None,
        }
    }
    None
}

#[derive(Debug, Default)]
struct Reader {
    report: Report,
    sites: Vec<u64>,
    /// The last event of each request.
    requests: BTreeMap<String, usize>,
    /// Messages of persistent requests, which are sent at each start.
    persistent: BTreeMap<String, Event>,
}

impl Reader {
    fn call(
        &mut self,
        call: &str,
        site: usize,
        shift: u64,
        numbers: &[i64],
        handle: &str,
    ) -> Option<()> {
        let [gap, communicator, to, sent, from, received] = numbers[..] else {
            return None;
        };
        let site = self
            .sites
            .get(site)
            .copied()
            .unwrap_or_default()
            .wrapping_add(shift);
        let numbers = Numbers {
            to,
            sent,
            from,
            received,
            gap,
        };
        let mut event = Event {
            call: call.to_string(),
            site,
            communicator: usize::try_from(communicator).ok(),
            numbers,
        };
        let own = event.communicator;
        if let (Meaning::Together(_), Some(own)) = (Meaning::of(call), own) {
            // Roots are ranks of their communicator.
            let ranks = self.report.communicators.get(own)?;
            let root = ranks.iter().position(|rank| *rank == to);
            event.numbers.to = root.map_or(NOBODY, |root| root as i64);
        }
        if let Some(started) = call.strip_suffix("_init") {
            event.call = format!("I{}", started.to_lowercase());
            self.persistent.insert(handle.to_string(), event);
            return Some(());
        }
        if call == "Start" {
            let Some(known) = self.persistent.get(handle) else {
                self.report.unknown += 1;
                return Some(());
            };
            let numbers = Numbers {
                gap,
                ..known.numbers
            };
            event = Event {
                site,
                numbers,
                ..known.clone()
            };
        }
        if handle != "0" {
            self.requests
                .insert(handle.to_string(), self.report.events.len());
        }
        self.report.events.push(event);
        Some(())
    }

    /// A receive was posted for at most so many bytes, perhaps from anybody; what came is known at its end.
    fn complete(&mut self, handle: &str, source: i64, bytes: i64) {
        let posted = self.requests.remove(handle);
        let Some(event) = posted.and_then(|place| self.report.events.get_mut(place)) else {
            return;
        };
        if event.call != "Irecv" || event.numbers.from == NOBODY {
            return;
        }
        let ranks = event
            .communicator
            .and_then(|own| self.report.communicators.get(own));
        if let Some(rank) = usize::try_from(source)
            .ok()
            .and_then(|source| ranks?.get(source))
        {
            event.numbers.from = *rank;
            event.numbers.received = bytes;
        }
    }
}
