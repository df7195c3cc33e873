//! Operators of laws, which look like those of numbers: the variables in them decide.

use super::compiler::Compiler;
use super::{Compiled, spreads};
use crate::algebra::pattern::{Fold, Item, Pattern};
use crate::expr::{LawKind, LawName, Side};
use crate::ring::Rational;
use crate::syntax::tree::{Expr, ExprKind, MulOp, ReduceKind, Relation};

/// Name of the least value that a law does not exceed with a probability.
pub(super) const QUANTILE: &str = "quantile";

/// Name of the probability that a law lies on one side of a number.
pub(super) const PROBABILITY: &str = "prob";

/// True if a call is of a number that a law has.
fn is_number(name: &str, operands: usize) -> bool {
    is_moment(name, operands) || [QUANTILE, PROBABILITY].contains(&name)
}

/// The side of a law on which a relation holds; none of an equality.
fn side(relation: Relation) -> Option<Side> {
    Some(match relation {
        Relation::Less => Side::Less,
        Relation::LessEqual => Side::LessEqual,
        Relation::Greater => Side::Greater,
        Relation::GreaterEqual => Side::GreaterEqual,
        Relation::Equal | Relation::NotEqual => return None,
    })
}

/// True if a call is of a cumulant: `E(X)`, ... or `K(r, X)`.
pub(super) fn is_moment(name: &str, operands: usize) -> bool {
    order(name).is_some() && operands == 1 || name == "K" && operands == 2
}

/// True if an expression is a law by the name of one in it, without any variable that stands for a law.
pub(super) fn is_named(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(name, operands) => {
            LawName::find(&name.text).is_some()
                || name.text == "truncated" && operands.first().is_some_and(is_named)
        }
        ExprKind::Reduce(r) => is_named(&r.body),
        _ => false,
    }
}

fn order(name: &str) -> Option<i64> {
    match name {
        "E" => Some(1),
        "Var" => Some(2),
        "K3" => Some(3),
        "K4" => Some(4),
        _ => None,
    }
}

