//! Hover: a description of the name at the cursor.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use pamela::formula::Notation;
use pamela::model::Target;
use pamela::pipeline::SimplifiedEquation;
use pamela::syntax::TokenKind;
use pamela::syntax::tree::{Equation, ParameterFact, Type};
use pamela::words::{self, Sort, Word};

use super::lenses::results;
use crate::analysis::Analysis;

pub(super) fn at(analysis: &Analysis, byte: usize) -> Option<Hover> {
    let (name, span) = analysis.name_at(byte)?;
    let text = match analysis.use_at(byte).map(|own| own.target) {
        Some(Target::Equation(definition)) => {
            of_equation(analysis, definition_of(analysis, definition)?)
        }
        Some(Target::Predefined) => of_word(word(name)?),
        Some(Target::Formal(_)) => "argument".to_owned(),
        Some(Target::Task(_)) => "task of a graph".to_owned(),
        Some(Target::Index(definition)) => {
            let range = range_of_index(analysis, definition.end as usize);
            format!(
                "index{}",
                range.map_or(String::new(), |range| format!("\n\n{}", fenced(&range)))
            )
        }
        None => of_word(word(name)?),
    };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        }),
        range: Some(analysis.lines.range_of(analysis.text(), span)),
    })
}

/// The predefined name, resources included.
pub(super) fn word(name: &str) -> Option<&'static Word> {
    let resource = words::RESOURCES.iter().find(|word| word.name == name);
    words::find(name).or(resource)
}

fn definition_of(analysis: &Analysis, definition: pamela::diagnostic::Span) -> Option<&Equation> {
    analysis.equation_at(definition)
}

fn fenced(code: &str) -> String {
    format!("```pamela\n{code}\n```")
}

pub(super) fn of_word(word: &Word) -> String {
    let kind = match word.sort {
        Sort::Function | Sort::Special => "function",
        Sort::Moment => "number of a law",
        Sort::Measure => "number of a process",
        Sort::Law => "law",
        Sort::Resource => "resource",
    };
    let (signature, says, example) = (word.signature(), word.says, word.example);
    format!(
        "{}\n\n{kind}: {says}\n\nExample: `{example}`",
        fenced(&signature)
    )
}

/// `numeric parameter P : integer >= 1`
pub(super) fn head(equation: &Equation) -> String {
    let mut head = Equation {
        value: None,
        ..equation.clone()
    };
    head.defaults = equation.defaults.clone();
    head.to_string()
}

fn of_equation(analysis: &Analysis, equation: &Equation) -> String {
    let mut parts = vec![fenced(&head(equation))];
    if let Some(comment) = &equation.comment {
        parts.push(comment.clone());
    }
    let kind = match equation.kind {
        _ if equation.parameter => "parameter",
        Type::Numeric if equation.formals.is_empty() => "number",
        Type::Numeric => "function",
        Type::Process => "process",
        Type::Resource => "resource",
    };
    let facts = equation.facts.iter().filter_map(|fact| match fact {
        ParameterFact::Row(table) => Some(format!("a row of `{table}`")),
        _ => None,
    });
    parts.extend(std::iter::once(kind.to_owned()).chain(facts));
    if equation.parameter {
        let needed = needed_facts(analysis, &equation.name.text);
        if !needed.is_empty() {
            parts.push(format!("needed by closed forms: `{}`", needed.join("`, `")));
        }
    }
    parts.extend(results(analysis, equation).map(of_result));
    parts.join("\n\n")
}

/// The conditions of closed forms that mention a parameter.
pub(super) fn needed_facts(analysis: &Analysis, parameter: &str) -> Vec<String> {
    let forms = analysis.forms.as_deref().into_iter();
    let shown = forms.flat_map(|forms| forms.shown());
    let conditions = shown.flat_map(|own| own.formula.condition_texts(Notation::Pamela));
    let mentions = |condition: &String| {
        let mut words = pamela::syntax::words_of(condition);
        words.any(|word| word == parameter)
    };
    let mut found: Vec<String> = conditions.filter(mentions).collect();
    found.sort();
    found.dedup();
    found
}

fn of_result(result: &SimplifiedEquation) -> String {
    let mut text = fenced(&format!("{} = {}", result.name, result.formula.pamela()));
    let conditions = result.formula.condition_texts(Notation::Pamela);
    if !conditions.is_empty() {
        text.push_str(&format!("\n\nwhere `{}`", conditions.join("`, `")));
    }
    if result.origin.process().is_some() {
        text.push_str(&format!("\n\n{}", result.standing.words()));
    }
    for note in result.formula.notes() {
        text.push_str(&format!("\n\n{note}"));
    }
    if let Some(cut) = result.cut_short() {
        text.push_str(&format!("\n\n{cut}"));
    }
    text
}

/// The text of the range of an index, from its name to the bracket.
fn range_of_index(analysis: &Analysis, end: usize) -> Option<String> {
    let first = analysis.tokens.partition_point(|token| token.end < end);
    let start = analysis.tokens.get(first)?.start;
    let mut depth = 0_usize;
    for token in &analysis.tokens[first..] {
        let text = token.text(analysis.text());
        let ends = depth == 0 && (token.kind == TokenKind::Close || text == ";");
        if ends {
            return analysis
                .text()
                .get(start..token.start)
                .map(|own| own.trim_end().to_owned());
        }
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            _ => {}
        }
    }
    None
}
