use super::*;

fn law(points: &[(f64, f64)]) -> Discrete {
    Discrete::new(points).unwrap()
}

fn named(name: &str, arguments: &[f64]) -> Discrete {
    Discrete::of(&Named::new(name, arguments).unwrap()).unwrap()
}

fn near(found: f64, expected: f64) {
    let off = (found - expected).abs();
    assert!(off <= 1e-12 * expected.abs(), "{found} {expected}");
}

fn points(law: &Discrete) -> Vec<(f64, f64)> {
    law.points().collect()
}

/// The same values, with probabilities that are equal but for rounding.
fn same(law: &Discrete, expected: &[(f64, f64)]) {
    let found = points(law);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((x, p), (y, q)) in found.iter().zip(expected) {
        assert_eq!(x, y);
        near(*p, *q);
    }
}

#[test]
fn values_that_are_equal_but_for_rounding_are_one() {
    let thirds = law(&[(1.0 / 3.0, 0.5), (2.0 / 3.0, 0.5)]);
    let tenths = law(&[(0.1, 0.5), (0.2, 0.5)]);
    let sum = Discrete::sum_of_copies(&[(3.0, &thirds), (3.0, &tenths)]).unwrap();
    // Multiples of 1/3 from 1 to 2, beside multiples of 1/10 from 0.3 to 0.6.
    assert_eq!(sum.count(), 16);
    let sum = Discrete::sum_of_copies(&[(3.0, &tenths)]).unwrap();
    assert_eq!(sum.count(), 4);
    let mixture = Discrete::mixture(&[(0.5, &sum), (0.5, &law(&[(0.3, 0.5), (0.6, 0.5)]))]);
    assert_eq!(mixture.unwrap().count(), 4);
    // Numbers that differ by less than others are great stay apart.
    let apart = law(&[(1e13, 0.5), (1.0, 0.25), (1.0 + 1e-12, 0.25)]);
    assert_eq!(apart.count(), 3);
}

#[test]
fn a_sum_of_trials_is_binomial() {
    let trial = named("bernoulli", &[0.3]);
    for n in [2.0, 40.0, 3000.0] {
        let sum = Discrete::sum_of_copies(&[(n, &trial)]).unwrap();
        let exact = Named::new("binomial", &[n, 0.3]).unwrap();
        for x in [0.2 * n, 0.3 * n, 0.35 * n].map(f64::floor) {
            let (found, expected) = (sum.cdf(x), exact.cdf(x));
            for (found, expected) in [(found.below, expected.below), (found.above, expected.above)]
            {
                let off = (found - expected).abs();
                assert!(
                    off < 1e-10 * expected.max(1e-6),
                    "{n} {x}: {found:e} {expected:e}"
                );
            }
        }
        assert!((sum.cumulants().variance / (0.21 * n) - 1.0).abs() < 1e-12);
    }
    // Of more values a grid takes care.
    assert!(Discrete::sum_of_copies(&[(1e6, &trial)]).is_none());
    let apart = law(&[(1.0, 0.5), (std::f64::consts::PI, 0.5)]);
    assert_eq!(
        Discrete::sum_of_copies(&[(40.0, &apart)]).unwrap().count(),
        41
    );
}

#[test]
fn a_random_number_of_copies_is_what_enumeration_gives() {
    let count = law(&[(0.0, 0.25), (2.0, 0.75)]);
    let term = law(&[(-1.0, 0.5), (2.5, 0.5)]);
    let sum = Discrete::random_sum(&count, &term).unwrap();
    let expected = [(-2.0, 0.1875), (0.0, 0.25), (1.5, 0.375), (5.0, 0.1875)];
    assert_eq!(points(&sum), expected);
    // Trials up to the first success, of which a third count twice.
    let trials = Discrete::random_sum(
        &named("geometric", &[0.5]),
        &named("bernoulli", &[1.0 / 3.0]),
    );
    let trials = trials.unwrap();
    near(trials.cdf(0.0).below, 0.5);
    near(trials.cumulants().mean, 2.0 / 3.0);
    assert!(Discrete::random_sum(&law(&[(0.5, 0.5), (1.0, 0.5)]), &term).is_none());
}

