//! Demand of a loop of random length: for each resource, a random sum of copies.

use super::scope::Lowering;
use super::vectors::Operand;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, LawKind, Node, ReduceKind, Sort, Symbol};
use crate::model::not_supported;

/// The demand for one resource, or for one resource per index of a range.
struct Demand {
    over: Option<(Symbol, ExprId, ExprId)>,
    array: Symbol,
    index: ExprId,
    amount: ExprId,
}

impl Lowering<'_, '_> {
    /// The demand of a random number of iterations, each with demand `body`.
    pub(super) fn random_demand(
        &mut self,
        count: ExprId,
        body: ExprId,
        span: Span,
    ) -> Result<ExprId, Diagnostic> {
        let Some(demands) = self.demands_of(body).filter(|list| self.are_apart(list)) else {
            return Err(
                not_supported("the demand of this loop with a random bound", span)
                    .hint("declare each resource that it uses separately: `resource disk`"),
            );
        };
        // They go by the same number of iterations.
        self.notes.shared_count |= demands.len() > 1 || demands.iter().any(|d| d.over.is_some());
        let mut sums = Vec::new();
        for demand in demands {
            let unit = self.arena.unit_vector(demand.array, demand.index);
            let amount = self.arena.law(LawKind::RandomSum, &[count, demand.amount]);
            let vector = self.arena.mul(&[amount, unit]);
            sums.push(match demand.over {
                Some((index, lower, upper)) => {
                    self.arena
                        .reduce(ReduceKind::Sum, index, lower, upper, vector)
                }
                None => vector,
            });
        }
        Ok(self.add(&sums))
    }

    /// The demands that a vector consists of, one for each resource as it is written.
    fn demands_of(&mut self, vector: ExprId) -> Option<Vec<Demand>> {
        match self.arena.node(vector).clone() {
            Node::UnitVector(array, index) => Some(vec![Demand {
                over: None,
                array,
                index,
                amount: self.arena.number(1),
            }]),
            Node::Vector(list) if list.is_empty() => Some(Vec::new()),
            Node::Add(terms) => {
                let mut demands: Vec<Demand> = Vec::new();
                for &term in terms.iter() {
                    for demand in self.demands_of(term)? {
                        let same = |d: &&mut Demand| {
                            d.over.is_none() && (d.array, d.index) == (demand.array, demand.index)
                        };
                        match demands.iter_mut().find(same) {
                            Some(known) => known.amount = self.add(&[known.amount, demand.amount]),
                            None => demands.push(demand),
                        }
                    }
                }
                Some(demands)
            }
            Node::Mul(factors) => {
                let (vectors, mut scalars): (Vec<ExprId>, Vec<ExprId>) = factors
                    .iter()
                    .partition(|&&f| self.arena.sort(f) == Sort::Vector);
                let [vector] = vectors[..] else { return None };
                let mut demands = self.demands_of(vector)?;
                for demand in &mut demands {
                    scalars.push(demand.amount);
                    let factors: Vec<Operand> =
                        scalars.iter().map(|&s| Operand::scalar(s)).collect();
                    demand.amount = self.multiply(&factors, Span::default()).ok()?;
                    scalars.pop();
                }
                Some(demands)
            }
            Node::Reduce(r) if r.kind == ReduceKind::Sum => {
                let mut demands = self.demands_of(r.body)?;
                for demand in &mut demands {
                    if !self.arena.mentions(demand.index, r.index) {
                        let body = demand.amount;
                        demand.amount = self.arena.reduce(r.kind, r.index, r.lower, r.upper, body);
                    } else if demand.over.is_none() && self.differs(demand.index, r.index) {
                        demand.over = Some((r.index, r.lower, r.upper));
                    } else {
                        return None;
                    }
                }
                Some(demands)
            }
            _ => None,
        }
    }

    /// True if an expression is another number for each index, as `i + 1` is.
    fn differs(&mut self, expr: ExprId, index: Symbol) -> bool {
        let symbol = self.arena.symbol(index);
        match self.arena.node(expr) {
            Node::Add(terms) => {
                let mut with = terms.iter().filter(|&&t| self.arena.mentions(t, index));
                with.next() == Some(&symbol) && with.next().is_none()
            }
            _ => expr == symbol,
        }
    }

    /// True if no two demands can be of one resource.
    fn are_apart(&self, demands: &[Demand]) -> bool {
        let number = |demand: &Demand| {
            let known = self.arena.as_number(demand.index);
            known.filter(|_| demand.over.is_none())
        };
        demands.iter().enumerate().all(|(place, demand)| {
            let before = demands[..place].iter().filter(|d| d.array == demand.array);
            before
                .into_iter()
                .all(|other| match (number(demand), number(other)) {
                    (Some(a), Some(b)) => a != b,
                    _ => false,
                })
        })
    }
}
