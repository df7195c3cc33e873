//! Recognises hypergeometric terms with parameters: a polynomial in the index, powers and factorials.

use crate::expr::{ExprId, Function, Node};
use crate::ring::{Atom, Hypergeometric, Monomial, Polynomial, Rational, slope};

use super::super::terms::{MAX_TERMS, Terms, atom_of, expr_of};
use super::Loop;

/// Factorials whose arguments differ by more are not joined.
const MAX_DISTANCE: i64 = 16;

/// A term, with the bases of its powers unchanged.
#[derive(Clone)]
pub struct Row {
    pub term: Hypergeometric,
    bases: Vec<ExprId>,
}

/// Factorials of `argument + d`, each with its exponent.
struct Family {
    argument: Polynomial,
    members: Vec<(i64, i64)>,
}

/// The body with terms of equal powers and factorials collected.
pub fn rows(terms: &mut Terms, parts: &Loop) -> Option<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for (monomial, coefficient) in parts.body.terms() {
        let mut row = row_of(terms, parts, monomial, coefficient)?;
        let joined = rows.iter_mut().find_map(|known| known.plus(&mut row));
        if joined.is_none() {
            rows.push(row);
        }
    }
    rows.retain(|row| !row.term.weight.is_zero());
    Some(rows)
}

impl Row {
    /// Adds another of the same kind.
    fn plus(&mut self, other: &mut Row) -> Option<()> {
        let (own, theirs) = (&self.term, &other.term);
        let same = self.bases == other.bases
            && own.powers == theirs.powers
            && own.factorials.len() == theirs.factorials.len();
        if !same {
            return None;
        }
        let mut raised = [own.weight.clone(), theirs.weight.clone()];
        let mut factorials = Vec::new();
        for ((x, power), (y, other)) in own.factorials.iter().zip(&theirs.factorials) {
            let distance = (y - x)
                .as_constant()
                .filter(Rational::is_integer)?
                .to_i64()?;
            if power != other || distance.abs() > MAX_DISTANCE {
                return None;
            }
            // Below, the greater argument is taken for both, above the lesser one.
            let of_own = (distance > 0) == (*power < 0);
            let low = if distance > 0 { x } else { y };
            let side = usize::from(!of_own);
            let between =
                rising(low, distance.abs())?.pow(power.unsigned_abs() as u32, MAX_TERMS)?;
            raised[side] = raised[side].checked_mul(&between, MAX_TERMS)?;
            factorials.push((if of_own { y } else { x }.clone(), *power));
        }
        self.term.weight = &raised[0] + &raised[1];
        self.term.factorials = factorials;
        Some(())
    }

    /// True if the terms besides the index are numbers.
    pub fn is_of_numbers(&self, index: Atom) -> bool {
        let number = |p: &Polynomial| p.atoms().into_iter().all(|atom| atom == index);
        let moves = |p: &Polynomial| p.contains(index);
        let of_factorials = self.term.factorials.iter().filter(|(a, _)| moves(a));
        let of_powers = self.term.powers.iter().filter(|(_, e)| moves(e));
        of_factorials.clone().all(|(a, _)| number(a))
            && of_powers.clone().all(|(b, e)| number(b) && number(e))
    }

    /// True if a factorial depends on the index.
    pub fn has_factorials(&self, index: Atom) -> bool {
        self.term
            .factorials
            .iter()
            .any(|(argument, _)| argument.contains(index))
    }

    /// `factor` times the powers and factorials, at a value of an atom.
    pub fn kernel_at(
        &self,
        terms: &mut Terms,
        atom: Atom,
        value: &Polynomial,
        factor: &Polynomial,
    ) -> Option<ExprId> {
        let mut product = vec![terms.expression(factor)];
        for (&base, (_, exponent)) in self.bases.iter().zip(&self.term.powers) {
            let exponent = exponent.substitute(atom, value, MAX_TERMS)?;
            let exponent = terms.expression(&exponent);
            product.push(terms.arena.pow(base, exponent));
        }
        for (argument, power) in &self.term.factorials {
            let argument = argument.substitute(atom, value, MAX_TERMS)?;
            let argument = terms.expression(&argument);
            let factorial = terms.arena.apply(Function::Factorial, argument);
            let power = terms.arena.number(*power);
            product.push(terms.arena.pow(factorial, power));
        }
        Some(terms.arena.mul(&product))
    }

    /// Maps all polynomials; `None` if `replace` rejects one of them.
    pub fn map(&self, replace: impl Fn(&Polynomial) -> Option<Polynomial>) -> Option<Row> {
        let term = &self.term;
        let powers = term.powers.iter();
        let powers = powers.map(|(base, exponent)| Some((base.clone(), replace(exponent)?)));
        let factorials = term.factorials.iter();
        let factorials = factorials.map(|(argument, power)| Some((replace(argument)?, *power)));
        Some(Row {
            term: Hypergeometric {
                weight: replace(&term.weight)?,
                powers: powers.collect::<Option<_>>()?,
                factorials: factorials.collect::<Option<_>>()?,
            },
            bases: self.bases.clone(),
        })
    }
}

