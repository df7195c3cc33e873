//! Which points each unknown value belongs to.

use super::{At, Unknown};
use crate::measured::Table;
use crate::problem::Problem;

/// Unknown values that a point has in common are found together.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Values of one name: each of them belongs to other points.
    pub names: Vec<Vec<usize>>,
    /// For each name and point, the value that it has there.
    pub at: Vec<Vec<Option<usize>>>,
    pub blocks: Vec<Block>,
}

/// Values that some points tie together, and these points.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub values: Vec<usize>,
    pub points: Vec<usize>,
}

impl Layout {
    /// # Errors
    /// Fails for a column that the table lacks.
    pub fn of(table: &Table, values: &[Unknown]) -> Result<Layout, Problem> {
        let mut names: Vec<Vec<usize>> = Vec::new();
        let mut at: Vec<Vec<Option<usize>>> = Vec::new();
        for (value, unknown) in values.iter().enumerate() {
            let own = names
                .iter()
                .position(|own| values[own[0]].name == unknown.name);
            let own = own.unwrap_or_else(|| {
                names.push(Vec::new());
                at.push(vec![None; table.points.len()]);
                names.len() - 1
            });
            names[own].push(value);
            for point in points(table, unknown)? {
                at[own][point] = Some(value);
            }
        }
        let blocks = blocks(&at, values.len(), table.points.len());
        Ok(Layout { names, at, blocks })
    }
}

/// The points that a value belongs to.
fn points(table: &Table, unknown: &Unknown) -> Result<Vec<usize>, Problem> {
    let lacking = |name: &str| Problem::new(format!("the table has no column `{name}`"));
    let all = 0..table.points.len();
    Ok(match &unknown.at {
        None => all.collect(),
        Some(At::Value(name, value)) => {
            let column = table.parameters.iter().position(|own| own == name);
            let column = column.ok_or_else(|| lacking(name))?;
            all.filter(|point| table.points[*point].values[column] == *value)
                .collect()
        }
        Some(At::Group(group)) => {
            let columns = group.iter().map(|(name, text)| {
                let column = table.labels.iter().position(|own| own == name);
                Ok((column.ok_or_else(|| lacking(name))?, text))
            });
            let columns = columns.collect::<Result<Vec<_>, Problem>>()?;
            let is_own = |point: &usize| {
                let labels = &table.points[*point].labels;
                columns
                    .iter()
                    .all(|(column, text)| labels[*column] == **text)
            };
            all.filter(is_own).collect()
        }
    })
}

fn blocks(at: &[Vec<Option<usize>>], values: usize, points: usize) -> Vec<Block> {
    // Each value has a representative, the first one that it is tied to.
    let mut first: Vec<usize> = (0..values).collect();
    for point in 0..points {
        let mut tied = at.iter().filter_map(|name| name[point]);
        let Some(one) = tied.next().map(|value| first[value]) else {
            continue;
        };
        for other in tied {
            let (from, to) = (first[other].max(first[one]), first[other].min(first[one]));
            if from != to {
                first
                    .iter_mut()
                    .filter(|own| **own == from)
                    .for_each(|own| *own = to);
            }
        }
    }
    let mut blocks: Vec<Block> = Vec::new();
    for root in 0..values {
        let own: Vec<usize> = (0..values).filter(|value| first[*value] == root).collect();
        if own.is_empty() {
            continue;
        }
        let touches = |point: &usize| {
            let mut names = at.iter().filter_map(|name| name[*point]);
            names.any(|value| first[value] == root)
        };
        blocks.push(Block {
            points: (0..points).filter(touches).collect(),
            values: own,
        });
    }
    blocks
}
