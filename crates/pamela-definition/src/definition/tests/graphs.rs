//! Graphs of tasks, by their recurrence.

use super::{Timing, check, rational, timing, value, with_value};
use crate::model::Number;

const CHOLESKY: &str = "
    numeric parameter k
    process main = graph {
        p(j = 0, k-1): delay(2) after s(j-1, j) ;
        t(j = 0, k-1; i = j+1, k-1): delay(3) after p(j), g(j-1, i, j) ;
        s(j = 0, k-1; i = j+1, k-1): delay(5) after t(j, i), s(j-1, i) ;
        g(j = 0, k-1; i = j+1, k-1; l = j+1, i-1): delay(7) after t(j, i), t(j, l), g(j-1, i, l)
    }";

fn time(text: &str, bindings: &[(&str, &str)]) -> Timing {
    timing(text, bindings).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn number(text: &str) -> Number {
    rational(text).into()
}

fn error(text: &str, bindings: &[(&str, &str)]) -> String {
    match timing(text, bindings) {
        Ok(timing) => panic!("{timing:?}"),
        Err(error) => error.message,
    }
}

#[test]
fn a_factorisation_takes_its_longest_path() {
    // 2p + t + s + (k - 2) max(p + t + s, t + g), with p, t, s, g = 2, 3, 5, 7.
    for (k, expected) in [
        ("0", "0"),
        ("1", "2"),
        ("2", "12"),
        ("3", "22"),
        ("6", "52"),
    ] {
        let timing = time(CHOLESKY, &[("k", k)]);
        assert_eq!(timing.phi, number(expected), "{k}");
        assert_eq!(timing.time, number(expected), "{k}");
    }
}

#[test]
fn the_demand_of_all_tasks_is_a_lower_bound() {
    let text = "numeric parameter n
        resource cpu = servers(2)
        process main = graph { a(i = 1, n): use(cpu, 3) ; b: use(cpu, 1) after a }";
    let timing = time(text, &[("n", "5")]);
    assert_eq!(timing.phi, number("4"));
    assert_eq!(timing.omega, number("8"));
    assert_eq!(timing.time, number("8"));
    assert_eq!(time(text, &[("n", "0")]).time, number("1"));
}

#[test]
fn references_choose_by_ranges_and_conditions() {
    let text = "process main = graph {
            a(i = 1, 5): delay(i) ;
            z: delay(10) after a(i) for (i = 1, 9) if (i mod 2 == 0)
        }";
    assert_eq!(time(text, &[]).phi, number("14"));
    let all = text.replace(" if (i mod 2 == 0)", "");
    assert_eq!(time(&all, &[]).phi, number("15"));
}

#[test]
fn a_graph_of_numbers_is_its_longest_path() {
    let text = "1 + 2*graph { a(i = 1, 3): i after a(i-1) ; b: 10 ; c: 1 after a(2), b }";
    assert_eq!(value(text).ok(), Some(rational("23").into()));
    assert_eq!(
        value("graph { a(i = 1, 0): 7 }").ok(),
        Some(rational("0").into())
    );
}

#[test]
fn a_round_is_an_error_that_names_its_shortest() {
    let text = "process main = graph {
            a(i = 1, 4): delay(1) after a(i - 1), b(i + 1) ;
            b(i = 1, 4): delay(1) after a(i), c ;
            c: delay(1) after d ;
            d: delay(1) after c
        }";
    let message = error(text, &[]);
    assert!(
        message.contains("`c` before `d` before `c`")
            || message.contains("`d` before `c` before `d`"),
        "{message}"
    );
    let alone = "process main = graph { a(i = 1, 3): delay(1) after a(i) }";
    assert!(
        error(alone, &[]).ends_with("`a(1)` before `a(1)`"),
        "{}",
        error(alone, &[])
    );
}

#[test]
fn there_are_not_too_many_tasks_and_precedences() {
    let many = "numeric parameter n process main = graph { a(i = 1, n): delay(1) }";
    let run = |text: &str| {
        with_value(text, &[("n", "2000000")], |evaluator| {
            evaluator.process("main").map_err(|error| error.message)
        })
    };
    assert!(run(many).is_err_and(|message| message.contains("steps")));
    let graph =
        "process main = graph { a(i = 1, 4000): delay(1) ; b(i = 1, 4000): delay(1) after a }";
    let model = check(graph).unwrap_or_else(|error| panic!("{error}"));
    let bindings = Default::default();
    let limits = super::Limits { steps: u64::MAX };
    let message = super::Evaluator::new(&model, &bindings, limits).process("main");
    let message = message.err().map(|error| error.message).unwrap_or_default();
    assert_eq!(message, "a graph has more than 10000000 precedences");
}

#[test]
fn a_random_task_is_drawn_once_in_each_run() {
    // Fork and join of two exponential laws of mean 1: the mean of their maximum is 3/2.
    let text = "process main = graph { a(i = 1, 2): delay(exponential(1)) ; z: delay(1) after a }";
    let model = check(text).unwrap_or_else(|error| panic!("{error}"));
    let report = crate::simulate::simulate(
        &model,
        &crate::simulate::Options {
            replications: crate::simulate::Replications::Exactly(4000),
            ..Default::default()
        },
        &crate::simulate::Watch::default(),
    );
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    assert!(
        (report.processes[0].mean - 2.5).abs() < 0.07,
        "{}",
        report.processes[0].mean
    );
}
