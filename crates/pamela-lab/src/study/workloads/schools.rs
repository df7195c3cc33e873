//! Fish of Wa-Tor as workloads: each processor has a strip of the ocean.

use super::copies::{COPIES, Copies, FOUR, Fit, Part, add_moments, drawn, errors_of};
use super::ocean::Ocean;
use crate::study::densities;
use crate::study::random::Random;
use crate::study::report::{Drawing, Series, Table, Unit};
use crate::study::sample::correlation;

/// When fish are counted, with the figure of the errors and Table 5.6.
const TIMES: [(usize, &str, [f64; 4]); 6] = [
    (0, "5.34", [1000.0, 594.0, -0.02, 2.99]),
    (4, "5.35", [491.0, 175.0, 0.07, 3.01]),
    (16, "5.36", [895.0, 7421.0, 0.36, 2.80]),
    (64, "5.37", [1762.0, 208_695.0, -0.40, 2.50]),
    (128, "5.38", [1278.0, 230_641.0, 1.02, 3.32]),
    (256, "5.39", [1487.0, 495_116.0, 0.22, 1.86]),
];
const SNAPSHOTS: [(usize, &str); 4] = [(0, "5.29"), (16, "5.30"), (48, "5.31"), (128, "5.32")];

/// The fish of each strip, at each of the times.
type Counts = [Vec<f64>; TIMES.len()];

/// Tables 5.6 and 5.9, Figures 5.29 to 5.40.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn part(runs: usize) -> Result<Part, String> {
    let mut random = Random::new(529);
    let mut part = snapshots(&mut random);
    let title = "Table 5.6: fish of one of four processors after t steps";
    let mut moments = Table::new(title, "t", &FOUR);
    let mut errors =
        TIMES.map(|(t, figure, _)| errors_of(figure, &format!("fish after {t} steps")));
    let mut drawing = Drawing::new(
        "5.33",
        "Figure 5.33: densities of the fish of a processor",
        ["x", "density"],
    );
    for n in COPIES {
        let oceans: Vec<Counts> = (0..(runs / 2 / n).max(8))
            .map(|_| counted(&mut random, n))
            .collect();
        for (at, (t, _, printed)) in TIMES.iter().enumerate() {
            let one: Vec<f64> = oceans.iter().flat_map(|ocean| ocean[at].clone()).collect();
            let largest = oceans
                .iter()
                .map(|ocean| ocean[at].iter().copied().fold(0.0, f64::max));
            let copies = Copies::together(n, one, &largest.collect::<Vec<f64>>());
            copies.add_rows(&mut errors[at])?;
            if n == 4 {
                let printed = [("Table 5.6", *printed)];
                add_moments(
                    &mut moments,
                    &t.to_string(),
                    &copies.one.cumulants(),
                    &printed,
                );
                let title =
                    format!("Figure 5.33: density of the fish of a processor after {t} steps");
                let table = densities::normalized(title, &copies.one, 0.4)?;
                let drawn = Drawing::of_table("5.33", &table, "", &[("", &[0])]);
                let named = |series: Series| Series {
                    name: format!("t = {t}"),
                    ..series
                };
                drawing.series.extend(drawn.series.into_iter().map(named));
                part.tables.push(table);
            }
        }
        if n == 16 {
            part.tables.push(together(&oceans));
        }
    }
    let columns: Vec<usize> = (0..TIMES.len()).collect();
    if let Some(table) = part.tables.last() {
        part.drawings.push(Drawing::of_table(
            "5.40",
            table,
            "correlation",
            &[("", &columns)],
        ));
    }
    part.drawings.push(drawing);
    for ((_, figure, _), table) in TIMES.iter().zip(&errors) {
        part.drawings.push(drawn(figure, table));
    }
    part.tables.insert(0, moments);
    part.tables.extend(errors);
    part.fits = fits(&mut random, (runs / 4).max(30))?;
    Ok(part)
}

/// One ocean.
fn counted(random: &mut Random, strips: usize) -> Counts {
    let mut ocean = Ocean::random(random, strips);
    let mut step = 0;
    TIMES.map(|(time, _, _)| {
        while step < time {
            ocean.step(random);
            step += 1;
        }
        ocean.fish()
    })
}

/// An ocean of four strips, drawn.
fn snapshots(random: &mut Random) -> Part {
    let mut table = Table::new(
        "Figures 5.29 to 5.32: an ocean of 100 x 100 places",
        "t",
        &["fish", "sharks", "in schools"],
    );
    let mut ocean = Ocean::random(random, 4);
    let mut drawings = Vec::new();
    let mut step = 0;
    for (time, figure) in SNAPSHOTS {
        while step < time {
            ocean.step(random);
            step += 1;
        }
        let [fish, sharks] = ocean.positions();
        let values = [fish.len() as f64, sharks.len() as f64, ocean.schools()];
        table.add(
            &time.to_string(),
            "",
            Unit::Value,
            values.map(Some).to_vec(),
        );
        let title = format!("Figure {figure}: Wa-Tor after {time} steps");
        let mut drawing = Drawing::new(figure, title, ["column", "row"]);
        drawing.add("fish", fish, false);
        drawing.add("sharks", sharks, false);
        drawings.push(drawing);
    }
    Part {
        tables: vec![table],
        drawings,
        fits: Vec::new(),
    }
}

/// The correlation between the first processor and the others.
fn together(oceans: &[Counts]) -> Table {
    let names = TIMES.map(|(t, _, _)| format!("t = {t}"));
    let mut table = Table::new(
        "Figure 5.40: correlation with the first of 16 processors",
        "j",
        &names.each_ref().map(String::as_str),
    );
    for j in 1..16 {
        let values = (0..TIMES.len()).map(|at| {
            let pairs = oceans.iter().map(|ocean| (ocean[at][0], ocean[at][j]));
            Some(correlation(pairs))
        });
        table.add(&(j + 1).to_string(), "", Unit::Value, values.collect());
    }
    table
}

/// The fit of predicted laws to the largest number of fish at the start and after four steps.
fn fits(random: &mut Random, runs: usize) -> Result<Vec<Fit>, String> {
    let mut fits = Vec::new();
    for n in COPIES {
        let mut counts: [Vec<Vec<f64>>; 2] = [Vec::new(), Vec::new()];
        for _ in 0..runs {
            let mut ocean = Ocean::random(random, n);
            counts[0].push(ocean.fish());
            (0..4).for_each(|_| ocean.step(random));
            counts[1].push(ocean.fish());
        }
        for (t, oceans) in [0, 4].into_iter().zip(counts) {
            let largest = oceans
                .iter()
                .map(|fish| fish.iter().copied().fold(0.0, f64::max));
            let largest: Vec<f64> = largest.collect();
            let copies = Copies::together(n, oceans.concat(), &largest);
            fits.push(copies.fit(format!("WATOR (N = {n}, t = {t})"), largest)?);
        }
    }
    Ok(fits)
}
