//! Sums, copies and samples of laws.

use super::{Level, Writer};
use crate::expr::{ExprId, Node};
use crate::formula::law;
use crate::formula::term::{OwnedTerm, term};
use crate::formula::view::{self, View};
use crate::law::Sampled;

impl Writer<'_> {
    pub(super) fn law_sum(&mut self, parts: &[ExprId]) {
        for (position, &part) in parts.iter().enumerate() {
            let term = (!self.arena.is_random(part)).then(|| term(self.arena, part));
            match term.map(|term| view::product_of(self.arena, &term)) {
                // A scalar brings its sign.
                Some(product) if position > 0 && product.negative => {
                    self.out.push_str(" - ");
                    self.product(&product, Level::Product);
                }
                _ => {
                    self.out.push_str(if position > 0 { " + " } else { "" });
                    self.write(part, Level::Product);
                }
            }
        }
    }

    /// So many copies: a sum over them, or a share of them where their number need not be whole.
    pub(super) fn copies(&mut self, count: &OwnedTerm, law: ExprId) {
        let product = view::product_of(self.arena, count);
        let write = |writer: &mut Self| match product.negative {
            true => writer.sum(std::slice::from_ref(&product)),
            false => writer.product(&product, Level::If),
        };
        if law::is_whole(self.arena, count, self.known) {
            return self.repeated(law, write);
        }
        self.out.push_str("if (");
        write(self);
        self.out.push_str(") ");
        self.write(law, Level::Or);
        self.out.push_str(" else 0");
    }

    /// The copies at one position, times where that is.
    pub(super) fn demand(&mut self, count: &OwnedTerm, law: ExprId, vector: ExprId) {
        if count.is_one() {
            self.write(law, Level::Power);
        } else {
            let share = !law::is_whole(self.arena, count, self.known);
            self.enclosed(share, |writer| writer.copies(count, law));
        }
        self.out.push_str(" * ");
        match *self.arena.node(vector) {
            Node::UnitVector(array, index) => {
                self.write_view(&View::UnitVector(array, index), Level::Power);
            }
            _ => self.write(vector, Level::Power),
        }
    }

    /// `sum (k = 1, count) { law }`
    pub(super) fn repeated(&mut self, law: ExprId, count: impl FnOnce(&mut Self)) {
        let index = self.names.enter_unnamed();
        self.out.push_str(&format!("sum ({index} = 1, "));
        count(self);
        self.out.push_str(") { ");
        self.write(law, Level::If);
        self.out.push_str(" }");
        self.names.leave();
    }

    pub(super) fn samples(&mut self, samples: &Sampled) {
        let (file, column) = (samples.file(), samples.column());
        self.out
            .push_str(&format!("empirical(\"{file}\", {column})"));
    }
}
