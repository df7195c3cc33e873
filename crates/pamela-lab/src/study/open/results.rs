//! Selects the equations of a simplified model that are separate results.

use crate::pipeline::{Simplified, SimplifiedEquation};
use crate::timing::Origin;

/// The requested results: neither parts nor bounds of others.
pub fn own_results(simplified: &Simplified) -> impl Iterator<Item = &SimplifiedEquation> {
    let own = |equation: &&SimplifiedEquation| {
        let bound = matches!(equation.origin, Origin::Least { .. } | Origin::Most { .. });
        !equation.auxiliary && equation.formals.is_empty() && !bound
    };
    simplified.equations.iter().filter(own)
}
