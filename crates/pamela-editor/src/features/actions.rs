//! Changes that the editor offers.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, Range, TextEdit, Uri, WorkspaceEdit};
use pamela::diagnostic::{Cause, Diagnostic, Span};
use pamela::syntax::tree::{Equation, Expr, ExprKind, ParameterFact, Relation, Type, Value};
use pamela::syntax::{item_places, parse_expression};

use super::diagnostics::converted;
use super::hover::needed_facts;
use super::lenses::results;
use crate::analysis::Analysis;

pub(super) fn all(analysis: &Analysis, range: Range) -> Vec<CodeAction> {
    let bytes = analysis.lines.bytes(analysis.text(), range);
    let touches = |span: Span| {
        span.file == 0 && span.start as usize <= bytes.end && bytes.start <= span.end as usize
    };
    let mut actions = Vec::new();
    for own in &analysis.draft.diagnostics {
        let place = own.labels.first().map(|(span, _)| *span);
        if let Some(span) = place.filter(|span| touches(*span)) {
            actions.extend(corrected(analysis, own));
            actions.extend(declared(analysis, own, span));
        }
    }
    let equations = analysis.draft.model.checked().equations().iter();
    for equation in equations.filter(|own| touches(own.span)) {
        actions.extend(with_facts(analysis, equation));
        actions.extend(by_closed_form(analysis, equation));
    }
    actions
}

fn action(
    analysis: &Analysis,
    title: String,
    kind: CodeActionKind,
    edits: Vec<TextEdit>,
) -> CodeAction {
    #[expect(
        clippy::mutable_key_type,
        reason = "the protocol has identifiers as keys"
    )]
    let changes: HashMap<Uri, Vec<TextEdit>> = [(analysis.document.uri.clone(), edits)].into();
    CodeAction {
        title,
        kind: Some(kind),
        edit: Some(WorkspaceEdit::new(changes)),
        ..CodeAction::default()
    }
}

/// The change that follows the advice of a diagnostic.
fn corrected(analysis: &Analysis, own: &Diagnostic) -> Option<CodeAction> {
    let are_here = own.edits.iter().all(|edit| edit.span.file == 0);
    if own.edits.is_empty() || !are_here {
        return None;
    }
    let text = analysis.text();
    let edits = own.edits.iter().map(|edit| TextEdit {
        range: analysis.lines.range_of(text, edit.span),
        new_text: edit.text.clone(),
    });
    let title = match &own.edits[..] {
        [edit] if edit.text.is_empty() => "remove it".to_owned(),
        [edit] if edit.span.start == edit.span.end => format!("insert `{}`", edit.text),
        [edit] => format!("change to `{}`", edit.text),
        _ => "correct it".to_owned(),
    };
    let edits = edits.collect();
    let mut action = action(analysis, title, CodeActionKind::QUICKFIX, edits);
    action.diagnostics = Some(vec![converted(analysis, own)]);
    action.is_preferred = Some(true);
    Some(action)
}

/// Declares an unknown name as a parameter, before the item that mentions it.
fn declared(analysis: &Analysis, own: &Diagnostic, span: Span) -> Option<CodeAction> {
    let text = analysis.text();
    let name = text.get(span.start as usize..span.end as usize)?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if own.cause != Cause::Undeclared || !is_name {
        return None;
    }
    let byte = span.start as usize;
    let item = { item_places(text) }.find(|place| place.start <= byte && byte <= place.end)?;
    let line = text.get(..item.start)?.rfind('\n').map_or(0, |end| end + 1);
    let edit = TextEdit {
        range: analysis.lines.range(text, line..line),
        new_text: format!("numeric parameter {name}\n"),
    };
    let title = format!("declare `{name}` as a parameter");
    let mut action = action(analysis, title, CodeActionKind::QUICKFIX, vec![edit]);
    action.diagnostics = Some(vec![converted(analysis, own)]);
    Some(action)
}

/// Writes the facts that closed forms need behind the name of a parameter.
fn with_facts(analysis: &Analysis, equation: &Equation) -> Option<CodeAction> {
    if !equation.parameter || equation.kind != Type::Numeric {
        return None;
    }
    let name = &equation.name.text;
    let needed = needed_facts(analysis, name);
    let facts: Vec<String> = needed
        .iter()
        .filter_map(|text| fact_about(name, text))
        .collect();
    if facts.is_empty() {
        return None;
    }
    // `integer` stands first.
    let (whole, bounds): (Vec<String>, Vec<String>) =
        facts.into_iter().partition(|fact| fact == "integer");
    let facts = [whole, bounds].concat().join(" ");
    let last = equation.facts.iter().map(end_of_fact).max();
    let end = last.unwrap_or(equation.name.span.end) as usize;
    let sign = if last.is_some() { "" } else { " :" };
    let edit = TextEdit {
        range: analysis.lines.range(analysis.text(), end..end),
        new_text: format!("{sign} {facts}"),
    };
    let title = format!("state what closed forms need: `{name} : {facts}`");
    let kind = CodeActionKind::REFACTOR_REWRITE;
    Some(action(analysis, title, kind, vec![edit]))
}

/// The fact that a condition states of a parameter, if it compares it with a number.
fn fact_about(parameter: &str, condition: &str) -> Option<String> {
    let (condition, _) = parse_expression("condition", condition).ok()?;
    let is_own = |own: &Expr| matches!(&own.kind, ExprKind::Name(name) if name == parameter);
    let is_number = |own: &Expr| match &own.kind {
        ExprKind::Number(_) => true,
        ExprKind::Negate(inner) => matches!(inner.kind, ExprKind::Number(_)),
        _ => false,
    };
    match &condition.kind {
        ExprKind::Call(name, arguments) if name.text == "integer" => {
            let [argument] = &arguments[..] else {
                return None;
            };
            is_own(argument).then(|| "integer".to_owned())
        }
        ExprKind::Compare(relation, left, right) if is_own(left) && is_number(right) => {
            let is_bound = matches!(
                relation,
                Relation::Less | Relation::LessEqual | Relation::Greater | Relation::GreaterEqual
            );
            is_bound.then(|| format!("{relation} {right}"))
        }
        _ => None,
    }
}

fn end_of_fact(fact: &ParameterFact) -> u32 {
    match fact {
        ParameterFact::Integer(span) | ParameterFact::Law(span) => span.end,
        ParameterFact::Bound(_, bound) => bound.span.end,
        ParameterFact::Unknown(own) | ParameterFact::Arrivals(own) => own.span.end,
        ParameterFact::Unit(unit) => unit.span.end,
        ParameterFact::Row(name) => name.span.end,
        ParameterFact::Monotone(own) => own.span.end,
    }
}

/// Replaces the value of a number by its closed form, if that holds without conditions.
fn by_closed_form(analysis: &Analysis, equation: &Equation) -> Option<CodeAction> {
    let Some(Value::Numeric(value)) = &equation.value else {
        return None;
    };
    let result = results(analysis, equation).find(|own| own.name == equation.name.text)?;
    let closed = result.formula.pamela();
    let text = analysis.text();
    let written = text.get(value.span.start as usize..value.span.end as usize)?;
    let is_open = result.formula.open_reductions() > 0;
    let has_conditions = !result.formula.conditions().is_empty();
    if is_open || has_conditions || closed == written || equation.parameter {
        return None;
    }
    let edit = TextEdit {
        range: analysis.lines.range_of(text, value.span),
        new_text: closed,
    };
    let title = format!("replace `{}` by its closed form", equation.name.text);
    let kind = CodeActionKind::REFACTOR_INLINE;
    Some(action(analysis, title, kind, vec![edit]))
}
