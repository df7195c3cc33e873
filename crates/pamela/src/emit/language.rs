//! The notation that similar languages share.

use super::languages::Language;
use super::notation::{Divisor, Notation, Obstacle, Translation};
use super::reserved::Names;
use super::{sql, sympy};
use crate::expr::{Code, Function, Relation};
use crate::ring::Rational;

impl Language {
    pub(super) fn notation(self) -> Box<dyn Notation> {
        match self {
            Language::Sql => Box::new(sql::Sql),
            Language::SymPy => Box::new(sympy::SymPy),
            _ => Box::new(Calls(self)),
        }
    }
}

/// Operators of doubles; what differs where there is no value is a function that is part of the file.
struct Calls(Language);

fn helper(name: &str, operands: &[&str]) -> String {
    format!("pamela_{name}({})", operands.join(", "))
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn bracket_name(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "less",
        Relation::LessEqual => "at_most",
        Relation::Equal => "equal",
    }
}

impl Notation for Calls {
    /// The nearest double.
    fn number(&self, value: &Rational) -> String {
        let value = value.to_f64();
        let how = &self.0.row().functions;
        let text = match how.exponent {
            _ if !value.is_finite() => how.infinity.to_string(),
            None => format!("{value:?}"),
            Some(letter) => format!("{value:e}").replace('e', letter.encode_utf8(&mut [0; 4])),
        };
        if value < 0.0 {
            format!("(-{})", text.trim_start_matches('-'))
        } else {
            text
        }
    }

    fn call(&self, names: &Names, name: &str, parameters: &[String]) -> String {
        format!("{}({})", names.of(name), names.all(parameters).join(", "))
    }

    fn call_holds(&self, names: &Names, name: &str, parameters: &[String]) -> String {
        format!(
            "{}({})",
            names.holds(name),
            names.all(parameters).join(", ")
        )
    }

    fn quotient(&self, above: &str, below: &str, divisor: Divisor) -> String {
        match divisor {
            Divisor::Number => format!("({above} / {below})"),
            Divisor::Any => helper("quotient", &[above, below]),
        }
    }

    fn power(&self, base: &str, exponent: &str, known: Option<&Rational>) -> String {
        let times = known.and_then(Rational::to_i64);
        if let (true, Some(times @ 2..=3)) = (is_name(base), times) {
            let factors = vec![base; usize::from(times == 3) + 2];
            return format!("({})", factors.join(" * "));
        }
        helper("power", &[base, exponent])
    }

    fn extreme(&self, largest: bool, operands: &[String]) -> String {
        let name = if largest { "max" } else { "min" };
        let mut operands = operands.iter().rev();
        let last = operands.next().cloned().unwrap_or_default();
        operands.fold(last, |all, operand| helper(name, &[operand, &all]))
    }

    fn modulo(&self, a: &str, b: &str) -> String {
        helper("mod", &[a, b])
    }

    fn operate(&self, _: &'static str, name: &str, operands: &[String]) -> Translation {
        let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
        Ok(helper(name, &operands))
    }

    fn language(&self) -> &'static str {
        self.0.name()
    }

    fn bracket(&self, relation: Relation, a: &str, b: &str) -> String {
        helper(bracket_name(relation), &[a, b])
    }

    fn relation(&self, relation: Relation, a: &str, b: &str) -> String {
        let sign = match relation {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Equal => "==",
        };
        format!("({a} {sign} {b})")
    }

    fn holds(&self, truth: &str) -> String {
        format!("({truth} == {})", self.number(&Rational::ONE))
    }

    fn both(&self, truths: &[String]) -> String {
        let how = &self.0.row().functions;
        if truths.is_empty() {
            how.truth.to_string()
        } else {
            truths.join(how.and)
        }
    }

    fn choose(&self, condition: &str, then: &str, otherwise: &str) -> String {
        helper("choose", &[condition, then, otherwise])
    }

    fn root(&self, operand: &str, order: i64) -> Option<String> {
        Some(helper(
            "root",
            &[operand, &self.number(&Rational::from(order))],
        ))
    }

    fn logarithm(&self, operand: &str, base: &str) -> Option<String> {
        Some(helper("log_to", &[operand, base]))
    }

    fn beside(&self, found: &str, whole: &str, power: &str, operand: &str) -> String {
        helper("beside", &[found, whole, power, operand])
    }

    fn binomial(&self, n: &str, k: &str) -> Translation {
        Ok(helper("binomial", &[n, k]))
    }

    fn factorials(&self, a: &str, b: &str) -> Translation {
        Ok(helper("factorials", &[a, b]))
    }

    fn distance(&self, operand: &str) -> String {
        helper("distance", &[operand])
    }

    fn decided(&self, distance: &str, error: &str, grid: &str) -> String {
        helper("decided", &[distance, error, grid])
    }

    fn apply(&self, function: Function, operand: &str) -> Translation {
        let row = function.row();
        Ok(match (function, row.code) {
            (Function::Harmonic(order), Code::Helper(name)) => {
                let order = self.number(&Rational::from(i64::from(order)));
                helper(name, &[operand, &order])
            }
            (_, Code::Helper(name)) => helper(name, &[operand]),
            (_, Code::Own) => self.elementary(row.name, operand),
            (_, Code::None) => return Err(Obstacle::Function(row.name, self.0.name())),
        })
    }
}

impl Calls {
    fn elementary(&self, name: &str, operand: &str) -> String {
        match (self.0.row().functions.elementary, name) {
            (Some([_, abs]), "abs") => format!("{abs}({operand})"),
            (Some([before, _]), _) => format!("{before}{name}({operand})"),
            (None, _) => helper(name, &[operand]),
        }
    }
}
