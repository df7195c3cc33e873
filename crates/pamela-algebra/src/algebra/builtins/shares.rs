//! The largest of chunks of a sum over a range, if the lengths of chunks differ by at most one element.
//!
//! A chunk from z up to y has `G(y) - G(z)`, which is the sum of `g(z) = G(z + 1) - G(z)` over its elements.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::geometric::linear_in;
use super::{Loop, at_most, integral};
use crate::algebra::scope::{Candidate, Scope};
use crate::algebra::terms::{MAX_TERMS, Terms, atom_of, expr_of};

/// `G`, in an atom of its own.
pub(in crate::algebra) struct Total {
    pub place: Atom,
    pub total: Polynomial,
}

impl Total {
    /// `G` for a `body` that is `G(to) - G(from)`.
    fn of(terms: &mut Terms, body: &Polynomial, from: Atom, to: Atom) -> Option<Total> {
        let total = Total::up_to(to, body, from, terms)?;
        let [from, to] = [from, to].map(Polynomial::atom);
        (*body == total.between(&from, &to)?).then_some(total)
    }

    /// `G` for the part `G(to)` of a `body` that depends on the start of a chunk in no other way.
    pub fn up_to(to: Atom, body: &Polynomial, from: Atom, terms: &mut Terms) -> Option<Total> {
        let place = atom_of(terms.arena.fresh_index_term());
        let ending = (body.terms()).filter(|(monomial, _)| monomial.exponent(to) != 0);
        let by_end = ending.map(|(monomial, coefficient)| (monomial.clone(), coefficient.clone()));
        let by_end = Polynomial::from_terms(by_end.collect());
        let total = by_end.substitute(to, &Polynomial::atom(place), MAX_TERMS)?;
        (!total.contains(from)).then_some(Total { place, total })
    }

    fn at(&self, place: &Polynomial) -> Option<Polynomial> {
        self.total.substitute(self.place, place, MAX_TERMS)
    }

    /// Sum of the elements in a chunk.
    pub fn between(&self, from: &Polynomial, to: &Polynomial) -> Option<Polynomial> {
        Some(&self.at(to)? - &self.at(from)?)
    }

    /// `g` at a place.
    fn step(&self, place: &Polynomial) -> Option<Polynomial> {
        self.between(place, &(place + &Polynomial::one()))
    }

    /// `Some(true)` if the elements never fall, `Some(false)` if they never rise, at any position.
    fn rises(&self, scope: &mut Scope) -> Option<bool> {
        let here = Polynomial::atom(self.place);
        let further = &self.step(&(&here + &Polynomial::one()))? - &self.step(&here)?;
        if scope.prover.nonnegative(&mut scope.terms, &further) {
            return Some(true);
        }
        let falls = scope.prover.nonnegative(&mut scope.terms, &-&further);
        falls.then_some(false)
    }
}

/// Chunks from `floor(x*p + s)` up to `floor(x*(p + 1) + s)`, whose lengths differ by at most one element.
pub fn even(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    by_increments(scope, term).into_iter().collect()
}

struct Increment {
    slope: Polynomial,
    offset: Polynomial,
    from: Atom,
    to: Atom,
}

fn by_increments(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let terms = &mut scope.terms;
    let parts = Loop::of(terms, term, ReduceKind::Max)?;
    let even = Increment::of(terms, &parts)?;
    let total = Total::of(terms, &parts.body, even.from, even.to)?;
    let rises = total.rises(scope)?;
    let terms = &mut scope.terms;
    let [start, end] = [&parts.lower, &(&parts.upper + &Polynomial::one())]
        .map(|p| Some(&terms.multiply(&even.slope, p)? + &even.offset));
    let (start, end) = (start?, end?);
    let mut guards = vec![
        parts.nonempty(terms),
        parts.aligned(terms),
        integral(terms, &end),
        at_most(terms, &Polynomial::zero(), &even.slope),
    ];
    let slope = terms.expression(&even.slope);
    let right = if rises {
        let longest = terms.arena.apply(Function::Ceil, slope);
        let before = &end - &*terms.polynomial(longest);
        let start = terms.expression(&start);
        let least = terms.arena.apply(Function::Floor, start);
        let least = total.step(&terms.polynomial(least))?;
        guards.push(at_most(terms, &Polynomial::zero(), &least));
        let largest = total.between(&before, &end)?;
        terms.expression(&largest)
    } else {
        guards.push(integral(terms, &start));
        even.first_or_first_long(terms, &total, &start)?
    };
    Some(Candidate { right, guards })
}

impl Increment {
    fn of(terms: &mut Terms, parts: &Loop) -> Option<Increment> {
        let moving: Vec<Atom> = (parts.body.atoms().into_iter())
            .filter(|&atom| parts.depends(&terms.arena, expr_of(atom)))
            .collect();
        let [a, b] = <[Atom; 2]>::try_from(moving).ok()?;
        let operand = |terms: &Terms, atom| match *terms.arena.node(expr_of(atom)) {
            Node::Apply(Function::Floor, operand) => Some(operand),
            _ => None,
        };
        let of_a = operand(terms, a)?;
        let of_b = operand(terms, b)?;
        let (slope, first) = linear_in(terms, parts, of_a)?;
        let (other, second) = linear_in(terms, parts, of_b)?;
        if slope != other {
            return None;
        }
        let (offset, from, to) = match (&second - &first, &first - &second) {
            (ahead, _) if ahead == slope => (first, a, b),
            (_, ahead) if ahead == slope => (second, b, a),
            _ => return None,
        };
        Some(Increment {
            slope,
            offset,
            from,
            to,
        })
    }

    /// For chunks that decrease from one to the next: the first chunk, or the first one among those with one element
    /// more.
    fn first_or_first_long(
        &self,
        terms: &mut Terms,
        total: &Total,
        start: &Polynomial,
    ) -> Option<ExprId> {
        let denominator = denominator(&self.slope);
        let scaled = terms.multiply(&self.slope, &denominator)?;
        let [slope, scaled, denominator] =
            [&self.slope, &scaled, &denominator].map(|p| terms.expression(p));
        let arena = &mut terms.arena;
        let length = arena.apply(Function::Floor, slope);
        let left = arena.modulo(scaled, denominator);
        let (zero, minus_one) = (arena.number(0), arena.number(-1));
        let none = arena.relate(Relation::Equal, left, zero);
        let before = arena.divide(denominator, left);
        let before = arena.apply(Function::Ceil, before);
        let before = arena.add(&[before, minus_one]);
        let done = arena.mul(&[before, length]);
        let (length, done) = (terms.polynomial(length), terms.polynomial(done));
        let first = total.between(start, &(start + &*length))?;
        let from = start + &*done;
        let long = total.between(&from, &(&(&from + &*length) + &Polynomial::one()))?;
        let (first, long) = (terms.expression(&first), terms.expression(&long));
        let both = terms.arena.max(&[first, long]);
        Some(terms.arena.if_else(none, first, both))
    }
}

/// The product of all denominators.
pub(in crate::algebra) fn denominator(p: &Polynomial) -> Polynomial {
    let mut product = Monomial::one();
    for atom in p.atoms() {
        let power = Monomial::power(atom, p.min_degree_in(atom).min(0).saturating_neg());
        product = product.checked_mul(&power).unwrap_or(product);
    }
    let whole = p.terms().fold(1i64, |whole, (_, c)| {
        let denominator = Rational::from(c.denominator()).to_i64().unwrap_or(1);
        num_integer::lcm(whole, denominator)
    });
    Polynomial::term(product, Rational::from(whole))
}
