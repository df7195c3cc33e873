//! What the commands that go over points ask of their input.

use super::Subject;
use crate::model::Rows;
use crate::pipeline::Shown;
use crate::syntax::tree::ParameterFact;

impl Subject {
    /// The rows that a parameter can be, if it is declared as a row of a table.
    pub(super) fn rows(&self, name: &str) -> Option<Rows> {
        match self {
            Subject::Model(model) => model.rows(name),
            Subject::Compiled(compiled) => compiled.model().ok()?.rows(name),
        }
    }

    /// The unit in which a number is given.
    pub(super) fn shown_number(&self, name: &str) -> Option<Shown> {
        match self {
            Subject::Model(model) => model.shown_number(&model.own_name(name)),
            Subject::Compiled(compiled) => compiled.shown(name).cloned(),
        }
    }

    /// The declarations of units that the model has, as a text.
    pub(super) fn declared_units(&self) -> String {
        let model = match self {
            Subject::Model(model) => model,
            Subject::Compiled(compiled) => match compiled.model() {
                Ok(model) => model,
                Err(_) => return String::new(),
            },
        };
        let declared = model.checked().units().declared().iter();
        declared.map(|unit| format!("{unit}\n")).collect()
    }

    /// True for the name of a parameter.
    pub(super) fn is_parameter(&self, name: &str) -> bool {
        match self {
            Subject::Model(model) => {
                let own = model.own_name(name);
                let mut parameters = model.checked().parameters();
                parameters.any(|parameter| parameter.name.text == own)
            }
            Subject::Compiled(compiled) => {
                let mut parameters = compiled.parameters().iter();
                parameters.any(|parameter| parameter.name == name)
            }
        }
    }

    /// True if a parameter stands for a number that need not be whole.
    pub(super) fn is_real(&self, name: &str) -> bool {
        let own = match self {
            Subject::Model(model) => model.own_name(name),
            Subject::Compiled(_) => name.to_owned(),
        };
        let is_whole = match self {
            Subject::Model(model) => {
                let mut parameters = model.checked().parameters();
                let parameter = parameters.find(|equation| equation.name.text == own);
                let whole = |fact: &ParameterFact| matches!(fact, ParameterFact::Integer(_));
                parameter.is_some_and(|equation| equation.facts.iter().any(whole))
            }
            Subject::Compiled(compiled) => {
                let mut parameters = compiled.parameters().iter();
                parameters.any(|parameter| parameter.name == own && parameter.whole)
            }
        };
        !is_whole && self.rows(name).is_none() && self.scalar_parameters().contains(&own)
    }

    /// The names of the parameters that stand for numbers.
    pub(super) fn scalar_parameters(&self) -> Vec<String> {
        match self {
            Subject::Model(model) => model.scalar_parameters().map(str::to_owned).collect(),
            Subject::Compiled(compiled) => {
                let scalar = compiled.parameters().iter().filter(|p| !p.law);
                scalar.map(|p| p.name.clone()).collect()
            }
        }
    }
}
