//! Counts and times of a program that is built with probes and run.
//!
//! Two builds of the preprocessed text: with probes at the branches and loops that the model asks for, whose counts are
//! taken, and without, whose times are. Only what the user names is run.

pub mod base;
mod branches;
mod execute;
pub mod gcov;
mod instrument;
mod machine;
mod record;
pub mod sampled;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::lowering::{self, part::ParameterKind};
use crate::problem::Problem;
use crate::source::{Compiler, Unit};
pub use branches::known;
pub use execute::Scratch;
use execute::{Ran, build, run, write};
use instrument::{Instrumentation, instrument};
pub use machine::{OVERHEADS, Overhead, overheads};
pub use record::{FORMAT, Machine, Measured, Profile, Program, Run, Site};

/// More runs are refused: they take hours.
const MOST_RUNS: usize = 1_000_000;

/// What is run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub compiler: Compiler,
    /// Options behind the files: `-lblas`.
    pub link: Vec<String>,
    pub files: Vec<String>,
    /// Arguments of the program, in which `{n}` stands for the value of n and `{seed}` for that of the seed.
    pub arguments: Vec<String>,
    /// Each with all values of the others.
    pub axes: Vec<(String, Vec<f64>)>,
    /// Runs with probes at each point, with the seeds 1, 2, ..
    pub seeds: u64,
    /// Runs without probes at each point.
    pub runs: usize,
    pub timeout: Duration,
}

/// Told before each run: how many are done, of how many, and which comes.
pub type Watch<'a> = dyn FnMut(usize, usize, &str) + 'a;

/// Builds and runs a program, and keeps what is measured in `file`; what that holds already is not measured again.
/// Also names the sites that cannot be counted.
///
/// # Errors
/// What is wrong with the plan, a build or a run; what was measured before is in the file.
pub fn profile(
    units: &[Unit],
    options: &lowering::Options,
    plan: &Plan,
    file: &Path,
    watch: &mut Watch,
) -> Result<(Profile, Vec<String>), Problem> {
    let model = lowering::model(units, options)?;
    let threads = model
        .parameters
        .iter()
        .find(|p| p.kind == ParameterKind::Threads);
    let threads = threads.map(|p| p.name.clone());
    let points = points(plan, threads.as_deref())?;
    let sites: Vec<(String, String)> = model
        .parameters
        .iter()
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
        let (texts, lost) = instrument(units, wanted);
        uncounted.borrow_mut().extend(lost);
        build(
            &scratch,
            name,
            "cpp-output",
            &texts,
            &plan.compiler,
            &plan.link,
            sites.len(),
        )
    };
    let builds = Builds {
        plain: make("plain", &wanted(BTreeMap::new()))?,
        probed: make("probed", &wanted(numbers))?,
        scratch: &scratch,
        plan,
        threads,
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
    threads: Option<String>,
    sites: Vec<String>,
}

