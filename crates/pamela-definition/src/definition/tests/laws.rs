//! Laws, by hand.

use super::*;

/// The distribution of equation `x`, or of a result, of the model: `value: probability, ...`.
fn distribution_of(name: &str, text: &str) -> Result<String, String> {
    with_value(text, &[], |evaluator| {
        let distribution = evaluator.distribution(name).map_err(|d| d.message)?;
        let outcomes = distribution.outcomes.iter();
        let texts: Vec<String> = outcomes.map(|(value, p)| format!("{value}: {p}")).collect();
        Ok(texts.join(", "))
    })
}

/// `distributions! { name: text => expected, ... }`: of the equation `x = text`.
macro_rules! distributions {
    ($($name:ident: $($expression:literal => $expected:literal),+;)*) => {$(
        #[test]
        fn $name() {
            $(assert_eq!(
                distribution_of("x", &format!("{DICE} numeric x = {}", $expression)),
                Ok($expected.to_owned()),
                "{}", $expression
            );)+
        }
    )*};
}

/// `die` has 1, 2 and 3 with 1/3 each, `coin` 0 and 1 with 1/2 each.
const DICE: &str = "numeric die = mixture(1/3, 1, 1/3, 2, 1/3, 3) numeric coin = bernoulli(1/2)
    numeric twice(a) = a + a";

