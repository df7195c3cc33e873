//! A total order of expressions by structure, independent of the order of their creation.
//!
//! It decides the order of operands and every tie, so the same model always gives the same text.

use std::cmp::Ordering;

use super::{Arena, ExprId, LawKind, LawName, Node, Operation, ReduceKind, Symbol, SymbolKind};
use crate::ring::Rational;

impl Arena {
    /// Orders factors: numbers, parameters by name, indices, then compound expressions.
    pub fn compare(&self, a: ExprId, b: ExprId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        // A coefficient is found at the head of its product, also before a power of a number.
        let numbers = (self.as_number(a).is_none(), self.as_number(b).is_none());
        if numbers.0 != numbers.1 {
            return numbers.0.cmp(&numbers.1);
        }
        // A power stands beside its base, so that `N^2` is met where `N` would be.
        let ((base_a, power_a), (base_b, power_b)) = (self.split_power(a), self.split_power(b));
        if base_a == base_b {
            return match (power_a, power_b) {
                (Some(x), Some(y)) => self.compare(x, y),
                (x, y) => x.is_some().cmp(&y.is_some()),
            };
        }
        if base_a != a || base_b != b {
            return self.compare(base_a, base_b);
        }
        self.compare_nodes(a, b)
    }

    fn split_power(&self, id: ExprId) -> (ExprId, Option<ExprId>) {
        match *self.node(id) {
            Node::Pow(base, exponent) => (base, Some(exponent)),
            _ => (id, None),
        }
    }

    fn compare_nodes(&self, a: ExprId, b: ExprId) -> Ordering {
        let (x, y) = (self.node(a), self.node(b));
        let rank = rank(x).cmp(&rank(y));
        if rank != Ordering::Equal {
            return rank;
        }
        match (x, y) {
            (Node::Number(m), Node::Number(n)) => m.cmp(n),
            (Node::Symbol(s), Node::Symbol(t)) => self.compare_symbols(*s, *t),
            (Node::Apply(f, m), Node::Apply(g, n)) => f.cmp(g).then_with(|| self.compare(*m, *n)),
            (Node::UnitVector(s, m), Node::UnitVector(t, n)) => self
                .compare_symbols(*s, *t)
                .then_with(|| self.compare(*m, *n)),
            (Node::Call(s, m), Node::Call(t, n)) => self
                .compare_symbols(*s, *t)
                .then_with(|| self.compare_lists(m, n)),
            (Node::Compare(r, ..), Node::Compare(q, ..)) if r != q => r.cmp(q),
            (Node::Law(LawKind::Parameter(s), _), Node::Law(LawKind::Parameter(t), _))
            | (Node::Law(LawKind::Empirical(s), _), Node::Law(LawKind::Empirical(t), _)) => {
                self.compare_symbols(*s, *t)
            }
            (Node::Law(k, _), Node::Law(l, _)) if k != l => law_rank(*k).cmp(&law_rank(*l)),
            (Node::Cumulant(k, _), Node::Cumulant(l, _)) if k != l => k.cmp(l),
            (Node::Probability(s, ..), Node::Probability(t, ..)) if s != t => s.cmp(t),
            (Node::Graph(p, _), Node::Graph(q, _)) if p != q => p.cmp(q),
            (Node::Reduce(r), Node::Reduce(q)) => {
                let kinds = kind_rank(r.kind).cmp(&kind_rank(q.kind));
                kinds.then_with(|| self.compare_lists(&self.operands(a), &self.operands(b)))
            }
            _ => self.compare_lists(&self.operands(a), &self.operands(b)),
        }
    }

    fn compare_lists(&self, a: &[ExprId], b: &[ExprId]) -> Ordering {
        let first = a
            .iter()
            .zip(b)
            .map(|(&m, &n)| self.compare(m, n))
            .find(|order| *order != Ordering::Equal);
        first.unwrap_or_else(|| a.len().cmp(&b.len()))
    }

    /// Orders terms of a sum: higher degree first, numbers last, then like [`Arena::compare`]
    /// without coefficients.
    pub fn compare_terms(&self, a: ExprId, b: ExprId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let ((factors_a, number_a), (factors_b, number_b)) =
            (self.split_coefficient(&a), self.split_coefficient(&b));
        let degrees = self.degree(factors_b).total_cmp(&self.degree(factors_a));
        let empties = factors_a.is_empty().cmp(&factors_b.is_empty());
        empties
            .then(degrees)
            .then_with(|| self.compare_lists(factors_a, factors_b))
            .then_with(|| number_b.cmp(&number_a))
    }

