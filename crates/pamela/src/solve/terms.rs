//! Expressions in one positive variable `x` as quotients of sums of `c * x^r * log(x)^j`.

use std::collections::BTreeMap;

use crate::algebra::Probe;
use crate::eval::{Bindings, Limits, Number, Value, evaluate};
use crate::expr::{Arena, ExprId, Function, Node, Symbol};
use crate::ring::Rational;

/// Larger sums are given up.
const MOST_TERMS: usize = 64;

/// Powers of sums are multiplied out up to this exponent.
const MOST_FACTORS: i64 = 16;

/// A power of the variable and a power of its logarithm.
pub type Monomial = (Rational, u32);

/// A sum of monomials, each with a coefficient in an arena that is not 0 and does not depend on the variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms(pub BTreeMap<Monomial, ExprId>);

/// A sum over a sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    pub above: Terms,
    pub below: Terms,
}

/// Reads expressions of a variable.
pub struct Reader<'a> {
    pub arena: &'a mut Arena,
    pub variable: Symbol,
    /// Proves signs of other parameters; `None` if all of them have numbers.
    pub prover: Option<&'a mut Probe>,
}

impl Terms {
    /// The only term of a sum of one.
    pub fn single(&self) -> Option<(&Monomial, ExprId)> {
        match self.0.len() {
            1 => self.0.first_key_value().map(|(own, &factor)| (own, factor)),
            _ => None,
        }
    }

    /// True if logarithms of the variable occur.
    pub fn has_logarithms(&self) -> bool {
        self.0.keys().any(|(_, logs)| *logs > 0)
    }

    /// The sum divided by `x^power`.
    pub fn lowered(&self, power: &Rational) -> Terms {
        let each = self.0.iter();
        Terms(
            each.map(|((own, logs), factor)| ((own - power, *logs), *factor))
                .collect(),
        )
    }
}

