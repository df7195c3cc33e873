use super::*;

mod many;
mod mixed;

fn gld() -> Calculus {
    Calculus {
        carrier: Carrier::Gld,
    }
}

fn named(name: &str, arguments: &[f64]) -> Law {
    gld().named(name, arguments).unwrap()
}

/// `int_0^40 f(x) dx` by Simpson's rule.
fn simpson(f: impl Fn(f64) -> f64) -> f64 {
    let (steps, h) = (40_000, 1e-3);
    let weight = |i: i32| match i {
        0 => 1.0,
        _ if i == steps => 1.0,
        _ if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let terms = (0..=steps).map(|i| weight(i) * f(h * f64::from(i)));
    terms.sum::<f64>() * h / 3.0
}

#[test]
fn the_smallest_of_sums_of_exponentials_keeps_the_bound() {
    let survival = |x: f64| (-x).exp() * (1.0 + x + x * x / 2.0 + x * x * x / 6.0);
    let expected = simpson(|x| survival(x).powi(64));
    let sum = gld().repeated(&named("exponential", &[1.0]), 4.0).unwrap();
    for law in [named("erlang", &[4.0, 4.0]), sum] {
        let smallest = gld().kth(&law, 1.0, 64.0).unwrap();
        assert!((smallest.cumulants().mean - expected).abs() < 1e-9);
        assert!(smallest.is_fitted() && !smallest.misses_bound());
    }
    // The smaller of two different ones.
    let pair = [named("erlang", &[4.0, 4.0]), named("exponential", &[2.0])];
    let smaller = gld().smallest_of(&[&pair[0], &pair[1]]).unwrap();
    let expected = simpson(|x| survival(x) * (-x / 2.0).exp());
    assert!((smaller.cumulants().mean - expected).abs() < 1e-9);
}

#[test]
fn an_extreme_near_a_bound_that_was_missed_says_so() {
    let parts = [named("exponential", &[1.0]), named("uniform", &[0.0, 1.0])];
    let sum = gld().sum(&[&parts[0], &parts[1]]).unwrap();
    assert!(gld().kth(&sum, 1.0, 64.0).unwrap().misses_bound());
    assert!(gld().smallest_of(&[&sum, &sum]).unwrap().is_fitted());
    let later = gld().sum(&[&gld().kth(&sum, 1.0, 64.0).unwrap(), &parts[0]]);
    assert!(later.unwrap().misses_bound());
    // The largest has no bound; that of the exponential law is met, and that of many is far away.
    assert!(!gld().kth(&sum, 64.0, 64.0).unwrap().misses_bound());
    assert!(!gld().kth(&parts[0], 1.0, 64.0).unwrap().misses_bound());
    let many = gld().repeated(&sum, 1000.0).unwrap();
    assert!(!gld().kth(&many, 1.0, 64.0).unwrap().misses_bound());
    let grid = Calculus::default();
    assert!(!grid.kth(&sum, 64.0, 64.0).unwrap().misses_bound());
}

#[test]
fn ranks_among_different_laws_are_whole_and_within() {
    let laws = [1.0, 2.0, 3.0].map(|mean| named("exponential", &[mean]));
    let laws: Vec<&Law> = laws.iter().collect();
    for k in [0.0, 1.5, 4.0] {
        assert!(gld().kth_of(&laws, k).unwrap_err().contains("from 1 to 3"));
    }
    let smallest = gld().kth_of(&laws, 1.0).unwrap().cumulants().mean;
    assert!((smallest - 6.0 / 11.0).abs() < 1e-9);
}

/// The squares of 0 to 999, which a grid smooths.
fn squares() -> Law {
    let samples = (0..1000).map(|i| f64::from(i * i)).collect();
    gld().empirical(&Arc::new(Empirical::new(samples).unwrap()))
}

#[test]
fn quantiles_of_samples_are_samples_however_they_are_carried() {
    for carrier in [Carrier::Grid, Carrier::Gld, Carrier::Johnson] {
        let calculus = Calculus { carrier };
        let mirrored = calculus.scaled(&squares(), -2.0);
        let moved = calculus.sum(&[&mirrored, &Law::constant(1.0)]).unwrap();
        for (law, expected) in [
            (squares(), 899.0 * 899.0),
            (moved, 1.0 - 2.0 * 100.0 * 100.0),
        ] {
            let (distribution, method) = law.distribution(carrier).unwrap();
            assert_eq!(quantile(distribution.as_ref(), 0.8999), expected);
            assert_eq!(method, Method::Exact);
        }
    }
}

#[test]
fn the_largest_of_many_samples_is_exact() {
    let grid = Calculus::default();
    for n in [2.0, 30.0, 1e4] {
        let chance = |i: i32| (f64::from(i) / 1000.0).powf(n);
        let moment = |of: &dyn Fn(f64) -> f64| -> f64 {
            let terms = (0..1000).map(|i| of(f64::from(i * i)) * (chance(i + 1) - chance(i)));
            terms.sum()
        };
        let mean = moment(&|x| x);
        let variance = moment(&|x| (x - mean).powi(2));
        let law = grid.kth(&squares(), n, n).unwrap();
        assert!((law.cumulants().mean / mean - 1.0).abs() < 1e-12);
        assert!((law.cumulants().variance / variance - 1.0).abs() < 1e-9);
        // The least i with ((i + 1) / 1000)^n >= 1/2; among the last 64 it is not smoothed, elsewhere it may be the
        // one beside it.
        let median = (0..1000).find(|i| chance(i + 1) >= 0.5).unwrap();
        let (distribution, _) = law.distribution(Carrier::Grid).unwrap();
        let found = quantile(distribution.as_ref(), 0.5);
        let expected = f64::from(median * median);
        let gap = f64::from(2 * median + 1);
        let tolerance = if median >= 936 { 0.0 } else { gap };
        assert!((found - expected).abs() <= tolerance, "{found} {expected}");
    }
}

fn by_grid(name: &str, arguments: &[f64]) -> Law {
    Calculus::default().named(name, arguments).unwrap()
}

#[test]
fn extremes_of_very_many_whole_numbers_are_those_of_logarithms_of_powers() {
    let calculus = Calculus::default();
    // None of a million is 1 with the probability 0.999^1000000, which is e^-1000.5.
    let trial = by_grid("bernoulli", &[0.001]);
    let most = calculus.kth(&trial, 1e6, 1e6).unwrap().cumulants();
    assert!((most.mean - 1.0).abs() < 1e-12);
    let rare = by_grid("bernoulli", &[1e-9]);
    let most = calculus.kth(&rare, 1e6, 1e6).unwrap().cumulants();
    let expected = -(1e6 * (-1e-9_f64).ln_1p()).exp_m1();
    assert!((most.mean / expected - 1.0).abs() < 1e-12);
    // The largest of geometric numbers: E is the sum of P(X > k).
    for (p, n) in [(0.5_f64, 1e6_f64), (0.001, 1e12), (1e-5, 1e3), (0.9, 1e12)] {
        let law = by_grid("geometric", &[p]);
        let above = |k: f64| -(n * (-(k * (-p).ln_1p()).exp()).ln_1p()).exp_m1();
        let last = (50.0 + n.ln()) / p;
        let expected: f64 = (0..last as u64).map(|k| above(k as f64)).sum();
        let found = calculus.kth(&law, n, n).unwrap().cumulants().mean;
        assert!(
            (found / expected - 1.0).abs() < 1e-5,
            "{p} {n}: {found} {expected}"
        );
        // The smallest has the probability 1 - (1 - p)^n.
        let smallest = calculus.kth(&law, 1.0, n).unwrap().cumulants().mean;
        let expected = -1.0 / (n * (-p).ln_1p()).exp_m1();
        assert!(
            (smallest / expected - 1.0).abs() < 1e-3,
            "{p} {n}: {smallest} {expected}"
        );
    }
    // Some 10^9 of 10^12 are 1.
    let law = by_grid("geometric", &[0.001]);
    let kth = calculus.kth(&law, 30_000.0, 1e12).unwrap();
    assert!((kth.cumulants().mean - 1.0).abs() < 1e-12);
    assert!(kth.cumulants().variance.abs() < 1e-12);
}

#[test]
fn moments_are_those_at_the_scale_1_times_powers_of_the_scale() {
    let calculus = Calculus::default();
    let laws = |scale: f64| -> Vec<Law> {
        let pareto = by_grid("pareto", &[4.5, scale]);
        let heavy = by_grid("pareto", &[4.01, scale]);
        let wait = by_grid("exponential", &[scale]);
        let even = by_grid("uniform", &[0.0, scale]);
        let either = calculus.mixture(&[(0.3, &wait), (0.7, &even)]).unwrap();
        vec![
            calculus.kth(&pareto, 100.0, 100.0).unwrap(),
            calculus.kth(&heavy, 2.0, 3.0).unwrap(),
            calculus.largest_of(&[&pareto, &wait]).unwrap(),
            calculus.smallest_of(&[&wait, &even]).unwrap(),
            calculus.kth(&either, 1.0, 7.0).unwrap(),
            calculus.sum(&[&wait, &even]).unwrap(),
            calculus.repeated(&either, 5.0).unwrap(),
            wait,
        ]
    };
    for scale in [1e-70, 1e-12, 1e12, 1e70] {
        for (one, law) in laws(1.0).iter().zip(laws(scale)) {
            let (expected, found) = (one.cumulants(), law.cumulants());
            assert_eq!(law.moments_in_range(), 4);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-4 * b.abs();
            assert!(
                near(found.mean, scale * expected.mean),
                "{scale} {found:?} {expected:?}"
            );
            assert!(near(found.deviation(), scale * expected.deviation()));
            assert!(near(found.skewness(), expected.skewness()));
            assert!(
                near(found.kurtosis(), expected.kurtosis()),
                "{found:?} {expected:?}"
            );
        }
    }
    for scale in [1e-300, 1e-160, 1e-90, 1e90, 1e160, 1e300] {
        for law in laws_that_need_no_sum(scale) {
            let told = law.moments_in_range();
            assert!((1..4).contains(&told), "{scale} {law:?}");
            assert!(law.as_constant().is_none() && law.missing().is_some());
            let (distribution, _) = law.distribution(Carrier::Grid).unwrap();
            let median = quantile(distribution.as_ref(), 0.5) / scale;
            assert!(median > 0.01 && median < 10.0);
        }
    }
}

fn laws_that_need_no_sum(scale: f64) -> Vec<Law> {
    let calculus = Calculus::default();
    let wait = by_grid("exponential", &[scale]);
    let largest = calculus.kth(&wait, 100.0, 100.0).unwrap();
    vec![wait, largest]
}

#[test]
fn a_value_that_a_fitted_family_makes_certain_says_so() {
    let parts = [named("bernoulli", &[0.5]), named("deterministic", &[1.0])];
    let large = gld()
        .sum(&[&parts[0], &named("deterministic", &[5.0])])
        .unwrap();
    let one = gld().smallest_of(&[&large, &parts[1]]).unwrap();
    // Always below, by the bounds alone.
    assert_eq!(one.as_certain(), Some(1.0));
    let fitted = Law::of_cumulants(Cumulants::constant(1.0), Support::REAL, Basis::Fitted);
    assert_eq!(
        (fitted.as_certain(), fitted.as_constant()),
        (None, Some(1.0))
    );
    let later = gld()
        .sum(&[&fitted, &named("exponential", &[1.0])])
        .unwrap();
    assert!(later.is_fitted());
    let copies = gld().repeated(&fitted, 3.0).unwrap();
    assert!(copies.is_fitted() && copies.as_exact_constant().is_none());
}

#[test]
fn what_rests_on_samples_that_stand_for_a_law_says_so() {
    let samples = Empirical::new(vec![1.0, 2.0, 4.0, 7.5]).unwrap();
    let estimated = Calculus::default().estimated(&Arc::new(samples));
    let wait = by_grid("exponential", &[1.0]);
    let sum = Calculus::default().sum(&[&estimated, &wait]).unwrap();
    let largest = Calculus::default().largest_of(&[&sum, &wait]).unwrap();
    for law in [estimated, sum, largest] {
        let (_, method) = law.distribution(Carrier::Grid).unwrap();
        assert_eq!(method, Method::Simulation, "{law:?}");
    }
}
