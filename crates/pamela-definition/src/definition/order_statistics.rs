//! Cumulants of the largest, smallest and k-th of independent laws with infinitely many values.
//!
//! The k-th smallest of n exceeds x if at least `j = n - k + 1` of them do. By inclusion and exclusion, this has the
//! probability `sum (m = j, n) { (-1)^(m - j) * binom(m - 1, j - 1) * S(m) }`. Here `S(m)` adds, over all choices of
//! m of them, the probability that the least of these exceeds x. Each moment is therefore a sum of moments of minima,
//! whose laws are known: minima of exponential times are exponential.

use super::families::cumulants_of;
use super::fraction::Fraction;
use super::scope::{Local, Scope, find};
use num_bigint::BigInt;
use num_traits::One;

use super::cumulants::Cumulants;
use super::evaluate::{Evaluator, at};
use super::laws::{Law, LawName};
use super::number::{Fault, Number};
use super::walk::with_stack;
use super::{predefined, truncated};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Expr, ExprKind, ReduceKind, Reduction, Type, Value as Definition};

/// Different laws that the least of some operands may have; of more there are no cumulants.
const MAX_LAWS: usize = 1_000;

/// Bits of a parameter of the least of many; those of more operands have no law.
const MAX_BITS: u64 = 1 << 14;

/// `shift + factor * X`; the least of several may be such a law, too.
#[derive(Clone, Debug, PartialEq)]
struct Least {
    shift: Number,
    factor: Number,
    law: Law,
}

/// The rank of the wanted operand among n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    Smallest,
    /// The order statistic with this many operands at or above it.
    Exceeding(usize),
}

impl Least {
    fn new(law: Law) -> Result<Option<Least>, Fault> {
        let plain = |law: Law| Least {
            shift: Number::zero(),
            factor: Number::one(),
            law,
        };
        Ok(match (law.family, law.arguments.as_slice()) {
            (LawName::Exponential | LawName::Geometric | LawName::Pareto, _) => Some(plain(law)),
            (LawName::Uniform, [lower, upper]) => Some(Least {
                shift: lower.clone(),
                factor: upper.subtract(lower)?,
                law: Law {
                    family: LawName::Beta,
                    arguments: vec![Number::one(), Number::one()],
                },
            }),
            _ => None,
        })
    }

    /// The lesser of two that are independent, where its law is known.
    fn and(&self, other: &Least) -> Result<Option<Least>, Fault> {
        if (&self.shift, &self.factor) != (&other.shift, &other.factor)
            || self.law.family != other.law.family
        {
            return Ok(None);
        }
        let arguments = (
            self.law.arguments.as_slice(),
            other.law.arguments.as_slice(),
        );
        let arguments = match (self.law.family, arguments) {
            (LawName::Exponential, ([a], [b])) => vec![a.multiply(b)?.divide(&a.add(b)?)?],
            (LawName::Geometric, ([p], [q])) => {
                let failure = p.complement()?.multiply(&q.complement()?)?;
                vec![failure.complement()?]
            }
            (LawName::Pareto, ([s, c], [t, d])) if c == d => vec![s.add(t)?, c.clone()],
            // Uniform laws are beta laws with the first shape 1.
            (LawName::Beta, ([one, s], [_, t])) => vec![one.clone(), s.add(t)?],
            _ => return Ok(None),
        };
        if arguments.iter().any(|number| bits(number) > MAX_BITS) {
            return Ok(None);
        }
        let law = Law {
            family: self.law.family,
            arguments,
        };
        Ok(Some(Least {
            law,
            ..self.clone()
        }))
    }

    fn cumulants(&self) -> Result<Cumulants, Fault> {
        let scaled = cumulants_of(&self.law)?.scaled(&self.factor)?;
        scaled.plus(&Cumulants::constant(self.shift.clone()))
    }
}

fn bits(number: &Number) -> u64 {
    match number {
        Number::Exact(value) => value.bits().0 + value.bits().1,
        Number::Real(_) => 0,
    }
}

