//! Laws as expressions: operators without a counterpart among scalars.
//!
//! A law stands for a distribution, and each occurrence is an independent copy. A sum `X + X` is
//! the sum of two copies. A product `n * X` is the sum of `n` copies, so counts obey the algebra of
//! linear expressions. One copy times a factor is [`LawKind::Scale`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Arena, ExprId, Node, ReduceKind, Sort, Symbol, SymbolKind};
pub use crate::law::LawName;
use crate::law::Sampled;
use crate::ring::Rational;

/// Operator of a law; its operands are in [`Node::Law`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LawKind {
    /// A parameter of the model; no operands.
    Parameter(Symbol),
    /// A named law, with its arguments.
    Named(LawName),
    /// The law of samples in a file; no operands.
    Empirical(Symbol),
    /// `c, X`: one copy of X times c.
    Scale,
    /// The product of two or more independent laws, as a multiset.
    Product,
    /// The largest of independent operands, each a law or a scalar; a multiset.
    Max,
    /// The smallest of independent operands; a multiset.
    Min,
    /// `N, X`: the sum of N copies of X, N itself random.
    RandomSum,
    /// `w1, X1, ..., wn, Xn`: X1 with probability w1, ...
    Mixture,
    /// `X, a, b`: X given that it lies between `a` and `b`; without `b`, from `a` on.
    Truncated,
    /// `P, X, Y`: a random condition in product form (errata, *Conditional composition*).
    Choice,
    /// `v`: the largest component of a vector of independent laws.
    VectorMax,
}

impl Arena {
    pub fn is_law(&self, id: ExprId) -> bool {
        self.sort(id) == Sort::Law
    }

    /// An operator of laws, with operands in the required order.
    pub fn law(&mut self, kind: LawKind, operands: &[ExprId]) -> ExprId {
        match (kind, operands) {
            (LawKind::Scale, &[factor, law]) => self.scale(factor, law),
            (LawKind::Product, list) => self.law_product(list),
            (LawKind::Max, list) => self.law_extremum(true, list),
            (LawKind::Min, list) => self.law_extremum(false, list),
            (LawKind::VectorMax, &[vector]) if !self.is_random(vector) => self.vector_max(vector),
            _ => self.intern(Node::Law(kind, operands.into())),
        }
    }

    /// The law of samples; a number if all samples are equal.
    pub fn empirical(&mut self, samples: &Arc<Sampled>) -> ExprId {
        let [least, greatest] = samples.ends();
        if least == greatest {
            return self.number(Rational::from(least));
        }
        let symbol = self.intern_symbol(SymbolKind::Samples(samples.clone()));
        self.law(LawKind::Empirical(symbol), &[])
    }

    /// The samples of a symbol.
    pub fn samples(&self, symbol: Symbol) -> Option<&Arc<Sampled>> {
        match self.symbol_kind(symbol) {
            SymbolKind::Samples(samples) => Some(samples),
            _ => None,
        }
    }

    /// One copy of `law` times `factor`; for a scalar, the product.
    pub fn scale(&mut self, factor: ExprId, law: ExprId) -> ExprId {
        let plain = !self.is_law(law);
        match self.as_number(factor) {
            Some(value) if value.is_one() => law,
            _ if plain => self.mul(&[factor, law]),
            Some(value) if value.is_zero() => self.number(0),
            _ => self.intern(Node::Law(LawKind::Scale, Box::new([factor, law]))),
        }
    }

    /// The product of independent operands; the scalars among them are one factor.
    fn law_product(&mut self, operands: &[ExprId]) -> ExprId {
        let (mut laws, mut scalars) = (Vec::new(), Vec::new());
        for &operand in operands {
            match self.node(operand) {
                Node::Law(LawKind::Product, inner) => laws.extend(inner.iter().copied()),
                _ if self.is_law(operand) => laws.push(operand),
                _ => scalars.push(operand),
            }
        }
        self.sort_by(&mut laws, Arena::compare);
        let factor = self.mul(&scalars);
        match laws.as_slice() {
            [] => factor,
            [single] => self.scale(factor, *single),
            _ => {
                let product = self.intern(Node::Law(LawKind::Product, laws.into()));
                self.scale(factor, product)
            }
        }
    }

    /// The largest or smallest of independent operands; the scalars among them are one.
    fn law_extremum(&mut self, largest: bool, operands: &[ExprId]) -> ExprId {
        let kind = if largest { LawKind::Max } else { LawKind::Min };
        let (mut laws, mut scalars) = (Vec::new(), Vec::new());
        for &operand in operands {
            match self.node(operand) {
                Node::Law(own, inner) if *own == kind => {
                    let inner = inner.clone();
                    let (l, s): (Vec<ExprId>, Vec<ExprId>) =
                        inner.iter().partition(|o| self.is_law(**o));
                    laws.extend(l);
                    scalars.extend(s);
                }
                _ if self.is_law(operand) => laws.push(operand),
                _ => scalars.push(operand),
            }
        }
        if !scalars.is_empty() {
            laws.push(if largest {
                self.max(&scalars)
            } else {
                self.min(&scalars)
            });
        }
        self.sort_by(&mut laws, Arena::compare);
        match laws.as_slice() {
            [] => self.number(0),
            [single] => *single,
            _ => self.intern(Node::Law(kind, laws.into())),
        }
    }

    /// The largest, smallest or k-th of independent copies, one for each value of an index.
    pub fn law_reduction(kind: ReduceKind) -> ReduceKind {
        match kind {
            ReduceKind::Max => ReduceKind::LawMax,
            ReduceKind::Min => ReduceKind::LawMin,
            ReduceKind::Kth(quorum) => ReduceKind::LawKth(quorum),
            other => other,
        }
    }

    /// The cumulant of order 1 to 4 of a law; a scalar counts as a constant.
    pub fn cumulant(&mut self, order: u8, law: ExprId) -> ExprId {
        if let Node::Law(LawKind::Empirical(samples), _) = self.node(law)
            && let Some(value) = self.cumulant_of_samples(order, *samples)
        {
            return self.number(value);
        }
        if self.is_law(law) {
            self.intern(Node::Cumulant(order, law))
        } else if order == 1 {
            law
        } else {
            self.number(0)
        }
    }

    fn cumulant_of_samples(&self, order: u8, samples: Symbol) -> Option<Rational> {
        let place = usize::from(order).checked_sub(1)?;
        let cumulants = self.samples(samples)?.cumulants();
        Some(Rational::from(cumulants.get(place)?.clone()))
    }

    /// `K3 / Var^(3/2)`
    pub fn skewness(&mut self, law: ExprId) -> ExprId {
        let (second, third) = (self.cumulant(2, law), self.cumulant(3, law));
        let (three, two) = (self.number(-3), self.number(2));
        let exponent = self.divide(three, two);
        let power = self.pow(second, exponent);
        self.mul(&[third, power])
    }

    /// `3 + K4 / Var^2`
    pub fn kurtosis(&mut self, law: ExprId) -> ExprId {
        let (second, fourth) = (self.cumulant(2, law), self.cumulant(4, law));
        let exponent = self.number(-2);
        let power = self.pow(second, exponent);
        let excess = self.mul(&[fourth, power]);
        let three = self.number(3);
        self.add(&[three, excess])
    }
}
