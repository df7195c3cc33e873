//! The scan for the largest element (thesis 3.5.2): the number of new largest elements.

use crate::law::{Cumulants, Distribution, Named, Probability};
use crate::study::random::Random;
use crate::study::report::{Drawing, Report, Table, Unit};
use crate::study::sample::Sample;

/// The longest scan.
const LENGTH: usize = 1000;

/// Table 3.2: observed and expected counts of 0, 1, ..., 16, and of more. It prints 28 and 2 for 29 and 3, with which
/// neither the terms of chi-square nor the number of data sets agree.
const OBSERVED: [f64; 18] = [
    7.0, 43.0, 136.0, 347.0, 518.0, 791.0, 843.0, 774.0, 586.0, 414.0, 262.0, 148.0, 83.0, 29.0,
    14.0, 3.0, 1.0, 1.0,
];
const EXPECTED: [f64; 18] = [
    7.87, 50.95, 164.79, 354.97, 572.90, 738.97, 793.51, 729.62, 586.42, 418.54, 268.57, 156.51,
    83.53, 41.10, 18.76, 7.99, 3.18, 1.82,
];
/// The share of trials that hold, as printed.
const PRINTED_SHARE: f64 = 6.44e-3;

/// Table 3.2, Figures 3.6 and 3.7.
///
/// # Errors
/// Does not fail for these counts.
pub fn add(report: &mut Report, runs: usize) -> Result<(), String> {
    let lengths: Vec<usize> = (1..=10).map(|hundred| 100 * hundred).collect();
    let mut random = Random::new(36);
    let mut counts = vec![Vec::new(); lengths.len()];
    for _ in 0..runs {
        // The k-th of random elements is the largest so far, whatever came before, with probability 1/k.
        let (mut largest, mut found) = (random.share(), 0.0);
        for k in 2..=LENGTH {
            let element = random.share();
            if element > largest {
                largest = element;
                found += 1.0;
            }
            if k % 100 == 0 {
                counts[k / 100 - 1].push(found);
            }
        }
    }
    let samples: Vec<Sample> = counts.into_iter().map(Sample::new).collect();
    let longest = &samples[lengths.len() - 1];
    let p = longest.cumulants().mean / (LENGTH - 1) as f64;
    let pmf = pmf(longest, p)?;
    let growth = growth(&lengths, &samples, p);
    report.drawings.push(Drawing::of_table(
        "3.6",
        &pmf,
        "of 5000",
        &[("", &[0, 1, 2])],
    ));
    report.drawings.push(Drawing::of_table(
        "3.7",
        &growth,
        "moment",
        &[("counted", &[0, 1, 2, 3]), ("Bernoulli", &[0])],
    ));
    let test = chi_square(longest, p)?;
    report.tables.extend([pmf, test, growth]);
    Ok(())
}

/// The probabilities of 0, 1, ... successes in independent trials of probabilities 1/2, 1/3, ..., 1/length.
pub fn records(length: usize, most: usize) -> Vec<f64> {
    let mut shares = vec![0.0; most + 1];
    shares[0] = 1.0;
    for k in 2..=length {
        let p = 1.0 / k as f64;
        for j in (0..=most).rev() {
            let before = if j > 0 { shares[j - 1] } else { 0.0 };
            shares[j] = shares[j] * (1.0 - p) + before * p;
        }
    }
    shares
}

/// Cumulants of the same.
fn exact(length: usize) -> Cumulants {
    let trials = (2..=length).map(|k| {
        let p = 1.0 / k as f64;
        let q = p * (1.0 - p);
        Cumulants {
            mean: p,
            variance: q,
            third: q * (1.0 - 2.0 * p),
            fourth: q * (1.0 - 6.0 * q),
        }
    });
    trials.fold(Cumulants::constant(0.0), |sum, trial| sum.plus(&trial))
}

/// Counts of 0, 1, ..., 16 and of more among as many runs as the thesis has.
fn classes(probability: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut classes: Vec<f64> = (0..17).map(|k| 5000.0 * probability(k)).collect();
    classes.push(5000.0 - classes.iter().sum::<f64>());
    classes
}

