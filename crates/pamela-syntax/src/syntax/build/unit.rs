//! Builds units in brackets.

use pest::Parser;

use super::parts::Parts;
use super::{Built, Failure, Grammar, Rule};
use crate::diagnostic::{Diagnostic, Span};
use crate::ring::Rational;
use crate::syntax::tree::{DeclaredUnit, Quantity, Unit, UnitPart};

/// The most names in one pair of brackets.
const MOST_PARTS: usize = 12;
/// The largest power of a unit, either way.
const MAX_POWER: i32 = 12;

impl Parts<'_> {
    /// Builds `[GB/s]`.
    pub(super) fn unit(mut self) -> Built<Unit> {
        let span = self.span();
        let mut parts = Vec::new();
        let mut divides = false;
        while let Some(mut part) = self.next() {
            if part.rule() == Rule::unit_sign {
                divides = part.text() == "/";
                continue;
            }
            let name = part.take()?;
            let written = match part.next() {
                Some(power) => power.power()?,
                None => 1,
            };
            let power = if divides { -written } else { written };
            // `1` says nothing.
            if name.rule() != Rule::one {
                parts.push(UnitPart {
                    name: name.name(),
                    power,
                });
            }
        }
        if parts.len() > MOST_PARTS {
            let message = format!("a unit of more than {MOST_PARTS} parts");
            return Err(Diagnostic::error(message, span, "too long a unit").into());
        }
        Ok(Unit {
            parts,
            span,
            meaning: None,
        })
    }

    fn power(&self) -> Built<i32> {
        let power = self.text().parse().ok();
        let power = power.filter(|power: &i32| power.abs() <= MAX_POWER);
        power.ok_or_else(|| {
            let message = format!("a power of a unit beyond {MAX_POWER}");
            Diagnostic::error(message, self.span(), "too large a power").into()
        })
    }
}

/// Joins a number and the unit after it.
pub(super) fn quantity(number: Rational, unit: Unit) -> Quantity {
    Quantity { number, unit }
}

/// Builds `[GB/s]` from a whole text.
pub(in crate::syntax) fn lone_unit(text: &str, place: Span) -> Built<Unit> {
    let pairs = Grammar::parse(Rule::lone_unit, text);
    let pairs = pairs.map_err(|error| Failure::Grammar(Box::new(error)))?;
    Parts::of_item(pairs, place)?.take()?.unit()
}

/// Builds `unit [x]` or `unit [x] = 4 [KiB]`.
pub(super) fn declared(mut parts: Parts<'_>) -> Built<DeclaredUnit> {
    let span = parts.span();
    let own = parts.take()?.unit()?;
    let name = match &own.parts[..] {
        [UnitPart { name, power: 1 }] => name.clone(),
        _ => {
            let error = Diagnostic::error("expected one name", own.span, "not a single name");
            return Err(error
                .hint("a unit is declared by one name: `unit [token]`, `unit [page] = 4 [KiB]`")
                .into());
        }
    };
    let value = match parts.next() {
        None => None,
        Some(number) => {
            let text = number.text();
            let value = Rational::parse_decimal(text).map_err(|error| {
                Diagnostic::error(error.to_string(), number.span(), "not readable")
            })?;
            Some(quantity(value, parts.take()?.unit()?))
        }
    };
    Ok(DeclaredUnit { name, value, span })
}
