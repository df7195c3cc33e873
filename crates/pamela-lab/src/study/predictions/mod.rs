//! Predictions of measured systems: constants are fitted to the rows of one table, and predict the rows of another one.
//!
//! Where there is no other table, whole configurations are left out by turns. Intervals come from the errors of
//! configurations that are left out of the fitted table, for those of its own rows are too narrow.

mod fit;
mod rows;
mod score;
#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::diagnostic::Error;
use crate::pipeline::Model;
use crate::syntax::FileLoader;
use fit::Predictor;
use rows::Rows;
use score::{Interval, Residuals};
pub use score::{Score, Scores};

/// What is predicted, and from what.
#[derive(Debug)]
pub struct Subject {
    name: &'static str,
    model: &'static str,
    /// Columns of texts; each group of rows with equal ones has constants of its own.
    groups: &'static [&'static str],
    /// Of these, the columns in which groups are alike: they stand in for each other.
    relatives: &'static [&'static str],
    /// Columns in which repeated measurements agree, those of the groups among them.
    configuration: &'static [&'static str],
    /// In this order: the later ones may use constants of the earlier ones.
    measures: &'static [Measure],
    /// The columns by whose texts errors are shown, and the keys of these in results.
    shown_by: &'static [(&'static str, &'static str)],
}

/// A measured value.
#[derive(Debug)]
pub struct Measure {
    column: &'static str,
    /// Of the column, in seconds.
    unit: f64,
    /// The equation of the model that predicts it; linear in the constants.
    equation: &'static str,
    constants: &'static [&'static str],
    /// Rows with equal texts in these columns share a factor, which says how good an implementation is; none if it is empty.
    implementation: &'static [&'static str],
}

/// Steps of training with sharded weights.
pub const TRAINING: Subject = Subject {
    name: "sharded.pam",
    model: include_str!("../../../../../studies/sharded.pam"),
    groups: &["gpu"],
    relatives: &[],
    configuration: &["gpu", "N", "s", "tok", "accum", "ckpt", "gpus"],
    measures: &[Measure {
        column: "time",
        unit: 1.0,
        equation: "time",
        constants: &[
            "k_product",
            "k_attention",
            "k_weight",
            "k_layer",
            "k_activation",
        ],
        implementation: &[],
    }],
    shown_by: &[("gpu", "by_system")],
};

/// Servers of language models: time per output token, and to the first one.
pub const SERVING: Subject = Subject {
    name: "serving.pam",
    model: include_str!("../../../../../studies/serving.pam"),
    groups: &["kind", "system", "backend"],
    relatives: &["kind", "backend"],
    configuration: &[
        "kind",
        "system",
        "backend",
        "model",
        "precision",
        "isl",
        "osl",
        "g",
        "adp",
    ],
    measures: &[
        Measure {
            column: "tpot_ms",
            unit: 1e-3,
            equation: "step",
            constants: &[
                "k_weight",
                "k_element",
                "k_cache",
                "k_prefill",
                "k_prefill_16",
                "k_pass",
                "k_layer",
                "k_attention",
                "k_ring",
            ],
            implementation: &["kind", "system", "backend", "model", "precision"],
        },
        Measure {
            column: "ttft_ms",
            unit: 1e-3,
            equation: "first",
            constants: &[
                "f_start", "f_prompt", "f_queue", "f_pass", "f_ring", "f_step",
            ],
            implementation: &[],
        },
    ],
    shown_by: &[
        ("system", "by_system"),
        ("kind", "by_kind"),
        ("backend", "by_backend"),
    ],
};

/// Parts of the configurations, each of which is left out once.
const PARTS: usize = 5;

impl Subject {
    /// The parameters of the model that are columns of a table.
    fn parameters(&self) -> Result<Vec<String>, Error> {
        let model = self.read()?;
        let parameters = model.scalar_parameters().map(ToOwned::to_owned);
        Ok(parameters.filter(|name| !self.is_constant(name)).collect())
    }

