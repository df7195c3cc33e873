//! Expressions of SymPy, which are exact.

use super::expression::{Divisor, Notation, Written};
use super::reserved::Names;
use super::{Body, Function as Emitted};
use crate::compiled::Parameter;
use crate::expr::{Function, Relation};
use crate::ring::Rational;

pub(super) struct SymPy;

fn relation_name(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "Lt",
        Relation::LessEqual => "Le",
        Relation::Equal => "Eq",
    }
}

fn one_where(condition: &str) -> String {
    format!("sympy.Piecewise((1, {condition}), (0, True))")
}

impl Notation for SymPy {
    fn number(&self, value: &Rational) -> String {
        let (above, below) = (value.numerator(), value.denominator());
        match value.is_integer() {
            true if value.is_negative() => format!("({above})"),
            true => above.to_string(),
            false => format!("sympy.Rational({above}, {below})"),
        }
    }

    fn call(&self, names: &Names, name: &str, _: &[String]) -> String {
        names.of(name)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn quotient(&self, above: &str, below: &str, _: Divisor) -> String {
        // Two whole numbers would be divided as floats.
        format!("(sympy.sympify({above}) / {below})")
    }

    fn power(&self, base: &str, exponent: &str, _: Option<&Rational>) -> String {
        format!("sympy.Pow({base}, {exponent})")
    }

    fn extreme(&self, largest: bool, operands: &[String]) -> String {
        let name = if largest { "Max" } else { "Min" };
        format!("sympy.{name}({})", operands.join(", "))
    }

    fn modulo(&self, a: &str, b: &str) -> String {
        format!("sympy.Mod({a}, {b})")
    }

    fn common_divisor(&self, a: &str, b: &str) -> Written {
        Ok(format!("pamela_gcd({a}, {b})"))
    }

    fn bracket(&self, relation: Relation, a: &str, b: &str) -> String {
        one_where(&self.relation(relation, a, b))
    }

    fn relation(&self, relation: Relation, a: &str, b: &str) -> String {
        format!("sympy.{}({a}, {b})", relation_name(relation))
    }

    fn holds(&self, truth: &str) -> String {
        format!("sympy.Eq({truth}, 1)")
    }

    fn both(&self, truths: &[String]) -> String {
        format!("sympy.And({})", truths.join(", "))
    }

    fn choose(&self, condition: &str, then: &str, otherwise: &str) -> String {
        format!("sympy.Piecewise(({then}, sympy.Ne({condition}, 0)), ({otherwise}, True))")
    }

    fn apply(&self, function: Function, operand: &str) -> Written {
        Ok(match function {
            Function::Floor => format!("sympy.floor({operand})"),
            Function::Ceil => format!("sympy.ceiling({operand})"),
            Function::Abs => format!("sympy.Abs({operand})"),
            Function::Sqrt => format!("sympy.sqrt({operand})"),
            Function::Log => format!("sympy.log({operand})"),
            Function::Exp => format!("sympy.exp({operand})"),
            Function::Integer => one_where(&format!("sympy.Eq(sympy.floor({operand}), {operand})")),
            Function::Harmonic(1) => format!("sympy.harmonic({operand})"),
            Function::Harmonic(order) => format!("sympy.harmonic({operand}, {order})"),
            Function::Factorial => format!("sympy.factorial({operand})"),
            Function::LogGamma => format!("sympy.loggamma({operand})"),
        })
    }
}

/// `sympy.gcd` takes its arguments for polynomials, of which symbols have nothing in common.
const COMMON_DIVISOR: &str = "class pamela_gcd(sympy.Function):
    @classmethod
    def eval(cls, a, b):
        if a.is_Integer and b.is_Integer:
            return sympy.Integer(sympy.igcd(int(a), int(b)))
        if a.is_Number and b.is_Number:
            return sympy.nan

";

pub(super) fn file(functions: &[Emitted], names: &Names, parameters: &[&Parameter]) -> String {
    let mut text = String::from("import sympy\n\n");
    let bodies = functions.iter().flat_map(|f| [&f.value, &f.conditions]);
    if bodies.into_iter().any(|body| body.mentions("pamela_gcd(")) {
        text.push_str(COMMON_DIVISOR);
    }
    for (name, other) in names.renamed() {
        text.push_str(&format!("# `{name}` is called `{other}`\n"));
    }
    let used = |name: &String| functions.iter().any(|f| f.parameters.contains(name));
    for parameter in parameters.iter().filter(|p| used(&p.name)) {
        let kind = if parameter.whole { "integer" } else { "real" };
        let (own, name) = (names.of(&parameter.name), &parameter.name);
        text.push_str(&format!("{own} = sympy.Symbol(\"{name}\", {kind}=True)\n"));
    }
    for function in functions {
        text.push('\n');
        for note in &function.notes {
            text.push_str(&format!("# {}\n", note.replace(['\n', '\r'], " ")));
        }
        let results = &function.value.results;
        let value = match results.len() {
            1 => format!("sympy.sympify({})", results[0]),
            _ => format!("sympy.Matrix([{}])", results.join(", ")),
        };
        text.push_str(&assigned(
            &names.of(&function.name),
            &function.value,
            &value,
        ));
        let holds = names.of(&format!("{}_holds", function.name));
        let all = SymPy.both(&function.conditions.results);
        text.push_str(&assigned(&holds, &function.conditions, &all));
    }
    text
}

/// Parts, then the value.
fn assigned(name: &str, body: &Body, value: &str) -> String {
    let parts = body.parts.iter();
    let parts: String = parts
        .map(|(part, text)| format!("{part} = {text}\n"))
        .collect();
    format!("{parts}{name} = {value}\n")
}
