//! Roles of names, which a grammar cannot know.

use lsp_types::{SemanticToken, SemanticTokens};
use pamela::model::Target;
use pamela::syntax::tree::Type;
use pamela::words::Sort;
use serde_json::{Value, json};

use super::hover::word;
use crate::analysis::Analysis;

const VARIABLE: u32 = 0;
const PARAMETER: u32 = 1;
const PROPERTY: u32 = 2;
const FUNCTION: u32 = 3;
const METHOD: u32 = 4;
const CLASS: u32 = 5;
const EVENT: u32 = 6;
const TYPE: u32 = 7;

/// Modifiers, as bits.
const DEFINITION: u32 = 1;
const READONLY: u32 = 2;
const PREDEFINED: u32 = 4;

/// Types and modifiers, in the order of the numbers above.
pub(super) fn legend() -> Value {
    json!({
        "tokenTypes": [
            "variable", "parameter", "property", "function", "method", "class", "event", "type"
        ],
        "tokenModifiers": ["definition", "readonly", "defaultLibrary"],
    })
}

pub(super) fn tokens(analysis: &Analysis) -> SemanticTokens {
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    for own in analysis.draft.uses.iter().filter(|own| own.span.file == 0) {
        let name = analysis
            .text()
            .get(own.span.start as usize..own.span.end as usize);
        let (token_type, mut modifiers) = match own.target {
            Target::Index(_) => (VARIABLE, 0),
            Target::Formal(_) => (PARAMETER, 0),
            Target::Task(_) => (EVENT, 0),
            Target::Predefined => match name.and_then(word).map(|word| word.sort) {
                Some(Sort::Law) => (TYPE, PREDEFINED),
                Some(Sort::Resource) => (CLASS, PREDEFINED),
                _ => (FUNCTION, PREDEFINED),
            },
            Target::Equation(definition) => match analysis.equation_at(definition) {
                Some(equation) => match equation.kind {
                    _ if equation.parameter => (PROPERTY, READONLY),
                    Type::Process => (METHOD, 0),
                    Type::Resource => (CLASS, 0),
                    Type::Numeric if equation.formals.is_empty() => (VARIABLE, READONLY),
                    Type::Numeric => (FUNCTION, 0),
                },
                None => continue,
            },
        };
        if own.target.definition() == Some(own.span) {
            modifiers |= DEFINITION;
        }
        let range = analysis.lines.range_of(analysis.text(), own.span);
        let start = range.start;
        if start.line != line {
            column = 0;
        }
        data.push(SemanticToken {
            delta_line: start.line - line,
            delta_start: start.character - column,
            length: range.end.character.saturating_sub(start.character),
            token_type,
            token_modifiers_bitset: modifiers,
        });
        (line, column) = (start.line, start.character);
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}