distributions! {
    a_scalar_has_one_outcome: "7/2" => "7/2: 1", "0 * coin" => "0: 1", "deterministic(3)" => "3: 1",
        "moments(3, 0, 7, 9)" => "3: 1";
    a_name_is_drawn_wherever_it_stands: "coin + coin" => "0: 1/4, 1: 1/2, 2: 1/4", "2 * coin" => "0: 1/2, 2: 1/2",
        "coin - coin" => "-1: 1/4, 0: 1/2, 1: 1/4", "-coin" => "-1: 1/2, 0: 1/2", "twice(coin)" => "0: 1/4, 1: 1/2, 2: 1/4";
    // P(max <= k) = (k/3)^3; P(min >= k) = ((4-k)/3)^3.
    the_largest_of_three_dice: "max(die, die, die)" => "1: 1/27, 2: 7/27, 3: 19/27",
        "max (i = 1, 3) { die }" => "1: 1/27, 2: 7/27, 3: 19/27", "min(die, die, die)" => "1: 19/27, 2: 7/27, 3: 1/27";
    // The median of three is at most 1 with 3 (1/9)(2/3) + 1/27 = 7/27.
    the_median_of_three_dice: "kth (2 of i = 1, 3) { die }" => "1: 7/27, 2: 13/27, 3: 7/27";
    an_order_statistic_of_nothing_is_zero: "kth (1 of i = 1, 0) { die }" => "0: 1", "max (i = 1, 0) { die }" => "0: 1";
    a_product_is_of_two_draws: "die * coin" => "0: 1/2, 1: 1/6, 2: 1/6, 3: 1/6", "coin * coin" => "0: 3/4, 1: 1/4",
        "coin ^ 2" => "0: 1/2, 1: 1/2", "prod (i = 1, 2) { coin }" => "0: 3/4, 1: 1/4", "(2 * die) / 4" => "1/2: 1/3, 1: 1/3, 3/2: 1/3";
    every_iteration_draws: "sum (i = 1, 3) { coin }" => "0: 1/8, 1: 3/8, 2: 3/8, 3: 1/8",
        "sum (i = 1, 2) { i * coin }" => "0: 1/4, 1: 1/4, 2: 1/4, 3: 1/4", "binomial(3, 1/2)" => "0: 1/8, 1: 3/8, 2: 3/8, 3: 1/8";
    // 0 or 1 copies: 1/2 + 1/2 * 1/2. One to three copies: 1/3 (1/2 + 1/4 + 1/8) for 0, 1/3 (1/2 + 1/2 + 3/8) for 1.
    a_random_sum: "sum (i = 1, coin) { coin }" => "0: 3/4, 1: 1/4", "sum (i = 1, die) { coin }" => "0: 7/24, 1: 11/24, 2: 5/24, 3: 1/24",
        "sum (i = 3 - die, 2) { 1 }" => "1: 1/3, 2: 1/3, 3: 1/3";
    // The inner bound is drawn anew in each iteration: a sum of two of 0: 3/4, 1: 1/4.
    nested_random_sums: "sum (i = 1, 2) { sum (j = 1, coin) { coin } }" => "0: 9/16, 1: 3/8, 2: 1/16",
        "sum (i = 1, coin) { sum (j = i, 2) { coin } }" => "0: 5/8, 1: 1/4, 2: 1/8";
    mixtures: "mixture(1/4, 10, 3/4, coin)" => "0: 3/8, 1: 3/8, 10: 1/4",
        "mixture(1/2, mixture(1/2, 1, 1/2, 2), 1/2, 2 + coin)" => "1: 1/4, 2: 1/2, 3: 1/4",
        "empirical(3, 5, 5, 8)" => "3: 1/4, 5: 1/2, 8: 1/4", "empirical(7)" => "7: 1",
        "mixture(0, 1 / (2 - 2^1), 1, 5)" => "5: 1", "mixture(1, 5)" => "5: 1";
    a_law_as_condition_chooses: "if (coin) 10 else die" => "1: 1/6, 2: 1/6, 3: 1/6, 10: 1/2",
        "if (bernoulli(1/3)) 1 else 0" => "0: 2/3, 1: 1/3",
        "if (!bernoulli(1/3)) 1 else 0" => "0: 1/3, 1: 2/3", "if (coin && coin) 1 else 0" => "0: 3/4, 1: 1/4",
        "if (coin || coin) 1 else 0" => "0: 1/4, 1: 3/4";
    a_comparison_of_laws_is_random: "if (die <= 2) 7 else 8" => "7: 2/3, 8: 1/3", "die < die" => "0: 2/3, 1: 1/3",
        "integer(die / 2)" => "0: 2/3, 1: 1/3",
        "if (die < 2 || coin) 1 else 0" => "0: 1/3, 1: 2/3";
    a_switch_takes_the_first_that_holds: "switch { bernoulli(1/3): 1, coin: 2, 1: 3 }" => "1: 1/3, 2: 1/3, 3: 1/3",
        "switch { die == 1: 5, 2 > 1: 6 }" => "5: 1/3, 6: 2/3";
    a_share_of_all_or_nothing_is_a_choice: "if (bernoulli(1) * 1) coin else 7" => "0: 1/2, 1: 1/2",
        "switch { 0 * 1: coin, 2/2: 1 + coin }" => "1: 1/2, 2: 1/2";
    vectors_hold_draws: "max([coin, coin])" => "0: 1/4, 1: 3/4", "max(coin * unitvec(3) + coin * unitvec(2))" => "0: 1/4, 1: 3/4";
    functions_of_draws: "floor(die / 2)" => "0: 1/3, 1: 2/3", "abs(die - 2)" => "0: 1/3, 1: 2/3",
        "sqrt(die) ^ 2 * 0" => "0: 1", "die mod 2" => "0: 1/3, 1: 2/3";
    a_range_of_draws_may_be_bounded_by_a_formula: "sum (i = 1, 2 * coin) { i }" => "0: 1/2, 3: 1/2";
}

/// `(name, process) => expected`, of the process `main`.
fn assert_result(name: &str, process: &str, expected: &str) {
    let text = format!(
        "{DICE} resource s = fcfs(0, 1) resource cpu(p) = fcfs(p, 1) process main = {process}"
    );
    assert_eq!(
        distribution_of(name, &text),
        Ok(expected.to_owned()),
        "{name} of {process}"
    );
}

