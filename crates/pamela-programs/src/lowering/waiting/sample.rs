//! Numbers for symbols.

use std::collections::HashMap;

use crate::lowering::number::{Atom, Comparison, Condition, Number, Symbol};

/// Values of the symbols in a trial; a symbol without a value is a size.
pub struct Sample {
    values: HashMap<Symbol, f64>,
    size: f64,
}

impl Sample {
    pub fn new(size: i64) -> Sample {
        Sample {
            values: HashMap::new(),
            size: size as f64,
        }
    }

    pub fn set(&mut self, symbol: Symbol, value: i64) {
        self.values.insert(symbol, value as f64);
    }

    pub fn get(&self, symbol: Symbol) -> f64 {
        self.values.get(&symbol).copied().unwrap_or(self.size)
    }

    pub fn copy(&self) -> Sample {
        Sample {
            values: self.values.clone(),
            size: self.size,
        }
    }

    /// `None` if the number contains a symbol of another program, or has no value.
    pub fn value(&self, number: &Number) -> Option<f64> {
        let mut sum = 0.0;
        for (monomial, coefficient) in number.terms() {
            let mut product = coefficient as f64;
            for (atom, exponent) in monomial {
                product *= self.atom(atom)?.powi(i32::try_from(*exponent).ok()?);
            }
            sum += product;
        }
        Some(sum).filter(|sum: &f64| sum.is_finite())
    }

    fn atom(&self, atom: &Atom) -> Option<f64> {
        let value = |number: &Number| self.value(number);
        Some(match atom {
            Atom::Symbol(symbol) => self.get(*symbol),
            Atom::Div(a, b) => (value(a)? / value(b)?).floor(),
            Atom::Mod(a, b) => {
                let (a, b) = (value(a)?, value(b)?);
                a - b * (a / b).floor()
            }
            Atom::Min(a, b) => value(a)?.min(value(b)?),
            Atom::Max(a, b) => value(a)?.max(value(b)?),
            Atom::If(condition, a, b) => {
                if self.holds(condition)? {
                    value(a)?
                } else {
                    value(b)?
                }
            }
            Atom::Power(a, b) => value(a)?.powf(value(b)?),
            Atom::Quotient(a, b) => value(a)? / value(b)?,
            Atom::Function(name, arguments) => {
                let first = value(arguments.first()?)?;
                match *name {
                    "log2" => first.log2(),
                    "log" => first.ln(),
                    "sqrt" => first.sqrt(),
                    "ceil" => first.ceil(),
                    "floor" => first.floor(),
                    _ => return None,
                }
            }
            Atom::Real(text) => text.parse().ok()?,
            Atom::Written(_) => return None,
        })
    }

    /// A condition on data holds in all trials.
    pub fn holds(&self, condition: &Condition) -> Option<bool> {
        Some(match condition {
            Condition::Constant(value) => *value,
            Condition::Compare(comparison, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match comparison {
                    Comparison::Less => a < b,
                    Comparison::LessEqual => a <= b,
                    Comparison::Equal => a == b,
                    Comparison::NotEqual => a != b,
                }
            }
            Condition::Not(inner) => !self.holds(inner)?,
            Condition::And(a, b) => self.holds(a)? && self.holds(b)?,
            Condition::Or(a, b) => self.holds(a)? || self.holds(b)?,
            Condition::Share(_) => true,
        })
    }
}
