//! Error bounds of powers, roots, logarithms and other functions.

use super::{Bounded, FUNCTION_DIGITS, LONG_DIGITS, NO_GRID};
use crate::emit::bound::Bound;
use crate::emit::expression::{EXACT, MOST_ORDER, Writer};
use crate::emit::notation::{Divisor, Obstacle};
use crate::emit::products::Paired;
use crate::expr::{ExprId, Function, Relation, Rounding};
use crate::ring::Rational;

impl Writer<'_> {
    /// The bound of a power with a positive number as exponent.
    pub(super) fn of_power(&mut self, base: ExprId, power: &Rational) -> Bounded {
        let (times, order) = (power.numerator(), power.denominator());
        let own = match i64::try_from(order) {
            Ok(1) => self.bound(base)?,
            Ok(order) if order <= MOST_ORDER => {
                let value = self.root(base, order)?;
                self.sided(&value, base, None, order == 2)?
            }
            _ => {
                let value = self.power(base, power)?;
                let value = self.short(value);
                return self.inexact(&value, LONG_DIGITS);
            }
        };
        let times = Rational::from(times);
        if times.is_one() {
            return Ok(own);
        }
        let number = |value: &Rational| self.notation.number(value);
        let (text, less) = (number(&times), &times - &Rational::from(1));
        let power = self.notation.power(&own.magnitude, &text, Some(&times));
        let grid = self.notation.power(&own.grid, &text, Some(&times));
        let magnitude = self.short(power);
        let mut errors = Vec::new();
        if let Some(error) = own.error {
            let high = self.total(&[own.magnitude, error.clone()]);
            let high = self
                .notation
                .power(&high, &self.notation.number(&less), Some(&less));
            errors.push(self.times(&[text, error, high]));
        }
        let steps = times.to_i64().and_then(|n| usize::try_from(n).ok());
        errors.extend(self.rounded(&magnitude, own.whole, steps.unwrap_or(1 << 20)));
        let error = (!errors.is_empty()).then(|| self.total(&errors));
        Ok(Bound {
            magnitude,
            beside_whole: error.clone(),
            error,
            grid: self.short(grid),
            whole: own.whole,
        })
    }

    /// The bound of a power whose exponent is not a number; exact if base and result are whole.
    pub(super) fn of_free_power(&mut self, id: ExprId, base: ExprId, exponent: ExprId) -> Bounded {
        let value = self.short_number(id)?;
        let (own, by) = (self.bound(base)?, self.bound(exponent)?);
        let loose = self.inexact(&value, LONG_DIGITS)?;
        if !own.whole || own.error.is_some() || !by.whole || by.error.is_some() {
            let grid = self.text(NO_GRID);
            let worst = self.times(&[loose.magnitude.clone(), grid]);
            // Errors of operands grow without a bound that is simple.
            let error = if own.error.is_none() && by.error.is_none() {
                loose.error
            } else {
                Some(worst)
            };
            return Ok(Bound {
                beside_whole: error.clone(),
                error,
                ..loose
            });
        }
        let most = self.text((EXACT - 1) as f64);
        let is_whole = self.notation.apply(Function::Integer, &value)?;
        let small = self
            .notation
            .bracket(Relation::LessEqual, &loose.magnitude, &most);
        let exact = self.times(&[is_whole, small]);
        Ok(self.exact_where(&exact, loose))
    }

    /// The bound of a root or a logarithm at whole numbers.
    ///
    /// It is exact where the true value is whole, and on the correct side of whole numbers
    /// elsewhere. This requires that doubles hold the operand, and a whole base of the logarithm.
    pub(super) fn sided(
        &mut self,
        value: &str,
        operand: ExprId,
        base: Option<ExprId>,
        is_square_root: bool,
    ) -> Bounded {
        let value = self.short(value.to_string());
        let (own, argument) = (self.bound(operand)?, self.short_number(operand)?);
        let size = self.absolute(&argument)?;
        let (zero, one) = (self.text(0.0), self.text(1.0));
        let mut loose = self.inexact(&value, FUNCTION_DIGITS)?;
        let mut errors: Vec<String> = loose.error.iter().cloned().collect();
        // The nearest double to a square root may be whole for larger numbers.
        let most = self.text(if is_square_root { EXACT / 4 } else { EXACT } as f64);
        let mut known = vec![self.notation.bracket(Relation::LessEqual, &size, &most)];
        if !own.whole {
            known.push(self.notation.apply(Function::Integer, &argument)?);
        }
        if let Some(error) = &own.error {
            known.push(self.notation.bracket(Relation::Equal, error, &zero));
            let slope = self.total(&[loose.magnitude.clone(), one.clone(), one.clone()]);
            let parts = self.times(&[error.clone(), slope]);
            let grown = self.notation.quotient(&parts, &size, Divisor::Any);
            errors.push(self.short(grown));
        }
        if let Some(base) = base {
            self.base_of_logarithm(base, &loose, &mut known, &mut errors)?;
        }
        loose.error = Some(self.total(&errors));
        let known = self.times(&known);
        let known = self.short(known);
        let whole = self.notation.apply(Function::Integer, &value)?;
        let exact = self.times(&[known.clone(), whole]);
        let bound = self.exact_where(&exact, loose);
        let error = bound.error.clone().unwrap_or_else(|| zero.clone());
        let beside_whole = self.notation.choose(&known, &zero, &error);
        Ok(Bound {
            beside_whole: Some(self.short(beside_whole)),
            ..bound
        })
    }

    /// Adds the conditions under which doubles hold a whole base, and the error from the base.
    pub(super) fn base_of_logarithm(
        &mut self,
        base: ExprId,
        logarithm: &Bound,
        known: &mut Vec<String>,
        errors: &mut Vec<String>,
    ) -> Result<(), Obstacle> {
        let number = self.arena.as_number(base);
        if number.is_some_and(|b| {
            b.is_integer() && *b >= Rational::from(2) && *b <= Rational::from(EXACT)
        }) {
            return Ok(());
        }
        let (own, value) = (self.bound(base)?, self.short_number(base)?);
        let (zero, two, most) = (self.text(0.0), self.text(2.0), self.text(EXACT as f64));
        known.push(self.notation.bracket(Relation::LessEqual, &two, &value));
        known.push(self.notation.bracket(Relation::LessEqual, &value, &most));
        if !own.whole {
            known.push(self.notation.apply(Function::Integer, &value)?);
        }
        if let Some(error) = &own.error {
            known.push(self.notation.bracket(Relation::Equal, error, &zero));
            // By the slope of a logarithm by its base.
            let under = self.notation.apply(Function::Log, &value)?;
            let under = self.short(under);
            let size = self.absolute(&under)?;
            let below = self.times(&[size, value]);
            let above = self.times(&[two, error.clone(), logarithm.magnitude.clone()]);
            let grown = self.notation.quotient(&above, &below, Divisor::Any);
            errors.push(self.short(grown));
        }
        Ok(())
    }

    /// A bound that is whole and exact where `condition` is 1, and `loose` elsewhere.
    pub(super) fn exact_where(&mut self, condition: &str, loose: Bound) -> Bound {
        let condition = self.short(condition.to_string());
        let error = loose.error.unwrap_or_else(|| self.text(0.0));
        let error = self.notation.choose(&condition, &self.text(0.0), &error);
        let grid = self
            .notation
            .choose(&condition, &self.text(1.0), &loose.grid);
        let error = self.short(error);
        Bound {
            beside_whole: Some(error.clone()),
            error: Some(error),
            grid: self.short(grid),
            ..loose
        }
    }

    pub(super) fn of_pair(&mut self, pair: &Paired) -> Bounded {
        let value = self.pair(pair)?;
        let value = self.short(value);
        match *pair {
            Paired::Logarithm(operand, base) => self.sided(&value, operand, Some(base), false),
            Paired::Binomial(..) | Paired::Factorials(..) => self.whole_below_limit(&value),
        }
    }

    /// A bound that is whole and exact as long as doubles hold the number.
    pub(super) fn whole_below_limit(&mut self, value: &str) -> Bounded {
        let loose = self.inexact(value, LONG_DIGITS)?;
        let (one, most) = (self.text(1.0), self.text((EXACT - 1) as f64));
        let whole = self.notation.apply(Function::Integer, value)?;
        let small = self
            .notation
            .bracket(Relation::LessEqual, &loose.magnitude, &most);
        let large = self
            .notation
            .bracket(Relation::LessEqual, &one, &loose.magnitude);
        let exact = self.times(&[whole, small, large]);
        Ok(self.exact_where(&exact, loose))
    }

    pub(super) fn of_function(
        &mut self,
        id: ExprId,
        function: Function,
        operand: ExprId,
    ) -> Bounded {
        let zero_where = |own: &mut Self, at: f64, upto: bool, digits: u32| {
            let value = own.short_number(id)?;
            let loose = own.inexact(&value, digits)?;
            let (argument, at) = (own.short_number(operand)?, own.text(at));
            let relation = if upto {
                Relation::LessEqual
            } else {
                Relation::Equal
            };
            let exact = own.notation.bracket(relation, &argument, &at);
            let inner = own.bound(operand)?;
            let Some(error) = inner.error else {
                return Ok(own.exact_where(&exact, loose));
            };
            // The error of a logarithm or exponential is the error of its operand times the slope.
            let size = own.absolute(&argument)?;
            let slope = match function {
                Function::Exp => loose.magnitude.clone(),
                _ => {
                    let one = own.text(1.0);
                    let grown = own.total(&[loose.magnitude.clone(), one]);
                    let slope = own.notation.quotient(&grown, &size, Divisor::Any);
                    own.short(slope)
                }
            };
            let two = own.text(2.0);
            let grown = own.times(&[two, error, slope]);
            let all: Vec<String> = loose.error.clone().into_iter().chain([grown]).collect();
            let error = own.total(&all);
            Ok(Bound {
                beside_whole: Some(error.clone()),
                error: Some(error),
                ..loose
            })
        };
        match function.row().rounding {
            Rounding::None => self.exact(id),
            Rounding::OfOperand => self.bound(operand),
            Rounding::OfRoot => {
                let value = self.short_number(id)?;
                self.sided(&value, operand, None, true)
            }
            Rounding::Digits {
                exact_at,
                upto,
                long,
            } => {
                let digits = if long { LONG_DIGITS } else { FUNCTION_DIGITS };
                zero_where(self, exact_at, upto, digits)
            }
            Rounding::Whole => {
                let value = self.short_number(id)?;
                self.whole_below_limit(&value)
            }
        }
    }
}
