//! `pamela simplify`

use super::arguments::{Emit, Simplify};
use super::{Outcome, Subject, output, read_subject, rule_base, values};
use crate::algebra::Stop;
use crate::compiled::Compiled;
use crate::diagnostic::Error;
use crate::emit::{Language, emit, mathml};
use crate::formula::{
    Notation, json, latex_derivative, latex_moment, latex_name, latex_words, statement_latex,
};
use crate::model;
use crate::pipeline::{Model, Options, Simplified, SimplifiedEquation};
use crate::syntax::tree::{Equation, ParameterFact, Relation, Type};
use crate::timing::Origin;

pub fn run(arguments: &Simplify) -> Result<Outcome, Error> {
    let compiles = arguments.emit == Emit::Compiled;
    let options = Options {
        strict: arguments.strict,
        all: arguments.all || compiles,
        bounds: arguments.bounds,
        effort: arguments.effort,
        progress: output::progress(),
        regimes: arguments.regimes || compiles,
        sensitivity: arguments.sensitivity.clone(),
        expand: arguments.expand.clone(),
        explain: arguments.explain,
        ..Options::default()
    };
    let compiled = compile(arguments, &options);
    output::end_progress();
    let compiled = compiled?;
    let (model, simplified) = (compiled.model()?, compiled.simplified());
    let mut refused = Vec::new();
    let mut code = |language: Language| {
        let emitted = emit(language, &compiled)?;
        refused = emitted.refused;
        Ok::<String, Error>(emitted.text)
    };
    let text = match arguments.emit {
        Emit::Pamela => pamela(model, simplified),
        Emit::Latex => latex(model, simplified),
        Emit::Json => output::json_text(&as_json(model, simplified))?,
        Emit::Compiled => compiled.save()?,
        Emit::Mathml => mathml_page(&latex(model, simplified))?,
        Emit::C => code(Language::C)?,
        Emit::Rust => code(Language::Rust)?,
        Emit::Python => code(Language::Python)?,
        Emit::Numpy => code(Language::NumPy)?,
        Emit::Julia => code(Language::Julia)?,
        Emit::Javascript => code(Language::JavaScript)?,
        Emit::Sql => code(Language::Sql)?,
        Emit::Sympy => code(Language::SymPy)?,
    };
    match &arguments.output {
        Some(path) => output::file(path, text.trim_end_matches('\n'))?,
        None => output::line(text.trim_end_matches('\n'))?,
    }
    report_open(simplified);
    output::failures(&simplified.failures);
    for (name, reason) in &refused {
        output::note(&format!("note: `{name}` is left out: it {reason}"));
    }
    let whole = simplified.is_closed() && refused.is_empty();
    Ok(match (simplified.failures.is_empty(), whole) {
        (false, _) => Outcome::Wrong,
        (true, true) => Outcome::Done,
        (true, false) => Outcome::Incomplete,
    })
}

/// Displays of LaTeX as MathML, one a line.
fn mathml_page(displays: &str) -> Result<String, Error> {
    let all = displays
        .split("\\[ ")
        .filter_map(|rest| rest.split(" \\]").next());
    let all = all.filter(|display| !display.trim().is_empty());
    let written: Result<Vec<String>, Error> = all.map(|display| mathml(display, true)).collect();
    Ok(written?.join("\n"))
}

/// The closed forms of the subject: those that were compiled, where no other ones are asked for.
fn compile(arguments: &Simplify, options: &Options) -> Result<Compiled, Error> {
    let values = values::given(&arguments.values)?;
    let others = options.strict
        || options.explain
        || options.bounds
        || !options.sensitivity.is_empty()
        || !options.expand.is_empty();
    let mut model = match read_subject(&arguments.input)? {
        Subject::Model(model) => *model,
        Subject::Compiled(compiled)
            if values.is_empty() && !others && arguments.rules.rules.is_none() =>
        {
            return compiled.restricted(options);
        }
        Subject::Compiled(compiled) => compiled.model()?.clone(),
    };
    for (name, value) in values {
        model.define(&name, &value)?;
    }
    model.compile_with(rule_base(&arguments.rules)?, options)
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
    declared.map(text).chain(assumed).collect()
}

