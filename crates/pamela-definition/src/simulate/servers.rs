//! Servers of resources, their queues, and measurements of both.

use std::collections::VecDeque;

use super::time::Time;

/// A request in a queue, by the frame that waits under this ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub frame: u32,
    pub ticket: u64,
}

/// The servers of one resource; first come, first served.
pub struct Servers<T> {
    servers: u64,
    busy: u64,
    /// Waiting requests. Requests of stopped frames are removed when they are reached, or when they are the majority.
    queue: VecDeque<Waiting>,
    /// Number of requests that wait.
    length: usize,
    last: T,
    /// Time of the latest request, number of requests at that time, and number of servers free for
    /// them.
    latest: Option<T>,
    tied: u64,
    free: u64,
    /// True if more requests arrived at one time than servers were free; their order then matters.
    pub contended: bool,
    pub measured: Measured,
}

/// Measurements of a resource; times are in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Measured {
    pub requests: u64,
    /// Number of requests whose service has begun.
    pub visits: u64,
    /// Integral of the number of busy servers over time.
    pub busy: f64,
    /// Integral of the length of the queue over time.
    pub queue: f64,
    pub longest: usize,
}

impl Measured {
    /// The measurements after earlier ones.
    pub fn since(self, before: Measured) -> Measured {
        Measured {
            requests: self.requests - before.requests,
            visits: self.visits - before.visits,
            busy: self.busy - before.busy,
            queue: self.queue - before.queue,
            longest: self.longest,
        }
    }
}

/// Shorter queues are not worth a search.
const FEW: usize = 64;

impl<T: Time> Servers<T> {
    pub fn new(servers: u64) -> Servers<T> {
        Servers {
            servers,
            busy: 0,
            queue: VecDeque::new(),
            length: 0,
            last: T::ZERO,
            latest: None,
            tied: 0,
            free: 0,
            contended: false,
            measured: Measured::default(),
        }
    }

    pub fn count(&self) -> u64 {
        self.servers
    }

    /// Number of waiting requests.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Measures up to `now`.
    pub fn measure(&mut self, now: T) {
        if now > self.last {
            let elapsed = now.since(self.last).to_f64();
            self.measured.busy += self.busy as f64 * elapsed;
            self.measured.queue += self.length() as f64 * elapsed;
            self.last = now;
        }
    }

    /// Handles a request; returns true if a server is free for it.
    pub fn request(&mut self, now: T, waiting: Waiting) -> bool {
        self.measure(now);
        self.measured.requests += 1;
        if self.latest.replace(now) != Some(now) {
            self.tied = 0;
            self.free = self.servers - self.busy;
        }
        self.tied += 1;
        // Also where a service of no length has made room in between.
        self.contended |= self.tied > self.free.max(1);
        if self.busy < self.servers {
            self.busy += 1;
            self.measured.visits += 1;
            return true;
        }
        self.queue.push_back(waiting);
        self.length += 1;
        self.measured.longest = self.measured.longest.max(self.length());
        false
    }

    /// Frees a server; returns the request that it serves next.
    pub fn release(&mut self, now: T, waits: impl Fn(&Waiting) -> bool) -> Option<Waiting> {
        self.measure(now);
        while let Some(next) = self.queue.pop_front() {
            if waits(&next) {
                self.length -= 1;
                self.measured.visits += 1;
                return Some(next);
            }
        }
        self.busy -= 1;
        None
    }

    /// Withdraws a waiting request; `waits` is true for those that still wait.
    pub fn leave(&mut self, now: T, waits: impl Fn(&Waiting) -> bool) {
        self.measure(now);
        self.length -= 1;
        if self.queue.len() >= FEW && self.length * 2 <= self.queue.len() {
            self.queue.retain(waits);
        }
    }
}