impl Reader<'_> {
    pub fn depends(&self, id: ExprId) -> bool {
        self.arena.mentions(id, self.variable)
    }

    /// A constant in its simplest form: a number if it is rational.
    fn settled(&mut self, id: ExprId) -> ExprId {
        if self.prover.is_some() || self.arena.as_number(id).is_some() {
            return id;
        }
        match evaluate(self.arena, id, &Bindings::new(), Limits::default()) {
            Ok(Value::Scalar(Number::Exact(value))) => self.arena.number(value),
            Ok(Value::Scalar(number)) if number.is_zero() => self.arena.number(0),
            _ => id,
        }
    }

    fn put(&mut self, terms: &mut Terms, monomial: Monomial, factor: ExprId) {
        let sum = match terms.0.get(&monomial) {
            Some(&own) => self.arena.add(&[own, factor]),
            None => factor,
        };
        let sum = self.settled(sum);
        if self.arena.as_number(sum).is_some_and(Rational::is_zero) {
            terms.0.remove(&monomial);
        } else {
            terms.0.insert(monomial, sum);
        }
    }

    /// A constant as a sum.
    pub fn constant(&mut self, id: ExprId) -> Terms {
        let mut terms = Terms::default();
        self.put(&mut terms, (Rational::ZERO, 0), id);
        terms
    }

    fn one(&mut self) -> Terms {
        let one = self.arena.number(1);
        self.constant(one)
    }

    pub fn plus(&mut self, a: &Terms, b: &Terms) -> Option<Terms> {
        let mut sum = a.clone();
        for (monomial, &factor) in &b.0 {
            self.put(&mut sum, monomial.clone(), factor);
        }
        (sum.0.len() <= MOST_TERMS).then_some(sum)
    }

    pub fn times(&mut self, a: &Terms, b: &Terms) -> Option<Terms> {
        let mut product = Terms::default();
        for ((p, i), &x) in &a.0 {
            for ((q, j), &y) in &b.0 {
                let factor = self.arena.mul(&[x, y]);
                self.put(&mut product, (p + q, i + j), factor);
            }
        }
        (product.0.len() <= MOST_TERMS).then_some(product)
    }

    /// The sum times a number.
    pub fn scaled(&mut self, terms: &Terms, factor: &Rational) -> Terms {
        let mut all = Terms::default();
        let factor = self.arena.number(factor.clone());
        for (monomial, &own) in &terms.0 {
            let own = self.arena.mul(&[factor, own]);
            self.put(&mut all, monomial.clone(), own);
        }
        all
    }

    /// `x` times the derivative.
    pub fn slope(&mut self, terms: &Terms) -> Terms {
        let mut all = Terms::default();
        for ((power, logs), &factor) in &terms.0 {
            let own = self.arena.number(power.clone());
            let own = self.arena.mul(&[own, factor]);
            self.put(&mut all, (power.clone(), *logs), own);
            if let Some(less) = logs.checked_sub(1) {
                let own = self.arena.number(i64::from(*logs));
                let own = self.arena.mul(&[own, factor]);
                self.put(&mut all, (power.clone(), less), own);
            }
        }
        all
    }

    /// The numerator of the derivative of a quotient times `x`; its denominator is a square.
    pub fn slope_of(&mut self, quotient: &Quotient) -> Option<Terms> {
        let (up, down) = (self.slope(&quotient.above), self.slope(&quotient.below));
        let left = self.times(&up, &quotient.below)?;
        let right = self.times(&quotient.above, &down)?;
        let right = self.scaled(&right, &Rational::from(-1));
        self.plus(&left, &right)
    }

    /// The sum as an expression.
    pub fn expression(&mut self, terms: &Terms) -> ExprId {
        let x = self.arena.symbol(self.variable);
        let each: Vec<ExprId> = terms
            .0
            .iter()
            .map(|((power, logs), &factor)| {
                let power = self.arena.number(power.clone());
                let power = self.arena.pow(x, power);
                let log = self.arena.apply(Function::Log, x);
                let logs = self.arena.number(i64::from(*logs));
                let logs = self.arena.pow(log, logs);
                self.arena.mul(&[factor, power, logs])
            })
            .collect();
        self.arena.add(&each)
    }

    /// An expression without steps as a quotient; `None` if it has another form.
    pub fn quotient(&mut self, id: ExprId) -> Option<Quotient> {
        crate::with_stack(|| self.read(id))
    }

    fn whole(&mut self, above: Terms) -> Quotient {
        let below = self.one();
        Quotient { above, below }
    }

    fn read(&mut self, id: ExprId) -> Option<Quotient> {
        if !self.depends(id) {
            let terms = self.constant(id);
            return Some(self.whole(terms));
        }
        match self.arena.node(id).clone() {
            Node::Symbol(_) => {
                let one = self.arena.number(1);
                let mut terms = Terms::default();
                self.put(&mut terms, (Rational::ONE, 0), one);
                Some(self.whole(terms))
            }
            Node::Add(list) => {
                let (first, rest) = list.split_first()?;
                let mut sum = self.quotient(*first)?;
                for &term in rest {
                    let own = self.quotient(term)?;
                    sum = self.sum(&sum, &own)?;
                }
                Some(sum)
            }
            Node::Mul(list) => {
                let (first, rest) = list.split_first()?;
                let mut product = self.quotient(*first)?;
                for &factor in rest {
                    let own = self.quotient(factor)?;
                    product = self.product(&product, &own)?;
                }
                Some(product)
            }
            Node::Pow(base, exponent) => {
                let exponent = self.arena.as_number(exponent).cloned()?;
                let base = self.quotient(base)?;
                self.power(&base, &exponent)
            }
            Node::Apply(Function::Sqrt, of) => {
                let base = self.quotient(of)?;
                self.power(&base, &Rational::new(1, 2)?)
            }
            Node::Apply(Function::Log, of) => self.logarithm(of),
            _ => None,
        }
    }

    fn sum(&mut self, a: &Quotient, b: &Quotient) -> Option<Quotient> {
        if a.below == b.below {
            return Some(Quotient {
                above: self.plus(&a.above, &b.above)?,
                below: a.below.clone(),
            });
        }
        let left = self.times(&a.above, &b.below)?;
        let right = self.times(&b.above, &a.below)?;
        Some(Quotient {
            above: self.plus(&left, &right)?,
            below: self.times(&a.below, &b.below)?,
        })
    }

    fn product(&mut self, a: &Quotient, b: &Quotient) -> Option<Quotient> {
        Some(Quotient {
            above: self.times(&a.above, &b.above)?,
            below: self.times(&a.below, &b.below)?,
        })
    }

    fn power(&mut self, base: &Quotient, exponent: &Rational) -> Option<Quotient> {
        let size = exponent.abs();
        let (above, below) = match size.to_i64() {
            Some(times) if base.above.single().is_none() || base.below.single().is_none() => {
                if times > MOST_FACTORS {
                    return None;
                }
                let (mut above, mut below) = (self.one(), self.one());
                for _ in 0..times {
                    above = self.times(&above, &base.above)?;
                    below = self.times(&below, &base.below)?;
                }
                (above, below)
            }
            whole => (
                self.raised(&base.above, &size, whole.is_some())?,
                self.raised(&base.below, &size, whole.is_some())?,
            ),
        };
        Some(if !exponent.is_negative() {
            Quotient { above, below }
        } else if above.single().is_some_and(|((_, logs), _)| *logs == 0) {
            // The power of a monomial is written as a monomial, so that sums keep one denominator.

            let inverse = self.inverse(&above)?;
            let above = self.times(&below, &inverse)?;
            self.whole(above)
        } else {
            Quotient {
                above: below,
                below: above,
            }
        })
    }

    fn inverse(&mut self, terms: &Terms) -> Option<Terms> {
        let ((power, _), factor) = terms.single()?;
        let power = -power;
        let factor = self.arena.reciprocal(factor);
        let mut inverse = Terms::default();
        self.put(&mut inverse, (power, 0), factor);
        Some(inverse)
    }

    /// A positive power of a monomial; a power that is not whole needs a positive coefficient and no logarithm.
    fn raised(&mut self, terms: &Terms, exponent: &Rational, is_whole: bool) -> Option<Terms> {
        let ((power, logs), factor) = terms.single()?;
        let (power, logs) = (power * exponent, *logs);
        if !is_whole && (logs > 0 || !self.is_positive(factor)) {
            return None;
        }
        let logs = match logs {
            0 => 0,
            some => u32::try_from(exponent.to_i64()?).ok()?.checked_mul(some)?,
        };
        let exponent = self.arena.number(exponent.clone());
        let factor = self.arena.pow(factor, exponent);
        let mut raised = Terms::default();
        self.put(&mut raised, (power, logs), factor);
        Some(raised)
    }

    /// `log(c x^r / (d x^q)) = log(c) - log(d) + (r - q) log(x)`
    fn logarithm(&mut self, of: ExprId) -> Option<Quotient> {
        let of = self.quotient(of)?;
        let (((p, i), c), ((q, j), d)) = (of.above.single()?, of.below.single()?);
        if *i > 0 || *j > 0 || !self.is_positive(c) || !self.is_positive(d) {
            return None;
        }
        let power = p - q;
        let down = self.arena.reciprocal(d);
        let ratio = self.arena.mul(&[c, down]);
        let log = self.arena.apply(Function::Log, ratio);
        let mut terms = self.constant(log);
        let power = self.arena.number(power);
        self.put(&mut terms, (Rational::ZERO, 1), power);
        Some(self.whole(terms))
    }

    fn is_positive(&mut self, id: ExprId) -> bool {
        if let Some(value) = self.arena.as_number(id) {
            return value.is_positive();
        }
        let condition = self.arena.positive(id);
        match &mut self.prover {
            Some(prover) => prover.holds(self.arena, condition),
            None => {
                let value = evaluate(self.arena, id, &Bindings::new(), Limits::default());
                matches!(value, Ok(Value::Scalar(number)) if sign(&number).is_some_and(|own| own.is_gt()))
            }
        }
    }
}

/// The sign of a number; `None` if it is too close to 0 to decide.
pub fn sign(number: &Number) -> Option<std::cmp::Ordering> {
    match number {
        Number::Exact(value) => Some(value.cmp(&Rational::ZERO)),
        Number::Real(real) => real.sign().ok(),
    }
}
