mod different;

use std::sync::Arc;

use super::*;
use crate::special::harmonic;
use crate::{Empirical, Gld, Mixture, Named};

fn law(name: &str, arguments: &[f64]) -> Named {
    Named::new(name, arguments).unwrap_or_else(|error| panic!("{error}"))
}

/// Beside the powers of the standard deviation.
fn close(found: Cumulants, expected: [f64; 4], tolerance: f64) {
    let deviation = expected[1].sqrt();
    let values = [found.mean, found.variance, found.third, found.fourth];
    for (r, (value, expected)) in (1..).zip(values.iter().zip(expected)) {
        let scale = deviation.powi(r) + expected.abs();
        assert!(
            (value - expected).abs() <= tolerance * scale,
            "{r}: {found:?}, expected {expected}"
        );
    }
}

fn cumulants(raw: [f64; 4]) -> [f64; 4] {
    let c = Cumulants::from_raw_moments(raw);
    [c.mean, c.variance, c.third, c.fourth]
}

/// Cumulants `(r-1)! (1/first^r + ... + 1/last^r)`: of a sum of exponential variables.
fn stages(power_sum: impl Fn(u32) -> f64) -> [f64; 4] {
    [(1, 1.0), (2, 1.0), (3, 2.0), (4, 6.0)].map(|(r, factorial)| factorial * power_sum(r))
}

#[test]
fn order_statistics_of_exponentials_are_sums_of_stages() {
    let exponential = law("exponential", &[1.0]);
    for n in [2.0, 7.0, 64.0, 1024.0, 1e6, 1e12] {
        let expected = stages(|r| harmonic(n, r));
        close(largest(&exponential, n).unwrap(), expected, 1e-13);
        let expected = stages(|r| n.powi(-(r as i32)));
        close(smallest(&exponential, n).unwrap(), expected, 1e-12);
    }
    for (k, n) in [(3, 5), (200, 1000), (400_000, 1_000_000)] {
        let sum = |r: u32| {
            let stages = n - k + 1..=n;
            stages.map(|i| f64::from(i).powi(-(r as i32))).sum::<f64>()
        };
        let found = kth(&exponential, f64::from(k), f64::from(n)).unwrap();
        close(found, stages(sum), 1e-11);
    }
}

#[test]
fn order_statistics_of_uniforms_are_beta() {
    let uniform = law("uniform", &[0.0, 1.0]);
    for (k, n) in [
        (2.0, 2.0),
        (1.0, 64.0),
        (1.0, 1e12),
        (2.5, 6.25),
        (5e11, 1e12),
    ] {
        let beta = law("beta", &[k, n - k + 1.0]).cumulants();
        let expected = [beta.mean, beta.variance, beta.third, beta.fourth];
        // Near 1/2 the values themselves are rounded.
        close(kth(&uniform, k, n).unwrap(), expected, 1e-9);
    }
}

/// Integrals of another program, with 30 digits.
#[test]
fn order_statistics_of_normals_are_the_known_ones() {
    let normal = law("normal", &[0.0, 1.0]);
    for (n, expected) in [
        (
            2.0,
            [
                0.5641895835477563,
                0.6816901138162093,
                0.07707945247645498,
                0.02869267051355471,
            ],
        ),
        (
            64.0,
            [
                2.34373346507944,
                0.2034864678450518,
                0.05682595195035363,
                0.02849875136108052,
            ],
        ),
        (
            1e6,
            [
                4.862897486196463,
                0.06150627141283052,
                0.01442205197430948,
                0.006009612613106362,
            ],
        ),
    ] {
        close(largest(&normal, n).unwrap(), expected, 1e-13);
        let [mean, variance, third, fourth] = expected;
        close(
            smallest(&normal, n).unwrap(),
            [-mean, variance, -third, fourth],
            1e-13,
        );
    }
    let expected = [
        -0.4732880039215746,
        0.05597029256816717,
        -0.0006786921496415285,
        5.04126400214139e-5,
    ];
    close(kth(&normal, 10.0, 30.0).unwrap(), expected, 1e-13);
    // Tables: mean, variance, skewness, kurtosis.
    for (n, table) in [
        (10.0, [1.538753, 0.344344, 0.409905, 3.331419]),
        (100.0, [2.507594, 0.184405, 0.655260, 3.765233]),
        (1000.0, [3.241436, 0.123455, 0.786426, 4.088107]),
    ] {
        let found = largest(&normal, n).unwrap();
        let found = [
            found.mean,
            found.variance,
            found.skewness(),
            found.kurtosis(),
        ];
        for (found, expected) in found.iter().zip(table) {
            assert!((found - expected).abs() < 1e-6);
        }
    }
}

#[test]
fn order_statistics_of_counts_are_sums_over_their_values() {
    let bernoulli = law("bernoulli", &[0.25]);
    let p: f64 = 1.0 - 0.75_f64.powi(6);
    let expected = cumulants([p, p, p, p]);
    close(largest(&bernoulli, 6.0).unwrap(), expected, 1e-13);
    // The first success of n at once.
    let found = smallest(&law("geometric", &[0.125]), 3.0).unwrap();
    let first = law("geometric", &[1.0 - 0.875_f64.powi(3)]).cumulants();
    close(
        found,
        [first.mean, first.variance, first.third, first.fourth],
        1e-12,
    );
    let poisson = law("poisson", &[3.0]);
    let at_most = |k: i32| (0..=k).map(|j| poisson.density(f64::from(j))).sum::<f64>();
    let raw = [1, 2, 3, 4].map(|r| {
        let mass = |k: i32| at_most(k).powi(20) - at_most(k - 1).powi(20);
        (0..60).map(|k| mass(k) * f64::from(k).powi(r)).sum()
    });
    close(largest(&poisson, 20.0).unwrap(), cumulants(raw), 1e-10);
}

