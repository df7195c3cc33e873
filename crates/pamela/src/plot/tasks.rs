//! Plots graphs of tasks from a run.

use pamela_plot::{Arrangement, Picture, Task, TaskGraph, short};

use crate::diagnostic::{Error, Result};
use crate::model::Model;
use crate::simulate::{self, Basis, Replications, TracedTask, Watch, simulate};

/// More tasks are not drawn in layers, nor as bars.
const MOST_IN_LAYERS: usize = 200;
const MOST_BARS: usize = 2_000;
/// Number of runs that tell how often a task is on the longest path.
const RUNS: u64 = 100;
const MOST_EVENTS: usize = 2_000_000;

/// Draws the tasks of the graphs in a process.
///
/// Shows the first run, and how often each task is on the longest path.
///
/// # Errors
/// Fails if the simulation fails, or if the process has no tasks or too many.
pub fn tasks(
    model: &Model,
    process: &str,
    arrangement: Arrangement,
    title: &str,
) -> Result<Picture> {
    let run = |seed: u64| {
        let options = simulate::Options {
            process: Some(process.to_owned()),
            replications: Replications::Exactly(1),
            trace_limit: Some(MOST_EVENTS),
            seed,
            ..simulate::Options::default()
        };
        let report = simulate(model, &options, &Watch::default())?;
        let basis = report.processes.first().map(|process| process.basis);
        let tasks = report.trace.map(|trace| trace.tasks());
        Ok::<_, Error>((tasks.unwrap_or_default(), basis))
    };
    let (first, basis) = run(1)?;
    let most = match arrangement {
        Arrangement::Layers => MOST_IN_LAYERS,
        Arrangement::Time => MOST_BARS,
    };
    if first.is_empty() {
        let message = format!("`{process}` runs no graph of tasks");
        return Err(Error::new(message)
            .hint("tasks come from `graph { .. }` and `graph (w in \"file\") ..`"));
    }
    if first.len() > most {
        let message = format!(
            "there are {} tasks, but at most {most} can be drawn",
            first.len()
        );
        return Err(Error::new(message).hint("use smaller values"));
    }
    let path = critical_path(&first);
    let mut counts = vec![0_u32; first.len()];
    path.iter().for_each(|&task| counts[task] += 1);
    let mut runs = 1;
    if basis == Some(Basis::OneDraw) {
        for seed in 2..=RUNS {
            let (tasks, _) = run(seed)?;
            // The tasks of a graph are not random, but the process around a graph may be.
            if tasks.len() == first.len() {
                runs += 1;
                let path = critical_path(&tasks);
                path.iter().for_each(|&task| counts[task] += 1);
            }
        }
    }
    let precedences = first.iter().enumerate();
    let precedences =
        precedences.flat_map(|(task, own)| own.before.iter().map(move |&u| (u, task)));
    Ok(Picture::Tasks(TaskGraph {
        title: title.to_owned(),
        label: label(&first, runs),
        arrangement,
        precedences: precedences.collect(),
        tasks: first
            .iter()
            .zip(counts)
            .map(|(task, count)| Task {
                name: task.name.clone(),
                family: task.name.split('(').next().unwrap_or_default().to_owned(),
                from: task.began,
                to: task.ended,
                criticality: f64::from(count) / f64::from(runs),
            })
            .collect(),
        path,
    }))
}

/// The number of tasks and the end of the last one.
fn label(tasks: &[TracedTask], runs: u32) -> String {
    let end = tasks.iter().map(|task| task.ended).fold(0.0, f64::max);
    let (count, end) = (tasks.len(), short(end));
    match runs {
        1 => format!("{count} tasks, in {end}"),
        _ => format!("{count} tasks, in {end} in the first of {runs} runs"),
    }
}

/// Follows the critical path backwards: from the last task, each time to the predecessor that ended last.
fn critical_path(tasks: &[TracedTask]) -> Vec<usize> {
    let latest = |all: &mut dyn Iterator<Item = usize>| {
        all.reduce(|best, task| {
            if tasks[task].ended > tasks[best].ended {
                task
            } else {
                best
            }
        })
    };
    let mut path = Vec::new();
    let mut last = latest(&mut (0..tasks.len()));
    while let Some(task) = last {
        path.push(task);
        last = latest(&mut tasks[task].before.iter().copied());
    }
    path.reverse();
    path
}
