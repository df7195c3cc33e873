//! Lists of programs that are measured: `programs.json` in the directory of the programs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use crate::lowering::Options;
use crate::problem::Problem;
use crate::profile::Plan;
use crate::source::{Compiler, words};

pub const FILE: &str = "programs.json";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    programs: Vec<ProgramEntry>,
}

/// An entry of the list of programs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramEntry {
    pub name: String,
    /// Source files, relative to the directory of the list.
    pub files: Vec<PathBuf>,
    pub entry: Option<String>,
    #[serde(default = "compiler")]
    pub cc: String,
    #[serde(default)]
    pub link: Vec<String>,
    /// Names of arguments: `n` for `argv[1]`.
    #[serde(default)]
    pub param: BTreeMap<String, usize>,
    /// The values of each parameter, all with those of the others.
    pub points: BTreeMap<String, Vec<f64>>,
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Command that starts the program: `mpirun -n {P}`.
    #[serde(default)]
    pub run: String,
    /// The parameter with the number of threads, if it is a program argument.
    pub threads: Option<String>,
    #[serde(default = "one")]
    pub seeds: u64,
    /// Number of timed runs at each point.
    #[serde(default = "eleven")]
    pub runs: usize,
    /// Time limit of a run in seconds.
    #[serde(default = "minute")]
    pub timeout: f64,
    /// Values of parameters that neither the program nor a profile determines.
    #[serde(default)]
    pub values: BTreeMap<String, f64>,
    /// Target of the mean error, in per cent.
    pub asked: Option<f64>,
}

fn compiler() -> String {
    "cc -O2 -fopenmp".to_string()
}

fn one() -> u64 {
    1
}

fn eleven() -> usize {
    11
}

fn minute() -> f64 {
    60.0
}

/// The programs in the list of a directory, with the paths of their files.
///
/// # Errors
/// Fails if the list is missing or malformed, if a name occurs twice, or if a name cannot be a file name.
pub fn read(directory: &Path) -> Result<Vec<ProgramEntry>, Problem> {
    let file = directory.join(FILE);
    let shown = file.display();
    let text = std::fs::read_to_string(&file).map_err(|error| {
        Problem::new(format!("cannot read `{shown}`: {error}"))
            .hint("a directory of programs has a list of them, as docs/how-to/programs.md says")
    })?;
    let manifest: Manifest = serde_json::from_str(&text)
        .map_err(|error| Problem::new(format!("`{shown}` is not a list of programs: {error}")))?;
    let mut names = BTreeSet::new();
    let mut programs = manifest.programs;
    for program in &mut programs {
        let is_name = |name: &str| {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            !name.is_empty() && name.chars().all(is_part)
        };
        if !is_name(&program.name) || !names.insert(program.name.clone()) {
            return Err(Problem::new(format!(
                "`{shown}`: `{}` is no name of letters, digits, `_` and `-` that only one program has",
                program.name
            )));
        }
        if program.files.is_empty() {
            return Err(Problem::new(format!(
                "`{shown}`: `{}` has no file",
                program.name
            )));
        }
        for file in &mut program.files {
            *file = directory.join(&*file);
        }
    }
    Ok(programs)
}

impl ProgramEntry {
    /// The profile next to the first file: `matmul.json` of `matmul.c`.
    pub fn recorded(&self) -> PathBuf {
        let first = self.files.first();
        first.map_or_else(PathBuf::new, |file| file.with_extension("json"))
    }

    pub fn options(&self) -> Options {
        Options {
            entry: self.entry.clone(),
            arguments: self
                .param
                .iter()
                .map(|(name, k)| (name.clone(), *k))
                .collect(),
            ..Options::default()
        }
    }

    /// # Errors
    /// Fails if the compiler command or the start command is empty, or if the time limit is not positive.
    pub fn plan(&self) -> Result<Plan, Problem> {
        let timeout = Duration::try_from_secs_f64(self.timeout)
            .ok()
            .filter(|timeout| !timeout.is_zero());
        let timeout = timeout.ok_or_else(|| {
            Problem::new(format!(
                "`{}`: `timeout` is a number of seconds above 0",
                self.name
            ))
        })?;
        Ok(Plan {
            compiler: Compiler::read(&self.cc)?,
            link: self.link.clone(),
            files: self
                .files
                .iter()
                .map(|file| file.display().to_string())
                .collect(),
            arguments: self.arguments.clone(),
            run: words(&self.run)?,
            axes: self
                .points
                .iter()
                .map(|(name, values)| (name.clone(), values.clone()))
                .collect(),
            seeds: self.seeds,
            runs: self.runs,
            timeout,
            stdin: None,
            check_output: false,
        })
    }
}
