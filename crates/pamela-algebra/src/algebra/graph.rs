//! The e-graph of one scope: the canonical term of every class as analysis.

use egg::{Analysis, DidMerge, EGraph, Id};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{ExprId, Node};

use super::language::{ENode, Head, Operands, Operator, operator_of};
use super::ranges::{Indices, Ranges};
use super::rule::Called;
use super::scope::{Clamping, Scope};
use super::terms::Terms;

/// Data that the e-graph of a scope keeps for each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// The cheapest canonical term among those with the fewest indices found so far.
    pub term: ExprId,
    /// The indices that may have no value, which all terms of the class mention.
    pub indices: Indices,
    /// True if the terms of other classes equal those of this one, and have more indices.
    is_linked: bool,
}

/// The e-graph of one scope.
pub type Graph = EGraph<ENode, Search>;

/// A rule that could be applied if its guards were assumed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Blocked {
    /// Position of the rule in the rule base.
    pub rule: usize,
    pub left: ExprId,
    /// The guards that were not proved, as truth values.
    pub guards: Vec<ExprId>,
}

/// Terms to which no rule of a head applies, by clamping. They are not tried again under the same facts: most terms
/// of a scope were terms of the scopes inside it.
pub type DeadEnds = FxHashSet<(Clamping, Head, ExprId)>;

/// What the rules of a head made of a term.
pub struct Attempt {
    /// Equal terms, each with the name of its rule.
    pub accepted: Vec<(egg::Symbol, ExprId)>,
    /// The one that no further rule would improve.
    pub settled: Option<ExprId>,
}

/// State of saturation besides the e-graph: the scope, and the attempts made.
pub struct Search {
    pub scope: Scope,
    /// The class of every canonical term.
    pub classes: FxHashMap<ExprId, Id>,
    /// The terms on which the rules of a head were tried.
    pub tried: FxHashSet<(Head, ExprId)>,
    pub dead_ends: DeadEnds,
    /// What was made of whole terms before there was a graph.
    pub made: Vec<(ExprId, Attempt)>,
    pub blocked: Vec<Blocked>,
    /// Applied rules, with their results.
    pub fired: Vec<Firing>,
    pub ranges: Ranges,
    /// Classes whose terms equal those of a class that mentions fewer indices.
    pub links: Vec<(Id, Id)>,
    /// True if two numbers were found equal: the assumptions contradict each other, and nothing follows. Classes are
    /// then no longer distinguished, since arithmetic with both numbers would not end.
    pub contradictory: bool,
}

impl Search {
    /// An empty record of attempts.
    pub fn new(scope: Scope) -> Search {
        Search {
            scope,
            classes: FxHashMap::default(),
            tried: FxHashSet::default(),
            dead_ends: DeadEnds::default(),
            made: Vec::new(),
            blocked: Vec::new(),
            fired: Vec::new(),
            ranges: Ranges::default(),
            links: Vec::new(),
            contradictory: false,
        }
    }
}

/// A rule that fired: `left` became `right`.
#[derive(Clone, Debug)]
pub struct Firing {
    pub rule: usize,
    pub left: ExprId,
    pub right: ExprId,
    /// The guards of the rule as truth values. All were proved, possibly from assumptions.
    pub guards: Vec<ExprId>,
    /// The functions that the rule called.
    pub calls: Vec<Called>,
}

impl Analysis<ENode> for Search {
    type Data = Best;

    fn make(graph: &mut Graph, node: &ENode, _: Id) -> Best {
        let indices = indices_of(graph, node);
        let term = if graph.analysis.contradictory {
            graph.analysis.scope.terms.arena.number(0)
        } else {
            let term = node_term(graph, node);
            graph.analysis.scope.terms.canonical(term)
        };
        Best {
            term,
            indices,
            is_linked: false,
        }
    }

    fn merge(&mut self, known: &mut Best, other: Best) -> DidMerge {
        known.is_linked |= other.is_linked;
        if known.term == other.term || self.contradictory {
            return DidMerge(false, false);
        }
        let number = |id| self.scope.terms.arena.as_number(id).is_some();
        if number(known.term) && number(other.term) {
            self.contradictory = true;
            return DidMerge(false, false);
        }
        if self.is_better(other.term, known.term) {
            known.term = other.term;
            return DidMerge(true, false);
        }
        DidMerge(false, true)
    }

    fn modify(graph: &mut Graph, id: Id) {
        if graph.analysis.contradictory {
            return;
        }
        let Best {
            term,
            indices,
            is_linked,
        } = graph[id].data;
        let search = &mut graph.analysis;
        if search.ranges.of(&mut search.scope, term) != indices {
            let class = add_term(graph, term);
            join(graph, id, class, egg::Symbol::from("term"));
        } else {
            match search.classes.get(&term).copied() {
                Some(same) => {
                    graph.union(id, same);
                }
                None => {
                    search.classes.insert(term, id);
                }
            }
        }
        if is_linked {
            hand_on(graph, id);
        }
    }
}

