//! Substitution of symbols by expressions.

use rustc_hash::FxHashMap;

use super::{Arena, ExprId, GraphPart, LawKind, Node, Symbol, SymbolKind};
use crate::with_stack;

impl Arena {
    /// `id` with `symbol` replaced by `by`; binders are renamed as their ranges change.
    pub fn substitute(&mut self, id: ExprId, symbol: Symbol, by: ExprId) -> ExprId {
        self.replace(id, &|arena, id| match arena.node(id) {
            Node::Symbol(s) if *s == symbol => Some(by),
            _ if !arena.mentions(id, symbol) => Some(id),
            _ => None,
        })
    }

    /// Rebuilds `id` bottom-up; an expression returned by `choose` replaces the original.
    pub fn replace(
        &mut self,
        id: ExprId,
        choose: &dyn Fn(&mut Arena, ExprId) -> Option<ExprId>,
    ) -> ExprId {
        self.replace_memoised(id, choose, &mut FxHashMap::default())
    }

    fn replace_memoised(
        &mut self,
        id: ExprId,
        choose: &dyn Fn(&mut Arena, ExprId) -> Option<ExprId>,
        memo: &mut FxHashMap<ExprId, ExprId>,
    ) -> ExprId {
        if let Some(&done) = memo.get(&id) {
            return done;
        }
        let result = match choose(self, id) {
            Some(replacement) => replacement,
            None => with_stack(|| {
                self.map_operands(id, &mut |arena, operand| {
                    arena.replace_memoised(operand, choose, memo)
                })
            }),
        };
        memo.insert(id, result);
        result
    }

    /// Applies `map` to the operands and rebuilds the operator with the constructors.
    pub fn map_operands(
        &mut self,
        id: ExprId,
        map: &mut dyn FnMut(&mut Arena, ExprId) -> ExprId,
    ) -> ExprId {
        match self.node(id) {
            Node::Number(_)
            | Node::Symbol(_)
            | Node::Law(LawKind::Parameter(_) | LawKind::Empirical(_), _) => id,
            node => self.rebuild(node.clone(), map),
        }
    }

    /// A node over mapped operands, through the constructors.
    ///
    /// One long function, because it is a table with an arm for each kind of expression.
    fn rebuild(&mut self, node: Node, map: &mut dyn FnMut(&mut Arena, ExprId) -> ExprId) -> ExprId {
        match node {
            Node::Number(value) => self.number(value),
            Node::Symbol(symbol) => self.symbol(symbol),
            Node::Add(list) => {
                let list = self.map_list(&list, map);
                self.add(&list)
            }
            Node::Mul(list) => {
                let list = self.map_list(&list, map);
                self.mul(&list)
            }
            Node::Max(list) => {
                let list = self.map_list(&list, map);
                self.max(&list)
            }
            Node::Min(list) => {
                let list = self.map_list(&list, map);
                self.min(&list)
            }
            Node::Vector(list) => {
                let list = self.map_list(&list, map);
                self.vector(&list)
            }
            Node::Pow(a, b) => {
                let (a, b) = (map(self, a), map(self, b));
                self.pow(a, b)
            }
            Node::Mod(a, b) => {
                let (a, b) = (map(self, a), map(self, b));
                self.modulo(a, b)
            }
            Node::Operate(operation, operands) => {
                let operands = self.map_list(&operands, map);
                self.operate(operation, &operands)
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (map(self, a), map(self, b));
                self.relate(relation, a, b)
            }
            Node::Apply(function, a) => {
                let a = map(self, a);
                self.apply(function, a)
            }
            Node::UnitVector(array, a) => {
                let a = map(self, a);
                self.unit_vector(array, a)
            }
            Node::VectorMax(a) => {
                let a = map(self, a);
                self.vector_max(a)
            }
            Node::If(a, b, c) => {
                let (a, b, c) = (map(self, a), map(self, b), map(self, c));
                self.if_else(a, b, c)
            }
            Node::Reduce(r) => {
                let (lower, upper) = (map(self, r.lower), map(self, r.upper));
                let kind = match r.kind.quorum() {
                    Some(quorum) => r.kind.with_quorum(map(self, quorum)),
                    None => r.kind,
                };
                let body = map(self, r.body);
                self.reduce(kind, r.index, lower, upper, body)
            }
            Node::Law(kind, list) => {
                let list = self.map_list(&list, map);
                self.law(kind, &list)
            }
            Node::Call(function, list) => {
                let list = self.map_list(&list, map);
                self.call(function, &list)
            }
            Node::Graph(part, list) => {
                let list = self.map_list(&list, map);
                self.graph(part, &list)
            }
            Node::Cumulant(order, law) => {
                let law = map(self, law);
                self.cumulant(order, law)
            }
            Node::Quantile(law, q) => {
                let (law, q) = (map(self, law), map(self, q));
                self.quantile(law, q)
            }
            Node::Probability(side, law, t) => {
                let (law, t) = (map(self, law), map(self, t));
                self.probability(side, law, t)
            }
        }
    }

