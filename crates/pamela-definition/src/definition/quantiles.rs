//! `quantile(X, q)` and `prob(X <= t)` by definition.
//!
//! Finitely many outcomes are enumerated, so these values are exact. Otherwise the law is computed from its form, with
//! quantile grids for sums and order statistics.

use super::distribution::Failure;
use super::evaluate::{Evaluator, at};
use super::fraction::Fraction;
use super::number::Number;
use super::scope::{Local, Scope, find};
use super::walk::with_stack;
use super::{not_supported, predefined};
use crate::diagnostic::{Diagnostic, Span};
use crate::law::{Calculus, Discrete, Law, Offset, Probability};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, ReduceKind, Reduction, Relation, Type, Value as Definition,
};

/// A law takes some thousand times as long as a number.
const STEPS_OF_A_LAW: u64 = 1_000;

/// Laws of one expression are computed by grids, also in the definition: they share no code with rules.
const CALCULUS: Calculus = Calculus {
    carrier: crate::law::Carrier::Grid,
};

impl<'m> Evaluator<'m> {
    /// The least value that `law` does not exceed with the probability `q`.
    pub(super) fn quantile(
        &mut self,
        law: &'m Expr,
        q: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let level = self.fixed(q, scope)?;
        let is_inside = at(level.compare(&Number::zero()), q.span)?.is_gt()
            && at(level.compare(&Number::one()), q.span)?.is_lt();
        if !is_inside {
            let message = format!("a quantile at {level}, expected a probability between 0 and 1");
            return Err(Diagnostic::error(message, q.span, "not between 0 and 1")
                .hint("the 99th percentile is `quantile(X, 0.99)`"));
        }
        match self.enumerate(law.span, |evaluator| evaluator.scalar(law, scope)) {
            Ok(distribution) => {
                let mut below = Fraction::from(0);
                let mut last = None;
                for (value, probability) in distribution.outcomes {
                    below += probability;
                    // A probability that differs from the level by rounding reaches it.
                    let order = Number::Exact(below.clone()).order(&level);
                    last = Some(value);
                    if order.is_ge() {
                        break;
                    }
                }
                last.ok_or_else(|| not_supported("a quantile of no values", law.span))
            }
            Err(Failure::Wrong(diagnostic)) => Err(diagnostic),
            Err(Failure::NotEnumerable(why)) => {
                let found = self.law_by_form(law, &why, scope)?;
                let p = Probability {
                    below: level.to_f64(),
                    above: at(level.complement(), q.span)?.to_f64(),
                };
                let value = at(CALCULUS.quantile(&found, p), law.span)?;
                match self.trial(law, scope)? {
                    Some(chance) => at(geometric(&chance, &level, value), law.span),
                    None => Ok(Number::double(value)),
                }
            }
        }
    }

