//! One tree of calls and loops of all ranks at all points.

use std::collections::{BTreeMap, BTreeSet};

use super::fold::{Call, Loop, Node, Series};
use crate::problem::Problem;

/// Longer lists are not aligned.
const MOST_NODES: usize = 2_000;

/// A rank at a point: the index of the point, and the rank.
pub type Who = (usize, usize);

/// A call or a loop of some ranks.
#[derive(Clone, Debug)]
pub enum Merged {
    Call(BTreeMap<Who, Call>),
    Loop {
        times: BTreeMap<Who, Series>,
        body: Vec<Merged>,
    },
}

impl Merged {
    fn of(who: Who, node: Node) -> Merged {
        match node {
            Node::Call(call) => Merged::Call(BTreeMap::from([(who, call)])),
            Node::Loop(Loop { times, body }) => Merged::Loop {
                times: BTreeMap::from([(who, times)]),
                body: body.into_iter().map(|node| Merged::of(who, node)).collect(),
            },
        }
    }

    /// The ranks that come here.
    pub fn who(&self) -> BTreeSet<Who> {
        match self {
            Merged::Call(calls) => calls.keys().copied().collect(),
            Merged::Loop { times, .. } => times.keys().copied().collect(),
        }
    }

    fn keys(&self, keys: &mut BTreeSet<u64>) {
        match self {
            Merged::Call(calls) => keys.extend(calls.values().next().map(Call::key)),
            Merged::Loop { body, .. } => body.iter().for_each(|node| node.keys(keys)),
        }
    }

    /// True if another rank's part is the same part of the program.
    fn is_like(&self, other: &Merged) -> bool {
        match (self, other) {
            (Merged::Call(_), Merged::Call(_)) | (Merged::Loop { .. }, Merged::Loop { .. }) => {
                let [mut own, mut others] = [BTreeSet::new(), BTreeSet::new()];
                self.keys(&mut own);
                other.keys(&mut others);
                !own.is_disjoint(&others)
            }
            _ => false,
        }
    }

    fn join(&mut self, other: Merged) -> Result<(), Problem> {
        match (self, other) {
            (Merged::Call(own), Merged::Call(other)) => own.extend(other),
            (
                Merged::Loop { times, body },
                Merged::Loop {
                    times: other_times,
                    body: other_body,
                },
            ) => {
                times.extend(other_times);
                let own = std::mem::take(body);
                *body = align(own, other_body)?;
            }
            // Only like parts are joined.
            _ => {}
        }
        Ok(())
    }
}

/// The trees of all ranks at all points as one; those with the most calls give the order.
pub fn merge(trees: Vec<(Who, Vec<Node>)>) -> Result<Vec<Merged>, Problem> {
    let mut trees: Vec<(Who, Vec<Merged>)> = trees
        .into_iter()
        .map(|(who, nodes)| {
            (
                who,
                nodes
                    .into_iter()
                    .map(|node| Merged::of(who, node))
                    .collect(),
            )
        })
        .collect();
    let kinds = |(_, nodes): &(Who, Vec<Merged>)| {
        let mut keys = BTreeSet::new();
        nodes.iter().for_each(|node| node.keys(&mut keys));
        std::cmp::Reverse(keys.len())
    };
    trees.sort_by_cached_key(kinds);
    let mut all = Vec::new();
    for (_, nodes) in trees {
        all = align(all, nodes)?;
    }
    Ok(all)
}

/// Joins like parts of two lists so that as many as possible find each other; all others keep their place.
fn align(own: Vec<Merged>, other: Vec<Merged>) -> Result<Vec<Merged>, Problem> {
    let (rows, columns) = (own.len(), other.len());
    if rows.max(columns) > MOST_NODES {
        return Err(Problem::new(format!(
            "the calls of MPI do not come in loops: a rank makes {} different ones in a row",
            rows.max(columns)
        ))
        .hint("profile fewer steps or a part of the program"));
    }
    let like: Vec<Vec<bool>> = own
        .iter()
        .map(|a| other.iter().map(|b| a.is_like(b)).collect())
        .collect();
    // The most pairs of the ends from each place on.
    let mut pairs = vec![vec![0_u32; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let apart = pairs[row + 1][column].max(pairs[row][column + 1]);
            let together = pairs[row + 1][column + 1] + 1;
            pairs[row][column] = if like[row][column] {
                together.max(apart)
            } else {
                apart
            };
        }
    }
    let mut all = Vec::new();
    let (mut row, mut column) = (0, 0);
    let (mut own, mut other) = (own.into_iter(), other.into_iter());
    while row < rows && column < columns {
        if like[row][column] && pairs[row][column] == pairs[row + 1][column + 1] + 1 {
            if let (Some(mut joined), Some(node)) = (own.next(), other.next()) {
                joined.join(node)?;
                all.push(joined);
            }
            (row, column) = (row + 1, column + 1);
        } else if pairs[row + 1][column] >= pairs[row][column + 1] {
            all.extend(own.next());
            row += 1;
        } else {
            all.extend(other.next());
            column += 1;
        }
    }
    all.extend(own);
    all.extend(other);
    Ok(all)
}
