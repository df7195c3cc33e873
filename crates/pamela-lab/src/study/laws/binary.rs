//! The larger and the smaller of two different variables (thesis 5.5, Figures 5.3, 5.5 to 5.7, 5.9 and 5.11 to 5.18;
//! Gautama and van Gemund, Figures 1 and 3).

use super::{Side, fitted, law};
use crate::law::baseline::{Method, heuristic, largest_of_two};
use crate::law::{Cumulants, Distribution, Grid, Named, order};
use crate::study::report::{Drawing, MOMENTS, Report, Table, Unit, errors, moments};

/// The papers' number of nodes.
const NODES: u32 = 10_000;

/// Two laws, of which one number is varied.
struct Pair {
    title: &'static str,
    varied: &'static str,
    values: &'static [f64],
    laws: fn(f64) -> Result<[Named; 2], String>,
}

const PAIRS: [Pair; 4] = [
    Pair {
        title: "uniform(0, 1/m) and uniform(1, 3/2)",
        varied: "m",
        values: &[0.1, 0.3, 0.5, 0.7, 0.9],
        laws: |m| {
            Ok([
                law("uniform", &[0.0, 1.0 / m])?,
                law("uniform", &[1.0, 1.5])?,
            ])
        },
    },
    Pair {
        title: "exponential(1) and exponential(1/theta)",
        varied: "theta",
        values: &[0.1, 0.3, 1.0, 3.0, 10.0],
        laws: |theta| {
            Ok([
                law("exponential", &[1.0])?,
                law("exponential", &[1.0 / theta])?,
            ])
        },
    },
    Pair {
        title: "normal(1, 1) and normal(mu, 1)",
        varied: "mu",
        values: &[1.0, 1.5, 2.0, 3.0, 5.0],
        laws: |mu| Ok([law("normal", &[1.0, 1.0])?, law("normal", &[mu, 1.0])?]),
    },
    Pair {
        title: "normal(1, 1) and normal(1, sigma)",
        varied: "sigma",
        values: &[1.0, 2.0, 5.0, 10.0],
        laws: |sigma| Ok([law("normal", &[1.0, 1.0])?, law("normal", &[1.0, sigma])?]),
    },
];

/// The study for uniform, exponential and normal laws.
///
/// # Errors
/// Fails if an order statistic cannot be computed, which does not happen for these laws.
pub fn binary() -> Result<Report, String> {
    let mut tables = Vec::new();
    for side in [Side::Largest, Side::Smallest] {
        for (number, pair) in PAIRS.iter().enumerate() {
            tables.push(((side, number), table(side, pair)?));
        }
    }
    let crossing = crossing()?;
    let notes = [
        "measured: the larger or smaller one of the laws themselves, by integration to some 1e-10; values",
        "all other rows are predictions; their errors are in per cent of the measured value",
        "heuristic: the law of the greater mean, of equal ones that of the greater variance (thesis 5.21)",
        "graphical: the smaller of the two cdfs for their product (5.28)",
        "GBD, Newton: the other cdf by a generalized beta distribution (5.33), by Newton's method (5.35); like the \
         graphical method with generalized lambda distributions of the same four moments and K = 10,000 nodes",
        "gld: those distributions, integrated as the laws are",
        "grid: of the laws' quantile grids, as `pamela eval` does",
        "the smaller of two by the four first methods is that of the mirrored laws",
    ];
    Ok(Report {
        title: "The larger and the smaller of two independent variables".to_string(),
        notes: notes.map(str::to_string).to_vec(),
        drawings: drawings(&tables, &crossing),
        tables: (tables.into_iter().map(|(_, table)| table))
            .chain([crossing])
            .collect(),
    })
}

/// Figures: the table by its side and its position among the pairs, and the method.
const FIGURES: [(&str, Side, usize, &str); 14] = [
    ("5.3", Side::Largest, 0, "graphical"),
    ("5.5", Side::Largest, 1, "graphical"),
    ("5.6", Side::Largest, 1, "GBD"),
    ("5.7", Side::Largest, 1, "Newton"),
    ("5.9", Side::Smallest, 1, "Newton"),
    ("5.11", Side::Largest, 2, "graphical"),
    ("5.12", Side::Largest, 3, "graphical"),
    ("5.13", Side::Largest, 2, "GBD"),
    ("5.14", Side::Largest, 3, "GBD"),
    ("5.15", Side::Largest, 2, "Newton"),
    ("5.16", Side::Largest, 3, "Newton"),
    ("5.17", Side::Smallest, 2, "Newton"),
    ("5.18", Side::Smallest, 3, "Newton"),
    ("000-3", Side::Smallest, 3, "Newton"),
];

