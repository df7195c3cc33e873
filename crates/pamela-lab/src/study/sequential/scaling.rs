//! Vector scaling (thesis 3.5.1): the number of nonzero elements.

use crate::law::{Distribution, Named};
use crate::study::densities;
use crate::study::random::Random;
use crate::study::report::{Drawing, Report, Table, Unit};
use crate::study::sample::Sample;

const LENGTH: usize = 1000;
const SHARE: f64 = 0.1;

/// Table 3.1, Figure 3.5.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn add(report: &mut Report, runs: usize) -> Result<(), String> {
    let mut random = Random::new(35);
    let counts: Vec<f64> = (0..runs)
        .map(|_| (0..LENGTH).filter(|_| random.share() < SHARE).count() as f64)
        .collect();
    let trials = (runs * LENGTH) as f64;
    let p = counts.iter().sum::<f64>() / trials;
    let mut table = Table::new(
        "Table 3.1: the branch of vector scaling",
        "",
        &["E", "Var", "Skw", "Kur"],
    );
    for (method, p) in [("counted", p), ("exact", SHARE)] {
        table.add("P", method, Unit::Value, bernoulli(p).map(Some).to_vec());
    }
    table.add(
        "P",
        "Table 3.1",
        Unit::Value,
        [0.1, 9e-2, 2.7, 8.1].map(Some).to_vec(),
    );
    let sample = Sample::new(counts);
    let exact = Named::new("binomial", &[LENGTH as f64, SHARE])?;
    let normal = Named::new("normal", &[100.0, 90.0_f64.sqrt()])?;
    for (method, law) in [("counted", sample.cumulants()), ("3.62", exact.cumulants())] {
        let values = [law.mean, law.variance, law.skewness(), law.kurtosis()];
        table.add("T", method, Unit::Value, values.map(Some).to_vec());
    }
    table.add(
        "T",
        "printed",
        Unit::Value,
        [100.0, 90.0, 0.0, 3.0].map(Some).to_vec(),
    );
    let histogram = densities::histogram(
        format!("Figure 3.5: elements scaled of {LENGTH}"),
        "T",
        &[("counted", &sample)],
        &[("printed", &normal), ("binomial", &exact)],
    )?;
    report.drawings.push(Drawing::of_table(
        "3.5",
        &histogram,
        "probability",
        &[("", &[0, 1, 2])],
    ));
    report.tables.extend([table, histogram]);
    Ok(())
}

fn bernoulli(p: f64) -> [f64; 4] {
    let variance = p * (1.0 - p);
    let kurtosis = (1.0 - 3.0 * p + 3.0 * p * p) / variance;
    [p, variance, (1.0 - 2.0 * p) / variance.sqrt(), kurtosis]
}
