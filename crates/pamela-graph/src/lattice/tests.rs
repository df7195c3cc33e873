use super::convolution::Digits;
use super::*;
use std::sync::Arc;

use crate::times::{Time, Times};
use pamela_law::{Distribution, Named};

fn law(name: &str, arguments: &[f64]) -> Arc<dyn Distribution> {
    Arc::new(Named::new(name, arguments).unwrap())
}

fn laws() -> Vec<Arc<dyn Distribution>> {
    vec![
        law("exponential", &[1.0]),
        law("gamma", &[0.5, 2.0]),
        law("gamma", &[25.0, 0.04]),
        law("lognormal", &[0.0, 1.0]),
        law("uniform", &[0.5, 1.5]),
        law("weibull", &[0.7, 1.0]),
        law("bernoulli", &[0.3]),
        law("poisson", &[4.0]),
    ]
}

const GRID: Grid = Grid {
    cells: 1024,
    width: 0.04,
};

/// The means of all kinds lie where their orders say, at whatever width beside that of the law.
#[test]
fn the_mean_of_a_task_is_exact_or_on_the_right_side() {
    for factor in [1e-3, 0.1, 1.0, 7.0, 100.0] {
        for (number, law) in laws().iter().enumerate() {
            let time = Time {
                law: Some(number as u32),
                factor,
                shift: 0.123,
            };
            let times = Times::new(laws(), vec![time]).unwrap();
            let mean = 0.123 + factor * law.cumulants().mean;
            let profile = Profiles::new(&times, GRID, RARE).of(0).clone();
            let of = |order: Order| {
                let law = Ends {
                    grid: GRID,
                    order,
                    far: FAR,
                }
                .task(&profile);
                (
                    GRID.width * law.mean(),
                    law.mass.iter().sum::<f64>(),
                    law.excess,
                )
            };
            let (split, total, excess) = of(Order::Split);
            assert!(
                (split + excess - mean).abs() <= 1e-9 * mean,
                "{number} {factor}: {split} + {excess} for {mean}"
            );
            assert!((total - 1.0).abs() < 1e-12);
            let means = Means { grid: GRID }.task(&profile).mean();
            assert!(
                (means - mean).abs() <= 1e-9 * mean,
                "{number} {factor}: {means} for {mean}"
            );
            let (lower, total, _) = of(Order::Lower);
            assert!(
                lower <= mean && (total - 1.0).abs() < 1e-12,
                "{lower} {mean} {total}"
            );
            let (upper, total, _) = of(Order::Upper);
            assert!(
                total < 1.0 - 1e-9 || upper >= mean * (1.0 - 1e-12),
                "{upper} {mean} {total}"
            );
        }
    }
}

#[test]
fn both_ways_to_convolve_agree() {
    let a: Vec<f64> = (0..500).map(|k| f64::from(k % 17) / 500.0).collect();
    let b: Vec<f64> = (0..300).map(|k| f64::from(k % 13) / 300.0).collect();
    let found = convolution::convolved(&a, &b, Digits::Likely);
    for (k, found) in found.iter().enumerate() {
        let exact: f64 = (0..=k)
            .filter(|&i| i < 500 && k - i < 300)
            .map(|i| a[i] * b[k - i])
            .sum();
        assert!((found - exact).abs() < 1e-13, "{k}: {found} {exact}");
    }
}

/// The larger of two exponentials has the mean 3/2, their sum 2; the larger of a sum and a third
/// 2 + E[(Z - (X + Y))+] = 2 + 1/4.
#[test]
fn sums_and_maxima_of_exponentials_are_enclosed() {
    let times = Times::new(laws(), vec![Time::scaled(0, 1.0)]).unwrap();
    let grid = Grid {
        cells: 1024,
        width: 0.04,
    };
    let profile = Profiles::new(&times, grid, RARE).of(0).clone();
    let split = Ends {
        grid,
        order: Order::Split,
        far: FAR,
    };
    let x = split.task(&profile);
    let mean = |law: &Cells| law.mean_from(grid);
    let means = Means { grid };
    let y = means.task(&profile);
    let pairs = [
        (
            1.5,
            mean(&split.larger(&x, &x)),
            means.larger(&y, &y).mean(),
        ),
        (2.0, mean(&split.sum(&x, &x)), means.sum(&y, &y).mean()),
        (
            2.25,
            mean(&split.larger(&split.sum(&x, &x), &x)),
            means.larger(&means.sum(&y, &y), &y).mean(),
        ),
    ];
    for (exact, upper, lower) in pairs {
        assert!(
            upper >= exact - 1e-12 && upper < exact + 2e-3,
            "{upper} for {exact}"
        );
        assert!(
            lower <= exact + 1e-12 && lower > exact - 2e-3,
            "{lower} for {exact}"
        );
    }
}

/// Sums of exponentials keep the digits of great values, which maxima make likely: the mass of Erlang's law, by its own
/// formula.
#[test]
fn rare_great_values_keep_their_digits() {
    let rate = 0.1_f64;
    let mass: Vec<f64> = (0..1000)
        .map(|k| (-rate * f64::from(k)).exp() * -(-rate).exp_m1())
        .collect();
    let found = convolution::convolved(&mass, &mass, Digits::Great);
    for k in (0..1000).step_by(37) {
        // k + 1 ways to k, each as likely as the others.
        let exact = f64::from(k + 1) * (-rate * f64::from(k)).exp() * (-rate).exp_m1().powi(2);
        assert!(
            (found[k as usize] / exact - 1.0).abs() < 1e-9,
            "{k}: {} {exact}",
            found[k as usize]
        );
    }
}
