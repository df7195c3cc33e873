//! The closed forms against each other, against quadrature and against textbook values.

use super::*;
use crate::quadrature;

fn law(name: &str, arguments: &[f64]) -> Named {
    Named::new(name, arguments).unwrap_or_else(|error| panic!("{error}"))
}

fn continuous() -> Vec<Named> {
    vec![
        law("exponential", &[2.5]),
        law("normal", &[-3.0, 0.7]),
        law("uniform", &[2.0, 7.0]),
        law("erlang", &[4.0, 2.0]),
        law("gamma", &[0.3, 2.0]),
        law("gamma", &[0.01, 2.0]),
        law("gamma", &[1e4, 0.01]),
        law("weibull", &[0.8, 3.0]),
        law("weibull", &[3.5, 0.1]),
        law("weibull", &[200.0, 1.0]),
        law("rayleigh", &[2.5]),
        law("lognormal", &[0.5, 1.0]),
        law("lognormal", &[-1.0, 0.01]),
        law("beta", &[2.0, 3.0]),
        law("beta", &[0.5, 0.2]),
        law("beta", &[300.0, 5.0]),
        law("beta", &[0.02, 0.05]),
    ]
}

fn discrete() -> Vec<Named> {
    vec![
        law("bernoulli", &[0.3]),
        law("binomial", &[20.0, 0.25]),
        law("binomial", &[1000.0, 0.001]),
        law("poisson", &[0.2]),
        law("poisson", &[120.0]),
        law("geometric", &[0.125]),
    ]
}

fn close(found: f64, expected: f64, tolerance: f64, what: &dyn std::fmt::Debug) {
    let error = (found - expected).abs();
    assert!(
        error <= tolerance * expected.abs(),
        "{what:?}: {found:e}, expected {expected:e}"
    );
}

fn assert_cumulants(found: Cumulants, expected: Cumulants, tolerance: f64, what: &Named) {
    // A cumulant that is 0 is compared with what it is made of.
    let s = expected.deviation();
    for (f, e, scale) in [
        (found.mean, expected.mean, s),
        (found.variance, expected.variance, s.powi(2)),
        (found.third, expected.third, s.powi(3)),
        (found.fourth, expected.fourth, s.powi(4)),
    ] {
        let error = (f - e).abs();
        assert!(error <= tolerance * (e.abs() + scale), "{what:?}: {f} {e}");
    }
}

#[test]
fn cumulants_are_those_of_the_quantile_function() {
    for law in continuous() {
        let mean = quadrature::unit(|p| [law.quantile(p)]).value[0];
        let [variance, third, fourth] = quadrature::unit(|p| {
            let d = law.quantile(p) - mean;
            [d.powi(2), d.powi(3), d.powi(4)]
        })
        .value;
        let integrated = Cumulants {
            mean,
            variance,
            third,
            fourth: fourth - 3.0 * variance * variance,
        };
        assert_cumulants(law.cumulants(), integrated, 1e-9, &law);
    }
}

#[test]
fn cumulants_are_those_of_the_probabilities() {
    for law in discrete() {
        let c = law.cumulants();
        let mut central = [0.0; 5];
        for k in 0..2000 {
            let k = f64::from(k);
            for (r, sum) in central.iter_mut().enumerate() {
                *sum += law.density(k) * (k - c.mean).powi(r as i32);
            }
        }
        let summed = Cumulants {
            mean: c.mean + central[1],
            variance: central[2],
            third: central[3],
            fourth: central[4] - 3.0 * central[2].powi(2),
        };
        close(central[0], 1.0, 1e-12, &law);
        assert_cumulants(c, summed, 1e-10, &law);
    }
}

