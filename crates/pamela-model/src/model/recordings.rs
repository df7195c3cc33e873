//! Tasks of `graph (w in "file") ..`, read before sorts are checked: the files determine if times
//! are laws.

use std::collections::HashMap;
use std::sync::Arc;

use pamela_graph::Graph;
use pamela_graph::files::{self, Options, Source};
use pamela_graph::shape::Links;

use super::Model;
use super::walk::{Part, parts_of_expr, parts_of_process, with_stack};
use crate::diagnostic::{Diagnostic, Span};
use crate::ring::Rational;
use crate::syntax::tree::{
    Equation, Expr, ExprKind, Name, Process, ProcessKind, Recorded, Tracks, Value,
};
use crate::syntax::{Loader, MAX_TEXT};

/// Tasks recorded in files. No task waits for itself.
#[derive(Clone, Debug, Default)]
pub struct RecordedTasks {
    /// File names in the model.
    pub files: Vec<String>,
    /// Name of each task.
    pub names: Vec<Box<str>>,
    /// For each task a number, or the law of its runs if these differ; `None` if no time is
    /// recorded.
    pub times: Vec<Option<Expr>>,
    /// Predecessors of each task.
    before: Links,
    /// Location in the file of the first task without a recorded time.
    untimed: Option<String>,
    /// True if some time is a law.
    pub random: bool,
    /// Recorded time of the whole for each run.
    pub makespans: Vec<f64>,
    /// Recorded number of cores.
    pub cores: Option<f64>,
    /// Unit of the times, if the format states it.
    pub unit: Option<String>,
    /// Notes for readers of the numbers, as sentences.
    pub notes: Vec<String>,
}

impl RecordedTasks {
    /// Predecessors of a task, in increasing order.
    pub fn before(&self, task: usize) -> &[u32] {
        self.before.of(task as u32)
    }

    /// Number of precedences.
    pub fn precedences(&self) -> usize {
        self.before.count()
    }
}

impl Model {
    /// The tasks of a graph from files.
    pub fn recording(&self, recorded: &Recorded) -> Option<&Arc<RecordedTasks>> {
        self.recordings.get(&recorded.files.first()?.span)
    }

    /// The tasks of all graphs from files, once for equal files, in the order of the text.
    pub fn all_recordings(&self) -> Vec<&Arc<RecordedTasks>> {
        let mut places: Vec<&Span> = self.recordings.keys().collect();
        places.sort_by_key(|place| (place.file, place.start));
        let mut all: Vec<&Arc<RecordedTasks>> = Vec::new();
        for tasks in places.into_iter().map(|place| &self.recordings[place]) {
            if !all.iter().any(|known| Arc::ptr_eq(known, tasks)) {
                all.push(tasks);
            }
        }
        all
    }

    /// Mean recorded time of the graphs in files; `None` if none is recorded or several differ.
    pub fn recorded_makespan(&self) -> Option<f64> {
        match &self.all_recordings()[..] {
            [tasks] if !tasks.makespans.is_empty() => {
                let sum: f64 = tasks.makespans.iter().sum();
                Some(sum / tasks.makespans.len() as f64)
            }
            _ => None,
        }
    }

    /// Processes without arguments that contain a graph, in the order of the text.
    pub fn processes_with_graphs(&self) -> Vec<&str> {
        let has_graph = |equation: &&Equation| match &equation.value {
            Some(Value::Process(process)) => equation.formals.is_empty() && is_in(process),
            _ => false,
        };
        let equations = self.equations().iter().filter(has_graph);
        equations
            .map(|equation| equation.name.text.as_str())
            .collect()
    }

    /// Reads the files of every graph that has not been read yet.
    pub(super) fn read_recordings(&mut self, loader: &dyn Loader) -> Vec<Diagnostic> {
        let mut graphs = Vec::new();
        for part in self.expressions() {
            graphs_in(part, &mut graphs);
        }
        let mut reader = Reader {
            model: self,
            loader,
            known: HashMap::new(),
        };
        let (mut found, mut diagnostics) = (Vec::new(), Vec::new());
        for recorded in graphs {
            if self.recording(recorded).is_some() {
                continue;
            }
            match reader.read(recorded) {
                Ok(tasks) => found.push((place(recorded), tasks)),
                Err(diagnostic) => diagnostics.push(*diagnostic),
            }
        }
        self.recordings.extend(found);
        diagnostics
    }
}

