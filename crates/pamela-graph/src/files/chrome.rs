//! Trace events of Chrome's viewer: slices on tracks are tasks, and flows between them are precedences.
//!
//! A slice may contain others. If the order on a track is one of precedence, such a slice becomes several tasks: one
//! before the first inner slice, one between each two, and one after the last, since the track is busy throughout.
//! Otherwise only slices without inner slices are tasks.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::entries::Places;
use super::slices::{self, ROUNDING, Slice, Stretch};
use super::values::{Id, Moment, Number};
use super::{Format, Options, Recording, Source, Tracks, Unit};
use crate::error::{Error, short};
use crate::tasks::shown;

#[derive(Deserialize)]
pub struct Event {
    #[serde(default)]
    ph: Box<str>,
    #[serde(default)]
    name: Box<str>,
    #[serde(default)]
    cat: Box<str>,
    ts: Option<Moment>,
    dur: Option<Number>,
    #[serde(default)]
    pid: Id,
    #[serde(default)]
    tid: Id,
    id: Option<Id>,
    bp: Option<Box<str>>,
}

/// One end of a flow.
struct Flow<'a> {
    event: &'a Event,
    ts: f64,
    track: usize,
    entry: usize,
}

/// Number of earlier slices among which the slice around a moment is searched.
const LOOK_BACK: usize = 1_000;

pub fn parse(source: Source, events: Vec<Event>, options: &Options) -> Result<Recording, Error> {
    let mut trace = Trace::new(source);
    trace.read(&events)?;
    let tasks = trace.tasks(options);
    let mut recording = Recording::new(
        Format::TraceEvents,
        Some(Unit::Microseconds),
        source.name,
        LIST,
    );
    recording.notes.append(&mut trace.notes);
    for task in &tasks {
        let slice = &trace.slices[task.slice];
        let name = if slice.name.is_empty() {
            "slice"
        } else {
            &slice.name
        };
        let number = recording.add_numbered(name, trace.places.at(slice.entry))?;
        recording.tasks.took(number, task.end - task.begin)?;
    }
    if tasks.is_empty() {
        return Err(Error::at(
            source.name,
            "no slices are selected as tasks: neither events `X` nor pairs of `B` and `E`",
        ));
    }
    let by_track = trace.by_track(&tasks);
    let flows = trace.precedences(&events, &tasks, &by_track, &mut recording)?;
    match options.tracks {
        Some(Tracks::Order) => trace.in_turn(&tasks, &by_track, &mut recording)?,
        Some(Tracks::Free) => {}
        None if flows > 0 => {}
        None => {
            let message = "there are no flows between the slices of this trace: use `tracks = order` if each slice waits for the one \
                           before it on its track, else `tracks = free`";
            return Err(Error::at(source.name, message));
        }
    }
    let begin = tasks
        .iter()
        .map(|task| task.begin)
        .fold(f64::INFINITY, f64::min);
    let end = tasks
        .iter()
        .map(|task| task.end)
        .fold(f64::NEG_INFINITY, f64::max);
    recording.makespans.push(end - begin);
    Ok(recording)
}

fn is_of_slice(event: &Event) -> bool {
    matches!(&*event.ph, "X" | "B" | "E")
}

/// The time of an event as the file has it.
fn written(event: &Event) -> String {
    event.ts.map(|ts| ts.to_string()).unwrap_or_default()
}

/// If slices of this category exist, only they are tasks, unless the options select others.
const TASK: &str = "task";

/// The list of which events are entries, in errors.
const LIST: &str = "traceEvents";

struct Trace<'a> {
    source: Source<'a>,
    places: Places,
    tracks: HashMap<(Id, Id), usize>,
    slices: Vec<Slice>,
    notes: Vec<String>,
    /// From which times are counted.
    origin: Option<Moment>,
}