    /// Copies expressions from another arena; `copied` caches the results.
    pub fn import_all(
        &mut self,
        source: &Arena,
        ids: &[ExprId],
        copied: &mut FxHashMap<ExprId, ExprId>,
    ) -> Vec<ExprId> {
        let imported = ids.iter().map(|&id| self.import(source, id, copied));
        imported.collect()
    }

    /// Copies the expression `id` from another arena; `copied` caches the results.
    ///
    /// Operands are copied before operators, in order, so ids depend on the structure alone.
    pub fn import(
        &mut self,
        other: &Arena,
        id: ExprId,
        copied: &mut FxHashMap<ExprId, ExprId>,
    ) -> ExprId {
        if let Some(&done) = copied.get(&id) {
            return done;
        }
        let result = with_stack(|| self.import_node(other, id, copied));
        copied.insert(id, result);
        result
    }

    fn import_node(
        &mut self,
        other: &Arena,
        id: ExprId,
        copied: &mut FxHashMap<ExprId, ExprId>,
    ) -> ExprId {
        match other.node(id) {
            Node::Number(value) => self.number(value.clone()),
            Node::Symbol(symbol) => {
                let symbol = self.import_symbol(other, *symbol, copied);
                self.symbol(symbol)
            }
            Node::Reduce(r) => {
                let [lower, upper, body] =
                    [r.lower, r.upper, r.body].map(|part| self.import(other, part, copied));
                let kind = match r.kind.quorum() {
                    Some(quorum) => r.kind.with_quorum(self.import(other, quorum, copied)),
                    None => r.kind,
                };
                let index = self.import_symbol(other, r.index, copied);
                self.reduce(kind, index, lower, upper, body)
            }
            Node::Law(LawKind::Parameter(symbol), _) => {
                let symbol = self.import_symbol(other, *symbol, copied);
                self.law(LawKind::Parameter(symbol), &[])
            }
            Node::Graph(GraphPart::LongestPath(Some(labels)), list) => {
                let labels = self.import_symbol(other, *labels, copied);
                let import = |&part: &ExprId| self.import(other, part, copied);
                let list: Vec<ExprId> = list.iter().map(import).collect();
                self.graph(GraphPart::LongestPath(Some(labels)), &list)
            }
            Node::Law(LawKind::Empirical(symbol), _) => {
                let symbol = self.import_symbol(other, *symbol, copied);
                self.law(LawKind::Empirical(symbol), &[])
            }
            Node::Call(function, list) => {
                let function = self.import_symbol(other, *function, copied);
                let import = |&part: &ExprId| self.import(other, part, copied);
                let list: Vec<ExprId> = list.iter().map(import).collect();
                self.call(function, &list)
            }
            Node::UnitVector(array, position) => {
                let array = self.import_symbol(other, *array, copied);
                let position = self.import(other, *position, copied);
                self.unit_vector(array, position)
            }
            node => {
                let operands = other.operands(id);
                let mut parts = operands
                    .iter()
                    .map(|&part| self.import(other, part, copied))
                    .collect::<Vec<_>>()
                    .into_iter();
                self.rebuild(node.clone(), &mut |_, part| parts.next().unwrap_or(part))
            }
        }
    }

    fn import_symbol(
        &mut self,
        other: &Arena,
        symbol: Symbol,
        copied: &mut FxHashMap<ExprId, ExprId>,
    ) -> Symbol {
        let kind = match other.symbol_kind(symbol).clone() {
            SymbolKind::Index {
                height,
                lower,
                upper,
            } => SymbolKind::Index {
                height,
                lower: self.import(other, lower, copied),
                upper: self.import(other, upper, copied),
            },
            kind => kind,
        };
        self.intern_symbol(kind)
    }

    fn map_list(
        &mut self,
        list: &[ExprId],
        map: &mut dyn FnMut(&mut Arena, ExprId) -> ExprId,
    ) -> Vec<ExprId> {
        list.iter().map(|&operand| map(self, operand)).collect()
    }
}
