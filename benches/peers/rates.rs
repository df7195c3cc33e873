//! Points per second of formulas on one core: this library, with the bits of the exact value, a loop in C, NumPy, and numexpr.
//!
//! Ours depend on the numbers: whole ones and decimals of few digits are fractions of whole numbers, others pairs of doubles.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::time::Instant;

use pamela::Model;
use pamela::eval::certified::{Batch, CertifiedDouble, InputRange, Program};

/// Points of a pass, and of those that stay in the cache.
const POINTS: usize = 1 << 20;
const CACHED: usize = 2_048;
/// The shortest of so many passes over all points counts.
const PASSES: usize = 9;
const PARAMETERS: [&str; 4] = ["x", "y", "z", "w"];
/// The parameters are these multiples of the whole numbers up to 1000.
const SCALES: [f64; 4] = [1e3, 1.0, 0.5, 0.1];

/// One formula, as each of the tools writes it.
struct Formula {
    name: String,
    pamela: String,
    c: String,
    numpy: String,
    numexpr: String,
}

impl Formula {
    /// One that all write alike, but for `max`, `min`, `floor`, `log` and `exp`.
    fn common(name: &str, text: &str) -> Formula {
        let numpy = ["max", "min"].iter().fold(text.to_owned(), |text, name| {
            text.replace(&format!("{name}("), &format!("np.{name}imum("))
        });
        let numpy = ["floor", "log", "exp"].iter().fold(numpy, |text, name| {
            text.replace(&format!("{name}("), &format!("np.{name}("))
        });
        let fused = text.contains("max(") || text.contains("min(");
        Formula {
            name: name.to_owned(),
            pamela: text.to_owned(),
            c: text.replace("max(", "MAX(").replace("min(", "MIN("),
            numpy,
            numexpr: if fused {
                String::new()
            } else {
                text.to_owned()
            },
        }
    }

    fn different(name: &str, [pamela, c, numpy, numexpr]: [&str; 4]) -> Formula {
        Formula {
            name: name.to_owned(),
            pamela: pamela.to_owned(),
            c: c.to_owned(),
            numpy: numpy.to_owned(),
            numexpr: numexpr.to_owned(),
        }
    }
}

/// A sum of lines, of quotients and of largest ones among them.
fn long(name: &str, terms: usize) -> Formula {
    let text = (1..=terms).fold(String::from("z"), |mut text, k| {
        let term = match k % 3 {
            0 => format!(" + max({k} * x + y, {} * w * z)", k + 7),
            1 => format!(" + (x + {k} * w) / (y + {k})"),
            _ => format!(" + {k} * y * (z - {k})"),
        };
        text.write_str(&term).expect("a string takes all");
        text
    });
    Formula::common(name, &text)
}

fn formulas() -> Vec<Formula> {
    let fourteen = "max(x * (z + w) + y, x * y * w, z * z - 2 * w) + x / y + min(z, w)";
    vec![
        Formula::common("5 operations", "x * max(z + w, y * w) + 1"),
        Formula {
            c: "MAX(MAX(x * (z + w) + y, x * y * w), z * z - 2 * w) + x / y + MIN(z, w)".to_owned(),
            numpy: "np.maximum(np.maximum(x * (z + w) + y, x * y * w), z * z - 2 * w) + x / y + np.minimum(z, w)"
                .to_owned(),
            ..Formula::common("14 operations", fourteen)
        },
        long("67 operations", 16),
        long("277 operations", 66),
        Formula::common("floor", "floor(x / z) * y"),
        Formula::different(
            "mod",
            [
                "x mod y + z",
                "(x - y * floor(x / y)) + z",
                "np.mod(x, y) + z",
                "x % y + z",
            ],
        ),
        Formula::different(
            "brackets",
            [
                "(x > 7 * y) * (x - z) + (w < y) * z",
                "(x > 7 * y) * (x - z) + (w < y) * z",
                "(x > 7 * y) * (x - z) + (w < y) * z",
                "where(x > 7 * y, x - z, 0) + where(w < y, z, 0)",
            ],
        ),
        Formula::different("x^7", ["x^7 + y", "POWER7(x) + y", "x**7 + y", "x**7 + y"]),
        Formula::different("x^y", ["w^(y / 100)", "pow(w, y / 100)", "w**(y / 100)", "w**(y / 100)"]),
        Formula::common("log", "log(x) * y"),
        Formula::common("exp", "exp(w / 10) * y"),
        Formula::different("H", ["H(y) * x", "", "", ""]),
    ]
}

