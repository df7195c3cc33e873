//! Steps and comparisons of logarithms, roots and powers equal what integer arithmetic counts, at exact
//! powers and next to them: by the definition, by the closed form, and before simplification.

use std::collections::BTreeMap;

use pamela::eval::{Bindings, Limits, Value, evaluate};
use pamela::expr::Arena;
use pamela::model::Number;
use pamela::timing::lower;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::selection::number_from;

use super::support::{closed_forms, compare, definition, read};

/// How many points are tried where nothing else is asked for.
const FEW: u64 = 300;

/// A function of logarithms or roots of `x`, to the base or of the order `b`, beside what it is by counting.
const FACTS: [(&str, &str); 16] = [
    ("floor(log(x) / log(b))", "sum (k = 1, 64) { b^k <= x }"),
    ("ceil(log(x, b))", "sum (k = 0, 64) { b^k < x }"),
    ("log(x) div log(b)", "sum (k = 1, 64) { b^k <= x }"),
    ("integer(log(x, b))", "max (k = 0, 64) { b^k == x }"),
    ("log(x) / log(b) >= 3", "x >= b^3"),
    ("log(x, b) == 5", "x == b^5"),
    ("if (log2(x) > 10) 1 else 2", "if (x > 1024) 1 else 2"),
    (
        "sum (i = 1, log(x, b)) { i }",
        "sum (i = 1, 64) { (b^i <= x) * i }",
    ),
    ("floor(x^(1/b))", "sum (k = 1, 1100) { k^b <= x }"),
    ("ceil(root(x, b))", "sum (k = 0, 1100) { k^b < x }"),
    ("integer(root(x, b))", "max (k = 1, 1100) { k^b == x }"),
    ("floor(-cbrt(x))", "-sum (k = 0, 1100) { k^3 < x }"),
    ("sqrt(b) * sqrt(x) == sqrt(b * x)", "1"),
    ("sqrt(x) + sqrt(b) <= sqrt(x + b + 1)", "4 * x * b <= 1"),
    (
        "7 mod (1 + floor(sqrt(x)))",
        "7 mod (1 + sum (k = 1, 1100) { k^2 <= x })",
    ),
    ("floor(exp(log(x) / 2) * sqrt(x))", "x"),
];

/// An exact power, or what is next to it.
fn point(random: &mut Pcg64) -> (i64, i64) {
    let base: i64 = random.random_range(2..=10);
    let powers = (1..=20).take_while(|n| base.pow(*n) <= 1_000_000);
    let highest = powers.count() as u32;
    let power = if random.random_bool(0.5) {
        base.pow(random.random_range(1..=highest))
    } else {
        // A power of that order.

        let largest = (1_000_000f64).powf(1.0 / base as f64) as i64;
        random.random_range(1..=largest).pow(base as u32)
    };
    let next = random.random_range(-1i64..=1);
    ((power + next).max(1), base)
}

fn bindings(x: i64, b: i64) -> BTreeMap<String, pamela::model::Value> {
    [("x", x), ("b", b)]
        .map(|(name, value)| (name.to_string(), value.into()))
        .into()
}

fn exact(value: &Result<pamela::model::Value, String>) -> Option<String> {
    match value {
        Ok(pamela::model::Value::Scalar(Number::Exact(value))) => Some(value.to_string()),
        _ => None,
    }
}

#[test]
fn steps_of_logarithms_and_roots_are_counted() {
    let parameters = "numeric parameter x : integer >= 1\nnumeric parameter b : integer >= 2\n";
    let cases = number_from("PAMELA_MODELS", FEW);
    let mut random = Pcg64::seed_from_u64(number_from("PAMELA_SEED", 12));
    for (inexact, counted) in FACTS {
        let text = format!("{parameters}numeric f = {inexact}\n");
        let model = read("inexact.pam", &format!("{text}numeric g = {counted}\n"));
        let closed = closed_forms("inexact.pam", &text).unwrap_or_else(|error| panic!("{error}"));
        let mut arena = Arena::new();
        let lowered = lower(&model, &mut arena).expect("the model is lowered");
        let f = lowered
            .equations
            .iter()
            .find(|e| e.name == "f")
            .expect("f")
            .expr;
        for _ in 0..cases / 4 {
            let (x, b) = point(&mut random);
            let place = bindings(x, b);
            let expected = exact(&definition(&model, "g", &place));
            assert!(expected.is_some(), "{counted} at {x}, {b}");
            let by_definition = definition(&model, "f", &place);
            assert_eq!(
                exact(&by_definition),
                expected,
                "{inexact} at x = {x}, b = {b}"
            );
            let values: Bindings = [("x", x), ("b", b)]
                .map(|(name, value)| (name.to_string(), Value::from(value)))
                .into();
            let value = match evaluate(&arena, f, &values, Limits::default()) {
                Ok(Value::Scalar(number)) => number.as_exact().map(ToString::to_string),
                other => panic!("{inexact} at x = {x}, b = {b}: {other:?}"),
            };
            assert_eq!(value, expected, "{inexact} at x = {x}, b = {b}");
            let comparison = compare("inexact.pam", &text, &closed, &[place]);
            assert_eq!(comparison.wrong, Vec::<String>::new(), "{inexact}");
        }
    }
}
