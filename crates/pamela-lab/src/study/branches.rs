//! Branches by the thesis (chapter 4): how often they hold in a run, simulated, beside what is predicted from counts.
//!
//! Of 4.14b the printed form is taken, of the uniform law the variance that 4.5.3 prints, `(b - a)^2 / 12`; that of whole
//! numbers is `((b - a + 1)^2 - 1) / 12`.

use pamela_programs::KnownValue;
use pamela_programs::profile::{FORMAT, Machine, Measured, Profile, Program, Run, Site, known};

use super::report::{Report, Table, Unit};

const SITE: &str = "main/if1";
const COLUMNS: [&str; 5] = ["Var[T]", "Bernoulli", "as printed", "4.14b", "ours"];

/// Numbers that look random, the same always.
struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From 1 to `most`.
    fn length(&mut self, most: u64) -> u64 {
        1 + (self.share() * most as f64) as u64
    }
}

/// One trial after the other of some process; `restart` begins a loop anew.
struct Counter {
    site: Site,
    position: u64,
    /// The present run, the runs so far, and the last run of trials that hold.
    last: Option<bool>,
    length: u64,
    up: u64,
    is_first: bool,
    before: [u64; WIDTHS],
}

const WIDTHS: usize = 20;

impl Counter {
    fn new() -> Counter {
        Counter {
            site: Site {
                cycles: vec![0; 15],
                windows: vec![[0; 3]; WIDTHS],
                ..Site::default()
            },
            position: 0,
            last: None,
            length: 0,
            up: 0,
            is_first: true,
            before: [0; WIDTHS],
        }
    }

    fn trial(&mut self, holds: bool) {
        self.site.calls += 1;
        self.site.taken += u64::from(holds);
        self.position += 1;
        let bin = self.position.ilog2() as usize;
        if self.site.position.len() <= bin {
            self.site.position.resize(bin + 1, [0; 3]);
        }
        let place = &mut self.site.position[bin];
        place[0] += 1;
        place[1] += u64::from(holds);
        place[2] += self.position;
        self.run(holds);
        for width in 0..WIDTHS {
            if self.site.calls & ((1 << width) - 1) != 0 {
                break;
            }
            let inside = u128::from(self.site.taken - self.before[width]);
            self.before[width] = self.site.taken;
            let window = &mut self.site.windows[width];
            window[0] += 1;
            window[1] += inside;
            window[2] += inside * inside;
        }
    }

    /// Runs in alternation; the first may have begun before.
    fn run(&mut self, holds: bool) {
        match self.last.replace(holds) {
            Some(last) if last == holds => self.length += 1,
            Some(last) => {
                match (last, self.up) {
                    (true, _) => self.up = if self.is_first { 0 } else { self.length },
                    (false, 0) => {}
                    (false, up) => {
                        self.cycle(up, self.length);
                        self.up = 0;
                    }
                }
                self.is_first = false;
                self.length = 1;
            }
            None => self.length = 1,
        }
    }

    fn cycle(&mut self, up: u64, down: u64) {
        self.site.cycles[0] += 1;
        let mut at = 1;
        for degree in 1..=4 {
            for downs in 0..=degree {
                let power = |base: u64, times: u32| u128::from(base).pow(times);
                self.site.cycles[at] += power(up, degree - downs) * power(down, downs);
                at += 1;
            }
        }
    }
}

/// A process of trials.
#[derive(Clone, Copy)]
enum Process {
    /// Independent, with this share.
    Bernoulli(f64),
    /// From false to true, and from true to false.
    Markov(f64, f64),
    /// Lengths of runs, from 1 to these.
    Uniform(u64, u64),
    /// Runs of a fixed length each.
    Fixed(u64, u64),
    /// A run that holds, and one that does not of the same length, from 1 to this.
    Equal(u64),
    /// A counter of two bits that goes up with this share, down otherwise, and holds in its upper half.
    Counter(f64),
    /// `b / (j + c)` at the j-th of so many trials of a loop.
    Position(f64, f64, u64),
    /// Whether an element of a random vector is the least so far: each scan of a straight selection sort of so many.
    SelectionSort(usize),
}

/// Where a process stands.
#[derive(Default)]
struct State {
    up: bool,
    left: u64,
    length: u64,
    level: u64,
}

impl Process {
    /// A run of about so many trials.
    fn run(self, random: &mut Random, trials: u64, counter: &mut Counter) {
        if let Process::SelectionSort(size) = self {
            return sort(random, size, counter);
        }
        counter.position = 0;
        let mut state = State::default();
        for j in 0..trials {
            if let Process::Position(_, _, length) = self
                && j % length == 0
            {
                counter.position = 0;
            }
            let holds = self.next(&mut state, random, counter.position);
            counter.trial(holds);
        }
    }