fn place(recorded: &Recorded) -> Span {
    recorded
        .files
        .first()
        .map_or(recorded.time.span, |file| file.span)
}

fn graphs_in<'m>(part: Part<'m>, graphs: &mut Vec<&'m Recorded>) {
    let recorded = match &part {
        Part::Expr(Expr {
            kind: ExprKind::Graph(graph),
            ..
        }) => graph.recorded.as_ref(),
        Part::Process(process) => match &process.kind {
            ProcessKind::Graph(graph) => graph.recorded.as_ref(),
            _ => None,
        },
        Part::Expr(_) => None,
    };
    graphs.extend(recorded);
    let mut inner = |part, _: &[&str]| with_stack(|| graphs_in(part, graphs));
    match part {
        Part::Expr(e) => parts_of_expr(e, &mut inner),
        Part::Process(p) => parts_of_process(p, &mut inner),
    }
}

/// True if there is a graph of processes in a process.
fn is_in(process: &Process) -> bool {
    let mut found = matches!(process.kind, ProcessKind::Graph(_));
    parts_of_process(process, &mut |part, _| {
        if let Part::Process(inner) = part {
            found = found || with_stack(|| is_in(inner));
        }
    });
    found
}

/// Reads the same files once.
struct Reader<'m> {
    model: &'m Model,
    loader: &'m dyn Loader,
    known: HashMap<(Vec<String>, Option<files::Tracks>), Arc<RecordedTasks>>,
}

impl Reader<'_> {
    fn read(&mut self, recorded: &Recorded) -> Result<Arc<RecordedTasks>, Box<Diagnostic>> {
        let tracks = recorded.tracks.map(|tracks| match tracks {
            Tracks::Order => files::Tracks::Order,
            Tracks::Free => files::Tracks::Free,
        });
        let mut names = Vec::new();
        for file in &recorded.files {
            let name = self
                .resolved(file)
                .map_err(|reason| unread(file, &reason))?;
            names.push(name);
        }
        let identities = names.iter().map(|name| self.loader.identity(name));
        let key = (identities.collect::<Vec<String>>(), tracks);
        let tasks = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => {
                let tasks = Arc::new(self.tasks(recorded, &names, tracks)?);
                self.known.insert(key, tasks.clone());
                tasks
            }
        };
        match tasks
            .untimed
            .as_ref()
            .filter(|_| recorded.default.is_none())
        {
            None => Ok(tasks),
            Some(untimed) => {
                let message = format!("{untimed} has no time");
                let label = "tasks are read from here";
                Err(Box::new(
                    Diagnostic::error(message, place(recorded), label)
                        .hint("set a default time: `graph (w in \"..\", default = 1)`"),
                ))
            }
        }
    }

    /// The name of the file that a graph names.
    fn resolved(&self, file: &Name) -> Result<String, String> {
        let including = self.model.sources.0.get(file.span.file as usize);
        let including = including.map_or("", |source| source.name.as_str());
        self.loader.resolve(including, &file.text)
    }

    fn tasks(
        &self,
        recorded: &Recorded,
        names: &[String],
        tracks: Option<files::Tracks>,
    ) -> Result<RecordedTasks, Box<Diagnostic>> {
        let mut texts = Vec::new();
        let mut left = MAX_TEXT;
        for (file, name) in recorded.files.iter().zip(names) {
            let text = self.loader.read(name);
            let text = text.map_err(|reason| unread(file, &reason))?;
            left = left.checked_sub(text.len()).ok_or_else(|| {
                let most = MAX_TEXT >> 20;
                unread(
                    file,
                    &format!("the files together are larger than {most} MiB"),
                )
            })?;
            texts.push(text);
        }
        let files = recorded.files.iter().zip(&texts);
        let sources: Vec<Source> = files
            .map(|(file, text)| Source {
                name: &file.text,
                text,
            })
            .collect();
        let options = Options {
            tracks,
            ..Options::default()
        };
        let wrong = |error: pamela_graph::Error| {
            let label = "tasks are read from here";
            Box::new(Diagnostic::error(error.to_string(), place(recorded), label))
        };
        let recording = files::parse(&sources, &options).map_err(wrong)?;
        let traced = recording.format == files::Format::TraceEvents;
        if let (Some(_), false) = (tracks, traced) {
            let message = format!(
                "`tracks` is only for traces, but this is a {}",
                recording.format
            );
            let hint = "remove it: the file states the precedences";
            let label = "tasks are read from here";
            return Err(Box::new(
                Diagnostic::error(message, place(recorded), label).hint(hint),
            ));
        }
        let graph = Graph::of(&recording.tasks).map_err(wrong)?;
        Ok(RecordedTasks {
            files: recorded
                .files
                .iter()
                .map(|file| file.text.clone())
                .collect(),
            ..tasks_of(recording, graph, place(recorded))
        })
    }
}

