//! Tables with a row for each run of a task.

use std::collections::{HashMap, HashSet};

use pamela_law::table::{Field, Rows as Records, number};

use super::{Format, Recording, Source, Unit};
use crate::error::{Error, short};
use crate::tasks::Place;

/// The columns of a table, by their places.
struct Columns {
    task: usize,
    after: Option<usize>,
    time: Option<usize>,
    /// Units of the time column per second.
    per_second: f64,
    run: Option<usize>,
    resource: Option<usize>,
}

/// Data from the first row of each task.
#[derive(Default)]
struct Rows {
    /// Predecessors of all tasks, one text after the other.
    after: String,
    /// End of the text of each task in `after`, and its line.
    rows: Vec<(usize, usize)>,
}

impl Rows {
    fn add(&mut self, after: &str, line: usize) {
        self.after.push_str(after);
        self.rows.push((self.after.len(), line));
    }

    fn after(&self, task: u32) -> &str {
        let task = task as usize;
        let begin = match task {
            0 => 0,
            task => self.rows[task - 1].0,
        };
        &self.after[begin..self.rows[task].0]
    }

    fn line(&self, task: u32) -> usize {
        self.rows[task as usize].1
    }
}

/// Units of the column of times, and how many are a second.
const TIMES: [(&str, f64); 4] = [
    ("time", 1.0),
    ("time[ms]", 1e3),
    ("time[us]", 1e6),
    ("time[ns]", 1e9),
];

pub fn parse(source: Source) -> Result<Recording, Error> {
    let mut reader = Records::of(source.text);
    let mut record = Vec::new();
    let mut columns = None;
    let mut recording = Recording::new(Format::Table, Some(Unit::Seconds), source.name, "");
    let lines_of_text = source.text.bytes().filter(|&byte| byte == b'\n').count();
    recording.tasks.reserve(lines_of_text);
    let mut rows = Rows::default();
    let mut runs: HashSet<(u32, String)> = HashSet::new();
    loop {
        let line = match reader.read(&mut record) {
            Ok(Some(line)) => line,
            Ok(None) => break,
            Err(error) => {
                let place = format!("{}:{}", source.name, error.line);
                return Err(Error::at(place, error.message));
            }
        };
        let read = match &columns {
            None => Columns::of(&record).map(|known| columns = Some(known)),
            Some(columns) => columns.read(&record, line, &mut recording, &mut rows, &mut runs),
        };
        read.map_err(|error| {
            if error.place.is_empty() {
                Error::at(format!("{}:{line}", source.name), error.message)
            } else {
                error
            }
        })?;
    }
    precedences(&rows, &mut recording)?;
    Ok(recording)
}

impl Columns {
    fn of(header: &[Field]) -> Result<Columns, Error> {
        let names = || header.iter().map(|field| &*field.text);
        let there = || short(&names().collect::<Vec<_>>().join(", "));
        let wrong = |message: String| Err(Error::at("", message));
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, name) in names().enumerate() {
            if places.insert(name, place).is_some() {
                return wrong(format!("there are several columns `{name}`"));
            }
        }
        let Some(&task) = places.get("task") else {
            return wrong(format!(
                "the first line of a table of tasks must name its columns, including `task`, `after` and `time`; it is `{}`. \
                 Other formats are JSON, DOT, standard task graphs and logs of Ninja",
                there()
            ));
        };
        let times = TIMES.iter();
        let times: Vec<_> = times
            .filter_map(|(name, per_second)| Some((*places.get(name)?, *per_second)))
            .collect();
        if times.len() > 1 {
            return wrong(format!("there are several columns of times: {}", there()));
        }
        let like_a_time = |name: &&str| name.to_ascii_lowercase().starts_with("time");
        if let (true, Some(name)) = (times.is_empty(), names().find(like_a_time)) {
            return wrong(format!(
                "there is a column `{}`, but times must be in `time`, in seconds, or in `time[ms]`, `time[us]` or `time[ns]`",
                short(name)
            ));
        }
        let time = times.first();
        Ok(Columns {
            task,
            after: places.get("after").copied(),
            time: time.map(|(place, _)| *place),
            per_second: time.map_or(1.0, |(_, per_second)| *per_second),
            run: places.get("run").copied(),
            resource: places.get("resource").copied(),
        })
    }

    fn read(
        &self,
        record: &[Field],
        line: usize,
        recording: &mut Recording,
        rows: &mut Rows,
        runs: &mut HashSet<(u32, String)>,
    ) -> Result<(), Error> {
        let wrong = |message: String| Err(Error::at("", message));
        let field = |column: Option<usize>| {
            let field = column.and_then(|column| record.get(column));
            field.map_or("", |field| &*field.text)
        };
        let name = field(Some(self.task));
        if name.is_empty() {
            return wrong("the column `task` is empty here: every row names a task".into());
        }
        if name.contains('\n') {
            return wrong(
                "the name of a task continues in the next line: is a quote missing?".into(),
            );
        }
        let tasks = &mut recording.tasks;
        let after = field(self.after);
        let (task, is_new) = tasks.find_or_add(name, Place::line(line))?;
        if is_new {
            rows.add(after, line);
        } else if !same_names(rows.after(task), after) {
            return wrong(format!(
                "`{name}` waits for `{}` here, but for `{}` in line {}: it must wait for the same in all runs",
                short(after),
                short(rows.after(task)),
                rows.line(task)
            ));
        }
        if self.run.is_some() && !runs.insert((task, field(self.run).to_string())) {
            return wrong(format!(
                "`{name}` occurs twice in the run `{}`, first in line {}",
                field(self.run),
                rows.line(task)
            ));
        }
        let resource = field(self.resource);
        if !resource.is_empty() {
            tasks.bind(task, resource);
        }
        let time = field(self.time);
        if time.is_empty() {
            return Ok(());
        }
        match number(time) {
            Ok(value) if value >= 0.0 => tasks.took(task, value / self.per_second),
            _ => wrong(format!(
                "the time of `{name}` is `{}`, but must be a number of at least 0",
                short(time)
            )),
        }
    }
}

/// Adds the precedences, which may refer to later rows.
fn precedences(rows: &Rows, recording: &mut Recording) -> Result<(), Error> {
    // Rows often name the tasks that follow on those of the row before; to look there spares most searches by name.
    let mut last: Vec<u32> = Vec::new();
    for task in 0..rows.rows.len() as u32 {
        for (place, name) in rows.after(task).split_whitespace().enumerate() {
            let next = last.get(place).map(|before| before + 1);
            let next = next.filter(|&next| recording.tasks.name(next) == name);
            let Some(before) = next.or_else(|| recording.tasks.find(name)) else {
                let message = format!(
                    "`{}` waits for `{name}`, but no row has a task of this name; names in the column `after` have blanks between them",
                    recording.tasks.name(task)
                );
                return Err(Error::at(recording.tasks.place(task), message));
            };
            match last.get_mut(place) {
                Some(last) => *last = before,
                None => last.push(before),
            }
            recording.tasks.precede(before, task)?;
        }
    }
    Ok(())
}

fn same_names(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut names: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    a == b || sorted(a) == sorted(b)
}
