//! Operators on laws; every occurrence is an independent copy.

use super::argument::Binder;
use super::numeric::Cases;
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Arena, ExprId, LawKind, LawName, Node, ReduceKind, Side, Sort};
use crate::model::{not_supported, with_stack};
use crate::ring::Rational;
use crate::syntax::tree::{Expr, ExprKind, Relation};

type Lowered<T> = Result<T, Diagnostic>;

impl Lowering<'_, '_> {
    pub(super) fn is_law(&self, expr: ExprId) -> bool {
        self.arena.is_law(expr)
    }

    /// Rejects an operator that is not defined for laws here.
    pub(super) fn no_law(&self, operand: ExprId, what: &str, span: Span) -> Lowered<()> {
        if !self.arena.is_random(operand) {
            return Ok(());
        }
        Err(not_supported(&format!("{what} a law"), span)
            .hint("sums, scalar factors, `max`, `min`, `kth` and conditions take laws"))
    }

    /// A named law, with its arguments.
    pub(super) fn named_law(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Lowered<ExprId> {
        if let ("empirical", Some(file)) = (name, arguments.first())
            && matches!(file.kind, ExprKind::Text(_))
        {
            let samples = self.model.samples(file.span);
            let unread = || not_supported("a file that was not read", file.span);
            return Ok(self.arena.empirical(samples.ok_or_else(unread)?));
        }
        let operands = arguments
            .iter()
            .map(|argument| self.numeric(argument))
            .collect::<Lowered<Vec<ExprId>>>()?;
        match (name, operands.as_slice()) {
            ("deterministic" | "empirical", &[value]) => Ok(value),
            ("empirical", samples) => {
                // There is no law without samples.
                let share = Rational::new(1, samples.len() as i64).unwrap_or(Rational::ONE);
                let share = self.arena.number(share);
                let parts: Vec<ExprId> = samples.iter().flat_map(|&x| [share, x]).collect();
                Ok(self.arena.law(LawKind::Mixture, &parts))
            }
            ("mixture", parts) if parts.len().is_multiple_of(2) => {
                let weights: Vec<ExprId> = parts.iter().step_by(2).copied().collect();
                let spans: Vec<Span> = arguments.iter().step_by(2).map(|w| w.span).collect();
                self.weights("the mixture", &weights, &spans, span)?;
                Ok(self.arena.law(LawKind::Mixture, parts))
            }
            ("residual", &[law]) => self.residual(law, span),
            ("truncated", operands) => {
                self.law_arguments(name, operands, arguments, span)?;
                Ok(self.arena.law(LawKind::Truncated, operands))
            }
            _ => match LawName::find(name) {
                Some(law) => {
                    self.law_arguments(name, &operands, arguments, span)?;
                    Ok(self.arena.law(LawKind::Named(law), &operands))
                }
                None => Err(not_supported(&format!("the law `{name}`"), span)),
            },
        }
    }

    /// A moment of a law; `None` for other names.
    pub(super) fn moment(&mut self, name: &str, arguments: &[Expr]) -> Option<Lowered<ExprId>> {
        let [argument] = arguments else { return None };
        let of: fn(&mut Arena, ExprId) -> ExprId = match name {
            "E" => |arena, law| arena.cumulant(1, law),
            "Var" => |arena, law| arena.cumulant(2, law),
            "K3" => |arena, law| arena.cumulant(3, law),
            "K4" => |arena, law| arena.cumulant(4, law),
            "Skw" => Arena::skewness,
            "Kur" => Arena::kurtosis,
            _ => return None,
        };
        let law = self.numeric(argument);
        Some(law.map(|law| of(self.arena, law)))
    }

    /// `quantile(X, q)`; a probability outside of 0 to 1 is an error, or a condition of the result.
    pub(super) fn quantile(&mut self, law: &Expr, q: &Expr) -> Lowered<ExprId> {
        let (law, level) = (self.numeric(law)?, self.numeric(q)?);
        self.no_law(level, "a quantile at the probability of", q.span)?;
        let asked = self.arena.domain_of_quantile(level);
        if let Some(number) = self.arena.as_number(level)
            && asked
                .iter()
                .any(|&fact| self.arena.as_number(fact).is_some_and(Rational::is_zero))
        {
            let message = format!("a quantile at {number}, expected a probability between 0 and 1");
            return Err(Diagnostic::error(message, q.span, "not between 0 and 1")
                .hint("the 99th percentile is `quantile(X, 0.99)`"));
        }
        self.ask(&asked);
        Ok(self.in_each_case(law, &|arena, law| arena.quantile(law, level)))
    }

    /// A number of a law, in each case of a choice by truth values: sums of cases hide which law there is.
    fn in_each_case(&mut self, law: ExprId, of: &dyn Fn(&mut Arena, ExprId) -> ExprId) -> ExprId {
        match *self.arena.node(law) {
            Node::If(condition, then, otherwise) if !self.arena.is_random(condition) => {
                let branches = [then, otherwise];
                let [then, otherwise] =
                    branches.map(|branch| with_stack(|| self.in_each_case(branch, of)));
                self.arena.if_else(condition, then, otherwise)
            }
            _ => of(self.arena, law),
        }
    }

    /// `prob(X <= t)`; two laws are independent.
    pub(super) fn probability_of(&mut self, comparison: &Expr) -> Lowered<ExprId> {
        let ExprKind::Compare(relation, left, right) = &comparison.kind else {
            return Err(not_supported("`prob` of this", comparison.span));
        };
        let side = match relation {
            Relation::Less => Side::Less,
            Relation::LessEqual => Side::LessEqual,
            Relation::Greater => Side::Greater,
            Relation::GreaterEqual => Side::GreaterEqual,
            Relation::Equal | Relation::NotEqual => {
                return Err(not_supported("`prob` of an equality", comparison.span));
            }
        };
        let (left, right) = (self.numeric(left)?, self.numeric(right)?);
        Ok(match (self.is_law(left), self.is_law(right)) {
            (_, false) => {
                self.in_each_case(left, &|arena, law| arena.probability(side, law, right))
            }
            (false, true) => self.in_each_case(right, &|arena, law| {
                arena.probability(side.mirrored(), law, left)
            }),
            (true, true) => {
                let (minus, zero) = (self.arena.number(-1), self.arena.number(0));
                let terms = match self.arena.node(right) {
                    Node::Add(terms) => terms.to_vec(),
                    _ => vec![right],
                };
                let terms = terms.into_iter().map(|term| self.arena.scale(minus, term));
                let terms: Vec<ExprId> = terms.chain([left]).collect();
                let difference = self.arena.add(&terms);
                self.arena.probability(side, difference, zero)
            }
        })
    }

    /// The product of scalars and independent laws, with one copy of each law.
    pub(super) fn scaled(&mut self, factors: &[ExprId]) -> Lowered<ExprId> {
        let (laws, scalars): (Vec<ExprId>, Vec<ExprId>) =
            factors.iter().partition(|f| self.is_law(**f));
        let law = self.arena.law(LawKind::Product, &laws);
        if let Some(&vector) = scalars
            .iter()
            .find(|s| self.arena.sort(**s) == Sort::Vector)
        {
            let others: Vec<ExprId> = scalars.iter().copied().filter(|&s| s != vector).collect();
            let factor = self.arena.mul(&others);
            let amount = self.arena.scale(factor, law);
            return Ok(self.arena.mul(&[amount, vector]));
        }
        let factor = self.arena.mul(&scalars);
        Ok(self.arena.scale(factor, law))
    }

    /// The maximum or minimum of several operands, at least one of them a law.
    pub(super) fn law_extremum(&mut self, largest: bool, operands: &[ExprId]) -> ExprId {
        let kind = if largest { LawKind::Max } else { LawKind::Min };
        self.arena.law(kind, operands)
    }

    /// A reduction whose body is a law.
    pub(super) fn law_reduce(
        &mut self,
        kind: ReduceKind,
        binder: Binder,
        body: ExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        self.no_law(lower, "a range that begins at", span)?;
        if self.is_law(upper) {
            return self.random_sum(kind, binder, body, span);
        }
        if kind == ReduceKind::Product && self.is_law(body) {
            return Err(not_supported("a product over a range of laws", span)
                .hint("write the factors: `X * Y` is the product of two independent laws"));
        }
        let kind = if self.is_law(body) {
            Arena::law_reduction(kind)
        } else {
            kind
        };
        Ok(self.arena.reduce(kind, index, lower, upper, body))
    }

    /// `sum (i = a, N) { X }` with a random N.
    fn random_sum(
        &mut self,
        kind: ReduceKind,
        binder: Binder,
        body: ExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        if kind != ReduceKind::Sum || self.arena.mentions(body, index) {
            return Err(not_supported("this loop with a random bound", span)
                .hint("a random number of iterations is supported for a `sum` or `seq` of copies of one time"));
        }
        let one = self.arena.number(1);
        let first = self.arena.subtract(one, lower);
        let count = self.arena.add(&[upper, first]);
        if self.arena.sort(body) == Sort::Vector {
            return self.random_demand(count, body, span);
        }
        Ok(self.arena.law(LawKind::RandomSum, &[count, body]))
    }

    /// The cases of a condition that is a law.
    pub(super) fn random_cases(&self, condition: ExprId) -> Cases {
        match self.arena.node(condition) {
            Node::Law(LawKind::Named(LawName::Bernoulli), arguments) => {
                Cases::Bernoulli(arguments[0])
            }
            _ => Cases::Random(condition),
        }
    }

    /// Conditions of which at least one is a law.
    pub(super) fn drawn<'e>(
        &self,
        conditions: impl Iterator<Item = &'e Expr>,
        lowered: Vec<ExprId>,
        span: Span,
    ) -> Lowered<Cases> {
        for (condition, &value) in conditions.zip(&lowered) {
            if !self.is_law(value) && !self.is_truth_value(condition) {
                let what = "a probability among laws as conditions of a `switch`";
                return Err(not_supported(what, condition.span)
                    .hint("write `bernoulli(p)`: the first case that holds is taken"));
            }
        }
        let last = lowered.last().and_then(|&last| self.arena.as_number(last));
        if last.is_some_and(Rational::is_one) {
            Ok(Cases::Drawn(lowered))
        } else {
            Err(not_supported("a `switch` by laws that may all fail", span)
                .hint("the first case that holds is taken; make the last condition 1"))
        }
    }

