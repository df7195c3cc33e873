//! Sums against closed forms.

use super::laws::{Coins, Exponential, Uniform};
use super::*;
use crate::Named;

fn exponential(mean: f64) -> Grid {
    Grid::of(&Exponential).scaled(mean)
}

/// `P(X > x)` of the sum of `n` exponentials of mean 1.
fn erlang_above(n: u32, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for i in 1..n {
        term *= x / f64::from(i);
        sum += term;
    }
    (-x).exp() * sum
}

/// `P(X <= x)` of the same, where it is small.
fn erlang_below(n: u32, x: f64) -> f64 {
    let mut term: f64 = (1..=n).map(|i| x / f64::from(i)).product();
    let (mut sum, mut i) = (0.0, n);
    while term > 1e-18 * sum {
        sum += term;
        i += 1;
        term *= x / f64::from(i);
    }
    (-x).exp() * sum
}

fn integrated(grid: &Grid) -> Cumulants {
    crate::grid::integral::cumulants(&grid.pieces)
}

/// The error of a logit at a quantile of a sum, against the exact probability there.
fn error_at(sum: &Grid, t: f64, exact: impl Fn(f64) -> Probability) -> f64 {
    let x = sum.quantile(Probability::from_logit(t));
    (exact(x).logit() - t).abs()
}

#[test]
fn the_bodies_of_sums_of_many_exponentials_are_gamma() {
    let one = exponential(1.0);
    for n in [20.0, 100.0, 1_000.0, 2_048.0] {
        let (sum, exact) = (one.repeated(n), Named::new("gamma", &[n, 1.0]));
        let exact = exact.expect("the parameters are right");
        for p in [0.01, 0.1, 0.5, 0.9, 0.99].map(Probability::below) {
            let error = sum.quantile(p) - exact.quantile(p);
            assert!(error.abs() < 1e-6 * n.sqrt(), "{n} {p:?} {error}");
        }
    }
}

#[test]
fn sums_of_exponentials_are_erlang_in_both_tails() {
    let one = exponential(1.0);
    for n in [2_u32, 3, 10, 100] {
        let sum = one.repeated(f64::from(n));
        let exact = Exponential.cumulants().repeated(f64::from(n));
        agree(integrated(&sum), exact, 2e-5);
        agree(sum.cumulants(), exact, 1e-14);
        for i in -20..=20 {
            let t = f64::from(i);
            let below = |x| Probability::below(erlang_below(n, x));
            let above = |x| Probability::above(erlang_above(n, x));
            let (error, most) = match t {
                t if t < -8.0 => (error_at(&sum, t, below), 3e-2),
                t if t < -2.0 => (error_at(&sum, t, below), 1e-2),
                t if t < 0.0 => (error_at(&sum, t, below), 2e-5),
                t => (error_at(&sum, t, above), 1e-4),
            };
            assert!(error < most, "n {n} t {t} {error:e}");
        }
        assert!(error_at(&sum, 40.0, |x| Probability::above(erlang_above(n, x))) < 0.1);
    }
}

#[test]
fn a_million_exponentials_are_a_gamma() {
    let sum = exponential(1.0).repeated(1e6);
    let gamma = Named::new("gamma", &[1e6, 1.0]).expect("parameters are right");
    for t in [-15.0, -5.0, -1.0, 0.0, 1.0, 5.0, 15.0] {
        assert!(error_at(&sum, t, |x| gamma.cdf(x)) < 1e-5);
    }
    // Four cumulants tell more copies than can be counted.
    let huge = exponential(1.0).repeated(1e12);
    assert!((huge.quantile(Probability::below(0.5)) - (1e12 - 1.0 / 3.0)).abs() < 0.1);
}

#[test]
fn the_sum_of_two_uniforms_is_triangular() {
    let sum = Grid::of(&Uniform).repeated(2.0);
    for x in [0.05, 0.2, 0.5, 0.9, 1.0] {
        assert!((sum.cdf(x).below - x * x / 2.0).abs() < 2e-6);
        assert!((sum.cdf(2.0 - x).above - x * x / 2.0).abs() < 2e-6);
    }
    agree(integrated(&sum), Uniform.cumulants().repeated(2.0), 2e-5);
    assert_eq!(sum.support(), Support::new(0.0, 2.0));
}

#[test]
fn different_exponentials_add_up_to_differences_of_their_tails() {
    let sum = Grid::sum(&[&exponential(1.0), &exponential(3.0), &Grid::constant(5.0)]);
    let above = |x: f64| 1.5 * (-(x - 5.0) / 3.0).exp() - 0.5 * (5.0 - x).exp();
    for t in [0.0, 2.0, 5.0, 10.0, 20.0] {
        assert!(error_at(&sum, t, |x| Probability::above(above(x))) < 1e-4);
    }
    assert_eq!(sum.support().lower, 5.0);
}

#[test]
fn sums_of_coins_are_binomial() {
    let sum = Grid::of(&Coins).repeated(10.0);
    let exact = Named::new("binomial", &[20.0, 0.5]).expect("parameters are right");
    for k in 0..=20 {
        let (x, y) = (f64::from(k), f64::from(k) + 0.5);
        assert!((sum.cdf(x).below - exact.cdf(x).below).abs() < 1e-13);
        assert!((sum.cdf(y).below - exact.cdf(y).below).abs() < 1e-13);
    }
    // Too many values for atoms: smoothed, the median within half a step.
    let many = Grid::of(&Coins).repeated(1000.0);
    assert!((many.quantile(Probability::below(0.5)) - 1000.0).abs() < 0.5);
    agree(integrated(&many), Coins.cumulants().repeated(1000.0), 1e-3);
}

