use super::*;
use crate::{Distribution, Mixture, Named, order};
use std::sync::Arc;

fn law(name: &str, arguments: &[f64]) -> Named {
    Named::new(name, arguments).unwrap_or_else(|error| panic!("{error}"))
}

fn close(found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance * expected.abs(), "{found} {expected}");
}

/// Mean and variance of the larger one, by integration.
fn exact(x: &dyn Distribution, y: &dyn Distribution) -> [f64; 2] {
    let c = order::largest_of(&[x, y]).unwrap();
    [c.mean, c.variance]
}

fn erlang(law_of: Erlang) -> Named {
    let stages = f64::from(law_of.stages);
    law("erlang", &[stages, stages / law_of.rate])
}

fn mixture(law_of: Hyperexponential) -> Mixture {
    let part = |rate: f64| -> Arc<dyn Distribution> { Arc::new(law("exponential", &[1.0 / rate])) };
    let [first, second] = law_of.rates.map(part);
    Mixture::new(vec![(law_of.p, first), (1.0 - law_of.p, second)]).unwrap()
}

#[test]
fn formulas_for_phases_are_exact() {
    let (x, y) = (
        Erlang {
            stages: 3,
            rate: 2.0,
        },
        Erlang {
            stages: 5,
            rate: 4.5,
        },
    );
    let (h, g) = (
        Hyperexponential {
            p: 0.3,
            rates: [0.5, 4.0],
        },
        Hyperexponential {
            p: 0.9,
            rates: [1.5, 0.2],
        },
    );
    for (found, expected) in [
        (erlangs(x, y), exact(&erlang(x), &erlang(y))),
        (hyperexponentials(h, g), exact(&mixture(h), &mixture(g))),
        (
            hyperexponential_and_erlang(h, y),
            exact(&mixture(h), &erlang(y)),
        ),
    ] {
        close(found[0], expected[0], 1e-10);
        close(found[1], expected[1], 1e-9);
    }
    let cumulants = Cumulants::from(x);
    assert_eq!((cumulants.mean, cumulants.variance), (1.5, 0.75));
}

#[test]
fn gumbel_errs_as_the_errata_say() {
    let normal = law("normal", &[0.0, 1.0]);
    for (n, error) in [(16.0, 0.091), (1024.0, 0.068), (1e6, 0.044)] {
        let exact = order::largest(&normal, n).unwrap().mean;
        let found = gumbel(&normal.cumulants(), n).unwrap();
        assert!((found / exact - 1.0 - error).abs() < 5e-4);
    }
    assert!(gumbel(&normal.cumulants(), 2.0).is_none());
}

#[test]
fn the_heuristic_takes_one_of_the_two() {
    let [small, wide, great] =
        [[1.0, 1.0], [1.0, 2.0], [3.0, 0.5]].map(|arguments| law("normal", &arguments).cumulants());
    assert_eq!(heuristic(&great, &wide), great);
    assert_eq!(heuristic(&wide, &great), great);
    assert_eq!(heuristic(&small, &wide), wide);
    assert_eq!(heuristic(&wide, &small), wide);
}

/// Table D.1. Its row of the uniform law mixes centred and standardized moments, and two of the entries of the
/// exponential law (0.837, 36.703) are not those of the series, which are 1.366 and 37.073 by another program.
#[test]
fn gram_charlier_has_the_moments_of_table_d_1() {
    let normal = law("normal", &[0.0, 1.0]).cumulants();
    let found = gram_charlier(&normal, &normal);
    for (found, expected) in found.iter().zip([0.564, 1.0, 1.410, 3.0]) {
        assert!((found - expected).abs() < 6e-4, "{found} {expected}");
    }
    let exponential = law("exponential", &[1.0]).cumulants();
    let found = gram_charlier(&exponential, &exponential);
    for (found, expected) in found.iter().zip([1.36639, 4.01874, 11.5022, 37.0733]) {
        close(*found, expected, 1e-5);
    }
}

#[test]
fn the_graphical_method_on_the_papers_example() {
    // Uniform on (0, 2) and (1, 3/2): the larger quantile is 1 + u/2 up to u = 2/3, then 2u.
    let x = law("uniform", &[0.0, 2.0]).cumulants();
    let y = law("uniform", &[1.0, 1.5]).cumulants();
    let found = largest_of_two(Method::Graphical, &x, &y, 10_000).unwrap();
    close(found[0], 4.0 / 3.0, 1e-7);
}

#[test]
fn newton_and_beta_are_within_a_per_cent() {
    let normal = |mean: f64, deviation: f64| law("normal", &[mean, deviation]);
    let exponential = |mean: f64| law("exponential", &[mean]);
    for (x, y) in [
        (normal(1.0, 1.0), normal(2.0, 1.0)),
        (normal(1.0, 1.0), normal(1.0, 5.0)),
        (exponential(1.0), exponential(0.2)),
        (exponential(1.0), exponential(1.0)),
    ] {
        let exact = order::largest_of(&[&x, &y]).unwrap().raw_moments();
        for method in [Method::Newton, Method::GeneralizedBeta] {
            let found = largest_of_two(method, &x.cumulants(), &y.cumulants(), 10_000).unwrap();
            close(found[0], exact[0], 0.01);
            close(found[1], exact[1], 0.01);
        }
    }
    let wide = law("lognormal", &[0.0, 1.0]).cumulants();
    assert!(largest_of_two(Method::Newton, &wide, &wide, 100).is_none());
}
