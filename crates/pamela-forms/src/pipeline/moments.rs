//! Moments of a law, as equations of their own.

use super::closed::ClosedEquation;
use super::model::Model;
use super::names::unused_name;
use crate::algebra::Simplifier;
use crate::expr::{Arena, ExprId, LawKind, LawName, Node, Sort, Symbol};
use crate::formula::{expression_text, present};
use crate::timing::{LoweredEquation, Moment, Note, Origin};

/// Moments of a law.
pub(super) struct Moments {
    pub(super) found: Vec<ClosedEquation>,
    /// The moments that have no closed form, with the reason.
    pub(super) unknown: Option<Note>,
}

impl Model {
    /// Derives mean, variance, skewness and kurtosis of a law, as far as they have a form without
    /// order statistics.
    pub(super) fn moments(
        &self,
        simplifier: &mut Simplifier,
        equation: &LoweredEquation,
        wanted: &[Moment],
    ) -> Moments {
        let moments = simplifier.moments(equation.expr);
        let name = &equation.name;
        let missing = moments.missing();
        let missing = missing.iter().filter(|moment| wanted.contains(moment));
        let missing: Vec<String> = missing.map(|moment| moment.of(name)).collect();
        let unknown = moments.unknown.filter(|_| !missing.is_empty());
        let unknown = unknown
            .map(|law| Note::NoFormula(self.without_form(simplifier.results_mut(), law, &missing)));
        let found = moments.found.into_iter();
        let found = found.filter(|(moment, _)| wanted.contains(moment));
        let found = found.map(|(moment, mut closed)| {
            simplifier.require_all(&equation.conditions, &mut closed);
            let own = LoweredEquation {
                name: unused_name(&self.checked, moment.of(name)),
                sort: Sort::Scalar,
                origin: Origin::Moment {
                    moment,
                    of: name.clone(),
                },
                ..equation.clone()
            };
            ClosedEquation::new(own, closed)
        });
        Moments {
            found: found.collect(),
            unknown,
        }
    }

    /// A note on the moments that have no form because of this law.
    fn without_form(&self, arena: &mut Arena, law: ExprId, missing: &[String]) -> String {
        if is_heavy(arena, law) {
            return without_moments(missing);
        }
        let whole = self.whole_parameters();
        let whole: Vec<Symbol> = whole.iter().map(|name| arena.named(name)).collect();
        let law = present(arena, law);
        let law = match arena.size(law) {
            ..=MOST_NAMED => expression_text(arena, law, &whole),
            _ => part_in_words(arena.node(law)).to_string(),
        };
        let missing = missing.join(", ");
        format!(
            "no formula for {missing}: the moments of {law} are not known in symbols; `pamela eval` computes numbers"
        )
    }
}

/// True if a law has no formula for a moment because it has no such moment: there is one for each that exists.
fn is_heavy(arena: &Arena, law: ExprId) -> bool {
    match arena.node(law) {
        Node::Law(LawKind::Named(LawName::Pareto), arguments) => {
            arena.as_number(arguments[0]).is_some()
        }
        _ => false,
    }
}

fn without_moments(missing: &[String]) -> String {
    let verb = if missing.len() == 1 { "does" } else { "do" };
    let missing = missing.join(", ");
    format!(
        "{missing} {verb} not exist: the moment of order r of `pareto(shape, scale)` is finite where `shape > r`"
    )
}

fn part_in_words(law: &Node) -> &'static str {
    match law {
        Node::Reduce(_) | Node::Law(LawKind::Max | LawKind::Min | LawKind::VectorMax, _) => {
            "an order statistic in it"
        }
        Node::Law(LawKind::Truncated, _) => "a truncated law in it",
        Node::Law(LawKind::Product, _) => "a product of laws in it",
        _ => "a part of it",
    }
}

/// A law of more nodes is not written in a note.
const MOST_NAMED: u32 = 25;
