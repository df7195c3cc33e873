use super::presented;

fn prints(text: &str, expected: &str) {
    assert_eq!(presented(text).pamela(), expected, "from {text}");
}

#[test]
fn common_factors_are_taken_out() {
    prints("N * tl + N * ts", "N * (tl + ts)");
    prints("max(N*tl + N*ts, P*N*ts)", "max(N * P * ts, N * (tl + ts))");
    prints("N / P + M / P", "(M + N) / P");
    prints("2 * N + 2 * P", "2 * (N + P)");
}

#[test]
fn a_branch_that_has_no_value_is_not_divided_by_0() {
    prints("if (P == 2) 12 / P else 2", "if (P == 2) 6 else 2");
    for text in ["if (P == 0) 3 / P else 2", "if (P == 0) N mod P else 2"] {
        prints(text, text);
    }
}

#[test]
fn decimals_keep_their_own_coefficients() {
    prints("10.1 * N + 0.1 * P", "10.1 * N + 0.1 * P");
}

#[test]
fn polynomials_factor() {
    prints("N^2 / 2 + N / 2", "N * (N + 1) / 2");
    prints(
        "2/3 * N^3 + 1/2 * N^2 - 1/6 * N",
        "N * (N + 1) * (4 * N - 1) / 6",
    );
    prints("N^4 / 4 + N^3 / 2 + N^2 / 4", "N^2 * (N + 1)^2 / 4");
    prints("a*c + a*d + b*c + b*d", "(a + b) * (c + d)");
    prints("N^2 * P / 2 - N * P^2 / 2", "N * P * (N - P) / 2");
    prints("P^2 * N / 2 - P * N^2 / 2", "N * P * (P - N) / 2");
}

#[test]
fn terms_with_a_common_factor_stand_together() {
    prints(
        "q * P^2 / 2 - q * P / 2 + r^2 / 2 - r / 2",
        "(P * q * (P - 1) + r^2 - r) / 2",
    );
}

#[test]
fn multiples_of_a_vector_stand_together() {
    prints(
        "a * unitvec(k) + b * unitvec(k) + t * unitvec(disk, k)",
        "t * unitvec(disk, k) + (a + b) * unitvec(k)",
    );
    prints(
        "sum (i = 0, N) { a * unitvec(0) * i }",
        "sum (i = 0, N) { [a * i] }",
    );
}

#[test]
fn fractions_over_one_denominator_stand_together() {
    prints("ceil(N / P - 1 / P)", "ceil((N - 1) / P)");
    prints("N^3 / 3 - N / 3", "(N^3 - N) / 3");
}

#[test]
fn an_integer_does_not_matter_to_being_one() {
    prints("integer(N - 1)", "integer(N)");
    prints("integer(N / P + 2)", "integer(N / P)");
}

#[test]
fn what_is_short_stays() {
    for text in ["N + 1", "N^2 - N", "2 * N + 1", "a * b + c", "N / P + 1"] {
        prints(text, text);
    }
}

#[test]
fn conditions_are_solved_for_positive_terms() {
    prints("0 <= N - P", "P <= N");
    prints("0 <= N - 1", "N >= 1");
    prints("0 <= 2 * N - 2 * P + 2", "P <= N + 1");
}

#[test]
fn a_pole_is_never_cancelled() {
    prints("N / P - N / P + 1", "N / P - N / P + 1");
    prints("x * x^-1 + x", "x + x / x");
}

#[test]
fn operations_count_what_is_computed() {
    for (text, count) in [
        ("max(10.1 * N, 0.1 * N * P)", 4),
        ("a - b", 1),
        ("a / b", 1),
        ("1 / b", 1),
        ("(a + b)^2", 2),
        ("(a + b) * c + floor(a + b)", 4),
        ("N", 0),
    ] {
        assert_eq!(super::formula(text).operations(), count, "{text}");
    }
}

#[test]
fn a_sum_of_unit_vectors_is_closed() {
    for (text, open) in [
        ("sum (i = 0, N) { 2 * unitvec(i) }", 0),
        ("sum (i = 0, N) { max (j = i, N) { x^j } * unitvec(i) }", 1),
        ("max(sum (i = 0, N) { 2 * unitvec(i mod P) })", 1),
        ("sum (i = 1, N) { i } + max(a, b)", 1),
        ("N * (N + 1) / 2", 0),
    ] {
        assert_eq!(super::formula(text).open_reductions(), open, "{text}");
    }
}

#[test]
fn roots_and_exponentials_are_written_as_such() {
    prints("(p - p^2)^0.5 * x^-0.5", "sqrt(p - p^2) / sqrt(x)");
    prints("exp(-x)^n", "exp(-n * x)");
    prints("exp(x) / (exp(x) - 1)", "1 / (1 - exp(-x))");
    prints("exp(x) / (exp(2 * x) - 1)", "exp(x) / (exp(2 * x) - 1)");
}

#[test]
fn squares_are_completed() {
    prints(
        "x^2 - p * x^2 - 2 * x * y + 2 * p * x * y + 2 * y^2 - p * y^2",
        "(x - y)^2 * (1 - p) + y^2",
    );
    prints("x^2 - 2 * x * y + 3 * y^2", "2 * y^2 + (x - y)^2");
    for text in ["x * (x + 1) + 1", "x * (x + 2 * y) - y^2"] {
        prints(text, text);
    }
}

#[test]
fn a_choice_has_its_minus_inside() {
    prints(
        "min(N, -min(1, ceil(x - y + P)))",
        "min(N, max(-1, floor(y - P - x)))",
    );
    prints("-a * min(1, N - P)", "a * max(-1, P - N)");
    prints("max(0, -floor(n - x / y))", "max(0, ceil(x / y - n))");
    prints("a - floor(n - x / y)", "a - floor(n - x / y)");
    prints("b - a * min(1, N - P)", "b - a * min(1, N - P)");
    prints("-min(N, P)", "-min(N, P)");
}

#[test]
fn what_a_bracket_chooses_is_a_choice() {
    prints("u * (N >= 2)", "if (N >= 2) u else 0");
    // A single choice may be longer than its bracket.
    prints("a + u * (N >= 2)", "if (N >= 2) a + u else a");
    prints(
        "(N >= 2) * (P >= 2) * (N * u + m)",
        "if (N >= 2 && P >= 2) N * u + m else 0",
    );
    prints(
        "(N >= 2) * (P - 1) * (N - 3) / 3",
        "if (N >= 2) (N - 3) * (P - 1) / 3 else 0",
    );
    // What may be undefined is looked at in any case, and truth values are counted.
    prints("(x < y) * u / P", "u * (x < y) / P");
    prints("2 * (N >= 2)", "2 * (N >= 2)");
    prints("(N >= 2) * (1 / x + 1)", "(N >= 2) * (1 / x + 1)");
}
