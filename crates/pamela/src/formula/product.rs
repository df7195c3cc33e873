//! How a product is read: as a fraction of factors, and a number with its units.

use super::literal::{self, Literal};
use super::number::decimal_over_bar;
use crate::expr::{Arena, ExprId, Function, Node};
use crate::ring::Rational;

/// Denominators that read well under a fraction bar even with a decimal at hand.
const LARGEST_BINARY_DENOMINATOR: i64 = 64;
/// Longer numbers read better as fractions.
const LONGEST_DECIMAL: usize = 24;

/// `[-] multiplier * factors / (divisor * divisors)`, the multiplier and divisor positive.
#[derive(Clone, Debug)]
pub(super) struct Product {
    pub negative: bool,
    pub multiplier: Rational,
    pub factors: Vec<Factor>,
    pub divisor: Rational,
    pub divisors: Vec<Factor>,
}

/// `base ^ exponent`
#[derive(Clone, Debug)]
pub(super) struct Factor {
    pub base: ExprId,
    pub exponent: Exponent,
}

#[derive(Clone, Debug)]
pub(super) enum Exponent {
    One,
    Number(Rational),
    Of(ExprId),
    /// The base is a logarithm, divided by that of this.
    LogTo(ExprId),
    /// The base stands for units, which a number has.
    Literal(Box<Literal>),
}

impl Product {
    /// Whether one of its factors is a number with a unit.
    pub fn has_literal(&self) -> bool {
        let mut all = self.factors.iter().chain(&self.divisors);
        all.any(|factor| matches!(factor.exponent, Exponent::Literal(_)))
    }
}

/// Splits into numerator and denominator.
pub(super) fn product(arena: &Arena, coefficient: &Rational, factors: &[ExprId]) -> Product {
    let Some(read) = literal::read(arena, coefficient, factors) else {
        return plain_product(arena, coefficient, factors);
    };
    let mut product = plain_product(arena, &read.rest, &read.others);
    let literal = Factor {
        base: read.base,
        exponent: Exponent::Literal(Box::new(read.literal)),
    };
    match read.divides {
        true => product.divisors.insert(0, literal),
        false => product.factors.insert(0, literal),
    }
    product
}

/// As [`product`], where no factor is a unit.
fn plain_product(arena: &Arena, coefficient: &Rational, factors: &[ExprId]) -> Product {
    let mut result = Product {
        negative: coefficient.is_negative(),
        multiplier: coefficient.abs(),
        factors: Vec::new(),
        divisor: Rational::from(1),
        divisors: Vec::new(),
    };
    for &id in factors {
        match factor(arena, id) {
            (factor, false) => result.factors.push(factor),
            (factor, true) => result.divisors.push(factor),
        }
    }
    join_logarithms(arena, &mut result);
    let has_sum = factors
        .iter()
        .any(|&id| matches!(arena.node(id), Node::Add(_)));
    if !factors.is_empty() && !reads_as_decimal(&result.multiplier, has_sum) {
        let plain = || {
            let parts = [
                result.multiplier.numerator(),
                result.multiplier.denominator(),
            ];
            parts.map(Rational::from)
        };
        [result.multiplier, result.divisor] =
            decimal_over_bar(&result.multiplier).unwrap_or_else(plain);
    }
    result
}

/// `log(x) / log(b)` is one logarithm to the base `b`.
fn join_logarithms(arena: &Arena, product: &mut Product) {
    let operand = |factor: &Factor| match (arena.node(factor.base), &factor.exponent) {
        (Node::Apply(Function::Log, operand), Exponent::One) => Some(*operand),
        _ => None,
    };
    for factor in &mut product.factors {
        let of_base = product.divisors.iter().position(|d| operand(d).is_some());
        if let (Some(_), Some(position)) = (operand(factor), of_base)
            && let Some(base) = operand(&product.divisors.remove(position))
        {
            factor.exponent = Exponent::LogTo(base);
        }
    }
}

impl Factor {
    /// Operand and base of a logarithm to a base.
    pub fn logarithm(&self, arena: &Arena) -> Option<(ExprId, ExprId)> {
        match (arena.node(self.base), &self.exponent) {
            (Node::Apply(Function::Log, operand), Exponent::LogTo(base)) => Some((*operand, *base)),
            _ => None,
        }
    }
}

/// `10.1 * N` and `2.5 * N`, but `N / 2`, `N / 3` and `3 * N * (N + 1) / 2`.
fn reads_as_decimal(value: &Rational, has_sum: bool) -> bool {
    if value.is_integer() {
        return true;
    }
    let binary = Rational::from(value.denominator())
        .to_i64()
        .is_some_and(|d| d <= LARGEST_BINARY_DENOMINATOR && d.count_ones() == 1);
    let unit = Rational::from(value.numerator()).is_one();
    let short = |digits: String| digits.len() <= LONGEST_DECIMAL;
    !(binary && (unit || has_sum)) && value.to_decimal().is_some_and(short)
}

/// The factor, and whether it divides.
fn factor(arena: &Arena, id: ExprId) -> (Factor, bool) {
    let plain = Factor {
        base: id,
        exponent: Exponent::One,
    };
    let Node::Pow(base, exponent) = *arena.node(id) else {
        return (plain, false);
    };
    match arena.as_number(exponent) {
        Some(power) => {
            let size = power.abs();
            let exponent = if size.is_one() {
                Exponent::One
            } else {
                Exponent::Number(size)
            };
            (Factor { base, exponent }, power.is_negative())
        }
        _ => {
            let exponent = Exponent::Of(exponent);
            (Factor { base, exponent }, false)
        }
    }
}
