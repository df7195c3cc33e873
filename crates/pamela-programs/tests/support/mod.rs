//! Profiles of programs that are written down in the tests.

#![allow(clippy::expect_used, reason = "what a test needs")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use pamela_programs::Options;
use pamela_programs::profile::{Plan, Profile, profile};
use pamela_programs::source::{self, Compiler};

/// A directory of its own for one test.
pub fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory for the test");
    directory
}

/// What came of a profile.
pub struct Profiled {
    pub result: Result<Profile, String>,
    pub runs: usize,
    pub file: PathBuf,
}

/// Profiles a program, with a plan that may be another one.
pub fn run(directory: &Path, text: &str, change: impl Fn(&mut Plan)) -> Profiled {
    run_part(directory, text, &Options::default(), change)
}

/// The same of the part of a program that the options name.
pub fn run_part(
    directory: &Path,
    text: &str,
    options: &Options,
    change: impl Fn(&mut Plan),
) -> Profiled {
    let path = directory.join("program.c");
    std::fs::write(&path, text).expect("the program can be written");
    let compiler = Compiler::default();
    let unit = source::read(&path, &compiler, &[]).expect("it is read");
    let mut plan = Plan {
        compiler,
        link: Vec::new(),
        files: vec!["program.c".to_string()],
        arguments: vec!["{n}".to_string(), "{seed}".to_string()],
        run: Vec::new(),
        axes: vec![("n".to_string(), vec![20.0])],
        seeds: 1,
        runs: 1,
        timeout: Duration::from_secs(20),
        stdin: None,
        check_output: true,
    };
    change(&mut plan);
    let file = directory.join("profile.json");
    let mut runs = 0;
    let result = profile(&[unit], options, &plan, &file, &mut |_, _, _| runs += 1);
    let result = result
        .map(|(profile, _)| profile)
        .map_err(|error| error.to_string());
    Profiled { result, runs, file }
}
