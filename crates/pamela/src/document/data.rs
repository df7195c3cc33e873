//! Formulas, conditions and statistics for other programs.

use crate::diagnostic::Error;
use crate::formula::{Notation, json};
use crate::pipeline::{Model, Simplified, SimplifiedEquation};
use crate::syntax::tree::{Equation, ParameterFact};
use crate::timing::{Proof, Theorem};

/// Converts a simplified model into data that `serde_json` can write.
pub fn data(model: &Model, simplified: &Simplified) -> json::SimplifiedModel {
    let checked = model.checked();
    let parameter = |equation: &Equation| json::Parameter {
        name: equation.name.text.clone(),
        facts: facts(equation),
        unit: model
            .shown_number(&equation.name.text)
            .map(|shown| shown.unit),
        comment: equation.comment.clone(),
    };
    json::SimplifiedModel {
        model: model.name().to_string(),
        parameters: checked.parameters().map(parameter).collect(),
        assumptions: checked
            .assumptions()
            .iter()
            .map(ToString::to_string)
            .collect(),
        equations: simplified
            .equations
            .iter()
            .map(|equation| json::Equation {
                unit: model
                    .shown(&equation.origin, &equation.name)
                    .map(|shown| shown.unit),
                ..json_equation(equation)
            })
            .collect(),
        assertions: Vec::new(),
        errors: simplified
            .failures
            .iter()
            .chain(&simplified.refuted)
            .flat_map(Error::reports)
            .collect(),
        stop: stop_text(simplified),
        statistics: json::Statistics {
            points: simplified.points,
            scopes: simplified.scopes,
            nodes: simplified.nodes,
            seconds: simplified.seconds,
        },
    }
}

fn json_equation(equation: &SimplifiedEquation) -> json::Equation {
    let mut json = json::Equation::new(
        &equation.name,
        &equation.formula,
        equation.derivation.as_ref(),
    );
    json.formals = equation.formals.clone();
    json.standing = equation.standing.words();
    json.certificate = equation.proof().map(|proof| proof.order.words());
    let theorems = equation.proof().into_iter().flat_map(Proof::theorems);
    json.theorems = theorems.map(Theorem::name).collect();
    json.approximations.extend(equation.budget_notes());
    let Some(found) = &equation.regimes else {
        return json;
    };
    json.regimes = found
        .regimes
        .iter()
        .map(|regime| json::Regime {
            formula: regime.formula.pamela(),
            latex: regime.formula.latex(),
            when: regime
                .formula
                .condition_texts(Notation::Pamela)
                .join(" && "),
            dominant: regime.dominant.clone(),
        })
        .collect();
    json.crossings = found
        .crossings
        .iter()
        .map(|crossing| json::Crossing {
            parameter: crossing.parameter.clone(),
            formula: crossing.formula.pamela(),
            latex: crossing.formula.latex(),
            conditions: crossing.formula.condition_texts(Notation::Pamela),
        })
        .collect();
    json
}

fn stop_text(simplified: &Simplified) -> String {
    match serde_json::to_value(simplified.stop) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

/// `integer`, `P >= 1`, ...
fn facts(equation: &Equation) -> Vec<String> {
    let name = &equation.name.text;
    let text = |fact: &ParameterFact| match fact {
        ParameterFact::Integer(_) => "integer".to_string(),
        ParameterFact::Law(_) => "law".to_string(),
        ParameterFact::Unknown(law) => format!("unknown = {law}"),
        ParameterFact::Arrivals(_) => fact.to_string(),
        ParameterFact::Row(table) => table.text.clone(),
        ParameterFact::Unit(unit) => unit.to_string(),
        ParameterFact::Monotone(own) => own.to_string(),
        bound @ ParameterFact::Bound(..) => format!("{name} {bound}"),
    };
    let is_unit = |fact: &&ParameterFact| matches!(fact, ParameterFact::Unit(_));
    let facts = equation.facts.iter();
    facts.filter(|fact| !is_unit(fact)).map(text).collect()
}
