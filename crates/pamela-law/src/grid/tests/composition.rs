//! A composition that no four moments can carry, against simulation.

use super::*;
use crate::Named;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const SAMPLES: usize = 2000;

fn named(name: &str, parameters: &[f64]) -> Grid {
    Grid::of(&Named::new(name, parameters).expect("parameters are right"))
}

/// Erlang of four stages and mean 2, plus a normal about 1 or about 4.
fn draw(random: &mut Pcg64) -> f64 {
    let product: f64 = (0..4).map(|_| 1.0 - random.random::<f64>()).product();
    let (u, v): (f64, f64) = (1.0 - random.random::<f64>(), random.random());
    let normal = (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos();
    let mode = if random.random::<f64>() < 0.5 {
        1.0 + 0.1 * normal
    } else {
        4.0 + 0.2 * normal
    };
    -0.5 * product.ln() + mode
}

#[test]
fn the_largest_of_sums_of_largest_is_that_of_simulation() {
    let bimodal = Grid::mixture(&[
        (0.5, &named("normal", &[1.0, 0.1])),
        (0.5, &named("normal", &[4.0, 0.2])),
    ]);
    let one = Grid::sum(&[&named("erlang", &[4.0, 2.0]), &bimodal]);
    let whole = one.largest(64.0).repeated(10.0).largest(16.0);

    let mut random = Pcg64::seed_from_u64(64);
    let mut sample = || {
        let sum = |random: &mut Pcg64| -> f64 {
            let largest = |random: &mut Pcg64| {
                (0..64)
                    .map(|_| draw(random))
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            (0..10).map(|_| largest(random)).sum()
        };
        (0..16)
            .map(|_| sum(&mut random))
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let draws: Vec<(f64, f64)> = (0..SAMPLES).map(|_| (1.0, sample())).collect();
    let simulated = crate::grid::integral::of_weighted(&draws);
    let n = SAMPLES as f64;
    let exact = whole.cumulants();
    assert!((exact.mean - simulated.mean).abs() < 4.0 * (simulated.variance / n).sqrt());
    // The variance of a sample variance is (kurtosis - 1) Var^2 / n.
    let error = ((exact.kurtosis() - 1.0) / n).sqrt() * exact.variance;
    assert!((exact.variance - simulated.variance).abs() < 4.0 * error);
    for p in [0.1, 0.5, 0.9, 0.99] {
        let x = whole.quantile(Probability::below(p));
        let below = draws.iter().filter(|(_, y)| *y <= x).count() as f64 / n;
        assert!(
            (below - p).abs() < 4.0 * (p * (1.0 - p) / n).sqrt(),
            "{p} {below}"
        );
    }
}
