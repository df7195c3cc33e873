//! Series-parallel reduction: the tree of series and parallel parts, and the irreducible core.
//!
//! Two tasks are merged if each is the only neighbour of the other on one side, or if both have the same predecessors
//! and successors. A graph without transitive precedences ends as one node exactly if it is series-parallel (Valdes,
//! Tarjan, Lawler 1982).

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::tree::{self, Pair, Tree};
use super::{Graph, order};
use crate::shape::links::Links;

/// An irreducible graph whose nodes are series-parallel parts.
#[derive(Clone, Debug)]
pub struct Core {
    /// Precedences between the parts, without those that follow from others.
    pub graph: Graph,
    /// The tasks of each node of the graph.
    pub parts: Vec<Tree>,
    /// True if redundant precedences remain, since there are too many to find them.
    pub is_partial: bool,
}

/// The tree of a series-parallel graph.
///
/// # Errors
/// Returns the irreducible core as an error if the graph is not series-parallel.
pub fn series_parallel(graph: &Graph) -> Result<Tree, Box<Core>> {
    let reduced = graph.reduced();
    let is_partial = reduced.is_none();
    let reduction = Reduction::of(reduced.as_ref().unwrap_or(graph));
    let nodes: Vec<u32> = (0..graph.tasks() as u32)
        .filter(|&node| reduction.nodes[node as usize].is_alive)
        .collect();
    match nodes[..] {
        [] => Ok(tree::empty()),
        [root] => Ok(reduction.tree(root)),
        _ => Err(Box::new(reduction.core(&nodes, is_partial))),
    }
}

/// A graph that shrinks. A node is a merged part, numbered by a task at its beginning. Its successors are listed
/// under a task at its end, so a merge in series moves no list.
struct Reduction<'a> {
    graph: &'a Graph,
    nodes: Vec<Part>,
    /// The node which ends with a task, if any does.
    ending: Vec<u32>,
    pairs: Vec<Pair>,
}

struct Part {
    is_alive: bool,
    /// The last task of the node, under which its successors are listed.
    end: u32,
    pair: u32,
    before: Neighbours,
    after: Neighbours,
}

/// A set of nodes, by how many there are and by sums that tell it from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Neighbours {
    count: u32,
    /// Node numbers by key, if there is one.
    numbers: u64,
    keys: u64,
}

impl Neighbours {
    fn of(list: &[u32]) -> Neighbours {
        let mut all = Neighbours::default();
        list.iter().for_each(|&task| all.add(task));
        all
    }

    fn add(&mut self, task: u32) {
        self.count += 1;
        self.numbers += u64::from(task);
        self.keys = self.keys.wrapping_add(key(task));
    }

    fn remove(&mut self, task: u32) {
        self.count -= 1;
        self.numbers -= u64::from(task);
        self.keys = self.keys.wrapping_sub(key(task));
    }

    fn only(self) -> Option<u32> {
        (self.count == 1).then_some(self.numbers as u32)
    }
}

