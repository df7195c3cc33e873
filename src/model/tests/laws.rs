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
    mixtures: "mixture(1/4, 10, 3/4, coin)" => "0: 3/8, 1: 3/8, 10: 1/4", "mixture(1/2, mixture(1/2, 1, 1/2, 2), 1/2, 2 + coin)" => "1: 1/4, 2: 1/2, 3: 1/4",
        "mixture(0, 1 / (2 - 2^1), 1, 5)" => "5: 1", "mixture(1, 5)" => "5: 1";
    a_law_as_condition_chooses: "if (coin) 10 else die" => "1: 1/6, 2: 1/6, 3: 1/6, 10: 1/2", "if (bernoulli(1/3)) 1 else 0" => "0: 2/3, 1: 1/3",
        "if (!bernoulli(1/3)) 1 else 0" => "0: 1/3, 1: 2/3", "if (coin && coin) 1 else 0" => "0: 3/4, 1: 1/4", "if (coin || coin) 1 else 0" => "0: 1/4, 1: 3/4";
    a_comparison_of_laws_is_random: "if (die <= 2) 7 else 8" => "7: 2/3, 8: 1/3", "die < die" => "0: 2/3, 1: 1/3", "integer(die / 2)" => "0: 2/3, 1: 1/3",
        "if (die < 2 || coin) 1 else 0" => "0: 1/3, 1: 2/3";
    a_switch_takes_the_first_that_holds: "switch { bernoulli(1/3): 1, coin: 2, 1: 3 }" => "1: 1/3, 2: 1/3, 3: 1/3",
        "switch { die == 1: 5, 2 > 1: 6 }" => "5: 1/3, 6: 2/3";
    a_share_of_all_or_nothing_is_a_choice: "if (bernoulli(1) * 1) coin else 7" => "0: 1/2, 1: 1/2", "switch { 0 * 1: coin, 2/2: 1 + coin }" => "1: 1/2, 2: 1/2";
    vectors_hold_draws: "max([coin, coin])" => "0: 1/4, 1: 3/4", "max(coin * unitvec(3) + coin * unitvec(2))" => "0: 1/4, 1: 3/4";
    functions_of_draws: "floor(die / 2)" => "0: 1/3, 1: 2/3", "abs(die - 2)" => "0: 1/3, 1: 2/3", "sqrt(die) ^ 2 * 0" => "0: 1", "die mod 2" => "0: 1/3, 1: 2/3";
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
fn the_time_of_a_parallel_section_draws_its_demand_again() {
    // Path: two coins; demand: two other coins on one server. T is 0 with 1/16, at most 1 where the
    // demand is: 3/4.
    let process = "use(s, coin) || use(s, coin)";
    assert_result("phi_main", process, "0: 1/4, 1: 3/4");
    assert_result("omega_main", process, "0: 1/4, 1: 1/2, 2: 1/4");
    assert_result("T_main", process, "0: 1/16, 1: 11/16, 2: 1/4");
    assert_result(
        "T_main",
        "par (i = 1, 2) use(s, coin)",
        "0: 1/16, 1: 11/16, 2: 1/4",
    );
    // Servers of their own: the largest of four coins.
    assert_result(
        "T_main",
        "par (p = 1, 2) use(cpu(p), coin)",
        "0: 1/16, 1: 15/16",
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
