//! θ-exponential polynomials (Trogemann and Gente): cdfs that series and parallels keep, with exact coefficients.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use pamela_graph::{Graph, Time, Times};
use pamela_law::{Distribution, Named};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{assert_agree, double, ratio};

/// `e^-fall (t - theta)^power e^(-rate (t - theta))` from `theta` on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    theta: BigRational,
    power: u32,
    rate: BigRational,
    fall: BigRational,
}

/// A sum of terms with coefficients.
#[derive(Clone, Default)]
struct Polynomial(BTreeMap<Term, BigRational>);

fn factorial(n: u32) -> BigRational {
    BigRational::from((1..=n).map(BigInt::from).product::<BigInt>())
}

fn binomial(n: u32, k: u32) -> BigRational {
    factorial(n) / (factorial(k) * factorial(n - k))
}

fn power(x: &BigRational, n: u32) -> BigRational {
    (0..n).fold(BigRational::one(), |product, _| product * x)
}

impl Polynomial {
    fn add(&mut self, term: Term, coefficient: BigRational) {
        let sum = self.0.entry(term.clone()).or_default();
        *sum += coefficient;
        if sum.is_zero() {
            self.0.remove(&term);
        }
    }

    /// The cdf of `theta` and an Erlang law of so many stages.
    fn erlang(theta: &BigRational, stages: u32, rate: &BigRational) -> Polynomial {
        let mut cdf = Polynomial::default();
        let zero = BigRational::zero;
        let term = |power: u32, rate: &BigRational| Term {
            theta: theta.clone(),
            power,
            rate: rate.clone(),
            fall: zero(),
        };
        cdf.add(term(0, &zero()), BigRational::one());
        for k in 0..stages {
            cdf.add(term(k, rate), -power(rate, k) / factorial(k));
        }
        cdf
    }

    /// Theorem 5: of the larger of two.
    fn larger(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let theta = a.theta.clone().max(b.theta.clone());
                for (i, u) in moved(a, &theta) {
                    for (j, v) in moved(b, &theta) {
                        let term = Term {
                            theta: theta.clone(),
                            power: i + j,
                            rate: &a.rate + &b.rate,
                            fall: &a.fall
                                + &b.fall
                                + &a.rate * (&theta - &a.theta)
                                + &b.rate * (&theta - &b.theta),
                        };
                        product.add(term, x * y * &u * &v);
                    }
                }
            }
        }
        product
    }

    /// Theorem 3, of a law without single values.
    fn density(&self) -> Polynomial {
        let mut density = Polynomial::default();
        for (term, x) in &self.0 {
            if term.power > 0 {
                let lower = Term {
                    power: term.power - 1,
                    ..term.clone()
                };
                density.add(lower, x * BigRational::from(BigInt::from(term.power)));
            }
            density.add(term.clone(), -x * &term.rate);
        }
        density
    }

    /// Theorem 4: of the sum of two.
    fn sum(&self, other: &Polynomial) -> Polynomial {
        let mut sum = Polynomial::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.density().0 {
                let (k, l) = (a.power, b.power);
                let term = |power: u32, rate: &BigRational| Term {
                    theta: &a.theta + &b.theta,
                    power,
                    rate: rate.clone(),
                    fall: &a.fall + &b.fall,
                };
                let xy = x * y;
                if a.rate == b.rate {
                    sum.add(
                        term(k + l + 1, &a.rate),
                        xy * factorial(k) * factorial(l) / factorial(k + l + 1),
                    );
                    continue;
                }
                // Partial fractions of k! l! / ((s + a)^(k+1) (s + b)^(l+1)).
                for ((k, a), (l, b)) in [((k, a), (l, b)), ((l, b), (k, a))] {
                    for j in 0..=k {
                        let sign = if j % 2 == 0 {
                            BigRational::one()
                        } else {
                            -BigRational::one()
                        };
                        let fraction =
                            sign * binomial(l + j, j) / power(&(&b.rate - &a.rate), l + 1 + j);
                        let coefficient =
                            &xy * fraction * factorial(k) * factorial(l) / factorial(k - j);
                        sum.add(term(k - j, &a.rate), coefficient);
                    }
                }
            }
        }
        sum
    }

    /// Of the law with this cdf.
    fn mean(&self) -> f64 {
        let mut by_fall: BTreeMap<&BigRational, BigRational> = BTreeMap::new();
        for (term, x) in &self.0 {
            let part = if term.rate.is_zero() {
                x * &term.theta
            } else {
                -x * factorial(term.power) / power(&term.rate, term.power + 1)
            };
            *by_fall.entry(&term.fall).or_default() += part;
        }
        by_fall
            .iter()
            .map(|(fall, part)| (-double(fall)).exp() * double(part))
            .sum()
    }
}

