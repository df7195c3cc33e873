//! One line per algebraic fact, with what must not be derivable: nothing is assumed here.

use super::support::points::points;
use super::support::{Closed, closed_forms_by, compare, definition, read, same, shown_point};

/// Points at which both sides of a fact are compared.
const POINTS: usize = 60;

/// The closed form of `expression`, assuming nothing beyond what is given.
fn close(text: &str) -> Closed {
    let closed = closed_forms_by("fact", text, true).expect("the fact has a closed form");
    let f = closed.into_iter().find(|closed| closed.name == "f");
    f.expect("the model defines f")
}

fn model(given: &str, expression: &str) -> String {
    format!("{given}\nnumeric f = {expression}\n")
}

fn assert_closes(given: &str, expression: &str, expected: &str) {
    let text = model(given, expression);
    let closed = close(&text);
    assert_eq!(closed.open_reductions, 0, "{}", closed.formula);
    assert_eq!(closed.conditions, Vec::<String>::new());

    let both = read("fact", &format!("{text}numeric by_hand = {expected}\n"));
    let points = points(&both, POINTS);
    let comparison = compare("fact", &text, &[closed], &points);
    assert_eq!(comparison.wrong, Vec::<String>::new());
    assert!(!comparison.compared.is_empty(), "compared at no point");
    for point in &points {
        let Ok(value) = definition(&both, "f", point) else {
            continue;
        };
        let by_hand = definition(&both, "by_hand", point);
        let equal = by_hand.is_ok_and(|by_hand| same(&by_hand, &value));
        assert!(equal, "not {expected} at {}", shown_point(point));
    }
}

/// `closes! { name, given "declarations", "expression" => "expected" }`: the expression closes without
/// assumptions, and equals both its closed form and what is expected wherever it is defined.
macro_rules! closes {
    ($($name:ident, given $given:literal, $expression:literal => $expected:literal;)*) => {
        $(#[test] fn $name() { assert_closes($given, $expression, $expected); })*
    };
}

/// `does_not_close! { name, given "declarations", "expression" }`: what is given is not enough.
macro_rules! does_not_close {
    ($($name:ident, given $given:literal, $expression:literal;)*) => {
        $(#[test] fn $name() {
            let closed = close(&model($given, $expression));
            assert!(closed.open_reductions > 0, "closes to {}", closed.formula);
        })*
    };
}

closes! {
    a_sum_of_indices, given "numeric parameter N : integer >= 0",
        "sum (i = 1, N) { i }" => "N * (N + 1) / 2";
    a_range_that_may_be_empty_is_clamped, given "numeric parameter N\nnumeric parameter x",
        "sum (i = 1, N) { x }" => "x * max(0, floor(N))";
    remainders_by_a_whole_number, given "numeric parameter q : integer >= 0\nnumeric parameter P : integer >= 1",
        "sum (i = 0, q * P - 1) { i mod P }" => "q * P * (P - 1) / 2";
    the_largest_multiple_of_a_positive_factor,
        given "numeric parameter c : >= 0\nnumeric parameter N : integer >= 1",
        "max (i = 1, N) { c * i }" => "c * N";
    the_largest_multiple_of_any_factor, given "numeric parameter c\nnumeric parameter N : integer >= 1",
        "max (i = 1, N) { c * i }" => "if (c >= 0) c * N else c";
    a_telescoping_sum, given "numeric parameter N : integer >= 0",
        "sum (i = 1, N) { 1 / (i * (i + 1)) }" => "N / (N + 1)";
    a_product_of_neighbours, given "numeric parameter N : integer >= 0",
        "prod (i = 1, N) { (i + 1) / i }" => "N + 1";
    // Up to P = 3 the staircase is above everywhere, then in two places of the first block, with P = 4 in one more.
    a_staircase_beside_a_line,
        given "numeric parameter N : integer >= 1\nnumeric parameter P : integer >= 1",
        "sum (k = 1, N) { max(N - k, 3 * ceil((N - k) / P)) }"
            => "if (P <= 3) 3 * ((N - 1) div P + 1) * (P * ((N - 1) div P) / 2 + (N - 1) mod P)
                else N * (N - 1) / 2 + 2 * (N >= 2) + (N >= 3) + (P == 4) * (N >= 6)";
    a_staircase_of_halves,
        given "numeric parameter N : integer >= 0\nnumeric parameter P : integer >= 1",
        "sum (k = 1, N) { max(N - k, 3 / 2 * ceil((N - k) / P)) }"
            => "if (P == 1) 3 / 4 * N * (N - 1) else N * (N - 1) / 2 + (N >= 2) / 2";
}

does_not_close! {
    a_factor_of_unknown_sign_stays_inside,
        given "numeric parameter c\nnumeric parameter N : integer >= 1",
        "max (i = 1, N) { c * (i mod 3) }";
    factorials_have_no_antidifference, given "numeric parameter N : integer >= 1",
        "sum (i = 1, N) { fact(i) }";
    poles_off_the_rationals_stay, given "numeric parameter N : integer >= 1",
        "sum (i = 1, N) { 1 / (i ^ 2 + 1) }";
    the_root_of_a_square_keeps_its_sign, given "numeric parameter N : integer >= 1",
        "sum (i = 1, N) { sqrt((i - 2) ^ 2) }";
    remainders_by_what_may_have_a_fraction,
        given "numeric parameter N : integer >= 1\nnumeric parameter P : >= 1",
        "sum (i = 0, N) { i mod P }";
    factors_that_may_have_a_fraction, given "numeric parameter N : integer >= 0\nnumeric parameter x",
        "prod (i = 1, N) { i + x }";
    a_staircase_of_any_steps_beside_any_line,
        given "numeric parameter N : integer >= 1\nnumeric parameter P : integer >= 1
            numeric parameter a : >= 0\nnumeric parameter b : >= 0",
        "sum (k = 1, N) { max(a * (N - k), b * ceil((N - k) / P)) }";
    a_parabola_on_a_staircase, given "numeric parameter N : integer >= 0\nnumeric parameter B : integer",
        "max (i = 0, N) { i * (5 - i) + max(B, i - 2) ^ 2 }";
    pieces_of_a_range_that_are_empty, given "numeric parameter N",
        "min (i = N - 1, 0) { sum (k = i, 1) { max(N, k - k * min(1, ceil(k - i))) } }";
    logarithms_of_unknown_sign, given "numeric parameter N : integer >= 1\nnumeric parameter r",
        "sum (i = 1, N) { log(r * i) }";
}
