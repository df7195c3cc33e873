//! The libraries that the program carries, beside sums over messages and simulated pipelines.

use super::*;

/// The value of an expression that imports a library.
pub(super) fn of(library: &str, expression: &str) -> f64 {
    let text = format!("import \"std/{library}\" as s numeric x = {expression}");
    let found = x(&text, &[]).unwrap_or_else(|error| panic!("{expression}: {error:?}"));
    let Value::Scalar(number) = found else {
        panic!("{expression} is not a number");
    };
    number.to_f64()
}

pub(super) fn near(found: f64, expected: f64, what: &str) {
    let most = 1e-12 * expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= most,
        "{what}: {found}, expected {expected}"
    );
}

/// Steps of recursive doubling.
fn rounds(p: u64) -> u64 {
    (0..64).find(|&k| 1 << k >= p).unwrap_or(64)
}

#[test]
fn collectives_take_their_messages() {
    let (a, b, g) = (3.0, 0.25, 0.125);
    for p in 1..=17u64 {
        let n = 48.0;
        let call = |name: &str, arguments: &str| {
            of("collectives", &format!("s.{name}({p}, 48, {arguments})"))
        };
        let message = |bytes: f64| a + bytes * b;
        let steps = |count: u64, each: f64| (0..count).map(|_| each).sum::<f64>();
        let part = n / p as f64;
        let tree = steps(rounds(p), message(n));
        let reduce = steps(rounds(p), message(n) + n * g);
        let gather = steps(p - 1, message(part));
        let scatter = steps(p - 1, message(part) + part * g);
        let ab = "a = 3, b = 1/4";
        let abg = "a = 3, b = 1/4, g = 1/8";
        near(call("broadcast_tree", ab), tree, "tree");
        near(call("reduce_tree", abg), reduce, "reduce");
        near(call("allgather_ring", ab), gather, "all-gather");
        near(call("reduce_scatter_ring", abg), scatter, "reduce-scatter");
        near(call("allreduce_ring", abg), gather + scatter, "ring");
        near(call("allreduce_tree", abg), tree + reduce, "tree");
        let best = (gather + scatter).min(tree + reduce);
        near(call("best_allreduce", abg), best, "best");
        near(call("alltoall_pairwise", ab), gather, "pairwise");
        if p.is_power_of_two() {
            // Halves: n/2, n/4, ..; and back.
            let halves = (1..=rounds(p)).map(|k| n / f64::from(1u32 << k));
            let halving: f64 = halves.clone().map(|m| message(m) + m * g).sum();
            let doubling: f64 = halves.map(message).sum();
            near(call("reduce_scatter_halving", abg), halving, "halving");
            near(call("allgather_doubling", ab), doubling, "doubling");
            near(
                call("allreduce_halving", abg),
                halving + doubling,
                "Rabenseifner",
            );
            near(call("allreduce_doubling", abg), reduce, "doubling");
            near(
                call("alltoall_bruck", ab),
                steps(rounds(p), message(n / 2.0)),
                "Bruck",
            );
        }
    }
}

/// What a device does next: a forward or a backward pass of a chunk of its layers for a microbatch.
#[derive(Clone, Copy)]
struct Pass {
    forward: bool,
    chunk: usize,
    microbatch: usize,
}

/// When the last pass ends where each device makes its passes in order, as soon as what they need is there.
fn run(orders: &[Vec<Pass>], v: usize, m: usize, f: f64, b: f64) -> f64 {
    let p = orders.len();
    let mut ends = vec![f64::NAN; 2 * p * v * m];
    let place = |pass: Pass, device: usize| {
        let stage = pass.chunk * p + device;
        (usize::from(pass.forward) * p * v + stage) * m + pass.microbatch
    };
    let needs = |pass: Pass, device: usize| {
        let stage = pass.chunk * p + device;
        let at = |forward: bool, stage: usize| {
            (usize::from(forward) * p * v + stage) * m + pass.microbatch
        };
        match (pass.forward, stage) {
            (true, 0) => None,
            (true, _) => Some(at(true, stage - 1)),
            (false, _) if stage + 1 == p * v => Some(at(true, stage)),
            (false, _) => Some(at(false, stage + 1)),
        }
    };
    let (mut next, mut free) = (vec![0; p], vec![0.0f64; p]);
    loop {
        let mut moved = false;
        for device in 0..p {
            while let Some(&pass) = orders[device].get(next[device]) {
                let ready = needs(pass, device).map_or(0.0, |needed| ends[needed]);
                if ready.is_nan() {
                    break;
                }
                free[device] = free[device].max(ready) + if pass.forward { f } else { b };
                ends[place(pass, device)] = free[device];
                next[device] += 1;
                moved = true;
            }
        }
        if !moved {
            assert!(
                (0..p).all(|d| next[d] == orders[d].len()),
                "the schedule has a deadlock"
            );
            return free.into_iter().fold(0.0, f64::max);
        }
    }
}

