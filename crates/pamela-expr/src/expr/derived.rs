//! Functions defined by others, and rational values of them.

use super::{Arena, ExprId, Function, LawKind, LawName, Relation, Side};
use crate::operators::MAX_FOLDED_BITS;
use crate::ring::Rational;
use num_traits::One;

/// Binomial coefficients of fewer elements are polynomials.
const MAX_MULTIPLIED_CHOICE: i64 = 4;
/// Up to this many servers, Erlang's formulas are quotients of polynomials.
const MOST_SERVERS_MULTIPLIED: i64 = 8;

impl Arena {
    /// `log(operand) / log(base)`
    pub fn log_to(&mut self, operand: ExprId, base: ExprId) -> ExprId {
        if let Some(value) = self.rational_log(operand, base) {
            return self.number(value);
        }
        let (log, of_base) = (
            self.apply(Function::Log, operand),
            self.apply(Function::Log, base),
        );
        self.divide(log, of_base)
    }

    /// A logarithm of a power of the base.
    fn rational_log(&self, operand: ExprId, base: ExprId) -> Option<Rational> {
        let [operand, base] = [operand, base].map(|x| self.as_number(x));
        let ((root, power), (of_base, unit)) = (root_or_itself(operand?)?, root_or_itself(base?)?);
        if root == of_base {
            return power.checked_div(&unit);
        }
        (root == of_base.recip()?)
            .then(|| -&power)
            .and_then(|power| power.checked_div(&unit))
    }

    /// `operand^(1/order)`
    pub fn root(&mut self, operand: ExprId, order: ExprId) -> ExprId {
        let inverse = self.reciprocal(order);
        self.pow(operand, inverse)
    }

    /// Erlang's loss formula: the share of requests that find all servers busy, if such requests are lost.
    pub fn erlang_loss(&mut self, servers: ExprId, load: ExprId) -> ExprId {
        let [all, fewer] = self.erlang_parts(servers, load);
        let sum = self.add(&[all, fewer]);
        self.divide(all, sum)
    }

    /// Erlang's delay formula: the share of requests that find all servers busy, if such requests wait.
    pub fn erlang_wait(&mut self, servers: ExprId, load: ExprId) -> ExprId {
        let [all, fewer] = self.erlang_parts(servers, load);
        let idle = self.subtract(servers, load);
        let share = self.divide(fewer, servers);
        let fewer = self.mul(&[idle, share]);
        let sum = self.add(&[all, fewer]);
        self.divide(all, sum)
    }

    /// Conditions of Erlang's formulas: whole servers, a load above 0, and below the servers where requests wait.
    pub fn domain_of_erlang(&mut self, servers: ExprId, load: ExprId, waits: bool) -> Vec<ExprId> {
        let one = self.number(1);
        let mut conditions = vec![
            self.relate(Relation::LessEqual, one, servers),
            self.apply(Function::Integer, servers),
            self.positive(load),
        ];
        if waits {
            conditions.push(self.relate(Relation::Less, load, servers));
        }
        conditions
    }

    /// In proportion to each other, the probabilities of as many Poisson events as servers, and of fewer.
    fn erlang_parts(&mut self, servers: ExprId, load: ExprId) -> [ExprId; 2] {
        if let Some(count) = self.as_number(servers).and_then(Rational::to_i64)
            && (1..=MOST_SERVERS_MULTIPLIED).contains(&count)
        {
            return self.erlang_powers(count, load);
        }
        let one = self.number(1);
        let (log, last) = (self.apply(Function::Log, load), self.subtract(servers, one));
        let powers = self.mul(&[servers, log]);
        let next = self.add(&[servers, one]);
        let factorial = self.apply(Function::LogGamma, next);
        let density = self.subtract(powers, load);
        let density = self.subtract(density, factorial);
        let all = self.apply(Function::Exp, density);
        let poisson = self.law(LawKind::Named(LawName::Poisson), &[load]);
        [all, self.probability(Side::LessEqual, poisson, last)]
    }

    /// `load^n` and the sum of `load^k * n!/k!` for fewer than `n` servers.
    fn erlang_powers(&mut self, servers: i64, load: ExprId) -> [ExprId; 2] {
        let (mut factor, mut terms) = (1, Vec::new());
        for k in (0..servers).rev() {
            factor *= k + 1;
            let (factor, order) = (self.number(factor), self.number(k));
            let power = self.pow(load, order);
            terms.push(self.mul(&[factor, power]));
        }
        let order = self.number(servers);
        [self.pow(load, order), self.add(&terms)]
    }

    /// Binomial coefficient; undefined unless both are whole and `n >= 0`.
    pub fn choose(&mut self, n: ExprId, k: ExprId) -> ExprId {
        let zero = self.number(0);
        let whole = [
            self.apply(Function::Integer, n),
            self.apply(Function::Integer, k),
            self.relate(Relation::LessEqual, zero, n),
        ];
        let whole = self.mul(&whole);
        let value = match self.as_number(k).and_then(Rational::to_i64) {
            Some(few) if few <= MAX_MULTIPLIED_CHOICE => self.choose_few(n, few),
            _ => self.quotient_of_factorials(n, k),
        };
        // Where `n` or `k` is fractional, or `n` is negative, one of these factorials is undefined.
        let factorials = [n, k].map(|x| self.apply(Function::Factorial, x));
        let undefined = self.mul(&factorials);
        self.if_else(whole, value, undefined)
    }

    /// `n! / (k! (n-k)!)`, and 0 outside `0 <= k <= n`.
    fn quotient_of_factorials(&mut self, n: ExprId, k: ExprId) -> ExprId {
        let zero = self.number(0);
        let rest = self.subtract(n, k);
        let factorials = [n, k, rest].map(|x| self.apply(Function::Factorial, x));
        let below = self.mul(&factorials[1..]);
        let quotient = self.divide(factorials[0], below);
        let (from, to) = (
            self.relate(Relation::LessEqual, zero, k),
            self.relate(Relation::LessEqual, k, n),
        );
        let inside = self.mul(&[from, to]);
        self.if_else(inside, quotient, zero)
    }

    /// `n (n-1) ... (n-k+1) / k!`; 0 for negative `k`.
    fn choose_few(&mut self, n: ExprId, k: i64) -> ExprId {
        if k < 0 {
            return self.number(0);
        }
        let mut factors = Vec::new();
        for i in 0..k {
            let less = self.number(-i);
            let divisor = self.number(i + 1);
            factors.push(self.add(&[n, less]));
            factors.push(self.reciprocal(divisor));
        }
        self.mul(&factors)
    }
}

/// Writes a number as a power of a smaller one; `None` if that is not possible.
pub fn root_of_number(value: &Rational) -> Option<(Rational, Rational)> {
    if !value.is_positive() || value.is_one() || value.bits() > MAX_FOLDED_BITS {
        return None;
    }
    let (base, power) = crate::real::perfect_power(&value.to_big());
    (!power.is_one()).then(|| (base.into(), power.into()))
}

/// Like [`root_of_number`], for any positive number except 1.
fn root_or_itself(value: &Rational) -> Option<(Rational, Rational)> {
    let positive = value.is_positive() && !value.is_one();
    positive.then(|| root_of_number(value).unwrap_or((value.clone(), Rational::ONE)))
}
