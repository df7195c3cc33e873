//! How time and memory grow with the model: the whole command, process start included, over phases,
//! equations, resources, facts, conditions, degrees and fractions. `cargo bench --bench growth`
//!
//! Beside each size stands the exponent of growth from the one before: 1 is linear. The peak of memory is read from
//! `/proc` once a millisecond, so it is only known on Linux.

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

/// Runs `pamela` on a file and watches it.
fn measure(command: &str, model: &Path) -> io::Result<Measurement> {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .arg(command)
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

/// Models of one family, of growing size.
struct Family {
    name: &'static str,
    command: &'static str,
    model: fn(usize) -> String,
    sizes: &'static [usize],
}

const FAMILIES: [Family; 7] = [
    family("phases", models::phases, &[100, 1_000, 10_000, 50_000]),
    family("equations", models::independent, &[100, 1_000, 5_000]),
    family("resources", models::resources, &[100, 500, 1_000]),
    family("facts", models::facts, &[50, 100, 200]),
    family("conditions", models::conditions, &[100, 200, 400]),
    family("degree", models::degree, &[25, 50, 100]),
    Family {
        command: "eval",
        ..family("fractions", models::fractions, &[1_250, 2_500, 5_000])
    },
];

const fn family(name: &'static str, model: fn(usize) -> String, sizes: &'static [usize]) -> Family {
    Family {
        name,
        command: "simplify",
        model,
        sizes,
    }
}

fn main() -> io::Result<()> {
    let directory = std::env::temp_dir().join(format!("pamela-growth-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    println!(
        "{:<12} {:>8} {:>10} {:>10} {:>10}",
        "family", "size", "seconds", "peak MB", "exponent"
    );
    for family in &FAMILIES {
        let mut before: Option<(usize, f64)> = None;
        for &size in family.sizes {
            let model = directory.join(format!("{}_{size}.pam", family.name));
            std::fs::write(&model, (family.model)(size))?;
            let measured = measure(family.command, &model)?;
            let seconds = measured.elapsed.as_secs_f64();
            let peak = measured
                .peak_kilobytes
                .map_or("?".to_string(), |kilobytes| {
                    format!("{:.1}", kilobytes as f64 / 1024.0)
                });
            let exponent = before.map_or(String::new(), |(smaller, faster)| {
                let growth = (seconds / faster).ln() / (size as f64 / smaller as f64).ln();
                format!("{growth:.2}")
            });
            let note = if measured.exit_code == Some(0) {
                ""
            } else {
                "  (did not finish with exit code 0)"
            };
            let name = family.name;
            println!("{name:<12} {size:>8} {seconds:>10.3} {peak:>10} {exponent:>10}{note}");
            before = Some((size, seconds));
        }
    }
    std::fs::remove_dir_all(&directory)
}
