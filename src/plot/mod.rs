//! Pictures of compiled models: curves and heat maps over grids of points, laws at one point.

mod law;
mod table;

pub use law::{Shape, law};

use std::collections::BTreeMap;

use pamela_plot::{
    Axis as Scale, Band, Curve, Figure, HeatMap, Mark, Measured, Picture, Region, short,
};

use crate::compiled::{Compiled, decimal};
use crate::diagnostic::Result;
use crate::eval::{Bindings, Number, Value};
use crate::expr::Sort;
use crate::pipeline::{Crossing, plain_error};
use crate::sweep::{Axis, Grid, Values};
use table::Table;

/// What is asked of curves or of a heat map.
#[derive(Clone, Debug)]
pub struct Request {
    /// The first axis is the horizontal one, the second one gives a curve for each value, or the vertical one.
    pub grid: Grid,
    pub title: String,
    pub relative: Option<Relative>,
    /// Of laws, a band between these quantiles.
    pub band: (f64, f64),
    /// The horizontal and the vertical scale, where they are not left to the data.
    pub scales: [Option<pamela_plot::Scale>; 2],
    /// What the values are measured in, for example `s`.
    pub unit: Option<String>,
    pub measured: Vec<Measured>,
}

/// Values as they compare with that of one place of the horizontal axis.
#[derive(Clone, Copy, Debug)]
pub struct Relative {
    /// The place, for example one processor.
    pub base: f64,
    /// Divided by how many times the base it is.
    pub efficiency: bool,
}

/// More curves cannot be told apart.
const MOST_CURVES: usize = 12;

/// A curve for each equation, or for each value of the second axis.
///
/// # Errors
/// No axis, more than two, too many points or curves; a parameter without a value; no value to compare with.
pub fn curves(compiled: &Compiled, request: &Request) -> Result<Picture> {
    let (axis, series) = axes(&request.grid, 1)?;
    let mut table = Table::new(
        compiled,
        &request.grid,
        &[request.band.0, 0.5, request.band.1],
    )?;
    let bounds = table.take_bounds(compiled);
    let base = match request.relative {
        Some(relative) => Some(table_at(compiled, request, relative.base)?),
        None => None,
    };
    let places = table::doubles(axis);
    let labels = labels(series);
    let count = table.equations.len() * labels.len();
    if count > MOST_CURVES {
        return Err(plain_error(format!(
            "that would be {count} curves, and a figure has at most {MOST_CURVES}; choose equations by `--only`, or fewer \
             values of `{}`",
            series.map_or("the second parameter", |axis| axis.names[0].as_str())
        )));
    }
    let mut figure = Figure {
        title: request.title.clone(),
        x: Scale {
            label: axis.names[0].clone(),
            scale: request.scales[0],
        },
        y: Scale {
            label: vertical_label(&table, request),
            scale: request.scales[1],
        },
        measured: request.measured.clone(),
        ..Figure::default()
    };
    for (position, equation) in table.equations.iter().enumerate() {
        for (line, label) in labels.iter().enumerate() {
            let one = match &base {
                Some(base) => Some(base_value(base, position, line, request)?),
                None => None,
            };
            let point = |k: usize, values: &[f64]| {
                let value = values[k * labels.len() + line];
                let relative = request.relative.zip(one);
                (
                    places[k],
                    relative.map_or(value, |(relative, one)| relative.of(value, one, places[k])),
                )
            };
            let name = match (table.equations.len(), label.as_str()) {
                (_, "") => equation.name.clone(),
                (1, label) => label.to_string(),
                (_, label) => format!("{}, {label}", equation.name),
            };
            let points = (0..places.len())
                .map(|k| point(k, &equation.values))
                .collect();
            if let (Some(quantiles), None) = (&equation.quantiles, one) {
                let edges = |k: usize| {
                    let at = k * labels.len() + line;
                    (places[k], quantiles[0][at], quantiles[2][at])
                };
                let percent = |p: f64| short(100.0 * p);
                figure.bands.push(Band {
                    name: format!(
                        "{} to {} %",
                        percent(request.band.0),
                        percent(request.band.1)
                    ),
                    curve: figure.curves.len(),
                    points: (0..places.len()).map(edges).collect(),
                });
            }
            if let Some((lower, upper)) = bounds.get(&equation.name) {
                let edges = |k: usize| {
                    let at = k * labels.len() + line;
                    (places[k], lower.values[at], upper.values[at])
                };
                figure.bands.push(Band {
                    name: format!("{} to {}", lower.name, upper.name),
                    curve: figure.curves.len(),
                    points: (0..places.len()).map(edges).collect(),
                });
            }
            figure.curves.push(Curve {
                name,
                points,
                ideal: false,
            });
        }
    }
    if let Some(relative) = request.relative {
        let ideal = |&x: &f64| {
            (
                x,
                if relative.efficiency {
                    1.0
                } else {
                    x / relative.base
                },
            )
        };
        let points = places.iter().map(ideal).collect();
        figure.curves.push(Curve {
            name: "ideal".to_string(),
            points,
            ideal: true,
        });
    }
    if labels.len() == 1 {
        figure.marks = marks(compiled, request, &axis.names[0], &places)?;
        figure.regions = regions(&table, &places, &figure.marks);
    }
    Ok(Picture::Figure(figure))
}

