//! Products of independent laws against closed forms.

use super::*;
use crate::{Empirical, Named};

fn named(name: &str, arguments: &[f64]) -> Grid {
    Grid::of(&Named::new(name, arguments).unwrap())
}

fn samples(values: &[f64]) -> Grid {
    Grid::of(&Empirical::new(values.to_vec()).unwrap())
}

/// The cdf, both tails to this share of themselves.
fn near(law: &Grid, x: f64, [below, above]: [f64; 2], tolerance: f64) {
    let found = law.cdf(x);
    for (found, exact) in [(found.below, below), (found.above, above)] {
        assert!(
            (found - exact).abs() <= tolerance * exact,
            "at {x}: {found} for {exact}"
        );
    }
}

#[test]
fn a_product_of_lognormals_is_one() {
    let product = Grid::product(
        &named("lognormal", &[0.5, 0.3]),
        &named("lognormal", &[-1.0, 0.4]),
    );
    let exact = Named::new("lognormal", &[-0.5, 0.5]).unwrap();
    agree(product.cumulants(), exact.cumulants(), 1e-12);
    for t in [-30.0, -10.0, -3.0, -1.0, 0.0, 0.5, 2.0, 5.0, 12.0, 30.0] {
        let p = Probability::from_logit(t);
        let (found, expected) = (product.quantile(p), exact.quantile(p));
        assert!(
            (found / expected - 1.0).abs() < 1e-6,
            "{t}: {found} {expected}"
        );
    }
}

#[test]
fn a_product_of_uniform_laws_has_a_logarithm() {
    let unit = named("uniform", &[0.0, 1.0]);
    let product = Grid::product(&unit, &unit);
    for z in [1e-9_f64, 1e-3, 0.1, 0.5, 0.9] {
        let below = z * (1.0 - z.ln());
        near(&product, z, [below, 1.0 - below], 1e-5);
    }
    assert_eq!(product.support(), Support::new(0.0, 1.0));
    // From -2 to 1 and from 0 to 3: mirrored in part.
    let signed = Grid::product(
        &named("uniform", &[-2.0, 1.0]),
        &named("uniform", &[0.0, 3.0]),
    );
    // Of 0 < z: z / x < 3 for x > z / 3; P(XY <= z) = 2/3 + z / 9 * (1 + ln(3 / z)).
    for z in [0.01_f64, 0.5, 2.0, 2.9] {
        let below = 2.0 / 3.0 + z / 9.0 * (1.0 + (3.0 / z).ln());
        near(&signed, z, [below, 1.0 - below], 1e-5);
    }
    // Of z = -w < 0: the same of a factor from 0 to 2.
    for (w, tolerance) in [(0.01_f64, 1e-5), (1.0, 1e-5), (5.0, 1e-5), (5.9, 1e-4)] {
        let below = 2.0 / 3.0 - w / 9.0 * (1.0 + (6.0 / w).ln());
        near(&signed, -w, [below, 1.0 - below], tolerance);
    }
}

#[test]
fn products_of_exponentials_and_of_normals_are_bessel_functions() {
    let one = named("exponential", &[1.0]);
    let product = Grid::product(&one, &one);
    // 2 sqrt(z) K_1(2 sqrt(z)) at 1 and at 25: K_1(2) and K_1(10).
    for (z, above) in [
        (1.0, 2.0 * 0.139_865_881_816_522_43),
        (25.0, 10.0 * 1.864_877_345_382_558e-5),
    ] {
        near(&product, z, [1.0 - above, above], 3e-5);
    }
    // 1/2 and the integral of K_0 from 0 to 1, over pi.
    let normal = named("normal", &[0.0, 1.0]);
    let product = Grid::product(&normal, &normal);
    let above = 0.5 - 1.242_509_848_623_778 / std::f64::consts::PI;
    near(&product, 1.0, [1.0 - above, above], 1e-5);
    near(&product, -1.0, [above, 1.0 - above], 1e-5);
    near(&product, 0.0, [0.5, 0.5], 1e-9);
}

#[test]
fn values_of_discrete_laws_multiply() {
    let (x, y) = ([1.0, 2.0, 3.0, 3.0], [-1.0, 0.0, 2.0]);
    let products: Vec<f64> = x
        .iter()
        .flat_map(|x| y.iter().map(move |y| x * y))
        .collect();
    let exact = Empirical::new(products).unwrap();
    for product in [
        Grid::product(&samples(&x), &samples(&y)),
        Grid::product(&samples(&y), &samples(&x)),
    ] {
        assert!(product.is_discrete());
        agree(product.cumulants(), exact.cumulants(), 1e-12);
        for i in 0..12 {
            let p = Probability::below((f64::from(i) + 0.5) / 12.0);
            assert_eq!(product.quantile(p), exact.quantile(p), "{i}");
        }
    }
}

#[test]
fn a_trial_keeps_a_share_of_the_other_factor() {
    let product = Grid::product(&named("exponential", &[2.0]), &named("bernoulli", &[0.25]));
    for x in [0.0, 0.1, 3.0, 40.0] {
        let above = 0.25 * (-x / 2.0_f64).exp();
        near(&product, x, [1.0 - above, above], 1e-7);
    }
    assert_eq!(product.quantile(Probability::below(0.7)), 0.0);
}

#[test]
fn laws_that_are_partly_values_multiply() {
    // 1 with 1/2, else uniform from 2 to 3; squared draws of two.
    let half = Grid::mixture(&[
        (0.5, &Grid::constant(1.0)),
        (0.5, &named("uniform", &[2.0, 3.0])),
    ]);
    let product = Grid::product(&half, &half);
    // 1 with 1/4; up to 2.5: 1/4 + 2 * 1/4 * 1/2; up to 6: and 1/4 of ln(U V) up to ln 6.
    near(&product, 1.0, [0.25, 0.75], 1e-9);
    near(&product, 2.5, [0.5, 0.5], 1e-7);
    // P(UV <= 6) over u: (6 / u - 2) from 2 to 3 is 6 ln(3/2) - 2.
    let below = 0.75 + 0.25 * (6.0 * 1.5_f64.ln() - 2.0);
    near(&product, 6.0, [below, 1.0 - below], 1e-6);
}

#[test]
fn many_values_times_a_smooth_law_are_smooth() {
    // Of samples k / 1000 and an exponential: P = mean of exp(-z / x).
    let values: Vec<f64> = (1..=1000).map(|k| f64::from(k) / 1000.0).collect();
    let law = Grid::of_values(&Empirical::new(values.clone()).unwrap());
    let product = Grid::product(&law, &named("exponential", &[1.0]));
    for z in [0.01, 0.3, 2.0, 9.0] {
        let above = values.iter().map(|x| (-z / x).exp()).sum::<f64>() / 1000.0;
        near(&product, z, [1.0 - above, above], 2e-3);
    }
}
