//! The tools for assistants, over pipes.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The answers to messages, one a line.
fn answers(messages: &[Value]) -> Vec<Value> {
    let lines: String = messages.iter().map(|own| format!("{own}\n")).collect();
    answers_to(lines.as_bytes())
}

fn answers_to(input: &[u8]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input)
        .expect("sent");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("a text");
    let answers = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    answers.collect()
}

fn call(name: &str, arguments: Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

fn text_of(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .expect("a text")
}

#[test]
fn the_tools_check_simplify_and_evaluate() {
    let model = "numeric parameter n : integer >= 0\nprocess main = seq (i = 1, n) delay(i)\n";
    let answers = answers(&[
        json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": { "protocolVersion": "2025-03-26" } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
        call("check", json!({ "model": model })),
        call("check", json!({ "model": "numeric x = yy" })),
        call("simplify", json!({ "model": model })),
        call("eval", json!({ "model": model, "at": { "n": 10 } })),
        call("eval", json!({ "model": model })),
        call("language", json!({})),
        call("format", json!({ "model": "numeric x=1" })),
        call("include", json!({})),
        call("check", json!({ "model": "include \"/etc/passwd\"" })),
    ]);
    assert_eq!(answers.len(), 11);
    assert_eq!(answers[0]["id"], "a");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-03-26");
    let tools = answers[1]["result"]["tools"].as_array().expect("tools");
    assert_eq!(tools.len(), 6 + usize::from(cfg!(feature = "plot")));
    assert_eq!(text_of(&answers[2]), "no errors");
    assert_eq!(answers[3]["result"]["isError"], true);
    assert!(text_of(&answers[3]).contains("`yy` is not defined"));
    // The sum of 1 to n.
    assert!(
        text_of(&answers[4]).contains("n * (n + 1) / 2"),
        "{}",
        text_of(&answers[4])
    );
    let values: Value = serde_json::from_str(text_of(&answers[5])).expect("JSON");
    let values = values["equations"].as_array().expect("equations");
    assert!(values.iter().all(|own| own["value"] == 55.0), "{values:?}");
    assert_eq!(answers[6]["result"]["isError"], true);
    assert!(text_of(&answers[7]).contains("process"));
    assert_eq!(text_of(&answers[8]), "numeric x = 1\n");
    assert!(answers[9].get("error").is_some());
    assert_eq!(answers[10]["result"]["isError"], true);
}

#[test]
fn what_is_no_request_is_an_error() {
    let answers = answers_to(b"{\n\n[]\n{\"id\": 1}\n{\"id\": 2, \"method\": \"x\"}\n{\"id\": 3, \"method\": \"tools/call\"}\n{\"result\": 1, \"id\": 4}\n\xff\n");
    let codes: Vec<i64> = answers
        .iter()
        .map(|own| own["error"]["code"].as_i64().expect("a code"))
        .collect();
    assert_eq!(codes, [-32700, -32600, -32600, -32601, -32602, -32700]);
}

/// A grid has at most 1,000 points; a picture is a PNG; nothing of a grid is taken for an option.
#[test]
fn the_tools_sweep_and_draw() {
    let model = "numeric parameter n : integer >= 0\nnumeric f = sum (i = 1, n) i\n";
    let answers = answers(&[
        call("sweep", json!({ "model": model, "grid": { "n": "0:4" } })),
        call(
            "sweep",
            json!({ "model": model, "grid": { "n": "0:1000" } }),
        ),
        call(
            "sweep",
            json!({ "model": model, "grid": { "n": 3, "--output": "/tmp/x" } }),
        ),
        call("sweep", json!({ "model": model })),
        call("plot", json!({ "model": model, "grid": { "n": "1,2,4" } })),
        call("plot", json!({ "model": model, "grid": { "m": "1,2,4" } })),
    ]);
    let table = text_of(&answers[0]);
    // The sums 0, 1, 3, 6, 10.
    let values: Vec<&str> = table
        .lines()
        .skip(1)
        .filter_map(|row| row.split(',').nth(1))
        .collect();
    assert_eq!(values, ["0", "1", "3", "6", "10"], "{table}");
    let is_error = |k: usize| answers[k]["result"]["isError"] == true;
    assert!(!is_error(0) && is_error(1) && is_error(2) && is_error(3) && is_error(5));
    assert!(
        text_of(&answers[1]).contains("1001 points"),
        "{}",
        text_of(&answers[1])
    );
    let content = &answers[4]["result"]["content"][0];
    assert_eq!(content["mimeType"], "image/png");
    let data = content["data"].as_str().expect("base64");
    assert!(
        data.starts_with("iVBORw0KGgo") && data.len().is_multiple_of(4),
        "{data:.40}"
    );
}
