//! Tables of measured times: CSV with a header, a column for each parameter and one for the time; or formats of
//! Extra-P.

mod extra_p;
#[cfg(test)]
mod tests;

use pamela_law::table::{self, TableError};
use serde::Serialize;

use crate::problem::{Place, Problem};

/// Longer tables are refused.
const MOST_ROWS: usize = 1_000_000;
/// Seconds; what is beyond is a mistake in the unit.
const POSSIBLE: std::ops::RangeInclusive<f64> = 1e-12..=1e12;
/// Columns that number repeated runs.
const REPEATS: [&str; 3] = ["rep", "repetition", "run"];

/// Measured times, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names of the columns that are parameters.
    pub parameters: Vec<String>,
    /// Number of leading columns that are sizes; the others were counted.
    pub sizes: usize,
    /// True if columns that the model lacks are ignored: their effect on the program was counted.
    pub counted: bool,
    /// The names of columns of texts, which tell groups and configurations apart.
    pub labels: Vec<String>,
    /// Columns that nobody asked for.
    pub ignored: Vec<String>,
    /// Rows that lack a value and are left out.
    pub incomplete: usize,
    /// The points, in the order of their first rows.
    pub points: Vec<Point>,
}

/// All runs with the same values of the parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Values in the order of [`Table::parameters`].
    pub values: Vec<f64>,
    /// Texts in the order of [`Table::labels`].
    pub labels: Vec<String>,
    /// Seconds, smallest first.
    pub times: Vec<f64>,
    /// Line of the first run, from 1.
    pub line: usize,
}

impl Point {
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Quantile by linear interpolation between the runs.
    pub fn quantile(&self, share: f64) -> f64 {
        let at = share * (self.times.len() - 1) as f64;
        let below = at.floor() as usize;
        let above = (below + 1).min(self.times.len() - 1);
        self.times[below] + (at - below as f64) * (self.times[above] - self.times[below])
    }

    /// Removes runs longer than `q3 + 3 (q3 - q1)`, which were probably interrupted; returns their number.
    pub fn without_interruptions(&mut self) -> usize {
        let (first, third) = (self.quantile(0.25), self.quantile(0.75));
        let most = third + 3.0 * (third - first);
        let before = self.times.len();
        self.times.retain(|time| *time <= most);
        before - self.times.len()
    }
}

/// Runs of points that were measured more than once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repeats {
    pub points: usize,
    pub runs: usize,
    /// Mean distance of a run from the median of its point, relative to this, in per cent.
    pub mean: f64,
    /// The greatest distance, and the line of its point.
    pub worst: f64,
    pub worst_line: usize,
}

/// How a table is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// Only rows of this region are taken.
    pub region: Option<&'a str>,
    /// Other names in the table.
    pub names: &'a Names,
    /// Other names of the column of times.
    pub times: &'a [String],
    /// Columns of texts that are wanted.
    pub labels: &'a [String],
    /// Columns of numbers that are wanted; all others are ignored. None takes all.
    pub parameters: Option<&'a [String]>,
}

/// Measured numbers of several regions and metrics.
#[derive(Default)]
pub struct Rows {
    pub parameters: Vec<String>,
    labels: Vec<String>,
    ignored: Vec<String>,
    incomplete: usize,
    /// Names that were replaced while reading.
    renamed: Vec<String>,
    pub rows: Vec<Row>,
}

/// One measured number.
pub struct Row {
    pub region: String,
    pub metric: String,
    /// In the order of [`Rows::parameters`].
    pub values: Vec<f64>,
    /// In the order of [`Rows::labels`].
    labels: Vec<String>,
    pub time: f64,
    line: usize,
}

/// Renamed parameters, regions and metrics: the name in the table, and the name in the model.
pub type Names = [(String, String)];

/// The measured numbers of all regions and metrics of a table.
///
/// # Errors
/// Fails for a malformed table, or a metric that is not a number above or equal to 0.
pub fn regions(file: &str, text: &str) -> Result<Rows, Problem> {
    let rows = match extra_p::read(file, text) {
        Some(rows) => rows?,
        None => of_csv(file, text, &Reading::default())?,
    };
    match rows
        .rows
        .iter()
        .find(|row| !row.time.is_finite() || row.time < 0.0)
    {
        Some(row) => Err(Problem::new("a measured value is below 0").at(place(file, row.line))),
        None => Ok(rows),
    }
}