#[test]
fn order_statistics_of_samples_are_those_of_all_choices() {
    let samples = [1.0, 2.0, 2.0, 7.0];
    let mut seconds = Vec::new();
    for a in samples {
        for b in samples {
            for c in samples {
                let mut chosen = [a, b, c];
                chosen.sort_by(f64::total_cmp);
                seconds.push(chosen[1]);
            }
        }
    }
    let law = Empirical::new(samples.to_vec()).unwrap();
    let raw = [1, 2, 3, 4].map(|r| seconds.iter().map(|x| x.powi(r)).sum::<f64>() / 64.0);
    close(kth(&law, 2.0, 3.0).unwrap(), cumulants(raw), 1e-12);
}

#[test]
fn atoms_and_gaps_are_no_obstacle() {
    let parts: Vec<(f64, Arc<dyn Distribution>)> = vec![
        (0.25, Arc::new(law("deterministic", &[1.0]))),
        (0.75, Arc::new(law("uniform", &[2.0, 4.0]))),
    ];
    let mixture = Mixture::new(parts).unwrap();
    for n in [2.0, 5.0, 12.0] {
        // 1 with probability 0.25^n; else 2 + (u - 1/4) / 0.375 for the largest u of n uniform ones.
        let power = |j: i32| n / (n + f64::from(j)) * (1.0 - 0.25_f64.powf(n + f64::from(j)));
        let raw = [1, 2, 3, 4].map(|r| {
            let choose = [
                [1.0, 1.0, 0.0, 0.0, 0.0],
                [1.0, 2.0, 1.0, 0.0, 0.0],
                [1.0, 3.0, 3.0, 1.0, 0.0],
                [1.0, 4.0, 6.0, 4.0, 1.0],
            ][r as usize - 1];
            let (start, slope) = (2.0 - 0.25 / 0.375, 1.0 / 0.375);
            let terms = (0..=r).map(|j| {
                choose[j as usize] * f64::powi(start, r - j) * f64::powi(slope, j) * power(j)
            });
            0.25_f64.powf(n) + terms.sum::<f64>()
        });
        close(largest(&mixture, n).unwrap(), cumulants(raw), 1e-9);
    }
}

#[test]
fn numbers_of_copies_are_checked() {
    let law = law("uniform", &[0.0, 1.0]);
    assert_eq!(
        largest(&law, 0.5).unwrap_err(),
        "the number of copies is 0.5, but must be a number from 1"
    );
    assert!(smallest(&law, f64::NAN).is_err());
    assert!(
        kth(&law, 0.0, 4.0)
            .unwrap_err()
            .contains("the order goes from 1 to 4")
    );
    assert!(kth(&law, 5.0, 4.0).is_err());
    assert!(largest_of(&[]).is_err());
    assert_eq!(largest(&law, 1.0).unwrap(), law.cumulants());
}

/// Relative errors in per cent of the mean and of the fourth moment.
fn errors(law: &Named, n: f64, exact: [f64; 2]) -> [f64; 2] {
    let fitted = Gld::fit(&law.cumulants()).unwrap();
    let c = largest(&fitted, n).unwrap();
    let [mean, .., fourth] = c.raw_moments();
    [mean / exact[0] - 1.0, fourth / exact[1] - 1.0].map(|error| 100.0 * error.abs())
}

#[test]
fn the_generalized_lambda_distribution_is_as_accurate_as_stated() {
    let copies = [2.0, 64.0, 1024.0, 1e6];
    let exponential = |n: f64| {
        let [k1, k2, k3, k4] = stages(|r| harmonic(n, r));
        [
            k1,
            k4 + 4.0 * k3 * k1 + 3.0 * k2 * k2 + 6.0 * k2 * k1 * k1 + k1.powi(4),
        ]
    };
    let uniform = |n: f64| [n / (n + 1.0), n / (n + 4.0)];
    // By another program, with 30 digits.
    let normal = [
        [0.5641895835477563, 3.0],
        [2.34373346507944, 37.5660711088881],
        [3.248239601375412, 119.6170852298885],
        [4.862897486196463, 568.2419269329551],
    ];
    let erlang = [
        [5.09375, 1489.6875],
        [10.19148306336197, 12835.97145117006],
        [13.7994857828132, 39405.84529391847],
        [22.00857693070486, 241212.3876170649],
    ];
    let stated = [
        (
            law("uniform", &[0.0, 1.0]),
            copies.map(uniform),
            [[0.0, 0.0]; 4],
        ),
        (
            law("exponential", &[1.0]),
            copies.map(exponential),
            [[0.01, 0.09], [0.04, 0.02], [0.05, 0.34], [0.37, 1.6]],
        ),
        (
            law("normal", &[0.0, 1.0]),
            normal,
            [[0.03, 0.0], [0.10, 1.2], [1.5, 7.8], [11.0, 38.0]],
        ),
        (
            law("erlang", &[4.0, 4.0]),
            erlang,
            [[0.09, 0.09], [0.17, 1.6], [2.2, 11.0], [13.0, 45.0]],
        ),
    ];
    for (law, exact, limits) in stated {
        for ((n, exact), limits) in copies.iter().zip(exact).zip(limits) {
            let found = errors(&law, *n, exact);
            for (found, limit) in found.iter().zip(limits) {
                // The statement is rounded to two digits.
                let limit = limit + 0.05 * f64::max(limit, 0.1);
                assert!(*found <= limit, "{law:?} of {n}: {found} % above {limit} %");
            }
        }
    }
}
