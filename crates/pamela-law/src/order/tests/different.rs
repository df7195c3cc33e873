//! Of different laws.

use super::*;

#[test]
fn the_largest_of_different_exponentials_is_inclusion_and_exclusion() {
    let rates = [1.0, 2.5, 0.01];
    let laws = rates.map(|rate| law("exponential", &[1.0 / rate]));
    let raw = [(1, 1.0), (2, 2.0), (3, 6.0), (4, 24.0)].map(|(r, factorial)| {
        let [a, b, c] = rates;
        let term = |rate: f64| f64::powi(rate, -r);
        let single = term(a) + term(b) + term(c);
        let pairs = term(a + b) + term(a + c) + term(b + c);
        factorial * (single - pairs + term(a + b + c))
    });
    let laws: Vec<&dyn Distribution> = laws.iter().map(|law| law as _).collect();
    close(largest_of(&laws).unwrap(), cumulants(raw), 1e-9);
    let total: f64 = rates.iter().sum();
    let expected = stages(|r| total.powi(-(r as i32)));
    close(smallest_of(&laws).unwrap(), expected, 1e-10);
}

#[test]
fn the_largest_of_laws_of_different_kinds() {
    let (exponential, normal) = (law("exponential", &[1.0]), law("normal", &[1.0, 1.0]));
    // By another program.
    let expected = [
        1.54523605437546,
        0.9446883695282237,
        1.155491124639685,
        3.278803823578028,
    ];
    close(
        largest_of(&[&exponential, &normal]).unwrap(),
        expected,
        1e-12,
    );
    // A coin and a uniform variable: u, or where the coin says 1 the larger of u and 1.
    let (coin, uniform) = (law("bernoulli", &[0.5]), law("uniform", &[0.0, 2.0]));
    let raw = [1, 2, 3, 4].map(|r| {
        let power = 2.0_f64.powi(r + 1);
        let over = f64::from(r + 1);
        0.5 * power / (2.0 * over) + 0.5 * (0.5 + (power - 1.0) / (2.0 * over))
    });
    close(
        largest_of(&[&coin, &uniform]).unwrap(),
        cumulants(raw),
        1e-10,
    );
    let raw = [1, 2, 3, 4].map(|r| 0.5 * (0.5 + 0.5 / f64::from(r + 1)));
    close(
        smallest_of(&[&coin, &uniform]).unwrap(),
        cumulants(raw),
        1e-10,
    );
    // What lies above all others is the largest.
    let far = law("uniform", &[5.0, 6.0]);
    let expected = [5.5, 1.0 / 12.0, 0.0, -1.0 / 120.0];
    close(
        largest_of(&[&far, &uniform, &coin]).unwrap(),
        expected,
        1e-12,
    );
    close(
        largest_of(&[&law("deterministic", &[2.0]), &coin]).unwrap(),
        [2.0, 0.0, 0.0, 0.0],
        1e-12,
    );
}

#[test]
fn many_different_laws_are_as_many_copies() {
    let laws = vec![law("exponential", &[1.0]); 64];
    let laws: Vec<&dyn Distribution> = laws.iter().map(|law| law as _).collect();
    close(
        largest_of(&laws).unwrap(),
        stages(|r| harmonic(64.0, r)),
        1e-10,
    );
}

