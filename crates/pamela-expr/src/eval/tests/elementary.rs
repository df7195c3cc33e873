//! Batches of irrational values against exact evaluation: the same bits, or not a number, which is rare.

use super::certified::{batches, exact};

/// Over whole and broken numbers above 0.
const FORMULAS: [&str; 14] = [
    "log(a)",
    "log(a + b) / log(2)",
    "sqrt(a * b) + a",
    "a ^ (1/3) - b",
    "(a + 1) ^ (3/2) / b",
    "a ^ (b / 100)",
    "exp(-a / b)",
    "a * b / (a + 1) + log(a) * sqrt(b) + exp(a / 1000)",
    "ceil(log(a) / log(2)) * b + b ^ (5/2) / a",
    "floor(sqrt(a)) + ceil(sqrt(b))",
    "max(sqrt(a), log(b)) + (log(a) < sqrt(b))",
    "2 ^ (a / 16) + (1 + 1 / a) ^ b",
    "H(ceil(a)) * b + log(a)",
    "fact(ceil(a / 10)) / b",
];

#[test]
fn values_are_the_nearest_doubles() {
    let numbers = [1.0, 2.0, 3.0, 7.0, 8.0, 10.0, 64.0, 243.0, 1000.0];
    let broken = [0.1, 0.5, 2.75, 1e-9, 17.3];
    let all = [&numbers[..], &broken].concat();
    let (mut unknown, mut count) = (0, 0);
    for text in FORMULAS {
        for (a, b, value) in batches(text, &all) {
            let exact = exact(text, a, b);
            count += 1;
            if value.is_nan() {
                unknown += 1;
                continue;
            }
            let exact = exact.unwrap_or_else(|| panic!("{text} is {value} at {a}, {b}"));
            assert_eq!(value.to_bits(), exact.to_bits(), "{text} at {a}, {b}");
        }
    }
    // Decisions about what is an integer by an identity are left to exact evaluation.
    assert!(unknown * 50 <= count, "{unknown} of {count} are unknown");
}

#[test]
fn what_is_not_defined_is_not_known() {
    for text in [
        "log(a)",
        "log(a - b)",
        "sqrt(a)",
        "a ^ (1/3)",
        "(a - b) ^ (-1/2)",
    ] {
        for (a, b, value) in batches(text, &[0.0, -1.0, -0.5, 2.0]) {
            let exact = exact(text, a, b);
            assert!(
                value.is_nan() || exact.is_some(),
                "{text} at {a}, {b} is {value}"
            );
        }
    }
}