#[test]
fn an_atom_at_the_least_value_stays_one() {
    // Twice c + the excess, which is 0 with probability p, else an exponential.
    let c = 0.7_f64;
    let (p, q) = (1.0 - (-c).exp(), (-c).exp());
    let one = Grid::largest_of(&[&exponential(1.0), &Grid::constant(c)]);
    let sum = one.repeated(2.0);
    assert!((sum.cdf(2.0 * c).below - p * p).abs() < 1e-6);
    for y in [0.01_f64, 0.1, 0.5, 1.0, 3.0, 10.0] {
        let above = (2.0 * p * q + q * q * (1.0 + y)) * (-y).exp();
        let relative = sum.cdf(2.0 * c + y).above / above - 1.0;
        assert!(relative.abs() < 2e-4, "{y} {relative:e}");
    }
    agree(integrated(&sum), one.cumulants().repeated(2.0), 1e-4);
}

#[test]
fn heavy_tails_are_those_of_the_greatest_summand() {
    // Two Weibulls of shape 1/2: P(S > x) = e^-r + int_0^(pi/2) e^(-r (sin + cos)) r cos, r = sqrt(x).
    let one = Grid::of(&Named::new("weibull", &[0.5, 1.0]).expect("parameters are right"));
    let sum = one.repeated(2.0);
    let above = |x: f64| {
        let (r, steps) = (x.sqrt(), 2000);
        let f = |i: i32| {
            let a = std::f64::consts::FRAC_PI_2 * f64::from(i) / f64::from(steps);
            (-r * (a.sin() + a.cos())).exp() * r * a.cos()
        };
        let odd: f64 = (0..steps / 2).map(|i| f(2 * i + 1)).sum();
        let even: f64 = (1..steps / 2).map(|i| f(2 * i)).sum();
        let width = std::f64::consts::FRAC_PI_2 / f64::from(steps);
        (-r).exp() + (f(0) + 4.0 * odd + 2.0 * even + f(steps)) * width / 3.0
    };
    for (t, most) in [
        (0.0, 2e-3),
        (5.0, 2e-3),
        (15.0, 2e-3),
        (20.0, 5e-2),
        (40.0, 5e-2),
    ] {
        let error = error_at(&sum, t, |x| Probability::above(above(x)));
        assert!(error < most, "{t} {error:e}");
    }
}

#[test]
fn a_number_of_copies_that_is_not_whole_has_its_cumulants() {
    let one = exponential(2.0);
    agree(
        one.repeated(2.5).cumulants(),
        one.cumulants().repeated(2.5),
        1e-14,
    );
    assert_eq!(one.repeated(0.0).as_constant(), Some(0.0));
    assert_eq!(Grid::constant(2.0).repeated(2.5).as_constant(), Some(5.0));
    assert_eq!(Grid::sum(&[]).as_constant(), Some(0.0));
}

#[test]
fn errors_of_a_sum_do_not_add_up_in_the_sum_of_many() {
    // The lesser summand is as wide as a bin.
    let cycle = Grid::sum(&[&exponential(10.0), &exponential(0.1)]);
    for n in [10.0, 1000.0, 5000.0] {
        let sum = cycle.repeated(n);
        agree(integrated(&sum), cycle.cumulants().repeated(n), 2e-4);
        let off = integrated(&sum).mean - sum.cumulants().mean;
        assert!(off.abs() < 1e-6 * sum.cumulants().deviation(), "{off:e}");
    }
}

#[test]
fn copies_of_unlike_laws_are_added_at_once() {
    let terms = [(1000.0, exponential(10.0)), (1000.0, exponential(0.1))];
    let sum = Grid::sum_of_copies(&[(terms[0].0, &terms[0].1), (terms[1].0, &terms[1].1)]);
    // By convolution of the gamma densities, by another program.
    for (n, mean, deviation) in [
        (10.0, 10_592.278_759, 192.082_514),
        (100.0, 10_911.244_971, 143.439_921),
    ] {
        let found = sum.largest(n).cumulants();
        assert!((found.mean - mean).abs() < 2e-5 * deviation, "{found:?}");
        assert!((found.deviation() / deviation - 1.0).abs() < 2e-5);
    }
    // Copies of two laws of two values: 3 coins of 1 and 2 of 10.
    let coin = |value: f64| Grid::of(&Named::new("bernoulli", &[0.5]).unwrap()).scaled(value);
    let sum = Grid::sum_of_copies(&[(3.0, &coin(1.0)), (2.0, &coin(10.0))]);
    for (x, chance) in [
        (3.0, 0.25),
        (10.0, 0.25 + 0.5 / 8.0),
        (22.0, 1.0 - 1.0 / 32.0),
    ] {
        assert!((sum.cdf(x).below - chance).abs() < 1e-9, "{x}");
    }
}

/// Where the tail of the sum meets its body, too. The exact law is that of six stages.
#[test]
fn the_least_values_of_a_sum_of_two_are_as_likely_as_they_should_be() {
    let sum = exponential(1.0).repeated(3.0).repeated(2.0);
    for k in 1..60 {
        let p = 10_f64.powf(-0.25 * f64::from(k));
        let error = erlang_below(6, sum.quantile(Probability::below(p))) / p - 1.0;
        assert!(error.abs() < 1e-4, "{p} {error}");
    }
}