#[test]
fn sequences_and_choices_of_processes_draw() {
    assert_result(
        "T_main",
        "delay(coin); use(s, coin)",
        "0: 1/4, 1: 1/2, 2: 1/4",
    );
    assert_result("omega_main", "delay(coin); use(s, coin)", "0: 1/2, 1: 1/2");
    assert_result(
        "T_main",
        "seq (i = 1, coin) delay(die)",
        "0: 1/2, 1: 1/6, 2: 1/6, 3: 1/6",
    );
    assert_result("T_main", "if (bernoulli(1/4)) delay(8)", "0: 3/4, 8: 1/4");
    assert_result(
        "T_main",
        "if (bernoulli(1/4)) delay(8) else delay(coin)",
        "0: 3/8, 1: 3/8, 8: 1/4",
    );
    assert_result(
        "T_main",
        "switch { coin: delay(1), 1: delay(2) }",
        "1: 1/2, 2: 1/2",
    );
}

#[test]
fn a_parallel_section_counts_once_what_goes_back_to_the_same_draws() {
    // Services at one server: the demand, which is two coins.
    for process in [
        "use(s, coin) || use(s, coin)",
        "par (i = 1, 2) use(s, coin)",
    ] {
        assert_result("phi_main", process, "0: 1/4, 1: 3/4");
        assert_result("omega_main", process, "0: 1/4, 1: 1/2, 2: 1/4");
        assert_result("T_main", process, "0: 1/4, 1: 1/2, 2: 1/4");
    }
    assert_result(
        "T_main",
        "par (i = 1, 2) seq (j = 1, 1) use(s, coin)",
        "0: 1/4, 1: 1/2, 2: 1/4",
    );
    // Servers of their own: the largest of two coins, whether they only serve or not.
    assert_result(
        "T_main",
        "par (p = 1, 2) use(cpu(p), coin)",
        "0: 1/4, 1: 3/4",
    );
    assert_result(
        "T_main",
        "par (p = 1, 2) { delay(1) ; use(cpu(p), coin) }",
        "1: 1/4, 2: 3/4",
    );
    // One part does more than be served by what both want: its time, one coin, is drawn apart from the demand, two
    // coins. It is 0 with 1/2 * 1/4, and 2 where the demand is.
    assert_result(
        "T_main",
        "{ delay(0) ; use(s, coin) } || use(s, coin)",
        "0: 1/8, 1: 5/8, 2: 1/4",
    );
    // A time below 0 could make the demand the longer one.
    assert_result(
        "T_main",
        "par (p = 1, 2) { delay(-1) ; use(cpu(p), coin) }",
        "0: 1/4, 1: 3/4",
    );
    // One server more than customers; no more than one: the demand of a section of delays is 0.
    assert_result(
        "T_main",
        "delay(die) || delay(die)",
        "1: 1/9, 2: 1/3, 3: 5/9",
    );
}

#[test]
fn an_or_parallel_section_ends_with_the_first() {
    assert_result(
        "T_main",
        "delay(die) <> delay(die)",
        "1: 5/9, 2: 1/3, 3: 1/9",
    );
    assert_result(
        "T_main",
        "any (2 of i = 1, 3) delay(die)",
        "1: 7/27, 2: 13/27, 3: 7/27",
    );
    assert_result(
        "T_main",
        "any (i = 1, 2) use(s, die) || delay(0)",
        "1: 5/9, 2: 1/3, 3: 1/9",
    );
    assert_result("omega_main", "any (i = 1, 2) use(s, die)", "0: 1");
}

#[test]
fn a_process_argument_draws_wherever_it_is_called() {
    let text = format!(
        "{DICE} process both(L) = L; L process step(t) = delay(t) process main = both(step(coin))"
    );
    assert_eq!(
        distribution_of("T_main", &text),
        Ok("0: 1/4, 1: 1/2, 2: 1/4".to_owned())
    );
}

macro_rules! values {
    ($($name:ident: $($expression:literal => $expected:literal),+;)*) => {$(
        #[test]
        fn $name() {
            $(assert_eq!(
                x(&format!("{DICE} numeric x = {}", $expression), &[]).map_err(|d| d.message),
                Ok(scalar($expected)),
                "{}", $expression
            );)+
        }
    )*};
}

