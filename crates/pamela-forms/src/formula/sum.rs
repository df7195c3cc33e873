//! Converts a sum to a polynomial over its factors, and back.

use std::collections::BTreeMap;

use super::shares::Shares;
use crate::expr::{Arena, ExprId, Node};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

/// A sum as a polynomial over its factors.
pub(super) struct Sum {
    pub polynomial: Polynomial,
}

impl Sum {
    /// Reads a sum; returns `None` if collecting terms would lose a factor that may be undefined.
    pub fn read(arena: &Arena, id: ExprId) -> Option<Sum> {
        let parts = match arena.node(id) {
            Node::Add(list) => list,
            _ => std::slice::from_ref(&id),
        };
        let mut terms = Vec::with_capacity(parts.len());
        for &part in parts {
            terms.push(read_term(arena, part)?);
        }
        let read = terms.clone();
        let polynomial = Polynomial::from_terms(terms);
        let stays = |monomial: &Monomial| !polynomial.coefficient(monomial).is_zero();
        let kept =
            |(monomial, _): &(Monomial, Rational)| stays(monomial) || is_total(arena, monomial);
        read.iter().all(kept).then_some(Sum { polynomial })
    }
}

impl Sum {
    /// The comparisons that occur in the sum, in structural order.
    pub fn brackets(&self, arena: &Arena) -> Vec<Atom> {
        let is_bracket = |(atom, (least, _)): (Atom, (i32, i32))| {
            let bracket = matches!(arena.node(ExprId::from_index(atom.0)), Node::Compare(..));
            (bracket && least >= 0).then_some(atom)
        };
        let exponents = self.polynomial.exponents().into_iter();
        let mut atoms: Vec<Atom> = exponents.filter_map(is_bracket).collect();
        atoms.sort_by(|a, b| arena.compare(ExprId::from_index(a.0), ExprId::from_index(b.0)));
        atoms
    }

    /// True if the brackets distinguish cases, as in `20 - 11 * (n < 8)`.
    ///
    /// A bracket that counts something does not, as in `2 - (n < 8)` and `3 * (n < 8)`.
    pub fn tells_apart(&self, brackets: &[Atom]) -> bool {
        let mut counts: BTreeMap<Monomial, Vec<(Monomial, Rational)>> = BTreeMap::new();
        for (monomial, coefficient) in self.polynomial.terms() {
            let mut rest = monomial.clone();
            let mut own = Monomial::one();
            for &bracket in brackets.iter().filter(|&&b| monomial.exponent(b) != 0) {
                rest = rest.without(bracket);
                own = own.checked_mul(&Monomial::power(bracket, 1)).unwrap_or(own);
            }
            counts
                .entry(rest)
                .or_default()
                .push((own, coefficient.clone()));
        }
        counts.into_values().any(|terms| {
            let count = Polynomial::from_terms(terms);
            let unit = count.content().abs();
            let more = |(bracket, c): (&Monomial, &Rational)| !bracket.is_one() && c.abs() != unit;
            count.len() > 1 && count.terms().any(more)
        })
    }

    /// Sets a bracket to 0 or 1; returns `None` if a factor that may be undefined would be lost.
    pub fn at(
        &self,
        arena: &mut Arena,
        bracket: Atom,
        value: i32,
        shares: &Shares,
    ) -> Option<ExprId> {
        let terms = self
            .polynomial
            .terms()
            .filter(|(monomial, _)| value != 0 || monomial.exponent(bracket) == 0);
        let terms = terms.map(|(monomial, c)| (monomial.without(bracket), c.clone()));
        let side = Polynomial::from_terms(terms.collect());
        let shown = build_sum(arena, &side);
        let (stay, asked) = (side.exponents(), arena.domain(shown));
        // The omitted term has a value wherever the remaining terms have one.
        let mut goes = |part: Monomial| {
            let part = build_term(arena, &part, &Rational::ONE);
            let own = arena.domain(part);
            own.iter()
                .all(|condition| asked.contains(condition) || shares.grants(arena, *condition))
        };
        let kept = |(atom, (least, _)): (Atom, (i32, i32))| {
            let stays = stay.get(&atom);
            let divides = stays.is_some_and(|(least, _)| *least < 0);
            atom == bracket
                || (stays.is_some() || goes(Monomial::power(atom, 1)))
                    && (least >= 0 || divides || goes(Monomial::power(atom, -1)))
        };
        let all = self.polynomial.exponents().into_iter().all(kept);
        all.then_some(shown)
    }
}

/// True if it has a value whatever the parameters are.
fn is_total(arena: &Arena, monomial: &Monomial) -> bool {
    let symbol = |atom: Atom| matches!(arena.node(ExprId::from_index(atom.0)), Node::Symbol(_));
    let mut powers = monomial.powers().iter();
    powers.all(|&(atom, exponent)| exponent > 0 && symbol(atom))
}

fn read_term(arena: &Arena, id: ExprId) -> Option<(Monomial, Rational)> {
    let factors = match arena.node(id) {
        Node::Mul(list) => list,
        _ => std::slice::from_ref(&id),
    };
    let mut coefficient = Rational::ONE;
    let mut powers: BTreeMap<Atom, i32> = BTreeMap::new();
    for &factor in factors {
        if let Some(value) = arena.as_number(factor) {
            coefficient *= value;
            continue;
        }
        let (base, exponent) = read_power(arena, factor);
        let power = powers.entry(Atom(base.index())).or_insert(0);
        if i64::from(*power) * i64::from(exponent) < 0 {
            return None;
        }
        *power = power.checked_add(exponent)?;
    }
    let mut monomial = Monomial::one();
    for (atom, exponent) in powers {
        monomial = monomial.checked_mul(&Monomial::power(atom, exponent))?;
    }
    Some((monomial, coefficient))
}

fn read_power(arena: &Arena, id: ExprId) -> (ExprId, i32) {
    if let Node::Pow(base, exponent) = *arena.node(id)
        && let Some(power) = arena.as_number(exponent).and_then(Rational::to_i64)
        && let Ok(power) = i32::try_from(power)
    {
        return (base, power);
    }
    (id, 1)
}

/// The expression `coefficient * monomial`.
pub(super) fn build_term(arena: &mut Arena, monomial: &Monomial, coefficient: &Rational) -> ExprId {
    let mut factors = vec![arena.number(coefficient.clone())];
    for &(atom, exponent) in monomial.powers() {
        let exponent = arena.number(i64::from(exponent));
        factors.push(arena.pow(ExprId::from_index(atom.0), exponent));
    }
    arena.mul(&factors)
}

pub(super) fn build_sum(arena: &mut Arena, polynomial: &Polynomial) -> ExprId {
    let terms: Vec<ExprId> = polynomial
        .terms()
        .map(|(monomial, coefficient)| build_term(arena, monomial, coefficient))
        .collect();
    arena.add(&terms)
}
