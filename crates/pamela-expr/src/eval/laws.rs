//! Evaluates laws at one point with the calculus of laws.

use std::collections::BTreeMap;

mod bounds;
mod graphs;
mod probability;

use super::EvalError;
use super::exact::Evaluator;
use super::{Number, Value};
use crate::expr::{Arena, ExprId, GraphPart, LawKind, Node, ReduceKind, Reduction, Sort, Symbol};
use crate::law::{Calculus, Law, Offset};
use crate::ring::Rational;

pub use bounds::{has_random_paths, is_raised_by_paths};

type Result<T> = std::result::Result<T, EvalError>;

fn undefined(reason: String) -> EvalError {
    EvalError::Undefined(reason)
}

impl Evaluator<'_> {
    fn calculus(&self) -> Calculus {
        Calculus {
            carrier: self.carrier,
        }
    }

    /// The law of `id`; for a scalar, the constant.
    pub(super) fn law(&mut self, id: ExprId) -> Result<Law> {
        match self.value(id)? {
            Value::Law(law) => Ok(*law),
            Value::Scalar(number) => Ok(constant(&number)),
            Value::Vector(_) => Err(undefined("a vector where a law is expected".into())),
        }
    }

    fn laws(&mut self, list: &[ExprId]) -> Result<Vec<Law>> {
        list.iter().map(|&id| self.law(id)).collect()
    }

    fn real(&mut self, id: ExprId) -> Result<f64> {
        Ok(self.number(id)?.to_f64())
    }

    /// Evaluates an operator whose result is a law.
    pub(super) fn compute_law(&mut self, id: ExprId) -> Result<Value> {
        let arena = self.arena;
        let calculus = self.calculus();
        let law = match arena.node(id) {
            Node::Add(list) => {
                let terms = list.iter().map(|&id| self.term(id));
                let terms = terms.collect::<Result<Vec<(f64, Law)>>>()?;
                let terms: Vec<(f64, &Law)> = terms.iter().map(|(n, law)| (*n, law)).collect();
                calculus.sum_of_copies(&terms)
            }
            Node::Mul(list) => {
                let (count, law) = self.copies(list)?;
                calculus.repeated(&law, count)
            }
            Node::If(condition, then, otherwise) => {
                let holds = !self.number(*condition)?.is_zero();
                return self.value(if holds { *then } else { *otherwise });
            }
            Node::Graph(GraphPart::LongestPath(_), families) => {
                return self.law_of_path(id, families);
            }
            Node::Reduce(r) => return self.law_reduction(r),
            Node::Law(kind, operands) => return self.law_operator(*kind, operands),
            _ => return Err(undefined("this operator has no meaning for laws".into())),
        };
        law.map_err(undefined).map(wrap)
    }

    /// A summand: a law, or a number of copies of one, which are added together with the others.
    fn term(&mut self, id: ExprId) -> Result<(f64, Law)> {
        let arena = self.arena;
        match arena.node(id) {
            Node::Mul(list) if arena.is_law(id) => self.copies(list),
            Node::Reduce(r) if r.kind == ReduceKind::Sum && is_of_copies(arena, r) => {
                let count = self.range(r)?.1.to_f64();
                if count == 0.0 {
                    Ok((1.0, Law::constant(0.0)))
                } else {
                    Ok((count, self.law(r.body)?))
                }
            }
            _ => Ok((1.0, self.law(id)?)),
        }
    }

    /// A number of copies of a law.
    fn copies(&mut self, factors: &[ExprId]) -> Result<(f64, Law)> {
        let mut count = 1.0;
        let mut law = None;
        for &factor in factors {
            if self.arena.is_law(factor) {
                law = Some(self.law(factor)?)
            } else {
                count *= self.real(factor)?
            }
        }
        let law = law.ok_or_else(|| undefined("copies of no law".into()))?;
        Ok((count, law))
    }

    fn law_operator(&mut self, kind: LawKind, operands: &[ExprId]) -> Result<Value> {
        let calculus = self.calculus();
        let law = match (kind, operands) {
            (LawKind::Parameter(symbol), _) => return self.symbol(symbol),
            (LawKind::Named(name), arguments) => {
                let arguments = arguments
                    .iter()
                    .map(|&argument| self.real(argument))
                    .collect::<Result<Vec<f64>>>()?;
                calculus.named(name.name(), &arguments)
            }
            (LawKind::Empirical(symbol), _) => match self.arena.samples(symbol) {
                Some(samples) => Ok(calculus.empirical(samples.law())),
                None => Err("a law without samples".to_owned()),
            },
            (LawKind::Scale, &[factor, law]) => {
                let factor = self.real(factor)?;
                Ok(calculus.scaled(&self.law(law)?, factor))
            }
            (LawKind::Product, list) => {
                let laws = self.laws(list)?;
                calculus.product(&laws.iter().collect::<Vec<&Law>>())
            }
            (LawKind::Max | LawKind::Min, list) => {
                let laws = self.laws(list)?;
                let laws: Vec<&Law> = laws.iter().collect();
                match kind {
                    LawKind::Max => calculus.largest_of(&laws),
                    _ => calculus.smallest_of(&laws),
                }
            }
            (LawKind::RandomSum, &[count, law]) => {
                let count = self.law(count)?;
                calculus.random_sum(&count, &self.law(law)?)
            }
            (LawKind::Choice, &[condition, then, otherwise]) => {
                let condition = self.law(condition)?;
                let then = self.law(then)?;
                calculus.choice(&condition, &then, &self.law(otherwise)?)
            }
            (LawKind::Mixture, list) => {
                let mut parts = Vec::new();
                for pair in list.chunks_exact(2) {
                    parts.push((self.real(pair[0])?, self.law(pair[1])?));
                }
                let parts: Vec<(f64, &Law)> = parts.iter().map(|(w, law)| (*w, law)).collect();
                calculus.mixture(&parts)
            }
            (LawKind::Truncated, &[law, lower]) => {
                let (law, lower) = (self.law(law)?, self.real(lower)?);
                calculus.truncated(&law, lower, f64::INFINITY)
            }
            (LawKind::Truncated, &[law, lower, upper]) => {
                let (law, lower) = (self.law(law)?, self.real(lower)?);
                calculus.truncated(&law, lower, self.real(upper)?)
            }
            (LawKind::VectorMax, &[vector]) => {
                let demands = self.demands(vector)?;
                let laws: Vec<&Law> = demands.values().collect();
                if laws.is_empty() {
                    Ok(Law::constant(0.0))
                } else {
                    calculus.largest_of(&laws)
                }
            }
            _ => return Err(undefined("an operator of laws without its operands".into())),
        };
        law.map_err(undefined).map(wrap)
    }

    /// A sum or an order statistic over a range; of copies, however many, at once.
    fn law_reduction(&mut self, r: &Reduction) -> Result<Value> {
        let calculus = self.calculus();
        let (lower, count) = self.range(r)?;
        let quorum = r.kind.quorum().map(|k| self.real(k)).transpose()?;
        if count.is_zero() {
            return Ok(Rational::ZERO.into());
        }
        if is_of_copies(self.arena, r) {
            let (law, n) = (self.law(r.body)?, count.to_f64());
            let result = match (r.kind, quorum) {
                (ReduceKind::Sum, _) => calculus.repeated(&law, n),
                (ReduceKind::LawMax, _) => calculus.kth(&law, n, n),
                (ReduceKind::LawMin, _) => calculus.kth(&law, 1.0, n),
                (_, Some(k)) => calculus.kth(&law, k, n),
                _ => Err("this reduction has no meaning for laws".into()),
            };
            return result.map_err(undefined).map(wrap);
        }
        let laws = self.each(r, &lower, &count)?;
        let laws: Vec<&Law> = laws.iter().collect();
        let result = match (r.kind, quorum) {
            (ReduceKind::Sum, _) => calculus.sum(&laws),
            (ReduceKind::LawMax, _) => calculus.largest_of(&laws),
            (ReduceKind::LawMin, _) => calculus.smallest_of(&laws),
            (_, Some(k)) => {
                // Every value asks how likely each number of laws is to lie below.
                self.charge_steps(laws.len() as u64 * k.min(laws.len() as f64) as u64)?;
                calculus.kth_of(&laws, k)
            }
            _ => Err("this reduction has no meaning for laws".into()),
        };
        result.map_err(undefined).map(wrap)
    }

    /// The laws of all iterations.
    fn each(&mut self, r: &Reduction, lower: &Number, count: &Rational) -> Result<Vec<Law>> {
        let mut laws = Vec::new();
        self.over(r.index, lower, count, |this| {
            // A law takes some thousand times as long as a number.
            this.charge_steps(1_000)?;
            laws.push(this.law(r.body)?);
            Ok(())
        })?;
        Ok(laws)
    }

    /// The amounts of a vector by array and position.
    fn demands(&mut self, vector: ExprId) -> Result<BTreeMap<(Symbol, Rational), Law>> {
        let arena = self.arena;
        let mut demands = BTreeMap::new();
        match arena.node(vector) {
            Node::Add(list) => {
                for &part in list.iter() {
                    for (place, law) in self.demands(part)? {
                        self.demand(&mut demands, place, law)?;
                    }
                }
            }
            Node::Mul(list) => {
                let (vectors, amounts): (Vec<ExprId>, Vec<ExprId>) =
                    list.iter().partition(|&&f| arena.sort(f) == Sort::Vector);
                let amount = self.product_of(&amounts)?;
                for &part in &vectors {
                    for (place, law) in self.demands(part)? {
                        let law = self.times(&law, &amount)?;
                        self.demand(&mut demands, place, law)?;
                    }
                }
            }
            Node::UnitVector(array, position) => {
                let position = self.position(*position)?;
                demands.insert((*array, position), Law::constant(1.0));
            }
            Node::If(condition, then, otherwise) => {
                let holds = !self.number(*condition)?.is_zero();
                return self.demands(if holds { *then } else { *otherwise });
            }
            Node::Reduce(r) if r.kind == ReduceKind::Sum => {
                let (lower, count) = self.range(r)?;
                self.over(r.index, &lower, &count, |this| {
                    this.charge_steps(1_000)?;
                    for (place, law) in this.demands(r.body)? {
                        this.demand(&mut demands, place, law)?;
                    }
                    Ok(())
                })?;
            }
            Node::Vector(list) if list.is_empty() => {}
            _ => {
                return Err(undefined(
                    "the demands of this vector cannot be listed".into(),
                ));
            }
        }
        Ok(demands)
    }

    fn demand(
        &mut self,
        demands: &mut BTreeMap<(Symbol, Rational), Law>,
        place: (Symbol, Rational),
        law: Law,
    ) -> Result<()> {
        let sum = match demands.get(&place) {
            Some(known) => self.calculus().sum(&[known, &law]).map_err(undefined)?,
            None => law,
        };
        demands.insert(place, sum);
        Ok(())
    }

    /// The product of scalars, or a number of copies of a law.
    fn product_of(&mut self, factors: &[ExprId]) -> Result<Law> {
        let mut amount = Law::constant(1.0);
        for &factor in factors {
            let factor = self.law(factor)?;
            amount = self.times(&amount, &factor)?;
        }
        Ok(amount)
    }

    /// The product of two laws, one of which is a number of copies.
    fn times(&self, a: &Law, b: &Law) -> Result<Law> {
        let calculus = self.calculus();
        match (a.as_constant(), b.as_constant()) {
            (Some(n), _) => calculus.repeated_signed(b, n),
            (_, Some(n)) => calculus.repeated_signed(a, n),
            _ => Err("a product of laws".into()),
        }
        .map_err(undefined)
    }

    /// A cumulant as a number.
    pub(super) fn cumulant(&mut self, order: u8, id: ExprId) -> Result<Value> {
        let law = self.law(id)?;
        let name = ["mean", "variance", "third cumulant", "fourth cumulant"];
        let name = name[usize::from(order.clamp(1, 4)) - 1];
        if usize::from(order) > law.moments() {
            return Err(undefined(format!(
                "the {name} of a law does not exist: its tail is too heavy"
            )));
        }
        if usize::from(order) > law.moments_in_range() {
            return Err(undefined(format!(
                "the {name} of a law is outside the range of doubles: use another unit"
            )));
        }
        let cumulants = law.cumulants();
        let value = match order {
            1 => self.mean_of(id, &law)?,
            2 => cumulants.variance,
            3 => cumulants.third,
            _ => cumulants.fourth,
        };
        Ok(Value::Scalar(Number::real(value)?))
    }
}

/// A constant law, with twice the digits of a double if the number is exact.
fn constant(number: &Number) -> Law {
    Law::at(offset(number))
}

/// A number with twice the digits of a double if it is exact.
fn offset(number: &Number) -> Offset {
    let high = number.to_f64();
    let exact = number.as_exact().filter(|_| high.is_finite());
    let rest = exact.and_then(|exact| Some(exact - &Rational::from_f64(high)?));
    Offset::new(high, rest.map_or(0.0, |rest| rest.to_f64()))
}

/// A law of one value is a number.
/// A law that is one value is a number, but where that would lose digits that a later difference needs.
fn wrap(law: Law) -> Value {
    match law
        .as_exact_constant()
        .and_then(|value| Number::real(value).ok())
    {
        Some(number) => Value::Scalar(number),
        None => Value::Law(Box::new(law)),
    }
}

/// True if every iteration is a copy of the same law.
fn is_of_copies(arena: &Arena, r: &Reduction) -> bool {
    arena.is_law(r.body) && !arena.mentions(r.body, r.index)
}
