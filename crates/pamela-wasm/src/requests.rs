//! Requests of a page, and their answers.

use std::cell::RefCell;
use std::collections::BTreeMap;

use pamela::claims;
use pamela::diagnostic::Error;
use pamela::document::{self, Checked};
use pamela::effort::Effort;
use pamela::emit::{Language, emit};
use pamela::formula::json;
use pamela::layout;
use pamela::pipeline::Keep;
use pamela::report::{Heading, Texts, assumed, page_at};
use pamela::ring::Rational;
use pamela::{Compiled, Model, Options, words};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::files::Files;

/// Longer models are refused.
const MOST_TEXT: usize = 256 << 10;

/// A request about a model.
#[derive(Debug, Deserialize)]
pub struct Request {
    /// What is asked.
    #[serde(rename = "do")]
    what: What,
    /// The text of the model.
    #[serde(default)]
    text: String,
    /// Its name, relative to which it includes files.
    #[serde(default = "name")]
    name: String,
    /// The files that it includes.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Values of parameters.
    #[serde(default)]
    at: BTreeMap<String, String>,
    /// Limit of work.
    #[serde(default)]
    effort: Effort,
    /// Also bounds of times.
    #[serde(default)]
    bounds: bool,
    /// Also how closed forms are derived.
    #[serde(default)]
    explain: bool,
}

fn name() -> String {
    "model.pam".to_owned()
}

/// What a page can ask.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum What {
    /// All errors and warnings.
    Check,
    /// The closed forms, as `pamela simplify --emit json` prints them.
    Simplify,
    /// The closed forms as a model, with their notes.
    Forms,
    /// The page that `pamela report` writes. Parameters without values get some.
    Page,
    /// The closed forms as LaTeX and as code of each language.
    Code,
    /// The text in the usual layout.
    Format,
    /// The version of the compiler, and the words of the language.
    Words,
}

/// The answer to a request: `{"ok": ..}` or `{"error": .., "diagnostics": [..]}`.
pub fn answered(request: &str) -> String {
    // The pool of the calling thread comes before any other one; without it, work in parallel has no thread.
    if let (true, Err(error)) = (cfg!(target_family = "wasm"), pamela::pool::of(1)) {
        return json!({ "error": error.render(false) }).to_string();
    }
    let request: Request = match serde_json::from_str(request) {
        Ok(request) => request,
        Err(error) => return json!({ "error": format!("no request: {error}") }).to_string(),
    };
    match answer(&request) {
        Ok(answer) => json!({ "ok": answer }).to_string(),
        Err(error) => {
            let checked = Checked::with(&request.name, &error.diagnostics, &error.sources);
            json!({ "error": error.render(false), "diagnostics": value(&checked.diagnostics) })
                .to_string()
        }
    }
}

fn value(data: &impl Serialize) -> Value {
    serde_json::to_value(data).unwrap_or_default()
}

fn answer(request: &Request) -> Result<Value, Error> {
    if request.text.len() > MOST_TEXT {
        let most = MOST_TEXT >> 10;
        let message = format!("the model is longer than {most} kB");
        return Err(Error::new(message).hint("use the program `pamela` for models of this size"));
    }
    match request.what {
        What::Check => {
            let draft = Model::draft(&request.name, &request.text, &Files(&request.files));
            Ok(value(&Checked::of(&request.name, &draft).diagnostics))
        }
        What::Simplify => simplified(request),
        What::Forms => forms(request).map(Value::from),
        What::Page => page(request).map(Value::from),
        What::Code => code(request),
        What::Format => Ok(layout::format(&request.text).into()),
        What::Words => Ok(known_words()),
    }
}

/// What colours and completes a text: no list of words is written twice.
fn known_words() -> Value {
    let predefined = words::WORDS
        .iter()
        .map(|word| json!({ "name": word.name, "signature": word.signature(), "says": word.says }));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "reserved": words::RESERVED,
        "contextual": words::CONTEXTUAL,
        "predefined": predefined.collect::<Vec<Value>>(),
    })
}

fn model(request: &Request) -> Result<Model, Error> {
    Model::read(&request.name, &request.text, &Files(&request.files))
}

/// The options of `pamela simplify`.
fn options(request: &Request) -> Options {
    Options {
        times: true,
        bounds: request.bounds,
        explain: request.explain,
        effort: request.effort,
        enclose: true,
        keep: Keep::Named(Vec::new()),
        ..Options::default()
    }
}

