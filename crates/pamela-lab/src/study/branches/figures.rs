//! Errors of predicted variances over lengths of runs and over the length of a loop (thesis, Figures 4.1, 4.2 and 4.4).

use super::counter::Counter;
use super::predicted::{alternating, lengths};
use super::process::Process;
use crate::law::Empirical;
use crate::study::random::Random;
use crate::study::report::{Drawing, Table, Unit};

/// Greatest lengths of runs, which are uniform from 1 on.
const GREATEST: [u64; 5] = [2, 4, 8, 16, 32];
/// Trials of a loop.
const TRIALS: [u64; 6] = [10, 30, 100, 300, 1000, 3000];
/// A counter of two bits that goes up and down alike, and a chain that rarely turns.
const CHAINS: [(&str, Process); 2] = [
    ("two bits", Process::Counter(0.5)),
    ("chain", Process::Markov(0.05, 0.1)),
];

/// By how many per cent Bernoulli and 4.14b miss the variance.
fn errors(process: Process, trials: u64, runs: usize, seed: u64) -> [Option<f64>; 2] {
    let mut random = Random::new(seed);
    let mut counter = Counter::new();
    let mut before = 0;
    let counts: Vec<f64> = (0..runs)
        .map(|_| {
            process.run(&mut random, trials, &mut counter);
            let count = counter.site.taken - before;
            before = counter.site.taken;
            count as f64
        })
        .collect();
    let variance = Empirical::cumulants_of(&counts).variance;
    let p = counter.site.taken as f64 / counter.site.calls as f64;
    let error = |of_trial: f64| 100.0 * (trials as f64 * of_trial / variance - 1.0);
    let renewal = lengths(&counter.site).map(alternating);
    [Some(error(p * (1.0 - p))), renewal.map(error)]
}

/// The figure for uniform lengths of true and of false runs.
pub fn uniform(runs: usize) -> Table {
    let names = GREATEST.map(|ups| format!("b_U = {ups}"));
    let columns = names.each_ref().map(String::as_str);
    let mut table = Table::new(
        "Figures 4.1 and 4.2: uniform lengths of runs",
        "b_D",
        &columns,
    );
    for downs in GREATEST {
        let errors = GREATEST
            .map(|ups| errors(Process::Uniform(ups, downs), 5000, runs, 1000 * ups + downs));
        for (method, at) in [("Bernoulli", 0), ("4.14b", 1)] {
            let row = errors.iter().map(|errors| errors[at]).collect();
            table.add(&downs.to_string(), method, Unit::ErrorInPercent, row);
        }
    }
    table
}

/// The figure for chains that are not in the thesis, over the number of trials.
pub fn markov(runs: usize) -> Table {
    let columns = CHAINS.map(|(name, _)| name);
    let mut table = Table::new("Figure 4.4: Markov chains", "N", &columns);
    for trials in TRIALS {
        let errors = CHAINS.map(|(_, process)| errors(process, trials, runs, trials));
        for (method, at) in [("Bernoulli", 0), ("4.14b", 1)] {
            let row = errors.iter().map(|errors| errors[at]).collect();
            table.add(&trials.to_string(), method, Unit::ErrorInPercent, row);
        }
    }
    table
}

pub fn drawn([uniform, markov]: &[Table; 2]) -> Vec<Drawing> {
    let columns: Vec<usize> = (0..GREATEST.len()).collect();
    vec![
        Drawing::of_table("4.1", uniform, "error [%]", &[("Bernoulli", &columns)]),
        Drawing::of_table("4.2", uniform, "error [%]", &[("4.14b", &columns)]),
        Drawing::of_table(
            "4.4",
            markov,
            "error [%]",
            &[("Bernoulli", &[0, 1]), ("4.14b", &[0, 1])],
        ),
    ]
}
