//! A pipeline of two tasks: the first makes normal deviates, the second sorts them on 24 processors.

use super::copies::{POWERS, Part};
use super::embarrassing;
use crate::law::{Distribution, Family, Fitted, Named, Support, baseline, order};
use crate::study::densities;
use crate::study::random::Random;
use crate::study::report::{Drawing, Table, Unit, errors};
use crate::study::sample::Sample;
use crate::study::sorting;

const PROCESSORS: usize = 24;
const NODES: u32 = 10_000;

/// Table 5.7: 10,000 deviates each, the moments of the first task and of the second.
const PRINTED: [(u64, [f64; 4], [f64; 4]); 7] = [
    (
        4,
        [4.55e4, 6.78e3, 0.17, 2.90],
        [4.57e4, 5.52e5, 0.74, 4.09],
    ),
    (
        5,
        [5.68e4, 8.55e3, -0.07, 3.11],
        [5.64e4, 7.92e5, 0.36, 2.81],
    ),
    (
        6,
        [6.82e4, 1.06e3, 0.04, 2.79],
        [6.75e4, 1.17e6, 0.74, 4.32],
    ),
    (
        7,
        [7.96e4, 1.19e4, 0.06, 3.05],
        [7.84e4, 1.25e6, 1.17, 6.18],
    ),
    (
        8,
        [9.09e4, 1.39e4, 0.03, 3.12],
        [8.95e4, 1.68e6, 0.64, 3.53],
    ),
    (
        9,
        [1.02e5, 1.69e4, -0.02, 3.02],
        [1.01e5, 1.73e6, 0.73, 3.89],
    ),
    (
        10,
        [1.14e5, 1.73e4, -0.04, 2.93],
        [1.12e5, 2.15e6, 0.73, 4.25],
    ),
];

/// Table 5.7, Figures 5.41 and 5.42.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn part(runs: usize) -> Result<Part, String> {
    let mut random = Random::new(541);
    let columns = ["E1", "Var1", "Skw1", "Kur1", "E2", "Var2", "Skw2", "Kur2"];
    let mut moments = Table::new(
        "Table 5.7: operations of the two tasks of a pipeline",
        "N",
        &columns,
    );
    let mut missed = Table::new(
        "Figure 5.42: the larger of two tasks of a pipeline",
        "N",
        &POWERS,
    );
    let mut part = Part::default();
    for (size, first, second) in PRINTED {
        let deviates = size * 10_000;
        let point = deviates.to_string();
        let [x, y] = counted(&mut random, deviates, (runs / 6).max(20));
        let larger = x.iter().zip(&y).map(|(x, y)| x.max(*y)).collect();
        let [x, y, larger] = [x, y, larger].map(Sample::new);
        let both = |first: [f64; 4], second: [f64; 4]| {
            [first, second].concat().into_iter().map(Some).collect()
        };
        let of = |sample: &Sample| {
            let law = sample.cumulants();
            [law.mean, law.variance, law.skewness(), law.kurtosis()]
        };
        moments.add(&point, "counted", Unit::Value, both(of(&x), of(&y)));
        let exact = tries(deviates).map(Some);
        moments.add(
            &point,
            "exact",
            Unit::Value,
            [exact.to_vec(), vec![None; 4]].concat(),
        );
        moments.add(&point, "Table 5.7", Unit::Value, both(first, second));
        add_errors(&mut missed, &point, [&x, &y], &larger)?;
        if size == 10 {
            let title = format!("Figure 5.41: densities of the two tasks, N = {deviates}");
            let tasks = [("task 1", &x), ("task 2", &y)];
            part.tables
                .push(densities::histogram(title, "operations", &tasks, &[])?);
        }
    }
    if let Some(table) = part.tables.last() {
        part.drawings.push(Drawing::of_table(
            "5.41",
            table,
            "density",
            &[("", &[0, 1])],
        ));
    }
    let curves: [(&str, &[usize]); 2] = [("Newton", &[0, 1, 2, 3]), ("heuristic", &[0])];
    part.drawings
        .push(Drawing::of_table("5.42", &missed, "error [%]", &curves));
    part.tables.insert(0, moments);
    part.tables.push(missed);
    Ok(part)
}

/// The operations of both tasks in each run.
fn counted(random: &mut Random, deviates: u64, runs: usize) -> [Vec<f64>; 2] {
    let size = deviates as usize / PROCESSORS;
    let mut counts = [Vec::new(), Vec::new()];
    for _ in 0..runs {
        counts[0].push(embarrassing::operations(random, deviates) as f64);
        let sorted = sorting::sorted(random, PROCESSORS, size);
        let largest = |section: &[u64]| section.iter().copied().max().unwrap_or_default();
        let sections =
            [&sorted.sort, &sorted.disjoin, &sorted.merge].map(|section| largest(section));
        counts[1].push((sections.iter().sum::<u64>() + sorted.samples) as f64);
    }
    counts
}

/// Moments of the first task: a sum of geometric variables, one for each pair that is used, and these pairs.
fn tries(deviates: u64) -> [f64; 4] {
    let used = (deviates / 2) as f64;
    let one = Named::new("geometric", &[std::f64::consts::FRAC_PI_4]).map(|law| law.cumulants());
    let law = one.map(|one| one.repeated(used).shifted(used));
    law.map_or([f64::NAN; 4], |law| {
        [law.mean, law.variance, law.skewness(), law.kurtosis()]
    })
}

fn add_errors(
    table: &mut Table,
    point: &str,
    tasks: [&Sample; 2],
    larger: &Sample,
) -> Result<(), String> {
    let counted = larger.cumulants().raw_moments().map(Some);
    table.add(point, "counted", Unit::Value, counted.to_vec());
    let [x, y] = tasks.map(Sample::cumulants);
    let mut predict = |method: &str, raw: [f64; 4]| {
        table.add(
            point,
            method,
            Unit::ErrorInPercent,
            errors(&raw.map(Some), &counted),
        );
    };
    if let Some(raw) = baseline::largest_of_two(baseline::Method::Newton, &x, &y, NODES) {
        predict("Newton", raw);
    }
    predict("heuristic", baseline::heuristic(&x, &y).raw_moments());
    let [x, y] = [x, y].map(|law| Fitted::new(law, Support::NONNEGATIVE, Family::Gld));
    predict("gld", order::largest_of(&[&x?, &y?])?.raw_moments());
    let [x, y] = tasks.map(Sample::law);
    predict("empirical", order::largest_of(&[&x?, &y?])?.raw_moments());
    Ok(())
}
