//! Sums of laws with single values beside others.

use super::*;
use crate::Named;
use crate::truncated::Truncated;
use std::sync::Arc;

fn exponential() -> Grid {
    Grid::of(&Named::new("exponential", &[1.0]).unwrap())
}

/// 1 or an exponential time, each as likely.
fn mixed() -> Grid {
    Grid::mixture(&[(0.5, &Grid::constant(1.0)), (0.5, &exponential())])
}

#[test]
fn a_sum_is_a_single_value_where_both_are() {
    let sum = Grid::sum(&[&mixed(), &mixed()]);
    let e = |x: f64| (-x).exp();
    // Below 2: 1 + X, and X + Y of the gamma law.
    let before = 0.5 * (1.0 - e(1.0)) + 0.25 * (1.0 - 3.0 * e(2.0));
    let just_below = sum.cdf(2.0 - 1e-9).below;
    assert!((just_below - before).abs() < 1e-6, "{just_below} {before}");
    let here = sum.cdf(2.0).below;
    assert!((here - before - 0.25).abs() < 1e-6, "{here}");
    assert_eq!(sum.quantile(Probability::below(before + 0.125)), 2.0);
    assert!((sum.cumulants().mean - 2.0).abs() < 1e-9);
    let three = mixed().repeated(3.0);
    let atom = three.cdf(3.0).below - three.cdf(3.0 - 1e-9).below;
    assert!((atom - 0.125).abs() < 1e-5, "{atom}");
}

/// The cdf of an Erlang law of `k` stages at `x`, which is `l` stages on average.
fn erlang(k: i32, l: f64) -> f64 {
    let mut term = (-l).exp();
    let mut sum = 0.0;
    for i in 1..k + 60 {
        term *= l / f64::from(i);
        sum += if i >= k { term } else { 0.0 };
    }
    if l > 0.0 { sum } else { 0.0 }
}

#[test]
fn a_sum_is_right_where_single_values_are_likelier_than_the_rest() {
    let geometric = Grid::of(&Named::new("geometric", &[0.125]).unwrap());
    let stages = Grid::of(&Named::new("erlang", &[3.0, 10.0]).unwrap());
    let sum = Grid::mixture(&[(0.25, &geometric), (0.75, &stages)]).repeated(2.0);
    // Below 2, at most one of both is geometric.
    for x in (1..40).map(|i| 0.05 * f64::from(i) - 0.01) {
        let mixed = 2.0 * 0.25 * 0.75 * 0.125 * erlang(3, 0.3 * (x - 1.0));
        let expected = 0.75 * 0.75 * erlang(6, 0.3 * x) + mixed;
        let found = sum.cdf(x).below;
        assert!(
            (found / expected - 1.0).abs() < 1e-4,
            "{x}: {found} {expected}"
        );
    }
}

/// 0.5 / (1 - 10^-0.5) of the values above 1 come for each unit of length at 1.
#[test]
fn the_least_of_many_has_the_density_at_the_end() {
    let pareto = Grid::of(&Named::new("pareto", &[0.5, 1.0]).unwrap());
    let part = pareto.truncated(Support::new(1.0, 10.0)).unwrap();
    for offset in [0.0, -500.0] {
        let parts = [
            (0.25, &part.shifted(offset)),
            (0.75, &Grid::constant(500.0 + offset)),
        ];
        let least = Grid::mixture(&parts).smallest(1e6).shifted(-offset);
        let density = 0.25 * 0.5 / (1.0 - 10f64.powf(-0.5));
        let scaled = (least.cumulants().mean - 1.0) * 1e6 * density;
        // The density falls by the rate 1.5, beside which the mean is of an exponential law.
        assert!((scaled - 1.0).abs() < 2e-5, "{offset}: {scaled}");
        let median = (least.quantile(Probability::below(0.5)) - 1.0) * 1e6 * density;
        assert!(
            (median / 2f64.ln() - 1.0).abs() < 2e-5,
            "{offset}: {median}"
        );
    }
}

