//! An editor that speaks to `pamela lsp` over pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i64,
    /// Messages that nobody has waited for.
    seen: Vec<Value>,
    version: i64,
    pub capabilities: Value,
}

pub const URI: &str = "file:///nowhere/model.pam";

impl Client {
    /// A session whose columns count UTF-16 units, or bytes.
    pub fn start(encoding: &str) -> Client {
        Client::start_with(encoding, Value::Null)
    }

    /// A session with settings of the user.
    pub fn start_with(encoding: &str, settings: Value) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pamela"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut client = Client {
            child,
            input,
            output,
            requests: 0,
            seen: Vec::new(),
            version: 0,
            capabilities: Value::Null,
        };
        let answer = client.request(
            "initialize",
            json!({ "initializationOptions": settings, "capabilities": {
                "general": { "positionEncodings": [encoding] },
                "workspace": { "codeLens": { "refreshSupport": true } },
                "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
            } }),
        );
        client.capabilities = answer["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("sent");
        self.input.flush().expect("sent");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("a header");
            assert!(read > 0, "the server has ended");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(own) => length = own.parse().expect("a length"),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The whole response.
    pub fn response(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == json!(id) && message.get("method").is_none() {
                return message;
            }
            self.seen.push(message);
        }
    }

    /// The result of a request.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    /// A request about a position of the document.
    pub fn at(&mut self, method: &str, position: &Value, further: Value) -> Value {
        let mut params = json!({ "textDocument": { "uri": URI }, "position": position });
        if let (Some(params), Some(further)) = (params.as_object_mut(), further.as_object()) {
            params.extend(further.clone());
        }
        self.response(&format!("textDocument/{method}"), params)
    }

    pub fn about(&mut self, method: &str, further: Value) -> Value {
        let answer = self.at(method, &json!({ "line": 0, "character": 0 }), further);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Waits for the next message with this method.
    pub fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(position) = self.seen.iter().position(&is_it) {
            return self.seen.remove(position);
        }
        loop {
            let message = self.receive();
            if is_it(&message) {
                return message;
            }
            self.seen.push(message);
        }
    }

    pub fn open(&mut self, text: &str) {
        self.version += 1;
        let document = json!({
            "uri": URI, "languageId": "pamela", "version": self.version, "text": text,
        });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces a range, or without one the whole text.
    pub fn change(&mut self, range: Option<Value>, text: &str) {
        self.version += 1;
        let change = match range {
            Some(range) => json!({ "range": range, "text": text }),
            None => json!({ "text": text }),
        };
        self.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": URI, "version": self.version },
                "contentChanges": [change],
            }),
        );
    }

    /// The diagnostics of the latest text.
    pub fn diagnostics(&mut self) -> Vec<Value> {
        let version = json!(self.version);
        let published = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == URI
                && message["params"]["version"] == version
        });
        // Earlier ones are outdated.
        self.seen.clear();
        published["params"]["diagnostics"]
            .as_array()
            .expect("an array")
            .clone()
    }

    /// Ends the session.
    pub fn finish(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        let status = self.child.wait().expect("the server ends");
        assert!(status.success(), "{status}");
    }
}

/// The position of a byte, in UTF-16 units.
pub fn position(text: &str, byte: usize) -> Value {
    let before = &text[..byte];
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap_or_default();
    json!({ "line": line, "character": last.encode_utf16().count() })
}

/// The position in the middle of the n-th occurrence of a text.
pub fn place(text: &str, of: &str, number: usize) -> Value {
    let (start, _) = text
        .match_indices(of)
        .nth(number)
        .expect("the text is there");
    position(text, start)
}
