use super::*;
use crate::{Distribution, Named, Probability};

/// The quantiles in the middle of `n` equal shares: samples without noise.
fn samples(name: &str, arguments: &[f64], n: usize) -> Vec<f64> {
    let law = Named::new(name, arguments).unwrap();
    let share = |i: usize| Probability::below((i as f64 + 0.5) / n as f64);
    (0..n).map(|i| law.quantile(share(i))).collect()
}

fn fit(samples: Vec<f64>) -> Fit {
    Fit::new("t", samples, 200, 1).unwrap()
}

#[test]
fn the_law_that_samples_come_from_is_found_with_its_parameters() {
    for (name, parameters) in [
        ("normal", vec![5.0, 2.0]),
        ("exponential", vec![3.0]),
        ("gamma", vec![2.5, 0.5]),
        ("weibull", vec![0.8, 10.0]),
        ("lognormal", vec![-1.0, 0.7]),
        ("beta", vec![2.0, 5.0]),
        ("poisson", vec![4.0]),
        ("geometric", vec![0.2]),
    ] {
        let fit = fit(samples(name, &parameters, 4000));
        let found = fit.laws.iter().find(|law| law.law == name).unwrap();
        for (found, expected) in found.parameters.iter().zip(&parameters) {
            assert!((found / expected - 1.0).abs() < 0.02, "{name} {found}");
        }
        // None is better, but for a law that this one is a case of.
        let best = fit.laws[0].goodness.aic();
        assert!(
            found.goodness.aic() <= best + 2.0,
            "{name}: {}",
            fit.laws[0].law
        );
        let jump = if matches!(name, "poisson" | "geometric") {
            1e-3
        } else {
            0.004
        };
        assert!(found.goodness.kolmogorov_smirnov < jump, "{name}");
    }
}

#[test]
fn estimates_are_where_the_likelihood_is_greatest() {
    let samples = samples("lognormal", &[0.3, 0.9], 300);
    let fit = fit(samples.clone());
    let likelihood = |name: &str, parameters: &[f64]| -> f64 {
        let law = Named::new(name, parameters).unwrap();
        samples.iter().map(|x| law.log_density(*x)).sum()
    };
    for name in ["gamma", "weibull", "lognormal", "normal"] {
        let found = fit.laws.iter().find(|law| law.law == name).unwrap();
        let best = likelihood(name, &found.parameters);
        assert!((best - found.goodness.log_likelihood).abs() < 1e-9);
        for k in 0..2 {
            for factor in [0.999, 1.001] {
                let mut moved = found.parameters.clone();
                moved[k] *= factor;
                assert!(likelihood(name, &moved) < best, "{name} {k}");
            }
        }
    }
}

/// Four samples of the uniform law on (0, 1), by hand.
#[test]
fn distances_are_those_of_the_textbook() {
    let law = Named::new("uniform", &[0.0, 1.0]).unwrap();
    let sorted = [0.1, 0.2, 0.6, 0.7];
    let found = Goodness::of(&law, 0.0, &sorted, 0, false);
    // At 0.2 half of the samples are passed.
    assert!((found.kolmogorov_smirnov - 0.3).abs() < 1e-12);
    let sum = (0.1_f64 * 0.3).ln()
        + 3.0 * (0.2_f64 * 0.4).ln()
        + 5.0 * (0.6_f64 * 0.8).ln()
        + 7.0 * (0.7_f64 * 0.9).ln();
    let anderson_darling = found.anderson_darling.unwrap();
    assert!((anderson_darling + 4.0 + sum / 4.0).abs() < 1e-12);
    assert_eq!((found.log_likelihood, found.aic()), (0.0, 0.0));
}

#[test]
fn intervals_cover_the_moments_and_narrow_with_more_samples() {
    let width = |n: usize| {
        let fit = fit(samples("exponential", &[1.0], n));
        for moment in &fit.moments {
            assert!(moment.interval[0] <= moment.value && moment.value <= moment.interval[1] * 1.2);
        }
        fit.moments[0].interval[1] - fit.moments[0].interval[0]
    };
    // 2 * 1.96 / sqrt(n) for the mean of unit variance.
    for n in [100, 1600] {
        let expected = 3.92 / (n as f64).sqrt();
        assert!((width(n) / expected - 1.0).abs() < 0.25);
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let text = |seed| {
        Fit::new("t", samples("normal", &[0.0, 1.0], 50), 100, seed)
            .unwrap()
            .to_string()
    };
    assert_eq!(text(3), text(3));
    assert_ne!(text(3), text(4));
}

#[test]
fn continuous_laws_have_no_advantage_among_whole_numbers() {
    let coins = fit(vec![0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(coins.laws[0].expression, "bernoulli(0.25)");
    let exponential = coins
        .laws
        .iter()
        .find(|law| law.law == "exponential")
        .unwrap();
    // Rounded to 0 below 1/2, to 1 from there to 3/2.
    let tail = |x: f64| (-x / 0.25).exp();
    let expected = 6.0 * (1.0 - tail(0.5)).ln() + 2.0 * (tail(0.5) - tail(1.5)).ln();
    assert!((exponential.goodness.log_likelihood - expected).abs() < 1e-12);
}

#[test]
fn few_equal_and_wrong_samples() {
    let error = Fit::new("t", vec![1.0, 2.0, 3.0], 10, 1).unwrap_err();
    assert_eq!(
        error,
        "there are 3 samples, but four moments need at least 4"
    );
    assert!(Fit::new("t", vec![1.0, 2.0, 3.0, f64::NAN], 10, 1).is_err());
    let error = Fit::new("t", vec![1e200, 0.0, -1e200, 1.0], 10, 1).unwrap_err();
    assert!(error.contains("use another unit"));
    let constant = fit(vec![2.0; 10]);
    assert_eq!(constant.laws[0].expression, "deterministic(2)");
    assert_eq!(constant.laws.len(), 1);
}

/// Half of a unit around nearly equal samples holds all of a narrow law, which says nothing about its shape.
#[test]
fn nearly_equal_whole_samples_fit_no_continuous_law() {
    let samples: Vec<f64> = (0..400)
        .map(|i| if i % 20 == 0 { 6.0 } else { 5.0 })
        .collect();
    let fit = fit(samples);
    for law in &fit.laws {
        let goodness = &law.goodness;
        assert!(
            !goodness.fits || goodness.kolmogorov_smirnov < 0.1,
            "{} {goodness:?}",
            law.law
        );
    }
}
