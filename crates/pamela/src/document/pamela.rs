//! A model again, of numeric equations, which can be read back.

use crate::formula::Notation;
use crate::model;
use crate::pipeline::{Model, Simplified, SimplifiedEquation};
use crate::syntax::tree::{Equation, Type};
use crate::timing::Origin;

/// A model again: parameters with their facts, then the closed forms.
pub fn pamela(model: &Model, simplified: &Simplified) -> String {
    let mut paragraphs = Vec::new();
    let declarations = declarations(model.checked());
    if !declarations.is_empty() {
        paragraphs.push(declarations.join("\n"));
    }
    paragraphs.extend(simplified.shown().map(|own| equation(model, own)));
    paragraphs.join("\n\n")
}

fn declarations(model: &model::Model) -> Vec<String> {
    let units = model.units().declared().iter().map(ToString::to_string);
    let declared = model.equations().iter().filter(|equation| {
        model.is_resource_array(&equation.name.text)
            || (equation.kind == Type::Numeric && equation.parameter)
    });
    let assumed = model
        .assumptions()
        .iter()
        .map(|relation| format!("assume {relation}"));
    let text = |equation: &Equation| match equation.kind {
        // How many servers it has is part of the formulas.
        Type::Resource => Equation {
            value: None,
            ..equation.clone()
        }
        .to_string(),
        _ => equation.to_string(),
    };
    let declared: Vec<(String, Option<&str>)> = declared
        .map(|equation| (text(equation), equation.comment.as_deref()))
        .collect();
    let declared = beside(&declared).into_iter();
    units.chain(declared).chain(assumed).collect()
}

/// Declarations with their comments beside them, one below the other.
fn beside(declared: &[(String, Option<&str>)]) -> Vec<String> {
    let commented = declared.iter().filter(|(_, comment)| comment.is_some());
    let lengths = commented.map(|(text, _)| text.chars().count());
    let width = lengths.max().unwrap_or(0);
    let line = |(text, comment): &(String, Option<&str>)| match comment {
        Some(comment) => format!("{text:width$}  % {comment}"),
        None => text.clone(),
    };
    declared.iter().map(line).collect()
}

fn equation(model: &Model, equation: &SimplifiedEquation) -> String {
    let formula = &equation.formula;
    let mut lines = Vec::new();
    let text = formula.text(Notation::Pamela, &equation.name);
    let conditions = match equation.formals.is_empty() {
        true => text.domain,
        false => formula.condition_texts(Notation::Pamela),
    };
    lines.extend(validity(&conditions, formula.rests_on()));
    lines.extend(equation.evidence.iter().map(|e| format!("% {e}")));
    let notes = formula.notes().into_iter();
    lines.extend(notes.map(|note| format!("% note: {note}")));
    let open = formula.open_reductions();
    if open > 0 {
        lines.push(format!("% open reductions: {open}"));
    }
    let cuts = equation.budget_notes().into_iter();
    lines.extend(cuts.map(|cut| format!("% note: {cut}")));
    if !equation.formals.is_empty() {
        let formals = equation.formals.join(", ");
        let own = format!(
            "numeric {}({formals}) = {}",
            equation.name,
            formula.pamela()
        );
        lines.push(own);
        return lines.join("\n");
    }
    let name = match declared_unit(model, equation) {
        Some(unit) => format!("{} : {unit}", equation.name),
        None => equation.name.clone(),
    };
    let definitions = text.definitions.into_iter();
    let all = definitions.chain([(name, text.expression)]);
    lines.extend(all.map(|(name, expression)| format!("numeric {name} = {expression}")));
    if let Some(regimes) = &equation.regimes {
        lines.push("% regimes".to_string());
        lines.extend(regimes.lines().iter().map(|line| format!("%   {line}")));
    }
    if let (Some(_), Some(evidence)) = (&equation.derivation, &equation.evidence) {
        let theorems = evidence.theorems.iter();
        lines.extend(theorems.map(|t| format!("% Theorem `{}`: {}", t.name(), t.statement())));
    }
    let derivation = equation.derivation.as_ref();
    lines.extend(
        derivation
            .into_iter()
            .flat_map(|d| d.comment(&equation.name)),
    );
    lines.join("\n")
}

/// The unit that the model declares of an equation.
fn declared_unit(model: &Model, equation: &SimplifiedEquation) -> Option<String> {
    let own = model.checked().lookup(&equation.name)?;
    let is_own = equation.origin == Origin::Equation;
    own.unit().filter(|_| is_own).map(ToString::to_string)
}

/// `% valid for P >= 1, and where a4 and a7 are`
fn validity(conditions: &[String], rests_on: &[String]) -> Option<String> {
    let own = match conditions {
        [] => String::new(),
        _ => format!(" for {}", conditions.join(", ")),
    };
    let others = match rests_on.split_last() {
        None if conditions.is_empty() => return None,
        None => String::new(),
        Some((only, [])) => format!("where {only} is"),
        Some((last, others)) => format!("where {} and {last} are", others.join(", ")),
    };
    let link = match (conditions, rests_on) {
        ([], _) => " ",
        (_, []) => "",
        _ => ", and ",
    };
    Some(format!("% valid{own}{link}{others}"))
}
