//! Lower and upper bounds of expressions that are easier to sum.
//!
//! If a loop stays open, a rounding, a choice or an owner often blocks it. Each is replaced by a simpler expression
//! that keeps the inequality on the wanted side; everything else stays. So a bound always exists, though not always a
//! closed one.

mod differences;
mod ends;
mod manner;
mod owners;

use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer as _;
use rustc_hash::FxHashSet;

use crate::expr::{Arena, ExprId, Function, Node, ReduceKind, Reduction, Sort};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

pub use manner::Manner;

use super::builtins::monotone::over_common_denominator;
use super::scope::Scope;
use super::terms::expr_of;

/// Choices of this many operands, and nested this deep, are looked at one by one.
const MOST_OPERANDS: usize = 4;
const MOST_CHOICES: u32 = 2;
/// A product of more terms is not multiplied out.
const MOST_TERMS: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Lower,
    Upper,
}

impl Side {
    pub fn opposite(self) -> Side {
        match self {
            Side::Lower => Side::Upper,
            Side::Upper => Side::Lower,
        }
    }
}

/// Bounds of the expressions of a scope.
pub struct Relaxation<'a> {
    pub scope: &'a mut Scope,
    pub manner: Manner,
    /// Assumptions of the bounds, as truth values over the parameters.
    pub assumed: Vec<ExprId>,
}

