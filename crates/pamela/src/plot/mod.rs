//! Plots of compiled models: curves and heat maps over grids, laws at one point.

mod comparison;
mod heat;
mod intervals;
mod kind;
mod law;
mod measured;
mod regimes;
mod stacked;
mod table;
mod tasks;
mod units;

pub use comparison::{comparable, comparison};
pub use law::{Shape, law};
pub use measured::{File as MeasuredFile, Runs, measured};
pub use stacked::stacked;
pub use tasks::tasks;

use std::collections::BTreeMap;

use pamela_plot::{Axis as Scale, Band, Curve, Figure, Measured, Picture, plain, short};
use units::{AxisUnits, on_axis};

use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::expr::Sort;
use crate::pipeline::Shown;
use crate::sweep::{Axis, Grid, Values, run_at};
use crate::uncertain::Factor;
pub use heat::heat_map;
pub use table::Gap;
use table::{Column, Table};

/// Settings of a plot of curves or of a heat map.
#[derive(Clone, Debug)]
pub struct Request {
    /// The first axis is horizontal. The second axis gives one curve for each value, or is
    /// vertical.
    pub grid: Grid,
    /// Title above the picture.
    pub title: String,
    /// Plots a ratio, such as a speedup, in place of the values.
    pub relative: Option<Relative>,
    /// For laws, a band between these two quantiles.
    pub band: (f64, f64),
    /// Horizontal and vertical scale; `None` chooses by the data.
    pub scales: [Option<pamela_plot::Scale>; 2],
    /// Unit of the values, for example `s`.
    pub unit: Option<String>,
    /// Measured points beside the curves.
    pub measured: Vec<Runs>,
    /// What is not known: a band shows the interval of each result, with this probability.
    pub unknown: Vec<Factor>,
    /// The probability of intervals.
    pub interval: f64,
    /// Also runs the model at some points of the only axis, for times that have bounds.
    pub runs: bool,
}

/// Plots values relative to the value at one point of the horizontal axis.
#[derive(Clone, Copy, Debug)]
pub struct Relative {
    /// The point of reference, for example one processor.
    pub base: f64,
    /// True for efficiency: divides the speedup by the ratio to `base`.
    pub efficiency: bool,
}

/// More curves cannot be told apart.
const MOST_CURVES: usize = 12;
/// Limits on the drawn runs of one process, and on their events together.
const MOST_RUNS: u64 = 50;
const MOST_EVENTS: u64 = 1_000_000;

/// Draws one curve for each equation, or for each value of the second axis.
///
/// Values of different kinds get separate panels.
///
/// # Errors
/// Fails unless there are one or two axes, if there are too many points or curves, if a parameter has no value, or if
/// the reference value is missing.
pub fn curves(compiled: &Compiled, request: &Request) -> Result<Drawn> {
    let (axis, series) = axes(&request.grid, 1)?;
    let probabilities = [request.band.0, 0.5, request.band.1];
    let mut table = Table::new(compiled, &request.grid, &probabilities)?;
    let bounds = table.take_bounds(compiled);
    let intervals = intervals::of(compiled, request)?;
    let labels = labels(Some(compiled), series);
    let count = table.equations.len() * labels.len();
    if count > MOST_CURVES {
        return Err(Error::new(format!(
            "there would be {count} curves, but a figure has at most {MOST_CURVES}; choose equations with `--only`, or \
             fewer values of `{}`",
            series.map_or("the second parameter", |axis| axis.names[0].as_str())
        )));
    }
    let base = match request.relative {
        Some(relative) => Some(table_at(compiled, request, relative.base)?),
        None => None,
    };
    let places = table::doubles(axis);
    if request.scales[0] == Some(pamela_plot::Scale::Log)
        && let Some(place) = places.iter().find(|place| **place <= 0.0)
    {
        return Err(Error::new(format!(
            "a logarithmic axis cannot show {} = {}; use values above 0 or `--x-scale linear`",
            axis.names[0],
            plain(*place)
        )));
    }
    let drawing = Drawing {
        compiled,
        request,
        places,
        table: &table,
        bounds: &bounds,
        intervals: &intervals,
        base: base.as_ref(),
        labels: &labels,
        facts: kind::facts(compiled),
    };
    let kinds = match request.relative {
        // All are numbers of times.
        Some(_) => vec![(0..table.equations.len()).collect()],
        None => kind::groups(&drawing.facts, &table.equations),
    };
    let mut panels = Vec::new();
    for members in &kinds {
        panels.push(drawing.panel(members)?);
    }
    drawing.mark_regimes(&kinds, &mut panels, axis);
    if let Some(first) = panels.first_mut() {
        first.title.clone_from(&request.title);
    }
    let picture = match panels.len() {
        1 => Picture::Figure(panels.remove(0)),
        _ => Picture::Panels(panels),
    };
    Ok(Drawn {
        picture,
        gaps: table.gaps,
    })
}

