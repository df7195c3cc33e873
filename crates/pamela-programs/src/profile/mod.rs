//! Builds a program with probes and runs it, for counts and times.
//!
//! Two builds of the preprocessed text: one with probes at the branches, loops and values that the model needs, which
//! gives counts; one without probes, which gives times. Only programs that the user names are run.

pub mod base;
mod branches;
mod execute;
pub mod gcov;
mod instrument;
mod machine;
mod points;
mod record;
pub mod regimes;
pub mod sampled;
mod traced;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::lowering;
use crate::problem::Problem;
use crate::source::{self, Compiler, MPI_HINT, Unit};
pub use branches::known;
pub use execute::Scratch;
use execute::{Advice, Build, RunOutput, Start, build, write};
use instrument::{Instrumentation, instrument};
pub use machine::{OVERHEADS, Overhead, Timed, messages, overheads};
use points::{Counts, Values, filled, points};
use record::Counted;
pub use record::{FORMAT, Machine, Measured, Profile, Program, Run, Site};
pub use traced::{RANKS, Traced, trace};

/// More runs are refused: they take hours.
const MOST_RUNS: usize = 1_000_000;

/// The runs to make.
#[derive(Clone, Debug)]
pub struct Plan {
    pub compiler: Compiler,
    /// Options behind the files: `-lblas`.
    pub link: Vec<String>,
    pub files: Vec<String>,
    /// Arguments of the program, with `{n}` for the value of n and `{seed}` for the seed.
    pub arguments: Vec<String>,
    /// Command that starts the program, with `{P}` for the value of P: `mpirun -n {P}`. Empty if the program needs no
    /// launcher.
    pub run: Vec<String>,
    /// Parameters and their values; all combinations are run.
    pub axes: Vec<(String, Vec<f64>)>,
    /// Runs with probes at each point, with the seeds 1, 2, ..
    pub seeds: u64,
    /// Runs without probes at each point.
    pub runs: usize,
    pub timeout: Duration,
    /// File that the program reads as standard input.
    pub stdin: Option<PathBuf>,
    /// True if the output with probes must be that without them.
    pub check_output: bool,
}

/// Callback before each run: number of finished runs, number of all runs, and the next one.
pub type Watch<'a> = dyn FnMut(usize, usize, &str) + 'a;

/// Builds and runs a program and keeps the measurements in `file`; existing measurements are not repeated. `units`
/// are its files as read for a model. Also names the sites that cannot be counted.
///
/// # Errors
/// Fails if the plan is invalid, or if a build or a run fails; earlier measurements are kept in the file.
pub fn profile(
    units: &[Unit],
    options: &lowering::Options,
    plan: &Plan,
    file: &Path,
    watch: &mut Watch,
) -> Result<(Profile, Vec<String>), Problem> {
    let model = lowering::model(units, options)?;
    let counts = Counts::of(&model.parameters);
    let points = points(plan, &counts)?;
    let units = compiled(units, plan, counts.ranks.is_some())?;
    // Values that are given by the points are not measured.
    let is_given = |name: &String| plan.axes.iter().any(|(axis, _)| axis == name);
    let measured = model.parameters.iter().filter(|p| !is_given(&p.name));
    let sites: Vec<(String, String)> = measured
        .filter_map(|p| Some((p.site.clone()?, p.name.clone())))
        .collect();
    let numbers: BTreeMap<String, usize> = sites
        .iter()
        .enumerate()
        .map(|(number, (site, _))| (site.clone(), number))
        .collect();
    let entry = options.entry.clone().unwrap_or_else(|| "main".to_string());
    let timed = Some(entry.clone()).filter(|entry| entry != "main");
    let texts: Vec<&str> = units.iter().map(|unit| unit.text.full.as_str()).collect();
    let fresh = Profile {
        format: FORMAT.to_string(),
        program: Program {
            files: plan.files.clone(),
            fingerprint: fingerprint(&texts),
            cc: std::iter::once(&plan.compiler.program)
                .chain(&plan.compiler.options)
                .cloned()
                .collect::<Vec<_>>()
                .join(" "),
            arguments: plan.arguments.clone(),
            run: plan.run.clone(),
            entry,
        },
        machine: machine(),
        sites: sites.iter().cloned().collect(),
        sampled: None,
        points: Vec::new(),
    };
    let mut profile = resumed(fresh, file)?;
    let scratch = Scratch::new()?;
    let wanted = |sites: BTreeMap<String, usize>| Instrumentation {
        sites,
        timed: timed.clone(),
    };
    let uncounted = std::cell::RefCell::new(Vec::new());
    let make = |name: &str, wanted: &Instrumentation| {
        let (texts, lost) = instrument(&units, wanted);
        uncounted.borrow_mut().extend(lost);
        let wanted = Build {
            compiler: &plan.compiler,
            link: &plan.link,
            language: "cpp-output",
            sites: sites.len(),
            mpi: counts.ranks.is_some(),
        };
        build(&scratch, name, &texts, &wanted)
    };
    let builds = Builds {
        plain: make("plain", &wanted(BTreeMap::new()))?,
        probed: make("probed", &wanted(numbers))?,
        scratch: &scratch,
        plan,
        counts,
        sites: sites.into_iter().map(|(site, _)| site).collect(),
    };
    let result = builds.all(&points, &mut profile, file, watch);
    write(file, &profile.text()?)?;
    result.map(|()| (profile, uncounted.into_inner()))
}

