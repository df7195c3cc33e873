use super::*;
use crate::{Named, quadrature};

fn fit(skewness: f64, kurtosis: f64) -> Option<Johnson> {
    Johnson::fit(&Cumulants::from_moments(1.0, 4.0, skewness, kurtosis))
}

/// Skewness and kurtosis of the quantile function, for a law of mean 1 and variance 4.
fn integrated(law: &Johnson) -> [f64; 4] {
    let moments = quadrature::unit(|p| {
        let x = (law.quantile(p) - 1.0) / 2.0;
        [x, x * x, x.powi(3), x.powi(4)]
    });
    moments.value
}

#[test]
fn every_pair_above_the_bound_is_reached() {
    for skewness in [0.0, 0.01, 0.5, -1.0, 2.0, -2.83, 5.0, 10.0_f64] {
        let bound = skewness * skewness + 1.0;
        for excess in [0.02, 0.1, 0.5, 0.8, 1.0, 1.9, 2.0, 3.0, 20.0, 1e4] {
            let kurtosis = bound + excess * (1.0 + 0.5 * skewness * skewness);
            let law = fit(skewness, kurtosis).unwrap_or_else(|| panic!("{skewness} {kurtosis}"));
            let [m1, m2, m3, m4] = integrated(&law);
            assert!(m1.abs() < 1e-12 && (m2 - 1.0).abs() < 1e-12);
            assert!((m3 - skewness).abs() < 1e-9 * (1.0 + skewness.abs()));
            assert!((m4 / kurtosis - 1.0).abs() < 1e-9);
            let found = law.cumulants();
            assert!((found.skewness() - skewness).abs() < 1e-9 * (1.0 + skewness.abs()));
            assert!((found.kurtosis() / kurtosis - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn normal_and_lognormal_laws_are_themselves() {
    let normal = fit(0.0, 3.0).unwrap();
    assert_eq!(normal.family(), "normal");
    let log_normal = Named::new("lognormal", &[0.2, 0.7]).unwrap();
    let fitted = Johnson::fit(&log_normal.cumulants()).unwrap();
    assert_eq!(fitted.family(), "SL");
    for p in [1e-9, 0.2, 0.9].map(Probability::below) {
        let z = super::normal_quantile(p);
        assert!((normal.quantile(p) - (1.0 + 2.0 * z)).abs() < 1e-12);
        assert!((fitted.quantile(p) / log_normal.quantile(p) - 1.0).abs() < 1e-9);
    }
    assert!(fitted.support().lower.abs() < 1e-9);
    // The bounded family holds what lies below the lognormal law, the unbounded one what lies above.
    assert_eq!(fit(0.0, 2.0).unwrap().family(), "SB");
    assert_eq!(fit(0.0, 4.0).unwrap().family(), "SU");
}

#[test]
fn the_cdf_undoes_the_quantile() {
    for (skewness, kurtosis) in [(0.0, 3.0), (0.5, 2.4), (-2.0, 11.0), (-1.0, 4.0)] {
        let law = fit(skewness, kurtosis).unwrap();
        for tail in [1e-6, 0.1, 0.5] {
            for p in [Probability::below(tail), Probability::above(tail)] {
                let found = law.cdf(law.quantile(p));
                assert!((found.below / p.below - 1.0).abs() < 1e-8);
                assert!((found.above / p.above - 1.0).abs() < 1e-8);
            }
        }
        let x = law.quantile(Probability::below(0.7));
        let slope = (law.cdf(x + 1e-5).below - law.cdf(x - 1e-5).below) / 2e-5;
        assert!((law.density(x) / slope - 1.0).abs() < 1e-6);
        let support = law.support();
        assert_eq!(law.density(support.lower - 1.0), 0.0);
        assert_eq!(law.cdf(support.lower - 1.0).below, 0.0);
        assert_eq!(law.cdf(support.upper + 1.0).above, 0.0);
    }
}

#[test]
fn no_law_lies_on_or_below_the_bound() {
    for (skewness, kurtosis) in [(0.0, 1.0), (1.0, 2.0), (2.0, 4.9), (0.0, f64::NAN)] {
        assert!(fit(skewness, kurtosis).is_none());
    }
    assert!(Johnson::fit(&Cumulants::constant(1.0)).is_none());
}

#[test]
fn slopes_in_the_logit_are_those_of_the_quantiles() {
    for (skewness, kurtosis) in [
        (0.0, 3.0),
        (0.5, 2.4),
        (-2.0, 11.0),
        (1.5, 12.0),
        (-1.0, 3.0),
    ] {
        let law = fit(skewness, kurtosis).unwrap();
        for t in [-30.0, -3.0, 0.2, 5.0, 30.0] {
            let at = |t: f64| law.at_logit(t).unwrap();
            let secant = (at(t + 1e-4).0 - at(t - 1e-4).0) / 2e-4;
            let (x, slope) = at(t);
            assert_eq!(x, law.quantile(Probability::from_logit(t)));
            let rounding = 1e-11 * x.abs();
            assert!(
                (slope - secant).abs() < 1e-5 * slope + rounding,
                "{t} {slope} {secant}"
            );
        }
    }
}
