//! Ranges cut where a bracket, a maximum, a minimum, an absolute value or a conditional changes.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::Polynomial;

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::Terms;
use super::geometric::linear_in;
use super::{Loop, at_most, integral};

/// A part of the body that is one thing where `difference` is at most (or below) 0, another elsewhere.
pub(super) struct Switch {
    pub part: ExprId,
    /// Linear in the index.
    pub difference: ExprId,
    /// Below 0 instead of at most 0.
    pub strict: bool,
    /// Where the difference is at most 0.
    pub low: ExprId,
    /// Elsewhere.
    pub high: ExprId,
}

/// The two halves of a range: `lower..=cut` with one body, `cut+1..=upper` with the other.
pub(super) struct Halves {
    cut: Polynomial,
    first: ExprId,
    second: ExprId,
}

/// A sum is cut in two where a part of its body switches.
pub fn sum(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let Some(halves) = halves(scope, &parts) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let [first, second] = reductions(terms, &parts, &halves);
    let guards = parts.sum_guards(terms);
    vec![Candidate {
        right: terms.arena.add(&[first, second]),
        guards,
    }]
}

/// A largest element over a range is the larger of the two halves', where none is negative (an
/// empty half counts 0).
pub fn max(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Max) else {
        return Vec::new();
    };
    let Some(halves) = halves(scope, &parts) else {
        return Vec::new();
    };
    for body in [halves.first, halves.second] {
        let body = scope.terms.polynomial(body);
        if !scope.prover.nonnegative(&mut scope.terms, &body) {
            return Vec::new();
        }
    }
    let terms = &mut scope.terms;
    let reductions = reductions(terms, &parts, &halves);
    Candidate::always(terms.arena.max(&reductions))
}

pub(super) fn reductions(terms: &mut Terms, parts: &Loop, halves: &Halves) -> [ExprId; 2] {
    let after = &halves.cut + &Polynomial::one();
    let first = terms.canonical(halves.first);
    let second = terms.canonical(halves.second);
    [
        parts.over(terms, &parts.lower, &halves.cut, first),
        parts.over(terms, &after, &parts.upper, second),
    ]
}

pub(super) fn halves(scope: &mut Scope, parts: &Loop) -> Option<Halves> {
    let candidates = switching_parts(&mut scope.terms, parts);
    candidates.into_iter().find_map(|part| {
        let switch = switch(&mut scope.terms, parts, part)?;
        cut(scope, parts, &switch)
    })
}

/// The innermost parts of the body that depend on the index and may switch, in structural order.
pub(super) fn switching_parts(terms: &mut Terms, parts: &Loop) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut pending = vec![parts.reduction.body];
    while let Some(id) = pending.pop() {
        if !parts.depends(&terms.arena, id) || !seen.insert(id) {
            continue;
        }
        if let Node::Reduce(r) = *terms.arena.node(id) {
            // What lies inside another binder may depend on its index: only the bounds are ours.
            pending.extend([r.lower, r.upper]);
            continue;
        }
        let switches = match terms.arena.node(id) {
            Node::Max(_) | Node::Min(_) | Node::If(..) | Node::Apply(Function::Abs, _) => true,
            Node::Compare(relation, ..) => *relation != Relation::Equal,
            _ => false,
        };
        if switches {
            found.push(id);
        }
        pending.extend(terms.arena.operands(id));
    }
    found.sort_by(|&a, &b| {
        terms
            .arena
            .size(a)
            .cmp(&terms.arena.size(b))
            .then_with(|| terms.arena.compare(a, b))
    });
    found
}

pub(super) fn switch(terms: &mut Terms, parts: &Loop, part: ExprId) -> Option<Switch> {
    match terms.arena.node(part).clone() {
        Node::Compare(relation, left, right) => {
            let (low, high) = (terms.arena.number(1), terms.arena.number(0));
            let difference = terms.arena.subtract(left, right);
            Some(Switch {
                part,
                difference,
                strict: relation == Relation::Less,
                low,
                high,
            })
        }
        Node::If(condition, low, high) => {
            let Node::Compare(relation, left, right) = *terms.arena.node(condition) else {
                return None;
            };
            let difference = terms.arena.subtract(left, right);
            let strict = relation == Relation::Less;
            (relation != Relation::Equal).then_some(Switch {
                part,
                difference,
                strict,
                low,
                high,
            })
        }
        Node::Apply(_, operand) => {
            let low = terms.arena.negate(operand);
            Some(Switch {
                part,
                difference: operand,
                strict: false,
                low,
                high: operand,
            })
        }
        Node::Max(list) => {
            let (operand, rest) = crossing(terms, parts, &list, true)?;
            let difference = terms.arena.subtract(operand, rest);
            Some(Switch {
                part,
                difference,
                strict: false,
                low: rest,
                high: operand,
            })
        }
        Node::Min(list) => {
            let (operand, rest) = crossing(terms, parts, &list, false)?;
            let difference = terms.arena.subtract(operand, rest);
            Some(Switch {
                part,
                difference,
                strict: false,
                low: operand,
                high: rest,
            })
        }
        _ => None,
    }
}

/// Of several operands, one that crosses another along a line, against all others.
///
/// Three and more are cut pairwise: `max(x, y, z)` is `max(x, z)` on one side of where x meets y and
/// `max(y, z)` on the other, which is what comes of taking the rest as one operand when it is linear.
fn crossing(
    terms: &mut Terms,
    parts: &Loop,
    list: &[ExprId],
    largest: bool,
) -> Option<(ExprId, ExprId)> {
    for (position, &operand) in list.iter().enumerate() {
        let others: Vec<ExprId> = list
            .iter()
            .enumerate()
            .filter(|&(k, _)| k != position)
            .map(|(_, &o)| o)
            .collect();
        let rest = if largest {
            terms.arena.max(&others)
        } else {
            terms.arena.min(&others)
        };
        let difference = terms.arena.subtract(operand, rest);
        if linear_in(terms, parts, difference).is_some() {
            return Some((operand, rest));
        }
    }
    None
}

