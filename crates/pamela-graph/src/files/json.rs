//! JSON files. The top level decides the format. Entries are read one by one, and unknown ones are skipped.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::chrome::{self, Event};
use super::otlp::{self, JaegerTrace, ResourceSpans};
use super::values::{List, entries};
use super::wfformat::{self, Workflow};
use super::{Options, Recording, Source};
use crate::error::Error;

/// All recordings of a file: one for each of its traces.
pub fn parse(source: Source, options: &Options) -> Result<Vec<Recording>, Error> {
    let text = source.text.trim();
    let closed;
    let text = if text.starts_with('[') && !text.ends_with(']') {
        // Who writes events as they happen may leave the list open.
        closed = format!("{}]", text.trim_end_matches(','));
        closed.as_str()
    } else {
        text
    };
    let mut documents = serde_json::Deserializer::from_str(text).into_iter::<Document>();
    let mut all = Document::default();
    for document in &mut documents {
        all.add(document.map_err(|error| invalid(source, &error))?);
    }
    if let Some(events) = all.events {
        return Ok(vec![chrome::parse(source, events, options)?]);
    }
    if let Some(workflow) = all.workflow {
        return Ok(vec![wfformat::parse(
            source,
            all.version.as_deref(),
            workflow,
        )?]);
    }
    if let Some(spans) = all.resource_spans {
        return otlp::of_open_telemetry(source, spans);
    }
    if let Some(traces) = all.traces {
        return otlp::of_jaeger(source, traces);
    }
    let message = "none of `traceEvents`, `workflow`, `resourceSpans` and `data` is on the first level: this is neither a \
                   trace of events, nor WfFormat, nor spans of OpenTelemetry or Jaeger";
    Err(Error::at(source.name, message))
}

fn invalid(source: Source, error: &serde_json::Error) -> Error {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or_default();
    Error::at(
        format!("{}:{}:{}", source.name, error.line(), error.column()),
        message,
    )
}

/// Known keys at the top level.
#[derive(Default)]
struct Document {
    events: Option<Vec<Event>>,
    version: Option<String>,
    workflow: Option<Workflow>,
    resource_spans: Option<Vec<ResourceSpans>>,
    traces: Option<Vec<JaegerTrace>>,
}

impl Document {
    /// Files of spans have a document for each batch.
    fn add(&mut self, other: Document) {
        fn joined<T>(a: &mut Option<Vec<T>>, b: Option<Vec<T>>) {
            match (a.as_mut(), b) {
                (Some(a), Some(b)) => a.extend(b),
                (None, b) => *a = b,
                (Some(_), None) => {}
            }
        }
        joined(&mut self.events, other.events);
        joined(&mut self.resource_spans, other.resource_spans);
        joined(&mut self.traces, other.traces);
        self.version = self.version.take().or(other.version);
        self.workflow = self.workflow.take().or(other.workflow);
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Document, D::Error> {
        deserializer.deserialize_any(FirstLevel)
    }
}

struct FirstLevel;

impl<'de> Visitor<'de> for FirstLevel {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object, or a list of trace events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Document, A::Error> {
        let events = Some(entries(list)?);
        Ok(Document {
            events,
            ..Document::default()
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let mut document = Document::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "traceEvents" => document.events = Some(map.next_value::<List<Event>>()?.0),
                "schemaVersion" => document.version = Some(map.next_value()?),
                "workflow" => document.workflow = Some(map.next_value()?),
                "resourceSpans" => document.resource_spans = Some(map.next_value::<List<_>>()?.0),
                "data" => document.traces = Some(map.next_value::<List<_>>()?.0),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(document)
    }
}
