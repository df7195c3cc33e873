//! Regions of the horizontal axis in which one regime holds, and the crossings between them.

use pamela_plot::{Mark, Region, plain, short};

use super::Request;
use super::table::{Table, doubles};
use crate::compiled::Compiled;
use crate::diagnostic::Result;
use crate::eval::{Bindings, Number, Value};
use crate::pipeline::{Crossing, SimplifiedEquation};
use crate::sweep::{Grid, Values};

/// Neighbours in the same regime, up to the crossing between them and the next; and these crossings.
pub(super) fn found(
    compiled: &Compiled,
    owner: &SimplifiedEquation,
    request: &Request,
    table: &Table,
    places: &[f64],
) -> Result<(Vec<Region>, Vec<Mark>)> {
    let crossings = crossings(compiled, owner, request);
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    let (mut regions, mut marks): (Vec<Region>, Vec<Mark>) = (Vec::new(), Vec::new());
    let mut previous: Option<(usize, f64)> = None;
    for (place, regime) in order.into_iter().map(|k| (places[k], table.regimes[k])) {
        let Some(regime) = regime else {
            previous = None;
            continue;
        };
        match (previous, regions.last_mut()) {
            (Some((before, _)), Some(last)) if before == regime => last.to = place,
            (before, last) => {
                let mut from = place;
                if let (Some((before, end)), Some(last)) = (before, last) {
                    let between = crossings.iter().filter(|m| m.at >= end && m.at <= place);
                    let mut at = None;
                    for mark in between {
                        let change = Change {
                            regimes: (before, regime),
                            places: (end, place),
                        };
                        if change.is_at(mark.at, compiled, request, places)? {
                            at = Some(mark);
                            break;
                        }
                    }
                    marks.extend(at.cloned());
                    from = at.map_or((end + place) / 2.0, |mark| mark.at);
                    last.to = from;
                }
                regions.push(Region {
                    name: table.regime_names[regime].clone(),
                    from,
                    to: place,
                });
            }
        }
        previous = Some((regime, place));
    }
    // One regime everywhere says nothing.
    if regions.len() < 2 {
        return Ok((Vec::new(), Vec::new()));
    }
    Ok((regions, marks))
}

/// Two neighbouring places in two regimes.
struct Change {
    regimes: (usize, usize),
    places: (f64, f64),
}

impl Change {
    /// Whether the value changes hands at a crossing, and not where other regimes, which it is in nowhere here, would meet.
    fn is_at(
        &self,
        at: f64,
        compiled: &Compiled,
        request: &Request,
        places: &[f64],
    ) -> Result<bool> {
        let whole = places.iter().all(|x| x.fract() == 0.0);
        let beside = if whole {
            1.0
        } else {
            (1e-6 * at.abs()).max(f64::MIN_POSITIVE)
        };
        let (before, after) = match whole {
            true => (at.ceil() - beside, at.floor() + beside),
            false => (at - beside, at + beside),
        };
        let mut grid = request.grid.clone();
        let asked = vec![before.max(self.places.0), after.min(self.places.1)];
        if asked[0] >= asked[1] {
            return Ok(false);
        }
        grid.axes[0].values = vec![Values::list(asked)];
        grid.axes[0].names.truncate(1);
        let table = Table::new(compiled, &Grid::new(grid.axes, grid.constants)?, &[]);
        let (before, after) = self.regimes;
        Ok(table.is_ok_and(|table| table.regimes == [Some(before), Some(after)]))
    }
}

/// Where the parameter of the horizontal axis is at a crossing, with the formula.
fn crossings(compiled: &Compiled, owner: &SimplifiedEquation, request: &Request) -> Vec<Mark> {
    let axis = &request.grid.axes[0];
    let parameter = &axis.names[0];
    let single = request.grid.axes[1..].iter().filter(|axis| axis.len() == 1);
    let single = single.map(|axis| (axis.names[0].clone(), doubles(axis)[0]));
    let single = single.filter_map(|(name, value)| Some((name, crate::compiled::decimal(value)?)));
    let constants = request.grid.constants.iter().cloned().chain(single);
    let known: Bindings = constants
        .map(|(name, value)| (name, Value::Scalar(Number::Exact(value))))
        .collect();
    let all = owner.regimes.iter().flat_map(|regimes| &regimes.crossings);
    let mark = |crossing: &Crossing| {
        if crossing.parameter != *parameter {
            return None;
        }
        let at = match crossing.formula.evaluate(&known).ok()? {
            Value::Scalar(at) => Some(at.to_f64()).filter(|at| at.is_finite())?,
            _ => return None,
        };
        let formula = crossing.formula.pamela();
        // A number is its own formula.
        let unit = compiled.shown(parameter);
        let label = match (formula.parse::<f64>(), unit) {
            (_, Some(own)) => {
                let at = short(own.double(at));
                format!("{parameter} = {formula} = {at} {}", own.unit)
            }
            (Ok(_), None) => format!("{parameter} = {formula}"),
            (Err(_), None) if at.fract() == 0.0 => {
                format!("{parameter} = {formula} = {}", plain(at))
            }
            (Err(_), None) => format!("{parameter} = {formula} = {}", short(at)),
        };
        Some(Mark { label, at })
    };
    all.filter_map(mark).collect()
}
