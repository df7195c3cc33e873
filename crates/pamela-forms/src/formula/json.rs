//! Machine-readable results, as the command line writes them.

use std::collections::BTreeMap;

use crate::diagnostic::Report;
use serde::Serialize;

use super::{Derivation, Formula, Notation, StepText, Text};
use crate::expr::Sort;
use crate::timing::Standing;

/// Output of `simplify --emit json`.
#[derive(Clone, Debug, Serialize)]
pub struct SimplifiedModel {
    /// Name of the file.
    pub model: String,
    pub parameters: Vec<Parameter>,
    /// Assumptions of the model, as PAMELA+ expressions that are 1 where they hold.
    pub assumptions: Vec<String>,
    pub equations: Vec<Equation>,
    /// Assertions of the model with what was found out about them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<Assertion>,
    /// Errors of the equations that are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Report>,
    /// Reason why the search for closed forms ended: `saturated`, or the limit that was reached.
    pub stop: String,
    pub statistics: Statistics,
}

#[derive(Clone, Debug, Serialize)]
pub struct Assertion {
    /// As it is written.
    pub claim: String,
    /// The condition under which it is claimed.
    pub when: Option<String>,
    /// `model.pam:7:1`
    pub place: String,
    /// `proved`, `refuted` or `not decided`.
    pub verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Counterexample>,
    /// Conditions of regions in which an undecided claim is proved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved_where: Vec<String>,
    /// Why it is not decided, if there is a reason to name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A point at which a claim is false.
#[derive(Clone, Debug, Serialize)]
pub struct Counterexample {
    /// Values by parameter, as fractions, with units if the model has them.
    pub point: BTreeMap<String, String>,
    /// True if no smaller point is one.
    pub smallest: bool,
    /// Both sides of the comparison, and their values there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Side>,
}

/// One side of a comparison, and its value.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    pub expression: String,
    pub value: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    pub name: String,
    /// Facts such as `integer` or `P >= 1`.
    pub facts: Vec<String>,
    /// Unit of the parameter, if the model has units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Comment of the parameter in the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Equation {
    pub name: String,
    /// Arguments of an equation that others call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formals: Vec<String>,
    pub sort: Sort,
    /// Unit in which the values are shown, if the model has units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// A PAMELA+ expression over parameters and the names in `where`.
    pub formula: String,
    pub latex: String,
    /// Named parts that occur several times or are large, over parameters and other definitions.
    #[serde(rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<Definition>,
    pub open_reductions: usize,
    pub operations: usize,
    /// PAMELA+ expressions over parameters and the names in `where`, each 1 where it holds.
    pub conditions: Vec<String>,
    /// Names of equations whose conditions must also hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// Relation of a process's time to the time of a run: `exact`,
    /// `exact in the order of the text`, `between`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<&'static str>,
    /// Relation of the value to the time of a run: `exact`, `exact in the order of the text`,
    /// `lower bound`, `upper bound`, `between bounds`, `estimate`, `drawn`, `unknown`.
    pub standing: &'static str,
    /// Theorems from which an exact time follows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub theorems: Vec<&'static str>,
    pub approximations: Vec<String>,
    /// The formula by cases and the crossings of cases, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regimes: Vec<Regime>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crossings: Vec<Crossing>,
    /// The steps that led to the formula, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Vec<StepText>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Regime {
    pub formula: String,
    pub latex: String,
    /// A PAMELA+ expression that is 1 inside the regime.
    pub when: String,
    /// `critical path`, or the name of the bottleneck resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dominant: Option<String>,
}