values! {
    moments_of_a_constant: "E(7)" => "7", "Var(7)" => "0", "Skw(7)" => "0", "Kur(7)" => "3", "K3(7)" => "0", "K4(deterministic(7))" => "0";
    // Fourth central moment 2/3, variance 2/3.
    moments_of_a_die: "E(die)" => "2", "Var(die)" => "2/3", "K3(die)" => "0", "K4(die)" => "-2/3", "Skw(die)" => "0", "Kur(die)" => "3/2";
    moments_of_coins: "E(coin + coin)" => "1", "Var(coin + coin)" => "1/2", "Var(2 * coin)" => "1", "Var(coin - coin)" => "1/2",
        "Var(twice(coin))" => "1/2", "Var(sum (i = 1, 40) { coin })" => "10", "Skw(bernoulli(1/5))" => "3/2",
        "Kur(bernoulli(1/5))" => "13/4";
    // (1 + 2 * 7 + 3 * 19) / 27; P(max = 3) = 5/9 of two.
    moments_of_order_statistics: "E(max(die, die, die))" => "8/3", "E(kth (2 of i = 1, 3) { die })" => "2", "Var(max(die, die))" => "38/81";
    // 2 * 1/2; E[N] Var[X] + E[X]^2 Var[N] = 1/2 + 1/6.
    moments_of_random_sums: "E(sum (i = 1, die) { coin })" => "1", "Var(sum (i = 1, die) { coin })" => "2/3";
    moments_are_scalars: "sum (i = 1, E(die)) { i }" => "3", "Var(Var(die) * coin)" => "1/9", "2 * E(die) + Var(E(coin) * die)" => "25/6";
    the_exponential: "E(exponential(3))" => "3", "Var(exponential(3))" => "9", "K3(exponential(3))" => "54", "K4(exponential(3))" => "486",
        "Skw(exponential(3))" => "2", "Kur(exponential(3))" => "9";
    the_normal_and_the_uniform: "Var(normal(3, 2))" => "4", "K3(normal(3, 2))" => "0", "Kur(normal(3, 2))" => "3",
        "E(uniform(2, 8))" => "5",
        "Var(uniform(2, 8))" => "3", "Kur(uniform(2, 8))" => "9/5";
    erlang_and_gamma: "E(erlang(4, 8))" => "8", "Var(erlang(4, 8))" => "16", "Skw(erlang(4, 8))" => "1", "Kur(erlang(4, 8))" => "9/2",
        "Kur(gamma(4, 2))" => "9/2", "E(gamma(1/2, 3))" => "3/2";
    counts: "E(poisson(9/4))" => "9/4", "Skw(poisson(9/4))" => "2/3", "Kur(poisson(9/4))" => "31/9", "E(geometric(1/2))" => "2",
        "Var(geometric(1/2))" => "2", "K3(geometric(1/2))" => "6", "K4(geometric(1/2))" => "26", "Var(binomial(4000, 1/2))" => "1000";
    // Raw moments 2/3, 1/2, 2/5, 1/3.
    the_beta: "E(beta(2, 1))" => "2/3", "Var(beta(2, 1))" => "1/18", "K3(beta(2, 1))" => "-1/135",
        "K4(beta(2, 1))" => "-1/540", "K4(beta(1, 1))" => "-1/120";
    a_law_given_by_moments: "E(moments(5, 4, 1, 6))" => "5", "Var(moments(5, 4, 1, 6))" => "4", "Skw(moments(5, 4, 1, 6))" => "1",
        "Kur(moments(5, 4, 1, 6))" => "6", "K3(moments(5, 4, 1, 6))" => "8", "K4(moments(5, 4, 1, 6))" => "48";
    // Raw moments 2, 11/2, 33/2, 105/2.
    a_mixture_with_a_continuous_part: "E(mixture(1/2, exponential(1), 1/2, 3))" => "2",
        "Var(mixture(1/2, exponential(1), 1/2, 3))" => "3/2",
        "K3(mixture(1/2, exponential(1), 1/2, 3))" => "-1/2", "K4(mixture(1/2, exponential(1), 1/2, 3))" => "-9/4";
    cumulants_of_independent_terms_add: "Var(exponential(3) + 2 * exponential(1))" => "13",
        "K3(exponential(3) + 2 * exponential(1) + 7)" => "70",
        "Var(exponential(3) - exponential(3))" => "18", "K3(exponential(3) - exponential(3))" => "0",
        "Var(sum (i = 1, 3) { i * exponential(1) })" => "14",
        "Var(-exponential(3) / 3)" => "1", "K3(-exponential(3))" => "-54", "Var(exponential(1) + max(die, die))" => "119/81";
    // Of N terms: E[N] Var[X] + E[X]^2 Var[N], and E[N] K3 + 3 Var[N] E[X] Var[X] + K3[N] E[X]^3.
    a_random_sum_of_exponentials: "Var(sum (i = 1, die) { exponential(1) })" => "8/3", "K3(sum (i = 1, die) { exponential(1) })" => "6",
        "E(sum (i = 1, coin) { exponential(3) })" => "3/2";
    a_share_has_cumulants: "E(if (1/4) exponential(4) else 8)" => "7", "Var(if (1/4) exponential(4) else 8)" => "4",
        "K3(if (1/4) exponential(4) else 8)" => "32",
        "Var(if (1/4) coin else die)" => "9/16", "Var(switch { 1/4: exponential(4), 3/4: die })" => "9/2",
        "Var(if (1 < 2) exponential(4) else 1)" => "16";
    // A mixture: raw second moment 32/4 + 64 * 3/4.
    a_random_condition_mixes: "Var(if (bernoulli(1/4)) exponential(4) else 8)" => "7", "Var(if (coin < 1) exponential(4) else 8)" => "12",
        "Var(if (moments(1/4, 3/16, 0, 3)) exponential(4) else 8)" => "7", "Var(if (moments(1/4, 0, 0, 3)) exponential(4) else 8)" => "4",
        "Var(if (moments(1/2, 1/8, 0, 3)) 4 else 0)" => "2";
}

