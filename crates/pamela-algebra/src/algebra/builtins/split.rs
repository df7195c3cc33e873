//! Cuts ranges where a bracket, a maximum, a minimum, an absolute value or a conditional changes.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation, Sort};
use crate::ring::Polynomial;

use super::geometric::linear_in;
use super::powers::line_of_powers;
use super::{Loop, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::Terms;

/// A part of the body that is one thing where `difference` is at most (or below) 0, another elsewhere.
pub(super) struct Switch {
    pub part: ExprId,
    /// The difference, which is linear in the index.
    pub difference: ExprId,
    /// True for a condition `< 0` instead of `<= 0`.
    pub strict: bool,
    /// True if both are the same where the difference is 0.
    pub continuous: bool,
    /// The value where the difference is at most 0.
    pub low: ExprId,
    /// Elsewhere.
    pub high: ExprId,
}

/// The two halves of a range: `lower..=last` with one body, `after..=upper` with the other.
pub(super) struct Halves {
    last: Polynomial,
    after: Polynomial,
    first: ExprId,
    second: ExprId,
}

/// Cuts a sum in two where a part of its body switches.
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

/// A largest element over a range is the larger one of the two halves, if no element is negative (an empty half
/// counts as 0).
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
    let first = terms.canonical(halves.first);
    let second = terms.canonical(halves.second);
    [
        parts.over(terms, &parts.lower, &halves.last, first),
        parts.over(terms, &halves.after, &parts.upper, second),
    ]
}

