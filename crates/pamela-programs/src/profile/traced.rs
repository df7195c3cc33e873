//! Runs MPI programs with a library that records their calls.

use std::path::Path;
use std::process::{Command, Stdio};

use super::execute::{Advice, Scratch, Start, write};
use super::points::{Counts, Values, filled, points};
use super::{Plan, Watch, shown};
use crate::problem::Problem;
use crate::source::{Compiler, MPI_HINT};

const LIBRARY: &str = include_str!("messages.c");
/// Name of the number of ranks.
pub const RANKS: &str = "P";

/// What each rank of a run wrote.
pub struct Traced {
    pub point: Values,
    pub reports: Vec<String>,
}

/// Runs a built program, the file of the plan, once at each point, with the preloaded library.
///
/// # Errors
/// Fails if the plan is invalid, if there is no compiler of MPI, if the program does not use MPI, or if a run fails.
pub fn trace(plan: &Plan, watch: &mut Watch) -> Result<Vec<Traced>, Problem> {
    let [program] = &plan.files[..] else {
        return Err(Problem::new("--mpi profiles one program"));
    };
    let counts = Counts {
        threads: None,
        ranks: Some(RANKS.to_string()),
    };
    let points = points(plan, &counts)?;
    let path = Path::new(program);
    if !path.is_file() {
        return Err(Problem::new(format!("there is no program `{program}`"))
            .hint("build it first; the file is the program that runs, in any language"));
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let scratch = Scratch::new()?;
    let library = library(&scratch, &plan.compiler)?;
    let mut all = Vec::new();
    for (done, point) in points.iter().enumerate() {
        watch(done + 1, points.len(), &shown(point, "messages"));
        let words = |words: &[String]| -> Vec<String> {
            words.iter().map(|word| filled(word, point, 1)).collect()
        };
        let mut launcher = words(&plan.run);
        launcher.extend(["env".to_string(), format!("LD_PRELOAD={library}")]);
        let start = Start {
            launcher,
            arguments: words(&plan.arguments),
            threads: None,
            timeout: plan.timeout,
            stdin: plan.stdin.clone(),
            advice: Advice {
                none: format!(
                    "`{program}` must be linked dynamically with the MPI of `{}`, and call MPI_Init and MPI_Finalize",
                    plan.compiler.program
                ),
                some: "each rank must call MPI_Finalize, on this machine".to_string(),
            },
        };
        let ran = start.run(&scratch, &path)?;
        all.push(Traced {
            point: point.clone(),
            reports: ran.reports,
        });
    }
    Ok(all)
}

/// Compiles the library, and gives its path.
fn library(scratch: &Scratch, compiler: &Compiler) -> Result<String, Problem> {
    let [source, library] = ["messages.c", "messages.so"].map(|name| scratch.0.join(name));
    write(&source, LIBRARY)?;
    let mut command = Command::new(&compiler.program);
    command
        .args(&compiler.options)
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(&source)
        .args(["-ldl", "-lpthread"])
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| {
        Problem::new(format!("cannot run `{}`: {error}", compiler.program)).hint(MPI_HINT)
    })?;
    if output.status.success() {
        return Ok(library.display().to_string());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let error = said.lines().find(|line| line.contains("error"));
    let error = error.or(said.lines().next()).unwrap_or("without a message");
    Err(Problem::new(format!(
        "`{}` cannot build the library that records messages: {}",
        compiler.program,
        error.trim()
    ))
    .hint(MPI_HINT))
}
