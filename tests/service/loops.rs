//! Closed loops of several stations: waits beside a schedule, a Markov chain and draws that are written here; times of held pools.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use pamela::compiled::Evaluated;
use pamela::estimate::estimates;
use pamela::simulate::{self, Watch, simulate};
use pamela::{Model, Options};

use super::{evaluated, near, number, number_of, refused, standard};

type Draw<'t> = &'t dyn Fn(&mut u64) -> f64;

/// A station: the number of its servers, and its services.
type Station<'t> = (usize, Draw<'t>);

/// A number from 0 to 1.
fn drawn(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// The mean wait of a visit to each station: clients think, and pass through all stations in turn, each cycle.
fn waits(
    clients: usize,
    cycles: usize,
    think: &dyn Fn(&mut u64) -> f64,
    stations: &[Station],
    state: &mut u64,
) -> Vec<f64> {
    let mut free: Vec<BinaryHeap<Reverse<u64>>> = stations
        .iter()
        .map(|(servers, _)| vec![Reverse(0f64.to_bits()); *servers].into())
        .collect();
    let mut waited = vec![0.0; stations.len()];
    let mut ready = BinaryHeap::new();
    for client in 0..clients {
        ready.push(Reverse((think(state).to_bits(), client, 0, 0)));
    }
    let mut turn = clients;
    while let Some(Reverse((at, _, cycle, place))) = ready.pop() {
        let at = f64::from_bits(at);
        turn += 1;
        if place < stations.len() {
            let Reverse(idle) = free[place].pop().expect("a server");
            let begin = at.max(f64::from_bits(idle));
            waited[place] += begin - at;
            let end = (begin + stations[place].1(state)).to_bits();
            free[place].push(Reverse(end));
            ready.push(Reverse((end, turn, cycle, place + 1)));
        } else if cycle + 1 < cycles {
            let next = (at + think(state)).to_bits();
            ready.push(Reverse((next, turn, cycle + 1, 0)));
        }
    }
    let visits = (clients * cycles) as f64;
    waited.iter().map(|all| all / visits).collect()
}

#[test]
fn fixed_times_wait_as_in_a_schedule() {
    for clients in [1, 2, 5, 9] {
        for cycles in [1, 2, 7] {
            for (think, first, second, servers) in [
                (0.0, 1.0, 1.0, [1, 1]),
                (2.0, 1.0, 3.0, [1, 1]),
                (1.0, 4.0, 0.0, [3, 2]),
                (7.0, 2.0, 3.0, [1, 2]),
            ] {
                let text = format!(
                    "resource a = servers({})\nresource b = servers({})\n\
                     process main = par (p = 1, {clients}) seq (i = 1, {cycles}) {{ delay({think}) ; use(a, {first}) ; use(b, {second}) }}\n\
                     numeric u = wait(main, a)\nnumeric v = 2 * wait(main, b)\n",
                    servers[0], servers[1]
                );
                let stations: [Station; 2] = [(servers[0], &|_| first), (servers[1], &|_| second)];
                let expected = waits(clients, cycles, &|_| think, &stations, &mut 0);
                let found = evaluated(&text);
                let [u, v] = ["u", "v"].map(|name| number_of(&found, name));
                assert!((u - expected[0]).abs() < 1e-9, "{text}{u} {expected:?}");
                assert!(
                    (v - 2.0 * expected[1]).abs() < 1e-9,
                    "{text}{v} {expected:?}"
                );
                let mut own = found
                    .equations
                    .iter()
                    .filter(|own| ["u", "v"].contains(&own.name.as_str()));
                // At a pool, requests of one time may be served in another order.
                assert!(own.all(|own| own.standing.is_exact() == (servers == [1, 1])));
            }
        }
    }
}

/// Three clients at two servers for six rounds take 54 in the order of the text, and 60 in another one.
#[test]
fn a_wait_that_depends_on_the_order_of_requests_is_not_exact() {
    let text = "resource r = servers(2)\nresource s\n\
        process main = par (p = 1, 3) seq (i = 1, 6) use(r, 6)\nnumeric w = wait(main, r)\n\
        process twice = par (p = 1, 3) seq (i = 1, 6) { use(s, 1) ; delay(2) ; use(s, 1) }\nnumeric v = wait(twice, s)\n";
    let found = evaluated(text);
    let mut own = { found.equations.iter() }.filter(|own| ["v", "w"].contains(&own.name.as_str()));
    assert!(own.all(|own| !own.standing.is_exact()));
}

/// The mean waits where all services are exponential, by the balance of a Markov chain: how many of the clients think, and how
/// many are at the first station; the others are at the second one.
fn by_balance(clients: usize, think: f64, services: [f64; 2], servers: [usize; 2]) -> [f64; 2] {
    let mut shares: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for thinking in 0..=clients {
        for first in 0..=clients - thinking {
            shares.insert((thinking, first), 1.0);
        }
    }
    let rates = |(thinking, first): (usize, usize)| {
        let second = clients - thinking - first;
        [
            thinking as f64 / think,
            first.min(servers[0]) as f64 / services[0],
            second.min(servers[1]) as f64 / services[1],
        ]
    };
    let most =
        clients as f64 / think + servers[0] as f64 / services[0] + servers[1] as f64 / services[1];
    for _ in 0..20_000 {
        let mut next: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (&(thinking, first), share) in &shares {
            let rates = rates((thinking, first));
            let mut left = 1.0;
            let mut go = |rate: f64, to: (usize, usize)| {
                *next.entry(to).or_default() += share * rate / most;
                left -= rate / most;
            };
            if rates[0] > 0.0 {
                go(rates[0], (thinking - 1, first + 1));
            }
            if rates[1] > 0.0 {
                go(rates[1], (thinking, first - 1));
            }
            if rates[2] > 0.0 {
                go(rates[2], (thinking + 1, first));
            }
            *next.entry((thinking, first)).or_default() += share * left;
        }
        let whole: f64 = next.values().sum();
        shares = next
            .into_iter()
            .map(|(at, share)| (at, share / whole))
            .collect();
    }
    let mean = |f: &dyn Fn(usize, usize) -> f64| -> f64 {
        shares.iter().map(|(&(t, a), share)| share * f(t, a)).sum()
    };
    let throughput = mean(&|t, _| t as f64) / think;
    [
        mean(&|_, a| a.saturating_sub(servers[0]) as f64) / throughput,
        mean(&|t, a| (clients - t - a).saturating_sub(servers[1]) as f64) / throughput,
    ]
}

#[test]
fn exponential_services_wait_as_in_equilibrium() {
    for (clients, think, services, servers) in [
        (1, 2.0, [1.0, 1.0], [1, 1]),
        (4, 3.0, [1.0, 1.0], [1, 1]),
        (5, 1.0, [1.0, 3.0], [1, 2]),
        (6, 10.0, [2.0, 0.5], [2, 1]),
    ] {
        let text = format!(
            "resource a = servers({})\nresource b = servers({})\n\
             process visit = {{ use(a, exponential({})) ; use(b, exponential({})) }}\n\
             process main = par (p = 1, {clients}) seq (i = 1, 500) {{ delay({think}) ; visit }}\n\
             numeric u = wait(main, a)\nnumeric v = wait(main, b)\n",
            servers[0], servers[1], services[0], services[1]
        );
        let found = evaluated(&text);
        let expected = by_balance(clients, think, services, servers);
        for (name, expected) in ["u", "v"].into_iter().zip(expected) {
            let found = number_of(&found, name);
            assert!(
                (found - expected).abs() < 1e-6 * expected.max(1.0),
                "{text}{name}: {found} {expected}"
            );
        }
    }
}

/// Laws of thinking and of both services, clients, cycles, and how these are drawn.
type Case<'t> = ([&'t str; 3], usize, usize, Draw<'t>, Vec<Station<'t>>);