/// The passes of one device, of which `warm` are forward ones before the first backward one.
fn passes(p: usize, v: usize, m: usize, warm: usize) -> Vec<Pass> {
    let of = |number: usize, forward: bool| {
        // Groups of p microbatches go through the chunks in turn.
        let (group, within) = (number / (p * v), number % (p * v));
        let chunk = within / p;
        Pass {
            forward,
            chunk: if forward { chunk } else { v - 1 - chunk },
            microbatch: group * p + within % p,
        }
    };
    let all = m * v;
    let warm = warm.min(all);
    let mut passes: Vec<Pass> = (0..warm).map(|k| of(k, true)).collect();
    for k in 0..all {
        if warm + k < all {
            passes.push(of(warm + k, true));
        }
        passes.push(of(k, false));
    }
    passes
}

#[test]
fn pipelines_take_what_their_schedules_do() {
    let (f, b) = (1.0, 2.0);
    for p in [1usize, 2, 3, 5, 16] {
        for m in [1usize, 2, 7, 16, 64] {
            let call = |name: &str| of("pipelines", &format!("s.{name}({p}, {m}, f = 1)"));
            // Without groups: one chunk, so that any number of microbatches will do.
            let order = |warm: usize| {
                let forward = |k| Pass {
                    forward: true,
                    chunk: 0,
                    microbatch: k,
                };
                let backward = |k| Pass {
                    forward: false,
                    chunk: 0,
                    microbatch: k,
                };
                let warm = warm.min(m);
                let mut order: Vec<Pass> = (0..warm).map(forward).collect();
                for k in 0..m {
                    if warm + k < m {
                        order.push(forward(warm + k));
                    }
                    order.push(backward(k));
                }
                order
            };
            let gpipe: Vec<Vec<Pass>> = (0..p).map(|_| order(m)).collect();
            near(call("gpipe"), run(&gpipe, 1, m, f, b), "GPipe");
            let alternating: Vec<Vec<Pass>> = (0..p).map(|d| order(p - d - 1)).collect();
            let time = run(&alternating, 1, m, f, b);
            near(call("one_f_one_b"), time, "1F1B");
            let busy = m as f64 * (f + b);
            let share = of("pipelines", &format!("s.bubble_share({p}, {m})"));
            near(share, 1.0 - busy / time, "share of the bubble");
            let bubble = of("pipelines", &format!("s.bubble({p}, {m})"));
            near(bubble, time / busy - 1.0, "bubble");
        }
    }
}

#[test]
fn interleaved_pipelines_take_what_their_schedules_do() {
    for p in [2usize, 4, 8, 16] {
        for m in [p, 2 * p, 4 * p] {
            for v in 1..=4usize {
                // Each chunk takes a share of what the device takes for all of its layers.
                let (f, b) = (1.0 / v as f64, 2.0 / v as f64);
                let warm = |d: usize| 2 * (p - d - 1) + (v - 1) * p;
                let orders: Vec<Vec<Pass>> = (0..p).map(|d| passes(p, v, m, warm(d))).collect();
                let found = of("pipelines", &format!("s.interleaved({p}, {m}, {v}, 1)"));
                near(
                    found,
                    run(&orders, v, m, f, b),
                    &format!("p = {p}, m = {m}, v = {v}"),
                );
            }
        }
    }
}

#[test]
fn intervals_between_checkpoints_are_those_of_the_papers() {
    let whole = |interval: f64| {
        let text = format!("s.run_time(1000, {interval}, 5, 500, 10)");
        of("reliability", &text)
    };
    near(of("reliability", "s.young(5, 1000)"), 100.0, "Young");
    let daly = of("reliability", "s.daly(5, 500)");
    // The least of the whole time, by search.
    let best = (1..20_000).map(|k| f64::from(k) / 100.0);
    let best = best.map(whole_by_hand).fold(f64::INFINITY, f64::min);
    assert!(
        whole(daly) <= best * 1.0001,
        "{daly}: {} {best}",
        whole(daly)
    );
    near(whole(daly), whole_by_hand(daly), "time");
    near(
        of("reliability", "s.goodput(60, 5, 500, 10)"),
        1000.0 / whole(60.0),
        "goodput",
    );
    near(
        of("reliability", "s.daly(5, 2)"),
        2.0,
        "Daly, of frequent failures",
    );
    // At most one of three is down.
    let a: f64 = 0.75;
    near(
        of("reliability", "s.available(2, 1, 3/4)"),
        a.powi(3) + 3.0 * a * a * (1.0 - a),
        "spares",
    );
}

