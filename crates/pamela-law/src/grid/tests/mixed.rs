//! Sums of laws with single values beside others.

use super::*;
use crate::Named;

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
