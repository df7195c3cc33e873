//! Random sums and fitted laws against closed forms.

use super::laws::Exponential;
use super::*;
use crate::{Family, Named};

fn named(name: &str, parameters: &[f64]) -> Grid {
    Grid::of(&Named::new(name, parameters).expect("parameters are right"))
}

fn integrated(grid: &Grid) -> Cumulants {
    crate::grid::integral::cumulants(&grid.pieces)
}

#[test]
fn a_geometric_number_of_exponentials_is_an_exponential() {
    let sum = Grid::random_sum(&named("geometric", &[0.2]), &Grid::of(&Exponential));
    agree(sum.cumulants(), Exponential.cumulants().scaled(5.0), 1e-12);
    agree(integrated(&sum), sum.cumulants(), 1e-3);
    for x in [0.5_f64, 2.0, 5.0, 20.0, 50.0] {
        assert!(
            (sum.cdf(x).above / (-x / 5.0).exp() - 1.0).abs() < 1e-3,
            "{x}"
        );
    }
}

#[test]
fn a_poisson_number_of_exponentials_may_be_none() {
    // P(S > x) = sum_n Poisson(n) P(Erlang_n > x).
    let sum = Grid::random_sum(&named("poisson", &[5.0]), &Grid::of(&Exponential));
    assert!((sum.cdf(0.0).below - (-5.0_f64).exp()).abs() < 1e-9);
    let above = |x: f64| {
        let (mut chance, mut erlang, mut term, mut total) = ((-5.0_f64).exp(), 0.0, 1.0, 0.0);
        for n in 1..200 {
            erlang += term;
            term *= x / f64::from(n);
            chance *= 5.0 / f64::from(n);
            total += chance * erlang * (-x).exp();
        }
        total
    };
    for x in [0.1, 1.0, 5.0, 20.0, 40.0, 60.0] {
        let error = sum.cdf(x).above / above(x) - 1.0;
        assert!(error.abs() < 1e-3, "{x} {error:e}");
    }
    assert!((sum.cumulants().kurtosis() - 4.2).abs() < 1e-12);
    agree(integrated(&sum), sum.cumulants(), 1e-3);
}

#[test]
fn a_number_without_randomness_repeats() {
    let one = Grid::of(&Exponential);
    let sum = Grid::random_sum(&Grid::constant(7.0), &one);
    agree(sum.cumulants(), one.repeated(7.0).cumulants(), 1e-14);
    let steps = Grid::random_sum(&named("poisson", &[3.0]), &Grid::constant(2.0));
    assert!((steps.cdf(2.0).below - 4.0 * (-3.0_f64).exp()).abs() < 1e-12);
}

#[test]
fn a_large_random_number_has_the_exact_cumulants() {
    let sum = Grid::random_sum(&named("poisson", &[1e4]), &Grid::of(&Exponential));
    agree(
        sum.cumulants(),
        Cumulants {
            mean: 1e4,
            variance: 2e4,
            third: 6e4,
            fourth: 24e4,
        },
        1e-9,
    );
    agree(integrated(&sum), sum.cumulants(), 1e-3);
}

#[test]
fn cumulants_make_a_law_that_says_its_family() {
    let exact = Exponential.cumulants();
    let made = Grid::from_cumulants(exact, Support::NONNEGATIVE, Family::Gld);
    let (grid, family) = made.expect("these are moments");
    assert_eq!(family, Family::Gld);
    agree(integrated(&grid), exact, 1e-5);
    agree(
        grid.largest(64.0).cumulants(),
        Grid::of(&Exponential).largest(64.0).cumulants(),
        1e-5,
    );
    let impossible = Cumulants::from_moments(1.0, 1.0, 2.0, 4.0);
    assert!(Grid::from_cumulants(impossible, Support::REAL, Family::Gld).is_err());
}

#[test]
fn a_huge_geometric_number_of_exponentials_is_an_exponential() {
    for p in [0.1, 0.02, 1e-3, 1e-9] {
        let sum = Grid::random_sum(&named("geometric", &[p]), &Grid::of(&Exponential));
        agree(
            sum.cumulants(),
            Exponential.cumulants().scaled(1.0 / p),
            1e-9,
        );
        for x in [0.1, 0.5, 1.0, 3.0, 8.0] {
            let above = sum.cdf(x / p).above;
            assert!((above / (-x).exp() - 1.0).abs() < 3e-3, "{p} {x} {above}");
        }
        assert!(sum.support().lower >= 0.0);
    }
}
