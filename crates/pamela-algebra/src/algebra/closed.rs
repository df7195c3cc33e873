//! A closed form with what it rests on; how far the search for it may go, and how far it went.

use crate::effort::Effort;
use crate::expr::ExprId;

use super::derivation::Derivation;
use super::saturation::Stop;

/// How far the simplifier may go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Assume nothing: what cannot be proved stays as cases and clamped bounds.
    pub strict: bool,
    /// Record how each closed form is derived.
    pub explain: bool,
    /// The multiplier of all limits.
    pub effort: Effort,
}

/// A closed form with what it rests on.
#[derive(Clone, Debug)]
pub struct Closed {
    pub expr: ExprId,
    /// Truth values over the parameters; where all are 1, the closed form is the value.
    pub assumptions: Vec<ExprId>,
    /// The names of the rules that led to it, each once, in rule base order; without a derivation
    /// also those that led to alternatives only.
    pub rules: Vec<String>,
    /// How it was derived, where that was asked for.
    pub derivation: Option<Derivation>,
    /// The worst reason for which a search ended.
    pub stop: Stop,
}

impl Closed {
    /// Adds rules that a part of it came by.
    pub fn resting_on_rules(&mut self, names: &[String]) {
        for name in names {
            if !self.rules.contains(name) {
                self.rules.push(name.clone());
            }
        }
    }
}

/// How much work was done.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Statistics {
    /// How many e-graphs were saturated.
    pub scopes: usize,
    /// The nodes of the largest.
    pub nodes: usize,
    /// Points at which closed forms were compared with what they were made of.
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
