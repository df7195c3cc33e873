//! Exact algebra without expressions: rationals, Laurent polynomials over opaque atoms, sums of
//! series, and a prover of `p >= 0`.
//!
//! It does not know models, expressions or e-graphs. Callers map their terms to [`Atom`]s.

mod answers;
mod common;
mod context;
mod convert;
mod counterexample;
mod division;
mod divisors;
mod fact;
mod factors;
mod facts;
mod floor_sums;
mod fractions;
mod integrality;
mod large;
mod modular;
mod monomial;
mod operators;
mod polynomial;
mod prover;
mod rational;
mod replacement;
mod series;
mod signs;
mod store;
mod univariate;

pub use answers::Answers;
pub use convert::DecimalError;
pub use fact::Relation;
pub use factors::LinearFactors;
pub use facts::Facts;
pub use fractions::{Fraction, PartialFractions};
pub use modular::{PRIME, quotient_of, residue_of, value_at};
pub use monomial::{Atom, Monomial};
pub use polynomial::{CompletedSquare, Polynomial};
pub use rational::Rational;
pub use series::{
    Blocks, antidifference, geometric_antidifference, power_sum, sum_blocks, sum_geometric,
    sum_polynomial,
};
pub use univariate::Univariate;

#[cfg(test)]
mod tests;
