//! Intervals of results that rest on numbers that are not known.

use std::collections::BTreeMap;

use super::Request;
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::uncertain::{Sampling, spread};

/// By equation, the lower and the upper ends at all points.
pub(super) type Ends = BTreeMap<String, [Vec<f64>; 2]>;

/// Draws of the unknown numbers at each point, and points at most.
const DRAWS: usize = 2048;
const MOST_INTERVALS: u64 = 10_000;

/// The ends of the intervals of results at all points.
pub(super) fn of(compiled: &Compiled, request: &Request) -> Result<Ends> {
    let mut all = Ends::new();
    if request.unknown.is_empty() || request.relative.is_some() {
        return Ok(all);
    }
    let grid = &request.grid;
    if grid.len() > MOST_INTERVALS {
        return Err(Error::new(format!(
            "there would be intervals at {} points, but a picture has at most {MOST_INTERVALS}; use fewer values",
            grid.len()
        )));
    }
    let plan = compiled.plan_of_values(&[])?;
    let sampling = Sampling {
        draws: DRAWS,
        level: request.interval,
        quantiles: Vec::new(),
        shares: false,
        ..Sampling::default()
    };
    for point in 0..grid.len() {
        let known = grid.parameters(point, 1).into_iter();
        let known: Vec<(&str, f64)> = known.map(|(name, own)| (name, own.double(0))).collect();
        for own in spread(&plan, &known, &request.unknown, &sampling)? {
            let none = || [(); 2].map(|()| vec![f64::NAN; grid.len() as usize]);
            let ends = all.entry(own.name).or_insert_with(none);
            ends[0][point as usize] = own.interval.low;
            ends[1][point as usize] = own.interval.high;
        }
    }
    Ok(all)
}