fn best(mut pass: impl FnMut()) -> f64 {
    let seconds = (0..PASSES).map(|_| {
        let start = Instant::now();
        pass();
        start.elapsed().as_secs_f64()
    });
    seconds.fold(f64::INFINITY, f64::min)
}

/// What the columns of a formula hold.
#[derive(Clone, Copy)]
enum Digits {
    Whole,
    Decimals,
    /// As many as a double has.
    All,
}

impl Digits {
    /// A column at each of its points, with what is known of it.
    fn column(self, scale: f64) -> (Vec<CertifiedDouble>, Option<InputRange>) {
        let scale = match self {
            Digits::Whole => scale.ceil(),
            Digits::Decimals => scale,
            Digits::All => scale * 1.000_000_123_456_7,
        };
        let values: Vec<f64> = (0..CACHED).map(|k| scale * (1 + k % 1000) as f64).collect();
        // Decimals are those that these print as.
        let short = |x: f64| format!("{x:.1}").parse().unwrap_or(x);
        let values: Vec<f64> = match self {
            Digits::Decimals => values.into_iter().map(short).collect(),
            _ => values,
        };
        let range = match self {
            Digits::Whole => InputRange::of_decimals(&values, 0),
            Digits::Decimals => InputRange::of_decimals(&values, 1),
            Digits::All => InputRange::of_decimals(&values, u32::MAX),
        };
        (
            values
                .into_iter()
                .map(CertifiedDouble::of_decimal)
                .collect(),
            range,
        )
    }
}

/// Points per second in the cache; no number for what is irrational.
fn ours(formula: &Formula, digits: Digits) -> f64 {
    let declared: String = PARAMETERS
        .iter()
        .map(|name| format!("numeric parameter {name} : > 0\n"))
        .collect();
    let text = format!("{declared}numeric r = {}\n", formula.pamela);
    let model = Model::parse(&text).expect("the model is right");
    let simplified = model.simplify(&Default::default()).expect("it closes");
    let closed = &simplified.equations[0].formula;
    let mut compiler = Program::compiler(closed.arena(), &PARAMETERS);
    if compiler.add(closed.root()).is_err() {
        return f64::NAN;
    }
    let program = compiler.finish();
    let columns = SCALES.map(|scale| digits.column(scale));
    let ranges = columns.each_ref().map(|(_, range)| *range);
    let part = |of: fn(&CertifiedDouble) -> f64| {
        let part = |(column, _): &(Vec<CertifiedDouble>, _)| column.iter().map(of).collect();
        columns.each_ref().map(part)
    };
    let parts: [[Vec<f64>; 4]; 3] = [part(|x| x.high), part(|x| x.low), part(|x| x.error)];
    let batches: Vec<Batch> = (0..PARAMETERS.len())
        .map(|k| {
            let [high, low, error] = parts.each_ref().map(|part| &part[k][..]);
            if low.iter().chain(error).all(|&x| x == 0.0) {
                Batch::Exact(high)
            } else {
                Batch::Pairs { high, low, error }
            }
        })
        .collect();
    let mut scratch = program.scratch();
    let mut results = vec![0.0; CACHED];
    let seconds = best(|| {
        for _ in (0..POINTS).step_by(CACHED) {
            let both = (&batches[..], &ranges[..]);
            program.evaluate_in(both, CACHED, &mut scratch, &mut [&mut results]);
        }
    });
    POINTS as f64 / seconds
}

/// A program that prints the rate of a loop for each formula, in the cache.
fn c_program(formulas: &[Formula]) -> String {
    let mut text = format!(
        "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n\
         #define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n\
         #define POINTS {POINTS}\n#define CACHED {CACHED}\n\
         static double now(void) {{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); \
         return t.tv_sec + 1e-9 * t.tv_nsec; }}\n\
         static inline double POWER7(double x) {{ double s = x * x; return s * s * s * x; }}\n"
    );
    for (position, formula) in formulas.iter().enumerate() {
        if formula.c.is_empty() {
            continue;
        }
        writeln!(
            text,
            "__attribute__((noinline)) static void f{position}(long n, const double *restrict xs, const double \
             *restrict ys, const double *restrict zs, const double *restrict ws, double *restrict out) {{\n\
             for (long k = 0; k < n; k++) {{ double x = xs[k], y = ys[k], z = zs[k], w = ws[k]; (void)x; (void)y; \
             (void)z; (void)w; out[k] = {}; }} }}",
            formula.c
        )
        .expect("a string takes all");
    }
    text.push_str(
        "int main(void) { double *c[5]; double scale[4] = {1e3, 1, 0.5, 0.1};\n\
         for (int j = 0; j < 5; j++) { c[j] = malloc(POINTS * sizeof(double)); \
         for (long k = 0; k < POINTS; k++) c[j][k] = j < 4 ? scale[j] * (1 + k % 1000) : 0; }\n",
    );
    for (position, formula) in formulas.iter().enumerate() {
        if formula.c.is_empty() {
            text.push_str("printf(\"nan\\n\");\n");
            continue;
        }
        writeln!(
            text,
            "{{ double cached = 1e9; for (int pass = 0; pass < {PASSES}; pass++) {{ double t = now(); \
             for (long k = 0; k < POINTS / CACHED; k++) {{ f{position}(CACHED, c[0], c[1], c[2], c[3], c[4]); \
             __asm__ volatile(\"\" ::: \"memory\"); }} double u = now(); if (u - t < cached) cached = u - t; }} \
             printf(\"%g\\n\", POINTS / cached); }}"
        )
        .expect("a string takes all");
    }
    text.push_str("return 0; }\n");
    text
}

