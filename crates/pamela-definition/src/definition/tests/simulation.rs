//! Samples against means and variances derived by hand, within four standard errors.

use super::*;

const REPLICATIONS: usize = 20_000;

fn sample_of(name: &str, text: &str) -> Result<Vec<f64>, String> {
    with_value(text, &[], |evaluator| {
        evaluator
            .sample(name, REPLICATIONS, 20_260_101)
            .map_err(|d| d.message)
    })
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    values.sum::<f64>() / n
}

/// Compares the mean, and the mean of the squared distances from it, each with its own standard error.
fn assert_sample(name: &str, text: &str, expected: f64, variance: f64) {
    let sample = sample_of(name, text).unwrap_or_else(|message| panic!("{text}: {message}"));
    assert_mean(&sample, expected, text);
    let squares: Vec<f64> = sample.iter().map(|x| (x - expected).powi(2)).collect();
    assert_mean(&squares, variance, text);
}

fn assert_mean(sample: &[f64], expected: f64, text: &str) {
    let found = mean(sample.iter().copied());
    let spread = mean(sample.iter().map(|x| (x - found).powi(2))).sqrt();
    let error = spread / (sample.len() as f64).sqrt();
    assert!(
        (found - expected).abs() <= 4.0 * error,
        "{text}: {found} +- {error}, expected {expected}"
    );
}

#[test]
fn every_named_law_has_its_mean_and_variance() {
    let pi = std::f64::consts::PI;
    for (law, expected, variance) in [
        ("exponential(3)", 3.0, 9.0),
        ("normal(3, 2)", 3.0, 4.0),
        ("uniform(2, 8)", 5.0, 3.0),
        ("erlang(4, 8)", 8.0, 16.0),
        ("gamma(1/2, 3)", 1.5, 4.5),
        ("rayleigh(2)", (2.0 * pi).sqrt(), 8.0 - 2.0 * pi),
        ("weibull(2, 3)", 1.5 * pi.sqrt(), 9.0 * (1.0 - pi / 4.0)),
        (
            "lognormal(1, 1/2)",
            1.125f64.exp(),
            (2.25f64).exp() * 0.25f64.exp_m1(),
        ),
        ("bernoulli(1/4)", 0.25, 0.1875),
        ("binomial(10, 1/4)", 2.5, 1.875),
        ("poisson(5/2)", 2.5, 2.5),
        ("geometric(1/4)", 4.0, 12.0),
        ("beta(2, 1)", 2.0 / 3.0, 1.0 / 18.0),
        (
            "mixture(1/4, exponential(1), 3/4, 4)",
            3.25,
            0.25 * 2.0 + 0.75 * 16.0 - 3.25f64.powi(2),
        ),
    ] {
        assert_sample("x", &format!("numeric x = {law}"), expected, variance);
    }
}

#[test]
fn compositions_have_their_mean_and_variance() {
    for (expression, expected, variance) in [
        // The largest of n exponentials has the cumulants sum 1/k and sum 1/k^2.
        ("max (i = 1, 3) { exponential(1) }", 11.0 / 6.0, 49.0 / 36.0),
        ("min (i = 1, 4) { exponential(1) }", 0.25, 0.0625),
        (
            "kth (2 of i = 1, 2) { uniform(0, 1) }",
            2.0 / 3.0,
            1.0 / 18.0,
        ),
        ("exponential(1) * exponential(2)", 2.0, 4.0 * 4.0 - 4.0),
        // E[N] Var[X] + Var[N] E[X]^2
        ("sum (i = 1, poisson(5)) { exponential(2) }", 10.0, 40.0),
        ("if (bernoulli(1/4)) exponential(4) else 8", 7.0, 7.0),
        ("exponential(1) < exponential(3)", 0.75, 0.1875),
        ("E(exponential(3)) + bernoulli(1/2)", 3.5, 0.25),
    ] {
        assert_sample(
            "x",
            &format!("numeric x = {expression}"),
            expected,
            variance,
        );
    }
}

#[test]
fn the_time_of_a_process_is_sampled() {
    let text = "numeric X = exponential(1) process main = par (p = 1, 2) delay(X) ; delay(X)";
    // 1 + 1/2 for the section, 1 for what follows.
    assert_sample("T_main", text, 2.5, 1.25 + 1.0);
    // The longest of two, and apart from it the demand, an Erlang law of two stages:
    // E[max] = int 1 - (1 - u)^2 (1 - u - x u) = int 3u + xu - 3u^2 - 2xu^2 + u^3 + xu^3 with u = e^-x,
    // where int u^k = 1/k and int x u^k = 1/k^2.
    let text = "numeric X = exponential(1) resource s = fcfs(0)
                process main = par (i = 1, 2) { delay(0) ; use(s, X) }";
    let sample = sample_of("T_main", text).expect("has a sample");
    assert_mean(&sample, 3.0 + 1.0 - 1.5 - 0.5 + 1.0 / 3.0 + 1.0 / 9.0, text);
    // Of services alone, the demand.
    let text =
        "numeric X = exponential(1) resource s = fcfs(0) process main = use(s, X) || use(s, X)";
    assert_sample("T_main", text, 2.0, 2.0);
}

#[test]
fn the_same_seed_gives_the_same_sample() {
    let text = "numeric x = exponential(3)";
    assert_eq!(sample_of("x", text), sample_of("x", text));
    let other = with_value(text, &[], |e| e.sample("x", REPLICATIONS, 1)).expect("has a sample");
    assert_ne!(sample_of("x", text), Ok(other));
}

#[test]
fn a_law_given_by_moments_has_no_sample() {
    let message = sample_of("x", "numeric x = moments(1, 1, 0, 3)").expect_err("no draws");
    assert!(
        message.contains("only its cumulants are known"),
        "{message}"
    );
    assert_eq!(
        sample_of("x", "numeric x = moments(5, 0, 0, 3)").map(|s| s[0]),
        Ok(5.0)
    );
}
