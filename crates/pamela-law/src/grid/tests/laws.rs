//! Grids of laws with closed quantile functions.

use super::*;
use crate::Named;

/// Mean 1.
pub struct Exponential;

impl Distribution for Exponential {
    fn cumulants(&self) -> Cumulants {
        Cumulants::from_moments(1.0, 1.0, 2.0, 9.0)
    }

    fn support(&self) -> Support {
        Support::NONNEGATIVE
    }

    fn quantile(&self, p: Probability) -> f64 {
        if p.below < 0.5 {
            -(-p.below).ln_1p()
        } else {
            -p.above.ln()
        }
    }

    fn cdf(&self, x: f64) -> Probability {
        let x = x.max(0.0);
        Probability {
            below: -(-x).exp_m1(),
            above: (-x).exp(),
        }
    }
}

/// On `[0, 1]`.
pub struct Uniform;

impl Distribution for Uniform {
    fn cumulants(&self) -> Cumulants {
        Cumulants::from_moments(0.5, 1.0 / 12.0, 0.0, 1.8)
    }

    fn support(&self) -> Support {
        Support::new(0.0, 1.0)
    }

    fn quantile(&self, p: Probability) -> f64 {
        p.below
    }

    fn cdf(&self, x: f64) -> Probability {
        Probability::below(x.clamp(0.0, 1.0))
    }
}

/// 0, 1 or 2 heads of two coins.
pub struct Coins;

impl Distribution for Coins {
    fn cumulants(&self) -> Cumulants {
        Cumulants::from_moments(1.0, 0.5, 0.0, 2.0)
    }

    fn support(&self) -> Support {
        Support::new(0.0, 2.0)
    }

    fn quantile(&self, p: Probability) -> f64 {
        match p.below {
            p if p <= 0.25 => 0.0,
            p if p <= 0.75 => 1.0,
            _ => 2.0,
        }
    }

    fn cdf(&self, x: f64) -> Probability {
        Probability::below(match x {
            x if x < 0.0 => 0.0,
            x if x < 1.0 => 0.25,
            x if x < 2.0 => 0.75,
            _ => 1.0,
        })
    }
}

#[test]
fn a_grid_integrates_to_the_cumulants_of_its_law() {
    for law in [&Exponential as &dyn Distribution, &Uniform, &Coins] {
        let grid = Grid::of(law);
        agree(
            crate::grid::integral::cumulants(&grid.pieces),
            law.cumulants(),
            1e-6,
        );
    }
}

#[test]
fn a_grid_has_the_quantiles_of_its_law_in_both_tails() {
    let grid = Grid::of(&Exponential);
    for i in -400..=400 {
        let t = 0.37 * f64::from(i);
        let p = Probability::from_logit(t);
        let exact = Exponential.quantile(p);
        assert!((grid.quantile(p) / exact - 1.0).abs() < 1e-6, "{t}");
        assert!(
            (grid.cdf(exact).logit() - t).abs() < 1e-6 * (1.0 + t.abs()),
            "{t}"
        );
    }
}

#[test]
fn atoms_are_kept_apart() {
    let grid = Grid::of(&Coins);
    assert_eq!(grid.pieces.len(), 3);
    for (x, p) in [
        (-0.5, 0.0),
        (0.0, 0.25),
        (0.5, 0.25),
        (1.0, 0.75),
        (2.0, 1.0),
    ] {
        assert!((grid.cdf(x).below - p).abs() < 1e-15);
    }
    assert_eq!(grid.quantile(Probability::below(0.3)), 1.0);
}

#[test]
fn scales_and_shifts_move_quantiles_and_cumulants() {
    let grid = Grid::of(&Exponential);
    let moved = grid.scaled(-2.0).shifted(1e6);
    agree(
        moved.cumulants(),
        Exponential.cumulants().scaled(-2.0).shifted(1e6),
        1e-14,
    );
    let p = Probability::below(1e-3);
    let exact = 1e6 - 2.0 * Exponential.quantile(p.complement());
    assert!((moved.quantile(p) - exact).abs() < 1e-6);
    assert_eq!(moved.support(), Support::new(f64::NEG_INFINITY, 1e6));
    assert_eq!(grid.scaled(0.0).as_constant(), Some(0.0));
}

#[test]
fn a_density_is_the_slope_of_the_cdf() {
    let grid = Grid::of(&Exponential).scaled(2.0);
    for x in [0.01, 0.5, 3.0, 20.0] {
        let exact = 0.5 * (-x / 2.0_f64).exp();
        assert!((grid.density(x).expect("no atoms") / exact - 1.0).abs() < 1e-4);
    }
    assert_eq!(grid.density(-1.0), Some(0.0));
    assert_eq!(Grid::of(&Coins).density(1.0), None);
}

#[test]
fn a_law_of_many_values_is_smoothed_between_them() {
    let law = Named::new("geometric", &[0.001]).expect("parameters are right");
    let grid = Grid::of(&law);
    for n in [3.0, 40.0, 700.0, 1000.0, 5000.0] {
        let (smoothed, exact) = (grid.cdf(n + 0.5), law.cdf(n));
        assert!((smoothed.logit() - exact.logit()).abs() < 2e-3, "{n}");
    }
    agree(
        crate::grid::integral::cumulants(&grid.pieces),
        law.cumulants(),
        1e-3,
    );
}
