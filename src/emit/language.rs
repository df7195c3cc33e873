//! What differs from language to language.

use super::expression::Refused;
use super::{Body, Signature};
use crate::expr::Function;
use crate::ring::Rational;

/// A language that functions are written in. Numbers are doubles in all of them; Python takes arrays of NumPy as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Rust,
    Python,
    Julia,
}

/// Words that no function or parameter may be called.
const RESERVED: [&str; 66] = [
    "abstract",
    "and",
    "as",
    "async",
    "auto",
    "await",
    "baremodule",
    "begin",
    "break",
    "case",
    "char",
    "class",
    "const",
    "continue",
    "crate",
    "def",
    "default",
    "del",
    "do",
    "double",
    "else",
    "elseif",
    "end",
    "enum",
    "except",
    "export",
    "extern",
    "false",
    "float",
    "fn",
    "for",
    "from",
    "function",
    "global",
    "goto",
    "if",
    "impl",
    "import",
    "in",
    "int",
    "is",
    "lambda",
    "let",
    "local",
    "long",
    "loop",
    "match",
    "math",
    "mod",
    "move",
    "mut",
    "not",
    "np",
    "or",
    "pub",
    "return",
    "self",
    "short",
    "static",
    "struct",
    "true",
    "try",
    "type",
    "using",
    "while",
    "yield",
];

impl Language {
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::Rust => "Rust",
            Language::Python => "Python",
            Language::Julia => "Julia",
        }
    }

    pub(super) fn identifier(self, name: &str) -> String {
        match RESERVED.contains(&name) || name.starts_with("pamela_") {
            true => format!("{name}_"),
            false => name.to_string(),
        }
    }

    pub(super) fn call(self, name: &str, parameters: &[String]) -> String {
        let own: Vec<String> = parameters.iter().map(|p| self.identifier(p)).collect();
        format!("{}({})", self.identifier(name), own.join(", "))
    }

    /// The nearest double.
    pub(super) fn number(self, value: &Rational) -> String {
        let value = value.to_f64();
        let text = match (self, value.is_finite()) {
            (_, true) => format!("{value:?}"),
            (Language::Python, false) => "np.inf".to_string(),
            (_, false) => "(1.0 / 0.0)".to_string(),
        };
        match value < 0.0 {
            true => format!("({text})"),
            false => text,
        }
    }

    fn helper(self, name: &str, operands: &[&str]) -> String {
        format!("pamela_{name}({})", operands.join(", "))
    }

    pub(super) fn extreme(self, largest: bool, operands: &[String]) -> String {
        let name = if largest { "max" } else { "min" };
        let mut operands = operands.iter();
        let first = operands.next().cloned().unwrap_or_default();
        operands.fold(first, |all, operand| self.helper(name, &[&all, operand]))
    }

    pub(super) fn modulo(self, a: &str, b: &str) -> String {
        self.helper("mod", &[a, b])
    }

    pub(super) fn compare(self, relation: &str, a: &str, b: &str) -> String {
        match self {
            Language::C => format!("(double)({a} {relation} {b})"),
            Language::Rust => format!("f64::from({a} {relation} {b})"),
            Language::Python => format!("(1.0 * ({a} {relation} {b}))"),
            Language::Julia => format!("Float64({a} {relation} {b})"),
        }
    }

    pub(super) fn choose(self, condition: &str, then: &str, otherwise: &str) -> String {
        match self {
            Language::C | Language::Julia => {
                format!("({condition} != 0.0 ? {then} : {otherwise})")
            }
            Language::Rust => {
                format!("(if {condition} != 0.0 {{ {then} }} else {{ {otherwise} }})")
            }
            Language::Python => format!("np.where({condition} != 0.0, {then}, {otherwise})"),
        }
    }

    /// A power by a number.
    pub(super) fn power(self, base: &str, power: &Rational) -> String {
        let half = Rational::new(1, 2);
        if half.as_ref() == Some(power) {
            return self.function("sqrt", base);
        }
        if self == Language::Rust
            && let Some(power) = power.to_i64().and_then(|power| i32::try_from(power).ok())
        {
            return format!("({base}).powi({power})");
        }
        self.power_of(base, &self.number(power))
    }

    pub(super) fn power_of(self, base: &str, exponent: &str) -> String {
        match self {
            Language::C => format!("pow({base}, {exponent})"),
            Language::Rust => format!("({base}).powf({exponent})"),
            Language::Python => format!("np.power({base}, {exponent})"),
            Language::Julia => format!("({base})^({exponent})"),
        }
    }

    /// A function that the language has.
    fn function(self, name: &str, operand: &str) -> String {
        match (self, name) {
            (Language::C, "abs") => format!("fabs({operand})"),
            (Language::C | Language::Julia, _) => format!("{name}({operand})"),
            (Language::Rust, "log") => format!("({operand}).ln()"),
            (Language::Rust, _) => format!("({operand}).{name}()"),
            (Language::Python, _) => format!("np.{name}({operand})"),
        }
    }

    pub(super) fn apply(self, function: Function, operand: &str) -> Result<String, Refused> {
        Ok(match function {
            Function::Floor
            | Function::Ceil
            | Function::Abs
            | Function::Sqrt
            | Function::Log
            | Function::Exp => self.function(function.name(), operand),
            Function::Integer => self.compare("==", operand, &self.function("floor", operand)),
            Function::Harmonic(_) => return Err(Refused::Function("H")),
            Function::Factorial => return Err(Refused::Function("fact")),
            Function::LogGamma => return Err(Refused::Function("lgamma")),
        })
    }

    /// The function of the value, and that of the conditions, which is 1 where all hold.
    pub(super) fn functions(
        self,
        signature: &Signature,
        value: &Body,
        conditions: &Body,
        notes: &[String],
    ) -> String {
        let holds: Vec<String> = match self {
            Language::Python => conditions
                .results
                .iter()
                .map(|c| format!("({c} != 0.0)"))
                .collect(),
            _ => conditions
                .results
                .iter()
                .map(|c| format!("{c} != 0.0"))
                .collect(),
        };
        let holds = match (self, holds.is_empty()) {
            (Language::C, true) => "1".to_string(),
            (Language::Python, true) => "True".to_string(),
            (_, true) => "true".to_string(),
            (Language::Python, _) => holds.join(" & "),
            _ => holds.join(" && "),
        };
        let result = value.results.concat();
        let valid = format!("{}_valid", signature.name);
        let notes: String = notes.iter().map(|n| self.comment(n)).collect();
        let own = self.function_text(
            &signature.name,
            &signature.parameters,
            "double",
            value,
            &result,
        );
        let second = self.function_text(&valid, &signature.parameters, "bool", conditions, &holds);
        format!("{notes}{own}\n{second}")
    }

    fn comment(self, text: &str) -> String {
        let text = text.replace(['\n', '\r'], " ").replace("*/", "* /");
        match self {
            Language::C => format!("/* {text} */\n"),
            Language::Rust => format!("// {text}\n"),
            Language::Python | Language::Julia => format!("# {text}\n"),
        }
    }

    fn function_text(
        self,
        name: &str,
        parameters: &[String],
        kind: &str,
        body: &Body,
        result: &str,
    ) -> String {
        let name = self.identifier(name);
        let own: Vec<String> = parameters.iter().map(|p| self.identifier(p)).collect();
        let (head, part, end) = match (self, kind) {
            (Language::C, kind) => {
                let kind = if kind == "bool" { "int" } else { kind };
                let own: Vec<String> = own.iter().map(|p| format!("double {p}")).collect();
                let own = if own.is_empty() {
                    "void".to_string()
                } else {
                    own.join(", ")
                };
                let head = format!("{kind} {name}({own}) {{\n");
                (
                    head,
                    ("    const double ", ";\n"),
                    format!("    return {result};\n}}\n"),
                )
            }
            (Language::Rust, kind) => {
                let kind = if kind == "bool" { "bool" } else { "f64" };
                let own: Vec<String> = own.iter().map(|p| format!("{p}: f64")).collect();
                let head = format!("pub fn {name}({}) -> {kind} {{\n", own.join(", "));
                (head, ("    let ", ";\n"), format!("    {result}\n}}\n"))
            }
            (Language::Python, _) => {
                let double = |p: &String| format!("    {p} = np.asarray({p}, dtype=float)\n");
                let doubles: String = own.iter().map(double).collect();
                let head = format!("def {name}({}):\n{doubles}", own.join(", "));
                (head, ("    ", "\n"), format!("    return {result}\n"))
            }
            (Language::Julia, _) => {
                let head = format!("function {name}({})\n", own.join(", "));
                (head, ("    ", "\n"), format!("    return {result}\nend\n"))
            }
        };
        let parts = body.parts.iter();
        let parts: String = parts
            .map(|(name, text)| format!("{}{name} = {text}{}", part.0, part.1))
            .collect();
        format!("{head}{parts}{end}")
    }

    /// A whole file.
    pub(super) fn file(self, parts: &[String]) -> String {
        let text = parts.join("\n");
        let helpers = match self {
            Language::C => C,
            Language::Rust => RUST,
            Language::Python => PYTHON,
            Language::Julia => JULIA,
        };
        format!("{helpers}\n{text}")
    }
}

