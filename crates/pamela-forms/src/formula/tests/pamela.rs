use super::formula;
use crate::expr::{Arena, Function};
use crate::formula::expression_text;

/// The text is printed as it stands.
fn same(text: &str) {
    assert_eq!(formula(text).pamela(), text);
}

fn prints(text: &str, expected: &str) {
    assert_eq!(formula(text).pamela(), expected, "from {text}");
}

#[test]
fn numbers_are_exact() {
    same("10.1");
    same("100000000");
    prints("1 / 3", "1/3");
    prints("5e-3", "0.005");
    prints("-2", "-2");
    prints("2 - 7/3", "-1/3");
}

#[test]
fn a_coefficient_stands_first() {
    prints("N * 10.1", "10.1 * N");
    prints("P * N * 0.1", "0.1 * N * P");
    prints("-1 * N", "-N");
}

#[test]
fn small_fractions_divide() {
    prints("N * (N + 1) * 0.5", "N * (N + 1) / 2");
    prints("N / 3", "N / 3");
    prints("2 * N / 3", "2 * N / 3");
    prints("3 * N * (N + 1) / 2", "3 * N * (N + 1) / 2");
    prints("2.5 * N", "2.5 * N");
}

#[test]
fn special_functions_are_calls() {
    same("H(N) + H(N + 1, 2)");
    same("fact(N)^2 / lgamma(x)");
    same("floorsum(N, P, 3, 1, 0, 2)^2 + floorsum(N, P, 3, 1)");
    prints(
        "floorsum(N, P, 3, 1, 0) - floorsum(4, 3, 2, 0, 1, 2)",
        "floorsum(N, P, 3, 1) - 14",
    );
    same("3 * N * log(x, 10) + log2(x)");
    same("log2(x)^2");
    prints("log(2) / log(x)", "1 / log2(x)");
    same("log2(x) / (log(x, P) + 1)");
    same("N / log2(P)");
    same("log2(x)^P");
    prints("ln(x) / ln(P)", "log(x, P)");
    prints("cbrt(x)", "x^(1/3)");
    prints("root(x, 4)", "x^0.25");
    prints("log2(8) + log(1000, 10) + root(64, 3) + cbrt(27/8)", "11.5");
    prints("log(8)", "3 * log(2)");
}

#[test]
fn sums_subtract() {
    same("N - P");
    same("N^2 - 2 * N - 1");
    prints("1 - N", "1 - N");
    prints("-N - P", "-N - P");
    prints("a - (b + c)", "a - (b + c)");
}

#[test]
fn reciprocals_divide() {
    same("N / P");
    same("1 / P");
    prints("a / b / c", "a / (b * c)");
    same("a / b^2");
    same("a / (b + c)");
    prints("2 * a / (3 * b)", "2 * a / (3 * b)");
    same("1 / (3 * P)");
}

#[test]
fn powers_take_parentheses_where_they_bind() {
    same("(a + b)^2");
    same("r^(N + 1)");
    same("r^(-N)");
    same("r^N");
    same("(-2)^N");
    same("x^0.5");
    same("x^(1/3)");
    same("(x^y)^z");
    same("x^(y^z)");
    same("2^N");
    same("(N / P)^k");
}

#[test]
fn floors_of_quotients_are_div() {
    same("N div P");
    same("t * (N div P)");
    prints("floor((N + P - 1) / P)", "(N + P - 1) div P");
    prints("floor(3 * N / 4)", "(3 * N) div 4");
    prints("floor(0.1 * N)", "N div 10");
    prints("floor(N / (2 * P))", "N div (2 * P)");
    prints("floor(-N / 2)", "(-N) div 2");
    same("floor(x)");
    same("floor(x + 0.5)");
    same("ceil(N / P)");
}

#[test]
fn remainders() {
    same("N mod P");
    same("(N + 1) mod P");
    same("(a * b) mod (c * d)");
    same("t * (N mod P)");
    same("N mod P + 1");
}

