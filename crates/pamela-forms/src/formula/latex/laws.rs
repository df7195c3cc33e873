//! Prints sums, copies and samples of laws.

use super::{Level, Writer, name};
use crate::expr::{ExprId, Node};
use crate::formula::law;
use crate::formula::statement::escaped;
use crate::formula::term::{OwnedTerm, term};
use crate::formula::view::{self, View};
use crate::law::Sampled;

impl Writer<'_> {
    pub(super) fn samples(&mut self, samples: &Sampled) {
        let (file, column) = (escaped(samples.file()), samples.column());
        self.out.push_str(&format!(
            "\\operatorname{{empirical}}\\left(\\text{{{file}}}, {column}\\right)"
        ));
    }

    pub(super) fn law_sum(&mut self, parts: &[ExprId]) {
        for (position, &part) in parts.iter().enumerate() {
            let term = (!self.arena.is_random(part)).then(|| term(self.arena, part));
            match term.map(|term| view::product_of(self.arena, &term)) {
                Some(mut product) if position > 0 && product.negative => {
                    self.out.push_str(" - ");
                    product.negative = false;
                    self.sum(std::slice::from_ref(&product));
                }
                _ => {
                    self.out.push_str(if position > 0 { " + " } else { "" });
                    self.write(part, Level::Product);
                }
            }
        }
    }

    /// Prints a sum over the copies, or a share if their number may be fractional.
    pub(super) fn copies(&mut self, count: &OwnedTerm, law: ExprId) {
        let product = view::product_of(self.arena, count);
        let write = |writer: &mut Self| writer.sum(std::slice::from_ref(&product));
        if law::is_whole(self.arena, count, self.known) {
            return self.repeated(law, write);
        }
        self.share(law, write);
        self.out.push_str("0 & \\text{otherwise} \\end{cases}");
    }

    /// Prints the copies at one position, times the unit vector of the position.
    pub(super) fn demand(&mut self, count: &OwnedTerm, law: ExprId, vector: ExprId) {
        if count.is_one() {
            self.write(law, Level::Power);
        } else {
            self.enclosed(true, |writer| writer.copies(count, law));
        }
        self.out.push_str("\\,");
        match *self.arena.node(vector) {
            Node::UnitVector(array, index) => {
                self.write_view(&View::UnitVector(array, index), Level::Power);
            }
            _ => self.write(vector, Level::Power),
        }
    }

    pub(super) fn repeated(&mut self, law: ExprId, count: impl FnOnce(&mut Self)) {
        let index = name(&self.names.enter_unnamed());
        self.out.push_str(&format!("\\sum_{{{index}=1}}^{{"));
        count(self);
        self.out.push_str("} ");
        self.write(law, Level::Product);
        self.names.leave();
    }

    /// Prints the first line of cases that a probability selects.
    pub(super) fn share(&mut self, law: ExprId, probability: impl FnOnce(&mut Self)) {
        self.out.push_str("\\begin{cases} ");
        self.write(law, Level::Or);
        self.out.push_str(" & \\text{with share } ");
        probability(self);
        self.out.push_str(" \\\\ ");
    }
}