/// The values of the first equation over two axes.
///
/// # Errors
/// As [`curves`].
pub fn heat_map(compiled: &Compiled, request: &Request) -> Result<Picture> {
    let (across, Some(up)) = axes(&request.grid, 2)? else {
        return Err(plain_error(
            "a heat map takes two parameters with several values".to_string(),
        ));
    };
    let table = Table::new(compiled, &request.grid, &[])?;
    let equation = &table.equations[0];
    let (columns, rows) = (table::doubles(across), table::doubles(up));
    let value = |row: usize, column: usize| equation.values[column * rows.len() + row];
    let row = |row: usize| {
        (0..columns.len())
            .map(|column| value(row, column))
            .collect()
    };
    Ok(Picture::HeatMap(HeatMap {
        title: request.title.clone(),
        x: across.names[0].clone(),
        y: up.names[0].clone(),
        values: (0..rows.len()).map(row).collect(),
        label: with_unit(&equation.name, request),
        columns,
        rows,
    }))
}

impl Relative {
    fn of(self, value: f64, base: f64, place: f64) -> f64 {
        let speedup = base / value;
        match self.efficiency {
            true => speedup / (place / self.base),
            false => speedup,
        }
    }
}

/// The horizontal axis, and the other one.
fn axes(grid: &Grid, least: usize) -> Result<(&Axis, Option<&Axis>)> {
    let wrong = |reason: &str| plain_error(format!("{reason}, for example `-D P=1:128`"));
    match grid.axes.as_slice() {
        [] => Err(wrong("a figure takes a parameter with several values")),
        [_] if least > 1 => Err(wrong("a heat map takes two parameters with several values")),
        [first, rest @ ..] if rest.len() <= 1 => Ok((first, rest.first())),
        _ => Err(plain_error(
            "a figure takes at most two parameters with several values; give the others one value each".to_string(),
        )),
    }
}

fn labels(series: Option<&Axis>) -> Vec<String> {
    let label = |axis: &Axis| {
        let name = &axis.names[0];
        let values = table::doubles(axis);
        values
            .into_iter()
            .map(|value| format!("{name} = {}", short(value)))
            .collect()
    };
    series.map_or(vec![String::new()], label)
}

fn with_unit(name: &str, request: &Request) -> String {
    match &request.unit {
        Some(unit) => format!("{name} [{unit}]"),
        None => name.to_string(),
    }
}

