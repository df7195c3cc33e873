//! Many different laws, against exact formulas and against integration by another way.

use std::f64::consts::PI;

use crate::calculus::*;

fn laws(count: u32, name: &str, arguments: impl Fn(f64) -> Vec<f64>) -> Vec<Law> {
    let law = |i: u32| {
        let law = Calculus::default().named(name, &arguments(f64::from(i)));
        law.expect("parameters are right")
    };
    (1..=count).map(law).collect()
}

fn sum(laws: &[Law]) -> Law {
    let sum = Calculus::default().sum(&laws.iter().collect::<Vec<_>>());
    sum.expect("laws can be added")
}

fn extreme(laws: &[Law], largest: bool) -> Law {
    let laws: Vec<&Law> = laws.iter().collect();
    let extreme = if largest {
        Calculus::default().largest_of(&laws)
    } else {
        Calculus::default().smallest_of(&laws)
    };
    extreme.expect("there are laws")
}

fn shape(law: &Law) -> Arc<dyn Distribution> {
    let (shape, _) = law.distribution(Carrier::Grid).expect("there is a law");
    shape
}

/// `P(S <= x)` and the density of a sum of exponential variables with these means, by the formula of Gil-Pelaez (1951).
fn hypoexponential(means: &[f64], x: f64) -> (f64, f64) {
    let deviation = means.iter().map(|m| m * m).sum::<f64>().sqrt();
    let step = 0.1 / deviation;
    let (mut cdf, mut density) = (0.5, 0.0);
    for k in 0..100 {
        let s = (f64::from(k) + 0.5) * step;
        // The transform of one is 1 / (1 - ism).
        let size: f64 = means.iter().map(|m| -0.5 * (s * m).powi(2).ln_1p()).sum();
        let angle: f64 = means.iter().map(|m| (s * m).atan()).sum::<f64>() - s * x;
        cdf -= step / PI * size.exp() * angle.sin() / s;
        density += step / PI * size.exp() * angle.cos();
    }
    (cdf, density)
}

#[test]
fn a_sum_of_many_exponentials_is_theirs() {
    for count in [100, 1000, 3000] {
        let means: Vec<f64> = (1..=count).map(f64::from).collect();
        let sum = sum(&laws(count, "exponential", |i| vec![i]));
        let cumulant = |r: i32| means.iter().map(|m| m.powi(r)).sum::<f64>();
        let found = sum.cumulants();
        assert!((found.third / (2.0 * cumulant(3)) - 1.0).abs() < 1e-12);
        assert!((found.fourth / (6.0 * cumulant(4)) - 1.0).abs() < 1e-12);
        for p in [1e-6, 1e-3, 0.1, 0.5, 0.9, 0.999, 1.0 - 1e-6] {
            let x = quantile(shape(&sum).as_ref(), p);
            let (cdf, density) = hypoexponential(&means, x);
            let miss = (cdf - p) / density / found.deviation();
            assert!(miss.abs() < 2e-5, "{count} {p}: {miss:e}");
        }
        assert_eq!(sum.support(), Support::NONNEGATIVE);
    }
}

#[test]
fn a_sum_of_many_lognormals_has_their_quantiles() {
    // The same laws one by one and all at once: 60 are few, 70 many.
    let all = laws(70, "lognormal", |i| vec![0.0, 0.5 + i / 200.0]);
    let few = Calculus::default().sum(&[&sum(&all[..35]), &sum(&all[35..])]);
    let (few, many) = (shape(&few.expect("laws can be added")), sum(&all));
    for p in [1e-4, 0.1, 0.5, 0.9, 0.9999] {
        let miss = quantile(shape(&many).as_ref(), p) - quantile(few.as_ref(), p);
        assert!(
            miss.abs() < 3e-5 * many.cumulants().deviation(),
            "{p} {miss:e}"
        );
    }
}

#[test]
fn the_largest_of_many_has_the_product_of_their_cdfs() {
    let families = [
        (laws(500, "exponential", |i| vec![i]), 1e-5),
        (laws(500, "erlang", |i| vec![3.0, i]), 1e-5),
        (
            laws(500, "lognormal", |i| vec![0.0, 0.5 + i / 1000.0]),
            1e-5,
        ),
        // Each upper end is a bend.
        (laws(500, "uniform", |i| vec![0.0, i]), 2e-3),
    ];
    for (family, tolerance) in &families {
        let largest = shape(&extreme(family, true));
        let shapes: Vec<_> = family.iter().map(shape).collect();
        for t in [-30.0, -8.0, -2.0, 0.0, 2.0, 8.0, 30.0] {
            let x = largest.quantile(Probability::from_logit(t));
            let log: f64 = shapes.iter().map(|law| law.cdf(x).ln()).sum();
            let logit = log - (-log.exp_m1()).ln();
            assert!((logit - t).abs() < *tolerance, "{t} {logit}");
        }
    }
}

#[test]
fn the_smallest_of_many_exponentials_is_exponential() {
    let smallest = extreme(&laws(5000, "exponential", |i| vec![i]), false);
    let rate: f64 = (1..=5000).map(|i| 1.0 / f64::from(i)).sum();
    let found = smallest.cumulants();
    assert!((found.mean * rate - 1.0).abs() < 1e-7);
    assert!((found.deviation() * rate - 1.0).abs() < 1e-7);
}

#[test]
fn many_laws_with_values_of_their_own_are_taken_one_by_one() {
    let mut mixed = laws(70, "exponential", |i| vec![i]);
    mixed.extend(laws(10, "bernoulli", |i| vec![i / 20.0]));
    let mean: f64 = mixed.iter().map(|law| law.cumulants().mean).sum();
    assert!((sum(&mixed).cumulants().mean / mean - 1.0).abs() < 1e-12);
    let without = extreme(&mixed[..70], true).cumulants().mean;
    assert!((extreme(&mixed, true).cumulants().mean / without - 1.0).abs() < 1e-4);
}
