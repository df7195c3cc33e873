//! What OpenMP takes on this machine.

use std::time::Duration;

use serde::Serialize;

use super::execute::{Scratch, build, run};
use crate::problem::Problem;
use crate::source::Compiler;

const PROGRAM: &str = include_str!("machine.c");

/// A time of the models, in seconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overhead {
    /// `t_fork`, `t_barrier`, `t_chunk`, `t_lock`, `t_combine` or `t_task`.
    pub name: String,
    pub seconds: f64,
}

/// Builds and runs a small program that measures them, with so many threads: medians of 31 repetitions.
///
/// # Errors
/// The compiler cannot build it, or it does not end in time.
pub fn overheads(
    compiler: &Compiler,
    threads: u64,
    timeout: Duration,
) -> Result<Vec<Overhead>, Problem> {
    let scratch = Scratch::new()?;
    let texts = [PROGRAM.to_string()];
    let binary = build(&scratch, "machine", "c", &texts, compiler, &[], 1)?;
    let ran = run(&scratch, &binary, &[], Some(threads), timeout)?;
    let printed = String::from_utf8_lossy(&ran.printed).into_owned();
    let overhead = |line: &str| {
        let (name, time) = line.split_once(' ')?;
        Some(Overhead {
            name: name.to_string(),
            seconds: 1e-9 * time.parse::<f64>().ok()?,
        })
    };
    let found: Option<Vec<Overhead>> = printed.lines().map(overhead).collect();
    found
        .filter(|found| !found.is_empty())
        .ok_or_else(|| Problem::new("the measuring program prints something else than times"))
}
