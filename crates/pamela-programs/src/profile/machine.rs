//! Measures the times of OpenMP and MPI operations on this machine.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::execute::{Advice, Build, RunOutput, Scratch, Start, build};
use super::points::filled;
use crate::problem::Problem;
use crate::source::{Compiler, MPI_HINT};

const OPENMP: &str = include_str!("machine.c");
const MPI: &str = include_str!("machine_mpi.c");

/// Names of the OpenMP times in models.
pub const OVERHEADS: [&str; 6] = [
    "t_fork",
    "t_barrier",
    "t_chunk",
    "t_lock",
    "t_combine",
    "t_task",
];

/// A time of the models, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overhead {
    /// Name of the time, one of [`OVERHEADS`].
    pub name: String,
    pub seconds: f64,
}

/// Builds and runs a small program that measures the OpenMP times with this many threads: medians of 31 repetitions.
///
/// # Errors
/// Fails if the compiler cannot build the program, or if it does not end in time.
pub fn overheads(
    compiler: &Compiler,
    threads: u64,
    timeout: Duration,
) -> Result<Vec<Overhead>, Problem> {
    let start = Start {
        launcher: Vec::new(),
        arguments: Vec::new(),
        threads: Some(threads),
        timeout,
        stdin: None,
        advice: Advice::default(),
    };
    let ran = measure(OPENMP, compiler, &start, false)?;
    let overhead = |line: &str| {
        let (name, time) = line.split_once(' ')?;
        Some(Overhead {
            name: name.to_string(),
            seconds: 1e-9 * time.parse::<f64>().ok()?,
        })
    };
    lines(&ran, overhead)
}

/// A time in seconds, measured with messages of this many bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// `message`, `operation`, or the name of a collective operation in models.
    pub what: String,
    pub bytes: u64,
    pub seconds: f64,
}

/// Builds and runs a small program that measures messages and collective operations: medians of 31 repetitions. `run`
/// starts it, with `{P}` for the number of ranks.
///
/// # Errors
/// Fails if MPI is missing, if `run` starts another number of ranks, or if it does not end in time.
pub fn messages(
    compiler: &Compiler,
    run: &[String],
    ranks: u64,
    timeout: Duration,
) -> Result<Vec<Timed>, Problem> {
    let point = BTreeMap::from([("P".to_string(), ranks as f64)]);
    let start = Start {
        launcher: run.iter().map(|word| filled(word, &point, 1)).collect(),
        arguments: Vec::new(),
        threads: None,
        timeout,
        stdin: None,
        advice: Advice::default(),
    };
    let ran = measure(MPI, compiler, &start, true)?;
    if ran.reports.len() as u64 != ranks {
        let found = ran.reports.len();
        return Err(Problem::new(format!(
            "`{}` starts {found} ranks, not {ranks}",
            run.join(" ")
        ))
        .hint("write {P} for the number of ranks: --run 'mpirun -n {P}'"));
    }
    let timed = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [what, bytes, time] = words[..] else {
            return None;
        };
        Some(Timed {
            what: what.to_string(),
            bytes: bytes.parse().ok()?,
            seconds: 1e-9 * time.parse::<f64>().ok()?,
        })
    };
    lines(&ran, timed)
}

fn measure(
    text: &str,
    compiler: &Compiler,
    start: &Start,
    mpi: bool,
) -> Result<RunOutput, Problem> {
    let scratch = Scratch::new()?;
    let wanted = Build {
        compiler,
        link: &[],
        language: "c",
        sites: 1,
        mpi,
    };
    let binary = build(&scratch, "machine", &[text.to_string()], &wanted);
    let binary = binary.map_err(|problem| if mpi { problem.hint(MPI_HINT) } else { problem })?;
    start.run(&scratch, &binary)
}

fn lines<T>(ran: &RunOutput, read: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, Problem> {
    let printed = String::from_utf8_lossy(&ran.printed);
    let found: Option<Vec<T>> = printed.lines().map(read).collect();
    found
        .filter(|found| !found.is_empty())
        .ok_or_else(|| Problem::new("the measuring program printed something other than times"))
}
