//! The terms and guards of a rule as patterns.

use std::collections::HashMap;

use super::super::pattern::{Independence, Pattern, ReducePattern, Variable};
use super::{Compiled, Guard, fail, reducer};
use crate::expr::{Function, Relation};
use crate::model::order_of_harmonic;
use crate::ring::Rational;
use crate::syntax::tree;

pub(super) struct Compiler {
    pub(super) variables: HashMap<String, Variable>,
    /// On a left side a new name is a new variable; elsewhere it is an error.
    pub(super) binding: bool,
}

impl Compiler {
    fn variable(&mut self, name: &str, span: crate::diagnostic::Span) -> Compiled<Variable> {
        if let Some(&known) = self.variables.get(name) {
            return Ok(known);
        }
        if !self.binding {
            let hint = "every variable of the right side and the guards must stand on the left";
            return fail(
                format!("`{name}` is not bound"),
                span,
                "not on the left side",
                hint,
            );
        }
        let variable = self.variables.len();
        self.variables.insert(name.to_string(), variable);
        Ok(variable)
    }

    pub(super) fn guards(
        &mut self,
        list: &[tree::Guard],
        independent: &mut Vec<Independence>,
    ) -> Compiled<Vec<Guard>> {
        let mut guards = Vec::new();
        for guard in list {
            match guard {
                tree::Guard::NotIn(index, expression) => {
                    let index = self.variable(&index.text, index.span)?;
                    let Pattern::Variable(free) = self.pattern(expression)? else {
                        let hint = "name the part by a variable of the left side";
                        return fail(
                            "`notin` takes a variable".into(),
                            expression.span,
                            "found this",
                            hint,
                        );
                    };
                    independent.push((free, index));
                }
                tree::Guard::Holds(expression) => guards.push(self.guard(expression)?),
            }
        }
        Ok(guards)
    }

    fn guard(&mut self, expression: &tree::Expr) -> Compiled<Guard> {
        match &expression.kind {
            tree::ExprKind::Call(name, arguments)
                if name.text == "defined" && arguments.len() == 1 =>
            {
                Ok(Guard::Defined(self.pattern(&arguments[0])?))
            }
            tree::ExprKind::Call(name, _) if name.text != "integer" => {
                let hint = "a guard is a relation, `integer(e)`, `defined(e)` or `i notin e`";
                fail(
                    format!("unknown predicate `{}`", name.text),
                    name.span,
                    "not a predicate",
                    hint,
                )
            }
            _ => Ok(Guard::Holds(self.pattern(expression)?)),
        }
    }

    fn pair(&mut self, a: &tree::Expr, b: &tree::Expr) -> Compiled<Box<[Pattern; 2]>> {
        Ok(Box::new([self.pattern(a)?, self.pattern(b)?]))
    }

    pub(super) fn pattern(&mut self, expression: &tree::Expr) -> Compiled<Pattern> {
        use tree::ExprKind as E;
        Ok(match &expression.kind {
            E::Number(value) => Pattern::Number(value.clone()),
            E::Name(name) => Pattern::Variable(self.variable(name, expression.span)?),
            E::Negate(operand) => negate(self.pattern(operand)?),
            E::Not(operand) => complement(self.pattern(operand)?),
            E::Sum(first, rest) => {
                let mut sum = self.pattern(first)?;
                for (op, term) in rest {
                    let term = self.pattern(term)?;
                    let term = if *op == tree::AddOp::Add {
                        term
                    } else {
                        negate(term)
                    };
                    sum = Pattern::Add(Box::new([sum, term]));
                }
                sum
            }
            E::Product(first, rest) => {
                let mut product = self.pattern(first)?;
                for (op, factor) in rest {
                    let factor = self.pattern(factor)?;
                    product = multiply(*op, product, factor);
                }
                product
            }
            E::Power(base, exponent) => Pattern::Pow(self.pair(base, exponent)?),
            E::Compare(relation, a, b) => self.comparison(*relation, a, b)?,
            E::And(list) => {
                let mut parts = list
                    .iter()
                    .map(|part| self.pattern(part))
                    .collect::<Compiled<Vec<_>>>()?;
                let first = parts.remove(0);
                parts
                    .into_iter()
                    .fold(first, |all, part| Pattern::Mul(Box::new([all, part])))
            }
            E::If(c, a, b) => Pattern::If(Box::new([
                self.pattern(c)?,
                self.pattern(a)?,
                self.pattern(b)?,
            ])),
            E::Reduce(reduction) => Pattern::Reduce(Box::new(self.reduction(reduction)?)),
            E::Call(name, arguments) => self.call(name, arguments, expression)?,
            E::Or(_) | E::Switch(_) | E::Vector(_) | E::Text(_) => {
                let hint = "rules are written with numbers, variables, operators, functions and reductions";
                return fail(
                    "not supported in a rule".into(),
                    expression.span,
                    "found this",
                    hint,
                );
            }
        })
    }

