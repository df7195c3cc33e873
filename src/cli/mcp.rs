//! `pamela mcp`: models for assistants, by the Model Context Protocol.
//!
//! Each message is one line of JSON. Every tool only reads; it cannot open files.

use std::io::{BufRead, Read};

use clap::{Args, Command};
use serde_json::{Map, Value, json};

#[cfg(feature = "plot")]
use super::plot;
use super::shared::Input;
use super::{Outcome, evaluate, output, sweep};
use crate::diagnostic::{Error, Severity};
use crate::document;
use crate::effort::Effort;
use crate::layout;
use crate::pipeline::{Model, Options};
use crate::syntax::NoFiles;

pub const EXAMPLES: &str = "\
Examples:
  claude mcp add pamela -- pamela mcp           an assistant starts this command and speaks to it";

pub const NOTES: &str = "\
The server speaks the Model Context Protocol on standard input and output. Its tools check models, find closed forms, \
evaluate at points and over grids, draw, lay out models, and show the reference of the language. They open no files.";

#[derive(Debug, Args)]
pub struct Arguments {}

/// Versions of the protocol, newest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];
/// Bytes of a message, and of a model in it.
const MAX_MESSAGE: u64 = 4 << 20;
const MAX_MODEL: usize = 1 << 20;
/// Rows of a table.
const MAX_ROWS: u64 = 1000;
/// Characters of an answer.
const MAX_ANSWER: usize = 50_000;

const LANGUAGE: &str = include_str!("../../docs/reference/language.md");

const METHOD_NOT_FOUND: i64 = -32601;
const NOT_JSON: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;

pub fn run(_arguments: &Arguments) -> Result<Outcome, Error> {
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = input
            .by_ref()
            .take(MAX_MESSAGE)
            .read_until(b'\n', &mut line);
        let read = read.map_err(|error| Error::new(format!("cannot read: {error}")))?;
        if read == 0 {
            return Ok(Outcome::Done);
        }
        if !line.ends_with(b"\n") && read as u64 == MAX_MESSAGE {
            return Err(Error::new(format!(
                "a message is longer than {} MiB",
                MAX_MESSAGE >> 20
            )));
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = match serde_json::from_slice(&line) {
            Ok(message) => answer(&message),
            Err(error) => Some(failed(&Value::Null, NOT_JSON, &error.to_string())),
        };
        if let Some(answer) = answer {
            output::line(&answer.to_string())?;
        }
    }
}