    fn is_constant(&self, name: &str) -> bool {
        let mut constants = self.measures.iter().flat_map(|measure| measure.constants);
        constants.any(|own| *own == name)
    }

    /// The columns that are read as texts: those of groups are part of a configuration.
    fn texts(&self) -> impl Iterator<Item = &'static str> {
        self.configuration.iter().copied()
    }

    fn read(&self) -> Result<Model, Error> {
        Model::read(self.name, self.model, &FileLoader)
    }
}

/// A table that was predicted.
#[derive(Clone, Debug)]
struct Predicted {
    rows: Rows,
    /// For each measure, a value and an interval for each row.
    values: Vec<Vec<f64>>,
    intervals: Vec<Vec<Interval>>,
}

/// The errors of predictions, by the column of each measured value.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Predictions(pub std::collections::BTreeMap<&'static str, Scores>);

/// Fits the constants to the table `train` and predicts `test`, or else each part of `train` from the others. Both are a name
/// for messages and a text.
///
/// # Errors
/// Fails for tables that lack columns or numbers.
pub fn predictions(
    subject: &Subject,
    train: (&str, &str),
    test: Option<(&str, &str)>,
) -> Result<Predictions, Error> {
    let predictor = Predictor::of(subject)?;
    let train = Rows::read(train.0, train.1, subject)?;
    let predicted = match test {
        Some((file, text)) => {
            let test = Rows::read(file, text, subject)?;
            vec![predictor.beyond(&train, test)?]
        }
        None => {
            let parts = train.parts(subject.configuration, PARTS);
            if parts.len() < 2 {
                return Err(Error::new(
                    "the table has one configuration: no other one can predict it",
                ));
            }
            let part = |part: &Vec<usize>| {
                let rest: Vec<usize> = (0..train.len()).filter(|row| !part.contains(row)).collect();
                predictor.beyond(&train.some(&rest), train.some(part))
            };
            parts.iter().map(part).collect::<Result<_, _>>()?
        }
    };
    let scores = subject.measures.iter().enumerate().map(|(place, measure)| {
        let scores = Scores::of(subject, measure.column, place, &predicted);
        (measure.column, scores)
    });
    Ok(Predictions(scores.collect()))
}

impl Predictor<'_> {
    /// Rows that were not fitted, with intervals.
    fn beyond(&self, train: &Rows, test: Rows) -> Result<Predicted, Error> {
        let residuals = self.residuals(train)?;
        let fit = self.fit(train)?;
        let values = self.predict(&fit, &test)?;
        let intervals = values.iter().zip(&residuals).map(|(values, residuals)| {
            let rows = values.iter().enumerate();
            rows.map(|(row, value)| {
                let group = test.key(self.subject.groups, row);
                let relatives = test.key(self.subject.relatives, row);
                residuals.interval(*value, &group, &relatives)
            })
            .collect()
        });
        Ok(Predicted {
            intervals: intervals.collect(),
            values,
            rows: test,
        })
    }

    /// The errors of configurations that are left out by turns, for each measure.
    fn residuals(&self, train: &Rows) -> Result<Vec<Residuals>, Error> {
        let subject = self.subject;
        let mut residuals = vec![Residuals::default(); subject.measures.len()];
        let parts = train.parts(subject.configuration, PARTS);
        for part in parts.iter().filter(|_| parts.len() > 1) {
            let rest: Vec<usize> = (0..train.len()).filter(|row| !part.contains(row)).collect();
            let fit = self.fit(&train.some(&rest))?;
            let left = train.some(part);
            let values = self.predict(&fit, &left)?;
            for ((values, residuals), measure) in
                values.iter().zip(&mut residuals).zip(subject.measures)
            {
                let measured = left.column(measure.column);
                for (row, (value, measured)) in values.iter().zip(measured).enumerate() {
                    let group = left.key(subject.groups, row);
                    let relatives = left.key(subject.relatives, row);
                    residuals.add(measured / value, group, relatives);
                }
            }
        }
        residuals.iter_mut().for_each(Residuals::sort);
        Ok(residuals)
    }
}
