//! The machine repair model: P clients, each N times a time `tl` by itself and a service `ts`.

use super::{exact, is_within, replicated, run};
use crate::simulate::{Options, Report};

fn text(servers: u32, clients: u32, iterations: u32, tl: &str, ts: &str) -> String {
    format!(
        "resource s = fcfs(0, {servers})
         process main = par (p = 1, {clients}) seq (i = 1, {iterations}) {{ delay({tl}) ; use(s, {ts}) }}"
    )
}

/// Exact, by `max(N (tl + ts) + (P - 1) ts, N P ts + tl)`.
#[test]
fn with_constant_times_it_takes_what_the_formula_says() {
    for clients in (1..=40).chain([57, 101, 200]) {
        for iterations in [1, 2, 5, 17] {
            for (tl, ts) in [(3, 1), (10, 2), (7, 0), (0, 5)] {
                let (p, n) = (u64::from(clients), u64::from(iterations));
                let expected = (n * (tl + ts) + (p - 1) * ts).max(n * p * ts + tl);
                let text = text(
                    1,
                    clients,
                    iterations,
                    &format!("{tl}/10"),
                    &format!("{ts}/10"),
                );
                let found = exact(&text);
                let expected = num_rational::Ratio::new(expected, 10).to_string();
                assert_eq!(found, expected, "{text}");
            }
        }
    }
}

#[test]
fn several_servers_take_what_was_counted_by_hand() {
    for (servers, clients, time) in [(2, 7, "43"), (3, 40, "137"), (4, 5, "41")] {
        assert_eq!(exact(&text(servers, clients, 10, "3", "1")), time);
    }
}

/// Means of `T / N` for N = 100, think 10 and service 0.1, all exponential, from runs of another simulator, with their
/// standard errors.
#[test]
fn with_exponential_times_it_takes_what_others_measured() {
    for (clients, mean, error) in [(10, 11.681, 0.031_f64), (100, 13.322, 0.025)] {
        let text = text(1, clients, 100, "exponential(10)", "exponential(0.1)");
        let report = run(&text, &replicated(100));
        let main = &report.processes[0];
        let ours = main.deviation.expect("of 100") / 10.0 / 100.0;
        let together = (ours * ours + error * error).sqrt();
        assert!(
            (main.mean / 100.0 - mean).abs() <= 3.0 * together,
            "{clients}: {main:?}"
        );
    }
}

/// With one server and times that are all drawn, the busy time is that of the visits, the clients are busy, wait or
/// think: what one takes together is the time.
#[test]
fn operational_laws_hold() {
    let report = run(
        &text(2, 12, 200, "exponential(4)", "exponential(1)"),
        &replicated(20),
    );
    let (main, resource) = (&report.processes[0], &report.resources[0]);
    assert_eq!(resource.visits, 2400.0);
    // Utilisation law: X S / m, the mean service within 3 standard errors.
    let busy = resource.utilisation * 2.0 * main.mean / resource.visits;
    assert!(
        (busy - 1.0).abs() < 3.0 / (2400.0 * 20.0_f64).sqrt() + 0.01,
        "{busy}"
    );
    // Little's law, of the queue alone.
    let queue = resource.wait_mean * resource.visits / main.mean;
    assert!(
        (queue / resource.queue_mean - 1.0).abs() < 0.01,
        "{report:?}"
    );
}

/// M/M/3//20, think 10 and service 1: throughput 1.787376838, by mean value analysis.
#[test]
fn cycles_are_those_of_mean_value_analysis() {
    let options = Options {
        cycles: true,
        ..replicated(30)
    };
    let report = run(
        &text(3, 20, 500, "exponential(10)", "exponential(1)"),
        &options,
    );
    let cycle = &report.cycles[0];
    let error = cycle.deviation.expect("of 30") / 30.0_f64.sqrt();
    let expected = 20.0 / 1.787_376_838;
    assert!(
        (cycle.mean - expected).abs() < 3.0 * error,
        "{cycle:?} but {expected}"
    );
}

fn bytes(threads: usize, options: &Options) -> String {
    let options = Options {
        threads: Some(threads),
        cycles: true,
        ..options.clone()
    };
    let text = text(2, 9, 20, "exponential(3)", "gamma(2, 1/4)");
    let report: Report = run(&text, &options);
    serde_json::to_string(&report).expect("a report is JSON")
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let options = replicated(40);
    let one = bytes(1, &options);
    for threads in [2, 16] {
        assert_eq!(bytes(threads, &options), one);
    }
    let other = Options { seed: 2, ..options };
    assert_ne!(bytes(1, &other), one);
}

/// With one client more, the others draw the same.
#[test]
fn random_numbers_are_common_to_all_sizes() {
    let alone = |clients| {
        let text =
            format!("process main = par (p = 1, {clients}) seq (i = 1, 3) delay(exponential(p))");
        run(&text, &replicated(1)).processes[0].mean
    };
    let times: Vec<f64> = (1..=20).map(alone).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert!(times[0] < times[19]);
}

#[test]
fn replications_are_made_until_the_error_is_small() {
    let options = Options {
        replications: crate::simulate::Replications::UntilRelativeError(0.02),
        ..Options::default()
    };
    let report = run("process main = delay(exponential(5))", &options);
    let main = &report.processes[0];
    let [lower, upper] = main.interval.expect("of many");
    assert!((upper - lower) / 2.0 <= 0.02 * main.mean);
    assert!(main.replications > 5000, "{main:?}");
    assert!(is_within(4.0, 5.0, &report));
}
