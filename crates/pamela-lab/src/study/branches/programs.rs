//! Branches of programs (thesis, Table 4.4): numbers of true branches in a run, beside predictions from counts.

use std::collections::VecDeque;

use super::counter::Counter;
use super::predicted::{alternating, lengths, rate, value};
use crate::law::{Cumulants, Empirical};
use crate::study::quicksort::{self, Watch};
use crate::study::random::Random;
use crate::study::report::{Table, Unit};

/// A branch with its counts, run by run.
struct Branch {
    name: String,
    counter: Counter,
    trials: Vec<f64>,
    taken: Vec<f64>,
}

/// Printed values: the variance, and its predictions by Pe, Pb and Pa.
const PRINTED: [(&str, [f64; 4]); 14] = [
    ("VS", [9.0e2, 9.0e2, 9.0e2, 9.0e2]),
    ("SSS", [2.2e4, 2.2e4, 5.4e3, 1.5e4]),
    ("CS", [1.0e6, 7.6e5, 7.2e5, 1.8e6]),
    ("GE", [9.4e3, 9.4e3, 6.5e3, 9.4e3]),
    ("SSSP b1", [3.6e4, 3.1e4, 7.7e3, 2.4e6]),
    ("SSSP b2", [4.4e2, 6.2e3, 4.3e3, 4.3e5]),
    ("SSSP b3", [3.6e4, 3.1e4, 7.7e3, 3.1e4]),
    ("Quicksort b1", [1.7e1, 1.7e1, 1.1e2, 3.2e1]),
    ("Quicksort b2", [6.7e1, 5.3e2, 6.9e2, 7.0e2]),
    ("Quicksort b3", [5.3e1, 5.2e1, 5.2e1, 5.2e1]),
    ("Quicksort b4", [4.3e1, 4.3e1, 4.3e1, 4.3e1]),
    ("Quicksort b5", [4.2e1, 4.3e1, 4.4e1, 4.3e1]),
    ("Quicksort b6", [1.7e1, 3.1e1, 1.8e2, 7.5e1]),
    ("Quicksort b7", [5.1e1, 5.2e1, 5.2e1, 5.2e1]),
];

/// Table 4.4, with `runs` runs of the short programs and fewer runs of slow ones.
pub fn table(runs: usize) -> Table {
    let columns = ["Var[T]", "Pe", "Pb", "Pa", "ours"];
    let mut table = Table::new(
        "Table 4.4: variance of how often branches hold, and predictions",
        "branch",
        &columns,
    );
    let mut random = Random::new(44);
    let mut branches = vec![Branch::of("VS", runs, |branch| {
        vector_scaling(&mut random, branch)
    })];
    branches.push(Branch::of("SSS", (runs / 20).max(2), |branch| {
        selection(&mut random, branch)
    }));
    branches.extend(sorts(&mut random, (runs / 6).max(2)));
    branches.push(Branch::of("GE", (runs / 20).max(2), |branch| {
        elimination(&mut random, branch)
    }));
    branches.extend(searches(&mut random, (runs / 6).max(2)));
    for (name, printed) in PRINTED {
        let Some(branch) = branches.iter().find(|branch| branch.name == name) else {
            continue;
        };
        let values = branch.values();
        table.add(name, "counted", Unit::Value, values.to_vec());
        let measured = values[0].unwrap_or(f64::NAN);
        let errors = values
            .iter()
            .map(|value| Some(100.0 * ((*value)? / measured - 1.0)));
        let errors = errors
            .enumerate()
            .map(|(at, error)| error.filter(|_| at > 0));
        table.add(name, "error", Unit::ErrorInPercent, errors.collect());
        let row = printed.map(Some).into_iter().chain([None]);
        table.add(name, "Table 4.4", Unit::Value, row.collect());
    }
    table
}