    fn reduction(&mut self, reduction: &tree::Reduction) -> Compiled<ReducePattern> {
        let range = &reduction.range;
        if let Some(step) = &range.step {
            let hint = "a range of a model with a step has become one of step 1 where rules see it";
            let message = "a range with a step is not supported in a rule".into();
            return fail(message, step.span, "found this", hint);
        }
        let index = self.variable(&range.index.text, range.index.span)?;
        let quorum = range
            .quorum
            .as_ref()
            .map(|quorum| self.pattern(quorum))
            .transpose()?;
        Ok(ReducePattern {
            reducer: reducer(reduction.kind),
            quorum,
            index,
            lower: self.pattern(&range.lower)?,
            upper: self.pattern(&range.upper)?,
            body: self.pattern(&reduction.body)?,
        })
    }

    fn comparison(
        &mut self,
        relation: tree::Relation,
        a: &tree::Expr,
        b: &tree::Expr,
    ) -> Compiled<Pattern> {
        use tree::Relation as R;
        Ok(match relation {
            R::Less => Pattern::Compare(Relation::Less, self.pair(a, b)?),
            R::LessEqual => Pattern::Compare(Relation::LessEqual, self.pair(a, b)?),
            R::Greater => Pattern::Compare(Relation::Less, self.pair(b, a)?),
            R::GreaterEqual => Pattern::Compare(Relation::LessEqual, self.pair(b, a)?),
            R::Equal => Pattern::Compare(Relation::Equal, self.pair(a, b)?),
            R::NotEqual => complement(Pattern::Compare(Relation::Equal, self.pair(a, b)?)),
        })
    }

    fn call(
        &mut self,
        name: &tree::Name,
        arguments: &[tree::Expr],
        whole: &tree::Expr,
    ) -> Compiled<Pattern> {
        let function = Function::named(&name.text);
        Ok(match (function, name.text.as_str(), arguments) {
            (Some(Function::Harmonic(_)), _, [operand, order]) => {
                let Some(order) = order_of_harmonic(order) else {
                    return fail(
                        "the order of a harmonic number must be a whole number".into(),
                        order.span,
                        "not such a number",
                        "write for example `H(n, 2)`",
                    );
                };
                Pattern::Apply(Function::Harmonic(order), Box::new(self.pattern(operand)?))
            }
            (Some(function), _, [operand]) => {
                Pattern::Apply(function, Box::new(self.pattern(operand)?))
            }
            (_, "ln", [operand]) => Pattern::Apply(Function::Log, Box::new(self.pattern(operand)?)),
            (_, "log2", [operand]) => {
                let log = Pattern::Apply(Function::Log, Box::new(self.pattern(operand)?));
                let two = Pattern::Number(Rational::from(2));
                let of_two = Pattern::Apply(Function::Log, Box::new(two));
                multiply(tree::MulOp::Divide, log, of_two)
            }
            (_, "max", [vector]) => Pattern::VectorMax(Box::new(self.pattern(vector)?)),
            (_, "max", [a, b]) => Pattern::Max(self.pair(a, b)?),
            (_, "min", [a, b]) => Pattern::Min(self.pair(a, b)?),
            (_, "at", [body, index, value]) => {
                let index = match self.pattern(index)? {
                    Pattern::Variable(v) => v,
                    _ => {
                        return fail(
                            "`at` takes an index".into(),
                            index.span,
                            "not an index",
                            "write `at(e, i, x)`",
                        );
                    }
                };
                Pattern::At(self.pair(body, value)?, index)
            }
            _ => {
                let hint = "known are max, min, floor, ceil, abs, sqrt, log, log2, ln, exp, integer, H, fact, lgamma and at(e, i, x)";
                return fail(
                    format!("unknown function `{}`", name.text),
                    whole.span,
                    "not known in a rule",
                    hint,
                );
            }
        })
    }
}

fn negate(operand: Pattern) -> Pattern {
    match operand {
        Pattern::Number(value) => Pattern::Number(-&value),
        other => Pattern::Mul(Box::new([Pattern::Number(Rational::from(-1)), other])),
    }
}

fn complement(operand: Pattern) -> Pattern {
    Pattern::Add(Box::new([Pattern::Number(Rational::ONE), negate(operand)]))
}

fn multiply(op: tree::MulOp, left: Pattern, right: Pattern) -> Pattern {
    let quotient = |left, right| {
        let inverse = Pattern::Pow(Box::new([right, Pattern::Number(Rational::from(-1))]));
        Pattern::Mul(Box::new([left, inverse]))
    };
    match op {
        tree::MulOp::Multiply => Pattern::Mul(Box::new([left, right])),
        tree::MulOp::Divide => quotient(left, right),
        tree::MulOp::Modulo => Pattern::Mod(Box::new([left, right])),
        tree::MulOp::FloorDivide => {
            Pattern::Apply(Function::Floor, Box::new(quotient(left, right)))
        }
    }
}
