//! Regimes: a closed form as cases over its parameters, and the crossings of cases.
//!
//! A case fixes the selected operand of each `max` and the value of each bracket.

mod extremes;

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Function, Node, Relation, Sort, Symbol};
use crate::ring::{Polynomial, Rational};

use super::conjuncts::parts_of_product;
use super::facts::Prover;
use super::functions::flattened;
use super::guards::without_signed_factors;
use super::terms::{Terms, atom_of, content, expr_of, over_bases};
use crate::with_stack;

/// Limit of the number of cases; more cases do not help a reader.
pub const MOST_REGIMES: usize = 12;
/// Maximum number of operands of a `max` that are compared with each other: a chain of this many steps may still have
/// few regimes.
const MOST_OPERANDS: usize = 128;
/// Limit on the nodes examined before cases are separated: a sum of thousands of decisions has too many cases anyway.
const MOST_NODES: u64 = 200_000;

/// A closed form without decisions, and the conditions under which it is the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regime {
    pub expr: ExprId,
    /// Truth values over the parameters; the regime applies where all hold.
    pub when: Vec<ExprId>,
}

/// A boundary of two regimes: `parameter = at`, wherever `requires` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    pub parameter: String,
    pub at: ExprId,
    pub requires: Vec<ExprId>,
}

/// All regimes of a closed form. They cover its domain and agree where they overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regimes {
    pub regimes: Vec<Regime>,
    pub crossings: Vec<Crossing>,
}

/// The error for too many regimes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyRegimes;

/// The regimes of `expr` under the facts `known`; `None` if it has no decisions.
///
/// A crossing is solved for the first of the `parameters` in which it is linear.
///
/// # Errors
/// Fails if there are more than [`MOST_REGIMES`], or if they take too much work.
pub fn regimes(
    terms: &mut Terms,
    known: &[ExprId],
    expr: ExprId,
    parameters: &[String],
) -> Result<Option<Regimes>, TooManyRegimes> {
    if terms.arena.sort(expr) != Sort::Scalar {
        return Ok(None);
    }
    let mut search = Search {
        terms,
        prover: Prover::new(known.to_vec()),
        found: Vec::new(),
        looked_at: 0,
    };
    let expr = search.flat(expr, &mut FxHashMap::default());
    search
        .tell_apart(expr, Vec::new(), Vec::new())
        .ok_or(TooManyRegimes)?;
    if search.found.len() < 2 {
        return Ok(None);
    }
    let mut regimes = Regimes {
        crossings: Vec::new(),
        regimes: std::mem::take(&mut search.found),
    };
    let mut boundaries: Vec<Polynomial> = Vec::new();
    for condition in regimes.regimes.iter().flat_map(|regime| &regime.when) {
        let Some(boundary) = boundary(search.terms, *condition) else {
            continue;
        };
        if !boundaries.contains(&boundary) && !boundaries.contains(&-&boundary) {
            regimes
                .crossings
                .extend(search.solve(&boundary, parameters));
            boundaries.push(boundary);
        }
    }
    regimes.crossings.dedup();
    Ok(Some(regimes))
}

/// `p` of `0 <= p`, `0 < p`, without what divides all of its terms.
fn boundary(terms: &mut Terms, condition: ExprId) -> Option<Polynomial> {
    let condition = match terms.complement(condition) {
        Some(opposite) => opposite,
        None => condition,
    };
    let Node::Compare(Relation::Less | Relation::LessEqual, left, right) =
        *terms.arena.node(condition)
    else {
        return None;
    };
    let (left, right) = (terms.polynomial(left), terms.polynomial(right));
    let boundary = &*right - &*left;
    let content = content(&terms.arena, &boundary).checked_pow(-1)?;
    boundary.mul_term(&content, &Rational::ONE)
}

/// By how many its positive terms are more than its negative ones.
fn signs(p: &Polynomial) -> i64 {
    p.terms()
        .map(|(_, factor)| if factor.is_negative() { -1 } else { 1 })
        .sum()
}

struct Search<'a> {
    terms: &'a mut Terms,
    prover: Prover,
    found: Vec<Regime>,
    /// Number of nodes examined so far.
    looked_at: u64,
}

/// One possible value of a decision.
struct Alternative {
    value: ExprId,
    /// Conditions under which the decision has this value.
    when: Vec<ExprId>,
    /// Conditions under which the decision has this value and no earlier one.
    alone: Vec<ExprId>,
}

impl Alternative {
    fn new(value: ExprId, condition: ExprId) -> Alternative {
        Alternative {
            value,
            when: vec![condition],
            alone: vec![condition],
        }
    }
}

