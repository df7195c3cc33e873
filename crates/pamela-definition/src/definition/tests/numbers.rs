use super::*;

/// `values! { name: expression => rational, ... }`: each expression has exactly this value.
macro_rules! values {
    ($($name:ident: $($expression:literal => $expected:literal),+;)*) => {$(
        #[test]
        fn $name() {
            $(assert_eq!(value($expression).map_err(|d| d.message), Ok(scalar($expected)), "{}", $expression);)+
        }
    )*};
}

values! {
    decimals_are_exact: "10.1 * 10" => "101", "0.1 + 0.2" => "3/10";
    products_group_from_the_left: "8 / 2 / 2" => "2", "7 div 2 * 3" => "9", "7 mod 4 / 2" => "3/2";
    div_floors: "7 div 2" => "3", "-7 div 2" => "-4", "7 div -2" => "-4", "7.5 div 0.5" => "15";
    mod_has_the_sign_of_the_modulus: "7 mod 3" => "1", "-7 mod 3" => "2", "7.5 mod 2" => "3/2";
    powers_are_exact: "2 ^ 10" => "1024", "2 ^ -2" => "1/4", "0 ^ 0" => "1", "(-1) ^ 3" => "-1", "1.5 ^ 2" => "9/4";
    huge_powers_of_one_are_one: "1 ^ 1000000000000" => "1", "(-1) ^ 1000000000001" => "-1";
    roots_of_squares_are_exact: "sqrt(9/4)" => "3/2", "log(1)" => "0", "exp(0)" => "1", "sqrt(0)" => "0";
    rounding_is_exact: "floor(-1/2)" => "-1", "ceil(-1/2)" => "0", "floor(sqrt(2))" => "1", "abs(-3)" => "3";
    integer_tells_integers: "integer(3)" => "1", "integer(1/2)" => "0", "integer(sqrt(2))" => "0";
    special_functions_are_exact:
        "H(4)" => "25/12", "H(0)" => "0", "H(3, 2)" => "49/36", "fact(5)" => "120", "fact(0)" => "1",
        "lgamma(1)" => "0", "lgamma(2)" => "0";
    floor_sums_are_added_up:
        "floorsum(5, 3, 2, 1)" => "7", "floorsum(0, 3, 2, 1)" => "0", "floorsum(4, 2, -1, 0)" => "-4",
        "floorsum(4, 3, 2, 0, 1)" => "8", "floorsum(4, 3, 2, 0, 1, 2)" => "14", "floorsum(3, 5, 1, 0, 0, 0)" => "3";
    comparisons_are_brackets: "(2 < 3) + (3 <= 3) + (3 > 4) + (1 == 1) + (1 != 1) + (2 >= 3)" => "3";
    reductions_over_their_range:
        "sum (i = 1, 4) { i }" => "10", "prod (i = 1, 4) { i }" => "24",
        "max (i = 1, 4) { i * (4 - i) }" => "4", "min (i = 1, 4) { i * (4 - i) }" => "0";
    reductions_over_nothing:
        "sum (i = 1, 0) { 1/0^i }" => "0", "prod (i = 1, 0) { i }" => "1",
        "max (i = 1, 0) { i - 5 }" => "0", "min (i = 1, 0) { 5 }" => "0", "kth (3 of i = 1, 0) { i }" => "0";
    fractional_bounds_step_by_one: "sum (i = 1/2, 3) { i }" => "9/2", "sum (i = 1, 2.9) { 1 }" => "2";
    kth_is_the_kth_smallest: "kth (2 of i = 1, 4) { (i - 3) ^ 2 }" => "1", "kth (4 of i = 1, 4) { (i - 3) ^ 2 }" => "4";
    bounds_are_outside_the_scope_of_the_index: "sum (i = 1, 3) { sum (i = i, i + 1) { i } }" => "15";
    a_true_condition_takes_one_branch: "if (1 < 2) 5 else 1 / (1 - 1^2)" => "5";
    a_weight_takes_both: "if (1/4) 8 else 4" => "5", "if (!(1/4)) 8 else 4" => "7";
    connectives_of_weights: "1/2 && 1/3" => "1/6", "1/2 || 1/3" => "2/3";
    connectives_of_truths_are_lazy: "1 > 2 && 1 / (2 - 2^1) > 0" => "0", "1 < 2 || 1 / (2 - 2^1) > 0" => "1";
    a_switch_takes_the_first_true_case: "switch { 1 > 2: 7, 2 > 1: 8, 3 > 1: 9 }" => "8";
    a_switch_weighs_probabilities: "switch { 1/2: 4, 1/4: 8, 1/4: 0 }" => "4";
    a_switch_may_end_with_a_certain_case: "switch { 1 > 2: 7, 1: 8 }" => "8";
    the_largest_component: "max([1, 5, 3])" => "5", "min([4, 5])" => "4", "max(0 * unitvec(0))" => "0",
        "max([-3, 0])" => "0", "max([-3, -2])" => "-2", "max(-3 * unitvec(0))" => "-3", "max(-3 * unitvec(1))" => "0";
    an_unset_component_counts_zero: "max(-1 * unitvec(3))" => "0", "max(-1 * unitvec(0))" => "-1", "min(unitvec(2))" => "0";
    unit_vectors_add_by_index: "max(unitvec(2) + unitvec(3) + unitvec(2))" => "2";
    arrays_are_apart: "max(unitvec(fcfs, 2) + unitvec(2) + 1)" => "3";
    an_empty_sum_has_the_components_of_its_body: "max(sum (i = 1, 0) { [i, 2] } + 5)" => "5",
        "max([-1] + sum (i = 1, 0) { [0, 0] })" => "0";
    a_component_that_is_0_counts:
        "min(2 * [1, 0])" => "0", "max(sum (i = 1, 2) { [-1, 0] })" => "0", "max([-1] - [1, 0])" => "0",
        "max(-1 * unitvec(0) + 0 * unitvec(1))" => "0", "max(if (1 < 2) [-1] else [-1, -1])" => "0";
    a_unit_vector_at_no_number_is_0_elsewhere:
        "max(-1 * unitvec(1 - 1))" => "0", "min(unitvec(1 - 1))" => "0", "max(sum (i = 0, 0) { -1 * unitvec(i) })" => "0",
        "max([-1] + 0 * unitvec(1 - 1))" => "0", "max([-1] + sum (i = 1, 0) { unitvec(i) })" => "0";
}

