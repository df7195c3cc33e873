//! The e-graph of one scope: its nodes, and the canonical term of every class as analysis.

use egg::{Analysis, DidMerge, EGraph, Id, Language};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::expr::{ExprId, Function, LawKind, Node, ReduceKind, Reduction, Relation, Symbol};

use super::facts::Prover;
use super::rulebase::Called;
use super::scope::Clamping;
use super::terms::Terms;

/// The operator of an e-node; its operands are classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// A number, a symbol, or an expression too large to be opened.
    Term(ExprId),
    Add,
    Mul,
    Pow,
    Max,
    Min,
    Apply(Function),
    Mod,
    Compare(Relation),
    If,
    /// Operands: lower, upper, body (and quorum).
    Reduce(Reducer, Symbol),
    Vector,
    UnitVector(Symbol),
    VectorMax,
    Law(LawKind),
    Cumulant(u8),
    Call(Symbol),
}

/// [`ReduceKind`] without the operand of its last variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reducer {
    Sum,
    Product,
    Max,
    Min,
    Kth,
    LawMax,
    LawMin,
    LawKth,
}

/// What rules are indexed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Head {
    Other,
    Add,
    Mul,
    Pow,
    Max,
    Min,
    Floor,
    Ceil,
    Apply,
    Mod,
    Compare,
    If,
    Reduce(Reducer),
    VectorMax,
    /// An order statistic of laws over a range.
    Order,
    Law,
    Cumulant,
}

/// Short lists need no memory of their own.
pub type Operands = SmallVec<[Id; 4]>;

/// An operator applied to classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ENode {
    pub operator: Operator,
    pub operands: Operands,
}

impl Language for ENode {
    type Discriminant = Head;

    fn discriminant(&self) -> Head {
        match self.operator {
            Operator::Add => Head::Add,
            Operator::Mul => Head::Mul,
            Operator::Pow => Head::Pow,
            Operator::Max => Head::Max,
            Operator::Min => Head::Min,
            Operator::Apply(Function::Floor) => Head::Floor,
            Operator::Apply(Function::Ceil) => Head::Ceil,
            Operator::Apply(_) => Head::Apply,
            Operator::Mod => Head::Mod,
            Operator::Compare(_) => Head::Compare,
            Operator::If => Head::If,
            Operator::Reduce(Reducer::LawMax | Reducer::LawMin | Reducer::LawKth, _) => Head::Order,
            Operator::Reduce(reducer, _) => Head::Reduce(reducer),
            Operator::VectorMax => Head::VectorMax,
            Operator::Law(_) => Head::Law,
            Operator::Cumulant(_) => Head::Cumulant,
            Operator::Term(_) | Operator::Vector | Operator::UnitVector(_) | Operator::Call(_) => {
                Head::Other
            }
        }
    }

    fn matches(&self, other: &ENode) -> bool {
        self.operator == other.operator && self.operands.len() == other.operands.len()
    }

    fn children(&self) -> &[Id] {
        &self.operands
    }

    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.operands
    }
}

/// What a scope's e-graph knows of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// The canonical term with the fewest indices found so far, of these the cheapest.
    pub term: ExprId,
}

/// The e-graph of one scope.
pub type Graph = EGraph<ENode, Scope>;

/// A rule that could fire if its guards were assumed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Blocked {
    /// Position of the rule in the rule base.
    pub rule: usize,
    pub left: ExprId,
    /// The guards that were not proved, as truth values.
    pub guards: Vec<ExprId>,
}

/// What rules need while they fire: the terms, the prover, and what has been tried.
pub struct Scope {
    pub terms: Terms,
    pub prover: Prover,
    /// The prover where further truth values hold, by these.
    pub beneath: FxHashMap<Vec<ExprId>, Prover>,
    /// The class of every canonical term.
    pub classes: FxHashMap<ExprId, Id>,
    /// The terms that the rules of a head were tried on.
    pub tried: FxHashSet<(Head, ExprId)>,
    pub blocked: Vec<Blocked>,
    pub clamping: Clamping,
    /// The rules that fired, with what they made.
    pub fired: Vec<Firing>,
    /// Two numbers were found equal: what is assumed contradicts itself, and nothing follows. Classes
    /// are no longer told apart: arithmetic with both numbers would go on for ever.
    pub contradictory: bool,
}

