//! Directed graphs of Graphviz as tasks.

use super::dot::{self, Attributes};
use super::{Format, Recording, Source};
use crate::error::{Error, short};
use crate::tasks::Place;

pub fn parse(source: Source) -> Result<Recording, Error> {
    let graph = dot::parse(source)?;
    let mut recording = Recording::new(Format::Dot, None, source.name, "");
    for node in &graph.nodes {
        let task = recording.tasks.add(&node.name, Place::line(node.line))?;
        let attributes = &node.attributes;
        let time = match (&attributes.weight, &attributes.label) {
            (Some(weight), _) => Some(weight.trim().parse().map_err(|_| {
                let name = short(&node.name);
                Error::at(
                    format!("{}:{}", source.name, node.line),
                    format!(
                        "the weight of `{name}` is `{}`, but must be a number",
                        short(weight)
                    ),
                )
            })?),
            (None, Some(label)) => label.trim().parse::<f64>().ok(),
            (None, None) => None,
        };
        if let Some(time) = time {
            recording.tasks.took(task, time)?;
        }
    }
    let mut weighed = 0;
    for edge in &graph.edges {
        recording.tasks.precede(edge.from, edge.to)?;
        let is_number = |text: &String| text.trim().parse::<f64>().is_ok_and(|x| x != 0.0);
        let Attributes { weight, label, .. } = &edge.attributes;
        weighed += usize::from(weight.iter().chain(label).any(is_number));
    }
    if weighed > 0 {
        recording.notes.push(format!(
            "{weighed} edges have a weight or a number for a label, but take no time: model the time between two tasks as a \
             task."
        ));
    }
    Ok(recording)
}
