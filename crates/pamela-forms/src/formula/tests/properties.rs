//! What is printed and what is presented has the value of what it was made of.

use std::sync::Arc;

use proptest::prelude::*;

use super::random::{PARAMETERS, scalar, values};
use super::{Formula, read};
use crate::eval::{Bindings, EvalError, Limits, Value, evaluate};
use crate::expr::{Arena, ExprId};
use crate::formula::present;

fn point(values: &[&str]) -> Bindings {
    let value = |text| {
        let mut arena = Arena::new();
        let root = read(&mut arena, text);
        evaluate(&arena, root, &Bindings::new(), Limits::default()).expect("a number")
    };
    let named = PARAMETERS.iter().zip(values);
    named
        .map(|(name, text)| (name.to_string(), value(text)))
        .collect()
}

/// The value, or that there is none; what is undefined may be found out in any order.
fn outcome(arena: &Arena, id: ExprId, bindings: &Bindings) -> Option<Result<Value, ()>> {
    match evaluate(arena, id, bindings, Limits { steps: 20_000 }) {
        Ok(value) => Some(Ok(value)),
        Err(EvalError::Undefined(_)) => Some(Err(())),
        Err(_) => None,
    }
}

/// The second is defined where the first is and has the same value, unless a limit is passed.
fn agree(arena: &Arena, a: ExprId, b: ExprId, bindings: &Bindings, text: &str) {
    let Some(Ok(expected)) = outcome(arena, a, bindings) else {
        return;
    };
    if let Some(value) = outcome(arena, b, bindings) {
        assert_eq!(Ok(expected), value, "{text} at {bindings:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back_with_the_same_value(
        text in scalar(3, 0, true), values in values()
    ) {
        let mut arena = Arena::new();
        let root = read(&mut arena, &text);
        let printed = Formula::new(Arc::new(arena.clone()), root, Vec::new()).pamela();
        let again = read(&mut arena, &printed);
        agree(&arena, root, again, &point(&values), &printed);
    }

    #[test]
    fn what_is_presented_has_the_same_value_and_is_no_heavier(
        text in scalar(4, 0, true), values in values()
    ) {
        let mut arena = Arena::new();
        let root = read(&mut arena, &text);
        let presented = present(&mut arena, root);
        agree(&arena, root, presented, &point(&values), &text);
        let twice = present(&mut arena, presented);
        agree(&arena, root, twice, &point(&values), &text);
    }
}
