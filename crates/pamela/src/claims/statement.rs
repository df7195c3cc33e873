//! The logical structure of a claim: comparisons joined by and, or.

use super::ground::Goal;
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{self, Measure};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, Name, ParameterFact, Relation, Type, Value as Definition,
};
use crate::words;

/// The measure of a process whose sort is that of its times.
const ESTIMATE: &str = "T";
/// Limit of the depth of names that are followed to a time.
const DEEPEST: usize = 20;

/// A claim. The names are those of equations that are added to the model.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// The difference, or else its lower bound, has this sign.
    Sign {
        difference: String,
        /// A difference that is never greater, made of bounds of times.
        bounded: Option<String>,
        goal: Goal,
    },
    /// A truth value.
    Truth(String),
    All(Vec<Statement>),
    Any(Vec<Statement>),
}

/// Splits claims into statements, and collects the equations for their values.
pub(super) struct Splitter<'m> {
    pub(super) model: &'m model::Model,
    /// Name and value of each equation.
    pub(super) equations: Vec<(String, Expr)>,
    /// Errors of claims that compare random times.
    pub(super) errors: Vec<Diagnostic>,
}

impl Splitter<'_> {
    /// The statement of a claim, or of its opposite.
    pub(super) fn statement(&mut self, claim: &Expr, holds: bool) -> Statement {
        let mut parts = |parts: &[Expr]| -> Vec<Statement> {
            let parts = parts.iter();
            parts.map(|part| self.statement(part, holds)).collect()
        };
        match &claim.kind {
            ExprKind::And(list) if holds => Statement::All(parts(list)),
            ExprKind::Or(list) if !holds => Statement::All(parts(list)),
            ExprKind::And(list) | ExprKind::Or(list) => Statement::Any(parts(list)),
            ExprKind::Not(inner) => self.statement(inner, !holds),
            ExprKind::If(condition, then, otherwise) => {
                let chosen = [
                    self.statement(condition, false),
                    self.statement(then, holds),
                ];
                let other = [
                    self.statement(condition, true),
                    self.statement(otherwise, holds),
                ];
                Statement::All(vec![
                    Statement::Any(chosen.into()),
                    Statement::Any(other.into()),
                ])
            }
            ExprKind::Compare(relation, left, right) => {
                self.comparison(*relation, [left, right], claim.span, holds)
            }
            _ => {
                let truth = if holds {
                    claim.clone()
                } else {
                    of(ExprKind::Not(Box::new(claim.clone())), claim.span)
                };
                Statement::Truth(self.equation(truth))
            }
        }
    }

    fn comparison(
        &mut self,
        relation: Relation,
        [left, right]: [&Expr; 2],
        span: Span,
        holds: bool,
    ) -> Statement {
        let relation = if holds { relation } else { relation.negated() };
        let (low, high, goal) = match relation {
            Relation::LessEqual => (left, right, Goal::NonNegative),
            Relation::Less => (left, right, Goal::Positive),
            Relation::GreaterEqual => (right, left, Goal::NonNegative),
            Relation::Greater => (right, left, Goal::Positive),
            Relation::Equal => (left, right, Goal::Zero),
            Relation::NotEqual => (left, right, Goal::NonZero),
        };
        let bounds = Bounds { model: self.model };
        for side in [low, high] {
            self.errors.extend(bounds.random(side, 0));
        }
        let bounded = (goal == Goal::NonNegative || goal == Goal::Positive)
            .then(|| {
                if !bounds.reads_time(low, 0) && !bounds.reads_time(high, 0) {
                    return None;
                }
                let high = bounds.bound(high, Measure::Least, 0)?;
                Some(difference(high, bounds.bound(low, Measure::Most, 0)?, span))
            })
            .flatten()
            .map(|bounded| self.equation(bounded));
        let difference = difference(high.clone(), low.clone(), span);
        Statement::Sign {
            difference: self.equation(difference),
            bounded,
            goal,
        }
    }

    /// Adds an equation, whose name nothing else has.
    pub(super) fn equation(&mut self, value: Expr) -> String {
        let number = self.equations.len() + 1;
        let name = crate::pipeline::unused_name(self.model, format!("claim_{number}"));
        self.equations.push((name.clone(), value));
        name
    }
}

pub(super) fn of(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

fn difference(high: Expr, low: Expr, span: Span) -> Expr {
    of(
        ExprKind::Sum(Box::new(high), vec![(AddOp::Subtract, low)]),
        span,
    )
}

/// Replaces exact times by bounds, for processes whose exact time has no formula.
struct Bounds<'m> {
    model: &'m model::Model,
}

