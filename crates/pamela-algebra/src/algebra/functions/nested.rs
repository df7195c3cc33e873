//! Maxima and minima inside sums of products, as operands of the sums themselves.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::expr::{Arena, ExprId, Node};
use crate::ring::Polynomial;

use super::extreme;
use crate::algebra::facts::Prover;
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{Terms, expr_of};

/// Terms nested deeper in maxima and minima are not examined.
const DEPTH: u32 = 3;
/// Nor are sums of more terms.
const MOST_TERMS: usize = 16;
/// Larger terms are not examined: terms in deep chains of maxima would be examined again at each link.
const MOST_SIZE: u32 = 48;

/// For each operand of a maximum inside a term: the term with only that operand, and the term without it.
pub fn inner_max(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    told_apart(scope, values, true)
}

/// Like [`inner_max`], for minima.
pub fn inner_min(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    told_apart(scope, values, false)
}

fn told_apart(scope: &mut Scope, values: &[Value], greatest: bool) -> Vec<Vec<Value>> {
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let (terms, prover) = (&mut scope.terms, &scope.prover);
    if terms.arena.size(term) > MOST_SIZE {
        return Vec::new();
    }
    let found = alternatives(terms, prover, term, greatest, DEPTH);
    let pair = |pair: [Polynomial; 2]| pair.map(|p| Value::Term(terms.expression(&p))).to_vec();
    found.into_iter().map(pair).collect()
}

/// Pairs whose larger one the term is, or whose smaller one: the first is that of a single operand.
fn alternatives(
    terms: &mut Terms,
    prover: &Prover,
    term: ExprId,
    greatest: bool,
    depth: u32,
) -> Vec<[Polynomial; 2]> {
    let mut found = Vec::new();
    let whole = terms.polynomial(term);
    for part in inner_extremes(terms, prover, &whole, greatest) {
        for position in 0..part.operands.len() {
            let mut others = part.operands.clone();
            let operand = others.remove(position);
            let mut pairs = vec![(operand, extreme(terms, &others, part.of_max))];
            if depth > 0 {
                for pair in alternatives(terms, prover, operand, part.of_max, depth - 1) {
                    let [alone, rest] = pair.map(|p| terms.expression(&p));
                    let rest = extreme(terms, &[&others[..], &[rest]].concat(), part.of_max);
                    pairs.push((alone, rest));
                }
            }
            found.extend(pairs.into_iter().filter_map(|(alone, rest)| {
                Some([part.with(terms, alone)?, part.with(terms, rest)?])
            }));
        }
    }
    found
}

/// A maximum or minimum inside a sum of products, `factor * extreme + rest`.
struct Inner {
    of_max: bool,
    operands: Vec<ExprId>,
    factor: Polynomial,
    rest: Polynomial,
}

impl Inner {
    /// The whole, where the extreme has this value.
    fn with(&self, terms: &mut Terms, value: ExprId) -> Option<Polynomial> {
        let value = terms.polynomial(value);
        Some(&terms.multiply(&self.factor, &value)? + &self.rest)
    }
}

/// The nested maxima and minima by whose operands the whole is a maximum (or minimum) of as many terms: maxima with a
/// nonnegative factor and minima with a nonpositive one, or the reverse.
fn inner_extremes(
    terms: &mut Terms,
    prover: &Prover,
    whole: &Polynomial,
    greatest: bool,
) -> Vec<Inner> {
    if whole.len() > MOST_TERMS {
        return Vec::new();
    }
    let mut found = Vec::new();
    for atom in whole.atoms() {
        let (of_max, operands) = match terms.arena.node(expr_of(atom)) {
            Node::Max(list) => (true, list.to_vec()),
            Node::Min(list) => (false, list.to_vec()),
            _ => continue,
        };
        let mut by_power = whole.coefficients_in(atom);
        let rest = by_power.remove(&0).unwrap_or_default();
        let Some(factor) = by_power.remove(&1).filter(|_| by_power.is_empty()) else {
            continue;
        };
        let keeps = if of_max == greatest {
            prover.nonnegative(terms, &factor)
        } else {
            prover.nonnegative(terms, &-&factor)
        };
        let others = whole.atoms().into_iter().map(expr_of);
        let mut others = others.filter(|&other| other != expr_of(atom));
        if keeps && !others.any(|other| has_part(&terms.arena, other, expr_of(atom))) {
            found.push(Inner {
                of_max,
                operands,
                factor,
                rest,
            });
        }
    }
    found
}

fn has_part(arena: &Arena, whole: ExprId, part: ExprId) -> bool {
    let (mut pending, mut seen) = (vec![whole], FxHashSet::default());
    while let Some(id) = pending.pop() {
        if id == part {
            return true;
        }
        if arena.size(id) > arena.size(part) && seen.insert(id) {
            pending.extend(arena.operands(id));
        }
    }
    false
}

/// The operands of a maximum or minimum after nested ones with a positive factor are merged into it: `c`, `n * x` and
/// `n * y` for `max(c, n * max(x, y))`; limited in number.
pub fn flattened(
    terms: &mut Terms,
    prover: &Prover,
    operands: &[ExprId],
    greatest: bool,
    most: usize,
) -> Option<Vec<Rc<Polynomial>>> {
    let mut flat = Vec::new();
    let mut pending: Vec<_> = operands.iter().map(|&o| terms.polynomial(o)).collect();
    while let Some(operand) = pending.pop() {
        if flat.len() + pending.len() >= most {
            return None;
        }
        let inner = inner_extremes(terms, prover, &operand, greatest);
        let inner = inner.into_iter().find(|inner| {
            if inner.of_max == greatest {
                prover.positive(terms, &inner.factor)
            } else {
                prover.positive(terms, &-&inner.factor)
            }
        });
        match inner {
            Some(inner) => {
                for &value in &inner.operands {
                    pending.push(Rc::new(inner.with(terms, value)?));
                }
            }
            None => flat.push(operand),
        }
    }
    Some(flat)
}
