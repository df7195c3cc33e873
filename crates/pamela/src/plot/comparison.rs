//! Plots the formula, bounds and estimates of a time beside its simulation, over one parameter.

use pamela_plot::{Axis, Band, Curve, Figure, Measured, Picture};

use super::kind;
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::estimate::Comparison;
use crate::pipeline::Shown;
use crate::simulate::Basis;
use crate::timing::Origin;

/// Checks that a comparison with `varied` varied parameters can be drawn.
///
/// # Errors
/// Fails unless exactly one parameter varies.
pub fn comparable(varied: usize) -> Result<()> {
    match varied {
        1 => Ok(()),
        0 => Err(Error::new(
            "a picture needs a parameter with several values, for example `P=1:200`".to_string(),
        )),
        more => Err(Error::new(format!(
            "a picture is drawn over one parameter, but {more} have several values; give all but one of them a single \
             value"
        ))),
    }
}

/// Draws a comparison over one parameter.
///
/// The formula is a curve in the band of its bounds. The mean-value estimate is a second curve.
/// Simulated means are points with intervals. Times are shown in `unit`.
///
/// # Errors
/// Fails unless exactly one parameter has several values.
pub fn comparison(
    compiled: &Compiled,
    points: &[Comparison],
    process: &str,
    title: &str,
    unit: Option<&Shown>,
) -> Result<Picture> {
    let varied = points.first().map_or(&[][..], |point| &point.parameters);
    comparable(varied.len())?;
    let parameter = &varied[0].0;
    let at = |point: &Comparison| point.parameters[0].1.parse::<f64>().unwrap_or(f64::NAN);
    let curve = |name: &str, value: fn(&Comparison) -> Option<f64>| Curve {
        name: name.to_string(),
        points: points
            .iter()
            .map(|point| (at(point), value(point).unwrap_or(f64::NAN)))
            .collect(),
        ideal: false,
    };
    let origin = Origin::Time(process.to_string());
    let time = compiled.equations().iter().find(|e| e.origin == origin);
    let name = time.map_or(format!("T_{process}"), |e| e.name.clone());
    let facts = kind::facts(compiled);
    let name = match facts.get(&name).and_then(|facts| facts.instead) {
        Some(what) => format!("{name} ({what})"),
        None => name,
    };
    let mut curves = vec![curve(&name, |point| point.formula)];
    if points.iter().any(|point| point.time.is_some()) {
        curves.push(curve(&format!("time_{process}"), |point| point.time));
    }
    if points.iter().any(|point| point.mean_value.is_some()) {
        curves.push(curve("mean value analysis", |point| point.mean_value));
    }
    let bounds = points.iter().filter_map(|point| {
        let (least, most) = (point.lower?, point.upper?);
        Some((at(point), least, most))
    });
    let simulated = points.iter().map(|point| {
        // With several orders, the time is not in the middle of the interval.
        let around = point.interval.filter(|_| point.basis != Basis::Orders);
        let half = around.map(|[from, to]| (to - from) / 2.0);
        (at(point), point.simulated, half)
    });
    let bounds: Vec<(f64, f64, f64)> = bounds.collect();
    let band = |points| Band {
        name: format!("L_{process} .. U_{process} (bounds)"),
        curve: 0,
        points,
    };
    Ok(Picture::Figure(Figure {
        title: title.to_string(),
        x: Axis {
            label: super::units::label(compiled, parameter),
            scale: None,
        },
        y: Axis {
            label: unit.map_or("time".to_string(), |unit| unit.head("time")),
            scale: None,
        },
        curves,
        bands: (!bounds.is_empty())
            .then(|| band(bounds))
            .into_iter()
            .collect(),
        measured: vec![Measured {
            name: "simulated".to_string(),
            curve: None,
            points: simulated.collect(),
        }],
        ..Figure::default()
    }))
}