impl<'a> Trace<'a> {
    fn new(source: Source<'a>) -> Trace<'a> {
        let keys: &[&str] = if source.text.trim_start().starts_with('[') {
            &[]
        } else {
            &[LIST]
        };
        Trace {
            source,
            places: Places::of(source, keys),
            tracks: HashMap::new(),
            slices: Vec::new(),
            notes: Vec::new(),
            origin: None,
        }
    }

    fn place(&self, entry: usize) -> String {
        shown(self.source.name, LIST, self.places.at(entry))
    }

    fn track(&mut self, event: &Event) -> usize {
        let count = self.tracks.len();
        *self
            .tracks
            .entry((event.pid.clone(), event.tid.clone()))
            .or_insert(count)
    }

    fn time(&self, event: &Event, entry: usize) -> Result<f64, Error> {
        let since = |ts: Moment| ts.since(&self.origin.unwrap_or(ts));
        event.ts.map(since).ok_or_else(|| {
            Error::at(
                self.place(entry),
                format!("the event `{}` has no `ts`", short(&event.name)),
            )
        })
    }

    /// The slices of all tracks.
    fn read(&mut self, events: &[Event]) -> Result<(), Error> {
        // Open slices of each track, as indices of the events.
        let mut open: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        // Other events, such as names of tracks, may be at 0.
        let slices = events.iter().filter(|event| is_of_slice(event));
        self.origin = slices.filter_map(|event| event.ts).next();
        for (entry, event) in events.iter().enumerate() {
            if !is_of_slice(event) {
                continue;
            }
            let begin = self.time(event, entry)?;
            let track = self.track(event);
            match &*event.ph {
                "X" => {
                    let dur = event
                        .dur
                        .map(|Number(dur)| dur)
                        .filter(|dur| *dur >= 0.0)
                        .ok_or_else(|| {
                            let message = format!(
                                "the slice `{}` has no `dur`, or one below 0",
                                short(&event.name)
                            );
                            Error::at(self.place(entry), message)
                        })?;
                    self.add(event, track, begin, begin + dur, entry);
                }
                "B" => open.entry(track).or_default().push((entry, begin)),
                _ => {
                    let Some((first, since)) = open.get_mut(&track).and_then(Vec::pop) else {
                        return Err(Error::at(
                            self.place(entry),
                            "a slice ends here with `E`, but none has begun on its track",
                        ));
                    };
                    if begin < since {
                        let (end, begin) = (written(event), written(&events[first]));
                        let message = format!("a slice ends here at {end}, but begins at {begin}");
                        return Err(Error::at(self.place(entry), message));
                    }
                    self.add(&events[first], track, since, begin, first);
                }
            }
        }
        let unfinished: usize = open.values().map(Vec::len).sum();
        if unfinished > 0 {
            self.notes.push(format!(
                "{unfinished} slices begin but do not end, and are left out."
            ));
        }
        slices::nest(&mut self.slices);
        Ok(())
    }

    fn add(&mut self, event: &Event, track: usize, begin: f64, end: f64, entry: usize) {
        self.slices.push(Slice {
            name: event.name.clone(),
            category: event.cat.clone(),
            track,
            begin,
            end,
            entry,
            is_leaf: true,
        });
    }

    /// The tasks, by their beginnings.
    fn tasks(&mut self, options: &Options) -> Vec<Stretch> {
        let (name, mut category) = (options.name.as_deref(), options.category.as_deref());
        let marked = |slice: &Slice| &*slice.category == TASK;
        if name.is_none() && category.is_none() && self.slices.iter().any(marked) {
            category = Some(TASK);
        }
        let in_order = options.tracks == Some(Tracks::Order);
        let is_chosen = |slice: &Slice| {
            let all = name.is_none() && category.is_none();
            (in_order || !all || slice.is_leaf)
                && name.is_none_or(|name| *slice.name == *name)
                && category.is_none_or(|category| *slice.category == *category)
        };
        let chosen: Vec<usize> = (0..self.slices.len())
            .filter(|&slice| is_chosen(&self.slices[slice]))
            .collect();
        let mut tasks = if in_order {
            slices::stretches(&self.slices, &chosen)
        } else {
            let whole = |&slice: &usize| Stretch {
                slice,
                begin: self.slices[slice].begin,
                end: self.slices[slice].end,
            };
            chosen.iter().map(whole).collect()
        };
        if name.is_none() && category.is_none() && !in_order {
            self.note_outer();
        }
        let entry = |task: &Stretch| self.slices[task.slice].entry;
        tasks.sort_by(|a, b| {
            let by_begin = a.begin.total_cmp(&b.begin);
            // A slice that takes no time comes before the rest of the slice around it.
            let by_end = if in_order {
                a.end.total_cmp(&b.end)
            } else {
                Ordering::Equal
            };
            by_begin.then(by_end).then(entry(a).cmp(&entry(b)))
        });
        tasks
    }

    /// Says how much of the slices around others is left out.
    fn note_outer(&mut self) {
        let outer = self.slices.iter().filter(|slice| !slice.is_leaf);
        let (count, all): (usize, f64) = outer.fold((0, 0.0), |(n, sum), slice| {
            (n + 1, sum + slice.end - slice.begin)
        });
        if count > 0 {
            self.notes.push(format!(
                "{count} slices contain others and are left out, including their own time ({all} us with the inner slices): \
                 `tracks = order` includes it."
            ));
        }
    }

    /// The tasks of each track, in the order of their beginnings.
    fn by_track(&self, tasks: &[Stretch]) -> Vec<Vec<u32>> {
        let mut by_track = vec![Vec::new(); self.tracks.len()];
        for (number, task) in (0..).zip(tasks) {
            by_track[self.slices[task.slice].track].push(number);
        }
        by_track
    }

    /// Each task of a track waits for the one before it.
    fn in_turn(
        &self,
        tasks: &[Stretch],
        by_track: &[Vec<u32>],
        recording: &mut Recording,
    ) -> Result<(), Error> {
        let slice = |task: u32| &tasks[task as usize];
        let mut overlapping = 0;
        for pair in by_track.iter().flat_map(|track| track.windows(2)) {
            recording.tasks.precede(pair[0], pair[1])?;
            let end = slice(pair[0]).end;
            overlapping += usize::from(slice(pair[1]).begin < end - ROUNDING * end.abs());
        }
        if overlapping > 0 {
            recording.notes.push(format!(
                "{overlapping} slices begin before the previous slice on their track has ended, but wait for it."
            ));
        }
        Ok(())
    }

    /// The precedences that flows tell; how many flows there are.
    fn precedences(
        &self,
        events: &[Event],
        tasks: &[Stretch],
        by_track: &[Vec<u32>],
        recording: &mut Recording,
    ) -> Result<usize, Error> {
        let mut groups: BTreeMap<(&str, &Id), Vec<Flow>> = BTreeMap::new();
        for (entry, event) in events.iter().enumerate() {
            let (true, Some(id)) = (matches!(&*event.ph, "s" | "t" | "f"), &event.id) else {
                continue;
            };
            let ts = self.time(event, entry)?;
            let track = self
                .tracks
                .get(&(event.pid.clone(), event.tid.clone()))
                .copied()
                .unwrap_or(usize::MAX);
            groups.entry((&event.cat, id)).or_default().push(Flow {
                event,
                ts,
                track,
                entry,
            });
        }
        let (mut count, mut loose) = (0, 0);
        for flows in groups.values_mut() {
            // At one time a flow begins before it goes on.
            flows.sort_by(|a, b| {
                a.ts.total_cmp(&b.ts)
                    .then((&*a.event.ph != "s").cmp(&(&*b.event.ph != "s")))
            });
            self.in_order(flows)?;
            let mut before: Option<u32> = None;
            for flow in flows.iter() {
                count += 1;
                let track = by_track.get(flow.track);
                let here = track.and_then(|track| self.bound(flow, tasks, track));
                loose += usize::from(here.is_none());
                if let (Some(before), Some(here), true) = (before, here, &*flow.event.ph != "s")
                    && before != here
                {
                    recording.tasks.precede(before, here)?;
                }
                before = if &*flow.event.ph == "f" { before } else { here };
            }
        }
        if loose > 0 {
            recording.notes.push(format!(
                "{loose} ends of flows are bound to no task, and are left out."
            ));
        }
        Ok(count)
    }

    /// The task on the track of a flow around its time; where that is at the end of one and the beginning of the next,
    /// a flow begins at the first and ends at the second.
    fn bound(&self, flow: &Flow, tasks: &[Stretch], track: &[u32]) -> Option<u32> {
        let slice = |task: u32| &tasks[task as usize];
        let slack = ROUNDING * flow.ts.abs();
        if &*flow.event.ph == "f" && flow.event.bp.as_deref() != Some("e") {
            let next = track.partition_point(|&task| slice(task).begin < flow.ts - slack);
            return track.get(next).copied();
        }
        let begun = track.partition_point(|&task| slice(task).begin <= flow.ts + slack);
        let near = &track[begun.saturating_sub(LOOK_BACK)..begun];
        let mut around = near.iter().rev().copied().filter(|&task| {
            // Times count from the first of the file: an end near 0 has the error of where the slice began.
            let slack = slack.max(ROUNDING * slice(task).begin.abs());
            flow.ts <= slice(task).end + slack
        });
        let latest = around.next()?;
        let has_begun = |task: u32| slice(task).begin < flow.ts - slack;
        if &*flow.event.ph == "s" && !has_begun(latest) {
            around.find(|&task| has_begun(task)).or(Some(latest))
        } else {
            Some(latest)
        }
    }

    /// A flow does not end before it begins.
    fn in_order(&self, flows: &[Flow]) -> Result<(), Error> {
        let begins = flows.iter().position(|flow| &*flow.event.ph == "s");
        match (begins, flows.first()) {
            (Some(begins), Some(first)) if begins > 0 => {
                let message = format!(
                    "the flow is at its end at {}, but begins at {}",
                    written(first.event),
                    written(flows[begins].event)
                );
                Err(Error::at(self.place(first.entry), message))
            }
            _ => Ok(()),
        }
    }
}
