//! Exact values over batches of points, at the speed of doubles.
//!
//! A number is an unevaluated sum of two doubles with a bound of its error. If the bound leaves one
//! double, and one answer for each comparison and step, the result is the double nearest to the
//! exact value. Results equal those of [`evaluate`](super::evaluate) bit for bit. Otherwise the result
//! is unknown (see [`Registers::value`]), and exact evaluation is needed.
//!
//! If the ranges of inputs are known (see [`InputRange`]), a faster program is made for them. It
//! uses fractions of whole numbers below 2^53, or else pairs whose errors need not be computed.
//!
//! An expression is compiled once into instructions over registers; shared expressions are computed
//! once for all results. Parts that do not change within a batch are computed for one point only.

mod batch;
mod elementary;
mod kernels;
mod powers;
mod program;
mod registers;
mod step;
mod vectors;
mod whole;

pub use batch::Batch;
pub use program::{Compiler, Program};
pub use registers::{Constant, Scratch};
pub use step::Step;
#[cfg(test)]
pub(super) use vectors::pairs;
pub use vectors::{Computed, Engine, InputRange};

use super::{Bindings, Number, Value};
use crate::expr::{Arena, ExprId};
use crate::ring::Rational;

/// Number of points computed together; all registers of a typical formula stay in the cache.
pub const LANES: usize = 256;

/// An unevaluated sum of two doubles with a bound of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CertifiedDouble {
    pub high: f64,
    pub low: f64,
    /// Bound of the error; infinite or NaN if nothing is known.
    pub error: f64,
}

impl CertifiedDouble {
    /// Two doubles hold a number to 106 bits.
    pub(super) const RELATIVE: f64 = 1.0 / (1u128 << 100) as f64;

    /// The nearest sum of two doubles.
    pub fn of(value: &Rational) -> CertifiedDouble {
        let high = value.to_f64();
        let unknown = CertifiedDouble {
            high,
            low: 0.0,
            error: f64::INFINITY,
        };
        if high == 0.0 || !(kernels::LEAST..kernels::GREATEST).contains(&high.abs()) {
            return if value.is_zero() {
                CertifiedDouble::from(0.0)
            } else {
                unknown
            };
        }
        if value.is_integer() && high.abs() <= 9e15 {
            return CertifiedDouble::from(high);
        }
        let Some(rest) = Rational::from_f64(high).map(|high| value - &high) else {
            return unknown;
        };
        let low = rest.to_f64();
        let error = if Rational::from_f64(low) == Some(rest) {
            0.0
        } else {
            high.abs() * CertifiedDouble::RELATIVE
        };
        CertifiedDouble { high, low, error }
    }
}

/// The double nearest to the value of a scalar at a point, if it is known.
pub fn nearest_at(arena: &Arena, root: ExprId, bindings: &Bindings) -> Option<f64> {
    let (mut names, mut batches) = (Vec::new(), Vec::new());
    for (name, value) in bindings {
        if let Value::Scalar(Number::Exact(value)) = value {
            names.push(name.as_str());
            batches.push(Batch::Constant(CertifiedDouble::of(value)));
        }
    }
    let mut compiler = Program::compiler(arena, &names);
    compiler.add(root).ok()?;
    let program = compiler.finish();
    let mut value = [f64::NAN];
    program.evaluate(&batches, 1, &mut program.scratch(), &mut [&mut value]);
    Some(value[0]).filter(|value| !value.is_nan())
}

impl From<f64> for CertifiedDouble {
    /// The double itself.
    fn from(value: f64) -> CertifiedDouble {
        CertifiedDouble {
            high: value,
            low: 0.0,
            error: 0.0,
        }
    }
}