impl Search<'_> {
    /// Flattens nested `max` operators into one, which is one decision.
    fn flat(&mut self, id: ExprId, seen: &mut FxHashMap<ExprId, ExprId>) -> ExprId {
        if let Some(&known) = seen.get(&id) {
            return known;
        }
        let operands = self.terms.arena.operands(id);
        if operands.is_empty() || matches!(self.terms.arena.node(id), Node::Reduce(_)) {
            return id;
        }
        let operands: Vec<ExprId> = operands
            .into_iter()
            .map(|operand| with_stack(|| self.flat(operand, seen)))
            .collect();
        let mut next = operands.into_iter();
        let whole = self
            .terms
            .arena
            .map_operands(id, &mut |_, operand| next.next().unwrap_or(operand));
        let (list, greatest) = match self.terms.arena.node(whole) {
            Node::Max(list) => (list.to_vec(), true),
            Node::Min(list) => (list.to_vec(), false),
            _ => (Vec::new(), true),
        };
        let list = flattened(self.terms, &self.prover, &list, greatest, MOST_OPERANDS);
        let flat = match list.filter(|list| !list.is_empty()) {
            Some(list) => {
                let list: Vec<ExprId> = list.iter().map(|p| self.terms.expression(p)).collect();
                if greatest {
                    self.terms.arena.max(&list)
                } else {
                    self.terms.arena.min(&list)
                }
            }
            None => whole,
        };
        seen.insert(id, flat);
        flat
    }

    /// Adds the regimes of `expr` under `when`; `None` if there are too many. Regimes outside `alone` are found in
    /// other branches as well.
    fn tell_apart(&mut self, expr: ExprId, when: Vec<ExprId>, alone: Vec<ExprId>) -> Option<()> {
        self.looked_at += u64::from(self.terms.arena.size(expr));
        if self.looked_at > MOST_NODES {
            return None;
        }
        let Some(decision) = self.decision(expr) else {
            let when = self.needed(when);
            self.found.push(Regime { expr, when });
            return (self.found.len() <= MOST_REGIMES).then_some(());
        };
        for alternative in self.alternatives(decision) {
            let Some((when, alone)) = self.within(&when, &alone, &alternative) else {
                continue;
            };
            let value = alternative.value;
            let chosen = self
                .terms
                .arena
                .replace(expr, &|_, id| (id == decision).then_some(value));
            let chosen = self.terms.canonical(chosen);
            self.tell_apart(chosen, when, alone)?;
        }
        Some(())
    }

    /// An innermost `max`, `min`, absolute value, comparison or condition over parameters.
    fn decision(&self, expr: ExprId) -> Option<ExprId> {
        let mut seen = FxHashMap::default();
        self.find_decision(expr, &mut seen)
    }

    fn find_decision(
        &self,
        id: ExprId,
        seen: &mut FxHashMap<ExprId, Option<ExprId>>,
    ) -> Option<ExprId> {
        if let Some(&known) = seen.get(&id) {
            return known;
        }
        let arena = &self.terms.arena;
        let operands = arena.operands(id);
        let inner = operands
            .into_iter()
            .find_map(|operand| self.find_decision(operand, seen));
        let found = inner.or_else(|| {
            let decides = matches!(
                arena.node(id),
                Node::Max(_)
                    | Node::Min(_)
                    | Node::Compare(..)
                    | Node::Apply(Function::Abs | Function::Integer, _)
            );
            let of_parameters = arena.free(id).iter().all(|&s| arena.range(s).is_none());
            (decides && of_parameters).then_some(id)
        });
        seen.insert(id, found);
        found
    }

    /// The possible values of a decision, with their conditions.
    fn alternatives(&mut self, decision: ExprId) -> Vec<Alternative> {
        let arena = &mut self.terms.arena;
        let (zero, one) = (arena.number(0), arena.number(1));
        match arena.node(decision).clone() {
            Node::Max(list) => self.extremes(&list, true),
            Node::Min(list) => self.extremes(&list, false),
            Node::Apply(Function::Abs, operand) => {
                let opposite = arena.negate(operand);
                let positive = arena.relate(Relation::LessEqual, zero, operand);
                let negative = arena.relate(Relation::LessEqual, operand, zero);
                let below = arena.relate(Relation::Less, operand, zero);
                let negative = Alternative {
                    alone: vec![below],
                    ..Alternative::new(opposite, negative)
                };
                vec![Alternative::new(operand, positive), negative]
            }
            _ => {
                let opposite = arena.not(decision);
                vec![
                    Alternative::new(one, decision),
                    Alternative::new(zero, opposite),
                ]
            }
        }
    }

    /// `when` with those of the conditions of an alternative that it does not imply, and `alone` with all; `None` where
    /// these exclude one another.
    fn within(
        &mut self,
        when: &[ExprId],
        alone: &[ExprId],
        alternative: &Alternative,
    ) -> Option<(Vec<ExprId>, Vec<ExprId>)> {
        let (mut when, mut alone) = (when.to_vec(), alone.to_vec());
        for &condition in &alternative.when {
            let condition = self.terms.canonical(condition);
            let condition = without_signed_factors(self.terms, &self.prover, condition);
            if self.prover.with(&when).holds(self.terms, condition) {
                continue;
            }
            self.add(condition, &when, &mut alone)?;
            when.push(condition);
        }
        for &condition in &alternative.alone {
            let condition = self.terms.canonical(condition);
            if !when.contains(&condition) {
                self.add(condition, &when, &mut alone)?;
            }
        }
        Some((when, alone))
    }

    /// Adds a condition to others; `None` where these, with those beside them, exclude it.
    fn add(&mut self, condition: ExprId, beside: &[ExprId], to: &mut Vec<ExprId>) -> Option<()> {
        if to.contains(&condition) {
            return Some(());
        }
        let opposite = self.terms.arena.not(condition);
        let opposite = self.terms.canonical(opposite);
        let mut prover = self.prover.with(&[beside, to].concat());
        if prover.holds(self.terms, opposite) {
            return None;
        }
        to.push(condition);
        Some(())
    }

    /// Without the conditions that follow from the others.
    fn needed(&mut self, mut when: Vec<ExprId>) -> Vec<ExprId> {
        for position in (0..when.len()).rev() {
            let mut others = when.clone();
            let condition = others.remove(position);
            if self.prover.with(&others).holds(self.terms, condition) {
                when = others;
            }
        }
        when.sort_by(|&a, &b| self.terms.arena.compare(a, b));
        when
    }

    /// The crossing at which the boundary is 0.
    fn solve(&mut self, boundary: &Polynomial, parameters: &[String]) -> Option<Crossing> {
        parameters.iter().find_map(|parameter| {
            let symbol = self.terms.arena.named(parameter);
            self.solve_for(boundary, symbol, parameter)
        })
    }

    fn solve_for(
        &mut self,
        boundary: &Polynomial,
        symbol: Symbol,
        parameter: &str,
    ) -> Option<Crossing> {
        let term = self.terms.arena.symbol(symbol);
        let mut by_power = boundary.coefficients_in(atom_of(term));
        let (slope, rest) = (
            by_power.remove(&1)?,
            by_power.remove(&0).unwrap_or_default(),
        );
        // The dependencies of equations mentioned by name are not visible here.
        let free = |p: &Polynomial| {
            let by_name = |atom| self.terms.arena.mentioned(expr_of(atom)).next().is_some();
            !self.terms.polynomial_mentions(p, symbol) && !p.atoms().into_iter().any(by_name)
        };
        if !by_power.is_empty() || !free(&slope) || !free(&rest) {
            return None;
        }
        // A common factor of both is a separate boundary.
        let lowest = Polynomial::without_common_divisor(&[slope.clone(), rest.clone()]);
        let (divisor, rest) = match lowest.as_deref() {
            Some([divisor, rest]) => (divisor.clone(), rest.clone()),
            _ => (slope.clone(), rest),
        };
        let [rest, divisor] = over_bases(&self.terms.arena, [rest, divisor]);
        // `rest / -divisor` or `-rest / divisor`, whichever has the fewer signs below.
        let (divisor, rest) = if signs(&divisor) > 0 {
            (divisor, -&rest)
        } else {
            (-&divisor, rest)
        };
        let shared = slope.divide_exact(&divisor);
        let mut requires = Vec::new();
        for factor in shared.iter().chain([&divisor]) {
            let parts = parts_of_product(self.terms, factor);
            for part in parts.unwrap_or_else(|| vec![factor.clone()]) {
                if !self.prover.nonzero(self.terms, &part) {
                    let part = self.terms.expression(&part);
                    let unequal = self.terms.arena.nonzero(part);
                    requires.push(self.terms.canonical(unequal));
                }
            }
        }
        let divisor = self.terms.expression(&divisor);
        let rest = self.terms.expression(&rest);
        // Not canonical: a single quotient is easier to read than its separate terms.
        let at = self.terms.arena.divide(rest, divisor);
        Some(Crossing {
            parameter: parameter.to_string(),
            at,
            requires,
        })
    }
}
