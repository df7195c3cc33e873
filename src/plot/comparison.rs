//! What is known of a time beside its simulation, over one parameter.

use pamela_plot::{Axis, Band, Curve, Figure, Measured, Picture};

use crate::diagnostic::Result;
use crate::estimate::Comparison;
use crate::pipeline::plain_error;

/// Whether a comparison with so many parameters that are varied can be drawn.
///
/// # Errors
/// Not one.
pub fn comparable(varied: usize) -> Result<()> {
    match varied {
        1 => Ok(()),
        0 => Err(plain_error(
            "a picture needs a parameter with several values, for example `-D P=1:200`".to_string(),
        )),
        more => Err(plain_error(format!(
            "a picture is drawn over one parameter, and {more} have several values; give all but one of them a single \
             value"
        ))),
    }
}

/// The formula as a curve in the band of its bounds, the estimate by mean value analysis as another, and the simulated
/// means as points with their intervals.
///
/// # Errors
/// Not just one parameter with several values.
pub fn comparison(points: &[Comparison], process: &str, title: &str) -> Result<Picture> {
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
    let mut curves = vec![curve(&format!("T of {process}"), |point| point.formula)];
    if points.iter().any(|point| point.mean_value.is_some()) {
        curves.push(curve("mean value analysis", |point| point.mean_value));
    }
    let bounds = points.iter().filter_map(|point| {
        let (least, most) = (point.lower?, point.upper?);
        Some((at(point), least, most))
    });
    let simulated = points.iter().map(|point| {
        let half = point.interval.map(|[from, to]| (to - from) / 2.0);
        (at(point), point.simulated, half)
    });
    Ok(Picture::Figure(Figure {
        title: title.to_string(),
        x: Axis {
            label: parameter.clone(),
            scale: None,
        },
        y: Axis {
            label: "time".to_string(),
            scale: None,
        },
        curves,
        bands: vec![Band {
            name: "between L and U".to_string(),
            curve: 0,
            points: bounds.collect(),
        }],
        measured: vec![Measured {
            name: "simulated".to_string(),
            points: simulated.collect(),
        }],
        ..Figure::default()
    }))
}