impl Bounds<'_> {
    fn is_time(&self, expr: &Expr) -> bool {
        let ExprKind::Call(name, arguments) = &expr.kind else {
            return false;
        };
        let measure = self.model.measure(name, arguments);
        measure.is_some_and(|(measure, _)| measure == Measure::Execution)
    }

    /// The error for an exact time that is random, unless a moment makes a number of it.
    fn random(&self, expr: &Expr, depth: usize) -> Option<Diagnostic> {
        if let ExprKind::Call(name, _) = &expr.kind
            && words::find(&name.text).is_some_and(|word| word.sort == words::Sort::Moment)
            && self.model.callee(&name.text).is_none()
        {
            return None;
        }
        if self.is_time(expr) {
            return self.is_law(expr).then(|| {
                Diagnostic::error(
                    format!("`{expr}` is random, and an assertion compares numbers"),
                    expr.span,
                    "this is a law",
                )
                .hint(format!("compare its mean, `E({expr})`"))
            });
        }
        if let Some(value) = self.named(expr).filter(|_| depth < DEEPEST) {
            return self.random(value, depth + 1);
        }
        let mut found = None;
        model::parts_of_expr(expr, &mut |part, _| {
            if let model::Part::Expr(part) = part
                && found.is_none()
            {
                found = model::with_stack(|| self.random(part, depth));
            }
        });
        found
    }

    /// True if the times of a process are random, given its exact time.
    fn is_law(&self, time: &Expr) -> bool {
        let ExprKind::Call(name, arguments) = &time.kind else {
            return false;
        };
        let estimate = Name {
            text: ESTIMATE.to_owned(),
            span: name.span,
        };
        let estimate = of(ExprKind::Call(estimate, arguments.clone()), time.span);
        let mut sorts = model::Sorts::new(self.model);
        sorts.of(&estimate, Vec::new()) == model::Sort::Law
    }

    /// True if a value depends on an exact time.
    fn reads_time(&self, expr: &Expr, depth: usize) -> bool {
        if self.is_time(expr) {
            return true;
        }
        if let Some(value) = self.named(expr).filter(|_| depth < DEEPEST) {
            return self.reads_time(value, depth + 1);
        }
        let mut reads = false;
        model::parts_of_expr(expr, &mut |part, _| {
            if let model::Part::Expr(part) = part {
                reads |= model::with_stack(|| self.reads_time(part, depth));
            }
        });
        reads
    }

    /// The value of a name that is an equation without arguments.
    fn named(&self, expr: &Expr) -> Option<&Expr> {
        let ExprKind::Name(name) = &expr.kind else {
            return None;
        };
        let own = self.model.lookup(name)?;
        match &own.value {
            Some(Definition::Numeric(value))
                if own.kind == Type::Numeric && !own.parameter && own.formals.is_empty() =>
            {
                Some(value)
            }
            _ => None,
        }
    }

    /// A value that is nowhere greater (for [`Measure::Least`]) or nowhere less.
    fn bound(&self, expr: &Expr, side: Measure, depth: usize) -> Option<Expr> {
        if depth > DEEPEST {
            return None;
        }
        if !self.reads_time(expr, depth) {
            return Some(expr.clone());
        }
        if let Some(value) = self.named(expr) {
            return self.bound(value, side, depth + 1);
        }
        let other = match side {
            Measure::Least => Measure::Most,
            _ => Measure::Least,
        };
        let boxed = |e: &Expr| self.bound(e, side, depth).map(Box::new);
        let kind = match &expr.kind {
            ExprKind::Call(name, arguments) if self.is_time(expr) => {
                let name = Name {
                    text: measure_name(side).to_owned(),
                    span: name.span,
                };
                if self.model.callee(&name.text).is_some() {
                    return None;
                }
                ExprKind::Call(name, arguments.clone())
            }
            ExprKind::Call(name, arguments) if matches!(name.text.as_str(), "max" | "min") => {
                let arguments = arguments.iter().map(|e| self.bound(e, side, depth));
                ExprKind::Call(name.clone(), arguments.collect::<Option<_>>()?)
            }
            ExprKind::Negate(inner) => ExprKind::Negate(Box::new(self.bound(inner, other, depth)?)),
            ExprKind::Sum(first, rest) => {
                let rest = rest.iter().map(|(sign, term)| {
                    let side = match sign {
                        AddOp::Add => side,
                        AddOp::Subtract => other,
                    };
                    Some((*sign, self.bound(term, side, depth)?))
                });
                ExprKind::Sum(boxed(first)?, rest.collect::<Option<_>>()?)
            }
            ExprKind::Product(first, rest) => {
                let first = self.factor(first, side, depth)?;
                let rest = rest.iter().map(|(sign, factor)| match sign {
                    MulOp::Multiply => Some((*sign, self.factor(factor, side, depth)?)),
                    _ if self.is_nonnegative(factor) => Some((*sign, factor.clone())),
                    _ => None,
                });
                let rest: Vec<(MulOp, Expr)> = rest.collect::<Option<_>>()?;
                ExprKind::Product(Box::new(first), rest)
            }
            _ => return None,
        };
        Some(of(kind, expr.span))
    }

    /// A factor: a time, or a number that is never negative.
    fn factor(&self, expr: &Expr, side: Measure, depth: usize) -> Option<Expr> {
        if self.is_time(expr) {
            self.bound(expr, side, depth)
        } else {
            self.is_nonnegative(expr).then(|| expr.clone())
        }
    }

    /// True for a number, or a parameter that is declared so.
    fn is_nonnegative(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Number(value) => !value.is_negative(),
            ExprKind::Name(name) => self.model.lookup(name).is_some_and(|own| {
                own.parameter
                    && own.facts.iter().any(|fact| {
                        matches!(fact,
                    ParameterFact::Bound(Relation::Greater | Relation::GreaterEqual, bound)
                        if matches!(&bound.kind, ExprKind::Number(least) if !least.is_negative()))
                    })
            }),
            _ => false,
        }
    }
}

fn measure_name(side: Measure) -> &'static str {
    match side {
        Measure::Least => "L",
        _ => "U",
    }
}