/// Few cycles, and laws that are not exponential, beside many draws.
#[test]
fn other_loops_wait_as_they_do_on_average() {
    let exponential = |mean: f64| move |state: &mut u64| -mean * drawn(state).ln();
    let uniform = |state: &mut u64| 2.0 * drawn(state);
    let slow = exponential(2.0);
    let unit = exponential(1.0);
    let cases: [Case; 4] = [
        (
            ["exponential(2)", "uniform(0, 2)", "exponential(1)"],
            6,
            4,
            &slow,
            vec![(1, &uniform), (2, &unit)],
        ),
        (
            ["0", "exponential(1)", "uniform(0, 2)"],
            8,
            1,
            &|_| 0.0,
            vec![(1, &unit), (2, &uniform)],
        ),
        (
            ["3", "exponential(2)", "exponential(1)"],
            5,
            3,
            &|_| 3.0,
            vec![(1, &slow), (2, &unit)],
        ),
        (
            ["exponential(1)", "exponential(2)", "0"],
            9,
            2,
            &unit,
            vec![(1, &slow), (2, &|_| 0.0)],
        ),
    ];
    for ([think, first, second], clients, cycles, drawn_think, stations) in cases {
        let text = format!(
            "resource a\nresource b = servers(2)\n\
             process main = par (p = 1, {clients}) seq (i = 1, {cycles}) {{ delay({think}) ; use(a, {first}) ; use(b, {second}) }}\n\
             numeric u = wait(main, a)\nnumeric v = wait(main, b)\n"
        );
        let runs = 20_000;
        let mut state = 1;
        let mut expected = [0.0; 2];
        for _ in 0..runs {
            let own = waits(clients, cycles, drawn_think, &stations, &mut state);
            expected = [0, 1].map(|k| expected[k] + own[k] / f64::from(runs));
        }
        let found = evaluated(&text);
        assert!(
            !found
                .equations
                .iter()
                .any(|own| own.name == "u" && own.standing.is_exact())
        );
        for (name, expected) in ["u", "v"].into_iter().zip(expected) {
            let found = number_of(&found, name);
            assert!(
                (found - expected).abs() < 0.04 * expected.max(0.5),
                "{text}{name}: {found} {expected}"
            );
        }
    }
}

