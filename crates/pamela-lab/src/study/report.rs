//! A study of laws as tables: measured values, and below them the error of each prediction.

use std::fmt;

use serde::Serialize;

use crate::law::Cumulants;

/// Least width of the names of points, and of a column of values.
const POINT: usize = 10;
const COLUMN: usize = 12;
const METHOD: usize = 15;

/// Figures of a variable: mean, variance, skewness, kurtosis (3 for the normal law), raw moments.
pub const MOMENTS: [&str; 7] = ["E", "Var", "Skw", "Kur", "E[Y^2]", "E[Y^3]", "E[Y^4]"];

/// The tables of one study.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub title: String,
    /// Explanations of the rows, and of measured and predicted values.
    pub notes: Vec<String>,
    pub tables: Vec<Table>,
    /// Pictures of the numbers in the tables, and of other values.
    #[serde(skip)]
    pub drawings: Vec<Drawing>,
}

/// A redrawn figure of a paper.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The name of its file: `figure-5.20`.
    pub name: String,
    pub title: String,
    pub horizontal: String,
    pub vertical: String,
    pub series: Vec<Series>,
}

#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    /// True if a line goes through the points.
    pub is_joined: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct Table {
    pub title: String,
    /// The quantity that varies from point to point.
    pub varied: String,
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

/// Result of one method at one point.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub point: String,
    pub method: String,
    pub unit: Unit,
    /// One value for each column; `None` if the method gives none.
    pub values: Vec<Option<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    Value,
    /// Error in per cent of the measured value at the same point; positive if too large.
    ErrorInPercent,
}

impl Table {
    pub fn new(title: impl Into<String>, varied: &str, columns: &[&str]) -> Table {
        Table {
            title: title.into(),
            varied: varied.to_string(),
            columns: columns.iter().map(|column| (*column).to_string()).collect(),
            rows: Vec::new(),
        }
    }

    pub fn add(&mut self, point: &str, method: &str, unit: Unit, values: Vec<Option<f64>>) {
        self.rows.push(Row {
            point: point.to_string(),
            method: method.to_string(),
            unit,
            values,
        });
    }

    /// The values of a method at a point.
    pub fn values(&self, point: &str, method: &str) -> Option<&[Option<f64>]> {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.point == point && row.method == method)?;
        Some(&row.values)
    }
}

impl Drawing {
    pub fn new(name: &str, title: impl Into<String>, [horizontal, vertical]: [&str; 2]) -> Drawing {
        Drawing {
            name: format!("figure-{name}"),
            title: title.into(),
            horizontal: horizontal.to_string(),
            vertical: vertical.to_string(),
            series: Vec::new(),
        }
    }

    pub fn add(&mut self, name: impl Into<String>, points: Vec<(f64, f64)>, is_joined: bool) {
        self.series.push(Series {
            name: name.into(),
            points,
            is_joined,
        });
    }

    /// Curves of a table with numeric points: these columns of each method, with absolute errors.
    pub fn of_table(
        name: &str,
        table: &Table,
        vertical: &str,
        curves: &[(&str, &[usize])],
    ) -> Drawing {
        let mut drawing = Drawing::new(name, &table.title, [&table.varied, vertical]);
        for (method, columns) in curves {
            for column in *columns {
                let rows = table.rows.iter().filter(|row| row.method == *method);
                let points = rows.filter_map(|row| {
                    let value = row.values[*column]?;
                    let is_error = row.unit == Unit::ErrorInPercent;
                    let value = if is_error { value.abs() } else { value };
                    Some((row.point.parse().ok()?, value))
                });
                let points: Vec<(f64, f64)> = points.collect();
                let names = [*method, table.columns[*column].as_str()];
                let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
                if !points.is_empty() {
                    drawing.add(names.join(", "), points, true);
                }
            }
        }
        drawing
    }
}

/// The values of the columns [`MOMENTS`].
pub fn moments(law: &Cumulants) -> Vec<Option<f64>> {
    let [mean, second, third, fourth] = law.raw_moments();
    let (skewness, kurtosis) = (law.skewness(), law.kurtosis());
    let values = [
        mean,
        law.variance,
        skewness,
        kurtosis,
        second,
        third,
        fourth,
    ];
    values.map(Some).to_vec()
}

/// Relative errors in per cent, value by value; `None` if 0 was measured.
pub fn errors(predicted: &[Option<f64>], measured: &[Option<f64>]) -> Vec<Option<f64>> {
    let error = |(predicted, measured): (&Option<f64>, &Option<f64>)| {
        let (predicted, measured) = ((*predicted)?, (*measured)?);
        (measured != 0.0).then(|| 100.0 * (predicted - measured) / measured.abs())
    };
    predicted.iter().zip(measured).map(error).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for note in &self.notes {
            writeln!(f, "- {note}")?;
        }
        for table in &self.tables {
            write!(f, "\n{table}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = self.rows.iter().map(|row| row.point.len() + 2);
        let point_width = points.fold(POINT, usize::max);
        let columns = self.columns.iter().map(|column| column.len() + 2);
        let width = columns.fold(COLUMN, usize::max);
        writeln!(f, "{}", self.title)?;
        write!(f, "{:<point_width$}{:<METHOD$}", self.varied, "")?;
        for column in &self.columns {
            write!(f, "{column:>width$}")?;
        }
        writeln!(f)?;
        let mut point = None;
        for row in &self.rows {
            let again = point.replace(&row.point) == Some(&row.point);
            let shown = if again { "" } else { &row.point };
            write!(f, "{shown:<point_width$}{:<METHOD$}", row.method)?;
            for value in &row.values {
                write!(f, "{:>width$}", cell(*value, row.unit))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn cell(value: Option<f64>, unit: Unit) -> String {
    match (value, unit) {
        (None, _) => "-".to_string(),
        (Some(value), Unit::Value) => six_digits(value),
        (Some(error), Unit::ErrorInPercent) => per_cent(error),
    }
}

fn six_digits(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) {
        return format!("{value:.4e}");
    }
    let before = if size < 0.999_999_5 {
        0
    } else {
        size.log10() as usize + 1
    };
    format!("{value:.*}", 6 - before.min(6))
}

fn per_cent(error: f64) -> String {
    match error.abs() {
        size if size < 1e-10 => "0 %".to_string(),
        size if size < 0.01 => format!("{error:+.0e} %"),
        size if size < 99.995 => format!("{error:+.2} %"),
        size if size < 1e6 => format!("{error:+.0} %"),
        _ => format!("{error:+.1e} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_show_six_digits_and_errors_two_decimals() {
        let cells = [1.5, 0.05, 12345.678, 3e-7, 0.0].map(six_digits);
        assert_eq!(
            cells,
            ["1.50000", "0.050000", "12345.7", "3.0000e-7", "0.000000"]
        );
        let cells = [-33.3333, 0.002, 2200.4, 1e-12].map(per_cent);
        assert_eq!(cells, ["-33.33 %", "+2e-3 %", "+2200 %", "0 %"]);
    }

    #[test]
    fn errors_are_those_of_what_was_measured() {
        let found = errors(
            &[Some(1.0), Some(-1.0), Some(1.0), None],
            &[Some(2.0), Some(-2.0), Some(0.0), Some(1.0)],
        );
        assert_eq!(found, [Some(-50.0), Some(50.0), None, None]);
    }
}