/// `(x + 1) (x + 2) ... (x + count)`
pub fn rising(x: &Polynomial, count: i64) -> Option<Polynomial> {
    (1..=count).try_fold(Polynomial::one(), |product, j| {
        product.checked_mul(&(x + &Polynomial::from(j)), MAX_TERMS)
    })
}

fn row_of(
    terms: &mut Terms,
    parts: &Loop,
    monomial: &Monomial,
    coefficient: &Rational,
) -> Option<Row> {
    let mut weight = Polynomial::constant(coefficient.clone());
    let mut bases = Vec::new();
    let mut powers: Vec<(Polynomial, Polynomial)> = Vec::new();
    let mut families: Vec<Family> = Vec::new();
    let mut divisors = Vec::new();
    for &(atom, exponent) in monomial.powers() {
        let id = expr_of(atom);
        match terms.arena.node(id).clone() {
            Node::Apply(Function::Factorial, operand) => {
                let argument = (*terms.polynomial(operand)).clone();
                slope(&argument, parts.index)?;
                join(&mut families, argument, i64::from(exponent))?;
            }
            _ if !parts.depends(&terms.arena, id) => {
                weight = weight.mul_term(&Monomial::power(atom, exponent), &Rational::ONE)?;
            }
            Node::Symbol(_) | Node::Add(_) => {
                let base = match terms.arena.node(id).clone() {
                    Node::Add(list) => terms.sum(&list),
                    _ => Polynomial::atom(parts.index),
                };
                match exponent > 0 {
                    true => {
                        let power = base.pow(exponent.unsigned_abs(), MAX_TERMS)?;
                        weight = weight.checked_mul(&power, MAX_TERMS)?;
                    }
                    false => divisors.push((base, exponent.unsigned_abs())),
                }
            }
            Node::Pow(base, of_index) if !parts.depends(&terms.arena, base) => {
                let exponent = terms
                    .polynomial(of_index)
                    .scale(&Rational::from(i64::from(exponent)));
                slope(&exponent, parts.index)?;
                match bases.iter().position(|&known| known == base) {
                    Some(place) => powers[place].1 = &powers[place].1 + &exponent,
                    None => {
                        bases.push(base);
                        powers.push(((*terms.polynomial(base)).clone(), exponent));
                    }
                }
            }
            _ => return None,
        }
    }
    for (divisor, count) in divisors {
        for _ in 0..count {
            weight = weight.scale(&absorb(&mut families, parts.index, &divisor)?);
        }
    }
    let mut factorials = Vec::new();
    for family in families {
        let (factor, kept) = one_of(&family)?;
        weight = weight.checked_mul(&factor, MAX_TERMS)?;
        factorials.extend(kept);
    }
    factorials.sort();
    Some(Row {
        term: Hypergeometric {
            weight,
            powers,
            factorials,
        },
        bases,
    })
}

fn join(families: &mut Vec<Family>, argument: Polynomial, power: i64) -> Option<()> {
    let distance = |family: &Family| {
        let distance = (&argument - &family.argument).as_constant()?;
        distance.to_i64().filter(|d| d.abs() <= MAX_DISTANCE)
    };
    let found = families
        .iter_mut()
        .find_map(|family| Some((distance(family)?, family)));
    match found {
        Some((distance, family)) => family.members.push((distance, power)),
        None => families.push(Family {
            argument,
            members: vec![(0, power)],
        }),
    }
    Some(())
}

/// `1 / ((x + 1) x!) = 1 / (x + 1)!`: a linear divisor taken into a factorial, but for a number.
fn absorb(families: &mut [Family], index: Atom, divisor: &Polynomial) -> Option<Rational> {
    let scale = divisor.coefficients_in(index).get(&1)?.as_constant()?;
    for family in families {
        let own = slope(&family.argument, index).filter(|&s| s != 0)?;
        let ratio = Rational::from(own).checked_div(&scale)?;
        for place in 0..family.members.len() {
            let (distance, power) = family.members[place];
            let next = &family.argument + &Polynomial::from(distance + 1);
            if power < 0 && divisor.scale(&ratio) == next {
                family.members[place].1 += 1;
                family.members.push((distance + 1, -1));
                return Some(ratio);
            }
        }
    }
    None
}

