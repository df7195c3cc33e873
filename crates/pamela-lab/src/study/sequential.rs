//! Sequential programs (thesis 3.5): counted times beside predicted laws.

mod cached;
mod maximum;
mod scaling;
mod selection;
#[cfg(test)]
mod tests;

use super::report::Report;

const NOTES: [&str; 8] = [
    "counted: by programs with fixed seeds; printed: what the thesis has",
    "Table 3.1: the text has n = 1,000; 3.62 has the skewness 0.084 and the kurtosis 3.005 of T, which are printed as 0 and 3",
    "Table 3.2 is called a test of the normal law, but its expected counts are those of a Bernoulli process of 999 trials \
     with share 6.44e-3; it prints 28 and 2 for 29 and 3, with which its terms and the sum of 5,000 agree; its threshold is \
     that of 18 degrees of freedom, where 18 intervals leave 17: 27.59",
    "exact: of the scan, independent trials of probabilities 1/2, 1/3, ..., 1/i, which a branch with one share is not",
    "scans alone: the sum of the variances of all scans; nearer than 10: with the covariances that the thesis takes (3.66)",
    "a cache of two sets of two blocks of 8 numbers; hits of 1 ns, misses of 10 ns",
    "the printed mean of 3.09e4 ns is the one that is counted, with 18,500 references and 93 % hits; over the 14,000 \
     references of the text it takes 87 %, and with its 49 % there would be 5,500",
    "3.45: a random number of rounds of the outer loop, each independent of the others; hits alone: trials of a hit with \
     one share; replacement: the variance that is left where the data are the same",
];

/// Vector scaling, the scan for the largest, straight selection sort, and quicksort with a cache, with `runs` data
/// sets each.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn sequential(runs: usize) -> Result<Report, String> {
    let mut report = Report {
        title: "Sequential programs (thesis 3.5)".to_string(),
        notes: NOTES.map(str::to_string).to_vec(),
        tables: Vec::new(),
        drawings: Vec::new(),
    };
    scaling::add(&mut report, runs)?;
    maximum::add(&mut report, runs)?;
    selection::add(&mut report, runs)?;
    cached::add(&mut report, runs)?;
    Ok(report)
}
