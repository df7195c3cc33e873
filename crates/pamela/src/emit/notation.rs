//! How a language writes operators, and why it may have no text.

use std::fmt;

use super::reserved::Names;
use crate::expr::{Function, Relation};
use crate::ring::Rational;

/// Why there is no text.
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

/// The parameters of another equation.
pub(crate) type Call<'a> = &'a dyn Fn(&str) -> Option<Vec<String>>;

/// A divisor that is a number other than zero, or any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Divisor {
    Number,
    Any,
}

/// How a language writes operators. Operands are texts that stand alone in any place.
pub(crate) trait Notation {
    fn number(&self, value: &Rational) -> String;

    fn call(&self, names: &Names, name: &str, parameters: &[String]) -> String;

    /// Whether the conditions of another equation hold.
    fn call_holds(&self, names: &Names, name: &str, parameters: &[String]) -> String;

    /// Coefficients stay fractions, since they are exact.
    fn is_exact(&self) -> bool {
        false
    }

    /// Whether operands are written more than once, so that they have to be short.
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

    /// `base ^ exponent`; `known` where the exponent is a number.
    fn power(&self, base: &str, exponent: &str, known: Option<&Rational>) -> String;

    fn extreme(&self, largest: bool, operands: &[String]) -> String;

    fn modulo(&self, a: &str, b: &str) -> String;

    fn common_divisor(&self, a: &str, b: &str) -> Translation;

    /// What a reader calls the language.
    fn language(&self) -> &'static str;

    /// 1 where it holds, 0 where it does not, no number where an operand is none.
    fn bracket(&self, relation: Relation, a: &str, b: &str) -> String;

    /// Whether it holds.
    fn relation(&self, relation: Relation, a: &str, b: &str) -> String;

    /// Whether a number is 1.
    fn holds(&self, truth: &str) -> String;

    fn both(&self, truths: &[String]) -> String;

    /// The condition is 0 or 1.
    fn choose(&self, condition: &str, then: &str, otherwise: &str) -> String;

    fn apply(&self, function: Function, operand: &str) -> Translation;

    /// What a parameter or an equation is called, as an operand.
    fn name(&self, name: &str) -> String {
        name.to_string()
    }

    /// A root of a whole order, whole where it is so exactly; `None` where it takes parts of its own.
    fn root(&self, operand: &str, order: i64) -> Option<String>;

    /// The same of a logarithm.
    fn logarithm(&self, operand: &str, base: &str) -> Option<String>;

    /// A root or a logarithm on its side of the nearest whole number, whose power is to be compared with the operand.
    fn beside(&self, found: &str, whole: &str, power: &str, operand: &str) -> String;

    /// How many subsets of `k` elements a set of `n` has, where `0 <= k <= n`.
    fn binomial(&self, n: &str, k: &str) -> Translation;

    /// `a! / b!`
    fn factorials(&self, a: &str, b: &str) -> Translation;

    /// How far it is to the nearest whole number.
    fn distance(&self, operand: &str) -> String;

    /// Whether what is so far from a step, with such an error, a multiple of one over `grid`, is on the side where it
    /// seems to be; so is what is not a number, but not what left the range of doubles.
    fn decided(&self, distance: &str, error: &str, grid: &str) -> String;
}
