//! The law of an equation at one point.

use std::sync::Arc;

use pamela_plot::{Axis, Curve, Figure, Picture};

use crate::compiled::{Compiled, Point};
use crate::diagnostic::{Error, Result};
use crate::eval::Value;
use crate::law::{Carrier, Distribution, quantile};

/// What is drawn of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The density of a time, and the probabilities of single values.
    Density,
    /// The probability that the value is not greater.
    Cdf,
}

/// So many places are drawn.
const PLACES: usize = 240;
/// What is left out at each end.
const TAIL: f64 = 0.001;

/// The density or the distribution function of each law among the equations.
///
/// # Errors
/// As [`Compiled::at`]; no law among the equations.
pub fn law(
    compiled: &Compiled,
    point: &Point,
    carrier: Carrier,
    shape: Shape,
    title: &str,
) -> Result<Picture> {
    let evaluated = compiled.at(point)?;
    let mut laws = Vec::new();
    for equation in &evaluated.equations {
        if let Value::Law(law) = &equation.value
            && let Ok((distribution, _)) = law.distribution(carrier)
        {
            laws.push((equation.name.clone(), distribution));
        }
    }
    if laws.is_empty() {
        return Err(Error::new(
            "no equation is a law with a shape at this point; `pamela eval` says what they are"
                .to_string(),
        ));
    }
    let curve = |(name, law): &(String, Arc<dyn Distribution>)| Curve {
        name: name.clone(),
        points: points(law.as_ref(), shape),
        ideal: false,
    };
    let label = match shape {
        Shape::Density => "density",
        Shape::Cdf => "probability",
    };
    let linear = Some(pamela_plot::Scale::Linear);
    Ok(Picture::Figure(Figure {
        title: title.to_string(),
        x: Axis {
            label: laws
                .iter()
                .map(|(name, _)| name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            scale: linear,
        },
        y: Axis {
            label: label.to_string(),
            scale: linear,
        },
        curves: laws.iter().map(curve).collect(),
        ..Figure::default()
    }))
}

/// From one tail to the other. A density is the probability of a cell over its width, so that what is certain is a peak.
fn points(law: &dyn Distribution, shape: Shape) -> Vec<(f64, f64)> {
    let (low, high) = (quantile(law, TAIL), quantile(law, 1.0 - TAIL));
    let margin = match low < high {
        true => 0.02 * (high - low),
        false => low.abs().max(1.0) / 2.0,
    };
    let (low, high) = (low - margin, high + margin);
    let width = (high - low) / PLACES as f64;
    let cdf = law.cdfs();
    let cell = |k: usize| {
        let x = low + width * k as f64;
        match shape {
            Shape::Cdf => (x, cdf(x).below),
            Shape::Density => {
                let (before, after) = (cdf(x), cdf(x + width));
                (
                    x + width / 2.0,
                    (after.below - before.below).max(0.0) / width,
                )
            }
        }
    };
    (0..PLACES).map(cell).collect()
}
