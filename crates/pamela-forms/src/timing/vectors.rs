//! Operators on vectors.
//!
//! Sums and multiples of vectors are ordinary expressions. Elementwise operations must know the
//! components. For a list, these follow from its form, because zero components vanish from the
//! expression. Other vectors have a component for each resource, so their maximum is nonnegative.

use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Function, Node, ReduceKind, Sort};
use crate::model::{Extent, FCFS, not_supported};

type Lowered<T> = Result<T, Diagnostic>;

/// A vector with the components that its form shows.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) value: ExprId,
    /// `None` if it is not a vector.
    pub(super) extent: Option<Extent>,
}

impl Operand {
    pub(super) fn scalar(value: ExprId) -> Operand {
        Operand {
            value,
            extent: None,
        }
    }
}

impl Lowering<'_, '_> {
    fn is_vector(&self, expr: ExprId) -> bool {
        self.arena.sort(expr) == Sort::Vector
    }

    /// The components 0, 1, ... of a vector that is made of lists, without those that are 0 at the end.
    fn given(&mut self, vector: ExprId) -> Option<Vec<ExprId>> {
        match self.arena.node(vector).clone() {
            Node::Vector(components) => Some(components.to_vec()),
            Node::UnitVector(array, index) => {
                let index = self.arena.as_number(index)?.to_i64()?;
                if array != self.arena.named(FCFS) {
                    return None;
                }
                let zero = self.arena.number(0);
                let mut components = vec![zero; usize::try_from(index).ok()?];
                components.push(self.arena.number(1));
                Some(components)
            }
            Node::Mul(factors) => {
                let (vectors, scalars): (Vec<ExprId>, Vec<ExprId>) =
                    factors.iter().partition(|f| self.is_vector(**f));
                let [vector] = vectors.as_slice() else {
                    return None;
                };
                let components = self.given(*vector)?.into_iter();
                let scaled = components.map(|c| {
                    let factors: Vec<ExprId> = scalars.iter().copied().chain([c]).collect();
                    self.scaled_component(&factors)
                });
                scaled.collect()
            }
            Node::Add(terms) => {
                let lists: Option<Vec<Vec<ExprId>>> =
                    terms.iter().map(|t| self.given(*t)).collect();
                let columns = self.zip(&lists?);
                Some(columns.iter().map(|c| self.arena.add(c)).collect())
            }
            Node::If(condition, then, otherwise) => {
                let branches = [self.given(then)?, self.given(otherwise)?];
                let columns = self.zip(&branches).into_iter();
                Some(
                    columns
                        .map(|c| self.arena.if_else(condition, c[0], c[1]))
                        .collect(),
                )
            }
            Node::Reduce(r) if r.kind == ReduceKind::Sum => {
                let components = self.given(r.body)?.into_iter();
                let sums =
                    components.map(|c| self.arena.reduce(r.kind, r.index, r.lower, r.upper, c));
                Some(sums.collect())
            }
            _ => None,
        }
    }

    fn scaled_component(&mut self, factors: &[ExprId]) -> Option<ExprId> {
        if factors.iter().any(|&f| self.is_law(f)) {
            self.scaled(factors).ok()
        } else {
            Some(self.arena.mul(factors))
        }
    }