/// The k-th of different exponentials: of `E[Y_k^r]` the sum over all sets of at least `n - k + 1` of
/// `(-1)^(|S| - n + k - 1) C(|S| - 1, n - k) E[min_S^r]`.
fn kth_of_exponentials(rates: &[f64], k: usize) -> [f64; 4] {
    let n = rates.len();
    let choose = |a: usize, b: usize| (0..b).fold(1.0, |c, i| c * (a - i) as f64 / (i + 1) as f64);
    let moment = |r: i32, factorial: f64| -> f64 {
        let sets = (1..1_u32 << n).filter(|set| set.count_ones() as usize > n - k);
        let term = |set: u32| {
            let size = set.count_ones() as usize;
            let rate: f64 = (0..n).filter(|i| set >> i & 1 == 1).map(|i| rates[i]).sum();
            let sign = if (size + k + 1 - n).is_multiple_of(2) {
                1.0
            } else {
                -1.0
            };
            sign * choose(size - 1, n - k) * factorial / rate.powi(r)
        };
        sets.map(term).sum()
    };
    cumulants([
        moment(1, 1.0),
        moment(2, 2.0),
        moment(3, 6.0),
        moment(4, 24.0),
    ])
}

#[test]
fn the_kth_of_different_laws_is_inclusion_and_exclusion() {
    let rates = [1.0, 2.5, 0.1, 0.7];
    let laws = rates.map(|rate| law("exponential", &[1.0 / rate]));
    let laws: Vec<&dyn Distribution> = laws.iter().map(|law| law as _).collect();
    for k in 1..=4 {
        close(
            kth_of(&laws, k).unwrap(),
            kth_of_exponentials(&rates, k),
            1e-9,
        );
    }
    assert!(kth_of(&laws, 0).is_err() && kth_of(&laws, 5).is_err());
    // Of two coins and a die of two sides, all outcomes.
    let coins = [("bernoulli", 0.3), ("bernoulli", 0.6)].map(|(name, p)| law(name, &[p]));
    let third = law("binomial", &[2.0, 0.5]);
    let laws: [&dyn Distribution; 3] = [&coins[0], &coins[1], &third];
    let raw = [1, 2, 3, 4].map(|r| {
        let mut sum = 0.0;
        for (a, p) in [(0.0, 0.7), (1.0, 0.3)] {
            for (b, q) in [(0.0, 0.4), (1.0, 0.6)] {
                for (c, s) in [(0.0, 0.25), (1.0, 0.5), (2.0, 0.25)] {
                    let mut all = [a, b, c];
                    all.sort_by(f64::total_cmp);
                    sum += p * q * s * f64::powi(all[1], r);
                }
            }
        }
        sum
    });
    close(kth_of(&laws, 2).unwrap(), cumulants(raw), 1e-10);
}

#[test]
fn a_law_that_ends_long_before_the_other_is_hidden_by_it() {
    // E[max(U, X)] of U = uniform(0, 1) and X = exponential(50): u and what X has beyond it.
    let (uniform, exponential) = (law("uniform", &[0.0, 1.0]), law("exponential", &[50.0]));
    let raw = [1, 2, 3, 4].map(|r: i32| {
        // int_0^1 r x^(r-1) (1 - x (1 - e^(-x/50))) dx, and r! 50^r P(gamma(r) > 1/50) beyond 1.
        let below =
            quadrature_of(|x| f64::from(r) * x.powi(r - 1) * (1.0 - x * -(-x / 50.0).exp_m1()));
        let (t, mut term, mut tail) = (1.0 / 50.0, 1.0, 0.0);
        for k in 0..r {
            tail += term;
            term *= t / f64::from(k + 1);
        }
        let factorial: f64 = (1..=r).map(f64::from).product();
        let beyond = factorial * 50f64.powi(r) * (-t).exp() * tail;
        below + beyond
    });
    close(
        largest_of(&[&uniform, &exponential]).unwrap(),
        cumulants(raw),
        1e-11,
    );
}

/// `int_0^1 f(x) dx` of a polynomial and an exponential, by Simpson's rule.
fn quadrature_of(f: impl Fn(f64) -> f64) -> f64 {
    const STEPS: i32 = 1000;
    let node = |i: i32| {
        let weight = match i {
            0 | STEPS => 1.0,
            _ if i % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * f(f64::from(i) / f64::from(STEPS))
    };
    (0..=STEPS).map(node).sum::<f64>() / (3.0 * f64::from(STEPS))
}
