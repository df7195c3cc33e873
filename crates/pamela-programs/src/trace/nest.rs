//! Loops around loops. A rank that only makes the calls of an inner loop shows no outer one: its iterations are those of both.
//! Another rank of the same run, which makes a call between two inner loops, tells how many there are of each.

use std::collections::BTreeSet;

use super::fold::{Loop, Node, Series};

/// An outer loop of a rank with an inner one.
struct Nested {
    /// Calls in the inner loop, and beside it in the outer one.
    inner: BTreeSet<u64>,
    beside: BTreeSet<u64>,
    outer_times: Series,
    inner_times: Series,
}

/// Splits the loops of ranks that stand for two loops of other ranks of the same run.
pub fn nest(ranks: &mut [Vec<Node>]) {
    let mut all = Vec::new();
    ranks.iter().for_each(|nodes| collect(nodes, &mut all));
    for nodes in ranks {
        for node in nodes.iter_mut() {
            split(node, &all, &BTreeSet::new());
            repeat(node);
        }
    }
}

/// Splits loops in which partners, sizes or inner loops repeat after a part of the iterations.
fn repeat(node: &mut Node) {
    let Node::Loop(own) = node else { return };
    own.body.iter_mut().for_each(repeat);
    let series = own.body.iter().flat_map(|node| match node {
        Node::Call(call) => vec![&call.to, &call.from, &call.sent, &call.received],
        Node::Loop(inner) => vec![&inner.times],
    });
    let series: Vec<&Series> = series.collect();
    if let Some((outer, inner)) = periods(&own.times, &series)
        && inner.iter().any(|times| times > 1)
        && outer.iter().any(|times| times > 1)
    {
        let body = std::mem::take(&mut own.body);
        own.times = outer;
        own.body.push(Node::Loop(Loop { times: inner, body }));
    }
}

/// Numbers of iterations of an outer and an inner loop: those of the inner one are the shortest period of all series. None if
/// a loop does not always have the same number of iterations.
pub fn periods(times: &Series, series: &[&Series]) -> Option<(Series, Series)> {
    let total = times.constant().filter(|total| *total > 0)?;
    let values: Vec<Vec<i64>> = series
        .iter()
        .filter(|series| series.constant().is_none())
        .map(|series| series.iter().collect())
        .collect();
    let length = usize::try_from(total).ok()?;
    let fits = |period: &usize| {
        let repeats = |values: &Vec<i64>| {
            let mut runs = values.chunks(length);
            runs.all(|run| {
                run.iter()
                    .zip(run.iter().skip(*period))
                    .all(|(a, b)| a == b)
            })
        };
        values.iter().all(repeats)
    };
    let period = (1..=length)
        .filter(|period| length.is_multiple_of(*period))
        .find(fits)?;
    let outer = length / period;
    let runs = times.len();
    Some((
        Series::same(outer as i64, runs),
        Series::same(period as i64, runs * outer as u64),
    ))
}

fn keys(nodes: &[Node], keys_of: &mut BTreeSet<u64>) {
    for node in nodes {
        match node {
            Node::Call(call) => {
                keys_of.insert(call.key());
            }
            Node::Loop(own) => keys(&own.body, keys_of),
        }
    }
}

fn collect(nodes: &[Node], all: &mut Vec<Nested>) {
    for node in nodes {
        let Node::Loop(outer) = node else { continue };
        for (place, child) in outer.body.iter().enumerate() {
            let Node::Loop(inner) = child else { continue };
            let mut nested = Nested {
                inner: BTreeSet::new(),
                beside: BTreeSet::new(),
                outer_times: outer.times.clone(),
                inner_times: inner.times.clone(),
            };
            keys(&inner.body, &mut nested.inner);
            keys(&outer.body[..place], &mut nested.beside);
            keys(&outer.body[place + 1..], &mut nested.beside);
            all.push(nested);
        }
        collect(&outer.body, all);
    }
}

fn split(node: &mut Node, all: &[Nested], around: &BTreeSet<u64>) {
    let Node::Loop(own) = node else { return };
    let direct = own.body.iter().filter_map(|node| match node {
        Node::Call(call) => Some(call.key()),
        Node::Loop(_) => None,
    });
    let direct: BTreeSet<u64> = direct.collect();
    let mut inside = BTreeSet::new();
    keys(&own.body, &mut inside);
    let found = all.iter().find(|nested| {
        !direct.is_disjoint(&nested.inner)
            && inside.is_disjoint(&nested.beside)
            && around.is_disjoint(&nested.beside)
            && own.times == nested.outer_times.totals(&nested.inner_times)
    });
    match found {
        Some(nested) => {
            let inner = Loop {
                times: nested.inner_times.clone(),
                body: std::mem::take(&mut own.body),
            };
            own.times = nested.outer_times.clone();
            own.body.push(Node::Loop(inner));
        }
        None => {
            inside.extend(around);
            let body = own.body.iter_mut();
            body.for_each(|node| split(node, all, &inside));
        }
    }
}
