//! Nested spans as tasks.
//!
//! A span without children is a task. A span with children becomes several tasks: one up to the first child, one
//! after the last child, and one before each child that begins after the siblings that it waits for have ended. A
//! child waits for the siblings that ended before it began.
//!
//! A parent does not wait for a child that only follows from it, nor for a child that ends after it: such a child
//! runs on beside it. A child that begins after its parent has ended follows that end.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Format, Recording, Source, Unit};
use crate::error::{Error, short};
use crate::tasks::{Place, shown};

pub struct Span {
    pub id: String,
    /// Id of the parent, which may be in another file; empty without a parent.
    pub parent: String,
    /// True if the parent causes the span, but does not depend on it.
    pub follows: bool,
    pub name: String,
    /// Begin in units of the recording.
    pub begin: f64,
    pub end: f64,
    pub place: Place,
}

/// Name of the list of spans, for errors.
pub const LIST: &str = "spans";

/// The tasks of a span: the one that begins it and the one that ends it.
#[derive(Clone, Copy)]
struct Ends {
    first: u32,
    last: u32,
}

/// The tasks of one trace, whose times have a unit of `unit` seconds.
pub fn recording(
    source: Source,
    mut spans: Vec<Span>,
    per_second: f64,
    format: Format,
) -> Result<Recording, Error> {
    if let Some(span) = spans.iter().find(|span| span.end < span.begin) {
        return Err(Error::at(
            shown(source.name, LIST, span.place),
            format!("the span `{}` ends before it begins", short(&span.name)),
        ));
    }
    let start = spans
        .iter()
        .map(|span| span.begin)
        .fold(f64::INFINITY, f64::min);
    let end = spans
        .iter()
        .map(|span| span.end)
        .fold(f64::NEG_INFINITY, f64::max);
    spans.sort_by(|a, b| a.begin.total_cmp(&b.begin).then(b.end.total_cmp(&a.end)));
    let children = children(source, &spans)?;
    let mut recording = Recording::new(format, Some(Unit::Seconds), source.name, LIST);
    if spans.is_empty() {
        return Ok(recording);
    }
    recording.makespans.push((end - start) / per_second);
    let ends = own_tasks(&spans, &children, per_second, &mut recording)?;
    for (parent, own) in children.of.iter().enumerate() {
        siblings(
            &spans,
            own,
            Some(parent),
            (&ends, per_second),
            &mut recording,
        )?;
    }
    siblings(
        &spans,
        &children.roots,
        None,
        (&ends, per_second),
        &mut recording,
    )?;
    if children.orphans > 0 {
        let note = format!(
            "{} spans name a parent that is not in the file, and count as roots.",
            children.orphans
        );
        recording.notes.push(note);
    }
    Ok(recording)
}

/// The tasks of each span itself.
fn own_tasks(
    spans: &[Span],
    children: &Children,
    per_second: f64,
    recording: &mut Recording,
) -> Result<Vec<Ends>, Error> {
    let mut ends: Vec<Ends> = Vec::with_capacity(spans.len());
    for (number, span) in spans.iter().enumerate() {
        let name = if span.name.is_empty() {
            "span"
        } else {
            &span.name
        };
        let first = recording.add_numbered(name, span.place)?;
        let own = &children.of[number];
        let inside = |&child: &usize| spans[child].begin < span.end;
        let until = own.iter().copied().find(inside);
        let until = until.map_or(span.end, |child| spans[child].begin);
        recording
            .tasks
            .took(first, (until - span.begin) / per_second)?;
        ends.push(Ends { first, last: first });
        if own.iter().any(inside) {
            let name = format!("{}, end", recording.tasks.name(first));
            let last = recording.add_numbered(&name, span.place)?;
            let since = own
                .iter()
                .filter(|&&child| spans[child].is_awaited_by(span))
                .map(|&child| spans[child].end)
                .fold(until, f64::max);
            recording
                .tasks
                .took(last, f64::max(span.end - since, 0.0) / per_second)?;
            ends[number] = Ends { first, last };
            let awaited = |&child: &usize| spans[child].is_awaited_by(span);
            if !own.iter().any(awaited) {
                recording.tasks.precede(first, last)?;
            }
        }
    }
    Ok(ends)
}

impl Span {
    /// True if its parent waits for it.
    fn is_awaited_by(&self, parent: &Span) -> bool {
        !self.follows && self.end <= parent.end && self.begin < parent.end
    }
}

