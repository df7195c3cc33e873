//! Runs of the whole command, process start included, with their time and peak of memory.
//!
//! The peak is read from `/proc` once a millisecond, so it is only known on Linux.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub struct Measurement {
    pub elapsed: Duration,
    peak_kilobytes: Option<u64>,
    pub exit_code: Option<i32>,
}

impl Measurement {
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
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_kilobytes = None;
    loop {
        if let Some(exit) = child.try_wait()? {
            return Ok(Measurement {
                elapsed: start.elapsed(),
                peak_kilobytes,
                exit_code: exit.code(),
            });
        }
        peak_kilobytes = peak_kilobytes.max(high_water_mark(&status_file));
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn high_water_mark(status_file: &str) -> Option<u64> {
    let status = std::fs::read_to_string(status_file).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
