//! Conditions and their probabilities.

use super::*;

fn is_remainder_of_zero(a: &Expression, b: &Expression) -> bool {
    let is_remainder = matches!(&a.kind, ExpressionKind::Binary(operator, ..) if operator == "%");
    is_remainder && matches!(&b.kind, ExpressionKind::Number(text) if text == "0")
}

pub(super) fn is_true(value: Value) -> Option<Condition> {
    let number = value.number.filter(|_| !value.real)?;
    // A number derived from a condition stands for that condition.
    if let Some(Atom::If(condition, then, otherwise)) = number.as_atom()
        && (then.as_constant(), otherwise.as_constant()) == (Some(1), Some(0))
    {
        return Some((**condition).clone());
    }
    let zero = Number::constant(0);
    Some(Condition::compare(Comparison::NotEqual, number, zero))
}

impl Walker<'_> {
    /// The probability of a condition on data.
    pub fn share(&mut self, span: Span) -> Condition {
        self.share_of(span, span)
    }

    /// The parameter for the probability of a branch, with the text of its condition.
    pub fn share_of(&mut self, span: Span, condition: Span) -> Condition {
        let snippet = self.whole.snippet(self.function, condition);
        let what = format!("how often it holds: {snippet}");
        Condition::Share(self.measured(ParameterKind::Share, span, &what))
    }

    /// `None` if one operand is unsigned and the other may be negative: the comparison uses the wrapped value.
    pub(super) fn comparison(&mut self, operator: &str, a: &Value, b: &Value) -> Option<Condition> {
        let (x, y) = (a.number.clone()?, b.number.clone()?);
        let is_mixed = a.wraps != b.wraps && !a.real && !b.real;
        let with_sign = if a.wraps { &y } else { &x };
        if is_mixed {
            self.assume_nonnegative(with_sign)?;
        }
        let (comparison, x, y) = match operator {
            "<" => (Comparison::Less, x, y),
            "<=" => (Comparison::LessEqual, x, y),
            ">" => (Comparison::Less, y, x),
            ">=" => (Comparison::LessEqual, y, x),
            "==" => (Comparison::Equal, x, y),
            "!=" => (Comparison::NotEqual, x, y),
            _ => return None,
        };
        // Rounding may put a nearby double on the other side.
        let is_rounded = x.is_rounded() || y.is_rounded();
        (!is_rounded).then(|| Condition::compare(comparison, x, y))
    }

    /// A condition on sizes and indices; `None` if it depends on data.
    pub fn condition(&mut self, expression: &Expression) -> Result<Option<Condition>, Problem> {
        use ExpressionKind::*;
        self.step()?;
        Ok(match &expression.kind {
            Binary(operator, a, b) if operator == "&&" || operator == "||" => {
                let first = self.condition(a)?;
                let is_and = operator == "&&";
                if first == Some(Condition::Constant(!is_and)) {
                    return Ok(first);
                }
                let reached = if is_and {
                    first.clone()
                } else {
                    first.clone().map(Condition::negated)
                };
                let second = self.guarded(expression.span, reached, b)?;
                match (first, second) {
                    (Some(a), Some(b)) if is_and => Some(a.and(b)),
                    (Some(a), Some(b)) => Some(a.or(b)),
                    _ => None,
                }
            }
            Unary(operator, inner) if operator == "!" => {
                self.condition(inner)?.map(Condition::negated)
            }
            Binary(operator, a, b)
                if (operator == "==" || operator == "!=") && is_remainder_of_zero(a, b) =>
            {
                let divides = self.divides(a)?;
                match operator.as_str() {
                    "==" => divides,
                    _ => divides.map(Condition::negated),
                }
            }
            Binary(operator, a, b) => {
                let a = self.value(a)?;
                let b = self.value(b)?;
                is_true(self.binary(operator, a, b))
            }
            _ => is_true(self.value(expression)?),
        })
    }

    /// `a % b == 0`, whatever the sign of a.
    pub(super) fn divides(&mut self, remainder: &Expression) -> Result<Option<Condition>, Problem> {
        let ExpressionKind::Binary(_, a, b) = &remainder.kind else {
            return Ok(None);
        };
        let (a, b) = (self.value(a)?, self.value(b)?);
        let (Some(a), Some(b)) = (a.number, b.number) else {
            return Ok(None);
        };
        if self.assume_positive(&b).is_none() {
            return Ok(None);
        }
        let zero = Number::constant(0);
        Ok(Some(Condition::compare(
            Comparison::Equal,
            a.modulo(&b),
            zero,
        )))
    }

    /// Walks code under a condition or its negation.
    pub fn given_that<T>(
        &mut self,
        condition: &Option<Condition>,
        holds: bool,
        walk: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let condition = condition.clone().map(|condition| {
            if holds {
                condition
            } else {
                condition.negated()
            }
        });
        let implied = condition.map_or(Vec::new(), |condition| self.implied(&condition));
        let at = self.facts.known.len();
        let behind = at + implied.len();
        self.facts.known.extend(implied);
        let result = walk(self);
        // Assumptions made on the way are kept.
        if behind <= self.facts.known.len() {
            self.facts.known.drain(at..behind);
        }
        result
    }

    /// Numbers that are at least 0 where a condition holds.
    fn implied(&self, condition: &Condition) -> Vec<Number> {
        let below = |a: &Number, b: &Number| b.minus(a).and_then(|d| d.plus_constant(-1));
        match condition {
            Condition::Compare(Comparison::Less, a, b) => below(a, b).into_iter().collect(),
            Condition::Compare(Comparison::LessEqual, a, b) => b.minus(a).into_iter().collect(),
            Condition::Compare(Comparison::Equal, a, b) => {
                a.minus(b).into_iter().chain(b.minus(a)).collect()
            }
            // One that is not below another, and is not that, is above it.
            Condition::Compare(Comparison::NotEqual, a, b) => {
                let is_known = |d: Option<Number>| d.is_some_and(|d| self.facts.nonnegative(&d));
                match (is_known(a.minus(b)), is_known(b.minus(a))) {
                    (true, _) => below(b, a).into_iter().collect(),
                    (_, true) => below(a, b).into_iter().collect(),
                    _ => Vec::new(),
                }
            }
            Condition::And(a, b) => [self.implied(a), self.implied(b)].concat(),
            Condition::Not(inner) => match &**inner {
                Condition::Or(a, b) => {
                    let (a, b) = ((**a).clone().negated(), (**b).clone().negated());
                    [self.implied(&a), self.implied(&b)].concat()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The second operand of `&&` and `||`, which is not always evaluated.
    pub(super) fn guarded(
        &mut self,
        span: Span,
        reached: Option<Condition>,
        second: &Expression,
    ) -> Result<Option<Condition>, Problem> {
        let before = self.values.clone();
        let pending = std::mem::take(&mut self.pending);
        let condition = self.given_that(&reached, true, |walker| walker.condition(second))?;
        let calls = std::mem::replace(&mut self.pending, pending);
        self.forget(&before.differing(&self.values), span);
        if !calls.is_empty() {
            let reached = reached.unwrap_or_else(|| self.share(span));
            self.pending.push(Part::choice(
                reached,
                Part::sequence(calls),
                Part::nothing(),
            ));
        }
        Ok(condition)
    }
}
