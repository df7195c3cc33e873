//! Random sums and products that need special functions: rational functions of the index, logarithms,
//! factorials and harmonic numbers, over ranges that may be empty or run across a pole.
//!
//! `PAMELA_MODELS=20000 cargo test --release --test all models::series` tries as many.

use proptest::prelude::*;

use super::random_models::config_of;
use super::support::points::points;
use super::support::{closed_forms_by, compare, definition, read};

const POINTS: usize = 14;

fn one_of(choices: &'static [&'static str]) -> BoxedStrategy<String> {
    prop::sample::select(choices)
        .prop_map(str::to_string)
        .boxed()
}

/// A linear factor of the index.
fn factor() -> BoxedStrategy<String> {
    let shifts = &[
        "i",
        "i + 1",
        "i + 2",
        "i - 1",
        "i - 3",
        "i + c",
        "i + c + 1",
        "i - M",
        "N - i",
        "N + 1 - i",
        "2 * i + 1",
        "3 - i",
        "i + 1/2",
        "2 * i + 4",
    ];
    one_of(shifts)
        .prop_map(|factor| format!("({factor})"))
        .boxed()
}

/// `factors / factors`
fn quotient() -> BoxedStrategy<String> {
    let above = prop::collection::vec(factor(), 0..=2);
    let below = prop::collection::vec(factor(), 1..=3);
    let scale = one_of(&["1", "x", "2", "i", "(i^2 + x)"]);
    (scale, above, below)
        .prop_map(|(scale, above, below)| {
            let above: Vec<String> = [scale].into_iter().chain(above).collect();
            format!("{} / ({})", above.join(" * "), below.join(" * "))
        })
        .boxed()
}

/// A hypergeometric term; some of their sums are closed.
fn term() -> BoxedStrategy<String> {
    let rational = one_of(&[
        "1",
        "i",
        "x * i",
        "(i^2 + 1)",
        "(i^2 + 2 * i + 2)",
        "(i - 1)",
        "1 / (i + 1)",
        "i / (i + 2)",
        "i / ((i + 1) * (i + 2))",
        "(2 * i - 1) / (i * (i + 1))",
        "(i^2 + i - 1)",
        "1 / i",
    ]);
    let kernel = one_of(&[
        "fact(i)",
        "fact(i + 1)",
        "1 / fact(i + 1)",
        "1 / fact(i + 2)",
        "2^i",
        "3^i",
        "(-1)^i * fact(i)",
        "fact(2 * i) / (fact(i)^2 * 4^i)",
        "fact(i + 2) / fact(i)",
        "2^i / fact(i)",
        "fact(4 - i)",
        "fact(i) / fact(i + 1)",
    ]);
    (rational, kernel)
        .prop_map(|(rational, kernel)| format!("{rational} * {kernel}"))
        .boxed()
}

/// An element of a row of binomial coefficients, or of a product of such, with weights.
fn element() -> BoxedStrategy<String> {
    let weight = one_of(&[
        "1",
        "i",
        "i^2",
        "(N - i)",
        "(2 * i + 1)",
        "(i^2 - x)",
        "1 / (i + 1)",
        "x",
    ]);
    let coefficient = one_of(&[
        "binom(N, i)",
        "binom(N, i)^2",
        "binom(N + 1, i)",
        "binom(N - 1, i)",
        "binom(M, i) * binom(N, c - i)",
        "binom(M, i) * binom(N, i)",
        "binom(M, i) * binom(N, i + c)",
        "binom(N, i) * binom(i, M)",
        "binom(i, M)",
        "binom(M + i, i)",
        "binom(2 * N, i)",
        "binom(N * M, i)",
        "fact(N) / (fact(i) * fact(N - i))",
        "1 / (fact(i) * fact(N - i) * fact(M + i))",
        "1 / (fact(i) * fact(N - 2 * i))",
    ]);
    let powers = one_of(&[
        "",
        "* x^i",
        "* (-1)^i",
        "* 2^i",
        "* x^i * (1 - x)^(N - i)",
        "* x^(N - i)",
        "* (-2)^i * 3^(N - i)",
        "* (x / 2)^(i + 1)",
    ]);
    (weight, coefficient, powers)
        .prop_map(|(weight, coefficient, powers)| format!("{weight} * {coefficient} {powers}"))
        .boxed()
}

