//! Reads a product with symbols of base units as numbers with units, such as `5 [us] * n`.

use std::collections::BTreeMap;

use crate::expr::{Arena, ExprId, Node};
use crate::model::units::{BINARY, PREFIXES};
use crate::ring::Rational;
use crate::syntax::rewrite::label;
use crate::syntax::tree::{Quantity, Unit, UnitPart};

/// Longer numbers are split into a factor and one unit.
const LONGEST: usize = 12;

/// The powers of base units.
type Powers = BTreeMap<String, i32>;

/// A product that was read with one number that carries the units.
pub(super) struct Read {
    pub literal: Quantity,
    /// True if the quantity is a divisor.
    pub divides: bool,
    /// A factor that is a unit.
    pub base: ExprId,
    /// The remaining number; the other factors follow.
    pub rest: Rational,
    pub others: Vec<ExprId>,
}

/// Reads a product that has units among its factors.
pub(super) fn read(arena: &Arena, coefficient: &Rational, factors: &[ExprId]) -> Option<Read> {
    let mut powers = Powers::new();
    let mut others = Vec::new();
    let mut base = None;
    for &factor in factors {
        match unit_power(arena, factor) {
            Some((unit, power)) => {
                base = Some(factor);
                *powers.entry(unit.to_owned()).or_insert(0) += power;
            }
            None => others.push(factor),
        }
    }
    let base = base?;
    let size = coefficient.abs();
    let inverse = powers.iter().map(|(unit, power)| (unit.clone(), -power));
    let inverse: Powers = inverse.collect();
    let direct = shortest(&size, &powers);
    let divisor = size.recip().and_then(|size| shortest(&size, &inverse));
    let divisor = divisor.filter(|_| !others.is_empty());
    let (rest, literal, divides) = match (direct, divisor) {
        (Some((cost, literal)), Some((other, divisor))) => {
            if cost <= other {
                (Rational::ONE, literal, false)
            } else {
                (Rational::ONE, divisor, true)
            }
        }
        (Some((_, literal)), None) => (Rational::ONE, literal, false),
        (None, Some((_, literal))) => (Rational::ONE, literal, true),
        (None, None) => {
            let (scale, unit) = plainest(&size, &powers);
            let literal = quantity(Rational::ONE, unit);
            (size.checked_div(&scale)?, literal, false)
        }
    };
    Some(Read {
        literal,
        divides,
        base,
        rest: if coefficient.is_negative() {
            -rest
        } else {
            rest
        },
        others,
    })
}

/// Joins a number and its unit.
pub(super) fn quantity(number: Rational, parts: Vec<UnitPart>) -> Quantity {
    let unit = Unit {
        parts,
        span: Default::default(),
        meaning: None,
    };
    Quantity { number, unit }
}

/// The base unit and the whole power that a factor is.
fn unit_power(arena: &Arena, factor: ExprId) -> Option<(&str, i32)> {
    match *arena.node(factor) {
        Node::Pow(base, exponent) => {
            let power = arena.as_number(exponent)?.to_i64()?;
            Some((arena.as_unit(base)?, i32::try_from(power).ok()?))
        }
        _ => Some((arena.as_unit(factor)?, 1)),
    }
}

/// The units in which powers can be written, each with its size in base units.
fn units(powers: &Powers) -> Vec<(Rational, Vec<UnitPart>)> {
    let first = |sign: i32| powers.iter().find(|(_, power)| **power == sign);
    let Some((main, power)) = first(1).or_else(|| first(-1)) else {
        return vec![(Rational::ONE, parts(powers, "", ""))];
    };
    let allowed = |prefix: &str| match main.as_str() {
        "s" => matches!(prefix, "n" | "u" | "m"),
        "J" | "W" => true,
        // Nobody counts thousandths of tokens.
        _ => !matches!(prefix, "n" | "u" | "m"),
    };
    let decimal = PREFIXES
        .iter()
        .map(|&(prefix, exponent)| (prefix, 10, exponent));
    let binary = BINARY
        .iter()
        .map(|&(prefix, exponent)| (prefix, 1024, exponent));
    let binary = binary.filter(|_| main == "B");
    let prefixed = decimal.filter(|(prefix, ..)| allowed(prefix)).chain(binary);
    let scaled = prefixed.filter_map(|(prefix, base, exponent)| {
        let scale = Rational::from(base).pow(exponent * i64::from(*power))?;
        Some((scale, parts(powers, main, prefix)))
    });
    std::iter::once((Rational::ONE, parts(powers, "", "")))
        .chain(scaled)
        .collect()
}

/// `GB/s`
fn parts(powers: &Powers, main: &str, prefix: &str) -> Vec<UnitPart> {
    let part = |(unit, power): (&String, &i32)| {
        let prefix = if unit == main { prefix } else { "" };
        UnitPart {
            name: label(&format!("{prefix}{unit}")),
            power: *power,
        }
    };
    let (above, below): (Vec<_>, Vec<_>) = powers.iter().partition(|(_, power)| **power > 0);
    above.into_iter().chain(below).map(part).collect()
}

/// The shortest literal of a positive number of base units, with its length, if it has digits that end soon.
fn shortest(size: &Rational, powers: &Powers) -> Option<(usize, Quantity)> {
    let powers: Powers = powers
        .iter()
        .map(|(u, p)| (u.clone(), *p))
        .filter(|(_, p)| *p != 0)
        .collect();
    if powers.is_empty() {
        return None;
    }
    let dividing = 2 * powers.values().filter(|power| **power < 0).count();
    // Rates are read by amounts in a time, not by times of an amount.
    let slow = powers.get("s").is_some_and(|power| *power > 0) && dividing > 0;
    let ways = units(&powers).into_iter().filter_map(|(scale, unit)| {
        let number = size.checked_div(&scale)?;
        let digits = number
            .to_decimal()
            .filter(|digits| digits.len() <= LONGEST)?;
        let outside = number < Rational::ONE || number >= Rational::from(1000);
        Some((digits.len(), outside, quantity(number, unit)))
    });
    let (length, _, literal) = ways.min_by_key(|(length, outside, _)| (*length, *outside))?;
    Some((length + dividing + usize::from(slow), literal))
}

/// The unit that gives the simplest fraction, with its size in base units.
fn plainest(size: &Rational, powers: &Powers) -> (Rational, Vec<UnitPart>) {
    let ways = units(powers).into_iter();
    let found = ways.min_by_key(|(scale, _)| size.checked_div(scale).map(|own| own.bits()));
    found.unwrap_or_else(|| (Rational::ONE, parts(powers, "", "")))
}
