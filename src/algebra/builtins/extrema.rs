//! Largest elements of a range, and operands of `max` and `min` that never win.

use crate::expr::{ExprId, Node, ReduceKind, Symbol};
use crate::ring::{Monomial, Polynomial};

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::monotone::{Direction, direction, over_common_denominator, step};
use super::{Loop, at_most, integral};

/// A `max` of more operands than this is not searched for dominated ones.
const MOST_OPERANDS: usize = 48;

/// The largest element of a body that never falls is the last.
pub fn increasing(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    at_end(scope, term, Direction::Rising)
}

/// The largest element of a body that never rises is the first.
pub fn decreasing(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    at_end(scope, term, Direction::Falling)
}

fn at_end(scope: &mut Scope, term: ExprId, wanted: Direction) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Max) else {
        return Vec::new();
    };
    let index = parts.reduction.index;
    if !scope.terms.mentions(parts.reduction.body, index) {
        return Vec::new();
    }
    if direction(scope, parts.reduction.body, index) != Some(wanted) {
        return Vec::new();
    }
    let mut guards = vec![parts.nonempty(&mut scope.terms)];
    let end = match wanted {
        Direction::Falling => parts.reduction.lower,
        _ => {
            guards.push(parts.aligned(&mut scope.terms));
            parts.reduction.upper
        }
    };
    let right = scope
        .terms
        .arena
        .substitute(parts.reduction.body, index, end);
    vec![Candidate { right, guards }]
}

/// The k-th smallest element of a body that never falls is the k-th from the start, of one that never
/// rises the k-th from the end.
pub fn kth_monotone(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Reduce(r) = *scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let ReduceKind::Kth(quorum) = r.kind else {
        return Vec::new();
    };
    let Some(parts) = Loop::of(&mut scope.terms, term, r.kind) else {
        return Vec::new();
    };
    let moves = direction(scope, r.body, r.index);
    let terms = &mut scope.terms;
    let (one, quorum) = (Polynomial::one(), (*terms.polynomial(quorum)).clone());
    let position = match moves {
        Some(Direction::Rising) => &(&parts.lower + &quorum) - &one,
        Some(Direction::Falling) => &(&parts.upper - &quorum) + &one,
        _ => return Vec::new(),
    };
    let count = &(&parts.upper - &parts.lower) + &one;
    let guards = vec![
        at_most(terms, &one, &quorum),
        at_most(terms, &quorum, &count),
        integral(terms, &quorum),
        parts.aligned(terms),
    ];
    let position = terms.expression(&position);
    let right = terms.arena.substitute(r.body, r.index, position);
    vec![Candidate { right, guards }]
}

/// The largest element of a convex body is at one of the ends.
pub fn convex(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Max) else {
        return Vec::new();
    };
    let index = parts.reduction.index;
    if !scope.terms.mentions(parts.reduction.body, index)
        || !is_convex(scope, parts.reduction.body, index)
    {
        return Vec::new();
    }
    let guards = vec![
        parts.nonempty(&mut scope.terms),
        parts.aligned(&mut scope.terms),
    ];
    let arena = &mut scope.terms.arena;
    let ends = [parts.reduction.lower, parts.reduction.upper];
    let values = ends.map(|end| arena.substitute(parts.reduction.body, index, end));
    vec![Candidate {
        right: arena.max(&values),
        guards,
    }]
}

fn is_convex(scope: &mut Scope, body: ExprId, index: Symbol) -> bool {
    let once = step(scope, body, index);
    let twice = step(scope, once, index);
    let second = scope.terms.polynomial(twice);
    let second = over_common_denominator(scope, &second);
    scope.prover.nonnegative(&mut scope.terms, &second)
}

/// Operands of a `max` that are at most another are left out.
pub fn max_dominated(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Max(list) = scope.terms.arena.node(term).clone() else {
        return Vec::new();
    };
    let kept = undominated(scope, &list, true);
    if kept.len() == list.len() {
        return Vec::new();
    }
    Candidate::always(scope.terms.arena.max(&kept))
}

/// Operands of a `min` that are at least another are left out.
pub fn min_dominated(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Min(list) = scope.terms.arena.node(term).clone() else {
        return Vec::new();
    };
    let kept = undominated(scope, &list, false);
    if kept.len() == list.len() {
        return Vec::new();
    }
    Candidate::always(scope.terms.arena.min(&kept))
}

fn undominated(scope: &mut Scope, list: &[ExprId], largest: bool) -> Vec<ExprId> {
    let mut kept: Vec<ExprId> = list.to_vec();
    if list.len() > MOST_OPERANDS {
        return kept;
    }
    let mut position = 0;
    while position < kept.len() {
        let operand = kept[position];
        let dominated = kept
            .iter()
            .any(|&other| other != operand && wins(scope, other, operand, largest));
        if dominated {
            kept.remove(position);
        } else {
            position += 1;
        }
    }
    kept
}

