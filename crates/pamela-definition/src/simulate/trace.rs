//! Traces in the format of Chrome's trace viewer, which Perfetto reads.
//!
//! They have slices of processes and of servers, and the lengths of queues. One unit of time is one
//! microsecond.

use std::collections::BTreeMap;

use serde::Serialize;

/// The groups of tracks.
const PROCESSES: u32 = 1;
const RESOURCES: u32 = 2;
const TASKS: u32 = 3;

/// Tracks of one resource are numbered from a multiple of this.
const SERVERS: u64 = 1 << 20;

#[derive(Clone, Debug, Serialize)]
struct Event {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    /// `X` for a slice, `C` a counter, `M` a name, `s` and `f` the ends of a flow.
    ph: &'static str,
    pid: u32,
    tid: u64,
    ts: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<serde_json::Value>,
}

impl Event {
    fn new(name: &str, ph: &'static str, pid: u32, tid: u64, ts: f64) -> Event {
        Event {
            name: name.to_string(),
            cat: None,
            ph,
            pid,
            tid,
            ts,
            dur: None,
            id: None,
            args: None,
        }
    }
}

/// A task of a graph that has ended.
#[derive(Clone, Debug)]
struct Task {
    name: String,
    began: f64,
    ended: f64,
    /// Numbers of its predecessors.
    before: Vec<u64>,
}

/// A task of a graph, with its start and end.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedTask {
    pub name: String,
    pub began: f64,
    pub ended: f64,
    /// Indices of its predecessors.
    pub before: Vec<usize>,
}

/// The beginning of a run, up to a number of events.
#[derive(Clone, Debug)]
pub struct Trace {
    limit: usize,
    events: Vec<Event>,
    /// Start of each frame's current activity.
    since: BTreeMap<u32, f64>,
    /// Servers of a resource that a frame has, with the start.
    served: BTreeMap<(u32, u32), Vec<(u64, f64)>>,
    resources: BTreeMap<u32, Tracks>,
    /// Ended tasks of graphs, by number.
    tasks: BTreeMap<u64, Task>,
    /// Number of precedences drawn.
    flows: u64,
}

/// The servers of a resource that are free, and how many have been used.
#[derive(Clone, Debug, Default)]
struct Tracks {
    name: String,
    free: Vec<u64>,
    used: u64,
}

impl Trace {
    pub fn new(limit: usize) -> Trace {
        let mut trace = Trace {
            limit,
            events: Vec::new(),
            since: BTreeMap::new(),
            served: BTreeMap::new(),
            resources: BTreeMap::new(),
            tasks: BTreeMap::new(),
            flows: 0,
        };
        trace.name("process_name", PROCESSES, 0, "processes");
        trace.name("process_name", RESOURCES, 0, "resources");
        trace
    }

    /// True if there was no space for all events.
    pub fn is_cut(&self) -> bool {
        self.events.len() >= self.limit
    }

    /// The tasks of graphs, in the order of the text and of their indices; a truncated trace may
    /// lack some.
    pub fn tasks(&self) -> Vec<TracedTask> {
        let places: BTreeMap<u64, usize> = self.tasks.keys().copied().zip(0..).collect();
        let place = |number: &u64| places.get(number).copied();
        let tasks = self.tasks.values().map(|task| TracedTask {
            name: task.name.clone(),
            began: task.began,
            ended: task.ended,
            before: task.before.iter().filter_map(place).collect(),
        });
        tasks.collect()
    }

