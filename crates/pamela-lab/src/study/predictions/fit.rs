//! Constants of groups of rows, and what they predict.

use std::collections::BTreeMap;

use pamela_programs::calibrate::{Matrix, least_deviations, median};

use crate::compiled::{Column, Compiled};
use crate::diagnostic::Error;
use crate::pipeline::Options;

use super::rows::Rows;
use super::{Measure, Subject};

/// The constants of one measure, in the order of its names.
type Constants = Vec<f64>;

/// A subject, and for each measure its equation, compiled.
pub struct Predictor<'a> {
    pub subject: &'a Subject,
    compiled: Vec<Compiled>,
}

/// How many rows say that an implementation is as good as any.
const PRIOR_ROWS: f64 = 3.0;

/// What a measured value is made of: in each row `offset + terms constants`.
struct Terms {
    offset: Vec<f64>,
    terms: Vec<Vec<f64>>,
}

/// The constants of each group, and the factors of each implementation, for each measure.
#[derive(Clone, Debug)]
pub struct Fit {
    groups: BTreeMap<Vec<String>, Vec<Constants>>,
    factors: Vec<BTreeMap<Vec<String>, f64>>,
}

impl<'a> Predictor<'a> {
    /// # Errors
    /// Fails if the model of the subject is none.
    pub fn of(subject: &'a Subject) -> Result<Predictor<'a>, Error> {
        let model = subject.read()?;
        let compiled = |measure: &Measure| {
            let options = Options {
                only: vec![measure.equation.to_owned()],
                ..Options::default()
            };
            model.compile(&options)
        };
        let compiled = subject.measures.iter().map(compiled);
        Ok(Predictor {
            subject,
            compiled: compiled.collect::<Result<_, _>>()?,
        })
    }

    /// Fits the constants of each group to its rows. Those of related groups stand in for what its rows do not tell.
    ///
    /// # Errors
    /// Fails if the model has no value at a row.
    pub fn fit(&self, rows: &Rows) -> Result<Fit, Error> {
        let subject = self.subject;
        let groups = places(rows, subject.groups);
        let mut fit = Fit {
            groups: groups.keys().map(|key| (key.clone(), Vec::new())).collect(),
            factors: Vec::new(),
        };
        for (place, measure) in subject.measures.iter().enumerate() {
            let constants = self.constants(rows, &fit.groups);
            let terms = self.terms(rows, place, &constants)?;
            let measured = rows.column(measure.column);
            let found = |places: &[usize], prior: Option<&[f64]>| {
                let measured = |row: &usize| measured[*row] * measure.unit;
                let shares = places.iter().map(|row| {
                    let terms = terms.terms[*row].iter();
                    terms.map(|term| term / measured(row)).collect()
                });
                let wanted = places
                    .iter()
                    .map(|row| 1.0 - terms.offset[*row] / measured(row));
                let shares: Vec<Vec<f64>> = shares.collect();
                let bounds = vec![[0.0, f64::INFINITY]; measure.constants.len()];
                let wanted: Vec<f64> = wanted.collect();
                least_deviations(&Matrix::of_rows(&shares), &wanted, &bounds, prior)
            };
            let relatives = places(rows, subject.relatives);
            let relatives: BTreeMap<&Vec<String>, Constants> = relatives
                .iter()
                .map(|(key, places)| (key, found(places, None)))
                .collect();
            for (key, places) in &groups {
                let prior = rows.key(subject.relatives, places[0]);
                let prior = relatives.get(&prior).map(Vec::as_slice);
                if let Some(constants) = fit.groups.get_mut(key) {
                    constants.push(found(places, prior));
                }
            }
            let constants = self.constants(rows, &fit.groups);
            let values = self.evaluate(rows, place, &constants)?;
            fit.factors.push(factors(rows, measure, &values));
        }
        Ok(fit)
    }

    /// The value of each measure at each row, in the units of the table. A row of a group that was not fitted has the median of
    /// what its relatives predict, or else of what all groups do.
    ///
    /// # Errors
    /// Fails if the model has no value at a row.
    pub fn predict(&self, fit: &Fit, rows: &Rows) -> Result<Vec<Vec<f64>>, Error> {
        let subject = self.subject;
        let mut predicted = vec![vec![f64::NAN; rows.len()]; subject.measures.len()];
        for (key, places) in places(rows, subject.groups) {
            let own = rows.some(&places);
            let known = fit.known(&key, subject);
            let mut values = vec![Vec::new(); subject.measures.len()];
            for constants in known {
                for (measure, values) in values.iter_mut().enumerate() {
                    values.push(self.values(&own, measure, constants)?);
                }
            }
            for (measure, values) in values.iter().enumerate() {
                for (place, row) in places.iter().enumerate() {
                    let mut at: Vec<f64> = values.iter().map(|values| values[place]).collect();
                    let factor = fit.factor(rows, &subject.measures[measure], measure, *row);
                    predicted[measure][*row] =
                        factor * median(&mut at) / subject.measures[measure].unit;
                }
            }
        }
        Ok(predicted)
    }

    /// A measure at rows with these constants.
    fn values(&self, rows: &Rows, measure: usize, all: &[Constants]) -> Result<Vec<f64>, Error> {
        let measures = &self.subject.measures[..=measure];
        let constants: Vec<(&str, Vec<f64>)> = measures
            .iter()
            .zip(all)
            .flat_map(|(measure, constants)| measure.constants.iter().zip(constants))
            .map(|(name, constant)| (*name, vec![*constant; rows.len()]))
            .collect();
        self.evaluate(rows, measure, &constants)
    }

    /// The constants that are known so far, as columns.
    fn constants(
        &self,
        rows: &Rows,
        known: &BTreeMap<Vec<String>, Vec<Constants>>,
    ) -> Vec<(&str, Vec<f64>)> {
        let mut columns: Vec<(&str, Vec<f64>)> = Vec::new();
        for (place, measure) in self.subject.measures.iter().enumerate() {
            for (at, name) in measure.constants.iter().enumerate() {
                let constant = |row: usize| {
                    let constants = known.get(&rows.key(self.subject.groups, row))?;
                    Some(constants.get(place)?[at])
                };
                let column: Option<Vec<f64>> = (0..rows.len()).map(constant).collect();
                columns.extend(column.map(|column| (*name, column)));
            }
        }
        columns
    }

    /// What a measure is made of. It is linear in its constants.
    fn terms(&self, rows: &Rows, place: usize, known: &[(&str, Vec<f64>)]) -> Result<Terms, Error> {
        let measure = &self.subject.measures[place];
        let at = |one: Option<&str>| {
            let own = measure.constants.iter().map(|name| {
                let value = f64::from(u8::from(one == Some(*name)));
                (*name, vec![value; rows.len()])
            });
            let constants: Vec<(&str, Vec<f64>)> = known.iter().cloned().chain(own).collect();
            self.evaluate(rows, place, &constants)
        };
        let offset = at(None)?;
        let mut terms = vec![Vec::new(); rows.len()];
        for name in measure.constants {
            let values = at(Some(name))?;
            for ((terms, value), offset) in terms.iter_mut().zip(values).zip(&offset) {
                terms.push(value - offset);
            }
        }
        Ok(Terms { offset, terms })
    }

    /// The equation of a measure at all rows; constants that are not given are 0.
    fn evaluate(
        &self,
        rows: &Rows,
        place: usize,
        constants: &[(&str, Vec<f64>)],
    ) -> Result<Vec<f64>, Error> {
        let compiled = &self.compiled[place];
        let parameters = compiled.parameters().iter();
        let columns: Vec<(&str, Column)> = parameters
            .map(|parameter| {
                let name = parameter.name.as_str();
                let constant = constants.iter().find(|(own, _)| *own == name);
                let column = match constant {
                    Some((_, column)) => column.clone(),
                    None if self.subject.is_constant(name) => vec![0.0; rows.len()],
                    None => rows.column(name).to_vec(),
                };
                (name, Column::new(column))
            })
            .collect();
        let values = compiled.batch(&columns, &[])?;
        let values = values
            .equation(self.subject.measures[place].equation)
            .map(|equation| equation.values.clone());
        let values = values.unwrap_or_default();
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(values),
            Some(row) => Err(Error::new(format!(
                "line {}: the model has no value there",
                rows.lines[row]
            ))),
        }
    }
}

