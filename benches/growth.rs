//! How time and memory grow with the model: the whole command, process start included, over
//! 10, 100, 1,000 and 10,000 different phases. `cargo bench --bench growth`
//!
//! The peak of memory is read from `/proc` once a millisecond, so it is only known on Linux.

mod models;

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

struct Measurement {
    elapsed: Duration,
    peak_kilobytes: Option<u64>,
    exit_code: Option<i32>,
}

/// Runs `pamela simplify` on a file and watches it.
fn measure(model: &Path) -> io::Result<Measurement> {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .arg("simplify")
        .arg(model)
        .stdout(Stdio::null())
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

fn main() -> io::Result<()> {
    let directory = std::env::temp_dir().join(format!("pamela-growth-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    println!(
        "{:>8} {:>8} {:>10} {:>12} {:>10}",
        "phases", "loops", "seconds", "us/phase", "peak MB"
    );
    for count in [10, 100, 1_000, 10_000] {
        let model = directory.join(format!("phases_{count}.pam"));
        std::fs::write(&model, models::phases(count))?;
        let measured = measure(&model)?;
        let seconds = measured.elapsed.as_secs_f64();
        let peak = measured
            .peak_kilobytes
            .map_or("?".to_string(), |kilobytes| {
                format!("{:.1}", kilobytes as f64 / 1024.0)
            });
        let note = if measured.exit_code == Some(0) {
            ""
        } else {
            "  (did not finish with exit code 0)"
        };
        println!(
            "{count:>8} {:>8} {seconds:>10.3} {:>12.1} {peak:>10}{note}",
            4 * count,
            seconds * 1e6 / count as f64
        );
    }
    std::fs::remove_dir_all(&directory)
}