    /// The components of a list.
    fn listed(&mut self, vector: Operand, what: &str, span: Span) -> Lowered<Vec<ExprId>> {
        let length = match vector.extent {
            Some(Extent::List(length)) => Some(length),
            _ => None,
        };
        let components = length.and_then(|length| Some((length, self.given(vector.value)?)));
        let Some((length, mut components)) = components else {
            return Err(not_supported(
                &format!("{what} a vector whose components are not listed"),
                span,
            )
            .hint("write the vector as a list, or as unit vectors at indices that are numbers"));
        };
        let zero = self.arena.number(0);
        components.resize(length.max(components.len()), zero);
        Ok(components)
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

    /// The sum from left to right; a scalar is added to each component of the sum so far.
    pub(super) fn sum(&mut self, terms: &[Operand], span: Span) -> Lowered<ExprId> {
        let values: Vec<ExprId> = terms.iter().map(|term| term.value).collect();
        let vectors = values.iter().filter(|t| self.is_vector(**t)).count();
        if vectors == 0 || vectors == terms.len() {
            return Ok(self.add(&values));
        }
        let mut sum: Option<Operand> = None;
        for &term in terms {
            let Some(known) = sum else {
                sum = Some(term);
                continue;
            };
            let extent = known.extent.max(term.extent);
            let value = if self.is_vector(known.value) == self.is_vector(term.value) {
                self.add(&[known.value, term.value])
            } else {
                let (vector, scalar) = if self.is_vector(known.value) {
                    (known, term.value)
                } else {
                    (term, known.value)
                };
                let components = self.listed(vector, "adding a scalar to", span)?;
                let sums: Vec<ExprId> =
                    components.iter().map(|c| self.add(&[*c, scalar])).collect();
                self.arena.vector(&sums)
            };
            sum = Some(Operand { value, extent });
        }
        Ok(sum.map_or_else(|| self.arena.number(0), |sum| sum.value))
    }

    /// The product; elementwise for several vectors.
    pub(super) fn multiply(&mut self, factors: &[Operand], span: Span) -> Lowered<ExprId> {
        let (vectors, scalars): (Vec<Operand>, Vec<Operand>) =
            factors.iter().partition(|f| self.is_vector(f.value));
        let mut factors: Vec<ExprId> = scalars.iter().map(|f| f.value).collect();
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
            factors.extend(vectors.iter().map(|v| v.value));
        }
        if factors.iter().any(|&f| self.is_law(f)) {
            return self.scaled(&factors);
        }
        Ok(self.mul(&factors))
    }

    /// A function of a scalar, or of each component of a list.
    pub(super) fn apply(
        &mut self,
        function: Function,
        operand: Operand,
        span: Span,
    ) -> Lowered<ExprId> {
        if !self.is_vector(operand.value) {
            return Ok(self.applied(function, operand.value));
        }
        let components = self.listed(operand, "a function of", span)?;
        let values: Vec<ExprId> = components
            .iter()
            .map(|c| self.applied(function, *c))
            .collect();
        Ok(self.arena.vector(&values))
    }

    fn applied(&mut self, function: Function, operand: ExprId) -> ExprId {
        let asked = self.arena.domain_of_function(function, operand);
        self.ask(&asked);
        self.arena.apply(function, operand)
    }

    /// `max` or `min`: over the components of one vector, or elementwise over several.
    pub(super) fn extremum(
        &mut self,
        largest: bool,
        operands: &[Operand],
        span: Span,
    ) -> Lowered<ExprId> {
        let of = |inner: &mut Self, operands: &[ExprId]| {
            if operands.iter().any(|o| inner.is_law(*o)) {
                inner.law_extremum(largest, operands)
            } else if largest {
                inner.arena.max(operands)
            } else {
                inner.arena.min(operands)
            }
        };
        let values: Vec<ExprId> = operands.iter().map(|o| o.value).collect();
        if !values.iter().any(|o| self.is_vector(*o)) {
            return Ok(of(self, &values));
        }
        match operands {
            [
                Operand {
                    value,
                    extent: Some(Extent::Everywhere),
                },
            ] => {
                if largest {
                    Ok(self.arena.vector_max(*value))
                } else {
                    let negated = self.arena.negate(*value);
                    let largest = self.arena.vector_max(negated);
                    Ok(self.arena.negate(largest))
                }
            }
            [list] => {
                let components =
                    self.listed(*list, "the largest or smallest component of", span)?;
                if components.is_empty() {
                    Ok(self.arena.number(0))
                } else {
                    Ok(of(self, &components))
                }
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
