//! Hash-consing, and constructors of expressions.

mod reductions;

use std::cmp::Ordering;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde::{Deserialize, Serialize};

use super::derived::root_of_number;
use super::facts::Facts;
use super::saved::Saved;
use super::{
    Defined, ExprId, Function, GraphPart, Node, Operation, ReduceKind, Reduction, Relation, Sort,
    Symbol, SymbolKind,
};
use crate::operators::rational_power;
use crate::ring::Rational;

/// Most equations have fewer expressions.
const USUAL: usize = 56;

/// Owns expressions and symbols; only grows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Saved", try_from = "Saved")]
pub struct Arena {
    nodes: IndexSet<Node, FxBuildHasher>,
    facts: Vec<Facts>,
    pub(super) symbols: Vec<SymbolKind>,
    pub(super) symbol_ids: FxHashMap<SymbolKind, Symbol>,
    /// Equations that are mentioned, by name.
    pub(super) mentions: FxHashMap<String, Arc<Defined>>,
    pub(super) fresh: u32,
}

impl Arena {
    pub fn new() -> Arena {
        Arena {
            nodes: IndexSet::with_capacity_and_hasher(USUAL, FxBuildHasher),
            facts: Vec::with_capacity(USUAL),
            ..Arena::default()
        }
    }

    /// The operator and operands of `id`.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Number of different expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn known(&self, id: ExprId) -> &Facts {
        &self.facts[id.0 as usize]
    }

    pub fn sort(&self, id: ExprId) -> Sort {
        self.facts[id.0 as usize].sort
    }

    /// Nesting depth of binders in `id`; 0 means that it has no reduction.
    pub fn height(&self, id: ExprId) -> u32 {
        self.facts[id.0 as usize].height
    }

    /// Number of nodes as a tree (saturating).
    pub fn size(&self, id: ExprId) -> u32 {
        self.facts[id.0 as usize].size
    }

    /// The largest number of bits of a number in a small expression.
    pub fn longest_number(&self, id: ExprId) -> u64 {
        match self.node(id) {
            Node::Number(value) => value.bits(),
            _ => {
                let longest = |&operand: &ExprId| self.longest_number(operand);
                self.operands(id).iter().map(longest).max().unwrap_or(0)
            }
        }
    }

    /// True if the value is known to be 0 or 1.
    pub fn is_boolean(&self, id: ExprId) -> bool {
        self.facts[id.0 as usize].boolean
    }

    /// True if the value is known to be defined for all values of the symbols.
    pub fn is_total(&self, id: ExprId) -> bool {
        self.facts[id.0 as usize].total
    }

    /// True if the value of `id` is a law or a vector of laws.
    pub fn is_random(&self, id: ExprId) -> bool {
        self.facts[id.0 as usize].random
    }

    /// Parameters and indices that are free in `id`.
    pub fn free(&self, id: ExprId) -> &[Symbol] {
        &self.facts[id.0 as usize].free
    }

    /// True if `symbol` is free in `id`.
    pub fn mentions(&self, id: ExprId, symbol: Symbol) -> bool {
        self.free(id).binary_search(&symbol).is_ok()
    }

    /// The number that `id` is, if it is one.
    pub fn as_number(&self, id: ExprId) -> Option<&Rational> {
        match self.node(id) {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    pub fn number(&mut self, value: impl Into<Rational>) -> ExprId {
        self.intern(Node::Number(value.into()))
    }

    pub fn symbol(&mut self, symbol: Symbol) -> ExprId {
        self.intern(Node::Symbol(symbol))
    }

    /// The parameter called `name`, as an expression.
    pub fn parameter(&mut self, name: &str) -> ExprId {
        let symbol = self.named(name);
        self.symbol(symbol)
    }

    pub fn zero_vector(&mut self) -> ExprId {
        self.intern(Node::Vector(Box::new([])))
    }

    /// The sum; 0 for no terms. Operands are all scalars, or all vectors.
    pub fn add(&mut self, terms: &[ExprId]) -> ExprId {
        let vector = terms.iter().any(|&term| self.sort(term) == Sort::Vector);
        let mut constant = Rational::from(0);
        let mut flat = Vec::with_capacity(terms.len());
        for &term in terms {
            match &self.nodes[term.0 as usize] {
                Node::Add(inner) => {
                    for &part in inner.iter() {
                        match &self.nodes[part.0 as usize] {
                            Node::Number(value) => constant += value,
                            _ => flat.push(part),
                        }
                    }
                }
                Node::Number(value) => constant += value,
                Node::Vector(components) if components.is_empty() => {}
                _ => flat.push(term),
            }
        }
        if !constant.is_zero() {
            flat.push(self.number(constant));
        }
        match flat.len() {
            0 if vector => self.zero_vector(),
            0 => self.number(0),
            1 => flat[0],
            _ => {
                self.sort_by(&mut flat, Arena::compare_terms);
                self.intern(Node::Add(flat.into()))
            }
        }
    }

    /// The product; 1 for no factors. At most one operand is a vector.
    pub fn mul(&mut self, factors: &[ExprId]) -> ExprId {
        let vector = factors
            .iter()
            .any(|&factor| self.sort(factor) == Sort::Vector);
        let mut constant = Rational::from(1);
        let mut flat = Vec::with_capacity(factors.len());
        for &factor in factors {
            match &self.nodes[factor.0 as usize] {
                Node::Mul(inner) => {
                    for &part in inner.iter() {
                        match &self.nodes[part.0 as usize] {
                            Node::Number(value) => constant *= value,
                            _ => flat.push(part),
                        }
                    }
                }
                Node::Number(value) => constant *= value,
                _ => flat.push(factor),
            }
        }
        if constant.is_zero() {
            return if vector {
                self.zero_vector()
            } else {
                self.number(0)
            };
        }
        if flat
            .iter()
            .any(|&factor| *self.node(factor) == Node::Vector(Box::new([])))
        {
            return self.zero_vector();
        }
        if !constant.is_one() {
            flat.push(self.number(constant));
        }
        match flat.len() {
            0 => self.number(1),
            1 => flat[0],
            _ => {
                self.sort_by(&mut flat, Arena::compare);
                self.intern(Node::Mul(flat.into()))
            }
        }
    }

    pub fn negate(&mut self, operand: ExprId) -> ExprId {
        let minus_one = self.number(-1);
        self.mul(&[minus_one, operand])
    }

    pub fn subtract(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let right = self.negate(right);
        self.add(&[left, right])
    }

    pub fn divide(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let inverse = self.reciprocal(right);
        self.mul(&[left, inverse])
    }

    pub fn reciprocal(&mut self, operand: ExprId) -> ExprId {
        let minus_one = self.number(-1);
        self.pow(operand, minus_one)
    }

    /// `base ^ exponent`; `x^0` is 1 for every x.
    pub fn pow(&mut self, base: ExprId, exponent: ExprId) -> ExprId {
        if let Some(power) = self.as_number(exponent).cloned() {
            if power.is_zero() {
                return self.number(1);
            }
            if power.is_one() {
                return base;
            }
            if let Some(value) = self.power_of_number(base, &power) {
                return self.number(value);
            }
            if let Node::Pow(inner, inner_exponent) = *self.node(base)
                && let Some(first) = self.as_number(inner_exponent)
                && first.is_integer()
                && power.is_integer()
            {
                let product = first * &power;
                let exponent = self.number(product);
                return self.pow(inner, exponent);
            }
        }
        if self.as_number(base).is_some_and(Rational::is_one) {
            return base;
        }
        self.intern(Node::Pow(base, exponent))
    }

    fn power_of_number(&self, base: ExprId, power: &Rational) -> Option<Rational> {
        let base = self.as_number(base)?;
        if !power.is_integer() {
            return rational_power(base, power);
        }
        base.pow(power.to_i64()?)
    }

    /// The largest operand; at least one is required. A 0 among vectors is the zero vector.
    pub fn max(&mut self, operands: &[ExprId]) -> ExprId {
        self.extremum(operands, true)
    }

    /// The smallest operand; at least one is required.
    pub fn min(&mut self, operands: &[ExprId]) -> ExprId {
        self.extremum(operands, false)
    }

    fn extremum(&mut self, operands: &[ExprId], largest: bool) -> ExprId {
        let mut constant: Option<Rational> = None;
        let mut flat = Vec::with_capacity(operands.len());
        let mut pending: Vec<ExprId> = operands.to_vec();
        while let Some(operand) = pending.pop() {
            match &self.nodes[operand.0 as usize] {
                Node::Max(inner) if largest => pending.extend(inner.iter()),
                Node::Min(inner) if !largest => pending.extend(inner.iter()),
                Node::Number(value) => {
                    let replace = constant
                        .as_ref()
                        .is_none_or(|best| (value > best) == largest);
                    if replace {
                        constant = Some(value.clone());
                    }
                }
                _ => flat.push(operand),
            }
        }
        if let Some(value) = constant {
            let is_vector = |&operand: &ExprId| self.sort(operand) == Sort::Vector;
            let zero_of_vectors = value.is_zero() && flat.iter().any(is_vector);
            flat.push(if zero_of_vectors {
                self.zero_vector()
            } else {
                self.number(value)
            });
        }
        self.sort_by(&mut flat, Arena::compare);
        flat.dedup();
        match flat.len() {
            1 => flat[0],
            _ if largest => self.intern(Node::Max(flat.into())),
            _ => self.intern(Node::Min(flat.into())),
        }
    }

    pub fn apply(&mut self, function: Function, operand: ExprId) -> ExprId {
        if function == Function::Log
            && let Some((base, power)) = self.as_number(operand).and_then(root_of_number)
        {
            // log(8) is 3 log(2), so that log(8) / log(2) cancels.
            let (base, power) = (self.number(base), self.number(power));
            let log = self.intern(Node::Apply(Function::Log, base));
            return self.mul(&[power, log]);
        }
        if let Some(value) = self
            .as_number(operand)
            .and_then(|value| function.exact(value))
        {
            return self.number(value);
        }
        self.intern(Node::Apply(function, operand))
    }

    /// `left mod right`
    pub fn modulo(&mut self, left: ExprId, right: ExprId) -> ExprId {
        if let (Some(a), Some(b)) = (self.as_number(left), self.as_number(right))
            && b.is_positive()
        {
            let value = a - &(b * &(a / b).floor());
            return self.number(value);
        }
        self.intern(Node::Mod(left, right))
    }

    /// An operation; operands that are left out at the end are what its row says.
    pub fn operate(&mut self, operation: Operation, operands: &[ExprId]) -> ExprId {
        let row = operation.row();
        let missing = row.operands.saturating_sub(operands.len());
        let usual = row.defaults.iter().rev().take(missing).rev();
        let usual: Vec<ExprId> = usual.map(|&number| self.number(number)).collect();
        let mut operands = [operands, &usual[..]].concat();
        let numbers: Option<Vec<&Rational>> = operands.iter().map(|&x| self.as_number(x)).collect();
        if let Some(value) = numbers.and_then(|numbers| operation.exact(&numbers)) {
            return self.number(value);
        }
        if row.is_symmetric {
            self.sort_by(&mut operands, Arena::compare);
        }
        self.intern(Node::Operate(operation, operands.into()))
    }

    /// `left div right`: the floor of the quotient.
    pub fn floor_divide(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let quotient = self.divide(left, right);
        self.apply(Function::Floor, quotient)
    }

    /// Labels of the families of a graph, used for printing; `None` if one is not a name or occurs
    /// twice.
    pub fn labels(&mut self, labels: &[&str]) -> Option<Symbol> {
        let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
        let is_name = |label: &&str| {
            label.starts_with(is_letter)
                && label
                    .chars()
                    .all(|letter| is_letter(letter) || letter.is_ascii_digit())
        };
        let distinct: std::collections::HashSet<&&str> = labels.iter().collect();
        let are_names = labels.iter().all(is_name) && distinct.len() == labels.len();
        // With blanks it is the name of nothing else.
        are_names.then(|| self.named(&format!("{} ", labels.join(" "))))
    }

    /// The label of a family by its index, if the graph has labels.
    pub fn label(&self, graph: ExprId, family: usize) -> Option<&str> {
        let Node::Graph(GraphPart::LongestPath(Some(labels)), _) = self.node(graph) else {
            return None;
        };
        match self.symbol_kind(*labels) {
            SymbolKind::Named(labels) => labels.split(' ').nth(family),
            _ => None,
        }
    }

    /// A graph of tasks, or a part of one, see [`GraphPart`].
    pub fn graph(&mut self, part: GraphPart, operands: &[ExprId]) -> ExprId {
        self.intern(Node::Graph(part, operands.into()))
    }

    /// 1 if `left relation right` holds, else 0.
    pub fn relate(&mut self, relation: Relation, left: ExprId, right: ExprId) -> ExprId {
        if let (Some(a), Some(b)) = (self.as_number(left), self.as_number(right)) {
            let holds = relation.holds(a.cmp(b));
            return self.number(i64::from(holds));
        }
        let (left, right) = match relation {
            Relation::Equal if self.compare(left, right) == Ordering::Greater => (right, left),
            _ => (left, right),
        };
        self.intern(Node::Compare(relation, left, right))
    }

    /// `1 - condition`
    pub fn not(&mut self, condition: ExprId) -> ExprId {
        let one = self.number(1);
        self.subtract(one, condition)
    }

    /// `if (condition) then else otherwise`, for a condition that is 0 or 1.
    pub fn if_else(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        if then == otherwise {
            return then;
        }
        match self.as_number(condition) {
            Some(value) if value.is_zero() => otherwise,
            Some(value) if value.is_one() => then,
            _ => self.intern(Node::If(condition, then, otherwise)),
        }
    }

    /// The operands of `id` in order; for a reduction: lower, upper, body (and quorum).
    pub fn operands(&self, id: ExprId) -> Vec<ExprId> {
        match self.node(id) {
            Node::Number(_) | Node::Symbol(_) => Vec::new(),
            Node::Add(list)
            | Node::Mul(list)
            | Node::Max(list)
            | Node::Min(list)
            | Node::Vector(list) => list.to_vec(),
            Node::Pow(a, b) | Node::Mod(a, b) | Node::Compare(_, a, b) => vec![*a, *b],
            Node::Apply(_, a) | Node::UnitVector(_, a) | Node::VectorMax(a) => vec![*a],
            Node::If(a, b, c) => vec![*a, *b, *c],
            Node::Reduce(r) => match r.kind.quorum() {
                Some(quorum) => vec![r.lower, r.upper, r.body, quorum],
                None => vec![r.lower, r.upper, r.body],
            },
            Node::Law(_, list)
            | Node::Call(_, list)
            | Node::Graph(_, list)
            | Node::Operate(_, list) => list.to_vec(),
            Node::Cumulant(_, law) => vec![*law],
            Node::Quantile(law, q) | Node::Probability(_, law, q) => vec![*law, *q],
        }
    }

    pub(super) fn sort_by(
        &self,
        list: &mut [ExprId],
        order: fn(&Arena, ExprId, ExprId) -> Ordering,
    ) {
        list.sort_by(|&a, &b| order(self, a, b));
    }

    pub(super) fn intern(&mut self, node: Node) -> ExprId {
        let (position, new) = self.nodes.insert_full(node);
        let id = ExprId(position as u32);
        if new {
            let facts = self.derive(id);
            self.facts.push(facts);
        }
        id
    }
}
