//! Coordinates in which the tails of a law are nearly straight.

use crate::special::exp_all;

/// A strictly increasing map from values to a coordinate.
///
/// It is logarithmic towards a finite end of the support and towards infinity. A smooth piece of a quantile function
/// is therefore smooth in the coordinate over all logits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chart {
    /// `asinh((x - centre) / width)`, without a finite end.
    Line { centre: f64, width: f64 },
    /// `ln(x - lower)`
    Above { lower: f64 },
    /// `-ln(upper - x)`
    Below { upper: f64 },
    /// `ln((x - lower) / (upper - x))`
    Between { lower: f64, upper: f64 },
}

impl Chart {
    /// A chart for a piece with these finite ends, or for a law about `centre` of this `width`.
    pub fn new(lower: Option<f64>, upper: Option<f64>, centre: f64, width: f64) -> Chart {
        match (lower, upper) {
            (Some(lower), Some(upper)) => Chart::Between { lower, upper },
            (Some(lower), None) => Chart::Above { lower },
            (None, Some(upper)) => Chart::Below { upper },
            (None, None) => Chart::Line {
                centre,
                width: if width > 0.0 { width } else { 1.0 },
            },
        }
    }

    pub fn coordinate(&self, x: f64) -> f64 {
        match *self {
            Chart::Line { centre, width } => ((x - centre) / width).asinh(),
            Chart::Above { lower } => (x - lower).ln(),
            Chart::Below { upper } => -(upper - x).ln(),
            Chart::Between { lower, upper } => ((x - lower) / (upper - x)).ln(),
        }
    }

    pub fn value(&self, y: f64) -> f64 {
        match *self {
            Chart::Line { centre, width } => centre + width * y.sinh(),
            Chart::Above { lower } => lower + y.exp(),
            Chart::Below { upper } => upper - (-y).exp(),
            Chart::Between { lower, upper } if y < 0.0 => {
                let e = y.exp();
                lower + (upper - lower) * (e / (1.0 + e))
            }
            Chart::Between { lower, upper } => {
                let e = (-y).exp();
                upper - (upper - lower) * (e / (1.0 + e))
            }
        }
    }

    /// Distance of the value to the upper end, if the chart has one.
    pub fn below_upper(&self, y: f64) -> Option<f64> {
        match *self {
            Chart::Below { .. } => Some((-y).exp()),
            Chart::Between { lower, upper } => {
                let e = (-y.abs()).exp();
                let share = if y < 0.0 { 1.0 } else { e };
                Some((upper - lower) * share / (1.0 + e))
            }
            Chart::Line { .. } | Chart::Above { .. } => None,
        }
    }

    /// [`Chart::value`] of many coordinates, to some units in the last place.
    pub fn values(&self, coordinates: &mut [f64]) {
        match *self {
            Chart::Line { centre, width } => {
                exp_all(coordinates);
                let value = |e: f64| centre + 0.5 * width * (e - 1.0 / e);
                coordinates.iter_mut().for_each(|e| *e = value(*e));
            }
            Chart::Between { .. } => {
                coordinates.iter_mut().for_each(|y| *y = self.value(*y));
            }
            Chart::Above { lower } => {
                exp_all(coordinates);
                coordinates.iter_mut().for_each(|e| *e += lower);
            }
            Chart::Below { upper } => {
                coordinates.iter_mut().for_each(|y| *y = -*y);
                exp_all(coordinates);
                coordinates.iter_mut().for_each(|e| *e = upper - *e);
            }
        }
    }

    /// The derivative of the value by the coordinate, at the coordinate `y`.
    pub fn stretch(&self, y: f64) -> f64 {
        match *self {
            Chart::Line { width, .. } => width * y.cosh(),
            Chart::Above { .. } => y.exp(),
            Chart::Below { .. } => (-y).exp(),
            Chart::Between { lower, upper } => {
                let e = (-y.abs()).exp();
                (upper - lower) * e / ((1.0 + e) * (1.0 + e))
            }
        }
    }

    /// [`Chart::value`] and [`Chart::stretch`] in one computation.
    pub fn value_and_stretch(&self, y: f64) -> (f64, f64) {
        match *self {
            Chart::Line { centre, width } => {
                let (up, down) = (y.exp(), (-y).exp());
                (
                    centre + 0.5 * width * (up - down),
                    0.5 * width * (up + down),
                )
            }
            Chart::Above { lower } => {
                let e = y.exp();
                (lower + e, e)
            }
            Chart::Below { upper } => {
                let e = (-y).exp();
                (upper - e, e)
            }
            Chart::Between { lower, upper } => {
                let (e, width) = ((-y.abs()).exp(), upper - lower);
                let part = width * (e / (1.0 + e));
                let value = if y < 0.0 { lower + part } else { upper - part };
                (value, part / (1.0 + e))
            }
        }
    }

    /// True if a value is so far from a finite end that rounding moves its coordinate by less than a trace has errors.
    pub fn is_resolved(&self, x: f64) -> bool {
        let beside = |end: f64| (x - end).abs() > 1e-8 * end.abs();
        match *self {
            Chart::Line { .. } => true,
            Chart::Above { lower } => beside(lower),
            Chart::Below { upper } => beside(upper),
            Chart::Between { lower, upper } => beside(lower) && beside(upper),
        }
    }

    /// The chart of `factor * X + amount` with `factor > 0`, and the increase of coordinates.
    pub fn moved(&self, factor: f64, amount: f64) -> (Chart, f64) {
        let to = |x: f64| factor * x + amount;
        match *self {
            Chart::Line { centre, width } => (
                Chart::Line {
                    centre: to(centre),
                    width: factor * width,
                },
                0.0,
            ),
            Chart::Above { lower } => (Chart::Above { lower: to(lower) }, factor.ln()),
            Chart::Below { upper } => (Chart::Below { upper: to(upper) }, -factor.ln()),
            Chart::Between { lower, upper } => (
                Chart::Between {
                    lower: to(lower),
                    upper: to(upper),
                },
                0.0,
            ),
        }
    }

    /// The chart of `-X`, with negated coordinates.
    pub fn mirrored(&self) -> Chart {
        match *self {
            Chart::Line { centre, width } => Chart::Line {
                centre: -centre,
                width,
            },
            Chart::Above { lower } => Chart::Below { upper: -lower },
            Chart::Below { upper } => Chart::Above { lower: -upper },
            Chart::Between { lower, upper } => Chart::Between {
                lower: -upper,
                upper: -lower,
            },
        }
    }
}