struct Children {
    of: Vec<Vec<usize>>,
    roots: Vec<usize>,
    orphans: usize,
}

/// The children of each span, by their beginnings.
fn children(source: Source, spans: &[Span]) -> Result<Children, Error> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (number, span) in spans.iter().enumerate() {
        if numbers.insert(&span.id, number).is_some() {
            return Err(Error::at(
                shown(source.name, LIST, span.place),
                format!("there are several spans with the id `{}`", short(&span.id)),
            ));
        }
    }
    let mut children = Children {
        of: vec![Vec::new(); spans.len()],
        roots: Vec::new(),
        orphans: 0,
    };
    for (number, span) in spans.iter().enumerate() {
        match numbers.get(&*span.parent) {
            Some(&parent) if spans[parent].begin <= span.begin => children.of[parent].push(number),
            Some(_) => {
                return Err(Error::at(
                    shown(source.name, LIST, span.place),
                    format!("the span `{}` begins before its parent", short(&span.name)),
                ));
            }
            None => {
                children.orphans += usize::from(!span.parent.trim_matches('0').is_empty());
                children.roots.push(number);
            }
        }
    }
    no_circle(source, spans, &children)?;
    Ok(children)
}

/// Spans that begin at the same time may be the parents of each other.
fn no_circle(source: Source, spans: &[Span], children: &Children) -> Result<(), Error> {
    let mut reached = vec![false; spans.len()];
    let mut next = children.roots.clone();
    while let Some(span) = next.pop() {
        reached[span] = true;
        next.extend(&children.of[span]);
    }
    match reached.iter().position(|reached| !reached) {
        None => Ok(()),
        Some(lost) => Err(Error::at(
            shown(source.name, LIST, spans[lost].place),
            format!(
                "the span `{}` is among its own parents: one of them must have no parent, or one in another file",
                short(&spans[lost].name)
            ),
        )),
    }
}

/// The precedences among the children of a span, and to and from that.
fn siblings(
    spans: &[Span],
    children: &[usize],
    parent: Option<usize>,
    (ends, per_second): (&[Ends], f64),
    recording: &mut Recording,
) -> Result<(), Error> {
    let by_end = |span: usize| (spans[span].end, spans[span].begin);
    let mut ended: Vec<usize> = children.to_vec();
    ended.sort_by(|&a, &b| by_end(a).partial_cmp(&by_end(b)).unwrap_or(Ordering::Equal));
    // The last beginning among those that have ended so far.
    let begun = ended.iter().scan(f64::NEG_INFINITY, |latest, &span| {
        *latest = spans[span].begin.max(*latest);
        Some(*latest)
    });
    let begun: Vec<f64> = begun.collect();
    for &child in children {
        let begin = spans[child].begin;
        // A span of no length that begins with the child is not before it.
        let before = ended.partition_point(|&sibling| by_end(sibling) < (begin, begin));
        // A task that ended before the last of these began is a predecessor.
        let after = begun[..before].last().copied().unwrap_or(f64::NEG_INFINITY);
        let followed = ended[..before].partition_point(|&sibling| by_end(sibling) < (after, after));
        let waits = &ended[followed..before];
        let since = waits.last().map(|&sibling| spans[sibling].end);
        // A span that has ended does not hold what it causes.
        let late = parent.filter(|&parent| begin >= spans[parent].end);
        let since = match late {
            Some(parent) => Some(since.map_or(spans[parent].end, |end| end.max(spans[parent].end))),
            None => since.or(parent
                .and(children.first())
                .map(|&first| spans[first].begin)),
        };
        let mut first = ends[child].first;
        let gap = since.map_or(0.0, |since| begin - since);
        if gap > 0.0 {
            let name = format!("before {}", recording.tasks.name(first));
            let own = recording.add_numbered(&name, spans[child].place)?;
            recording.tasks.took(own, gap / per_second)?;
            recording.tasks.precede(own, first)?;
            first = own;
        }
        for &sibling in waits {
            recording.tasks.precede(ends[sibling].last, first)?;
        }
        if let Some(parent) = parent {
            match late {
                Some(_) => recording.tasks.precede(ends[parent].last, first)?,
                None if waits.is_empty() => recording.tasks.precede(ends[parent].first, first)?,
                None => {}
            }
            if spans[child].is_awaited_by(&spans[parent]) {
                recording
                    .tasks
                    .precede(ends[child].last, ends[parent].last)?;
            }
        }
    }
    Ok(())
}