#[test]
fn the_cdf_of_a_quantile_is_the_probability_in_both_tails() {
    for law in continuous() {
        for exponent in [-300.0, -100.0, -20.0, -5.0, -1.0, -0.4] {
            let tail = 10.0_f64.powf(exponent);
            let lower = law.quantile(Probability::below(tail));
            // A quantile is a double: its distance from another end than 0 has an error of its own.
            let slack = |x: f64| 1e-11 + 1e-15 * x.abs() * law.density(x) / tail;
            if lower > f64::MIN_POSITIVE {
                close(law.cdf(lower).below, tail, slack(lower), &(law, exponent));
            }
            let upper = law.quantile(Probability::above(tail));
            if upper < law.support().upper {
                close(law.cdf(upper).above, tail, slack(upper), &(law, exponent));
            }
        }
    }
}

#[test]
fn discrete_quantiles_are_the_least_values_that_reach_the_probability() {
    for law in discrete() {
        for k in 0..40 {
            let here = law.cdf(f64::from(k));
            if law.density(f64::from(k)) < 1e-290 {
                continue;
            }
            assert_eq!(law.quantile(here), f64::from(k), "{law:?}");
            let below = law.cdf(f64::from(k) - 1.0);
            close(
                here.below - below.below,
                law.density(f64::from(k)),
                1e-11 + 1e-15 / law.density(f64::from(k)),
                &(law, k),
            );
        }
    }
    // P(Poisson(120) > 500) is the sum of its terms; the first is 120^501 e^-120 / 501!.
    let poisson = law("poisson", &[120.0]);
    let tail: f64 = (501..700).map(|k| poisson.density(f64::from(k))).sum();
    close(poisson.cdf(500.0).above, tail, 1e-11, &poisson);
    assert_eq!(poisson.quantile(Probability::above(tail * 1.001)), 500.0);
    assert_eq!(poisson.quantile(Probability::above(tail * 0.999)), 501.0);
}

#[test]
fn densities_are_slopes_of_the_cdf() {
    for law in continuous() {
        for p in [0.01, 0.2, 0.5, 0.9] {
            let x = law.quantile(Probability::below(p));
            let h = 1e-5
                * law
                    .cumulants()
                    .deviation()
                    .min(x.abs())
                    .min((1.0 - x).abs());
            // Nearer to an end, doubles are too coarse for a difference.
            if h < 1e-11 * x.abs() {
                continue;
            }
            let slope = (law.cdf(x + h).below - law.cdf(x - h).below) / (2.0 * h);
            close(law.density(x), slope, 1e-5, &(law, p));
        }
    }
}

#[test]
fn characteristic_functions_are_integrals_of_turns() {
    for law in continuous().into_iter().chain(discrete()) {
        let s = law.cumulants().deviation();
        for t in [0.0, 0.3 / s, -1.1 / s, 2.0 / s] {
            let Some((re, im)) = law.characteristic(t) else {
                continue;
            };
            let [expected_re, expected_im] = if law.is_discrete() {
                (0..2000).fold([0.0, 0.0], |[re, im], k| {
                    let (k, mass) = (f64::from(k), law.density(f64::from(k)));
                    [re + mass * (t * k).cos(), im + mass * (t * k).sin()]
                })
            } else {
                quadrature::unit(|p| {
                    let x = law.quantile(p);
                    [(t * x).cos(), (t * x).sin()]
                })
                .value
            };
            let error = (re - expected_re).hypot(im - expected_im);
            assert!(error < 1e-9, "{law:?} at {t}: {error:e}");
        }
    }
}