fn whole_by_hand(interval: f64) -> f64 {
    let (work, c, mtbf, r) = (1000.0, 5.0, 500.0, 10.0);
    let each = mtbf * f64::exp(r / mtbf) * (f64::exp((interval + c) / mtbf) - 1.0);
    work / interval * each
}

#[test]
fn services_are_those_of_enumerated_attempts() {
    near(
        of("services", "s.attempts(3, 1/4)"),
        1.0 + 0.25 + 0.0625,
        "attempts",
    );
    near(
        of("services", "s.retried(2, 1/2, 10, 4)"),
        1.5 * 10.0 + 0.5 * 4.0,
        "retried",
    );
    near(of("services", "s.failure(3, 1/2)"), 0.125, "failure");
    near(of("services", "s.cached(3/4, 2, 20)"), 7.0, "cached");
    let mean = |call: &str| of("services", &format!("E(s.{call})"));
    let coin = "empirical(0, 1)";
    near(mean(&format!("fan_out(3, {coin})")), 7.0 / 8.0, "all");
    near(
        mean(&format!("hedged(3, {coin})")),
        1.0 / 8.0,
        "the fastest",
    );
    near(mean(&format!("quorum(2, 3, {coin})")), 0.5, "two of three");
    near(mean("cached_law(3/4, 2, 20)"), 7.0, "a cache");
    near(mean("timed_out(5, empirical(3, 9))"), 4.0, "a limit");
}

/// Shares of the states of a batch, one by one from the balance of neighbours, until nothing is left.
#[test]
fn batches_are_those_of_a_long_chain() {
    // By a program in 12 digits: the share that waits, the wait, and the time.
    for (name, expected) in [
        ("share", 0.0896784629),
        ("wait", 0.0504441354),
        ("time", 3.2245208064),
    ] {
        let found = of(
            "services",
            &format!("s.batch_{name}(64/9, 32, 100, 0.02, 0.0005)"),
        );
        assert!((found - expected).abs() < 1e-9, "{name}: {found}");
    }
    for (rate, most, w, base, each, p) in [
        (2.0, 1, 4.0, 0.0625, 0.0, 0.0),
        (3.0, 4, 8.0, 0.125, 0.0, 0.03125),
        (0.5, 7, 16.0, 0.25, 0.03125, 0.25),
    ] {
        let departures =
            |n: i32| f64::from(n) / (w * (base + each * f64::from(n)) + f64::from(n) * p);
        let (mut share, mut all, mut there, mut waiting, mut late) = (1.0, 0.0, 0.0, 0.0, 0.0);
        for n in 0..100_000 {
            all += share;
            there += share * f64::from(n.min(most));
            waiting += share * f64::from((n - most).max(0));
            late += if n >= most { share } else { 0.0 };
            share *= rate / departures((n + 1).min(most));
        }
        let arguments = format!("{rate}, {most}, {w}, {base}, {each}, {p}");
        let value = |name: &str| of("services", &format!("s.batch_{name}({arguments})"));
        near(value("share"), late / all, "share that waits");
        near(value("wait"), waiting / all / rate, "wait");
        near(value("time"), (waiting + there) / all / rate, "time");
    }
}

/// The fields of a machine of the tests, with units.
const MACHINE: &str = "rate = 3 [MFLOP/s], alpha = 7 [us], bandwidth = 2 [MB/s]";

/// The time of a message of so many bytes there.
fn message(bytes: f64) -> f64 {
    7e-6 + bytes / 2e6
}

#[test]
fn stencils_exchange_what_their_neighbours_need() {
    let n = 24i64;
    for p in [1i64, 2, 3, 4, 6] {
        let side = n / p;
        // The busiest process, cell by cell and face by face.
        let neighbours = |x: i64| i64::from(x > 0) + i64::from(x + 1 < p);
        let most = (0..p).map(neighbours).max().unwrap_or(0) * 3;
        let cells = (0..side * side * side).count() as f64;
        let exchange = (0..most)
            .map(|_| message((side * side * 8) as f64))
            .sum::<f64>();
        let found = of("kernels", &format!("s.stencil({n}, {p}, {MACHINE})"));
        near(found, cells * 8.0 / 3e6 + exchange, "stencil");
    }
}