/// A crossing: `parameter = formula`.
#[derive(Clone, Debug, Serialize)]
pub struct Crossing {
    pub parameter: String,
    pub formula: String,
    pub latex: String,
    pub conditions: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Definition {
    pub name: String,
    pub formula: String,
    pub latex: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Statistics {
    /// Number of points at which closed forms were compared with their definitions.
    pub points: usize,
    /// Number of scopes searched.
    pub scopes: usize,
    /// Number of nodes in the largest e-graph.
    pub nodes: usize,
    pub seconds: f64,
}

/// Output of `eval --json`.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluatedModel {
    pub equations: Vec<EvaluatedEquation>,
    pub conditions: Vec<Condition>,
    /// Errors of the equations that are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Report>,
    /// Names of the equations without a value. An error may point into another equation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_value: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct EvaluatedEquation {
    pub name: String,
    pub sort: Sort,
    /// Unit of the value, if the model has units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<JsonValue>,
    /// The exact value, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<JsonExact>,
    #[serde(flatten)]
    pub law: Option<JsonLaw>,
    /// Standard errors of the sampled mean and quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_errors: Option<BTreeMap<String, f64>>,
    /// The law of the value where some numbers are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<serde_json::Value>,
    /// Guaranteed bounds of the mean and quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<BTreeMap<String, [f64; 2]>>,
    /// How the value was computed.
    ///
    /// `exact`: by the closed form. `definition`: by looping over the model. `run`: by a run of the
    /// process. For a law: `exact`, `grid`, or the fitted family. For a graph: `simulated`,
    /// `normal` or `bounds`.
    pub method: String,
    /// Relation of a process's time to the time of a run: `exact`,
    /// `exact in the order of the text`, `run`, `between`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<&'static str>,
    /// Relation of the value to the time of a run: `exact`, `exact in the order of the text`,
    /// `lower bound`, `upper bound`, `between bounds`, `estimate`, `drawn`, `unknown`.
    pub standing: &'static str,
    pub approximations: Vec<String>,
}

/// Moments and quantiles of a law. Infinite bounds are `null`.
#[derive(Clone, Debug, Serialize)]
pub struct JsonLaw {
    pub mean: f64,
    pub variance: f64,
    pub std: f64,
    pub skewness: f64,
    /// Kurtosis; 3 for a normal law.
    pub kurtosis: f64,
    pub quantiles: BTreeMap<String, f64>,
    pub support: [f64; 2],
}

/// A value as the nearest doubles.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum JsonValue {
    Scalar(f64),
    /// Components 0, 1, ... of the predefined array.
    List(Vec<f64>),
    /// Nonzero components of any arrays.
    Components(Vec<Component>),
}

/// An exact value as text: `12`, or `7/3`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum JsonExact {
    Scalar(String),
    List(Vec<String>),
}

#[derive(Clone, Debug, Serialize)]
pub struct Component {
    pub array: String,
    /// The index, as exact text.
    pub index: String,
    pub value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Condition {
    pub condition: String,
    /// True if the condition holds; `None` if the evaluation reached its limit of steps or digits.
    pub holds: Option<bool>,
}

impl Equation {
    /// Converts a closed form, with its derivation, to the JSON form of equation `name`.
    pub fn new(name: &str, formula: &Formula, derivation: Option<&Derivation>) -> Equation {
        let text = formula.text(Notation::Pamela, name);
        let latex = formula.text(Notation::Latex, name);
        let named = |text: Text| text.references.into_iter().chain(text.definitions);
        let (expression, conditions) = (text.expression.clone(), text.conditions.clone());
        let latex_expression = latex.expression.clone();
        let definitions = named(text).zip(named(latex));
        Equation {
            formals: Vec::new(),
            name: name.to_string(),
            unit: None,
            sort: formula.sort(),
            formula: expression,
            latex: latex_expression,
            definitions: definitions
                .map(|((name, formula), (_, latex))| Definition {
                    name,
                    formula,
                    latex,
                })
                .collect(),
            open_reductions: formula.open_reductions(),
            operations: formula.operations(),
            conditions,
            rests_on: formula.rests_on().to_vec(),
            certificate: None,
            standing: Standing::exact().words(),
            theorems: Vec::new(),
            approximations: formula.notes().iter().map(ToString::to_string).collect(),
            regimes: Vec::new(),
            crossings: Vec::new(),
            derivation: derivation.map(|derivation| derivation.steps(Notation::Pamela)),
        }
    }
}
