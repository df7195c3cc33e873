//! Reads a product as a fraction of factors, and a number with units.

use super::literal;
use crate::expr::{Arena, ExprId, Function, Node};
use crate::ring::Rational;
use crate::syntax::number::decimal_over_bar;
use crate::syntax::tree::Quantity;

/// Denominators that read well under a fraction bar even with a decimal at hand.
const LARGEST_BINARY_DENOMINATOR: i64 = 64;
/// Longer numbers read better as fractions.
const LONGEST_DECIMAL: usize = 24;

/// `[-] multiplier * factors / (divisor * divisors)`, with positive multiplier and divisor.
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
    /// A logarithm as base of the power, divided by the logarithm of this expression.
    LogTo(ExprId, Rational),
    /// The base stands for the units of this quantity.
    Literal(Box<Quantity>),
}

impl Product {
    /// True if a factor is a number with a unit.
    pub fn has_literal(&self) -> bool {
        let mut all = self.factors.iter().chain(&self.divisors);
        all.any(|factor| matches!(factor.exponent, Exponent::Literal(_)))
    }
}

/// Splits a product into numerator and denominator.
pub(super) fn product(arena: &Arena, coefficient: &Rational, factors: &[ExprId]) -> Product {
    let Some(read) = literal::read(arena, coefficient, factors) else {
        return plain_product(arena, coefficient, factors);
    };
    let mut product = plain_product(arena, &read.rest, &read.others);
    let literal = Factor {
        base: read.base,
        exponent: Exponent::Literal(Box::new(read.literal)),
    };
    if read.divides {
        product.divisors.insert(0, literal)
    } else {
        product.factors.insert(0, literal)
    }
    product
}

/// Like [`product`], without units.
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

/// `log(x) / log(b)` is one logarithm to the base `b`: of a number where there is one, so that `log(2) / log(x)` is
/// `1 / log2(x)`.
fn join_logarithms(arena: &Arena, product: &mut Product) {
    let Product {
        factors, divisors, ..
    } = product;
    join_to_numbers(arena, factors, divisors);
    join_to_numbers(arena, divisors, factors);
    for factor in factors {
        let of_base = divisors.iter().position(|d| d.is_plain_logarithm(arena));
        if factor.is_plain_logarithm(arena)
            && let Some(position) = of_base
            && let Some((base, _)) = divisors.remove(position).power_of_logarithm(arena)
        {
            factor.exponent = Exponent::LogTo(base, Rational::ONE);
        }
    }
}

/// Joins logarithms with those of numbers that divide them, as far as their powers reach.
fn join_to_numbers(arena: &Arena, factors: &mut [Factor], divisors: &mut Vec<Factor>) {
    for divisor in divisors.iter_mut() {
        let Some((base, mut left)) = divisor.power_of_logarithm(arena) else {
            continue;
        };
        if arena.as_number(base).is_none() {
            continue;
        }
        for factor in factors.iter_mut() {
            let Some((operand, power)) = factor.power_of_logarithm(arena) else {
                continue;
            };
            if arena.as_number(operand).is_none() && power <= left {
                left = &left - &power;
                factor.exponent = Exponent::LogTo(base, power);
            }
        }
        divisor.exponent = Exponent::Number(left);
    }
    divisors
        .retain(|divisor| !matches!(&divisor.exponent, Exponent::Number(power) if power.is_zero()));
    for divisor in divisors {
        if matches!(&divisor.exponent, Exponent::Number(power) if power.is_one()) {
            divisor.exponent = Exponent::One;
        }
    }
}

impl Factor {
    /// Operand, base and power of a logarithm to a base.
    pub fn logarithm<'a>(&'a self, arena: &Arena) -> Option<(ExprId, ExprId, &'a Rational)> {
        match (arena.node(self.base), &self.exponent) {
            (Node::Apply(Function::Log, operand), Exponent::LogTo(base, power)) => {
                Some((*operand, *base, power))
            }
            _ => None,
        }
    }

    /// The operand of a natural logarithm, and the power of the logarithm.
    fn power_of_logarithm(&self, arena: &Arena) -> Option<(ExprId, Rational)> {
        let Node::Apply(Function::Log, operand) = *arena.node(self.base) else {
            return None;
        };
        match &self.exponent {
            Exponent::One => Some((operand, Rational::ONE)),
            Exponent::Number(power) => Some((operand, power.clone())),
            _ => None,
        }
    }

    fn is_plain_logarithm(&self, arena: &Arena) -> bool {
        let power = self.power_of_logarithm(arena);
        power.is_some_and(|(_, power)| power.is_one())
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
