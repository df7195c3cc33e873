//! Shortest paths as workloads: several searches at once, and one that two workers share.

use super::copies::{COPIES, Copies, FOUR, POWERS, Part, add_moments, drawn, errors_of};
use super::paths::Graph;
use crate::law::{Cumulants, Family, Fitted, Support, baseline, order};
use crate::study::densities;
use crate::study::random::Random;
use crate::study::report::{Drawing, Table, Unit, errors};
use crate::study::sample::{Sample, correlation};

/// Number of sources in each graph: the maximum number of processors.
const SOURCES: usize = 128;
const VERTICES: usize = 1000;

/// Table 5.4, Figures 5.21 to 5.23.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn part(runs: usize) -> Result<Part, String> {
    let mut random = Random::new(521);
    let mut graphs: Vec<Vec<f64>> = Vec::new();
    for _ in 0..(runs / SOURCES).max(2) {
        let graph = Graph::random(&mut random, VERTICES);
        let count = |source| graph.distances(source, 1).1[0] as f64;
        graphs.push((0..SOURCES).map(count).collect());
    }
    let sample = Sample::new(graphs.concat());
    let mut moments = Table::new(
        "Table 5.4: additions and comparisons of SSSP, V = 1000",
        "",
        &FOUR,
    );
    add_moments(
        &mut moments,
        "SSSP",
        &sample.cumulants(),
        &[("Table 5.4", [4.7e6, 1.7e11, 0.48, 3.34])],
    );
    let density = densities::normalized(
        "Figure 5.21: density of the operations of SSSP".to_string(),
        &sample,
        0.4,
    )?;
    let mut searches = errors_of("5.22", "APSP");
    for n in COPIES {
        of_graphs(n, &graphs).add_rows(&mut searches)?;
    }
    let shared = shared(&mut random, (runs / 6).max(10))?;
    Ok(Part {
        drawings: vec![
            Drawing::of_table("5.21", &density, "density", &[("", &[0, 1, 2])]),
            drawn("5.22", &searches),
            Drawing::of_table(
                "5.23",
                &shared,
                "error [%]",
                &[("gld", &[0, 1, 2, 3]), ("Newton", &[0])],
            ),
        ],
        tables: vec![moments, density, searches, shared],
        fits: Vec::new(),
    })
}

/// The largest of several searches in one graph, over all ways to choose them.
fn of_graphs(count: usize, graphs: &[Vec<f64>]) -> Copies {
    let mut copies = Copies::chosen(count, graphs.concat());
    let mut raw = [0.0; 4];
    for graph in graphs {
        let largest = Sample::new(graph.clone()).largest(count).raw_moments();
        for (sum, moment) in raw.iter_mut().zip(largest) {
            *sum += moment / graphs.len() as f64;
        }
    }
    copies.largest = Cumulants::from_raw_moments(raw);
    copies
}

/// Two workers, to which vertices are dealt out in turn.
fn shared(random: &mut Random, runs: usize) -> Result<Table, String> {
    let mut columns = POWERS.to_vec();
    columns.push("correlation");
    let mut table = Table::new(
        "Figure 5.23: the larger of two workers of SSSP",
        "V",
        &columns,
    );
    for vertices in (100..=1000).step_by(100) {
        let pairs: Vec<(f64, f64)> = (0..runs)
            .map(|_| {
                let graph = Graph::random(random, vertices);
                let operations = graph.distances(0, 2).1;
                (operations[0] as f64, operations[1] as f64)
            })
            .collect();
        let point = vertices.to_string();
        let [first, second] = [|pair: &(f64, f64)| pair.0, |pair: &(f64, f64)| pair.1]
            .map(|worker| Sample::new(pairs.iter().map(worker).collect()).cumulants());
        let larger = Sample::new(pairs.iter().map(|(x, y)| x.max(*y)).collect()).cumulants();
        let counted = larger.raw_moments().map(Some);
        let together = correlation(pairs.iter().copied());
        table.add(
            &point,
            "counted",
            Unit::Value,
            [counted.to_vec(), vec![Some(together)]].concat(),
        );
        let mut predict = |method: &str, raw: [f64; 4]| {
            let mut row = errors(&raw.map(Some), &counted);
            row.push(None);
            table.add(&point, method, Unit::ErrorInPercent, row);
        };
        let fit = |law: &Cumulants| Fitted::new(*law, Support::NONNEGATIVE, Family::Gld);
        predict(
            "gld",
            order::largest_of(&[&fit(&first)?, &fit(&second)?])?.raw_moments(),
        );
        if let Some(raw) =
            baseline::largest_of_two(baseline::Method::Newton, &first, &second, 10_000)
        {
            predict("Newton", raw);
        }
        predict(
            "heuristic",
            baseline::heuristic(&first, &second).raw_moments(),
        );
    }
    Ok(table)
}
