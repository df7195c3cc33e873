//! Sums and products that collect equal operands.
//!
//! The representation is flat. Without collection, `f1 = f0 + f0`, `f2 = f1 + f1`, ... would double
//! in length with every name.

use std::collections::HashMap;

use super::scope::Lowering;
use crate::expr::{ExprId, Node};
use crate::ring::Rational;

impl Lowering<'_, '_> {
    /// The sum; equal terms are joined by adding their coefficients.
    pub(super) fn add(&mut self, terms: &[ExprId]) -> ExprId {
        let mut collected: Vec<(Box<[ExprId]>, Rational)> = Vec::new();
        let mut places: HashMap<Box<[ExprId]>, usize> = HashMap::new();
        let mut count = 0;
        for term in terms {
            let parts = match self.arena.node(*term) {
                Node::Add(parts) => parts,
                _ => std::slice::from_ref(term),
            };
            for part in parts {
                let (factors, coefficient) = self.split(part);
                count += 1;
                if let Some(&place) = places.get(factors) {
                    collected[place].1 += &coefficient;
                } else {
                    places.insert(factors.into(), collected.len());
                    collected.push((factors.into(), coefficient));
                }
            }
        }
        self.terms += count as u64;
        if collected.len() == count {
            return self.arena.add(terms);
        }
        let mut sums = Vec::with_capacity(collected.len());
        for (factors, coefficient) in collected {
            let mut scaled = vec![self.arena.number(coefficient)];
            scaled.extend(factors);
            sums.push(self.arena.mul(&scaled));
        }
        self.arena.add(&sums)
    }

    /// The factors of a term without its coefficient.
    fn split<'t>(&'t self, term: &'t ExprId) -> (&'t [ExprId], Rational) {
        let factors = match self.arena.node(*term) {
            Node::Mul(factors) => factors,
            _ => std::slice::from_ref(term),
        };
        match factors.split_first() {
            Some((first, rest)) => match self.arena.as_number(*first) {
                Some(coefficient) => (rest, coefficient.clone()),
                None => (factors, Rational::from(1)),
            },
            None => (factors, Rational::from(1)),
        }
    }

    /// The product; equal factors are joined into a power.
    pub(super) fn mul(&mut self, factors: &[ExprId]) -> ExprId {
        let mut powers: Vec<(ExprId, i64)> = Vec::new();
        let mut places: HashMap<ExprId, usize> = HashMap::new();
        let mut count = 0;
        for factor in factors {
            let parts = match self.arena.node(*factor) {
                Node::Mul(parts) => parts,
                _ => std::slice::from_ref(factor),
            };
            for part in parts {
                let (base, exponent) = self.power(*part);
                count += 1;
                if let Some(&place) = places.get(&base)
                    && let Some(sum) = powers[place].1.checked_add(exponent)
                {
                    powers[place].1 = sum;
                } else {
                    places.insert(base, powers.len());
                    powers.push((base, exponent));
                }
            }
        }
        if powers.len() == count {
            return self.arena.mul(factors);
        }
        let mut product = Vec::with_capacity(powers.len());
        for (base, exponent) in powers {
            let exponent = self.arena.number(exponent);
            product.push(self.arena.pow(base, exponent));
        }
        self.arena.mul(&product)
    }

    /// A factor as a positive power; where a negative one has no value, neither has what it is part of.
    fn power(&self, factor: ExprId) -> (ExprId, i64) {
        if let Node::Pow(base, exponent) = *self.arena.node(factor)
            && let Some(exponent) = self.arena.as_number(exponent).and_then(Rational::to_i64)
            && exponent > 0
        {
            return (base, exponent);
        }
        (factor, 1)
    }
}
