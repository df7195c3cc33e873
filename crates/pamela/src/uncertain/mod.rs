//! Results where some numbers are not known: their laws, intervals, and the share of each number in the variance.
//!
//! A number that is not known has one value for the whole run. Results are evaluated at points that fill the space of all
//! such numbers evenly, in several independent sets, so that the errors of all figures are known.

mod figures;
mod laws;
mod points;

use std::fmt;
use std::sync::Arc;

use crate::compiled::{Column, Input, Plan, decimal};
use crate::diagnostic::{Error, Result};
use crate::eval::certified::LANES;
use crate::law::Distribution;
use figures::Figures;
pub use figures::{Interval, Quantile, Share, Spread};
pub use laws::{of_model, standard_normal};
use points::{Random, coordinate};

/// Numbers that are not known, independent of those of other factors.
#[derive(Clone)]
pub struct Factor {
    /// What it is called in results.
    pub name: String,
    /// What is known of it.
    pub kind: Kind,
}

/// What is known of numbers.
#[derive(Clone)]
pub enum Kind {
    /// A parameter with this law, in base units.
    Law {
        /// Its name.
        parameter: String,
        /// The law of its one value.
        law: Arc<dyn Distribution>,
    },
    /// Parameters with normal laws, of which no value is beyond its bounds.
    Normal {
        /// Their names.
        parameters: Vec<String>,
        /// Their values in the middle, in base units.
        means: Vec<f64>,
        /// A positive semidefinite matrix, in the order of the parameters.
        covariance: Vec<Vec<f64>>,
        /// Draws beyond these are moved to them.
        bounds: Vec<[f64; 2]>,
    },
    /// What measured values are beside those of an equation: the logarithm of their quotient has this law.
    Residual {
        /// The name of the equation.
        equation: String,
        /// About the standard deviation of the logarithm.
        scale: f64,
        /// Values at `k / (n + 1)` for `k` from 1 to their number `n`, in units of the scale.
        quantiles: Vec<f64>,
    },
}

impl fmt::Debug for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.parameters().join(", "))
    }
}

impl Factor {
    /// The parameters that are not known.
    pub fn parameters(&self) -> &[String] {
        match &self.kind {
            Kind::Law { parameter, .. } => std::slice::from_ref(parameter),
            Kind::Normal { parameters, .. } => parameters,
            Kind::Residual { .. } => &[],
        }
    }

    /// Values of the parameters in the middle of their laws.
    pub fn centre(&self) -> Vec<f64> {
        match &self.kind {
            Kind::Law { law, .. } => {
                // Digits that only rounding makes are left out.
                let middle = crate::law::quantile(law.as_ref(), 0.5);
                let short = crate::law::shortest::rounded(middle, DIGITS).parse();
                vec![short.unwrap_or(middle)]
            }
            Kind::Normal { means, .. } => means.clone(),
            Kind::Residual { .. } => Vec::new(),
        }
    }

    /// Number of coordinates that its draws take.
    fn dimensions(&self) -> usize {
        match &self.kind {
            Kind::Normal { parameters, .. } => parameters.len(),
            _ => 1,
        }
    }

    /// Its values at these coordinates.
    fn draws(&self, coordinates: &[Vec<f64>]) -> Vec<Vec<f64>> {
        match &self.kind {
            Kind::Law { law, .. } => {
                let quantile = |p: &f64| crate::law::quantile(law.as_ref(), *p);
                vec![coordinates[0].iter().map(quantile).collect()]
            }
            Kind::Normal {
                means,
                covariance,
                bounds,
                ..
            } => {
                let root = root(covariance);
                let normal = |p: &f64| standard_normal(*p);
                let normals = coordinates
                    .iter()
                    .map(|own| own.iter().map(normal).collect());
                let normals: Vec<Vec<f64>> = normals.collect();
                let parameter = |k: usize| {
                    let at = |point: usize| {
                        let own = root[k].iter().zip(&normals);
                        let apart: f64 = own.map(|(part, normal)| part * normal[point]).sum();
                        (means[k] + apart).clamp(bounds[k][0], bounds[k][1])
                    };
                    (0..coordinates[0].len()).map(at).collect()
                };
                (0..means.len()).map(parameter).collect()
            }
            Kind::Residual {
                scale, quantiles, ..
            } => {
                let quotient = |p: &f64| (scale * between(quantiles, *p)).exp();
                vec![coordinates[0].iter().map(quotient).collect()]
            }
        }
    }
}

