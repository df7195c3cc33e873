//! The largest demand: at least the mean over all owners, at most the sum.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation, Sort, Symbol};
use crate::ring::{Atom, Monomial, Polynomial};

use super::{Relaxation, Side, Sign};
use crate::algebra::terms::expr_of;

/// Some of the demands of a vector.
struct Part {
    target: Demanded,
    /// The demand at this position; for a sum, the demands of one iteration as a vector.
    amount: Polynomial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demanded {
    At(Atom),
    /// Owners of all iterations of a range.
    Each(Symbol, ExprId, ExprId),
}

impl Relaxation<'_> {
    pub(super) fn largest_demand(
        &mut self,
        id: ExprId,
        demands: ExprId,
        side: Side,
        choices: u32,
    ) -> ExprId {
        let alone = self.manner.alone && side == Side::Lower;
        if !self.manner.owners && !alone {
            let by_rows = self.manner.rows && side == Side::Upper;
            if by_rows && let Some(rows) = self.row_by_row(demands, choices) {
                return rows;
            }
            let demands = self.bound_within(demands, side, choices);
            return self.scope.terms.arena.vector_max(demands);
        }
        let demands = self.scope.terms.polynomial(demands);
        let Some(parts) = self.parts(&demands) else {
            return id;
        };
        let parts = self.all_by_array(parts);
        let (mut bounds, before) = (Vec::new(), self.assumed.len());
        for part in parts {
            if !self.is_nonnegative(&part) {
                self.assumed.truncate(before);
                return id;
            }
            if alone {
                let one = self.alone(&part);
                let whole = self.expression(&part);
                bounds.push((whole, self.bound_within(one, side, choices)));
                continue;
            }
            let part = self.expression(&part);
            let total = self.total(part);
            let bound = match side {
                Side::Upper => total,
                Side::Lower => match self.owners(part) {
                    Some(owners) => self.scope.terms.arena.divide(total, owners),
                    None => continue,
                },
            };
            bounds.push((part, self.bound_within(bound, side, choices)));
        }
        match side {
            Side::Upper => self.together(&bounds),
            Side::Lower if bounds.is_empty() => id,
            Side::Lower => {
                let bounds: Vec<ExprId> = bounds.into_iter().map(|(_, bound)| bound).collect();
                self.scope.terms.arena.max(&bounds)
            }
        }
    }

    /// The sum over outer iterations of the largest demand on one resource in each iteration.
    fn row_by_row(&mut self, demands: ExprId, choices: u32) -> Option<ExprId> {
        let demands = self.scope.terms.polynomial(demands);
        let parts = self.parts(&demands)?;
        let is_sum = |atom: Atom| {
            let node = self.scope.terms.arena.node(expr_of(atom));
            matches!(node, Node::Reduce(r) if r.kind == ReduceKind::Sum)
                && self.scope.terms.arena.sort(expr_of(atom)) != Sort::Scalar
        };
        let is_nested = |part: &Part| {
            matches!(part.target, Demanded::Each(..)) && part.amount.atoms().into_iter().any(is_sum)
        };
        let nested: Vec<bool> = parts.iter().map(is_nested).collect();
        if !nested.contains(&true) {
            return None;
        }
        let mut bounds = Vec::new();
        for (part, nested) in parts.iter().zip(nested) {
            let whole = self.expression(part);
            let arena = &mut self.scope.terms.arena;
            let bound = match part.target {
                Demanded::Each(index, lower, upper) if nested => {
                    let row = self.scope.terms.expression(&part.amount);
                    let arena = &mut self.scope.terms.arena;
                    let row = arena.vector_max(row);
                    arena.reduce(ReduceKind::Sum, index, lower, upper, row)
                }
                _ => arena.vector_max(whole),
            };
            bounds.push((whole, self.bound_within(bound, Side::Upper, choices)));
        }
        Some(self.together(&bounds))
    }

    /// A bound of all demands by those of each: demands for different arrays do not meet.
    fn together(&mut self, bounds: &[(ExprId, ExprId)]) -> ExprId {
        let mut by_array: Vec<(Symbol, Vec<ExprId>)> = Vec::new();
        for &(part, bound) in bounds {
            let Some(&[array]) = self.arrays(part).as_deref() else {
                let all: Vec<ExprId> = bounds.iter().map(|&(_, bound)| bound).collect();
                return self.scope.terms.arena.add(&all);
            };
            match by_array.iter_mut().find(|(known, _)| *known == array) {
                Some((_, all)) => all.push(bound),
                None => by_array.push((array, vec![bound])),
            }
        }
        let arena = &mut self.scope.terms.arena;
        let sums: Vec<ExprId> = by_array.iter().map(|(_, all)| arena.add(all)).collect();
        arena.max(&sums)
    }