impl Relaxation<'_> {
    /// A bound of `id` on this side, wherever `id` is defined; `id` itself, in canonical form, if
    /// nothing is known.
    pub fn bound(&mut self, id: ExprId, side: Side) -> ExprId {
        self.bound_within(id, side, MOST_CHOICES)
    }

    fn bound_within(&mut self, id: ExprId, side: Side, choices: u32) -> ExprId {
        let mut polynomial = self.scope.terms.polynomial(id);
        if self.manner.rounding {
            polynomial = Rc::new(self.without_differences(&polynomial, side));
        }
        let mut groups: Vec<(Monomial, Polynomial)> = Vec::new();
        for (monomial, coefficient) in polynomial.terms() {
            let (rough, rest) = self.divided(monomial);
            let factor = Polynomial::term(rest, coefficient.clone());
            match groups.iter_mut().find(|(known, _)| *known == rough) {
                Some((_, all)) => *all = &*all + &factor,
                None => groups.push((rough, factor)),
            }
        }
        let mut parts = Vec::new();
        for (rough, factor) in groups {
            match self.product(&rough, &factor, side, choices) {
                Some(bound) => parts.push(bound),
                // If the sign of a sum is not known, the signs of its terms may be.
                None => parts.extend(factor.terms().map(|(monomial, coefficient)| {
                    let factor = Polynomial::term(monomial.clone(), coefficient.clone());
                    let bound = self.product(&rough, &factor, side, choices);
                    bound.unwrap_or_else(|| self.exact(&rough, &factor))
                })),
            }
        }
        let sum = self.scope.terms.arena.add(&parts);
        self.scope.terms.canonical(sum)
    }

    /// Splits a product into the factors that may block closing, and the rest.
    fn divided(&self, monomial: &Monomial) -> (Monomial, Monomial) {
        let (mut rough, mut rest) = (Monomial::one(), Monomial::one());
        for &(atom, exponent) in monomial.powers() {
            let part = if exponent > 0 && self.is_rough(atom) {
                &mut rough
            } else {
                &mut rest
            };
            // Parts of a product are no greater than it.
            if let Some(more) = part.checked_mul(&Monomial::power(atom, exponent)) {
                *part = more;
            }
        }
        (rough, rest)
    }

    fn exact(&mut self, rough: &Monomial, factor: &Polynomial) -> ExprId {
        let factor = self.scope.terms.expression(factor);
        let rough = Polynomial::term(rough.clone(), Rational::ONE);
        let rough = self.scope.terms.expression(&rough);
        self.scope.terms.arena.mul(&[factor, rough])
    }

    /// The bound of a product: that of its rough factors, where the sign of the others is known.
    fn product(
        &mut self,
        rough: &Monomial,
        factor: &Polynomial,
        side: Side,
        choices: u32,
    ) -> Option<ExprId> {
        if rough.powers().is_empty() {
            return Some(self.scope.terms.expression(factor));
        }
        let side = match self.sign(&self.scalars(factor)?)? {
            Sign::NonNegative => side,
            Sign::NonPositive => side.opposite(),
        };
        let mut whole = vec![self.scope.terms.expression(factor)];
        match *rough.powers() {
            [(atom, 1)] => whole.push(self.atom(expr_of(atom), side, choices)),
            _ => {
                for &(atom, exponent) in rough.powers() {
                    if self.sign(&Polynomial::atom(atom)) != Some(Sign::NonNegative) {
                        return None;
                    }
                    let mut bound = self.atom(expr_of(atom), side, choices);
                    let value = self.scope.terms.polynomial(bound);
                    if side == Side::Lower && self.sign(&value) != Some(Sign::NonNegative) {
                        let arena = &mut self.scope.terms.arena;
                        let zero = arena.number(0);
                        bound = arena.max(&[zero, bound]);
                    }
                    whole.push(self.power(bound, exponent));
                }
            }
        }
        Some(self.scope.terms.arena.mul(&whole))
    }

    /// A scalar with the sign of a factor. Components of a unit vector are 0 and 1; a sum has components of one sign
    /// only if it contains no unit vector.
    fn scalars(&self, factor: &Polynomial) -> Option<Polynomial> {
        let is_scalar = |atom: Atom| self.scope.terms.arena.sort(expr_of(atom)) == Sort::Scalar;
        if factor.atoms().into_iter().all(is_scalar) {
            return Some(factor.clone());
        }
        let (monomial, coefficient) = factor.as_term()?;
        let powers = monomial.powers().iter();
        let mut scalar = Monomial::one();
        for &(atom, exponent) in powers.filter(|&&(atom, _)| is_scalar(atom)) {
            scalar = scalar.checked_mul(&Monomial::power(atom, exponent))?;
        }
        Some(Polynomial::term(scalar, coefficient.clone()))
    }

    fn power(&mut self, base: ExprId, exponent: i32) -> ExprId {
        let arena = &mut self.scope.terms.arena;
        let exponent = arena.number(i64::from(exponent));
        arena.pow(base, exponent)
    }

    /// True if it takes a loop, or may be what keeps one open.
    fn is_rough(&self, atom: Atom) -> bool {
        let terms = &self.scope.terms;
        let id = expr_of(atom);
        match terms.arena.node(id) {
            Node::Reduce(_) | Node::VectorMax(_) | Node::Graph(..) => true,
            Node::Apply(Function::Floor | Function::Ceil, _)
            | Node::Mod(..)
            | Node::Max(_)
            | Node::Min(_)
            | Node::If(..)
            | Node::Compare(..) => terms.indices(id) > 0 || takes_a_loop(&terms.arena, id),
            _ => false,
        }
    }

    fn atom(&mut self, id: ExprId, side: Side, choices: u32) -> ExprId {
        match self.scope.terms.arena.node(id).clone() {
            Node::Reduce(r) => self.reduction(id, r, side, choices),
            Node::VectorMax(demands) => self.largest_demand(id, demands, side, choices),
            Node::Apply(function @ (Function::Floor | Function::Ceil), operand)
                if self.manner.rounding =>
            {
                let bound = self.bound_within(operand, side, choices);
                // A floor is never above its operand, a ceiling never below.
                if (function == Function::Floor) == (side == Side::Upper) {
                    return bound;
                }
                let slack = self.slack(operand);
                match side {
                    Side::Lower => self.scope.terms.arena.subtract(bound, slack),
                    Side::Upper => self.scope.terms.arena.add(&[bound, slack]),
                }
            }
            Node::Mod(value, modulus) if self.manner.rounding => {
                self.remainder(value, modulus, side)
            }
            Node::Max(operands) => self.choice(id, &operands, side, choices),
            Node::Min(operands) => self.choice(id, &operands, side, choices),
            Node::If(condition, then, otherwise) => {
                let branches = [then, otherwise].map(|b| self.bound_within(b, side, choices));
                // Outside of loops a condition is in nobody's way, and one branch may have no value where it fails.
                let moves = self.scope.terms.indices(condition) > 0
                    || takes_a_loop(&self.scope.terms.arena, condition);
                let arena = &mut self.scope.terms.arena;
                match (self.manner.choices && moves, side) {
                    (false, _) => arena.if_else(condition, branches[0], branches[1]),
                    (true, Side::Upper) => arena.max(&branches),
                    (true, Side::Lower) => arena.min(&branches),
                }
            }
            Node::Compare(..) if self.manner.choices => {
                let value = i64::from(side == Side::Upper);
                self.scope.terms.arena.number(value)
            }
            _ => id,
        }
    }

    fn remainder(&mut self, value: ExprId, modulus: ExprId, side: Side) -> ExprId {
        let [a, m] = [value, modulus].map(|id| self.scope.terms.polynomial(id));
        let (prover, terms) = (&self.scope.prover, &mut self.scope.terms);
        let whole = prover.integer(terms, &a) && prover.integer(terms, &m);
        let arena = &mut terms.arena;
        let one = arena.number(1);
        match (side, whole) {
            (Side::Lower, _) => arena.number(0),
            (Side::Upper, true) => arena.subtract(modulus, one),
            (Side::Upper, false) => modulus,
        }
    }

    /// Maximum distance of a value from its floor or ceiling: less than 1, and at most `(d - 1) / d` for a whole
    /// number over `d`.
    fn slack(&mut self, operand: ExprId) -> ExprId {
        let polynomial = self.scope.terms.polynomial(operand);
        let (numerator, denominator) = over_common_denominator(self.scope, &polynomial);
        let parts = numerator.terms().map(|(_, c)| c.denominator());
        let parts = parts.fold(BigInt::from(1), |all, part| all.lcm(&part));
        let parts = Rational::from(parts);
        let denominator = Polynomial::term(denominator, parts.clone());
        let (prover, terms) = (&self.scope.prover, &mut self.scope.terms);
        let whole =
            prover.integer(terms, &numerator.scale(&parts)) && prover.integer(terms, &denominator);
        let one = terms.arena.number(1);
        if !whole {
            return one;
        }
        let denominator = terms.expression(&denominator);
        let part = terms.arena.reciprocal(denominator);
        terms.arena.subtract(one, part)
    }

    /// `max` or `min` of some operands, which rises with each of them.
    fn choice(&mut self, id: ExprId, operands: &[ExprId], side: Side, choices: u32) -> ExprId {
        let largest = matches!(self.scope.terms.arena.node(id), Node::Max(_));
        // The largest operand from above, the smallest from below: no operand alone will do. Outside of loops a choice
        // is in nobody's way.
        let against = largest == (side == Side::Upper) && self.scope.terms.indices(id) > 0;
        let together = largest && (self.manner.together || self.are_two_amounts(operands));
        if self.manner.choices && against && !together {
            let ends = operands.iter().map(|&operand| self.end(operand, side));
            if let Some(ends) = ends.collect::<Option<Vec<_>>>() {
                return self.extreme(largest, &ends);
            }
        }
        let bounds: Vec<ExprId> = operands
            .iter()
            .map(|&operand| self.bound_within(operand, side, choices))
            .collect();
        if self.manner.choices && against && largest {
            if self.all_nonnegative(operands) {
                return self.scope.terms.arena.add(&bounds);
            }
            if self.manner.together {
                return self.parts_above_zero(operands, &bounds);
            }
        }
        self.extreme(largest, &bounds)
    }

    /// The sum of the positive parts of the bounds, which is at least every operand.
    fn parts_above_zero(&mut self, operands: &[ExprId], bounds: &[ExprId]) -> ExprId {
        let parts = operands.iter().zip(bounds).map(|(&operand, &bound)| {
            let value = self.scope.terms.polynomial(operand);
            if self.sign(&value) == Some(Sign::NonNegative) {
                return bound;
            }
            let arena = &mut self.scope.terms.arena;
            let zero = arena.number(0);
            arena.max(&[zero, bound])
        });
        let parts: Vec<ExprId> = parts.collect();
        self.scope.terms.arena.add(&parts)
    }

    /// A sum of two is at most twice the larger one.
    fn are_two_amounts(&mut self, operands: &[ExprId]) -> bool {
        operands.len() == 2 && self.all_nonnegative(operands)
    }

    fn extreme(&mut self, largest: bool, operands: &[ExprId]) -> ExprId {
        if largest {
            self.scope.terms.arena.max(operands)
        } else {
            self.scope.terms.arena.min(operands)
        }
    }

    fn reduction(&mut self, id: ExprId, r: Reduction, side: Side, choices: u32) -> ExprId {
        match r.kind {
            ReduceKind::Sum if self.scope.terms.arena.is_law(r.body) => return id,
            ReduceKind::Sum | ReduceKind::Max | ReduceKind::Min | ReduceKind::Kth(_) => {}
            _ => return id,
        }
        if self.manner.loops
            && let Some(bound) = self.without_loop(r, side, choices)
        {
            return bound;
        }
        if let Some(chosen) = self.one_by_one(r, side, choices) {
            return chosen;
        }
        let body = self.bound_within(r.body, side, choices);
        let arena = &mut self.scope.terms.arena;
        arena.reduce(r.kind, r.index, r.lower, r.upper, body)
    }

    /// A sum of largest operands is at least the largest of the sums of each; a sum of smallest ones at most the
    /// smallest.
    fn one_by_one(&mut self, r: Reduction, side: Side, choices: u32) -> Option<ExprId> {
        if choices == 0 || r.kind != ReduceKind::Sum {
            return None;
        }
        let body = self.scope.terms.polynomial(r.body);
        let atoms = body.atoms();
        let mut alternatives = atoms.into_iter().filter_map(|atom| {
            let operands = self.alternatives(expr_of(atom), side)?;
            let mentioned = self.scope.terms.arena.mentions(expr_of(atom), r.index);
            (mentioned && operands.len() <= MOST_OPERANDS).then_some((atom, operands))
        });
        let (choice, operands) = alternatives.next()?;
        let rises = body
            .coefficients_in(choice)
            .into_iter()
            .all(|(k, factor)| k == 0 || (k == 1 && self.sign(&factor) == Some(Sign::NonNegative)));
        if !rises {
            return None;
        }
        let sums: Vec<ExprId> = operands
            .into_iter()
            .filter_map(|operand| {
                let operand = self.scope.terms.polynomial(operand);
                let body = body.substitute(choice, &operand, MOST_TERMS)?;
                let body = self.scope.terms.expression(&body);
                let arena = &mut self.scope.terms.arena;
                let sum = arena.reduce(r.kind, r.index, r.lower, r.upper, body);
                Some(self.bound_within(sum, side, choices - 1))
            })
            .collect();
        (!sums.is_empty()).then(|| self.extreme(side == Side::Lower, &sums))
    }

    /// Operands of which the largest is never above a value, or the smallest never below it: each of them is a bound.
    fn alternatives(&mut self, id: ExprId, side: Side) -> Option<Vec<ExprId>> {
        let node = self.scope.terms.arena.node(id).clone();
        let operand = match (node, side) {
            // Among all operands that may be the largest, those about owners are kept.
            (Node::Max(list), Side::Lower)
                if (self.manner.owners || self.manner.alone)
                    && list
                        .iter()
                        .any(|&o| speaks_of_owners(&self.scope.terms.arena, o)) =>
            {
                let arena = &self.scope.terms.arena;
                let list = list.iter().copied();
                return Some(list.filter(|&o| speaks_of_owners(arena, o)).collect());
            }
            (Node::Max(list), Side::Lower) | (Node::Min(list), Side::Upper)
                if self.manner.choices =>
            {
                return Some(list.to_vec());
            }
            (Node::Apply(Function::Ceil | Function::Floor, operand), Side::Lower)
            | (Node::Mod(operand, _), Side::Upper)
                if self.manner.rounding =>
            {
                operand
            }
            _ => return None,
        };
        let value = self.scope.terms.polynomial(operand);
        let (prover, terms) = (&self.scope.prover, &mut self.scope.terms);
        let (zero, one) = (terms.arena.number(0), terms.arena.number(1));
        match *terms.arena.node(id) {
            // A ceiling is at least 1 if its operand is positive.
            Node::Apply(Function::Ceil, _) => {
                prover.positive(terms, &value).then(|| vec![operand, one])
            }
            Node::Apply(..) => {
                if !prover.nonnegative(terms, &value) {
                    return None;
                }
                let slack = self.slack(operand);
                let less = self.scope.terms.arena.subtract(operand, slack);
                Some(vec![less, zero])
            }
            Node::Mod(_, modulus) => {
                if !prover.nonnegative(terms, &value) {
                    return None;
                }
                Some(vec![operand, self.remainder(operand, modulus, side)])
            }
            _ => None,
        }
    }

    fn all_nonnegative(&mut self, list: &[ExprId]) -> bool {
        list.iter().all(|&id| {
            let value = self.scope.terms.polynomial(id);
            self.sign(&value) == Some(Sign::NonNegative)
        })
    }

    fn sign(&mut self, value: &Polynomial) -> Option<Sign> {
        let (prover, terms) = (&self.scope.prover, &mut self.scope.terms);
        if prover.nonnegative(terms, value) {
            return Some(Sign::NonNegative);
        }
        prover
            .nonnegative(terms, &-value)
            .then_some(Sign::NonPositive)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    NonNegative,
    NonPositive,
}

/// True if the expression contains a largest demand.
pub fn speaks_of_owners(arena: &Arena, id: ExprId) -> bool {
    is_somewhere(arena, id, |node| matches!(node, Node::VectorMax(_)))
}

/// True if the expression contains a reduction or a largest demand.
pub fn takes_a_loop(arena: &Arena, id: ExprId) -> bool {
    let takes =
        |node: &Node| matches!(node, Node::Reduce(_) | Node::VectorMax(_) | Node::Graph(..));
    is_somewhere(arena, id, takes)
}

fn is_somewhere(arena: &Arena, id: ExprId, wanted: impl Fn(&Node) -> bool) -> bool {
    let (mut pending, mut seen) = (vec![id], FxHashSet::default());
    while let Some(id) = pending.pop() {
        if wanted(arena.node(id)) {
            return true;
        }
        if seen.insert(id) {
            pending.extend(arena.operands(id));
        }
    }
    false
}
