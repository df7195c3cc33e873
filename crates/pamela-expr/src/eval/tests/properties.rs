use proptest::prelude::*;

use super::random::{PARAMETERS, scalar, values};
use super::{Bindings, bindings, read};
use crate::eval::certified::{Batch, CertifiedDouble, Program};
use crate::eval::{EvalError, Limits, Value, evaluate};
use crate::expr::{Arena, ExprId};

fn point(values: &[&str]) -> Bindings {
    let named: Vec<_> = PARAMETERS
        .iter()
        .copied()
        .zip(values.iter().copied())
        .collect();
    bindings(&named)
}

/// The value, or that there is none; what is undefined may be found out in any order.
fn outcome(arena: &Arena, id: ExprId, bindings: &Bindings) -> Option<Result<Value, ()>> {
    match evaluate(arena, id, bindings, Limits { steps: 20_000 }) {
        Ok(value) => Some(Ok(value)),
        Err(EvalError::Undefined(_) | EvalError::NotFinite) => Some(Err(())),
        Err(_) => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn a_program_has_the_bits_of_the_exact_value_or_says_that_it_does_not_know(
        text in scalar(3, 0, false), values in values()
    ) {
        let mut arena = Arena::new();
        let root = read(&mut arena, &text);
        let bindings = point(&values);
        let mut compiler = Program::compiler(&arena, &PARAMETERS);
        // What is irrational is left to exact evaluation.
        prop_assume!(compiler.add(root).is_ok());
        let program = compiler.finish();
        let columns = PARAMETERS.map(|name| match &bindings[name] {
            Value::Scalar(number) => number.as_exact().map(CertifiedDouble::of),
            Value::Vector(_) | Value::Law(_) => None,
        });
        let columns = columns.map(|value| Batch::Constant(value.expect("a rational")));
        let mut result = [0.0];
        program.evaluate(&columns, 1, &mut program.scratch(), &mut [&mut result]);
        match outcome(&arena, root, &bindings) {
            Some(Ok(Value::Scalar(exact))) => {
                let exact = exact.to_f64();
                prop_assert!(result[0].is_nan() || result[0].to_bits() == exact.to_bits(),
                    "{} instead of {} for {} at {:?}", result[0], exact, text, bindings);
            }
            Some(_) => prop_assert!(result[0].is_nan(),
                "{} where {} is undefined at {:?}", result[0], text, bindings),
            None => {}
        }
    }
}
