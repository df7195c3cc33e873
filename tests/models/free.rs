//! Closed forms of free expressions equal their definition: `PAMELA_FREE=20000 cargo test --release --test all models::free`
//! tries as many as you like.
//!
//! The expected values are those of the definitional evaluator, which loops and shares no code with the engine.

use pamela_lab::study::free::free;

use crate::selection::number_from;

/// Models that are tried where nothing else is asked for.
const FEW: u64 = 120;

#[test]
fn free_expressions_equal_their_definition_at_boundaries_too() {
    let rules = pamela::rules::standard().expect("the library's rules compile");
    let models = number_from("PAMELA_FREE", FEW);
    let found = free(&rules, models, number_from("PAMELA_SEED", 0), &|_| {});
    assert!(found.differences.is_empty(), "{found}");
    assert_eq!(found.models as u64, models);
    if models >= FEW {
        // Most points satisfy the facts, and a third of them lie where two operands are equal.
        assert!(found.compared as u64 >= 15 * models, "{found}");
        assert!(found.boundary * 3 >= found.compared, "{found}");
        assert!(found.open * 2 < found.models, "{found}");
    }
}