#[test]
fn textbook_values() {
    let at = |name: &str, arguments: &[f64], p: f64| {
        law(name, arguments).quantile(Probability::below(p))
    };
    // Tables of the normal law, of chi-square (10 degrees of freedom) and of the beta law.
    close(
        at("normal", &[0.0, 1.0], 0.975),
        1.959963984540054,
        1e-14,
        &0,
    );
    close(
        at("normal", &[0.0, 1.0], 1e-9),
        -5.997807015007686,
        1e-13,
        &1,
    );
    close(
        at("gamma", &[5.0, 2.0], 0.95),
        18.307038053275146,
        1e-13,
        &2,
    );
    close(at("gamma", &[0.5, 2.0], 0.5), 0.454936423119572, 1e-12, &3);
    // I_x(2, 2) = 3 x^2 - 2 x^3 = 1/2 at x = 1/2, and I_x(1/2, 1/2) = 2/pi arcsin(sqrt x).
    close(at("beta", &[2.0, 2.0], 0.5), 0.5, 1e-14, &4);
    close(at("beta", &[0.5, 0.5], 1.0 / 3.0), 0.25, 1e-13, &5);
    let weibull = law("weibull", &[2.0, 1.0]).cumulants();
    close(weibull.skewness(), 0.6311106578189364, 1e-12, &weibull);
    close(weibull.kurtosis(), 3.245_089_300_687_638, 1e-12, &weibull);
    // Erlang: the mean is that of the whole.
    let erlang = law("erlang", &[4.0, 2.0]).cumulants();
    close(erlang.mean, 2.0, 1e-15, &erlang);
    close(erlang.variance, 1.0, 1e-15, &erlang);
    // Trials up to the first success: mean 1 / p, at least 1.
    let geometric = law("geometric", &[0.25]);
    close(geometric.cumulants().mean, 4.0, 1e-15, &geometric);
    assert_eq!(geometric.support().lower, 1.0);
    assert_eq!(geometric.quantile(Probability::below(0.25)), 1.0);
}

#[test]
fn degenerate_parameters_are_constants() {
    for (name, arguments, value) in [
        ("normal", vec![3.0, 0.0], 3.0),
        ("uniform", vec![2.0, 2.0], 2.0),
        ("bernoulli", vec![1.0], 1.0),
        ("bernoulli", vec![0.0], 0.0),
        ("binomial", vec![7.0, 1.0], 7.0),
        ("binomial", vec![0.0, 0.5], 0.0),
        ("binomial", vec![0.0, 1.0], 0.0),
        ("poisson", vec![0.0], 0.0),
        ("geometric", vec![1.0], 1.0),
    ] {
        let law = law(name, &arguments);
        let c = law.cumulants();
        assert_eq!((c.mean, c.variance), (value, 0.0), "{name}");
        assert_eq!((c.third, c.fourth), (0.0, 0.0), "{name}");
        assert_eq!(law.support(), Support::point(value), "{name}");
        for p in [0.0, 1e-9, 0.5, 1.0] {
            assert_eq!(law.quantile(Probability::below(p)), value, "{name}");
        }
        assert_eq!(law.cdf(value - 0.5).below, 0.0, "{name}");
        assert_eq!(law.cdf(value).above, 0.0, "{name}");
        assert_eq!(law.density(value), 1.0, "{name}");
    }
}

/// The length of a vector of two normal components: E = s sqrt(pi/2), Var = (2 - pi/2) s^2; by textbooks, skewness
/// 0.6311106578, excess 0.2450893007, and the median s sqrt(2 ln 2).
#[test]
fn rayleigh_has_the_numbers_of_textbooks() {
    let pi = std::f64::consts::PI;
    for scale in [1e-3, 1.0, 7.5] {
        let law = law("rayleigh", &[scale]);
        let c = law.cumulants();
        close(c.mean, scale * (pi / 2.0).sqrt(), 1e-13, &law);
        close(c.variance, (2.0 - pi / 2.0) * scale * scale, 1e-13, &law);
        close(c.third / c.variance.powf(1.5), 0.6311106578, 1e-9, &law);
        close(c.fourth / c.variance.powi(2), 0.2450893007, 1e-9, &law);
        let median = law.quantile(Probability::below(0.5));
        close(median, scale * (2.0 * 2f64.ln()).sqrt(), 1e-14, &law);
        close(law.cdf(2.0 * scale).above, (-2f64).exp(), 1e-14, &law);
    }
}