/// A polynomial, and one factorial to a power: below, of the greatest argument, above of the least.
fn one_of(family: &Family) -> Option<(Polynomial, Option<(Polynomial, i64)>)> {
    let of_sign = |sign: i64| {
        family
            .members
            .iter()
            .filter(move |(_, power)| power * sign > 0)
    };
    let low = of_sign(1).map(|(d, _)| *d).min();
    let high = of_sign(-1).map(|(d, _)| *d).max();
    let at = |d: i64| &family.argument + &Polynomial::from(d);
    let mut factor = Polynomial::one();
    let mut multiply = |from: i64, to: i64, power: i64| {
        let between = rising(&at(from), to - from)?;
        let between = between.pow(u32::try_from(power).ok()?, MAX_TERMS)?;
        factor = factor.checked_mul(&between, MAX_TERMS)?;
        Some(())
    };
    let (mut above, mut below) = (0, 0);
    for &(distance, power) in &family.members {
        if let (true, Some(low)) = (power > 0, low) {
            multiply(low, distance, power)?;
            above += power;
        } else if let Some(high) = high.filter(|_| power < 0) {
            multiply(distance, high, -power)?;
            below -= power;
        }
    }
    let both = above.min(below);
    if let (true, Some(low), Some(high)) = (both > 0, low, high) {
        if low < high {
            return None;
        }
        multiply(high, low, both)?;
    }
    let kept = match (above - both, below - both) {
        (0, 0) => None,
        (above, 0) => low.map(|low| (at(low), above)),
        (_, below) => high.map(|high| (at(high), -below)),
    };
    Some((factor, kept))
}

/// Rewrites with as few factorials as possible: factorials whose arguments differ by a number become a few factors,
/// and `n!` absorbs the factor `n + 1`.
pub fn few_factorials(terms: &mut Terms, id: ExprId) -> ExprId {
    let id = terms.canonical(id);
    let polynomial = terms.polynomial(id);
    cancelled(terms, &polynomial).unwrap_or(id)
}

/// `None` if there are too many factorials, or none.
fn cancelled(terms: &mut Terms, polynomial: &Polynomial) -> Option<ExprId> {
    let (scale, common, mut sum) = terms.primitive(polynomial)?;
    let mut families: Vec<Family> = Vec::new();
    let mut rest = Monomial::one();
    for &(atom, exponent) in common.powers() {
        match *terms.arena.node(expr_of(atom)) {
            Node::Apply(Function::Factorial, operand) => {
                let argument = (*terms.polynomial(operand)).clone();
                let negative = argument
                    .as_constant()
                    .is_some_and(|value| value.is_negative());
                join(&mut families, argument, i64::from(exponent)).filter(|()| !negative)?;
            }
            _ => rest = rest.checked_mul(&Monomial::power(atom, exponent))?,
        }
    }
    if families.is_empty() {
        return None;
    }
    let mut product = vec![terms.arena.number(scale)];
    for mut family in families {
        family.members.sort_unstable();
        while let Some((high, low)) = opposite(&family.members) {
            let ((above, sign), (below, _)) = (family.members[high], family.members[low]);
            let sign = sign.signum();
            family.members[high].1 -= sign;
            family.members[low].1 += sign;
            let argument = &family.argument + &Polynomial::from(below);
            let between = rising(&argument, above - below)?;
            let between = terms.expression(&between);
            let sign = terms.arena.number(sign);
            product.push(terms.arena.pow(between, sign));
        }
        for (distance, power) in family.members {
            let argument = &family.argument + &Polynomial::from(distance);
            let next = &argument + &Polynomial::one();
            let factor = atom_of(terms.expression(&next));
            let of_next = i64::from(rest.exponent(factor));
            if power != 0 && of_next.signum() == power.signum() {
                // (x + 1) x! = (x + 1)!
                let count = of_next.abs().min(power.abs()) * power.signum();
                rest = rest.checked_mul(&Monomial::power(factor, i32::try_from(-count).ok()?))?;
                product.push(factorial_power(terms, &next, count));
                product.push(factorial_power(terms, &argument, power - count));
                continue;
            }
            let divided = sum.divide_exact(&next).filter(|_| power > 0);
            if let Some(quotient) = divided.filter(|_| next.as_constant().is_none()) {
                sum = quotient;
                product.push(factorial_power(terms, &next, 1));
                product.push(factorial_power(terms, &argument, power - 1));
                continue;
            }
            product.push(factorial_power(terms, &argument, power));
        }
    }
    let rest = Polynomial::term(rest, Rational::ONE);
    product.push(terms.expression(&rest));
    product.push(terms.expression(&sum));
    let product = terms.arena.mul(&product);
    Some(terms.canonical(product))
}

fn factorial_power(terms: &mut Terms, argument: &Polynomial, power: i64) -> ExprId {
    let argument = terms.expression(argument);
    let factorial = terms.arena.apply(Function::Factorial, argument);
    let power = terms.arena.number(power);
    terms.arena.pow(factorial, power)
}
/// The places of a factorial above and one below, the greater argument first.
fn opposite(members: &[(i64, i64)]) -> Option<(usize, usize)> {
    let pairs = (0..members.len()).flat_map(|high| (0..high).map(move |low| (high, low)));
    let mut opposite = pairs.filter(|&(high, low)| members[high].1 * members[low].1 < 0);
    opposite.next()
}
