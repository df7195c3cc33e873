//! Pictures in the units that numbers are shown in: what is computed is in base units.

use pamela_plot::{Figure, Measured};

use crate::compiled::Compiled;
use crate::pipeline::Shown;

/// The units of the two axes of a figure.
#[derive(Clone, Debug, Default)]
pub(super) struct AxisUnits {
    pub x: Option<Shown>,
    pub y: Option<Shown>,
}

/// A number of base units in the unit of its axis.
pub(super) fn on_axis(unit: &Option<Shown>, value: f64) -> f64 {
    unit.as_ref().map_or(value, |unit| unit.double(value))
}

/// What an axis is called.
pub(super) fn label(compiled: &Compiled, name: &str) -> String {
    match compiled.shown(name) {
        Some(shown) => shown.head(name),
        None => name.to_owned(),
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

    /// Curves and bands.
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
