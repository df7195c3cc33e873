//! Writes powers for readers: exponentials, powers of numbers, and roots.

use super::shares::Shares;
use crate::expr::{Arena, ExprId, Function, Node};
use crate::ring::Rational;

/// Writes `1 / exp(x)` as `exp(-x)` and `exp(x)^n` as `exp(n * x)`.
pub(super) fn with_power_in_exponent(arena: &mut Arena, id: ExprId) -> ExprId {
    if let Node::Pow(base, exponent) = *arena.node(id)
        && let Node::Apply(Function::Exp, operand) = *arena.node(base)
    {
        let operand = arena.mul(&[exponent, operand]);
        return arena.apply(Function::Exp, operand);
    }
    id
}

/// Powers of greater numbers are written as powers of their roots.
const LARGEST_BASE: i64 = 1_000;
/// Its power of 2 is not the greater one.
const LARGEST_POWER: i64 = 9;

/// Writes `2^(2 * n)` as `4^n`.
pub(super) fn with_power_in_base(arena: &mut Arena, id: ExprId) -> ExprId {
    let Node::Pow(base, exponent) = *arena.node(id) else {
        return id;
    };
    let Node::Mul(factors) = arena.node(exponent).clone() else {
        return id;
    };
    let power = arena
        .as_number(factors[0])
        .filter(|power| power.is_integer());
    let number = arena.as_number(base).filter(|number| number.is_positive());
    let (Some(number), Some(power)) = (number, power) else {
        return id;
    };
    let whole = power.abs();
    let whole = whole.to_i64().filter(|&power| power <= LARGEST_POWER);
    let larger = whole.and_then(|power| number.pow(power));
    let Some(larger) = larger.filter(|base| *base <= Rational::from(LARGEST_BASE)) else {
        return id;
    };
    let (sign, base) = (
        Rational::from(if power.is_negative() { -1 } else { 1 }),
        larger,
    );
    let (sign, base) = (arena.number(sign), arena.number(base));
    let rest: Vec<ExprId> = [sign]
        .into_iter()
        .chain(factors[1..].iter().copied())
        .collect();
    let exponent = arena.mul(&rest);
    arena.pow(base, exponent)
}

/// Writes `x^(1/2)` as `sqrt(x)`, also in a denominator.
pub(super) fn as_root(arena: &mut Arena, id: ExprId) -> ExprId {
    let Node::Pow(base, exponent) = *arena.node(id) else {
        return id;
    };
    let power = arena.as_number(exponent).cloned();
    let Some(power) = power.filter(|power| &power.abs() + &power.abs() == Rational::ONE) else {
        return id;
    };
    let root = arena.apply(Function::Sqrt, base);
    if power.is_negative() {
        let minus_one = arena.number(-1);
        arena.pow(root, minus_one)
    } else {
        root
    }
}

/// Writes `exp(x) / (exp(x) - 1)` as `1 / (1 - exp(-x))`.
pub(super) fn with_exponential_divided(arena: &mut Arena, product: ExprId) -> Option<ExprId> {
    let Node::Mul(factors) = arena.node(product).clone() else {
        return None;
    };
    let exponent = |arena: &Arena, id: ExprId| match *arena.node(id) {
        Node::Apply(Function::Exp, exponent) => Some(exponent),
        _ => None,
    };
    for (position, &factor) in factors.iter().enumerate() {
        let Some(own) = exponent(arena, factor) else {
            continue;
        };
        let divisor = |&other: &ExprId| match *arena.node(other) {
            Node::Pow(base, power) if arena.as_number(power)?.to_i64()? == -1 => {
                let Node::Add(terms) = arena.node(base) else {
                    return None;
                };
                terms.contains(&factor).then(|| (other, terms.to_vec()))
            }
            _ => None,
        };
        let Some((reciprocal, terms)) = factors.iter().find_map(divisor) else {
            continue;
        };
        let opposite = arena.negate(own);
        let inverse = arena.apply(Function::Exp, opposite);
        let one = arena.number(1);
        let mut divided = Vec::with_capacity(terms.len());
        for term in terms {
            divided.push(if term == factor {
                one
            } else {
                arena.mul(&[term, inverse])
            });
        }
        let (sum, minus_one) = (arena.add(&divided), arena.number(-1));
        let mut others = factors.to_vec();
        others.remove(position);
        others.retain(|&other| other != reciprocal);
        others.push(arena.pow(sum, minus_one));
        return Some(arena.mul(&others));
    }
    None
}

/// Writes `P * m / (P * (m + r))` as `m / (m + r)` if `P` is a positive parameter.
///
/// Such denominators arise when one divisor was chosen among several.
pub(super) fn without_common_parameters(
    arena: &mut Arena,
    product: ExprId,
    shares: &Shares,
) -> Option<ExprId> {
    let Node::Mul(factors) = arena.node(product).clone() else {
        return None;
    };
    let bases = factors.iter().map(|&factor| power_of(arena, factor).0);
    let common: Vec<ExprId> = bases.filter(|&base| shares.is_positive(base)).collect();
    let mut parts: Vec<(ExprId, Rational)> = Vec::with_capacity(factors.len());
    for &factor in &factors {
        let (base, power) = power_of(arena, factor);
        let inner = match arena.node(base) {
            Node::Mul(inner) if power.is_integer() => inner.to_vec(),
            _ => Vec::new(),
        };
        let inner = inner.into_iter().map(|part| power_of(arena, part));
        let inner: Vec<(ExprId, Rational)> = inner.collect();
        if inner.iter().any(|(part, _)| common.contains(part)) {
            parts.extend(inner.into_iter().map(|(part, own)| (part, &own * &power)))
        } else {
            parts.push((base, power))
        }
    }
    if parts.len() == factors.len() {
        return None;
    }
    let mut list = Vec::with_capacity(parts.len());
    for parameter in common {
        let own = parts.iter().filter(|(base, _)| *base == parameter);
        let power = own.fold(Rational::ZERO, |sum, (_, power)| &sum + power);
        parts.retain(|(base, _)| *base != parameter);
        parts.push((parameter, power));
    }
    for (base, power) in parts {
        let power = arena.number(power);
        list.push(arena.pow(base, power));
    }
    Some(arena.mul(&list))
}

fn power_of(arena: &Arena, id: ExprId) -> (ExprId, Rational) {
    match *arena.node(id) {
        Node::Pow(base, exponent) => match arena.as_number(exponent) {
            Some(power) => (base, power.clone()),
            None => (id, Rational::ONE),
        },
        _ => (id, Rational::ONE),
    }
}
