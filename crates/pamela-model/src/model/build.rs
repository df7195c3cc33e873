//! Makes expressions of equations that a model does not write: solutions of recurrences, waits of open processes.

use crate::diagnostic::Span;
use crate::ring::Rational;
use crate::syntax::rewrite::{self, any_part};
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, Name, Range, ReduceKind, Reduction, Relation,
};

/// Makes expressions at one location; the default one stands for a location that is given later.
#[derive(Clone, Copy, Default)]
pub struct Builder {
    pub span: Span,
}

impl Builder {
    fn node(self, kind: ExprKind) -> Expr {
        Expr {
            kind,
            span: self.span,
        }
    }

    pub fn number(self, value: &Rational) -> Expr {
        self.node(ExprKind::Number(value.clone()))
    }

    pub fn whole(self, value: i64) -> Expr {
        self.number(&Rational::from(value))
    }

    pub fn name(self, text: &str) -> Expr {
        self.node(ExprKind::Name(text.to_string()))
    }

    pub fn call(self, name: &str, arguments: Vec<Expr>) -> Expr {
        let name = Name {
            text: name.to_string(),
            span: self.span,
        };
        self.node(ExprKind::Call(name, arguments))
    }

    pub fn add(self, a: Expr, b: Expr) -> Expr {
        match (literal(&a), literal(&b)) {
            (Some(zero), _) if zero.is_zero() => b,
            (_, Some(zero)) if zero.is_zero() => a,
            _ => self.node(ExprKind::Sum(Box::new(a), vec![(AddOp::Add, b)])),
        }
    }

    pub fn subtract(self, a: Expr, b: Expr) -> Expr {
        match literal(&b) {
            Some(zero) if zero.is_zero() => a,
            _ => self.node(ExprKind::Sum(Box::new(a), vec![(AddOp::Subtract, b)])),
        }
    }

    pub fn product(self, a: Expr, op: MulOp, b: Expr) -> Expr {
        let is_one = |e: &Expr| literal(e).is_some_and(Rational::is_one);
        match op {
            MulOp::Multiply if is_one(&a) => b,
            MulOp::Multiply | MulOp::Divide if is_one(&b) => a,
            _ => self.node(ExprKind::Product(Box::new(a), vec![(op, b)])),
        }
    }

    pub fn times(self, a: Expr, b: Expr) -> Expr {
        self.product(a, MulOp::Multiply, b)
    }

    pub fn over(self, a: Expr, b: Expr) -> Expr {
        self.product(a, MulOp::Divide, b)
    }

    pub fn power(self, base: Expr, exponent: Expr) -> Expr {
        match literal(&base) {
            Some(one) if one.is_one() => base,
            _ => self.node(ExprKind::Power(Box::new(base), Box::new(exponent))),
        }
    }

    pub fn compare(self, a: Expr, relation: Relation, b: Expr) -> Expr {
        self.node(ExprKind::Compare(relation, Box::new(a), Box::new(b)))
    }

    pub fn choice(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        let parts = [condition, then, otherwise].map(Box::new);
        let [condition, then, otherwise] = parts;
        self.node(ExprKind::If(condition, then, otherwise))
    }

    /// `sum (index = lower, upper) { body }`, or a product.
    pub fn reduce(self, kind: ReduceKind, index: &str, bounds: (Expr, Expr), body: Expr) -> Expr {
        let (neutral, is_sum) = match kind {
            ReduceKind::Product => (Rational::ONE, false),
            _ => (Rational::ZERO, true),
        };
        if literal(&body) == Some(&neutral) {
            return self.whole(i64::from(!is_sum));
        }
        let index = Name {
            text: index.to_string(),
            span: self.span,
        };
        let range = Range {
            quorum: None,
            index,
            lower: bounds.0,
            upper: bounds.1,
            step: None,
        };
        self.node(ExprKind::Reduce(Box::new(Reduction { kind, range, body })))
    }

    /// The number of ways to order `a` steps of one kind and `b` of another.
    pub fn orders(self, a: Expr, b: Expr) -> Expr {
        let both = self.call("fact", vec![self.add(a.clone(), b.clone())]);
        let single = |e| self.call("fact", vec![e]);
        self.over(both, self.times(single(a), single(b)))
    }
}

/// The left-hand side of a recurrence.
#[derive(Clone)]
pub struct Head<'e> {
    pub name: &'e str,
    pub formals: Vec<&'e str>,
    /// The argument that changes.
    pub n: &'e str,
}

/// The number that an expression is, if it is a literal.
pub fn literal(expr: &Expr) -> Option<&Rational> {
    match &expr.kind {
        ExprKind::Number(number) => Some(number),
        _ => None,
    }
}

/// An expression with a value for a name.
pub fn with(expr: &Expr, name: &str, value: &Expr) -> Expr {
    rewrite::substitute(expr, &|found| (found == name).then(|| value.clone()))
}

/// True if an expression mentions a name.
pub fn mentions(expr: &Expr, name: &str) -> bool {
    any_part(
        expr,
        &|part| matches!(&part.kind, ExprKind::Name(own) if own == name),
    )
}

/// A name like `wanted` that stands in none of the expressions.
pub fn unused(wanted: &str, expr: &Expr, taken: &[&str]) -> String {
    let stands = |name: &str| {
        taken.contains(&name)
            || any_part(expr, &|part| match &part.kind {
                ExprKind::Name(own) => own == name,
                ExprKind::Call(own, _) => own.text == name,
                ExprKind::Reduce(reduction) => reduction.range.index.text == name,
                _ => false,
            })
    };
    let mut name = wanted.to_string();
    while stands(&name) {
        name.push('_');
    }
    name
}

/// True if an expression calls an equation.
pub fn mentions_call(expr: &Expr, name: &str) -> bool {
    any_part(
        expr,
        &|part| matches!(&part.kind, ExprKind::Call(own, _) if own.text == name),
    )
}
