//! The features of the language server, by an editor over pipes.

use serde_json::{Value, json};

use super::client::{Client, URI, place, position};
use super::{root, share, thirty};

/// A model with a mistake in its last line, and letters of two UTF-16 units in a comment.
const MODEL: &str = "\
numeric parameter P : integer >= 1   % \u{1d4ab} clients
numeric parameter N                  % iterations
numeric parameter tl : >= 0
numeric parameter ts : >= 0
resource s
numeric both(a, b) = a + sum (i = 1, N) { i * b }
numeric area = N * P
numeric demand = unitvec(s, ts)
process main = par (p = 1, P) seq (i = 1, N) { delay(tl) ; use(s, ts) }
numeric total = both(tl, 2) + ara
";

fn opened() -> Client {
    let mut client = Client::start("utf-16");
    client.open(MODEL);
    client
}

/// Waits until closed forms are there.
fn searched(client: &mut Client) {
    client.diagnostics();
    client.wait(|message| message["method"] == "workspace/codeLens/refresh");
}

/// The text with edits applied.
fn applied(text: &str, edits: &Value) -> String {
    let byte = |position: &Value| {
        let line = position["line"].as_u64().expect("a line") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = position["character"].as_u64().expect("a column");
        let mut byte = start;
        for letter in text[start..].chars().take_while(|_| true) {
            if units == 0 {
                break;
            }
            units -= letter.len_utf16() as u64;
            byte += letter.len_utf8();
        }
        byte
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("edits")
        .iter()
        .map(|edit| {
            let (start, end) = (byte(&edit["range"]["start"]), byte(&edit["range"]["end"]));
            (start, end, edit["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.0));
    let mut result = text.to_owned();
    for (start, end, new) in edits {
        result.replace_range(start..end, new);
    }
    result
}

#[test]
fn mistakes_have_places_codes_and_corrections() {
    let mut client = opened();
    let diagnostics = client.diagnostics();
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    let own = &diagnostics[0];
    assert_eq!(own["code"], "name-unbound");
    assert_eq!(own["range"]["start"], place(MODEL, "ara\n", 0));
    let message = own["message"].as_str().expect("a message");
    assert_eq!(message, "`ara` is not defined\ndid you mean `area`?");
    let further = json!({ "range": own["range"], "context": { "diagnostics": [] } });
    let actions = client.about("codeAction", further);
    let titles: Vec<&str> = { actions.as_array().expect("actions").iter() }
        .map(|action| action["title"].as_str().expect("a title"))
        .collect();
    assert!(titles.contains(&"change to `area`"), "{titles:?}");
    let corrected = applied(MODEL, &actions[0]["edit"]["changes"][URI]);
    client.change(None, &corrected);
    assert_eq!(client.diagnostics(), Vec::<Value>::new());
    // A name that nothing is near to can be declared.
    client.change(None, &MODEL.replace("+ ara", "+ unknown_rate"));
    let own = client.diagnostics().remove(0);
    let further = json!({ "range": own["range"], "context": { "diagnostics": [] } });
    let actions = client.about("codeAction", further);
    assert_eq!(actions[0]["title"], "declare `unknown_rate` as a parameter");
    let declared = applied(
        &MODEL.replace("+ ara", "+ unknown_rate"),
        &actions[0]["edit"]["changes"][URI],
    );
    assert!(
        declared.contains("numeric parameter unknown_rate\nnumeric total"),
        "{declared}"
    );
    client.finish();
}

#[test]
fn closed_forms_stand_above_equations() {
    let mut client = opened();
    searched(&mut client);
    let lenses = client.about("codeLens", json!({}));
    let titles: Vec<&str> = { lenses.as_array().expect("lenses").iter() }
        .map(|lens| lens["command"]["title"].as_str().expect("a title"))
        .collect();
    assert!(titles.contains(&"area = N * P"), "{titles:?}");
    // The exact time of a closed network with one server, for N >= 0 whole.
    assert!(
        titles.iter().any(|title| title.starts_with("time_main = ")),
        "{titles:?}"
    );
    assert!(
        !titles.iter().any(|title| title.starts_with("total")),
        "{titles:?}"
    );
    let shown = client.request(
        "pamela/show",
        json!({ "textDocument": { "uri": URI }, "name": "T_main" }),
    );
    let shown = shown["text"].as_str().expect("a text");
    assert!(
        shown.contains("numeric T_main = N * max(tl + ts, P * ts)"),
        "{shown}"
    );
    assert!(shown.contains("% Derivation from T_main"), "{shown}");
    // What closed forms need becomes a fact.
    let at = place(MODEL, "N   ", 0);
    let range = json!({ "range": { "start": at, "end": at } });
    let actions = client.about("codeAction", range);
    let action = &actions[0];
    assert_eq!(
        action["title"],
        "state what closed forms need: `N : integer >= 1`"
    );
    let stated = applied(MODEL, &action["edit"]["changes"][URI]);
    assert!(
        stated.contains("numeric parameter N : integer >= 1"),
        "{stated}"
    );
    client.finish();
}

#[test]
fn hover_says_what_is_known() {
    let mut client = opened();
    searched(&mut client);
    let mut says = |of: &str, number: usize| {
        let answer = client.at("hover", &place(MODEL, of, number), json!({}));
        let value = answer["result"]["contents"]["value"].as_str();
        value.map(str::to_owned)
    };
    let parameter = says("P :", 0).expect("a parameter");
    assert!(
        parameter.contains("numeric parameter P : integer >= 1"),
        "{parameter}"
    );
    assert!(parameter.contains("\u{1d4ab} clients"), "{parameter}");
    let index = says("i * b", 0).expect("an index");
    assert!(index.contains("i = 1, N"), "{index}");
    assert_eq!(says("b }", 0).as_deref(), Some("argument"));
    let function = says("unitvec", 0).expect("a function");
    assert!(function.contains("unitvec(array, index)"), "{function}");
    let process = says("main", 0).expect("a process");
    assert!(process.contains("time_main = "), "{process}");
    assert_eq!(says("clients", 0), None);
    client.finish();
}

#[test]
fn names_lead_to_definitions_and_uses() {
    let mut client = opened();
    client.diagnostics();
    let answer = client.at("definition", &place(MODEL, "s, ts)", 0), json!({}));
    assert_eq!(
        answer["result"]["range"]["start"],
        place(MODEL, "s\nnumeric both", 0)
    );
    let context = json!({ "context": { "includeDeclaration": true } });
    let uses = client.at("references", &place(MODEL, "ts :", 0), context);
    let mut starts: Vec<Value> = { uses["result"].as_array().expect("uses").iter() }
        .map(|own| own["range"]["start"].clone())
        .collect();
    starts.sort_by_key(|start| start["line"].as_u64());
    let expected = [("ts :", 0), ("ts)\nprocess", 0), ("ts) }", 0)];
    assert_eq!(
        starts,
        expected.map(|(of, number)| place(MODEL, of, number))
    );
    // The index `i` of `main` is not that of `both`.
    let marked = client.at("documentHighlight", &place(MODEL, "i * b", 0), json!({}));
    assert_eq!(marked["result"].as_array().map(Vec::len), Some(2));
    // Also in an equation that is wrong.
    let answer = client.at("definition", &place(MODEL, "both(tl", 0), json!({}));
    assert_eq!(
        answer["result"]["range"]["start"],
        place(MODEL, "both(a", 0)
    );
    client.finish();
}

#[test]
fn rename_keeps_the_meaning_of_names() {
    let mut client = opened();
    client.diagnostics();
    let renamed = client.at(
        "rename",
        &place(MODEL, "i * b", 0),
        json!({ "newName": "k" }),
    );
    let text = applied(MODEL, &renamed["result"]["changes"][URI]);
    let expected = MODEL.replace("sum (i = 1, N) { i * b }", "sum (k = 1, N) { k * b }");
    assert_eq!(text, expected);
    // The bounds of a sum are outside of the scope of its index.
    let renamed = client.at(
        "rename",
        &place(MODEL, "i * b", 0),
        json!({ "newName": "N" }),
    );
    assert!(renamed.get("error").is_none(), "{renamed}");
    for (of, new) in [
        ("i * b", "b"),
        // It would be the index in the process.
        ("tl :", "i"),
        ("b }", "i"),
        ("area =", "total"),
        ("area =", "T_main"),
        ("area =", "sum"),
        ("area =", "max"),
        ("area =", "2x"),
        ("area =", ""),
        ("unitvec", "u"),
        ("numeric both", "x"),
        ("clients", "x"),
    ] {
        let answer = client.at("rename", &place(MODEL, of, 0), json!({ "newName": new }));
        assert!(answer.get("error").is_some(), "{of} to {new}: {answer}");
    }
    let prepared = client.at("prepareRename", &place(MODEL, "area", 0), json!({}));
    assert_eq!(prepared["result"]["placeholder"], "area");
    client.finish();
}

#[test]
fn completion_fits_its_place() {
    let mut client = opened();
    client.diagnostics();
    let mut labels = |of: &str, number: usize| {
        let answer = client.at("completion", &place(MODEL, of, number), json!({}));
        let items = answer["result"].as_array().expect("items").clone();
        let labels = items
            .iter()
            .map(|item| item["label"].as_str().expect("a label").to_owned());
        labels.collect::<Vec<_>>()
    };
    let has = |labels: &[String], names: &[&str]| {
        names
            .iter()
            .all(|name| labels.iter().any(|own| own == name))
    };
    let first_of_use = labels("s, ts) }", 0);
    assert!(has(&first_of_use, &["s", "fcfs"]));
    assert!(!has(&first_of_use, &["P"]));
    let number = labels("i * b", 0);
    assert!(has(
        &number,
        &["i", "a", "b", "P", "area", "max", "exponential", "sum"]
    ));
    assert!(!has(&number, &["main"]) && !has(&number, &["delay"]));
    let process = labels("delay(tl)", 0);
    assert!(has(&process, &["delay", "use", "main", "par"]));
    assert!(!has(&process, &["max"]));
    assert!(has(
        &labels(">= 0\nnumeric parameter ts", 0),
        &["integer", "law"]
    ));
    assert_eq!(labels("clients", 0), Vec::<String>::new());
    assert!(has(
        &labels("numeric area", 0),
        &["numeric", "process", "assume"]
    ));
    let answer = client.at("signatureHelp", &place(MODEL, "ts)\nprocess", 0), json!({}));
    assert_eq!(
        answer["result"]["signatures"][0]["label"],
        "unitvec(array, index)"
    );
    assert_eq!(answer["result"]["activeParameter"], 1);
    client.finish();
}

#[test]
fn outlines_and_hints_name_the_items() {
    let mut client = opened();
    client.diagnostics();
    let symbols = client.about("documentSymbol", json!({}));
    let names: Vec<&str> = { symbols.as_array().expect("symbols").iter() }
        .map(|symbol| symbol["name"].as_str().expect("a name"))
        .collect();
    let expected = [
        "P", "N", "tl", "ts", "s", "both", "area", "demand", "main", "total",
    ];
    assert_eq!(names, expected);
    let range =
        json!({ "range": { "start": position(MODEL, 0), "end": position(MODEL, MODEL.len()) } });
    let hints = client.about("inlayHint", range.clone());
    assert_eq!(hints.as_array().map(Vec::len), Some(1), "{hints}");
    assert_eq!(hints[0]["label"], ": vector");
    let tokens = client.about("semanticTokens/full", json!({}));
    let data = tokens["data"].as_array().expect("numbers");
    assert_eq!(data.len() % 5, 0);
    // The first is `P`, a parameter of the model that is defined.
    assert_eq!(data[..5], [0, 18, 1, 2, 3].map(|number| json!(number)));
    let selections = json!({ "positions": [place(MODEL, "tl) ;", 0)] });
    let selections = client.about("selectionRange", selections);
    let mut depth = 0;
    let mut own = &selections[0];
    while own.is_object() {
        own = &own["parent"];
        depth += 1;
    }
    // The name, two brackets, the process and the document.
    assert_eq!(depth, 5);
    let laid_out = client.about("formatting", json!({ "options": {} }));
    assert_eq!(applied(MODEL, &laid_out), pamela::layout::format(MODEL));
    client.finish();
}

#[test]
fn included_files_are_read_from_the_editor() {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("included");
    std::fs::create_dir_all(&directory).expect("a directory");
    let part = directory.join("part.pam");
    std::fs::write(&part, "numeric parameter x\n").expect("a file");
    let whole = directory.join("whole.pam");
    std::fs::write(&whole, "").expect("a file");
    let uri = |path: &std::path::Path| format!("file://{}", path.display());
    let mut client = Client::start("utf-8");
    assert_eq!(client.capabilities["positionEncoding"], "utf-8");
    let mut open = |path: &std::path::Path, text: &str| {
        let document =
            json!({ "uri": uri(path), "languageId": "pamela", "version": 1, "text": text });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    };
    open(&whole, "include \"part.pam\"\nnumeric y = x + z\n");
    open(&part, "numeric parameter x\nnumeric parameter z\n");
    let published = client.wait(|message| {
        message["params"]["uri"] == json!(uri(&whole))
            && message["params"]["diagnostics"] == json!([])
    });
    assert_eq!(published["method"], "textDocument/publishDiagnostics");
    let answer = client.request(
        "textDocument/definition",
        json!({ "textDocument": { "uri": uri(&whole) }, "position": { "line": 1, "character": 16 } }),
    );
    assert_eq!(answer["uri"], json!(uri(&part)));
    assert_eq!(
        answer["range"]["start"],
        json!({ "line": 1, "character": 18 })
    );
    // A rename in one file reaches the other.
    let renamed = client.request(
        "textDocument/rename",
        json!({
            "textDocument": { "uri": uri(&whole) },
            "position": { "line": 1, "character": 16 },
            "newName": "weight",
        }),
    );
    assert_eq!(
        renamed["changes"].as_object().map(serde_json::Map::len),
        Some(2),
        "{renamed}"
    );
    client.finish();
}

#[test]
fn what_is_no_request_is_answered_with_an_error() {
    let mut client = Client::start("utf-16");
    for (method, params) in [
        (
            "textDocument/hover",
            json!({ "textDocument": { "uri": "file:///not/open.pam" }, "position": {} }),
        ),
        ("textDocument/hover", json!({})),
        (
            "textDocument/nothing",
            json!({ "textDocument": { "uri": URI } }),
        ),
        ("workspace/executeCommand", json!({ "command": "x" })),
        ("pamela/show", Value::Null),
    ] {
        let answer = client.response(method, params);
        assert!(answer.get("error").is_some(), "{method}: {answer}");
    }
    client.open(MODEL);
    client.diagnostics();
    // Positions behind the end, and parameters of a wrong form.
    let far = json!({ "line": 4_000_000_000_u32, "character": 4_000_000_000_u32 });
    for method in [
        "hover",
        "definition",
        "completion",
        "signatureHelp",
        "documentHighlight",
    ] {
        assert!(
            client.at(method, &far, json!({})).get("error").is_none(),
            "{method}"
        );
        assert!(
            client
                .at(method, &json!("x"), json!({}))
                .get("error")
                .is_none(),
            "{method}"
        );
    }
    let answer = client.at("codeAction", &far, json!({ "range": 3 }));
    assert!(answer.get("error").is_some(), "{answer}");
    client.finish();
}

/// A sample of what `drafts` tries without the process: each request is answered.
#[test]
fn the_server_answers_for_prefixes() {
    let mut client = Client::start("utf-16");
    client.open("");
    client.diagnostics();
    let methods = [
        "hover",
        "completion",
        "definition",
        "documentHighlight",
        "signatureHelp",
        "codeLens",
        "documentSymbol",
        "foldingRange",
        "inlayHint",
        "semanticTokens/full",
        "formatting",
    ];
    for (path, text) in share(thirty().into_iter(), 6) {
        let ends = (0..=text.len()).filter(|end| text.is_char_boundary(*end));
        for end in share(ends, 97) {
            let prefix = &text[..end];
            client.change(None, prefix);
            let found = client.diagnostics();
            let draft = pamela::pipeline::Model::draft(
                &path.to_string_lossy(),
                prefix,
                &pamela::syntax::FileLoader,
            );
            // The document has another name, and its included files are elsewhere.
            if !text.contains('"') {
                assert_eq!(found.len(), draft.diagnostics.len(), "{prefix}");
                for (found, own) in found.iter().zip(&draft.diagnostics) {
                    assert_eq!(found["code"], own.code.slug());
                }
            }
            let last = position(prefix, end);
            for method in methods {
                let answer = client.at(method, &last, json!({}));
                assert!(answer.get("error").is_none(), "{method}: {answer}");
            }
        }
    }
    client.finish();
    assert!(root().is_dir());
}