/// Who comes back at once waits for all others, whatever the law of the services; who comes once waits for half of them.
#[test]
fn clients_that_come_together_have_exact_mean_waits() {
    for (clients, cycles) in [(1, 1), (2, 1), (5, 3), (16, 1)] {
        for (law, mean) in [
            ("exponential(3)", 3.0),
            ("uniform(0, 2)", 1.0),
            ("2", 2.0),
            ("bernoulli(0)", 0.0),
        ] {
            let text = format!(
                "resource a\nprocess main = par (p = 1, {clients}) seq (i = 1, {cycles}) use(a, {law})\n\
                 numeric w = wait(main, a)\n"
            );
            let others = f64::from(clients - 1) * mean;
            // No wait is the mean of none.
            let none = text.replace(&format!("p = 1, {clients}"), "p = 1, 0");
            let rules = standard().expect("rules");
            let none = Model::parse(&none)
                .and_then(|model| model.evaluate(&[], rules, &Options::default()));
            let has_wait = |found: &Evaluated| found.equations.iter().any(|own| own.name == "w");
            assert!(!none.is_ok_and(|found| has_wait(&found)), "{text}");
            let expected = others * (1.0 - 0.5 / f64::from(cycles));
            assert!((number(&text, "w") - expected).abs() < 1e-12, "{text}");
        }
    }
    let text = "resource a\nprocess main = par (p = 1, 5) { delay(3) ; use(a, exponential(2)) }\nnumeric w = wait(main, a)\n";
    near(number(text, "w"), 4.0, 1e-12, "once");
}

#[test]
fn a_wait_that_is_not_there_is_refused() {
    for (text, said) in [
        (
            "resource a\nresource b\nprocess main = par (p = 1, 3) use(a, 1)\nnumeric w = wait(main, b)\n",
            "does not visit this resource",
        ),
        (
            "resource a\nprocess main(n) = par (p = 1, n) use(a, 1)\nnumeric w = wait(main, a)\n",
            "with arguments",
        ),
    ] {
        assert!(refused(text).contains(said), "{text}");
    }
    let text = "resource a\nresource b\nresource c\n\
        process main = par (p = 1, 3) { use(a, 1) ; use(b, exponential(1)) }\nnumeric w = wait(main, c)\n";
    let model = Model::parse(text).expect("the model is right");
    let rules = standard().expect("rules");
    let found = model.evaluate(&[], rules, &Options::default());
    let found = found.expect("others have values");
    assert!(found.without_value.contains(&"w".to_owned()));
    let error = found.failures[0].to_string();
    assert!(error.contains("does not visit this resource"), "{error}");
}

/// Pools that clients hold around a station and a time: the pool, or the station, or neither is busy.
#[test]
fn sections_that_hold_a_pool_are_estimated_within_a_few_per_cent() {
    let rules = standard().expect("the rules are rules");
    let mut misses = Vec::new();
    for (clients, pool, cycles, think, inside) in [
        (10, 3, 5, 0.0, 2.0),
        (10, 3, 5, 4.0, 2.0),
        (8, 1, 3, 0.0, 1.0),
        (6, 6, 10, 1.0, 0.5),
        (5, 8, 4, 2.0, 1.0),
        (16, 4, 2, 0.0, 0.5),
        (12, 2, 6, 20.0, 3.0),
        (7, 3, 1, 1.0, 5.0),
        (1, 2, 8, 1.0, 1.0),
    ] {
        for service in ["exponential(1)", "uniform(0, 2)"] {
            let text = format!(
                "resource pool = servers({pool})\nresource disk\n\
                 process main = par (p = 1, {clients}) seq (i = 1, {cycles}) {{ delay({think}) ; use(pool) {{ use(disk, {service}) ; delay(exponential({inside})) }} }}\n"
            );
            let model = Model::parse(&text).expect("the model is right");
            let options = Options {
                bounds: true,
                times: true,
                without_moments: true,
                ..Options::default()
            };
            let evaluated = model
                .evaluate(&[], rules.clone(), &options)
                .expect("values");
            let found = &estimates(&model, &evaluated)[0];
            let simulation = simulate::Options {
                replications: simulate::Replications::Exactly(1_000),
                ..simulate::Options::default()
            };
            let report =
                simulate(model.checked(), &simulation, &Watch::default()).expect("it runs");
            misses.push((found.time / report.processes[0].mean - 1.0, text));
        }
    }
    let mean = misses.iter().map(|(miss, _)| miss.abs()).sum::<f64>() / misses.len() as f64;
    println!("mean error {mean:.4}");
    assert!(mean < 0.03, "{mean}: {misses:#?}");
    assert!(
        misses.iter().all(|(miss, _)| miss.abs() < 0.12),
        "{misses:#?}"
    );
}