struct Builds<'a> {
    plain: PathBuf,
    probed: PathBuf,
    scratch: &'a Scratch,
    plan: &'a Plan,
    counts: Counts,
    sites: Vec<String>,
}

/// The program as it is compiled: with the constants of the MPI that is installed, where it calls that.
fn compiled<'u>(units: &'u [Unit], plan: &Plan, mpi: bool) -> Result<Cow<'u, [Unit]>, Problem> {
    if !mpi {
        return Ok(Cow::Borrowed(units));
    }
    let read = |file: &String| source::read(Path::new(file), &plan.compiler, &[]);
    let units: Result<Vec<Unit>, Problem> = plan.files.iter().map(read).collect();
    Ok(Cow::Owned(units.map_err(|problem| problem.hint(MPI_HINT))?))
}

impl Builds<'_> {
    /// Rounds over all points, in another order each.
    fn all(
        &self,
        points: &[Values],
        profile: &mut Profile,
        file: &Path,
        watch: &mut Watch,
    ) -> Result<(), Problem> {
        let seeds = self.plan.seeds as usize;
        let count = points.len() * (seeds + self.plan.runs);
        let mut done = 0;
        for point in points {
            let place = place_of(profile, point);
            let runs = profile.points[place].runs.iter();
            let before = runs.map(|run| run.seed).max().unwrap_or(0);
            for seed in 1..=self.plan.seeds {
                done += 1;
                if seed <= before {
                    continue;
                }
                watch(done, count, &shown(point, "counts"));
                let runs = self.counted(point, seed, seed == 1)?;
                profile.points[place].runs.extend(runs);
            }
            if before < self.plan.seeds {
                write(file, &profile.text()?)?;
            }
        }
        for round in 0..self.plan.runs {
            let mut order: Vec<&Values> = points.iter().collect();
            shuffle(&mut order, round as u64 + 1);
            let mut fresh = false;
            for point in order {
                done += 1;
                let place = place_of(profile, point);
                if profile.points[place].time_ns.len() > round {
                    continue;
                }
                watch(done, count, &shown(point, "times"));
                let seed = 1 + round as u64 % self.plan.seeds.max(1);
                let ran = self.run(&self.plain, point, seed)?;
                let times = self.read(&ran)?;
                let time = times.iter().map(|(time, _)| *time).fold(0.0, f64::max);
                if time <= 0.0 {
                    return Err(Problem::new(format!(
                        "the timed part takes no time at {}",
                        shown(point, "")
                    ))
                    .hint("use larger sizes"));
                }
                profile.points[place].time_ns.push(time);
                fresh = true;
            }
            if fresh {
                write(file, &profile.text()?)?;
            }
        }
        Ok(())
    }

    /// A run with probes on each rank. Its output is compared with that of the plain program.
    fn counted(&self, point: &Values, seed: u64, compared: bool) -> Result<Vec<Run>, Problem> {
        let ran = self.run(&self.probed, point, seed)?;
        if compared && self.plan.check_output {
            let plain = self.run(&self.plain, point, seed)?;
            if self.printed(&plain) != self.printed(&ran) {
                let again = self.run(&self.plain, point, seed)?;
                // A program that never prints the same cannot be compared.
                if self.printed(&again) == self.printed(&plain) {
                    return Err(Problem::new(format!(
                        "with probes the program prints different output {}",
                        shown(point, "")
                    ))
                    .hint("it has undefined behaviour, or prints times or addresses"));
                }
            }
        }
        let site = |(number, site): (usize, Site)| Some((self.sites.get(number)?.clone(), site));
        let of_rank = |(rank, (_, counts)): (u64, Counted)| Run {
            seed,
            rank,
            sites: counts.into_iter().filter_map(site).collect(),
        };
        Ok((0..).zip(self.read(&ran)?).map(of_rank).collect())
    }

    /// The lines that were printed; ranks print theirs in any order.
    fn printed<'r>(&self, ran: &'r RunOutput) -> Vec<&'r [u8]> {
        let mut lines: Vec<&[u8]> = ran.printed.split(|byte| *byte == b'\n').collect();
        if self.counts.ranks.is_some() {
            lines.sort_unstable();
        }
        lines
    }

    /// The time and the counts of each rank.
    fn read(&self, ran: &RunOutput) -> Result<Vec<Counted>, Problem> {
        let found: Option<Vec<_>> = ran
            .reports
            .iter()
            .map(|text| record::counts(text))
            .collect();
        found.ok_or_else(|| {
            Problem::new("the counts of the program are not complete")
                .hint("the program must end with `exit` or at the end of `main`")
        })
    }

    fn run(&self, binary: &Path, point: &Values, seed: u64) -> Result<RunOutput, Problem> {
        let words = |words: &[String]| words.iter().map(|word| filled(word, point, seed)).collect();
        let threads = self
            .counts
            .threads
            .as_ref()
            .and_then(|name| point.get(name));
        let start = Start {
            launcher: words(&self.plan.run),
            arguments: words(&self.plan.arguments),
            threads: threads.map(|threads| *threads as u64),
            timeout: self.plan.timeout,
            stdin: self.plan.stdin.clone(),
            advice: Advice::default(),
        };
        start.run(self.scratch, binary)
    }
}