/// What a row says of a law is true of its numbers.
#[test]
fn rows_agree_with_numbers() {
    for name in LawName::ALL {
        let row = name.row();
        let examples = [[0.25, 0.75], [1.0, 2.0], [2.0, 0.5], [3.0, 4.0]];
        let mut made = 0;
        for arguments in examples {
            let Some(arguments) = arguments.get(..row.arguments.len()) else {
                continue;
            };
            let Ok(law) = Named::new(row.name, arguments) else {
                continue;
            };
            made += 1;
            let Support { lower, upper } = law.support();
            match row.least {
                Some(Least::Number(least)) => assert!(lower >= least as f64, "{law:?}"),
                Some(Least::Argument(position)) => assert_eq!(lower, arguments[position]),
                None => assert!(lower < 0.0 || lower == upper, "{law:?}"),
            }
            let dense = match row.density {
                Density::Always => true,
                Density::Positive(position) => arguments[position] > 0.0,
                Density::Increasing(position) => arguments[position] < arguments[position + 1],
                Density::Unknown => false,
            };
            if dense {
                let inner = [0.01, 0.5, 0.99].map(|p| law.quantile(Probability::below(p)));
                assert!(inner.iter().all(|&x| law.density(x) > 0.0), "{law:?}");
            }
        }
        assert!(made > 0 || *name == LawName::Moments, "{name:?}");
    }
}

#[test]
fn wrong_arguments_are_named() {
    let error = |name: &str, arguments: &[f64]| Named::new(name, arguments).unwrap_err();
    assert_eq!(
        error("gamma", &[1.0, -2.0]),
        "`scale` of `gamma` is -2, but must be a number above 0"
    );
    assert_eq!(
        error("uniform", &[3.0, 2.0]),
        "`upper` of `uniform` is 2, but must be at least `lower`, which is 3"
    );
    assert_eq!(
        error("erlang", &[4.0]),
        "`erlang` takes (stages, mean), but 1 is given"
    );
    assert!(error("normal", &[f64::NAN, 1.0]).contains("`mean` of `normal` is NaN"));
    assert!(error("binomial", &[2.5, 0.1]).contains("must be a whole number from 0"));
    assert!(error("cauchy", &[]).starts_with("no law named `cauchy`; expected one of moments, "));
    assert!(error("moments", &[0.0, 1.0, 0.0, 3.0]).contains("do not determine a law"));
}

/// Alone it is, to the last digit, what it is beside the probability of what lies below.
#[test]
fn what_lies_above_is_the_same_alone() {
    let pareto = law("pareto", &[2.5, 3.0]);
    for law in continuous().into_iter().chain(discrete()).chain([pareto]) {
        let tails = law.tails();
        let inner = [1e-300, 1e-9, 0.2, 0.5, 0.99].map(|p| law.quantile(Probability::below(p)));
        let far = [1e-20, 1e-100].map(|p| law.quantile(Probability::above(p)));
        let edges = [-1.0, -0.0, 0.0, 1e300, f64::INFINITY, f64::NEG_INFINITY];
        for x in inner.into_iter().chain(far).chain(edges) {
            let beside = law.cdf(x).above;
            assert_eq!(tails(x).to_bits(), beside.to_bits(), "{law:?} {x:e}");
        }
        assert!(tails(f64::NAN).is_nan());
    }
}

#[test]
fn a_law_is_that_of_its_family_moved() {
    for (name, parameters) in [
        ("exponential", [3.0].as_slice()),
        ("normal", &[-2.0, 0.5]),
        ("uniform", &[1.0, 4.0]),
        ("gamma", &[2.5, 3.0]),
        ("weibull", &[0.8, 2.0]),
        ("lognormal", &[1.2, 0.4]),
        ("beta", &[2.0, 3.0]),
        ("poisson", &[4.0]),
    ] {
        let law = Named::new(name, parameters).unwrap();
        let own = law.standardised();
        for p in [1e-6, 0.3, 0.9].map(Probability::below) {
            let moved = own.factor * own.law.quantile(p) + own.amount;
            assert!(
                (law.quantile(p) - moved).abs() <= 1e-12 * moved.abs(),
                "{name}"
            );
        }
        assert_eq!(own.law.standardised().law, own.law);
        assert_eq!(law == own.law, law.key() == own.law.key());
    }
}
