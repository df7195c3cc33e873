//! Closed forms: every scope of an expression is saturated with the rules, innermost first.
//!
//! Terms -> facts -> patterns and builtins -> rule base -> scope (one e-graph) -> [`Simplifier`].

mod analysis;
mod application;
mod atoms;
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
mod facts;
mod functions;
mod grounds;
mod guards;
mod language;
mod law_moments;
mod mentions;
mod pattern;
mod pricing;
mod probe;
mod regimes;
mod rulebase;
mod scope;
mod session;
mod simplify;
mod terms;

pub use closed::{Closed, Options, Statistics};
pub use cost::Cost;
pub use derivation::{Derivation, Premise, Step};
pub use grounds::{Basis, Status};
pub use law_moments::Moments;
pub use probe::{Application, Ensured, Probe};
pub use regimes::{Crossing, Regime, Regimes};
pub use rulebase::{Body, Form, Kind, Rule, RuleBase};
pub use scope::Stop;
pub use simplify::Simplifier;

/// The resource array that exists in every model, and that `unitvec(k)` and `[..]` speak of.
pub const DEFAULT_ARRAY: &str = "fcfs";

#[cfg(test)]
mod tests;
