//! Series and parallels.

/// Nested series and parallel compositions of tasks.
///
/// The nodes are in one list, each after its parts; the last one is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A node of a [`Tree`]; parts are indices into the list of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A task.
    Task(u32),
    /// Parts one after another; empty for a graph without tasks.
    Series(Vec<u32>),
    /// Parts in parallel, in the order of their first tasks.
    Parallel(Vec<u32>),
}

impl Tree {
    /// The nodes, each after its parts; the last one is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Folds the tree from the values of tasks, of series and of parallels, without recursion.
    pub fn fold<T>(&self, mut value: impl FnMut(&Node, &[&T]) -> T) -> Option<T> {
        let mut values: Vec<T> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let parts: Vec<&T> = node
                .parts()
                .iter()
                .map(|&part| &values[part as usize])
                .collect();
            let new = value(node, &parts);
            values.push(new);
        }
        values.pop()
    }
}

impl Node {
    fn parts(&self) -> &[u32] {
        match self {
            Node::Task(_) => &[],
            Node::Series(parts) | Node::Parallel(parts) => parts,
        }
    }
}

/// A tree built from pairs.
#[derive(Clone, Copy, Debug)]
pub enum Pair {
    Task(u32),
    Series(u32, u32),
    Parallel(u32, u32),
}

/// The tree at `root` in a list of pairs.
pub fn of_pairs(pairs: &[Pair], root: u32) -> Tree {
    // First all nodes from the root down, each before its parts, with parts of parts of the same kind as their own.
    let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
    let mut open = vec![root];
    while let Some(pair) = open.pop() {
        let parts = parts_of(pairs, pair);
        open.extend(&parts);
        groups.push((pair, parts));
    }
    // Then turned.
    let mut nodes: Vec<Node> = Vec::with_capacity(groups.len());
    let mut places: std::collections::HashMap<u32, (u32, u32)> = std::collections::HashMap::new();
    for (pair, mut parts) in groups.into_iter().rev() {
        let first = |part: &u32| places[part].1;
        let (node, least) = match pairs[pair as usize] {
            Pair::Task(task) => (Node::Task(task), task),
            Pair::Series(..) => {
                let least = parts.iter().map(first).min().unwrap_or(0);
                (
                    Node::Series(parts.iter().map(|part| places[part].0).collect()),
                    least,
                )
            }
            Pair::Parallel(..) => {
                parts.sort_by_key(first);
                let least = parts.first().map_or(0, first);
                (
                    Node::Parallel(parts.iter().map(|part| places[part].0).collect()),
                    least,
                )
            }
        };
        places.insert(pair, (nodes.len() as u32, least));
        nodes.push(node);
    }
    Tree { nodes }
}

/// The tree of a graph without tasks.
pub fn empty() -> Tree {
    Tree {
        nodes: vec![Node::Series(Vec::new())],
    }
}

/// The parts of a node without nested nodes of the same kind, from left to right.
fn parts_of(pairs: &[Pair], root: u32) -> Vec<u32> {
    let (mut parts, mut open) = (Vec::new(), vec![root]);
    while let Some(node) = open.pop() {
        match (pairs[root as usize], pairs[node as usize]) {
            (Pair::Series(..), Pair::Series(a, b)) | (Pair::Parallel(..), Pair::Parallel(a, b)) => {
                open.extend([b, a]);
            }
            _ if node == root => {}
            _ => parts.push(node),
        }
    }
    parts
}