/// A picture, with the points at which nothing could be drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The picture.
    pub picture: Picture,
    /// Points without a value.
    pub gaps: Vec<Gap>,
}

impl Drawn {
    /// A picture in which every point has a value.
    pub fn whole(picture: Picture) -> Drawn {
        Drawn {
            picture,
            gaps: Vec::new(),
        }
    }
}

/// Data shared by the panels of a figure.
struct Drawing<'a> {
    compiled: &'a Compiled,
    request: &'a Request,
    places: Vec<f64>,
    table: &'a Table,
    /// Lower and upper bound of each time that has both.
    bounds: &'a BTreeMap<String, (Column, Column)>,
    /// Lower and upper ends of the intervals of results that are not known.
    intervals: &'a intervals::Ends,
    /// The values at the point of reference.
    base: Option<&'a Table>,
    /// Labels of the second axis.
    labels: &'a [String],
    facts: BTreeMap<String, kind::Facts>,
}

impl Drawing<'_> {
    /// Marks where another regime of an equation begins, in the panel of the equation.
    fn mark_regimes(&self, kinds: &[Vec<usize>], panels: &mut [Figure], axis: &Axis) {
        let owner = match self.labels.len() {
            1 => self.compiled.regimes_owner(),
            _ => None,
        };
        let place = |name: &String| self.table.equations.iter().position(|e| e.name == *name);
        if let Some(owner) = owner
            && let Some(place) = place(&owner.name)
            && let Some(panel) = kinds.iter().position(|members| members.contains(&place))
        {
            let (compiled, table) = (self.compiled, self.table);
            let (regions, marks) =
                regimes::found(compiled, owner, self.request, table, &self.places);
            let panel = &mut panels[panel];
            panel.regimes_of = (table.equations.len() > 1).then(|| owner.name.clone());
            (panel.regions, panel.marks) = (regions, marks);
            let unit = compiled.shown(&axis.names[0]).cloned();
            for region in &mut panel.regions {
                region.from = on_axis(&unit, region.from);
                region.to = on_axis(&unit, region.to);
            }
            for mark in &mut panel.marks {
                mark.at = on_axis(&unit, mark.at);
            }
        }
    }

    /// The curves of some equations.
    fn panel(&self, members: &[usize]) -> Result<Figure> {
        let request = self.request;
        let units = self.units(members);
        let mut figure = Figure {
            x: Scale {
                label: units::label(self.compiled, &request.grid.axes[0].names[0]),
                scale: request.scales[0],
            },
            y: Scale {
                label: self.vertical_label(members),
                scale: request.scales[1],
            },
            ..Figure::default()
        };
        for &position in members {
            let equation = &self.table.equations[position];
            for (line, label) in self.labels.iter().enumerate() {
                let curve = figure.curves.len();
                let points = self.points(position, line)?;
                figure.curves.push(Curve {
                    name: self.curve_name(equation, label, members.len()),
                    points,
                    ideal: false,
                });
                if request.relative.is_none() {
                    figure.bands.extend(self.bands(equation, line, curve));
                    figure.measured.extend(
                        self.runs(equation, curve, members.len())
                            .map(|runs| units.points(runs)),
                    );
                }
                let measured = request
                    .measured
                    .iter()
                    .filter(|m| m.equation == equation.name);
                let measured =
                    measured.filter(|m| m.label.as_deref().is_none_or(|own| own == label));
                // Points of no known curve are drawn once.
                let measured = measured.filter(|m| m.label.is_some() || line == 0);
                for own in measured {
                    figure.measured.push(Measured {
                        name: match (&own.label, members.len()) {
                            (Some(label), _) => format!("{label}, measured"),
                            (None, 1) => "measured".to_string(),
                            (None, _) => format!("{}, measured", own.equation),
                        },
                        curve: (own.label.is_some() || self.labels.len() == 1).then_some(curve),
                        points: own.shown(request)?,
                    });
                }
            }
        }
        if let Some(relative) = request.relative {
            let ideal = |&x: &f64| {
                let value = if relative.efficiency {
                    1.0
                } else {
                    x / relative.base
                };
                (x, value)
            };
            figure.curves.push(Curve {
                name: "ideal".to_string(),
                points: self.places.iter().map(ideal).collect(),
                ideal: true,
            });
        }
        units.figure(&mut figure);
        Ok(figure)
    }

    /// Runs of a process whose time has bounds, spread over the axis.
    fn runs(&self, equation: &Column, curve: usize, members: usize) -> Option<Measured> {
        let (count, asked) = (self.places.len() as u64, self.request.runs);
        let is_enclosed = self.bounds.contains_key(&equation.name);
        if !asked || !is_enclosed || self.labels.len() > 1 || count == 0 {
            return None;
        }
        let mut equations = self.compiled.equations().iter();
        let own = equations.find(|e| e.name == equation.name)?;
        let process = own.origin.process()?;
        let drawn = count.min(MOST_RUNS);
        let point = |number: u64| number * (count - 1) / (drawn - 1).max(1);
        let mut left = MOST_EVENTS;
        let points = (0..drawn).map(point).map_while(|point| {
            let grid = &self.request.grid;
            let (_, [value, ..]) = run_at(self.compiled, grid, process, point, &mut left)?;
            Some((self.places[point as usize], value, None))
        });
        let points: Vec<_> = points.collect();
        (!points.is_empty()).then(|| Measured {
            name: match members {
                1 => "runs".to_string(),
                _ => format!("runs of {process}"),
            },
            curve: Some(curve),
            points,
        })
    }

    fn points(&self, position: usize, line: usize) -> Result<Vec<(f64, f64)>> {
        let values = &self.table.equations[position].values;
        let one = match self.base {
            Some(base) => Some(base_value(base, position, line, self.request)?),
            None => None,
        };
        let point = |(k, &place): (usize, &f64)| {
            let value = values[k * self.labels.len() + line];
            let relative = self.request.relative.zip(one);
            let value = relative.map_or(value, |(relative, one)| relative.of(value, one, place));
            (place, value)
        };
        Ok(self.places.iter().enumerate().map(point).collect())
    }

    fn curve_name(&self, equation: &Column, label: &str, members: usize) -> String {
        let name = self.title_of(&equation.name);
        match (members, label) {
            (_, "") => name,
            (1, label) => label.to_string(),
            (_, label) => format!("{name}, {label}"),
        }
    }

    /// A name with the facts that its readers need, for example that the value is a bound of a time.
    fn title_of(&self, name: &str) -> String {
        let facts = self.facts.get(name);
        let is_unknown = facts.is_some_and(|facts| facts.is_unknown);
        match facts.and_then(|facts| facts.instead) {
            Some(what) if !is_unknown && self.request.relative.is_some() => {
                format!("{name} (by {what}s)")
            }
            Some(what) => format!("{name} ({what})"),
            None => name.to_string(),
        }
    }

    /// The bands between quantiles and between bounds.
    fn bands(&self, equation: &Column, line: usize, curve: usize) -> Vec<Band> {
        let band = |name: String, low: &[f64], high: &[f64]| {
            let edges = |(k, &place): (usize, &f64)| {
                let at = k * self.labels.len() + line;
                (place, low[at], high[at])
            };
            Band {
                name,
                curve,
                points: self.places.iter().enumerate().map(edges).collect(),
            }
        };
        let of = match self.labels[line].as_str() {
            "" => String::new(),
            label => format!(", {label}"),
        };
        let mut bands = Vec::new();
        if let Some(quantiles) = &equation.quantiles {
            let percent = |p: f64| short(100.0 * p);
            let (low, high) = (percent(self.request.band.0), percent(self.request.band.1));
            let name = format!("{low} % to {high} % of {}{of}", equation.name);
            bands.push(band(name, &quantiles[0], &quantiles[2]));
        }
        if let Some([low, high]) = self.intervals.get(&equation.name) {
            let level = short(100.0 * self.request.interval);
            let name = format!("{level} % interval of {}{of}", equation.name);
            bands.push(band(name, low, high));
        }
        if let Some((lower, upper)) = self.bounds.get(&equation.name) {
            let name = format!("{} .. {} (bounds){of}", lower.name, upper.name);
            bands.push(band(name, &lower.values, &upper.values));
        }
        bands
    }

    /// The units of the axes: all members have one, and ratios none.
    fn units(&self, members: &[usize]) -> AxisUnits {
        let shown = |name: &str| self.compiled.shown(name).cloned();
        let first = members.first().map(|k| &self.table.equations[*k].name);
        let ratio = self.request.relative.is_some();
        AxisUnits {
            x: shown(&self.request.grid.axes[0].names[0]),
            y: first.and_then(|name| shown(name)).filter(|_| !ratio),
        }
    }

    fn vertical_label(&self, members: &[usize]) -> String {
        let equations: Vec<&Column> = members.iter().map(|k| &self.table.equations[*k]).collect();
        let only = match equations.as_slice() {
            [only] => Some(self.title_of(&only.name)),
            _ => None,
        };
        if let Some(relative) = self.request.relative {
            let what = if relative.efficiency {
                "efficiency"
            } else {
                "speedup"
            };
            return only.map_or(what.to_string(), |only| format!("{what} of {only}"));
        }
        let are_laws = equations.iter().all(|e| e.sort == Sort::Law);
        let mean = if are_laws { ", mean" } else { "" };
        let what = only.unwrap_or_else(|| match self.facts.get(&equations[0].name) {
            Some(facts) => facts.kind.to_string(),
            None => "value".to_string(),
        });
        let unit = self.units(members).y;
        with_unit(&format!("{what}{mean}"), unit.as_ref(), self.request)
    }
}

