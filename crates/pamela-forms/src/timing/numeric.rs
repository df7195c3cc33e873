//! Lowers numeric expressions: substitutes names, and distinguishes truth values from
//! probabilities.

use super::argument::{Argument, Binder, not_a};
use super::process::covered::{is_whole, makes_fractions};
use super::scope::Lowering;
use super::vectors::Operand;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{ExprId, Function, Operation, ReduceKind, Relation, Sort};
use crate::model::{FCFS, not_supported, predefined, with_stack};
use crate::ring::Rational;
use crate::syntax::tree::{self, Expr, ExprKind, MulOp, Name, Range, order_of_harmonic};

type Lowered<T> = Result<T, Diagnostic>;

/// The conditions of a `switch`, or of an `if` as a `switch` with two cases.
pub(super) enum Cases {
    /// Truth values; the first one that is 1 selects.
    Truths(Vec<ExprId>),
    /// Probabilities, which add up to 1.
    Weights(Vec<ExprId>),
    /// A trial with this probability of success; success selects the first of two cases.
    Bernoulli(ExprId),
    /// A law whose moments weigh the two cases.
    Random(ExprId),
    /// Laws and truth values, drawn in turn until one holds; the last one is 1.
    Drawn(Vec<ExprId>),
}

impl Lowering<'_, '_> {
    pub(super) fn numeric(&mut self, expr: &Expr) -> Lowered<ExprId> {
        with_stack(|| self.numeric_here(expr))
    }

    /// An operand of an operator that looks at the components of vectors.
    fn operand(&mut self, expr: &Expr) -> Lowered<Operand> {
        let value = self.numeric(expr)?;
        let vector = self.arena.sort(value) == Sort::Vector;
        let extent = vector.then(|| self.extent(expr)).flatten();
        Ok(Operand { value, extent })
    }