#[test]
fn extremes_and_others_are_what_enumeration_gives() {
    let a = law(&[(0.0, 0.5), (3.0, 0.5)]);
    let b = law(&[(1.0, 0.25), (3.0, 0.25), (4.0, 0.5)]);
    let largest = Discrete::largest_of(&[&a, &b]).unwrap();
    same(&largest, &[(1.0, 0.125), (3.0, 0.375), (4.0, 0.5)]);
    let smallest = Discrete::smallest_of(&[&a, &b]).unwrap();
    same(&smallest, &[(0.0, 0.5), (1.0, 0.125), (3.0, 0.375)]);
    let middle = Discrete::kth_of(&[&a, &b, &a], 2, Support::new(0.0, 3.0)).unwrap();
    // 0 where both are; 1 where one is and the other law is 1.
    same(&middle, &[(0.0, 0.25), (1.0, 0.125), (3.0, 0.625)]);
    let second = a.kth(2.0, 3.0).unwrap();
    near(second.cdf(0.0).below, 0.5);
    // The largest of very many finds what is rare.
    let rare = law(&[(0.0, 1.0 - 1e-12), (1.0, 1e-12)])
        .kth(1e12, 1e12)
        .unwrap();
    near(rare.cdf(0.0).below, (-1.0_f64).exp() * (1.0 - 0.5e-12));
}

#[test]
fn quantiles_are_values_that_reach_the_probability_but_for_rounding() {
    let tenth = law(&[(1.0, 0.1), (2.0, 0.2), (3.0, 0.7)]);
    // 0.1 + 0.2 is more than 0.3, and 1 - 0.7 less.
    for p in [Probability::below(0.3), Probability::above(0.7)] {
        assert_eq!(tenth.quantile(p), 2.0);
    }
    assert_eq!(tenth.quantile(Probability::below(0.3 + 1e-9)), 3.0);
    let mirrored = tenth.moved(-2.0, 1.0);
    assert_eq!(mirrored.quantile(Probability::below(0.7)), -5.0);
    assert_eq!(mirrored.quantile(Probability::below(0.0)), -5.0);
    near(mirrored.cdf(-3.0).above, 0.1);
    near(mirrored.cdf(-5.0).below, 0.7);
    assert_eq!(mirrored.cdf(-6.0).below, 0.0);
}

#[test]
fn products_and_conditions_keep_what_is_left() {
    let a = law(&[(-1.0, 0.5), (2.0, 0.5)]);
    let b = law(&[(0.0, 0.25), (1.0, 0.75)]);
    let product = Discrete::product_beside(&a, &b, [0.0, 0.0]).unwrap();
    assert_eq!(points(&product), [(-1.0, 0.375), (0.0, 0.25), (2.0, 0.375)]);
    // (10 + a) (20 + b) - 200
    let beside = Discrete::product_beside(&a, &b, [10.0, 20.0]).unwrap();
    let expected = [(-20.0, 0.125), (-11.0, 0.375), (40.0, 0.125), (52.0, 0.375)];
    assert_eq!(points(&beside), expected);
    let part = product.truncated(-0.5, 5.0).unwrap();
    assert_eq!(points(&part), [(0.0, 0.4), (2.0, 0.6)]);
    assert!(product.truncated(0.5, 1.5).is_none());
    assert_eq!(
        product.truncated(1.0, f64::INFINITY).unwrap().as_constant(),
        Some(2.0)
    );
}

#[test]
fn laws_without_an_end_keep_all_that_is_not_rarer_than_1e_30() {
    let poisson = named("poisson", &[50.0]);
    assert_eq!(poisson.support().upper, f64::INFINITY);
    near(poisson.cumulants().fourth, 50.0);
    let above = poisson.cdf(150.0).above;
    let exact = Named::new("poisson", &[50.0]).unwrap().cdf(150.0).above;
    assert!((above / exact - 1.0).abs() < 1e-8);
    assert!(Discrete::of(&Named::new("geometric", &[1e-3]).unwrap()).is_none());
}
