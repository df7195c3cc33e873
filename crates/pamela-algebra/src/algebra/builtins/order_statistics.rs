//! The largest, smallest and k-th of independent laws.

use crate::expr::{ExprId, LawKind, Node, ReduceKind, Reduction, Relation, Sort, Symbol};
use crate::ring::{Atom, Polynomial};

use super::{integral, nonnegative};
use crate::algebra::demands;
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{Terms, expr_of};

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

/// `max(X, X) = max (i = 1, 2) { X }`; an operand that is a maximum of copies absorbs further copies.
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

/// `max(c, X) = X` for `c <= 0`, if the form of X shows that it is never negative.
pub fn zero(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let terms = &mut scope.terms;
    let Node::Law(LawKind::Max, ref operands) = *terms.arena.node(term) else {
        return Vec::new();
    };
    let all = operands.iter().copied();
    let (laws, scalars): (Vec<_>, Vec<_>) = all.partition(|&operand| terms.arena.is_law(operand));
    let certain = |&&law: &&ExprId| !demands::is_taken_for_time(&mut terms.arena, law);
    let Some(&certain) = laws.iter().find(certain) else {
        return Vec::new();
    };
    if scalars.is_empty() {
        return Vec::new();
    }
    let mut guards = nonnegative::conditions(terms, certain);
    let zero = terms.arena.number(0);
    for scalar in scalars {
        guards.push(terms.arena.relate(Relation::LessEqual, scalar, zero));
    }
    one(terms.arena.law(LawKind::Max, &laws), guards)
}

/// The largest of independent demands: of single resources, and of a range of other resources.
pub fn of_demands(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let Node::Law(LawKind::VectorMax, ref operands) = *scope.terms.arena.node(term) else {
        return Vec::new();
    };
    let vector = operands[0];
    let Some(mut demands) = Demands::of(&mut scope.terms, vector) else {
        return Vec::new();
    };
    let Some(mut guards) = demands.apart(scope) else {
        return Vec::new();
    };
    let amounts = demands.amounts(&mut scope.terms);
    // Positions without a demand have 0.
    for &amount in &amounts {
        guards.extend(nonnegative::conditions(&mut scope.terms, amount));
    }
    one(scope.terms.arena.law(LawKind::Max, &amounts), guards)
}

/// Demands at single positions, and at those of at most one range.
struct Demands {
    units: Vec<(ExprId, Polynomial)>,
    range: Option<Demand>,
    /// Demand of one resource of the range besides the demand of the range itself.
    inside: Option<Polynomial>,
}

/// `sum (i = lower, upper) { amount * unitvec(i + offset) }`
struct Demand {
    over: Reduction,
    array: Symbol,
    offset: Polynomial,
    amount: Polynomial,
}

impl Demands {
    fn of(terms: &mut Terms, vector: ExprId) -> Option<Demands> {
        let mut demands = Demands {
            units: Vec::new(),
            range: None,
            inside: None,
        };
        for (atom, amount) in by_vector(terms, vector)? {
            let part = expr_of(atom);
            match *terms.arena.node(part) {
                Node::UnitVector(..) => demands.units.push((part, amount)),
                Node::Reduce(r) if demands.range.is_none() => {
                    demands.range = Some(Demand::of(terms, r, &amount)?);
                }
                _ => return None,
            }
        }
        Some(demands)
    }

    /// Guards that all positions differ; `None` if this cannot be established.
    fn apart(&mut self, scope: &mut Scope) -> Option<Vec<ExprId>> {
        let mut guards = Vec::new();
        let mut inside = None;
        for (place, (unit, _)) in self.units.iter().enumerate() {
            let (array, position) = position(&scope.terms, *unit)?;
            if let Some(range) = self.range.as_ref().filter(|range| range.array == array) {
                if !range.holds(scope, position) {
                    guards.push(range.misses(scope, position))
                } else if inside.is_none() {
                    inside = Some(place)
                } else {
                    return None;
                }
            }
        }
        self.inside = inside.map(|place| self.units.remove(place).1);
        // Demands inside and outside the range are at different positions.
        for (place, (unit, _)) in self.units.iter().enumerate() {
            let (array, position) = position(&scope.terms, *unit)?;
            for (other, _) in &self.units[..place] {
                let (own, other) = self::position(&scope.terms, *other)?;
                let arena = &scope.terms.arena;
                let numbers = (arena.as_number(position), arena.as_number(other));
                if own == array && !matches!(numbers, (Some(p), Some(q)) if p != q) {
                    return None;
                }
            }
        }
        Some(guards)
    }

