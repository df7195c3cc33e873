//! Displayed formulas for papers.

use crate::formula::{
    Notation, latex_derivative, latex_moment, latex_name, latex_words, statement_latex,
};
use crate::model;
use crate::pipeline::{Model, Simplified, SimplifiedEquation};
use crate::syntax::tree::{Equation, ParameterFact, Relation};
use crate::timing::{Application, Note, Origin};

/// Writes the parameters, then each equation with its conditions beside it and its notes below.
pub fn latex(model: &Model, simplified: &Simplified) -> String {
    let displays = simplified.shown().map(latex_equation);
    let all: Vec<String> = latex_given(model.checked())
        .into_iter()
        .chain(displays)
        .collect();
    all.join("\n")
}

/// Facts about the parameters.
fn latex_given(model: &model::Model) -> Vec<String> {
    let facts = model.parameters().filter_map(|parameter| {
        let facts: Vec<String> = parameter
            .facts
            .iter()
            .map(|f| latex_fact(parameter, f))
            .collect();
        (!facts.is_empty()).then(|| facts.join(",\\; "))
    });
    let assumed = model.assumptions().iter().map(statement_latex);
    let display = |statement: String| format!("\\[ \\text{{given }} {statement} \\]");
    facts.chain(assumed).map(display).collect()
}

fn latex_fact(parameter: &Equation, fact: &ParameterFact) -> String {
    let name = latex_name(&parameter.name.text);
    match fact {
        ParameterFact::Integer(_) => format!("{name} \\in \\mathbb{{Z}}"),
        ParameterFact::Unit(unit) => {
            format!("{name} \\text{{ in }} {}", crate::formula::latex_unit(unit))
        }
        ParameterFact::Monotone(own) => format!("{name} \\text{{ is {own}}}"),
        ParameterFact::Arrivals(rate) => {
            format!(
                "{name} \\text{{ begins at rate }} {}",
                statement_latex(rate)
            )
        }
        ParameterFact::Law(_) => format!("{name} \\text{{ is random}}"),
        ParameterFact::Unknown(law) => format!("{name} \\sim {}", statement_latex(law)),
        ParameterFact::Row(table) => {
            format!("{name} \\text{{ is a row of }} {}", latex_name(&table.text))
        }
        ParameterFact::Bound(relation, bound) => {
            let sign = match relation {
                Relation::Less => "<",
                Relation::LessEqual => "\\le",
                Relation::Greater => ">",
                Relation::GreaterEqual => "\\ge",
                Relation::Equal => "=",
                Relation::NotEqual => "\\ne",
            };
            format!("{name} {sign} {}", statement_latex(bound))
        }
    }
}

fn latex_equation(equation: &SimplifiedEquation) -> String {
    let text = equation.formula.text(Notation::Latex, &equation.name);
    let mut lines = Vec::new();
    let mut domain = String::new();
    if !text.domain.is_empty() {
        let conditions = text.domain.join(",\\; ");
        domain.push_str(&format!(" \\qquad \\text{{for }} {conditions}"));
    }
    if !text.assumptions.is_empty() {
        let assumed = text.assumptions.join(",\\; ");
        domain.push_str(&format!(" \\qquad \\text{{assuming }} {assumed}"));
    }
    let others: Vec<String> = equation
        .formula
        .rests_on()
        .iter()
        .map(|n| latex_name(n))
        .collect();
    if !others.is_empty() {
        let others = others.join(",\\; ");
        domain.push_str(&format!(
            " \\qquad \\text{{where }} {others} \\text{{ hold}}"
        ));
    }
    let mut name = latex_quantity(equation);
    if !equation.formals.is_empty() {
        let formals: Vec<String> = equation.formals.iter().map(|f| latex_name(f)).collect();
        name.push_str(&format!("({})", formals.join(", ")));
    }
    lines.push(format!("\\[ {name} = {}{domain} \\]", text.expression));
    let mut word = "where";
    for (name, expression) in &text.definitions {
        let name = latex_name(name);
        lines.push(format!("\\[ \\text{{{word} }} {name} = {expression} \\]"));
        word = "and";
    }
    let open = equation.formula.open_reductions();
    // Assumptions are printed beside the formula.
    let told = equation.formula.notes().into_iter();
    let told = told.filter(|note| !matches!(note, Note::Assumes(_)));
    let proof = equation.told_proof().map(ToString::to_string);
    let formula = &equation.formula;
    let standing = equation
        .standing
        .line(&equation.origin, formula.approximations());
    let mut notes: Vec<String> = proof
        .into_iter()
        .chain(standing.map(str::to_string))
        .chain(told.map(|note| note.to_string()))
        .collect();
    if open > 0 {
        notes.push(format!("open reductions: {open}"));
    }
    notes.extend(equation.budget_notes());
    let note = |note: &String| format!("\\[ \\text{{note: {}}} \\]", latex_words(note));
    lines.extend(notes.iter().map(note));
    lines.extend(
        equation
            .regimes
            .iter()
            .flat_map(|r| r.latex(&equation.name)),
    );
    if let (Some(_), Some(proof)) = (&equation.derivation, equation.told_proof()) {
        let told = proof.applications.iter().flat_map(Application::lines);
        lines.extend(told.map(|line| format!("\\[ \\text{{{}}} \\]", latex_words(line.trim()))));
    }
    let derivation = equation.derivation.as_ref();
    lines.extend(derivation.into_iter().flat_map(|d| d.latex(&equation.name)));
    lines.join("\n")
}

/// The LaTeX name of an equation: `E[T]`, a derivative, a bound, or a plain name.
pub fn latex_quantity(equation: &SimplifiedEquation) -> String {
    match &equation.origin {
        Origin::Moment { moment, of } => latex_moment(moment.name(), &latex_name(of)),
        Origin::Derivative { of, by } => latex_derivative(of, by),
        Origin::Elasticity { of, by } => {
            let (whole, part) = (latex_name(of), latex_name(by));
            let slope = latex_derivative(of, by);
            format!("\\frac{{{part}}}{{{whole}}}\\,{slope}")
        }
        Origin::Least { of } => format!("\\underline{{{}}}", latex_name(of)),
        Origin::Most { of } => format!("\\overline{{{}}}", latex_name(of)),
        _ => latex_name(&equation.name),
    }
}
