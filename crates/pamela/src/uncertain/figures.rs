//! The figures of draws.

use serde::Serialize;

use super::{Factor, Sampling};
use crate::pipeline::Shown;

/// The law of a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The name of its equation.
    pub name: String,
    /// The mean, in base units like all values here.
    pub mean: f64,
    /// Standard error of the mean, by independent sets of draws.
    pub mean_error: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Its standard error.
    pub sd_error: f64,
    /// An interval of the requested probability.
    pub interval: Interval,
    /// The requested quantiles.
    pub quantiles: Vec<Quantile>,
    /// What part of the variance is due to each number that is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
    /// Number of draws.
    pub draws: usize,
    /// Draws at which the result has no value; all figures are those of the others.
    pub without_value: usize,
}

impl Spread {
    /// The law in a unit, if there is one.
    pub fn in_unit(mut self, unit: Option<&Shown>) -> Spread {
        let Some(unit) = unit else {
            return self;
        };
        let numbers = [
            &mut self.mean,
            &mut self.mean_error,
            &mut self.sd,
            &mut self.sd_error,
        ];
        let ends = [&mut self.interval.low, &mut self.interval.high];
        let numbers = numbers.into_iter().chain(ends);
        numbers.for_each(|number| *number = unit.double(*number));
        for quantile in &mut self.quantiles {
            quantile.value = unit.double(quantile.value);
            quantile.error = unit.double(quantile.error);
        }
        self
    }
}

/// The interval about a result, with equal probabilities on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its probability.
    pub level: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// A value that results stay below with a probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantile {
    /// The probability of values below.
    pub p: f64,
    /// The value.
    pub value: f64,
    /// Standard error by independent sets of draws.
    pub error: f64,
}

/// Sobol indices of a factor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The name of the factor.
    pub name: String,
    /// The share of the variance that would go if this factor alone were known.
    pub first: f64,
    /// Its standard error.
    pub first_error: f64,
    /// The share that would stay if all others were known.
    pub total: f64,
    /// Its standard error.
    pub total_error: f64,
}

/// Draws of one equation, set by set.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    sets: Vec<Vec<f64>>,
    /// For each factor and set, the parts of the variance: of the factor alone, and with others.
    parts: Vec<Vec<[f64; 2]>>,
}

impl Figures {
    pub fn add(&mut self, values: &[f64]) {
        self.sets.push(values.to_vec());
    }

    /// The parts of a factor, from values where this factor alone has those of the second point: the estimators of Saltelli
    /// (first) and Jansen (total).
    pub fn add_share(&mut self, factor: usize, first: &[f64], second: &[f64], mixed: &[f64]) {
        let triples = first.iter().zip(second).zip(mixed);
        let known = triples.filter(|((a, b), c)| a.is_finite() && b.is_finite() && c.is_finite());
        let (mut sums, mut count) = ([0.0; 2], 0_u32);
        let centre = first.iter().copied().find(|value| value.is_finite());
        let centre = centre.unwrap_or(0.0);
        for ((first, second), mixed) in known {
            sums[0] += (second - centre) * (mixed - first);
            sums[1] += 0.5 * (mixed - first) * (mixed - first);
            count += 1;
        }
        self.parts
            .resize(self.parts.len().max(factor + 1), Vec::new());
        self.parts[factor].push(sums.map(|sum| sum / f64::from(count.max(1))));
    }

    /// The law of the values; none for an equation that no factor changes, or that has no value.
    pub fn spread(self, name: &str, factors: &[Factor], sampling: &Sampling) -> Option<Spread> {
        let finite = |set: &Vec<f64>| {
            let mut own: Vec<f64> = set.iter().copied().filter(|v| v.is_finite()).collect();
            own.sort_by(f64::total_cmp);
            own
        };
        let sets: Vec<Vec<f64>> = self
            .sets
            .iter()
            .map(finite)
            .filter(|own| !own.is_empty())
            .collect();
        let mut all = sets.concat();
        all.sort_by(f64::total_cmp);
        let draws = self.sets.iter().map(Vec::len).sum();
        let (low, high) = (all.first()?, all.last()?);
        if low == high && draws == all.len() {
            return None;
        }
        let mean = mean(&all);
        let variance = deviation(&all).powi(2);
        let tail = 0.5 * (1.0 - sampling.level);
        let quantile = |p: &f64| Quantile {
            p: *p,
            value: at(&all, *p),
            error: error(sets.iter().map(|own| at(own, *p))),
        };
        Some(Spread {
            name: name.to_owned(),
            mean,
            mean_error: error(sets.iter().map(|own| self::mean(own))),
            sd: variance.sqrt(),
            sd_error: error(sets.iter().map(|own| deviation(own))),
            interval: Interval {
                level: sampling.level,
                low: at(&all, tail),
                high: at(&all, 1.0 - tail),
            },
            quantiles: sampling.quantiles.iter().map(quantile).collect(),
            shares: self.shares(factors, variance),
            draws,
            without_value: draws - all.len(),
        })
    }

    fn shares(&self, factors: &[Factor], variance: f64) -> Vec<Share> {
        let share = |(factor, parts): (&Factor, &Vec<[f64; 2]>)| {
            let of = |place: usize| parts.iter().map(move |part| part[place] / variance);
            let mean = |place: usize| of(place).sum::<f64>() / parts.len() as f64;
            // A share is known to be one; draws may say a little less or more.
            Share {
                name: factor.name.clone(),
                first: mean(0).clamp(0.0, 1.0),
                first_error: error(of(0)),
                total: mean(1).max(0.0),
                total_error: error(of(1)),
            }
        };
        factors.iter().zip(&self.parts).map(share).collect()
    }
}

fn mean(values: &[f64]) -> f64 {
    // Of differences from one of them: the sum of equal numbers is exact.
    let Some(first) = values.first() else {
        return f64::NAN;
    };
    first + values.iter().map(|value| value - first).sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    // From the mean, so that no digits are lost.
    let mean = mean(values);
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    (squares / values.len() as f64).sqrt()
}

/// Standard error of the mean of independent values.
fn error(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    if values.len() < 2 {
        return f64::NAN;
    }
    let mean = mean(&values);
    let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    (squares / (count - 1.0) / count).sqrt()
}

/// The quantile of sorted draws, with half of a draw on both sides.
fn at(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let place = (p * sorted.len() as f64 - 0.5).clamp(0.0, last as f64);
    let low = place.floor() as usize;
    let next = sorted[(low + 1).min(last)];
    if place.fract() == 0.0 {
        sorted[low]
    } else {
        sorted[low] + place.fract() * (next - sorted[low])
    }
}
