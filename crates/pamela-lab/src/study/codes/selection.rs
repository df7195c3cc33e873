//! Parallel sorting by regular sampling whose parts are sorted by straight selection (thesis 6.4).

use crate::study::random::Random;
use crate::study::sorting::sorted;

/// The model of Figure 6.1 with its errata. Quotients that are not whole are rounded down. The number of elements
/// that a processor exchanges is that of the figure.
pub const MODEL: &str = "\
numeric parameter N : integer >= 1         % array length
numeric parameter P : integer >= 1         % number of processors
numeric parameter move : >= 0              % mean communication time
numeric parameter m1                       % mean of a trial of the first sort
numeric parameter v1                       % its variance
numeric parameter m2                       % of the sort of the samples
numeric parameter v2
numeric parameter m3                       % of the last sort
numeric parameter v3
numeric tf = moments(1, 1, 2, 9)           % computation time
numeric tm = move * moments(1, 1, 2, 9)    % communication time
numeric part = (N - N div P) div (P * P)
process main = {
    par (p = 0, P - 1) { sort(N div P, m1, v1) ; seq (i = 0, P - 1) delay(tm) } ;
    if (P > 1) {
        sort(P * P, m2, v2) ;
        seq (i = 0, P - 2) delay(tm) ;
        par (p = 0, P - 1) seq (i = 1, P * part) { delay(tf) ; delay(tm) } ;
        par (p = 0, P - 1) { seq (i = 1, P * part) delay(tm) ; sort(N div P, m3, v3) }
    }
}
process sort(n, m, v) = {
    seq (k = 1, n * (n - 1) / 2) if (moments(m, v, 0, 3)) delay(tf) ;
    seq (i = 1, n - 1) delay(tm)
}
";

/// Counts of a run: true trials in the three sorts of each processor, comparisons of splitting, elements received
/// from others.
pub struct Counts {
    size: usize,
    first: Vec<u64>,
    samples: u64,
    split: Vec<u64>,
    received: Vec<usize>,
    last: Vec<u64>,
}

/// Sorts random numbers on this many processors.
pub fn counted(random: &mut Random, size: usize, processors: usize) -> Counts {
    let each = size / processors;
    let fresh = |random: &mut Random, count: usize| (0..count).map(|_| random.share()).collect();
    let first = (0..processors)
        .map(|_| changes(fresh(random, each)))
        .collect();
    let run = sorted(random, processors, each);
    let is_alone = processors == 1;
    Counts {
        size: each,
        first,
        samples: if is_alone {
            0
        } else {
            changes(fresh(random, processors * processors))
        },
        received: run.parts.iter().map(Vec::len).collect(),
        last: if is_alone {
            vec![0]
        } else {
            run.parts.into_iter().map(changes).collect()
        },
        split: run.disjoin,
    }
}

/// Number of times that straight selection finds a larger element.
pub fn changes(mut x: Vec<f64>) -> u64 {
    let mut changes = 0;
    for end in (1..x.len()).rev() {
        let (mut largest, mut value) = (end, x[end]);
        for j in (0..end).rev() {
            if x[j] > value {
                (largest, value) = (j, x[j]);
                changes += 1;
            }
        }
        x.swap(end, largest);
    }
    changes
}

impl Counts {
    /// The time of the run, with the time 1 for operations and this time to move an element.
    pub fn time(&self, moving: f64) -> f64 {
        let processors = self.first.len();
        let p = processors as f64;
        let moved = |count: usize| count as f64 * moving;
        let longest = |times: &mut dyn Iterator<Item = f64>| times.fold(0.0, f64::max);
        let first = longest(
            &mut self
                .first
                .iter()
                .map(|changes| *changes as f64 + moved(self.size - 1 + processors)),
        );
        if processors == 1 {
            return first;
        }
        let samples = self.samples as f64 + moved(processors * processors - 1) + (p - 1.0) * moving;
        let split = longest(
            &mut self
                .split
                .iter()
                .map(|count| *count as f64 * (1.0 + moving)),
        );
        let last = longest(
            &mut self
                .last
                .iter()
                .zip(&self.received)
                .map(|(changes, received)| {
                    let foreign = received - received / processors;
                    *changes as f64 + moved(received.saturating_sub(1) + foreign)
                }),
        );
        first + samples + split + last
    }

    /// Mean and variance of a trial of the first sort, of the samples, of the last sort.
    pub fn profile(&self) -> [f64; 6] {
        let trials = |n: f64| (n * (n - 1.0) / 2.0).max(1.0);
        let of = |changes: &[u64], size: f64| {
            let n = changes.len() as f64;
            let mean = changes.iter().sum::<u64>() as f64 / n;
            let squares = changes
                .iter()
                .map(|x| (*x as f64 - mean).powi(2))
                .sum::<f64>();
            [mean, squares / (n - 1.0).max(1.0)].map(|moment| moment / trials(size))
        };
        let processors = self.first.len() as f64;
        let [m1, v1] = of(&self.first, self.size as f64);
        let [m2, v2] = of(&[self.samples], processors * processors);
        let [m3, v3] = of(&self.last, self.size as f64);
        [m1, v1, m2, v2, m3, v3]
    }
}