    fn numeric_here(&mut self, expr: &Expr) -> Lowered<ExprId> {
        match &expr.kind {
            ExprKind::Number(value) => Ok(self.arena.number(value.clone())),
            ExprKind::Quantity(quantity) => Ok(self.quantity(quantity)),
            ExprKind::Text(_) => Err(not_a("number", expr.span)),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr.span),
            ExprKind::Negate(e) => {
                let operand = self.numeric(e)?;
                Ok(self.negated(operand))
            }
            ExprKind::Not(e) => {
                let operand = self.numeric(e)?;
                self.no_law(operand, "the negation of", e.span)?;
                Ok(self.arena.not(operand))
            }
            ExprKind::Sum(first, rest) => {
                let mut terms = vec![self.operand(first)?];
                for (op, term) in rest {
                    let mut term = self.operand(term)?;
                    if *op == tree::AddOp::Subtract {
                        term.value = self.negated(term.value);
                    }
                    terms.push(term);
                }
                self.sum(&terms, expr.span)
            }
            ExprKind::Product(first, rest) => self.product(first, rest),
            ExprKind::Power(base, exponent) => {
                let (base, exponent) = (self.numeric(base)?, self.numeric(exponent)?);
                self.no_law(base, "a power of", expr.span)?;
                self.no_law(exponent, "a power whose exponent is", expr.span)?;
                let asked = self.arena.domain_of_power(base, exponent);
                self.ask(&asked);
                Ok(self.arena.pow(base, exponent))
            }
            ExprKind::Compare(relation, l, r) => {
                let (l, r) = (self.numeric(l)?, self.numeric(r)?);
                self.no_law(l, "a comparison of", expr.span)?;
                self.no_law(r, "a comparison of", expr.span)?;
                Ok(self.compare(*relation, l, r))
            }
            ExprKind::And(parts) => self.conjunction(parts),
            ExprKind::Or(parts) => self.disjunction(parts),
            ExprKind::If(condition, a, b) => {
                let cases = self.condition(condition)?;
                let values = self.branches(&cases, &[&**a, &**b], |inner, e| inner.numeric(e))?;
                self.choice(&cases, &values)
            }
            ExprKind::Switch(cases) => {
                let conditions = self.conditions(cases.iter().map(|(c, _)| c), expr.span)?;
                let parts: Vec<&Expr> = cases.iter().map(|(_, e)| e).collect();
                let values = self.branches(&conditions, &parts, |inner, e| inner.numeric(e))?;
                self.choice(&conditions, &values)
            }
            ExprKind::Reduce(reduction) => self.reduction(reduction, expr.span),
            ExprKind::Graph(graph) => self.graph_of_numbers(graph, expr.span),
            ExprKind::Vector(elements) => {
                let elements: Vec<ExprId> = elements
                    .iter()
                    .map(|e| self.numeric(e))
                    .collect::<Lowered<_>>()?;
                Ok(self.arena.vector(&elements))
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Lowered<ExprId> {
        match self.local(name) {
            Some(Argument::Number { value, asks, .. }) => {
                let (value, asks) = (*value, asks.clone());
                self.ask(&asks);
                Ok(value)
            }
            Some(_) => Err(not_a("number", span)),
            None => match self.model.position(name) {
                Some(position) => self.numeric_equation(position, &[].into(), span),
                None => Err(not_a("number", span)),
            },
        }
    }

    fn product(&mut self, first: &Expr, rest: &[(MulOp, Expr)]) -> Lowered<ExprId> {
        let mut factors = vec![self.operand(first)?];
        for (op, expr) in rest {
            let operand = self.operand(expr)?;
            let factor = operand.value;
            let span = first.span.to(expr.span);
            match op {
                MulOp::Multiply => factors.push(operand),
                MulOp::Divide => {
                    self.no_law(factor, "a quotient whose divisor is", expr.span)?;
                    self.not_zero(factor, expr.span)?;
                    self.ask_nonzero(factor);
                    factors.push(Operand::scalar(self.arena.reciprocal(factor)));
                }
                MulOp::Modulo => {
                    self.not_zero(factor, expr.span)?;
                    let left = self.multiply(&factors, span)?;
                    self.no_law(left, "`mod` of", span)?;
                    self.no_law(factor, "`mod` by", expr.span)?;
                    let positive = self.arena.positive(factor);
                    self.ask(&[positive]);
                    factors = vec![Operand::scalar(self.arena.modulo(left, factor))];
                }
                MulOp::FloorDivide => {
                    self.not_zero(factor, expr.span)?;
                    let left = self.multiply(&factors, span)?;
                    self.no_law(left, "`div` of", span)?;
                    self.no_law(factor, "`div` by", expr.span)?;
                    self.ask_nonzero(factor);
                    factors = vec![Operand::scalar(self.arena.floor_divide(left, factor))];
                }
            }
        }
        let last = rest.last().map_or(first.span, |(_, e)| e.span);
        self.multiply(&factors, first.span.to(last))
    }

    fn ask_nonzero(&mut self, divisor: ExprId) {
        let nonzero = self.arena.nonzero(divisor);
        self.ask(&[nonzero]);
    }

    /// Substitution may show that a divisor is always 0.
    fn not_zero(&self, divisor: ExprId, span: Span) -> Lowered<()> {
        match self.arena.as_number(divisor) {
            Some(value) if value.is_zero() => {
                Err(
                    Diagnostic::error("division by zero", span, "this is always 0")
                        .hint("a quotient is only defined for a divisor other than 0"),
                )
            }
            _ => Ok(()),
        }
    }

    pub(super) fn compare(&mut self, relation: tree::Relation, l: ExprId, r: ExprId) -> ExprId {
        match relation {
            tree::Relation::Less => self.arena.relate(Relation::Less, l, r),
            tree::Relation::LessEqual => self.arena.relate(Relation::LessEqual, l, r),
            tree::Relation::Greater => self.arena.relate(Relation::Less, r, l),
            tree::Relation::GreaterEqual => self.arena.relate(Relation::LessEqual, r, l),
            tree::Relation::Equal => self.arena.relate(Relation::Equal, l, r),
            tree::Relation::NotEqual => {
                let equal = self.arena.relate(Relation::Equal, l, r);
                self.arena.not(equal)
            }
        }
    }

    /// `-X` becomes one copy times -1.
    pub(super) fn negated(&mut self, operand: ExprId) -> ExprId {
        if self.is_law(operand) {
            let minus_one = self.arena.number(-1);
            return self.arena.scale(minus_one, operand);
        }
        self.arena.negate(operand)
    }

    /// The last value of an index: the end of its range, rounded down if its form makes fractions.
    ///
    /// A parameter alone stays unchanged; the closed form then holds where it is a whole number.
    fn last_iteration(&mut self, first: ExprId, last: ExprId) -> ExprId {
        let steps = self.arena.subtract(last, first);
        if !makes_fractions(self.arena, steps) {
            return last;
        }
        let whole = self
            .arena
            .as_number(first)
            .is_some_and(Rational::is_integer);
        if whole {
            return self.arena.apply(Function::Floor, last);
        }
        let steps = self.arena.apply(Function::Floor, steps);
        self.add(&[first, steps])
    }

    /// Converts a range to step 1: `a, a + c, ...` up to `b` becomes `a + c*k` for `k` from 0 to
    /// `floor((b - a) / c)`.
    pub(super) fn binder(&mut self, range: &Range) -> Lowered<Binder> {
        let index = self.arena.fresh_index();
        let value = self.arena.symbol(index);
        let (first, last) = (self.numeric(&range.lower)?, self.numeric(&range.upper)?);
        let Some(step) = &range.step else {
            let upper = if self.is_law(first) || self.is_law(last) {
                last
            } else {
                self.last_iteration(first, last)
            };
            return Ok(Binder {
                index,
                lower: first,
                upper,
                value,
            });
        };
        for bound in [first, last] {
            let span = range.lower.span.to(step.span);
            self.no_law(bound, "a range with a step and", span)?;
        }
        let stride = self.numeric(step)?;
        if self.arena.as_number(stride).is_some_and(Rational::is_zero) {
            let message = "the step of a range is 0";
            return Err(Diagnostic::error(
                message,
                step.span,
                "expected a number other than 0",
            ));
        }
        self.not_zero(stride, step.span)?;
        self.ask_nonzero(stride);
        let distance = self.arena.subtract(last, first);
        let share = self.arena.reciprocal(stride);
        let steps = self.mul(&[distance, share]);
        let passed = self.mul(&[stride, value]);
        // The places of the elements that loops visit both ways are then the same expressions.
        let upper = if is_whole(self.arena, &self.whole, steps) {
            steps
        } else {
            self.arena.apply(Function::Floor, steps)
        };
        Ok(Binder {
            index,
            lower: self.arena.number(0),
            upper,
            value: self.add(&[first, passed]),
        })
    }

    /// The k-th smallest, or the smallest if the range has no quorum.
    pub(super) fn quorum(&mut self, range: &Range) -> Lowered<ReduceKind> {
        match &range.quorum {
            Some(quorum) => Ok(ReduceKind::Kth(self.numeric(quorum)?)),
            None => Ok(ReduceKind::Min),
        }
    }

    /// Requires that the number of a quorum lies in its range; a violation for all parameters is an
    /// error.
    pub(super) fn ask_of_quorum(
        &mut self,
        kind: ReduceKind,
        range: &Range,
        binder: Binder,
    ) -> Lowered<()> {
        let (Some(quorum), Some(written)) = (kind.quorum(), &range.quorum) else {
            return Ok(());
        };
        let asked = self
            .arena
            .domain_of_quorum(quorum, binder.lower, binder.upper);
        let never = |&condition: &ExprId| {
            self.arena
                .as_number(condition)
                .is_some_and(Rational::is_zero)
        };
        if self.guards == 0 && asked.iter().any(never) {
            let count = self.arena.subtract(binder.upper, binder.lower);
            let [k, last] = [quorum, count].map(|x| self.arena.as_number(x).cloned());
            let message = match k.zip(last) {
                Some((k, last)) => {
                    let count = last.floor() + Rational::ONE;
                    format!("the quorum is {k}, not one of 1, ..., {count}")
                }
                None => "the quorum is not between 1 and the number of iterations".to_owned(),
            };
            let label = "must be an integer between 1 and the number of iterations";
            return Err(Diagnostic::error(message, written.span, label));
        }
        self.ask(&asked);
        Ok(())
    }

    fn reduction(&mut self, reduction: &tree::Reduction, span: Span) -> Lowered<ExprId> {
        let kind = match reduction.kind {
            tree::ReduceKind::Sum => ReduceKind::Sum,
            tree::ReduceKind::Product => ReduceKind::Product,
            tree::ReduceKind::Max => ReduceKind::Max,
            tree::ReduceKind::Min => ReduceKind::Min,
            tree::ReduceKind::Kth => self.quorum(&reduction.range)?,
        };
        let binder = self.binder(&reduction.range)?;
        self.ask_of_quorum(kind, &reduction.range, binder)?;
        let Binder {
            index,
            lower,
            upper,
            ..
        } = binder;
        let body = self.under_binder(&reduction.range.index.text, binder, |inner| {
            inner.numeric(&reduction.body)
        })?;
        if kind != ReduceKind::Sum && self.arena.sort(body) == Sort::Vector {
            return Err(not_supported(
                "a reduction of vectors other than `sum`",
                span,
            ));
        }
        if self.arena.is_random(body) || self.is_law(lower) || self.is_law(upper) {
            return self.law_reduce(kind, binder, body, span);
        }
        Ok(self.arena.reduce(kind, index, lower, upper, body))
    }

    fn call(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Lowered<ExprId> {
        if let Some(position) = self.model.callee(&name.text) {
            let arguments = self.arguments(arguments)?;
            if self.mentions(position)
                && !arguments.is_empty()
                && let Some(call) = self.call_mentioned(position, &arguments, name.span)?
            {
                return Ok(call);
            }
            return self.numeric_equation(position, &arguments, name.span);
        }
        if let Some((measure, process)) = self.model.measure(name, arguments) {
            return self.measure(measure, process);
        }
        if let Some(replacements) = self.model.replacements(name, arguments) {
            return self.at(&replacements);
        }
        if name.text == "unitvec" {
            return self.unit_vector(arguments, span);
        }
        if let ("H", [n, order]) = (name.text.as_str(), arguments) {
            let order = order_of_harmonic(order).ok_or_else(|| not_a("number", order.span))?;
            let n = self.operand(n)?;
            return self.apply(Function::Harmonic(order), n, span);
        }
        match (name.text.as_str(), arguments) {
            (predefined::QUANTILE, [law, q]) => return self.quantile(law, q),
            (predefined::PROBABILITY, [comparison]) => return self.probability_of(comparison),
            _ => {}
        }
        if let Some(moment) = self.moment(&name.text, arguments) {
            return moment;
        }
        if matches!(
            (name.text.as_str(), arguments.len()),
            ("ln" | "log2" | "cbrt", 1)
        ) || matches!(
            (name.text.as_str(), arguments.len()),
            ("log" | "root" | "binom" | "erlangB" | "erlangC", 2)
        ) || Operation::named(&name.text).is_some()
        {
            let value = self.derived_function(&name.text, arguments, span)?;
            let asked = self.arena.domain(value);
            self.ask(&asked);
            return Ok(value);
        }
        let function = match name.text.as_str() {
            "max" | "min" => None,
            other => match Function::named(other) {
                Some(function) => Some(function),
                None => return self.named_law(other, arguments, name.span),
            },
        };
        let operands: Vec<Operand> = arguments
            .iter()
            .map(|a| self.operand(a))
            .collect::<Lowered<_>>()?;
        match (function, operands.as_slice()) {
            (Some(function), [operand]) => {
                self.no_law(operand.value, &format!("`{}` of", name.text), span)?;
                self.apply(function, *operand, span)
            }
            (None, operands) => self.extremum(name.text == "max", operands, span),
            _ => Err(not_a("number", span)),
        }
    }

    /// Functions that are others in disguise: logarithms to a base, roots, binomial coefficients; and operations.
    fn derived_function(&mut self, name: &str, arguments: &[Expr], span: Span) -> Lowered<ExprId> {
        let mut operands = Vec::new();
        for argument in arguments {
            let operand = self.numeric(argument)?;
            self.no_law(operand, &format!("`{name}` of"), span)?;
            operands.push(operand);
        }
        if let ("erlangB" | "erlangC", &[servers, load]) = (name, operands.as_slice()) {
            let asked = self
                .arena
                .domain_of_erlang(servers, load, name == "erlangC");
            self.ask(&asked);
        }
        let arena = &mut self.arena;
        match (name, operands.as_slice()) {
            ("ln", &[x]) => Ok(arena.apply(Function::Log, x)),
            ("log2", &[x]) => {
                let two = arena.number(2);
                Ok(arena.log_to(x, two))
            }
            ("log", &[x, base]) => Ok(arena.log_to(x, base)),
            ("cbrt", &[x]) => {
                let three = arena.number(3);
                Ok(arena.root(x, three))
            }
            ("root", &[x, order]) => Ok(arena.root(x, order)),
            ("binom", &[n, k]) => Ok(arena.choose(n, k)),
            ("erlangB", &[servers, load]) => Ok(arena.erlang_loss(servers, load)),
            ("erlangC", &[servers, load]) => Ok(arena.erlang_wait(servers, load)),
            (name, operands) if let Some(operation) = Operation::named(name) => {
                Ok(arena.operate(operation, operands))
            }
            _ => Err(not_a("number", span)),
        }
    }

    fn unit_vector(&mut self, arguments: &[Expr], span: Span) -> Lowered<ExprId> {
        let (array, index) = match arguments {
            [
                Expr {
                    kind: ExprKind::Name(array),
                    ..
                },
                index,
            ] => (array.as_str(), index),
            [index] => (FCFS, index),
            _ => return Err(not_a("number", span)),
        };
        let array = self.arena.named(array);
        let index = self.numeric(index)?;
        Ok(self.arena.unit_vector(array, index))
    }
}