    fn amounts(&self, terms: &mut Terms) -> Vec<ExprId> {
        let mut amounts: Vec<ExprId> = self
            .units
            .iter()
            .map(|(_, amount)| terms.expression(amount))
            .collect();
        if let Some(Demand { over, amount, .. }) = &self.range {
            let body = terms.expression(amount);
            let (index, lower, mut upper) = (over.index, over.lower, over.upper);
            if let Some(more) = &self.inside {
                // All are alike, so that it may be taken for the last one.
                let busiest = amount + more;
                amounts.push(terms.expression(&busiest));
                let one = terms.arena.number(1);
                upper = terms.arena.subtract(upper, one);
            }
            amounts.push(
                terms
                    .arena
                    .reduce(ReduceKind::LawMax, index, lower, upper, body),
            );
        }
        amounts
    }
}

impl Demand {
    fn of(terms: &mut Terms, over: Reduction, factor: &Polynomial) -> Option<Demand> {
        let mut parts = by_vector(terms, over.body)?;
        let (atom, amount) = parts.pop().filter(|_| parts.is_empty())?;
        let (array, position) = position(terms, expr_of(atom))?;
        let index = terms.arena.symbol(over.index);
        let offset = &*terms.polynomial(position) - &*terms.polynomial(index);
        let amount = terms.multiply(&amount, factor)?;
        (!terms.polynomial_mentions(&offset, over.index)).then_some(Demand {
            over,
            array,
            offset,
            amount,
        })
    }

    /// True if a position is known to lie in the range, whose demands are all alike.
    fn holds(&self, scope: &mut Scope, position: ExprId) -> bool {
        let terms = &mut scope.terms;
        if terms.polynomial_mentions(&self.amount, self.over.index) {
            return false;
        }
        let place = &*terms.polynomial(position) - &self.offset;
        let distance = &place - &*terms.polynomial(self.over.lower);
        let integer = integral(terms, &distance);
        let place = terms.expression(&place);
        let from = terms
            .arena
            .relate(Relation::LessEqual, self.over.lower, place);
        let to = terms
            .arena
            .relate(Relation::LessEqual, place, self.over.upper);
        [integer, from, to].into_iter().all(|fact| {
            let fact = scope.terms.canonical(fact);
            scope.holds(fact)
        })
    }

    /// The condition that a position lies outside the range: above it, unless it is known to lie below.
    fn misses(&self, scope: &mut Scope, position: ExprId) -> ExprId {
        let terms = &mut scope.terms;
        let shifted = |terms: &mut Terms, bound: ExprId| {
            let sum = &*terms.polynomial(bound) + &self.offset;
            terms.expression(&sum)
        };
        let (lower, upper) = (
            shifted(terms, self.over.lower),
            shifted(terms, self.over.upper),
        );
        let below = terms.arena.relate(Relation::Less, position, lower);
        let above = terms.arena.relate(Relation::Less, upper, position);
        let canonical = terms.canonical(below);
        if scope.holds(canonical) { below } else { above }
    }
}

fn position(terms: &Terms, unit: ExprId) -> Option<(Symbol, ExprId)> {
    match *terms.arena.node(unit) {
        Node::UnitVector(array, position) => Some((array, position)),
        _ => None,
    }
}

/// The parts of a vector by their vector atom, with their amounts.
fn by_vector(terms: &mut Terms, vector: ExprId) -> Option<Vec<(Atom, Polynomial)>> {
    let polynomial = terms.polynomial(vector);
    let mut parts: Vec<(Atom, Polynomial)> = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        let mut atoms = monomial.powers().iter().map(|&(atom, _)| atom);
        let atom = atoms.find(|&a| terms.arena.sort(expr_of(a)) == Sort::Vector)?;
        let amount = Polynomial::term(monomial.without(atom), coefficient.clone());
        match parts.iter_mut().find(|(known, _)| *known == atom) {
            Some((_, sum)) => *sum = &*sum + &amount,
            None => parts.push((atom, amount)),
        }
    }
    Some(parts)
}
