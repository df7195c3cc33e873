//! Completion and the arguments of calls.

use lsp_types::{
    CompletionItem, CompletionItemKind, Documentation, InsertTextFormat, MarkupContent, MarkupKind,
    ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation,
};
use pamela::syntax::tree::{Equation, Type};
use pamela::syntax::{ItemKind, ItemPlace, Token, TokenKind, item_places};
use pamela::words::{self, Word};

use super::Client;
use super::hover::{head, of_word, word};
use super::outline::tokens_of;
use crate::analysis::Analysis;

/// The kind of word that fits at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// A new item.
    Item,
    /// The name of a definition, or a text.
    Nothing,
    Facts,
    Number,
    Process,
    Resource,
    /// An argument of a call.
    Argument,
}

pub(super) fn at(analysis: &Analysis, byte: usize, client: Client) -> Vec<CompletionItem> {
    if analysis.is_in_comment(byte) {
        return Vec::new();
    }
    let start = word_start(analysis, byte);
    let item = { item_places(analysis.text()) }
        .take_while(|own| own.start < start)
        .last();
    let expected = item.map_or(Expected::Item, |item| expected_at(analysis, item, start));
    let mut items = Vec::new();
    // A word that begins a line may begin an item.
    if expected == Expected::Item || begins_line(analysis, start) {
        items.extend(item_words(client));
    }
    match expected {
        Expected::Item | Expected::Nothing => {}
        Expected::Facts => {
            let facts = ["integer", "law", "increasing", "decreasing"];
            items.extend(facts.map(keyword));
        }
        Expected::Number | Expected::Process | Expected::Resource | Expected::Argument => {
            items.extend(names(analysis, expected));
            items.extend(
                item.into_iter()
                    .flat_map(|own| locals(analysis, own, start)),
            );
            items.extend(forms(expected, client));
        }
    }
    items
}

/// The start of the word that ends at a byte.
fn word_start(analysis: &Analysis, byte: usize) -> usize {
    let before = analysis.text().get(..byte).unwrap_or_default();
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    word.len()
}

fn begins_line(analysis: &Analysis, byte: usize) -> bool {
    let before = analysis.text().get(..byte).unwrap_or_default();
    before
        .rsplit('\n')
        .next()
        .is_some_and(|lead| lead.trim().is_empty())
}

/// A bracket that is open.
struct Level {
    expected: Expected,
    /// What comes behind the next comma.
    after_comma: Expected,
    /// What comes behind the next colon.
    after_colon: Expected,
}

impl Level {
    fn of(expected: Expected) -> Level {
        Level {
            expected,
            after_comma: expected,
            after_colon: expected,
        }
    }
}

/// The kind of word that fits at a byte of an item.
fn expected_at(analysis: &Analysis, item: ItemPlace, byte: usize) -> Expected {
    let text = analysis.text();
    let value = match item.kind {
        ItemKind::Numeric | ItemKind::Assume | ItemKind::Assert => Expected::Number,
        ItemKind::Process => Expected::Process,
        ItemKind::Resource => Expected::Resource,
        ItemKind::Stray => return Expected::Item,
        _ => return Expected::Nothing,
    };
    let begins = match item.kind {
        ItemKind::Assume | ItemKind::Assert => value,
        _ => Expected::Nothing,
    };
    let mut levels = vec![Level::of(begins)];
    let mut before: Option<Token> = None;
    for token in tokens_of(analysis, item).take_while(|token| token.end <= byte) {
        let word = before.map_or("", |own| own.text(text));
        let own = token.text(text);
        let depth = levels.len();
        match (token.kind, own) {
            (TokenKind::Open, sign) => {
                let outer = levels.last().map_or(value, |level| level.expected);
                levels.push(opened(
                    sign,
                    word,
                    before,
                    outer,
                    depth == 1 && outer == Expected::Nothing,
                ));
            }
            (TokenKind::Close, _) if depth > 1 => drop(levels.pop()),
            (_, "=") if depth == 1 => levels[0].expected = value,
            (_, ":") if depth == 1 && levels[0].expected == Expected::Nothing => {
                levels[0].expected = Expected::Facts;
            }
            (_, ",") => {
                if let Some(level) = levels.last_mut() {
                    level.expected = level.after_comma;
                }
            }
            (_, ":") => {
                if let Some(level) = levels.last_mut() {
                    level.expected = level.after_colon;
                }
            }
            _ => {}
        }
        before = Some(token);
    }
    levels.last().map_or(value, |level| level.expected)
}

/// The level that a bracket opens behind a word.
fn opened(sign: &str, word: &str, before: Option<Token>, outer: Expected, in_head: bool) -> Level {
    let is_call = before.is_some_and(|own| own.kind == TokenKind::Word);
    match (sign, word) {
        ("(", _) if in_head => Level::of(Expected::Nothing),
        ("(", "use") => Level {
            after_comma: Expected::Number,
            ..Level::of(Expected::Resource)
        },
        (
            "(",
            "delay" | "if" | "sum" | "prod" | "kth" | "seq" | "par" | "any" | "of" | "mod" | "div"
            | "else",
        ) => Level::of(Expected::Number),
        ("(", _) if is_call => {
            if word_sort(word) {
                Level::of(Expected::Number)
            } else {
                Level::of(Expected::Argument)
            }
        }
        ("{", "switch") => Level {
            after_comma: Expected::Number,
            after_colon: outer,
            ..Level::of(Expected::Number)
        },
        ("{", _) => Level::of(outer),
        _ => Level::of(Expected::Number),
    }
}