fn simplified(request: &Request) -> Result<Value, Error> {
    let model = model(request)?;
    let simplified = model.simplify(&Options {
        most_moments: Some(4),
        ..options(request)
    })?;
    let judged = claims::judge(&model, &pamela::rules::standard()?, request.effort)?;
    Ok(value(&json::SimplifiedModel {
        assertions: document::assertion_data(&judged),
        ..document::data(&model, &simplified)
    }))
}

fn forms(request: &Request) -> Result<String, Error> {
    let model = model(request)?;
    let simplified = model.simplify(&Options {
        most_moments: Some(2),
        ..options(request)
    })?;
    let judged = claims::judge(&model, &pamela::rules::standard()?, request.effort)?;
    let mut parts = vec![document::pamela(&model, &simplified)];
    if !judged.is_empty() {
        parts.push(document::assertions(&model, &simplified, &judged));
    }
    let failures = simplified.failures.iter().chain(&simplified.refuted);
    parts.extend(failures.map(|failure| failure.render(false)));
    parts.extend(
        simplified
            .caveats()
            .iter()
            .map(|caveat| format!("note: {caveat}")),
    );
    Ok(parts.join("\n\n"))
}

thread_local! {
    /// The last compiled model, with its text: pages and code are made of one search.
    static LAST: RefCell<Option<(String, Compiled)>> = const { RefCell::new(None) };
}

fn compiled(request: &Request) -> Result<Compiled, Error> {
    let key = value(&(&request.name, &request.text, &request.files, request.effort)).to_string();
    let known = LAST.with_borrow(|last| {
        let last = last.as_ref().filter(|(own, _)| *own == key);
        last.map(|(_, compiled)| compiled.clone())
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let options = Options {
        times: true,
        explain: true,
        regimes: true,
        effort: request.effort,
        ..Options::default()
    };
    let compiled = model(request)?.compile(&options)?;
    LAST.set(Some((key, compiled.clone())));
    Ok(compiled)
}

fn page(request: &Request) -> Result<String, Error> {
    let compiled = compiled(request)?;
    let mut constants: Vec<(String, Rational)> = Vec::new();
    for parameter in compiled.parameters() {
        let given = request.at.get(&parameter.name);
        let given = given.and_then(|text| text.parse().ok());
        let given = given.and_then(pamela::compiled::decimal);
        constants.extend(given.map(|value| (parameter.name.clone(), value)));
    }
    constants.extend(assumed(&compiled, &constants)?);
    let texts = Texts {
        model: request.text.clone(),
        heading: Heading::of("-", &request.text),
        command: String::new(),
        answers: Vec::new(),
    };
    page_at(&compiled, (&[], &constants), texts, &[])
}

/// LaTeX, then each language: its name, its text, and what it cannot express.
fn code(request: &Request) -> Result<Value, Error> {
    let compiled = compiled(request)?;
    let latex = document::latex(compiled.model()?, compiled.simplified());
    let mut all = vec![json!({ "name": "latex", "about": "LaTeX", "text": latex, "refused": [] })];
    for language in Language::ALL {
        all.push(match emit(language, &compiled) {
            Ok(own) => json!({
                "name": language.key(), "about": language.about(), "text": own.text, "refused": own.refused
            }),
            Err(error) => json!({
                "name": language.key(), "about": language.about(), "text": "", "refused": [["", error.to_string()]]
            }),
        });
    }
    Ok(all.into())
}

#[cfg(test)]
mod tests {
    use super::{Value, answered, json};

    fn asked(what: &str, text: &str) -> Value {
        let request = json!({ "do": what, "text": text }).to_string();
        serde_json::from_str(&answered(&request)).expect("JSON")
    }

    #[test]
    fn requests_are_answered() {
        let text = "numeric parameter P : integer >= 1\nnumeric f = sum (i = 1, P) i";
        assert_eq!(asked("simplify", text)["ok"]["equations"][0]["name"], "f");
        assert_eq!(asked("check", text)["ok"], json!([]));
        let page = asked("page", text)["ok"].to_string();
        assert!(page.contains("slider-P"), "{page}");
        let wrong = asked("simplify", "numeric f = g + h");
        assert_eq!(wrong["diagnostics"][0]["place"]["start_byte"], 12);
        assert!(answered("{").contains("no request"));
        let long = " ".repeat(300 << 10);
        assert!(asked("page", &long)["error"].to_string().contains("256 kB"));
    }
}
