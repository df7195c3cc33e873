//! Laws of atoms: truth values, powers of one base, sums in denominators.

mod functions;

use crate::expr::{ExprId, Function, Node};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use super::terms::{MAX_TERMS, Terms, expr_of};

/// Sums of more terms are not searched for a common divisor.
const MAX_CANCELLED_TERMS: usize = 40;

impl Terms {
    /// Atoms whose powers or products have laws of their own.
    pub(super) fn is_special(&self, atom: Atom) -> bool {
        let id = expr_of(atom);
        let is_special = matches!(
            self.arena.node(id),
            Node::Add(_)
                | Node::Pow(..)
                | Node::Apply(Function::Sqrt | Function::Factorial | Function::Log, _)
        );
        is_special || self.arena.is_boolean(id)
    }

    /// Applies the laws of special atoms: `c^2 = c` for a truth value, `r^i * r^j = r^(i + j)`, `sqrt(x)^2 = x`,
    /// `n! / (n - 1)! = n`, `log(2 * x) / log(2) = 1 + log(x) / log(2)`, and a sum that stands in a denominator cancels.
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
            } else if let (Some(sum), true) = (self.written_out(id), exponent > 0) {
                factors.push(sum.pow(exponent as u32, MAX_TERMS)?);
            } else if let Some(merged) = self.merge_exponential(monomial, atom, exponent) {
                let others = monomial_without_base(monomial, &merged.1)?;
                let base = Polynomial::term(others, Rational::ONE);
                return self.multiply(&base, &merged.0).map(Some);
            } else if let Some((factor, rest)) = self.merge_values(monomial, atom) {
                let rest = Polynomial::term(rest, Rational::ONE);
                return self.multiply(&rest, &factor).map(Some);
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

    /// The factor that a root, a factorial or a logarithm forms with others, and the remaining monomial.
    fn merge_values(&mut self, monomial: &Monomial, atom: Atom) -> Option<(Polynomial, Monomial)> {
        match self.value_of(atom)?.0 {
            Function::Sqrt => self.merge_root(monomial, atom),
            Function::Factorial => self.merge_factorials(monomial, atom),
            Function::Log => self.merge_logarithms(monomial, atom),
            _ => None,
        }
    }

    /// The sum that an atom stands for. `None` if its terms include sums that are atoms: expanding these could
    /// recurse forever.
    fn written_out(&mut self, id: ExprId) -> Option<Polynomial> {
        let Node::Add(list) = self.arena.node(id).clone() else {
            return None;
        };
        let sum = self.sum(&list);
        let is_sum = |&(atom, power): &(Atom, i32)| {
            power > 0 && matches!(self.arena.node(expr_of(atom)), Node::Add(_))
        };
        let leads_on = sum.terms().flat_map(|(m, _)| m.powers()).any(is_sum);
        (!leads_on).then_some(sum)
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

    /// Cancels common factors of numerators and of sums in denominators.
    pub(super) fn cancel(&mut self, polynomial: Polynomial) -> Polynomial {
        let mut result = polynomial;
        let mut denominators: Vec<Atom> = (result.exponents().into_iter())
            .filter(|&(atom, (least, _))| least < 0 && self.is_sum(atom))
            .map(|(atom, _)| atom)
            .collect();
        while let Some(atom) = denominators.pop() {
            let Node::Add(list) = self.arena.node(expr_of(atom)).clone() else {
                continue;
            };
            let divisor = self.sum(&list);
            // Division by the atom itself would leave as many denominators as before, for ever.
            if divisor.atoms().contains(&atom) {
                continue;
            }
            while let Some((next, smaller)) = self.cancel_once(&result, atom, &divisor) {
                result = next;
                denominators.extend(smaller);
            }
        }
        result
    }

    fn is_sum(&self, atom: Atom) -> bool {
        matches!(self.arena.node(expr_of(atom)), Node::Add(_))
    }

    /// The terms with the lowest power of a denominator after cancelling their common factor, and the remaining
    /// denominators.
    fn cancel_once(
        &mut self,
        whole: &Polynomial,
        atom: Atom,
        divisor: &Polynomial,
    ) -> Option<(Polynomial, Vec<Atom>)> {
        let by_power = whole.coefficients_in(atom);
        let (&power, coefficient) = by_power.first_key_value()?;
        if power >= 0 {
            return None;
        }
        let (new, smaller) = match coefficient.divide_exact(divisor) {
            Some(quotient) => {
                let unit = Monomial::power(atom, power.checked_add(1)?);
                (quotient.mul_term(&unit, &Rational::ONE)?, Vec::new())
            }
            None => self.cancel_common(coefficient, divisor, power)?,
        };
        let old = coefficient.mul_term(&Monomial::power(atom, power), &Rational::from(-1))?;
        Some((&(whole + &old) + &new, smaller))
    }

    /// `coefficient * divisor ^ power`, for a negative power, without what both have in common, where that is a sum.
    fn cancel_common(
        &mut self,
        coefficient: &Polynomial,
        divisor: &Polynomial,
        power: i32,
    ) -> Option<(Polynomial, Vec<Atom>)> {
        if coefficient.len() > MAX_CANCELLED_TERMS || divisor.len() > MAX_CANCELLED_TERMS {
            return None;
        }
        let common = coefficient.common_divisor(divisor)?;
        if common.len() < 2 {
            return None;
        }
        let rest = coefficient.divide_exact(&common)?;
        let left = divisor.divide_exact(&common)?;
        let mut smaller = Vec::new();
        let mut result = rest;
        for (part, power) in [(left, power), (common, power.checked_add(1)?)] {
            let part = self.expression(&part);
            let factor = self.integer_power(part, i64::from(power))?;
            smaller.extend(factor.atoms().into_iter().filter(|&atom| self.is_sum(atom)));
            result = result.checked_mul(&factor, MAX_TERMS)?;
        }
        Some((result, smaller))
    }
}

fn monomial_without_base(monomial: &Monomial, atoms: &[Atom]) -> Option<Monomial> {
    Some(
        atoms
            .iter()
            .fold(monomial.clone(), |rest, &atom| rest.without(atom)),
    )
}
