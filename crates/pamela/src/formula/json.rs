//! The machine-readable results, as the command line writes them.

use std::collections::BTreeMap;

use crate::diagnostic::Report;
use serde::Serialize;

use super::{Derivation, Formula, Notation, StepText, Text};
use crate::expr::Sort;
use crate::timing::Standing;

/// `simplify --emit json`
#[derive(Clone, Debug, Serialize)]
pub struct SimplifiedModel {
    /// The file's name.
    pub model: String,
    pub parameters: Vec<Parameter>,
    /// What the model assumes of its parameters, as PAMELA+ expressions that are 1.
    pub assumptions: Vec<String>,
    pub equations: Vec<Equation>,
    /// What is wrong with the equations that are not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Report>,
    /// Why the search for closed forms ended: `saturated`, or the limit that was reached.
    pub stop: String,
    pub statistics: Statistics,
}

#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    pub name: String,
    /// `integer`, `P >= 1`, ...
    pub facts: Vec<String>,
    /// In which it is given, of a model with units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What the model says of it in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Equation {
    pub name: String,
    /// The arguments of an equation that others call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formals: Vec<String>,
    pub sort: Sort,
    /// In which its numbers are shown, of a model with units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// A PAMELA+ expression over parameters and the definitions of `where`.
    pub formula: String,
    pub latex: String,
    /// Parts that occur several times, or are large; each speaks of parameters and of others.
    #[serde(rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<Definition>,
    pub open_reductions: usize,
    pub operations: usize,
    /// PAMELA+ expressions over parameters and the definitions of `where`, each 1 where it holds.
    pub conditions: Vec<String>,
    /// Names of equations whose conditions have to hold as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<String>,
    /// How the time of a process stands to what a run takes: `exact`, `exact in the order of the text`, `between`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<&'static str>,
    /// How the value relates to what a run takes: `exact`, `exact in the order of the text`, `lower bound`, `upper bound`,
    /// `between bounds`, `estimate`, `drawn`, `unknown`.
    pub standing: &'static str,
    /// What an exact time follows from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub theorems: Vec<&'static str>,
    pub approximations: Vec<String>,
    /// Where they were asked for: the formula by cases, and where two of them meet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub regimes: Vec<Regime>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crossings: Vec<Crossing>,
    /// The steps that led to the formula, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Vec<StepText>>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Regime {
    pub formula: String,
    pub latex: String,
    /// A PAMELA+ expression that is 1 where the regime is.
    pub when: String,
    /// `critical path`, or the resource that is the bottleneck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dominant: Option<String>,
}

/// `parameter = formula`
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
    /// Points at which closed forms were compared with their definitions.
    pub points: usize,
    /// How many scopes were searched.
    pub scopes: usize,
    /// Nodes of the largest.
    pub nodes: usize,
    pub seconds: f64,
}

/// `eval --json`
#[derive(Clone, Debug, Serialize)]
pub struct EvaluatedModel {
    pub equations: Vec<EvaluatedEquation>,
    pub conditions: Vec<Condition>,
    /// What is wrong with the equations that are not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Report>,
    /// Names of these equations; the place of an error may be in another one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_value: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct EvaluatedEquation {
    pub name: String,
    pub sort: Sort,
    /// In which the value is, of a model with units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<JsonValue>,
    /// The exact value, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<JsonExact>,
    #[serde(flatten)]
    pub law: Option<JsonLaw>,
    /// Of samples, the standard errors of `mean` and quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_errors: Option<BTreeMap<String, f64>>,
    /// Guaranteed bounds of `mean` and quantiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<BTreeMap<String, [f64; 2]>>,
    /// `exact`: the closed form. `definition`: the model as it stands, by looping. Of a law `exact`, `grid` or
    /// the family that was fitted; of graphs `simulated`, `normal` or `bounds`; `run` where the process was run.
    pub method: String,
    /// How the time of a process stands to what a run takes: `exact`, `exact in the order of the text`, `run`, `between`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<&'static str>,
    /// How the value relates to what a run takes: `exact`, `exact in the order of the text`, `lower bound`, `upper bound`,
    /// `between bounds`, `estimate`, `drawn`, `unknown`.
    pub standing: &'static str,
    pub approximations: Vec<String>,
}

/// A law by its moments and quantiles; a bound that is infinite is `null`.
#[derive(Clone, Debug, Serialize)]
pub struct JsonLaw {
    pub mean: f64,
    pub variance: f64,
    pub std: f64,
    pub skewness: f64,
    /// 3 for the normal.
    pub kurtosis: f64,
    pub quantiles: BTreeMap<String, f64>,
    pub support: [f64; 2],
}

/// The nearest doubles.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum JsonValue {
    Scalar(f64),
    /// Components 0, 1, ... of the predefined array.
    List(Vec<f64>),
    /// Components of any arrays, those that are 0 left out.
    Components(Vec<Component>),
}

/// `12`, or `7/3`
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum JsonExact {
    Scalar(String),
    List(Vec<String>),
}

#[derive(Clone, Debug, Serialize)]
pub struct Component {
    pub array: String,
    /// As exact text.
    pub index: String,
    pub value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Condition {
    pub condition: String,
    /// Nothing where it was not decided, within the steps and digits of the evaluation.
    pub holds: Option<bool>,
}

impl Equation {
    /// The equation `name` of a simplified model.
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
