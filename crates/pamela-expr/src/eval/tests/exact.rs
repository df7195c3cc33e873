use super::{Bindings, bindings, value_at};
use crate::eval::{EvalError, Number, Real, Value};

fn is(text: &str, expected: &str) {
    let bindings = bindings(&[("N", "7"), ("P", "3"), ("x", "-1/2"), ("z", "0")]);
    match value_at(text, &bindings) {
        Ok(Value::Scalar(number)) => assert_eq!(number.to_string(), expected, "{text}"),
        other => panic!("{text}: {other:?}"),
    }
}

fn undefined(text: &str) {
    let bindings = bindings(&[("N", "7"), ("x", "-1/2"), ("z", "0")]);
    let value = value_at(text, &bindings);
    assert!(
        matches!(value, Err(EvalError::Undefined(_))),
        "{text}: {value:?}"
    );
}

/// The number of iterations is not counted as steps where they are all the same.
#[test]
fn what_is_the_same_in_each_iteration_is_taken_once() {
    is(
        "sum (i = 1, 10^30) { x / 5 }",
        "-100000000000000000000000000000",
    );
    is("max (i = 2, 10^30) { x }", "-0.5");
    is("min (i = z, 10^30) { N }", "7");
    is(
        "max(sum (i = 1, 10^12) { 2 * unitvec(P) + unitvec(N) })",
        "2000000000000",
    );
    is("sum (i = 3, 2) { 1 / z }", "0");
    is("max (i = 3, 2) { N }", "0");
    is("prod (i = 1, 3) { P }", "27");
    undefined("sum (i = 1, 2) { 1 / z }");
}

#[test]
fn arithmetic_is_exact() {
    is("10.1 * N", "70.7");
    is("N / P", "7/3");
    is("N div P", "2");
    is("x div P", "-1");
    is("x mod P", "2.5");
    is("P^N", "2187");
    is("P^(-2)", "1/9");
    is("z^z", "1");
    is("ceil(N / P) + floor(x) + abs(x)", "2.5");
    is("max(N, P, x) - min(N, P, x)", "7.5");
    is("integer(N) + integer(x)", "1");
    is("(N < P) + 2 * (P <= P) + 4 * (x == x)", "6");
    is("if (z == 0) N else 1 / z", "7");
    is("sqrt(N + 2) + log(z + 1) + exp(z)", "4");
    is("sqrt(N + 1/9 + 17/9)", "3");
}

#[test]
fn irrational_functions_give_doubles() {
    is("sqrt(P - 1)", "1.4142135623730951");
    is("exp(1 + z)", "2.718281828459045");
    is("(P - 1)^0.5 * (P - 1)^0.5", "2");
}

#[test]
fn special_functions_are_exact_where_that_is_short() {
    is("H(N)", "363/140");
    is("H(P, 2)", "49/36");
    is("H(z) + fact(z)", "1");
    is("fact(N)", "5040");
    is("lgamma(z + 1) + lgamma(P - 1)", "0");
    is("fact(10 * N) / fact(10 * N - 2)", "4830");
    is("floorsum(N, P, 2, z)", "12");
    is("floorsum(z, P, N, N) + floorsum(P, N, -1, z, 1, 2)", "3");
}

