//! Prints sums, copies and samples of laws.

use num_bigint::BigInt;

use super::{AddOp, Builder, call, choice, number, range, reduce, sum, times};
use crate::expr::{ExprId, Node};
use crate::formula::law;
use crate::formula::term::{OwnedTerm, term};
use crate::formula::view;
use crate::law::Sampled;
use crate::syntax::rewrite::{label, node};
use crate::syntax::tree::{Expr, ExprKind, ReduceKind};

impl Builder<'_> {
    pub(super) fn law_sum(&mut self, parts: &[ExprId]) -> Expr {
        let Some((&first, rest)) = parts.split_first() else {
            return number(0);
        };
        let first = self.tree(first);
        let rest = rest.iter().map(|&part| {
            let term = (!self.arena.is_random(part)).then(|| term(self.arena, part));
            match term.map(|term| view::product_of(self.arena, &term)) {
                // A scalar brings its sign.
                Some(product) if product.negative => (AddOp::Subtract, self.product(&product)),
                _ => (AddOp::Add, self.tree(part)),
            }
        });
        sum(first, rest.collect())
    }

    /// Builds a sum over the copies, or a share if their number may be fractional.
    pub(super) fn copies(&mut self, count: &OwnedTerm, law: ExprId) -> Expr {
        let product = view::product_of(self.arena, count);
        if law::is_whole(self.arena, count, self.known) {
            return self.repeated(law, |builder| builder.signed(&product));
        }
        choice(self.signed(&product), self.tree(law), number(0))
    }

    /// Builds the copies at one position, times the unit vector of the position.
    pub(super) fn demand(&mut self, count: &OwnedTerm, law: ExprId, vector: ExprId) -> Expr {
        let copies = if count.is_one() {
            self.tree(law)
        } else {
            self.copies(count, law)
        };
        let vector = match *self.arena.node(vector) {
            Node::UnitVector(array, index) => self.unit_vector(array, index),
            _ => self.tree(vector),
        };
        times(vec![copies, vector])
    }

    /// Builds `sum (k = 1, count) { law }`.
    pub(super) fn repeated(&mut self, law: ExprId, count: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let index = label(&self.names.enter_unnamed());
        let range = range(index, number(1), count(self));
        let law = self.tree(law);
        self.names.leave();
        reduce(ReduceKind::Sum, range, law)
    }
}

pub(super) fn samples(samples: &Sampled) -> Expr {
    let file = node(ExprKind::Text(samples.file().to_owned()));
    call(
        "empirical",
        vec![file, number(BigInt::from(samples.column()))],
    )
}
