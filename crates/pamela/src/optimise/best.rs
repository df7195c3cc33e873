//! Tracks the best point of a search, and the error if there is none.

use super::Question;
use crate::diagnostic::Error;
use crate::ring::Rational;

/// Values that differ by less are not told apart.
const TOLERANCE: f64 = 1e-9;

/// The best point so far. Values are negated when the greatest value is sought.
#[derive(Clone)]
pub(super) struct Best {
    pub names: Vec<String>,
    pub place: Vec<f64>,
    pub fixed: Vec<(String, Rational)>,
    pub value: f64,
    /// Spread of the first values.
    pub spread: f64,
}

impl Best {
    pub fn at(&self, name: &str) -> Option<f64> {
        let own = self.names.iter().position(|own| own == name);
        let fixed = || self.fixed.iter().find(|(own, _)| own == name);
        own.map(|place| self.place[place])
            .or_else(|| fixed().map(|(_, value)| value.to_f64()))
    }
}

pub(super) fn tolerance(value: f64, spread: f64) -> f64 {
    TOLERANCE * value.abs().max(1e-3 * spread)
}

pub(super) fn no_bounds(question: &Question, reason: &str) -> Error {
    let message = format!(
        "cannot search an interval for the best {} by bounds of its closed form: {reason}",
        question.objective
    );
    Error::new(message).hint(
        "give a step, `0.1:0.01:10`, or a list, `log(0.1, 10, 1000)`: all its values are evaluated",
    )
}
