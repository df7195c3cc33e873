//! SymPy expressions, which are exact.

use std::collections::BTreeMap;

use super::comment::comment;
use super::notation::{Divisor, Notation, Translation};
use super::reserved::Names;
use super::{Body, Function as Emitted, Language};
use crate::compiled::Parameter;
use crate::expr::{Function, Node, Relation};
use crate::formula::Formula;
use crate::ring::Rational;

const LANGUAGE: Language = Language::SymPy;

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
        if !value.is_integer() {
            format!("sympy.Rational({above}, {below})")
        } else if value.is_negative() {
            format!("({above})")
        } else {
            above.to_string()
        }
    }

    fn call(&self, names: &Names, name: &str, _: &[String]) -> String {
        names.of(name)
    }

    fn call_holds(&self, names: &Names, name: &str, _: &[String]) -> String {
        names.holds(name)
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
        // SymPy takes out what both have in common, where there may be no remainder.
        format!("sympy.Piecewise((sympy.Mod({a}, {b}), sympy.Gt({b}, 0)), (sympy.nan, True))")
    }

    fn operate(&self, _: &'static str, helper: &str, operands: &[String]) -> Translation {
        Ok(format!("pamela_{helper}({})", operands.join(", ")))
    }

    fn language(&self) -> &'static str {
        "SymPy"
    }

    fn bracket(&self, relation: Relation, a: &str, b: &str) -> String {
        one_where(&format!("sympy.{}({a}, {b})", relation_name(relation)))
    }

    fn relation(&self, relation: Relation, a: &str, b: &str) -> String {
        // The declared properties of the symbols would make facts true at all points.
        format!(
            "sympy.{}({a}, {b}, evaluate=False)",
            relation_name(relation)
        )
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

    fn root(&self, operand: &str, order: i64) -> Option<String> {
        Some(format!("sympy.Pow({operand}, sympy.Rational(1, {order}))"))
    }

    fn logarithm(&self, operand: &str, base: &str) -> Option<String> {
        Some(format!("pamela_log({operand}, {base})"))
    }

    fn beside(&self, found: &str, _: &str, _: &str, _: &str) -> String {
        found.to_string()
    }

    fn binomial(&self, n: &str, k: &str) -> Translation {
        Ok(format!("sympy.binomial({n}, {k})"))
    }

    fn factorials(&self, a: &str, b: &str) -> Translation {
        Ok(format!("sympy.ff({a}, sympy.sympify({a}) - {b})"))
    }

    fn distance(&self, operand: &str) -> String {
        operand.to_string()
    }

    fn decided(&self, _: &str, _: &str, _: &str) -> String {
        "sympy.true".to_string()
    }

    fn apply(&self, function: Function, operand: &str) -> Translation {
        let name = function.row().sympy;
        Ok(match function {
            Function::Harmonic(order) if order > 1 => format!("{name}({operand}, {order})"),
            _ => format!("{name}({operand})"),
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

/// A fact about symbols that are declared whole is asked for at every point.
const IS_WHOLE: &str = "class pamela_is_whole(sympy.Function):
    @classmethod
    def eval(cls, x):
        if x is sympy.nan or x.is_infinite:
            return sympy.nan
        if x.is_number:
            return sympy.Integer(sympy.floor(x) == x)

";

/// A logarithm that is whole where it is so exactly.
const LOGARITHM: &str = "class pamela_log(sympy.Function):
    @classmethod
    def eval(cls, x, b):
        if x.is_Integer and b.is_Integer and x > 0 and b > 1:
            power, exact = sympy.integer_log(x, b)
            return sympy.Integer(power) if exact else sympy.log(x) / sympy.log(b)
        if x.is_number and b.is_number:
            return sympy.log(x) / sympy.log(b)

";

/// The declared sign of each parameter, `positive` or `nonnegative`.
pub(super) type Signs = BTreeMap<String, &'static str>;

pub(super) fn signs(facts: &[Formula]) -> Signs {
    let mut signs = Signs::new();
    for fact in facts {
        let arena = fact.arena();
        let Node::Compare(relation, least, symbol) = *arena.node(fact.root()) else {
            continue;
        };
        let (Some(least), Node::Symbol(symbol)) = (arena.as_number(least), arena.node(symbol))
        else {
            continue;
        };
        let Some(name) = arena.symbol_name(*symbol) else {
            continue;
        };
        let strict = relation == Relation::Less || !least.is_zero();
        if least.is_negative() || relation == Relation::Equal {
            continue;
        }
        let sign = if strict { "positive" } else { "nonnegative" };
        let known = signs.entry(name.to_owned()).or_insert(sign);
        if strict {
            *known = sign;
        }
    }
    signs
}

pub(super) fn file(
    functions: &[Emitted],
    names: &Names,
    parameters: &[&Parameter],
    signs: &Signs,
) -> String {
    let mut text = String::from("import sympy\n\n");
    let classes = [
        ("pamela_gcd(", COMMON_DIVISOR),
        ("pamela_is_whole(", IS_WHOLE),
        ("pamela_log(", LOGARITHM),
    ];
    for (call, class) in classes {
        let mut bodies = functions.iter().flat_map(|f| [&f.value, &f.conditions]);
        if bodies.any(|body| body.mentions(call)) {
            text.push_str(class);
        }
    }
    for (name, other) in names.renamed() {
        text.push_str(&comment(LANGUAGE, &format!("`{name}` is called `{other}`")));
    }
    let used = |name: &String| functions.iter().any(|f| f.parameters.contains(name));
    for parameter in parameters.iter().filter(|p| used(&p.name)) {
        let kind = if parameter.whole { "integer" } else { "real" };
        let sign = signs.get(&parameter.name);
        let sign = sign.map_or(String::new(), |sign| format!(", {sign}=True"));
        let (own, name) = (names.of(&parameter.name), &parameter.name);
        text.push_str(&format!(
            "{own} = sympy.Symbol(\"{name}\", {kind}=True{sign})"
        ));
        match &parameter.comment {
            Some(words) => text.push_str(&format!("  {}", comment(LANGUAGE, words))),
            None => text.push('\n'),
        }
    }
    for function in functions {
        text.push('\n');
        for note in &function.notes {
            text.push_str(&comment(LANGUAGE, note));
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
        let holds = names.holds(&function.name);
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
