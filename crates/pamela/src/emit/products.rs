//! Writes sums and products, including factors that form one function.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_integer::Integer;

use super::expression::{EXACT, MOST_ORDER, Writer};
use super::notation::{Divisor, Translation};
use crate::expr::{ExprId, Function, Node};
use crate::ring::Rational;

/// Factors that form one function together.
#[derive(Clone, Debug)]
pub(super) enum Paired {
    /// Operand and base.
    Logarithm(ExprId, ExprId),
    Binomial(ExprId, ExprId),
    /// `a! / b!`
    Factorials(ExprId, ExprId),
}

impl Writer<'_> {
    /// Writes a sum over the common denominator, so that a sum of whole numbers is rounded once.
    pub(super) fn sum(&mut self, list: &[ExprId]) -> Translation {
        let common = if self.notation.is_exact() {
            BigInt::from(1)
        } else {
            self.common_denominator(list)
        };
        let scale = Rational::from(common.clone());
        let (mut added, mut subtracted) = (Vec::new(), Vec::new());
        for &term in list {
            let (coefficient, factors) = self.split(term);
            let coefficient = &coefficient * &scale;
            let size = coefficient.abs();
            let text = match factors.as_slice() {
                [] => self.notation.number(&size),
                [only] if size.is_one() && *only == term => self.number(term)?,
                factors => self.product_of(&size, factors)?,
            };
            if coefficient.is_negative() {
                subtracted.push(text)
            } else {
                added.push(text)
            }
        }
        let sum = self.notation.sum(&added, &subtracted);
        Ok(if scale.is_one() {
            sum
        } else {
            let below = self.notation.number(&scale);
            self.notation.quotient(&sum, &below, Divisor::Number)
        })
    }

    /// The common denominator of the coefficients.
    ///
    /// Returns 1 if doubles cannot hold the scaled coefficients.
    pub(super) fn common_denominator(&self, list: &[ExprId]) -> BigInt {
        let coefficients: Vec<Rational> = list.iter().map(|&term| self.split(term).0).collect();
        let common = coefficients
            .iter()
            .fold(BigInt::from(1), |all, c| all.lcm(&c.denominator()));
        let scale = Rational::from(common.clone());
        let fits = coefficients.iter().all(|c| {
            let scaled = (c * &scale).to_i64();
            scaled.is_some_and(|n| n.abs() <= EXACT)
        });
        if fits { common } else { BigInt::from(1) }
    }

    /// Splits a term into its coefficient and the rest.
    pub(super) fn split(&self, term: ExprId) -> (Rational, Vec<ExprId>) {
        match self.arena.node(term) {
            Node::Number(value) => (value.clone(), Vec::new()),
            Node::Mul(factors) => {
                let numbers = factors.iter().filter_map(|&f| self.arena.as_number(f));
                let rest = factors
                    .iter()
                    .filter(|&&f| self.arena.as_number(f).is_none());
                let one = Rational::from(1);
                let rest: Vec<ExprId> = rest.copied().collect();
                (numbers.fold(one, |all, number| &all * number), rest)
            }
            _ => (Rational::from(1), vec![term]),
        }
    }

    pub(super) fn product(&mut self, list: &[ExprId]) -> Translation {
        let (coefficient, rest) = self.coefficient(list);
        self.product_of(&coefficient, &rest)
    }

    /// Splits factors into the coefficient and the other factors.
    pub(super) fn coefficient(&self, list: &[ExprId]) -> (Rational, Vec<ExprId>) {
        let numbers = list.iter().filter_map(|&f| self.arena.as_number(f));
        let coefficient = numbers.fold(Rational::from(1), |all, number| &all * number);
        let rest = list.iter().filter(|&&f| self.arena.as_number(f).is_none());
        (coefficient, rest.copied().collect())
    }

    /// Writes numerator over denominator, so that a quotient of whole numbers is rounded once.
    pub(super) fn product_of(&mut self, coefficient: &Rational, factors: &[ExprId]) -> Translation {
        let notation = self.notation;
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let mut divisor = Divisor::Number;
        let [top, bottom] =
            [coefficient.numerator(), coefficient.denominator()].map(Rational::from);
        if !top.is_one() || factors.is_empty() {
            above.push(notation.number(&top));
        }
        if !bottom.is_one() {
            below.push(notation.number(&bottom));
        }
        let (pairs, rest) = self.paired(factors);
        for pair in &pairs {
            above.push(self.pair(pair)?);
        }
        for factor in rest {
            match *self.arena.node(factor) {
                Node::Pow(base, exponent) => match self.arena.as_number(exponent) {
                    Some(power) if power.is_negative() => {
                        let power = power.abs();
                        below.push(self.power(base, &power)?);
                        divisor = Divisor::Any;
                    }
                    _ => above.push(self.number(factor)?),
                },
                _ => above.push(self.number(factor)?),
            }
        }
        let text = |list: &[String]| match list {
            [] => notation.number(&Rational::from(1)),
            [only] => only.clone(),
            _ => notation.product(list),
        };
        Ok(if below.is_empty() {
            text(&above)
        } else {
            notation.quotient(&text(&above), &text(&below), divisor)
        })
    }

    /// Writes a power with a positive number as exponent.
    pub(super) fn power(&mut self, base: ExprId, power: &Rational) -> Translation {
        if power.is_one() {
            return self.number(base);
        }
        let order = i64::try_from(power.denominator()).unwrap_or(i64::MAX);
        let (text, power) = match order {
            2..=MOST_ORDER => (self.root(base, order)?, Rational::from(power.numerator())),
            _ => (self.operand(base)?, power.clone()),
        };
        if power.is_one() {
            return Ok(text);
        }
        let text = if self.notation.repeats_operands() {
            self.short(text)
        } else {
            text
        };
        let exponent = self.notation.number(&power);
        Ok(self.notation.power(&text, &exponent, Some(&power)))
    }

    /// Writes a root of whole order.
    pub(super) fn root(&mut self, base: ExprId, order: i64) -> Translation {
        let operand = self.operand(base)?;
        if order == 2 {
            return self.notation.apply(Function::Sqrt, &operand);
        }
        if let Some(text) = self.notation.root(&operand, order) {
            return Ok(text);
        }
        let inverse = Rational::new(1, order).unwrap_or_else(|| Rational::from(1));
        let number = self.notation.number(&inverse);
        let found = self.notation.power(&operand, &number, Some(&inverse));
        let found = self.short(found);
        let whole = self.nearest_whole(&found)?;
        let order = Rational::from(order);
        let number = self.notation.number(&order);
        let power = self.notation.power(&whole, &number, Some(&order));
        let power = self.short(power);
        Ok(self.notation.beside(&found, &whole, &power, &operand))
    }

    pub(super) fn nearest_whole(&mut self, text: &str) -> Translation {
        let half = Rational::new(1, 2).unwrap_or_else(|| Rational::from(1));
        let half = self.notation.number(&half);
        let more = self.notation.sum(&[text.to_string(), half], &[]);
        let whole = self.notation.apply(Function::Floor, &more)?;
        Ok(self.short(whole))
    }

    pub(super) fn pair(&mut self, pair: &Paired) -> Translation {
        match *pair {
            Paired::Logarithm(operand, base) => {
                let (operand, base) = (self.operand(operand)?, self.operand(base)?);
                if let Some(text) = self.notation.logarithm(&operand, &base) {
                    return Ok(text);
                }
                let above = self.notation.apply(Function::Log, &operand)?;
                let below = self.notation.apply(Function::Log, &base)?;
                let below = self.short(below);
                let found = self.notation.quotient(&above, &below, Divisor::Any);
                let found = self.short(found);
                let whole = self.nearest_whole(&found)?;
                let power = self.notation.power(&base, &whole, None);
                let power = self.short(power);
                Ok(self.notation.beside(&found, &whole, &power, &operand))
            }
            Paired::Binomial(n, k) => {
                let (n, k) = (self.operand(n)?, self.operand(k)?);
                self.notation.binomial(&n, &k)
            }
            Paired::Factorials(a, b) => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                self.notation.factorials(&a, &b)
            }
        }
    }

    /// Splits factors into those that form one function together, and the others.
    pub(super) fn paired(&self, factors: &[ExprId]) -> (Vec<Paired>, Vec<ExprId>) {
        let applied = |id: ExprId, wanted: Function| match *self.arena.node(id) {
            Node::Apply(function, operand) if function == wanted => Some(operand),
            _ => None,
        };
        let below = |id: ExprId, wanted: Function| match *self.arena.node(id) {
            Node::Pow(base, exponent)
                if self
                    .arena
                    .as_number(exponent)
                    .is_some_and(|e| *e == Rational::from(-1)) =>
            {
                applied(base, wanted)
            }
            _ => None,
        };
        let mut rest = factors.to_vec();
        let mut pairs = Vec::new();
        for wanted in [Function::Log, Function::Factorial] {
            loop {
                let above = rest.iter().position(|&id| applied(id, wanted).is_some());
                let under = rest.iter().position(|&id| below(id, wanted).is_some());
                let (Some(above), Some(under)) = (above, under) else {
                    break;
                };
                let (Some(a), Some(b)) = (applied(rest[above], wanted), below(rest[under], wanted))
                else {
                    break;
                };
                let mut taken = vec![above, under];
                if wanted == Function::Log {
                    pairs.push(Paired::Logarithm(a, b));
                } else {
                    let third = (0..rest.len()).filter(|&k| k != under).find_map(|k| {
                        let c = below(rest[k], wanted)?;
                        self.is_sum_of(a, b, c).then_some(k)
                    });
                    match third {
                        Some(k) => {
                            taken.push(k);
                            pairs.push(Paired::Binomial(a, b));
                        }
                        None => pairs.push(Paired::Factorials(a, b)),
                    }
                }
                taken.sort_unstable();
                for position in taken.into_iter().rev() {
                    rest.remove(position);
                }
            }
        }
        (pairs, rest)
    }

    /// True if the terms of `a` are those of `b + c`.
    pub(super) fn is_sum_of(&self, a: ExprId, b: ExprId, c: ExprId) -> bool {
        let mut left: HashMap<Vec<ExprId>, Rational> = HashMap::new();
        for (id, sign) in [(a, 1), (b, -1), (c, -1)] {
            let terms = match self.arena.node(id) {
                Node::Add(list) => list.to_vec(),
                _ => vec![id],
            };
            for term in terms {
                let (coefficient, factors) = self.split(term);
                let sum = left.entry(factors).or_insert_with(|| Rational::from(0));
                *sum = &*sum + &(&coefficient * &Rational::from(sign));
            }
        }
        left.values().all(Rational::is_zero)
    }
}
