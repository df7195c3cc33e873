//! The search for times.

use super::deviations::{SMALL, errors, least_deviations, weight};
use super::layout::{Block, Layout};
use super::matrix::{Matrix, bounded};
use super::{Loss, Predict, Unknown};
use crate::measured::Table;
use crate::problem::{Place, Problem};

const ROUNDS: usize = 20;
const STARTS: usize = 5;
/// Relative changes below this count as no change.
const SAME: f64 = 1e-9;

/// The search for times at some points of a table.
pub struct Search<'a, 'p> {
    pub table: &'a Table,
    pub file: &'a str,
    pub names: &'a [Unknown],
    pub layout: &'a Layout,
    pub loss: Loss,
    /// The medians of all points, in seconds.
    pub measured: &'a [f64],
    /// The points that are looked at.
    pub points: Vec<usize>,
    /// The least and the greatest value of each time.
    pub edges: Vec<[f64; 2]>,
    pub predict: &'a mut Predict<'p>,
}

/// The model near some times, at the points of a search: `constant + slopes t`.
pub struct Linear {
    /// For each point and name.
    pub slopes: Matrix,
    pub constant: Vec<f64>,
}

/// The part of a linear model that has the values of a block, in units in which errors are alike.
pub struct Part {
    pub matrix: Matrix,
    pub wanted: Vec<f64>,
    /// The points of the rows.
    pub points: Vec<usize>,
}

impl Part {
    /// Some of its rows.
    pub fn rows(&self, rows: &[usize]) -> Part {
        Part {
            matrix: self.matrix.rows_of(rows),
            wanted: rows.iter().map(|row| self.wanted[*row]).collect(),
            points: rows.iter().map(|row| self.points[*row]).collect(),
        }
    }

    /// With rows that weigh as they do where the errors of these times are least.
    pub fn weighted(mut self, loss: Loss, times: &[f64]) -> Part {
        if loss == Loss::Squares {
            return self;
        }
        let errors = errors(&self.matrix, &self.wanted, times);
        for (row, error) in errors.into_iter().enumerate() {
            let weight = weight(error);
            self.wanted[row] *= weight;
            for column in 0..self.matrix.columns {
                self.matrix
                    .set(row, column, weight * self.matrix.get(row, column));
            }
        }
        self
    }
}

