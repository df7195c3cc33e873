//! The parallel sections of sorting by regular sampling as workloads.

use super::copies::{COPIES, Copies, FOUR, Part, add_moments, drawn, errors_of};
use crate::study::densities;
use crate::study::random::Random;
use crate::study::report::{Drawing, Series, Table, Unit};
use crate::study::sample::{Sample, correlation};
use crate::study::sorting::{Sorted, sorted};

/// Elements of each processor.
const SIZE: usize = 1000;

struct Section {
    name: &'static str,
    figure: &'static str,
    printed: [f64; 4],
    counts: fn(&Sorted) -> &Vec<u64>,
}

const SECTIONS: [Section; 3] = [
    Section {
        name: "sort",
        figure: "5.25",
        printed: [9581.0, 1.04e5, 0.94, 4.31],
        counts: |sorted| &sorted.sort,
    },
    Section {
        name: "disjoin",
        figure: "5.26",
        printed: [496.0, 177.0, -1.64, 5.58],
        counts: |sorted| &sorted.disjoin,
    },
    Section {
        name: "merge",
        figure: "5.27",
        printed: [1475.0, 545.0, -1.54, 6.06],
        counts: |sorted| &sorted.merge,
    },
];

/// The comparisons of each processor, section by section.
type Counts = [Vec<f64>; SECTIONS.len()];

fn counted(random: &mut Random, processors: usize) -> Counts {
    let run = sorted(random, processors, SIZE);
    SECTIONS.map(|section| {
        (section.counts)(&run)
            .iter()
            .map(|count| *count as f64)
            .collect()
    })
}

/// Tables 5.5 and 5.9, Figures 5.24 to 5.28.
///
/// # Errors
/// Fails if no law has the moments of the counts, which does not happen.
pub fn part(runs: usize) -> Result<Part, String> {
    let runs = (runs / 2).max(20);
    let mut random = Random::new(524);
    let mut part = Part::default();
    let mut errors = SECTIONS.map(|section| errors_of(section.figure, section.name));
    for n in COPIES {
        let all: Vec<Counts> = (0..runs).map(|_| counted(&mut random, n)).collect();
        for (at, (section, table)) in SECTIONS.iter().zip(&mut errors).enumerate() {
            let one = all.iter().flat_map(|run| run[at].iter().copied()).collect();
            let largest = all
                .iter()
                .map(|run| run[at].iter().copied().fold(0.0, f64::max));
            let largest: Vec<f64> = largest.collect();
            let copies = Copies::together(n, one, &largest);
            copies.add_rows(table)?;
            if n <= 32 && section.name == "sort" {
                part.fits
                    .push(copies.fit(format!("PSRS (N = {n}, sort)"), largest)?);
            }
        }
        match n {
            2 => add_laws(&mut part, &all)?,
            16 => part.tables.push(together(&all)),
            _ => {}
        }
    }
    if let Some(table) = part.tables.last() {
        let columns: [(&str, &[usize]); 1] = [("", &[0, 1, 2])];
        part.drawings
            .push(Drawing::of_table("5.28", table, "correlation", &columns));
    }
    for (section, table) in SECTIONS.iter().zip(&errors) {
        part.drawings.push(drawn(section.figure, table));
    }
    part.tables.extend(errors);
    Ok(part)
}

/// The moments and densities of one of two processors.
fn add_laws(part: &mut Part, all: &[Counts]) -> Result<(), String> {
    let title = "Table 5.5: comparisons of one of two processors";
    let mut moments = Table::new(title, "section", &FOUR);
    let title = "Figure 5.24: densities of the sections of PSRS";
    let mut drawing = Drawing::new("5.24", title, ["x", "density"]);
    let mut tables = Vec::new();
    for (at, section) in SECTIONS.iter().enumerate() {
        let sample = Sample::new(all.iter().flat_map(|run| run[at].iter().copied()).collect());
        let printed = [("Table 5.5", section.printed)];
        add_moments(&mut moments, section.name, &sample.cumulants(), &printed);
        let title = format!(
            "Figure 5.24: density of the comparisons of {}",
            section.name
        );
        let table = densities::normalized(title, &sample, 0.4)?;
        let drawn = Drawing::of_table("5.24", &table, "", &[("", &[0])]);
        let named = |series: Series| Series {
            name: section.name.to_string(),
            ..series
        };
        drawing.series.extend(drawn.series.into_iter().map(named));
        tables.push(table);
    }
    part.tables.push(moments);
    part.tables.extend(tables);
    part.drawings.push(drawing);
    Ok(())
}

/// The correlation between the first processor and the others.
fn together(all: &[Counts]) -> Table {
    let names = SECTIONS.each_ref().map(|section| section.name);
    let title = "Figure 5.28: correlation with the first of 16 processors";
    let mut table = Table::new(title, "j", &names);
    for j in 1..16 {
        let values = (0..SECTIONS.len()).map(|at| {
            let pairs = all.iter().map(|run| (run[at][0], run[at][j]));
            Some(correlation(pairs))
        });
        table.add(&(j + 1).to_string(), "", Unit::Value, values.collect());
    }
    table
}