    /// The arrays of resources that a vector speaks of; `None` where it holds a vector of another kind.
    fn arrays(&self, vector: ExprId) -> Option<Vec<Symbol>> {
        let mut arrays: Vec<Symbol> = Vec::new();
        let mut pending = vec![vector];
        while let Some(id) = pending.pop() {
            match *self.scope.terms.arena.node(id) {
                Node::UnitVector(array, _) if arrays.contains(&array) => {}
                Node::UnitVector(array, _) => arrays.push(array),
                Node::Vector(_) => return None,
                _ => pending.extend(self.scope.terms.arena.operands(id)),
            }
        }
        Some(arrays)
    }

    /// The demands of a vector by resource, each with all of its terms; `None` for any other vector.
    fn parts(&mut self, vector: &Polynomial) -> Option<Vec<Part>> {
        let mut parts: Vec<Part> = Vec::new();
        for (monomial, coefficient) in vector.terms() {
            let (mut demanded, mut rest) = (None, Monomial::one());
            for &(atom, exponent) in monomial.powers() {
                match self.scope.terms.arena.sort(expr_of(atom)) {
                    Sort::Scalar => rest = rest.checked_mul(&Monomial::power(atom, exponent))?,
                    _ => demanded = Some(atom),
                }
            }
            let demanded = demanded?;
            let (target, amount) = match *self.scope.terms.arena.node(expr_of(demanded)) {
                Node::UnitVector(..) | Node::Vector(_) => (
                    Demanded::At(demanded),
                    Polynomial::term(rest, coefficient.clone()),
                ),
                Node::Reduce(r) if r.kind == ReduceKind::Sum => {
                    let body = self.scope.terms.polynomial(r.body);
                    let range = Demanded::Each(r.index, r.lower, r.upper);
                    (range, body.mul_term(&rest, coefficient)?)
                }
                _ => return None,
            };
            match parts.iter_mut().find(|part| part.target == target) {
                Some(part) => part.amount = &part.amount + &amount,
                None => parts.push(Part { target, amount }),
            }
        }
        Some(parts)
    }

    fn all_by_array(&mut self, parts: Vec<Part>) -> Vec<Part> {
        let mut split = Vec::new();
        for part in parts {
            split.extend(self.by_array(part));
        }
        split
    }

    /// A part as one for each array of resources; as it is where it holds a vector of another kind.
    fn by_array(&mut self, part: Part) -> Vec<Part> {
        let Demanded::Each(..) = part.target else {
            return vec![part];
        };
        let Some(inner) = self.parts(&part.amount) else {
            return vec![part];
        };
        let mut amounts: Vec<(Symbol, Polynomial)> = Vec::new();
        for inner in self.all_by_array(inner) {
            let inner = self.expression(&inner);
            let Some(&[array]) = self.arrays(inner).as_deref() else {
                return vec![part];
            };
            let inner = self.scope.terms.polynomial(inner);
            match amounts.iter_mut().find(|(known, _)| *known == array) {
                Some((_, amount)) => *amount = &*amount + &*inner,
                None => amounts.push((array, inner.as_ref().clone())),
            }
        }
        let of_array = |(_, amount)| Part {
            target: part.target,
            amount,
        };
        amounts.into_iter().map(of_array).collect()
    }

    /// True if no component of a part is ever negative.
    fn is_nonnegative(&mut self, part: &Part) -> bool {
        match part.target {
            Demanded::At(atom) => {
                let vector = self.scope.terms.arena.node(expr_of(atom)).clone();
                let components = match vector {
                    Node::Vector(components) => self.all_nonnegative(&components),
                    _ => true,
                };
                components && self.takes_for_nonnegative(&part.amount)
            }
            Demanded::Each(..) => match self.parts(&part.amount) {
                Some(parts) => parts.iter().all(|part| self.is_nonnegative(part)),
                None => false,
            },
        }
    }