    fn split_coefficient<'a>(&'a self, id: &'a ExprId) -> (&'a [ExprId], Option<&'a Rational>) {
        match self.node(*id) {
            Node::Number(value) => (&[], Some(value)),
            // Numbers come first in a product.
            Node::Mul(factors) => match self.as_number(factors[0]) {
                Some(value) => (&factors[1..], Some(value)),
                None => (factors, None),
            },
            _ => (std::slice::from_ref(id), None),
        }
    }

    fn degree(&self, factors: &[ExprId]) -> f64 {
        let of = |&factor: &ExprId| match self.node(factor) {
            Node::Pow(_, exponent) => self.as_number(*exponent).map_or(1.0, Rational::to_f64),
            _ => 1.0,
        };
        factors.iter().map(of).sum()
    }

    fn compare_symbols(&self, a: Symbol, b: Symbol) -> Ordering {
        match (self.symbol_kind(a), self.symbol_kind(b)) {
            (SymbolKind::Named(m), SymbolKind::Named(n)) => m.cmp(n),
            (SymbolKind::Definition(m), SymbolKind::Definition(n))
            | (SymbolKind::HasValue(m), SymbolKind::HasValue(n)) => m.name.cmp(&n.name),
            (SymbolKind::Fresh(m), SymbolKind::Fresh(n)) => m.cmp(n),
            (SymbolKind::Samples(m), SymbolKind::Samples(n)) => m.compare(n),
            (
                SymbolKind::Index {
                    height: h,
                    lower: l,
                    upper: u,
                },
                SymbolKind::Index {
                    height: g,
                    lower: k,
                    upper: t,
                },
            ) => h
                .cmp(g)
                .then_with(|| self.compare(*l, *k))
                .then_with(|| self.compare(*u, *t)),
            (x, y) => symbol_rank(x).cmp(&symbol_rank(y)),
        }
    }
}

fn symbol_rank(kind: &SymbolKind) -> u8 {
    match kind {
        SymbolKind::Named(_) => 0,
        SymbolKind::Definition(_) => 1,
        SymbolKind::HasValue(_) => 2,
        SymbolKind::Index { .. } => 3,
        SymbolKind::Fresh(_) => 4,
        SymbolKind::Samples(_) => 5,
    }
}

fn rank(node: &Node) -> u8 {
    match node {
        Node::Number(_) => 0,
        Node::Symbol(_) => 1,
        Node::Apply(..) => 2,
        Node::Mod(..) => 3,
        Node::Compare(..) => 4,
        Node::Add(_) => 5,
        Node::Mul(_) => 6,
        Node::Pow(..) => 7,
        Node::Min(_) => 8,
        Node::Max(_) => 9,
        Node::If(..) => 10,
        Node::Reduce(_) => 11,
        Node::UnitVector(..) => 12,
        Node::Vector(_) => 13,
        Node::VectorMax(_) => 14,
        Node::Cumulant(..) => 15,
        Node::Law(..) => 16,
        Node::Call(..) => 17,
        Node::Operate(Operation::CommonDivisor, _) => 18,
        Node::Graph(..) => 19,
        Node::Operate(..) => 20,
        Node::Quantile(..) => 21,
        Node::Probability(..) => 22,
    }
}

/// Parameters first, whatever the order in which they were made.
fn law_rank(kind: LawKind) -> (u8, Option<LawName>) {
    match kind {
        LawKind::Parameter(_) => (0, None),
        LawKind::Named(name) => (1, Some(name)),
        LawKind::Scale => (2, None),
        LawKind::Max => (3, None),
        LawKind::Min => (4, None),
        LawKind::RandomSum => (5, None),
        LawKind::Mixture => (6, None),
        LawKind::Choice => (7, None),
        LawKind::VectorMax => (8, None),
        LawKind::Empirical(_) => (9, None),
        LawKind::Product => (10, None),
        LawKind::Truncated => (11, None),
    }
}

fn kind_rank(kind: ReduceKind) -> u8 {
    match kind {
        ReduceKind::Sum => 0,
        ReduceKind::Product => 1,
        ReduceKind::Max => 2,
        ReduceKind::Min => 3,
        ReduceKind::Kth(_) => 4,
        ReduceKind::LawMax => 5,
        ReduceKind::LawMin => 6,
        ReduceKind::LawKth(_) => 7,
        ReduceKind::Each => 8,
    }
}
