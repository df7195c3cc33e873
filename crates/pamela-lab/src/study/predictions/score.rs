//! Errors of predictions, and the intervals beside them.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::fit::median;
use super::{Predicted, Predictions, Subject};

/// Between these values nine of ten measurements should lie.
pub type Interval = [f64; 2];

/// Fewer residuals than this tell no interval.
const FEW: usize = 30;
/// The shares of measurements below and above an interval.
const OUTSIDE: f64 = 0.05;

/// Measured values over predicted ones, of rows that were left out.
#[derive(Clone, Debug, Default)]
pub struct Residuals {
    groups: BTreeMap<Vec<String>, Vec<f64>>,
    relatives: BTreeMap<Vec<String>, Vec<f64>>,
    all: Vec<f64>,
}

impl Residuals {
    pub fn add(&mut self, ratio: f64, group: Vec<String>, relatives: Vec<String>) {
        self.groups.entry(group).or_default().push(ratio);
        self.relatives.entry(relatives).or_default().push(ratio);
        self.all.push(ratio);
    }

    pub fn sort(&mut self) {
        let lists = self.groups.values_mut().chain(self.relatives.values_mut());
        for list in lists.chain([&mut self.all]) {
            list.sort_by(f64::total_cmp);
        }
    }

    /// The interval about a prediction: by residuals of the group, if there are enough, or of its relatives, or of all.
    pub fn interval(&self, value: f64, group: &[String], relatives: &[String]) -> Interval {
        let lists = [self.groups.get(group), self.relatives.get(relatives)];
        let enough = lists.into_iter().flatten().find(|list| list.len() >= FEW);
        let ratios = enough.unwrap_or(&self.all);
        [
            value * quantile(ratios, OUTSIDE),
            value * quantile(ratios, 1.0 - OUTSIDE),
        ]
    }
}

/// The quantile of a new value beside `n` sorted ones, at the place `p (n + 1)` of them.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len().saturating_sub(1) as f64;
    let place = (p * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, last);
    let (low, share) = (place.floor() as usize, place.fract());
    let at = |place: usize| sorted.get(place).copied().unwrap_or(f64::NAN);
    if share == 0.0 {
        return at(low);
    }
    at(low) + share * (at(low + 1) - at(low))
}

/// Errors relative to measured values, as fractions.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    pub rows: usize,
    pub mean_error: f64,
    pub median_error: f64,
    pub worst: f64,
    /// The line of the worst row in its table.
    pub worst_line: usize,
    /// The share of measured values inside their 90 % intervals.
    pub coverage_90: f64,
}

/// The errors of all rows, and of those with each text in some columns.
#[derive(Clone, Debug, Serialize)]
pub struct Scores {
    #[serde(flatten)]
    pub all: Score,
    /// By key of the column, and text.
    #[serde(flatten)]
    pub by: BTreeMap<&'static str, BTreeMap<String, Score>>,
}

/// One prediction beside what was measured.
struct Comparison {
    error: f64,
    is_inside: bool,
    line: usize,
}

impl Score {
    fn of<'c>(comparisons: impl Iterator<Item = &'c Comparison>) -> Score {
        let all: Vec<&Comparison> = comparisons.collect();
        let mut errors: Vec<f64> = all.iter().map(|own| own.error).collect();
        let count = all.len() as f64;
        let worst = all.iter().max_by(|a, b| a.error.total_cmp(&b.error));
        let inside = all.iter().filter(|own| own.is_inside).count();
        Score {
            rows: all.len(),
            mean_error: errors.iter().sum::<f64>() / count,
            worst: worst.map_or(f64::NAN, |own| own.error),
            worst_line: worst.map_or(0, |own| own.line),
            coverage_90: inside as f64 / count,
            median_error: median(&mut errors),
        }
    }
}

impl Scores {
    pub(super) fn of(
        subject: &Subject,
        column: &str,
        place: usize,
        predicted: &[Predicted],
    ) -> Scores {
        let compared = |table: &Predicted, row: usize| {
            let measured = table.rows.column(column)[row];
            let [low, high] = table.intervals[place][row];
            Comparison {
                error: (table.values[place][row] / measured - 1.0).abs(),
                is_inside: low <= measured && measured <= high,
                line: table.rows.lines[row],
            }
        };
        let rows = predicted
            .iter()
            .flat_map(|table| (0..table.rows.len()).map(move |row| (table, row)));
        let all: Vec<(&Predicted, usize, Comparison)> = rows
            .map(|(table, row)| (table, row, compared(table, row)))
            .collect();
        let by = subject.shown_by.iter().map(|(shown, key)| {
            let mut texts: BTreeMap<String, Vec<&Comparison>> = BTreeMap::new();
            for (table, row, comparison) in &all {
                let text = table.rows.key(&[*shown], *row).concat();
                texts.entry(text).or_default().push(comparison);
            }
            let scores = texts
                .into_iter()
                .map(|(text, some)| (text, Score::of(some.into_iter())));
            (*key, scores.collect())
        });
        Scores {
            by: by.collect(),
            all: Score::of(all.iter().map(|(_, _, comparison)| comparison)),
        }
    }
}

impl fmt::Display for Predictions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<20}{:>6}{:>9}{:>9}{:>9}{:>12}",
            "relative errors", "rows", "mean", "median", "worst", "in 90 %"
        )?;
        for (column, scores) in &self.0 {
            line(f, column, &scores.all)?;
            for (text, score) in scores.by.values().flatten() {
                line(f, &format!("  {text}"), score)?;
            }
        }
        Ok(())
    }
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, score: &Score) -> fmt::Result {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    writeln!(
        f,
        "{name:<20}{:>6}{:>9}{:>9}{:>9}{:>12}",
        score.rows,
        percent(score.mean_error),
        percent(score.median_error),
        percent(score.worst),
        percent(score.coverage_90)
    )
}
