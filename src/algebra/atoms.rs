//! Laws of atoms: truth values, powers of one base, sums that stand in denominators.

use crate::expr::{ExprId, Node};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::terms::{MAX_TERMS, Terms, expr_of};

impl Terms {
    /// Atoms whose powers or products have laws of their own.
    pub(super) fn is_special(&self, atom: Atom) -> bool {
        let id = expr_of(atom);
        self.arena.is_boolean(id) || matches!(self.arena.node(id), Node::Add(_) | Node::Pow(..))
    }

    /// Applies the laws of special atoms: `c^2 = c` for a truth value, `r^i * r^j = r^(i + j)`, and
    /// a sum that stands in a denominator cancels.
    pub(super) fn tidy(&mut self, polynomial: Polynomial) -> Option<Polynomial> {
        let mut plain = Vec::new();
        let mut rest = Polynomial::zero();
        for (monomial, coefficient) in polynomial.terms() {
            match self.tidy_monomial(monomial)? {
                None => plain.push((monomial.clone(), coefficient.clone())),
                Some(tidied) => rest = &rest + &tidied.scale(coefficient),
            }
        }
        let sum = &Polynomial::from_terms(plain) + &rest;
        Some(self.cancel(sum))
    }

    /// `Some(None)`: nothing to do.
    fn tidy_monomial(&mut self, monomial: &Monomial) -> Option<Option<Polynomial>> {
        let mut kept = Monomial::one();
        let mut factors: Vec<Polynomial> = Vec::new();
        for &(atom, exponent) in monomial.powers() {
            let id = expr_of(atom);
            if self.arena.is_boolean(id) && exponent > 1 {
                kept = kept.checked_mul(&Monomial::power(atom, 1))?;
                factors.push(Polynomial::one());
            } else if let (Node::Add(list), true) = (self.arena.node(id).clone(), exponent > 0) {
                let sum = self.sum(&list);
                factors.push(sum.pow(exponent as u32, MAX_TERMS)?);
            } else if let Some(merged) = self.merge_exponential(monomial, atom, exponent) {
                let others = monomial_without_base(monomial, &merged.1)?;
                let base = Polynomial::term(others, Rational::ONE);
                return self.multiply(&base, &merged.0).map(Some);
            } else {
                kept = kept.checked_mul(&Monomial::power(atom, exponent))?;
            }
        }
        if factors.is_empty() {
            return Some(None);
        }
        let mut result = Polynomial::term(kept, Rational::ONE);
        for factor in factors {
            result = self.multiply(&result, &factor)?;
        }
        Some(Some(result))
    }

    /// `r^e` to a power, or times another power of `r`: the merged power and the atoms it replaces.
    fn merge_exponential(
        &mut self,
        monomial: &Monomial,
        atom: Atom,
        exponent: i32,
    ) -> Option<(Polynomial, Vec<Atom>)> {
        let Node::Pow(base, _) = *self.arena.node(expr_of(atom)) else {
            return None;
        };
        let mut parts: Vec<(Atom, i32, Option<ExprId>)> = Vec::new();
        for &(other, power) in monomial.powers() {
            match *self.arena.node(expr_of(other)) {
                Node::Pow(b, e) if b == base => parts.push((other, power, Some(e))),
                _ if expr_of(other) == base => parts.push((other, power, None)),
                _ => {}
            }
        }
        if parts.len() == 1 && exponent == 1 {
            return None;
        }
        let mut total = Polynomial::zero();
        for &(_, power, e) in &parts {
            let power = Rational::from(i64::from(power));
            total = match e {
                Some(e) => &total + &self.polynomial(e).scale(&power),
                None => &total + &Polynomial::constant(power),
            };
        }
        let exponent = self.expression(&total);
        let merged = self.power(base, exponent);
        Some((merged, parts.into_iter().map(|part| part.0).collect()))
    }

    /// Divides out sums that stand in denominators, where the rest of the polynomial is a multiple.
    fn cancel(&mut self, polynomial: Polynomial) -> Polynomial {
        let mut result = polynomial;
        let denominators: Vec<Atom> = result
            .atoms()
            .into_iter()
            .filter(|&atom| matches!(self.arena.node(expr_of(atom)), Node::Add(_)))
            .collect();
        for atom in denominators {
            let Node::Add(list) = self.arena.node(expr_of(atom)).clone() else {
                continue;
            };
            let divisor = self.sum(&list);
            // Division by the atom itself would leave as many denominators as before, for ever.
            if divisor.atoms().contains(&atom) {
                continue;
            }
            loop {
                let by_power = result.coefficients_in(atom);
                let Some((&power, coefficient)) = by_power.first_key_value() else {
                    break;
                };
                let quotient = if power < 0 {
                    coefficient.divide_exact(&divisor)
                } else {
                    None
                };
                let Some(quotient) = quotient else { break };
                let old = coefficient.mul_term(&Monomial::power(atom, power), &Rational::from(-1));
                let new = quotient.mul_term(&Monomial::power(atom, power + 1), &Rational::ONE);
                let (Some(old), Some(new)) = (old, new) else {
                    break;
                };
                result = &(&result + &old) + &new;
            }
        }
        result
    }
}

fn monomial_without_base(monomial: &Monomial, atoms: &[Atom]) -> Option<Monomial> {
    Some(
        atoms
            .iter()
            .fold(monomial.clone(), |rest, &atom| rest.without(atom)),
    )
}