#[test]
fn moments_may_be_irrational() {
    let skewness = x("numeric x = Skw(bernoulli(1/3))", &[]).expect("has a value");
    let Value::Scalar(skewness) = skewness else {
        panic!("a vector")
    };
    // (1 - 2p) / sqrt(p q)
    assert!((skewness.to_f64() - (1.0 / 3.0) / (2.0f64 / 9.0).sqrt()).abs() < 1e-15);
    let weibull = x("numeric x = Var(weibull(2, 3))", &[]).expect("has a value");
    let variance = 9.0 * (1.0 - std::f64::consts::FRAC_PI_4);
    assert!((weibull.as_scalar().expect("scalar").to_f64() - variance).abs() < 1e-13);
    // By textbooks: 2 sqrt(pi) (pi - 3) / (4 - pi)^(3/2), and 3 - (6 pi^2 - 24 pi + 16) / (4 - pi)^2.
    let pi = std::f64::consts::PI;
    for (moment, expected) in [
        ("Skw", 2.0 * pi.sqrt() * (pi - 3.0) / (4.0 - pi).powf(1.5)),
        (
            "Kur",
            3.0 - (6.0 * pi * pi - 24.0 * pi + 16.0) / (4.0 - pi).powi(2),
        ),
    ] {
        let found = x(&format!("numeric x = {moment}(rayleigh(7))"), &[]).expect("has a value");
        let found = found.as_scalar().expect("scalar").to_f64();
        assert!((found - expected).abs() < 1e-11, "{moment}: {found}");
    }
}

#[test]
fn a_model_may_give_the_names_of_moments_a_meaning() {
    assert_eq!(
        x(
            "numeric E(a) = 2 * a numeric Var = 5 numeric x = E(3) + Var + Var(bernoulli(1/2))",
            &[]
        ),
        Ok(scalar("45/4"))
    );
}

