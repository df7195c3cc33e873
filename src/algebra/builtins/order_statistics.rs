//! The largest, smallest and k-th of independent laws.

use crate::expr::{ExprId, LawKind, Node, ReduceKind, Reduction, Relation};
use crate::ring::Polynomial;

use super::super::language::Scope;
use super::super::scope::Candidate;
use super::super::terms::{Terms, expr_of};
use super::integral;

fn one(right: ExprId, guards: Vec<ExprId>) -> Vec<Candidate> {
    vec![Candidate { right, guards }]
}

/// A largest or smallest over a range.
fn extreme(terms: &Terms, term: ExprId) -> Option<Reduction> {
    match *terms.arena.node(term) {
        Node::Reduce(r) if matches!(r.kind, ReduceKind::LawMax | ReduceKind::LawMin) => Some(r),
        _ => None,
    }
}

/// A largest, smallest or k-th over a range.
fn statistic(terms: &Terms, term: ExprId) -> Option<Reduction> {
    match *terms.arena.node(term) {
        Node::Reduce(r) if matches!(r.kind, ReduceKind::LawKth(_)) => Some(r),
        _ => extreme(terms, term),
    }
}

fn nonempty(terms: &mut Terms, r: &Reduction) -> ExprId {
    terms.arena.relate(Relation::LessEqual, r.lower, r.upper)
}

fn length(terms: &mut Terms, r: &Reduction) -> Polynomial {
    let (lower, upper) = (terms.polynomial(r.lower), terms.polynomial(r.upper));
    &(&*upper - &*lower) + &Polynomial::one()
}

fn over_copies(terms: &mut Terms, kind: ReduceKind, count: ExprId, law: ExprId) -> ExprId {
    let (index, one) = (terms.arena.fresh_index(), terms.arena.number(1));
    terms.arena.reduce(kind, index, one, count, law)
}

/// `max (i) { max (j) { X } } = max (k = 1, n * m) { X }`.
pub fn of_copies(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(outer) = extreme(terms, term) else {
        return Vec::new();
    };
    let Some(inner) = extreme(terms, outer.body).filter(|inner| inner.kind == outer.kind) else {
        return Vec::new();
    };
    let free = |id: ExprId, r: &Reduction| !terms.arena.mentions(id, r.index);
    if !free(inner.body, &inner) || !free(outer.body, &outer) {
        return Vec::new();
    }
    let guards = vec![nonempty(terms, &outer), nonempty(terms, &inner)];
    let (n, m) = (length(terms, &outer), length(terms, &inner));
    let guards = [guards, vec![integral(terms, &n), integral(terms, &m)]].concat();
    let Some(count) = terms.multiply(&n, &m) else {
        return Vec::new();
    };
    let count = terms.expression(&count);
    one(over_copies(terms, outer.kind, count, inner.body), guards)
}

/// `max (i) { X + c } = max (i) { X } + c`.
pub fn shift(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(r) = statistic(terms, term) else {
        return Vec::new();
    };
    let body = terms.polynomial(r.body);
    let leaves = |monomial: &crate::ring::Monomial| {
        monomial.powers().iter().all(|&(atom, _)| {
            let atom = expr_of(atom);
            !terms.arena.is_law(atom) && !terms.arena.mentions(atom, r.index)
        })
    };
    let all = body.terms().map(|(m, c)| (m.clone(), c.clone()));
    let (shift, rest): (Vec<_>, Vec<_>) = all.partition(|(m, _)| leaves(m));
    if shift.is_empty() || rest.is_empty() {
        return Vec::new();
    }
    let guards = vec![nonempty(terms, &r)];
    let shift = terms.expression(&Polynomial::from_terms(shift));
    let rest = terms.expression(&Polynomial::from_terms(rest));
    let inner = terms.arena.reduce(r.kind, r.index, r.lower, r.upper, rest);
    one(terms.arena.add(&[inner, shift]), guards)
}

/// `max (i) { c * X } = c * max (i) { X }`, one copy of each times c.
pub fn scale(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Some(r) = statistic(terms, term) else {
        return Vec::new();
    };
    let Node::Law(LawKind::Scale, ref operands) = *terms.arena.node(r.body) else {
        return Vec::new();
    };
    let (factor, law) = (operands[0], operands[1]);
    if terms.arena.mentions(factor, r.index) {
        return Vec::new();
    }
    let zero = terms.arena.number(0);
    let guards = vec![terms.arena.relate(Relation::LessEqual, zero, factor)];
    let inner = terms.arena.reduce(r.kind, r.index, r.lower, r.upper, law);
    one(terms.arena.scale(factor, inner), guards)
}

