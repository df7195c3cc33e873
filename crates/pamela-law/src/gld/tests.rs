use rand::{RngExt, SeedableRng};

use super::*;
use crate::{Named, quadrature};

fn close(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance * expected.abs(), "{found} {expected}");
}

fn fit(skewness: f64, kurtosis: f64) -> Option<Gld> {
    Gld::fit(&Cumulants::from_moments(1.0, 1.0, skewness, kurtosis))
}

/// Central moments by another program, with 40 digits.
#[test]
fn moments_are_precise_up_to_where_the_fourth_ends() {
    for (lambda, rho, expected) in [
        (-0.24, 1.0, [9.241373528361269, 0.0, 10837.857563494438]),
        (
            -0.24,
            0.3,
            [4.057169561565979, 40.595_284_356_269_4, 5235.417548188435],
        ),
        (
            -0.1,
            0.5,
            [2.6414622745086975, 5.754267164145615, 61.78137072186193],
        ),
        (0.0, 0.0, [1.0, 2.0, 9.0]),
        (0.0, 1.0, [3.289868133696453, 0.0, 45.457575815867804]),
        (0.1349, 1.0, [2.1420623155834044, 0.0, 13.765601757028882]),
        (
            0.5,
            0.01,
            [
                0.22974421419605897,
                0.059_086_277_293_993_4,
                0.1255451743122393,
            ],
        ),
        (
            1.3,
            0.5,
            [
                0.18379124952770776,
                -0.022687468687660328,
                0.06481151866094053,
            ],
        ),
    ] {
        let found = moments::cumulants(Shape { lambda, rho });
        let [m2, m3, m4]: [f64; 3] = expected;
        close(found.variance, m2, 1e-13);
        assert!((found.third - m3).abs() <= 1e-13 * m2.powf(1.5).max(m3.abs()));
        close(found.fourth + 3.0 * found.variance.powi(2), m4, 1e-12);
    }
}

#[test]
fn slopes_of_the_moments_are_those_of_differences() {
    for (lambda, rho) in [(-0.2, 0.4), (0.0, 0.0), (1e-3, 0.7), (0.3, 0.5), (1.2, 0.9)] {
        let form = |lambda: f64, rho: f64| moments::form(Shape { lambda, rho });
        let (here, h) = (form(lambda, rho), 1e-5);
        let sides = [
            (form(lambda - h, rho), form(lambda + h, rho)),
            (form(lambda, rho - h), form(lambda, rho + h)),
        ];
        for (index, (low, high)) in sides.iter().enumerate() {
            let skewness = (high.skewness - low.skewness) / (2.0 * h);
            let kurtosis = (high.kurtosis - low.kurtosis) / (2.0 * h);
            close(here.skewness_slopes[index], skewness, 1e-5);
            close(here.kurtosis_slopes[index], kurtosis, 1e-5);
        }
    }
}

#[test]
fn every_reachable_pair_is_reached() {
    let mut random = rand_pcg::Pcg64Mcg::seed_from_u64(1);
    for _ in 0..400 {
        let shape = Shape {
            lambda: random.random_range(-0.24..1.3),
            rho: random.random_range(0.0..1.0),
        };
        let standard = moments::cumulants(shape);
        let target = standard.scaled(if random.random() { 3.0 } else { -3.0 });
        let fitted = Gld::fit(&target).unwrap_or_else(|| panic!("{shape:?} is not reached"));
        let found = fitted.cumulants();
        close(found.mean, target.mean, 1e-10);
        close(found.variance, target.variance, 1e-10);
        assert!((found.skewness() - target.skewness()).abs() <= 1e-10);
        close(found.kurtosis(), target.kurtosis(), 1e-10);
        // From some 0.4 on, a pair may have several shapes; below it has one.
        if shape.lambda < 0.25 {
            assert!((fitted.shape.lambda - shape.lambda).abs() < 1e-7);
            assert!((fitted.shape.rho - shape.rho).abs() < 1e-7);
        }
    }
    // Of several shapes, one that is nearly symmetric where the pair is.
    assert!(fit(1e-6, 2.0).unwrap().shape.rho > 0.999);
}

#[test]
fn exponential_uniform_and_logistic_are_themselves() {
    let exponential = fit(2.0, 9.0).unwrap();
    assert_eq!(exponential.shape(), (0.0, 0.0));
    assert!(exponential.support().lower.abs() < 1e-12);
    let uniform = fit(0.0, 1.8).unwrap();
    let width = 12.0_f64.sqrt();
    let logistic = fit(0.0, 4.2).unwrap();
    let steepness = 3.0_f64.sqrt() / std::f64::consts::PI;
    for p in [1e-12, 0.01, 0.5, 0.99].map(Probability::below) {
        let expected = -p.complement().ln();
        assert!((exponential.quantile(p) - expected).abs() < 1e-12);
        assert!((uniform.quantile(p) - (1.0 + width * (p.below - 0.5))).abs() < 1e-11);
        assert!((logistic.quantile(p) - (1.0 + steepness * p.logit())).abs() < 1e-11);
    }
    // The papers' parameters of the normal law are 0.1349, twice.
    let (left, right) = fit(0.0, 3.0).unwrap().lambdas();
    assert!((left - 0.1349).abs() < 5e-5 && left == right);
}

