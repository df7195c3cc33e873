//! Random compositions of random laws: quantiles increase, and exact cumulants are those of the quantiles.

use super::*;
use crate::{Family, Named};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn named(random: &mut Pcg64) -> Grid {
    let scale = 10_f64.powf(random.random_range(-6.0..6.0));
    let shape = 10_f64.powf(random.random_range(-0.3..2.0));
    let (name, parameters) = match random.random_range(0..12) {
        0 => ("deterministic", vec![scale]),
        1 => ("exponential", vec![scale]),
        2 => ("normal", vec![10.0 * scale, scale]),
        3 => ("uniform", vec![scale, 3.0 * scale]),
        4 => ("erlang", vec![shape.ceil(), scale]),
        5 => ("gamma", vec![shape, scale]),
        6 => ("weibull", vec![shape, scale]),
        7 => ("lognormal", vec![scale.ln(), 0.8]),
        8 => ("binomial", vec![(10.0 * shape).ceil(), 0.3]),
        9 => ("poisson", vec![shape]),
        10 => ("geometric", vec![0.4]),
        _ => ("beta", vec![shape, 2.0]),
    };
    Grid::of(&Named::new(name, &parameters).expect("parameters are right"))
}

fn number(random: &mut Pcg64) -> f64 {
    10_f64.powf(random.random_range(0.0..12.0)).round()
}

/// One operation on random laws; says what it did.
fn compose(random: &mut Pcg64, depth: u32, said: &mut String) -> Grid {
    if depth == 0 {
        let law = named(random);
        said.push_str(&format!("{:?} ", law.cumulants()));
        return law;
    }
    let one = |said: &mut String, random: &mut Pcg64| compose(random, depth - 1, said);
    let operation = random.random_range(0..9);
    said.push_str(
        [
            "largest", "smallest", "kth", "max", "min", "sum", "repeated", "mix", "random",
        ][operation],
    );
    said.push('(');
    let first = one(said, random);
    let n = number(random);
    let result = match operation {
        0 => first.largest(n),
        1 => first.smallest(n),
        2 => {
            let n = n.min(1e6) + 3.0;
            first.kth((0.4 * n).ceil(), n)
        }
        3 => Grid::largest_of(&[&first, &one(said, random)]),
        4 => Grid::smallest_of(&[&first, &one(said, random)]),
        5 => Grid::sum(&[&first, &one(said, random)]),
        6 => first.repeated(n),
        7 => Grid::mixture(&[(0.3, &first), (0.7, &one(said, random))]),
        _ => {
            let count = Grid::of(&Named::new("geometric", &[0.3]).expect("parameters are right"));
            Grid::random_sum(&count, &first)
        }
    };
    said.push_str(&format!("{n:e})"));
    result
}

#[test]
fn any_composition_has_quantiles_that_increase_and_keep_its_mean() {
    let mut random = Pcg64::seed_from_u64(7);
    for _ in 0..150 {
        let mut said = String::new();
        let depth = random.random_range(1..4);
        let grid = compose(&mut random, depth, &mut said);
        let quantiles: Vec<f64> = (-80..=80)
            .map(|t| grid.quantile(Probability::from_logit(f64::from(t))))
            .collect();
        assert!(
            quantiles.iter().all(|x| x.is_finite()),
            "{said}\n{quantiles:?}"
        );
        assert!(quantiles.is_sorted(), "{said}\n{quantiles:?}");
        let (exact, integrated) = (
            grid.cumulants(),
            crate::grid::integral::cumulants(&grid.pieces),
        );
        let near = (exact.mean - integrated.mean).abs()
            <= 1e-2 * exact.deviation() + 1e-9 * exact.mean.abs();
        assert!(near, "{said}\n{exact:?}\n{integrated:?}");
    }
}

#[test]
fn extreme_moments_make_laws_that_compose() {
    for (skewness, kurtosis) in [
        (0.0, 1.0),
        (0.0, 3.0),
        (3.0, 10.0),
        (5.0, 1000.0),
        (-2.0, 9.0),
    ] {
        let cumulants = Cumulants::from_moments(1.0, 0.01, skewness, kurtosis);
        let made = Grid::from_cumulants(cumulants, Support::REAL, Family::Gld);
        let (grid, _) = made.expect("these are moments");
        for whole in [
            grid.largest(100.0),
            grid.repeated(100.0),
            grid.smallest(1e9),
        ] {
            assert!(whole.cumulants().mean.is_finite());
        }
    }
}

#[test]
fn numbers_beyond_all_reason_are_taken() {
    let one = Grid::of(&Named::new("exponential", &[1.0]).expect("parameters are right"));
    for n in [1e-3, 1e15, 1e100, 1e300] {
        for grid in [one.largest(n), one.smallest(n), one.repeated(n)] {
            assert!(grid.cumulants().mean.is_finite(), "{n:e}");
            assert!(!grid.quantile(Probability::below(0.5)).is_nan(), "{n:e}");
        }
    }
    assert_eq!(one.largest(f64::NAN).as_constant(), Some(0.0));
    assert_eq!(one.repeated(f64::NAN).as_constant(), Some(0.0));
}

#[test]
fn laws_without_moments_to_speak_of_do_no_harm() {
    let laws = [
        ("lognormal", [0.0, 40.0]),
        ("weibull", [0.03, 1.0]),
        ("normal", [0.0, 1e-300]),
    ];
    for (name, parameters) in laws {
        let one = Grid::of(&Named::new(name, &parameters).expect("parameters are right"));
        let other = Grid::of(&Named::new("exponential", &[1.0]).expect("parameters are right"));
        for whole in [
            one.largest(1e6),
            one.smallest(1e6),
            one.repeated(10.0),
            Grid::sum(&[&one, &other]),
            Grid::largest_of(&[&one, &other]),
            Grid::mixture(&[(0.5, &one), (0.5, &other)]),
        ] {
            assert!(!whole.support().lower.is_nan(), "{name}");
            let _ = whole.quantile(Probability::below(0.5));
        }
    }
}
