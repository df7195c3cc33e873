//! Predictions of measured systems: constants are fitted to the rows of one table, and predict the rows of another one.
//!
//! Where there is no other table, whole configurations are left out by turns. Intervals come from the errors of
//! configurations that are left out of the fitted table, for those of its own rows are too narrow.

mod fit;
mod rows;
mod score;
#[cfg(test)]
mod tests;

use pamela_programs::calibrate::{FoldedPredict, Folds, Predicted};
use serde::Serialize;

use crate::diagnostic::Error;
use crate::pipeline::Model;
use crate::syntax::FileLoader;
use fit::{Fit, Predictor};
use rows::Rows;
pub use score::Scores;

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
    model: include_str!("../../../studies/sharded.pam"),
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
    model: include_str!("../../../studies/serving.pam"),
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
    let train = Rows::read(train.0, train.1, subject)?;
    let known: Vec<usize> = (0..train.len()).collect();
    let rows = match test {
        Some((file, text)) => train.and(&Rows::read(file, text, subject)?),
        None => train,
    };
    let key = |row: usize| rows.key(subject.configuration, row);
    let folds = Folds {
        count: PARTS,
        keys: (0..rows.len()).map(key).collect(),
    };
    let mut tables = Tables {
        predictor: Predictor::of(subject)?,
        rows: &rows,
    };
    let predicted = match test {
        Some(_) => {
            let new: Vec<usize> = (known.len()..rows.len()).collect();
            folds.beyond(&mut tables, &known, &new)?
        }
        None if folds.parts(&known).len() < 2 => {
            return Err(Error::new(
                "the table has one configuration: no other one can predict it",
            ));
        }
        None => folds.each_beyond(&mut tables, &known)?,
    };
    let scores = subject.measures.iter().zip(&predicted);
    let scores = scores.map(|(measure, own)| (measure.column, Scores::of(subject, &rows, own)));
    Ok(Predictions(scores.collect()))
}

/// The rows of all tables, beside what predicts them.
struct Tables<'a> {
    predictor: Predictor<'a>,
    rows: &'a Rows,
}

impl FoldedPredict for Tables<'_> {
    type Fit = Fit;
    type Error = Error;

    fn fit(&mut self, rows: &[usize]) -> Result<Fit, Error> {
        self.predictor.fit(&self.rows.some(rows))
    }

    fn predict(&mut self, fit: &Fit, rows: &[usize]) -> Result<Vec<Vec<Predicted>>, Error> {
        let values = self.predictor.predict(fit, &self.rows.some(rows))?;
        let predicted = |value: f64| Predicted {
            value,
            variance: 0.0,
        };
        let all = values.into_iter();
        Ok(all
            .map(|values| values.into_iter().map(predicted).collect())
            .collect())
    }

    fn measured(&self, measure: usize, row: usize) -> f64 {
        self.rows
            .column(self.predictor.subject.measures[measure].column)[row]
    }

    fn group(&self, row: usize) -> [Vec<String>; 2] {
        let subject = self.predictor.subject;
        [subject.groups, subject.relatives].map(|columns| self.rows.key(columns, row))
    }
}
