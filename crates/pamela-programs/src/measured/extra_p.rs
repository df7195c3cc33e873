//! Measurements in the formats of Extra-P: text, both forms of JSON, and lines of JSON.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{Row, Rows, place};
use crate::problem::Problem;

/// More numbers are refused.
const MOST_VALUES: usize = 1_000_000;

/// Rows of a text in one of these formats; `None` for another format.
pub fn read(file: &str, text: &str) -> Option<Result<Rows, Problem>> {
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with('#'))?;
    if first.starts_with("PARAMETER") {
        return Some(of_text(file, text));
    }
    if !first.starts_with('{') {
        return None;
    }
    Some(match serde_json::from_str::<Value>(text) {
        // A text of one line may be either.
        Ok(value) if value.get("params").is_none() => of_json(file, &value),
        _ => of_lines(file, text),
    })
}

fn wrong(file: &str, line: usize, message: impl Into<String>) -> Problem {
    Problem::new(message).at(place(file, line))
}

/// Sections, of one line each: `PARAMETER p n`, `POINTS (4 10) (8 10)`, `REGION main->solve`, `METRIC time`, and for
/// each point `DATA 1.2 1.3`.
fn of_text(file: &str, text: &str) -> Result<Rows, Problem> {
    let mut rows = Rows::default();
    let mut points: Vec<Vec<f64>> = Vec::new();
    let (mut region, mut metric, mut next) = (String::new(), "time".to_string(), 0);
    for (number, line) in text.lines().enumerate() {
        let number = number + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "PARAMETER" => rows
                .parameters
                .extend(rest.split_whitespace().map(str::to_string)),
            "POINTS" => points.extend(
                coordinates(rest, rows.parameters.len())
                    .ok_or_else(|| wrong(file, number, "these are not points"))?,
            ),
            "REGION" | "METRIC" => {
                if next != 0 && next != points.len() {
                    let message = format!("{next} lines DATA for {} points", points.len());
                    return Err(wrong(file, number, message));
                }
                next = 0;
                let name = rest.to_string();
                *if word == "REGION" {
                    &mut region
                } else {
                    &mut metric
                } = name;
            }
            "DATA" => {
                let Some(values) = points.get(next) else {
                    let message = format!("more lines DATA than the {} points", points.len());
                    return Err(wrong(file, number, message));
                };
                next += 1;
                for time in rest.split_whitespace() {
                    let time = time
                        .parse()
                        .map_err(|_| wrong(file, number, format!("`{time}` is not a number")))?;
                    rows.push(file, &region, &metric, values.clone(), time, number)?;
                }
            }
            _ => {
                let message =
                    format!("`{word}` is not one of PARAMETER, POINTS, REGION, METRIC, DATA");
                return Err(wrong(file, number, message));
            }
        }
    }
    if next != 0 && next != points.len() {
        let message = format!("{next} lines DATA for {} points", points.len());
        return Err(wrong(file, text.lines().count(), message));
    }
    Ok(rows)
}

/// `(4 10) (8 10)`, `((4) (10)) ((8) (10))`, `(4,10)`, or without parentheses where there is one parameter.
fn coordinates(text: &str, parameters: usize) -> Option<Vec<Vec<f64>>> {
    let mut points = Vec::new();
    let (mut depth, mut point, mut word) = (0, Vec::new(), String::new());
    for letter in text.chars().chain([' ']) {
        if letter != '(' && letter != ')' && letter != ',' && !letter.is_whitespace() {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            point.push(word.parse::<f64>().ok().filter(|value| value.is_finite())?);
            word.clear();
        }
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
        if depth == 0 && !point.is_empty() {
            points.push(std::mem::take(&mut point));
        }
    }
    let is_whole = points.iter().all(|point| point.len() == parameters);
    (depth == 0 && is_whole && !points.is_empty()).then_some(points)
}

#[derive(Deserialize)]
struct Newer {
    parameters: Vec<String>,
    measurements: BTreeMap<String, BTreeMap<String, Vec<At>>>,
}

