//! Builds by Ninja: `.ninja_log`, and the output of `ninja -t graph`.
//!
//! In the graph, boxes are files; an ellipse is a command, and so is an edge with a label, between its single input and
//! its single output. The log has the begin and the end of each output, in milliseconds.

use std::collections::HashMap;

use super::dot::{self, Dot};
use super::{Format, Recording, Source, Unit};
use crate::error::{Error, short};
use crate::tasks::Place;

/// When a command ran: its beginning and its end.
type Span = (f64, f64);

const LOG: &str = "# ninja log v";

/// True if a text is a log or a graph of Ninja.
pub fn is_of(text: &str) -> bool {
    is_log(text) || is_graph(text)
}

fn is_log(text: &str) -> bool {
    text.starts_with(LOG)
}

fn is_graph(text: &str) -> bool {
    text.trim_start().starts_with("digraph ninja {")
}

pub fn parse(sources: &[Source]) -> Result<Recording, Error> {
    let (graphs, logs): (Vec<&Source>, Vec<&Source>) =
        sources.iter().partition(|source| is_graph(source.text));
    let graph = match graphs[..] {
        [graph] => *graph,
        [] => {
            let message = "a log of Ninja has no precedences: add the output of `ninja -t graph`";
            return Err(Error::at(sources[0].name, message));
        }
        [_, second, ..] => {
            return Err(Error::at(
                second.name,
                "this is a second graph of Ninja, but a build has one",
            ));
        }
    };
    let logs: Vec<HashMap<&str, Span>> = logs
        .into_iter()
        .map(|log| read_log(*log))
        .collect::<Result<_, _>>()?;
    let mut recording = Recording::new(Format::Ninja, Some(Unit::Seconds), graph.name, "");
    let commands = Commands::of(&dot::parse(graph)?);
    commands.tasks(graph, &logs, &mut recording)?;
    recording.makespans = logs
        .iter()
        .filter_map(|log| {
            let begin = log.values().map(|span| span.0).reduce(f64::min)?;
            let end = log.values().map(|span| span.1).reduce(f64::max)?;
            Some((end - begin) / 1e3)
        })
        .collect();
    if !logs.is_empty() {
        recording
            .notes
            .push("The times of Ninja were measured while other commands ran.".to_string());
    }
    Ok(recording)
}

/// The last line of each output counts.
fn read_log<'a>(source: Source<'a>) -> Result<HashMap<&'a str, Span>, Error> {
    let mut lines = (1..).zip(source.text.lines());
    let version = lines
        .next()
        .map_or("", |(_, line)| line.trim_start_matches(LOG).trim());
    if !["5", "6", "7"].contains(&version) {
        let message = format!(
            "the log has version `{}`, but 5, 6 and 7 are read",
            short(version)
        );
        return Err(Error::at(format!("{}:1", source.name), message));
    }
    let mut spans = HashMap::new();
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'))
    {
        let fields: Vec<&str> = text.split('\t').collect();
        let &[begin, end, _, output, _] = &fields[..] else {
            let message = format!(
                "a line has five fields with tabulators between them, but this has {}",
                fields.len()
            );
            return Err(Error::at(format!("{}:{line}", source.name), message));
        };
        match (begin.parse::<f64>(), end.parse::<f64>()) {
            (Ok(begin), Ok(end)) if begin.is_finite() && end.is_finite() && begin <= end => {
                spans.insert(output, (begin, end));
            }
            _ => {
                let message = format!(
                    "`{}` begins at `{}` and ends at `{}`, which is not a valid time",
                    short(output),
                    short(begin),
                    short(end)
                );
                return Err(Error::at(format!("{}:{line}", source.name), message));
            }
        }
    }
    Ok(spans)
}

/// The commands of a build.
#[derive(Default)]
struct Commands {
    commands: Vec<Command>,
    /// The command that makes a file, by its node.
    maker: HashMap<u32, usize>,
    labels: Vec<String>,
}

struct Command {
    rule: String,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    line: usize,
}

impl Commands {
    fn of(graph: &Dot) -> Commands {
        let label = |node: &dot::DotNode| {
            node.attributes
                .label
                .clone()
                .unwrap_or_else(|| node.name.clone())
        };
        let mut commands = Commands {
            labels: graph.nodes.iter().map(label).collect(),
            ..Commands::default()
        };
        let mut ellipses: HashMap<u32, usize> = HashMap::new();
        for (number, node) in (0..).zip(&graph.nodes) {
            if node.attributes.shape.as_deref() == Some("ellipse") {
                ellipses.insert(number, commands.commands.len());
                let rule = commands.labels[number as usize].trim().to_string();
                commands.add(rule, node.line);
            }
        }
        for edge in &graph.edges {
            match (ellipses.get(&edge.from), ellipses.get(&edge.to)) {
                (Some(&command), None) => commands.makes(command, edge.to),
                (None, Some(&command)) => commands.commands[command].inputs.push(edge.from),
                _ => {
                    let rule = edge
                        .attributes
                        .label
                        .as_deref()
                        .unwrap_or("")
                        .trim()
                        .to_string();
                    let line = graph.nodes[edge.to as usize].line;
                    let command = commands.add(rule, line);
                    commands.commands[command].inputs.push(edge.from);
                    commands.makes(command, edge.to);
                }
            }
        }
        commands
    }

    fn add(&mut self, rule: String, line: usize) -> usize {
        let (inputs, outputs) = (Vec::new(), Vec::new());
        self.commands.push(Command {
            rule,
            inputs,
            outputs,
            line,
        });
        self.commands.len() - 1
    }

    fn makes(&mut self, command: usize, file: u32) {
        self.commands[command].outputs.push(file);
        self.maker.insert(file, command);
    }

    /// Tasks under the names of their first outputs.
    fn tasks(
        &self,
        source: Source,
        logs: &[HashMap<&str, Span>],
        recording: &mut Recording,
    ) -> Result<(), Error> {
        let label = |file: &u32| self.labels[*file as usize].as_str();
        for command in &self.commands {
            let Some(first) = command.outputs.first() else {
                let message = format!("a command `{}` has no output", short(&command.rule));
                return Err(Error::at(
                    format!("{}:{}", source.name, command.line),
                    message,
                ));
            };
            let task = recording
                .tasks
                .add(label(first), Place::line(command.line))?;
            if command.rule == "phony" {
                recording.tasks.took(task, 0.0)?;
                continue;
            }
            for log in logs {
                let span = command
                    .outputs
                    .iter()
                    .find_map(|output| log.get(label(output)));
                if let Some((begin, end)) = span {
                    recording.tasks.took(task, (end - begin) / 1e3)?;
                }
            }
        }
        for (task, command) in (0..).zip(&self.commands) {
            for input in &command.inputs {
                if let Some(&maker) = self.maker.get(input) {
                    recording.tasks.precede(maker as u32, task)?;
                }
            }
        }
        Ok(())
    }
}