fn failed(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// The answer to a message; notifications have none.
fn answer(message: &Value) -> Option<Value> {
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        let is_response = message.get("result").is_some() || message.get("error").is_some();
        return (!is_response).then(|| failed(&Value::Null, INVALID_REQUEST, "no method"));
    };
    let id = message.get("id")?;
    let empty = Value::Null;
    let params = message.get("params").unwrap_or(&empty);
    let result = match method {
        "initialize" => introduction(params),
        "ping" => json!({}),
        "tools/list" => json!({ "tools": tools() }),
        "tools/call" => match called(params) {
            Some(result) => result,
            None => return Some(failed(id, INVALID_PARAMS, "no tool of this name")),
        },
        _ => {
            let message = format!("no method `{method}`");
            return Some(failed(id, METHOD_NOT_FOUND, &message));
        }
    };
    Some(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn introduction(params: &Value) -> Value {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let known = VERSIONS.into_iter().find(|version| Some(*version) == asked);
    json!({
        "protocolVersion": known.unwrap_or(VERSIONS[0]),
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "pamela", "version": env!("CARGO_PKG_VERSION") },
        "instructions": "Performance models of parallel programs. Read `language` before you write a model.",
    })
}

fn tools() -> Value {
    let text = |says: &str| json!({ "type": "string", "description": says });
    let truth = |says: &str| json!({ "type": "boolean", "description": says });
    let model = text("the text of a model in the language of pamela");
    let effort = json!({ "type": "string", "enum": ["low", "normal", "high"], "description": "limit of the search" });
    let only = json!({ "type": "array", "items": { "type": "string" }, "description": "names of results, such as T_main" });
    let grid = json!({
        "type": "object",
        "description": "values of each parameter: 16, \"1:64\", \"1,2,4\" or \"2^(0:10)\"",
    });
    let tool = |name: &str, says: &str, properties: Value, required: &[&str]| {
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        let hints = json!({ "readOnlyHint": true, "openWorldHint": false });
        json!({ "name": name, "description": says, "inputSchema": schema, "annotations": hints })
    };
    Value::Array(vec![
        tool(
            "check",
            "Find all errors in a model",
            json!({ "model": model }),
            &["model"],
        ),
        tool(
            "simplify",
            "Find closed forms of a model, with the conditions under which they hold",
            json!({
                "model": model,
                "only": only,
                "explain": truth("also show the derivation"),
                "bounds": truth("also find bounds of the times of processes"),
                "effort": effort,
            }),
            &["model"],
        ),
        tool(
            "eval",
            "Evaluate a model at a point; the answer is JSON",
            json!({
                "model": model,
                "at": { "type": "object", "description": "values of parameters: numbers or expressions" },
                "only": only,
                "effort": effort,
            }),
            &["model"],
        ),
        tool(
            "sweep",
            "Evaluate a model over a grid of at most 1000 points; the answer is CSV",
            json!({ "model": model, "grid": grid, "only": only }),
            &["model", "grid"],
        ),
        #[cfg(feature = "plot")]
        tool(
            "plot",
            "Draw times of a model over the first parameter with several values; the answer is a picture",
            json!({ "model": model, "grid": grid, "only": only }),
            &["model", "grid"],
        ),
        tool(
            "format",
            "Lay out a model",
            json!({ "model": model }),
            &["model"],
        ),
        tool(
            "language",
            "Read the reference of the language",
            json!({}),
            &[],
        ),
    ])
}

/// The result of a tool; `None` if there is no such tool.
fn called(params: &Value) -> Option<Value> {
    let name = params.get("name").and_then(Value::as_str)?;
    let none = Map::new();
    let arguments = params
        .get("arguments")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    #[cfg(feature = "plot")]
    if name == "plot" {
        let drawn = model_text(arguments).and_then(|text| picture(text, arguments));
        return Some(match drawn {
            Ok(data) => json!({
                "content": [{ "type": "image", "data": data, "mimeType": "image/png" }], "isError": false
            }),
            Err(error) => told(&error.render(false), true),
        });
    }
    let result = match name {
        "check" => model_text(arguments).and_then(check),
        "simplify" => model_text(arguments).and_then(|text| simplify(text, arguments)),
        "eval" => model_text(arguments).and_then(|text| eval(text, arguments)),
        "sweep" => model_text(arguments)
            .and_then(|text| sweep::as_csv(&over_grid(text, arguments)?, MAX_ROWS)),
        "format" => model_text(arguments).map(layout::format),
        "language" => Ok(LANGUAGE.to_owned()),
        _ => return None,
    };
    let (text, is_error) = match result {
        Ok(text) => (text, false),
        Err(error) => (error.render(false), true),
    };
    let text = match text.char_indices().nth(MAX_ANSWER) {
        Some((end, _)) if name != "language" => format!("{}\n.. (shortened)", &text[..end]),
        _ => text,
    };
    Some(told(&text, is_error))
}

fn told(text: &str, is_error: bool) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": is_error })
}

