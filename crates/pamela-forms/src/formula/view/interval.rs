//! Joins the two bounds of one expression.

use super::{Sign, Truth};
use crate::expr::{Arena, ExprId};
use crate::ring::Rational;

/// Joins a lower and an upper bound of one expression in a conjunction.
pub(in crate::formula) fn intervals(arena: &Arena, list: &[Truth]) -> Vec<Truth> {
    let mut result: Vec<Truth> = Vec::with_capacity(list.len());
    for truth in list {
        let other = result.iter_mut().find_map(|known| {
            let both = between(arena, known, truth)?;
            Some((known, both))
        });
        match other {
            Some((known, both)) => *known = both,
            None => result.push(truth.clone()),
        }
    }
    result
}

fn between(arena: &Arena, first: &Truth, second: &Truth) -> Option<Truth> {
    let (a, b) = (bound(arena, first)?, bound(arena, second)?);
    let (lower, upper) = match (a.above, b.above) {
        (true, false) => (a, b),
        (false, true) => (b, a),
        _ => return None,
    };
    let possible = lower.number < upper.number;
    (lower.of == upper.of && possible).then_some(Truth::Between {
        lower: lower.at,
        above: lower.sign,
        of: lower.of,
        below: upper.sign,
        upper: upper.at,
    })
}

/// `of sign at`
struct Bound<'a> {
    of: ExprId,
    at: ExprId,
    number: &'a Rational,
    above: bool,
    /// The sign as read from the left: `0 <`, `< 1`.
    sign: Sign,
}

fn bound<'a>(arena: &'a Arena, truth: &Truth) -> Option<Bound<'a>> {
    let Truth::Relation(sign, of, at) = *truth else {
        return None;
    };
    let number = arena.as_number(at)?;
    let (above, sign) = match sign {
        Sign::Greater | Sign::GreaterEqual => (true, sign.mirrored()),
        Sign::Less | Sign::LessEqual => (false, sign),
        Sign::Equal | Sign::NotEqual => return None,
    };
    Some(Bound {
        of,
        at,
        number,
        above,
        sign,
    })
}
