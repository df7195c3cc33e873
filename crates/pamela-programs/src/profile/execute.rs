//! Builds and runs the profiled program.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::problem::Problem;
use crate::source::Compiler;

const RUNTIME: &str = include_str!("runtime.c");
/// Number of bytes of output that are compared.
const MOST_OUTPUT: usize = 64 << 20;
/// The reports of ranks are called `report.0`, `report.1`, ..
const REPORT: &str = "report";
const SHORTEST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// Time for a launcher to end its ranks.
const GRACE: Duration = Duration::from_secs(5);

/// A directory that is removed with its owner.
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
        // A directory that cannot be removed is left among the temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn write(path: &Path, text: &str) -> Result<(), Problem> {
    std::fs::write(path, text)
        .map_err(|error| Problem::new(format!("cannot write `{}`: {error}", path.display())))
}

/// Build of a program.
pub struct Build<'a> {
    pub compiler: &'a Compiler,
    pub link: &'a [String],
    /// The language of the texts, as a compiler option.
    pub language: &'a str,
    /// Number of counted sites.
    pub sites: usize,
    /// True if it calls MPI.
    pub mpi: bool,
}

/// Compiles texts together with the runtime of the probes.
///
/// # Errors
/// Fails if the compiler cannot be run or rejects the program.
pub fn build(
    scratch: &Scratch,
    name: &str,
    texts: &[String],
    wanted: &Build,
) -> Result<PathBuf, Problem> {
    let compiler = wanted.compiler;
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
        .arg(format!("-DPAMELA_SITES={}", wanted.sites.max(1)))
        .args(wanted.mpi.then_some("-DPAMELA_MPI"))
        .args(["-x", wanted.language])
        .args(&files)
        .args(["-x", "c"])
        .arg(&runtime)
        .args(["-x", "none", "-o"])
        .arg(&binary)
        .args(wanted.link)
        .arg("-lm")
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| {
        Problem::new(format!("cannot run `{}`: {error}", compiler.program))
            .hint("choose a C compiler with --cc")
    })?;
    if output.status.success() {
        return Ok(binary);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let error = said
        .lines()
        .find(|line| line.contains("error") || line.contains("undefined"));
    let error = error.or(said.lines().next()).unwrap_or("without a message");
    Err(Problem::new(format!(
        "`{}` cannot build the program: {}",
        compiler.program,
        error.trim()
    ))
    .hint("--cc names the compiler with its options, --link the libraries"))
}

/// Command of a run.
pub struct Start {
    /// Launcher before the program: `mpirun -n 2`.
    pub launcher: Vec<String>,
    pub arguments: Vec<String>,
    pub threads: Option<u64>,
    pub timeout: Duration,
    /// File that the program reads as standard input.
    pub stdin: Option<PathBuf>,
    pub advice: Advice,
}

/// What to do where no rank, or not every rank, writes a report.
pub struct Advice {
    pub none: String,
    pub some: String,
}

impl Default for Advice {
    fn default() -> Advice {
        Advice {
            none: "the program must end with `exit` or at the end of `main`".to_string(),
            some: "each rank must end with `exit` or at the end of `main`, on this machine"
                .to_string(),
        }
    }
}

/// Results of a run.
pub struct RunOutput {
    /// Report of the probes, for each rank.
    pub reports: Vec<String>,
    /// Output of the program, or its beginning.
    pub printed: Vec<u8>,
}

impl Start {
    fn shown(&self) -> String {
        if self.arguments.is_empty() {
            "without arguments".to_string()
        } else {
            format!("with the arguments `{}`", self.arguments.join(" "))
        }
    }

    fn standard_input(&self) -> Result<Stdio, Problem> {
        let Some(file) = &self.stdin else {
            return Ok(Stdio::null());
        };
        let cannot = |error| Problem::new(format!("cannot read `{}`: {error}", file.display()));
        std::fs::File::open(file).map(Stdio::from).map_err(cannot)
    }

    /// Runs a program.
    ///
    /// # Errors
    /// Fails if the program cannot be started, does not end in time, or does not end with success.
    pub fn run(&self, scratch: &Scratch, binary: &Path) -> Result<RunOutput, Problem> {
        let [printed, said] = ["printed", "said"].map(|name| scratch.0.join(name));
        for report in reports(scratch) {
            let _ = std::fs::remove_file(report);
        }
        let mut command = self.command(binary);
        command
            .env("PAMELA_PROFILE", scratch.0.join(REPORT))
            .env("OMP_DYNAMIC", "false")
            .stdin(self.standard_input()?)
            .stdout(create(&printed)?)
            .stderr(create(&said)?);
        if let Some(threads) = self.threads {
            command.env("OMP_NUM_THREADS", threads.to_string());
        }
        let child = command.spawn().map_err(|error| self.cannot(&error))?;
        let status = self.wait(child)?;
        if !status.success() {
            let said = std::fs::read(&said).unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            return Err(self.failed(status, &said));
        }
        let mut printed = std::fs::read(&printed).map_err(|error| self.cannot(&error))?;
        printed.truncate(MOST_OUTPUT);
        Ok(RunOutput {
            reports: self.read(scratch)?,
            printed,
        })
    }

