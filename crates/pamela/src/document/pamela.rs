//! Writes a simplified model as a model of numeric equations, which can be read back.

use std::collections::BTreeSet;

use super::lines;
use crate::diagnostic::one_line;
use crate::expr::Sort;
use crate::formula::Notation;
use crate::model::{self, walk};
use crate::pipeline::{Model, Simplified, SimplifiedEquation};
use crate::syntax::tree::{Equation, ParameterFact, Type};
use crate::timing::{Application, Origin};

/// Writes the parameters with their facts, then the closed forms, as a model.
pub fn pamela(model: &Model, simplified: &Simplified) -> String {
    let mut paragraphs = Vec::new();
    let declarations = declarations(model.checked(), simplified);
    if !declarations.is_empty() {
        paragraphs.push(declarations.join("\n"));
    }
    // Equations that others mention come first.
    let (kept, others): (Vec<_>, Vec<_>) = simplified
        .shown()
        .partition(|own| own.kept && !own.formals.is_empty());
    // With kept names, the reader needs their definitions.
    let has_names = simplified.equations.iter().any(|own| own.kept) || model.checked().is_linked();
    let all = kept.into_iter().chain(others);
    paragraphs.extend(all.map(|own| equation(model, simplified, own)).map(|text| {
        if has_names {
            lines::broken_all(&text)
        } else {
            text
        }
    }));
    let text = paragraphs.join("\n\n");
    match declared_units(model.checked(), &text) {
        none if none.is_empty() => text,
        units => format!("{units}{text}"),
    }
}

/// The declarations of the units that a text names in brackets, each with the end of its line.
fn declared_units(model: &model::Model, text: &str) -> String {
    let declared = model.units().declared();
    if declared.is_empty() {
        return String::new();
    }
    let brackets = text
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'));
    let words =
        brackets.flat_map(|(unit, _)| unit.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let words: Vec<&str> = words.collect();
    // A prefix may stand before it.
    let used = |name: &str| words.iter().any(|word| word.ends_with(name));
    let used = declared.iter().filter(|unit| used(&unit.name.text));
    used.map(|unit| format!("{unit}\n")).collect()
}

/// Parameters and resources, what is assumed, and the functions that these speak of.
fn declarations(model: &model::Model, simplified: &Simplified) -> Vec<String> {
    let declared = model.equations().iter().filter(|equation| {
        model.is_resource_array(&equation.name.text)
            || (equation.kind == Type::Numeric
                && equation.parameter
                && !model.labels().is_factor(&equation.name.text))
    });
    let declared: Vec<&Equation> = declared.collect();
    let assumed = model.assumptions().iter();
    let spoken_of = spoken_of(model, simplified, &declared);
    let texts: Vec<(String, Option<&str>)> = declared
        .iter()
        .map(|equation| (equation.to_string(), equation.comment.as_deref()))
        .collect();
    let others = spoken_of.iter().map(|equation| equation.to_string());
    let assumed = assumed.map(|relation| format!("assume {relation}"));
    beside(&texts)
        .into_iter()
        .chain(others)
        .chain(assumed)
        .collect()
}

/// The equations that declarations and assumptions speak of, directly or not, and that are not printed as results: what is
/// printed has to be read back.
fn spoken_of<'m>(
    model: &'m model::Model,
    simplified: &Simplified,
    declared: &[&'m Equation],
) -> Vec<&'m Equation> {
    let shown: BTreeSet<&str> = simplified.shown().map(|own| own.name.as_str()).collect();
    let mut pending = Vec::new();
    let mut add = |name: &str| pending.extend(model.position(name));
    for equation in declared {
        add(&equation.name.text);
        for fact in &equation.facts {
            let spoken = match fact {
                ParameterFact::Bound(_, bound) => bound,
                ParameterFact::Unknown(law) => &**law,
                _ => continue,
            };
            walk::free_names_of(spoken, &[], &mut |name, _| add(name));
        }
    }
    for relation in model.assumptions() {
        walk::free_names_of(relation, &[], &mut |name, _| add(name));
    }
    let mut found = BTreeSet::new();
    while let Some(position) = pending.pop() {
        let own = &model.equations()[position];
        let is_printed = own.kind == Type::Process || shown.contains(own.name.text.as_str());
        if !is_printed && found.insert(position) {
            pending.extend(model.mentions(position));
        }
    }
    let found = found
        .into_iter()
        .map(|position| &model.equations()[position]);
    found
        .filter(|own| own.kind == Type::Numeric && !own.parameter)
        .collect()
}

/// Words of a model as a comment.
fn comment(words: &str) -> String {
    format!("% {}", one_line(words))
}