fn drawings(tables: &[((Side, usize), Table)], crossing: &Table) -> Vec<Drawing> {
    let drawn = |(figure, side, pair, method): &(&str, Side, usize, &str)| {
        let (_, table) = tables.iter().find(|(of, _)| *of == (*side, *pair))?;
        let curves: [(&str, &[usize]); 2] = [(method, &[0, 4, 5, 6]), ("heuristic", &[0])];
        Some(Drawing::of_table(figure, table, "error [%]", &curves))
    };
    let crossing = Drawing::of_table("5.2", crossing, "cdf", &[("", &[0, 1, 2, 3])]);
    FIGURES.iter().filter_map(drawn).chain([crossing]).collect()
}

/// The cdfs of the first pair for m = 1/2, of the larger variable, and of its approximation by the graphical method
/// (thesis, Figure 5.2).
fn crossing() -> Result<Table, String> {
    let [first, second] = (PAIRS[0].laws)(0.5)?;
    let columns = ["X1", "X2", "exact", "graphical"];
    let mut table = Table::new(
        "Figure 5.2: cdfs of uniform(0, 2), uniform(1, 3/2) and their larger one",
        "x",
        &columns,
    );
    for tenth in 0..=20 {
        let x = f64::from(tenth) / 10.0;
        let [a, b] = [&first, &second].map(|law| law.cdf(x).below);
        table.add(
            &x.to_string(),
            "",
            Unit::Value,
            [a, b, a * b, a.min(b)].map(Some).to_vec(),
        );
    }
    Ok(table)
}

fn table(side: Side, pair: &Pair) -> Result<Table, String> {
    let title = format!("{} of {}", side.name(), pair.title);
    let mut table = Table::new(title, pair.varied, &MOMENTS);
    for value in pair.values {
        let point = value.to_string();
        let [first, second] = (pair.laws)(*value)?;
        let measured = moments(&match side {
            Side::Largest => order::largest_of(&[&first, &second])?,
            Side::Smallest => order::smallest_of(&[&first, &second])?,
        });
        table.add(&point, "measured", Unit::Value, measured.clone());
        for (method, predicted) in predictions(side, &first, &second)? {
            let predicted = predicted.map_or(vec![None; MOMENTS.len()], |law| moments(&law));
            let errors = errors(&predicted, &measured);
            table.add(&point, method, Unit::ErrorInPercent, errors);
        }
    }
    Ok(table)
}

type Prediction = (&'static str, Option<Cumulants>);

fn predictions(side: Side, first: &Named, second: &Named) -> Result<Vec<Prediction>, String> {
    // The smaller one is, mirrored, the larger of the mirrored ones.
    let sign = match side {
        Side::Largest => 1.0,
        Side::Smallest => -1.0,
    };
    let (x, y) = (
        first.cumulants().scaled(sign),
        second.cumulants().scaled(sign),
    );
    let by = |method: Method| {
        let raw = largest_of_two(method, &x, &y, NODES)?;
        Some(Cumulants::from_raw_moments(raw).scaled(sign))
    };
    let (gld_x, gld_y) = (fitted(first)?, fitted(second)?);
    let (grid_x, grid_y) = (Grid::of(first), Grid::of(second));
    let (gld, grid) = match side {
        Side::Largest => (
            order::largest_of(&[&gld_x, &gld_y])?,
            Grid::largest_of(&[&grid_x, &grid_y]),
        ),
        Side::Smallest => (
            order::smallest_of(&[&gld_x, &gld_y])?,
            Grid::smallest_of(&[&grid_x, &grid_y]),
        ),
    };
    Ok(vec![
        ("heuristic", Some(heuristic(&x, &y).scaled(sign))),
        ("graphical", by(Method::Graphical)),
        ("GBD", by(Method::GeneralizedBeta)),
        ("Newton", by(Method::Newton)),
        ("gld", Some(gld)),
        ("grid", Some(grid.cumulants())),
    ])
}