fn place(file: &str, line: usize) -> Place {
    Place {
        file: file.into(),
        first: line,
        last: line,
    }
}

/// Meaning of a column.
enum Column {
    Parameter,
    Label,
    Ignored,
    /// The column of times, with its unit in seconds.
    Time(f64),
    Region,
    Repeat,
}

impl Table {
    /// Reads a table. Lines that begin with `#` are comments. The column `time` is in seconds, `time[ms]`, `time[us]`
    /// and `time[ns]` in what they say. A column `region` names what was measured.
    /// A column `rep` numbers repeated runs and is not looked at; all others are parameters or labels. A row without a value in
    /// one of its columns is left out. Texts that Extra-P reads have seconds, of the metric `time`.
    ///
    /// # Errors
    /// Fails without a time column or with two of them, for a value that is not a number, a time that is not
    /// positive, several regions of which none is chosen, no rows, or a name that the table lacks.
    pub fn read(file: &str, text: &str, reading: &Reading) -> Result<Table, Problem> {
        let rows = match extra_p::read(file, text) {
            Some(rows) => rows?,
            None => of_csv(file, text, reading)?,
        };
        let rows = rows.renamed(file, reading.names)?;
        Table::of(file, rows.chosen(file, reading)?, reading.region)
    }

    fn of(file: &str, rows: Rows, region: Option<&str>) -> Result<Table, Problem> {
        let mut table = Table {
            sizes: rows.parameters.len(),
            parameters: rows.parameters,
            labels: rows.labels,
            ignored: rows.ignored,
            incomplete: rows.incomplete,
            ..Table::default()
        };
        let mut known = std::collections::HashMap::new();
        let (mut regions, mut metrics): (Vec<String>, Vec<String>) = Default::default();
        for row in rows.rows {
            if row.metric != "time" {
                metrics.push(row.metric);
                continue;
            }
            if row.time.is_nan() || row.time <= 0.0 {
                let message = "a measured time is not above 0";
                return Err(Problem::new(message).at(place(file, row.line)));
            }
            if !POSSIBLE.contains(&row.time) {
                let message = "a measured time is not between 1e-12 and 1e12 seconds";
                return Err(Problem::new(message).at(place(file, row.line)));
            }
            let wanted = region.is_none_or(|region| region == row.region);
            if !row.region.is_empty() && !regions.contains(&row.region) {
                regions.push(row.region);
            }
            if !wanted {
                continue;
            }
            // Only numbers are here, and -0 is 0.
            let key: Vec<u64> = row.values.iter().map(|v| (v + 0.0).to_bits()).collect();
            let place = *known
                .entry((key, row.labels.clone()))
                .or_insert(table.points.len());
            match table.points.get_mut(place) {
                Some(point) => point.times.push(row.time),
                None => table.points.push(Point {
                    values: row.values,
                    labels: row.labels,
                    times: vec![row.time],
                    line: row.line,
                }),
            }
        }
        if let (true, Some(metric)) = (
            table.points.is_empty() && regions.is_empty(),
            metrics.first(),
        ) {
            return Err(Problem::new(format!(
                "`{file}` has no times: it has the metric `{metric}`"
            ))
            .hint(format!("if these are seconds, use --map '{metric}=time'")));
        }
        table.chosen(file, region, &regions)?;
        for point in &mut table.points {
            point.times.sort_by(f64::total_cmp);
        }
        Ok(table)
    }

    fn chosen(&self, file: &str, region: Option<&str>, regions: &[String]) -> Result<(), Problem> {
        let listed = || format!("there are `{}`", regions.join("`, `"));
        match region {
            None if regions.len() > 1 => Err(Problem::new(format!(
                "`{file}` has times of several regions"
            ))
            .hint(format!("choose one with --region: {}", listed()))),
            Some(region) if self.points.is_empty() => Err(Problem::new(format!(
                "`{file}` has no row of the region `{region}`"
            ))
            .hint(if regions.is_empty() {
                "it has no column `region`".to_string()
            } else {
                listed()
            })),
            _ if self.points.is_empty() => Err(Problem::new(format!(
                "`{file}` has no row of measured times"
            ))),
            _ => Ok(()),
        }
    }

