//! Operators on vectors.
//!
//! Sums and multiples of vectors are expressions like any other. What works on each component that a
//! vector names needs the list of its components; other vectors are not supported yet.

use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Function, Node, Sort};
use crate::model::{FCFS, not_supported};

type Lowered<T> = Result<T, Diagnostic>;

/// The longest list that a unit vector is written out as.
const MAX_LENGTH: i64 = 4096;

impl Lowering<'_, '_> {
    fn is_vector(&self, expr: ExprId) -> bool {
        self.arena.sort(expr) == Sort::Vector
    }

    /// The components of a vector, where it is a combination of lists and of unit vectors at known indices.
    fn list(&mut self, vector: ExprId) -> Option<Vec<ExprId>> {
        match self.arena.node(vector).clone() {
            Node::Vector(components) => Some(components.to_vec()),
            Node::UnitVector(array, index) => {
                let length = self
                    .arena
                    .as_number(index)?
                    .to_i64()
                    .filter(|k| (0..MAX_LENGTH).contains(k))?;
                if array != self.arena.named(FCFS) {
                    return None;
                }
                let one = self.arena.number(1);
                let zero = self.arena.number(0);
                Some(
                    (0..=length)
                        .map(|k| if k == length { one } else { zero })
                        .collect(),
                )
            }
            Node::Mul(factors) => {
                let (vectors, scalars): (Vec<ExprId>, Vec<ExprId>) =
                    factors.iter().partition(|f| self.is_vector(**f));
                let scale = self.arena.mul(&scalars);
                let [vector] = vectors.as_slice() else {
                    return None;
                };
                let components = self.list(*vector)?;
                Some(
                    components
                        .into_iter()
                        .map(|c| self.arena.mul(&[scale, c]))
                        .collect(),
                )
            }
            Node::Add(terms) => {
                let lists: Option<Vec<Vec<ExprId>>> = terms.iter().map(|t| self.list(*t)).collect();
                let lists = lists?;
                Some(
                    self.zip(&lists)
                        .iter()
                        .map(|column| self.arena.add(column))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    /// Columns of the lists; a missing component is 0.
    fn zip(&mut self, lists: &[Vec<ExprId>]) -> Vec<Vec<ExprId>> {
        let zero = self.arena.number(0);
        let length = lists.iter().map(Vec::len).max().unwrap_or(0);
        (0..length)
            .map(|k| {
                lists
                    .iter()
                    .map(|list| list.get(k).copied().unwrap_or(zero))
                    .collect()
            })
            .collect()
    }

    fn listed(&mut self, vector: ExprId, what: &str, span: Span) -> Lowered<Vec<ExprId>> {
        self.list(vector).ok_or_else(|| {
            not_supported(
                &format!("{what} a vector whose components are not listed"),
                span,
            )
            .hint("write the vector as a list, or as unit vectors at constant indices")
        })
    }

    /// The sum from left to right; a scalar is added to each component that the sum so far names.
    pub(super) fn sum(&mut self, terms: &[ExprId], span: Span) -> Lowered<ExprId> {
        let vectors = terms.iter().filter(|t| self.is_vector(**t)).count();
        if vectors == 0 || vectors == terms.len() {
            return Ok(self.add(terms));
        }
        let mut sum: Option<ExprId> = None;
        for &term in terms {
            sum = Some(match sum {
                None => term,
                Some(sum) if self.is_vector(sum) == self.is_vector(term) => self.add(&[sum, term]),
                Some(sum) => {
                    let (vector, scalar) = if self.is_vector(sum) {
                        (sum, term)
                    } else {
                        (term, sum)
                    };
                    let components = self.listed(vector, "adding a scalar to", span)?;
                    let sums: Vec<ExprId> =
                        components.iter().map(|c| self.add(&[*c, scalar])).collect();
                    self.arena.vector(&sums)
                }
            });
        }
        Ok(sum.unwrap_or_else(|| self.arena.number(0)))
    }

    /// The product; of several vectors, elementwise.
    pub(super) fn multiply(&mut self, factors: &[ExprId], span: Span) -> Lowered<ExprId> {
        if factors.iter().any(|&f| self.is_law(f)) {
            return self.scaled(factors);
        }
        let (vectors, mut factors): (Vec<ExprId>, Vec<ExprId>) =
            factors.iter().partition(|f| self.is_vector(**f));
        if vectors.len() > 1 {
            let lists: Vec<_> = vectors
                .iter()
                .map(|v| self.listed(*v, "the product of", span))
                .collect::<Lowered<_>>()?;
            let products: Vec<ExprId> = self
                .zip(&lists)
                .iter()
                .map(|column| self.mul(column))
                .collect();
            factors.push(self.arena.vector(&products));
        } else {
            factors.extend(vectors);
        }
        Ok(self.mul(&factors))
    }

    /// A function of a scalar, or of each component that a vector names.
    pub(super) fn apply(
        &mut self,
        function: Function,
        operand: ExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        if !self.is_vector(operand) {
            return Ok(self.arena.apply(function, operand));
        }
        let components = self.listed(operand, "a function of", span)?;
        let values: Vec<ExprId> = components
            .iter()
            .map(|c| self.arena.apply(function, *c))
            .collect();
        Ok(self.arena.vector(&values))
    }

    /// `max` or `min`: of one vector its largest or smallest component, of several elementwise.
    pub(super) fn extremum(
        &mut self,
        largest: bool,
        operands: &[ExprId],
        span: Span,
    ) -> Lowered<ExprId> {
        let of = |inner: &mut Self, operands: &[ExprId]| match largest {
            _ if operands.iter().any(|o| inner.is_law(*o)) => inner.law_extremum(largest, operands),
            true => inner.arena.max(operands),
            false => inner.arena.min(operands),
        };
        if !operands.iter().any(|o| self.is_vector(*o)) {
            return Ok(of(self, operands));
        }
        match operands {
            [vector] => {
                if let Some(components) = self.list(*vector).filter(|list| !list.is_empty()) {
                    return Ok(of(self, &components));
                }
                if largest {
                    return Ok(self.arena.vector_max(*vector));
                }
                let negated = self.arena.negate(*vector);
                let largest = self.arena.vector_max(negated);
                Ok(self.arena.negate(largest))
            }
            several => {
                let lists: Vec<_> = several
                    .iter()
                    .map(|v| self.listed(*v, "the maximum or minimum of", span))
                    .collect::<Lowered<_>>()?;
                let values: Vec<ExprId> = self
                    .zip(&lists)
                    .iter()
                    .map(|column| of(self, column))
                    .collect();
                Ok(self.arena.vector(&values))
            }
        }
    }
}
