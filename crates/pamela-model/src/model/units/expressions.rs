//! Dimensions of expressions.

use std::collections::HashMap;

use pamela_law::{LawName, Unit};

use super::dimension::Term;
use super::infer::{Inference, of_unit};
use crate::diagnostic::Span;
use crate::model::predefined;
use crate::model::walk::with_stack;
use crate::ring::Rational;
use crate::syntax::tree::{Expr, ExprKind, Graph, MulOp, NAMED, Name, Range, ReduceKind, Type};

/// Relations between two parts that must have one unit.
const ADDED: &str = "added";
const COMPARED: &str = "compared";
const ALTERNATIVES: &str = "alternatives";

impl<'m> Inference<'m> {
    pub(super) fn expr(&mut self, expr: &'m Expr) -> Term {
        with_stack(|| self.expr_here(expr))
    }

    fn expr_here(&mut self, expr: &'m Expr) -> Term {
        match &expr.kind {
            // It is the same in every unit.
            ExprKind::Number(value) if value.is_zero() => self.system.fresh(),
            ExprKind::Number(_) | ExprKind::Text(_) => Term::default(),
            ExprKind::Quantity(quantity) => of_unit(&quantity.unit),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr.span),
            ExprKind::Negate(e) => self.expr(e),
            ExprKind::Not(e) => self.number(e, "a condition"),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                for part in parts {
                    self.number(part, "a condition");
                }
                Term::default()
            }
            ExprKind::Sum(first, rest) => {
                let others = rest.iter().map(|(_, e)| e);
                self.same(std::iter::once(&**first).chain(others), ADDED)
            }
            ExprKind::Product(first, rest) => self.product(first, rest),
            ExprKind::Power(base, exponent) => self.power(base, exponent),
            ExprKind::Compare(_, l, r) => {
                self.same([&**l, &**r].into_iter(), COMPARED);
                Term::default()
            }
            ExprKind::If(condition, a, b) => {
                self.number(condition, "a condition");
                self.same([&**a, &**b].into_iter(), ALTERNATIVES)
            }
            ExprKind::Switch(cases) => {
                for (condition, _) in cases {
                    self.number(condition, "a condition");
                }
                self.same(cases.iter().map(|(_, e)| e), ALTERNATIVES)
            }
            ExprKind::Reduce(reduction) => {
                self.range(&reduction.range);
                self.scope
                    .push((&reduction.range.index.text, Term::default()));
                let body = match reduction.kind {
                    ReduceKind::Product => self.number(&reduction.body, "the body of a product"),
                    _ => self.expr(&reduction.body),
                };
                self.scope.pop();
                body
            }
            ExprKind::Graph(graph) => {
                let result = self.system.fresh();
                self.graph(graph, &mut |own, task| {
                    let found = own.expr(task);
                    if !own.system.unify(&result, &found, task.span) {
                        own.differ((task, &result), (task, &found), ADDED);
                    }
                });
                result
            }
            ExprKind::Vector(elements) => self.same(elements.iter(), ADDED),
        }
    }

    /// Requires a number without a unit.
    pub(super) fn number(&mut self, expr: &'m Expr, role: &str) -> Term {
        let found = self.expr(expr);
        if !self.system.unify(&found, &Term::default(), expr.span) {
            self.is_no_number(expr, &found, role);
        }
        Term::default()
    }

    /// Requires the same dimension of all parts.
    fn same(&mut self, mut parts: impl Iterator<Item = &'m Expr>, verb: &str) -> Term {
        let Some(first) = parts.next() else {
            return self.system.fresh();
        };
        let mut known = (first, self.expr(first));
        for part in parts {
            let found = self.expr(part);
            let was_known = self.system.resolve(&known.1).is_known();
            if !self.system.unify(&known.1, &found, part.span) {
                self.differ((known.0, &known.1), (part, &found), verb);
            }
            // An error names the part that says what the others are.
            if !was_known {
                known = (part, found);
            }
        }
        known.1
    }

    fn product(&mut self, first: &'m Expr, rest: &'m [(MulOp, Expr)]) -> Term {
        let mut product = self.expr(first);
        for (op, factor) in rest {
            let found = self.expr(factor);
            product = match op {
                MulOp::Multiply => product.times(&found, &Rational::ONE),
                MulOp::Divide => product.times(&found, &Rational::from(-1)),
                MulOp::Modulo | MulOp::FloorDivide => {
                    if !self.system.unify(&product, &found, factor.span) {
                        self.differ(
                            (first, &product),
                            (factor, &found),
                            "divided as whole numbers",
                        );
                    }
                    match op {
                        MulOp::Modulo => product,
                        _ => Term::default(),
                    }
                }
            };
        }
        product
    }

    fn power(&mut self, base: &'m Expr, exponent: &'m Expr) -> Term {
        let constant = match &exponent.kind {
            ExprKind::Negate(inner) => constant(inner).map(|value| -value),
            _ => constant(exponent),
        };
        match constant {
            Some(power) => self.expr(base).power(&power),
            None => {
                self.number(base, "the base of a power whose exponent is not a number");
                self.number(exponent, "an exponent")
            }
        }
    }

    pub(super) fn range(&mut self, range: &'m Range) {
        let parts = [&range.lower, &range.upper].into_iter();
        for part in parts.chain(&range.quorum).chain(&range.step) {
            self.number(part, "a bound of a range");
        }
    }

    /// The tasks of a graph, whose indices are dimensionless.
    pub(super) fn graph<T>(&mut self, graph: &'m Graph<T>, task: &mut dyn FnMut(&mut Self, &'m T)) {
        if let Some(default) = graph.recorded.as_ref().and_then(|r| r.default.as_ref()) {
            self.as_time(default, "the time of a task");
        }
        for family in &graph.families {
            let outer = self.scope.len();
            if let Some(recorded) = &graph.recorded {
                let time = self.time.clone();
                self.scope.push((&recorded.time.text, time));
            }
            self.index_ranges(&family.ranges);
            task(self, &family.task);
            for reference in &family.after {
                let within = self.scope.len();
                self.index_ranges(&reference.ranges);
                for argument in reference.arguments.iter().flatten() {
                    self.number(argument, "the index of a task");
                }
                if let Some(condition) = &reference.condition {
                    self.number(condition, "a condition");
                }
                self.scope.truncate(within);
            }
            self.scope.truncate(outer);
        }
    }

    fn index_ranges(&mut self, ranges: &'m [Range]) {
        for range in ranges {
            self.range(range);
            self.scope.push((&range.index.text, Term::default()));
        }
    }

    fn name(&mut self, name: &str) -> Term {
        if let Some((_, term)) = self.scope.iter().rev().find(|(local, _)| *local == name) {
            return term.clone();
        }
        let position = self.model.position(name);
        let scheme = position.and_then(|position| self.schemes[position].as_ref());
        match scheme {
            Some(scheme) => scheme.result.clone(),
            None => self.system.fresh(),
        }
    }

    fn call(&mut self, name: &'m Name, arguments: &'m [Expr], span: Span) -> Term {
        let local = self.scope.iter().any(|(local, _)| *local == name.text);
        if let Some(position) = self.model.callee(&name.text).filter(|_| !local) {
            return self.call_equation(position, arguments);
        }
        if self.model.measure(name, arguments).is_some() {
            if let [process] = arguments {
                self.argument(process, None);
            }
            return self.time.clone();
        }
        if let Some(replacements) = self.model.replacements(name, arguments) {
            for (position, value) in replacements.values {
                let found = self.expr(value);
                let own = self.schemes[position].as_ref().map(|s| s.result.clone());
                if let Some(own) = own
                    && !self.system.unify(&own, &found, value.span)
                {
                    self.differ((value, &own), (value, &found), "not interchangeable");
                }
            }
            return self.expr(replacements.of);
        }
        if predefined::law(&name.text).is_some() {
            return self.law(&name.text, arguments);
        }
        self.function(&name.text, arguments, span)
    }

    /// The dimension of a call; for a process, of its time.
    pub(super) fn call_equation(&mut self, position: usize, arguments: &'m [Expr]) -> Term {
        let Some(scheme) = self.schemes[position].clone() else {
            return self.system.fresh();
        };
        let mut copies = HashMap::new();
        for (argument, formal) in arguments.iter().zip(&scheme.formals) {
            let formal = self.system.copy(formal, scheme.first, &mut copies);
            self.argument(argument, Some((position, &formal)));
        }
        self.system.copy(&scheme.result, scheme.first, &mut copies)
    }

    /// An argument of the equation at a position; processes and resources have no dimension.
    fn argument(&mut self, argument: &'m Expr, formal: Option<(usize, &Term)>) {
        if let ExprKind::Name(name) | ExprKind::Call(Name { text: name, .. }, _) = &argument.kind
            && !self.scope.iter().any(|(local, _)| local == name)
        {
            let kind = self.model.lookup(name).map(|e| e.kind);
            let is_array = kind == Some(Type::Resource) || name == crate::model::FCFS;
            if is_array || kind == Some(Type::Process) {
                if let (ExprKind::Call(_, own), Some(position)) =
                    (&argument.kind, self.model.position(name))
                {
                    self.call_equation(position, own);
                }
                return;
            }
        }
        let found = self.expr(argument);
        let Some((position, formal)) = formal else {
            return;
        };
        if !self.system.unify(formal, &found, argument.span) {
            let equation = &self.model.equations[position];
            let [expected, own] = [formal, &found].map(|term| self.text(term));
            let name = &equation.name;
            let message = format!(
                "an argument of `{}` is {own}, expected {expected}",
                name.text
            );
            let label = self.label(argument, &found);
            let error = crate::diagnostic::Diagnostic::error(message, argument.span, label);
            self.diagnostics
                .push(error.also(name.span, format!("takes {expected}")));
        }
    }

    fn function(&mut self, name: &str, arguments: &'m [Expr], span: Span) -> Term {
        let role = || format!("an argument of `{name}`");
        let half = |n: i64| Rational::new(1, n).unwrap_or_default();
        match (name, arguments) {
            (NAMED, [_, value]) => self.expr(value),
            ("max" | "min", several) => self.same(several.iter(), COMPARED),
            ("abs" | "E", [x]) => self.expr(x),
            ("Var", [x]) => self.expr(x).power(&Rational::from(2)),
            ("K3", [x]) => self.expr(x).power(&Rational::from(3)),
            ("K4", [x]) => self.expr(x).power(&Rational::from(4)),
            (predefined::QUANTILE, [x, q]) => {
                self.number(q, "the probability of a quantile");
                self.expr(x)
            }
            (predefined::PROBABILITY, [comparison]) => {
                self.expr(comparison);
                Term::default()
            }
            ("Skw" | "Kur", [x]) => {
                self.expr(x);
                Term::default()
            }
            ("sqrt", [x]) => self.expr(x).power(&half(2)),
            ("cbrt", [x]) => self.expr(x).power(&half(3)),
            ("root", [x, order]) => match constant(order).and_then(|n| n.recip()) {
                Some(power) => self.expr(x).power(&power),
                None => {
                    self.number(x, &role());
                    self.number(order, &role())
                }
            },
            ("unitvec", [.., index]) => self.number(index, "the index of a unit vector"),
            (_, all) if predefined::function(name).is_some() => {
                for argument in all {
                    self.number(argument, &role());
                }
                Term::default()
            }
            // An undefined name is reported elsewhere.
            _ => {
                let fresh = self.system.fresh();
                let _ = span;
                fresh
            }
        }
    }

    fn law(&mut self, name: &str, arguments: &'m [Expr]) -> Term {
        let role = format!("an argument of `{name}`");
        match (name, arguments) {
            ("residual", [x]) => self.expr(x),
            ("truncated", several) => self.same(several.iter(), COMPARED),
            ("moments", [mean, variance, others @ ..]) => {
                let found = self.expr(mean);
                let squared = self
                    .expr(variance)
                    .power(&Rational::new(1, 2).unwrap_or_default());
                if !self.system.unify(&found, &squared, variance.span) {
                    self.differ(
                        (mean, &found),
                        (variance, &squared),
                        "a mean and a deviation",
                    );
                }
                for other in others {
                    self.number(other, &role);
                }
                found
            }
            ("mixture", parts) => {
                let weights = parts.iter().step_by(2);
                for weight in weights {
                    self.number(weight, "a weight");
                }
                self.same(parts.iter().skip(1).step_by(2), ALTERNATIVES)
            }
            // Samples of a file are times.
            (
                "empirical",
                [
                    Expr {
                        kind: ExprKind::Text(_),
                        ..
                    },
                    ..,
                ],
            ) => self.time.clone(),
            ("empirical", samples) => self.same(samples.iter(), COMPARED),
            (_, all) => {
                let formals = LawName::find(name).map_or([].as_slice(), |law| law.row().arguments);
                let mut with_unit = Vec::new();
                for (argument, formal) in all.iter().zip(formals) {
                    if formal.unit == Unit::None {
                        self.number(argument, &role);
                    } else {
                        with_unit.push(argument);
                    }
                }
                if with_unit.is_empty() {
                    Term::default()
                } else {
                    self.same(with_unit.into_iter(), COMPARED)
                }
            }
        }
    }
}

/// The value of a number, or of a quotient of two.
fn constant(expr: &Expr) -> Option<Rational> {
    match &expr.kind {
        ExprKind::Number(value) => Some(value.clone()),
        ExprKind::Product(first, rest) => match &rest[..] {
            [(MulOp::Divide, by)] => constant(first)?.checked_div(&constant(by)?),
            _ => None,
        },
        _ => None,
    }
}