/// A rule that fired: `left` became `right`.
#[derive(Clone, Debug)]
pub struct Firing {
    pub rule: usize,
    pub left: ExprId,
    pub right: ExprId,
    /// What the rule asked for, as truth values; all were proved, from assumptions too.
    pub guards: Vec<ExprId>,
    /// The functions that it called.
    pub calls: Vec<Called>,
}

impl Analysis<ENode> for Scope {
    type Data = Best;

    fn make(graph: &mut Graph, node: &ENode, _: Id) -> Best {
        if graph.analysis.contradictory {
            let term = graph.analysis.terms.arena.number(0);
            return Best { term };
        }
        let term = node_term(graph, node);
        Best {
            term: graph.analysis.terms.canonical(term),
        }
    }

    fn merge(&mut self, known: &mut Best, other: Best) -> DidMerge {
        if known.term == other.term || self.contradictory {
            return DidMerge(false, false);
        }
        let number = |id| self.terms.arena.as_number(id).is_some();
        if number(known.term) && number(other.term) {
            self.contradictory = true;
            return DidMerge(false, false);
        }
        // Of `max(i, c)` and the `c` that it is wherever `i` runs, what is without the index may leave its
        // scope, at whatever cost.
        let ours = (self.terms.indices(known.term), self.terms.cost(known.term));
        let theirs = (self.terms.indices(other.term), self.terms.cost(other.term));
        let order = theirs
            .cmp(&ours)
            .then_with(|| self.terms.arena.compare(other.term, known.term));
        if order.is_lt() {
            *known = other;
            return DidMerge(true, false);
        }
        DidMerge(false, true)
    }

    fn modify(graph: &mut Graph, id: Id) {
        if graph.analysis.contradictory {
            return;
        }
        let term = graph[id].data.term;
        match graph.analysis.classes.get(&term).copied() {
            Some(same) => {
                graph.union(id, same);
            }
            None => {
                graph.analysis.classes.insert(term, id);
            }
        }
    }
}

/// The operator of `node` over the best terms of its operands.
pub fn node_term(graph: &mut Graph, node: &ENode) -> ExprId {
    let operands: Vec<ExprId> = node
        .operands
        .iter()
        .map(|&class| graph[class].data.term)
        .collect();
    build(&mut graph.analysis.terms, node.operator, &operands)
}

fn build(terms: &mut Terms, operator: Operator, operands: &[ExprId]) -> ExprId {
    let arena = &mut terms.arena;
    match (operator, operands) {
        (Operator::Term(id), _) => id,
        (Operator::Add, list) => arena.add(list),
        (Operator::Mul, list) => arena.mul(list),
        (Operator::Max, list) => arena.max(list),
        (Operator::Min, list) => arena.min(list),
        (Operator::Vector, list) => arena.vector(list),
        (Operator::Pow, &[a, b]) => arena.pow(a, b),
        (Operator::Mod, &[a, b]) => arena.modulo(a, b),
        (Operator::Compare(relation), &[a, b]) => arena.relate(relation, a, b),
        (Operator::Apply(function), &[a]) => arena.apply(function, a),
        (Operator::UnitVector(array), &[a]) => arena.unit_vector(array, a),
        (Operator::VectorMax, &[a]) => arena.vector_max(a),
        (Operator::If, &[a, b, c]) => arena.if_else(a, b, c),
        (Operator::Law(kind), list) => arena.law(kind, list),
        (Operator::Call(function), list) => arena.call(function, list),
        (Operator::Cumulant(order), &[a]) => arena.cumulant(order, a),
        (Operator::Reduce(reducer, index), &[lower, upper, body, ref quorum @ ..]) => {
            let kind = match (reducer, quorum) {
                (Reducer::Kth, &[k]) => ReduceKind::Kth(k),
                (Reducer::LawKth, &[k]) => ReduceKind::LawKth(k),
                (Reducer::LawMax, _) => ReduceKind::LawMax,
                (Reducer::LawMin, _) => ReduceKind::LawMin,
                (Reducer::Product, _) => ReduceKind::Product,
                (Reducer::Max, _) => ReduceKind::Max,
                (Reducer::Min, _) => ReduceKind::Min,
                _ => ReduceKind::Sum,
            };
            arena.reduce(kind, index, lower, upper, body)
        }
        // Nodes are only made by `open`, with the operands that belong to their operator.
        _ => arena.number(0),
    }
}