    fn expression(&mut self, part: &Part) -> ExprId {
        let amount = self.scope.terms.expression(&part.amount);
        let arena = &mut self.scope.terms.arena;
        match part.target {
            Demanded::At(atom) => arena.mul(&[amount, expr_of(atom)]),
            Demanded::Each(index, lower, upper) => {
                arena.reduce(ReduceKind::Sum, index, lower, upper, amount)
            }
        }
    }

    /// The demand in the last iteration of all loops; 0 if there is none.
    fn alone(&mut self, part: &Part) -> ExprId {
        let (index, lower, upper) = match part.target {
            Demanded::Each(index, lower, upper) => (index, lower, upper),
            Demanded::At(place) => {
                let amount = self.scope.terms.expression(&part.amount);
                let arena = &mut self.scope.terms.arena;
                return match arena.node(expr_of(place)).clone() {
                    Node::Vector(components) => {
                        let largest = arena.max(&components);
                        arena.mul(&[amount, largest])
                    }
                    _ => amount,
                };
            }
        };
        let inner = self.parts(&part.amount).unwrap_or_default();
        let amounts: Vec<ExprId> = inner.iter().map(|part| self.alone(part)).collect();
        let arena = &mut self.scope.terms.arena;
        if amounts.is_empty() {
            return arena.number(0);
        }
        let amount = arena.max(&amounts);
        let distance = arena.subtract(upper, lower);
        let whole = arena.apply(Function::Floor, distance);
        let last = arena.add(&[lower, whole]);
        let amount = arena.substitute(amount, index, last);
        let some = arena.relate(Relation::LessEqual, lower, upper);
        arena.mul(&[some, amount])
    }

    /// The sum of all components of a vector.
    fn total(&mut self, vector: ExprId) -> ExprId {
        let arena = &mut self.scope.terms.arena;
        let one = arena.number(1);
        arena.replace(vector, &|arena, id| match arena.node(id).clone() {
            Node::UnitVector(..) => Some(one),
            Node::Vector(components) => Some(arena.add(&components)),
            _ => None,
        })
    }

    /// At least as many as the resources that a vector speaks of, and at least 1.
    fn owners(&mut self, vector: ExprId) -> Option<ExprId> {
        let (mut places, mut arrays) = (Vec::new(), Vec::new());
        let mut pending = vec![vector];
        while let Some(id) = pending.pop() {
            match *self.scope.terms.arena.node(id) {
                Node::UnitVector(array, place) => {
                    places.push(place);
                    arrays.push(array);
                }
                Node::Vector(_) => return None,
                _ => pending.extend(self.scope.terms.arena.operands(id)),
            }
        }
        arrays.dedup();
        let [_] = arrays[..] else { return None };
        // Numbers between whole ones name resources of their own.
        let whole = |place: &ExprId| {
            let (prover, terms) = (&self.scope.prover, &mut self.scope.terms);
            let place = terms.polynomial(*place);
            prover.integer(terms, &place)
        };
        if !places.iter().all(whole) {
            return None;
        }
        let mut ends = |side: Side| -> Option<Vec<ExprId>> {
            let places = places.iter();
            places.map(|&place| self.end(place, side)).collect()
        };
        let (first, last) = (ends(Side::Lower)?, ends(Side::Upper)?);
        let arena = &mut self.scope.terms.arena;
        let (first, last, one) = (arena.min(&first), arena.max(&last), arena.number(1));
        let difference = arena.subtract(last, first);
        let count = arena.add(&[difference, one]);
        let more = self.scope.terms.polynomial(difference);
        match self.sign(&more) {
            Some(Sign::NonNegative) => Some(count),
            _ => Some(self.scope.terms.arena.max(&[one, count])),
        }
    }

    /// True if an amount is never negative, by proof or, where no index is in it, by an assumption.
    fn takes_for_nonnegative(&mut self, amount: &Polynomial) -> bool {
        match self.sign(amount) {
            Some(sign) => sign == Sign::NonNegative,
            None => {
                let amount = self.scope.terms.expression(amount);
                let free = self.scope.terms.indices(amount) == 0;
                if free {
                    let arena = &mut self.scope.terms.arena;
                    let zero = arena.number(0);
                    let guard = arena.relate(Relation::LessEqual, zero, amount);
                    self.assumed.push(guard);
                }
                free
            }
        }
    }
}
