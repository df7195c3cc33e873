//! Open processes and waits, beside other paths: series of queueing theory, recursions, and simulation.

mod formulas;
mod loops;
mod pools;
mod questions;

use pamela::compiled::{Evaluated, Point};
use pamela::eval::Value;
use pamela::ring::Rational;
use pamela::rules::standard;
use pamela::simulate::{self, Replications, Watch, simulate};
use pamela::{Model, Options};

/// The values of a model.
fn evaluated(text: &str) -> Evaluated {
    let model = Model::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let options = Options {
        times: true,
        without_moments: true,
        ..Options::default()
    };
    let compiled = model.compile(&options);
    let compiled = compiled.unwrap_or_else(|error| panic!("{text}\n{error}"));
    let found = compiled.at(Point::default());
    found.unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// A number of a model.
fn number(text: &str, name: &str) -> f64 {
    number_of(&evaluated(text), name)
}

fn number_of(found: &Evaluated, name: &str) -> f64 {
    let own = found.equations.iter().find(|own| own.name == name);
    let own = own.unwrap_or_else(|| panic!("no {name}: {:?}", found.failures));
    match &own.value {
        Value::Scalar(value) => value.to_f64(),
        Value::Law(law) => law.cumulants().mean,
        Value::Vector(_) => panic!("{name} is a vector"),
    }
}

fn refused(text: &str) -> String {
    match Model::parse(text) {
        Err(error) => error.to_string(),
        Ok(model) => match model.compile(&Options::default()) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{text}\nis not refused"),
        },
    }
}

fn near(found: f64, expected: f64, relative: f64, what: &str) {
    let miss = (found / expected - 1.0).abs();
    assert!(
        miss <= relative,
        "{what}: {found}, not {expected}: {miss:e}"
    );
}

/// The probability that a sum of independent exponential times with these different means is above `t`.
fn above(means: &[f64], t: f64) -> f64 {
    let part = |i: usize| {
        let others = (0..means.len()).filter(|j| *j != i);
        let weights = others.map(|j| means[i] / (means[i] - means[j]));
        weights.product::<f64>() * (-t / means[i]).exp()
    };
    (0..means.len()).map(part).sum()
}

/// Erlang's delay formula by its recursion.
fn waits(servers: u32, load: f64) -> f64 {
    let mut loss = 1.0;
    for k in 1..=servers {
        loss = load * loss / (f64::from(k) + load * loss);
    }
    loss / (1.0 - load / f64::from(servers) * (1.0 - loss))
}