/// A closed sum or product above this size, as a tree, enters an e-graph unopened.
const LARGEST_OPENED: u32 = 400;

/// Adds an expression with all that is in it, or finds it.
pub fn add_term(graph: &mut Graph, id: ExprId) -> Id {
    if let Some(&class) = graph.analysis.classes.get(&id) {
        return graph.find(class);
    }
    let node = open(graph, id);
    let class = graph.add(node);
    // A term that is not canonical is found again under its own name, too.
    graph.analysis.classes.entry(id).or_insert(class);
    class
}

fn open(graph: &mut Graph, id: ExprId) -> ENode {
    let arena = &graph.analysis.terms.arena;
    let polynomial = matches!(arena.node(id), Node::Add(_) | Node::Mul(_) | Node::Pow(..));
    if polynomial && arena.size(id) > LARGEST_OPENED && arena.height(id) == 0 {
        return ENode {
            operator: Operator::Term(id),
            operands: Operands::new(),
        };
    }
    let operator = operator_of(arena.node(id), id);
    let operands = match operator {
        Operator::Term(_) => Vec::new(),
        _ => arena.operands(id),
    };
    let operands = operands
        .into_iter()
        .map(|operand| add_term(graph, operand))
        .collect();
    ENode { operator, operands }
}

fn operator_of(node: &Node, id: ExprId) -> Operator {
    match node {
        Node::Number(_) | Node::Symbol(_) => Operator::Term(id),
        Node::Add(_) => Operator::Add,
        Node::Mul(_) => Operator::Mul,
        Node::Pow(..) => Operator::Pow,
        Node::Max(_) => Operator::Max,
        Node::Min(_) => Operator::Min,
        Node::Apply(function, _) => Operator::Apply(*function),
        Node::Mod(..) => Operator::Mod,
        Node::Compare(relation, ..) => Operator::Compare(*relation),
        Node::If(..) => Operator::If,
        Node::Reduce(Reduction { kind, index, .. }) => Operator::Reduce(reducer(*kind), *index),
        Node::Vector(_) => Operator::Vector,
        Node::UnitVector(array, _) => Operator::UnitVector(*array),
        Node::VectorMax(_) => Operator::VectorMax,
        Node::Law(kind, _) => Operator::Law(*kind),
        Node::Call(function, _) => Operator::Call(*function),
        Node::Cumulant(order, _) => Operator::Cumulant(*order),
    }
}

/// The kind of a reduction as an operator.
pub fn reducer(kind: ReduceKind) -> Reducer {
    match kind {
        ReduceKind::Sum => Reducer::Sum,
        ReduceKind::Product => Reducer::Product,
        ReduceKind::Max => Reducer::Max,
        ReduceKind::Min => Reducer::Min,
        ReduceKind::Kth(_) => Reducer::Kth,
        ReduceKind::LawMax => Reducer::LawMax,
        ReduceKind::LawMin => Reducer::LawMin,
        ReduceKind::LawKth(_) => Reducer::LawKth,
    }
}
