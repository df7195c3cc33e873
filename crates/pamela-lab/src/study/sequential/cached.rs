//! Quicksort on a small cache (thesis 3.5.3): two sets of two 32-byte blocks with random replacement.

use crate::law::{Cumulants, Empirical, Named};
use crate::study::densities;
use crate::study::quicksort::{Watch, sort};
use crate::study::random::Random;
use crate::study::report::{Drawing, Report, Table, Unit};
use crate::study::sample::Sample;

const LENGTH: usize = 1000;
const SETS: usize = 2;
const WAYS: usize = 2;
/// Numbers of single precision in a block.
const BLOCK: usize = 8;
/// Nanoseconds of a hit and of a miss.
const HIT: f64 = 1.0;
const MISS: f64 = 10.0;

/// The cache and its references.
struct Cache {
    random: Random,
    blocks: [[Option<usize>; WAYS]; SETS],
    hits: usize,
    misses: usize,
    /// The time of each round of the outer loop.
    rounds: Vec<f64>,
    /// The elements, in their order, where they are wanted.
    trace: Option<Vec<f64>>,
}

impl Watch for Cache {
    fn touch(&mut self, element: usize) {
        let block = element / BLOCK;
        let set = &mut self.blocks[block % SETS];
        let is_hit = set.contains(&Some(block));
        if !is_hit {
            set[self.random.below(WAYS)] = Some(block);
        }
        self.hits += usize::from(is_hit);
        self.misses += usize::from(!is_hit);
        if let Some(time) = self.rounds.last_mut() {
            *time += if is_hit { HIT } else { MISS };
        }
        if let Some(trace) = &mut self.trace {
            trace.push(element as f64);
        }
    }

    fn branch(&mut self, _: usize, _: bool) {}

    fn round(&mut self) {
        self.rounds.push(0.0);
    }
}

fn run(values: &[f64], seed: u64) -> Cache {
    let mut cache = Cache {
        random: Random::new(seed),
        blocks: [[None; WAYS]; SETS],
        hits: 0,
        misses: 0,
        rounds: Vec::new(),
        trace: None,
    };
    sort(&mut values.to_vec(), &mut cache);
    cache
}

impl Cache {
    fn time(&self) -> f64 {
        self.hits as f64 * HIT + self.misses as f64 * MISS
    }
}

/// Figures 3.10 to 3.12, and the sources of the variance.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn add(report: &mut Report, runs: usize) -> Result<(), String> {
    let mut random = Random::new(310);
    let mut all = Vec::new();
    let mut inside = 0.0;
    for run_number in 0..runs {
        let values: Vec<f64> = (0..LENGTH).map(|_| random.share()).collect();
        // The same data with another replacement sequence: half the mean square of the difference is the variance due
        // to replacement.
        let [first, second] = [0, 1].map(|again| run(&values, (2 * run_number + again) as u64));
        inside += (first.time() - second.time()).powi(2) / (2.0 * runs as f64);
        all.push(first);
    }
    let sample = Sample::new(all.iter().map(Cache::time).collect());
    let counted = sample.cumulants();
    let predicted = predicted(&all);
    report
        .tables
        .push(moments(&all, &counted, &predicted, inside));
    let normal = Named::new("normal", &[predicted.mean, predicted.deviation()])?;
    let histogram = densities::histogram(
        "Figure 3.11: the time of quicksort with a cache, in nanoseconds".to_string(),
        "T",
        &[("counted", &sample)],
        &[("3.45", &normal), ("gld", &sample.fitted()?)],
    )?;
    let covariances = covariances(&all);
    report.drawings.push(trace(&mut random));
    report.drawings.push(Drawing::of_table(
        "3.11",
        &histogram,
        "probability",
        &[("", &[0, 1, 2])],
    ));
    report.drawings.push(Drawing::of_table(
        "3.12",
        &covariances,
        "ns^2",
        &[("", &[0, 1])],
    ));
    report.tables.extend([histogram, covariances]);
    Ok(())
}

/// A random number of rounds, each like the others and independent of them (thesis 3.45).
fn predicted(all: &[Cache]) -> Cumulants {
    let rounds: Vec<f64> = all.iter().map(|cache| cache.rounds.len() as f64).collect();
    let times: Vec<f64> = all
        .iter()
        .flat_map(|cache| cache.rounds.iter().copied())
        .collect();
    Cumulants::random_sum(
        &Empirical::cumulants_of(&rounds),
        &Empirical::cumulants_of(&times),
    )
}

fn moments(all: &[Cache], counted: &Cumulants, predicted: &Cumulants, inside: f64) -> Table {
    let columns = ["references", "hits [%]", "E [ns]", "Var [ns^2]"];
    let mut table = Table::new(
        "Figures 3.10 and 3.11: quicksort of 1000 numbers with a cache",
        "",
        &columns,
    );
    let runs = all.len() as f64;
    let hits = all.iter().map(|cache| cache.hits as f64).sum::<f64>() / runs;
    let references = hits + all.iter().map(|cache| cache.misses as f64).sum::<f64>() / runs;
    let shares = [references, 100.0 * hits / references].map(Some);
    let mut add = |method: &str, mean: Option<f64>, variance: f64, shares: [Option<f64>; 2]| {
        table.add(
            "T",
            method,
            Unit::Value,
            [shares.to_vec(), vec![mean, Some(variance)]].concat(),
        );
    };
    add("counted", Some(counted.mean), counted.variance, shares);
    add(
        "printed",
        Some(3.09e4),
        6.55e5,
        [Some(14_000.0), Some(49.0)],
    );
    add("3.45", Some(predicted.mean), predicted.variance, [None; 2]);
    add("3.45, printed", Some(3.07e4), 1.59e7, [None; 2]);
    let p = hits / references;
    add(
        "hits alone",
        None,
        references * p * (1.0 - p) * (MISS - HIT).powi(2),
        [None; 2],
    );
    add("replacement", None, inside, [None; 2]);
    table
}

/// Rounds of the outer loop that nearly all runs have.
const ROUNDS: usize = 200;

/// The variance of each round, and its covariance with all others.
fn covariances(all: &[Cache]) -> Table {
    let mut table = Table::new(
        "Figure 3.12: rounds of the outer loop of quicksort",
        "i",
        &["variance", "covariance"],
    );
    let n = all.len() as f64;
    let time = |cache: &Cache, i: usize| cache.rounds.get(i).copied().unwrap_or_default();
    let whole = all.iter().map(Cache::time).sum::<f64>() / n;
    for i in (0..10).chain((10..ROUNDS).step_by(10)) {
        let mean = all.iter().map(|cache| time(cache, i)).sum::<f64>() / n;
        let products = all.iter().map(|cache| {
            let own = time(cache, i) - mean;
            (own * own, own * (cache.time() - whole))
        });
        let (own, with_all) = products.fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
        table.add(
            &(i + 1).to_string(),
            "",
            Unit::Value,
            vec![Some(own), Some(with_all - own)],
        );
    }
    table
}

/// The elements that one run refers to.
fn trace(random: &mut Random) -> Drawing {
    let mut values: Vec<f64> = (0..LENGTH).map(|_| random.share()).collect();
    let mut cache = run(&[], 0);
    cache.trace = Some(Vec::new());
    sort(&mut values, &mut cache);
    let mut drawing = Drawing::new(
        "3.10",
        "Figure 3.10: memory references of quicksort",
        ["reference", "element"],
    );
    let trace = cache.trace.unwrap_or_default();
    let points = trace
        .into_iter()
        .enumerate()
        .map(|(at, element)| (at as f64, element));
    drawing.add("references", points.step_by(5).collect(), false);
    drawing
}