/// The point at which a decreasing function falls to `level`.
fn falls_to(level: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1e4);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if function(middle) > level {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// A share of requests, and the means of their exponential stages.
type Weighted = (f64, Vec<f64>);

/// M/D/1 with services of 1: quantiles of the wait by the exact series of Erlang, in 60 digits (mpmath).
#[test]
fn waits_for_fixed_services_are_those_of_the_exact_series() {
    for (load, q90, q99) in [
        ("0.5", 1.515_744_841_381_844, 3.336_255_957_002_204),
        ("0.8", 5.011_511_498_446_045, 10.355_886_791_994_95),
        ("0.9", 10.782_504_956_026_89, 21.898_237_349_540_11),
    ] {
        let text = format!(
            "resource desk\nprocess site = open ({load}) use(desk, 1)\n\
             numeric q90 = quantile(wait(site, desk), 0.9)\nnumeric q99 = quantile(wait(site, desk), 0.99)\n\
             numeric mean = E(wait(site, desk))\nnumeric whole = quantile(T(site), 0.99)\n"
        );
        near(number(&text, "q90"), q90, 5e-5, load);
        near(number(&text, "q99"), q99, 1e-5, load);
        near(number(&text, "whole"), 1.0 + q99, 1e-5, load);
        let rho: f64 = load.parse().expect("a number");
        near(
            number(&text, "mean"),
            rho / (2.0 * (1.0 - rho)),
            1e-12,
            load,
        );
    }
}

/// M/M/4 by Erlang's formula, and sums of exponential times by partial fractions.
#[test]
fn exponential_services_have_closed_quantiles() {
    let text = "resource desk = servers(4)\nprocess site = open (3.2) use(desk, exponential(1))\n\
                numeric mean = E(T(site))\nnumeric q99 = quantile(T(site), 0.99)\n\
                numeric w99 = quantile(wait(site, desk), 0.99)\nnumeric late = prob(T(site) <= 5)\n";
    near(number(text, "mean"), 1.745_540_589_734_256, 1e-12, "mean");
    near(number(text, "w99"), 5.110_476_168_422_508, 1e-12, "wait");
    near(number(text, "q99"), 6.893_203_748_883_001, 1e-5, "time");
    near(number(text, "late"), 0.958_735_496_044_233_6, 1e-5, "share");
    let text = "numeric parameter s : > 0\nresource desk\nprocess site = open (0.8) use(desk, exponential(1))\n\
                numeric q99 = quantile(T(site), 0.99)\n";
    near(
        number(
            text.trim_start_matches("numeric parameter s : > 0\n"),
            "q99",
        ),
        5.0 * 100f64.ln(),
        1e-12,
        "M/M/1",
    );
}

/// The gateway: M/M/4, then M/M/2 for a fifth of the requests.
#[test]
fn the_gateway_has_its_exact_quantiles() {
    for load in [0.5, 0.9] {
        let text = format!(
            "resource gateway = servers(4)\nresource db = servers(2)\n\
             process request = {{ use(gateway, exponential(1)) ; if (bernoulli(0.2)) use(db, exponential(2.5)) }}\n\
             process site = open ({}) request\n\
             numeric q90 = quantile(T(site), 0.9)\nnumeric q99 = quantile(T(site), 0.99)\n",
            4.0 * load
        );
        let (first, second) = (waits(4, 4.0 * load), waits(2, 2.0 * load));
        let (rest, later) = (1.0 / (4.0 - 4.0 * load), 2.5 / (2.0 - 2.0 * load));
        let slow = |t: f64| {
            let beginnings = [(1.0 - first, vec![1.0]), (first, vec![1.0, rest])];
            let ends = [
                (0.8, vec![]),
                (0.2 * (1.0 - second), vec![2.5]),
                // Apart from equal means, for partial fractions.
                (0.2 * second, vec![2.5, later * (1.0 + 1e-6)]),
            ];
            let pairs = beginnings
                .iter()
                .flat_map(|a| ends.iter().map(move |b| (a, b)));
            let share = |((p, a), (q, b)): (&Weighted, &Weighted)| {
                let all: Vec<f64> = a.iter().chain(b).copied().collect();
                let apart = all
                    .iter()
                    .enumerate()
                    .map(|(k, mean)| mean * (1.0 + 1e-7 * k as f64));
                p * q * above(&apart.collect::<Vec<f64>>(), t)
            };
            pairs.map(share).sum::<f64>()
        };
        near(number(&text, "q90"), falls_to(0.1, slow), 1e-4, "p90");
        near(number(&text, "q99"), falls_to(0.01, slow), 1e-4, "p99");
    }
}

/// `E(residual(X)) = E(X^2)/(2 E(X))`, by hand.
#[test]
fn residuals_have_their_means() {
    for (law, mean) in [
        ("3", 1.5),
        ("exponential(2)", 2.0),
        ("uniform(0, 6)", 2.0),
        // E(X^2) = (1 + 2 + 4)/3.
        ("uniform(1, 2)", 7.0 / 9.0),
        // E(X^2) = 4 + 1, of mean 2 and variance 1.
        ("erlang(4, 2)", 1.25),
        ("mixture(0.5, 1, 0.5, exponential(3))", 19.0 / 8.0),
        ("2 * exponential(2)", 4.0),
        ("1 + exponential(2)", 13.0 / 6.0),
        // The variance is a fortieth of the square of the mean.
        ("erlang(40, 2)", 1.025),
        // E(X) = 3, E(X^2) = 9 + 4.5.
        ("gamma(2, 1.5)", 2.25),
        // E(X^2)/E(X) = exp(1 + 3/2 * 4).
        ("lognormal(1, 2)", 7f64.exp() / 2.0),
        // E(X) = 1.5, E(X^2) = 3.
        ("pareto(3, 1)", 1.0),
    ] {
        let text = format!("numeric m = E(residual({law}))\n");
        near(number(&text, "m"), mean, 1e-12, law);
    }
}

/// The wait at one server by Pollaczek and Khinchine, from the moments of a service.
#[test]
fn waits_have_the_moments_of_pollaczek_and_khinchine() {
    let lognormal = |r: f64| (r * r * 0.25 / 2.0).exp();
    for (service, load, [m1, m2, m3]) in [
        ("lognormal(0, 0.5)", 0.5, [1.0, 2.0, 3.0].map(lognormal)),
        ("gamma(0.5, 2)", 0.1, [1.0, 3.0, 15.0]),
        (
            "erlang(40, 1)",
            0.9,
            [1.0, 41.0 / 40.0, 41.0 * 42.0 / 1600.0],
        ),
        ("uniform(0, 2)", 0.5, [1.0, 4.0 / 3.0, 2.0]),
    ] {
        let rate = load / m1;
        let text = format!(
            "resource server\n\
             process request = use(server, {service})\n\
             process site = open ({rate}) request\n\
             numeric w = E(wait(site, server))\n\
             numeric v = Var(wait(site, server))\n"
        );
        let mean = rate * m2 / (2.0 * (1.0 - load));
        let variance = rate * m3 / (3.0 * (1.0 - load)) + mean * mean;
        near(number(&text, "w"), mean, 1e-9, service);
        near(number(&text, "v"), variance, 1e-9, service);
    }
}

/// Waits of clients at one server: fixed times as they run, exponential ones by the recursion of mean value analysis.
#[test]
fn waits_in_closed_loops_are_those_of_runs_and_recursions() {
    let mut loops = 0;
    for clients in [1, 2, 3, 7, 16] {
        for (think, serve, cycles) in [(0.0, 1.0, 1), (2.0, 1.0, 4), (5.0, 1.0, 3), (6.0, 2.0, 5)] {
            let text = format!(
                "resource server\n\
                 process main = par (p = 1, {clients}) seq (i = 1, {cycles}) {{ delay({think}) ; use(server, {serve}) }}\n\
                 numeric w = wait(main, server)\n"
            );
            let model = Model::parse(&text).expect("the model is right");
            let report = simulate(
                model.checked(),
                &simulate::Options::default(),
                &Watch::default(),
            );
            let waited = report.expect("runs").resources[0].wait_mean;
            let found = number(&text, "w");
            assert!((found - waited).abs() < 1e-9, "{text}: {found} {waited}");
            loops += 1;
        }
        for (think, serve) in [(0.0, 1.0), (2.0, 1.0), (5.0, 0.5), (20.0, 1.0)] {
            let text = format!(
                "resource server\n\
                 process main = par (p = 1, {clients}) seq (i = 1, 1000) {{ delay({think}) ; use(server, exponential({serve})) }}\n\
                 numeric w = wait(main, server)\n"
            );
            let mut queue = 0.0;
            let mut response = 0.0;
            for k in 1..=clients {
                response = serve * (1.0 + queue);
                queue = f64::from(k) / (think + response) * response;
            }
            let found = number(&text, "w");
            // Without thinking, who comes first in the first cycle waits for fewer.
            let first = if think == 0.0 {
                1.0 - 0.5 / 1000.0
            } else {
                1.0
            };
            assert!(
                (found - (response - serve) * first).abs() < 1e-9,
                "{text}: {found} {response}"
            );
            loops += 1;
        }
    }
    assert_eq!(loops, 40);
}

/// The error names the condition.
#[test]
fn a_full_server_has_no_stationary_time() {
    for service in ["exponential(2)", "2", "uniform(0, 4)"] {
        let text = format!(
            "numeric parameter rate : > 0\nresource desk\nprocess site = open (rate) use(desk, {service})\n"
        );
        let model = Model::parse(&text).expect("the model is right");
        let options = Options {
            times: true,
            ..Options::default()
        };
        let compiled = model.compile(&options).expect("it has a closed form");
        for (rate, has_time) in [((1, 4), true), ((1, 2), false), ((2, 1), false)] {
            let rate = Rational::new(rate.0, rate.1).expect("a fraction");
            let point = Point::default().with("rate", rate.clone());
            let found = compiled.at(point).map_err(|error| error.to_string());
            let is_told = |error: &String| {
                error.contains("it is defined where 2 * rate < 1")
                    || error.contains("requests come as fast as a resource serves them")
            };
            assert_eq!(found.is_ok(), has_time, "{service} {rate}");
            if let Err(error) = found {
                assert!(is_told(&error), "{service} {rate}: {error}");
            }
        }
    }
}

#[test]
fn what_has_no_stationary_law_is_refused() {
    for (text, said) in [
        (
            "resource a\nprocess site = open (1) use(a, 1)\n",
            "requests come as fast as a resource serves them",
        ),
        (
            "resource a\nprocess site = open (3) use(a, exponential(1))\n",
            "requests come as fast as a resource serves them",
        ),
        (
            "resource a = servers(2)\nprocess site = open (3) use(a, 1)\nnumeric w = E(wait(site, a))\n",
            "requests come as fast as a resource serves them",
        ),
        (
            "resource a\nprocess r = { use(a, 1) ; use(a, 1) }\nprocess site = open (0.1) r\nnumeric q = quantile(T(site), 0.9)\n",
            "visits a resource more than once",
        ),
        (
            "resource a\nprocess site = open (0.1) { use(a, 1) <> delay(2) }\n",
            "`<>` or `any` of an open process",
        ),
        (
            "resource a\nprocess site = open (0.1) { use(a, 1) || use(a, 1) }\n",
            "parallel visits",
        ),
        (
            "resource a\nprocess site = open (0.1) use(a, 1)\nprocess main = site ; delay(1)\n",
            "in another process",
        ),
        (
            "resource a\nresource b\nprocess site = open (0.1) use(a, 1)\nnumeric w = wait(site, b)\n",
            "does not visit this resource",
        ),
        (
            "resource a\nprocess site = open (0.1) if (0.5) use(a, 1)\n",
            "write `bernoulli(p)`",
        ),
        (
            "resource a\nprocess site(n) = open (0.1) use(a, n)\n",
            "has arguments",
        ),
        (
            "resource a\nprocess site = open (0.1) use(a, 1)\nnumeric u = U(site)\n",
            "a bound of the time of an open process",
        ),
    ] {
        let error = refused(text);
        assert!(error.contains(said), "{text}\n{error}");
    }
}

/// The time of a request and its percentiles, by a simulation of an open process.
fn requests(text: &str, requests: u64) -> [f64; 3] {
    let model = Model::parse(text).expect("the model is right");
    let options = simulate::Options {
        requests,
        replications: Replications::Exactly(10),
        ..simulate::Options::default()
    };
    let report = simulate(model.checked(), &options, &Watch::default()).expect("runs");
    let request = &report.processes[0];
    assert_eq!(request.name, "site");
    [
        request.mean,
        report.quantiles[1].value,
        report.quantiles[2].value,
    ]
}

/// Checks mean, p90 and p99 of the time of `site`, each to its relative error.
fn check_times(text: &str, expected: [f64; 3], errors: [f64; 3]) {
    let whole = format!(
        "{text}numeric mean = E(T(site))\nnumeric q90 = quantile(T(site), 0.9)\nnumeric q99 = quantile(T(site), 0.99)\n"
    );
    let found = evaluated(&whole);
    for ((name, expected), error) in ["mean", "q90", "q99"].iter().zip(expected).zip(errors) {
        near(
            number_of(&found, name),
            expected,
            error,
            &format!("{text}{name}"),
        );
    }
}

/// One station beside its simulation.
#[test]
fn stationary_times_are_those_of_simulated_requests() {
    for (servers, service, load) in [(1, "uniform(0, 2)", 0.5), (3, "exponential(1)", 0.6)] {
        let text = format!(
            "resource desk = servers({servers})\nprocess site = open ({}) use(desk, {service})\n",
            load * f64::from(servers)
        );
        check_times(&text, requests(&text, 40_000), [0.04, 0.04, 0.08]);
    }
}

/// Several stations. Times of exponential services in a row add up to an Erlang law. The others are of 1e8 requests and more in a
/// program of its own, written for each of them, which is right within 0.3 % of the mean and p90, and within 0.5 % of p99.
#[test]
fn stationary_times_at_several_stations_are_near_those_of_long_runs() {
    for (load, fork, row) in [
        (0.5, [1.80606, 3.3637, 5.7154], [3.52385, 5.4346, 8.0620]),
        (0.8, [3.49743, 6.2804, 9.9820], [5.57954, 9.4800, 15.1914]),
        (
            0.9,
            [6.44568, 11.6175, 18.7102],
            [8.36722, 15.2734, 26.4428],
        ),
    ] {
        let text = format!(
            "resource a = servers(4)\nresource b\nresource c\n\
             process site = open ({}) {{ use(a, exponential(1)) ; {{ use(b, exponential(0.25)) || use(c, exponential(0.25)) }} }}\n",
            4.0 * load
        );
        check_times(&text, fork, [0.045, 0.025, 0.015]);
        let text = |first: &str, later: &str| {
            format!(
                "resource a\nresource b\nresource c\n\
                 process site = open ({load}) {{ use(a, {first}) ; use(b, {later}) ; use(c, {later}) }}\n"
            )
        };
        // Quantiles of an Erlang law of three stages with mean 1 each: 1 - (1 + x + x^2/2) exp(-x) is 0.9, 0.99.
        let sum = [3.0, 5.322_320_337_834, 8.405_946_914_885].map(|x| x / (1.0 - load));
        check_times(
            &text("exponential(1)", "exponential(1)"),
            sum,
            [1e-9, 1e-4, 1e-4],
        );
        check_times(&text("1", "erlang(2, 0.8)"), row, [0.06, 0.04, 0.05]);
    }
}

/// Without visits to resources, there is no wait; at an empty rate neither.
#[test]
fn processes_without_waits_take_their_path() {
    let text = "process site = open (2) delay(exponential(3))\nnumeric m = E(T(site))\nnumeric u = omega(site)\n";
    near(number(text, "m"), 3.0, 1e-12, "mean");
    assert_eq!(number(text, "u"), 0.0);
    let text = "resource a\nprocess site = open (0) use(a, 2)\nnumeric m = E(T(site))\n";
    near(number(text, "m"), 2.0, 1e-12, "mean");
}

/// A group of elements of an array, each of which serves its part of a request.
#[test]
fn elements_of_arrays_have_their_own_waits() {
    let text = "resource disk(i)\n\
                process site = open (0.5) par (i = 1, 3) use(disk(i), exponential(i / 3))\n\
                numeric w = E(wait(site, disk(3)))\nnumeric v = E(wait(site, disk(1)))\nnumeric u = omega(site)\n";
    // M/M/1: rho/(1 - rho) services.
    near(number(text, "w"), 1.0, 1e-12, "last disk");
    near(number(text, "v"), 1.0 / 15.0, 1e-12, "first disk");
    near(number(text, "u"), 0.5, 1e-12, "utilisation");
}

/// Two classes at one server: Pollaczek and Khinchine's mean, by hand.
#[test]
fn classes_share_a_server() {
    let text = "resource desk\n\
                process site = open (0.5) switch { bernoulli(0.75): use(desk, 1), 1: use(desk, exponential(2)) }\n\
                numeric w = E(wait(site, desk))\nnumeric t = E(T(site))\nnumeric u = omega(site)\n";
    // E(S) = 1.25, E(S^2) = 0.75 + 0.25 * 8 = 2.75; W = 0.5 * 2.75 / (2 * (1 - 0.625)).
    near(number(text, "u"), 0.625, 1e-12, "utilisation");
    near(number(text, "w"), 1.375 / 0.75, 1e-12, "wait");
    near(number(text, "t"), 1.25 + 1.375 / 0.75, 1e-12, "time");
}
