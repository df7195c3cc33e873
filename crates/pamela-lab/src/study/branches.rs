//! Branches in the thesis (chapter 4): simulated numbers of true branches in a run, beside predictions from counts.
//!
//! For 4.14b the printed form is used. For the uniform law, the variance that 4.5.3 prints is used, `(b - a)^2 / 12`;
//! that of whole numbers is `((b - a + 1)^2 - 1) / 12`.

mod counter;
mod figures;
mod patterns;
mod predicted;
mod process;
mod programs;
#[cfg(test)]
mod tests;

use pamela_programs::KnownValue;
use pamela_programs::profile::Site;

use super::random::Random;
use super::report::{Report, Table, Unit};
use counter::Counter;
use predicted::{alternating, lengths, rate, value};
use process::Process;

const COLUMNS: [&str; 5] = ["Var[T]", "Bernoulli", "as printed", "4.14b", "ours"];

/// A simulated process with its predictions.
struct BranchExperiment {
    name: String,
    process: Process,
    trials: u64,
    runs: usize,
}

impl BranchExperiment {
    /// Var[T] over the runs; by Bernoulli; by 4.14b from the printed lengths; by 4.14b from the counted lengths; and
    /// by the law from a profile with the counted lengths.
    fn values(&self) -> [Option<f64>; 5] {
        let mut random = Random::from_state(0x9e37_79b9_7f4a_7c15 ^ self.trials);
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
        let value = value(site)?;
        let KnownValue::Position {
            constant,
            slope,
            offset,
        } = &value
        else {
            return Some(each * rate(&value)?);
        };
        let share = |j: u64| constant + slope / (j as f64 + *offset as f64);
        let loops: Vec<u64> = match self.process {
            Process::SelectionSort(size) => (1..size as u64).collect(),
            Process::Position(_, _, length) => vec![length; (self.trials / length) as usize],
            _ => vec![self.trials],
        };
        let of_loop =
            |length: &u64| -> f64 { (1..=*length).map(|j| share(j) * (1.0 - share(j))).sum() };
        Some(loops.iter().map(of_loop).sum())
    }
}

/// Simulates the processes with the wanted numbers, counted from 0, `runs` times each.
pub fn variances(runs: usize, is_wanted: impl Fn(u64) -> bool) -> Table {
    let mut table = Table::new(
        "Variance of how often a branch holds in a run, and errors of predictions",
        "trials",
        &COLUMNS,
    );
    for (number, experiment) in (0..).zip(experiments(runs)) {
        if is_wanted(number) {
            add_rows(&mut table, &experiment);
        }
    }
    table
}

/// Simulates each process `runs` times.
pub fn branches(runs: usize) -> Report {
    let table = variances(runs, |_| true);
    let figures = [figures::uniform(runs / 6), figures::markov(runs)];
    let drawings = figures::drawn(&figures);
    let others = [programs::table(runs), patterns::table()];
    Report {
        title: "Branches, simulated and predicted".to_string(),
        notes: vec![
            format!("{runs} runs of most, whose variance has a standard error of {:.1} %", 100.0 * (2.0 / runs as f64).sqrt()),
            "as printed: 4.14b with (b - a)^2 / 12 as the variance of whole numbers (4.5.3); 4.14b: with the \
             variances that were counted".to_string(),
            "where runs depend on each other (equal, two bits) 4.14b is not right; ours takes Var((1 - p) U - p D) / E[U + D]".to_string(),
            "Table 4.4: Compress is a program of SPEC, whose input is not public; sizes that the thesis does not state are our \
             own, so variances that depend on them differ; Pe: the measured variance of a trial (4.6), \
             and of the number of trials (4.3b)".to_string(),
            "Table 4.4 prints Var[T_a] of SSSP b3 as 3.1e4, which its error of 6.5e3 % does not fit: 2.4e6, as that of b1".to_string(),
            "the scans of a selection sort depend on each other, which no model of a branch knows: Table 4.4 has \
             2.2e4, by Bernoulli 5.4e3, by 4.14b 1.5e4".to_string(),
        ],
        tables: [table].into_iter().chain(figures).chain(others).collect(),
        drawings,
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

/// Adds the simulated variance and the errors of the predictions.
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
    if is_constant {
        table.add(&experiment.name, "predicted", Unit::Value, {
            row[0] = None;
            row
        })
    } else {
        table.add(&experiment.name, "error", Unit::ErrorInPercent, row)
    }
}
