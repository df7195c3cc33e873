//! Real numbers built from rationals by roots, powers, logarithms and exponentials, and decisions
//! about them.
//!
//! A real is a double with an error bound, plus the exact number in [canonical form](form) while that is short. If
//! the double is too close to a step to decide, the form decides. Equal forms are equal numbers; others are enclosed
//! in balls of growing precision, up to 2048 bits. If that fails too, the result is [`Fault::Undecided`].
//!
//! The module does not depend on models or expressions. Both evaluators use it, and its tests compare it with integer
//! arithmetic.

mod ball;
mod bases;
mod decide;
mod form;
mod series;
mod sum;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

use form::Form;

/// The relative error from which on digits count as lost.
const LOST: f64 = 1e-6;

/// The absolute error of an exponent from which on its form gives it, if it has one.
const LOST_BY_EXP: f64 = 1e-13;

/// Errors are bounded to first order: with this factor a bound is safe.
const SAFETY: f64 = 4.0;

/// A number without a rational value, or without a known one.
#[derive(Clone, Debug, PartialEq)]
pub struct Real {
    /// Finite, unless the definitional evaluator marks a cumulant that does not exist.
    pub value: f64,
    /// Absolute error, to first order.
    pub error: f64,
    form: Option<Arc<Form>>,
}

/// The result of an operation on reals, which may be rational.
#[derive(Clone, Debug, PartialEq)]
pub enum RealOrRational {
    Rational(BigRational),
    Real(Real),
}

/// Reason why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    NotFinite,
    /// A step or a comparison lies within the error; contains the value as far as it is known.
    Undecided(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotFinite => f.write_str("the value is not a finite number"),
            Fault::Undecided(reason) => f.write_str(reason),
        }
    }
}

type Result<T> = std::result::Result<T, Fault>;

fn last_digit(value: f64) -> f64 {
    value.abs() * f64::EPSILON + f64::MIN_POSITIVE
}

impl Real {
    /// A double whose error is at most its last digit.
    pub fn rounded(value: f64) -> Real {
        Real {
            value,
            error: last_digit(value),
            form: None,
        }
    }

    /// A double that is the exact number.
    pub fn double(value: f64) -> Real {
        Real {
            value,
            error: 0.0,
            form: None,
        }
    }

    /// A double computed from others, with the resulting error.
    ///
    /// # Errors
    /// Fails if it is not finite.
    pub fn within(value: f64, error: f64) -> Result<Real> {
        if value.is_finite() {
            Ok(Real {
                value,
                error: error + last_digit(value),
                form: None,
            })
        } else {
            Err(Fault::NotFinite)
        }
    }

    pub fn rational(value: &BigRational) -> Real {
        let double = value.to_f64().unwrap_or(f64::NAN);
        Real {
            form: Form::rational(value.clone()).map(Arc::new),
            ..Real::rounded(double)
        }
    }

    fn is_nothing(&self) -> bool {
        self.form.as_deref().is_some_and(Form::is_zero)
    }

    /// True if cancellation has left few or no correct digits.
    pub fn is_lost(&self) -> bool {
        let kept = self.error <= LOST * self.value.abs();
        !kept // an error that overflowed is not a number
    }

    /// The double of an operation, with the form if it has one.
    fn known(value: f64, error: f64, form: Option<Form>) -> Result<RealOrRational> {
        let double = Real::within(value, error);
        let Some(form) = form else {
            return double.map(RealOrRational::Real);
        };
        if let Some(value) = form.as_rational() {
            return Ok(RealOrRational::Rational(value));
        }
        let mut real = match double {
            Ok(real) if !real.is_lost() => real,
            double => match form.to_f64() {
                Some(value) if value.is_finite() => Real::rounded(value),
                Some(_) => return Err(Fault::NotFinite),
                None => double?,
            },
        };
        real.form = Some(Arc::new(form));
        Ok(RealOrRational::Real(real))
    }

