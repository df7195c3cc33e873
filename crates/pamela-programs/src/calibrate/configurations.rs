//! Fits to some points of a table that predict others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::At;
use super::folds::{Predict, median};
use super::left_out::{Spread, spread};
use super::matrix::dot;
use super::residuals::Predicted;
use super::search::Search;
use crate::problem::Problem;

/// A search whose fits begin at the times of all points.
pub struct Configurations<'s, 'a, 'p> {
    pub search: Search<'a, 'p>,
    pub times: &'s [f64],
    pub done: Arc<AtomicU64>,
}

pub struct Fit {
    times: Vec<f64>,
    /// True for times that have a point.
    is_known: Vec<bool>,
    spread: Spread,
}

impl Predict for Configurations<'_, '_, '_> {
    type Fit = Fit;
    type Error = Problem;

    fn fit(&mut self, rows: &[usize]) -> Result<Fit, Problem> {
        let mut search = self.search.only(sorted(rows));
        let times = search.descend(self.times.to_vec())?;
        let linear = search.linear(&times)?;
        let mut is_known = vec![false; times.len()];
        for at in &search.layout.at {
            let known = search.points.iter().filter_map(|point| at[*point]);
            known.for_each(|value| is_known[value] = true);
        }
        self.done.fetch_add(1, Ordering::Relaxed);
        Ok(Fit {
            spread: spread(&search, &linear, &times),
            times,
            is_known,
        })
    }

    fn predict(&mut self, fit: &Fit, rows: &[usize]) -> Result<Vec<Vec<Predicted>>, Problem> {
        let points = sorted(rows);
        let mut search = self.search.only(points.clone());
        let layout = search.layout;
        let mut candidates = vec![fit.times.clone()];
        // Other groups stand in for one that has no point.
        let most = layout.names.iter().map(Vec::len).max().unwrap_or(0);
        for other in (0..most).filter(|_| fit.is_known.contains(&false)) {
            let mut there = fit.times.clone();
            let mut is_whole = true;
            for name in &layout.names {
                let unknown = name.iter().filter(|value| !fit.is_known[**value]);
                let stands_in = name.get(other).filter(|value| fit.is_known[**value]);
                for value in unknown {
                    match stands_in {
                        Some(other) => there[*value] = fit.times[*other],
                        None => is_whole = false,
                    }
                }
            }
            if is_whole {
                candidates.push(there);
            }
        }
        let values = search.at(&candidates)?;
        let linear = search.linear(&fit.times)?;
        let predicted = points.iter().enumerate().map(|(row, point)| {
            let own: Vec<usize> = layout.at.iter().filter_map(|at| at[*point]).collect();
            if own.iter().any(|value| !fit.is_known[*value]) && values.len() > 1 {
                let mut others: Vec<f64> = values[1..].iter().map(|list| list[row]).collect();
                return Predicted {
                    value: median(&mut others),
                    variance: 0.0,
                };
            }
            let mut variance = 0.0;
            for (block, covariance) in layout.blocks.iter().zip(&fit.spread.covariances) {
                let (Some(covariance), true) =
                    (covariance, block.points.binary_search(point).is_ok())
                else {
                    continue;
                };
                let mut slopes = vec![0.0; block.values.len()];
                for (name, at) in layout.at.iter().enumerate() {
                    let column =
                        at[*point].and_then(|value| block.values.binary_search(&value).ok());
                    if let Some(column) = column {
                        slopes[column] = linear.slopes.get(row, name);
                    }
                }
                let products: Vec<f64> = covariance.iter().map(|own| dot(own, &slopes)).collect();
                variance += dot(&products, &slopes).max(0.0);
            }
            let value = values[0][row];
            let relative = variance / (value * value);
            Predicted {
                value,
                variance: if relative.is_finite() {
                    relative.min(1.0)
                } else {
                    1.0
                },
            }
        });
        let predicted: Vec<Predicted> = predicted.collect();
        let of = |row: &usize| predicted[points.binary_search(row).unwrap_or(0)];
        Ok(vec![rows.iter().map(of).collect()])
    }

    fn measured(&self, _: usize, row: usize) -> f64 {
        self.search.measured[row]
    }

    fn group(&self, row: usize) -> [Vec<String>; 2] {
        let search = &self.search;
        let mut own = search.layout.at.iter().filter_map(|at| at[row]);
        let group = own.find_map(|value| match &search.names[value].at {
            Some(At::Group(group)) => Some(group.values().cloned().collect()),
            _ => None,
        });
        [group.unwrap_or_default(), Vec::new()]
    }
}

/// In order, as blocks have their points.
fn sorted(rows: &[usize]) -> Vec<usize> {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows
}
