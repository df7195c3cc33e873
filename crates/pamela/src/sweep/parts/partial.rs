//! What a part keeps of many rows: figures of groups, or the best rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::compiled::Input;
use crate::diagnostic::{Error, Result};
use crate::sweep::figures::{figures, figures_text, parameter_of, with_units};
use crate::sweep::{Aggregate, Best, Format, Summary, Sweep, Watch};

/// Figures of a part, with all that it takes to tell them without the sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartialFigures {
    summary: Summary,
    /// The columns of values.
    values: Vec<String>,
    /// The parameters that the figures are not grouped by.
    swept: Vec<String>,
    /// Their values at the points where something is least or greatest.
    extremes: BTreeMap<u64, Vec<f64>>,
    /// The base units of values and parameters that have some.
    units: BTreeMap<String, String>,
    /// Of parameters that are rows of tables, what the rows are called.
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

    /// Adds those of a later part.
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

/// The best rows of a part, the best first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PartialBest {
    /// The value of a row and the number of its point, with the row as text.
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

/// The best rows of all parts that were added, in the order of their points.
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

    /// The best first.
    pub fn text(&self) -> Vec<u8> {
        let rows = self
            .best
            .points()
            .filter_map(|point| self.texts.get(&point));
        rows.map(String::as_str).collect::<String>().into_bytes()
    }
}