fn wins(scope: &mut Scope, winner: ExprId, loser: ExprId, largest: bool) -> bool {
    // What is still open is compared when it is closed.
    if scope.terms.cost(winner).open > 0 || scope.terms.cost(loser).open > 0 {
        return false;
    }
    let (winner, loser) = (
        scope.terms.polynomial(winner),
        scope.terms.polynomial(loser),
    );
    let lead = &*winner - &*loser;
    let lead = if largest { lead } else { -&lead };
    scope.prover.nonnegative(&mut scope.terms, &lead)
}

/// `max(c*x + d, c*y + d) = c*max(x, y) + d` for what all operands share, `c >= 0`.
pub fn max_common(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Max(list) = scope.terms.arena.node(term).clone() else {
        return Vec::new();
    };
    common(scope, &list, true)
}

/// The same for `min`.
pub fn min_common(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Min(list) = scope.terms.arena.node(term).clone() else {
        return Vec::new();
    };
    common(scope, &list, false)
}

/// `max(-x, -y) = -min(x, y)`
pub fn max_negated(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Max(list) = scope.terms.arena.node(term).clone() else {
        return Vec::new();
    };
    let Some(positive) = negated(scope, &list) else {
        return Vec::new();
    };
    let smallest = scope.terms.arena.min(&positive);
    Candidate::always(scope.terms.arena.negate(smallest))
}

/// `min(-x, -y) = -max(x, y)`
pub fn min_negated(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Min(list) = scope.terms.arena.node(term).clone() else {
        return Vec::new();
    };
    let Some(positive) = negated(scope, &list) else {
        return Vec::new();
    };
    let largest = scope.terms.arena.max(&positive);
    Candidate::always(scope.terms.arena.negate(largest))
}

/// The operands with the other sign, if all begin with a minus.
fn negated(scope: &mut Scope, list: &[ExprId]) -> Option<Vec<ExprId>> {
    let mirror = |&operand: &ExprId| {
        let polynomial = scope.terms.polynomial(operand);
        let begins_with_minus = scope.terms.leading_sign(&polynomial).is_lt();
        begins_with_minus.then(|| scope.terms.expression(&-&*polynomial))
    };
    list.iter().map(mirror).collect()
}

fn common(scope: &mut Scope, list: &[ExprId], largest: bool) -> Vec<Candidate> {
    let operands: Vec<Polynomial> = list
        .iter()
        .map(|&operand| (*scope.terms.polynomial(operand)).clone())
        .collect();
    let shared = shared_terms(&operands);
    let rest: Vec<Polynomial> = operands.iter().map(|operand| operand - &shared).collect();
    let factor = shared_factor(scope, &rest);
    let (factor, rest) = match factor.checked_pow(-1) {
        Some(inverse) => {
            let divided = rest
                .iter()
                .map(|p| p.mul_term(&inverse, &crate::ring::Rational::ONE));
            match divided.collect::<Option<Vec<_>>>() {
                Some(divided) => (factor, divided),
                None => (Monomial::one(), rest),
            }
        }
        None => (Monomial::one(), rest),
    };
    if factor.is_one() && shared.is_zero() {
        return Vec::new();
    }
    let terms = &mut scope.terms;
    let inner: Vec<ExprId> = rest.iter().map(|p| terms.expression(p)).collect();
    let inner = if largest {
        terms.arena.max(&inner)
    } else {
        terms.arena.min(&inner)
    };
    let signs = factor.powers().iter().map(|&(atom, _)| {
        let atom = Polynomial::atom(atom);
        at_most(terms, &Polynomial::zero(), &atom)
    });
    let guards = signs.collect();
    let factor = terms.expression(&Polynomial::term(factor, crate::ring::Rational::ONE));
    let scaled = terms.arena.mul(&[factor, inner]);
    let shared = terms.expression(&shared);
    vec![Candidate {
        right: terms.arena.add(&[scaled, shared]),
        guards,
    }]
}

/// The terms that stand in all operands.
fn shared_terms(operands: &[Polynomial]) -> Polynomial {
    let Some((first, others)) = operands.split_first() else {
        return Polynomial::zero();
    };
    let shared = first
        .terms()
        .filter(|&(m, c)| others.iter().all(|other| other.coefficient(m) == *c));
    Polynomial::from_terms(shared.map(|(m, c)| (m.clone(), c.clone())).collect())
}

/// The greatest monomial that divides all operands and is known not to be negative.
fn shared_factor(scope: &mut Scope, operands: &[Polynomial]) -> Monomial {
    let contents: Vec<Monomial> = operands
        .iter()
        .filter(|p| !p.is_zero())
        .map(Polynomial::monomial_content)
        .collect();
    let Some((first, others)) = contents.split_first() else {
        return Monomial::one();
    };
    let mut factor = Monomial::one();
    for &(atom, exponent) in first.powers() {
        let least = others
            .iter()
            .map(|other| other.exponent(atom))
            .fold(exponent, i32::min);
        let most = others
            .iter()
            .map(|other| other.exponent(atom))
            .fold(exponent, i32::max);
        let power = if exponent > 0 {
            least.max(0)
        } else {
            most.min(0)
        };
        let signed = power != 0
            && scope
                .prover
                .nonnegative(&mut scope.terms, &Polynomial::atom(atom));
        if let (true, Some(next)) = (signed, factor.checked_mul(&Monomial::power(atom, power))) {
            factor = next;
        }
    }
    factor
}