#[test]
fn pairs_off_the_branch_are_refused() {
    let gamma = Named::new("gamma", &[0.5, 1.0]).unwrap().cumulants();
    assert!(Gld::fit(&gamma).is_none());
    for (skewness, kurtosis) in [
        (2.0, 8.9),
        (0.0, 1.7),
        (1.0, 2.0),
        (0.5, 0.9),
        (f64::NAN, 3.0),
        (0.0, f64::INFINITY),
    ] {
        assert!(fit(skewness, kurtosis).is_none(), "{skewness} {kurtosis}");
    }
    assert!(Gld::fit(&Cumulants::constant(3.0)).is_none());
}

#[test]
fn the_cdf_undoes_the_quantile_and_the_density_is_its_slope() {
    for (skewness, kurtosis) in [(0.0, 3.0), (2.0, 9.0), (-1.2, 5.0), (3.0, 40.0), (0.1, 2.0)] {
        let law = fit(skewness, kurtosis).unwrap();
        for tail in [1e-100, 1e-9, 0.2, 0.5] {
            for p in [Probability::below(tail), Probability::above(tail)] {
                let x = law.quantile(p);
                if x <= law.support().lower || x >= law.support().upper {
                    continue;
                }
                // What rounding of x makes of p, beside 1e-10.
                let slack = 4e-16 * (x.abs() + 10.0) * law.density(x) / p.below.min(p.above);
                if slack < 0.1 {
                    let found = law.cdf(x);
                    close(found.below, p.below, 1e-9 + slack);
                    close(found.above, p.above, 1e-9 + slack);
                }
            }
        }
        let x = law.quantile(Probability::below(0.7));
        let slope = (law.cdf(x + 1e-5).below - law.cdf(x - 1e-5).below) / 2e-5;
        close(law.density(x), slope, 1e-7);
        let found = quadrature::unit(|p| [law.quantile(p), (law.quantile(p) - 1.0).powi(3)]);
        close(found.value[0], 1.0, 1e-9);
        assert!((found.value[1] - skewness).abs() < 1e-8);
        let support = law.support();
        assert!(law.cdf(support.lower - 1.0).below == 0.0);
        assert!(law.cdf(support.upper + 1.0).above == 0.0);
    }
}

#[test]
fn a_mirror_image_has_mirrored_quantiles() {
    let (right, left) = (fit(1.0, 4.5).unwrap(), fit(-1.0, 4.5).unwrap());
    for p in [0.001, 0.4, 0.9].map(Probability::below) {
        let sum = right.quantile(p) + left.quantile(p.complement());
        assert!((sum - 2.0).abs() < 1e-12);
    }
}

#[test]
fn the_branch_ends_at_the_laws_with_one_tail() {
    // Pareto laws by their moments (tail index 1/xi).
    for xi in [-0.3_f64, -0.05, 0.05, 0.15, 0.2] {
        let skewness = 2.0 * (1.0 + xi) * (1.0 - 2.0 * xi).sqrt() / (1.0 - 3.0 * xi);
        let kurtosis = 3.0 * (1.0 - 2.0 * xi) * (2.0 * xi * xi + xi + 3.0)
            / ((1.0 - 3.0 * xi) * (1.0 - 4.0 * xi));
        for sign in [1.0, -1.0] {
            assert!(fit(sign * skewness, kurtosis * 0.999).is_none());
            assert!(fit(sign * skewness, kurtosis * 1.001).is_some());
        }
    }
}

#[test]
fn no_shape_lies_where_the_branch_is_said_to_have_ended() {
    for i in 0..=300 {
        let lambda = -0.2 + 0.005 * f64::from(i);
        for j in 0..=100 {
            let rho = 0.01 * f64::from(j);
            let standard = moments::cumulants(Shape { lambda, rho });
            let target = [standard.skewness().abs(), standard.kurtosis()];
            assert!(!fit::is_below_branch(target), "{lambda} {rho}");
        }
    }
}

#[test]
fn the_table_says_what_the_search_finds() {
    for (skewness, kurtosis) in [(0.0, 3.0), (2.0, 9.0), (1.2, 5.0), (3.0, 40.0), (0.1, 2.0)] {
        let law = fit(skewness, kurtosis).unwrap();
        let cdf = law.cdfs();
        // Forth and back, by steps of all lengths.
        let logits = (-600..600).chain((-200..200).rev().map(|t| t * 3));
        for t in logits.map(|t| f64::from(t) / 15.0) {
            let x = law.quantile(Probability::from_logit(t));
            let (found, expected) = (cdf(x), law.cdf(x));
            let tail = expected.below.min(expected.above);
            // What rounding of x makes of it, beside.
            let slack = 1e-12 + 4e-16 * (x.abs() + 10.0) * law.density(x) / tail;
            close(found.below, expected.below, slack);
            close(found.above, expected.above, slack);
        }
    }
}
