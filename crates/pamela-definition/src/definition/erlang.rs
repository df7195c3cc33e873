//! Erlang's formulas, by their recursion over servers.

use super::fraction::Fraction;
use super::number::{Fault, Number};
use crate::real::Real;

/// Servers up to which the recursion is exact.
const MOST_EXACT: u64 = 100;
/// Servers up to which it is evaluated.
const MOST_SERVERS: u64 = 10_000_000;

/// The share of requests that find all servers busy, where these are lost: `1/B(c) = 1 + c/a/B(c-1)`.
pub(super) fn loss(servers: &Number, load: &Number) -> Result<Number, Fault> {
    let count = servers.as_exact().and_then(Fraction::to_u64);
    let count = count.filter(|count| *count <= MOST_SERVERS);
    let count = count.ok_or_else(|| {
        format!("{servers} servers, expected a whole number from 0 to {MOST_SERVERS}")
    })?;
    if load.order(&Number::zero()).is_le() {
        return Err(format!(
            "the load of {count} servers is {load}, expected a number above 0"
        ));
    }
    if count <= MOST_EXACT {
        let mut inverse = Number::one();
        for k in 1..=count {
            let next = inverse.multiply(&Number::from(k as i64))?.divide(load)?;
            inverse = next.add(&Number::one())?;
        }
        return Number::one().divide(&inverse);
    }
    let load = load.to_f64();
    let mut share = 1.0;
    for k in 1..=count {
        share = load * share / (k as f64 + load * share);
    }
    // Each step keeps at most half of the error before it where servers are many, and adds three roundings.
    let error = share * 1e-13;
    Real::within(share, error)
        .map(Number::Real)
        .map_err(|e| e.to_string())
}

/// The share of requests that find all servers busy, where these wait: `B/(1 - a/c*(1 - B))`.
pub(super) fn wait(servers: &Number, load: &Number) -> Result<Number, Fault> {
    if servers.order(load).is_le() {
        return Err(format!(
            "the load {load} of {servers} servers is not below their number"
        ));
    }
    let loss = loss(servers, load)?;
    let busy = load.divide(servers)?;
    let below = busy.multiply(&loss.complement()?)?.complement()?;
    loss.divide(&below)
}