    /// The trace as a JSON object.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&serde_json::json!({
            "traceEvents": self.events,
            "displayTimeUnit": "ms",
        }))
    }

    fn push(&mut self, event: Event) {
        if !self.is_cut() {
            self.events.push(event);
        }
    }

    fn name(&mut self, what: &'static str, pid: u32, tid: u64, name: &str) {
        self.push(Event {
            args: Some(serde_json::json!({ "name": name })),
            ..Event::new(what, "M", pid, tid, 0.0)
        });
    }

    fn slice(&mut self, name: &str, pid: u32, tid: u64, from: f64, to: f64) {
        self.push(Event {
            dur: Some(to - from),
            ..Event::new(name, "X", pid, tid, from)
        });
    }

    pub fn resource(&mut self, number: u32, name: &str) {
        let tracks = Tracks {
            name: name.to_string(),
            ..Tracks::default()
        };
        self.resources.insert(number, tracks);
    }

    /// A frame begins a delay, or reaches a resource.
    pub fn waits(&mut self, frame: u32, now: f64) {
        if !self.is_cut() {
            self.since.insert(frame, now);
        }
    }

    pub fn delayed(&mut self, frame: u32, now: f64) {
        if let Some(since) = self.since.remove(&frame) {
            self.slice("run", PROCESSES, u64::from(frame), since, now);
        }
    }

    pub fn served(&mut self, frame: u32, resource: u32, now: f64) {
        if let Some(since) = self.since.remove(&frame)
            && now > since
        {
            self.slice("wait", PROCESSES, u64::from(frame), since, now);
        }
        if self.is_cut() {
            return;
        }
        let tracks = self.resources.entry(resource).or_default();
        let free = tracks.free.pop();
        let server = free.unwrap_or(tracks.used);
        let track = u64::from(resource) * SERVERS + server;
        if free.is_none() {
            tracks.used += 1;
            let name = format!("{} server {server}", tracks.name);
            self.name("thread_name", RESOURCES, track, &name);
        }
        let own = self.served.entry((frame, resource)).or_default();
        own.push((track, now));
    }

    pub fn left(&mut self, frame: u32, resource: u32, now: f64) {
        let own = self.served.get_mut(&(frame, resource));
        let Some((track, since)) = own.and_then(Vec::pop) else {
            return;
        };
        let tracks = self.resources.entry(resource).or_default();
        tracks.free.push(track % SERVERS);
        let name = tracks.name.clone();
        self.slice(&name, PROCESSES, u64::from(frame), since, now);
        self.slice(&format!("process {frame}"), RESOURCES, track, since, now);
    }

    /// A frame is stopped that was not being served.
    pub fn stopped(&mut self, frame: u32, now: f64) {
        if let Some(since) = self.since.remove(&frame) {
            self.slice("stopped", PROCESSES, u64::from(frame), since, now);
        }
    }

    pub fn queue(&mut self, resource: u32, length: usize, now: f64) {
        let name = self
            .resources
            .get(&resource)
            .map_or("", |t| t.name.as_str());
        self.push(Event {
            args: Some(serde_json::json!({ "waiting": length })),
            ..Event::new(&format!("queue of {name}"), "C", RESOURCES, 0, now)
        });
    }

    /// A task of a graph ends, on a track of its own.
    pub fn task(&mut self, number: u64, name: &str, began: f64, ended: f64) {
        if self.is_cut() {
            return;
        }
        if self.tasks.is_empty() {
            self.name("process_name", TASKS, 0, "tasks");
        }
        let task = Task {
            name: name.to_owned(),
            began,
            ended,
            before: Vec::new(),
        };
        self.tasks.insert(number, task);
        self.push(Event {
            cat: Some("task"),
            dur: Some(ended - began),
            ..Event::new(name, "X", TASKS, number, began)
        });
    }

    /// Draws the precedence between two tasks.
    pub fn precedence(&mut self, before: u64, task: u64) {
        let Some(ended) = self.tasks.get(&before).map(|from| from.ended) else {
            return;
        };
        let Some(to) = self.tasks.get_mut(&task) else {
            return;
        };
        to.before.push(before);
        let began = to.began;
        if self.events.len() + 1 >= self.limit {
            return;
        }
        self.flows += 1;
        let ends = [("s", before, ended), ("f", task, began)];
        for (ph, track, ts) in ends {
            self.push(Event {
                cat: Some("precedence"),
                id: Some(self.flows),
                ..Event::new("precedence", ph, TASKS, track, ts)
            });
        }
    }
}
