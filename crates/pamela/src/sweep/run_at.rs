//! Runs a process at a point of a grid.

use std::collections::BTreeMap;

use super::Grid;
use crate::compiled::{Compiled, decimal};
use crate::simulate::execution_time;

/// The values of parameters by name.
type Place = Vec<(String, f64)>;

/// Runs a process and returns the point and three times.
///
/// The first time is that of a run in the order of the text. The others are the least and the
/// greatest over all tried orders. Returns `None` if the process cannot run, draws random numbers,
/// or needs more events than `left`. Subtracts the events of the run from `left`.
pub fn run_at(
    compiled: &Compiled,
    grid: &Grid,
    process: &str,
    point: u64,
    left: &mut u64,
) -> Option<(Place, [f64; 3])> {
    let mut model = compiled.model().ok()?.clone();
    let names: Vec<&str> = grid.names().collect();
    let mut at = Place::new();
    for (name, input) in grid.batch(point, 1) {
        let value = input.double(0);
        // A row parameter is set by its fields.
        if grid.row_names(name).is_none() {
            model.define_number(name, &decimal(value)?).ok()?;
        }
        if names.contains(&name) {
            at.push((name.to_string(), value));
        }
    }
    for (name, value) in &grid.constants {
        model.define_number(name, value).ok()?;
    }
    let run = execution_time(model.checked(), process, &BTreeMap::new(), *left).ok()?;
    *left = left.saturating_sub(run.events * run.orders as u64);
    let times = [run.in_text_order.value, run.least.value, run.greatest.value];
    (!run.is_random).then_some((at, times))
}
