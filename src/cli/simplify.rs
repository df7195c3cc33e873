//! `pamela simplify`

use super::arguments::{Emit, Simplify};
use super::{Outcome, output, read_model, rule_base, values};
use crate::diagnostic::Error;
use crate::formula::{Notation, json, latex_name};
use crate::model;
use crate::pipeline::{Model, Options, Simplified, SimplifiedEquation};
use crate::syntax::tree::Type;

pub fn run(arguments: &Simplify) -> Result<Outcome, Error> {
    let mut model = read_model(&arguments.input)?;
    for (name, value) in values::given(&arguments.values)? {
        model.define(&name, &value)?;
    }
    let options = Options {
        strict: arguments.strict,
        all: arguments.all,
        regimes: arguments.regimes,
        sensitivity: arguments.sensitivity.clone(),
        explain: arguments.explain,
        ..Options::default()
    };
    let simplified = model.simplify_with(rule_base(&arguments.rules)?, &options)?;
    match arguments.emit {
        Emit::Pamela => output::line(&pamela(&model, &simplified))?,
        Emit::Latex => output::line(&latex(&simplified))?,
        Emit::Json => output::json(&as_json(&model, &simplified))?,
    }
    report_open(&simplified);
    Ok(if simplified.is_closed() {
        Outcome::Done
    } else {
        Outcome::Incomplete
    })
}

/// A model again: parameters with their facts, then the closed forms.
pub fn pamela(model: &Model, simplified: &Simplified) -> String {
    let mut paragraphs = Vec::new();
    let declarations = declarations(model.checked());
    if !declarations.is_empty() {
        paragraphs.push(declarations.join("\n"));
    }
    paragraphs.extend(simplified.equations.iter().map(equation));
    paragraphs.join("\n\n")
}

fn declarations(model: &model::Model) -> Vec<String> {
    let declared = model.equations().iter().filter(|equation| {
        let array = equation.kind == Type::Resource && equation.value.is_none();
        array || (equation.kind == Type::Numeric && equation.parameter)
    });
    let assumed = model
        .assumptions()
        .iter()
        .map(|relation| format!("assume {relation}"));
    declared.map(ToString::to_string).chain(assumed).collect()
}

fn equation(equation: &SimplifiedEquation) -> String {
    let formula = &equation.formula;
    let mut lines = Vec::new();
    let conditions = formula.condition_texts(Notation::Pamela);
    lines.extend(validity(&conditions, formula.rests_on()));
    let notes = formula.approximations().iter();
    lines.extend(notes.map(|note| format!("% note: {note}")));
    let open = formula.open_reductions();
    if open > 0 {
        lines.push(format!("% open reductions: {open}"));
    }
    if !equation.formals.is_empty() {
        let formals = equation.formals.join(", ");
        lines.push(format!(
            "numeric {}({formals}) = {}",
            equation.name,
            formula.pamela()
        ));
        return lines.join("\n");
    }
    let text = formula.text(Notation::Pamela, &equation.name);
    let definitions = text.definitions.into_iter();
    let all = definitions.chain([(equation.name.clone(), text.expression)]);
    lines.extend(all.map(|(name, expression)| format!("numeric {name} = {expression}")));
    if let Some(regimes) = &equation.regimes {
        lines.push("% regimes".to_string());
        lines.extend(regimes.lines().iter().map(|line| format!("%   {line}")));
    }
    let derivation = equation.derivation.as_ref();
    lines.extend(
        derivation
            .into_iter()
            .flat_map(|d| d.comment(&equation.name)),
    );
    lines.join("\n")
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

/// One display for each equation, its conditions beside it.
fn latex(simplified: &Simplified) -> String {
    let display = |equation: &SimplifiedEquation| {
        let text = equation.formula.text(Notation::Latex, &equation.name);
        let mut lines: Vec<String> = text
            .definitions
            .iter()
            .map(|(name, expression)| format!("\\[ {} = {expression} \\]", latex_name(name)))
            .collect();
        let conditions = equation.formula.condition_texts(Notation::Latex);
        let mut domain = if conditions.is_empty() {
            String::new()
        } else {
            format!(" \\qquad \\text{{for }} {}", conditions.join(",\\; "))
        };
        let others: Vec<String> = equation
            .formula
            .rests_on()
            .iter()
            .map(|n| latex_name(n))
            .collect();
        if !others.is_empty() {
            domain.push_str(&format!(
                " \\qquad \\text{{where }} {} \\text{{ hold}}",
                others.join(",\\; ")
            ));
        }
        let assumed = equation.formula.assumption_texts(Notation::Latex);
        if !assumed.is_empty() {
            let assumed = assumed.join(",\\; ");
            domain.push_str(&format!(" \\qquad \\text{{assuming }} {assumed}"));
        }
        let mut name = latex_name(&equation.name);
        if !equation.formals.is_empty() {
            let formals: Vec<String> = equation.formals.iter().map(|f| latex_name(f)).collect();
            name.push_str(&format!("({})", formals.join(", ")));
        }
        lines.push(format!("\\[ {name} = {}{domain} \\]", text.expression));
        lines.extend(
            equation
                .regimes
                .iter()
                .flat_map(|r| r.latex(&equation.name)),
        );
        let derivation = equation.derivation.as_ref();
        lines.extend(derivation.into_iter().flat_map(|d| d.latex(&equation.name)));
        lines.join("\n")
    };
    let displays: Vec<String> = simplified.equations.iter().map(display).collect();
    displays.join("\n")
}

fn as_json(model: &Model, simplified: &Simplified) -> json::SimplifiedModel {
    let checked = model.checked();
    let parameter = |equation: &crate::syntax::tree::Equation| json::Parameter {
        name: equation.name.text.clone(),
        facts: facts(equation),
    };
    json::SimplifiedModel {
        model: model.name().to_string(),
        parameters: checked.parameters().map(parameter).collect(),
        assumptions: checked
            .assumptions()
            .iter()
            .map(ToString::to_string)
            .collect(),
        equations: simplified.equations.iter().map(json_equation).collect(),
        stop: stop_text(simplified),
        statistics: json::Statistics {
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
fn facts(equation: &crate::syntax::tree::Equation) -> Vec<String> {
    use crate::syntax::tree::ParameterFact;
    let name = &equation.name.text;
    let text = |fact: &ParameterFact| match fact {
        ParameterFact::Integer(_) => "integer".to_string(),
        ParameterFact::Law(_) => "law".to_string(),
        bound @ ParameterFact::Bound(..) => format!("{name} {bound}"),
    };
    equation.facts.iter().map(text).collect()
}

fn report_open(simplified: &Simplified) {
    for equation in &simplified.equations {
        let open = equation.formula.open_reductions();
        if open > 0 {
            let plural = if open == 1 { "" } else { "s" };
            output::note(&format!(
                "note: `{}` is not closed: {open} reduction{plural} left",
                equation.name
            ));
        }
    }
}
