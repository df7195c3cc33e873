//! Kinds of values. Values of different kinds do not share an axis.

use std::collections::BTreeMap;

use super::table::Column;
use crate::compiled::Compiled;
use crate::expr::Sort;
use crate::timing::{Moment, Origin, Standing};

/// Facts about an equation.
pub(super) struct Facts {
    /// Name of the kind on an axis: `time`, `value`.
    pub kind: String,
    /// The display unit.
    pub unit: Option<String>,
    /// Standing of the value if it is not exact: `lower bound`, `estimate`.
    pub instead: Option<&'static str>,
    /// True if the relation to the time of a run is unknown.
    pub is_unknown: bool,
}

/// On one axis, the greatest value of each curve is at least this share of the greatest of all.
const LEGIBLE: f64 = 0.02;

pub(super) fn facts(compiled: &Compiled) -> BTreeMap<String, Facts> {
    let mut facts = BTreeMap::new();
    for equation in compiled.equations() {
        let kind = kind(&equation.origin, equation.sort, compiled);
        facts.insert(
            equation.name.clone(),
            Facts {
                kind,
                unit: compiled
                    .shown(&equation.name)
                    .map(|shown| shown.unit.clone()),
                instead: equation.standing.label(),
                is_unknown: equation.standing == Standing::Unknown,
            },
        );
    }
    facts
}

fn kind(origin: &Origin, sort: Sort, compiled: &Compiled) -> String {
    match origin {
        Origin::Equation | Origin::Part => match sort {
            Sort::Law => "value of a law".to_string(),
            _ => "value".to_string(),
        },
        Origin::Moment { moment, of } => match moment {
            Moment::Mean => {
                let of = compiled.equations().iter().find(|e| e.name == *of);
                of.map_or("value".to_string(), |e| kind(&e.origin, e.sort, compiled))
            }
            Moment::Variance => "variance".to_string(),
            Moment::Skewness => "skewness".to_string(),
            Moment::Kurtosis => "kurtosis".to_string(),
        },
        Origin::Derivative { of, by } => format!("derivative of {of} by {by}"),
        Origin::Elasticity { .. } => "elasticity".to_string(),
        Origin::Least { of } | Origin::Most { of } => {
            let of = compiled.equations().iter().find(|e| e.name == *of);
            of.map_or("value".to_string(), |e| kind(&e.origin, e.sort, compiled))
        }
        _ => "time".to_string(),
    }
}

/// Groups the equations into panels: each has equations of one kind that fit one axis, in order.
pub(super) fn groups(facts: &BTreeMap<String, Facts>, columns: &[Column]) -> Vec<Vec<usize>> {
    let kind = |column: &Column| facts.get(&column.name).map(|facts| facts.kind.as_str());
    let unit = |column: &Column| {
        facts
            .get(&column.name)
            .and_then(|facts| facts.unit.as_ref())
    };
    let size = |column: &Column| {
        let values = column.values.iter().filter(|v| v.is_finite());
        values.fold(0.0, |size: f64, v| size.max(v.abs()))
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (position, column) in columns.iter().enumerate() {
        let shares = |group: &&mut Vec<usize>| {
            let alike = |&other: &usize| {
                let (own, other) = (size(column), size(&columns[other]));
                own.min(other) >= LEGIBLE * own.max(other)
            };
            kind(&columns[group[0]]) == kind(column)
                && unit(&columns[group[0]]) == unit(column)
                && (kind(column) == Some("time") || group.iter().all(alike))
        };
        match groups.iter_mut().find(shares) {
            Some(group) => group.push(position),
            None => groups.push(vec![position]),
        }
    }
    groups
}