/// Where the switch happens, clamped into the range, with the body on both sides.
fn cut(scope: &mut Scope, parts: &Loop, switch: &Switch) -> Option<Halves> {
    let (slope, _) = linear_in(&mut scope.terms, parts, switch.difference)?;
    let rising = rising(scope, &slope)?;
    cut_along(scope, parts, switch, rising)
}

/// The same where the difference is known to rise, or to fall.
pub(super) fn cut_along(
    scope: &mut Scope,
    parts: &Loop,
    switch: &Switch,
    rising: bool,
) -> Option<Halves> {
    let (slope, offset) = linear_in(&mut scope.terms, parts, switch.difference)?;
    let terms = &mut scope.terms;
    let slope = terms.expression(&slope);
    let offset = terms.expression(&-&offset);
    let root = terms.arena.divide(offset, slope);
    let root = (*terms.polynomial(root)).clone();
    // Steps from the lower bound to the root; the last index before the switch is at their floor,
    // or one before their ceiling where the root itself belongs to the second half.
    let includes_root = rising != switch.strict;
    let steps = &root - &parts.lower;
    let cut = match (rounded(scope, &steps, includes_root), includes_root) {
        (steps, true) => &parts.lower + &steps,
        (steps, false) => &(&parts.lower + &steps) - &Polynomial::one(),
    };
    let cut = clamped(scope, parts, cut);
    let (first, second) = if rising {
        (switch.low, switch.high)
    } else {
        (switch.high, switch.low)
    };
    let body = parts.reduction.body;
    let mut with = |value| {
        let part = switch.part;
        scope
            .terms
            .arena
            .replace(body, &|_, id| (id == part).then_some(value))
    };
    Some(Halves {
        cut,
        first: with(first),
        second: with(second),
    })
}

/// The sign of a slope that is known not to be 0.
fn rising(scope: &mut Scope, slope: &Polynomial) -> Option<bool> {
    if scope.prover.positive(&mut scope.terms, slope) {
        return Some(true);
    }
    scope
        .prover
        .positive(&mut scope.terms, &-slope)
        .then_some(false)
}

fn rounded(scope: &mut Scope, steps: &Polynomial, down: bool) -> Polynomial {
    let whole = integral(&mut scope.terms, steps);
    let whole = scope.terms.canonical(whole);
    if scope.holds(whole) {
        return steps.clone();
    }
    let function = if down {
        Function::Floor
    } else {
        Function::Ceil
    };
    let steps = scope.terms.expression(steps);
    let rounded = scope.terms.arena.apply(function, steps);
    (*scope.terms.polynomial(rounded)).clone()
}

/// `min(upper, max(lower - 1, cut))`, where it is not known to be `cut`.
fn clamped(scope: &mut Scope, parts: &Loop, cut: Polynomial) -> Polynomial {
    let before = &parts.lower - &Polynomial::one();
    let mut cut = cut;
    if !scope
        .prover
        .nonnegative(&mut scope.terms, &(&cut - &before))
    {
        let operands = [
            scope.terms.expression(&cut),
            scope.terms.expression(&before),
        ];
        let clamped = scope.terms.arena.max(&operands);
        cut = (*scope.terms.polynomial(clamped)).clone();
    }
    if !scope
        .prover
        .nonnegative(&mut scope.terms, &(&parts.upper - &cut))
    {
        let operands = [
            scope.terms.expression(&cut),
            scope.terms.expression(&parts.upper),
        ];
        let clamped = scope.terms.arena.min(&operands);
        cut = (*scope.terms.polynomial(clamped)).clone();
    }
    cut
}

/// An equality with the index singles out one element: `sum {f * (i == k)}` is `f` at `k`, if `k` is
/// in the range.
pub fn point(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Some(parts) = Loop::of(&mut scope.terms, term, ReduceKind::Sum) else {
        return Vec::new();
    };
    let terms = &mut scope.terms;
    let Some((part, at)) = equality(terms, &parts) else {
        return Vec::new();
    };
    let body = parts.reduction.body;
    let [with, without] = [1, 0].map(|value| {
        let value = terms.arena.number(value);
        terms
            .arena
            .replace(body, &|_, id| (id == part).then_some(value))
    });
    let everywhere = terms.canonical(without);
    let everywhere = parts.over(terms, &parts.lower, &parts.upper, everywhere);
    let gain = terms.arena.subtract(with, without);
    let position = terms.expression(&at);
    let gain = terms
        .arena
        .substitute(gain, parts.reduction.index, position);
    let inside = [
        at_most(terms, &parts.lower, &at),
        at_most(terms, &at, &parts.upper),
        integral(terms, &(&at - &parts.lower)),
        gain,
    ];
    let single = terms.arena.mul(&inside);
    Candidate::always(terms.arena.add(&[everywhere, single]))
}

/// An equality in the body that is linear in the index, with the value of the index that it asks for.
fn equality(terms: &mut Terms, parts: &Loop) -> Option<(ExprId, Polynomial)> {
    for atom in parts.body.atoms() {
        let id = super::super::terms::expr_of(atom);
        let Node::Compare(Relation::Equal, left, right) = *terms.arena.node(id) else {
            continue;
        };
        let difference = terms.arena.subtract(left, right);
        let Some((slope, offset)) = linear_in(terms, parts, difference) else {
            continue;
        };
        let Some(inverse) = slope.as_constant().and_then(|slope| slope.recip()) else {
            continue;
        };
        return Some((id, -&offset.scale(&inverse)));
    }
    None
}
