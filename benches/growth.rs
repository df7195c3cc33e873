//! How time and memory grow with the model: the whole command, process start included, over phases,
//! equations, resources, facts, conditions, degrees and fractions. `cargo bench --bench growth`
//!
//! Beside each size stands the exponent of growth from the one before: 1 is linear.

mod command;
mod models;

use std::io;
use std::process::Stdio;

use command::measure;

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
            let measured = measure(family.command, &model, &[], Stdio::null())?;
            let seconds = measured.elapsed.as_secs_f64();
            let peak = measured.peak();
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