impl<'p> Search<'_, 'p> {
    /// The same search at other points.
    pub fn only<'s>(&'s mut self, points: Vec<usize>) -> Search<'s, 'p> {
        Search {
            points,
            edges: self.edges.clone(),
            predict: &mut *self.predict,
            ..*self
        }
    }

    /// The model at all points of the search.
    pub fn at(&mut self, candidates: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, Problem> {
        let values = (self.predict)(candidates)?;
        let mut found = Vec::with_capacity(values.len());
        for list in values {
            let own: Vec<f64> = self.points.iter().map(|point| list[*point]).collect();
            if let Some(row) = own.iter().position(|value| !value.is_finite()) {
                let place = self.place(self.points[row]);
                return Err(Problem::new("the model has no value at this point").at(place));
            }
            found.push(own);
        }
        Ok(found)
    }

    /// The times, none beyond its bounds.
    fn within(&self, times: impl Iterator<Item = f64>) -> Vec<f64> {
        let bounded = times.zip(&self.edges);
        bounded
            .map(|(t, [least, most])| t.clamp(*least, *most))
            .collect()
    }

    fn place(&self, point: usize) -> Place {
        let line = self.table.points[point].line;
        Place {
            file: self.file.into(),
            first: line,
            last: line,
        }
    }

    /// What errors are divided by.
    fn unit(&self, point: usize) -> f64 {
        match self.loss {
            Loss::Squares | Loss::Relative => self.measured[point],
            Loss::Absolute => {
                let all = self.points.iter().map(|point| self.measured[*point]);
                all.sum::<f64>() / self.points.len() as f64
            }
        }
    }

    /// What the fit makes least.
    fn loss(&mut self, times: &[f64]) -> Result<f64, Problem> {
        let values = self.at(&[times.to_vec()])?.remove(0);
        let units: Vec<f64> = self.points.iter().map(|point| self.unit(*point)).collect();
        let errors = values.iter().zip(&self.points).zip(units);
        let errors = errors.map(|((v, point), unit)| (v - self.measured[*point]) / unit);
        let cost = |error: f64| match (self.loss, error.abs()) {
            (Loss::Squares, error) => error * error,
            // What the weights of `least_deviations` make least.
            (_, error) if error < SMALL => 0.5 * error * error / SMALL + 0.5 * SMALL,
            (_, error) => error,
        };
        Ok(errors.map(cost).sum())
    }

    /// The best that any start leads to.
    pub fn best(&mut self) -> Result<Vec<f64>, Problem> {
        let scale = self.scale()?;
        let mut best: Option<(f64, Vec<f64>)> = None;
        for start in 0..STARTS {
            let times = (0..self.names.len()).map(|k| scale * factor(start, k));
            let times = self.within(times);
            let found = self.descend(times)?;
            let loss = self.loss(&found)?;
            // An earlier start is kept unless a later one is really better.
            if best
                .as_ref()
                .is_none_or(|(least, _)| loss < least * (1.0 - 1e-6) - 1e-18)
            {
                best = Some((loss, found));
            }
        }
        Ok(best.map(|(_, times)| times).unwrap_or_default())
    }

    /// The single time that, used for all unknowns, best reproduces the measured times.
    pub fn scale(&mut self) -> Result<f64, Problem> {
        let none: Vec<f64> = self.edges.iter().map(|[least, _]| *least).collect();
        let one = self.within(none.iter().map(|least| least + 1.0));
        let [none, one] = &self.at(&[none, one])?[..] else {
            return Err(Problem::new("the model has no values"));
        };
        let per_time: Vec<f64> = one.iter().zip(none).map(|(one, none)| one - none).collect();
        if per_time.iter().all(|value| *value <= 0.0) {
            let names = self.names.iter().map(Unknown::to_string);
            let names: Vec<String> = names.collect();
            return Err(Problem::new(format!(
                "the time does not depend on {} at any point",
                names.join(", ")
            ))
            .at(self.place(self.points[0])));
        }
        let mut shares: Vec<f64> = per_time
            .iter()
            .zip(&self.points)
            .filter(|(per_time, _)| **per_time > 0.0)
            .map(|(per_time, point)| self.measured[*point] / per_time)
            .collect();
        shares.sort_by(f64::total_cmp);
        Ok(shares[shares.len() / 2])
    }

    /// Steps to the times that are best where no regime changes, until they are where they were.
    pub fn descend(&mut self, mut times: Vec<f64>) -> Result<Vec<f64>, Problem> {
        let mut loss = self.loss(&times)?;
        for _ in 0..ROUNDS {
            let linear = self.linear(&times)?;
            let next = self.solve(&linear, &times);
            let size = next.iter().fold(0.0_f64, |most, t| most.max(*t));
            let moved = times
                .iter()
                .zip(&next)
                .any(|(t, n)| (t - n).abs() > SAME * size);
            // Beyond a change of regime a shorter step may be better.
            let (mut step, mut better) = (1.0, None);
            for _ in 0..6 {
                let there = times.iter().zip(&next).map(|(t, n)| t + step * (n - t));
                let there = self.within(there);
                let reached = self.loss(&there)?;
                if reached <= loss {
                    better = Some((reached, there));
                    break;
                }
                step /= 4.0;
            }
            let Some((reached, there)) = better else {
                break;
            };
            let gained = loss - reached;
            (loss, times) = (reached, there);
            if !moved || (gained <= 1e-12 * loss && step < 1.0) {
                break;
            }
        }
        Ok(times)
    }

    /// The best times of a linear model; a value without a point keeps what it is.
    fn solve(&self, linear: &Linear, times: &[f64]) -> Vec<f64> {
        let mut next = times.to_vec();
        for block in &self.layout.blocks {
            let part = self.part(linear, block);
            if part.points.is_empty() {
                continue;
            }
            let edges: Vec<[f64; 2]> = block.values.iter().map(|v| self.edges[*v]).collect();
            let found = match self.loss {
                Loss::Squares => bounded(&part.matrix, &part.wanted, &edges),
                _ => least_deviations(&part.matrix, &part.wanted, &edges, None),
            };
            for (value, found) in block.values.iter().zip(found) {
                next[*value] = found;
            }
        }
        next
    }

    /// The rows and the columns of a block.
    pub fn part(&self, linear: &Linear, block: &Block) -> Part {
        let is_own = |(_, point): &(usize, &usize)| block.points.binary_search(point).is_ok();
        let rows = self.points.iter().enumerate().filter(is_own);
        let (rows, points): (Vec<usize>, Vec<usize>) = rows.map(|(row, p)| (row, *p)).unzip();
        let mut matrix = Matrix::new(rows.len(), block.values.len());
        for (place, (row, point)) in rows.iter().zip(&points).enumerate() {
            let unit = self.unit(*point);
            for (name, at) in self.layout.at.iter().enumerate() {
                let column = at[*point].and_then(|value| block.values.binary_search(&value).ok());
                if let Some(column) = column {
                    matrix.set(place, column, linear.slopes.get(*row, name) / unit);
                }
            }
        }
        let wanted = rows.iter().zip(&points).map(|(row, point)| {
            (self.measured[*point] - linear.constant[*row]) / self.unit(*point)
        });
        Part {
            wanted: wanted.collect(),
            matrix,
            points,
        }
    }
}

/// Factors near 1 for the first start, further apart for the others. No two times are in a simple ratio, at which
/// regimes might meet.
fn factor(start: usize, time: usize) -> f64 {
    let golden = 0.618_033_988_749_894_9;
    let place = (golden * (time + 1) as f64 + 0.414_213_562 * start as f64).fract();
    ((place - 0.5) * (0.1 + 2.5 * start as f64)).exp()
}