/// The rate for each formula; nothing where there is no compiler.
fn c_rates(formulas: &[Formula]) -> io::Result<Option<Vec<f64>>> {
    let directory = std::env::temp_dir().join(format!("pamela-peers-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let (source, program) = (directory.join("loops.c"), directory.join("loops"));
    std::fs::write(&source, c_program(formulas))?;
    let options = ["-O3", "-march=native", "-fno-math-errno", "-o"];
    let compiled = Command::new("cc")
        .args(options)
        .arg(&program)
        .arg(&source)
        .arg("-lm")
        .status();
    if !compiled.is_ok_and(|status| status.success()) {
        return Ok(None);
    }
    let output = Command::new(&program).output()?;
    std::fs::remove_dir_all(&directory)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rates = text
        .lines()
        .map(|line| line.trim().parse().unwrap_or(f64::NAN));
    Ok(Some(rates.collect()))
}

/// For each formula the rates of NumPy and of numexpr; no numbers where they are missing.
fn python_rates(formulas: &[Formula]) -> io::Result<Vec<[f64; 2]>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/numpy_peer.py");
    let mut child = super::python()
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut requests = child.stdin.take().expect("it is piped");
    for formula in formulas {
        // A peer that has ended, for want of a package, reads no more.
        if writeln!(
            requests,
            "{};{};{}",
            formula.name, formula.numpy, formula.numexpr
        )
        .is_err()
        {
            break;
        }
    }
    drop(requests);
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let pair = |line: &str| {
        let mut fields = line.split(';').skip(1);
        [(); 2].map(|()| {
            fields
                .next()
                .and_then(|n| n.parse().ok())
                .unwrap_or(f64::NAN)
        })
    };
    let mut rates: Vec<[f64; 2]> = text.lines().map(pair).collect();
    rates.resize(formulas.len(), [f64::NAN; 2]);
    Ok(rates)
}

pub fn table() -> io::Result<()> {
    let formulas = formulas();
    let c = c_rates(&formulas)?;
    let python = python_rates(&formulas)?;
    println!(
        "millions of points a second, one core, in the cache; ours of whole numbers, of decimals, of any doubles"
    );
    println!(
        "{:<16}{:>8}{:>10}{:>8}{:>8}{:>8}{:>9}{:>9}{:>9}",
        "formula", "whole", "decimals", "any", "C", "NumPy", "numexpr", "whole/C", "any/C"
    );
    for (position, formula) in formulas.iter().enumerate() {
        let own = [Digits::Whole, Digits::Decimals, Digits::All];
        let [whole, decimals, any] = own.map(|digits| ours(formula, digits));
        let c = c.as_ref().map_or(f64::NAN, |rates| rates[position]);
        let [numpy, numexpr] = python[position];
        let millions = |rate: f64| {
            if rate.is_nan() {
                "-".to_owned()
            } else {
                format!("{:.0}", rate / 1e6)
            }
        };
        let ratio = |ratio: f64| {
            if ratio.is_nan() {
                "-".to_owned()
            } else {
                format!("{ratio:.2}")
            }
        };
        println!(
            "{:<16}{:>8}{:>10}{:>8}{:>8}{:>8}{:>9}{:>9}{:>9}",
            formula.name,
            millions(whole),
            millions(decimals),
            millions(any),
            millions(c),
            millions(numpy),
            millions(numexpr),
            ratio(whole / c),
            ratio(any / c),
        );
    }
    Ok(())
}
