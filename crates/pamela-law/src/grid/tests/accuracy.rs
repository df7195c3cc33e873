//! The accuracy that the design asks for: the mean and the fourth moment of the largest of N.

use super::*;
use crate::{Mixture, Named};
use std::sync::Arc;

fn named(name: &str, parameters: &[f64]) -> Named {
    Named::new(name, parameters).expect("parameters are right")
}

/// `E[Y^r]` of the largest of `n`: `int_0^inf e^-v Q(e^(-v / n))^r dv`, with `v = exp(w - e^-w)`.
fn moment(law: &dyn Distribution, n: f64, r: i32) -> f64 {
    let step = 1.0 / 128.0;
    let term = |i: i32| {
        let w = f64::from(i) * step;
        let v = (w - (-w).exp()).exp();
        let p = Probability {
            below: (-v / n).exp(),
            above: -(-v / n).exp_m1(),
        };
        let weight = (-v).exp() * v * (1.0 + (-w).exp()) * step;
        if weight < 1e-40 {
            0.0
        } else {
            weight * law.quantile(p).powi(r)
        }
    };
    (-800..=640).map(term).sum()
}

/// `E[Y^4]` from cumulants.
fn fourth_moment(y: &Cumulants) -> f64 {
    let (m, v) = (y.mean, y.variance);
    y.fourth + 3.0 * v * v + 4.0 * m * y.third + 6.0 * m * m * v + m.powi(4)
}

#[test]
fn the_largest_of_n_is_as_accurate_as_the_design_asks() {
    let bimodal = Mixture::new(vec![
        (
            0.5,
            Arc::new(named("normal", &[1.0, 0.25])) as Arc<dyn Distribution>,
        ),
        (0.5, Arc::new(named("normal", &[3.0, 0.5]))),
    ]);
    let laws: [(&str, Box<dyn Distribution>); 8] = [
        ("uniform", Box::new(named("uniform", &[0.0, 1.0]))),
        ("exponential", Box::new(named("exponential", &[1.0]))),
        ("normal", Box::new(named("normal", &[0.0, 1.0]))),
        ("Erlang", Box::new(named("erlang", &[4.0, 1.0]))),
        ("gamma", Box::new(named("gamma", &[0.5, 1.0]))),
        ("Weibull", Box::new(named("weibull", &[0.8, 1.0]))),
        ("lognormal", Box::new(named("lognormal", &[0.0, 1.0]))),
        ("bimodal", Box::new(bimodal.expect("weights are right"))),
    ];
    for (name, law) in laws {
        let grid = Grid::of(law.as_ref());
        for (n, most) in [(2.0, 1e-5), (64.0, 1e-5), (1024.0, 1e-5), (1e6, 1e-3)] {
            let largest = grid.largest(n).cumulants();
            let (mean, fourth) = (moment(law.as_ref(), n, 1), moment(law.as_ref(), n, 4));
            let errors = [
                largest.mean / mean - 1.0,
                fourth_moment(&largest) / fourth - 1.0,
            ];
            assert!(
                errors.iter().all(|e| e.abs() < most),
                "{name} {n} {errors:?}"
            );
        }
    }
}

#[test]
fn the_largest_of_normals_has_known_moments() {
    let grid = Grid::of(&named("normal", &[0.0, 1.0]));
    for (n, mean, variance, skewness, kurtosis) in [
        (10.0, 1.538753, 0.344344, 0.409905, 3.331419),
        (100.0, 2.507594, 0.184405, 0.655260, 3.765233),
        (1000.0, 3.241436, 0.123455, 0.786426, 4.088107),
    ] {
        let largest = grid.largest(n).cumulants();
        agree(
            largest,
            Cumulants::from_moments(mean, variance, skewness, kurtosis),
            2e-6,
        );
    }
}
