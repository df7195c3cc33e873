//! The cost of a term.

use rustc_hash::FxHashMap;

use crate::expr::{
    ExprId, Function, GraphPart, LawKind, LawName, Node, ReduceKind, Reduction, Sort,
};

use super::cost::{Cost, weight};
use super::terms::{Terms, expr_of};
use crate::with_stack;

impl Terms {
    /// The cost of evaluating `id`; memoised.
    pub fn cost(&mut self, id: ExprId) -> Cost {
        let index = id.index() as usize;
        if let Some(Some(known)) = self.costs.get(index) {
            return *known;
        }
        let cost = with_stack(|| self.derive_cost(id));
        if self.costs.len() <= index {
            self.costs.resize(self.arena.len().max(index + 1), None);
        }
        self.costs[index] = Some(cost);
        cost
    }

    /// True if it is made of numbers, symbols, sums, products and powers alone.
    pub fn is_elementary(&mut self, id: ExprId) -> bool {
        let atoms = self.polynomial(id).atoms();
        atoms
            .into_iter()
            .map(expr_of)
            .all(|atom| match *self.arena.node(atom) {
                Node::Symbol(_) => true,
                Node::Pow(base, exponent) => {
                    self.is_elementary(base) && self.is_elementary(exponent)
                }
                _ => false,
            })
    }

    /// True if it is elementary, or a sum of unit vectors at elementary places with elementary factors.
    pub fn is_plain(&mut self, id: ExprId) -> bool {
        let atoms = self.polynomial(id).atoms();
        atoms
            .into_iter()
            .map(expr_of)
            .all(|atom| match *self.arena.node(atom) {
                Node::UnitVector(_, place) => self.is_elementary(place),
                _ => self.is_elementary(atom),
            })
    }

    fn derive_cost(&mut self, id: ExprId) -> Cost {
        let operands = self.arena.operands(id);
        let inner = operands.iter().fold(Cost::default(), |sum, &operand| {
            sum.plus(self.cost(operand))
        });
        let node = &self.arena.node(id).clone();
        let mut cost = match node {
            Node::Add(list) if self.arena.sort(id) == Sort::Scalar => {
                inner.minus(self.repeated(list))
            }
            _ => inner,
        };
        cost.operations = cost.operations.saturating_add(weight(node, operands.len()));
        // Among equal terms, the one with whole parts outside the rounding is preferred: outer loops can use these
        // parts.
        if let Node::Apply(Function::Floor | Function::Ceil, operand) = *node {
            let inside = self.polynomial(operand).len().saturating_sub(1) as u64;
            cost.operations = cost.operations.saturating_add(inside);
        }
        // An exponent that has left a logarithm can cancel.
        if let Node::Apply(Function::Log, operand) = *node
            && let Node::Pow(..) = self.arena.node(operand)
        {
            cost.operations = cost.operations.saturating_add(3);
        }
        // A factor that has left an order statistic can leave its moments, too.
        if let Node::Reduce(r) = *node
            && let Node::Law(LawKind::Scale, _) = self.arena.node(r.body)
        {
            cost.operations = cost.operations.saturating_add(1);
        }
        match node {
            Node::Number(value) => cost.digits = value.bits(),
            Node::If(condition, then, otherwise) => {
                cost.cases = cost.cases.saturating_add(1);
                let condition = self.cost(*condition).open;
                let branches = self.cost(*then).open.max(self.cost(*otherwise).open);
                cost.open = condition.saturating_add(branches);
            }
            // To decide once is better than once in each iteration.
            Node::Reduce(_) => cost.cases = cost.cases.saturating_mul(2),
            Node::Max(list) | Node::Min(list) => {
                cost.choices = cost.choices.saturating_add(list.len() as u32 - 1)
            }
            Node::Compare(..) | Node::Apply(Function::Abs, _) => {
                cost.choices = cost.choices.saturating_add(1)
            }
            Node::Operate(operation, _) => {
                cost.choices = cost.choices.saturating_add(operation.row().choices)
            }
            // A law between bounds is harder to see than one whose own ends are chosen among two values each.
            Node::Law(LawKind::Truncated, _) => cost.choices = cost.choices.saturating_add(3),
            _ => {}
        }
        if self.is_open(id) {
            cost.open += 1;
            cost.depth += 1;
        }
        cost
    }

    /// The extra cost of `a * max(x, y) + b * max(x, y)` over `(a + b) * max(x, y)`, as a reader sees it: the
    /// costliest choice counts once.
    fn repeated(&mut self, terms: &[ExprId]) -> Cost {
        let mut counts: FxHashMap<ExprId, u32> = FxHashMap::default();
        for &term in terms {
            let factors = match self.arena.node(term) {
                Node::Mul(factors) => factors.to_vec(),
                _ => vec![term],
            };
            for factor in factors {
                *counts.entry(factor).or_default() += 1;
            }
        }
        let mut dearest = Cost::default();
        for (factor, count) in counts.into_iter().filter(|&(_, count)| count > 1) {
            let own = self.cost(factor);
            if (own.open, own.cases, own.choices) != (0, 0, 0) {
                let further = (1..count).fold(Cost::default(), |sum, _| sum.plus(own));
                dearest = dearest.max(Cost {
                    depth: 0,
                    ..further
                });
            }
        }
        dearest
    }

    /// A reduction that loops when it is evaluated.
    ///
    /// A vector sum over the positions of its index is not: a demand per resource is a comprehension
    /// by nature. One whose positions do not depend on the index is.
    fn is_open(&mut self, id: ExprId) -> bool {
        match *self.arena.node(id) {
            Node::Reduce(r) if self.arena.sort(id) == Sort::Vector && r.kind == ReduceKind::Sum => {
                let body = self.polynomial(r.body);
                let vectors = body
                    .atoms()
                    .into_iter()
                    .map(expr_of)
                    .filter(|&v| self.arena.sort(v) == Sort::Vector);
                vectors
                    .into_iter()
                    .any(|vector| !self.arena.mentions(vector, r.index))
            }
            // Copies have the same law, so any number of them is treated at once.
            Node::Reduce(Reduction {
                kind: ReduceKind::LawMax | ReduceKind::LawMin | ReduceKind::LawKth(_),
                index,
                body,
                ..
            }) => self.arena.mentions(body, index),
            Node::Reduce(_)
            | Node::VectorMax(_)
            | Node::Graph(GraphPart::LongestPath(_), _)
            | Node::Law(LawKind::VectorMax, _) => true,
            // Those of some laws are functions like others.
            Node::Quantile(law, _) | Node::Probability(_, law, _) => {
                !self.arena.has_special_functions(law)
            }
            // Nothing is known about the moments of a parameter or of an order statistic.
            Node::Cumulant(_, law) => match *self.arena.node(law) {
                Node::Law(LawKind::Truncated, ref operands) => self.has_truncated_moments(operands),
                Node::Law(kind, _) => !matches!(
                    kind,
                    LawKind::Parameter(_) | LawKind::Max | LawKind::Min | LawKind::VectorMax
                ),
                Node::Reduce(r) => r.kind == ReduceKind::Sum,
                _ => true,
            },
            _ => false,
        }
    }

    /// True if rules know the moments of a law between these bounds.
    fn has_truncated_moments(&self, operands: &[ExprId]) -> bool {
        matches!(
            self.arena.node(operands[0]),
            Node::Law(LawKind::Named(LawName::Exponential | LawName::Pareto), _)
        )
    }
}
