//! Several recordings of the same tasks.

use std::collections::HashSet;

use super::Recording;
use crate::error::{Error, short};

/// Merges the files into one recording with the times of all runs.
pub fn merged(recordings: Vec<Recording>) -> Result<Recording, Error> {
    let mut recordings = recordings.into_iter();
    let Some(mut first) = recordings.next() else {
        return Err(Error::at("", "no file of recorded tasks is named"));
    };
    for other in recordings {
        same_tasks(&first, &other)?;
        for task in 0..other.tasks.len() as u32 {
            let Some(own) = first.tasks.find(other.tasks.name(task)) else {
                continue;
            };
            for time in other.tasks.times(task) {
                first.tasks.took(own, time)?;
            }
        }
        first.makespans.extend(other.makespans);
        first.cores = first.cores.filter(|cores| other.cores == Some(*cores));
        let known: HashSet<String> = first.notes.iter().cloned().collect();
        first
            .notes
            .extend(other.notes.into_iter().filter(|note| !known.contains(note)));
    }
    Ok(first)
}

/// Fails unless both record the same tasks and precedences.
fn same_tasks(first: &Recording, other: &Recording) -> Result<(), Error> {
    if first.format != other.format || first.unit != other.unit {
        let place = other.tasks.place(0);
        let message = format!(
            "this is a {}, but the file before it a {}: runs of the same tasks must have one format",
            other.format, first.format
        );
        return Err(Error::at(place, message));
    }
    for (a, b) in [(first, other), (other, first)] {
        let missing =
            (0..a.tasks.len() as u32).find(|&task| b.tasks.find(a.tasks.name(task)).is_none());
        if let Some(task) = missing {
            let name = short(a.tasks.name(task));
            let message =
                format!("the task `{name}` is not in all runs, which must have the same tasks");
            return Err(Error::at(a.tasks.place(task), message));
        }
    }
    let number = |task: u32| first.tasks.find(other.tasks.name(task)).unwrap_or(u32::MAX);
    let own: HashSet<(u32, u32)> = first.tasks.precedences().iter().copied().collect();
    let others: HashSet<(u32, u32)> = (other.tasks.precedences().iter())
        .map(|&(before, task)| (number(before), number(task)))
        .collect();
    let difference = own.symmetric_difference(&others).min();
    difference.map_or(Ok(()), |&(before, task)| {
        let (before, name) = (short(first.tasks.name(before)), short(first.tasks.name(task)));
        let message = format!("`{name}` waits for `{before}` in one run, but not in another: runs must have the same precedences");
        Err(Error::at(first.tasks.place(task), message))
    })
}
