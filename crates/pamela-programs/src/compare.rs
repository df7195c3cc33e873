//! Predicted times beside measured ones.

use serde::Serialize;

use crate::calibrate::{Errors, Range};
use crate::measured::Table;
use crate::problem::short;

/// All points of a table, in its order.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub rows: Vec<Row>,
    pub errors: Errors,
    pub order: Order,
}

/// A point; times in seconds.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub values: Vec<f64>,
    pub runs: usize,
    /// The median of the runs, and their 10 % and 90 % quantiles.
    pub measured: f64,
    pub low: f64,
    pub high: f64,
    pub predicted: f64,
    /// Error in per cent of the measured time; positive if the prediction is too large.
    pub error: f64,
    /// The bottleneck according to the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regime: Option<String>,
    /// The parameters outside the calibrated range.
    pub outside: Vec<String>,
}

/// Pairs of points that the measurements distinguish, and the number of them predicted in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Order {
    pub pairs: usize,
    pub kept: usize,
}

/// Compares; `predicted` and `regimes` are in the order of the points.
pub fn compare(
    table: &Table,
    predicted: &[f64],
    regimes: &[Option<String>],
    ranges: &[Range],
) -> Comparison {
    let rows: Vec<Row> = table
        .points
        .iter()
        .zip(predicted)
        .zip(regimes)
        .map(|((point, predicted), regime)| {
            let measured = point.median();
            let outside = |(name, value): (&String, &f64)| {
                let range = ranges.iter().find(|range| range.name == *name)?;
                (*value < range.from || *value > range.to).then(|| name.clone())
            };
            Row {
                values: point.values.clone(),
                runs: point.times.len(),
                measured,
                low: point.quantile(0.1),
                high: point.quantile(0.9),
                predicted: *predicted,
                error: 100.0 * (predicted / measured - 1.0),
                regime: regime.clone(),
                outside: table
                    .parameters
                    .iter()
                    .zip(&point.values)
                    .filter_map(outside)
                    .collect(),
            }
        })
        .collect();
    Comparison {
        errors: Errors::of(rows.iter().map(|row| (row.predicted, row.measured))),
        order: order(&rows),
        rows,
    }
}

/// Two points are told apart where the tenths of their runs do not overlap. By neighbours in the order of the measured
/// medians, and those two, three, .. places on, at most a thousand of each row.
fn order(rows: &[Row]) -> Order {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| a.measured.total_cmp(&b.measured));
    let mut order = Order { pairs: 0, kept: 0 };
    for (place, faster) in sorted.iter().enumerate() {
        for slower in sorted.iter().skip(place + 1).take(1000) {
            if faster.high < slower.low {
                order.pairs += 1;
                order.kept += usize::from(faster.predicted < slower.predicted);
            }
        }
    }
    order
}

impl Comparison {
    /// Summary of the whole table in one line.
    pub fn summary(&self, sizes: &[String]) -> String {
        let worst = self
            .rows
            .iter()
            .max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
        let place = worst.map(|row| {
            let values = sizes.iter().zip(&row.values);
            let values: Vec<String> = values
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            format!(" at {}", values.join(", "))
        });
        let outside = self
            .rows
            .iter()
            .filter(|row| !row.outside.is_empty())
            .count();
        let outside = match outside {
            0 => String::new(),
            count => format!(
                "; {count} of {} points are outside the calibrated range",
                self.rows.len()
            ),
        };
        format!(
            "errors: mean {} %, worst {} %{}; {} of {} pairs in their order{outside}",
            short(self.errors.mean),
            short(self.errors.worst),
            place.filter(|_| !sizes.is_empty()).unwrap_or_default(),
            self.order.kept,
            self.order.pairs,
        )
    }
}
