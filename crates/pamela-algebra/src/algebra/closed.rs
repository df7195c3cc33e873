//! Closed forms with their conditions and assumptions; limits and statistics of the search.

use crate::effort::Effort;
use crate::expr::ExprId;

use super::derivation::Derivation;
use super::saturation::Stop;

/// Options of the simplifier.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// True to assume nothing: conditions that cannot be proved become cases and clamped bounds.
    pub strict: bool,
    /// True to record the derivation of each closed form.
    pub explain: bool,
    /// Factor for all limits.
    pub effort: Effort,
}

/// A closed form with its conditions and assumptions.
#[derive(Clone, Debug)]
pub struct Closed {
    pub expr: ExprId,
    /// Truth values over the parameters. The closed form equals the value if all of them are 1.
    pub assumptions: Vec<ExprId>,
    /// Names of the rules that led to it, each once, in rule base order.
    ///
    /// Without a derivation, includes rules that only led to alternatives.
    pub rules: Vec<String>,
    /// The derivation, if requested.
    pub derivation: Option<Derivation>,
    /// The worst reason why a search ended.
    pub stop: Stop,
}

impl Closed {
    /// Adds rules that a part of the closed form used.
    pub fn resting_on_rules(&mut self, names: &[String]) {
        for name in names {
            if !self.rules.contains(name) {
                self.rules.push(name.clone());
            }
        }
    }
}

/// Statistics of the search.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Statistics {
    /// Number of saturated e-graphs.
    pub scopes: usize,
    /// Number of nodes in the largest.
    pub nodes: usize,
    /// Number of points at which closed forms were validated.
    pub points: usize,
    /// The worst reason for stopping.
    pub stop: Stop,
}

impl Default for Statistics {
    fn default() -> Statistics {
        Statistics {
            scopes: 0,
            nodes: 0,
            points: 0,
            stop: Stop::Saturated,
        }
    }
}

impl Statistics {
    pub(super) fn include(&mut self, other: Statistics) {
        self.scopes += other.scopes;
        self.nodes = self.nodes.max(other.nodes);
        self.points += other.points;
        self.stop = self.stop.max(other.stop);
    }
}