impl Fit {
    /// How much longer the implementation of a row takes than others.
    fn factor(&self, rows: &Rows, measure: &Measure, place: usize, row: usize) -> f64 {
        let factors = &self.factors[place];
        let own = factors.get(&rows.key(measure.implementation, row));
        own.copied().unwrap_or(1.0)
    }

    /// The constants of a group; of its relatives, or of all groups, if it has none.
    fn known(&self, key: &[String], subject: &Subject) -> Vec<&Vec<Constants>> {
        if let Some(own) = self.groups.get(key) {
            return vec![own];
        }
        let is_related = |other: &[String]| {
            let columns = subject.groups.iter().zip(key).zip(other);
            let mut shared = columns.filter(|((column, _), _)| subject.relatives.contains(column));
            shared.all(|((_, own), other)| own == other)
        };
        let related = self.groups.iter().filter(|(other, _)| is_related(other));
        let related: Vec<&Vec<Constants>> = related.map(|(_, constants)| constants).collect();
        if related.is_empty() {
            return self.groups.values().collect();
        }
        related
    }
}

/// What implementations take beside `values`, which are in seconds; that of few rows is near 1.
fn factors(rows: &Rows, measure: &Measure, values: &[f64]) -> BTreeMap<Vec<String>, f64> {
    if measure.implementation.is_empty() {
        return BTreeMap::new();
    }
    let measured = rows.column(measure.column);
    let factor = |places: &Vec<usize>| {
        let logs = places
            .iter()
            .map(|row| (measured[*row] * measure.unit / values[*row]).ln());
        let count = places.len() as f64;
        let middle = median(&mut logs.collect::<Vec<f64>>());
        (count / (count + PRIOR_ROWS) * middle).exp()
    };
    let implementations = places(rows, measure.implementation);
    let factors = implementations
        .iter()
        .map(|(key, places)| (key.clone(), factor(places)));
    factors.collect()
}

/// The rows of each group.
fn places(rows: &Rows, columns: &[&str]) -> BTreeMap<Vec<String>, Vec<usize>> {
    let mut places: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for row in 0..rows.len() {
        places.entry(rows.key(columns, row)).or_default().push(row);
    }
    places
}
