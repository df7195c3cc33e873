//! Graphs of tasks, with contention.

use super::{exact, model, replicated};
use crate::simulate::{Options, Watch, simulate};

#[test]
fn a_task_starts_when_all_that_it_waits_for_have_ended() {
    let diamond = "process main = graph {
            a: delay(1) ;
            b: delay(2) after a ;
            c: delay(5) after a ;
            d: delay(1) after b, c
        }";
    assert_eq!(exact(diamond), "7");
    let nothing = "process main = graph { a(i = 1, 0): delay(1) } ; delay(3)";
    assert_eq!(exact(nothing), "3");
}

#[test]
fn tasks_wait_for_servers() {
    // Four tasks of 3 on two servers, then one of 1; without contention 4.
    let text = "resource cpu = servers(2)
        process main = graph { a(i = 1, 4): use(cpu, 3) ; b: use(cpu, 1) after a }";
    assert_eq!(exact(text), "7");
    // `a` has the server when `c` asks for it, so that `d` begins at 4 + 1.
    let one = "resource cpu
        process main = graph { a: use(cpu, 4) ; b: delay(1) ; c: use(cpu, 1) after b ; d: delay(1) after c }";
    assert_eq!(exact(one), "6");
}

#[test]
fn graphs_stand_in_other_processes_and_have_others_in_them() {
    let text = "process step(n) = graph { a(i = 1, n): { delay(i) ; delay(n) } after a(i - 1) }
        process main = seq (k = 1, 3) { { step(k) || delay(1) } ; graph { b: step(2) ; c: par (i = 1, k) delay(i) after b } }";
    // step(1), step(2), step(3) take 2, 7, 15; step(2) takes 7, and the section of c takes k.
    assert_eq!(exact(text), "51");
    let stopped = "process main = { graph { a(i = 1, 9): delay(1) after a(i - 1) } <> delay(2) } ; { delay(1) || delay(4) }";
    assert_eq!(exact(stopped), "6");
}

#[test]
fn what_is_simulated_is_what_the_definition_runs() {
    let text = "numeric time_of_main = time(main)
        resource cpu(i) = servers(1)
        process main = graph {
            p(j = 0, 3): use(cpu(j mod 2), 2) after s(j-1, j) ;
            t(j = 0, 3; i = j+1, 3): use(cpu(i mod 2), 3) after p(j), g(j-1, i, j) ;
            s(j = 0, 3; i = j+1, 3): use(cpu(i mod 2), 5) after t(j, i), s(j-1, i) ;
            g(j = 0, 3; i = j+1, 3; l = j+1, i-1): use(cpu(l mod 2), 7) after t(j, i), t(j, l), g(j-1, i, l)
        }";
    let model = model(text);
    let bindings = Default::default();
    let mut evaluator =
        crate::model::Evaluator::new(&model, &bindings, crate::model::Limits::default());
    let defined = evaluator
        .equation("time_of_main")
        .map(|value| format!("{value:?}"));
    let options = Options {
        arbitration: crate::simulate::Arbitration::Source,
        ..replicated(1)
    };
    let report = simulate(&model, &options, &Watch::default());
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let simulated = report.processes[0].fraction.clone().unwrap_or_default();
    let defined = defined.unwrap_or_else(|error| panic!("{error:?}"));
    assert!(
        defined.contains(&format!("({simulated}, 1)")),
        "{defined} {simulated}"
    );
}

#[test]
fn a_trace_draws_the_precedences() {
    let text = "process main = graph { a(i = 1, 2): delay(i) ; b: delay(1) after a }";
    let options = Options {
        trace_limit: Some(1000),
        ..replicated(1)
    };
    let report = simulate(&model(text), &options, &Watch::default());
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let trace = report
        .trace
        .and_then(|trace| trace.to_json().ok())
        .unwrap_or_default();
    let count = |what: &str| trace.matches(what).count();
    assert_eq!(
        (count("\"ph\":\"s\""), count("\"ph\":\"f\"")),
        (2, 2),
        "{trace}"
    );
    assert_eq!(count("\"cat\":\"task\""), 3, "{trace}");
    assert!(trace.contains("\"name\":\"a(2)\""), "{trace}");
}

#[test]
fn tasks_that_do_nothing_end_when_they_begin() {
    let text = "numeric time_of_main = time(main)
        process main = graph { a: delay(1) ; b: seq (i = 1, 0) delay(1) after a ; c: seq (i = 1, 0) delay(1) after b } ; delay(2)";
    let model = model(text);
    let bindings = Default::default();
    let mut evaluator =
        crate::model::Evaluator::new(&model, &bindings, crate::model::Limits::default());
    let defined = evaluator
        .equation("time_of_main")
        .unwrap_or_else(|error| panic!("{error:?}"));
    assert!(format!("{defined:?}").contains("(3, 1)"), "{defined:?}");
    assert_eq!(exact(text), "3");
}
