//! Computing times of the papers' methods and of ours: published times on a processor of 1 GHz, and times on this
//! machine.

use std::hint::black_box;
use std::time::Instant;

use super::mrm;
use super::report::{Report, Table, Unit};
use crate::diagnostic::Error;
use crate::law::baseline::{Method, largest_of_two};
use crate::law::{Cumulants, Distribution, Gld, Grid, Named, order};

const REPEATS: usize = 31;
/// The papers' number of intervals.
const INTERVALS: u32 = 10_000;

/// Times of order statistics, and of a point of the machine repair model.
///
/// # Errors
/// Fails if a law cannot be fitted, which does not happen for these laws.
pub fn costs() -> Result<Report, Error> {
    let laws = [
        Named::new("normal", &[1.0, 1.0]).map_err(Error::new)?,
        Named::new("normal", &[1.5, 1.0]).map_err(Error::new)?,
    ];
    let [x, y] = [&laws[0], &laws[1]].map(|law| law.cumulants());
    let fitted = |law: &Cumulants| {
        Gld::fit(law)
            .ok_or_else(|| Error::new("no lambda distribution has these moments".to_string()))
    };
    let (gld_x, gld_y) = (fitted(&x)?, fitted(&y)?);
    let grids = [&laws[0], &laws[1]].map(|law| Grid::of(law));
    let mut table = Table::new("milliseconds", "what", &["the paper", "ours"]);
    let mut add = |what: &str, stated: Option<f64>, ours: f64| {
        table.add(what, "", Unit::Value, vec![stated, Some(1e3 * ours)]);
    };
    add("four lambdas", None, seconds(|| Gld::fit(&x)));
    add(
        "a cdf at 10,000 values",
        Some(30.0),
        seconds(|| {
            let place = |k: u32| 8.0 * f64::from(k) / f64::from(INTERVALS) - 3.0;
            (0..INTERVALS)
                .map(|k| gld_x.cdf(place(k)).below)
                .sum::<f64>()
        }),
    );
    add(
        "(5.35)",
        Some(60.0),
        seconds(|| largest_of_two(Method::Newton, &x, &y, INTERVALS)),
    );
    add(
        "two by integration",
        None,
        seconds(|| order::largest_of(&[&gld_x, &gld_y])),
    );
    add(
        "two by grids",
        None,
        seconds(|| Grid::largest_of(&[&grids[0], &grids[1]]).cumulants()),
    );
    let whole = || mrm::by_moments(100.0, 1e6);
    whole()?;
    add("a point of the MRM", Some(300.0), seconds(whole));
    let notes = [
        "the paper: on a Pentium III of 1 GHz; ours: on this machine, medians of 31 repetitions",
        "four lambdas: of the first four moments of a law; the papers take up to 100 steps of a simplex, less than 1e5 operations",
        "a cdf at 10,000 values: of a generalized lambda distribution, by Newton's method in the papers",
        "(5.35): the larger of two of them, with 10,000 nodes",
        "two by integration, two by grids: the larger of the same two, as the study `binary` has them, to more digits",
        "a point of the MRM: computing the law of the time from the text of the machine repair model, P = 100, N = 1e6; the thesis \
         estimates 7,000 s for the model that is not simplified",
    ];
    Ok(Report {
        title: "Costs of predictions (speculative, section 2; thesis, 5.3 and 6.2)".to_string(),
        notes: notes.map(str::to_string).to_vec(),
        tables: vec![table],
        drawings: Vec::new(),
    })
}

/// The median time of one call.
fn seconds<T>(call: impl Fn() -> T) -> f64 {
    let mut times: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            black_box(call());
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[REPEATS / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_takes_some_time_and_the_papers_are_stated() {
        let report = costs().unwrap();
        let rows = &report.tables[0].rows;
        assert!(rows.iter().all(|row| row.values[1].unwrap() > 0.0));
        let stated = rows.iter().filter_map(|row| row.values[0]);
        assert_eq!(stated.collect::<Vec<f64>>(), [30.0, 60.0, 300.0]);
    }
}
