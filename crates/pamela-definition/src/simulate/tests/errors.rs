//! What a simulation refuses, and how it ends early.

use super::{replicated, run, try_run};
use crate::simulate::{End, Options, Watch, simulate};

/// The message, the label and the hint.
fn error(text: &str, options: &Options) -> String {
    match try_run(text, options) {
        Ok(report) => panic!("{text}\n{report:?}"),
        Err(error) => {
            let diagnostic = &error.diagnostics[0];
            let label = diagnostic.labels.first().map_or("", |label| &label.1);
            let hint = diagnostic.hint.as_deref().unwrap_or("");
            format!("{}; {label}; {hint}", diagnostic.message)
        }
    }
}

#[test]
fn what_cannot_be_simulated_is_told_with_its_place() {
    for (text, expected) in [
        (
            "numeric parameter P process main = par (p = 1, P) delay(1)",
            "the parameter `P` has no value; declared here without a value; give it a value",
        ),
        (
            "numeric m = 0 resource s = fcfs(0, m) process main = use(s, 1)",
            "a resource has 0 servers; must be a whole number, at least 1; \
             declare the parameters it is made of as `: integer >= 1`",
        ),
        (
            "resource s = fcfs(0, 3/2) process main = use(s, 1)",
            "a resource has 3/2 servers; must be a whole number, at least 1; \
             declare the parameters it is made of as `: integer >= 1`",
        ),
        (
            "resource a = fcfs(0, 1) resource b = fcfs(0, 2) process main = use(a, 1) ; use(b, 1)",
            "a resource of 2 servers, which has 1 elsewhere in the model; used here; \
             resources of one array with the same index are the same",
        ),
        (
            "process main = seq (i = 1/2, 5/2) delay(1)",
            "a loop bound of 1/2; expected a whole number; \
             round it with `floor` or `ceil`, or choose other values",
        ),
        (
            "process main = delay(1) ; delay(2 - 3)",
            "a time of -1; a time is at least 0; ",
        ),
        (
            "process main = delay(1e400)",
            "the time is too large; at this; times are at most about 1e308",
        ),
        (
            "process main = seq (i = 2, 2) if (i) delay(1)",
            "the probability of a condition is 2; must be from 0 to 1; \
             a comparison is a truth value: write `c > 0` for `c`",
        ),
        (
            "process main = any (4 of i = 1, 3) delay(1)",
            "the quorum is 4, not one of 1, ..., 3; \
             must be an integer between 1 and the number of iterations; ",
        ),
        (
            "numeric x = 1",
            "the model has no process without arguments; ; write `process main = ...`",
        ),
        (
            "process main = par (p = 1, 1e8) delay(1)",
            "more than 1048576 processes at one time; they are started here; use smaller values",
        ),
    ] {
        assert_eq!(error(text, &Options::default()), expected, "{text}");
    }
}

#[test]
fn a_negative_draw_is_told_with_its_law_and_share() {
    let text = "process main = delay(1) ; delay(normal(1, 1))";
    let found = error(text, &replicated(1000));
    assert!(found.starts_with("a time of -"), "{found}");
    assert!(found.contains("% of 1000 draws are below 0; "), "{found}");
    // A sixth of the draws; the mean of what is left is E[max(X, 0)] = 1.083 with a deviation of 0.87.
    let options = Options {
        clip: true,
        ..replicated(4000)
    };
    let report = run(text, &options);
    assert!(super::is_within(4.0, 2.083_315_47, &report), "{report:?}");
    assert!(report.approximations[0].ends_with("times were drawn below 0 and count as 0"));
}

#[test]
fn a_run_without_end_is_stopped() {
    let options = Options {
        max_events: 1000,
        ..Options::default()
    };
    for text in [
        "process main = seq (i = 1, 1e12) delay(1)",
        "process main = seq (i = 1, 1e12) if (1 > 2) delay(1)",
        "process main = seq (i = 1, 1e12) par (j = 1, 0) delay(1)",
    ] {
        let report = run(text, &options);
        assert_eq!(
            (report.end, report.processes.len()),
            (End::Events, 0),
            "{text}"
        );
    }
    let report = run("process main = seq (i = 1, 1e12) delay(1)", &options);
    assert_eq!((report.events, report.reached), (1001, Some(1001.0)));
}

#[test]
fn an_interruption_leaves_what_there_is() {
    let watch = Watch::default();
    watch.interrupt();
    let text = "resource s = fcfs(0, 1) process main = seq (i = 1, 1e9) use(s, 1)";
    let model = super::model(text);
    let report = simulate(&model, &Options::default(), &watch);
    let report = report.expect("what there is");
    assert_eq!((report.end, report.processes.len()), (End::Interrupted, 0));
    assert!(report.reached > Some(0.0) && report.resources[0].visits > 0.0);
}
