//! Converts pictures from base units to display units.

use pamela_plot::{Figure, Measured};

use crate::compiled::Compiled;
use crate::pipeline::Shown;

/// The units of the two axes of a figure.
#[derive(Clone, Debug, Default)]
pub(super) struct AxisUnits {
    pub x: Option<Shown>,
    pub y: Option<Shown>,
}

/// Converts a number from base units to the unit of its axis.
pub(super) fn on_axis(unit: &Option<Shown>, value: f64) -> f64 {
    unit.as_ref().map_or(value, |unit| unit.double(value))
}

/// Longer comments do not fit below an axis.
const LONGEST_COMMENT: usize = 40;

/// The label of an axis: what the model says of the parameter, its name and its unit.
pub(super) fn label(compiled: &Compiled, name: &str) -> String {
    let head = match compiled.shown(name) {
        Some(shown) => shown.head(name),
        None => name.to_owned(),
    };
    let model = compiled.model().ok();
    let parameter = model.and_then(|model| model.checked().lookup(name));
    let comment = parameter.and_then(|own| own.comment.as_deref());
    match comment.map(str::trim) {
        Some(text) if !text.is_empty() && text.chars().count() <= LONGEST_COMMENT => {
            format!("{text}, {head}")
        }
        _ => head,
    }
}

impl AxisUnits {
    pub fn points(&self, measured: Measured) -> Measured {
        let point = |(x, y, spread): (f64, f64, Option<f64>)| {
            let spread = spread.map(|spread| on_axis(&self.y, spread));
            (on_axis(&self.x, x), on_axis(&self.y, y), spread)
        };
        Measured {
            points: measured.points.into_iter().map(point).collect(),
            ..measured
        }
    }

    /// Converts the curves and bands of a figure.
    pub fn figure(&self, figure: &mut Figure) {
        if self.x.is_none() && self.y.is_none() {
            return;
        }
        for (x, y) in figure.curves.iter_mut().flat_map(|c| &mut c.points) {
            (*x, *y) = (on_axis(&self.x, *x), on_axis(&self.y, *y));
        }
        for (x, low, high) in figure.bands.iter_mut().flat_map(|b| &mut b.points) {
            *x = on_axis(&self.x, *x);
            (*low, *high) = (on_axis(&self.y, *low), on_axis(&self.y, *high));
        }
    }
}