    /// The error of a failed run, from the text on standard error.
    fn failed(&self, status: ExitStatus, said: &str) -> Problem {
        let is_said = |line: &&str| line.contains(|c: char| c.is_alphanumeric());
        let first = said.lines().find(is_said).unwrap_or_default().trim();
        let first = if first.is_empty() {
            String::new()
        } else {
            format!(": {first}")
        };
        let shown = self.shown();
        let problem = Problem::new(format!("the program fails {shown} ({status}){first}"));
        // Options of Open MPI, which names those that it lacks.
        let is_given = |option: &str| self.launcher.iter().any(|word| word == option);
        let mut options = vec!["--allow-run-as-root", "--oversubscribe"];
        let is_lacking = |option: &&str| said.contains(*option) && !is_given(option);
        if self.launcher.is_empty() || !options.iter().any(is_lacking) {
            return problem;
        }
        options.retain(|option| said.contains(option) || is_given(option));
        let options = options.join(" ");
        problem.hint(format!("start it with --run 'mpirun {options} -n {{P}}'"))
    }

    fn command(&self, binary: &Path) -> Command {
        let mut command = match self.launcher.split_first() {
            Some((program, options)) => {
                let mut command = Command::new(program);
                command.args(options).arg(binary);
                command
            }
            None => Command::new(binary),
        };
        command.args(&self.arguments);
        command
    }

    fn cannot(&self, error: &std::io::Error) -> Problem {
        match self.launcher.first() {
            Some(launcher) => Problem::new(format!("cannot run `{launcher}`: {error}")).hint(
                "--run is the command that starts the program, such as `mpirun -n {P}` of an MPI that is installed",
            ),
            None => Problem::new(format!("cannot run the program: {error}")),
        }
    }

    fn wait(&self, mut child: Child) -> Result<ExitStatus, Problem> {
        let begun = Instant::now();
        loop {
            if let Some(status) = child.try_wait().map_err(|error| self.cannot(&error))? {
                return Ok(status);
            }
            if begun.elapsed() > self.timeout {
                self.end(&mut child);
                return Err(Problem::new(format!(
                    "the program does not end within {} s {}",
                    self.timeout.as_secs_f64(),
                    self.shown()
                ))
                .hint(if self.launcher.is_empty() {
                    "raise the limit with --timeout"
                } else {
                    "raise the limit with --timeout; all ranks must call the function"
                }));
            }
            // Programs that end at once are not waited for long.
            let pause = begun.elapsed() / 20;
            std::thread::sleep(pause.clamp(SHORTEST_PAUSE, LONGEST_PAUSE));
        }
    }

    /// Ends a program that may have just ended. A launcher gets a signal first, so that it ends its ranks.
    fn end(&self, child: &mut Child) {
        if !self.launcher.is_empty() {
            let _ = Command::new("kill").arg(child.id().to_string()).status();
            let asked = Instant::now();
            while asked.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
                std::thread::sleep(LONGEST_PAUSE);
            }
        }
        let _ = child.kill();
        let _ = child.wait();
    }

    /// The reports of all ranks, by rank.
    fn read(&self, scratch: &Scratch) -> Result<Vec<String>, Problem> {
        let texts = reports(scratch).into_iter();
        let texts = texts.filter_map(|report| std::fs::read_to_string(report).ok());
        let mut found: Vec<(usize, usize, String)> =
            texts.filter_map(|text| ranked(&text)).collect();
        found.sort();
        match found.first() {
            Some((_, ranks, _)) if *ranks == found.len() => {
                Ok(found.into_iter().map(|(_, _, report)| report).collect())
            }
            Some((_, ranks, _)) => Err(Problem::new(format!(
                "{} of {ranks} ranks write counts {}",
                found.len(),
                self.shown()
            ))
            .hint(self.advice.some.clone())),
            None => Err(
                Problem::new(format!("the program writes no counts {}", self.shown()))
                    .hint(self.advice.none.clone()),
            ),
        }
    }
}

fn create(path: &Path) -> Result<File, Problem> {
    File::create(path)
        .map_err(|error| Problem::new(format!("cannot write `{}`: {error}", path.display())))
}

/// The reports of the probes in a directory.
fn reports(scratch: &Scratch) -> Vec<PathBuf> {
    let files = std::fs::read_dir(&scratch.0).into_iter().flatten();
    let files = files.filter_map(|file| Some(file.ok()?.path()));
    files
        .filter(|file| file.file_stem().is_some_and(|stem| stem == REPORT))
        .collect()
}

/// The rank, the number of ranks, and the rest of a report.
fn ranked(text: &str) -> Option<(usize, usize, String)> {
    let (head, rest) = text.split_once('\n')?;
    let (rank, ranks) = head.strip_prefix("rank ")?.split_once(' ')?;
    Some((rank.parse().ok()?, ranks.parse().ok()?, rest.to_string()))
}