impl Compiler<'_> {
    /// The pattern of an operator of laws; `None` of all else.
    pub(super) fn law(&mut self, expr: &Expr) -> Compiled<Option<Pattern>> {
        use ExprKind as E;
        Ok(match &expr.kind {
            E::Call(name, operands) if is_moment(&name.text, operands.len()) => {
                let order = match order(&name.text) {
                    Some(order) => Pattern::Number(Rational::from(order)),
                    None => self.pattern(&operands[0])?,
                };
                let law = self.pattern(&operands[operands.len() - 1])?;
                Some(Pattern::Cumulant(Box::new([order, law])))
            }
            E::Call(name, operands) if name.text == QUANTILE && operands.len() == 2 => {
                let operands = [self.pattern(&operands[0])?, self.pattern(&operands[1])?];
                Some(Pattern::Quantile(Box::new(operands)))
            }
            E::Call(name, operands) if name.text == PROBABILITY => self.probability(operands)?,
            _ if !self.is_law(expr) => None,
            E::Call(name, operands) => self.law_call(&name.text, operands)?,
            E::Product(first, rest) if rest.iter().all(|(op, _)| *op == MulOp::Multiply) => {
                let factors = [first.as_ref()]
                    .into_iter()
                    .chain(rest.iter().map(|(_, e)| e));
                Some(self.law_product(&factors.collect::<Vec<_>>())?)
            }
            E::If(condition, then, otherwise) if self.is_law(condition) => {
                let operands = [condition, then, otherwise].map(|e| self.pattern(e));
                let operands = operands.into_iter().collect::<Compiled<Vec<_>>>()?;
                Some(Pattern::Law(LawKind::Choice, operands.into()))
            }
            E::Reduce(r) if r.kind == ReduceKind::Sum && self.is_law(&r.range.upper) => {
                let operands = [self.pattern(&r.range.upper)?, self.pattern(&r.body)?];
                Some(Pattern::Law(LawKind::RandomSum, operands.into()))
            }
            _ => None,
        })
    }

    /// `prob(X <= t)`, or `prob(s, X, t)` with the side as a number.
    fn probability(&mut self, operands: &[Expr]) -> Compiled<Option<Pattern>> {
        let parts = match operands {
            [side, law, t] => [self.pattern(side)?, self.pattern(law)?, self.pattern(t)?],
            [
                Expr {
                    kind: ExprKind::Compare(relation, law, t),
                    ..
                },
            ] => {
                let Some(side) = side(*relation) else {
                    return Ok(None);
                };
                let side = Pattern::Number(Rational::from(side.number()));
                [side, self.pattern(law)?, self.pattern(t)?]
            }
            _ => return Ok(None),
        };
        Ok(Some(Pattern::Probability(Box::new(parts))))
    }

    fn law_call(&mut self, name: &str, operands: &[Expr]) -> Compiled<Option<Pattern>> {
        let fold = match name {
            "max" => Some(LawKind::Max),
            "min" => Some(LawKind::Min),
            "product" => Some(LawKind::Product),
            _ => None,
        };
        if let Some(kind) = fold.filter(|_| operands.len() > 1 || spreads(operands)) {
            let items = self.items(operands)?;
            return Ok(Some(Pattern::Fold(Fold::Law(kind), items.into())));
        }
        let kind = match (name, LawName::find(name)) {
            ("mixture", _) => LawKind::Mixture,
            ("truncated", _) => LawKind::Truncated,
            (_, Some(law)) => LawKind::Named(law),
            _ => return Ok(None),
        };
        let operands = operands.iter().map(|operand| self.pattern(operand));
        let operands = operands.collect::<Compiled<Vec<_>>>()?;
        Ok(Some(Pattern::Law(kind, operands.into())))
    }

    /// One copy times a factor, or the product of independent laws.
    fn law_product(&mut self, factors: &[&Expr]) -> Compiled<Pattern> {
        let (laws, scalars): (Vec<&Expr>, Vec<&Expr>) =
            factors.iter().partition(|factor| self.is_law(factor));
        let mut items = Vec::new();
        for law in laws {
            items.push(self.pattern(law)?);
        }
        let law = match items.len() {
            1 => items.remove(0),
            _ => {
                let items = items.into_iter().map(Item::One).collect();
                Pattern::Fold(Fold::Law(LawKind::Product), items)
            }
        };
        let mut factor = None;
        for scalar in scalars {
            let scalar = self.pattern(scalar)?;
            factor = Some(match factor {
                Some(known) => Pattern::Mul(Box::new([known, scalar])),
                None => scalar,
            });
        }
        Ok(match factor {
            Some(factor) => Pattern::Law(LawKind::Scale, Box::new([factor, law])),
            None => law,
        })
    }

    /// True if an expression is a law: a variable of that sort, a law of the language, or an operator on some.
    pub(super) fn is_law(&self, expr: &Expr) -> bool {
        use ExprKind as E;
        match &expr.kind {
            E::Name(name) => self.laws.iter().any(|law| law.text == *name),
            E::Call(name, operands) => {
                let operator = ["mixture", "truncated"].contains(&name.text.as_str());
                let named = operator || LawName::find(&name.text).is_some();
                named
                    || !is_number(&name.text, operands.len())
                        && operands.iter().any(|operand| self.is_law(operand))
            }
            E::Negate(operand) => self.is_law(operand),
            E::Sum(first, rest) => self.is_law(first) || rest.iter().any(|(_, e)| self.is_law(e)),
            E::Product(first, rest) => {
                self.is_law(first) || rest.iter().any(|(_, e)| self.is_law(e))
            }
            E::If(c, a, b) => [c, a, b].into_iter().any(|e| self.is_law(e)),
            E::Reduce(r) => self.is_law(&r.body),
            _ => false,
        }
    }
}
