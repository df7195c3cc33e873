//! Runs of the whole command, process start included, with their processor time and peak of memory.
//!
//! Both are read from `/proc` once a millisecond; where there is none, the time that passed stands for the first.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub struct Measurement {
    elapsed: Duration,
    processor: Option<Duration>,
    peak_kilobytes: Option<u64>,
    pub exit_code: Option<i32>,
}

impl Measurement {
    pub fn seconds(&self) -> f64 {
        self.processor.unwrap_or(self.elapsed).as_secs_f64()
    }

    /// The peak of memory in MB, or a question mark where it is not known.
    pub fn peak(&self) -> String {
        let megabytes = |kilobytes: u64| format!("{:.1}", kilobytes as f64 / 1024.0);
        self.peak_kilobytes.map_or("?".to_string(), megabytes)
    }
}

/// Runs `pamela COMMAND MODEL ARGUMENTS..` and watches it; what it prints goes to `output`.
pub fn measure(
    command: &str,
    model: &Path,
    arguments: &[&str],
    output: Stdio,
) -> io::Result<Measurement> {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .arg(command)
        .arg(model)
        .args(arguments)
        .stdout(output)
        .stderr(Stdio::null())
        .spawn()?;
    let directory = format!("/proc/{}", child.id());
    let (mut peak_kilobytes, mut processor) = (None, None);
    loop {
        if let Some(exit) = child.try_wait()? {
            return Ok(Measurement {
                elapsed: start.elapsed(),
                processor,
                peak_kilobytes,
                exit_code: exit.code(),
            });
        }
        peak_kilobytes = peak_kilobytes.max(high_water_mark(&directory));
        processor = processor.max(processor_time(&directory));
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn high_water_mark(directory: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("{directory}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// In the user's and the system's code, in steps of 1/100 s.
fn processor_time(directory: &str) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("{directory}/stat")).ok()?;
    // What stands before may have blanks in it.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 10))
}
