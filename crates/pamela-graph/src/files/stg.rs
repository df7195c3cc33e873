//! Standard task graphs: the number of tasks without the two dummies, then a line for each task with its number, its
//! time, the number of its predecessors, and the predecessors.

use super::{Format, Recording, Source};
use crate::error::{Error, short};
use crate::tasks::{MAX_TASKS, Place};

/// True if the first line is one number and the second has at least three.
pub fn is_of(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let numbers = |line: Option<&str>| {
        let words = line.unwrap_or("").split_whitespace();
        words
            .map(|word| word.parse::<f64>().ok())
            .collect::<Option<Vec<_>>>()
    };
    let first = numbers(lines.next()).is_some_and(|numbers| numbers.len() == 1);
    first && numbers(lines.next()).is_some_and(|numbers| numbers.len() >= 3)
}

pub fn parse(source: Source) -> Result<Recording, Error> {
    let mut lines = (1..)
        .zip(source.text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let count: usize = match lines.next() {
        Some((line, text)) => number(source, line, text.trim())?,
        None => 0,
    };
    if count > MAX_TASKS {
        return Err(Error::at(
            format!("{}:1", source.name),
            format!("there are {count} tasks, but a graph has at most {MAX_TASKS}"),
        ));
    }
    let mut recording = Recording::new(Format::Stg, None, source.name, "");
    let mut waiting: Vec<(u32, usize, &str)> = Vec::new();
    for (line, text) in lines {
        if text.trim_start().starts_with('#') {
            break;
        }
        let place = format!("{}:{line}", source.name);
        let mut words = text.split_whitespace();
        let (Some(name), Some(time)) = (words.next(), words.next()) else {
            return Err(Error::at(
                place,
                "a line has the number of a task, its time, and what it waits for",
            ));
        };
        let task = recording.tasks.add(name, Place::line(line))?;
        let time = number::<f64>(source, line, time)?;
        recording.tasks.took(task, time)?;
        let announced: usize = number(source, line, words.next().unwrap_or("nothing"))?;
        let before = words.clone().count();
        if announced != before {
            let message = format!("`{name}` waits for {announced} tasks, but {before} follow");
            return Err(Error::at(place, message));
        }
        words.for_each(|before| waiting.push((task, line, before)));
    }
    let found = recording.tasks.len();
    if found != count + 2 {
        let message = format!(
            "the first line says {count} tasks, which makes {} lines with the two dummies, but there are {found}",
            count + 2
        );
        return Err(Error::at(format!("{}:1", source.name), message));
    }
    for (task, line, name) in waiting {
        let Some(before) = recording.tasks.find(name) else {
            let message = format!(
                "a task waits for `{}`, but there is none of this number",
                short(name)
            );
            return Err(Error::at(format!("{}:{line}", source.name), message));
        };
        recording.tasks.precede(before, task)?;
    }
    Ok(recording)
}

fn number<T: std::str::FromStr>(source: Source, line: usize, word: &str) -> Result<T, Error> {
    word.parse().map_err(|_| {
        let message = format!("a number was expected, but this is `{}`", short(word));
        Error::at(format!("{}:{line}", source.name), message)
    })
}
