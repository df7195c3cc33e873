//! Quantities: numbers of base units, each of which is a positive symbol.

use super::Fact;
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Relation};
use crate::syntax::tree::Quantity;

impl Lowering<'_, '_> {
    pub(super) fn quantity(&mut self, quantity: &Quantity) -> ExprId {
        let value = quantity.value();
        let mut factors = vec![self.arena.number(value.clone())];
        let meaning = quantity.unit.meaning.as_ref();
        // 0 is the same in all units.
        let bases = meaning.iter().flat_map(|meaning| &meaning.bases);
        for (base, power) in bases.filter(|_| !value.is_zero()) {
            let unit = self.arena.unit(base);
            self.units.insert(unit);
            let power = self.arena.number(i64::from(*power));
            factors.push(self.arena.pow(unit, power));
        }
        self.arena.mul(&factors)
    }

    /// Adds the facts that units are positive.
    pub(super) fn add_units(&mut self, facts: &mut Vec<(Fact, Span)>) -> Result<(), Diagnostic> {
        let zero = self.arena.number(0);
        for unit in self.units.clone() {
            let positive = self.arena.relate(Relation::Less, zero, unit);
            self.add_fact(Fact::Holds(positive), Span::default(), facts)?;
        }
        Ok(())
    }
}
