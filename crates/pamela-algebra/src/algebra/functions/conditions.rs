//! Conditions and the terms that they select: conditions that can be dropped, terms that are simpler under their
//! condition, and conditions that select a term they compare.

use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::{Atom, Monomial, Polynomial};

use super::left_over::beside;
use super::{extreme, one};
use crate::algebra::facts::{PROOF, Prover};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{Terms, expr_of};

/// Sums of more terms are not looked at.
const MOST_TERMS: usize = 16;

/// In sums of more terms, roundings are not looked at.
const MOST_ROUNDED: usize = 6;

/// Longer sums along an index are not examined for terms that their conditions select; there are many such sums.
const MOST_ALONG_INDEX: usize = 3;

/// Limit on the work of proofs about terms selected by a condition.
const MOST_WORK: u64 = 40 * PROOF;

/// A truth value in a sum, and the sum as `chosen * truth + rest`.
struct Choice {
    condition: ExprId,
    relation: Relation,
    /// The difference that the condition compares with 0.
    difference: Polynomial,
    chosen: Polynomial,
    rest: Polynomial,
}

fn choices(terms: &mut Terms, sum: &Polynomial) -> Vec<Choice> {
    if sum.len() > MOST_TERMS {
        return Vec::new();
    }
    let mut choice = |atom: Atom| {
        let condition = expr_of(atom);
        let Node::Compare(relation, left, right) = *terms.arena.node(condition) else {
            return None;
        };
        let mut by_power = sum.coefficients_in(atom);
        let rest = by_power.remove(&0).unwrap_or_default();
        let chosen = by_power.remove(&1).filter(|_| by_power.is_empty())?;
        let difference = &*terms.polynomial(right) - &*terms.polynomial(left);
        Some(Choice {
            condition,
            relation,
            difference,
            chosen,
            rest,
        })
    };
    sum.atoms().into_iter().filter_map(&mut choice).collect()
}

/// A sum without a truth value whose factor is 0 wherever the truth value decides: `(D > 1) * (D - 1)` is `D - 1` from
/// `D = 1` on.
pub fn idle(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let term = values.first().and_then(Value::as_term);
    let found = term.and_then(|term| without_condition(scope, term));
    one(found.map(|sum| vec![Value::Term(sum)]))
}

fn without_condition(scope: &mut Scope, term: ExprId) -> Option<ExprId> {
    let sum = scope.terms.polynomial(term);
    for choice in choices(&mut scope.terms, &sum) {
        for truth in [false, true] {
            let Choice {
                relation,
                ref difference,
                ref chosen,
                ..
            } = choice;
            if is_zero_where(scope, truth, relation, difference, chosen) {
                let sum = if truth {
                    choice.rest
                } else {
                    &choice.rest + chosen
                };
                return Some(scope.terms.expression(&sum));
            }
        }
    }
    None
}

/// True if a term is 0 wherever a comparison of 0 with a difference is false, or true.
fn is_zero_where(
    scope: &mut Scope,
    truth: bool,
    relation: Relation,
    difference: &Polynomial,
    chosen: &Polynomial,
) -> bool {
    let one = Polynomial::one();
    // It is so where this is 0 alone if this is never below 0; of some only where the difference is whole.
    let (boundary, whole) = match (relation, truth) {
        (Relation::Less, false) => (difference.clone(), false),
        (Relation::LessEqual, false) => (difference + &one, true),
        (Relation::Less, true) => (&one - difference, true),
        (Relation::LessEqual, true) => (-difference, false),
        (Relation::Equal, true) => return vanishes(scope, chosen, difference),
        (Relation::Equal, false) => return false,
    };
    vanishes(scope, chosen, &boundary)
        && (!whole || scope.prover.integer(&mut scope.terms, difference))
        && scope.prover.nonnegative(&mut scope.terms, &boundary)
}

/// True if a term is 0 wherever the boundary is: as a multiple of it, or with a symbol solved for.
fn vanishes(scope: &mut Scope, chosen: &Polynomial, boundary: &Polynomial) -> bool {
    if boundary.as_constant().is_some() {
        return false;
    }
    if multiple(chosen, boundary).is_some() {
        return true;
    }
    for (monomial, coefficient) in boundary.terms() {
        let terms = &mut scope.terms;
        let [(atom, 1)] = *monomial.powers() else {
            continue;
        };
        let Node::Symbol(symbol) = *terms.arena.node(expr_of(atom)) else {
            continue;
        };
        let own = Polynomial::term(Monomial::power(atom, 1), coefficient.clone());
        let others = &own - boundary;
        let Some(value) = coefficient.recip().map(|inverse| others.scale(&inverse)) else {
            continue;
        };
        if terms.polynomial_mentions(&value, symbol) {
            continue;
        }
        let (chosen, value) = (terms.expression(chosen), terms.expression(&value));
        let there = terms.arena.substitute(chosen, symbol, value);
        let there = terms.polynomial(there);
        if there.is_zero()
            || there.len() <= MOST_ROUNDED && without_idle_roundings(scope, &there).is_zero()
        {
            return true;
        }
    }
    false
}