#[test]
fn a_distribution_has_cumulants() {
    with_value(
        &format!("{DICE} process main = delay(die); delay(coin)"),
        &[],
        |evaluator| {
            let cumulants = evaluator
                .distribution("T_main")
                .expect("finite")
                .cumulants();
            assert_eq!(
                [cumulants.mean, cumulants.variance],
                [number("5/2"), number("11/12")]
            );
            assert_eq!(
                [cumulants.third, cumulants.fourth],
                [number("0"), number("-19/24")]
            );
        },
    );
}

/// The messages of an evaluation with enumeration.
fn wrong(expression: &str) -> String {
    distribution_of("x", &format!("{DICE} numeric x = {expression}")).expect_err(expression)
}

#[test]
fn what_has_no_distribution_is_an_error() {
    for (expression, message) in [
        (
            "exponential(-sqrt(1))",
            "the mean of `exponential` is -1, expected a number above 0",
        ),
        (
            "bernoulli(2 * sqrt(1))",
            "the probability of `bernoulli` is 2, expected a number from 0 to 1",
        ),
        (
            "uniform(2, sqrt(1))",
            "the upper end of `uniform` is 1, below the lower, 2",
        ),
        (
            "geometric(0 * sqrt(1))",
            "expected a number above 0, at most 1",
        ),
        ("erlang(3/2 * sqrt(1), 1)", "expected a whole number from 1"),
        (
            "moments(1, -sqrt(1), 0, 3)",
            "the variance of `moments` is -1, expected a number from 0",
        ),
        (
            "moments(1, 1, 2, 4)",
            "no law has skewness 2 and kurtosis 4",
        ),
        ("mixture(1/2, 3, 1/4, 5)", "add up to 3/4"),
        (
            "mixture(3/2, 3, -1/2 * sqrt(1), 5)",
            "a weight of the `mixture` is -1/2",
        ),
        (
            "mixture(1/2, 3, 1/2, exponential(-sqrt(1)))",
            "is -1, expected a number above 0",
        ),
        ("exponential(3)", "infinitely many values"),
        (
            "moments(1, 1, 0, 3)",
            "only the cumulants of a law given by moments are known",
        ),
        ("bernoulli(sqrt(1/2))", "only known approximately"),
        ("sum (i = 1, die / 2) { 1 }", "a random bound"),
        ("sum (i = 3, coin) { 1 }", "a random bound"),
        (
            "if (die) 1 else 2",
            "a random condition is 2, expected 1 or 0",
        ),
        ("if (1/4) coin else 1", "a share of 1/4 of a law"),
        ("if (1/4) 5 else coin", "a share of 3/4 of a law"),
        (
            "switch { coin: 1, coin: 2 }",
            "no case of the `switch` holds",
        ),
        (
            "switch { coin: 1, 1/2: 2 }",
            "a share of 1/2 together with a random condition",
        ),
        ("1 / coin", "division by zero"),
        (
            "kth (max([coin, 1]) of i = 1, 2) { die }",
            "expected a scalar, found a law",
        ),
        ("sum (i = 1, 40) { coin }", "sequences of outcomes"),
        ("E(max(uniform(1, 4), 2))", "infinitely many values"),
        (
            "E(exponential(-sqrt(1)))",
            "is -1, expected a number above 0",
        ),
        ("[die, 1]", "`x` is a vector, expected a scalar"),
    ] {
        let found = wrong(expression);
        assert!(found.contains(message), "{expression}: {found}");
    }
}

#[test]
fn a_law_has_no_single_value() {
    let error = x("numeric x = 1 + exponential(3)", &[]).expect_err("random");
    assert_eq!(error.message, "a law has no single value");
    assert!(error.hint.is_some_and(|hint| hint.contains("`E(X)`")));
    assert_eq!(
        x("numeric x = if (1 > 2) exponential(3) else 5", &[]),
        Ok(scalar("5"))
    );
}