    /// How far repeated runs of a point differ; none if each point has one run.
    pub fn repeats(&self) -> Option<Repeats> {
        let repeated: Vec<&Point> = self.points.iter().filter(|p| p.times.len() > 1).collect();
        let (mut sum, mut worst, mut worst_line) = (0.0, -1.0, 0);
        for point in &repeated {
            let median = point.median();
            for time in &point.times {
                let distance = 100.0 * (time / median - 1.0).abs();
                sum += distance;
                if distance > worst {
                    (worst, worst_line) = (distance, point.line);
                }
            }
        }
        let runs: usize = repeated.iter().map(|point| point.times.len()).sum();
        (runs > 0).then(|| Repeats {
            points: repeated.len(),
            runs,
            mean: sum / runs as f64,
            worst,
            worst_line,
        })
    }

    /// Removes a column of numbers, whose values come from elsewhere.
    pub fn without(&mut self, name: &str) {
        let Some(column) = self.parameters.iter().position(|own| own == name) else {
            return;
        };
        self.parameters.remove(column);
        self.sizes -= usize::from(column < self.sizes);
        for point in &mut self.points {
            point.values.remove(column);
        }
    }

    /// The least and the greatest value of each size.
    pub fn ranges(&self) -> Vec<[f64; 2]> {
        let column = |at: usize| self.points.iter().map(move |point| point.values[at]);
        (0..self.sizes)
            .map(|at| {
                [
                    column(at).fold(f64::INFINITY, f64::min),
                    column(at).fold(f64::NEG_INFINITY, f64::max),
                ]
            })
            .collect()
    }
}

impl Rows {
    /// With other names.
    fn renamed(mut self, file: &str, names: &Names) -> Result<Rows, Problem> {
        for (old, new) in names {
            let rows = self.rows.iter_mut();
            let own = rows.flat_map(|row| [&mut row.region, &mut row.metric]);
            let mut found = self.renamed.contains(old);
            for name in own.chain(&mut self.parameters).filter(|name| *name == old) {
                name.clone_from(new);
                found = true;
            }
            if !found {
                return Err(Problem::new(format!(
                    "`{file}` has no parameter, region or metric `{old}`"
                )));
            }
        }
        for (place, name) in self.parameters.iter().enumerate() {
            if self.parameters[..place].contains(name) {
                return Err(Problem::new(format!(
                    "`{file}` has the parameter `{name}` twice"
                )));
            }
        }
        Ok(self)
    }

    /// Only what is wanted; labels may also be the values of parameters.
    fn chosen(mut self, file: &str, reading: &Reading) -> Result<Rows, Problem> {
        let columns: Vec<String> = [&self.parameters[..], &self.labels, &self.ignored].concat();
        let mut places = Vec::new();
        for name in reading.labels {
            let of = |list: &[String]| list.iter().position(|own| own == name);
            places.push(match (of(&self.labels), of(&self.parameters)) {
                (Some(label), _) => Ok(label),
                (None, Some(parameter)) => Err(parameter),
                (None, None) => {
                    let message = format!("`{file}` has no column `{name}`");
                    let hint = format!("its columns are `{}`", columns.join("`, `"));
                    return Err(Problem::new(message).hint(hint));
                }
            });
        }
        let is_wanted = |name: &String| reading.parameters.is_none_or(|own| own.contains(name));
        let wanted: Vec<bool> = self.parameters.iter().map(is_wanted).collect();
        for row in &mut self.rows {
            let label = |place: &Result<usize, usize>| match place {
                Ok(label) => row.labels[*label].clone(),
                Err(parameter) => row.values[*parameter].to_string(),
            };
            row.labels = places.iter().map(label).collect();
            let mut kept = wanted.iter();
            row.values.retain(|_| kept.next().copied().unwrap_or(true));
        }
        self.labels = reading.labels.to_vec();
        let (kept, ignored): (Vec<_>, Vec<_>) = self.parameters.into_iter().partition(is_wanted);
        self.parameters = kept;
        self.ignored.extend(ignored);
        Ok(self)
    }
}

/// What stands for a missing value.
const MISSING: [&str; 3] = ["", "NA", "null"];