/// `max(X, X) = max (i = 1, 2) { X }`; an operand that is the largest of copies takes others in.
pub fn merge(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let (kind, over, operands) = match terms.arena.node(term) {
        Node::Law(kind @ LawKind::Max, list) => (*kind, ReduceKind::LawMax, list.to_vec()),
        Node::Law(kind @ LawKind::Min, list) => (*kind, ReduceKind::LawMin, list.to_vec()),
        _ => return Vec::new(),
    };
    let mut groups: Vec<(ExprId, Polynomial, Vec<ExprId>, usize)> = Vec::new();
    for &operand in &operands {
        let (law, count, guards) = match extreme(terms, operand) {
            Some(r) if r.kind == over && !terms.arena.mentions(r.body, r.index) => {
                let count = length(terms, &r);
                let guards = vec![nonempty(terms, &r), integral(terms, &count)];
                (r.body, count, guards)
            }
            _ => (operand, Polynomial::one(), Vec::new()),
        };
        match groups.iter_mut().find(|(known, ..)| *known == law) {
            Some((_, total, known, members)) => {
                *total = &*total + &count;
                known.extend(guards);
                *members += 1;
            }
            None => groups.push((law, count, guards, 1)),
        }
    }
    if groups.len() == operands.len() {
        return Vec::new();
    }
    let mut guards = Vec::new();
    let mut merged = Vec::new();
    for (law, count, own, members) in groups {
        if members == 1 && own.is_empty() {
            merged.push(law);
            continue;
        }
        if members > 1 {
            guards.extend(own);
        }
        let count = terms.expression(&count);
        merged.push(over_copies(terms, over, count, law));
    }
    one(terms.arena.law(kind, &merged), guards)
}

/// `max (i = a, a) { X } = X`.
pub fn single(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    match statistic(terms, term) {
        Some(r) if r.lower == r.upper => {
            let right = terms.arena.substitute(r.body, r.index, r.lower);
            one(right, Vec::new())
        }
        _ => Vec::new(),
    }
}

/// The largest of independent demands: of one resource, or of resources of their own.
pub fn of_demands(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Node::Law(LawKind::VectorMax, ref operands) = *terms.arena.node(term) else {
        return Vec::new();
    };
    let vector = operands[0];
    let right = largest(terms, vector);
    right.map_or_else(Vec::new, |right| one(right, Vec::new()))
}

fn largest(terms: &mut Terms, vector: ExprId) -> Option<ExprId> {
    let polynomial = terms.polynomial(vector);
    let mut units: Vec<(ExprId, Polynomial)> = Vec::new();
    let mut loops: Vec<ExprId> = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        let atom = monomial
            .powers()
            .iter()
            .map(|&(atom, _)| atom)
            .find(|&a| terms.arena.sort(expr_of(a)) == crate::expr::Sort::Vector)?;
        let amount = Polynomial::term(monomial.without(atom), coefficient.clone());
        match *terms.arena.node(expr_of(atom)) {
            Node::UnitVector(..) => {
                let unit = expr_of(atom);
                match units.iter_mut().find(|(known, _)| *known == unit) {
                    Some((_, sum)) => *sum = &*sum + &amount,
                    None => units.push((unit, amount)),
                }
            }
            Node::Reduce(_) if amount == Polynomial::one() => loops.push(expr_of(atom)),
            _ => return None,
        }
    }
    match (units.as_slice(), loops.as_slice()) {
        (_, []) if distinct(terms, &units) => {
            let amounts: Vec<ExprId> = units.iter().map(|(_, a)| terms.expression(a)).collect();
            Some(terms.arena.law(LawKind::Max, &amounts))
        }
        ([], &[single]) => injective(terms, single),
        _ => None,
    }
}

/// Whether the positions are known to be different: numbers, or of different arrays.
fn distinct(terms: &Terms, units: &[(ExprId, Polynomial)]) -> bool {
    units.len() == 1
        || units.iter().enumerate().all(|(place, (unit, _))| {
            let Node::UnitVector(array, position) = *terms.arena.node(*unit) else {
                return false;
            };
            units[..place].iter().all(|(other, _)| {
                let Node::UnitVector(own, other) = *terms.arena.node(*other) else {
                    return false;
                };
                let numbers = (
                    terms.arena.as_number(position),
                    terms.arena.as_number(other),
                );
                own != array || matches!(numbers, (Some(p), Some(q)) if p != q)
            })
        })
}

/// `max(sum (i = a, b) { X * unitvec(i + c) }) = max (i = a, b) { X }`.
fn injective(terms: &mut Terms, term: ExprId) -> Option<ExprId> {
    let Node::Reduce(r) = *terms.arena.node(term) else {
        return None;
    };
    let body = terms.polynomial(r.body);
    let mut unit = None;
    let mut amount = Polynomial::zero();
    for (monomial, coefficient) in body.terms() {
        let atom = monomial
            .powers()
            .iter()
            .map(|&(atom, _)| atom)
            .find(|&a| matches!(terms.arena.node(expr_of(a)), Node::UnitVector(..)))?;
        if *unit.get_or_insert(atom) != atom {
            return None;
        }
        amount = &amount + &Polynomial::term(monomial.without(atom), coefficient.clone());
    }
    let Node::UnitVector(_, position) = *terms.arena.node(expr_of(unit?)) else {
        return None;
    };
    let index = terms.arena.symbol(r.index);
    let position = terms.polynomial(position);
    let offset = &*position - &*terms.polynomial(index);
    if terms.polynomial_mentions(&offset, r.index) {
        return None;
    }
    let amount = terms.expression(&amount);
    Some(
        terms
            .arena
            .reduce(ReduceKind::LawMax, r.index, r.lower, r.upper, amount),
    )
}