fn equation(equation: &SimplifiedEquation) -> String {
    let formula = &equation.formula;
    let mut lines = Vec::new();
    let text = formula.text(Notation::Pamela, &equation.name);
    let conditions = match equation.formals.is_empty() {
        true => text.domain,
        false => formula.condition_texts(Notation::Pamela),
    };
    lines.extend(validity(&conditions, formula.rests_on()));
    let notes = formula.approximations().iter();
    lines.extend(notes.map(|note| format!("% note: {note}")));
    let open = formula.open_reductions();
    if open > 0 {
        lines.push(format!("% open reductions: {open}"));
    }
    if let (true, Some(reason)) = (open > 0, limit(equation.stop)) {
        lines.push(format!("% kept as written: {reason}, {FURTHER}"));
    }
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

/// Displays: what is given, then each equation with its conditions beside it and what is said of it below.
fn latex(model: &Model, simplified: &Simplified) -> String {
    let displays = simplified.equations.iter().map(latex_equation);
    let all: Vec<String> = latex_given(model.checked())
        .into_iter()
        .chain(displays)
        .collect();
    all.join("\n")
}

/// What is known of the parameters.
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
        ParameterFact::Law(_) => format!("{name} \\text{{ is random}}"),
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
    let mut notes: Vec<String> = equation.formula.approximations().to_vec();
    // What is assumed stands beside the formula.
    notes.retain(|note| !note.starts_with("assumes "));
    if open > 0 {
        notes.push(format!("open reductions: {open}"));
    }
    let note = |note: &String| format!("\\[ \\text{{note: {}}} \\]", latex_words(note));
    lines.extend(notes.iter().map(note));
    lines.extend(
        equation
            .regimes
            .iter()
            .flat_map(|r| r.latex(&equation.name)),
    );
    let derivation = equation.derivation.as_ref();
    lines.extend(derivation.into_iter().flat_map(|d| d.latex(&equation.name)));
    lines.join("\n")
}

/// `E[T]`, a derivative, or a plain name.
fn latex_quantity(equation: &SimplifiedEquation) -> String {
    match &equation.origin {
        Origin::Moment { moment, of } => latex_moment(moment.name(), &latex_name(of)),
        Origin::Derivative { of, by } => latex_derivative(of, by),
        Origin::Elasticity { of, by } => {
            let (whole, part) = (latex_name(of), latex_name(by));
            let slope = latex_derivative(of, by);
            format!("\\frac{{{part}}}{{{whole}}}\\,{slope}")
        }
        _ => latex_name(&equation.name),
    }
}

fn as_json(model: &Model, simplified: &Simplified) -> json::SimplifiedModel {
    let checked = model.checked();
    let parameter = |equation: &Equation| json::Parameter {
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
        errors: simplified
            .failures
            .iter()
            .flat_map(Error::reports)
            .collect(),
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
fn facts(equation: &Equation) -> Vec<String> {
    let name = &equation.name.text;
    let text = |fact: &ParameterFact| match fact {
        ParameterFact::Integer(_) => "integer".to_string(),
        ParameterFact::Law(_) => "law".to_string(),
        bound @ ParameterFact::Bound(..) => format!("{name} {bound}"),
    };
    equation.facts.iter().map(text).collect()
}

/// What helps where a limit was met.
const FURTHER: &str = "`--effort high` goes 16 times as far";

/// Which limit the search for a closed form has met.
fn limit(stop: Stop) -> Option<&'static str> {
    match stop {
        Stop::Saturated => None,
        Stop::IterationLimit => Some("the search was long"),
        Stop::NodeLimit => Some("the search grew too large"),
        Stop::ProofLimit => Some("too many proofs were tried"),
    }
}

fn report_open(simplified: &Simplified) {
    for equation in &simplified.equations {
        let open = equation.formula.open_reductions();
        if open > 0 {
            let plural = if open == 1 { "" } else { "s" };
            let reason = limit(equation.stop);
            let reason = reason.map_or(String::new(), |reason| format!("; {reason}, {FURTHER}"));
            output::note(&format!(
                "note: `{}` is not closed: {open} reduction{plural} left{reason}",
                equation.name
            ));
        }
    }
}
