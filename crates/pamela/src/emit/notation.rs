//! Notation of a language, and reasons why an expression has no text in it.

use std::fmt;

use super::reserved::Names;
use crate::expr::{Function, Relation};
use crate::ring::Rational;

/// Reason why an expression has no text in a language.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle {
    Open,
    Law,
    Vector,
    Arguments,
    Function(&'static str, &'static str),
    Name(String),
    Mention(String),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Open => f.write_str("is not closed"),
            Obstacle::Law => f.write_str(
                "is a law; its closed moments are written, and `pamela eval` computes the rest",
            ),
            Obstacle::Vector => f.write_str("has a vector whose components are not listed"),
            Obstacle::Arguments => f.write_str("has arguments or calls an equation with arguments"),
            Obstacle::Function(function, language) => {
                write!(f, "uses `{function}`, which {language} does not have")
            }
            Obstacle::Name(name) => write!(f, "depends on `{name}`, which is not a number"),
            Obstacle::Mention(name) => write!(f, "depends on `{name}`, which is left out"),
        }
    }
}

pub(crate) type Translation = Result<String, Obstacle>;

/// Looks up the parameters of another equation.
pub(crate) type Call<'a> = &'a dyn Fn(&str) -> Option<Vec<String>>;

/// Kind of divisor: a nonzero number, or any expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Divisor {
    Number,
    Any,
}

/// Notation of operators in a language. Each operand is a text that needs no further brackets.
pub(crate) trait Notation {
    fn number(&self, value: &Rational) -> String;

    fn call(&self, names: &Names, name: &str, parameters: &[String]) -> String;

    /// A condition that is true where the conditions of another equation hold.
    fn call_holds(&self, names: &Names, name: &str, parameters: &[String]) -> String;

    /// True if numbers are exact, so that coefficients stay fractions.
    fn is_exact(&self) -> bool {
        false
    }

    /// True if operands are written more than once, so that they must be short.
    fn repeats_operands(&self) -> bool {
        false
    }

    fn sum(&self, added: &[String], subtracted: &[String]) -> String {
        let mut text = match added {
            [] => format!("-{}", subtracted[0]),
            _ => added.join(" + "),
        };
        for term in &subtracted[usize::from(added.is_empty())..] {
            text.push_str(" - ");
            text.push_str(term);
        }
        format!("({text})")
    }

    fn product(&self, factors: &[String]) -> String {
        format!("({})", factors.join(" * "))
    }

    fn quotient(&self, above: &str, below: &str, divisor: Divisor) -> String;

    /// `base ^ exponent`; `known` is the exponent if it is a number.
    fn power(&self, base: &str, exponent: &str, known: Option<&Rational>) -> String;

    fn extreme(&self, largest: bool, operands: &[String]) -> String;

    fn modulo(&self, a: &str, b: &str) -> String;

    /// An operation of this name on numbers, for which helpers have this one.
    fn operate(&self, name: &'static str, helper: &str, operands: &[String]) -> Translation;

    /// The name of the language for readers.
    fn language(&self) -> &'static str;

    /// 1 if the relation holds, 0 if not, NaN if an operand is NaN.
    fn bracket(&self, relation: Relation, a: &str, b: &str) -> String;

    /// A condition that is true where the relation holds.
    fn relation(&self, relation: Relation, a: &str, b: &str) -> String;

    /// A condition that is true where a number is 1.
    fn holds(&self, truth: &str) -> String;

    fn both(&self, truths: &[String]) -> String;

    /// A choice; the condition is 0 or 1.
    fn choose(&self, condition: &str, then: &str, otherwise: &str) -> String;

    fn apply(&self, function: Function, operand: &str) -> Translation;

    /// The name of a parameter or an equation, as an operand.
    fn name(&self, name: &str) -> String {
        name.to_string()
    }

    /// A root of whole order, exact at whole numbers; `None` if it needs named parts.
    fn root(&self, operand: &str, order: i64) -> Option<String>;

    /// A logarithm, exact at whole numbers; `None` if it needs named parts.
    fn logarithm(&self, operand: &str, base: &str) -> Option<String>;

    /// Moves a root or a logarithm to the correct side of the nearest whole number.
    ///
    /// Compares `power`, the power of that number, with the operand.
    fn beside(&self, found: &str, whole: &str, power: &str, operand: &str) -> String;

    /// Binomial coefficient: the number of subsets of `k` elements of `n`, where `0 <= k <= n`.
    fn binomial(&self, n: &str, k: &str) -> Translation;

    /// `a! / b!`
    fn factorials(&self, a: &str, b: &str) -> Translation;

    /// Distance to the nearest whole number.
    fn distance(&self, operand: &str) -> String;

    /// True if a value at this distance from a rounding step is certainly on the side where it
    /// appears to be.
    ///
    /// The value has this error and is a multiple of one over `grid`. NaN counts as certain; values
    /// beyond the range of doubles do not.
    fn decided(&self, distance: &str, error: &str, grid: &str) -> String;
}
