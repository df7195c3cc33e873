//! Builds and runs of the program that is profiled.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::problem::Problem;
use crate::source::Compiler;

const RUNTIME: &str = include_str!("runtime.c");
/// Of what a program prints, so much is compared.
const MOST_OUTPUT: usize = 64 << 20;

/// A directory that ends with its owner.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Result<Scratch, Problem> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("pamela-profile-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        match std::fs::create_dir(&path) {
            Ok(()) => Ok(Scratch(path)),
            Err(error) => Err(Problem::new(format!(
                "cannot make `{}`: {error}",
                path.display()
            ))),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind is in the directory for what may be left behind.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn write(path: &Path, text: &str) -> Result<(), Problem> {
    std::fs::write(path, text)
        .map_err(|error| Problem::new(format!("cannot write `{}`: {error}", path.display())))
}

/// Compiles texts in a language of the compiler, with the runtime of the probes.
///
/// # Errors
/// The compiler cannot be run, or refuses them.
pub fn build(
    scratch: &Scratch,
    name: &str,
    language: &str,
    texts: &[String],
    compiler: &Compiler,
    link: &[String],
    sites: usize,
) -> Result<PathBuf, Problem> {
    let binary = scratch.0.join(name);
    let runtime = scratch.0.join("runtime.c");
    write(&runtime, RUNTIME)?;
    let mut files = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let file = scratch.0.join(format!("{name}{number}.i"));
        write(&file, text)?;
        files.push(file);
    }
    let mut command = Command::new(&compiler.program);
    command
        .args(&compiler.options)
        .arg(format!("-DPAMELA_SITES={}", sites.max(1)))
        .args(["-x", language])
        .args(&files)
        .args(["-x", "c"])
        .arg(&runtime)
        .args(["-x", "none", "-o"])
        .arg(&binary)
        .args(link)
        .arg("-lm")
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| {
        Problem::new(format!("cannot run `{}`: {error}", compiler.program))
            .hint("name a C compiler by --cc")
    })?;
    if output.status.success() {
        return Ok(binary);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let error = said
        .lines()
        .find(|line| line.contains("error") || line.contains("undefined"));
    let error = error.or(said.lines().next()).unwrap_or("it says nothing");
    Err(Problem::new(format!(
        "`{}` cannot build the program: {}",
        compiler.program,
        error.trim()
    ))
    .hint("--cc names the compiler with its options, --link the libraries"))
}

/// What a run leaves behind.
pub struct Ran {
    /// What the runtime wrote.
    pub report: String,
    /// What the program printed, or the beginning of it.
    pub printed: Vec<u8>,
}

/// Runs a program.
///
/// # Errors
/// It cannot be started, it does not end in time, or it ends in another way than by success.
pub fn run(
    scratch: &Scratch,
    binary: &Path,
    arguments: &[String],
    threads: Option<u64>,
    timeout: Duration,
) -> Result<Ran, Problem> {
    let shown = || match arguments.is_empty() {
        true => "without arguments".to_string(),
        false => format!("with the arguments `{}`", arguments.join(" ")),
    };
    let cannot = |error: std::io::Error| Problem::new(format!("cannot run the program: {error}"));
    let [report, printed, said] = ["report", "printed", "said"].map(|name| scratch.0.join(name));
    let _ = std::fs::remove_file(&report);
    let file = |path: &Path| File::create(path).map_err(cannot);
    let mut command = Command::new(binary);
    command
        .args(arguments)
        .env("PAMELA_PROFILE", &report)
        .env("OMP_DYNAMIC", "false")
        .stdin(Stdio::null())
        .stdout(file(&printed)?)
        .stderr(file(&said)?);
    if let Some(threads) = threads {
        command.env("OMP_NUM_THREADS", threads.to_string());
    }
    let mut child = command.spawn().map_err(cannot)?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(cannot)? {
            break status;
        }
        if begun.elapsed() > timeout {
            // It may have ended just now.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Problem::new(format!(
                "the program does not end within {} s {}",
                timeout.as_secs_f64(),
                shown()
            ))
            .hint("--timeout gives it more"));
        }
        // Programs that end at once are not waited for long.
        std::thread::sleep(
            (begun.elapsed() / 20).clamp(Duration::from_micros(200), Duration::from_millis(20)),
        );
    };
    if !status.success() {
        let said = std::fs::read(&said).unwrap_or_default();
        let said = String::from_utf8_lossy(&said)
            .trim()
            .lines()
            .next()
            .unwrap_or_default()
            .to_string();
        let said = if said.is_empty() {
            said
        } else {
            format!(": {said}")
        };
        return Err(Problem::new(format!(
            "the program fails {} ({status}){said}",
            shown()
        )));
    }
    let report = std::fs::read_to_string(&report).map_err(|_| {
        Problem::new(format!("the program leaves no counts {}", shown()))
            .hint("it must end by `exit` or by the end of `main`")
    })?;
    let mut printed = std::fs::read(&printed).map_err(cannot)?;
    printed.truncate(MOST_OUTPUT);
    Ok(Ran { report, printed })
}
