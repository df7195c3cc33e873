//! Tables with a row for each run of a task.

use std::collections::{HashMap, HashSet};

use csv::StringRecord;

use super::{Format, Recording, Source, Unit};
use crate::error::{Error, short};

/// The columns of a table, by their places.
struct Columns {
    task: usize,
    after: Option<usize>,
    time: Option<usize>,
    /// How many units of the column of times are a second.
    per_second: f64,
    run: Option<usize>,
    resource: Option<usize>,
}

/// What a row before has said of a task.
struct Row {
    after: String,
    line: usize,
}

pub fn parse(source: Source) -> Result<Recording, Error> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .delimiter(pamela_law::separator(source.text))
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(source.text.as_bytes());
    let mut lines = Lines::of(source);
    let mut record = StringRecord::new();
    let mut columns = None;
    let mut recording = Recording::new(Format::Table, Some(Unit::Seconds));
    let mut rows: Vec<Row> = Vec::new();
    let mut runs: HashSet<(u32, String)> = HashSet::new();
    loop {
        match reader.read_record(&mut record) {
            Err(error) => {
                return Err(Error::at(
                    source.name,
                    format!("the table cannot be read: {error}"),
                ));
            }
            Ok(false) => break,
            Ok(true) => {}
        }
        let line = lines.of_record(&record);
        let place = format!("{}:{line}", source.name);
        match &columns {
            None => columns = Some(Columns::of(&record, &place)?),
            Some(columns) => {
                columns.read(&record, &place, line, &mut recording, &mut rows, &mut runs)?
            }
        }
    }
    precedences(&rows, &mut recording)?;
    Ok(recording)
}

impl Columns {
    fn of(header: &StringRecord, place: &str) -> Result<Columns, Error> {
        let there = || header.iter().collect::<Vec<_>>().join(", ");
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place_of, name) in header.iter().enumerate() {
            if places.insert(name, place_of).is_some() {
                return Err(Error::at(
                    place,
                    format!("there are several columns `{name}`"),
                ));
            }
        }
        let Some(&task) = places.get("task") else {
            let message = format!(
                "the first line of a table of tasks names its columns, `task`, `after` and `time` among them; it is `{}`. \
                 Other formats are JSON, DOT, standard task graphs and logs of Ninja",
                short(&there())
            );
            return Err(Error::at(place, message));
        };
        let units = [
            ("time", 1.0),
            ("time[ms]", 1e3),
            ("time[us]", 1e6),
            ("time[ns]", 1e9),
        ];
        let times: Vec<_> = units
            .iter()
            .filter_map(|(name, per_second)| Some((*places.get(name)?, *per_second)))
            .collect();
        if times.len() > 1 {
            return Err(Error::at(
                place,
                format!("there are several columns of times: {}", there()),
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
        record: &StringRecord,
        place: &str,
        line: usize,
        recording: &mut Recording,
        rows: &mut Vec<Row>,
        runs: &mut HashSet<(u32, String)>,
    ) -> Result<(), Error> {
        let field =
            |column: Option<usize>| column.and_then(|column| record.get(column)).unwrap_or("");
        let name = field(Some(self.task));
        if name.is_empty() {
            return Err(Error::at(
                place,
                "the column `task` is empty here: every row names a task",
            ));
        }
        let tasks = &mut recording.tasks;
        let after = field(self.after);
        let task = match tasks.find(name) {
            None => {
                let after = after.to_string();
                rows.push(Row { after, line });
                tasks.add_unknown(name, place)?
            }
            Some(task) => {
                let before = &rows[task as usize];
                if !same_names(&before.after, after) {
                    let message = format!(
                        "`{name}` waits for `{}` here, but for `{}` in line {}: it must wait for the same in all runs",
                        short(after),
                        short(&before.after),
                        before.line
                    );
                    return Err(Error::at(place, message));
                }
                task
            }
        };
        if self.run.is_some() && !runs.insert((task, field(self.run).to_string())) {
            let run = field(self.run);
            let message = format!(
                "`{name}` stands for a second time in the run `{run}`, first in line {}",
                rows[task as usize].line
            );
            return Err(Error::at(place, message));
        }
        let resource = field(self.resource);
        if !resource.is_empty() {
            tasks.bind(task, resource);
        }
        let time = field(self.time);
        if time.is_empty() {
            return Ok(());
        }
        match time.parse::<f64>() {
            Ok(value) if value >= 0.0 && value.is_finite() => {
                tasks.took(task, value / self.per_second)
            }
            _ => {
                let message = format!(
                    "the time of `{name}` is `{}`, but must be a number of at least 0",
                    short(time)
                );
                Err(Error::at(place, message))
            }
        }
    }
}

/// What tasks wait for: those of rows further below too.
fn precedences(rows: &[Row], recording: &mut Recording) -> Result<(), Error> {
    for (task, row) in (0..).zip(rows) {
        for name in row.after.split_whitespace() {
            let Some(before) = recording.tasks.find(name) else {
                let place = recording.tasks.place(task).to_string();
                let message = format!(
                    "`{}` waits for `{name}`, but no row has a task of this name; names in the column `after` have blanks between them",
                    recording.tasks.name(task)
                );
                return Err(Error::at(place, message));
            };
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

/// Lines of records: blank lines and comments before one belong to its position.
struct Lines<'a> {
    text: &'a str,
}

impl<'a> Lines<'a> {
    fn of(source: Source<'a>) -> Lines<'a> {
        Lines { text: source.text }
    }

    fn of_record(&mut self, record: &StringRecord) -> usize {
        let position = record.position();
        let (start, before) = position.map_or((0, 0), |position| {
            (position.byte() as usize, position.line() as usize)
        });
        let rest = self.text.get(start..).unwrap_or_default();
        let skipped = rest
            .lines()
            .take_while(|line| line.trim().is_empty() || line.starts_with('#'));
        before + skipped.count()
    }
}