#[test]
fn relations_read_in_both_directions() {
    same("a <= b");
    prints("!(a <= b)", "a > b");
    prints("!(a < b)", "a >= b");
    same("a != b");
    same("a == b");
    prints("0 <= N", "N >= 0");
    same("integer(N / P)");
    same("!integer(N)");
}

#[test]
fn conditions_are_logical() {
    same("a < b && c <= d");
    prints("!(a < b) || !(c <= d)", "a >= b || c > d");
    same("a < b || c < d && e < f");
    same("e < f && (a < b || c < d)");
}

#[test]
fn brackets_choose_what_they_multiply() {
    prints("t * (a <= b)", "if (a <= b) t else 0");
    prints("(a <= b) + t", "t + (a <= b)");
    prints("(a <= b) * (c <= d) * t", "if (a <= b && c <= d) t else 0");
}

#[test]
fn conditionals() {
    same("if (a <= b) x else y");
    same("2 * (if (a <= b) x else y)");
    same("if (a <= b) x + 1 else y - 1");
    same("if (a <= b) x else if (c < d) y else z");
    prints(
        "if (a <= b) { if (c < d) x else y } else z",
        "if (a <= b) (if (c < d) x else y) else z",
    );
    same("if (integer(N) && a < b) x else y");
    prints("if (p == 1) x else y", "if (p == 1) x else y");
}

#[test]
fn extrema() {
    same("max(0.1 * N * P, 10.1 * N)");
    same("min(a, b + c)");
}

#[test]
fn reductions_name_their_indices_by_nesting() {
    prints("sum (q = 1, N) { q }", "sum (i = 1, N) { i }");
    prints(
        "sum (x = 1, N) { prod (y = x, N) { y + x } }",
        "sum (i = 1, N) { prod (j = i, N) { j + i } }",
    );
    prints(
        "sum (x = 1, N) { x } * max (y = 1, N) { f^y }",
        "sum (i = 1, N) { i } * max (i = 1, N) { f^i }",
    );
    prints("kth (k of w = 1, N) { w^2 }", "kth (k of i = 1, N) { i^2 }");
}

#[test]
fn an_index_never_takes_the_name_of_a_parameter() {
    prints(
        "i * sum (q = 1, N) { q * i }",
        "i * sum (j = 1, N) { i * j }",
    );
    prints(
        "sum (q = 1, i+j+k+l+m+n) { q }",
        "sum (i1 = 1, i + j + k + l + m + n) { i1 }",
    );
    prints(
        "sum (q = 1, N) { unitvec(i, q) }",
        "sum (j = 1, N) { unitvec(i, j) }",
    );
}

#[test]
fn vectors_are_dense_where_they_are_short() {
    prints("10 * unitvec(3)", "[0, 0, 0, 10]");
    prints("[1, 2, 3] * 4", "[4, 8, 12]");
    prints("a * unitvec(0) + (b - 1) * unitvec(2)", "[a, 0, b - 1]");
    prints("[a, b] + 2 * unitvec(1)", "[a, b + 2]");
    prints("0 * unitvec(0)", "[0]");
    same("10 * unitvec(1000)");
    same("t * unitvec(k)");
    same("t * unitvec(disk, 0)");
    same("sum (i = 0, N) { t * unitvec(i) }");
    prints(
        "max(unitvec(k) + unitvec(P))",
        "max(unitvec(P) + unitvec(k))",
    );
}

#[test]
fn a_formula_may_be_deeper_than_the_stack() {
    let depth = 100_000;
    let mut arena = Arena::new();
    let mut root = arena.parameter("a");
    for _ in 0..depth {
        root = arena.apply(Function::Exp, root);
    }
    let text = expression_text(&arena, root, &[]);
    assert_eq!(
        text,
        format!("{}a{}", "exp(".repeat(depth), ")".repeat(depth))
    );
}
