//! Profiles of Caliper as JSON (`json-split`): rows of values, and a tree of regions to which rows point.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{Paths, Run};
use crate::problem::Problem;

#[derive(Deserialize)]
struct Split {
    data: Vec<Vec<Value>>,
    columns: Vec<String>,
    #[serde(default)]
    column_metadata: Vec<Metadata>,
    nodes: Vec<Node>,
    /// What is known of the whole run: `"problem_size": 30`.
    #[serde(flatten)]
    globals: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    is_value: bool,
}

#[derive(Deserialize)]
struct Node {
    label: Value,
    parent: Option<usize>,
}

/// Columns of times, the best first, with their units in seconds.
const TIMES: [(&str, f64); 8] = [
    ("time", 1.0),
    ("time (E)", 1.0),
    ("avg#sum#time.duration", 1e-6),
    ("sum#sum#time.duration", 1e-6),
    ("avg#time.duration", 1e-6),
    ("sum#time.duration", 1e-6),
    ("sum#time.duration.ns", 1e-9),
    ("time.duration", 1e-6),
];
/// Columns of numbers of visits.
const VISITS: [&str; 5] = [
    "visits",
    "count",
    "sum#count",
    "sum#sum#count",
    "region.count",
];
/// Columns that tell processes apart.
const RANKS: [&str; 2] = ["mpi.rank", "rank"];

/// True if a text is such a profile.
pub fn is_one(value: &Value) -> bool {
    ["data", "columns", "nodes"]
        .iter()
        .all(|key| value.get(key).is_some_and(Value::is_array))
}

/// Reads the profile of one run: the means of the ranks.
///
/// # Errors
/// Fails if it has no column of times, no regions, or references to what it does not have.
pub fn read(file: &str, value: &Value) -> Result<Paths, Problem> {
    let wrong = |message: &str| Problem::new(format!("`{file}`: {message}"));
    let split = Split::deserialize(value).map_err(|error| wrong(&error.to_string()))?;
    let column = |name: &str| split.columns.iter().position(|own| own == name);
    let time = TIMES
        .iter()
        .find_map(|(name, unit)| Some((column(name)?, *unit)));
    let Some((time, unit)) = time else {
        let known: Vec<&str> = TIMES.iter().map(|(name, _)| *name).collect();
        return Err(wrong("it has no column of times").hint(format!(
            "expected one of `{}`; its columns are `{}`",
            known.join("`, `"),
            split.columns.join("`, `")
        )));
    };
    let is_node = |at: &usize| {
        split
            .column_metadata
            .get(*at)
            .is_none_or(|own| !own.is_value)
    };
    let path = [
        "path",
        "source.function#callpath.address",
        "annotation",
        "region",
    ];
    let path = path.iter().find_map(|name| column(name)).or_else(|| {
        (0..split.columns.len())
            .filter(is_node)
            .find(|at| !RANKS.contains(&split.columns[*at].as_str()))
    });
    let path = path.ok_or_else(|| wrong("it has no column of regions"))?;
    let rank = RANKS.iter().find_map(|name| column(name));
    let visits = VISITS.iter().find_map(|name| column(name));
    let mut ranks: Vec<String> = Vec::new();
    let mut sums: BTreeMap<Vec<String>, [f64; 2]> = BTreeMap::new();
    for row in &split.data {
        let at = |column: usize| row.get(column).unwrap_or(&Value::Null);
        if let Some(rank) = rank.map(|rank| at(rank).to_string())
            && !ranks.contains(&rank)
        {
            ranks.push(rank);
        }
        let (Some(seconds), Some(node)) = (at(time).as_f64(), at(path).as_u64()) else {
            continue;
        };
        let region = split
            .path(node as usize)
            .ok_or_else(|| wrong("a row has a region that it does not have"))?;
        let sum = sums.entry(region).or_default();
        sum[0] += seconds * unit;
        sum[1] += visits.and_then(|visits| at(visits).as_f64()).unwrap_or(0.0);
    }
    let count = ranks.len().max(1) as f64;
    let mut paths = Paths::default();
    let mut values = Vec::new();
    if ranks.len() > 1 {
        paths.parameters.push("ranks".to_string());
        values.push(count);
    }
    for (name, value) in &split.globals {
        let number = value
            .as_f64()
            .or_else(|| value.as_str()?.trim().parse().ok());
        if let Some(number) = number.filter(|number| number.is_finite()) {
            paths.parameters.push(name.clone());
            values.push(number);
        }
    }
    let runs = sums.into_iter().map(|(path, [time, visits])| Run {
        path,
        values: values.clone(),
        time: time / count,
        visits: (visits > 0.0).then_some(visits / count),
    });
    paths.runs = runs.collect();
    Ok(paths)
}

impl Split {
    /// The labels from the root to a node.
    fn path(&self, node: usize) -> Option<Vec<String>> {
        let mut path = Vec::new();
        let mut next = Some(node);
        while let Some(at) = next {
            let node = self.nodes.get(at)?;
            let label = node
                .label
                .as_str()
                .map_or_else(|| node.label.to_string(), str::to_string);
            path.push(label);
            // A parent never follows its node, so this ends.
            if path.len() > self.nodes.len() {
                return None;
            }
            next = node.parent;
        }
        path.reverse();
        Some(path)
    }
}