#[test]
fn special_functions_have_their_limits() {
    let euler = "H(n) - log(n) - 1 / (2 * n) + 1 / (12 * n^2)";
    let cases = [
        (euler, 0.577_215_664_901_532_9),
        ("exp(lgamma(0.5))^2", std::f64::consts::PI),
    ];
    let point = bindings(&[("n", "7000")]);
    for (text, expected) in cases {
        match value_at(text, &point) {
            Ok(Value::Scalar(Number::Real(Real { value, .. }))) => {
                assert!((value - expected).abs() < 1e-14, "{text}: {value}")
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn special_functions_are_undefined_outside_their_domains() {
    for text in [
        "H(-N)",
        "H(x)",
        "fact(x)",
        "fact(-N)",
        "lgamma(z)",
        "lgamma(x)",
        "floorsum(-N, 3, 1, 1)",
        "floorsum(N, z, 1, 1)",
        "floorsum(N, 3, x, 1)",
        "floorsum(N, 3, 1, 1, N)",
    ] {
        undefined(text);
    }
    let point = bindings(&[("N", "70000")]);
    assert_eq!(value_at("fact(N)", &point), Err(EvalError::TooLarge));
}

#[test]
fn reductions_loop() {
    is("sum (i = 1, N) { i }", "28");
    is("sum (i = x, 2) { i }", "1.5");
    is("prod (i = 1, 4) { i }", "24");
    is("max (i = -3, -1) { i }", "-1");
    is("min (i = 1, N) { (i - P)^2 }", "0");
    is("kth (2 of i = 1, 4) { -i }", "-3");
    is("sum (i = 1, N) { sum (j = i, N) { j } }", "140");
}

#[test]
fn empty_reductions() {
    is("sum (i = 1, z) { i }", "0");
    is("prod (i = 1, z) { i }", "1");
    is("max (i = 1, z) { i + 5 }", "0");
    is("min (i = 1, z) { i + 5 }", "0");
    is("kth (1 of i = 1, z) { i }", "0");
}

#[test]
fn vectors_add_scale_and_have_a_largest_component_that_is_not_below_0() {
    is("max(2 * unitvec(3) + 5 * unitvec(1))", "5");
    is("max(2 * unitvec(3) + 2 * unitvec(3))", "4");
    is("max([1, 2, 3] * 4)", "12");
    is("max([-1, -2])", "0");
    is("max(-1 * unitvec(1))", "0");
    is("max(-1 * unitvec(0))", "0");
    is("max(sum (i = 0, N) { unitvec(i mod P) })", "3");
    is("max(sum (i = 1, z) { unitvec(i) })", "0");
    is("max(unitvec(0) + unitvec(disk, 0))", "1");
}

#[test]
fn undefined_operations_are_errors() {
    undefined("1 / z");
    undefined("z * (1 / z)");
    undefined("N mod z");
    undefined("N mod x");
    undefined("z^(-1)");
    undefined("x^0.5");
    undefined("log(z)");
    undefined("sqrt(x)");
    undefined("kth (9 of i = 1, N) { i }");
    let beyond = value_at("exp(10^9)", &Bindings::new());
    assert_eq!(beyond, Err(EvalError::NotFinite));
}

#[test]
fn evaluation_is_limited() {
    let none = Bindings::new();
    let steps = value_at("sum (i = 1, 10^15) { 1 / i }", &none);
    assert_eq!(steps, Err(EvalError::TooManySteps(100_000)));
    let values = bindings(&[("N", "3")]);
    assert_eq!(value_at("N^(9^9)", &values), Err(EvalError::TooLarge));
    let unbound = value_at("N + 1", &none);
    assert_eq!(unbound, Err(EvalError::Unbound("N".into())));
}

#[test]
fn a_vector_with_small_indices_is_a_list() {
    let Ok(Value::Vector(vector)) = value_at("10 * unitvec(3)", &Bindings::new()) else {
        panic!("a vector")
    };
    let texts = |list: Vec<Number>| list.iter().map(Number::to_string).collect::<Vec<_>>();
    assert_eq!(
        vector.as_list("fcfs", 10).map(texts).unwrap_or_default(),
        ["0", "0", "0", "10"]
    );
    assert_eq!(vector.as_list("fcfs", 3), None);
    assert_eq!(vector.as_list("disk", 10), None);
}

#[test]
fn a_number_is_written_so_that_it_reads_back() {
    for (text, expected) in [
        ("100000000", "100000000"),
        ("1/3", "1/3"),
        ("1/8", "0.125"),
        ("(1/3)^40", "8.225263339969959e-20"),
        ("sqrt(2) * 10^20", "1.4142135623730951e20"),
    ] {
        let Ok(Value::Scalar(number)) = value_at(text, &Bindings::new()) else {
            panic!("{text}")
        };
        let written = number.to_string();
        assert_eq!(written, expected);
        let Ok(Value::Scalar(again)) = value_at(&written, &Bindings::new()) else {
            panic!("{written}")
        };
        assert_eq!(again.to_f64(), number.to_f64(), "{text}");
    }
}

#[test]
fn what_cancels_by_an_identity_is_exact() {
    for (text, expected) in [
        ("(10 ^ 33.5) / 2 + 10 ^ 33.5 / 3 - 5 * 10 ^ 33.5 / 6", "0"),
        ("exp(log(1 + N * 0.1)) - 1.7", "0"),
        ("sqrt(2) ^ 2 - 2", "0"),
        ("3 ^ sqrt(2) * 3 ^ (2 - sqrt(2)) - 9", "0"),
        ("(sqrt(2) * 5) mod sqrt(2)", "0"),
        ("((sqrt(2) * 5.25) mod sqrt(2)) / sqrt(2)", "0.25"),
        ("log(N ^ 5) / log(N)", "5"),
        ("sum (i = 1, log(1000) / log(10)) { i }", "6"),
        ("sum (i = sqrt(2), 3 + sqrt(2)) { i } - 4 * sqrt(2)", "6"),
    ] {
        is(text, expected);
    }
}

#[test]
fn what_is_not_decided_has_no_value() {
    let none = Bindings::new();
    let pi = "exp(2 * lgamma(1/2))";
    let same = format!("{pi} == 4 * exp(2 * lgamma(3/2))");
    assert!(matches!(
        value_at(&same, &none),
        Err(EvalError::Undecided(_))
    ));
}

#[test]
fn what_cancels_has_lost_its_digits() {
    let bindings = bindings(&[("N", "7")]);
    let real = |text: &str| match value_at(text, &bindings) {
        Ok(Value::Scalar(Number::Real(real))) => real,
        other => panic!("{text}: {other:?}"),
    };
    // The slope of each function carries the error of its operand on.
    for text in [
        "lgamma(sqrt(2) + 1) - lgamma(sqrt(2)) - log(2) / 2",
        "log(lgamma(5.5)) - log(2 * lgamma(5.5)) + log(2)",
        "exp(lgamma(1/2)) / exp(lgamma(3/2)) - 2",
    ] {
        let value = real(text);
        assert!(value.value.abs() <= value.error, "{text}: {value:?}");
        assert!(value.error < 4e-14 && value.is_lost(), "{text}: {value:?}");
    }
    assert!(!real("exp(1) + sqrt(2) * log(N)").is_lost());
}
