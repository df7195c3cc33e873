//! The largest and the smallest of N copies (thesis 5.5, Figures 5.4, 5.8 and 5.10; Gautama and van Gemund, Figures
//! 1 to 3).

use super::{by_gld, law, reach};
use crate::law::{Cumulants, Distribution, Grid, Named, baseline, order};
use crate::study::report::{MOMENTS, Report, Table, Unit, errors, moments};

const COPIES: [f64; 6] = [2.0, 8.0, 64.0, 1024.0, 1e4, 1e6];

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Largest,
    Smallest,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Side::Largest => "largest (and-parallel)",
            Side::Smallest => "smallest (or-parallel)",
        }
    }

    fn of(self, law: &dyn Distribution, n: f64) -> Result<Cumulants, String> {
        match self {
            Side::Largest => order::largest(law, n),
            Side::Smallest => order::smallest(law, n),
        }
    }

    fn of_grid(self, law: &Grid, n: f64) -> Cumulants {
        match self {
            Side::Largest => law.largest(n).cumulants(),
            Side::Smallest => law.smallest(n).cumulants(),
        }
    }

    /// The mean by Gumbel's formula, which is one for symmetric laws.
    fn gumbel(self, law: &Cumulants, n: f64) -> Option<f64> {
        let largest = baseline::gumbel(law, n).filter(|_| law.third == 0.0)?;
        Some(match self {
            Side::Largest => largest,
            Side::Smallest => 2.0 * law.mean - largest,
        })
    }
}

/// For uniform, exponential and normal laws.
///
/// # Errors
/// What an order statistic cannot be taken of; not for these laws.
pub fn nary() -> Result<Report, String> {
    let mut tables = Vec::new();
    for side in [Side::Largest, Side::Smallest] {
        for (name, arguments) in [
            ("uniform", [0.0, 1.0].as_slice()),
            ("exponential", &[1.0]),
            ("normal", &[0.0, 1.0]),
        ] {
            let title = format!("{} of N {}", side.name(), super::title(name, arguments));
            tables.push(table(side, &title, &law(name, arguments)?)?);
        }
    }
    let notes = [
        "measured: the order statistic of the law itself, by integration to some 1e-12; values",
        "all other rows predict it; relative errors of the prediction, in per cent of what was measured",
        "gld: of the generalized lambda distribution with the law's four moments (thesis 5.18, 5.20)",
        "gld, bounded: the same, cut off where the law ends",
        "grid: of the law's quantile grid, as `pamela eval` does",
        "Gumbel: E[X] + Std[X] sqrt(2 ln(0.4 N)), for symmetric laws and N from 2.5 (thesis 5.44)",
    ];
    Ok(Report {
        title: "The largest and the smallest of N independent copies".to_string(),
        notes: notes.map(str::to_string).to_vec(),
        tables,
    })
}

fn table(side: Side, title: &str, law: &Named) -> Result<Table, String> {
    let mut table = Table::new(title, "N", &MOMENTS);
    let (fitted, bounded) = by_gld(law)?;
    let grid = Grid::of(law);
    for n in COPIES {
        let point = format!("{n}");
        let measured = moments(&side.of(law, n)?);
        table.add(&point, "measured", Unit::Value, measured.clone());
        let mut predict = |method: &str, predicted: &[Option<f64>]| {
            let errors = errors(predicted, &measured);
            table.add(&point, method, Unit::ErrorInPercent, errors);
        };
        predict("gld", &moments(&side.of(&fitted, n)?));
        if reach(&fitted, law) {
            predict("gld, bounded", &moments(&side.of(&bounded, n)?));
        }
        predict("grid", &moments(&side.of_grid(&grid, n)));
        if let Some(mean) = side.gumbel(&law.cumulants(), n) {
            let mut predicted = vec![None; MOMENTS.len()];
            predicted[0] = Some(mean);
            predict("Gumbel", &predicted);
        }
    }
    Ok(table)
}