/// Declarations with their comments beside them, one below the other.
fn beside(declared: &[(String, Option<&str>)]) -> Vec<String> {
    let commented = declared.iter().filter(|(_, comment)| comment.is_some());
    let lengths = commented.map(|(text, _)| text.chars().count());
    let width = lengths.max().unwrap_or(0);
    let line = |(text, words): &(String, Option<&str>)| match words {
        Some(words) => format!("{text:width$}  {}", comment(words)),
        None => text.clone(),
    };
    declared.iter().map(line).collect()
}

fn equation(model: &Model, simplified: &Simplified, equation: &SimplifiedEquation) -> String {
    let formula = &equation.formula;
    let mut lines: Vec<String> = enclosing(simplified, equation).into_iter().collect();
    let own = model
        .checked()
        .lookup(&equation.name)
        .filter(|_| equation.kept);
    if let Some(written) = own.and_then(|own| model.checked().as_written(own)) {
        // It says itself where it has a value.
        return format!("{} = {written}", head(model, equation));
    }
    let text = formula.text(Notation::Pamela, &equation.name);
    let conditions = if equation.formals.is_empty() {
        text.domain
    } else {
        formula.condition_texts(Notation::Pamela)
    };
    let define = |(name, expression): &(String, String)| format!("numeric {name} = {expression}");
    let mut definitions: Vec<String> = text.definitions.iter().map(define).collect();
    if text.is_named_in_domain && equation.formals.is_empty() {
        lines.append(&mut definitions);
    }
    lines.extend(validity(&conditions, formula.rests_on()));
    lines.extend(
        equation
            .told_proof()
            .map(|proof| comment(&proof.to_string())),
    );
    let standing = equation
        .standing
        .line(&equation.origin, formula.approximations());
    lines.extend(standing.map(comment));
    let notes = formula.notes().into_iter();
    lines.extend(notes.map(|note| comment(&format!("note: {note}"))));
    let open = formula.open_reductions();
    if open > 0 {
        lines.push(format!("% open reductions: {open}"));
    }
    let cuts = equation.budget_notes().into_iter();
    lines.extend(cuts.map(|cut| format!("% note: {cut}")));
    if !equation.formals.is_empty() {
        let own = format!("{} = {}", head(model, equation), formula.pamela());
        lines.push(own);
        return lines.join("\n");
    }
    lines.extend(definitions);
    lines.push(format!("{} = {}", head(model, equation), text.expression));
    if let Some(regimes) = &equation.regimes {
        lines.push("% regimes".to_string());
        lines.extend(regimes.lines().iter().map(|line| format!("%   {line}")));
    }
    if let (Some(_), Some(proof)) = (&equation.derivation, equation.told_proof()) {
        let told = proof.applications.iter().flat_map(Application::lines);
        lines.extend(told.map(|line| format!("% {line}")));
    }
    let derivation = equation.derivation.as_ref();
    lines.extend(
        derivation
            .into_iter()
            .flat_map(|d| d.comment(&equation.name)),
    );
    lines.join("\n")
}

/// The comment above the first of two bounds that enclose the time of a process.
fn enclosing(simplified: &Simplified, equation: &SimplifiedEquation) -> Option<String> {
    let Origin::Lower(process) = &equation.origin else {
        return None;
    };
    let [lower, upper, estimate] = simplified.enclosure_of(process)?;
    let lies = match estimate.sort {
        Sort::Law => "the mean time of a run is",
        _ => "a run takes",
    };
    let text = format!(
        "{lies} between {} and {}; {} is the papers' estimate",
        lower.name, upper.name, estimate.name
    );
    Some(comment(&text))
}

/// The text before the form: the name with its arguments and declared facts.
fn head(model: &Model, equation: &SimplifiedEquation) -> String {
    let mut head = "numeric ".to_owned();
    if equation.kept {
        head.push_str("kept ");
    }
    head.push_str(&equation.name);
    let is_own = equation.origin == Origin::Equation || equation.kept;
    let own = model.checked().lookup(&equation.name).filter(|_| is_own);
    if !equation.formals.is_empty() {
        let place = |place: usize| own?.formals.get(place).map(|formal| formal.text.as_str());
        let unit = |name: &str| own?.formal_units.iter().find(|(formal, _)| formal == name);
        let formals = equation.formals.iter().enumerate();
        let formals = formals.map(|(number, formal)| match place(number).and_then(unit) {
            Some((_, unit)) => format!("{formal} : {unit}"),
            None => formal.clone(),
        });
        head.push_str(&format!("({})", formals.collect::<Vec<_>>().join(", ")));
    }
    let facts = own
        .into_iter()
        .flat_map(|own| &own.facts)
        .filter(|fact| equation.kept || matches!(fact, ParameterFact::Unit(_)));
    let facts: Vec<String> = facts.map(ToString::to_string).collect();
    if !facts.is_empty() {
        head.push_str(&format!(" : {}", facts.join(" ")));
    }
    head
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
