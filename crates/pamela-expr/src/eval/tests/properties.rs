use proptest::prelude::*;

use super::random::{PARAMETERS, scalar, values};
use super::{Bindings, bindings, read};
use crate::eval::{Column, EvalError, Limits, Program, Value, evaluate};
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
    fn a_program_computes_the_exact_value_nearly(
        text in scalar(3, 0, false), values in values()
    ) {
        // Doubles cannot tell on which side of a step a fraction such as 1/3 lies.
        prop_assume!(!["floor", "ceil", "div", "mod", "integer", "=", "<", ">"]
            .iter().any(|step| text.contains(step)));
        let mut arena = Arena::new();
        let root = read(&mut arena, &text);
        let bindings = point(&values);
        let program = Program::compile(&arena, root, &PARAMETERS).expect("closed and scalar");
        let number = |name| match &bindings[name] {
            Value::Scalar(number) => number.to_f64(),
            Value::Vector(_) | Value::Law(_) => f64::NAN,
        };
        let columns = PARAMETERS.map(|name| Column::Constant(number(name)));
        let mut result = [0.0];
        program.evaluate(&columns, &mut result);
        match outcome(&arena, root, &bindings) {
            Some(Ok(Value::Scalar(exact))) => {
                let exact = exact.to_f64();
                // Cancellation may cost more than a few last places, and a pole may be missed.
                let near = (result[0] - exact).abs() <= 1e-9 * (1.0 + exact.abs());
                prop_assert!(near || !result[0].is_finite() || result[0].abs() > 1e9,
                    "{} instead of {} for {} at {:?}", result[0], exact, text, bindings);
            }
            Some(_) => prop_assert!(result[0].is_nan() || result[0].abs() > 1e9,
                "{} where {} is undefined at {:?}", result[0], text, bindings),
            None => {}
        }
    }
}
