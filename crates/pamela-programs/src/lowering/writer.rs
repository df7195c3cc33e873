//! Writer of models as text.

use std::collections::BTreeSet;

use super::names::Names;
use super::number::Symbol;
use super::part::{Bounds, Declared, Parameter, Trips};
use super::walker::Walker;

/// A walked program with the names of its symbols.
pub struct Writer<'a, 'b> {
    pub walker: &'a mut Walker<'b>,
    pub names: Names,
}

impl Writer<'_, '_> {
    /// Adds the parameters in the bounds of parameters.
    pub fn with_bounds(&self, mentioned: &mut BTreeSet<Symbol>) {
        let bounds = &self.walker.bounds;
        let mut open: Vec<Symbol> = mentioned.iter().copied().collect();
        while let Some(symbol) = open.pop() {
            if let Some(Some(Trips { least, most })) = bounds.get(&symbol) {
                let mut add = |symbol| {
                    if mentioned.insert(symbol) {
                        open.push(symbol);
                    }
                };
                least.symbols(&mut add);
                most.symbols(&mut add);
            }
        }
    }

    /// The bounds of a measured number of iterations, as the model states them.
    pub fn bounds(&self, parameter: &Parameter) -> Option<Bounds> {
        let Trips { least, most } = self.walker.bounds.get(&parameter.symbol)?.as_ref()?;
        let is_number = parameter.facts != Declared::Law && parameter.default.is_none();
        // Where the loop is not reached, conditions around it may fail, and with them the order of its bounds.
        let gap = most.minus(least);
        let is_ordered = gap.is_some_and(|gap| self.walker.facts.nonnegative(&gap));
        let most = if is_ordered {
            most.clone()
        } else {
            most.larger(least)
        };
        is_number.then(|| Bounds {
            least: self.side(least),
            most: self.side(&most),
        })
    }
}
