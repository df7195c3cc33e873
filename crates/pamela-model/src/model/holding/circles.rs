//! The graph of held and requested resources. Circles in the graph of requests may deadlock.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Span};

/// An array, and an element if its index is a number.
pub(super) type Node = (String, Option<i64>);

/// The graph of resources, with an edge to each one that is requested while another is held.
#[derive(Default)]
pub(super) struct HoldGraph {
    /// Location of a request for the second resource while the first is held.
    edges: BTreeMap<Node, BTreeMap<Node, Span>>,
    /// Arrays of which a later element is requested while an earlier one is held.
    pub(super) upwards: BTreeSet<String>,
}

impl HoldGraph {
    pub(super) fn insert(&mut self, held: Node, asked: Node, span: Span) {
        let edges = self.edges.entry(held).or_default();
        edges.entry(asked).or_insert(span);
    }

    /// For each array, the arrays that are requested, directly or not, while it is held.
    pub(super) fn inside(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut inside: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (held, asked) in &self.edges {
            let arrays = asked.keys().map(|(array, _)| array.clone());
            inside.entry(held.0.clone()).or_default().extend(arrays);
        }
        for array in &self.upwards {
            let own = inside.entry(array.clone()).or_default();
            own.insert(array.clone());
        }
        closed(inside)
    }

    /// An array whose elements are taken upwards in one place and otherwise in another has no order.
    fn break_orders(&mut self) {
        for array in &self.upwards {
            let own = self.edges.iter().filter(|(held, _)| held.0 == *array);
            let other = own
                .flat_map(|((_, from), asked)| asked.iter().map(move |(to, span)| (from, to, span)))
                .find(|(from, (asked, to), _)| asked == array && to <= *from);
            let Some(span) = other.map(|(_, _, span)| *span) else {
                continue;
            };
            let any = (array.clone(), None);
            let edges = self.edges.entry(any.clone()).or_default();
            edges.entry(any).or_insert(span);
        }
    }

    /// A warning for each shortest circle through a resource, among circles without common
    /// resources.
    pub(super) fn circles(mut self) -> Vec<Diagnostic> {
        self.break_orders();
        let mut warned: BTreeSet<Node> = BTreeSet::new();
        let mut warnings = Vec::new();
        for start in self.edges.keys() {
            let Some(circle) = self.circle(start) else {
                continue;
            };
            if circle.iter().any(|(node, _)| warned.contains(node)) {
                continue;
            }
            warned.extend(circle.iter().map(|(node, _)| node.clone()));
            let mut names: Vec<String> = vec![shown(start)];
            names.extend(circle.iter().map(|(node, _)| shown(node)));
            let message = format!("resources are held in a cycle: {}", names.join(", "));
            let mut labels = circle.iter().zip(&names).map(|((node, span), held)| {
                let label = format!("{} is requested while {held} is held", shown(node));
                (*span, label)
            });
            let Some((span, label)) = labels.next() else {
                continue;
            };
            let first = Diagnostic::warning(message, span, label);
            let all = labels.fold(first, |all, (span, label)| all.also(span, label));
            warnings.push(all.hint(
                "processes may deadlock: take resources in one order, elements of an array by rising \
                 indices",
            ));
        }
        warnings
    }

    /// The shortest way from a node back to it, each step with where it is taken.
    fn circle(&self, start: &Node) -> Option<Vec<(Node, Span)>> {
        let mut from: BTreeMap<Node, (Node, Span)> = BTreeMap::new();
        let mut front = vec![start.clone()];
        while !front.is_empty() {
            let mut next = Vec::new();
            for node in front {
                let own = self
                    .edges
                    .iter()
                    .filter(|(held, _)| may_be_one(held, &node));
                for (to, span) in own.flat_map(|(_, asked)| asked) {
                    if may_be_one(to, start) {
                        let mut way = vec![(to.clone(), *span)];
                        let mut at = &node;
                        while let Some((before, span)) = from.get(at) {
                            way.push((at.clone(), *span));
                            at = before;
                        }
                        way.reverse();
                        return Some(way);
                    }
                    if !from.contains_key(to) {
                        from.insert(to.clone(), (node.clone(), *span));
                        next.push(to.clone());
                    }
                }
            }
            front = next;
        }
        None
    }
}

fn may_be_one(a: &Node, b: &Node) -> bool {
    a.0 == b.0 && (a.1 == b.1 || a.1.is_none() || b.1.is_none())
}

fn shown((array, index): &Node) -> String {
    match index {
        Some(0) => format!("`{array}`"),
        Some(index) => format!("`{array}({index})`"),
        None => format!("an element of `{array}`"),
    }
}

/// The transitive closure.
fn closed(mut inside: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let mut grown = false;
        for array in inside.keys().cloned().collect::<Vec<String>>() {
            let known = inside.get(&array).cloned().unwrap_or_default();
            let further = known.iter().filter_map(|inner| inside.get(inner)).flatten();
            let all: BTreeSet<String> = known.iter().chain(further).cloned().collect();
            grown |= all.len() > known.len();
            inside.insert(array, all);
        }
        if !grown {
            return inside;
        }
    }
}
