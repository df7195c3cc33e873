//! Arenas in files: symbols and nodes in order, so that every expression keeps its index.

use serde::{Deserialize, Serialize};

use super::{Arena, ExprId, GraphPart, LawKind, Node, ReduceKind, Sort, Symbol, SymbolKind};

/// An arena in its written form.
#[derive(Serialize, Deserialize)]
pub struct Saved {
    symbols: Vec<SymbolKind>,
    nodes: Vec<Node>,
}

impl From<Arena> for Saved {
    fn from(arena: Arena) -> Saved {
        let all = (0..arena.len()).map(|position| ExprId(position as u32));
        Saved {
            nodes: all.map(|id| arena.node(id).clone()).collect(),
            symbols: arena.symbols,
        }
    }
}

impl TryFrom<Saved> for Arena {
    type Error = String;

    /// Fails where a node has operands that do not come before it, or are not of its kind.
    fn try_from(saved: Saved) -> Result<Arena, String> {
        let mut arena = Arena::new();
        let (symbols, nodes) = (saved.symbols.len(), saved.nodes.len());
        for kind in saved.symbols {
            if let SymbolKind::Index { lower, upper, .. } = kind
                && lower.index().max(upper.index()) as usize >= nodes
            {
                return Err("the range of an index is missing".to_string());
            }
            let known = arena.symbols.len();
            if arena.intern_symbol(kind).0 as usize != known {
                return Err(format!("symbol {known} occurs twice"));
            }
        }
        for (position, node) in saved.nodes.into_iter().enumerate() {
            let wrong = |what: &str| format!("expression {position} {what}");
            if symbols_of(&node).any(|symbol| symbol.0 as usize >= symbols) {
                return Err(wrong("has a symbol that is missing"));
            }
            if operands_of(&node).any(|operand| operand.index() as usize >= position) {
                return Err(wrong("has an operand that does not come before it"));
            }
            if !is_complete(&arena, &node) {
                return Err(wrong("has operands that its operator does not take"));
            }
            if arena.intern(node).index() as usize != position {
                return Err(wrong("occurs twice"));
            }
        }
        Ok(arena)
    }
}

fn symbols_of(node: &Node) -> impl Iterator<Item = Symbol> {
    let symbol = match node {
        Node::Symbol(symbol) | Node::UnitVector(symbol, _) | Node::Call(symbol, _) => Some(*symbol),
        Node::Reduce(r) => Some(r.index),
        Node::Law(LawKind::Parameter(symbol) | LawKind::Empirical(symbol), _) => Some(*symbol),
        Node::Graph(GraphPart::LongestPath(labels), _) => *labels,
        _ => None,
    };
    symbol.into_iter()
}

fn operands_of(node: &Node) -> impl Iterator<Item = ExprId> {
    let operands = match node {
        Node::Number(_) | Node::Symbol(_) => Vec::new(),
        Node::Add(list)
        | Node::Mul(list)
        | Node::Max(list)
        | Node::Min(list)
        | Node::Vector(list)
        | Node::Law(_, list)
        | Node::Graph(_, list)
        | Node::Operate(_, list)
        | Node::Call(_, list) => list.to_vec(),
        Node::Pow(a, b) | Node::Mod(a, b) | Node::Compare(_, a, b) => vec![*a, *b],
        Node::Quantile(a, b) | Node::Probability(_, a, b) => vec![*a, *b],
        Node::Apply(_, a) | Node::UnitVector(_, a) | Node::VectorMax(a) | Node::Cumulant(_, a) => {
            vec![*a]
        }
        Node::If(a, b, c) => vec![*a, *b, *c],
        Node::Reduce(r) => [r.lower, r.upper, r.body]
            .into_iter()
            .chain(r.kind.quorum())
            .collect(),
    };
    operands.into_iter()
}

/// True if a node has as many operands, and of such sorts, as constructors give it.
fn is_complete(arena: &Arena, node: &Node) -> bool {
    match node {
        Node::Add(list) | Node::Max(list) | Node::Min(list) => list.len() >= 2,
        Node::Mul(list) => {
            let vectors = list.iter().filter(|&&f| arena.sort(f) == Sort::Vector);
            list.len() >= 2 && vectors.count() <= 1
        }
        Node::Operate(operation, list) => list.len() == operation.row().operands,
        Node::Graph(GraphPart::LongestPath(_), list) => {
            list.iter().all(|&family| is_family(arena, family))
        }
        Node::Graph(GraphPart::After(_) | GraphPart::AfterAll(_), list) => !list.is_empty(),
        Node::Graph(GraphPart::Task, list) => list
            .split_first()
            .is_some_and(|(_, after)| after.iter().all(|&r| is_reference(arena, r))),
        Node::Cumulant(order, law) => (1..=4).contains(order) && arena.is_law(*law),
        Node::Quantile(law, x) | Node::Probability(_, law, x) => {
            arena.is_law(*law) && arena.sort(*x) == Sort::Scalar
        }
        Node::Law(kind, list) => match kind {
            LawKind::Parameter(_) => list.is_empty(),
            LawKind::Empirical(symbol) => list.is_empty() && arena.samples(*symbol).is_some(),
            LawKind::Named(name) => list.len() == name.row().arguments.len(),
            LawKind::Scale | LawKind::RandomSum => list.len() == 2,
            LawKind::Product | LawKind::Max | LawKind::Min => list.len() >= 2,
            LawKind::Mixture => !list.is_empty() && list.len() % 2 == 0,
            LawKind::Truncated => (2..=3).contains(&list.len()),
            LawKind::Choice => list.len() == 3,
            LawKind::VectorMax => list.len() == 1,
        },
        _ => true,
    }
}

/// The body within the ranges of a family or of a reference.
fn innermost(arena: &Arena, mut part: ExprId) -> &Node {
    while let Node::Reduce(r) = arena.node(part)
        && r.kind == ReduceKind::Each
    {
        part = r.body;
    }
    arena.node(part)
}

fn is_family(arena: &Arena, part: ExprId) -> bool {
    matches!(innermost(arena, part), Node::Graph(GraphPart::Task, _))
}

fn is_reference(arena: &Arena, part: ExprId) -> bool {
    matches!(
        innermost(arena, part),
        Node::Graph(GraphPart::After(_) | GraphPart::AfterAll(_), _)
    )
}
