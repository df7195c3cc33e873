//! Caches the results of calls.

use std::collections::HashMap;

use super::fraction::Fraction;
use super::number::Number;
use super::value::{Value, Vector};

/// How long a process takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Duration {
    /// Without contention.
    Path,
    /// At least, with contention.
    Time,
}

/// What is asked of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Quantity {
    Number,
    Duration(Duration),
    Demand,
}

/// What is asked of which equation, and the arguments: their values, and whether each is a truth value by its form.
pub(super) type Call = (Quantity, usize, Vec<(Fraction, bool)>);

pub(super) type Results<T> = HashMap<Call, T>;

/// What calls with arguments came to.
#[derive(Default)]
pub(super) struct Calls {
    pub(super) numbers: Results<Value>,
    pub(super) durations: Results<Number>,
    pub(super) demands: Results<Vector>,
}
