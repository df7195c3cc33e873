//! WfFormat 1.5 and 1.6: specification and execution of a workflow.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::entries::Places;
use super::values::List;
use super::{Format, Recording, Source, Unit};
use crate::error::{Error, short};
use crate::tasks::shown;

#[derive(Deserialize)]
pub struct Workflow {
    specification: Option<Specification>,
    execution: Option<Execution>,
}

#[derive(Deserialize)]
struct Specification {
    #[serde(default)]
    tasks: List<TaskSpecification>,
}

#[derive(Deserialize)]
struct TaskSpecification {
    id: String,
    #[serde(default)]
    parents: List<String>,
    #[serde(default)]
    children: List<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Execution {
    makespan_in_seconds: Option<f64>,
    #[serde(default)]
    tasks: List<TaskRun>,
    #[serde(default)]
    machines: List<Machine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaskRun {
    id: String,
    runtime_in_seconds: Option<f64>,
    core_count: Option<f64>,
}

#[derive(Deserialize)]
struct Machine {
    cpu: Option<Cpu>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cpu {
    core_count: Option<f64>,
}

pub fn parse(
    source: Source,
    version: Option<&str>,
    workflow: Workflow,
) -> Result<Recording, Error> {
    let Some(specification) = workflow.specification else {
        let version = version.map_or(String::new(), |version| {
            format!(" (this is {})", short(version))
        });
        let message =
            format!("`workflow.specification` is missing: WfFormat 1.5 and 1.6 are read{version}");
        return Err(Error::at(source.name, message));
    };
    let mut recording = Recording::new(
        Format::WfFormat,
        Some(Unit::Seconds),
        source.name,
        "workflow.specification.tasks",
    );
    let specified = &specification.tasks.0;
    let places = Places::of(source, &["workflow", "specification", "tasks"]);
    for (index, task) in specified.iter().enumerate() {
        recording.tasks.add(&task.id, places.at(index))?;
    }
    precedences(specified, &mut recording)?;
    let Some(execution) = workflow.execution else {
        recording
            .notes
            .push("The file has no times: `workflow.execution` is missing.".to_string());
        return Ok(recording);
    };
    let places = Places::of(source, &["workflow", "execution", "tasks"]);
    let mut done = HashSet::new();
    let mut wide = 0;
    for (index, task) in execution.tasks.0.iter().enumerate() {
        let place = || shown(source.name, "workflow.execution.tasks", places.at(index));
        let Some(number) = recording.tasks.find(&task.id) else {
            let message = format!(
                "the task `{}` was done, but `workflow.specification` has none of this id",
                short(&task.id)
            );
            return Err(Error::at(place(), message));
        };
        if !done.insert(number) {
            return Err(Error::at(
                place(),
                format!("the task `{}` occurs twice", short(&task.id)),
            ));
        }
        if let Some(time) = task.runtime_in_seconds {
            recording.tasks.took(number, time)?;
        }
        wide += usize::from(task.core_count.is_some_and(|count| count > 1.0));
    }
    recording.makespans.extend(execution.makespan_in_seconds);
    let cores = execution
        .machines
        .0
        .iter()
        .map(|machine| machine.cpu.as_ref()?.core_count);
    let cores: Option<Vec<f64>> = cores.collect();
    recording.cores = cores
        .map(|cores| cores.iter().sum())
        .filter(|&sum| sum > 0.0);
    if wide > 0 {
        let note = format!(
            "Tasks that ran on more than one core: {wide}; their times are those of the whole task."
        );
        recording.notes.push(note);
    }
    Ok(recording)
}

/// Parents and children must agree.
fn precedences(specified: &[TaskSpecification], recording: &mut Recording) -> Result<(), Error> {
    let find = |recording: &Recording, name: &str, task: u32, role: &str| {
        recording.tasks.find(name).ok_or_else(|| {
            let message = format!(
                "the {role} `{}` of `{}` is not a task",
                short(name),
                short(recording.tasks.name(task))
            );
            Error::at(recording.tasks.place(task), message)
        })
    };
    let mut told: HashMap<(u32, u32), [bool; 2]> = HashMap::new();
    let mut pairs = Vec::new();
    for (task, entry) in (0..).zip(specified) {
        for parent in &entry.parents.0 {
            let parent = find(recording, parent, task, "parent")?;
            told.entry((parent, task)).or_default()[0] = true;
            pairs.push((parent, task));
        }
        for child in &entry.children.0 {
            let child = find(recording, child, task, "child")?;
            told.entry((task, child)).or_default()[1] = true;
        }
    }
    let contradiction = told
        .iter()
        .filter(|(_, sides)| **sides != [true, true])
        .map(|(pair, sides)| (*pair, *sides))
        .min();
    if let Some(((parent, child), [by_child, _])) = contradiction {
        let (says, other, role, missing) = if by_child {
            (child, parent, "parent", "children")
        } else {
            (parent, child, "child", "parents")
        };
        let (own, others) = (
            short(recording.tasks.name(says)),
            short(recording.tasks.name(other)),
        );
        let message = format!(
            "`{own}` names `{others}` as its {role}, but is not among the {missing} of that"
        );
        return Err(Error::at(recording.tasks.place(says), message));
    }
    for (parent, child) in pairs {
        recording.tasks.precede(parent, child)?;
    }
    Ok(())
}