/// The arguments of a command over points: the model as text, and values of parameters. No file can be named.
fn over_grid<T: Args + HasInput>(text: &str, arguments: &Map<String, Value>) -> Result<T, Error> {
    let grid = arguments.get("grid").and_then(Value::as_object);
    let grid = grid.ok_or_else(|| Error::new("expected values of parameters as `grid`"))?;
    let defined = grid.iter().map(|(name, value)| match value {
        Value::String(text) => format!("-D{name}={text}"),
        other => format!("-D{name}={other}"),
    });
    let only = { names(arguments).into_iter() }.map(|name| format!("--only={name}"));
    let all = ["pamela".to_owned()].into_iter().chain(defined).chain(only);
    let command = T::augment_args(Command::new("pamela"));
    let matches = command
        .try_get_matches_from(all.chain(["model".to_owned()]))
        .map_err(|error| Error::new(error.to_string().trim_end().to_owned()))?;
    let mut own = T::from_arg_matches(&matches).map_err(|error| Error::new(error.to_string()))?;
    own.input().text = Some(text.to_owned());
    Ok(own)
}

/// Arguments with a model.
trait HasInput {
    fn input(&mut self) -> &mut Input;
}

impl HasInput for sweep::Arguments {
    fn input(&mut self) -> &mut Input {
        &mut self.input
    }
}

#[cfg(feature = "plot")]
impl HasInput for plot::Arguments {
    fn input(&mut self) -> &mut Input {
        &mut self.input
    }
}

/// A picture as PNG in base64.
#[cfg(feature = "plot")]
fn picture(text: &str, arguments: &Map<String, Value>) -> Result<String, Error> {
    let drawn = plot::picture(&over_grid(text, arguments)?)?;
    Ok(base64(&drawn.picture.png().map_err(Error::new)?))
}

#[cfg(feature = "plot")]
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |k: usize| group.get(k).copied().map_or(0, u32::from);
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let digit = DIGITS[(all >> (18 - 6 * k)) as usize % 64];
            text.push(if k <= group.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    text
}

fn model_text(arguments: &Map<String, Value>) -> Result<&str, Error> {
    let text = arguments.get("model").and_then(Value::as_str);
    let text = text.ok_or_else(|| Error::new("expected the text of a model as `model`"))?;
    if text.len() <= MAX_MODEL {
        Ok(text)
    } else {
        Err(Error::new("the model is longer than 1 MiB"))
    }
}

/// All errors and warnings.
fn check(text: &str) -> Result<String, Error> {
    let draft = Model::draft("model", text, &NoFiles);
    let error = Error {
        diagnostics: draft.diagnostics,
        sources: draft.model.checked().sources().clone(),
    };
    let mut all = error.diagnostics.iter();
    if all.any(|own| own.severity == Severity::Error) {
        Err(error)
    } else if error.diagnostics.is_empty() {
        Ok("no errors".to_owned())
    } else {
        Ok(error.render(false))
    }
}

fn names(arguments: &Map<String, Value>) -> Vec<String> {
    let only = arguments.get("only").and_then(Value::as_array);
    let names = only.into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

fn options(arguments: &Map<String, Value>) -> Options {
    let is_set = |name: &str| arguments.get(name).and_then(Value::as_bool) == Some(true);
    Options {
        times: true,
        bounds: is_set("bounds"),
        explain: is_set("explain"),
        only: names(arguments),
        effort: match arguments.get("effort").and_then(Value::as_str) {
            Some("normal") => Effort::Normal,
            Some("high") => Effort::High,
            _ => Effort::Low,
        },
        ..Options::default()
    }
}

fn simplify(text: &str, arguments: &Map<String, Value>) -> Result<String, Error> {
    let model = Model::parse(text)?;
    let simplified = model.simplify(&options(arguments))?;
    let mut result = document::pamela(&model, &simplified);
    for failure in simplified.failures.iter().chain(&simplified.refuted) {
        result.push_str(&format!("\n\n{}", failure.render(false)));
    }
    for caveat in simplified.caveats() {
        result.push_str(&format!("\n\nnote: {caveat}"));
    }
    Ok(result)
}

fn eval(text: &str, arguments: &Map<String, Value>) -> Result<String, Error> {
    let model = Model::parse(text)?;
    let at = arguments.get("at").and_then(Value::as_object);
    let values = at.into_iter().flatten().map(|(name, value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        (name.clone(), value)
    });
    let values: Vec<(String, String)> = values.collect();
    evaluate::as_json(model, &values, &options(arguments))
}
