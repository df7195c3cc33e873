//! The embarrassingly parallel kernel: counts the pairs of random numbers in the unit disc.

use std::f64::consts::FRAC_PI_4;

use super::copies::{COPIES, Copies, FOUR, Part, add_moments, drawn, errors_of};
use crate::law::{Distribution, Named, order};
use crate::study::densities;
use crate::study::random::Random;
use crate::study::report::{Drawing, Table, Unit, errors};
use crate::study::sample::Sample;

/// Number of `pairs` inside the disc: the kernel turns them into normal deviates.
pub fn inside(random: &mut Random, pairs: u64) -> u64 {
    let mut inside = 0;
    for _ in 0..pairs {
        inside += u64::from(is_inside(random));
    }
    inside
}

/// The operations for `deviates` normal deviates, two from each pair inside the disc: costs of each pair tried, and
/// of each pair used.
pub fn operations(random: &mut Random, deviates: u64) -> u64 {
    let (mut tried, mut used) = (0, 0);
    while used < deviates / 2 {
        tried += 1;
        used += u64::from(is_inside(random));
    }
    tried + used
}

fn is_inside(random: &mut Random) -> bool {
    let (x, y) = (2.0 * random.share() - 1.0, 2.0 * random.share() - 1.0);
    x * x + y * y <= 1.0
}

/// Pairs in one run of the benchmark.
const PAIRS: u64 = 1 << 20;

/// Tables 5.3 and 5.9, Figures 5.19 and 5.20.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn part(runs: usize) -> Result<Part, String> {
    let mut random = Random::new(519);
    let counts: Vec<f64> = (0..runs)
        .map(|_| inside(&mut random, PAIRS) as f64)
        .collect();
    let sample = Sample::new(counts.clone());
    let exact = Named::new("binomial", &[PAIRS as f64, FRAC_PI_4])?;
    let law = exact.cumulants();
    let known = [law.mean, law.variance, law.skewness(), law.kurtosis()];
    let mut moments = Table::new("Table 5.3: normal deviates of 2^20 pairs", "", &FOUR);
    let printed = [823_549.0, 180_756.0, 0.04, 2.98];
    add_moments(
        &mut moments,
        "NAS-EP",
        &sample.cumulants(),
        &[("binomial", known), ("Table 5.3", printed)],
    );
    let mut normality = Table::new(
        "chi-square of the normal law (5.6.1)",
        "",
        &["value", "threshold"],
    );
    let test = sample.chi_square(&sample.normal()?, 1, 2)?;
    normality.add(
        "NAS-EP",
        "counted",
        Unit::Value,
        vec![Some(test.value), Some(test.threshold)],
    );
    normality.add(
        "NAS-EP",
        "printed",
        Unit::Value,
        vec![Some(65.3), Some(67.5)],
    );
    let density = densities::normalized(
        "Figure 5.19: density of the normal deviates of NAS-EP".to_string(),
        &sample,
        0.4,
    )?;
    let mut table = errors_of("5.20", "NAS-EP");
    let mut part = Part::default();
    for n in COPIES {
        let copies = Copies::chosen(n, counts.clone());
        copies.add_rows(&mut table)?;
        let largest = order::largest(&exact, n as f64)?.raw_moments().map(Some);
        let missed = errors(&largest, &copies.largest.raw_moments().map(Some));
        table.add(&n.to_string(), "binomial", Unit::ErrorInPercent, missed);
        if n <= 16 {
            let groups = counts
                .chunks_exact(n)
                .map(|group| group.iter().copied().fold(0.0, f64::max));
            part.fits
                .push(copies.fit(format!("NAS-EP (N = {n})"), groups.collect())?);
        }
    }
    part.drawings = vec![
        Drawing::of_table("5.19", &density, "density", &[("", &[0, 1, 2])]),
        drawn("5.20", &table),
    ];
    part.tables = vec![moments, normality, density, table];
    Ok(part)
}
