//! Laws, trials and random bounds, beside their exact means.

use super::{is_within, replicated, run};

#[test]
fn means_are_those_of_the_laws() {
    for (text, mean) in [
        ("process main = delay(exponential(2))", 2.0),
        ("process main = delay(uniform(1, 4))", 2.5),
        ("process main = delay(erlang(3, 6))", 6.0),
        ("process main = delay(gamma(2, 3) + uniform(0, 2))", 7.0),
        ("process main = delay(2 * exponential(1) + 1)", 3.0),
        (
            "numeric X = exponential(3) process main = delay(X) ; delay(X)",
            6.0,
        ),
        // The larger of two, 3/2 of the mean.
        (
            "numeric X = exponential(4) process main = delay(X) || delay(X)",
            6.0,
        ),
        (
            "process main = any (2 of i = 1, 3) delay(exponential(6))",
            5.0,
        ),
        (
            "process main = delay(mixture(1/4, 8, 3/4, exponential(4)))",
            5.0,
        ),
        ("process main = delay(empirical(3, 5, 5, 7))", 5.0),
        (
            "process main = delay(sum (i = 1, 4) { exponential(i) })",
            10.0,
        ),
        // Trials at each execution.
        (
            "process main = seq (i = 1, 10) if (1/4) delay(4) else delay(2)",
            25.0,
        ),
        (
            "process main = seq (i = 1, 10) if (bernoulli(1/4)) delay(4) else delay(2)",
            25.0,
        ),
        ("process main = if (beta(2, 3)) delay(10)", 4.0),
        (
            "process main = switch { 1/5: delay(10), 3/10: delay(20), 1/2: delay(2) }",
            9.0,
        ),
        (
            "process main = switch { bernoulli(1/5): delay(10), 1: delay(5) }",
            6.0,
        ),
        ("process main = delay(if (1/4) exponential(4) else 2)", 2.5),
        // Bounds that are drawn.
        (
            "process main = seq (i = 1, poisson(4)) delay(exponential(2))",
            8.0,
        ),
        ("process main = seq (i = 1, uniform(2, 5)) delay(2)", 7.0),
        // Moments: 1 + 3 sqrt(...) is of no matter, the mean is.
        ("process main = delay(moments(10, 4, 1/2, 3))", 10.0),
        (
            "process main = seq (i = 1, moments(10, 4, 0, 3)) delay(1)",
            10.0,
        ),
    ] {
        let report = run(text, &replicated(4000));
        assert!(
            is_within(4.0, mean, &report),
            "{text}: {mean} but {:?}",
            report.processes
        );
        assert_eq!(report.processes[0].exact, None, "{text}");
    }
}

/// The trials of a loop are independent, and so are those of branches: a variance of N p (1 - p).
#[test]
fn trials_are_independent() {
    for text in [
        "process main = seq (i = 1, 100) if (1/4) delay(1)",
        "process main = seq (i = 1, 10) part process part = seq (i = 1, 10) if (1/4) delay(1)",
        "process step(x) = if (1/4) delay(x) process main = seq (i = 1, 100) step(1)",
        "resource s = fcfs(0, 1) process main = par (i = 1, 100) use(s, bernoulli(1/4))",
        "resource s = fcfs(0, 1)
         process main = seq (j = 1, 10) par (i = 1, 10) if (1/4) use(s, 1)",
    ] {
        let report = run(text, &replicated(4000));
        let variance = report.processes[0].deviation.expect("of 4000").powi(2);
        // Its standard error is 18.75 sqrt(2 / 4000) = 0.42.
        assert!((variance - 18.75).abs() < 1.7, "{text}: {variance}");
        assert!(is_within(4.0, 25.0, &report), "{text}");
    }
}

#[test]
fn what_is_drawn_otherwise_is_said() {
    let notes = |text: &str| run(text, &replicated(50)).approximations.join("\n");
    assert_eq!(notes("process main = delay(exponential(1))"), "");
    assert_eq!(notes("process main = if (bernoulli(1/2)) delay(1)"), "");
    assert_eq!(
        notes("process main = delay(moments(10, 4, 0, 3))"),
        "moments(10, 4, 0, 3) is drawn from its fitted law (gld)"
    );
    assert!(notes("process main = if (1/2) delay(1)").contains("is drawn at each execution"));
    assert!(notes("process main = seq (i = 1, uniform(1, 3)) delay(1)").contains("is rounded"));
}