/// The powers of `t - theta` in `(t - theta + d)^power`, with `d` between two thetas.
fn moved(term: &Term, theta: &BigRational) -> Vec<(u32, BigRational)> {
    let distance = theta - &term.theta;
    let powers = 0..=term.power;
    let terms = powers.map(|j| {
        (
            j,
            binomial(term.power, j) * power(&distance, term.power - j),
        )
    });
    terms
        .filter(|(_, coefficient)| !coefficient.is_zero())
        .collect()
}

#[test]
fn maxima_and_sums_have_their_means() {
    let (zero, one) = (ratio(0, 1), ratio(1, 1));
    let exponential = Polynomial::erlang(&zero, 1, &one);
    assert!((exponential.larger(&exponential).mean() - 1.5).abs() < 1e-15);
    assert!((exponential.sum(&exponential).mean() - 2.0).abs() < 1e-15);
    // X and 1 + Y: 1 + E[Y] + E[(X - 1 - Y)+] = 2 + e^-1 / 2.
    let later = Polynomial::erlang(&one, 1, &one);
    assert!((exponential.larger(&later).mean() - (2.0 + 0.5 * (-1.0_f64).exp())).abs() < 1e-14);
    // 400 terms and more of two Erlang laws of 100 stages, less three that are shared.
    let [a, b] = [ratio(10, 1), ratio(11, 1)].map(|rate| Polynomial::erlang(&zero, 20, &rate));
    assert_eq!(a.larger(&b).0.len(), 1 + 20 + 20 + 39);
}

/// A random nest of series and parallels of shifted Erlang laws, with its tasks and precedences.
struct Nest {
    rng: Pcg64,
    laws: Vec<Arc<dyn Distribution>>,
    times: Vec<Time>,
    precedences: Vec<(u32, u32)>,
}

impl Nest {
    /// The first and the last tasks of a part, and the cdf of its time.
    fn part(&mut self, depth: u32) -> (Vec<u32>, Vec<u32>, Polynomial) {
        if depth == 0 || self.rng.random_bool(0.2) {
            let stages = self.rng.random_range(1..4_u32);
            let (rate, theta) = (
                ratio(self.rng.random_range(1..4), 2),
                ratio(self.rng.random_range(0..3), 2),
            );
            let law = Named::new("gamma", &[f64::from(stages), 1.0 / double(&rate)]).unwrap();
            let task = self.times.len() as u32;
            self.laws.push(Arc::new(law));
            self.times.push(Time {
                law: Some(task),
                factor: 1.0,
                shift: double(&theta),
            });
            return (
                vec![task],
                vec![task],
                Polynomial::erlang(&theta, stages, &rate),
            );
        }
        let in_series = self.rng.random_bool(0.5);
        let (first, mut last, mut cdf) = self.part(depth - 1);
        let mut firsts = first;
        let (first, other_last, other) = self.part(depth - 1);
        if in_series {
            let pairs = last
                .iter()
                .flat_map(|&u| first.iter().map(move |&v| (u, v)));
            self.precedences.extend(pairs);
            (last, cdf) = (other_last, cdf.sum(&other));
        } else {
            firsts.extend(first);
            last.extend(other_last);
            cdf = cdf.larger(&other);
        }
        (firsts, last, cdf)
    }
}

#[test]
fn nests_of_shifted_erlang_laws_are_enclosed_closely() {
    for seed in 0..40 {
        let mut nest = Nest {
            rng: Pcg64::seed_from_u64(seed),
            laws: Vec::new(),
            times: Vec::new(),
            precedences: Vec::new(),
        };
        let mean = nest.part(3).2.mean();
        let graph = Graph::new(nest.times.len(), &nest.precedences).unwrap();
        let times = Times::new(nest.laws, nest.times).unwrap();
        assert_agree(&graph, &times, mean);
        let [lower, upper] = pamela_graph::bounds(&graph, &times, &Default::default())
            .unwrap()
            .mean;
        assert!(
            upper - lower < 1e-3 * mean,
            "seed {seed}: {lower} {mean} {upper}"
        );
    }
}
