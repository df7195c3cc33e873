//! Batches of whole and of other numbers against exact evaluation: the same bits, or not a number.

use super::read;
use super::value_at;
use crate::eval::certified::{Batch, LANES, Program};
use crate::eval::{Bindings, Value};
use crate::expr::Arena;
use crate::ring::Rational;

const FORMULAS: [&str; 21] = [
    "a + b",
    "a - b",
    "a * b",
    "a / b",
    "floor(a / b)",
    "ceil(a / b)",
    "a div b + a mod b",
    "a mod b",
    "max(a, b) * min(a, b)",
    "abs(a) - b",
    "if (a < b) a * a else b - a",
    "(a <= b) + 2 * (a == b)",
    "a * (a + 1) / 2 - b",
    "(a * a + b) / 3",
    "floor(a / 3 + b / 7)",
    "integer(a / b) + integer(a)",
    "a ^ 3 - b ^ 2",
    "floor(a / b) * b + a mod b - a",
    "floor(log(a) / log(b))",
    "ceil(log(a) / log(b)) + 2 ^ ceil(log(a) / log(2))",
    "integer(log(a) / log(b)) + b",
];

const SMALL: [f64; 10] = [0.0, 1.0, 2.0, 3.0, 7.0, 10.0, 243.0, 65_537.0, -1.0, -12.0];
const LIMIT: f64 = 9_007_199_254_740_992.0;
const GREAT: [f64; 8] = [
    LIMIT,
    LIMIT - 1.0,
    LIMIT + 2.0,
    1.0 - LIMIT,
    94_906_267.0,
    3e15,
    6_004_799_503_160_661.0,
    1e300,
];
const BROKEN: [f64; 5] = [0.5, -0.25, 0.1, 1e-300, 2.5e15 + 0.5];

pub(super) fn exact(text: &str, a: f64, b: f64) -> Option<f64> {
    let number = |value: f64| Value::from(Rational::from_f64(value).expect("it is finite"));
    let bindings = Bindings::from([("a".into(), number(a)), ("b".into(), number(b))]);
    match value_at(text, &bindings).ok()?.settled(|| None) {
        Value::Scalar(number) => Some(number.to_f64()),
        _ => None,
    }
}

/// The values at all pairs, in as few batches as there can be.
pub(super) fn batches(text: &str, numbers: &[f64]) -> Vec<(f64, f64, f64)> {
    let mut arena = Arena::new();
    let root = read(&mut arena, text);
    let mut compiler = Program::compiler(&arena, &["a", "b"]);
    compiler.add(root).expect("it compiles");
    let program = compiler.finish();
    let pairs = numbers
        .iter()
        .flat_map(|&a| numbers.iter().map(move |&b| (a, b)));
    let pairs: Vec<(f64, f64)> = pairs.collect();
    let mut scratch = program.scratch();
    let mut found = Vec::new();
    for part in pairs.chunks(LANES) {
        let (a, b): (Vec<f64>, Vec<f64>) = part.iter().copied().unzip();
        let mut values = vec![0.0; part.len()];
        let columns = [Batch::Exact(&a), Batch::Exact(&b)];
        program.evaluate(&columns, part.len(), &mut scratch, &mut [&mut values]);
        found.extend(
            part.iter()
                .zip(values)
                .map(|(&(a, b), value)| (a, b, value)),
        );
    }
    found
}

#[test]
fn small_whole_numbers_are_always_known() {
    for text in FORMULAS {
        for (a, b, value) in batches(text, &SMALL) {
            match exact(text, a, b) {
                Some(exact) => assert_eq!(value.to_bits(), exact.to_bits(), "{text} at {a}, {b}"),
                None => assert!(value.is_nan(), "{text} at {a}, {b} is {value}"),
            }
        }
    }
}

#[test]
fn great_and_broken_numbers_beside_them_are_right_or_unknown() {
    let beside = [&SMALL[..], &GREAT].concat();
    let all = [&beside[..], &BROKEN].concat();
    for text in FORMULAS {
        let mut known = 0;
        for (a, b, value) in [batches(text, &beside), batches(text, &all)].concat() {
            if value.is_nan() {
                continue;
            }
            known += 1;
            let exact = exact(text, a, b);
            let exact = exact.unwrap_or_else(|| panic!("{text} is {value} at {a}, {b}"));
            assert_eq!(value.to_bits(), exact.to_bits(), "{text} at {a}, {b}");
        }
        assert!(known > 40, "{text}: {known}");
    }
}

/// A column after a column of other numbers, in the same registers.
#[test]
fn registers_forget_what_they_held() {
    let text = "floor(a / b) * 2 + a * b";
    let mut arena = Arena::new();
    let root = read(&mut arena, text);
    let mut compiler = Program::compiler(&arena, &["a", "b"]);
    compiler.add(root).expect("it compiles");
    let program = compiler.finish();
    let mut scratch = program.scratch();
    for (a, b) in [
        (7.0, 2.0),
        (0.1, 0.7),
        (9.0, 4.0),
        (LIMIT, 3.0),
        (5.0, 5.0),
        (0.3, 4.0),
    ] {
        let columns = [vec![a; 3], vec![b; 3]];
        let batches = [Batch::Exact(&columns[0]), Batch::Exact(&columns[1])];
        let mut values = [0.0; 3];
        program.evaluate(&batches, 3, &mut scratch, &mut [&mut values]);
        let exact = exact(text, a, b).expect("it has a value");
        assert_eq!(values, [exact; 3], "at {a}, {b}");
    }
}
