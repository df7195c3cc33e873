//! Closed forms: every scope of an expression is saturated with the rules, from the innermost
//! outwards.
//!
//! The layers from the bottom up are terms, facts, scope, then patterns, functions and builtins, rules, e-graph of a
//! scope, saturation, rule base, [`Simplifier`]. A file imports only files below it.

mod analysis;
mod application;
mod atoms;
mod attempts;
mod builtins;
mod chain;
mod closed;
mod conjuncts;
mod cost;
mod definedness;
mod definitions;
mod demands;
mod derivation;
mod derivative;
mod enclosure;
mod facts;
mod families;
mod functions;
mod graph;
mod grounds;
mod guards;
mod language;
mod law_moments;
mod mentions;
mod path_proof;
mod pattern;
mod points;
mod pricing;
mod probe;
mod proofs;
mod ranges;
mod regimes;
mod relaxation;
mod requirements;
mod rule;
mod rulebase;
mod saturation;
mod scope;
mod session;
mod signs;
mod simplify;
mod skewness;
mod straight;
mod terms;
mod validation;

pub use chain::replaced;
pub use closed::{Closed, Options, Statistics};
pub use cost::Cost;
pub use derivation::{Derivation, Premise, Step};
pub use grounds::{Basis, Status};
pub use law_moments::Moments;
pub use path_proof::{LONGEST_PATH, Piece, longest_path_proof};
pub use probe::{Application, Ensured, Probe};
pub use regimes::{Crossing, MOST_REGIMES, Regime, Regimes, TooManyRegimes};
pub use relaxation::Side;
pub use rule::{Body, Form, Kind, Rule};
pub use rulebase::{RuleBase, RuleFiles};
pub use saturation::Stop;
pub use session::{PointByName, Refuted};
pub use simplify::Simplifier;
pub use terms::{Terms, bases, degree, with_bases};

/// The resource array that exists in every model; `unitvec(k)` and `[..]` refer to it.
pub const DEFAULT_ARRAY: &str = "fcfs";

#[cfg(test)]
mod tests;