type Values = BTreeMap<String, f64>;

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
            let before = profile.points[place].runs.len();
            for seed in 1..=self.plan.seeds {
                done += 1;
                if seed as usize <= before {
                    continue;
                }
                watch(done, count, &shown(point, "counts"));
                let run = self.counted(point, seed, seed == 1)?;
                profile.points[place].runs.push(run);
            }
            if before < seeds {
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
                let (time, _) = self.read(&ran)?;
                if time <= 0.0 {
                    return Err(Problem::new(format!(
                        "what is timed takes no time at {}",
                        shown(point, "")
                    ))
                    .hint("take larger sizes"));
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

    /// A run with probes; what it prints is compared with what the plain program prints.
    fn counted(&self, point: &Values, seed: u64, compared: bool) -> Result<Run, Problem> {
        let ran = self.run(&self.probed, point, seed)?;
        if compared {
            let plain = self.run(&self.plain, point, seed)?;
            if plain.printed != ran.printed {
                let again = self.run(&self.plain, point, seed)?;
                // A program that never prints the same cannot be compared.
                if again.printed == plain.printed {
                    return Err(Problem::new(format!(
                        "with probes the program prints something else {}",
                        shown(point, "")
                    ))
                    .hint("it has undefined behaviour, or prints times or addresses"));
                }
            }
        }
        let (_, counts) = self.read(&ran)?;
        let site = |(number, site): (usize, Site)| Some((self.sites.get(number)?.clone(), site));
        Ok(Run {
            seed,
            sites: counts.into_iter().filter_map(site).collect(),
        })
    }

    fn read(&self, ran: &Ran) -> Result<(f64, BTreeMap<usize, Site>), Problem> {
        record::counts(&ran.report).ok_or_else(|| {
            Problem::new("the counts of the program are not complete")
                .hint("it must end by `exit` or by the end of `main`")
        })
    }

    fn run(&self, binary: &Path, point: &Values, seed: u64) -> Result<Ran, Problem> {
        let arguments = self.plan.arguments.iter().map(|argument| {
            let mut text = argument.replace("{seed}", &seed.to_string());
            for (name, value) in point {
                text = text.replace(&format!("{{{name}}}"), &value.to_string());
            }
            text
        });
        let arguments: Vec<String> = arguments.collect();
        let threads = self.threads.as_ref().and_then(|name| point.get(name));
        run(
            self.scratch,
            binary,
            &arguments,
            threads.map(|threads| *threads as u64),
            self.plan.timeout,
        )
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

/// All values of all axes.
fn points(plan: &Plan, threads: Option<&str>) -> Result<Vec<Values>, Problem> {
    let is_used = |name: &str| {
        plan.arguments
            .iter()
            .any(|a| a.contains(&format!("{{{name}}}")))
    };
    let mut points = vec![Values::new()];
    for (name, values) in &plan.axes {
        if !is_used(name) && threads != Some(name) {
            return Err(
                Problem::new(format!("`{name}` is no argument of the program")).hint(format!(
                    "write where it stands behind `--`, as {{{name}}}{}",
                    threads.map_or(String::new(), |t| format!(
                        "; the number of threads is `{t}`"
                    ))
                )),
            );
        }
        if threads == Some(name)
            && values
                .iter()
                .any(|v| *v < 1.0 || v.fract() != 0.0 || *v > 4096.0)
        {
            return Err(Problem::new(format!(
                "`{name}` is a number of threads, from 1 to 4096"
            )));
        }
        if points[0].contains_key(name) {
            return Err(Problem::new(format!("`{name}` is given twice")));
        }
        points = points
            .iter()
            .flat_map(|point| {
                values.iter().map(move |value| {
                    let mut point = point.clone();
                    point.insert(name.clone(), *value);
                    point
                })
            })
            .collect();
        if points.len() > MOST_RUNS {
            break;
        }
    }
    if plan.seeds > 1 && !is_used("seed") {
        return Err(Problem::new("the program takes no seed")
            .hint("write where it stands behind `--`, as {seed}, or leave out --seeds"));
    }
    let runs = points
        .len()
        .saturating_mul(plan.runs.saturating_add(plan.seeds as usize));
    if runs > MOST_RUNS || points.is_empty() {
        return Err(Problem::new(format!(
            "{runs} runs: there is at least one, and at most {MOST_RUNS}"
        )));
    }
    if let Some(brace) = plan.arguments.iter().find_map(|a| left_open(a, plan)) {
        return Err(Problem::new(format!("no value of `{{{brace}}}`"))
            .hint(format!("give it by --points {brace}=100,200")));
    }
    Ok(points)
}

/// A name in braces that no axis gives.
fn left_open(argument: &str, plan: &Plan) -> Option<String> {
    let names = argument
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'));
    let is_name =
        |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let known = |name: &str| name == "seed" || plan.axes.iter().any(|(axis, _)| axis == name);
    let mut names = names.map(|(name, _)| name).filter(is_name);
    names.find(|name| !known(name)).map(str::to_string)
}

/// What an earlier profile of the same program holds.
fn resumed(fresh: Profile, file: &Path) -> Result<Profile, Problem> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Ok(fresh);
    };
    let name = file.to_string_lossy();
    let earlier = Profile::read(&name, &text)?;
    let same = |a: &Program, b: &Program| {
        (&a.fingerprint, &a.cc, &a.arguments, &a.entry)
            == (&b.fingerprint, &b.cc, &b.arguments, &b.entry)
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
