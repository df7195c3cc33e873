//! Plots the law of an equation at one point.

use pamela_plot::{Axis, Curve, Figure, Picture};

use crate::compiled::{Compiled, Point};
use crate::diagnostic::{Error, Result};
use crate::eval::Value;
use crate::law::{Carrier, Distribution, Empirical, quantile};

/// The function of a law to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Density, with the probabilities of single values.
    Density,
    /// Cumulative distribution function.
    Cdf,
    /// Probability of greater values, on a logarithmic axis.
    Tail,
}

/// Number of points of a drawn law.
const PLACES: usize = 240;
/// Probability omitted at each end.
const OMITTED: f64 = 0.001;
/// Probability omitted at the end of a tail: five nines and one more.
const OMITTED_OF_TAIL: f64 = 1e-6;

/// Draws each law among the equations, beside measured samples.
///
/// # Errors
/// Fails like [`Compiled::at`]; also fails if no equation is a law, or if a sample is not finite.
pub fn law(
    compiled: &Compiled,
    point: &Point,
    carrier: Carrier,
    shape: Shape,
    measured: &[f64],
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
            "no equation is a law with a density at this point; see `pamela eval`".to_string(),
        ));
    }
    let curve = |name: &str, points| Curve {
        name: name.to_string(),
        points,
        ideal: false,
    };
    let named = laws.iter();
    let mut curves: Vec<Curve> = named
        .map(|(name, law)| curve(name, points(law.as_ref(), shape)))
        .collect();
    if !measured.is_empty() {
        let samples = Empirical::new(measured.to_vec()).map_err(Error::new)?;
        curves.push(curve(
            "measured",
            match shape {
                Shape::Density => histogram(measured),
                Shape::Cdf | Shape::Tail => points(&samples, shape),
            },
        ));
    }
    let label = match shape {
        Shape::Density => "density",
        Shape::Cdf => "probability",
        Shape::Tail => "probability of more",
    };
    let linear = Some(pamela_plot::Scale::Linear);
    let vertical = match shape {
        Shape::Tail => Some(pamela_plot::Scale::Log),
        _ => linear,
    };
    Ok(Picture::Figure(Figure {
        title: title.to_string(),
        x: Axis {
            // Of several laws the legend has the names.
            label: match laws.as_slice() {
                [(name, _)] => name.to_string(),
                _ => "value".to_string(),
            },
            scale: linear,
        },
        y: Axis {
            label: label.to_string(),
            scale: vertical,
        },
        curves,
        ..Figure::default()
    }))
}

/// More intervals are no shape.
const INTERVALS: f64 = 60.0;

/// The steps of a histogram with area 1. The number of intervals is about the square root of the number of samples.
/// For whole numbers, each interval contains equally many whole numbers.
fn histogram(samples: &[f64]) -> Vec<(f64, f64)> {
    let least = samples.iter().copied().fold(f64::INFINITY, f64::min);
    let most = samples.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let number = samples.len() as f64;
    let intervals = number.sqrt().ceil().min(INTERVALS);
    let are_whole = samples.iter().all(|sample| sample.fract() == 0.0);
    let (from, width) = if are_whole || least == most {
        (least - 0.5, ((most - least + 1.0) / intervals).ceil())
    } else {
        (least, (most - least) / intervals)
    };
    let last = (((most - from) / width).ceil() as usize).max(1);
    let mut counts = vec![0.0; last];
    for sample in samples {
        let interval = (((sample - from) / width) as usize).min(last - 1);
        counts[interval] += 1.0;
    }
    let edge = |k: usize| from + width * k as f64;
    let steps = counts.iter().enumerate().flat_map(|(k, count)| {
        let height = count / (number * width);
        [(edge(k), height), (edge(k + 1), height)]
    });
    let ends = [(edge(0), 0.0), (edge(last), 0.0)];
    [vec![ends[0]], steps.collect(), vec![ends[1]]].concat()
}

/// From one tail to the other. A density is the probability of a cell over its width, so that what is certain is a peak.
fn points(law: &dyn Distribution, shape: Shape) -> Vec<(f64, f64)> {
    let beyond = match shape {
        Shape::Tail => OMITTED_OF_TAIL,
        _ => OMITTED,
    };
    let (low, high) = (quantile(law, OMITTED), quantile(law, 1.0 - beyond));
    let margin = if low < high {
        0.02 * (high - low)
    } else {
        low.abs().max(1.0) / 2.0
    };
    let (low, high) = (low - margin, high + margin);
    let width = (high - low) / PLACES as f64;
    let cdf = law.cdfs();
    let cell = |k: usize| {
        let x = low + width * k as f64;
        match shape {
            Shape::Cdf => (x, cdf(x).below),
            Shape::Tail => (x, cdf(x).above),
            Shape::Density => {
                let (before, after) = (cdf(x), cdf(x + width));
                (
                    x + width / 2.0,
                    (after.below - before.below).max(0.0) / width,
                )
            }
        }
    };
    let all = (0..PLACES).map(cell);
    match shape {
        // A logarithmic axis has no 0.
        Shape::Tail => all.filter(|&(_, above)| above >= beyond / 10.0).collect(),
        _ => all.collect(),
    }
}
