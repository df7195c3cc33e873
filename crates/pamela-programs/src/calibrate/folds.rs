//! Predictions of rows that were not fitted, with intervals: whole configurations are left out by turns.

use std::collections::BTreeMap;

use serde::Serialize;

use super::residuals::{Interval, Law, Predicted, Residuals};

/// What is fitted to some rows of a table and predicts others.
pub trait Predict {
    type Fit;
    type Error;

    /// # Errors
    /// Fails if the model has no value at a row.
    fn fit(&mut self, rows: &[usize]) -> Result<Self::Fit, Self::Error>;

    /// Predicts each measure at rows.
    ///
    /// # Errors
    /// Fails if the model has no value at a row.
    fn predict(
        &mut self,
        fit: &Self::Fit,
        rows: &[usize],
    ) -> Result<Vec<Vec<Predicted>>, Self::Error>;

    /// The measured value of a row, in the unit of its predictions.
    fn measured(&self, measure: usize, row: usize) -> f64;

    /// The group of a row, and the relatives of this group, which stand in for it.
    fn group(&self, row: usize) -> [Vec<String>; 2];
}

/// A row that was not fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prediction {
    #[serde(skip)]
    pub row: usize,
    pub measured: f64,
    pub predicted: f64,
    /// Between these values nine of ten measurements should lie.
    pub interval: Interval,
}

/// How rows are left out.
#[derive(Clone, Debug)]
pub struct Folds {
    pub count: usize,
    /// Rows with equal keys are one configuration.
    pub keys: Vec<Vec<String>>,
}

impl Folds {
    /// These rows in at most `count` parts, each configuration in one of them.
    pub fn parts(&self, rows: &[usize]) -> Vec<Vec<usize>> {
        let mut places: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
        for row in rows {
            places.entry(&self.keys[*row]).or_default().push(*row);
        }
        let mut parts = vec![Vec::new(); self.count.min(places.len())];
        let length = parts.len();
        // Neighbours in order are alike, and go to different parts.
        for (place, rows) in places.into_values().enumerate() {
            parts[place % length].extend(rows);
        }
        parts
    }

    /// The errors of configurations of these rows that are left out by turns, for each measure.
    ///
    /// # Errors
    /// Fails if the model has no value at a row.
    pub fn residuals<P: Predict>(
        &self,
        model: &mut P,
        rows: &[usize],
    ) -> Result<Vec<Law>, P::Error> {
        let mut residuals: Vec<Residuals> = Vec::new();
        let parts = self.parts(rows);
        for part in parts.iter().filter(|_| parts.len() > 1) {
            let fit = model.fit(&rest(rows, part))?;
            let predicted = model.predict(&fit, part)?;
            residuals.resize_with(predicted.len(), Residuals::default);
            for (measure, (predicted, residuals)) in
                predicted.iter().zip(&mut residuals).enumerate()
            {
                for (row, predicted) in part.iter().zip(predicted) {
                    let measured = model.measured(measure, *row);
                    residuals.add(measured, *predicted, model.group(*row));
                }
            }
        }
        Ok(residuals.into_iter().map(Residuals::law).collect())
    }

    /// Predicts the rows `test` by a fit to the rows `train`, for each measure.
    ///
    /// # Errors
    /// Fails if the model has no value at a row.
    pub fn beyond<P: Predict>(
        &self,
        model: &mut P,
        train: &[usize],
        test: &[usize],
    ) -> Result<Vec<Vec<Prediction>>, P::Error> {
        let laws = self.residuals(model, train)?;
        let fit = model.fit(train)?;
        let predicted = model.predict(&fit, test)?.into_iter().enumerate();
        let all = predicted.map(|(measure, predicted)| {
            let rows = test.iter().zip(predicted);
            rows.map(|(row, predicted)| {
                let interval = match laws.get(measure) {
                    Some(law) => law.interval(predicted, &model.group(*row)),
                    None => [f64::NAN; 2],
                };
                Prediction {
                    row: *row,
                    measured: model.measured(measure, *row),
                    predicted: predicted.value,
                    interval,
                }
            })
            .collect()
        });
        Ok(all.collect())
    }

    /// Predicts each part of the rows from the others, for each measure.
    ///
    /// # Errors
    /// Fails if the model has no value at a row.
    pub fn each_beyond<P: Predict>(
        &self,
        model: &mut P,
        rows: &[usize],
    ) -> Result<Vec<Vec<Prediction>>, P::Error> {
        let mut all: Vec<Vec<Prediction>> = Vec::new();
        for part in self.parts(rows) {
            let found = self.beyond(model, &rest(rows, &part), &part)?;
            all.resize_with(found.len(), Vec::new);
            for (all, found) in all.iter_mut().zip(found) {
                all.extend(found);
            }
        }
        Ok(all)
    }
}

fn rest(rows: &[usize], part: &[usize]) -> Vec<usize> {
    let is_left = |row: &&usize| !part.contains(row);
    rows.iter().filter(is_left).copied().collect()
}

/// Errors relative to measured values, as fractions.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

impl Score {
    /// The score of predictions with the lines of their rows.
    pub fn of<'p>(predictions: impl Iterator<Item = (&'p Prediction, usize)>) -> Score {
        let all: Vec<(&Prediction, usize)> = predictions.collect();
        let error = |own: &Prediction| (own.predicted / own.measured - 1.0).abs();
        let mut errors: Vec<f64> = all.iter().map(|(own, _)| error(own)).collect();
        let count = all.len() as f64;
        let worst = all.iter().max_by(|a, b| error(a.0).total_cmp(&error(b.0)));
        let is_inside = |own: &Prediction| {
            let [low, high] = own.interval;
            low <= own.measured && own.measured <= high
        };
        let inside = all.iter().filter(|(own, _)| is_inside(own)).count();
        Score {
            rows: all.len(),
            mean_error: errors.iter().sum::<f64>() / count,
            worst: worst.map_or(f64::NAN, |(own, _)| error(own)),
            worst_line: worst.map_or(0, |(_, line)| *line),
            coverage_90: inside as f64 / count,
            median_error: median(&mut errors),
        }
    }
}

/// The middle value, or the mean of the two that are.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[count / 2],
        count => 0.5 * (values[count / 2 - 1] + values[count / 2]),
    }
}