impl Branch {
    fn new(name: &str) -> Branch {
        Branch {
            name: name.to_string(),
            counter: Counter::new(),
            trials: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// Of runs that have this branch alone.
    fn of(name: &str, runs: usize, mut run: impl FnMut(&mut Branch)) -> Branch {
        let mut branch = Branch::new(name);
        for _ in 0..runs {
            branch.begin();
            run(&mut branch);
        }
        branch
    }

    /// Another run.
    fn begin(&mut self) {
        self.trials.push(0.0);
        self.taken.push(0.0);
        self.counter.position = 0;
    }

    fn trial(&mut self, holds: bool) {
        self.counter.trial(holds);
        if let (Some(trials), Some(taken)) = (self.trials.last_mut(), self.taken.last_mut()) {
            *trials += 1.0;
            *taken += f64::from(holds);
        }
    }

    /// The variance of how often it holds; by the variance of a trial that was measured run by run (4.6), by that of
    /// independent trials (4.9), by 4.14b, and by the law of a profile; each with the variance of the number of trials
    /// (4.3b).
    fn values(&self) -> [Option<f64>; 5] {
        let (trials, taken) = (
            Empirical::cumulants_of(&self.trials),
            Empirical::cumulants_of(&self.taken),
        );
        let p = taken.mean / trials.mean;
        let whole = |of_trial: f64| {
            let each = Cumulants {
                mean: p,
                variance: of_trial,
                third: 0.0,
                fourth: 0.0,
            };
            Cumulants::random_sum(&trials, &each).variance
        };
        let shares = self
            .trials
            .iter()
            .zip(&self.taken)
            .filter(|(trials, _)| **trials > 0.0);
        let shares: Vec<f64> = shares.map(|(trials, taken)| taken / trials).collect();
        let empirical = trials.mean * Empirical::cumulants_of(&shares).variance;
        let site = &self.counter.site;
        [
            Some(taken.variance),
            Some(whole(empirical)),
            Some(whole(p * (1.0 - p))),
            lengths(site).map(|lengths| whole(alternating(lengths))),
            value(site).as_ref().and_then(rate).map(whole),
        ]
    }
}

/// A tenth of 10,000 elements is zero.
fn vector_scaling(random: &mut Random, branch: &mut Branch) {
    for _ in 0..10_000 {
        branch.trial(random.share() >= 0.1);
    }
}

/// Straight selection of 1,000 elements: whether one is larger than those before it in a scan.
fn selection(random: &mut Random, branch: &mut Branch) {
    let mut x: Vec<f64> = (0..1000).map(|_| random.share()).collect();
    for i in (1..x.len()).rev() {
        let mut largest = i;
        branch.counter.position = 0;
        for j in (0..i).rev() {
            let holds = x[j] > x[largest];
            branch.trial(holds);
            if holds {
                largest = j;
            }
        }
        x.swap(i, largest);
    }
}

/// Elimination in a sparse matrix of 100 rows, which fills up: whether a row has to be changed.
fn elimination(random: &mut Random, branch: &mut Branch) {
    const ROWS: usize = 100;
    const FILLED: f64 = 0.02;
    let mut filled = vec![[false; ROWS]; ROWS];
    for row in &mut filled {
        row.fill_with(|| random.share() < FILLED);
    }
    for k in 0..ROWS {
        let pivot = filled[k];
        for row in &mut filled[k + 1..] {
            branch.trial(row[k]);
            if row[k] {
                for (place, pivot) in row.iter_mut().zip(pivot) {
                    *place |= pivot;
                }
            }
        }
    }
}

/// Watches the branches of quicksort, and a cache of two sets of two blocks.
struct Sorts<'a> {
    branches: &'a mut [Branch],
    blocks: [[usize; 2]; 2],
    random: &'a mut Random,
}

impl Watch for Sorts<'_> {
    fn touch(&mut self, element: usize) {
        let block = element / 8;
        let set = &mut self.blocks[block % 2];
        let is_hit = set.contains(&block);
        if !is_hit {
            set[self.random.below(2)] = block;
        }
        self.branches[0].trial(is_hit);
    }

    fn branch(&mut self, number: usize, holds: bool) {
        self.branches[number].trial(holds);
    }

    fn round(&mut self) {}
}

/// The cache and the seven branches of quicksort of 1,000 elements.
fn sorts(random: &mut Random, runs: usize) -> Vec<Branch> {
    let mut branches = vec![Branch::new("CS")];
    branches.extend((1..=7).map(|number| Branch::new(&format!("Quicksort b{number}"))));
    for _ in 0..runs {
        branches.iter_mut().for_each(Branch::begin);
        let mut x: Vec<f64> = (0..1000).map(|_| random.share()).collect();
        let mut watch = Sorts {
            branches: &mut branches,
            blocks: [[usize::MAX; 2]; 2],
            random,
        };
        quicksort::sort(&mut x, &mut watch);
    }
    branches
}

/// Shortest paths from one of 100 vertices, with a queue that is searched: whether a distance becomes shorter, whether a
/// place of the queue has the vertex, and whether it has to be added.
fn searches(random: &mut Random, runs: usize) -> Vec<Branch> {
    const VERTICES: usize = 100;
    let mut branches: Vec<Branch> = (1..=3)
        .map(|number| Branch::new(&format!("SSSP b{number}")))
        .collect();
    for _ in 0..runs {
        branches.iter_mut().for_each(Branch::begin);
        let edges: Vec<f64> = (0..VERTICES * VERTICES)
            .map(|_| 10.0 * random.share())
            .collect();
        let mut distance = [f64::INFINITY; VERTICES];
        let mut queue = VecDeque::from([0]);
        distance[0] = 0.0;
        while let Some(from) = queue.pop_front() {
            for to in 0..VERTICES {
                let other = distance[from] + edges[from * VERTICES + to];
                let is_shorter = other < distance[to];
                branches[0].trial(is_shorter);
                if !is_shorter {
                    continue;
                }
                distance[to] = other;
                let is_there = queue.iter().any(|waiting| {
                    branches[1].trial(*waiting == to);
                    *waiting == to
                });
                branches[2].trial(!is_there);
                if !is_there {
                    queue.push_back(to);
                }
            }
        }
    }
    branches
}
