//! Precedence graphs and θ-exponential polynomials (Trogemann and Gente, *Performance analysis of parallel programs
//! based on directed acyclic graphs*): their predictions beside exact values.

mod extremes;
mod structures;
mod terms;
#[cfg(test)]
mod tests;

use super::report::{Drawing, Report};
use crate::diagnostic::Error;

/// The study covers figures 1, 3 and 4, the theorems, and the numbers of terms of their operations.
///
/// # Errors
/// Fails if the evaluation of a model or an order statistic fails, which does not happen for these laws.
pub fn giant() -> Result<Report, Error> {
    let notes = [
        "measured: exact, by integration to some 1e-12, or by cdfs of Erlang laws; triples are counted; all other rows are \
         errors in per cent of the measured value",
        "theorem 2: the integral of a (t - theta)^k e^(-lambda (t - theta)) with a = 1.3, k = 3, lambda = 0.7, theta = 2; \
         corrected: with the sign and the power of the errata; its proof: the last line of that",
        "theorem 4: the density at 8 of the sum of two Erlang laws of 4 stages, the first of rate 1, in doubles",
        "triples: the terms of a cdf, (coefficient, stage, rate); those of equal stage and rate are one",
        "Figure 1: n = 64 tasks of law erlang(2, 2), between two more; (a) all at once, (b) on p processors, (c) where all \
         but one processor wait for an exponential message of mean 1 at both ends",
        "(6), (7), (12): the mean of Gumbel's law at the root of 1 - F = 1/n; (8): without the root; (10): without the \
         factorial; (16): for exponential laws; (17): the same with sums for limits; David: m + s (n - 1)/sqrt(2 n - 1)",
        "Figure 4: erlang(2, 2) as it is and below 7, where its cdf is 0.9927; (19): of Weibull's law; ratio: how much the \
         tail beyond 7 adds to the mean of the largest",
    ];
    let tables = [
        terms::integrals(),
        terms::sums(),
        terms::triples(),
        terms::maxima(),
        structures::table()?,
    ];
    let mut tables = tables.to_vec();
    let unbounded = extremes::unbounded().map_err(Error::new)?;
    let mut drawing = Drawing::new(
        "003-3",
        "Figure 3: the mean of the largest of n",
        ["n", "mean"],
    );
    for (law, table) in &unbounded {
        let drawn = Drawing::of_table("003-3", table, "mean", &[("measured", &[0])]);
        for series in drawn.series {
            drawing.add(*law, series.points, true);
        }
    }
    tables.extend(unbounded.into_iter().map(|(_, table)| table));
    tables.push(extremes::truncated().map_err(Error::new)?);
    Ok(Report {
        title: "Precedence graphs and θ-exponential polynomials (Trogemann and Gente)".to_string(),
        notes: notes.map(str::to_string).to_vec(),
        tables,
        drawings: vec![drawing],
    })
}
