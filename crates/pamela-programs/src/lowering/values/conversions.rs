//! Conversions of values to types: truncation, unsigned and narrow integers.

use super::*;

/// Larger factors, and larger constants, make numbers without a sign wrap around above, too.
const LARGEST_FACTOR: i64 = 1 << 20;
const LARGEST_CONSTANT: i64 = 1 << 31;

impl Walker<'_> {
    /// A value converted to a variable of this kind, or by a cast; unknown if it may not fit.
    pub fn converted(&mut self, value: Value, kind: Kind) -> Value {
        let Kind::Integer { signed, bits } = kind else {
            return match kind {
                Kind::Real => Value {
                    real: true,
                    wraps: false,
                    ..value
                },
                _ => Value {
                    outside: value.outside,
                    ..Value::unknown()
                },
            };
        };
        let whole = if value.real {
            value.number.and_then(truncated)
        } else {
            value.number
        };
        let number = whole.and_then(|number| match bits {
            1 => {
                let zero = Number::constant(0);
                Some(truth(Condition::compare(
                    Comparison::NotEqual,
                    number,
                    zero,
                )))
            }
            _ if bits < 32 => {
                let modulus = 1_i64 << bits;
                let least = if signed { -modulus / 2 } else { 0 };
                let fits = |value: &i64| (least..least + modulus).contains(value);
                number.as_constant().filter(fits).map(|_| number)
            }
            // One without a sign has been found to fit.
            _ if !signed && !value.wraps => self.wrapped(number),
            _ => Some(number),
        });
        Value {
            number,
            real: false,
            wraps: kind.wraps(),
            outside: value.outside,
        }
    }

    /// An unsigned number, if it is known or assumed not to wrap around.
    pub fn wrapped(&mut self, number: Number) -> Option<Number> {
        let is_large = |is_constant: bool, factor: i64| {
            if is_constant {
                factor.abs() > LARGEST_CONSTANT
            } else {
                factor.abs() > LARGEST_FACTOR
            }
        };
        let large = number
            .terms()
            .find(|(monomial, factor)| is_large(monomial.is_empty(), *factor));
        if large.is_some() {
            return None;
        }
        self.assume_nonnegative(&number).map(|()| number)
    }

    /// Ensures that a number is nonnegative: by the facts, or by a consistent assumption of the model about its
    /// parameters. `None` if neither is possible.
    pub fn assume_nonnegative(&mut self, number: &Number) -> Option<()> {
        if self.facts.nonnegative(number) {
            return Some(());
        }
        let is_open = number.as_constant().is_none() && self.is_of_parameters(number);
        let opposite = number.scaled(-1)?.plus_constant(-1)?;
        let mut facts = self.facts.clone();
        facts.known.extend(self.assumptions.iter().cloned());
        if facts.nonnegative(number) {
            return Some(());
        }
        if !is_open || facts.nonnegative(&opposite) {
            return None;
        }
        self.assumptions.push(number.clone());
        self.facts.known.push(number.clone());
        Some(())
    }
}

/// A real number as a whole one: towards 0; none where doubles may come to another one.
fn truncated(number: Number) -> Option<Number> {
    let floor = |number: Number| Number::atom(Atom::Function("floor", vec![number]));
    if number.is_rounded() {
        return None;
    }
    Some(match number.as_atom() {
        Some(Atom::Function("floor" | "ceil", _)) => number,
        Some(Atom::Function("sqrt" | "log2", _)) => floor(number),
        _ if number.as_constant().is_some() => number,
        _ => {
            let zero = Number::constant(0);
            let negative = Condition::Compare(Comparison::Less, number.clone(), zero);
            let up = Number::atom(Atom::Function("ceil", vec![number.clone()]));
            Number::choose(negative, up, floor(number))
        }
    })
}