/// A sum where each rounding of a whole number is that number.
fn without_idle_roundings(scope: &mut Scope, sum: &Polynomial) -> Polynomial {
    let mut result = sum.clone();
    for atom in sum.atoms() {
        let Node::Apply(Function::Floor | Function::Ceil, operand) =
            *scope.terms.arena.node(expr_of(atom))
        else {
            continue;
        };
        let operand = scope.terms.polynomial(operand);
        if scope.prover.integer(&mut scope.terms, &operand)
            && let Some(replaced) = result.substitute(atom, &operand, MOST_TERMS)
            && let Some(replaced) = scope.terms.tidy(replaced)
        {
            result = replaced;
        }
    }
    result
}

/// A sum in which each factor of a truth value is simplified under that truth value: `(n < c) * n` for
/// `(n < c) * (n mod c)`.
pub fn decided(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let term = values.first().and_then(Value::as_term);
    one(term.and_then(|term| by_conditions(scope, term)))
}

fn by_conditions(scope: &mut Scope, term: ExprId) -> Option<Vec<Value>> {
    let sum = scope.terms.polynomial(term);
    if sum.len() > MOST_ALONG_INDEX && scope.terms.indices(term) > 0 {
        return None;
    }
    for choice in choices(&mut scope.terms, &sum) {
        // An equality is easier to read as a case.
        if choice.relation == Relation::Equal {
            continue;
        }
        let parts = choice.chosen.atoms().into_iter();
        let may_be_decided = |&part: &Atom| may_be_decided(&scope.terms, part, choice.condition);
        let parts: Vec<Atom> = parts.filter(may_be_decided).collect();
        if parts.is_empty() {
            continue;
        }
        let under = vec![choice.condition];
        let known = scope.beneath.remove(&under);
        let mut prover = known.unwrap_or_else(|| scope.prover.with(&under));
        prover.allow(MOST_WORK);
        let mut chosen = choice.chosen.clone();
        for atom in parts {
            if let Some(value) = decision(&mut scope.terms, &prover, expr_of(atom)) {
                let value = scope.terms.polynomial(value);
                chosen = chosen.substitute(atom, &value, MOST_TERMS)?;
            }
        }
        scope.prover.charge(prover.work());
        scope.beneath.insert(under, prover);
        if chosen != choice.chosen {
            let truth = scope.terms.polynomial(choice.condition);
            let sum = &scope.terms.multiply(&truth, &chosen)? + &choice.rest;
            return Some(vec![Value::Term(scope.terms.expression(&sum))]);
        }
    }
    None
}

/// True if a term is linear in parameters and indices. Other terms are skipped: proofs about their rounded parts are long.
fn is_plain(terms: &mut Terms, term: ExprId) -> bool {
    let p = terms.polynomial(term);
    let is_name = |atom: Atom| matches!(terms.arena.node(expr_of(atom)), Node::Symbol(_));
    p.terms().all(|(monomial, _)| match *monomial.powers() {
        [] => true,
        [(atom, 1)] => is_name(atom),
        _ => false,
    })
}

/// True if a part of a selected term may be simpler under the condition: a part that is related to the condition.
fn may_be_decided(terms: &Terms, part: Atom, condition: ExprId) -> bool {
    let part = expr_of(part);
    let chooses = matches!(
        terms.arena.node(part),
        Node::Max(_)
            | Node::Min(_)
            | Node::Mod(..)
            | Node::Apply(Function::Floor | Function::Ceil, _)
    );
    let compared = terms.arena.free(condition);
    chooses
        && terms
            .arena
            .free(part)
            .iter()
            .any(|symbol| compared.contains(symbol))
}

/// The simpler value of a maximum, a minimum, a rounding or a remainder, if one can be proved.
fn decision(terms: &mut Terms, prover: &Prover, part: ExprId) -> Option<ExprId> {
    let one = Polynomial::one();
    match terms.arena.node(part).clone() {
        Node::Max(list) => without_dominated(terms, prover, &list, true),
        Node::Min(list) => without_dominated(terms, prover, &list, false),
        Node::Mod(dividend, modulus) => {
            let [value, end] = [dividend, modulus].map(|side| terms.polynomial(side));
            let small =
                prover.nonnegative(terms, &value) && prover.positive(terms, &(&*end - &value));
            small.then_some(dividend)
        }
        Node::Apply(Function::Floor, operand) => {
            let value = terms.polynomial(operand);
            let small =
                prover.nonnegative(terms, &value) && prover.positive(terms, &(&one - &value));
            small.then(|| terms.arena.number(0))
        }
        Node::Apply(Function::Ceil, operand) => {
            let value = terms.polynomial(operand);
            let small =
                prover.positive(terms, &value) && prover.nonnegative(terms, &(&one - &value));
            small.then(|| terms.arena.number(1))
        }
        _ => None,
    }
}

