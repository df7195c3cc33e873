use super::read;
use crate::eval::{Column, Program, Unsupported};
use crate::expr::Arena;

fn compile(text: &str, parameters: &[&str]) -> Result<Program, Unsupported> {
    let mut arena = Arena::new();
    let root = read(&mut arena, text);
    Program::compile(&arena, root, parameters)
}

fn at(text: &str, x: f64) -> f64 {
    let program = compile(text, &["x"]).expect("closed and scalar");
    let mut result = [0.0];
    assert_eq!(program.evaluate(&[Column::Values(&[x])], &mut result), 1);
    result[0]
}

#[test]
fn a_batch_of_any_length_is_computed_point_by_point() {
    let program = compile("max(10.1 * N, 0.1 * N * P)", &["N", "P"]).expect("closed");
    for length in [0, 1, 511, 512, 513, 2000] {
        let n: Vec<f64> = (0..length).map(|k| k as f64).collect();
        let p: Vec<f64> = (0..length).map(|k| ((k * 7) % 300) as f64).collect();
        let mut results = vec![-1.0; length];
        let columns = [Column::Values(&n), Column::Values(&p)];
        assert_eq!(program.evaluate(&columns, &mut results), length);
        for k in 0..length {
            assert_eq!(results[k], (10.1 * n[k]).max(0.1 * n[k] * p[k]));
        }
    }
}

#[test]
fn floors_are_those_of_the_exact_value() {
    for (x, expected) in [
        (0.0, 0.0),
        (0.5, 0.0),
        (-0.5, -1.0),
        (1.5, 1.0),
        (2.5, 2.0),
        (-2.5, -3.0),
        (4_503_599_627_370_495.5, 4_503_599_627_370_495.0),
        (-4_503_599_627_370_495.5, -4_503_599_627_370_496.0),
        (1e300, 1e300),
    ] {
        assert_eq!(at("floor(x)", x), expected, "{x}");
    }
    assert_eq!(at("floor(x / 3)", 3.0), 1.0);
    assert_eq!(at("x div 0.1", 0.3), 3.0);
    assert_eq!(at("ceil(x / 7)", 21.0), 3.0);
    assert_eq!(at("x mod 3", -1.0), 2.0);
}

#[test]
fn special_functions_are_those_of_the_exact_value() {
    assert_eq!(at("fact(x)", 10.0), 3_628_800.0);
    assert!((at("H(x)", 4.0) - 25.0 / 12.0).abs() < 1e-15);
    assert_eq!(at("H(x, 2)", 0.0), 0.0);
    assert!((at("lgamma(x)", 5.0) - 24f64.ln()).abs() < 1e-15);
    // A rounded third would turn 9/3 into less than 3.
    assert_eq!(at("fact(x / 3)", 9.0), 6.0);
}

#[test]
fn logarithms_and_roots_of_exact_powers_are_whole_in_columns() {
    for base in 2i64..=13 {
        for power in 1..=14u32 {
            let x = base.pow(power) as f64;
            let log = format!("log(x) / log({base})");
            assert_eq!(at(&log, x), f64::from(power), "{log} at {x}");
            assert_eq!(at(&format!("floor({log})"), x), f64::from(power));
            assert_eq!(at(&format!("ceil({log})"), x + 1.0), f64::from(power) + 1.0);
            let root = format!("floor(x^(1/{power}))");
            assert_eq!(at(&root, x), base as f64, "{root} at {x}");
        }
    }
    assert_eq!(at("log2(x)", 0.125), -3.0);
    assert_eq!(at("cbrt(x)", 3.375), 1.5);
    assert_eq!(at("x^(2/3)", 8.0), 4.0);
    assert!(at("log(5, x)", 1.0).is_nan() && at("log2(x)", 0.0).is_nan());
}

#[test]
fn what_is_undefined_is_not_a_number() {
    for (text, x) in [
        ("1 / x", 0.0),
        ("max(5, 1 / x)", 0.0),
        ("max(1 / x, 5)", 0.0),
        ("min(1 / x, 5)", 0.0),
        ("1 / (1 / x + 1)", 0.0),
        ("(1 / x) <= 5", 0.0),
        ("x mod x", -1.0),
        ("log(x)", 0.0),
        ("sqrt(x)", -1.0),
        ("H(x)", -1.0),
        ("H(x, 3)", 0.5),
        ("fact(x)", 1.5),
        ("lgamma(x)", 0.0),
        ("x^(x - 1)", 0.0),
        ("x^0.5", -1.0),
    ] {
        assert!(at(text, x).is_nan(), "{text} at {x}");
    }
    assert_eq!(at("if (x == 0) 7 else 1 / x", 0.0), 7.0);
    assert_eq!(at("x^0.5", 4.0), 2.0);
    assert_eq!(at("x^x", 0.0), 1.0);
}

#[test]
fn shared_expressions_are_computed_once() {
    let program = compile("floor(x + 1)^2 + floor(x + 1)", &["x"]).expect("closed");
    // x + 1, floor, the square and the sum at once.
    assert_eq!(program.len(), 3);
}

#[test]
fn two_operations_at_once_round_as_one_by_one_does() {
    let (x, y, z) = (0.1, -3.7, 11.3);
    for (text, value) in [
        ("x * y + z", x * y + z),
        ("z - x * y", z - x * y),
        ("x * y - z", x * y - z),
        ("(x + y) * z", (x + y) * z),
        ("(x - y) * z", (x - y) * z),
        ("(x + 1) * z", (x + 1.0) * z),
        ("x * y + 2", x * y + 2.0),
        ("3 * x + z", 3.0 * x + z),
        ("3 * x + 2", 3.0 * x + 2.0),
    ] {
        let program = compile(text, &["x", "y", "z"]).expect("closed");
        let columns = [x, y, z].map(|value| [value; 5]);
        let columns = columns.each_ref().map(|column| Column::Values(column));
        let mut results = [0.0; 5];
        assert_eq!(program.evaluate(&columns, &mut results), 5);
        assert_eq!((program.len(), results), (1, [value; 5]), "{text}");
    }
}

#[test]
fn only_closed_scalars_over_known_columns_compile() {
    let open = compile("sum (i = 1, x) { floor(i / 2) }", &["x"]);
    assert_eq!(open.err(), Some(Unsupported::OpenReduction));
    assert_eq!(compile("[x]", &["x"]).err(), Some(Unsupported::Vector));
    let unbound = compile("x + y", &["x"]);
    assert_eq!(unbound.err(), Some(Unsupported::Unbound("y".into())));
}
