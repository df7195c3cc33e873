//! The unknown times of a calibration, and the rows that they belong to.

use std::collections::BTreeMap;

use pamela_programs::calibrate::{At, Folds, Unknown};
use pamela_programs::measured::Table;
use pamela_programs::profile::OVERHEADS;

use crate::cli::measured::ParameterValues;
use crate::diagnostic::{Error, listed};
use crate::pipeline::unknown_name;

/// The values that are to be found. Each group of rows, with equal texts in the columns `by`, has its own value of every name
/// that is not in `share`. If the column is a parameter of the model, the value depends on this parameter; then OpenMP times
/// alone do, if there are any.
///
/// # Errors
/// Fails for a column that the table lacks, or a shared name that is not fitted.
pub fn unknowns(
    names: &[String],
    by: &[String],
    share: &[String],
    table: &Table,
) -> Result<Vec<Unknown>, Error> {
    let own: Vec<&str> = names.iter().map(String::as_str).collect();
    for name in share {
        if !names.contains(name) {
            let message = format!(
                "`--share {name}`: it is not fitted; those are {}",
                listed(&own)
            );
            return Err(unknown_name(message, name, &own));
        }
    }
    let places = places(by, table)?;
    let has_overheads = names.iter().any(|name| OVERHEADS.contains(&name.as_str()));
    let is_overhead = |name: &str| OVERHEADS.contains(&name);
    let is_value = matches!(places.first(), Some(At::Value(..)));
    let each = |name: &String| -> Vec<Unknown> {
        let unknown = || Unknown::from(name.as_str());
        let is_common = is_value && has_overheads && share.is_empty() && !is_overhead(name);
        if places.is_empty() || share.contains(name) || is_common {
            return vec![unknown()];
        }
        let at = |place: &At| Unknown {
            at: Some(place.clone()),
            ..unknown()
        };
        places.iter().map(at).collect()
    };
    Ok(names.iter().flat_map(each).collect())
}

/// The groups that the columns `by` tell apart, in order.
fn places(by: &[String], table: &Table) -> Result<Vec<At>, Error> {
    if let [name] = by
        && let Some(column) = table.parameters.iter().position(|own| own == name)
    {
        let mut values: Vec<f64> = table.points.iter().map(|p| p.values[column]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let at = |value| At::Value(name.clone(), value);
        return Ok(values.into_iter().map(at).collect());
    }
    let mut groups: Vec<BTreeMap<String, String>> = Vec::new();
    if !by.is_empty() {
        let columns = columns(by, table)?;
        for point in &table.points {
            let texts = columns.iter().map(|column| point.labels[*column].clone());
            groups.push(by.iter().cloned().zip(texts).collect());
        }
    }
    groups.sort();
    groups.dedup();
    Ok(groups.into_iter().map(At::Group).collect())
}

fn columns(names: &[String], table: &Table) -> Result<Vec<usize>, Error> {
    let column = |name: &String| {
        let found = table.labels.iter().position(|own| own == name);
        found.ok_or_else(|| {
            let known = [&table.parameters[..], &table.labels].concat();
            Error::new(format!(
                "the table has no column `{name}`; its columns are `{}`",
                known.join("`, `")
            ))
        })
    };
    names.iter().map(column).collect()
}

/// Parts of the table that are left out: configurations have equal texts in the columns `held`; without columns, each point
/// is one.
///
/// # Errors
/// Fails for a column that the table lacks.
pub fn folds(count: usize, held: &[String], table: &Table) -> Result<Folds, Error> {
    let columns = columns(held, table)?;
    let key = |(place, point): (usize, &pamela_programs::measured::Point)| {
        if held.is_empty() {
            vec![format!("{place:09}")]
        } else {
            columns
                .iter()
                .map(|column| point.labels[*column].clone())
                .collect()
        }
    };
    Ok(Folds {
        count,
        keys: table.points.iter().enumerate().map(key).collect(),
    })
}

/// The values at the points of a table.
pub fn given<'t>(
    unknowns: &'t [Unknown],
    values: &[f64],
    table: &Table,
) -> Vec<(&'t str, ParameterValues)> {
    let mut all: Vec<(&str, ParameterValues)> = Vec::new();
    for (unknown, value) in unknowns.iter().zip(values) {
        let Some(at) = &unknown.at else {
            all.push((&unknown.name, ParameterValues::Everywhere(*value)));
            continue;
        };
        if all.last().is_none_or(|(name, _)| *name != unknown.name) {
            let none = vec![0.0; table.points.len()];
            all.push((&unknown.name, ParameterValues::At(none)));
        }
        let Some((_, ParameterValues::At(list))) = all.last_mut() else {
            continue;
        };
        let own = points(at, table);
        own.into_iter().for_each(|point| list[point] = *value);
    }
    all
}

fn points(at: &At, table: &Table) -> Vec<usize> {
    let all = 0..table.points.len();
    match at {
        At::Value(name, value) => {
            let column = table.parameters.iter().position(|own| own == name);
            let is_own = |point: &usize| {
                column.is_some_and(|column| table.points[*point].values[column] == *value)
            };
            all.filter(is_own).collect()
        }
        At::Group(group) => {
            let is_own = |point: &usize| {
                let labels = table.labels.iter().zip(&table.points[*point].labels);
                let mut own = labels.filter_map(|(name, text)| Some((group.get(name)?, text)));
                own.all(|(wanted, text)| wanted == text)
            };
            all.filter(is_own).collect()
        }
    }
}

/// Names of the parameters to fit: `asked`, or all parameters that may be times if `asked` is empty.
pub fn names(asked: &[String], free: &[String], times: &[String]) -> Result<Vec<String>, Error> {
    let listed = |names: &[&String]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    let wanted = if asked.is_empty() {
        times
            .iter()
            .filter(|name| free.contains(name))
            .cloned()
            .collect()
    } else {
        asked.to_vec()
    };
    for (place, name) in wanted.iter().enumerate() {
        if !free.contains(name) || wanted[..place].contains(name) {
            return Err(Error::new(format!(
                "cannot fit `{name}`: it is not a parameter without a value; those are {}",
                listed(&free.iter().collect::<Vec<_>>())
            )));
        }
    }
    let lacking: Vec<&String> = free.iter().filter(|name| !wanted.contains(name)).collect();
    if !lacking.is_empty() {
        return Err(Error::new(format!(
            "no value of {}: set it with -D, --params or a column of the table, or fit it with --fit",
            listed(&lacking)
        )));
    }
    if wanted.is_empty() {
        return Err(Error::new(
            "every parameter of the model has a value: there is nothing to fit".to_string(),
        ));
    }
    Ok(wanted)
}