    /// The probability of success of `geometric(p)`; `None` for other laws.
    fn trial(&mut self, law: &'m Expr, scope: &Scope<'m>) -> Result<Option<Number>, Diagnostic> {
        match &law.kind {
            ExprKind::Call(name, arguments)
                if name.text == "geometric" && self.model.callee(&name.text).is_none() =>
            {
                self.fixed(&arguments[0], scope).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The probability that a comparison holds; both sides are independent.
    pub(super) fn probability_of(
        &mut self,
        comparison: &'m Expr,
        scope: &Scope<'m>,
    ) -> Result<Number, Diagnostic> {
        let span = comparison.span;
        match self.enumerate(span, |evaluator| evaluator.scalar(comparison, scope)) {
            Ok(distribution) => {
                let holds = |(value, _): &&(Number, Fraction)| !value.is_zero();
                let found = distribution.outcomes.iter().find(holds);
                let share = found.map_or(Fraction::from(0), |(_, share)| share.clone());
                Ok(Number::Exact(share))
            }
            Err(Failure::Wrong(diagnostic)) => Err(diagnostic),
            Err(Failure::NotEnumerable(why)) => {
                let ExprKind::Compare(relation, left, right) = &comparison.kind else {
                    return Err(why);
                };
                let [x, y] = [left, right].map(|side| self.law_of(side, scope));
                let difference = difference(&x?, &y?);
                let difference = at(difference, span)?;
                let probability = at(side(&difference, *relation), span)?;
                probability.map(Number::double).ok_or(why)
            }
        }
    }

    /// The law of an expression; that of a number is the constant.
    fn law_of(&mut self, expr: &'m Expr, scope: &Scope<'m>) -> Result<Law, Diagnostic> {
        match self.enumerate(expr.span, |evaluator| evaluator.scalar(expr, scope)) {
            Ok(distribution) => {
                let points = distribution.outcomes.iter();
                let points: Vec<(f64, f64)> =
                    points.map(|(x, p)| (x.to_f64(), p.to_f64())).collect();
                match points[..] {
                    [(value, _)] => Ok(Law::constant(value)),
                    _ => Discrete::new(&points)
                        .map(Law::discrete)
                        .ok_or_else(|| not_supported("a law of so many values", expr.span)),
                }
            }
            Err(Failure::Wrong(diagnostic)) => Err(diagnostic),
            Err(Failure::NotEnumerable(why)) => with_stack(|| self.law_by_form(expr, &why, scope)),
        }
    }

    /// The law of an expression that cannot be enumerated; `why` is the error if its form tells none.
    fn law_by_form(
        &mut self,
        expr: &'m Expr,
        why: &Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Law, Diagnostic> {
        let span = expr.span;
        self.step(span, STEPS_OF_A_LAW)?;
        match &expr.kind {
            ExprKind::Name(name) => match find(scope, name).cloned() {
                Some(Local::Argument(argument)) => self.law_of(argument.expr, &argument.scope),
                _ => self.law_of_equation(self.model.position(name), &[], why, scope),
            },
            ExprKind::Call(..) => self.law_of_call(expr, why, scope),
            ExprKind::Negate(e) => Ok(CALCULUS.scaled(&self.law_of(e, scope)?, -1.0)),
            ExprKind::Sum(first, rest) => {
                let mut laws = vec![self.law_of(first, scope)?];
                for (op, term) in rest {
                    let law = self.law_of(term, scope)?;
                    laws.push(match op {
                        AddOp::Add => law,
                        AddOp::Subtract => CALCULUS.scaled(&law, -1.0),
                    });
                }
                at(CALCULUS.sum(&laws.iter().collect::<Vec<_>>()), span)
            }
            ExprKind::Product(first, rest) => {
                let mut factor = 1.0;
                let mut laws = Vec::new();
                let factors = rest.iter().map(|(op, factor)| (*op, factor));
                for (op, operand) in std::iter::once((MulOp::Multiply, &**first)).chain(factors) {
                    if op == MulOp::Multiply && self.is_law(operand, scope) {
                        laws.push(self.law_of(operand, scope)?);
                        continue;
                    }
                    let number = self.settled(why, |e| e.scalar(operand, scope))?.to_f64();
                    match op {
                        MulOp::Multiply => factor *= number,
                        MulOp::Divide => factor /= number,
                        MulOp::Modulo | MulOp::FloorDivide => return Err(why.clone()),
                    }
                }
                let product = at(CALCULUS.product(&laws.iter().collect::<Vec<_>>()), span)?;
                Ok(CALCULUS.scaled(&product, factor))
            }
            ExprKind::If(condition, a, b) => {
                let chance = self.cumulants(condition, scope)?;
                let is_truth = self.is_truth_value(condition, scope);
                if chance.variance.is_zero() && is_truth {
                    return self.law_of(if chance.mean.is_zero() { b } else { a }, scope);
                }
                let (a, b) = (self.law_of(a, scope)?, self.law_of(b, scope)?);
                if is_truth || self.is_bernoulli(condition) {
                    let p = chance.mean.to_f64();
                    at(CALCULUS.mixture(&[(p, &a), (1.0 - p, &b)]), span)
                } else {
                    Err(why.clone())
                }
            }
            ExprKind::Reduce(reduction) => self.law_of_reduction(reduction, why, span, scope),
            _ => Err(why.clone()),
        }
    }

    fn is_bernoulli(&self, condition: &Expr) -> bool {
        matches!(&condition.kind, ExprKind::Call(name, _)
            if name.text == "bernoulli" && self.model.callee(&name.text).is_none())
    }

    fn law_of_call(
        &mut self,
        expr: &'m Expr,
        why: &Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Law, Diagnostic> {
        let ExprKind::Call(name, arguments) = &expr.kind else {
            return Err(why.clone());
        };
        let span = expr.span;
        let position = self.model.callee(&name.text);
        if position.is_some() {
            return self.law_of_equation(position, arguments, why, scope);
        }
        if self.model.measure(name, arguments).is_some() {
            return Err(why.clone());
        }
        if let Some(replacements) = self.model.replacements(name, arguments) {
            let inner = self.replacing(&replacements, scope);
            return self.with_replaced(inner, |e| e.law_of(replacements.of, scope));
        }
        if matches!(name.text.as_str(), "max" | "min") {
            let laws = arguments
                .iter()
                .map(|argument| self.law_of(argument, scope));
            let laws = laws.collect::<Result<Vec<Law>, Diagnostic>>()?;
            let laws: Vec<&Law> = laws.iter().collect();
            return at(
                if name.text == "max" {
                    CALCULUS.largest_of(&laws)
                } else {
                    CALCULUS.smallest_of(&laws)
                },
                span,
            );
        }
        if predefined::law(&name.text).is_none() {
            return Err(why.clone());
        }
        if let Some(samples) = self.samples(name, arguments)? {
            return Ok(CALCULUS.empirical(samples.law()));
        }
        match (name.text.as_str(), &arguments[..]) {
            ("mixture", _) | ("empirical", _) => {
                let parts = self.mixture(name, arguments, span, scope)?;
                let mut laws = Vec::new();
                for (weight, part) in parts {
                    laws.push((weight.to_f64(), self.law_of(part, scope)?));
                }
                let laws: Vec<(f64, &Law)> = laws.iter().map(|(w, law)| (*w, law)).collect();
                at(CALCULUS.mixture(&laws), span)
            }
            ("truncated", [law, lower, upper @ ..]) => {
                let law = self.law_of(law, scope)?;
                let lower = self.fixed(lower, scope)?.to_f64();
                let upper = match upper.first() {
                    Some(upper) => self.fixed(upper, scope)?.to_f64(),
                    None => f64::INFINITY,
                };
                at(CALCULUS.truncated(&law, lower, upper), span)
            }
            _ => {
                self.predefined_law(name, arguments, span, scope)?;
                let numbers = arguments.iter().map(|a| self.fixed(a, scope));
                let numbers = numbers.collect::<Result<Vec<Number>, Diagnostic>>()?;
                let numbers: Vec<f64> = numbers.iter().map(Number::to_f64).collect();
                at(CALCULUS.named(&name.text, &numbers), span)
            }
        }
    }

    fn law_of_equation(
        &mut self,
        position: Option<usize>,
        arguments: &'m [Expr],
        why: &Diagnostic,
        scope: &Scope<'m>,
    ) -> Result<Law, Diagnostic> {
        let model = self.model;
        let equation = position.map(|position| &model.equations()[position]);
        match equation.map(|equation| (equation, equation.kind, &equation.value)) {
            Some((equation, Type::Numeric, Some(Definition::Numeric(value)))) => {
                let inner = self.call_scope(equation, arguments, scope);
                self.law_of(value, &inner)
            }
            _ => Err(why.clone()),
        }
    }

    /// A sum or an order statistic over a range; of copies, however many, at once.
    fn law_of_reduction(
        &mut self,
        reduction: &'m Reduction,
        why: &Diagnostic,
        span: Span,
        scope: &Scope<'m>,
    ) -> Result<Law, Diagnostic> {
        let range = &reduction.range;
        let mut indices = self.settled(why, |evaluator| evaluator.indices(range, scope))?;
        let mut laws = Vec::new();
        while let Some(inner) = self.advance(&mut indices, range, scope)? {
            laws.push(with_stack(|| self.law_of(&reduction.body, &inner))?);
        }
        if laws.is_empty() {
            return Ok(Law::constant(0.0));
        }
        let list: Vec<&Law> = laws.iter().collect();
        at(
            match reduction.kind {
                ReduceKind::Sum => CALCULUS.sum(&list),
                ReduceKind::Max => CALCULUS.largest_of(&list),
                ReduceKind::Min => CALCULUS.smallest_of(&list),
                ReduceKind::Kth => {
                    let ranks = (1..=laws.len() as i64).map(Number::from).collect();
                    let k = self.settled(why, |evaluator| evaluator.quorum(range, ranks, scope))?;
                    self.step(span, (laws.len() as u64).pow(2))?;
                    CALCULUS.kth_of(&list, k.to_f64())
                }
                ReduceKind::Product => return Err(why.clone()),
            },
            span,
        )
    }
}

/// Trials of which the probability is computed as a fraction.
const FEW_TRIALS: f64 = 64.0;

/// The fewest trials of which one succeeds with the probability `level`, beside a number that doubles found.
fn geometric(chance: &Number, level: &Number, near: f64) -> Result<Number, String> {
    let (failure, rest) = (chance.complement()?, level.complement()?);
    if near > FEW_TRIALS || failure.as_exact().is_none() {
        return Ok(Number::double(near));
    }
    let mut trials = near as i64;
    let fails = |trials: i64| Ok::<_, String>(failure.power(&trials.into())?.order(&rest).is_gt());
    while trials > 1 && !fails(trials - 1)? {
        trials -= 1;
    }
    while fails(trials)? {
        trials += 1;
    }
    Ok(trials.into())
}

/// The law of `X - Y`.
fn difference(x: &Law, y: &Law) -> Result<Law, String> {
    CALCULUS.sum(&[x, &CALCULUS.scaled(y, -1.0)])
}

/// The probability that a law lies on this side of 0; none of an equality.
fn side(law: &Law, relation: Relation) -> Result<Option<f64>, String> {
    let (upto, before) = (
        CALCULUS.cdf(law, Offset::ZERO)?,
        CALCULUS.cdf_before(law, Offset::ZERO)?,
    );
    Ok(match relation {
        Relation::Less => Some(before.below),
        Relation::LessEqual => Some(upto.below),
        Relation::Greater => Some(upto.above),
        Relation::GreaterEqual => Some(before.above),
        Relation::Equal | Relation::NotEqual => None,
    })
}
