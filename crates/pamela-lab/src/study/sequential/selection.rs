//! Straight selection sort (thesis 3.5.2): its scans depend on each other.

use crate::law::Named;
use crate::study::densities;
use crate::study::random::Random;
use crate::study::report::{Drawing, Report, Table, Unit};
use crate::study::sample::Sample;

const LENGTH: usize = 1000;
/// Distances of scans; the thesis takes those below 10 into account.
const DISTANCES: [usize; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 50, 100, 200, 400];
const NEAR: usize = 10;
/// First elements of the longer scan, as many as a block has.
const BLOCKS: [usize; 5] = [500, 600, 700, 800, 900];
const BLOCK: usize = 100;

/// Number of larger elements found in each scan, run by run: the scan of `i` elements at `i`.
struct Scans(Vec<Vec<u8>>);

/// Figures 3.8 and 3.9, and the effect of covariances on the variance.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn add(report: &mut Report, runs: usize) -> Result<(), String> {
    let mut random = Random::new(38);
    let scans = Scans((0..runs).map(|_| sort(&mut random)).collect());
    let totals = scans
        .0
        .iter()
        .map(|scans| scans.iter().map(|count| f64::from(*count)).sum());
    let sample = Sample::new(totals.collect());
    let counted = sample.cumulants();
    let trials = (LENGTH * (LENGTH - 1) / 2) as f64;
    let p = counted.mean / trials;
    let alone: f64 = (2..=LENGTH).map(|i| scans.covariance(i, i)).sum();
    let near: f64 = (1..NEAR)
        .map(|d| {
            2.0 * (2..=LENGTH - d)
                .map(|i| scans.covariance(i, i + d))
                .sum::<f64>()
        })
        .sum();
    let variances = [trials * p * (1.0 - p), alone, alone + near];
    let mut table = Table::new(
        "Figure 3.8: moments of straight selection sort, N = 1000",
        "",
        &["E", "Var", "Skw", "Kur"],
    );
    let values = [
        counted.mean,
        counted.variance,
        counted.skewness(),
        counted.kurtosis(),
    ];
    table.add("T", "counted", Unit::Value, values.map(Some).to_vec());
    // Knuth, The Art of Computer Programming, 5.2.3.
    let harmonic: f64 = (1..=LENGTH).map(|k| 1.0 / k as f64).sum();
    let mean = (LENGTH + 1) as f64 * harmonic - 2.0 * LENGTH as f64;
    table.add(
        "T",
        "exact",
        Unit::Value,
        vec![Some(mean), None, None, None],
    );
    for (method, variance) in ["3.65", "scans alone", "nearer than 10"]
        .into_iter()
        .zip(variances)
    {
        table.add(
            "T",
            method,
            Unit::Value,
            vec![Some(counted.mean), Some(variance), None, None],
        );
        let error = 100.0 * (variance / counted.variance - 1.0);
        table.add(
            "T",
            "",
            Unit::ErrorInPercent,
            vec![None, Some(error), None, None],
        );
    }
    let histogram = histogram(&sample, variances)?;
    let covariances = covariances(&scans);
    report.drawings.push(Drawing::of_table(
        "3.8",
        &histogram,
        "probability",
        &[("", &[0, 1, 2, 3])],
    ));
    let columns: Vec<usize> = (0..BLOCKS.len()).collect();
    report.drawings.push(Drawing::of_table(
        "3.9",
        &covariances,
        "covariance",
        &[("", &columns)],
    ));
    report.tables.extend([table, histogram, covariances]);
    Ok(())
}

/// The histogram of the counts, with normal laws of two variances: by equation 3.65, and with near covariances.
fn histogram(sample: &Sample, variances: [f64; 3]) -> Result<Table, String> {
    let mean = sample.cumulants().mean;
    let normal = |variance: f64| Named::new("normal", &[mean, variance.sqrt()]);
    let laws = [normal(variances[0])?, normal(variances[2])?];
    densities::histogram(
        "Figure 3.8: how often straight selection sort finds a larger element".to_string(),
        "T",
        &[("counted", sample)],
        &[
            ("3.65", &laws[0]),
            ("modified", &laws[1]),
            ("gld", &sample.fitted()?),
        ],
    )
}

fn sort(random: &mut Random) -> Vec<u8> {
    let mut x: Vec<f64> = (0..LENGTH).map(|_| random.share()).collect();
    let mut found = vec![0; LENGTH + 1];
    for i in (2..=LENGTH).rev() {
        let mut largest = i - 1;
        for j in (0..i - 1).rev() {
            if x[j] > x[largest] {
                largest = j;
                found[i] += 1;
            }
        }
        x.swap(i - 1, largest);
    }
    found
}

impl Scans {
    fn covariance(&self, i: usize, j: usize) -> f64 {
        let n = self.0.len() as f64;
        let (mut x, mut y, mut xy) = (0, 0, 0);
        for scans in &self.0 {
            let (a, b) = (u64::from(scans[i]), u64::from(scans[j]));
            x += a;
            y += b;
            xy += a * b;
        }
        xy as f64 / n - x as f64 / n * (y as f64 / n)
    }
}

/// Means over blocks of scans.
fn covariances(scans: &Scans) -> Table {
    let names = BLOCKS.map(|block| format!("j = {block}.."));
    let mut table = Table::new(
        "Figure 3.9: covariance of the scans of j and of k elements",
        "j - k",
        &names.each_ref().map(String::as_str),
    );
    for distance in DISTANCES {
        let values = BLOCKS.map(|block| {
            let pairs = (block..block + BLOCK).filter(|j| *j >= distance + 100);
            let found: Vec<f64> = pairs.map(|j| scans.covariance(j, j - distance)).collect();
            Some(found.iter().sum::<f64>() / found.len() as f64)
        });
        table.add(&distance.to_string(), "", Unit::Value, values.to_vec());
    }
    table
}
