//! Plots the time of each label, stacked, over one parameter.

use pamela_plot::{Axis, Band, Curve, Figure, Picture};

use super::table::{self, Table};
use super::units::{AxisUnits, label};
use super::{Request, axes};
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::pipeline::Options;
use crate::timing::{Origin, Share};

/// Draws the parts of a process's time by label. They add up, so the highest edge is the time.
///
/// # Errors
/// Fails unless there is one axis, if there are no parts or too many points, or if a parameter has
/// no value.
pub fn stacked(compiled: &Compiled, request: &Request, process: &str) -> Result<Picture> {
    let (axis, series) = axes(&request.grid, 1)?;
    if let Some(series) = series {
        return Err(Error::new(format!(
            "labels are drawn over one parameter, but `{}` has several values as well",
            series.names[0]
        )));
    }
    let time = format!("T_{process}");
    let part = |origin: &Origin| match origin {
        Origin::Label { of, label, share } if *of == time && *share == Share::Part => {
            Some(label.clone())
        }
        _ => None,
    };
    let parts = compiled.equations().iter();
    let parts = parts.filter_map(|e| Some((e.name.clone(), part(&e.origin)?)));
    let (names, labels): (Vec<String>, Vec<String>) = parts.unzip();
    let Some(first) = names.first() else {
        return Err(Error::new(format!(
            "there are no parts by label of `{time}`"
        )));
    };
    let units = AxisUnits {
        x: compiled.shown(&axis.names[0]).cloned(),
        y: compiled.shown(first).cloned(),
    };
    let restricted = compiled.restricted(&Options {
        only: names.clone(),
        laws: compiled.carrier(),
        ..Options::default()
    })?;
    let table = Table::new(&restricted, &request.grid, &[])?;
    let places = table::doubles(axis);
    let mut figure = Figure {
        title: request.title.clone(),
        x: Axis {
            label: label(compiled, &axis.names[0]),
            scale: request.scales[0],
        },
        y: Axis {
            label: units
                .y
                .as_ref()
                .map_or(time.clone(), |unit| unit.head(&time)),
            scale: request.scales[1],
        },
        ..Figure::default()
    };
    let mut below = vec![0.0; places.len()];
    for (name, label) in names.iter().zip(labels) {
        let own = table.equations.iter().find(|column| column.name == *name);
        let own = own.map_or(&[][..], |column| &column.values);
        let above: Vec<f64> = below
            .iter()
            .zip(own)
            .map(|(below, own)| below + own)
            .collect();
        let edges = places.iter().zip(&below).zip(&above);
        figure.bands.push(Band {
            name: label.clone(),
            curve: figure.curves.len(),
            points: edges.map(|((&at, &from), &to)| (at, from, to)).collect(),
        });
        figure.curves.push(Curve {
            name: label,
            points: places.iter().copied().zip(above.iter().copied()).collect(),
            ideal: false,
        });
        below = above;
    }
    units.figure(&mut figure);
    Ok(Picture::Figure(figure))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Model;
    use crate::sweep::{Grid, Values};

    #[test]
    fn the_highest_edge_is_the_time() {
        let text = "numeric parameter n : integer >= 1
            process main = seq (i = 1, n) {
                { delay(3) as work || delay(n) as comm } ; delay(2 * i)
            }";
        let labelled = Model::parse(text).unwrap().with_labels().unwrap();
        let compiled = labelled.compile(&Options::default()).unwrap();
        let values = Values::parse("1:6").unwrap().unwrap();
        let axis = crate::sweep::Axis {
            names: vec!["n".to_owned()],
            values: vec![values],
            interval: None,
            rows: Vec::new(),
        };
        let request = Request {
            grid: Grid::new(vec![axis], Vec::new()).unwrap(),
            title: String::new(),
            relative: None,
            band: (0.1, 0.9),
            scales: [None, None],
            unit: None,
            measured: Vec::new(),
            unknown: Vec::new(),
            interval: 0.9,
            runs: false,
        };
        let Picture::Figure(figure) = stacked(&compiled, &request, "main").unwrap() else {
            panic!("one figure was asked for");
        };
        let names: Vec<&str> = figure
            .curves
            .iter()
            .map(|curve| curve.name.as_str())
            .collect();
        assert_eq!(names, ["work", "comm", "rest"]);
        for (n, top) in &figure.curves[2].points {
            assert_eq!(*top, n * n.max(3.0) + n * (n + 1.0), "at {n}");
        }
        // Each band begins where the band below ends.
        for pair in figure.bands.windows(2) {
            for (below, above) in pair[0].points.iter().zip(&pair[1].points) {
                assert_eq!(below.2, above.1);
            }
        }
    }
}
