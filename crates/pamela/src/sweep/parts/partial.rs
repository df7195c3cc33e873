//! Parts that keep little of many rows: aggregates of groups, or the best rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::compiled::Input;
use crate::diagnostic::{Error, Result};
use crate::sweep::figures::{figures, figures_text, parameter_of, with_units};
use crate::sweep::{Aggregate, Best, Format, Summary, Sweep, Watch};

/// Aggregates of a part, readable without the sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartialFigures {
    summary: Summary,
    /// Names of the value columns.
    values: Vec<String>,
    /// Parameters that are not grouped by.
    swept: Vec<String>,
    /// Their values at the points with extreme values.
    extremes: BTreeMap<u64, Vec<f64>>,
    /// Base units of the values and parameters that have a unit.
    units: BTreeMap<String, String>,
    /// For parameters that are rows of tables, the names of the rows.
    rows: BTreeMap<String, Arc<Vec<String>>>,
}

impl PartialFigures {
    pub fn of(
        sweep: &Sweep,
        range: (u64, u64),
        by: &[String],
        watch: &Watch,
    ) -> Result<PartialFigures> {
        let summary = sweep.summarised(range, by, watch)?;
        let swept = sweep.swept(by);
        let extremes = summary.extremes();
        Ok(PartialFigures {
            extremes: extremes
                .map(|point| (point, sweep.values_at(point, &swept)))
                .collect(),
            values: sweep.values(),
            units: sweep.base_units(),
            rows: (swept.iter().chain(by))
                .filter_map(|name| Some((name.clone(), sweep.grid.row_names(name)?.clone())))
                .collect(),
            swept,
            summary,
        })
    }

    /// Adds the aggregates of a later part.
    pub fn merge(&mut self, later: PartialFigures) -> Result<()> {
        if (&self.values, &self.swept) != (&later.values, &later.swept) {
            return Err(Error::new("the figures are of other columns"));
        }
        self.summary.merge(&later.summary)?;
        self.extremes.extend(later.extremes);
        Ok(())
    }

    pub fn text(&self, aggregates: &[Aggregate], format: Format) -> Vec<u8> {
        let none = || vec![f64::NAN; self.swept.len()];
        let at = |point| self.extremes.get(&point).cloned().unwrap_or_else(none);
        let (names, rows) = figures(&self.summary, aggregates, &self.values, &self.swept, &at);
        let table = (with_units(names, &self.units), rows);
        let rows_of = |column: &str| {
            let name = parameter_of(column, self.rows.keys().map(String::as_str))?;
            self.rows.get(name).cloned()
        };
        figures_text(table, &rows_of, format)
    }
}

/// The best rows of a part, best first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PartialBest {
    /// Value and point number of a row, and its text.
    rows: Vec<(f64, u64, String)>,
}

impl PartialBest {
    pub fn of(
        sweep: &Sweep,
        range: (u64, u64),
        by: &str,
        best: Best,
        format: Format,
        watch: &Watch,
    ) -> Result<PartialBest> {
        let rows = sweep.rows(format);
        let values = sweep.best_points(range, by, best, watch)?;
        let found = sweep.found_at(values.iter().map(|(_, point)| *point));
        let rows = values.iter().zip(found).map(|((value, point), found)| {
            let mut text = Vec::new();
            let parameters: Vec<&Input> = found.parameters.iter().collect();
            rows.write(&parameters, &found.columns, &mut text);
            (*value, *point, String::from_utf8_lossy(&text).into_owned())
        });
        Ok(PartialBest {
            rows: rows.collect(),
        })
    }
}

/// The best rows of all added parts, in the order of their points.
pub struct BestRows {
    best: Best,
    texts: BTreeMap<u64, String>,
}

impl BestRows {
    pub fn new(best: Best) -> BestRows {
        BestRows {
            best,
            texts: BTreeMap::new(),
        }
    }

    pub fn add(&mut self, part: PartialBest) {
        let mut points: Vec<(f64, u64)> = Vec::with_capacity(part.rows.len());
        for (value, point, text) in part.rows {
            points.push((value, point));
            self.texts.insert(point, text);
        }
        points.sort_by_key(|(_, point)| *point);
        self.best.add(points.into_iter());
        let kept: BTreeSet<u64> = self.best.points().collect();
        self.texts.retain(|point, _| kept.contains(point));
    }

    /// Writes the rows, best first.
    pub fn text(&self) -> Vec<u8> {
        let rows = self
            .best
            .points()
            .filter_map(|point| self.texts.get(&point));
        rows.map(String::as_str).collect::<String>().into_bytes()
    }
}