    /// The value of the first condition that holds; the last one always holds.
    pub(super) fn first_drawn(
        &mut self,
        conditions: &[ExprId],
        values: &[ExprId],
    ) -> Lowered<ExprId> {
        let mut drawn = conditions.iter().zip(values).rev();
        let last = drawn.next().map(|(_, value)| *value);
        let mut rest = last.unwrap_or_else(|| self.arena.number(0));
        for (&condition, &value) in drawn {
            rest = if self.is_law(condition) {
                self.random_choice(&self.random_cases(condition), value, rest)?
            } else {
                self.arena.if_else(condition, value, rest)
            };
        }
        Ok(rest)
    }

    /// The choice by a random condition; for demands, resource by resource.
    pub(super) fn random_choice(&mut self, cases: &Cases, a: ExprId, b: ExprId) -> Lowered<ExprId> {
        let of = |inner: &mut Self, a: ExprId, b: ExprId| match *cases {
            Cases::Bernoulli(p) => {
                let q = inner.arena.not(p);
                inner.arena.law(LawKind::Mixture, &[p, a, q, b])
            }
            Cases::Random(condition) => inner.arena.law(LawKind::Choice, &[condition, a, b]),
            _ => a,
        };
        if a == b && !self.arena.is_random(a) {
            return Ok(a);
        }
        if self.arena.sort(a) != Sort::Vector && self.arena.sort(b) != Sort::Vector {
            return Ok(of(self, a, b));
        }
        let (left, right) = (self.demands(a), self.demands(b));
        let (Some(left), Some(right)) = (left, right) else {
            return Err(not_supported_choice());
        };
        let zero = self.arena.number(0);
        let mut units: Vec<ExprId> = left.iter().chain(&right).map(|(unit, _)| *unit).collect();
        units.dedup();
        let mut parts = Vec::new();
        for (place, &unit) in units.iter().enumerate() {
            if units[..place].contains(&unit) {
                continue;
            }
            let amount = |list: &[(ExprId, ExprId)]| {
                list.iter()
                    .find(|(own, _)| *own == unit)
                    .map_or(zero, |(_, amount)| *amount)
            };
            let chosen = of(self, amount(&left), amount(&right));
            parts.push(self.arena.mul(&[chosen, unit]));
        }
        Ok(self.arena.add(&parts))
    }