/// The finaliser of SplitMix64. Sets with equal sums are compared before they count as equal.
fn key(task: u32) -> u64 {
    let mut z = u64::from(task)
        .wrapping_add(1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl<'a> Reduction<'a> {
    fn of(graph: &'a Graph) -> Reduction<'a> {
        let tasks = 0..graph.tasks() as u32;
        let node = |task: u32| Part {
            is_alive: true,
            end: task,
            pair: task,
            before: Neighbours::of(graph.before(task)),
            after: Neighbours::of(graph.after(task)),
        };
        let mut reduction = Reduction {
            graph,
            nodes: tasks.clone().map(node).collect(),
            ending: tasks.clone().collect(),
            pairs: tasks.clone().map(Pair::Task).collect(),
        };
        reduction.run();
        reduction
    }

    fn run(&mut self) {
        let mut twins: HashMap<(Neighbours, Neighbours), u32> = HashMap::new();
        let mut open: Vec<u32> = (0..self.nodes.len() as u32).rev().collect();
        while let Some(node) = open.pop() {
            if !self.nodes[node as usize].is_alive {
                continue;
            }
            if self.merge_series(node, &mut open) {
                continue;
            }
            let neighbours = |node: u32| {
                let Part { before, after, .. } = self.nodes[node as usize];
                (before, after)
            };
            let here = neighbours(node);
            match twins.entry(here) {
                Entry::Vacant(entry) => {
                    entry.insert(node);
                }
                Entry::Occupied(mut entry) => {
                    let twin = *entry.get();
                    let stands = self.nodes[twin as usize].is_alive && neighbours(twin) == here;
                    if !stands {
                        entry.insert(node);
                    } else if twin != node && self.are_twins(twin, node) {
                        self.merge_parallel(twin, node, &mut open);
                        open.push(twin);
                    }
                }
            }
        }
    }

    /// The nodes that a node waits for, by the tasks at their ends.
    fn ends_before(&self, node: u32) -> impl Iterator<Item = u32> {
        let before = self.graph.before(node).iter().copied();
        before.filter(|&end| self.is_end(end))
    }

    /// The successors of the node that ends with a task.
    fn nodes_after(&self, end: u32) -> impl Iterator<Item = u32> {
        let after = self.graph.after(end).iter().copied();
        after.filter(|&node| self.nodes[node as usize].is_alive)
    }

    fn is_end(&self, task: u32) -> bool {
        let node = self.ending[task as usize];
        node != u32::MAX
            && self.nodes[node as usize].is_alive
            && self.nodes[node as usize].end == task
    }

    /// True if two nodes wait for the same, and the same waits for them: sums of keys may agree by chance.
    fn are_twins(&self, a: u32, b: u32) -> bool {
        let end = |node: u32| self.nodes[node as usize].end;
        self.ends_before(a).eq(self.ends_before(b))
            && self.nodes_after(end(a)).eq(self.nodes_after(end(b)))
    }

    /// Merges a node with the only one that waits for it, or that it waits for.
    fn merge_series(&mut self, node: u32, open: &mut Vec<u32>) -> bool {
        let only_after = |node: u32| self.nodes[node as usize].after.only();
        let only_before = |node: u32| {
            let end = self.nodes[node as usize].before.only()?;
            Some(self.ending[end as usize])
        };
        let next = only_after(node).filter(|&next| only_before(next) == Some(node));
        let previous = only_before(node).filter(|&previous| only_after(previous) == Some(node));
        let (first, second) = match (previous, next) {
            (Some(previous), _) => (previous, node),
            (None, Some(next)) => (node, next),
            (None, None) => return false,
        };
        let Part {
            end, pair, after, ..
        } = self.nodes[second as usize];
        self.nodes[second as usize].is_alive = false;
        self.ending[self.nodes[first as usize].end as usize] = u32::MAX;
        self.ending[end as usize] = first;
        let merged = Pair::Series(self.nodes[first as usize].pair, pair);
        let node = &mut self.nodes[first as usize];
        (node.end, node.after, node.pair) = (end, after, self.pairs.len() as u32);
        self.pairs.push(merged);
        open.push(first);
        true
    }

    /// Merges `gone` into its twin.
    fn merge_parallel(&mut self, twin: u32, gone: u32, open: &mut Vec<u32>) {
        let end = self.nodes[gone as usize].end;
        let before: Vec<u32> = self
            .ends_before(gone)
            .map(|end| self.ending[end as usize])
            .collect();
        let after: Vec<u32> = self.nodes_after(end).collect();
        for &node in &before {
            self.nodes[node as usize].after.remove(gone);
        }
        for &node in &after {
            self.nodes[node as usize].before.remove(end);
        }
        self.nodes[gone as usize].is_alive = false;
        self.ending[end as usize] = u32::MAX;
        let merged = Pair::Parallel(
            self.nodes[twin as usize].pair,
            self.nodes[gone as usize].pair,
        );
        self.nodes[twin as usize].pair = self.pairs.len() as u32;
        self.pairs.push(merged);
        open.extend(before);
        open.extend(after);
    }

    fn tree(&self, node: u32) -> Tree {
        tree::of_pairs(&self.pairs, self.nodes[node as usize].pair)
    }

    fn core(&self, nodes: &[u32], is_partial: bool) -> Core {
        let mut number = vec![0; self.nodes.len()];
        (0..)
            .zip(nodes)
            .for_each(|(new, &node)| number[node as usize] = new);
        let before: Vec<Vec<u32>> = nodes
            .iter()
            .map(|&node| {
                let ends = self.ends_before(node);
                let mut list: Vec<u32> = ends
                    .map(|end| number[self.ending[end as usize] as usize])
                    .collect();
                list.sort_unstable();
                list
            })
            .collect();
        let before = Links::of_lists(before.iter().map(Vec::as_slice));
        let after = before.reversed();
        let order = order(&before, &after);
        Core {
            graph: Graph {
                before,
                after,
                order,
            },
            parts: nodes.iter().map(|&node| self.tree(node)).collect(),
            is_partial,
        }
    }
}