/// The quantile of values at equal distances of probability.
fn between(quantiles: &[f64], p: f64) -> f64 {
    let last = quantiles.len().saturating_sub(1) as f64;
    let place = (p * (quantiles.len() + 1) as f64 - 1.0).clamp(0.0, last);
    let low = place.floor() as usize;
    let at = |place: usize| quantiles.get(place).copied().unwrap_or(0.0);
    at(low) + place.fract() * (at((low + 1).min(last as usize)) - at(low))
}

/// A lower triangle whose product with its transpose is a matrix of covariances, which may be singular.
fn root(covariance: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let count = covariance.len();
    let mut root = vec![vec![0.0; count]; count];
    for column in 0..count {
        let known = |row: usize, root: &[Vec<f64>]| {
            let products = (0..column).map(|k| root[row][k] * root[column][k]);
            covariance[row][column] - products.sum::<f64>()
        };
        let square = known(column, &root);
        if square <= 1e-12 * covariance[column][column].abs() {
            continue;
        }
        for row in column..count {
            root[row][column] = known(row, &root) / square.sqrt();
        }
    }
    root
}

/// Significant digits of values in the middle.
const DIGITS: usize = 12;

/// How results are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// Number of draws; rounded up to a power of two for each set.
    pub draws: usize,
    /// Results depend on it a little, and on nothing else.
    pub seed: u64,
    /// The probability of an interval.
    pub level: f64,
    /// Probabilities of further quantiles.
    pub quantiles: Vec<f64>,
    /// True if the shares of factors are wanted.
    pub shares: bool,
}

/// Draws at most.
pub const MOST_DRAWS: usize = 1 << 24;
/// Draws by default.
pub const DRAWS: usize = 1 << 14;

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling {
            draws: DRAWS,
            seed: 1,
            level: 0.9,
            quantiles: vec![0.05, 0.5, 0.95],
            shares: true,
        }
    }
}

/// Independent sets of points.
const SETS: usize = 8;

/// Draws of all equations of a plan, at one point of the parameters that are known.
struct Draws<'a> {
    plan: &'a Plan,
    known: &'a [(&'a str, Input)],
    factors: &'a [Factor],
}

/// The draws of factors: values of each of their parameters, or quotients.
type Drawn = Vec<Vec<Vec<f64>>>;

impl Draws<'_> {
    /// The values of the factors at points of a set.
    fn set(&self, first: usize, count: usize, random: &mut Random) -> Drawn {
        let mut dimension = first;
        let draw = |factor: &Factor| {
            let coordinates = (0..factor.dimensions()).map(|_| {
                dimension += 1;
                coordinate(dimension - 1, count, random)
            });
            factor.draws(&coordinates.collect::<Vec<_>>())
        };
        self.factors.iter().map(draw).collect()
    }

    /// The values of all equations, without residuals.
    fn evaluate(&self, drawn: &[&Vec<Vec<f64>>], count: usize) -> Result<Vec<Vec<f64>>> {
        let mut columns: Vec<(&str, Arc<Column>)> = Vec::new();
        for (factor, drawn) in self.factors.iter().zip(drawn) {
            for (name, values) in factor.parameters().iter().zip(drawn.iter()) {
                columns.push((name, Arc::new(Column::new(values.clone()))));
            }
        }
        let mut workspace = self.plan.workspace();
        let mut found: Vec<Vec<f64>> = Vec::new();
        for start in (0..count).step_by(LANES) {
            let own = columns.iter();
            let own = own.map(|(name, column)| (*name, Input::Column(column.clone(), start)));
            let known = self.known.iter().cloned();
            let inputs: Vec<(&str, Input)> = known.chain(own).collect();
            let inputs = self.plan.inputs(&inputs)?;
            let part = self
                .plan
                .run(&inputs, LANES.min(count - start), &mut workspace);
            found.resize_with(part.equations.len(), Vec::new);
            for (found, equation) in found.iter_mut().zip(part.equations) {
                found.extend(equation.values);
            }
        }
        Ok(found)
    }
}

