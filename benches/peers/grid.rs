//! The greatest value of a formula over a grid, on one core: the command `pamela sweep` with its start, loops in C, and NumPy a
//! row of the grid at a time.

use std::io;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROWS: usize = 5_000;
const COLUMNS: usize = 10_000;
const RUNS: usize = 5;

const MODEL: &str = "numeric parameter N : integer >= 1
numeric parameter P : integer >= 1
numeric parameter a : > 0
numeric parameter b : > 0
numeric f = max(N*(a+b), P*N*b) + a*P*P/(1+N*b) + (N-P)*(a-b)*0.5
";

const C: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    double a = atof(argv[1]), b = atof(argv[2]), most = -1e300;
    long rows = atol(argv[3]), columns = atol(argv[4]);
    double *axis = malloc(columns * sizeof(double));
    for (long k = 0; k < columns; k++) axis[k] = k + 1;
    for (long row = 1; row <= rows; row++) {
        double P = row;
        for (long k = 0; k < columns; k++) {
            double N = axis[k], x = N * (a + b), y = P * N * b;
            double f = (x > y ? x : y) + a * P * P / (1 + N * b) + (N - P) * (a - b) * 0.5;
            most = f > most ? f : most;
        }
    }
    printf("%.17g\n", most);
}
"#;

const NUMPY: &str = "
import sys, numpy as np
a, b, rows, columns = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
N, most = np.arange(1.0, columns + 1), -1e300
for P in range(1, rows + 1):
    f = np.maximum(N*(a+b), P*N*b) + a*P*P/(1+N*b) + (N-P)*(a-b)*0.5
    most = max(most, f.max())
print(repr(float(most)))
";

/// Millions of points a second of a program, beyond what its start takes; nothing where it fails.
fn rate(program: impl Fn(usize) -> Command) -> Option<f64> {
    let seconds = |rows: usize| {
        let run = || {
            let start = Instant::now();
            let status = program(rows)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            status
                .is_ok_and(|status| status.success())
                .then(|| start.elapsed().as_secs_f64())
        };
        let runs: Option<Vec<f64>> = (0..RUNS).map(|_| run()).collect();
        runs.map(|runs| runs.into_iter().fold(f64::INFINITY, f64::min))
    };
    let points = ((ROWS - 1) * COLUMNS) as f64;
    Some(points / 1e6 / (seconds(ROWS)? - seconds(1)?))
}

pub fn table() -> io::Result<()> {
    let directory = std::env::temp_dir().join(format!("pamela-grid-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let path = |name: &str| directory.join(name);
    std::fs::write(path("f.pam"), MODEL)?;
    std::fs::write(path("f.c"), C)?;
    std::fs::write(path("f.py"), NUMPY)?;
    let options = ["-O3", "-march=native", "-ffp-contract=off", "-o"];
    let mut compiler = Command::new("cc");
    compiler.args(options).arg(path("f")).arg(path("f.c"));
    if !compiler.status().is_ok_and(|status| status.success()) {
        println!("no C compiler: its column is left out");
    }
    println!(
        "\nthe greatest of {} million points of a grid, millions of points a second",
        ROWS * COLUMNS / 1_000_000
    );
    println!(
        "{:<20}{:>8}{:>8}{:>8}{:>9}{:>9}",
        "", "ours", "C", "NumPy", "ours/C", "/NumPy"
    );
    for (name, a, b) in [("whole numbers", "10", "3"), ("decimals", "10", "0.1")] {
        let ours = rate(|rows| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pamela"));
            command.arg("sweep").arg(path("f.pam"));
            let given = [
                format!("P=1:{rows}"),
                format!("N=1:{COLUMNS}"),
                format!("a={a}"),
                format!("b={b}"),
            ];
            given.iter().for_each(|given| {
                command.args(["-D", given]);
            });
            command.args(["--aggregate", "max", "--threads", "1"]);
            command
        });
        let numbers = |mut command: Command, rows: usize| {
            command.args([a, b, &rows.to_string(), &COLUMNS.to_string()]);
            command
        };
        let c = rate(|rows| numbers(Command::new(path("f")), rows));
        let numpy = rate(|rows| {
            let mut python = super::python();
            python.arg(path("f.py")).env("OMP_NUM_THREADS", "1");
            numbers(python, rows)
        });
        let shown = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| format!("{rate:.0}"));
        let ratio = |other: Option<f64>| match (ours, other) {
            (Some(ours), Some(other)) => format!("{:.2}", ours / other),
            _ => "-".to_owned(),
        };
        println!(
            "{name:<20}{:>8}{:>8}{:>8}{:>9}{:>9}",
            shown(ours),
            shown(c),
            shown(numpy),
            ratio(c),
            ratio(numpy)
        );
    }
    std::fs::remove_dir_all(&directory)
}