#[derive(Deserialize)]
struct At {
    point: Vec<f64>,
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct Older {
    callpaths: Vec<Item>,
    metrics: Vec<Item>,
    parameters: Vec<Item>,
    coordinates: Vec<Coordinate>,
    measurements: Vec<Single>,
}

#[derive(Deserialize)]
struct Item {
    id: i64,
    name: String,
}

#[derive(Deserialize)]
struct Coordinate {
    id: i64,
    parameter_value_pairs: Vec<Pair>,
}

#[derive(Deserialize)]
struct Pair {
    parameter_id: i64,
    parameter_value: f64,
}

#[derive(Deserialize)]
struct Single {
    callpath_id: i64,
    coordinate_id: i64,
    metric_id: i64,
    value: f64,
}

fn of_json(file: &str, value: &Value) -> Result<Rows, Problem> {
    let is_newer = value.get("measurements").is_some_and(Value::is_object);
    if is_newer {
        Newer::deserialize(value)
            .map_err(|error| no_measurements(file, &error))
            .and_then(|newer| of_newer(file, newer))
    } else {
        Older::deserialize(value)
            .map_err(|error| no_measurements(file, &error))
            .and_then(|older| of_older(file, &older))
    }
}

fn no_measurements(file: &str, error: &serde_json::Error) -> Problem {
    Problem::new(format!(
        "`{file}` has neither a profile nor measurements: {error}"
    ))
    .hint("expected a profile, CSV, or one of the forms of Extra-P: text, JSON, lines of JSON")
}

fn of_newer(file: &str, newer: Newer) -> Result<Rows, Problem> {
    let mut rows = Rows {
        parameters: newer.parameters,
        ..Rows::default()
    };
    for (region, metrics) in &newer.measurements {
        for (metric, points) in metrics {
            for (number, at) in points.iter().enumerate() {
                for time in &at.values {
                    rows.push(file, region, metric, at.point.clone(), *time, number + 1)?;
                }
            }
        }
    }
    Ok(rows)
}

fn of_older(file: &str, older: &Older) -> Result<Rows, Problem> {
    let mut rows = Rows {
        parameters: older.parameters.iter().map(|p| p.name.clone()).collect(),
        ..Rows::default()
    };
    let missing = |what: &str, id: i64| {
        Problem::new(format!(
            "`{file}` has a measurement of the {what} {id}, which it does not have"
        ))
    };
    let name = |list: &'_ [Item], what: &str, id: i64| {
        let found = list.iter().find(|named| named.id == id);
        found
            .map(|n| n.name.clone())
            .ok_or_else(|| missing(what, id))
    };
    for (number, single) in older.measurements.iter().enumerate() {
        let region = name(&older.callpaths, "callpath", single.callpath_id)?;
        let metric = name(&older.metrics, "metric", single.metric_id)?;
        let id = single.coordinate_id;
        let coordinate = older.coordinates.iter().find(|c| c.id == id);
        let pairs = &coordinate
            .ok_or_else(|| missing("coordinate", id))?
            .parameter_value_pairs;
        let value = |parameter: &Item| {
            let pair = pairs.iter().find(|pair| pair.parameter_id == parameter.id);
            pair.map(|pair| pair.parameter_value)
                .ok_or_else(|| missing("parameter", parameter.id))
        };
        let values = older
            .parameters
            .iter()
            .map(value)
            .collect::<Result<_, _>>()?;
        rows.push(file, &region, &metric, values, single.value, number + 1)?;
    }
    Ok(rows)
}

/// `{"params": {"n": 10}, "value": 1.2, "callpath": "main", "metric": "time"}`
#[derive(Deserialize)]
struct Line {
    params: BTreeMap<String, f64>,
    value: OneOrMany,
    #[serde(default)]
    callpath: String,
    #[serde(default = "time")]
    metric: String,
}

fn time() -> String {
    "time".to_string()
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(f64),
    Many(Vec<f64>),
}

fn of_lines(file: &str, text: &str) -> Result<Rows, Problem> {
    let mut rows = Rows::default();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let number = number + 1;
        let read: Line = serde_json::from_str(line).map_err(|error| {
            wrong(file, number, format!("this is not a measurement: {error}"))
                .hint("expected a profile, CSV, or one of the forms of Extra-P: text, JSON, lines of JSON")
        })?;
        let names: Vec<String> = read.params.keys().cloned().collect();
        if rows.parameters.is_empty() {
            rows.parameters = names.clone();
        }
        if rows.parameters != names {
            let message = format!(
                "the parameters are `{}` here, and `{}` before",
                names.join("`, `"),
                rows.parameters.join("`, `")
            );
            return Err(wrong(file, number, message));
        }
        let values: Vec<f64> = read.params.values().copied().collect();
        let times = match read.value {
            OneOrMany::One(time) => vec![time],
            OneOrMany::Many(times) => times,
        };
        for time in times {
            rows.push(
                file,
                &read.callpath,
                &read.metric,
                values.clone(),
                time,
                number,
            )?;
        }
    }
    Ok(rows)
}

impl Rows {
    fn push(
        &mut self,
        file: &str,
        region: &str,
        metric: &str,
        values: Vec<f64>,
        time: f64,
        line: usize,
    ) -> Result<(), Problem> {
        if self.rows.len() >= MOST_VALUES {
            let message = format!("there are more than {MOST_VALUES} values");
            return Err(wrong(file, line, message));
        }
        if values.len() != self.parameters.len() {
            let message = format!(
                "a point has {} values for {} parameters",
                values.len(),
                self.parameters.len()
            );
            return Err(wrong(file, line, message));
        }
        self.rows.push(Row {
            region: region.to_string(),
            metric: metric.to_string(),
            values,
            labels: Vec::new(),
            time,
            line,
        });
        Ok(())
    }
}