    fn next(self, state: &mut State, random: &mut Random, position: u64) -> bool {
        match self {
            Process::Bernoulli(p) => random.share() < p,
            Process::Position(b, c, _) => random.share() < b / (position as f64 + 1.0 + c),
            Process::Markov(up, down) => {
                let turns = random.share() < if state.up { down } else { up };
                state.up ^= turns;
                state.up
            }
            Process::Counter(up) => {
                state.level = match random.share() < up {
                    true => (state.level + 1).min(3),
                    false => state.level.saturating_sub(1),
                };
                state.level >= 2
            }
            _ => {
                if state.left == 0 {
                    state.up = !state.up;
                    state.length = self.length(state, random);
                    state.left = state.length;
                }
                state.left -= 1;
                state.up
            }
        }
    }

    fn length(self, state: &State, random: &mut Random) -> u64 {
        match self {
            Process::Uniform(ups, downs) => random.length(if state.up { ups } else { downs }),
            Process::Fixed(ups, downs) => {
                if state.up {
                    ups
                } else {
                    downs
                }
            }
            Process::Equal(most) if state.up => random.length(most),
            _ => state.length.max(1),
        }
    }

    /// Mean and variance of the lengths of runs, as the thesis prints them.
    fn printed(self) -> Option<[(f64, f64); 2]> {
        let uniform = |most: u64| ((1 + most) as f64 / 2.0, ((most - 1) as f64).powi(2) / 12.0);
        let geometric = |p: f64| (1.0 / p, (1.0 - p) / (p * p));
        match self {
            Process::Bernoulli(p) => Some([geometric(1.0 - p), geometric(p)]),
            Process::Markov(up, down) => Some([geometric(down), geometric(up)]),
            Process::Uniform(ups, downs) => Some([uniform(ups), uniform(downs)]),
            Process::Fixed(ups, downs) => Some([(ups as f64, 0.0), (downs as f64, 0.0)]),
            Process::Equal(most) => Some([uniform(most); 2]),
            _ => None,
        }
    }
}

fn sort(random: &mut Random, size: usize, counter: &mut Counter) {
    let mut x: Vec<f64> = (0..size).map(|_| random.share()).collect();
    for i in 0..size.saturating_sub(1) {
        let mut least = i;
        counter.position = 0;
        for j in i + 1..size {
            let holds = x[j] < x[least];
            counter.trial(holds);
            if holds {
                least = j;
            }
        }
        x.swap(i, least);
    }
}

/// 4.14b: the variance of each trial.
fn alternating([(up, var_up), (down, var_down)]: [(f64, f64); 2]) -> f64 {
    (down * down * var_up + up * up * var_down) / (up + down).powi(3)
}

/// What is simulated of a process, and predicted for it.
struct BranchExperiment {
    name: String,
    process: Process,
    trials: u64,
    runs: usize,
}

impl BranchExperiment {
    /// Var[T] over the runs; by Bernoulli, by 4.14b from what is printed of the lengths, by 4.14b from the lengths that
    /// were counted, and by the law that a profile of these counts gives.
    fn values(&self) -> [Option<f64>; 5] {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ self.trials);
        let mut counter = Counter::new();
        let (mut counts, mut before) = (Vec::new(), 0);
        for _ in 0..self.runs {
            self.process.run(&mut random, self.trials, &mut counter);
            counts.push((counter.site.taken - before) as f64);
            before = counter.site.taken;
        }
        let runs = counts.len() as f64;
        let mean = counts.iter().sum::<f64>() / runs;
        let squares: f64 = counts.iter().map(|count| (count - mean).powi(2)).sum();
        let site = counter.site;
        let each = site.calls as f64 / runs;
        let p = site.taken as f64 / site.calls as f64;
        [
            Some(squares / (runs - 1.0)),
            Some(each * p * (1.0 - p)),
            self.process
                .printed()
                .map(|lengths| each * alternating(lengths)),
            lengths(&site).map(|lengths| each * alternating(lengths)),
            self.law(&site, each),
        ]
    }

    /// By the law of a profile.
    fn law(&self, site: &Site, each: f64) -> Option<f64> {
        let known = known(&profile(site.clone())).remove(SITE)?;
        match known.value {
            KnownValue::Same { law, .. } => {
                let numbers = |text: &str| -> Option<Vec<f64>> {
                    let inside = text.strip_suffix(')')?;
                    inside
                        .split(", ")
                        .map(|number| number.parse().ok())
                        .collect()
                };
                if let Some(p) = law.strip_prefix("bernoulli(").and_then(numbers) {
                    return Some(each * p[0] * (1.0 - p[0]));
                }
                let rates = law.strip_prefix("moments(").and_then(numbers)?;
                Some(each * rates.get(1)?)
            }
            KnownValue::Position {
                constant,
                slope,
                offset,
            } => {
                let number = |text: &str| text.parse::<f64>().ok();
                let (a, b, c) = (number(&constant)?, number(&slope)?, number(&offset)?);
                let share = |j: u64| a + b / (j as f64 + c);
                let loops: Vec<u64> = match self.process {
                    Process::SelectionSort(size) => (1..size as u64).collect(),
                    Process::Position(_, _, length) => {
                        vec![length; (self.trials / length) as usize]
                    }
                    _ => vec![self.trials],
                };
                let of_loop = |length: &u64| -> f64 {
                    (1..=*length).map(|j| share(j) * (1.0 - share(j))).sum()
                };
                Some(loops.iter().map(of_loop).sum())
            }
            KnownValue::Drawn { .. } | KnownValue::Unknown => None,
        }
    }
}