fn all_classes(longest: &Sample, p: f64) -> Result<[Vec<f64>; 3], String> {
    let binomial = Named::new("binomial", &[(LENGTH - 1) as f64, p])?;
    let (counted, records) = (longest.law()?, records(LENGTH, 16));
    let pmf = |law: &dyn Distribution, k: usize| {
        let end = |k: f64| law.cdf(k + 0.5);
        end(k as f64 - 1.0).until(end(k as f64))
    };
    Ok([
        classes(|k| pmf(&counted, k)),
        classes(|k| pmf(&binomial, k)),
        classes(|k| records[k]),
    ])
}

fn pmf(longest: &Sample, p: f64) -> Result<Table, String> {
    let columns = ["counted", "Bernoulli", "exact", "observed", "expected"];
    let mut table = Table::new(
        "Figure 3.6, Table 3.2: how often the largest changes, of 5000 scans",
        "T",
        &columns,
    );
    let [counted, binomial, exact] = all_classes(longest, p)?;
    for k in 0..18 {
        let values = [counted[k], binomial[k], exact[k], OBSERVED[k], EXPECTED[k]];
        table.add(&k.to_string(), "", Unit::Value, values.map(Some).to_vec());
    }
    Ok(table)
}

/// Pearson's statistic of the counts under a Bernoulli process and under the exact law, and of the printed counts.
fn chi_square(longest: &Sample, p: f64) -> Result<Table, String> {
    let columns = ["Bernoulli", "exact", "threshold"];
    let mut table = Table::new("Table 3.2: chi-square", "", &columns);
    let [counted, binomial, exact] = all_classes(longest, p)?;
    let [_, printed_binomial, _] = all_classes(longest, PRINTED_SHARE)?;
    // The statistic grows with the number of runs: of 5,000 what was counted is a share.
    let scale = longest.len() as f64 / 5000.0;
    let statistic = |observed: &[f64], expected: &[f64]| -> f64 {
        let terms = observed
            .iter()
            .zip(expected)
            .map(|(o, e)| (o - e).powi(2) / e);
        terms.sum()
    };
    let threshold = |freedom: f64| -> Result<f64, String> {
        Ok(Named::new("gamma", &[freedom / 2.0, 2.0])?.quantile(Probability::below(0.95)))
    };
    let ours = [
        scale * statistic(&counted, &binomial),
        scale * statistic(&counted, &exact),
        threshold(17.0)?,
    ];
    table.add("counted", "", Unit::Value, ours.map(Some).to_vec());
    let observed = [
        statistic(&OBSERVED, &printed_binomial),
        statistic(&OBSERVED, &exact),
        threshold(17.0)?,
    ];
    table.add("observed", "", Unit::Value, observed.map(Some).to_vec());
    table.add(
        "printed",
        "",
        Unit::Value,
        vec![Some(31.69), None, Some(28.87)],
    );
    Ok(table)
}

fn growth(lengths: &[usize], samples: &[Sample], p: f64) -> Table {
    let mut table = Table::new(
        "Figure 3.7: moments of a scan of i elements",
        "i",
        &["E", "Var", "Skw", "Kur"],
    );
    for (length, sample) in lengths.iter().zip(samples) {
        let trials = (length - 1) as f64;
        let variance = p * (1.0 - p);
        let bernoulli = Cumulants {
            mean: p,
            variance,
            third: variance * (1.0 - 2.0 * p),
            fourth: variance * (1.0 - 6.0 * variance),
        };
        for (method, law) in [
            ("counted", sample.cumulants()),
            ("exact", exact(*length)),
            ("Bernoulli", bernoulli.repeated(trials)),
        ] {
            let values = [law.mean, law.variance, law.skewness(), law.kurtosis()];
            table.add(
                &length.to_string(),
                method,
                Unit::Value,
                values.map(Some).to_vec(),
            );
        }
    }
    table
}
