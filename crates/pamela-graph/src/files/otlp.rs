//! Spans in the formats of OpenTelemetry and Jaeger.

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::entries::Places;
use super::spans::{self, LIST, Span};
use super::values::{Id, List, Moment, Number};
use super::{Format, Recording, Source};
use crate::error::{Error, short};
use crate::tasks::shown;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceSpans {
    #[serde(default, alias = "instrumentationLibrarySpans")]
    scope_spans: List<ScopeSpans>,
}

#[derive(Deserialize)]
struct ScopeSpans {
    #[serde(default)]
    spans: List<OtlpSpan>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OtlpSpan {
    #[serde(default)]
    trace_id: String,
    span_id: String,
    #[serde(default)]
    parent_span_id: String,
    #[serde(default)]
    name: String,
    start_time_unix_nano: Id,
    end_time_unix_nano: Id,
    #[serde(default)]
    links: List<IgnoredAny>,
}

#[derive(Deserialize)]
pub struct JaegerTrace {
    #[serde(default)]
    spans: List<JaegerSpan>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JaegerSpan {
    #[serde(rename = "spanID")]
    span_id: String,
    #[serde(rename = "parentSpanID", default)]
    parent_span_id: String,
    #[serde(default)]
    operation_name: String,
    #[serde(default)]
    references: List<Reference>,
    start_time: Moment,
    duration: Number,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    #[serde(default)]
    ref_type: String,
    #[serde(rename = "spanID", default)]
    span_id: String,
}

/// One recording for each trace.
pub fn of_open_telemetry(
    source: Source,
    spans: Vec<ResourceSpans>,
) -> Result<Vec<Recording>, Error> {
    let mut traces: IndexMap<String, Vec<Span>> = IndexMap::new();
    let spans = spans
        .into_iter()
        .flat_map(|resource| resource.scope_spans.0);
    // Nanoseconds since 1970 have more digits than doubles: they are counted from the first that is met.
    let mut origin = None;
    let mut links = 0;
    let places = Places::of(source, &["resourceSpans", "scopeSpans", "spans"]);
    for (index, span) in spans.flat_map(|scope| scope.spans.0).enumerate() {
        let place = places.at(index);
        links += span.links.0.len();
        let mut time = |Id(text): &Id| match text.parse::<i64>() {
            Ok(nanoseconds) => {
                Ok(nanoseconds.saturating_sub(*origin.get_or_insert(nanoseconds)) as f64)
            }
            Err(_) => Err(Error::at(
                shown(source.name, LIST, place),
                format!("`{}` is not a whole number of nanoseconds", short(text)),
            )),
        };
        let (begin, end) = (
            time(&span.start_time_unix_nano)?,
            time(&span.end_time_unix_nano)?,
        );
        traces.entry(span.trace_id).or_default().push(Span {
            id: span.span_id,
            parent: span.parent_span_id,
            follows: false,
            name: span.name,
            begin,
            end,
            place,
        });
    }
    recordings(
        source,
        traces.into_values().collect(),
        (1e9, links),
        Format::OpenTelemetry,
    )
}

/// One recording for each trace.
pub fn of_jaeger(source: Source, traces: Vec<JaegerTrace>) -> Result<Vec<Recording>, Error> {
    let places = Places::of(source, &["data", "spans"]);
    let mut index = 0;
    let mut others = 0;
    // Microseconds since 1970 are whole numbers; what follows the first moment keeps its digits.
    let mut origin = None;
    let trace = |trace: JaegerTrace| {
        let span = |span: JaegerSpan| {
            let mut references = span.references.0;
            // The one that the parent waits for comes first, whatever the order in the file.
            references.sort_by_key(|reference| reference.ref_type != "CHILD_OF");
            others += references.len().saturating_sub(1);
            let parent = references.into_iter().next();
            let begin = span.start_time.since(origin.get_or_insert(span.start_time));
            index += 1;
            Span {
                id: span.span_id,
                follows: (parent.iter()).any(|reference| reference.ref_type == "FOLLOWS_FROM"),
                parent: parent.map_or(span.parent_span_id, |reference| reference.span_id),
                name: span.operation_name,
                begin,
                end: begin + span.duration.0,
                place: places.at(index - 1),
            }
        };
        trace.spans.0.into_iter().map(span).collect()
    };
    let traces = traces.into_iter().map(trace).collect();
    recordings(source, traces, (1e6, others), Format::Jaeger)
}

fn recordings(
    source: Source,
    traces: Vec<Vec<Span>>,
    (per_second, links): (f64, usize),
    format: Format,
) -> Result<Vec<Recording>, Error> {
    if traces.iter().all(Vec::is_empty) {
        return Err(Error::at(source.name, "there are no spans in the file"));
    }
    let recordings = traces
        .into_iter()
        .map(|spans| spans::recording(source, spans, per_second, format));
    let mut recordings = recordings.collect::<Result<Vec<Recording>, Error>>()?;
    if let (1.., Some(first)) = (links, recordings.first_mut()) {
        first.notes.push(format!(
            "{links} references to spans other than parents are left out: they are not precedences here."
        ));
    }
    Ok(recordings)
}
