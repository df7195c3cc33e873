//! The order of additions and maxima that gives a bound of a law.

use super::MOST_THINNED;
use crate::path::Paths;
use crate::shape::{Dominators, Graph};

/// For each node what it waits for, and a node that it and these have before them, from whose end on times are counted.
/// The last node, of no time, is the end of the whole.
#[derive(Debug)]
pub(super) struct Plan {
    /// All relevant nodes, each after its predecessors; the last node is the end.
    pub order: Vec<u32>,
    /// Predecessors of each node. The anchor of a node is among them only if it is the only one.
    pub before: Vec<Vec<u32>>,
    /// The anchor of each node; `None` for the beginning of the graph.
    pub anchors: Vec<Option<u32>>,
}

impl Plan {
    /// All precedences, with the nearest dominators as anchors. There are no anchors if that takes more sums than
    /// there are nodes.
    pub fn upper(graph: &Graph) -> Plan {
        let dominators = graph.dominators();
        let tasks = 0..graph.tasks() as u32;
        let mut before: Vec<Vec<u32>> = tasks
            .clone()
            .map(|task| graph.before(task).to_vec())
            .collect();
        let mut anchors: Vec<Option<u32>> =
            tasks.clone().map(|task| dominators.of_task(task)).collect();
        let last = last(graph);
        anchors.push(dominators.common(last.iter().map(|&task| Some(task))));
        before.push(last);
        let mut order = graph.order().to_vec();
        order.push(graph.tasks() as u32);
        let mut plan = Plan {
            order,
            before,
            anchors,
        };
        if !plan.is_cheap() {
            plan.anchors.fill(None);
        }
        plan
    }

    /// True if few sums are taken twice, since times are counted from different anchors.
    fn is_cheap(&self) -> bool {
        let mut left = self.order.len();
        let mut counted_from = vec![None; self.before.len()];
        for &node in &self.order {
            let anchor = self.anchors[node as usize];
            for &first in &self.before[node as usize] {
                let mut task = first;
                while counted_from[task as usize] != Some(anchor) && Some(task) != anchor {
                    counted_from[task as usize] = Some(anchor);
                    let Some(rest) = left.checked_sub(1) else {
                        return false;
                    };
                    left = rest;
                    let Some(above) = self.anchors[task as usize]
                        .filter(|_| self.anchors[task as usize] != anchor)
                    else {
                        break;
                    };
                    task = above;
                }
            }
        }
        true
    }

    /// A plan without precedences whose tasks share more than a dominator, so the remaining graph is series-parallel.
    /// Tasks with the latest mean end are kept first.
    pub fn lower(graph: &Graph, means: &[f64]) -> Plan {
        let paths = Paths::new(graph, means);
        let end = |task: u32| paths.heads()[task as usize] + means[task as usize];
        let by_end = |list: &[u32]| {
            let mut list = list.to_vec();
            list.sort_by(|&a, &b| end(b).total_cmp(&end(a)).then(a.cmp(&b)));
            list
        };
        let whole = graph.tasks() <= MOST_THINNED;
        let mut ancestors = Ancestors::new(if whole { graph.tasks() } else { 0 });
        let mut tree = Dominators::new(graph.tasks() + 1);
        let mut before = vec![Vec::new(); graph.tasks() + 1];
        let mut anchors = vec![None; graph.tasks() + 1];
        let sink = graph.tasks() as u32;
        let list = |node: u32| {
            if node == sink {
                by_end(&last(graph))
            } else {
                by_end(graph.before(node))
            }
        };
        for &node in graph.order().iter().chain([&sink]) {
            let list = list(node);
            let (kept, anchor) = if whole {
                ancestors.keep(&list, &tree)
            } else {
                (list[..list.len().min(1)].to_vec(), list.first().copied())
            };
            tree.hang(node, anchor);
            if whole && node != sink {
                ancestors.add(node, &kept);
            }
            (before[node as usize], anchors[node as usize]) = (kept, anchor);
        }
        let mut plan = Plan {
            order: Vec::new(),
            before,
            anchors,
        };
        plan.order = plan.needed(graph);
        plan
    }

    /// All direct and indirect predecessors of the end, in order.
    fn needed(&self, graph: &Graph) -> Vec<u32> {
        let sink = graph.tasks() as u32;
        let mut needed = vec![false; self.before.len()];
        let mut open = vec![sink];
        needed[sink as usize] = true;
        while let Some(node) = open.pop() {
            for &before in &self.before[node as usize] {
                if !std::mem::replace(&mut needed[before as usize], true) {
                    open.push(before);
                }
            }
        }
        let order = graph
            .order()
            .iter()
            .copied()
            .filter(|&task| needed[task as usize]);
        order.chain([sink]).collect()
    }
}

/// The tasks that nothing waits for.
fn last(graph: &Graph) -> Vec<u32> {
    (0..graph.tasks() as u32)
        .filter(|&task| graph.after(task).is_empty())
        .collect()
}

/// For each node, all that it waits for in a graph with fewer precedences, as a set of bits.
struct Ancestors {
    words: usize,
    sets: Vec<u64>,
}

impl Ancestors {
    fn new(tasks: usize) -> Ancestors {
        let words = tasks.div_ceil(64);
        Ancestors {
            words,
            sets: vec![0; words * tasks],
        }
    }

    fn set(&self, task: u32) -> &[u64] {
        &self.sets[task as usize * self.words..(task as usize + 1) * self.words]
    }

    fn add(&mut self, task: u32, before: &[u32]) {
        let start = task as usize * self.words;
        for &u in before {
            let from = u as usize * self.words;
            for word in 0..self.words {
                self.sets[start + word] |= self.sets[from + word];
            }
        }
        self.sets[start + task as usize / 64] |= 1 << (task % 64);
    }

    /// The first task of a list, then each task that shares nothing with the earlier ones except an anchor and its
    /// predecessors. Also returns the anchor.
    fn keep(&self, list: &[u32], tree: &Dominators) -> (Vec<u32>, Option<u32>) {
        let Some((&first, rest)) = list.split_first() else {
            return (Vec::new(), None);
        };
        let mut kept = vec![first];
        let mut anchor = Some(first);
        let mut union = self.set(first).to_vec();
        for &task in rest {
            let common = tree.common([anchor, Some(task)]);
            // Two that are kept already have their anchor in common.
            if kept.len() > 1 && common != anchor {
                continue;
            }
            let own = self.set(task);
            let before = |word: usize| common.map_or(0, |common| self.set(common)[word]);
            if (0..self.words).all(|word| union[word] & own[word] & !before(word) == 0) {
                (0..self.words).for_each(|word| union[word] |= own[word]);
                kept.push(task);
                anchor = common;
            }
        }
        (kept, anchor)
    }
}