impl Search {
    /// True if the first of two equal terms is preferred. In place of `max(i, c)`, which equals `c` for all values of
    /// `i`, the index-free `c` can leave its scope, so it is preferred at any cost.
    pub fn is_better(&mut self, term: ExprId, known: ExprId) -> bool {
        let terms = &mut self.scope.terms;
        let ours = (terms.indices(known), terms.cost(known));
        let theirs = (terms.indices(term), terms.cost(term));
        let order = theirs.cmp(&ours);
        order.then_with(|| terms.arena.compare(term, known)).is_lt()
    }
}

/// The indices that may have no value among those that a node mentions.
fn indices_of(graph: &mut Graph, node: &ENode) -> Indices {
    let operands: Vec<Indices> = (node.operands.iter())
        .map(|&operand| graph[operand].data.indices)
        .collect();
    let search = &mut graph.analysis;
    if let Operator::Term(id) = node.operator {
        return search.ranges.of(&mut search.scope, id);
    }
    let all =
        (operands.into_iter()).fold(Indices::default(), |all, own| search.ranges.union(all, own));
    match node.operator {
        Operator::Reduce(_, index) => search.ranges.without(all, index),
        _ => all,
    }
}

/// Records that the terms of two classes are equal wherever the indices of both have values. Returns whether that is
/// news.
pub fn join(graph: &mut Graph, a: Id, b: Id, why: egg::Symbol) -> bool {
    let (a, b) = (graph.find(a), graph.find(b));
    let (own, other) = (graph[a].data.indices, graph[b].data.indices);
    if own == other {
        return graph.union_trusted(a, b, why);
    }
    let ranges = &graph.analysis.ranges;
    let (more, fewer) = if ranges.is_within(other, own) {
        (a, b)
    } else if ranges.is_within(own, other) {
        (b, a)
    } else {
        return false;
    };
    let links = graph.analysis.links.iter();
    let mut known = links.map(|&(more, fewer)| (graph.find(more), graph.find(fewer)));
    if known.any(|known| known == (more, fewer)) {
        return false;
    }
    graph.analysis.links.push((more, fewer));
    let data = graph[fewer].data;
    if !data.is_linked {
        graph[fewer].data.is_linked = true;
    }
    hand_on_to(graph, more, data.term)
}

/// Gives the best term of a class to those that equal it.
fn hand_on(graph: &mut Graph, class: Id) {
    let class = graph.find(class);
    let links = graph.analysis.links.iter();
    let of_class = links.filter(|&&(_, fewer)| graph.find(fewer) == class);
    let above: Vec<Id> = of_class.map(|&(more, _)| graph.find(more)).collect();
    for more in above {
        let term = graph[class].data.term;
        hand_on_to(graph, more, term);
    }
}

fn hand_on_to(graph: &mut Graph, class: Id, term: ExprId) -> bool {
    let class = graph.find(class);
    let known = graph[class].data;
    if graph.analysis.contradictory
        || known.term == term
        || !graph.analysis.is_better(term, known.term)
    {
        return false;
    }
    graph.set_analysis_data(class, Best { term, ..known });
    true
}

/// The operator of `node` over the best terms of its operands.
pub fn node_term(graph: &mut Graph, node: &ENode) -> ExprId {
    let operands: Vec<ExprId> = node
        .operands
        .iter()
        .map(|&class| graph[class].data.term)
        .collect();
    build(&mut graph.analysis.scope.terms, node.operator, &operands)
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
        (Operator::Operate(operation), list) => arena.operate(operation, list),
        (Operator::Compare(relation), &[a, b]) => arena.relate(relation, a, b),
        (Operator::Apply(function), &[a]) => arena.apply(function, a),
        (Operator::UnitVector(array), &[a]) => arena.unit_vector(array, a),
        (Operator::VectorMax, &[a]) => arena.vector_max(a),
        (Operator::If, &[a, b, c]) => arena.if_else(a, b, c),
        (Operator::Law(kind), list) => arena.law(kind, list),
        (Operator::Call(function), list) => arena.call(function, list),
        (Operator::Graph(part), list) => arena.graph(part, list),
        (Operator::Cumulant(order), &[a]) => arena.cumulant(order, a),
        (Operator::Quantile, &[law, q]) => arena.quantile(law, q),
        (Operator::Probability(side), &[law, t]) => arena.probability(side, law, t),
        (Operator::Reduce(reducer, index), &[lower, upper, body, ref quorum @ ..]) => {
            let kind = reducer.kind(quorum.first().copied());
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
    let arena = &graph.analysis.scope.terms.arena;
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
