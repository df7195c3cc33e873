//! Laws beside textbook formulas, where a parameter, a probability or a number of copies is a special one.

use pamela::eval::Value;
use pamela::syntax::FileLoader;
use pamela::{Model, Options};

/// The name of an equation, its number, and its quantiles.
type Numbers = (String, Option<f64>, Vec<(f64, f64)>);

/// Numbers and quantiles of the equations of a model.
fn evaluated(text: &str) -> Vec<Numbers> {
    let rules = pamela::rules::standard().expect("the rules are rules");
    let model = Model::read("special.pam", text, &FileLoader).expect("the model reads");
    let evaluated = model
        .evaluate(&[], rules, &Options::default())
        .expect("it has values");
    let equation = |equation: pamela::compiled::EvaluatedEquation| {
        let number = match &equation.value {
            Value::Scalar(number) => Some(number.to_f64()),
            _ => None,
        };
        let quantiles = equation.law.map(|law| law.quantiles).unwrap_or_default();
        (equation.name, number, quantiles)
    };
    evaluated.equations.into_iter().map(equation).collect()
}

fn number(text: &str) -> f64 {
    let found = evaluated(&format!("numeric x = {text}\n"));
    found[0]
        .1
        .unwrap_or_else(|| panic!("{text} is not a number"))
}

fn quantiles(text: &str) -> [f64; 3] {
    let found = evaluated(&format!("numeric x = {text}\n"));
    let values: Vec<f64> = found[0].2.iter().map(|(_, value)| *value).collect();
    values
        .try_into()
        .unwrap_or_else(|_| panic!("{text} has no quantiles"))
}

fn near(name: &str, found: f64, expected: f64, error: f64) {
    assert!(
        (found - expected).abs() <= error * (1.0 + expected.abs()),
        "{name}: {found}, not {expected}"
    );
}

/// The cumulants of `pareto(s, 1)` between 1 and `u`, by the integral of `x^r * s * x^(-s - 1)` over that, which is
/// `s * (u^(r - s) - 1) / (r - s)`, or `s * ln(u)` where r = s; `expm1` keeps the digits beside that.
fn pareto_cumulants(s: f64, u: f64) -> [f64; 4] {
    let log = u.ln();
    let integral = |r: f64| {
        let d = r - s;
        let of_power = if d == 0.0 {
            log
        } else {
            (d * log).exp_m1() / d
        };
        s * of_power
    };
    let mass = -(-s * log).exp_m1();
    let [m1, m2, m3, m4] = [1.0, 2.0, 3.0, 4.0].map(|r| integral(r) / mass);
    let variance = m2 - m1 * m1;
    let third = m3 - 3.0 * m1 * m2 + 2.0 * m1.powi(3);
    let fourth = m4 - 4.0 * m1 * m3 + 6.0 * m1 * m1 * m2 - 3.0 * m1.powi(4);
    [m1, variance, third, fourth - 3.0 * variance * variance]
}

#[test]
fn a_truncated_pareto_law_has_its_moments_at_every_shape() {
    for (shape, s) in [
        ("1", 1.0),
        ("2", 2.0),
        ("3", 3.0),
        ("4", 4.0),
        ("5/2", 2.5),
        ("1/2", 0.5),
        ("5", 5.0),
    ] {
        for u in [10.0, 2.0] {
            let law = format!("truncated(pareto({shape}, 1), 1, {u})");
            let expected = pareto_cumulants(s, u);
            for (name, expected) in ["E", "Var", "K3", "K4"].into_iter().zip(expected) {
                near(
                    &format!("{name} of {law}"),
                    number(&format!("{name}({law})")),
                    expected,
                    1e-9,
                );
            }
        }
    }
    // mpmath, by quadrature with 30 digits, of shape 2 between 1 and 10.
    near(
        "Var",
        number("Var(truncated(pareto(2, 1), 1, 10))"),
        1.345_901_932_586_49,
        1e-12,
    );
}

#[test]
fn a_quantile_at_the_weight_of_a_part_is_the_least_value_that_has_it() {
    for (law, place, expected) in [
        // Of the lognormal part something is left at any value, but less than the other part has from 500 on.
        (
            "if (bernoulli(1/100)) 500 + exponential(100) else lognormal(2, 1/4)",
            2,
            500.0,
        ),
        (
            "max(if (bernoulli(1/100)) 500 + exponential(100) else lognormal(2, 1/4), 1)",
            2,
            500.0,
        ),
        (
            "mixture(1/2, exponential(1), 1/2, 100 + exponential(1))",
            0,
            100.0,
        ),
        ("3 * mixture(9/10, weibull(2, 1), 1/10, 50)", 1, 150.0),
        // The uniform part ends.
        ("mixture(9/10, uniform(0, 1), 1/10, uniform(5, 6))", 1, 1.0),
        ("mixture(99/100, 3, 1/100, normal(100, 1))", 2, 3.0),
        // By symmetry; and where both are as many deviations away.
        ("mixture(1/2, normal(0, 1), 1/2, normal(100, 1))", 0, 50.0),
        ("mixture(1/2, normal(0, 1), 1/2, normal(90, 2))", 0, 30.0),
    ] {
        near(law, quantiles(law)[place], expected, 1e-9);
    }
}

/// The least whole number with a cdf of at least each of the three probabilities.
fn least(cdf: impl Fn(f64) -> f64) -> [f64; 3] {
    [0.5, 0.9, 0.99].map(|p| {
        (0..100_000)
            .map(f64::from)
            .find(|k| cdf(*k) >= p)
            .unwrap_or(f64::NAN)
    })
}

#[test]
fn quantiles_of_whole_numbers_are_whole() {
    let geometric = |k: f64| 1.0 - 0.999_f64.powf(k);
    // Of two, each of the first k - 1 values with the rest below.
    let both = |k: f64| 1.0 - 0.999_f64.powf(k) - k * 0.001 * 0.999_f64.powf(k - 1.0);
    let one = least(geometric);
    for (law, expected, off) in [
        ("geometric(1/1000)", one, 0.0),
        ("2 * geometric(1/1000)", one.map(|k| 2.0 * k), 0.0),
        ("geometric(1/1000) + 7", one.map(|k| k + 7.0), 0.0),
        ("geometric(1/1000) / 1000", one.map(|k| k / 1000.0), 1e-12),
        (
            "max (i = 1, 10) { geometric(1/1000) }",
            least(|k| geometric(k).powi(10)),
            0.0,
        ),
        (
            "max(geometric(1/1000), 100)",
            least(|k| if k < 100.0 { 0.0 } else { geometric(k) }),
            0.0,
        ),
        // The transform of the sum errs by some 1e-6 of the deviation, which may be a whole number more.
        ("sum (i = 1, 2) { geometric(1/1000) }", least(both), 1.0),
    ] {
        let found = quantiles(law);
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() <= off,
                "{law}: {found}, not {expected}"
            );
            assert!(off == 1e-12 || found.fract() == 0.0, "{law}: {found}");
        }
    }
}
