//! The server: reads messages in order, answers, and keeps an analysis of each document.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, InitializeParams, MessageType, PublishDiagnosticsParams,
    ShowMessageParams, Uri,
};
use pamela::syntax::{FileLoader, ItemCache, Loader};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::analysis::Analysis;
use crate::documents::{Documents, name_of};
use crate::features::{self, Answer, Client, diagnostics};
use crate::positions::Encoding;
use crate::worker::{Found, Job, Worker};

/// A check that takes longer than this is delayed until the user rests.
const LONG_CHECK: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(30);

/// Failure of the connection to the editor.
#[derive(Debug)]
pub struct Fault(String);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

fn fault(error: impl std::fmt::Display) -> Fault {
    Fault(error.to_string())
}

/// Serves an editor on standard input and output until it ends the session.
///
/// # Errors
/// Fails if the editor does not follow the protocol, or ends the connection before the session.
pub fn serve() -> Result<(), Fault> {
    let (connection, threads) = Connection::stdio();
    serve_connection(connection)?;
    threads.join().map_err(fault)
}

/// Serves an editor on a connection.
///
/// # Errors
/// Fails like [`serve`].
pub fn serve_connection(connection: Connection) -> Result<(), Fault> {
    let (id, params) = connection.initialize_start().map_err(fault)?;
    let params: InitializeParams = serde_json::from_value(params).map_err(fault)?;
    let offered = params.capabilities.general.as_ref();
    let offered = offered.and_then(|general| general.position_encodings.as_deref());
    let encoding = Encoding::of(offered);
    let options = params.initialization_options.as_ref();
    let client = Client::of(&params.capabilities, options);
    let answer = serde_json::json!({
        "capabilities": features::capabilities(encoding),
        "serverInfo": { "name": "pamela", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, answer).map_err(fault)?;
    let sender = connection.sender.clone();
    let worker = Worker::start(move |found| {
        for message in told(found, client) {
            // An editor that has left needs no closed forms.
            let _ = sender.send(message);
        }
    });
    let mut server = Server {
        connection,
        documents: Documents::default(),
        analyses: HashMap::new(),
        unpublished: BTreeSet::new(),
        last_check: Duration::ZERO,
        worker: worker.map_err(fault)?,
        encoding,
        client,
        cache: ItemCache::default(),
    };
    server.run()
}

/// The messages to the editor about what the worker has found.
fn told(found: Found, client: Client) -> Vec<Message> {
    let refresh = |method: &str| {
        let id = RequestId::from(format!("refresh {method}"));
        Message::Request(Request::new(id, method.to_owned(), Value::Null))
    };
    match found {
        Found::Forms if client.refreshes_lenses => vec![refresh("workspace/codeLens/refresh")],
        Found::Forms => Vec::new(),
        Found::Errors(params) => {
            let method = notification::PublishDiagnostics::METHOD.to_owned();
            vec![Message::Notification(Notification::new(method, params))]
        }
        Found::Shown { request, text } => {
            let answer = serde_json::json!({ "text": text });
            vec![Message::Response(Response::new_ok(request, answer))]
        }
        Found::Failed => {
            let params = ShowMessageParams {
                typ: MessageType::ERROR,
                message: "a search for closed forms failed; please report the model".to_owned(),
            };
            let method = notification::ShowMessage::METHOD.to_owned();
            vec![Message::Notification(Notification::new(method, params))]
        }
    }
}

struct Server {
    connection: Connection,
    documents: Documents,
    /// By the identifiers of documents.
    analyses: HashMap<String, Analysis>,
    /// Documents whose diagnostics are not published.
    unpublished: BTreeSet<String>,
    /// Time of the last check.
    last_check: Duration,
    worker: Worker,
    encoding: Encoding,
    client: Client,
    /// Equations that have been parsed.
    cache: ItemCache,
}

impl Server {
    fn run(&mut self) -> Result<(), Fault> {
        loop {
            let message = if self.unpublished.is_empty() {
                self.connection.receiver.recv().map_err(|_| left())
            } else {
                let rest = if self.last_check > LONG_CHECK {
                    REST
                } else {
                    Duration::ZERO
                };
                match self.connection.receiver.recv_timeout(rest) {
                    Ok(message) => Ok(message),
                    Err(error) if error.is_timeout() => {
                        self.publish_all();
                        continue;
                    }
                    Err(_) => Err(left()),
                }
            };
            match message? {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request).map_err(fault)? {
                        return Ok(());
                    }
                    self.request(request);
                }
                Message::Notification(notification) => {
                    if notification.method == notification::Exit::METHOD {
                        return Err(Fault("the editor left without `shutdown`".to_owned()));
                    }
                    self.notification(notification);
                }
                Message::Response(_) => {}
            }
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let Some(answer) = self.answer(&id, &method, &params) else {
            return;
        };
        let response = match answer {
            Some(Ok(value)) => Response::new_ok(id, value),
            Some(Err(reason)) => {
                let code = lsp_server::ErrorCode::RequestFailed as i32;
                Response::new_err(id, code, reason)
            }
            None => {
                let code = lsp_server::ErrorCode::MethodNotFound as i32;
                let message = format!("the server does not answer `{method}`");
                Response::new_err(id, code, message)
            }
        };
        self.send(Message::Response(response));
    }

    /// The answer to a request; the outer `None` if it is given later, the inner one if the method
    /// is not known.
    fn answer(&mut self, id: &RequestId, method: &str, params: &Value) -> Option<Option<Answer>> {
        let uri = params.pointer("/textDocument/uri").cloned();
        let uri = uri.and_then(|uri| serde_json::from_value::<Uri>(uri).ok());
        let Some(uri) = uri else {
            return Some(None);
        };
        let client = self.client;
        let files = (method == "textDocument/rename").then(|| self.documents.files());
        let Some(analysis) = self.analysis(&uri) else {
            let reason = format!("`{}` is not open", uri.as_str());
            return Some(Some(Err(reason)));
        };
        match method {
            "pamela/show" => {
                let name = params.get("name").and_then(Value::as_str);
                let job = Job::Show {
                    request: id.clone(),
                    draft: analysis.draft.clone(),
                    name: name.unwrap_or_default().to_owned(),
                };
                self.worker.submit(job);
                None
            }
            _ if files.is_some() => {
                let files = files.unwrap_or_default();
                Some(Some(features::rename(analysis, &files, params)))
            }
            _ => Some(features::answer(analysis, method, params, client)),
        }
    }

    fn send(&self, message: Message) {
        // The next message that is read tells that the editor has left.
        let _ = self.connection.sender.send(message);
    }

    fn notify(&self, method: &str, params: impl Serialize) {
        self.send(Message::Notification(Notification::new(
            method.to_owned(),
            params,
        )));
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                if let Some(own) = read::<DidOpenTextDocumentParams>(params) {
                    let document = own.text_document;
                    let uri = document.uri.clone();
                    self.documents
                        .open(document.uri, document.text, document.version);
                    self.changed(&uri);
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Some(own) = read::<DidChangeTextDocumentParams>(params) {
                    let document = own.text_document;
                    self.documents.change(
                        &document.uri,
                        document.version,
                        own.content_changes,
                        self.encoding,
                    );
                    self.changed(&document.uri);
                }
            }
            notification::DidSaveTextDocument::METHOD => {
                if let Some(own) = read::<DidSaveTextDocumentParams>(params) {
                    self.search(&own.text_document.uri, true);
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Some(own) = read::<DidCloseTextDocumentParams>(params) {
                    let uri = own.text_document.uri;
                    self.documents.close(&uri);
                    self.analyses.remove(uri.as_str());
                    self.unpublished.remove(uri.as_str());
                    self.worker.forget(uri.as_str());
                    let none = PublishDiagnosticsParams::new(uri.clone(), Vec::new(), None);
                    self.notify(notification::PublishDiagnostics::METHOD, none);
                    self.changed(&uri);
                }
            }
            _ => {}
        }
    }

    /// Forgets what is known of a document, and of those that include it.
    fn changed(&mut self, uri: &Uri) {
        let identity = |name: &str| FileLoader.identity(name);
        let changed = identity(&name_of(uri));
        let depends = |own: &Analysis| {
            let mut files = own.sources().0.iter();
            files.any(|file| identity(&file.name) == changed)
        };
        let dependents = self.analyses.iter().filter(|(_, own)| depends(own));
        let mut dependents: Vec<String> = dependents.map(|(uri, _)| uri.clone()).collect();
        dependents.push(uri.as_str().to_owned());
        for own in dependents {
            self.analyses.remove(&own);
            self.unpublished.insert(own);
        }
    }

    /// What is known of a document.
    fn analysis(&mut self, uri: &Uri) -> Option<&Analysis> {
        let document = self.documents.get(uri)?;
        if !self.analyses.contains_key(uri.as_str()) {
            let start = Instant::now();
            let files = self.documents.files();
            let analysis = Analysis::of(document, &files, self.encoding, &mut self.cache);
            self.last_check = start.elapsed();
            self.analyses.insert(uri.as_str().to_owned(), analysis);
        }
        let analysis = self.analyses.get_mut(uri.as_str())?;
        analysis.forms = self.worker.forms(uri.as_str(), &analysis.draft);
        Some(analysis)
    }

    /// Publishes the diagnostics of all documents that have changed.
    fn publish_all(&mut self) {
        for uri in self.documents.uris() {
            if self.unpublished.remove(uri.as_str())
                && let Some(analysis) = self.analysis(&uri)
            {
                let params = diagnostics::published(analysis, &[]);
                self.notify(notification::PublishDiagnostics::METHOD, params);
                self.search(&uri, false);
            }
        }
        self.unpublished.clear();
    }

    /// Searches for the closed forms of a document.
    fn search(&mut self, uri: &Uri, saved: bool) {
        let Some(analysis) = self.analysis(uri) else {
            return;
        };
        let job = Job::Forms {
            uri: uri.as_str().to_owned(),
            draft: analysis.draft.clone(),
            saved,
            unfinished: (!analysis.is_whole).then(|| Box::new(analysis.clone())),
        };
        self.worker.submit(job);
    }
}

fn left() -> Fault {
    Fault("the editor left without `shutdown`".to_owned())
}

/// Parameters of a notification; those that do not follow the protocol are ignored.
fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