/// The means and variances of runs that hold and of those that do not.
fn lengths(site: &Site) -> Option<[(f64, f64); 2]> {
    let n = *site.cycles.first()? as f64;
    let mean = |at: usize| Some(*site.cycles.get(at)? as f64 / n);
    let (up, down) = (mean(1)?, mean(2)?);
    let found = [(up, mean(3)? - up * up), (down, mean(5)? - down * down)];
    (n > 1.0).then_some(found)
}

fn profile(site: Site) -> Profile {
    Profile {
        format: FORMAT.to_string(),
        program: Program {
            files: Vec::new(),
            fingerprint: String::new(),
            cc: String::new(),
            arguments: Vec::new(),
            entry: "main".to_string(),
        },
        machine: Machine {
            cpu: String::new(),
            cores: 1,
        },
        sites: [(SITE.to_string(), "p_main_if1".to_string())].into(),
        sampled: None,
        points: vec![Measured {
            runs: vec![Run {
                seed: 1,
                sites: [(SITE.to_string(), site)].into(),
            }],
            ..Measured::default()
        }],
    }
}

/// Simulates each process `runs` times.
pub fn branches(runs: usize) -> Report {
    let mut table = Table::new(
        "Variance of how often a branch holds in a run, and by how much predictions miss it",
        "trials",
        &COLUMNS,
    );
    for experiment in experiments(runs) {
        add_rows(&mut table, &experiment);
    }
    Report {
        title: "Branches, simulated and predicted".to_string(),
        notes: vec![
            format!("{runs} runs of most, whose variance has a standard error of {:.1} %", 100.0 * (2.0 / runs as f64).sqrt()),
            "as printed: 4.14b with (b - a)^2 / 12 as the variance of whole numbers (4.5.3); 4.14b: with the \
             variances that were counted".to_string(),
            "where runs depend on each other (equal, two bits) 4.14b is not right; ours takes Var((1 - p) U - p D) / E[U + D]".to_string(),
            "the scans of a selection sort depend on each other, which no model of a branch knows: Table 4.4 has \
             2.2e4, by Bernoulli 5.4e3, by 4.14b 1.5e4".to_string(),
        ],
        tables: vec![table],
    }
}

/// The processes with their numbers of trials and runs.
fn experiments(runs: usize) -> Vec<BranchExperiment> {
    let mut rows = Vec::new();
    let mut add = |name: String, process: Process, trials: u64, runs: usize| {
        rows.push(BranchExperiment {
            name,
            process,
            trials,
            runs,
        });
    };
    for p in [0.1, 0.3, 0.5] {
        add(format!("Bernoulli {p}"), Process::Bernoulli(p), 2000, runs);
    }
    add(
        "vector scaling".into(),
        Process::Bernoulli(0.9),
        10_000,
        runs,
    );
    for (up, down) in [(1, 1), (3, 5)] {
        add(
            format!("fixed {up}, {down}"),
            Process::Fixed(up, down),
            2000,
            runs / 10,
        );
    }
    for (ups, downs) in [(2, 2), (3, 8), (10, 3), (10, 10), (30, 30)] {
        add(
            format!("uniform {ups}, {downs}"),
            Process::Uniform(ups, downs),
            5000,
            runs,
        );
    }
    add("equal to 8".into(), Process::Equal(8), 2000, runs);
    for (up, down) in [(0.05, 0.1), (0.3, 0.6), (0.8, 0.7)] {
        add(
            format!("Markov {up}, {down}"),
            Process::Markov(up, down),
            5000,
            runs,
        );
    }
    for up in [0.5, 0.7] {
        add(format!("two bits {up}"), Process::Counter(up), 5000, runs);
    }
    for (b, c, length) in [(1.0, 1.0, 100), (2.0, 4.0, 500)] {
        add(
            format!("{b} / (j + {c})"),
            Process::Position(b, c, length),
            2000,
            runs,
        );
    }
    add(
        "selection sort".into(),
        Process::SelectionSort(1000),
        0,
        (runs / 20).max(2),
    );
    rows
}

/// What is simulated of a process, and how far predictions are from it.
fn add_rows(table: &mut Table, experiment: &BranchExperiment) {
    let values = experiment.values();
    let measured = values[0].unwrap_or_default();
    let error = |value: Option<f64>| value.map(|v| 100.0 * (v / measured - 1.0));
    let is_constant = measured < 1.0;
    let mut row = values.to_vec();
    if !is_constant {
        row = values[1..].iter().map(|value| error(*value)).collect();
        row.insert(0, None);
    }
    table.add(
        &experiment.name,
        "simulated",
        Unit::Value,
        vec![values[0], None, None, None, None],
    );
    match is_constant {
        true => table.add(&experiment.name, "predicted", Unit::Value, {
            row[0] = None;
            row
        }),
        false => table.add(&experiment.name, "error", Unit::ErrorInPercent, row),
    }
}