/// The law of each equation that depends on numbers that are not known.
///
/// `known` gives parameters one value each, in base units; those that are drawn are not looked at. Vectors have no law.
///
/// # Errors
/// Fails if a parameter has no value.
pub fn spread(
    plan: &Plan,
    known: &[(&str, f64)],
    factors: &[Factor],
    sampling: &Sampling,
) -> Result<Vec<Spread>> {
    // A factor that the equations lack changes nothing.
    let is_own = |factor: &&Factor| {
        let mut names = factor.parameters().iter();
        names.all(|name| plan.parameters().contains(name))
    };
    let factors: &Vec<Factor> = &factors.iter().filter(is_own).cloned().collect();
    let is_drawn = |name: &str| {
        let mut drawn = factors.iter().flat_map(Factor::parameters);
        drawn.any(|own| own == name)
    };
    let mut inputs: Vec<(&str, Input)> = Vec::new();
    for (name, value) in known {
        if is_drawn(name) || !plan.parameters().iter().any(|own| own == name) {
            continue;
        }
        let value = decimal(*value);
        let value = value.ok_or_else(|| Error::new(format!("`{name}` is not a number")))?;
        inputs.push((name, Input::Constant(value)));
    }
    let known = &inputs;
    let draws = Draws {
        plan,
        known,
        factors,
    };
    let count = (sampling.draws.clamp(SETS, MOST_DRAWS) / SETS).next_power_of_two();
    let names: Vec<String> = plan.equations().map(|(name, _)| name.to_owned()).collect();
    let dimensions: usize = factors.iter().map(Factor::dimensions).sum();
    let mut random = Random(sampling.seed);
    let mut all: Vec<Figures> = names.iter().map(|_| Figures::default()).collect();
    for _ in 0..SETS {
        let first = draws.set(0, count, &mut random);
        let own: Vec<&Vec<Vec<f64>>> = first.iter().collect();
        let values = draws.evaluate(&own, count)?;
        let measured = |values: &[Vec<f64>], drawn: &[&Vec<Vec<f64>>]| {
            let equations = names.iter().zip(values);
            let with = equations.map(|(name, values)| with_residuals(name, values, factors, drawn));
            with.collect::<Vec<_>>()
        };
        let at_first = measured(&values, &own);
        for (figures, values) in all.iter_mut().zip(&at_first) {
            figures.add(values);
        }
        if !sampling.shares || factors.is_empty() {
            continue;
        }
        let second = draws.set(dimensions, count, &mut random);
        let other: Vec<&Vec<Vec<f64>>> = second.iter().collect();
        let at_second = measured(&draws.evaluate(&other, count)?, &other);
        for changed in 0..factors.len() {
            let mixed: Vec<&Vec<Vec<f64>>> = (0..factors.len())
                .map(|k| if k == changed { other[k] } else { own[k] })
                .collect();
            let is_residual = factors[changed].parameters().is_empty();
            let at_mixed = if is_residual {
                measured(&values, &mixed)
            } else {
                measured(&draws.evaluate(&mixed, count)?, &mixed)
            };
            for (k, figures) in all.iter_mut().enumerate() {
                figures.add_share(changed, &at_first[k], &at_second[k], &at_mixed[k]);
            }
        }
    }
    let found = names.iter().zip(all);
    let found = found.filter_map(|(name, figures)| figures.spread(name, factors, sampling));
    Ok(found.collect())
}

fn with_residuals(
    name: &str,
    values: &[f64],
    factors: &[Factor],
    drawn: &[&Vec<Vec<f64>>],
) -> Vec<f64> {
    let mut values = values.to_vec();
    for (factor, drawn) in factors.iter().zip(drawn) {
        if let Kind::Residual { equation, .. } = &factor.kind
            && equation == name
        {
            values
                .iter_mut()
                .zip(&drawn[0])
                .for_each(|(v, quotient)| *v *= quotient);
        }
    }
    values
}
