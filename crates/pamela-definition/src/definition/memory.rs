//! Caches the results of calls.

use std::collections::HashMap;

use super::fraction::Fraction;
use super::number::Number;
use super::value::{Value, Vector};

/// Kind of the time of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Duration {
    /// Without contention.
    Path,
    /// A lower bound with contention.
    Time,
}

/// Requested quantity of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Quantity {
    Number,
    Duration(Duration),
    Demand,
}

/// A call: requested quantity, equation, and arguments with their values and whether each has the form of a truth
/// value.
pub(super) type Call = (Quantity, usize, Vec<(Fraction, bool)>);

pub(super) type Results<T> = HashMap<Call, T>;

/// Cached results of calls.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) numbers: Results<Value>,
    pub(super) durations: Results<Number>,
    pub(super) demands: Results<Vector>,
}
