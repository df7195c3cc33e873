//! Finds regions of the horizontal axis with one regime, and the crossings between them.

use pamela_plot::{Mark, Region, plain, short};

use super::Request;
use super::table::{Table, doubles};
use crate::compiled::Compiled;
use crate::eval::{Bindings, Number, Value};
use crate::pipeline::{Crossing, SimplifiedEquation};
use crate::sweep::{Grid, Values};

/// If no crossing is known, the interval between two places is divided into this many parts, for this many rounds.
const PARTS: f64 = 32.0;
const ROUNDS: usize = 4;

/// Joins neighbouring points of the same regime into regions that end at crossings; returns both.
pub(super) fn found(
    compiled: &Compiled,
    owner: &SimplifiedEquation,
    request: &Request,
    table: &Table,
    places: &[f64],
) -> (Vec<Region>, Vec<Mark>) {
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
                    let change = Change {
                        compiled,
                        request,
                        regimes: (before, regime),
                        places: (end, place),
                        whole: places.iter().all(|x| x.fract() == 0.0),
                    };
                    let mut between = crossings.iter().filter(|m| m.at >= end && m.at <= place);
                    let at = between.find(|mark| change.is_at(mark.at));
                    marks.extend(at.cloned());
                    from = at.map_or_else(|| change.end_of_first(), |mark| mark.at);
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
        return (Vec::new(), Vec::new());
    }
    (regions, marks)
}

/// Two neighbouring places in two regimes.
struct Change<'a> {
    compiled: &'a Compiled,
    request: &'a Request,
    regimes: (usize, usize),
    places: (f64, f64),
    /// True if all points of the axis are whole numbers.
    whole: bool,
}

impl Change<'_> {
    /// True if the value changes hands at a crossing, and not where other regimes, which it is in nowhere here, would meet.
    fn is_at(&self, at: f64) -> bool {
        let beside = (1e-6 * at.abs()).max(f64::MIN_POSITIVE);
        let (before, after) = if self.whole {
            (at.ceil() - 1.0, at.floor() + 1.0)
        } else {
            (at - beside, at + beside)
        };
        let asked = vec![before.max(self.places.0), after.min(self.places.1)];
        let (before, after) = self.regimes;
        asked[0] < asked[1]
            && self
                .regimes_at(asked)
                .is_some_and(|found| found == [Some(before), Some(after)])
    }

    /// The end of the first regime, as precisely as the tried places tell.
    fn end_of_first(&self) -> f64 {
        let (mut from, mut to) = self.places;
        for _ in 0..ROUNDS {
            let step = if self.whole {
                ((to - from) / PARTS).ceil()
            } else {
                (to - from) / PARTS
            };
            let inner = (1..PARTS as u32).map(|k| from + f64::from(k) * step);
            let mut places: Vec<f64> = inner.filter(|x| from < *x && *x < to).collect();
            let Some(regimes) = self.regimes_at(places.clone()) else {
                break;
            };
            let first = Some(self.regimes.0);
            let last = regimes
                .iter()
                .take_while(|regime| **regime == first)
                .count();
            places.push(to);
            (from, to) = (
                last.checked_sub(1).map_or(from, |k| places[k]),
                places[last],
            );
        }
        (from + to) / 2.0
    }

    /// The regimes at places of the horizontal axis; `None` without places.
    fn regimes_at(&self, places: Vec<f64>) -> Option<Vec<Option<usize>>> {
        if places.is_empty() {
            return None;
        }
        let mut grid = self.request.grid.clone();
        grid.axes[0].values = vec![Values::list(places)];
        grid.axes[0].names.truncate(1);
        let grid = Grid::new(grid.axes, grid.constants).ok()?;
        let table = Table::new(self.compiled, &grid, &[]).ok()?;
        Some(table.regimes)
    }
}

/// The crossings of regimes along the horizontal axis, with their formulas.
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
