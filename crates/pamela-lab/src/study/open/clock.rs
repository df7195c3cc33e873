//! Computing time of one thread, independent of the load of the machine.

use std::time::Instant;

/// Ticks of a second, on every system that has this file.
const TICKS: f64 = 100.0;

pub struct Clock {
    started: Instant,
    processor: Option<f64>,
}

impl Clock {
    pub fn start() -> Clock {
        Clock {
            started: Instant::now(),
            processor: processor_seconds(),
        }
    }

    /// Processor time of this thread; elapsed time if the system does not report it.
    pub fn seconds(&self) -> f64 {
        match (self.processor, processor_seconds()) {
            (Some(before), Some(now)) => now - before,
            _ => self.started.elapsed().as_secs_f64(),
        }
    }
}

/// In user and system mode, fields 14 and 15 of `proc(5)`.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    // The name of the program may contain spaces, and ends with the last bracket.
    let (_, fields) = text.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11);
    let mut next = || ticks.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / TICKS)
}
