//! Typesets closed forms with their conditions and notes.

use std::collections::BTreeMap;

use super::escaped;
use super::standing::{Told, told_of};
use crate::compiled::Compiled;
use crate::document::latex_quantity;
use crate::emit::mathml;
use crate::formula::{Notation, latex_name};
use crate::pipeline::{Regimes, SimplifiedEquation};
use crate::timing::{Origin, Proof};

/// The results except sensitivities, the times of processes first.
pub(super) fn results(compiled: &Compiled) -> String {
    let standings = told_of(compiled.equations());
    let mut equations: Vec<&SimplifiedEquation> = compiled.equations().iter().collect();
    equations.retain(|e| !is_sensitivity(e) && !e.superseded);
    // Auxiliary equations stay behind the time that mentions them.
    let is_time =
        |e: &SimplifiedEquation| matches!(e.origin, Origin::Time(_) | Origin::Execution(_));
    equations.sort_by_key(|e| !is_time(e) && !e.auxiliary);
    let forms = equations.iter();
    forms
        .map(|e| form(e, standings.get(e.name.as_str())))
        .collect()
}

pub(super) fn sensitivities(compiled: &Compiled) -> String {
    let standings = told_of(compiled.equations());
    let equations = compiled.equations().iter();
    let equations = equations.filter(|e| is_sensitivity(e) && !e.superseded);
    let forms: String = equations
        .map(|e| form(e, standings.get(e.name.as_str())))
        .collect();
    if forms.is_empty() {
        forms
    } else {
        format!(
            "<details class=\"part\"><summary>Sensitivities: derivatives and elasticities</summary>{forms}</details>"
        )
    }
}

fn is_sensitivity(equation: &SimplifiedEquation) -> bool {
    matches!(
        equation.origin,
        Origin::Derivative { .. } | Origin::Elasticity { .. }
    )
}

/// A formula as it is typeset, or as it is written where that cannot be.
fn typeset(latex: &str, display: bool) -> String {
    let html = match (mathml(latex, display), display) {
        (Ok(html), _) => html,
        (Err(_), false) => format!("<code>{}</code>", escaped(latex)),
        (Err(_), true) => format!(
            "<p class=\"note\">This formula cannot be typeset; it is shown as LaTeX.</p><pre>{}</pre>",
            escaped(latex)
        ),
    };
    if display {
        format!("<div class=\"wide\" tabindex=\"0\">{html}</div>\n")
    } else {
        html
    }
}

fn joined(conditions: &[String]) -> String {
    let all: Vec<String> = conditions.iter().map(|text| typeset(text, false)).collect();
    all.join(", ")
}

/// The name of an equation as mathematics.
pub(super) fn quantity(equation: &SimplifiedEquation) -> String {
    typeset(&latex_quantity(equation), false)
}

/// The HTML of an equation with its conditions and notes.
fn form(equation: &SimplifiedEquation, standing: Option<&Told>) -> String {
    let formula = &equation.formula;
    let text = formula.text(Notation::Latex, &equation.name);
    let mut name = latex_quantity(equation);
    if !equation.formals.is_empty() {
        let formals: Vec<String> = equation.formals.iter().map(|f| latex_name(f)).collect();
        name.push_str(&format!("({})", formals.join(", ")));
    }
    let label = standing.map_or("", |standing| standing.label.as_str());
    let badge = match label {
        "" => String::new(),
        label => format!(" <span class=\"badge\">{label}</span>"),
    };
    let mut html = format!(
        "<section class=\"form\" id=\"form-{0}\"><h3>{0}{badge}</h3>\n",
        escaped(&equation.name)
    );
    html.push_str(&typeset(&format!("{name} = {}", text.expression), true));
    if let Some(proof) = equation.told_proof() {
        html.push_str(&certificate(proof));
    }
    for (name, expression) in &text.definitions {
        let definition = format!("\\text{{where }} {} = {expression}", latex_name(name));
        html.push_str(&typeset(&definition, true));
    }
    if !text.domain.is_empty() {
        html.push_str(&format!(
            "<p class=\"wide\">for {}</p>\n",
            joined(&text.domain)
        ));
    }
    if !formula.rests_on().is_empty() {
        let names = formula.rests_on().iter().map(|name| {
            let name = escaped(name);
            format!("<a href=\"#form-{name}\">{name}</a>")
        });
        let names: Vec<String> = names.collect();
        html.push_str(&format!("<p>where {} hold</p>\n", names.join(", ")));
    }
    let notes = standing.map_or(&[][..], |standing| &standing.notes).iter();
    for note in notes.map(ToString::to_string).chain(equation.cut_short()) {
        html.push_str(&format!("<p class=\"note\">Note: {}</p>\n", escaped(&note)));
    }
    if formula.open_reductions() > 0 {
        html.push_str("<p class=\"note\">Note: not closed; its loops are evaluated</p>\n");
    }
    if let Some(regimes) = &equation.regimes {
        html.push_str(&tables(regimes, label));
    }
    if let Some(derivation) = &equation.derivation {
        let lines = derivation.comment(&equation.name).join("\n");
        html.push_str(&format!(
            "<details><summary>Derivation</summary><pre tabindex=\"0\">{}</pre></details>\n",
            escaped(&lines)
        ));
    }
    html.push_str("</section>\n");
    html
}