const C: &str = "\
#include <math.h>

/* What is no number stays so. */
static inline double pamela_max(double a, double b) { return a > b || isnan(a) ? a : b; }
static inline double pamela_min(double a, double b) { return a < b || isnan(a) ? a : b; }
static inline double pamela_mod(double a, double b) { return b > 0.0 ? a - b * floor(a / b) : NAN; }
";

const RUST: &str = "\
#![allow(dead_code, non_snake_case, unused_parens)]

// What is no number stays so.
fn pamela_max(a: f64, b: f64) -> f64 { if a > b || a.is_nan() { a } else { b } }
fn pamela_min(a: f64, b: f64) -> f64 { if a < b || a.is_nan() { a } else { b } }
fn pamela_mod(a: f64, b: f64) -> f64 { if b > 0.0 { a - b * (a / b).floor() } else { f64::NAN } }
";

const PYTHON: &str = "\
import numpy as np

def pamela_max(a, b):
    return np.maximum(a, b)

def pamela_min(a, b):
    return np.minimum(a, b)

def pamela_mod(a, b):
    return np.where(b > 0.0, a - b * np.floor(a / np.where(b > 0.0, b, 1.0)), np.nan)
";

const JULIA: &str = "\
pamela_max(a, b) = max(a, b)
pamela_min(a, b) = min(a, b)
pamela_mod(a, b) = b > 0.0 ? a - b * floor(a / b) : NaN
";