impl<'m> Evaluator<'m> {
    /// Cumulants of the largest or smallest of operands. `why` is the error if the law of a minimum is not known.
    pub(super) fn cumulants_of_extreme(
        &mut self,
        largest: bool,
        operands: &'m [Expr],
        why: &Diagnostic,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        if let Some(cumulants) = self.cumulants_beside_number(largest, operands, span, scope)? {
            return Ok(cumulants);
        }
        let mut laws = Vec::new();
        for operand in operands {
            laws.push(self.least_one(operand, why, scope)?);
        }
        let rank = if largest {
            Rank::Exceeding(1)
        } else {
            Rank::Smallest
        };
        self.cumulants_of_rank(&laws, rank, why, span)
    }

    /// Cumulants of the extreme of an exponential time and a number; `None` for others.
    fn cumulants_beside_number(
        &mut self,
        largest: bool,
        operands: &'m [Expr],
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Option<Cumulants>, Diagnostic> {
        let [first, second] = operands else {
            return Ok(None);
        };
        let (number, law) = match [first, second].map(|operand| self.is_law(operand, scope)) {
            [false, true] => (first, second),
            [true, false] => (second, first),
            _ => return Ok(None),
        };
        let ExprKind::Call(name, arguments) = &law.kind else {
            return Ok(None);
        };
        if name.text != "exponential" || self.model.callee(&name.text).is_some() {
            return Ok(None);
        }
        let law = self.predefined_law(name, arguments, law.span, scope)?;
        let number = self.fixed(number, scope)?;
        at(truncated::beside_number(&law, &number, largest), span).map(Some)
    }

    /// Cumulants of the largest, smallest or k-th over a range. `why` is the error if the law of a minimum is not
    /// known.
    pub(super) fn cumulants_of_order(
        &mut self,
        reduction: &'m Reduction,
        why: &Diagnostic,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Cumulants, Diagnostic> {
        let range = &reduction.range;
        let laws = self.laws_in_range(reduction, why, scope)?;
        if laws.is_empty() {
            return Ok(Cumulants::constant(Number::zero()));
        }
        let rank = match reduction.kind {
            ReduceKind::Max => Rank::Exceeding(1),
            ReduceKind::Min => Rank::Smallest,
            ReduceKind::Kth => {
                let ranks = (1..=laws.len() as i64).map(Number::from).collect();
                let k = self.settled(why, |evaluator| evaluator.quorum(range, ranks, scope))?;
                let rank = (1..=laws.len()).find(|&rank| k == Number::from(rank as i64));
                match laws.len() + 1 - rank.ok_or_else(|| why.clone())? {
                    all if all == laws.len() => Rank::Smallest,
                    exceeding => Rank::Exceeding(exceeding),
                }
            }
            ReduceKind::Sum | ReduceKind::Product => return Err(why.clone()),
        };
        self.cumulants_of_rank(&laws, rank, why, span)
    }

    /// The law of an operand.
    fn least_one(
        &mut self,
        expr: &'m Expr,
        why: &Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Least, Diagnostic> {
        match &expr.kind {
            ExprKind::Name(name) => match find(scope, name).cloned() {
                Some(Local::Argument(argument)) => {
                    self.least_one(argument.expr, why, &argument.scope)
                }
                Some(_) => Err(why.clone()),
                None => self.least_of_equation(self.model.position(name), &[], why, scope),
            },
            ExprKind::Call(name, arguments) => {
                let position = self.model.callee(&name.text);
                if position.is_some() {
                    return self.least_of_equation(position, arguments, why, scope);
                }
                if name.text == "min" {
                    let mut laws = Vec::new();
                    for operand in arguments {
                        laws.push(self.least_one(operand, why, scope)?);
                    }
                    return self.smallest_of(&laws, why, expr.span);
                }
                let plain = !matches!(name.text.as_str(), "mixture" | "empirical" | "truncated");
                if !plain || predefined::law(&name.text).is_none() {
                    return Err(why.clone());
                }
                let law = self.predefined_law(name, arguments, expr.span, scope)?;
                let least = at(Least::new(law), expr.span)?;
                least.ok_or_else(|| why.clone())
            }
            ExprKind::Reduce(reduction) if reduction.kind == ReduceKind::Min => {
                let laws = self.laws_in_range(reduction, why, scope)?;
                self.smallest_of(&laws, why, expr.span)
            }
            _ => Err(why.clone()),
        }
    }

    fn laws_in_range(
        &mut self,
        reduction: &'m Reduction,
        why: &Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Vec<Least>, Diagnostic> {
        let range = &reduction.range;
        let mut indices = self.settled(why, |evaluator| evaluator.indices(range, scope))?;
        let mut laws = Vec::new();
        while let Some(inner) = self.advance(&mut indices, range, scope)? {
            laws.push(with_stack(|| self.least_one(&reduction.body, why, &inner))?);
        }
        Ok(laws)
    }

    fn least_of_equation(
        &mut self,
        position: Option<usize>,
        arguments: &'m [Expr],
        why: &Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Least, Diagnostic> {
        let model = self.model;
        let equation = position.map(|position| &model.equations()[position]);
        match equation.map(|equation| (equation, equation.kind, &equation.value)) {
            Some((equation, Type::Numeric, Some(Definition::Numeric(value)))) => {
                let inner = self.call_scope(equation, arguments, scope);
                with_stack(|| self.least_one(value, why, &inner))
            }
            _ => Err(why.clone()),
        }
    }

    fn cumulants_of_rank(
        &mut self,
        laws: &[Least],
        rank: Rank,
        why: &Diagnostic,
        span: Span,
    ) -> Result<Cumulants, Diagnostic> {
        let Rank::Exceeding(wanted) = rank else {
            let least = self.smallest_of(laws, why, span)?;
            return at(least.cumulants(), span);
        };
        let choices = self.choices(laws, why, span)?;
        let mut moments = [(); 4].map(|()| Number::zero());
        let mut binomial = BigInt::one();
        for (place, least) in choices.iter().enumerate().skip(wanted - 1) {
            let members = place + 1;
            for (least, count) in least {
                let weight = Fraction::from(&binomial * count);
                let own = at(least.cumulants(), span)?;
                if own.misses("K4") {
                    return Err(why.clone());
                }
                let raw = at(own.raw_moments(), span)?;
                for (sum, moment) in moments.iter_mut().zip(raw) {
                    let term = at(moment.multiply(&Number::from(weight.clone())), span)?;
                    *sum = at(sum.add(&term), span)?;
                    self.step(span, 1 + sum.cost())?;
                }
            }
            binomial = -binomial * members / (members + 1 - wanted);
        }
        at(Cumulants::of_raw_moments(&moments), span)
    }

    /// The law of the smallest of all.
    fn smallest_of(
        &mut self,
        laws: &[Least],
        why: &Diagnostic,
        span: Span,
    ) -> Result<Least, Diagnostic> {
        let Some((first, others)) = laws.split_first() else {
            return Err(why.clone());
        };
        let mut least = first.clone();
        for other in others {
            self.step(span, 1)?;
            least = at(least.and(other), span)?.ok_or_else(|| why.clone())?;
        }
        Ok(least)
    }

    /// At place `m - 1` the laws of the least ones of all choices of m operands, each with the number of those choices.
    fn choices(
        &mut self,
        laws: &[Least],
        why: &Diagnostic,
        span: Span,
    ) -> Result<Vec<Vec<(Least, BigInt)>>, Diagnostic> {
        let mut choices: Vec<Vec<(Least, BigInt)>> = Vec::new();
        for law in laws {
            choices.push(Vec::new());
            let known: usize = choices.iter().map(Vec::len).sum();
            if known > MAX_LAWS {
                return Err(why.clone());
            }
            self.step(span, known as u64)?;
            for place in (1..choices.len()).rev() {
                for (least, count) in choices[place - 1].clone() {
                    let both = at(least.and(law), span)?.ok_or_else(|| why.clone())?;
                    count_in(&mut choices[place], both, count);
                }
            }
            count_in(&mut choices[0], law.clone(), BigInt::one());
        }
        Ok(choices)
    }
}

fn count_in(counted: &mut Vec<(Least, BigInt)>, least: Least, count: BigInt) {
    match counted.iter_mut().find(|(known, _)| *known == least) {
        Some((_, sum)) => *sum += count,
        None => counted.push((least, count)),
    }
}
