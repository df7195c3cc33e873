//! One tree of calls and loops of all ranks at all points.

use std::collections::{BTreeMap, BTreeSet};

use super::fold::{Call, Loop, Node, Series};
use super::nest::periods;
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

    fn calls(&self) -> BTreeSet<u64> {
        let mut keys = BTreeSet::new();
        if let Merged::Loop { body, .. } = self {
            let calls = body.iter().filter(|node| matches!(node, Merged::Call(_)));
            calls.for_each(|node| node.keys(&mut keys));
        }
        keys
    }

    /// True if calls of a loop stand in an inner loop of another one.
    fn is_inside(&self, other: &Merged) -> bool {
        let Merged::Loop { body, .. } = other else {
            return false;
        };
        let mut inner = BTreeSet::new();
        let loops = body
            .iter()
            .filter(|node| matches!(node, Merged::Loop { .. }));
        loops.for_each(|node| node.keys(&mut inner));
        let beside = other.calls();
        self.calls()
            .iter()
            .any(|key| inner.contains(key) && !beside.contains(key))
    }

    /// A loop as two loops, the inner one as long as what it does repeats.
    fn into_nested(self) -> Merged {
        let Merged::Loop { times, body } = self else {
            return self;
        };
        let mut outer = BTreeMap::new();
        let mut inner = BTreeMap::new();
        for (who, own) in &times {
            let series = body.iter().flat_map(|node| match node {
                Merged::Call(calls) => calls.get(who).map_or(Vec::new(), |call| {
                    vec![&call.to, &call.from, &call.sent, &call.received]
                }),
                Merged::Loop { times, .. } => times.get(who).into_iter().collect(),
            });
            let series: Vec<&Series> = series.collect();
            let Some((around, inside)) = periods(own, &series) else {
                return Merged::Loop { times, body };
            };
            outer.insert(*who, around);
            inner.insert(*who, inside);
        }
        let body = vec![Merged::Loop { times: inner, body }];
        Merged::Loop { times: outer, body }
    }

    /// A call as a loop of one iteration.
    fn into_loop(self) -> Merged {
        let Merged::Call(calls) = self else {
            return self;
        };
        let once = |(who, call): (&Who, &Call)| (*who, Series::same(1, call.to.len()));
        Merged::Loop {
            times: calls.iter().map(once).collect(),
            body: vec![Merged::Call(calls)],
        }
    }

    fn join(self, other: Merged) -> Result<Merged, Problem> {
        let (mut own, other) = match (&self, &other) {
            (Merged::Loop { .. }, Merged::Loop { .. }) if self.is_inside(&other) => {
                (self.into_nested(), other)
            }
            (Merged::Loop { .. }, Merged::Loop { .. }) if other.is_inside(&self) => {
                (self, other.into_nested())
            }
            (Merged::Call(_), Merged::Loop { .. }) => (self.into_loop(), other),
            (Merged::Loop { .. }, Merged::Call(_)) => (self, other.into_loop()),
            _ => (self, other),
        };
        match (&mut own, other) {
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
        Ok(own)
    }
}

/// The trees of all ranks at all points as one.
pub fn merge(trees: Vec<(Who, Vec<Node>)>) -> Result<Vec<Merged>, Problem> {
    // Trees of the same calls, whose order among each other does not matter.
    let mut groups: BTreeMap<BTreeSet<u64>, Vec<(Who, Vec<Merged>)>> = BTreeMap::new();
    for (who, nodes) in trees {
        let nodes: Vec<Merged> = nodes
            .into_iter()
            .map(|node| Merged::of(who, node))
            .collect();
        let mut keys = BTreeSet::new();
        nodes.iter().for_each(|node| node.keys(&mut keys));
        groups.entry(keys).or_default().push((who, nodes));
    }
    let mut all = Vec::new();
    for keys in order(&groups) {
        for (_, nodes) in groups.remove(&keys).into_iter().flatten() {
            all = align(all, nodes)?;
        }
    }
    Ok(all)
}

/// Parts of the program that no rank has both of cannot be put in order. So the first rank shares the most calls with the
/// other ones of the largest run, and each later one shares the most with those before.
fn order(groups: &BTreeMap<BTreeSet<u64>, Vec<(Who, Vec<Merged>)>>) -> Vec<BTreeSet<u64>> {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    for ((point, _), _) in groups.values().flatten() {
        *sizes.entry(*point).or_default() += 1;
    }
    let largest = sizes
        .iter()
        .max_by_key(|(_, size)| **size)
        .map(|(point, _)| *point);
    let ranks = |trees: &Vec<(Who, Vec<Merged>)>| {
        trees
            .iter()
            .filter(|((point, _), _)| Some(*point) == largest)
            .count()
    };
    let shared = |keys: &BTreeSet<u64>| -> usize {
        let with =
            |(other, trees): (&BTreeSet<u64>, _)| keys.intersection(other).count() * ranks(trees);
        groups.iter().map(with).sum()
    };
    let mut left: Vec<&BTreeSet<u64>> = groups.keys().collect();
    let first = (0..left.len()).max_by_key(|at| {
        let here = groups.get(left[*at]).map_or(0, ranks);
        (here > 0, shared(left[*at]))
    });
    let mut next = first;
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    while let Some(at) = next {
        let keys = left.swap_remove(at);
        seen.extend(keys);
        order.push(keys.clone());
        next = (0..left.len()).max_by_key(|at| {
            let common = left[*at].intersection(&seen).count();
            (common, std::cmp::Reverse(left[*at].len()))
        });
    }
    order
}

/// The calls of a part.
struct Keys {
    is_call: bool,
    all: BTreeSet<u64>,
    /// Those that are no part of an inner loop.
    direct: BTreeSet<u64>,
}

impl Keys {
    fn of(node: &Merged) -> Keys {
        let mut keys = Keys {
            is_call: matches!(node, Merged::Call(_)),
            all: BTreeSet::new(),
            direct: node.calls(),
        };
        node.keys(&mut keys.all);
        keys
    }

    /// True if two ranks' parts are the same part of the program; a call may be the body of a loop there.
    fn is_like(&self, other: &Keys) -> bool {
        match (self.is_call, other.is_call) {
            (true, false) => !self.all.is_disjoint(&other.direct),
            (false, true) => !other.all.is_disjoint(&self.direct),
            _ => !self.all.is_disjoint(&other.all),
        }
    }
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
    let [rows_keys, columns_keys] =
        [&own, &other].map(|nodes| nodes.iter().map(Keys::of).collect::<Vec<Keys>>());
    let like: Vec<Vec<bool>> = rows_keys
        .iter()
        .map(|a| columns_keys.iter().map(|b| a.is_like(b)).collect())
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
            if let (Some(node), Some(another)) = (own.next(), other.next()) {
                all.push(node.join(another)?);
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
