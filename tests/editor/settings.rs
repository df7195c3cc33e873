//! Values behind equations, and errors that come late.

use serde_json::{Value, json};

use super::client::{Client, position};

/// The values that the settings ask for, by hand: the sum of 1 to 4, and a quarter of it.
#[test]
fn values_stand_behind_equations_if_they_are_wanted() {
    let text = "numeric parameter n : integer >= 0 = 4\nnumeric parameter m\n\
                numeric f = sum (i = 1, n) i\nnumeric g = f / n\nnumeric h = m\nnumeric k = 3\n";
    let range =
        json!({ "range": { "start": position(text, 0), "end": position(text, text.len()) } });
    let labels = |settings: Value| {
        let mut client = Client::start_with("utf-16", settings);
        client.open(text);
        let hints = client.about("inlayHint", range.clone());
        client.finish();
        let own = hints.as_array().expect("hints").iter();
        let own = own.map(|own| {
            (
                own["label"].to_string(),
                own["position"]["line"].to_string(),
            )
        });
        own.collect::<Vec<_>>()
    };
    assert!(labels(Value::Null).is_empty());
    let expected = [("\"= 10\"", "2"), ("\"= 2.5\"", "3")];
    let expected = expected.map(|(label, line)| (label.to_owned(), line.to_owned()));
    assert_eq!(labels(json!({ "values": true })), expected);
}

/// Errors of a large model that take long to find come after those of reading.
#[test]
fn further_errors_of_a_large_model_come_later() {
    let many: String = (0..450).map(|k| format!("numeric f{k} = {k}\n")).collect();
    let mut client = Client::start("utf-16");
    client.open(&format!(
        "{many}numeric parameter x : >= 2 <= 1\nnumeric g = x + 1\n"
    ));
    let of = |message: &Value| {
        message["params"]["diagnostics"]
            .as_array()
            .map_or(0, Vec::len)
    };
    let method = |message: &Value| message["method"] == "textDocument/publishDiagnostics";
    assert_eq!(of(&client.wait(method)), 0);
    assert_eq!(of(&client.wait(method)), 1);
    client.finish();
}