#[test]
fn a_smooth_part_is_the_law_of_the_rest() {
    let (weight, smooth) = mixed().smooth_part().unwrap();
    assert!((weight - 0.5).abs() < 1e-12);
    for p in [1e-6, 0.1, 0.5, 0.9, 1.0 - 1e-6].map(Probability::below) {
        let (found, expected) = (smooth.quantile(p), exponential().quantile(p));
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
    }
}

#[test]
fn quantiles_meet_single_values_but_for_rounding() {
    let halves = Grid::mixture(&[
        (0.3, &Grid::constant(1.0)),
        (0.2, &Grid::constant(2.0)),
        (0.5, &exponential().shifted(3.0)),
    ]);
    assert_eq!(halves.quantile(Probability::below(0.5)), 2.0);
    assert_eq!(halves.quantile(Probability::above(0.7)), 1.0);
}

#[test]
fn a_product_is_the_same_beside_offsets() {
    let uniform = |a: f64, b: f64| Grid::of(&Named::new("uniform", &[a, b]).unwrap());
    let whole = Grid::product(&uniform(10.0, 12.0), &uniform(5.0, 6.0));
    let beside = Grid::product_beside(&uniform(0.0, 2.0), &uniform(0.0, 1.0), [10.0, 5.0]);
    for p in [0.001, 0.2, 0.5, 0.9, 0.999].map(Probability::below) {
        let (a, b) = (whole.quantile(p) - 50.0, beside.quantile(p));
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    // Far away, the product is a sum: (F + X)(F + Y) - F^2 = F (X + Y).
    let far = Grid::product_beside(&uniform(0.0, 1.0), &uniform(0.0, 1.0), [1e12, 1e12]);
    assert!((far.quantile(Probability::below(0.125)) / 1e12 - 0.5).abs() < 1e-6);
    assert!((far.cumulants().variance / 1e24 - 1.0 / 6.0).abs() < 1e-9);
}

fn named(name: &str, parameters: &[f64]) -> Grid {
    Grid::of(&Named::new(name, parameters).unwrap())
}

#[test]
fn both_tails_of_a_sum_are_known_beside_single_values() {
    let sum = Grid::mixture(&[
        (0.9, &named("geometric", &[0.5])),
        (0.1, &named("exponential", &[0.5])),
    ])
    .repeated(2.0);
    // Below 1, both are exponential.
    for x in [1e-3, 1e-2, 0.1, 0.5, 0.9_f64] {
        let expected = 0.01 * (1.0 - (-2.0 * x).exp() * (1.0 + 2.0 * x));
        let found = sum.cdf(x).below;
        assert!((found / expected - 1.0).abs() < 2e-6, "{x} {found}");
    }
    // P(N + M > k) = (k + 1) / 2^k, and P(N + X > k) = E(2^ceil(X)) / 2^k for X below k.
    let e = (-2.0_f64).exp();
    let expected = 0.81 * 21.0 + 0.18 * 2.0 * (1.0 - e) / (1.0 - 2.0 * e);
    let found = sum.cdf(20.0).above * 2_f64.powi(20);
    assert!((found / expected - 1.0).abs() < 2e-6, "{found} {expected}");
}

#[test]
fn the_density_of_a_summand_may_be_infinite() {
    let sum = named("weibull", &[0.5, 1.0]).repeated(2.0);
    for x in [1e-5, 1e-3, 0.1, 0.9_f64] {
        // P(X + Y <= x), with X = x sin^2 a.
        let steps = 20_000;
        let width = std::f64::consts::FRAC_PI_2 / f64::from(steps);
        let at = |i: i32| {
            let (sin, cos) = (width * (f64::from(i) + 0.5)).sin_cos();
            let root = x.sqrt();
            (-root * sin).exp() * -(-root * cos).exp_m1() * root * cos * width
        };
        let expected: f64 = (0..steps).map(at).sum();
        let found = sum.cdf(x).below;
        assert!((found / expected - 1.0).abs() < 5e-5, "{x} {found}");
    }
}

#[test]
fn the_tail_beside_a_bound_is_that_of_the_density() {
    use crate::truncated::Truncated;
    let pareto = Named::new("pareto", &[2.0, 1.0]).unwrap();
    let law = Truncated::new(std::sync::Arc::new(pareto), Support::new(2.0, 3.0)).unwrap();
    let grid = Grid::of(&law);
    for distance in [1e-7, 1e-5, 1e-3, 0.1_f64] {
        // P(X <= x | 2 <= X <= 3) = (1/4 - 1/x^2) / (1/4 - 1/9), without cancellation.
        let x = 2.0 + distance;
        let expected = distance * (4.0 + distance) / (4.0 * x * x) / (0.25 - 1.0 / 9.0);
        let found = grid.cdf(x).below;
        assert!((found / expected - 1.0).abs() < 1e-6, "{distance} {found}");
    }
}

/// Two exponential times of mean 2, each of which is 500 as likely; about 500.
#[test]
fn a_sum_far_from_0_keeps_its_lower_tail() {
    let short = named("exponential", &[2.0]).shifted(-500.0);
    let sum = Grid::mixture(&[(0.5, &short), (0.5, &Grid::constant(0.0))]).repeated(2.0);
    for x in [0.001, 0.01, 0.0475, 0.1, 1.0_f64] {
        let expected = 0.25 * (1.0 - (-x / 2.0).exp() * (1.0 + x / 2.0));
        let found = sum.cdf(x - 1000.0).below;
        assert!((found / expected - 1.0).abs() < 2e-6, "{x}: {found}");
    }
    assert_eq!(sum.cdf(-1000.0).below, 0.0);
}

/// The integral of `f` by Simpson's rule.
fn integral([a, b]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    let step = (b - a) / 2000.0;
    let weight = |i: i32| match i {
        0 | 2000 => 1.0,
        i if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let terms = (0..=2000).map(|i| weight(i) * f(a + step * f64::from(i)));
    terms.sum::<f64>() * step / 3.0
}

/// A normal law from 1 to 3, seldom, and a Pareto law from 2 to 4, by their densities.
#[test]
fn a_sum_of_parts_of_laws_is_that_of_their_densities() {
    let part = |name: &str, arguments: &[f64], a: f64, b: f64| {
        let whole = Arc::new(Named::new(name, arguments).unwrap());
        Grid::of(&Truncated::new(whole, Support::new(a, b)).unwrap())
    };
    let laws = [
        (0.01, &part("normal", &[0.0, 1.0], 0.0, 2.0).shifted(1.0)),
        (0.99, &part("pareto", &[2.0, 1.0], 2.0, 4.0)),
    ];
    let sum = Grid::mixture(&laws).repeated(2.0);
    let bell = |x: f64| (-0.5 * (x - 1.0) * (x - 1.0)).exp();
    let all = integral([1.0, 3.0], bell);
    let seldom = |x: f64| match x {
        x if x <= 1.0 => 0.0,
        x => integral([1.0, x.min(3.0)], bell) / all,
    };
    let usual = |x: f64| match x {
        x if x <= 2.0 => 0.0,
        x => (0.25 - x.min(4.0).powi(-2)) / 0.1875,
    };
    let density = |x: f64| 2.0 / x.powi(3) / 0.1875;
    for z in [
        2.1_f64, 2.9, 3.001, 3.03, 3.1, 3.3, 3.32, 3.45, 3.9, 4.2, 4.7,
    ] {
        let both = integral([1.0, (z - 1.0).min(3.0)], |x| bell(x) / all * seldom(z - x));
        let of_pareto = |other: &dyn Fn(f64) -> f64, least: f64| match z - least {
            last if last > 2.0 => integral([2.0, last.min(4.0)], |x| density(x) * other(z - x)),
            _ => 0.0,
        };
        let expected =
            1e-4 * both + 2.0 * 0.0099 * of_pareto(&seldom, 1.0) + 0.9801 * of_pareto(&usual, 2.0);
        let found = sum.cdf(z).below;
        assert!(
            (found / expected - 1.0).abs() < 1e-5,
            "{z}: {found} {expected}"
        );
    }
}
