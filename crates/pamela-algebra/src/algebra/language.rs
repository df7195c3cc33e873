//! Terms as nodes of an e-graph: an operator over classes.

use egg::{Id, Language};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::expr::{
    ExprId, Function, GraphPart, LawKind, Node, Operation, ReduceKind, Reduction, Relation, Side,
    Symbol,
};

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
    Operate(Operation),
    Compare(Relation),
    If,
    /// Operands: lower, upper, body (and quorum).
    Reduce(Reducer, Symbol),
    Vector,
    UnitVector(Symbol),
    VectorMax,
    Law(LawKind),
    Cumulant(u8),
    Quantile,
    Probability(Side),
    Call(Symbol),
    Graph(GraphPart),
}

/// [`ReduceKind`] without the operand of its last variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reducer {
    Sum,
    Product,
    Max,
    Min,
    Kth,
    LawMax,
    LawMin,
    LawKth,
    Each,
}

impl Reducer {
    /// The kind of a reduction, with its quorum if it has one.
    pub fn kind(self, quorum: Option<ExprId>) -> ReduceKind {
        match (self, quorum) {
            (Reducer::Kth, Some(k)) => ReduceKind::Kth(k),
            (Reducer::LawKth, Some(k)) => ReduceKind::LawKth(k),
            (Reducer::LawMax, _) => ReduceKind::LawMax,
            (Reducer::LawMin, _) => ReduceKind::LawMin,
            (Reducer::Product, _) => ReduceKind::Product,
            (Reducer::Max, _) => ReduceKind::Max,
            (Reducer::Min, _) => ReduceKind::Min,
            (Reducer::Each, _) => ReduceKind::Each,
            _ => ReduceKind::Sum,
        }
    }
}

/// Head symbol by which rules are indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
    Operate(Operation),
    Compare,
    If,
    Reduce(Reducer),
    VectorMax,
    /// An order statistic of laws over a range.
    Order,
    Law,
    Cumulant,
    Quantile,
    Probability,
    LongestPath,
}

/// Short lists need no memory of their own.
pub type Operands = SmallVec<[Id; 4]>;

/// An operator applied to classes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ENode {
    pub operator: Operator,
    pub operands: Operands,
}

/// The head of the terms with an operator.
pub fn head_of(operator: Operator) -> Head {
    match operator {
        Operator::Add => Head::Add,
        Operator::Mul => Head::Mul,
        Operator::Pow => Head::Pow,
        Operator::Max => Head::Max,
        Operator::Min => Head::Min,
        Operator::Apply(Function::Floor) => Head::Floor,
        Operator::Apply(Function::Ceil) => Head::Ceil,
        Operator::Apply(_) => Head::Apply,
        Operator::Mod => Head::Mod,
        Operator::Operate(operation) => Head::Operate(operation),
        Operator::Compare(_) => Head::Compare,
        Operator::If => Head::If,
        Operator::Reduce(Reducer::LawMax | Reducer::LawMin | Reducer::LawKth, _) => Head::Order,
        Operator::Reduce(reducer, _) => Head::Reduce(reducer),
        Operator::VectorMax => Head::VectorMax,
        Operator::Law(_) => Head::Law,
        Operator::Cumulant(_) => Head::Cumulant,
        Operator::Quantile => Head::Quantile,
        Operator::Probability(_) => Head::Probability,
        Operator::Graph(GraphPart::LongestPath(_)) => Head::LongestPath,
        Operator::Term(_)
        | Operator::Vector
        | Operator::UnitVector(_)
        | Operator::Call(_)
        | Operator::Graph(_) => Head::Other,
    }
}

impl Language for ENode {
    type Discriminant = Head;

    fn discriminant(&self) -> Head {
        head_of(self.operator)
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

/// The operator of an expression.
pub fn operator_of(node: &Node, id: ExprId) -> Operator {
    match node {
        Node::Number(_) | Node::Symbol(_) => Operator::Term(id),
        Node::Add(_) => Operator::Add,
        Node::Mul(_) => Operator::Mul,
        Node::Pow(..) => Operator::Pow,
        Node::Max(_) => Operator::Max,
        Node::Min(_) => Operator::Min,
        Node::Apply(function, _) => Operator::Apply(*function),
        Node::Mod(..) => Operator::Mod,
        Node::Operate(operation, _) => Operator::Operate(*operation),
        Node::Compare(relation, ..) => Operator::Compare(*relation),
        Node::If(..) => Operator::If,
        Node::Reduce(Reduction { kind, index, .. }) => Operator::Reduce(reducer(*kind), *index),
        Node::Vector(_) => Operator::Vector,
        Node::UnitVector(array, _) => Operator::UnitVector(*array),
        Node::VectorMax(_) => Operator::VectorMax,
        Node::Law(kind, _) => Operator::Law(*kind),
        Node::Call(function, _) => Operator::Call(*function),
        Node::Cumulant(order, _) => Operator::Cumulant(*order),
        Node::Quantile(..) => Operator::Quantile,
        Node::Probability(side, ..) => Operator::Probability(*side),
        Node::Graph(part, _) => Operator::Graph(*part),
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
        ReduceKind::Each => Reducer::Each,
    }
}
