//! Patterns: one side of a rule, matched against a term and instantiated.

mod instantiate;
mod matcher;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::expr::{Arena, ExprId, Function, LawKind, Node, Operation, Relation, Symbol};
use crate::ring::Rational;

use super::language::Reducer;

pub use instantiate::{instantiate_items, length};
pub use matcher::Matcher;

/// The position of a variable in a rule.
pub type Variable = usize;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Pattern {
    Number(Rational),
    Variable(Variable),
    Add(Box<[Pattern; 2]>),
    Mul(Box<[Pattern; 2]>),
    Max(Box<[Pattern; 2]>),
    Min(Box<[Pattern; 2]>),
    Pow(Box<[Pattern; 2]>),
    Mod(Box<[Pattern; 2]>),
    /// As many operands as the row of the operation says.
    Operate(Operation, Box<[Pattern]>),
    Compare(Relation, Box<[Pattern; 2]>),
    Apply(Function, Box<Pattern>),
    If(Box<[Pattern; 3]>),
    Reduce(Box<ReducePattern>),
    VectorMax(Box<Pattern>),
    /// A unit vector at a position, of any resource array. Occurs only on the left side of rules.
    UnitVector(Box<Pattern>),
    /// An operator with any number of operands.
    Fold(Fold, Box<[Item]>),
    /// An operator of laws over operands in their order.
    Law(LawKind, Box<[Pattern]>),
    /// `K(r, X)`
    Cumulant(Box<[Pattern; 2]>),
    /// `quantile(X, q)`
    Quantile(Box<[Pattern; 2]>),
    /// `prob(s, X, t)`: the side as a number, by its place in [`Side::ALL`](crate::expr::Side::ALL), from 1 on.
    Probability(Box<[Pattern; 3]>),
    /// `at(e, i, x)`: `e` with `x` in place of the index `i`. Occurs only on the right side of rules.
    At(Box<[Pattern; 2]>, Variable),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReducePattern {
    pub reducer: Reducer,
    pub quorum: Option<Pattern>,
    pub index: Variable,
    pub lower: Pattern,
    pub upper: Pattern,
    pub body: Pattern,
}

/// Operators with any number of operands, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fold {
    Sum,
    Product,
    Max,
    Min,
    /// A product, a maximum or a minimum of laws.
    Law(LawKind),
}

/// One operand, or as many operands as a list has elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Item {
    One(Pattern),
    /// `..e`: on the left a list, on the right `e` with each element of the lists in it.
    Each(Pattern, Box<[Variable]>),
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Term(ExprId),
    List(Rc<[ExprId]>),
}

impl Value {
    pub fn list(elements: impl IntoIterator<Item = ExprId>) -> Value {
        Value::List(elements.into_iter().collect())
    }

    pub fn as_term(&self) -> Option<ExprId> {
        match self {
            Value::Term(term) => Some(*term),
            Value::List(_) => None,
        }
    }

    pub fn as_list(&self) -> Option<&[ExprId]> {
        match self {
            Value::Term(_) => None,
            Value::List(list) => Some(list),
        }
    }
}

/// Values of the variables; an index variable has its symbol as a term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding(Vec<Option<Value>>);

/// `first` does not mention the index `second` (`i notin c`).
pub type Independence = (Variable, Variable);

impl Binding {
    pub fn new(variables: usize) -> Binding {
        Binding(vec![None; variables])
    }

    /// The term bound to a variable.
    pub fn get(&self, variable: Variable) -> Option<ExprId> {
        self.value(variable)?.as_term()
    }

    pub fn value(&self, variable: Variable) -> Option<&Value> {
        self.0.get(variable)?.as_ref()
    }

    /// The binding extended by a variable; `None` if it is already bound to something else.
    pub fn bind_value(&self, variable: Variable, value: Value) -> Option<Binding> {
        match self.value(variable) {
            Some(known) if *known == value => Some(self.clone()),
            Some(_) => None,
            None => {
                let mut next = self.clone();
                next.0[variable] = Some(value);
                Some(next)
            }
        }
    }

    /// The index bound to a variable.
    pub fn symbol(&self, arena: &Arena, variable: Variable) -> Option<Symbol> {
        match arena.node(self.get(variable)?) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }
}
