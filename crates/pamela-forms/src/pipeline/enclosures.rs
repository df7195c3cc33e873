//! Bounds of open expressions, as equations of their own.

use std::collections::BTreeMap;

use super::closed::ClosedEquation;
use super::model::Model;
use super::names::unused_name;
use crate::algebra::{Side, Simplifier, Stop};
use crate::expr::Sort;
use crate::formula::open_reductions;
use crate::timing::{LoweredEquation, Note, Origin, of_derived};

/// If more equations stay open, no bounds are looked for.
const MOST_OPEN: usize = 16;
/// After a limit was reached, only definitions up to this size are tried: a larger one would reach the limit again.
const MOST_NODES: u32 = 100;

impl Model {
    /// Adds closed bounds after each scalar that stays open.
    ///
    /// Runs last, so that no other closed form depends on the effort spent here.
    pub(super) fn enclose(
        &self,
        simplifier: &mut Simplifier,
        closed: &mut BTreeMap<usize, Vec<ClosedEquation>>,
    ) {
        let mut left = MOST_OPEN;
        for told in closed.values_mut() {
            let mut position = 0;
            while position < told.len() && left > 0 {
                let open = &told[position];
                position += 1;
                let own = matches!(open.equation.sort, Sort::Scalar)
                    && open.equation.formals.is_empty()
                    && is_worth_it(simplifier, open)
                    && open_reductions(simplifier.results_mut(), open.closed.expr) > 0;
                if !own {
                    continue;
                }
                left -= 1;
                let bounds = self.bounds(simplifier, open);
                for (number, bound) in bounds.into_iter().enumerate() {
                    told.insert(position + number, bound);
                }
            }
        }
    }

    fn bounds(&self, simplifier: &mut Simplifier, open: &ClosedEquation) -> Vec<ClosedEquation> {
        let of = &open.equation.name;
        let found = simplifier
            .enclosure(&open.closed, open.equation.expr)
            .into_iter();
        let found = found.filter_map(|(side, closed)| Some((side, closed?)));
        let arena = simplifier.results_mut();
        let bounds = found.map(|(side, mut closed)| {
            // The definedness of other equations is expressed by their names.
            closed
                .assumptions
                .retain(|&guard| !arena.is_has_value(guard));
            let of = of.clone();
            let (name, note, origin) = match side {
                Side::Lower => (
                    format!("lower_{of}"),
                    Note::LowerBoundOf(of.clone()),
                    Origin::Least { of },
                ),
                Side::Upper => (
                    format!("upper_{of}"),
                    Note::UpperBoundOf(of.clone()),
                    Origin::Most { of },
                ),
            };
            let own = &open.equation;
            let derived = of_derived(&own.origin, &own.standing, &own.notes);
            let notes = std::iter::once(note).chain(derived);
            let equation = LoweredEquation {
                name: unused_name(&self.checked, name),
                standing: own.standing.of_derived(&origin),
                standing_without_waiting: own.standing_without_waiting.of_derived(&origin),
                origin,
                notes: notes.collect(),
                ..own.clone()
            };
            ClosedEquation {
                equation,
                closed,
                rests_on: open.rests_on.clone(),
                unknown_moments: None,
                only_settles: false,
            }
        });
        bounds.collect()
    }
}

/// True if the search for bounds may end before it meets a limit.
fn is_worth_it(simplifier: &mut Simplifier, open: &ClosedEquation) -> bool {
    let size = simplifier.results_mut().size(open.closed.expr);
    open.closed.stop == Stop::Saturated || size <= MOST_NODES
}