    fn forms<'a>(&'a self, other: &'a Real) -> Option<(&'a Form, &'a Form)> {
        Some((self.form.as_deref()?, other.form.as_deref()?))
    }

    /// True if the canonical form is known.
    pub fn has_form(&self) -> bool {
        self.form.is_some()
    }

    /// Sets the value to the nearest double, if the form gives it.
    #[must_use]
    pub fn settled(self) -> Real {
        match self.form.as_deref().and_then(Form::nearest) {
            Some(value) => Real {
                form: self.form,
                ..Real::rounded(value)
            },
            None => self,
        }
    }

    pub fn add(&self, other: &Real) -> Result<RealOrRational> {
        let form = self.forms(other).and_then(|(a, b)| a.add(b));
        Real::known(self.value + other.value, self.error + other.error, form)
    }

    pub fn negate(&self) -> Real {
        Real {
            value: -self.value,
            error: self.error,
            form: self.form.as_ref().map(|form| Arc::new(form.negate())),
        }
    }

    pub fn multiply(&self, other: &Real) -> Result<RealOrRational> {
        // Whatever the error of the other factor: 0 of an unknown number is 0.
        if (self.is_nothing() && other.value.is_finite())
            || (other.is_nothing() && self.value.is_finite())
        {
            return Ok(RealOrRational::Rational(BigRational::zero()));
        }
        let form = self.forms(other).and_then(|(a, b)| a.multiply(b));
        let error = self.value.abs() * other.error + other.value.abs() * self.error;
        Real::known(self.value * other.value, error, form)
    }

    /// The quotient by a nonzero number.
    ///
    /// # Errors
    /// Fails if the divisor may be 0.
    pub fn divide(&self, other: &Real) -> Result<RealOrRational> {
        if other.sign()?.is_eq() {
            return Err(Fault::NotFinite);
        }
        if self.is_nothing() && other.value.is_finite() {
            return Ok(RealOrRational::Rational(BigRational::zero()));
        }
        let form = self.forms(other).and_then(|(a, b)| a.divide(b));
        let value = self.value / other.value;
        let error = (self.error + value.abs() * other.error) / other.value.abs();
        Real::known(value, error, form)
    }

    /// A power of a positive base; of any base if the exponent is whole.
    pub fn power(&self, exponent: &Real) -> Result<RealOrRational> {
        let form = self.forms(exponent).and_then(|(base, exponent)| {
            match (base.as_rational(), exponent.as_rational()) {
                (Some(base), Some(exponent)) if base.is_positive() => {
                    Form::power_of(&base, &exponent)
                }
                (_, Some(exponent)) => base.power(&exponent),
                (Some(base), None) => exponent.multiply(&Form::log_of(&base)?)?.exp(),
                (None, None) => exponent.multiply(&base.log()?)?.exp(),
            }
        });
        let value = self.value.powf(exponent.value);
        let by_base = exponent.value * self.error / self.value;
        let by_exponent = self.value.abs().ln() * exponent.error;
        let error = value.abs() * (by_base.abs() + by_exponent.abs());
        Real::known(value, error, form)
    }

    /// The natural logarithm of a positive number.
    pub fn log(&self) -> Result<RealOrRational> {
        let form = self.form.as_deref().and_then(Form::log);
        Real::known(self.value.ln(), self.error / self.value, form)
    }

    /// The natural logarithm of a positive rational of any length.
    pub fn log_of(x: &BigRational) -> Result<RealOrRational> {
        // A number outside the doubles is a power of 2 times a double.
        let bits = |part: &BigInt| part.bits() as i32;
        let power = match x.to_f64() {
            Some(value) if value.is_normal() => 0,
            _ => bits(x.numer()) - bits(x.denom()),
        };
        let near = x / BigRational::from_integer(2.into()).pow(power);
        let value = Real::rounded(near.to_f64().unwrap_or(f64::NAN));
        let of_power = f64::from(power) * std::f64::consts::LN_2;
        let error = value.error / value.value + of_power.abs() * f64::EPSILON;
        Real::known(value.value.ln() + of_power, error, Form::log_of(x))
    }

    pub fn exp(&self) -> Result<RealOrRational> {
        let form = self.form.as_deref().and_then(Form::exp);
        // Its error is the relative error of the exponential.
        let exact = if self.error > LOST_BY_EXP {
            self.form.as_deref().and_then(Form::to_f64)
        } else {
            None
        };
        let own = exact.map_or(self.clone(), Real::rounded);
        let value = own.value.exp();
        Real::known(value, value * own.error, form)
    }

    /// The logarithm of the gamma function of an integer above 2, near this double.
    ///
    /// # Errors
    /// Fails if the double is not finite.
    pub fn log_gamma_of(n: &BigInt, near: f64) -> Result<RealOrRational> {
        let form = n.to_biguint().and_then(Form::log_gamma);
        Real::known(near, 4.0 * near * f64::EPSILON, form)
    }

    pub fn abs(&self) -> Real {
        if self.value < 0.0 {
            self.negate()
        } else {
            self.clone()
        }
    }

    /// The sign of the number.
    ///
    /// # Errors
    /// Fails if it is too close to 0 to decide.
    pub fn sign(&self) -> Result<Ordering> {
        let sure = self.value.abs() > SAFETY * self.error;
        let by_double = || self.value.partial_cmp(&0.0).filter(|_| sure);
        let by_form = || self.form.as_deref().and_then(Form::sign);
        let sign = by_double().or_else(by_form);
        let sign =
            sign.or_else(|| (self.value == 0.0 && self.error == 0.0).then_some(Ordering::Equal));
        sign.ok_or_else(|| self.undecided(0.0))
    }

    /// Compares the numbers.
    ///
    /// # Errors
    /// Fails if they are too close to decide.
    pub fn compare(&self, other: &Real) -> Result<Ordering> {
        let (distance, errors) = (self.value - other.value, self.error + other.error);
        if distance.abs() > SAFETY * errors || errors == 0.0 {
            return Ok(distance.partial_cmp(&0.0).unwrap_or(Ordering::Equal));
        }
        let difference = self.forms(other).and_then(|(a, b)| a.add(&b.negate()));
        let order = difference.and_then(|difference| difference.sign());
        order.ok_or_else(|| self.undecided(other.value))
    }

    /// The floor.
    ///
    /// # Errors
    /// Fails if the number is too close to an integer to decide.
    pub fn floor(&self) -> Result<BigInt> {
        let reach = SAFETY * self.error;
        let (least, greatest) = ((self.value - reach).floor(), (self.value + reach).floor());
        let by_double = || BigRational::from_float(least).filter(|_| least == greatest);
        let by_form = || self.form.as_deref().and_then(Form::floor);
        let floor = by_double().map(|floor| floor.to_integer());
        let floor = floor.or_else(by_form);
        floor.ok_or_else(|| self.undecided(self.value.round()))
    }

    /// True if the number is an integer.
    ///
    /// # Errors
    /// Fails if it is too close to an integer to decide.
    pub fn is_integer(&self) -> Result<bool> {
        if self.error == 0.0 {
            return Ok(self.value.fract() == 0.0);
        }
        let below = self.floor()?;
        let Some(form) = &self.form else {
            // A value distinguished from both neighbouring integers is not an integer.
            return Ok(false);
        };
        let distance = Form::rational(-BigRational::from_integer(below)).and_then(|n| n.add(form));
        let sign = distance.and_then(|distance| distance.sign());
        let sign = sign.ok_or_else(|| self.undecided(self.value.round()))?;
        Ok(sign.is_eq())
    }

    /// A number that covers two indistinguishable numbers.
    pub fn either(&self, other: &Real) -> Real {
        Real {
            value: self.value,
            error: self.error.max(other.error) + (self.value - other.value).abs(),
            form: None,
        }
    }

    fn undecided(&self, step: f64) -> Fault {
        Fault::Undecided(format!(
            "cannot decide on which side of {step} the value lies: it is {} to within {:.0e}, \
             and no more digits are known",
            self.value,
            SAFETY * self.error
        ))
    }
}

impl From<Real> for RealOrRational {
    fn from(real: Real) -> RealOrRational {
        RealOrRational::Real(real)
    }
}

/// `base^exponent` of a positive rational, if the result is rational.
pub fn rational_power(base: &BigRational, exponent: &BigRational) -> Option<BigRational> {
    Form::power_of(base, exponent)?.as_rational()
}

/// The smallest base above 1 of which a positive rational is a power, with the exponent; the base
/// of 1 is 1.
pub fn perfect_power(value: &BigRational) -> (BigRational, BigInt) {
    bases::perfect_power(value)
}
