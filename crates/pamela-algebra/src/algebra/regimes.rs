//! Which operand of a `max`, and which side of a bracket, decides where: a closed form as cases over
//! its parameters, and where two of them meet.

use rustc_hash::FxHashMap;

use crate::expr::{ExprId, Function, Node, Relation, Sort, Symbol};
use crate::ring::{Monomial, Polynomial, Rational};

use super::conjuncts::parts_of_product;
use super::facts::Prover;
use super::guards::without_signed_factors;
use super::terms::{Terms, atom_of, expr_of};

/// More cases than this are no help to a reader.
pub const MOST_REGIMES: usize = 12;
/// Nodes that are looked at until they are told apart: a sum of thousands of decisions has more cases than that anyway.
const MOST_NODES: u64 = 200_000;

/// A closed form without decisions, and where it is the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regime {
    pub expr: ExprId,
    /// Truth values over the parameters; the regime is where all hold.
    pub when: Vec<ExprId>,
}

/// Where two regimes meet: `parameter = at`, wherever `requires` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    pub parameter: String,
    pub at: ExprId,
    pub requires: Vec<ExprId>,
}

/// All regimes of a closed form; they cover its domain, and agree where they overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regimes {
    pub regimes: Vec<Regime>,
    pub crossings: Vec<Crossing>,
}

/// An expression has more regimes than are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyRegimes;

/// The regimes of `expr` where all of `known` holds; `None` where it decides nothing.
///
/// A crossing is solved for the first of the `parameters` that it is linear in.
///
/// # Errors
/// More than [`MOST_REGIMES`], or more work than that takes of most.
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
    search.tell_apart(expr, Vec::new()).ok_or(TooManyRegimes)?;
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
    let content = boundary.monomial_content().checked_pow(-1)?;
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
    /// Nodes, so far.
    looked_at: u64,
}

impl Search<'_> {
    /// Adds the regimes of `expr` within `when`; `None` where there are too many.
    fn tell_apart(&mut self, expr: ExprId, when: Vec<ExprId>) -> Option<()> {
        self.looked_at += u64::from(self.terms.arena.size(expr));
        if self.looked_at > MOST_NODES {
            return None;
        }
        let Some(decision) = self.decision(expr) else {
            let when = self.needed(when);
            self.found.push(Regime { expr, when });
            return (self.found.len() <= MOST_REGIMES).then_some(());
        };
        for (value, conditions) in self.alternatives(decision) {
            let Some(when) = self.within(&when, conditions) else {
                continue;
            };
            let chosen = self
                .terms
                .arena
                .replace(expr, &|_, id| (id == decision).then_some(value));
            let chosen = self.terms.canonical(chosen);
            self.tell_apart(chosen, when)?;
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

    /// What a decision may come to, and under which conditions.
    fn alternatives(&mut self, decision: ExprId) -> Vec<(ExprId, Vec<ExprId>)> {
        let arena = &mut self.terms.arena;
        let (zero, one) = (arena.number(0), arena.number(1));
        match arena.node(decision).clone() {
            Node::Max(list) => self.extremes(&list, true),
            Node::Min(list) => self.extremes(&list, false),
            Node::Apply(Function::Abs, operand) => {
                let opposite = arena.negate(operand);
                let positive = arena.relate(Relation::LessEqual, zero, operand);
                let negative = arena.relate(Relation::LessEqual, operand, zero);
                vec![(operand, vec![positive]), (opposite, vec![negative])]
            }
            _ => {
                let opposite = arena.not(decision);
                vec![(one, vec![decision]), (zero, vec![opposite])]
            }
        }
    }

    /// Each operand, and where it is the least or the greatest. Of conditions that differ by a number the strictest stands
    /// for all: `x <= 3` for `x <= 4`, too.
    fn extremes(&mut self, operands: &[ExprId], greatest: bool) -> Vec<(ExprId, Vec<ExprId>)> {
        let forms: Vec<_> = operands.iter().map(|&o| self.terms.polynomial(o)).collect();
        let mut alternatives = Vec::new();
        'chosen: for (chosen, own) in forms.iter().enumerate() {
            let mut strictest: Vec<(Polynomial, Rational)> = Vec::new();
            let mut places: FxHashMap<Polynomial, usize> = FxHashMap::default();
            for (_, other) in forms.iter().enumerate().filter(|&(k, _)| k != chosen) {
                let beyond = match greatest {
                    true => &**own - &**other,
                    false => &**other - &**own,
                };
                let number = beyond.coefficient(&Monomial::one());
                let form = &beyond - &Polynomial::constant(number.clone());
                let Some(scale) = form.content().abs().recip() else {
                    match number.is_negative() {
                        true => continue 'chosen,
                        false => continue,
                    }
                };
                let (form, number) = (form.scale(&scale), &number * &scale);
                let place = *places.entry(form.clone()).or_insert(strictest.len());
                match strictest.get_mut(place) {
                    Some((_, least)) if number < *least => *least = number,
                    Some(_) => {}
                    None => strictest.push((form, number)),
                }
            }
            let conditions = strictest.into_iter().map(|(form, number)| {
                let beyond = &form + &Polynomial::constant(number);
                let (zero, beyond) = (self.terms.arena.number(0), self.terms.expression(&beyond));
                self.terms.arena.relate(Relation::LessEqual, zero, beyond)
            });
            let conditions = conditions.collect();
            alternatives.push((operands[chosen], conditions));
        }
        alternatives
    }

    /// `when` with those of the conditions that it does not imply; `None` where it excludes one.
    fn within(&mut self, when: &[ExprId], conditions: Vec<ExprId>) -> Option<Vec<ExprId>> {
        let mut when = when.to_vec();
        for condition in conditions {
            let condition = self.terms.canonical(condition);
            let condition = without_signed_factors(self.terms, &self.prover, condition);
            let opposite = self.terms.arena.not(condition);
            let opposite = self.terms.canonical(opposite);
            let mut prover = self.prover.with(&when);
            if prover.holds(self.terms, condition) {
                continue;
            }
            if prover.holds(self.terms, opposite) {
                return None;
            }
            when.push(condition);
        }
        Some(when)
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

    /// Where the boundary is 0.
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
        // What an equation that is mentioned by name depends on is not seen here.
        let free = |p: &Polynomial| {
            let by_name = |atom| self.terms.arena.mentioned(expr_of(atom)).next().is_some();
            !self.terms.polynomial_mentions(p, symbol) && !p.atoms().into_iter().any(by_name)
        };
        if !by_power.is_empty() || !free(&slope) || !free(&rest) {
            return None;
        }
        // What both share is another boundary.
        let lowest = Polynomial::without_common_divisor(&[slope.clone(), rest.clone()]);
        let (divisor, rest) = match lowest.as_deref() {
            Some([divisor, rest]) => (divisor.clone(), rest.clone()),
            _ => (slope.clone(), rest),
        };
        // `rest / -divisor` or `-rest / divisor`, whichever has the fewer signs below.
        let (divisor, rest) = match signs(&divisor) > 0 {
            true => (divisor, -&rest),
            false => (-&divisor, rest),
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
        // Not canonical: a quotient reads better than its terms.
        let at = self.terms.arena.divide(rest, divisor);
        Some(Crossing {
            parameter: parameter.to_string(),
            at,
            requires,
        })
    }
}