fn unread(file: &Name, reason: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(
        format!("cannot read `{}`: {reason}", file.text),
        file.span,
        "tasks are read from here",
    ))
}

fn tasks_of(recording: files::Recording, graph: Graph, place: Span) -> RecordedTasks {
    let tasks = recording.tasks;
    let mut all = RecordedTasks {
        makespans: recording.makespans,
        cores: recording.cores,
        unit: recording.unit.map(|unit| unit.to_string()),
        notes: recording.notes,
        before: graph.into_before(),
        times: Vec::with_capacity(tasks.len()),
        ..RecordedTasks::default()
    };
    for task in 0..tasks.len() as u32 {
        let mut runs = tasks.times(task);
        let first = runs.next();
        let others: Vec<f64> = runs.collect();
        if first.is_none() && all.untimed.is_none() {
            let (place, name) = (tasks.place(task), tasks.name(task));
            all.untimed = Some(format!("{place}: the task `{name}`"));
        }
        let differs = others.iter().any(|&run| Some(run) != first);
        all.random |= differs;
        all.times.push(if differs {
            let runs = first.into_iter().chain(others);
            Some(law_of(
                runs.map(|time| number(time, place)).collect(),
                place,
            ))
        } else {
            first.map(|time| number(time, place))
        });
    }
    all.names = tasks.into_names();
    all
}

fn law_of(runs: Vec<Expr>, span: Span) -> Expr {
    let name = Name {
        text: "empirical".to_owned(),
        span,
    };
    let kind = ExprKind::Call(name, runs);
    Expr { kind, span }
}

/// The decimal number that is shown for a double.
fn number(value: f64, span: Span) -> Expr {
    let value = few_decimals(value)
        .unwrap_or_else(|| Rational::parse_decimal(&format!("{value}")).unwrap_or(Rational::ZERO));
    let kind = ExprKind::Number(value);
    Expr { kind, span }
}

/// The number with the fewest decimals, up to nine and of up to 15 digits in all, that the double is nearest to; there is
/// one such number at most.
fn few_decimals(value: f64) -> Option<Rational> {
    let mut scale = 1_i64;
    for _ in 0..=9 {
        // Both are whole numbers that doubles hold, so that the quotient is the double nearest to the fraction.
        let parts = (value * scale as f64).round();
        if parts.abs() >= 1e15 {
            return None;
        }
        if parts / scale as f64 == value {
            return Rational::new(parts as i64, scale);
        }
        scale *= 10;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_are_shown() {
        let mut random = 1_u64;
        for round in 0..200_000_u64 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let digits = (random >> 11) >> (round % 53);
            let value = digits as f64 / 10_f64.powi((round % 14) as i32);
            let shown = Rational::parse_decimal(&format!("{value}")).ok();
            let span = Span::default();
            let ExprKind::Number(number) = number(value, span).kind else {
                panic!("{value}");
            };
            assert_eq!(Some(number), shown, "{value}");
        }
    }
}