fn vertical_label(table: &Table, request: &Request) -> String {
    match (request.relative, table.equations.as_slice()) {
        (
            Some(Relative {
                efficiency: true, ..
            }),
            _,
        ) => "efficiency".to_string(),
        (Some(_), _) => "speedup".to_string(),
        (None, [only]) if only.sort == Sort::Law => {
            with_unit(&format!("{}, mean", only.name), request)
        }
        (None, [only]) => with_unit(&only.name, request),
        (None, _) => with_unit("value", request),
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
    match value.is_finite() && value != 0.0 {
        true => Ok(value),
        false => Err(plain_error(format!(
            "there is nothing to compare with: {} has no value, or 0, at {axis} = {}; give another place by `--base`",
            equation.name,
            short(place)
        ))),
    }
}

/// Where the equations cross from one regime to another, with the formula.
fn marks(
    compiled: &Compiled,
    request: &Request,
    parameter: &str,
    places: &[f64],
) -> Result<Vec<Mark>> {
    let constants = request.grid.constants.iter();
    let known: Bindings = constants
        .map(|(name, value)| (name.clone(), Value::Scalar(Number::Exact(value.clone()))))
        .collect();
    let (least, most) = places
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| {
            (a.min(x), b.max(x))
        });
    let mut marks: BTreeMap<String, f64> = BTreeMap::new();
    let regimes = compiled
        .equations()
        .iter()
        .filter(|e| !e.auxiliary)
        .filter_map(|e| e.regimes.as_ref());
    for crossing in regimes.flat_map(|regimes| &regimes.crossings) {
        let Some(at) = place_of(crossing, parameter, &known) else {
            continue;
        };
        if at > least && at < most {
            marks.insert(
                format!(
                    "{parameter} = {} = {}",
                    crossing.formula.pamela(),
                    short(at)
                ),
                at,
            );
        }
    }
    Ok(marks
        .into_iter()
        .map(|(label, at)| Mark { label, at })
        .collect())
}

fn place_of(crossing: &Crossing, parameter: &str, known: &Bindings) -> Option<f64> {
    if crossing.parameter != parameter {
        return None;
    }
    match crossing.formula.evaluate(known).ok()? {
        Value::Scalar(at) => Some(at.to_f64()).filter(|at| at.is_finite()),
        _ => None,
    }
}

/// Neighbours in the same regime, up to the crossing between them and the next.
fn regions(table: &Table, places: &[f64], marks: &[Mark]) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    let mut previous: Option<(usize, f64)> = None;
    for (&place, regime) in places.iter().zip(&table.regimes) {
        let Some(regime) = *regime else {
            previous = None;
            continue;
        };
        match (previous, regions.last_mut()) {
            (Some((before, _)), Some(last)) if before == regime => last.to = place,
            (before, last) => {
                let from = match (before, last) {
                    (Some((_, end)), Some(last)) => {
                        let between = marks.iter().find(|m| m.at >= end && m.at <= place);
                        let meets = between.map_or((end + place) / 2.0, |mark| mark.at);
                        last.to = meets;
                        meets
                    }
                    _ => place,
                };
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
        Vec::new()
    } else {
        regions
    }
}

/// Reads measured points: a column called as the horizontal parameter, one called as an equation or `value`, and perhaps
/// one called `error`, half of an interval.
///
/// # Errors
/// A missing column, a cell that is no number, with its line.
pub fn measured(name: &str, text: &str, parameter: &str, equations: &[&str]) -> Result<Measured> {
    let wrong = |reason: String| plain_error(format!("no measured points in `{name}`: {reason}"));
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let head = reader
        .headers()
        .map_err(|error| wrong(error.to_string()))?
        .clone();
    let column = |wanted: &str| head.iter().position(|name| name == wanted);
    let missing = |what: String| {
        let columns: Vec<&str> = head.iter().collect();
        wrong(format!(
            "it has no column {what}; its columns are {}",
            columns.join(", ")
        ))
    };
    let x = column(parameter).ok_or_else(|| missing(format!("`{parameter}`")))?;
    let value = equations
        .iter()
        .chain(&["value"])
        .find_map(|name| column(name));
    let value = value.ok_or_else(|| missing(format!("`{}` or `value`", equations.join("`, `"))))?;
    let error = column("error");
    let mut points = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |column: usize| {
            let text = record.get(column).unwrap_or_default();
            let number = text.parse::<f64>().ok().filter(|x| decimal(*x).is_some());
            let name = head.get(column).unwrap_or_default();
            number.ok_or_else(|| {
                wrong(format!(
                    "line {line}: `{text}` in column `{name}` is no number"
                ))
            })
        };
        points.push((cell(x)?, cell(value)?, error.map(cell).transpose()?));
    }
    match points.is_empty() {
        true => Err(wrong("it has no row".to_string())),
        false => Ok(Measured {
            name: "measured".to_string(),
            points,
        }),
    }
}
