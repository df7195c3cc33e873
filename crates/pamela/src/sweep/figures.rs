//! Figures of the points of a sweep.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use super::rows::Rows;
use super::run::BatchResult;
use super::summary::{Aggregate, Figures, Summary};
use super::{Format, Sweep, Watch};
use crate::compiled::Input;
use crate::diagnostic::{Error, Result};

impl Sweep {
    /// Writes figures of each column in each group: a row for each group, in the order in which they occur.
    ///
    /// # Errors
    /// As [`Sweep::summarised`]; what cannot be written.
    pub fn summary(
        &self,
        range: (u64, u64),
        aggregates: &[Aggregate],
        by: &[String],
        format: Format,
        watch: &Watch,
        out: &mut dyn Write,
    ) -> Result<()> {
        let summary = self.summarised(range, by, watch)?;
        if watch.interrupted() {
            return Ok(());
        }
        let (names, numbers) = self.figures(&summary, aggregates);
        let texts: Vec<_> = names.iter().map(|name| self.rows_of(name)).collect();
        let rows = Rows::of_numbers(format, names).with_texts(texts.into_iter());
        let mut text = rows.head();
        for row in numbers {
            rows.write_numbers(&row, &mut text);
        }
        let written = out.write_all(&text).and_then(|()| out.flush());
        written.map_err(|e| Error::new(format!("cannot write: {e}")))
    }

    /// What the rows are called that a column of figures numbers.
    fn rows_of(&self, column: &str) -> Option<Arc<Vec<String>>> {
        let of = |name: &&str| {
            let place = column.strip_suffix(name);
            place
                .is_some_and(|p| p.is_empty() || p.ends_with("_argmin_") || p.ends_with("_argmax_"))
        };
        let name = self.grid.names().find(of)?;
        self.grid.row_names(name).cloned()
    }

    /// Figures of each column of values in each group of the points from one to before another.
    ///
    /// # Errors
    /// A group by what is no parameter, too many groups.
    pub fn summarised(&self, range: (u64, u64), by: &[String], watch: &Watch) -> Result<Summary> {
        let places = by.iter().map(|name| {
            let place = self.parameters().iter().position(|own| own == name);
            place.ok_or_else(|| {
                Error::new(format!(
                    "`{name}` is no parameter of the table to group by; there are {}",
                    self.parameters().join(", ")
                ))
            })
        });
        let places = places.collect::<Result<Vec<usize>>>()?;
        let mut summary = Summary::new(by);
        let of = |found: BatchResult| grouped(&found, &places);
        self.each(range, watch, of, |groups| {
            let mut groups = groups.iter();
            groups.try_for_each(|(key, figures)| summary.add(key, figures))
        })?;
        Ok(summary)
    }

    /// The names of figures, and the figures of each group, in the order in which the groups occur.
    pub fn figures(
        &self,
        summary: &Summary,
        aggregates: &[Aggregate],
    ) -> (Vec<String>, Vec<Vec<f64>>) {
        let by = &summary.by;
        let swept = self.grid.names().filter(|n| !by.iter().any(|b| b == n));
        let swept: Vec<&str> = swept.collect();
        let mut names = by.clone();
        for value in self.values() {
            for aggregate in aggregates {
                let name = Aggregate::NAMES.iter().find(|(_, own)| own == aggregate);
                let name = format!("{value}_{}", name.map_or("", |(name, _)| name));
                match aggregate {
                    Aggregate::ArgMin | Aggregate::ArgMax => {
                        names.extend(swept.iter().map(|own| format!("{name}_{own}")));
                    }
                    _ => names.push(name),
                }
            }
        }
        let row = |(key, all): &(Vec<f64>, Vec<Figures>)| {
            let mut cells = key.clone();
            for figures in all {
                for &aggregate in aggregates {
                    self.figure(figures, aggregate, &swept, &mut cells);
                }
            }
            cells
        };
        let rows = summary.groups.iter().map(row).collect();
        (names, rows)
    }

    fn figure(
        &self,
        figures: &Figures,
        aggregate: Aggregate,
        swept: &[&str],
        cells: &mut Vec<f64>,
    ) {
        let value = |extreme: Option<(f64, u64)>| extreme.map_or(f64::NAN, |(value, _)| value);
        match aggregate {
            Aggregate::Min => cells.push(value(figures.least)),
            Aggregate::Max => cells.push(value(figures.greatest)),
            Aggregate::Mean if figures.count == 0 => cells.push(f64::NAN),
            Aggregate::Mean => cells.push(figures.sum.value() / figures.count as f64),
            Aggregate::Sum => cells.push(figures.sum.value()),
            Aggregate::Count => cells.push(figures.count as f64),
            Aggregate::ArgMin | Aggregate::ArgMax => {
                let extreme = match aggregate {
                    Aggregate::ArgMin => figures.least,
                    _ => figures.greatest,
                };
                let Some((_, point)) = extreme else {
                    return cells.extend(swept.iter().map(|_| f64::NAN));
                };
                let at = self.grid.batch(point, 1);
                let value = |name: &&str| at.iter().find(|(own, _)| own == name);
                let values = swept.iter();
                cells.extend(
                    values.map(|name| value(name).map_or(f64::NAN, |(_, input)| input.double(0))),
                );
            }
        }
    }
}

/// The points of a batch by group, with the figures of each column.
fn grouped(found: &BatchResult, places: &[usize]) -> Vec<(Vec<f64>, Vec<Figures>)> {
    let columns = found.columns.values();
    let key = |lane: usize| -> Vec<f64> {
        let parameters = places.iter().map(|&place| &found.parameters[place]);
        parameters.map(|input| input.double(lane)).collect()
    };
    let mut constant = places.iter().map(|&place| &found.parameters[place]);
    let count = found.points.len();
    if count == 0 {
        return Vec::new();
    }
    if constant.all(|input| matches!(input, Input::Constant(_))) {
        let figures = |column: &&[f64]| {
            let points = found.points.iter().copied();
            Figures::of(column.iter().copied().zip(points))
        };
        return vec![(key(0), columns.iter().map(figures).collect())];
    }
    let mut groups: Vec<(Vec<f64>, Vec<usize>)> = Vec::new();
    let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
    for lane in 0..count {
        let own = key(lane);
        let bits = own.iter().map(|x| x.to_bits()).collect();
        let place = *known.entry(bits).or_insert_with(|| {
            groups.push((own, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(lane);
    }
    let figures = |lanes: &[usize]| -> Vec<Figures> {
        let of = |column: &&[f64]| {
            Figures::of(lanes.iter().map(|&lane| (column[lane], found.points[lane])))
        };
        columns.iter().map(of).collect()
    };
    let groups = groups.into_iter();
    groups.map(|(key, lanes)| (key, figures(&lanes))).collect()
}