/// True for a predefined name whose arguments are numbers.
fn word_sort(name: &str) -> bool {
    use words::Sort::{Function, Law, Moment, Resource, Special};
    word(name).is_some_and(|word| {
        matches!(word.sort, Function | Law | Moment | Resource | Special) && word.name != "at"
    })
}

fn keyword(word: &str) -> CompletionItem {
    CompletionItem {
        label: word.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        ..CompletionItem::default()
    }
}

/// A completion that inserts a snippet; without snippets the label.
fn snippet(label: &str, kind: CompletionItemKind, text: String, client: Client) -> CompletionItem {
    let mut item = CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        ..CompletionItem::default()
    };
    if client.snippets {
        item.insert_text = Some(text);
        item.insert_text_format = Some(InsertTextFormat::SNIPPET);
    }
    item
}

fn item_words(client: Client) -> Vec<CompletionItem> {
    let kind = CompletionItemKind::KEYWORD;
    let forms = [
        ("numeric", "numeric ${1:name} = ${0}"),
        (
            "numeric parameter",
            "numeric parameter ${1:name} : ${0:>= 0}",
        ),
        ("process", "process ${1:main} = ${0}"),
        ("resource", "resource ${0:name}"),
        ("assume", "assume ${0}"),
        ("assert", "assert ${0}"),
        ("include", "include \"${0}\""),
        ("import", "import \"${1}\" as ${0:name}"),
        ("from", "from \"${1}\" import ${0:name}"),
        ("record", "record ${1:name} { ${0} }"),
        ("table", "table ${1:name} {\n    ${0}\n}"),
        ("unit", "unit [${0}]"),
    ];
    forms
        .map(|(word, text)| snippet(word, kind, text.to_owned(), client))
        .into()
}

/// Forms of the grammar and predefined names.
fn forms(expected: Expected, client: Client) -> Vec<CompletionItem> {
    let kind = CompletionItemKind::KEYWORD;
    let processes = [
        ("delay", "delay(${1:t})"),
        ("use", "use(${1:resource}, ${2:t})"),
        ("seq", "seq (${1:i} = 1, ${2:N}) ${0}"),
        ("par", "par (${1:p} = 1, ${2:P}) ${0}"),
        ("any", "any (${1:i} = 1, ${2:n}) ${0}"),
        ("if", "if (${1:condition}) ${2} else ${0}"),
        ("switch", "switch { ${1:condition}: ${2}, 1: ${0} }"),
        ("graph", "graph { ${1:task}: ${0} }"),
    ];
    let numbers = [
        ("sum", "sum (${1:i} = 1, ${2:N}) { ${0} }"),
        ("prod", "prod (${1:i} = 1, ${2:N}) { ${0} }"),
        ("kth", "kth (${1:k} of ${2:i} = 1, ${3:N}) { ${0} }"),
        ("if", "if (${1:condition}) ${2} else ${0}"),
        ("switch", "switch { ${1:condition}: ${2}, 1: ${0} }"),
    ];
    let made = |all: &[(&str, &str)]| {
        let all = all.iter();
        all.map(|(word, text)| snippet(word, kind, (*text).to_owned(), client))
            .collect::<Vec<_>>()
    };
    let functions = || words::WORDS.iter().map(|word| of_predefined(word, client));
    let resources = || {
        words::RESOURCES
            .iter()
            .map(|word| of_predefined(word, client))
    };
    match expected {
        Expected::Process => made(&processes),
        Expected::Number => made(&numbers).into_iter().chain(functions()).collect(),
        Expected::Resource => resources().collect(),
        Expected::Argument => {
            let numbers = made(&numbers).into_iter();
            numbers.chain(functions()).chain(resources()).collect()
        }
        Expected::Item | Expected::Nothing | Expected::Facts => Vec::new(),
    }
}

fn of_predefined(word: &Word, client: Client) -> CompletionItem {
    let least = *word.arguments.start();
    let formals = word.formals.iter().take(least.max(1)).enumerate();
    let formals = formals.map(|(number, name)| format!("${{{}:{name}}}", number + 1));
    let formals: Vec<String> = formals.collect();
    let text = format!("{}({})", word.name, formals.join(", "));
    CompletionItem {
        detail: Some(word.signature()),
        documentation: Some(markdown(of_word(word))),
        ..snippet(word.name, CompletionItemKind::FUNCTION, text, client)
    }
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    })
}

