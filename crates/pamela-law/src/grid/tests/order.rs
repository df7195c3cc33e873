//! Order statistics against closed forms.

use super::laws::{Coins, Exponential, Uniform};
use super::*;
use crate::{Empirical, Named};

/// Of the largest of n exponentials: `(r-1)! sum_{k <= n} k^-r`.
fn largest_exponential(n: u64) -> Cumulants {
    let power_sum = |r: i32| (1..=n).rev().map(|k| (k as f64).powi(-r)).sum::<f64>();
    Cumulants {
        mean: power_sum(1),
        variance: power_sum(2),
        third: 2.0 * power_sum(3),
        fourth: 6.0 * power_sum(4),
    }
}

/// Of Beta(a, b).
fn beta(a: f64, b: f64) -> Cumulants {
    let s = a + b;
    let variance = a * b / (s * s * (s + 1.0));
    let skewness = 2.0 * (b - a) * (s + 1.0).sqrt() / ((s + 2.0) * (a * b).sqrt());
    let excess =
        6.0 * ((a - b).powi(2) * (s + 1.0) - a * b * (s + 2.0)) / (a * b * (s + 2.0) * (s + 3.0));
    Cumulants::from_moments(a / s, variance, skewness, 3.0 + excess)
}

#[test]
fn the_largest_of_exponentials_has_power_sums_as_cumulants() {
    let grid = Grid::of(&Exponential);
    for n in [2, 64, 1024, 1_000_000] {
        agree(
            grid.largest(n as f64).cumulants(),
            largest_exponential(n),
            1e-6,
        );
    }
    let huge = grid.largest(1e12).cumulants();
    let euler = 0.577_215_664_901_532_9;
    assert!((huge.mean / (1e12_f64.ln() + euler) - 1.0).abs() < 1e-8);
    assert!((huge.variance / (std::f64::consts::PI.powi(2) / 6.0) - 1.0).abs() < 1e-6);
}

#[test]
fn the_smallest_of_exponentials_is_an_exponential() {
    let grid = Grid::of(&Exponential);
    for n in [2.0, 64.0, 1e6, 1e12] {
        let exact = Exponential.cumulants().scaled(1.0 / n);
        agree(grid.smallest(n).cumulants(), exact, 1e-6);
    }
}

#[test]
fn extreme_uniforms_are_betas() {
    let grid = Grid::of(&Uniform);
    for n in [0.5, 2.0, 64.0, 1024.0, 1e6] {
        agree(grid.largest(n).cumulants(), beta(n, 1.0), 1e-6);
        agree(grid.smallest(n).cumulants(), beta(1.0, n), 1e-6);
    }
}

#[test]
fn the_largest_of_atoms_is_an_atom_with_the_power_of_their_probability() {
    let grid = Grid::of(&Coins).largest(3.0);
    assert!((grid.cdf(0.0).below - 0.25_f64.powi(3)).abs() < 1e-15);
    assert!((grid.cdf(1.0).below - 0.75_f64.powi(3)).abs() < 1e-15);
    assert_eq!(Grid::constant(7.0).largest(1e9).as_constant(), Some(7.0));
}

#[test]
fn the_largest_of_the_largest_is_the_largest_of_all() {
    let grid = Grid::of(&Exponential);
    let nested = grid.largest(1e3).largest(1e3).cumulants();
    agree(nested, grid.largest(1e6).cumulants(), 1e-6);
}

#[test]
fn nothing_has_the_largest_element_0() {
    assert_eq!(Grid::of(&Uniform).largest(0.0).as_constant(), Some(0.0));
}

#[test]
fn the_kth_of_uniforms_is_a_beta() {
    let grid = Grid::of(&Uniform);
    for (k, n) in [
        (2.0, 3.0),
        (3.0, 3.0),
        (1.0, 3.0),
        (50.0, 100.0),
        (5.0, 1e6),
        (7e5, 1e6),
    ] {
        let kth = grid.kth(k, n);
        agree(kth.cumulants(), beta(k, n - k + 1.0), 1e-6);
    }
}