#[test]
fn transforms_and_elimination_have_their_operations() {
    for n in [2u64, 8, 64] {
        // Butterflies of halves, one by one.
        fn butterflies(n: u64) -> u64 {
            if n == 1 {
                0
            } else {
                2 * butterflies(n / 2) + n / 2
            }
        }
        let work = 10.0 * butterflies(n) as f64;
        near(
            of("kernels", &format!("s.fft_work({n})")),
            work,
            "transform",
        );
        let own = work / 2.0 / 3e6;
        let exchange = message(16.0 * n as f64 / 2.0);
        let found = of("kernels", &format!("s.fft_exchange({n}, 2, {MACHINE})"));
        near(found, own + exchange, "exchange");
        let transpose = message(16.0 * n as f64 / 4.0);
        let found = of("kernels", &format!("s.fft_transpose({n}, 2, {MACHINE})"));
        near(found, own + transpose, "transpose");
        let steps = (1..n).map(|k| (n - k) + 2 * (n - k) * (n - k));
        let elimination = steps.sum::<u64>() as f64;
        near(
            of("kernels", &format!("s.lu_work({n})")),
            elimination,
            "elimination",
        );
    }
    // By the terms of the analysis, for 4 by 2 processes and blocks of 16.
    let (n, b) = (128.0, 16.0);
    let words = n * n * (3.0 * 4.0 + 2.0) / (2.0 * 8.0);
    let messages = n * ((b + 1.0) * 2.0 + 4.0) / b;
    let whole = 2.0 * n * n * n / 3.0 / 8.0 / 3e6 + words * 8.0 / 2e6 + messages * 7e-6;
    near(
        of("kernels", &format!("s.lu(128, 4, 2, 16, {MACHINE})")),
        whole,
        "LU",
    );
}

#[test]
fn sorts_have_their_rounds() {
    let machine = "c = 1 [us], alpha = 7 [us], bandwidth = 2 [MB/s]";
    for levels in 0..5u32 {
        let p = 1u32 << levels;
        let n = 64 * p;
        let rounds = (1..=levels).flat_map(|stage| 1..=stage).count() as f64;
        near(
            of("kernels", &format!("s.bitonic_rounds({p})")),
            rounds,
            "rounds",
        );
        let local = 64.0 * 6.0 * 1e-6;
        let bitonic = local + rounds * (message(512.0) + 128.0 * 1e-6);
        near(
            of("kernels", &format!("s.bitonic_sort({n}, {p}, {machine})")),
            bitonic,
            "bitonic",
        );
        let sent = (1..p).map(|_| message(512.0 / f64::from(p))).sum::<f64>();
        let sample = local + sent + 64.0 * f64::from(levels) * 1e-6;
        near(
            of("kernels", &format!("s.sample_sort({n}, {p}, {machine})")),
            sample,
            "sample",
        );
    }
}

#[test]
fn the_model_of_a_training_iteration_is_near_what_was_measured() {
    let studies = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/training");
    let read = |ending: &str| {
        std::fs::read_to_string(format!("{studies}{ending}")).expect("the study is there")
    };
    let text = read(".pam");
    assert!(text.lines().count() <= 25);
    let rows = read(".csv");
    let mut rows = rows.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let names = rows.next().expect("it has a header");
    let errors: Vec<f64> = rows
        .map(|row| {
            let cells: Vec<String> = row.into_iter().map(as_fraction).collect();
            let bindings: Vec<(&str, &str)> = (names.iter().copied())
                .zip(cells.iter().map(String::as_str))
                .collect();
            let error = with_value(&text, &bindings, |evaluator| evaluator.equation("error"));
            let Ok(Value::Scalar(error)) = error else {
                panic!("{error:?}");
            };
            error.to_f64().abs()
        })
        .collect();
    assert_eq!(errors.len(), 8);
    let mean = errors.iter().sum::<f64>() / 8.0;
    let largest = errors.into_iter().fold(0.0, f64::max);
    assert!(mean < 0.04 && largest < 0.1, "{mean}, {largest}");
}

/// `142/100` of `1.42`.
fn as_fraction(cell: &str) -> String {
    match cell.split_once('.') {
        Some((whole, rest)) => format!("{whole}{rest}/1{}", "0".repeat(rest.len())),
        None => cell.to_owned(),
    }
}
