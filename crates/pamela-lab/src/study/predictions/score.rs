//! Errors of predictions, and the intervals beside them.

use std::collections::BTreeMap;
use std::fmt;

use pamela_programs::calibrate::{Prediction, Score};
use serde::Serialize;

use super::rows::Rows;
use super::{Predictions, Subject};

/// The errors of all rows, and of those with each text in some columns.
#[derive(Clone, Debug, Serialize)]
pub struct Scores {
    #[serde(flatten)]
    pub all: Score,
    /// By key of the column, and text.
    #[serde(flatten)]
    pub by: BTreeMap<&'static str, BTreeMap<String, Score>>,
}

impl Scores {
    /// The scores of predictions of these rows.
    pub(super) fn of(subject: &Subject, rows: &Rows, predictions: &[Prediction]) -> Scores {
        let line = |own: &Prediction| rows.lines[own.row];
        let by = subject.shown_by.iter().map(|(shown, key)| {
            let mut texts: BTreeMap<String, Vec<&Prediction>> = BTreeMap::new();
            for own in predictions {
                let text = rows.key(&[*shown], own.row).concat();
                texts.entry(text).or_default().push(own);
            }
            let scores = texts.into_iter().map(|(text, some)| {
                (
                    text,
                    Score::of(some.into_iter().map(|own| (own, line(own)))),
                )
            });
            (*key, scores.collect())
        });
        Scores {
            by: by.collect(),
            all: Score::of(predictions.iter().map(|own| (own, line(own)))),
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