fn shown(point: &Values, what: &str) -> String {
    let values: Vec<String> = point
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    format!("{what} at {}", values.join(", "))
        .trim()
        .to_string()
}

/// The place of a point in a profile, in which it is from now on.
fn place_of(profile: &mut Profile, point: &Values) -> usize {
    let known = profile
        .points
        .iter()
        .position(|measured| measured.point == *point);
    known.unwrap_or_else(|| {
        profile.points.push(Measured {
            point: point.clone(),
            ..Measured::default()
        });
        profile.points.len() - 1
    })
}

/// Continues an earlier profile of the same program.
fn resumed(fresh: Profile, file: &Path) -> Result<Profile, Problem> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Ok(fresh);
    };
    let name = file.to_string_lossy();
    let earlier = Profile::read(&name, &text)?;
    let same = |a: &Program, b: &Program| {
        (&a.fingerprint, &a.cc, &a.arguments, &a.run, &a.entry)
            == (&b.fingerprint, &b.cc, &b.arguments, &b.run, &b.entry)
    };
    if !same(&earlier.program, &fresh.program)
        || earlier.machine != fresh.machine
        || earlier.sites != fresh.sites
    {
        return Err(Problem::new(format!(
            "`{name}` is a profile of another program, compiler, entry, machine, or of other arguments"
        ))
        .hint("choose another file by -o, or delete it"));
    }
    Ok(earlier)
}

/// FNV-1a, of 64 bits.
fn fingerprint(texts: &[&str]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in texts.iter().flat_map(|text| text.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

fn machine() -> Machine {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let cpu = line
        .and_then(|line| line.split_once(':'))
        .map(|(_, name)| name.trim().to_string());
    Machine {
        cpu: cpu.unwrap_or_else(|| "unknown".to_string()),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// Another order for each round, the same in each profile.
fn shuffle<T>(list: &mut [T], seed: u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for place in (1..list.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        list.swap(place, (state >> 11) as usize % (place + 1));
    }
}
