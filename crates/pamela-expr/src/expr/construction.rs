//! Properties of an expression from its construction: sort, size, free symbols, domain.

use std::sync::Arc;

use super::arena::Arena;
use super::contents::Contents;
use super::facts::Facts;
use super::{ExprId, Function, LawKind, Node, Reduction, Sort, Symbol, SymbolKind};
use crate::ring::Rational;

impl Arena {
    /// The operators that occur in `id`.
    pub fn contents(&self, id: ExprId) -> Contents {
        self.known(id).contents
    }

    /// The properties of a node, from those of its operands.
    ///
    /// One long function, because it is a table with an arm for each kind of expression.
    pub(super) fn derive(&self, id: ExprId) -> Facts {
        let operands = self.operands(id);
        let of = |operand: &ExprId| self.known(*operand);
        let mut facts = Facts {
            // A law times a unit vector is a vector.
            sort: operands
                .iter()
                .map(|o| of(o).sort)
                .max_by_key(|sort| (*sort == Sort::Vector, *sort))
                .unwrap_or(Sort::Scalar),
            height: operands.iter().map(|o| of(o).height).max().unwrap_or(0),
            size: operands
                .iter()
                .fold(1u32, |size, o| size.saturating_add(of(o).size)),
            boolean: false,
            random: operands.iter().any(|o| of(o).random),
            total: operands.iter().all(|o| of(o).total),
            contents: operands.iter().fold(Contents::of(self.node(id)), |all, o| {
                all.with(of(o).contents)
            }),
            free: self.union_free(&operands),
        };
        match self.node(id) {
            Node::Number(value) => facts.boolean = value.is_zero() || value.is_one(),
            Node::Symbol(symbol) => {
                facts.free = Arc::new([*symbol]);
                match self.symbol_kind(*symbol) {
                    SymbolKind::Definition(known) => {
                        facts.boolean = known.boolean;
                        facts.total = known.total;
                    }
                    SymbolKind::HasValue(_) => facts.boolean = true,
                    _ => {}
                }
            }
            Node::Mul(list) => facts.boolean = list.iter().all(|&o| self.is_boolean(o)),
            Node::Add(list) => facts.boolean = self.is_complement(list),
            Node::Compare(..) => {
                facts.boolean = true;
                facts.sort = Sort::Scalar;
            }
            Node::Apply(function, _) => {
                facts.boolean = *function == Function::Integer;
                facts.total &= function.is_total();
            }
            Node::Pow(_, exponent) => {
                facts.total &= self
                    .as_number(*exponent)
                    .is_some_and(|e| e.is_integer() && !e.is_negative());
            }
            Node::Mod(_, modulus) => {
                facts.total &= self.as_number(*modulus).is_some_and(Rational::is_positive)
            }
            Node::Operate(operation, _) => {
                facts.total &= operation.row().domain.is_empty();
            }
            Node::If(_, then, otherwise) => {
                facts.boolean = self.is_boolean(*then) && self.is_boolean(*otherwise)
            }
            Node::Reduce(r) => {
                facts.sort = self.sort(r.body);
                facts.height = facts.height.max(self.height(r.body) + 1);
                facts.total &= r.kind.quorum().is_none();
                facts.random = self.is_random(r.body);
                facts.free = self.free_of_reduction(r);
            }
            Node::Vector(_) | Node::UnitVector(..) => facts.sort = Sort::Vector,
            Node::VectorMax(_) => facts.sort = Sort::Scalar,
            Node::Max(_) | Node::Min(_) => {}
            Node::Law(kind, _) => {
                facts.sort = Sort::Law;
                facts.random = true;
                if let LawKind::Parameter(symbol) = kind {
                    facts.free = Arc::new([*symbol]);
                    if let SymbolKind::Definition(known) = self.symbol_kind(*symbol) {
                        facts.total = known.total;
                    }
                }
            }
            Node::Call(symbol, _) => {
                let known = match self.symbol_kind(*symbol) {
                    SymbolKind::Definition(known) => (known.boolean, known.total),
                    _ => (true, true),
                };
                facts.boolean = known.0;
                facts.total &= known.1;
                facts.sort = Sort::Scalar;
                facts.free = self.with_symbol(&facts.free, *symbol);
            }
            // Tasks may wait for each other in a cycle.
            Node::Graph(..) => facts.total = false,
            Node::Cumulant(..) | Node::Probability(..) => {
                facts.sort = Sort::Scalar;
                facts.random = false;
            }
            Node::Quantile(_, q) => {
                facts.sort = Sort::Scalar;
                facts.random = false;
                facts.total &= self.is_inner_probability(*q);
            }
        }
        facts
    }

    /// `1 - c` for a `c` that is 0 or 1.
    fn is_complement(&self, terms: &[ExprId]) -> bool {
        let [a, b] = *terms else { return false };
        let (one, other) = if self.as_number(a).is_some() {
            (a, b)
        } else {
            (b, a)
        };
        if !self.as_number(one).is_some_and(Rational::is_one) {
            return false;
        }
        match self.node(other) {
            Node::Mul(factors) => factors.iter().all(|&f| match self.as_number(f) {
                Some(value) => *value == Rational::from(-1),
                None => self.is_boolean(f),
            }),
            _ => false,
        }
    }

    fn union_free(&self, operands: &[ExprId]) -> Arc<[Symbol]> {
        match operands {
            [] => Arc::new([]),
            [one] => self.known(*one).free.clone(),
            [first, rest @ ..] => {
                let first_free = &self.known(*first).free;
                if rest.iter().all(|o| self.known(*o).free == *first_free) {
                    return first_free.clone();
                }
                let mut all: Vec<Symbol> = operands
                    .iter()
                    .flat_map(|o| self.free(*o).iter().copied())
                    .collect();
                all.sort_unstable();
                all.dedup();
                all.into()
            }
        }
    }

    fn with_symbol(&self, free: &[Symbol], symbol: Symbol) -> Arc<[Symbol]> {
        let mut all = free.to_vec();
        all.push(symbol);
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    fn free_of_reduction(&self, r: &Reduction) -> Arc<[Symbol]> {
        let inner = self
            .free(r.body)
            .iter()
            .copied()
            .filter(|&symbol| symbol != r.index);
        let mut all: Vec<Symbol> = inner.chain(self.free(r.lower).iter().copied()).collect();
        all.extend(self.free(r.upper));
        if let Some(quorum) = r.kind.quorum() {
            all.extend(self.free(quorum));
        }
        all.sort_unstable();
        all.dedup();
        all.into()
    }
}
