//! Equations brought to closed forms, in the order in which they mention each other, and what is derived of each.

use std::collections::{BTreeMap, HashSet};

use super::mentions::Order;
use super::{Model, Options, unused_name};
use crate::algebra::{self, Simplifier};
use crate::diagnostic::{Diagnostic, Result};
use crate::expr::{Arena, ExprId, LawKind, LawName, Node, Sort, Symbol};
use crate::formula::{divides_by_zero, expression_text, present};
use crate::model;
use crate::timing::{LoweredEquation, Moment, Origin};

/// A closed equation.
pub(super) struct ClosedEquation {
    pub(super) equation: LoweredEquation,
    pub(super) closed: algebra::Closed,
    /// Equations with conditions, which have to hold as well.
    pub(super) rests_on: Vec<String>,
    /// Which moments of the law have no form, and why.
    pub(super) unknown_moments: Option<String>,
}

impl Model {
    /// The closed forms by position in the model, each with what is derived of it.
    pub(super) fn close_all(
        &self,
        simplifier: &mut Simplifier,
        equations: &[LoweredEquation],
        order: &Order,
        options: &Options,
        failures: &mut Vec<Diagnostic>,
    ) -> Result<BTreeMap<usize, Vec<ClosedEquation>>> {
        let whole = self.whole_parameters();
        let mentioned = order.mentioned();
        let mut closed: BTreeMap<usize, Vec<ClosedEquation>> = BTreeMap::new();
        let mut conditional: HashSet<usize> = HashSet::new();
        for &position in &order.positions {
            let equation = &equations[position];
            if let Some(progress) = options.progress {
                progress(closed.len(), order.positions.len(), &equation.name);
            }
            let mentions = order.mentions[&position].iter();
            // What mentions an equation without a value has none either.
            let valued = mentions.clone().all(|of| closed.contains_key(of));
            let form = valued.then(|| close(simplifier, equation)).flatten();
            let Some(mut form) = form else {
                failures.push(nowhere(equation));
                continue;
            };
            for mentioned in mentions.clone() {
                let mentioned = closed.get(mentioned).into_iter().flatten();
                for other in mentioned {
                    form.resting_on_rules(&simplifier.own_rules(&other.closed.rules));
                }
            }
            if divides_by_zero(simplifier.results_mut(), form.expr) {
                failures.push(undefined(equation));
                continue;
            }
            let rests_on: Vec<String> = mentions
                .filter(|mentioned| conditional.contains(mentioned))
                .map(|&mentioned| equations[mentioned].name.clone())
                .collect();
            if !rests_on.is_empty() || !form.assumptions.is_empty() {
                conditional.insert(position);
            }
            if mentioned.contains(&position) {
                simplifier.define(&equation.name, &equation.formals, equation.expr, &form);
            }
            let derived = match equation.formals.is_empty() {
                true => self.sensitivities(simplifier, equation, &form, options, failures)?,
                false => Vec::new(),
            };
            let mut forms = vec![(equation.clone(), form)];
            forms.extend(derived);
            let mut unknown_moments = None;
            if equation.sort == Sort::Law && !equation.plain && !options.without_moments {
                let most = options.most_moments.unwrap_or(Moment::ALL.len());
                let (moments, note) = moments(
                    &self.checked,
                    simplifier,
                    equation,
                    &whole,
                    &Moment::ALL[..most.min(4)],
                );
                unknown_moments = note;
                forms.extend(moments);
            }
            let with_notes = |(equation, closed)| ClosedEquation {
                equation,
                closed,
                rests_on: rests_on.clone(),
                unknown_moments: unknown_moments.take(),
            };
            closed.insert(position, forms.into_iter().map(with_notes).collect());
        }
        Ok(closed)
    }
}

/// `None` where what the equation asks for holds nowhere.
pub(super) fn close(
    simplifier: &mut Simplifier,
    equation: &LoweredEquation,
) -> Option<algebra::Closed> {
    let mut closed = match equation.formals.is_empty() {
        true => simplifier.close_with_mentions(equation.expr),
        false => simplifier.close_function(equation.expr),
    };
    if simplifier.require_all(&equation.conditions, &mut closed) {
        return Some(closed);
    }
    // What was assumed to close it contradicts what it asks for.
    let mut closed = simplifier.close_assuming_nothing(equation.expr);
    let possible = simplifier.require_all(&equation.conditions, &mut closed);
    possible.then_some(closed)
}

fn undefined(equation: &LoweredEquation) -> Diagnostic {
    Diagnostic::error(
        format!("`{}` divides by zero for all values", equation.name),
        equation.span,
        "a divisor in it, or a base of a negative power, is always 0",
    )
    .hint("`pamela eval` shows which one, at a point")
}

fn nowhere(equation: &LoweredEquation) -> Diagnostic {
    Diagnostic::error(
        format!("`{}` has no value, whatever the parameters are", equation.name),
        equation.span,
        "a part of it is never defined",
    )
    .hint(
        "a divisor that is 0, the logarithm of 0, a probability that is none: `pamela eval` shows which one, at a \
         point",
    )
}

/// Mean, variance, skewness and kurtosis of a law as equations, and a note on those that have no form without order
/// statistics.
fn moments(
    model: &model::Model,
    simplifier: &mut Simplifier,
    equation: &LoweredEquation,
    whole: &[String],
    wanted: &[Moment],
) -> (Vec<(LoweredEquation, algebra::Closed)>, Option<String>) {
    let moments = simplifier.moments(equation.expr);
    let name = &equation.name;
    let missing = moments.missing();
    let missing = missing.iter().filter(|moment| wanted.contains(moment));
    let missing: Vec<String> = missing.map(|moment| moment.of(name)).collect();
    let unknown = moments.unknown.filter(|_| !missing.is_empty());
    let note = unknown.map(|law| {
        let arena = simplifier.results_mut();
        if is_heavy(arena, law) {
            return without_moments(&missing);
        }
        let whole: Vec<Symbol> = whole.iter().map(|name| arena.named(name)).collect();
        let law = present(arena, law);
        let law = match arena.size(law) {
            ..=MOST_NAMED => expression_text(arena, law, &whole),
            _ => part_in_words(arena.node(law)).to_string(),
        };
        let missing = missing.join(", ");
        format!(
            "no formula for {missing}: the moments of {law} are not known in symbols; `pamela eval` has numbers"
        )
    });
    let named = |(moment, mut closed): (Moment, algebra::Closed)| {
        simplifier.require_all(&equation.conditions, &mut closed);
        let own = LoweredEquation {
            name: unused_name(model, moment.of(name)),
            sort: Sort::Scalar,
            origin: Origin::Moment {
                moment,
                of: name.clone(),
            },
            ..equation.clone()
        };
        (own, closed)
    };
    let found = moments.found.into_iter();
    let found = found.filter(|(moment, _)| wanted.contains(moment));
    (found.map(named).collect(), note)
}

/// Whether a law has no formula for a moment because it has no such moment: there is one for each that exists.
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