/// The names of the model that fit a place.
fn names(analysis: &Analysis, expected: Expected) -> Vec<CompletionItem> {
    let kinds: &[Type] = match expected {
        Expected::Number => &[Type::Numeric],
        Expected::Process => &[Type::Process],
        Expected::Resource => &[Type::Resource],
        _ => &[Type::Numeric, Type::Process, Type::Resource],
    };
    let item = |own: &Equation| CompletionItem {
        label: own.name.text.clone(),
        kind: Some(match own.kind {
            _ if own.parameter => CompletionItemKind::CONSTANT,
            Type::Numeric if own.formals.is_empty() => CompletionItemKind::VARIABLE,
            Type::Numeric => CompletionItemKind::FUNCTION,
            Type::Process => CompletionItemKind::METHOD,
            Type::Resource => CompletionItemKind::CLASS,
        }),
        detail: Some(head(own)),
        documentation: own.comment.clone().map(markdown),
        ..CompletionItem::default()
    };
    let own = analysis.draft.model.checked().equations().iter();
    let own = own.filter(|own| !own.auxiliary);
    let fitting = own.filter(|own| kinds.contains(&own.kind)).map(item);
    let mut all: Vec<CompletionItem> = fitting.collect();
    // Items that are wrong have names, too.
    for broken in analysis.draft.broken.iter().flat_map(|own| &own.names) {
        if broken.span.file == 0 && !all.iter().any(|item| item.label == broken.text) {
            all.push(CompletionItem {
                label: broken.text.clone(),
                kind: Some(CompletionItemKind::VARIABLE),
                ..CompletionItem::default()
            });
        }
    }
    all
}

/// Arguments and indices of an item before a byte.
fn locals(analysis: &Analysis, item: ItemPlace, byte: usize) -> Vec<CompletionItem> {
    let text = analysis.text();
    let tokens: Vec<Token> = tokens_of(analysis, item)
        .take_while(|own| own.end <= byte)
        .collect();
    let mut names: Vec<&str> = Vec::new();
    let mut depth = 0;
    let mut in_head = true;
    for (position, token) in tokens.iter().enumerate() {
        let own = token.text(text);
        let next = tokens.get(position + 1).map_or("", |next| next.text(text));
        let before = position
            .checked_sub(1)
            .map_or("", |at| tokens[at].text(text));
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            TokenKind::Symbol if own == "=" && depth == 0 => in_head = false,
            TokenKind::Word => {
                let is_formal = in_head && depth == 1 && matches!(before, "(" | ",");
                let is_index =
                    !in_head && matches!(next, "=" | "in") && matches!(before, "(" | "of" | ";");
                if (is_formal || is_index) && !names.contains(&own) {
                    names.push(own);
                }
            }
            _ => {}
        }
    }
    let items = names.into_iter().map(|name| CompletionItem {
        label: name.to_owned(),
        kind: Some(CompletionItemKind::VARIABLE),
        ..CompletionItem::default()
    });
    items.collect()
}

/// The signature of the call around a byte.
pub(super) fn signature(analysis: &Analysis, byte: usize) -> Option<SignatureHelp> {
    let text = analysis.text();
    let end = analysis.tokens.partition_point(|token| token.start < byte);
    // The brackets that are open, with the position of the token before and the commas inside.
    let mut open: Vec<(Option<usize>, u32)> = Vec::new();
    let item = { item_places(text) }
        .take_while(|own| own.start < byte)
        .last()?;
    let first = analysis
        .tokens
        .partition_point(|token| token.start < item.start);
    for position in first..end {
        let token = analysis.tokens[position];
        match token.kind {
            TokenKind::Open => open.push((position.checked_sub(1), 0)),
            TokenKind::Close if token.end <= byte => drop(open.pop()),
            TokenKind::Symbol if token.text(text) == "," => {
                if let Some((_, commas)) = open.last_mut() {
                    *commas += 1;
                }
            }
            _ => {}
        }
    }
    let (before, argument) = open.pop()?;
    let callee = analysis.tokens.get(before?)?;
    let name = callee.text(text);
    let equation = analysis.equation_named_at(callee.end);
    let (label, documentation, formals) = match equation {
        Some(own) if !own.formals.is_empty() => {
            let formals: Vec<String> = own.formals.iter().map(|own| own.text.clone()).collect();
            let label = format!("{name}({})", formals.join(", "));
            (label, own.comment.clone(), formals)
        }
        _ => {
            let word = word(name)?;
            let formals = word.formals.iter().map(|own| (*own).to_owned()).collect();
            (word.signature(), Some(word.says.to_owned()), formals)
        }
    };
    let last = formals.len().saturating_sub(1) as u32;
    let parameters = formals.into_iter().map(|formal| ParameterInformation {
        label: ParameterLabel::Simple(formal),
        documentation: None,
    });
    Some(SignatureHelp {
        signatures: vec![SignatureInformation {
            label,
            documentation: documentation.map(Documentation::String),
            parameters: Some(parameters.collect()),
            active_parameter: Some(argument.min(last)),
        }],
        active_signature: Some(0),
        active_parameter: Some(argument.min(last)),
    })
}