#[test]
fn vectors_scale_and_add_elementwise() {
    assert_eq!(value("[1, 2, 3] * 4"), Ok(list(&[4, 8, 12])));
    assert_eq!(value("10 * unitvec(3)"), Ok(list(&[0, 0, 0, 10])));
    assert_eq!(value("[1, 2] + [1, 1, 5]"), Ok(list(&[2, 3, 5])));
    assert_eq!(value("[1, 2] + 1"), Ok(list(&[2, 3])));
    assert_eq!(value("1 - unitvec(2)"), Ok(list(&[1, 1, 0])));
    assert_eq!(value("[1, 2, 3] * [2, 3]"), Ok(list(&[2, 6, 0])));
    assert_eq!(value("max([1, -2], [0, 0, -1])"), Ok(list(&[1, 0, 0])));
    assert_eq!(value("ceil([1.5, 2] / 2)"), Ok(list(&[1, 1])));
    assert!(value("unitvec(1 - 1) + 1").is_err());
}

#[test]
fn what_has_no_rational_value_is_real() {
    for (text, expected) in [
        ("sqrt(2)", 2f64.sqrt()),
        ("2 ^ 0.5 + 1", 2f64.sqrt() + 1.0),
        ("log2(3)", 3f64.log2()),
        ("cbrt(2)", 2f64.cbrt()),
    ] {
        match value(text) {
            Ok(Value::Scalar(Number::Real(real))) => {
                assert!((real.value - expected).abs() < 1e-15, "{text}: {real:?}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn rational_values_of_logarithms_and_roots_are_exact() {
    for (text, expected) in [
        ("log2(8)", 3),
        ("log(1000, 10)", 3),
        ("log(1000) / log(10)", 3),
        ("floor(log(1000) / log(10))", 3),
        ("ceil(log(2^29) / log(2))", 29),
        ("root(64, 3)", 4),
        ("8 * cbrt(27/8)", 12),
        ("floor(64^(1/3))", 4),
        ("ln(1)", 0),
        ("lgamma(4) / log(6)", 1),
        ("integer(log(8) / log(2))", 1),
        ("integer(log(9) / log(2))", 0),
        ("sqrt(2) * sqrt(7) == sqrt(14)", 1),
        ("sqrt(2) + sqrt(3) == sqrt(10)", 0),
        ("sqrt(2) + sqrt(3) < sqrt(10)", 1),
        ("log(1000) / log(10) >= 3", 1),
        ("sum (i = 1, log(1000) / log(10)) { i }", 6),
        ("sum (i = 1, 64^(1/3)) { i }", 10),
        ("7 mod (log(8) / log(2))", 1),
        ("7 div cbrt(8)", 3),
        ("(-sqrt(2))^20", 1024),
        ("max(log(1000) / log(10), 2)", 3),
        ("if (sqrt(2)^2 == 2) 5 else 6", 5),
    ] {
        assert_eq!(value(text), Ok(expected.into()), "{text}");
    }
}

#[test]
fn binomial_coefficients_count_subsets() {
    for (text, expected) in [
        ("binom(5, 2)", 10),
        ("binom(5, 0)", 1),
        ("binom(5, 5)", 1),
        ("binom(5, 6)", 0),
        ("binom(5, -1)", 0),
        ("binom(0, 0)", 1),
        ("binom(100000, 2)", 4_999_950_000),
    ] {
        assert_eq!(value(text), Ok(expected.into()), "{text}");
    }
    for text in ["binom(-1, 2)", "binom(5, 1/2)", "binom(9/2, 2)"] {
        assert!(value(text).is_err(), "{text}");
    }
}

#[test]
fn what_cannot_be_decided_is_an_error() {
    // Both are pi, of which no digits but those of a double are known.
    for text in [
        "exp(2 * lgamma(1/2)) == 4 * exp(2 * lgamma(3/2))",
        "floor(exp(2 * lgamma(1/2)) / (4 * exp(2 * lgamma(3/2))))",
    ] {
        assert!(value(text).is_err(), "{text}");
    }
    let Ok(Value::Scalar(largest)) = value("max(exp(2 * lgamma(1/2)), 4 * exp(2 * lgamma(3/2)))")
    else {
        panic!("a number");
    };
    assert!((largest.to_f64() - std::f64::consts::PI).abs() < 1e-14);
}

#[test]
fn what_is_undefined_is_an_error() {
    for (expression, message) in [
        ("1 / (2 - 2^1)", "division by zero"),
        ("1 mod (2 - 2^1)", "`mod` is only defined"),
        ("1 mod (2 - 3)", "`mod` is only defined"),
        ("floor(0.5) ^ -1", "zero has no negative power"),
        ("(-2) ^ 0.5", "no fractional power"),
        ("sqrt(-1)", "no square root"),
        ("log(0)", "logarithm"),
        ("exp(1000000)", "not a finite number"),
        ("2 ^ 10000000", "too long"),
        ("kth (3 of i = 1, 2) { i }", "quorum is 3"),
        ("kth (1/2 of i = 1, 2) { i }", "quorum is 1/2"),
        ("switch { 1/2: 4, 1/4: 8 }", "add up to 3/4"),
        ("switch { 1 > 2: 4 }", "no case"),
        ("exponential(3)", "a law has no single value"),
        ("sum (i = 1, 10000000) { i }", "more than 1000000 steps"),
        ("if (1/4) 8 else 1 / (2 - 2^1)", "division by zero"),
    ] {
        let error = value(expression).expect_err(expression);
        assert!(
            error.message.contains(message),
            "{expression}: {}",
            error.message
        );
    }
}

#[test]
fn parameters_take_bound_values_before_defaults() {
    let text = "numeric parameter P = 5 numeric parameter N numeric x = P * N";
    assert_eq!(x(text, &[("N", "2")]), Ok(scalar("10")));
    assert_eq!(x(text, &[("N", "2"), ("P", "1/2")]), Ok(scalar("1")));
    let error = x(text, &[]).expect_err("N is unbound");
    assert!(
        error.message.contains("`N` has no value"),
        "{}",
        error.message
    );
}

#[test]
fn arguments_are_substituted() {
    let text =
        "numeric f(a, b) = a * b + c numeric c = 2 numeric x = sum (c = 1, 3) { f(c, c + 1) }";
    // 1*2 + 2*3 + 3*4 + 3*2: the index does not reach into the body of f.
    assert_eq!(x(text, &[]), Ok(scalar("26")));
}

#[test]
fn an_unused_argument_is_not_evaluated() {
    assert_eq!(
        x("numeric f(a, b) = a numeric x = f(1, 1 / (2 - 2^1))", &[]),
        Ok(scalar("1"))
    );
}

#[test]
fn a_truth_value_stays_one_through_names_and_arguments() {
    let text = "numeric parameter N numeric positive(n) = n > 0 numeric pick(c) = if (c) 1 / N else 0 \
                numeric x = pick(positive(N) && !(N > 9))";
    assert_eq!(x(text, &[("N", "0")]), Ok(scalar("0")));
    assert_eq!(x(text, &[("N", "4")]), Ok(scalar("1/4")));
}

#[test]
fn a_parameter_is_a_probability() {
    assert_eq!(
        x(
            "numeric parameter p numeric x = if (p) 3 else 1",
            &[("p", "1/2")]
        ),
        Ok(scalar("2"))
    );
}

#[test]
fn a_chain_of_ten_thousand_names_has_a_value() {
    let mut text = String::from("numeric a0 = 0 ");
    for k in 1..=10_000 {
        text.push_str(&format!("numeric a{k} = a{} + 1 ", k - 1));
    }
    text.push_str("numeric x = a10000");
    assert_eq!(x(&text, &[]), Ok(scalar("10000")));
}

#[test]
fn repeated_squaring_ends_in_an_error() {
    let mut text = String::from("numeric a0 = 3 ");
    for k in 1..=60 {
        text.push_str(&format!("numeric a{k} = a{0} * a{0} ", k - 1));
    }
    text.push_str("numeric x = a60");
    assert!(
        x(&text, &[])
            .expect_err("2^60 digits")
            .message
            .contains("too long")
    );
}

#[test]
fn a_definition_takes_the_place_of_a_parameter() {
    let mut model =
        model("numeric parameter N : integer >= 1 numeric parameter M numeric x = N + M");
    let (value, sources) = crate::syntax::parse_expression("-D N", "2 * M").expect("parses");
    model
        .define("N", value, &sources, &NoFiles)
        .expect("N can be defined");
    assert_eq!(model.parameters().count(), 1);
    let bindings = BTreeMap::from([("M".to_owned(), Value::from(3))]);
    let mut evaluator = Evaluator::new(&model, &bindings, Limits::default());
    assert_eq!(evaluator.equation("x"), Ok(Value::from(9)));
    assert_eq!(evaluator.broken_facts().map(|broken| broken.len()), Ok(0));
}

#[test]
fn broken_facts_are_told() {
    let text =
        "numeric parameter N : integer >= 1 <= 9 numeric parameter P assume N >= P numeric x = N";
    let broken = |n, p| {
        with_value(text, &[("N", n), ("P", p)], |e| {
            e.broken_facts().map(|broken| broken.len())
        })
    };
    assert_eq!(broken("3", "3"), Ok(0));
    assert_eq!(broken("1/2", "3"), Ok(3));
    assert_eq!(broken("10", "3"), Ok(1));
}

#[test]
fn an_expression_is_evaluated_over_bound_names() {
    let model = Model::default();
    let (expr, _) =
        crate::syntax::parse_expression("rule", "sum (i = a, b) { c }").expect("parses");
    let names = [("a", 2), ("b", 4), ("c", 5)];
    let bindings: BTreeMap<String, Value> = names
        .map(|(name, value)| (name.to_owned(), value.into()))
        .into();
    assert_eq!(
        Evaluator::new(&model, &bindings, Limits::default()).evaluate_expression(&expr),
        Ok(Value::from(15))
    );
}

#[test]
fn floor_sums_say_what_they_are_not_defined_for() {
    for (text, reason) in [
        (
            "floorsum(1/2, 2, 1, 0)",
            "`floorsum` is only defined for whole numbers, not for 1/2",
        ),
        (
            "floorsum(-1, 2, 1, 0)",
            "the count and the powers of `floorsum` are at least 0",
        ),
        (
            "floorsum(1, 2, 1, 0, 0, -1)",
            "the count and the powers of `floorsum` are at least 0",
        ),
        (
            "floorsum(1, 0, 1, 0)",
            "the divisor of `floorsum` is at least 1",
        ),
        (
            "floorsum(1, 2, 1, 0, 3, 4)",
            "the powers of `floorsum` are at most 6 together",
        ),
        (
            "floorsum(1, 2^1000, 1, 0)",
            "`floorsum` takes numbers of at most 1000 bits",
        ),
    ] {
        assert_eq!(
            value(text).map_err(|fault| fault.message),
            Err(reason.to_string()),
            "{text}"
        );
    }
}
