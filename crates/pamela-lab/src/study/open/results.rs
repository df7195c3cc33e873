//! Which equations of a simplified model are results of its own.

use crate::pipeline::{Simplified, SimplifiedEquation};

/// The results that are asked for: neither parts nor bounds of others.
pub fn own_results(simplified: &Simplified) -> impl Iterator<Item = &SimplifiedEquation> {
    let named = |name: String| simplified.equation(&name).is_some();
    let own = move |equation: &&SimplifiedEquation| {
        let name = &equation.name;
        let bound = ["lower_", "upper_"].iter().any(|side| {
            name.strip_prefix(side)
                .is_some_and(|of| named(of.to_string()))
        });
        !equation.auxiliary && equation.formals.is_empty() && !bound
    };
    simplified.equations.iter().filter(own)
}
