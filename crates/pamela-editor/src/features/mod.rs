//! The answers to requests of the editor.

mod actions;
mod completion;
pub(crate) mod diagnostics;
mod hints;
mod hover;
mod lenses;
mod navigation;
mod outline;
mod place;
mod rename;
mod semantic;

use lsp_types::ClientCapabilities;
use pamela::layout::{format, format_range};
use serde_json::{Value, json};

use crate::analysis::Analysis;
use crate::documents::OpenFiles;
use crate::positions::Encoding;

/// What the editor can do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Client {
    pub(crate) snippets: bool,
    pub(crate) refreshes_lenses: bool,
    /// Values behind equations; the user asks for them.
    pub(crate) wants_values: bool,
}

impl Client {
    pub(crate) fn of(capabilities: &ClientCapabilities, options: Option<&Value>) -> Client {
        let document = capabilities.text_document.as_ref();
        let completion = document.and_then(|own| own.completion.as_ref());
        let item = completion.and_then(|own| own.completion_item.as_ref());
        let workspace = capabilities.workspace.as_ref();
        let lenses = workspace.and_then(|own| own.code_lens.as_ref());
        Client {
            snippets: item.and_then(|own| own.snippet_support).unwrap_or(false),
            refreshes_lenses: lenses.and_then(|own| own.refresh_support).unwrap_or(false),
            wants_values: options.and_then(|own| own.get("values")) == Some(&Value::Bool(true)),
        }
    }
}

/// What the server can do.
pub(crate) fn capabilities(encoding: Encoding) -> Value {
    json!({
        "positionEncoding": encoding.kind(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": true },
        "codeLensProvider": {},
        "hoverProvider": true,
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": [] },
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "codeActionProvider": { "codeActionKinds": ["quickfix", "refactor.inline", "refactor.rewrite"] },
        "inlayHintProvider": true,
        "documentSymbolProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "semanticTokensProvider": { "legend": semantic::legend(), "full": true },
    })
}

/// An answer, or why there is none.
pub(crate) type Answer = Result<Value, String>;

/// The answer to a request about a document; `None` for a method that is not known.
pub(crate) fn answer(
    analysis: &Analysis,
    method: &str,
    params: &Value,
    client: Client,
) -> Option<Answer> {
    let byte = byte(analysis, params);
    Some(match method {
        "textDocument/codeLens" => value(lenses::all(analysis)),
        "textDocument/hover" => value(hover::at(analysis, byte)),
        "textDocument/formatting" => value(formatted(analysis)),
        "textDocument/rangeFormatting" => {
            range(params).and_then(|own| value(formatted_range(analysis, own)))
        }
        "textDocument/definition" => value(navigation::definition(analysis, byte)),
        "textDocument/references" => value(navigation::references(analysis, byte, params)),
        "textDocument/documentHighlight" => value(navigation::highlights(analysis, byte)),
        "textDocument/prepareRename" => rename::prepare(analysis, byte).and_then(value),
        "textDocument/completion" => value(completion::at(analysis, byte, client)),
        "textDocument/signatureHelp" => value(completion::signature(analysis, byte)),
        "textDocument/codeAction" => {
            range(params).and_then(|own| value(actions::all(analysis, own)))
        }
        "textDocument/inlayHint" => value(hints::all(analysis, client.wants_values)),
        "textDocument/documentSymbol" => value(outline::symbols(analysis)),
        "textDocument/foldingRange" => value(outline::folding(analysis)),
        "textDocument/selectionRange" => value(outline::selections(analysis, params)),
        "textDocument/semanticTokens/full" => value(semantic::tokens(analysis)),
        _ => return None,
    })
}

/// The changes that rename what stands at the position of a request.
pub(crate) fn rename(analysis: &Analysis, files: &OpenFiles, params: &Value) -> Answer {
    let new_name = params.get("newName").and_then(Value::as_str);
    rename::rename(
        analysis,
        files,
        byte(analysis, params),
        new_name.unwrap_or_default(),
    )
}

/// The byte of the position of a request.
fn byte(analysis: &Analysis, params: &Value) -> usize {
    let position = params.get("position").cloned().unwrap_or_default();
    let position = serde_json::from_value(position).unwrap_or_default();
    analysis.lines.byte(analysis.text(), position)
}

fn value(answer: impl serde::Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| error.to_string())
}

/// The range of a request.
fn range(params: &Value) -> Result<lsp_types::Range, String> {
    let own = params.get("range").cloned().unwrap_or_default();
    serde_json::from_value(own).map_err(|error| error.to_string())
}

/// The edit that lays out a document, if there is one.
fn formatted(analysis: &Analysis) -> Vec<lsp_types::TextEdit> {
    let text = analysis.text();
    let laid_out = format(text);
    if laid_out == text {
        Vec::new()
    } else {
        vec![lsp_types::TextEdit {
            range: analysis.lines.range(text, 0..text.len()),
            new_text: laid_out,
        }]
    }
}

/// The edit that lays out the items in a range.
fn formatted_range(analysis: &Analysis, range: lsp_types::Range) -> Vec<lsp_types::TextEdit> {
    let text = analysis.text();
    let bytes = analysis.lines.bytes(text, range);
    let edit = format_range(text, bytes).map(|(bytes, new_text)| lsp_types::TextEdit {
        range: analysis.lines.range(text, bytes),
        new_text,
    });
    edit.into_iter().collect()
}