impl Relative {
    fn of(self, value: f64, base: f64, place: f64) -> f64 {
        let speedup = base / value;
        if self.efficiency {
            speedup / (place / self.base)
        } else {
            speedup
        }
    }
}

/// The horizontal axis, and the other one.
fn axes(grid: &Grid, least: usize) -> Result<(&Axis, Option<&Axis>)> {
    let wrong = |reason: &str| Error::new(format!("{reason}, for example `P=1:128`"));
    match grid.axes.as_slice() {
        [] => Err(wrong("a figure takes a parameter with several values")),
        [_] if least > 1 => Err(wrong("a heat map takes two parameters with several values")),
        [first, ..] if !first.rows.is_empty() => Err(Error::new(format!(
            "the rows of `{}` have no place on an axis; give another parameter several values to draw a line for each row",
            first.names[0]
        ))),
        [_, second] if least > 1 && !second.rows.is_empty() => Err(Error::new(format!(
            "the rows of `{}` have no place on an axis",
            second.names[0]
        ))),
        [first, rest @ ..] if rest.len() <= 1 => Ok((first, rest.first())),
        _ => Err(Error::new(
            "a figure takes at most two parameters with several values; give the others one value each".to_string(),
        )),
    }
}

fn labels(compiled: Option<&Compiled>, series: Option<&Axis>) -> Vec<String> {
    let label = |axis: &Axis| {
        let name = &axis.names[0];
        let values = table::doubles(axis);
        let rows = axis.rows.iter().find(|rows| rows.parameter == *name);
        let label = |value: f64| match rows.and_then(|rows| rows.rows.get(value as usize)) {
            Some(row) => format!("{name} = {row}"),
            None => match compiled.and_then(|compiled| compiled.shown(name)) {
                Some(own) => format!("{name} = {} {}", plain(own.double(value)), own.unit),
                None => format!("{name} = {}", plain(value)),
            },
        };
        values.into_iter().map(label).collect()
    };
    series.map_or(vec![String::new()], label)
}

fn with_unit(name: &str, shown: Option<&Shown>, request: &Request) -> String {
    match (&request.unit, shown) {
        (Some(unit), _) => format!("{name} [{unit}]"),
        (None, Some(shown)) => shown.head(name),
        (None, None) => name.to_string(),
    }
}

/// The values where the horizontal axis is at one place.
fn table_at(compiled: &Compiled, request: &Request, place: f64) -> Result<Table> {
    let mut grid = request.grid.clone();
    grid.axes[0].values = vec![Values::list(vec![place])];
    grid.axes[0].names.truncate(1);
    Table::new(compiled, &Grid::new(grid.axes, grid.constants)?, &[])
}

fn base_value(base: &Table, equation: usize, line: usize, request: &Request) -> Result<f64> {
    let (equation, axis) = (&base.equations[equation], &request.grid.axes[0].names[0]);
    let value = equation.values[line];
    let place = request.relative.map_or(1.0, |relative| relative.base);
    let is_base = value.is_finite() && value != 0.0;
    is_base.then_some(value).ok_or_else(|| {
        Error::new(format!(
            "nothing to compare with: {} has no value or is 0 at {axis} = {}; choose another base with `--base`",
            equation.name,
            short(place)
        ))
    })
}