pub(super) fn halves(scope: &mut Scope, parts: &Loop) -> Option<Halves> {
    let candidates = switching_parts(&mut scope.terms, parts);
    candidates.into_iter().find_map(|part| {
        let switch = switch(scope, parts, part)?;
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
            // The body of another reduction may depend on its index, so only the bounds are searched.
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

pub(super) fn switch(scope: &mut Scope, parts: &Loop, part: ExprId) -> Option<Switch> {
    let terms = &mut scope.terms;
    match terms.arena.node(part).clone() {
        Node::Compare(Relation::Equal, ..) => None,
        Node::Compare(relation, left, right) => {
            let (low, high) = (terms.arena.number(1), terms.arena.number(0));
            let (difference, strict) = line(scope, parts, relation, left, right);
            Some(Switch {
                part,
                difference,
                strict,
                continuous: false,
                low,
                high,
            })
        }
        Node::If(condition, low, high) => {
            let Node::Compare(relation, left, right) = *terms.arena.node(condition) else {
                return None;
            };
            if relation == Relation::Equal {
                return None;
            }
            let (difference, strict) = line(scope, parts, relation, left, right);
            Some(Switch {
                part,
                difference,
                strict,
                continuous: false,
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
                continuous: true,
                low,
                high: operand,
            })
        }
        Node::Max(list) => {
            let crossing = crossing(scope, parts, &list, true)?;
            Some(Switch {
                part,
                difference: crossing.difference,
                strict: false,
                continuous: true,
                low: crossing.without_first,
                high: crossing.without_second,
            })
        }
        Node::Min(list) => {
            let crossing = crossing(scope, parts, &list, false)?;
            Some(Switch {
                part,
                difference: crossing.difference,
                strict: false,
                continuous: true,
                low: crossing.without_second,
                high: crossing.without_first,
            })
        }
        _ => None,
    }
}

/// `left - right`, or a line in the index that has the sign of it, and whether it is to be below 0: `2^i + 1 <= n` of whole
/// numbers is `i < log2(n)`.
fn line(
    scope: &mut Scope,
    parts: &Loop,
    relation: Relation,
    left: ExprId,
    right: ExprId,
) -> (ExprId, bool) {
    let strict = relation == Relation::Less;
    let terms = &mut scope.terms;
    let difference = terms.arena.subtract(left, right);
    if is_cut(terms, parts, difference) {
        return (difference, strict);
    }
    let mut found = line_of_powers(scope, difference).map(|line| (line, strict));
    if found.is_none() && !strict {
        let whole = scope.terms.polynomial(difference);
        let before = &*whole - &Polynomial::one();
        let whole = integral(&mut scope.terms, &before);
        let whole = scope.terms.canonical(whole);
        if scope.holds(whole) {
            let before = scope.terms.expression(&before);
            found = line_of_powers(scope, before).map(|line| (line, true));
        }
    }
    let is_line = |(line, _): &(ExprId, bool)| is_cut(&mut scope.terms, parts, *line);
    found.filter(is_line).unwrap_or((difference, strict))
}

/// Two operands that cross: their difference, and the operand lists without the first and without the second.
struct Crossing {
    difference: ExprId,
    without_first: ExprId,
    without_second: ExprId,
}

/// Among several operands: one that crosses all others along a line, else a pair.
///
/// Three or more operands are cut pairwise: `max(x, y, z)` is `max(x, z)` on one side of the crossing of x and y, and
/// `max(y, z)` on the other. Operands that do not depend on the index count as one.
fn crossing(scope: &mut Scope, parts: &Loop, list: &[ExprId], largest: bool) -> Option<Crossing> {
    let extreme = |terms: &mut Terms, operands: &[ExprId]| {
        if largest {
            terms.arena.max(operands)
        } else {
            terms.arena.min(operands)
        }
    };
    let cross = |scope: &mut Scope, first: &[ExprId], second: &[ExprId]| {
        let terms = &mut scope.terms;
        let without = |left_out: &[ExprId]| -> Vec<ExprId> {
            let kept = list.iter().copied();
            kept.filter(|operand| !left_out.contains(operand)).collect()
        };
        let [of_first, of_second] = [first, second].map(|operands| extreme(terms, operands));
        let mut difference = terms.arena.subtract(of_first, of_second);
        if !is_cut(terms, parts, difference) {
            difference = line_of_powers(scope, difference)?;
            is_cut(&mut scope.terms, parts, difference).then_some(())?;
        }
        let terms = &mut scope.terms;
        Some(Crossing {
            difference,
            without_first: extreme(terms, &without(first)),
            without_second: extreme(terms, &without(second)),
        })
    };
    for (position, &operand) in list.iter().enumerate() {
        let mut others = list.to_vec();
        others.remove(position);
        let found = cross(scope, &[operand], &others);
        if found.is_some() {
            return found;
        }
    }
    let (moving, resting): (Vec<ExprId>, Vec<ExprId>) =
        (list.iter().copied()).partition(|&operand| parts.depends(&scope.terms.arena, operand));
    for (position, &operand) in moving.iter().enumerate() {
        let against = moving[position + 1..].iter().map(|&other| vec![other]);
        let against = [resting.clone()].into_iter().chain(against);
        for others in against.filter(|others| !others.is_empty()) {
            let found = cross(scope, &[operand], &others);
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// True if the difference is linear in the index, or in its square.
fn is_cut(terms: &mut Terms, parts: &Loop, difference: ExprId) -> bool {
    if linear_in(terms, parts, difference).is_some() {
        return true;
    }
    square_in(terms, parts, difference).is_some()
}

/// `(slope, offset)` of `slope * i^2 + offset`.
fn square_in(terms: &mut Terms, parts: &Loop, id: ExprId) -> Option<(Polynomial, Polynomial)> {
    let polynomial = terms.polynomial(id);
    let mut by_power = polynomial.coefficients_in(parts.index);
    let slope = by_power.remove(&2)?;
    let offset = by_power.remove(&0).unwrap_or_default();
    let free = |p: &Polynomial| !terms.polynomial_mentions(p, parts.reduction.index);
    (by_power.is_empty() && free(&slope) && free(&offset)).then_some((slope, offset))
}

/// The switch position, clamped to the range, with the bodies on both sides.
fn cut(scope: &mut Scope, parts: &Loop, switch: &Switch) -> Option<Halves> {
    if let Some((slope, _)) = linear_in(&mut scope.terms, parts, switch.difference) {
        let rising = rising(scope, &slope)?;
        return cut_along(scope, parts, switch, rising);
    }
    cut_at_root(scope, parts, switch)
}

/// Like `cut_along`, for a difference `slope * i^2 + offset` over nonnegative indices.
fn cut_at_root(scope: &mut Scope, parts: &Loop, switch: &Switch) -> Option<Halves> {
    let (slope, offset) = square_in(&mut scope.terms, parts, switch.difference)?;
    let rising = rising(scope, &slope)?;
    let whole = integral(&mut scope.terms, &parts.lower);
    let whole = scope.terms.canonical(whole);
    let [slope, offset] = [&slope, &-&offset].map(|p| scope.terms.expression(p));
    let square = scope.terms.arena.divide(offset, slope);
    let square = (*scope.terms.polynomial(square)).clone();
    if !scope.prover.nonnegative(&mut scope.terms, &parts.lower)
        || !scope.prover.nonnegative(&mut scope.terms, &square)
        || !scope.holds(whole)
    {
        return None;
    }
    let terms = &mut scope.terms;
    let square = terms.expression(&square);
    let root = terms.arena.apply(Function::Sqrt, square);
    let (one, includes_root) = (Polynomial::one(), rising != switch.strict);
    let cut = if includes_root {
        terms.arena.apply(Function::Floor, root)
    } else {
        terms.arena.apply(Function::Ceil, root)
    };
    let cut = (*terms.polynomial(cut)).clone();
    let cut = if includes_root { cut } else { &cut - &one };
    Some(halved(scope, parts, switch, cut, rising))
}

/// Like `cut`, for a difference that is known to increase or to decrease.
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
    let mut cut = cut_after(scope, parts, &steps, includes_root);
    let is_scalar = scope.terms.arena.sort(parts.reduction.body) == Sort::Scalar;
    if switch.continuous && is_scalar {
        let own = clamps(scope, parts, &cut);
        let other = cut_after(scope, parts, &steps, !includes_root);
        if own > 0 && clamps(scope, parts, &other) < own {
            cut = other;
        }
    }
    Some(halved(scope, parts, switch, cut, rising))
}

/// The last index within this many steps from the lower bound.
fn cut_after(
    scope: &mut Scope,
    parts: &Loop,
    steps: &Polynomial,
    includes_root: bool,
) -> Polynomial {
    match (rounded(scope, steps, includes_root), includes_root) {
        (steps, true) => &parts.lower + &steps,
        (steps, false) => &(&parts.lower + &steps) - &Polynomial::one(),
    }
}

/// Number of bounds of a range that a cut may exceed.
fn clamps(scope: &mut Scope, parts: &Loop, cut: &Polynomial) -> usize {
    let before = &parts.lower - &Polynomial::one();
    let gaps = [cut - &before, &parts.upper - cut];
    let mut known = |gap| scope.prover.nonnegative(&mut scope.terms, gap);
    gaps.iter().filter(|gap| !known(*gap)).count()
}

/// The halves up to a cut, which is clamped into the range, and from there on.
fn halved(
    scope: &mut Scope,
    parts: &Loop,
    switch: &Switch,
    cut: Polynomial,
    rising: bool,
) -> Halves {
    let from_lower = from_lower(scope, parts, &cut);
    let clamped = up_to_upper(scope, parts, &from_lower);
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
    let (first, second) = (with(first), with(second));
    // A part that is undefined beyond the cut must be proved defined up to the cut, even if the cut lies outside the
    // range.
    let index = parts.reduction.index;
    let last = if scope.is_partial_in(first, index) {
        up_to_upper(scope, parts, &cut)
    } else {
        clamped.clone()
    };
    let before = if scope.is_partial_in(second, index) {
        from_lower
    } else {
        clamped
    };
    Halves {
        last,
        after: &before + &Polynomial::one(),
        first,
        second,
    }
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

/// `max(lower - 1, cut)`, where it is not known to be `cut`.
fn from_lower(scope: &mut Scope, parts: &Loop, cut: &Polynomial) -> Polynomial {
    let before = &parts.lower - &Polynomial::one();
    let gap = cut - &before;
    if scope.prover.nonnegative(&mut scope.terms, &gap) {
        return cut.clone();
    }
    let operands = [cut, &before].map(|p| scope.terms.expression(p));
    let clamped = scope.terms.arena.max(&operands);
    (*scope.terms.polynomial(clamped)).clone()
}

/// `min(upper, cut)`, where it is not known to be `cut`.
fn up_to_upper(scope: &mut Scope, parts: &Loop, cut: &Polynomial) -> Polynomial {
    let gap = &parts.upper - cut;
    if scope.prover.nonnegative(&mut scope.terms, &gap) {
        return cut.clone();
    }
    let operands = [cut, &parts.upper].map(|p| scope.terms.expression(p));
    let clamped = scope.terms.arena.min(&operands);
    (*scope.terms.polynomial(clamped)).clone()
}