/// The standing of a time, with the theorems that prove it.
fn certificate(proof: &Proof) -> String {
    let theorems = proof.theorems().into_iter();
    let theorems = theorems.map(|theorem| {
        let (name, statement) = (theorem.name(), escaped(theorem.statement()));
        format!("<p class=\"note\">Theorem {name}: {statement}</p>\n")
    });
    let text = escaped(&proof.to_string().replace('`', ""));
    format!("<p>{text}</p>\n{}", theorems.collect::<String>())
}

/// The regimes of an equation, and where they meet.
fn tables(regimes: &Regimes, label: &str) -> String {
    let value = match label {
        "" => "Value".to_string(),
        label => format!("Value ({label})"),
    };
    let named = regimes.regimes.iter().any(|r| r.dominant.is_some());
    let rows = regimes.regimes.iter().map(|regime| {
        let when = regime.formula.condition_texts(Notation::Latex);
        let dominant = regime.dominant.as_deref().unwrap_or("");
        let formula = typeset(&regime.formula.latex(), false);
        let mut cells = vec![formula, joined(&when)];
        if named {
            cells.insert(0, escaped(dominant));
        }
        cells
    });
    let mut heads = vec![value, "Where".to_string()];
    if named {
        heads.insert(0, "Decided by".to_string());
    }
    let mut html = table("Regimes", &heads, rows.collect());
    // Crossings that differ only in their conditions are merged.
    let mut crossings: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for crossing in &regimes.crossings {
        let (parameter, at) = (latex_name(&crossing.parameter), crossing.formula.latex());
        let conditions = crossing.formula.condition_texts(Notation::Latex);
        let at = typeset(&format!("{parameter} = {at}"), false);
        crossings.entry(at).or_default().push(joined(&conditions));
    }
    if !crossings.is_empty() {
        let rows = crossings.into_iter().map(|(at, conditions)| {
            let always = conditions.iter().any(String::is_empty);
            let conditions = if always {
                String::new()
            } else {
                conditions.join("<br>or ")
            };
            vec![at, conditions]
        });
        let heads = ["Regimes meet at".to_string(), "Where".to_string()];
        html.push_str(&table("Crossings", &heads, rows.collect()));
    }
    html
}

fn table(caption: &str, heads: &[String], rows: Vec<Vec<String>>) -> String {
    let heads: String = heads
        .iter()
        .map(|head| format!("<th scope=\"col\">{head}</th>"))
        .collect();
    let rows: String = rows
        .iter()
        .map(|cells| {
            let cells = cells.iter().map(|cell| format!("<td>{cell}</td>"));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        })
        .collect();
    format!(
        "<div class=\"wide\" tabindex=\"0\"><table><caption>{caption}</caption><thead><tr>{heads}</tr></thead>\n\
         <tbody>{rows}</tbody></table></div>\n"
    )
}