    /// Splits a vector into distinct unit vectors with their amounts, if it is such a sum.
    pub(super) fn demands(&mut self, vector: ExprId) -> Option<Vec<(ExprId, ExprId)>> {
        let parts: Vec<ExprId> = match self.arena.node(vector) {
            Node::Add(list) => list.to_vec(),
            Node::Vector(list) if list.is_empty() => Vec::new(),
            _ => vec![vector],
        };
        let mut demands: Vec<(ExprId, ExprId)> = Vec::new();
        for part in parts {
            let factors = match self.arena.node(part) {
                Node::Mul(factors) => factors.to_vec(),
                _ => vec![part],
            };
            let (units, amounts): (Vec<ExprId>, Vec<ExprId>) = factors
                .into_iter()
                .partition(|&f| matches!(self.arena.node(f), Node::UnitVector(..)));
            let [unit] = units.as_slice() else {
                return None;
            };
            if demands.iter().any(|(known, _)| known == unit) {
                return None;
            }
            demands.push((*unit, self.arena.mul(&amounts)));
        }
        Some(demands)
    }
}

fn not_supported_choice() -> Diagnostic {
    not_supported(
        "a random condition over loops that use resources",
        Span::default(),
    )
    .hint("put the condition inside of the loop, around one `use`")
}
