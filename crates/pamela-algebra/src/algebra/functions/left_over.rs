//! The difference of a term and an extreme with it is an extreme of differences.

use crate::expr::{ExprId, Function, Node};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::{extreme, one};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{Terms, expr_of};

/// Sums of more terms, and of higher powers, are not looked at.
const MOST_TERMS: usize = 16;
const MOST_POWER: i32 = 4;

/// A sum in which the larger or smaller of two terms is subtracted from one of them: `max(0, x - y)` for
/// `x - min(x, y)`.
pub fn left_over(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let terms = &mut scope.terms;
    let Some(term) = values.first().and_then(Value::as_term) else {
        return Vec::new();
    };
    let sum = terms.polynomial(term);
    // Chunks of a range are recognised by where they begin and end.
    if sum.len() > MOST_TERMS || terms.indices(term) > 0 {
        return Vec::new();
    }
    let found = sum.atoms().into_iter().find_map(|atom| {
        let (list, largest) = match terms.arena.node(expr_of(atom)) {
            Node::Max(list) => (list.clone(), true),
            Node::Min(list) => (list.clone(), false),
            _ => return None,
        };
        let [x, y] = *list else { return None };
        [(x, y), (y, x)].into_iter().find_map(|(own, other)| {
            let [own, other] = [own, other].map(|operand| terms.polynomial(operand));
            let step = &*other - &*own;
            match sum.degree_in(atom) {
                _ if sum.min_degree_in(atom) < 0 => None,
                1 => taken_once(terms, &sum, atom, (&own, &step), largest),
                2..=MOST_POWER => taken_often(terms, &sum, atom, (&own, &step), largest),
                _ => None,
            }
        })
    });
    one(found.map(|sum| vec![Value::Term(sum)]))
}

fn taken_once(
    terms: &mut Terms,
    sum: &Polynomial,
    atom: Atom,
    (own, step): (&Polynomial, &Polynomial),
    largest: bool,
) -> Option<ExprId> {
    let mut by_power = sum.coefficients_in(atom);
    let (rest, factor) = (by_power.remove(&0)?, by_power.remove(&1)?);
    let taken = terms.multiply(&factor, own)?;
    let left = &rest + &taken;
    // All of it is there.
    let whole = !taken.is_zero() && left.len() + taken.len() == rest.len();
    whole.then(|| beside(terms, &factor, step, &left, largest))?
}

/// With `m = max(0, x - y)`, by which `min(x, y)` is `x - m`, any multiple of `m` is the same with `m` for `x - y`: so
/// `(x - min(x, y)) * (x - 2 * y + min(x, y) + 1)` is `m * (m + 1)`.
fn taken_often(
    terms: &mut Terms,
    sum: &Polynomial,
    atom: Atom,
    (own, step): (&Polynomial, &Polynomial),
    largest: bool,
) -> Option<ExprId> {
    let beyond = if largest { step.clone() } else { -step };
    let (zero, shown) = (terms.arena.number(0), terms.expression(&beyond));
    let left = terms.arena.max(&[zero, shown]);
    let left = terms.polynomial(left).as_atom()?;
    let taken = Polynomial::atom(left);
    let value = if largest { own + &taken } else { own - &taken };
    let whole = sum.substitute(atom, &value, MOST_TERMS)?;
    let mut by_power = whole.coefficients_in(left);
    let rest = by_power.remove(&0).unwrap_or_default();
    let multiple = &whole - &rest;
    let symbols = beyond
        .terms()
        .filter_map(|(monomial, slope)| match *monomial.powers() {
            [(symbol, 1)] => Some((symbol, slope.recip()?)),
            _ => None,
        });
    let mut shortest: Option<Polynomial> = None;
    for (symbol, inverse) in symbols {
        let slope = inverse.recip()?;
        let others = &beyond - &Polynomial::atom(symbol).scale(&slope);
        if others.contains(symbol) || multiple.min_degree_in(symbol) < 0 {
            continue;
        }
        let there = (&taken - &others).scale(&inverse);
        let other = &rest + &multiple.substitute(symbol, &there, MOST_TERMS)?;
        let is_shorter = match &shortest {
            Some(shortest) => other.len() < shortest.len(),
            None => other.len() + beyond.len() <= sum.len(),
        };
        if is_shorter {
            shortest = Some(other);
        }
    }
    shortest.map(|shortest| terms.expression(&shortest))
}

/// `factor * max(0, step) - factor * step / 2`, or that of a minimum.
fn half_a_distance(
    terms: &mut Terms,
    factor: &Polynomial,
    step: &Polynomial,
    largest: bool,
) -> Option<ExprId> {
    let sign = Rational::from(if largest { 1 } else { -1 });
    let half = factor.scale(&sign.checked_div(&Rational::from(2))?);
    let [half, step] = [&half, step].map(|p| terms.expression(p));
    let distance = terms.arena.apply(Function::Abs, step);
    Some(terms.arena.mul(&[half, distance]))
}

/// `factor * max(0, step) + rest`, also for a minimum. Terms of `rest` that cancel in one operand are moved into
/// both: `c * max(x, y)` for `c * max(0, y - x) + c * x`.
pub(super) fn beside(
    terms: &mut Terms,
    factor: &Polynomial,
    step: &Polynomial,
    rest: &Polynomial,
    largest: bool,
) -> Option<ExprId> {
    let whole = terms.multiply(factor, step)?;
    if (&rest.scale(&Rational::from(2)) + &whole).is_zero() {
        return half_a_distance(terms, factor, step, largest);
    }
    let cancels = |(monomial, own): &(&Monomial, &Rational)| whole.coefficient(monomial) == -*own;
    let inside = rest.terms().filter(cancels);
    let inside = Polynomial::from_terms(inside.map(|(m, c)| (m.clone(), c.clone())).collect());
    let Some((monomial, number)) = factor.as_term().filter(|_| !inside.is_zero()) else {
        // A maximum with the operand 0 is easier to read.
        let (factor, step) = if largest {
            (factor.clone(), step.clone())
        } else {
            (-factor, -step)
        };
        let zero = terms.arena.number(0);
        let [factor, step, rest] = [&factor, &step, rest].map(|p| terms.expression(p));
        let found = terms.arena.max(&[zero, step]);
        let product = terms.arena.mul(&[factor, found]);
        return Some(terms.arena.add(&[product, rest]));
    };
    let outside = terms.expression(&(rest - &inside));
    let (inverse, size) = (monomial.checked_pow(-1)?, number.abs());
    let operands = [inside.clone(), &inside + &whole].map(|p| {
        let operand = p.mul_term(&inverse, &size.recip()?)?;
        Some(terms.expression(&operand))
    });
    let operands: Vec<ExprId> = operands.into_iter().collect::<Option<_>>()?;
    let factor = terms.expression(&Polynomial::term(monomial.clone(), size));
    let found = extreme(terms, &operands, largest == number.is_positive());
    let product = terms.arena.mul(&[factor, found]);
    Some(terms.arena.add(&[product, outside]))
}
