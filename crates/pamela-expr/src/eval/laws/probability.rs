//! Quantiles and probabilities of laws as numbers.

use super::{Result, offset, undefined};
use crate::eval::exact::Evaluator;
use crate::eval::{Number, Value};
use crate::expr::{ExprId, Side};
use crate::law::Probability;
use crate::ring::Rational;

/// A law takes some thousand times as long as a number.
const STEPS_OF_A_LAW: u64 = 1_000;

impl Evaluator<'_> {
    /// The least value that a law does not exceed with the probability `q`.
    pub(in crate::eval) fn quantile(&mut self, law: ExprId, q: ExprId) -> Result<Value> {
        let q = self.number(q)?;
        let minus = Number::Exact(-Rational::ONE).multiply(&q)?;
        let rest = Number::Exact(Rational::ONE).add(&minus)?;
        let p = Probability {
            below: q.to_f64(),
            above: rest.to_f64(),
        };
        if !(p.below > 0.0 && p.above > 0.0) {
            return Err(undefined(format!(
                "the quantile at {}, which is not between 0 and 1",
                p.below
            )));
        }
        self.charge_steps(STEPS_OF_A_LAW)?;
        if let Value::Scalar(number) = self.value(law)? {
            return Ok(Value::Scalar(number));
        }
        let law = self.law(law)?;
        let value = self.calculus().quantile(&law, p).map_err(undefined)?;
        Ok(Value::Scalar(Number::real(value)?))
    }

    /// The probability that a law lies on a side of the number `t`.
    pub(in crate::eval) fn probability(
        &mut self,
        side: Side,
        law: ExprId,
        t: ExprId,
    ) -> Result<Value> {
        let t = self.number(t)?;
        self.charge_steps(STEPS_OF_A_LAW)?;
        if let Value::Scalar(number) = self.value(law)? {
            let order = number.compare(&t)?;
            let lies = match side {
                Side::Less => order.is_lt(),
                Side::LessEqual => order.is_le(),
                Side::Greater => order.is_gt(),
                Side::GreaterEqual => order.is_ge(),
            };
            return Ok(i64::from(lies).into());
        }
        let (law, t, calculus) = (self.law(law)?, offset(&t), self.calculus());
        let support = law.support();
        let cdf = match side {
            Side::LessEqual | Side::Greater => calculus.cdf(&law, t),
            Side::Less | Side::GreaterEqual => calculus.cdf_before(&law, t),
        };
        let cdf = cdf.map_err(undefined)?;
        let value = match side {
            Side::Less | Side::LessEqual => cdf.below,
            Side::Greater | Side::GreaterEqual => cdf.above,
        };
        let is_beyond = if cdf.below == 0.0 {
            t.value() <= support.lower
        } else {
            cdf.above == 0.0 && t.value() >= support.upper
        };
        Ok(if is_beyond {
            i64::from(value == 1.0).into()
        } else {
            Value::Scalar(Number::real(value)?)
        })
    }
}
