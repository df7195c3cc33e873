//! Waits for several servers with fixed services beside their exact law, and Erlang's formulas beside exact fractions.

use pamela::{Model, Options};

use super::{evaluated, falls_to, near, number, number_of, standard};
use crate::selection::is_full;

/// The probability that a request waits for longer than `t` for one of `servers` with services of 1 (Crommelin 1932): none does
/// if, as many services earlier as `t` has, so few requests were there that the others since then are served in between (Franx
/// 2001). All terms are positive.
fn waits_longer(queue: &[f64], servers: usize, load: f64, t: f64) -> f64 {
    let rate = load * servers as f64;
    let rounds = t.floor() as usize + 1;
    let rest = rounds as f64 - t;
    let most = rounds * servers - 1;
    // At most so many wait.
    let mut waiting = vec![queue[..=servers].iter().sum::<f64>()];
    for k in 1..=most {
        waiting.push(waiting[k - 1] + queue.get(servers + k).copied().unwrap_or(0.0));
    }
    let mut term = (-rate * rest).exp();
    let mut sum = 0.0;
    for j in 0..=most {
        sum += term * waiting[most - j];
        term *= rate * rest / (j + 1) as f64;
    }
    1.0 - sum
}

/// Stationary numbers of requests at servers with services of 1: those that wait at some time, and all that come within a
/// service, are there one service later.
fn numbers_there(servers: usize, load: f64) -> Vec<f64> {
    let rate = load * servers as f64;
    // What is left out has a probability below 1e-17.
    let most = servers + (40.0 / (1.0 - load)) as usize;
    let mut come = vec![(-rate).exp()];
    for k in 1..=most {
        come.push(come[k - 1] * rate / k as f64);
    }
    let mut there = vec![0.0; most + 1];
    there[0] = 1.0;
    loop {
        let mut next = vec![0.0; most + 1];
        for (n, share) in there.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            let left = n.saturating_sub(servers);
            for k in 0..=most - left {
                next[left + k] += share * come[k];
            }
        }
        let moved: f64 = there.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        there = next;
        if moved < 1e-11 {
            return there;
        }
    }
}

/// M/D/c beside its exact law: the approximation of several servers is least exact there.
#[test]
fn several_servers_with_fixed_services_are_near_their_exact_law() {
    // One server has the series of Erlang.
    let queue = numbers_there(1, 0.8);
    let exact = falls_to(0.01, |t| waits_longer(&queue, 1, 0.8, t.min(40.0)));
    near(exact, 10.355_886_791_994_95, 1e-6, "M/D/1");
    for servers in [2, 3, 8] {
        for load in [0.5, 0.7, 0.8, 0.9] {
            if servers != 2 && load != 0.5 && !is_full() {
                continue;
            }
            let queue = numbers_there(servers, load);
            let text = format!(
                "resource desk = servers({servers})\nprocess site = open ({}) use(desk, 1)\n\
                 numeric q90 = quantile(T(site), 0.9)\nnumeric q99 = quantile(T(site), 0.99)\n",
                load * servers as f64
            );
            let found = evaluated(&text);
            for (name, level, bound) in [("q90", 0.1, 0.023), ("q99", 0.01, 0.02)] {
                let longer = |t: f64| waits_longer(&queue, servers, load, t.min(40.0));
                let exact = if longer(0.0) > level {
                    1.0 + falls_to(level, longer)
                } else {
                    1.0
                };
                near(
                    number_of(&found, name),
                    exact,
                    bound,
                    &format!("{servers} {load} {name}"),
                );
            }
        }
    }
}

#[test]
fn erlang_has_its_values() {
    // By the recursion in 50 digits.
    for (servers, load, share) in [
        (64, 60, 0.506_866_270_975_765_4),
        (100_000, 99_000, 0.000_821_908_237_410_795_4),
        (1_000_000, 999_000, 0.223_303_390_291_344_1),
    ] {
        let text = format!("numeric c = erlangC({servers}, {load})\n");
        near(number(&text, "c"), share, 1e-12, "erlangC");
        // The number of servers of a model is a parameter.
        let text = format!("numeric parameter n = {servers}\nnumeric c = erlangC(n, {load})\n");
        near(number(&text, "c"), share, 1e-12, "erlangC of a parameter");
    }
    assert_eq!(number("numeric b = erlangB(1, 1)\n", "b"), 0.5);
    // By the recursion in fractions: `1/B(c) = 1 + c/a/B(c - 1)`.
    for servers in [1i64, 2, 3, 8, 9, 20, 40] {
        for (numerator, denominator) in [
            (1i64, 1_000i64),
            (1, 1),
            (2, 1),
            (7, 2),
            (40, 1),
            (1_000, 1),
        ] {
            let load = num_rational::BigRational::new(numerator.into(), denominator.into());
            let one = num_rational::BigRational::from_integer(1.into());
            let inverse = (1..=servers).fold(one.clone(), |inverse, k| {
                let k = num_rational::BigRational::from_integer(k.into());
                k / &load * inverse + &one
            });
            let loss = one.clone() / inverse;
            let loss = num_traits::ToPrimitive::to_f64(&loss).expect("a double");
            let text = format!("numeric b = erlangB({servers}, {numerator}/{denominator})\n");
            near(number(&text, "b"), loss, 1e-12, &text);
        }
    }
    for wrong in [
        "erlangC(2, 2)",
        "erlangC(3, 5)",
        "erlangB(0.5, 1)",
        "erlangB(2, 0)",
    ] {
        let text = format!("numeric parameter x = 1\nnumeric c = x * {wrong}\n");
        let model = Model::parse(&text).expect("the model is right");
        let found = model.evaluate(&[], standard().expect("rules"), &Options::default());
        let values = found.map_or(0, |found| {
            let own = found.equations.iter().filter(|own| own.name == "c");
            own.count()
        });
        assert_eq!(values, 0, "{wrong}");
    }
}
