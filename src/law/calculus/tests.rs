use super::*;

mod many;

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