#[test]
fn a_comparison_of_laws_is_no_fact() {
    let error = check("numeric parameter X : law assume X >= 1")
        .map(|_| ())
        .expect_err("random");
    assert!(error.diagnostics[0].message.contains("cannot be random"));
    let error =
        check("resource parameter d(i) numeric parameter X : law process main = use(d(X > 1), 1)");
    assert!(
        error.map(|_| ()).expect_err("random").diagnostics[0]
            .message
            .contains("cannot be random")
    );
}

#[test]
fn laws_between_bounds_are_integrated() {
    let e = std::f64::consts::E;
    let cases = [
        ("E(truncated(exponential(2), 1, 3))", 3.0 - 2.0 / (e - 1.0)),
        (
            "Var(truncated(exponential(2), 1, 3))",
            4.0 - 4.0 * e / (e - 1.0).powi(2),
        ),
        ("K4(truncated(exponential(2), -5))", 96.0),
        ("E(truncated(exponential(2), 7))", 9.0),
        ("K4(truncated(uniform(0, 10), 2, 5))", -81.0 / 120.0),
        ("E(truncated(uniform(0, 10), 2))", 6.0),
        // 3 (4^-2 - 7^-2) / 2 (4^-3 - 7^-3).
        ("E(truncated(pareto(3, 2), 4, 7))", 154.0 / 31.0),
        ("Var(truncated(pareto(3, 2), 4))", 12.0),
        ("E(truncated(pareto(3, 2), 1))", 3.0),
        // By quadrature in 30 digits.
        ("E(truncated(normal(1/3, 1), 8, 21/2))", 8.126_333_034_88),
        ("Var(truncated(normal(1/3, 1), 5, 6))", 0.032_148_529_553_1),
        ("Var(truncated(gamma(10/3, 2), 60, 90))", 4.628_534_775_59),
        ("Var(truncated(weibull(7/3, 2), 8, 9))", 0.016_443_888_901),
        (
            "Var(truncated(lognormal(1/3, 1/4), 8, 9))",
            0.049_327_359_736_3,
        ),
        ("E(truncated(erlang(3, 6), -1))", 6.0),
    ];
    for (law, expected) in cases {
        let value = x(&format!("numeric x = {law}"), &[]).expect(law);
        let value = value.as_scalar().expect("scalar").to_f64();
        assert!((value / expected - 1.0).abs() < 1e-10, "{law}: {value}");
    }
    let missing = x("numeric x = K3(truncated(pareto(3, 2), 4))", &[]);
    assert!(missing.is_err());
    for never in [
        "truncated(exponential(2), -3, -1)",
        "truncated(uniform(0, 1), 2, 3)",
        "truncated(normal(4, 0), 1, 3)",
    ] {
        let value = x(&format!("numeric x = E({never})"), &[]);
        assert!(
            value.unwrap_err().message.contains("has no values"),
            "{never}"
        );
    }
}

/// With q for the probability that the time is longer, and by the moments of what it is longer by, which has the same law.
#[test]
fn exponential_times_beside_numbers_are_integrated() {
    let q = (-1.5_f64).exp();
    let cases = [
        ("E(min(3, exponential(2)))", 2.0 * (1.0 - q)),
        (
            "Var(min(exponential(2), 3))",
            8.0 - 20.0 * q - 4.0 * (1.0 - q).powi(2),
        ),
        ("E(max(3, exponential(2)))", 3.0 + 2.0 * q),
        ("Var(max(exponential(2), 3))", 8.0 * q - 4.0 * q * q),
        (
            "K3(max(3, exponential(2)))",
            48.0 * q - 48.0 * q * q + 16.0 * q.powi(3),
        ),
        ("E(min(-1, exponential(2)))", -1.0),
        ("K4(max(-1, exponential(2)))", 96.0),
    ];
    for (law, expected) in cases {
        let value = x(&format!("numeric x = {law}"), &[]).expect(law);
        let value = value.as_scalar().expect("scalar").to_f64();
        assert!((value / expected - 1.0).abs() < 1e-9, "{law}: {value}");
    }
}