/// True if a comparison is proved never to hold.
fn never_holds(terms: &mut Terms, prover: &Prover, relation: Relation, sides: [ExprId; 2]) -> bool {
    if !sides.into_iter().all(|side| is_plain(terms, side)) {
        return false;
    }
    let [left, right] = sides.map(|side| terms.polynomial(side));
    let rise = &*right - &*left;
    let fall = -&rise;
    match relation {
        Relation::LessEqual => prover.positive(terms, &fall),
        Relation::Less => prover.nonnegative(terms, &fall),
        Relation::Equal => prover.positive(terms, &rise) || prover.positive(terms, &fall),
    }
}

/// The value 0 in place of a minimum of comparisons that exclude each other.
pub fn exclusive(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let [first, second] = values else {
        return Vec::new();
    };
    let (Some(first), Some(second)) = (first.as_term(), second.as_term()) else {
        return Vec::new();
    };
    one(never_together(scope, first, second).map(|zero| vec![Value::Term(zero)]))
}

fn never_together(scope: &mut Scope, first: ExprId, second: ExprId) -> Option<ExprId> {
    let terms = &mut scope.terms;
    let Node::Compare(relation, left, right) = *terms.arena.node(second) else {
        return None;
    };
    let free = terms.arena.free(first);
    let related = (terms.arena.free(second).iter()).any(|symbol| free.contains(symbol));
    if !related || !matches!(terms.arena.node(first), Node::Compare(..)) {
        return None;
    }
    let mut prover = scope.prover.with(&[first]);
    prover.allow(MOST_WORK);
    let excluded = never_holds(terms, &prover, relation, [left, right]);
    scope.prover.charge(prover.work());
    excluded.then(|| scope.terms.arena.number(0))
}

fn without_dominated(
    terms: &mut Terms,
    prover: &Prover,
    operands: &[ExprId],
    largest: bool,
) -> Option<ExprId> {
    let mut kept = operands.to_vec();
    for &operand in operands {
        let own = terms.polynomial(operand);
        let mut others = kept.iter().filter(|&&other| other != operand);
        let dominated = others.any(|&other| {
            let lead = &*terms.polynomial(other) - &*own;
            prover.nonnegative(terms, &if largest { lead } else { -lead })
        });
        if dominated {
            kept.retain(|&other| other != operand);
        }
    }
    (kept.len() < operands.len()).then(|| extreme(terms, &kept, largest))
}

/// A sum in which a truth value selects a term that it compares: `x * max(0, n - c)` for `(c < n) * x * (n - c)`, and
/// `min(n, c)` for `(n < c) * (n - c) + c`.
pub fn chosen(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let term = values.first().and_then(Value::as_term);
    let found = term.and_then(|term| by_extreme(scope, term));
    one(found.map(|sum| vec![Value::Term(sum)]))
}

fn by_extreme(scope: &mut Scope, term: ExprId) -> Option<ExprId> {
    let sum = scope.terms.polynomial(term);
    choices(&mut scope.terms, &sum)
        .into_iter()
        .find_map(|choice| {
            let one = Polynomial::one();
            let (beyond, whole) = match choice.relation {
                Relation::Less => (&choice.difference - &one, true),
                Relation::LessEqual => (&choice.difference + &one, true),
                Relation::Equal => return None,
            };
            let bounds = [(choice.difference.clone(), false), (beyond, whole)];
            bounds.into_iter().find_map(|(bound, whole)| {
                let quotient = multiple(&choice.chosen, &bound)?;
                quotient.as_term()?;
                let proved = !whole || scope.prover.integer(&mut scope.terms, &choice.difference);
                proved.then(|| beside(&mut scope.terms, &quotient, &bound, &choice.rest, true))?
            })
        })
}

/// `quotient` of `quotient * divisor`, defined wherever that is.
fn multiple(product: &Polynomial, divisor: &Polynomial) -> Option<Polynomial> {
    if divisor.as_constant().is_some() {
        return None;
    }
    let quotient = product.divide_exact(divisor)?;
    // A monomial divides everything.
    let mut powers = divisor.exponents().into_iter();
    let divides = powers.all(|(atom, (least, _))| {
        if least < 0 {
            quotient.degree_in(atom) <= 0
        } else {
            quotient.min_degree_in(atom) >= 0
        }
    });
    divides.then_some(quotient)
}
