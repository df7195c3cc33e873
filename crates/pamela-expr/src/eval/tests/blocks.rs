//! Long ranges, which are evaluated by blocks, beside the same ones in parts that are short enough to be looped over.

use super::{Bindings, bindings, read};
use crate::eval::{Limits, Value, evaluate};
use crate::expr::Arena;

/// Bodies of all shapes that have pieces, and some that have none.
const BODIES: [&str; 32] = [
    "N div i",
    "i^2 * (N div i)",
    "(N + 3) div (2 * i + 1)",
    "ceil(N / i)",
    "floor(70000 / (10000.5 - i))",
    "floor(70000 / (i - 6000.5))",
    "(N - i) div 11",
    "floor(i / 3) * ceil((i + 1/2) / 500)",
    "i mod 700",
    "i * ((N - i) mod 900) - i^2",
    "(3 * i + 1/3) mod 500",
    "max(i^3, 300 * i + 5)",
    "max(i^2, 70 * i + 3, 5000)",
    "min(i^2 - 700 * i, 3 * i, 8 - i)",
    "max(i, 60 * ceil(i / 100))",
    "floor(sqrt(i))",
    "i * ceil(sqrt(2 * i + 3))",
    "floor(i^(1/3))",
    "if (i < 1700) i else floor(i / 300)",
    "if (i <= 4000) floor(log(4001 - i)) else 0",
    "abs(i - 1234)^2 * (i != 77)",
    "(i mod 1000 == 3) * i",
    "(i^2 - 3000 * i < 5) + (i^3 <= 8 * i^2) + (2 * i == 4000)",
    "max(i - 3, min(i, 2000) * (i > 100), (i - 2500)^3)",
    "(i^3 - 5000 * i^2 - 7) mod 9",
    "(N div i) / 2 + i / 3",
    "ceil(N / (2 * i + 1/2)) - (N div (7000 - i))",
    "max(2 * i, 9000 - i, 4000 + i / 3) + (7 * i + 2) div 3",
    "min(3 - i, i - 4000, ceil((5 - 2 * i) / 3)) * (i mod 7)",
    "((2 * i + 1) mod (7 / 2)) * (i div 400)",
    // Whole numbers that machine integers cannot hold, at once and in the end.
    "10^40 * i + (i div 3)",
    "10^33 * i^2 + (N div i)",
];

const STEPS: u64 = 2_000_000;

fn value(text: &str, bindings: &Bindings, steps: u64) -> String {
    let mut arena = Arena::new();
    let root = read(&mut arena, text);
    match evaluate(&arena, root, bindings, Limits { steps }) {
        Ok(Value::Scalar(number)) => number.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn blocks_have_the_values_of_loops() {
    let bindings = bindings(&[("N", "6000")]);
    for body in BODIES {
        for (kind, lower) in [
            ("sum", "1"),
            ("max", "1"),
            ("min", "1"),
            ("sum", "3/2"),
            ("max", "1/3"),
        ] {
            let whole = format!("{kind} (i = {lower}, {lower} + N - 1) {{ {body} }}");
            // Each part is far shorter than a range that is taken by blocks.
            let parts = format!(
                "{kind} (j = 0, 11) {{ {kind} (i = 500 * j + {lower}, 500 * j + {lower} + 499) {{ {body} }} }}"
            );
            let expected = value(&parts, &bindings, STEPS);
            assert_eq!(value(&whole, &bindings, STEPS), expected, "{whole}");
        }
    }
}

#[test]
fn what_has_no_value_at_one_index_has_none_in_a_block() {
    let bindings = bindings(&[("N", "6000")]);
    for body in ["1 / (i - 5000)", "floor(sqrt(4000 - i))", "N div (i - 30)"] {
        let text = format!("sum (i = 1, N) {{ {body} }}");
        let found = value(&text, &bindings, STEPS);
        assert!(found.starts_with("Err(Undefined"), "{text}: {found}");
    }
}

/// The divisors of all numbers up to a million, of which there are 13,970,034, and up to a billion, by Dirichlet; a cubic
/// passes a line between 31 and 32.
#[test]
fn long_ranges_take_few_steps() {
    let million = bindings(&[("N", "1000000")]);
    assert_eq!(
        value("sum (i = 1, N) { N div i }", &million, 20_000),
        "13970034"
    );
    let billion = bindings(&[("N", "1000000000")]);
    assert_eq!(
        value("sum (i = 1, N) { N div i }", &billion, 400_000),
        "20877697634"
    );
    let cubic = "sum (i = 1, N) { max(i^3, 1000 * i + 5) }";
    assert_eq!(
        value(cubic, &billion, 100),
        "250000000500000000250000000000250139"
    );
    assert_eq!(
        value(
            "max (i = 1, N) { 3 * i - i^2 + (i mod 1000000) }",
            &billion,
            50_000
        ),
        "4"
    );
}
