//! Dominators: the tasks on every path from the beginning to a task.

use super::Graph;

/// The tree of the nearest dominators. A task without one hangs from the root, which is the beginning of the graph.
#[derive(Clone, Debug)]
pub struct Dominators {
    nodes: Vec<TreeNode>,
}

/// A node of the tree; the root has the number 0, a task one more than its own.
#[derive(Clone, Copy, Debug, Default)]
struct TreeNode {
    parent: u32,
    depth: u32,
    /// A distant ancestor: logarithmically many such jumps and steps to parents lead to any ancestor (Myers, 1983).
    far: u32,
}

impl Dominators {
    /// The root alone; tasks are [hung](Dominators::hang) into the tree one after another.
    pub(crate) fn new(tasks: usize) -> Dominators {
        Dominators {
            nodes: vec![TreeNode::default(); tasks + 1],
        }
    }

    pub(super) fn of(graph: &Graph) -> Dominators {
        let mut tree = Dominators::new(graph.tasks());
        for &task in graph.order() {
            let nearest = tree.common(graph.before(task).iter().map(|&u| Some(u)));
            tree.hang(task, nearest);
        }
        tree
    }

    /// Puts a task below one that is in the tree, or below the root.
    pub(crate) fn hang(&mut self, task: u32, below: Option<u32>) {
        let parent = below.map_or(0, |task| task + 1);
        let above = self.nodes[parent as usize];
        let further = self.nodes[above.far as usize];
        let equal =
            above.depth - further.depth == further.depth - self.nodes[further.far as usize].depth;
        self.nodes[task as usize + 1] = TreeNode {
            parent,
            depth: above.depth + 1,
            far: if equal { further.far } else { parent },
        };
    }

    /// The nearest dominator of a task other than itself; `None` for the beginning of the graph.
    pub fn of_task(&self, task: u32) -> Option<u32> {
        self.nodes[task as usize + 1].parent.checked_sub(1)
    }

    /// The nearest common dominator of the given tasks, which may be one of them. `None`, the beginning, if there is no
    /// other or if there are no tasks.
    pub fn common(&self, tasks: impl IntoIterator<Item = Option<u32>>) -> Option<u32> {
        let nodes = tasks
            .into_iter()
            .map(|task| task.map_or(0, |task| task + 1));
        nodes
            .reduce(|a, b| self.common_of_two(a, b))?
            .checked_sub(1)
    }

    fn common_of_two(&self, mut a: u32, mut b: u32) -> u32 {
        let node = |number: u32| self.nodes[number as usize];
        if node(a).depth < node(b).depth {
            (a, b) = (b, a);
        }
        while node(a).depth > node(b).depth {
            a = if node(node(a).far).depth >= node(b).depth {
                node(a).far
            } else {
                node(a).parent
            };
        }
        while a != b {
            (a, b) = if node(a).far != node(b).far {
                (node(a).far, node(b).far)
            } else {
                (node(a).parent, node(b).parent)
            };
        }
        a
    }
}