fn of_csv(file: &str, text: &str, reading: &Reading) -> Result<Rows, Problem> {
    let (mut records, mut fields) = (table::Rows::of(text), Vec::new());
    let no_row = |error: TableError| Problem::new(error.message).at(place(file, error.line));
    records.read(&mut fields).map_err(no_row)?;
    let mut header: Vec<String> = fields.iter().map(|field| field.text.to_string()).collect();
    let mut renamed = Vec::new();
    for name in &mut header {
        if let Some((old, new)) = reading.names.iter().find(|(old, _)| old == name) {
            renamed.push(old.clone());
            name.clone_from(new);
        }
    }
    let columns: Vec<Column> = header
        .iter()
        .map(|name| column(name, reading))
        .collect::<Result<_, _>>()?;
    check(file, &header, &columns)?;
    let named = |is_own: fn(&Column) -> bool| {
        let named = header.iter().zip(&columns);
        let own = named.filter(move |(_, column)| is_own(column));
        own.map(|(name, _)| name.clone()).collect()
    };
    let mut rows = Rows {
        parameters: named(|column| matches!(column, Column::Parameter)),
        labels: named(|column| matches!(column, Column::Label)),
        ignored: named(|column| matches!(column, Column::Ignored)),
        renamed,
        ..Rows::default()
    };
    while let Some(line) = records.read(&mut fields).map_err(no_row)? {
        if rows.rows.len() >= MOST_ROWS {
            let message = format!("there are more than {MOST_ROWS} rows");
            return Err(Problem::new(message).at(place(file, line)));
        }
        let mut row = Row {
            region: String::new(),
            metric: "time".to_string(),
            values: Vec::new(),
            labels: Vec::new(),
            time: f64::NAN,
            line,
        };
        let lacks = |(field, column): (&table::Field, &Column)| {
            !matches!(column, Column::Ignored | Column::Repeat | Column::Region)
                && MISSING.contains(&&*field.text)
        };
        if fields.iter().zip(&columns).any(lacks) {
            rows.incomplete += 1;
            continue;
        }
        for ((field, column), name) in fields.iter().zip(&columns).zip(&header) {
            let cell = &*field.text;
            let number = || number_in(cell, name).map_err(|p| p.at(place(file, line)));
            match column {
                Column::Parameter => row.values.push(number()?),
                Column::Time(unit) => row.time = unit * number()?,
                Column::Region => row.region = cell.to_string(),
                Column::Label => row.labels.push(cell.to_string()),
                Column::Repeat | Column::Ignored => {}
            }
        }
        rows.rows.push(row);
    }
    Ok(rows)
}

fn column(name: &str, reading: &Reading) -> Result<Column, Problem> {
    let is_own = |list: &[String]| list.iter().any(|own| own == name);
    let others: Vec<&str> = reading.times.iter().map(String::as_str).collect();
    let time = table::time_column(name, &others).map_err(Problem::new)?;
    Ok(match (time, name) {
        (Some((_, unit)), _) => Column::Time(unit),
        (None, "region") => Column::Region,
        (None, name) if REPEATS.contains(&name) => Column::Repeat,
        _ if reading.parameters.is_none_or(is_own) && !is_own(reading.labels) => Column::Parameter,
        _ if reading.parameters.is_some_and(is_own) => Column::Parameter,
        _ if is_own(reading.labels) => Column::Label,
        _ => Column::Ignored,
    })
}

/// One column of times, and no name twice.
fn check(file: &str, header: &[String], columns: &[Column]) -> Result<(), Problem> {
    let times = columns.iter().filter(|c| matches!(c, Column::Time(_)));
    match times.count() {
        1 => {}
        0 => {
            return Err(Problem::new(format!("`{file}` has no column of times")).hint(
                "its first line names the columns: those of parameters, and `time`, or `time[ms]`",
            ));
        }
        _ => {
            return Err(Problem::new(format!(
                "`{file}` has several columns of times"
            )));
        }
    }
    for (place, name) in header.iter().enumerate() {
        if name.is_empty() || header.iter().skip(place + 1).any(|other| other == name) {
            return Err(Problem::new(if name.is_empty() {
                format!("column {} of `{file}` has no name", place + 1)
            } else {
                format!("`{file}` has the column `{name}` twice")
            }));
        }
    }
    Ok(())
}

fn number_in(cell: &str, name: &str) -> Result<f64, Problem> {
    let wrong = |reason: String| Problem::new(format!("column `{name}`: {reason}"));
    table::number(cell).map_err(wrong)
}