fn weighted_harmonic() -> BoxedStrategy<String> {
    let weight = one_of(&["1", "i", "x * i^2", "(i + 3)", "(2 * i - 1)", "c"]);
    let harmonic = one_of(&[
        "H(i)",
        "H(i + 1)",
        "H(i - 1)",
        "H(i + c)",
        "H(N - i)",
        "H(i, 2)",
        "H(i + 2, 3)",
        "H(N - i + 1, 2)",
    ]);
    (weight, harmonic)
        .prop_map(|(weight, harmonic)| format!("{weight} * {harmonic}"))
        .boxed()
}

fn body() -> BoxedStrategy<(String, String)> {
    let sum = |body: String| ("sum".to_string(), body);
    let product = |body: String| ("prod".to_string(), body);
    let logarithm = quotient().prop_map(|operand| format!("log({operand})"));
    let powers = (quotient(), one_of(&["", " * x^i", " * 2^i", " * c"]))
        .prop_map(|(quotient, power)| format!("{quotient}{power}"));
    prop_oneof![
        3 => quotient().prop_map(sum),
        1 => (quotient(), quotient()).prop_map(|(a, b)| format!("{a} - {b}")).prop_map(sum),
        2 => logarithm.prop_map(sum),
        3 => term().prop_map(sum),
        3 => element().prop_map(sum),
        2 => weighted_harmonic().prop_map(sum),
        1 => (factor(), factor()).prop_map(|(a, b)| format!("{a} * {b}")).prop_map(product),
        3 => powers.prop_map(product),
    ]
    .boxed()
}

fn model() -> BoxedStrategy<String> {
    let facts = one_of(&["", " : integer", " : integer >= 0", " : integer >= 1"]);
    let lower = one_of(&["1", "0", "2", "-2", "M", "c", "-N", "M + 1", "-c"]);
    let upper = one_of(&["N", "N - 1", "N + 1", "M", "5", "2 * N", "-1", "N - c"]);
    (facts, lower, upper, body())
        .prop_map(|(facts, lower, upper, (kind, body))| {
            let declared = |name| format!("numeric parameter {name}{facts}\n");
            let parameters: String = ["N", "M", "c"].into_iter().map(declared).collect();
            format!(
                "{parameters}numeric parameter x\nnumeric f = {kind} (i = {lower}, {upper}) {{ {body} }}\n"
            )
        })
        .boxed()
}

/// The same over whole numbers and the ranges that rows have.
fn row() -> BoxedStrategy<String> {
    let facts = one_of(&[" : integer", " : integer >= 0", " : integer >= 1"]);
    let lower = one_of(&["0", "1", "2", "-1", "M", "max(0, c - N)"]);
    let upper = one_of(&[
        "N",
        "N - 1",
        "N + 1",
        "M",
        "c",
        "2 * N",
        "min(M, N)",
        "N * M",
    ]);
    (facts, lower, upper, element())
        .prop_map(|(facts, lower, upper, element)| {
            let declared = |name| format!("numeric parameter {name}{facts}\n");
            let parameters: String = ["N", "M", "c"].into_iter().map(declared).collect();
            format!(
                "{parameters}numeric parameter x\nnumeric f = sum (i = {lower}, {upper}) {{ {element} }}\n"
            )
        })
        .boxed()
}

proptest! {
    #![proptest_config(config_of("PAMELA_MODELS", 300))]

    #[test]
    fn series_have_the_values_of_their_definitions(text in model(), strict in any::<bool>()) {
        has_the_values_of_its_definition(&text, strict)?;
    }

    #[test]
    fn rows_have_the_values_of_their_definitions(text in row(), strict in any::<bool>()) {
        has_the_values_of_its_definition(&text, strict)?;
    }
}

fn has_the_values_of_its_definition(text: &str, strict: bool) -> Result<(), TestCaseError> {
    let checked = read("series.pam", text);
    let points = points(&checked, POINTS);
    let closed = match closed_forms_by("series.pam", text, strict) {
        Ok(closed) => closed,
        Err(error) => {
            // It is undefined for all values, and so is the definition.
            prop_assert!(error.contains("has no value"), "{error}");
            for point in &points {
                prop_assert!(definition(&checked, "f", point).is_err(), "{text}");
            }
            return Ok(());
        }
    };
    let comparison = compare("series.pam", text, &closed, &points);
    prop_assert!(
        comparison.wrong.is_empty(),
        "{}\n{text}",
        comparison.wrong.join("\n")
    );
    Ok(())
}
