//! The largest and the smallest of N copies (thesis 5.5, Figures 5.4, 5.8 and 5.10; Gautama and van Gemund, Figures
//! 1 to 3).

use super::lambdas::Lambdas;
use super::{Side, WORKLOADS, fitted, law, title};
use crate::law::{Cumulants, Distribution, Grid, Support, baseline, order};
use crate::study::report::{Drawing, MOMENTS, Report, Table, Unit, errors, moments};

const COPIES: [f64; 6] = [2.0, 8.0, 64.0, 1024.0, 1e4, 1e6];

/// The study for uniform, exponential and normal laws.
///
/// # Errors
/// Fails if an order statistic cannot be computed, which does not happen for these laws.
pub fn nary() -> Result<Report, String> {
    let mut tables = Vec::new();
    for side in [Side::Largest, Side::Smallest] {
        for (name, arguments) in WORKLOADS {
            tables.push(((side, name), table(side, name, arguments)?));
        }
    }
    let spread = spread()?;
    let notes = [
        "measured: the order statistic of the law itself, by integration to some 1e-12; values",
        "all other rows are predictions; their errors are in per cent of the measured value",
        "gld: of the generalized lambda distribution with the law's four moments (thesis 5.18, 5.20), which is the \
         uniform and the exponential law itself",
        "Table 5.1: of that with the parameters that the thesis prints; bounded: of its larger one with 0, for those of \
         the exponential law leave negative values",
        "grid: of the law's quantile grid, as `pamela eval` does",
        "Gumbel: E[X] + Std[X] sqrt(2 ln(0.4 N)), for the normal law and N from 2.5 (thesis 5.44)",
    ];
    Ok(Report {
        title: "The largest and the smallest of N independent copies".to_string(),
        notes: notes.map(str::to_string).to_vec(),
        drawings: drawings(&tables, &spread),
        tables: (tables.into_iter().map(|(_, table)| table))
            .chain([spread])
            .collect(),
    })
}

/// Figures by the sides and laws of their tables.
const FIGURES: [(&str, Side, &str); 5] = [
    ("5.4", Side::Largest, "exponential"),
    ("5.8", Side::Smallest, "exponential"),
    ("5.10", Side::Largest, "normal"),
    ("000-1", Side::Smallest, "exponential"),
    ("000-2", Side::Smallest, "normal"),
];

fn drawings(tables: &[((Side, &str), Table)], spread: &Table) -> Vec<Drawing> {
    let curves: [(&str, &[usize]); 2] = [("Table 5.1", &[0, 4, 5, 6]), ("Gumbel", &[0])];
    let drawn = |(figure, side, law): &(&str, Side, &str)| {
        let (_, table) = tables.iter().find(|(of, _)| *of == (*side, *law))?;
        Some(Drawing::of_table(figure, table, "error [%]", &curves))
    };
    let spread = Drawing::of_table("1.2", spread, "mean", &[("", &[0, 1, 2, 3])]);
    FIGURES.iter().filter_map(drawn).chain([spread]).collect()
}

/// Deviations of tasks whose mean is 1.
const DEVIATIONS: [f64; 4] = [0.0, 0.1, 0.5, 1.0];

/// The mean of the largest of N tasks, the more they vary (thesis, Figure 1.2).
fn spread() -> Result<Table, String> {
    let names = DEVIATIONS.map(|deviation| format!("sigma = {deviation}"));
    let columns = names.each_ref().map(String::as_str);
    let mut table = Table::new(
        "Figure 1.2: the mean of the largest of N normal(1, sigma)",
        "N",
        &columns,
    );
    for n in [1.0, 2.0, 4.0, 16.0, 64.0, 256.0, 1024.0] {
        let means = DEVIATIONS
            .map(|deviation| Ok(order::largest(&law("normal", &[1.0, deviation])?, n)?.mean));
        let means = means.into_iter().collect::<Result<Vec<f64>, String>>()?;
        table.add(
            &n.to_string(),
            "",
            Unit::Value,
            means.into_iter().map(Some).collect(),
        );
    }
    Ok(table)
}

fn table(side: Side, name: &str, arguments: &[f64]) -> Result<Table, String> {
    let law = law(name, arguments)?;
    let title = format!("{} of N {}", side.name(), title(name, arguments));
    let mut table = Table::new(title, "N", &MOMENTS);
    let (fitted, grid) = (fitted(&law)?, Grid::of(&law));
    for n in COPIES {
        let point = n.to_string();
        let measured = moments(&of_copies(side, &law, n)?);
        table.add(&point, "measured", Unit::Value, measured.clone());
        let mut predict = |method: &str, predicted: &[Option<f64>]| {
            let errors = errors(predicted, &measured);
            table.add(&point, method, Unit::ErrorInPercent, errors);
        };
        predict("gld", &moments(&of_copies(side, &fitted, n)?));
        if let Some(printed) = Lambdas::printed(name) {
            predict("Table 5.1", &moments(&of_copies(side, &printed, n)?));
            let lower = law.support().lower;
            if printed.support().lower < lower {
                let bounded = of_copies(side, &printed.bounded(lower), n)?;
                predict("5.1, bounded", &moments(&bounded));
            }
        }
        let of_grid = match side {
            Side::Largest => grid.largest(n),
            Side::Smallest => grid.smallest(n),
        };
        predict("grid", &moments(&of_grid.cumulants()));
        if law.support() == Support::REAL {
            let mean = gumbel(side, &law.cumulants(), n);
            let others = vec![None; MOMENTS.len() - 1];
            predict("Gumbel", &[vec![mean], others].concat());
        }
    }
    Ok(table)
}

fn of_copies(side: Side, law: &dyn Distribution, n: f64) -> Result<Cumulants, String> {
    match side {
        Side::Largest => order::largest(law, n),
        Side::Smallest => order::smallest(law, n),
    }
}

/// The mean, of a symmetric law.
fn gumbel(side: Side, law: &Cumulants, n: f64) -> Option<f64> {
    let largest = baseline::gumbel(law, n)?;
    Some(match side {
        Side::Largest => largest,
        Side::Smallest => 2.0 * law.mean - largest,
    })
}