#[test]
fn the_kth_of_exponentials_adds_their_waits() {
    // The k-th smallest is the sum of exponentials of rates n, n - 1, ..., n - k + 1.
    let grid = Grid::of(&Exponential);
    for (k, n) in [(3_u32, 7_u32), (60, 64)] {
        let waits =
            (n - k + 1..=n).map(|rate| Exponential.cumulants().scaled(1.0 / f64::from(rate)));
        let exact = waits.fold(Cumulants::constant(0.0), |sum, wait| sum.plus(&wait));
        let kth = grid.kth(f64::from(k), f64::from(n));
        agree(kth.cumulants(), exact, 1e-6);
    }
}

/// The second smallest: the sum over all pairs of the smaller, less twice the smallest of all.
#[test]
fn the_second_of_three_exponentials_is_inclusion_and_exclusion() {
    let means = [1.0, 0.4, 5.0];
    let laws = means.map(|mean| Grid::of(&Exponential).scaled(mean));
    let found = Grid::kth_of(&laws.each_ref(), 2, Support::NONNEGATIVE);
    let [a, b, c] = means.map(|mean: f64| 1.0 / mean);
    let moment = |r: i32, factorial: f64| {
        let of = |rate: f64| factorial / rate.powi(r);
        of(a + b) + of(a + c) + of(b + c) - 2.0 * of(a + b + c)
    };
    let raw = [
        moment(1, 1.0),
        moment(2, 2.0),
        moment(3, 6.0),
        moment(4, 24.0),
    ];
    agree(found.cumulants(), Cumulants::from_raw_moments(raw), 1e-5);
    // Of copies, it is the order statistic of copies.
    let copies = [&laws[0], &laws[0], &laws[0], &laws[0], &laws[0]];
    let found = Grid::kth_of(&copies, 3, Support::NONNEGATIVE);
    let expected = laws[0].kth(3.0, 5.0);
    agree(found.cumulants(), expected.cumulants(), 1e-5);
    for p in [1e-12, 0.3, 0.9] {
        let (found, expected) = (
            found.quantile(Probability::below(p)),
            expected.quantile(Probability::below(p)),
        );
        assert!(
            (found / expected - 1.0).abs() < 1e-5,
            "{p}: {found} {expected}"
        );
    }
}

/// Of samples of many values beside a short time, which adds next to nothing: by enumeration of the sorted values. Pieces far
/// out in a tail once were carried on as lines, to values that the law does not have.
#[test]
fn largest_of_many_copies_of_samples_stay_among_their_values() {
    let short = Grid::of(&Named::new("exponential", &[10.0]).unwrap());
    for (step, count) in [
        (11_u32, 800_u32),
        (13, 600),
        (101, 600),
        (733, 800),
        (1201, 600),
        (1999, 800),
    ] {
        let value = |k: u32| f64::from(134 + k * step % 1201 + k * k * step % 1103);
        let mut values: Vec<f64> = (0..count).map(value).collect();
        let law = Empirical::new(values.clone()).unwrap();
        values.sort_by(f64::total_cmp);
        for n in [2.0, 128.0] {
            let share = |k: usize| (k as f64 / f64::from(count)).powf(n);
            let weighted = (0..).zip(&values);
            let weighted = weighted.map(|(k, x)| (share(k + 1) - share(k), *x));
            let mean: f64 = weighted.clone().map(|(w, x)| w * x).sum();
            let variance: f64 = weighted.map(|(w, x)| w * (x - mean).powi(2)).sum();
            for grid in [Grid::of(&law), Grid::of_values(&law)] {
                let largest = Grid::largest_of(&[&grid, &short]).largest(n);
                let found = largest.cumulants();
                let place = format!("{step} {count} {n}: {found:?} {mean} {variance}");
                assert!((found.mean - mean).abs() < 2.5e-3 * mean, "{place}");
                let deviation = found.variance.sqrt() / variance.sqrt();
                assert!((deviation - 1.0).abs() < 0.1, "{place}");
                let (least, greatest) = (values[0], values[values.len() - 1]);
                let far = largest.quantile(Probability::from_logit(-400.0));
                assert!(far >= least - 1.0, "{place}: {far}");
                let far = largest.quantile(Probability::from_logit(15.0));
                assert!(far <= greatest + 1.0, "{place}: {far}");
            }
        }
    }
}
