//! What the checker warns of.

use super::*;
use crate::diagnostic::Severity;

/// The messages of what a model warns of.
fn warnings(text: &str) -> Vec<String> {
    let warnings = check(text).expect("a model without errors").warnings();
    assert!(
        warnings
            .iter()
            .all(|w| w.severity == Severity::Warning && w.hint.is_some())
    );
    warnings.into_iter().map(|w| w.message).collect()
}

#[test]
fn one_server_by_two_names_is_a_warning() {
    let message = ["`a` and `b` may be the same server"];
    for text in [
        "resource a = fcfs(0, 1) resource b = fcfs(0, 2)",
        "resource a(p) = fcfs(p, 1) resource b = fcfs(3, 1)",
        "resource a = fcfs(3, 1) resource b(p) = fcfs(p, 1)",
        "resource a(p) = fcfs(p, 1) resource b(q) = fcfs(q, 1)",
        "numeric parameter k resource a = fcfs(k, 1) resource b = fcfs(k, 1)",
        "resource d(i) resource a = d(1) resource b = d(1)",
    ] {
        assert_eq!(warnings(text), message, "{text}");
    }
    for text in [
        "resource a resource b",
        "resource a = fcfs(0, 1) resource b = fcfs(1, 1)",
        "resource a = servers(2) resource b = servers(2)",
        "resource a(i) = servers(i + 1) resource b = a(0)",
        "resource d(i) resource a = d(1) resource b = fcfs(1, 1)",
        "resource a(p) = fcfs(p, 1) resource b = a(0)",
        "numeric parameter P resource a(p) = fcfs(p, 1) resource b = fcfs(P, 1)",
    ] {
        assert_eq!(warnings(text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_remainder_that_is_a_comment_is_a_warning() {
    let model = |line: &str| {
        let text =
            format!("numeric parameter N numeric parameter P\nnumeric x = {line}\nnumeric y = 1");
        warnings(&text).len()
    };
    for line in ["N % P", "N % 2", "(N + 1) % P + 1", "N%P"] {
        assert_eq!(model(line), 1, "{line}");
    }
    for line in [
        "N",
        "N % tasks",
        "N   % P processes",
        "N % 3 seconds",
        "N %",
        "N mod P % a, b",
    ] {
        assert_eq!(model(line), 0, "{line}");
    }
}

#[test]
fn a_replacement_that_does_not_do_what_is_meant_is_a_warning() {
    let model = |value: &str| {
        let text = format!(
            "numeric parameter L numeric parameter Q numeric P = 2^L numeric R = P + 1
             process main = delay(Q + L * R)
             numeric x = {value}"
        );
        warnings(&text)
    };
    for (value, message) in [
        ("at(Q, P, 1)", "`Q` does not depend on `P`"),
        (
            "at(T(main), P, 1)",
            "`P` is computed from `L`, which keeps its value here",
        ),
        (
            "at(T(main), R, 1)",
            "`R` is computed from `L`, which keeps its value here",
        ),
        (
            "1 / at(L + P, P, 1)",
            "`P` is computed from `L`, which keeps its value here",
        ),
    ] {
        assert_eq!(model(value), [message], "{value}");
    }
    for value in [
        "at(T(main), L, 0)",
        "at(T(main), Q, 0)",
        "at(T(main), P, 1, L, 0)",
        "at(P + Q, P, 1)",
        "at(R, P, 1)",
    ] {
        assert_eq!(model(value), Vec::<String>::new(), "{value}");
    }
}

#[test]
fn a_time_below_0_is_a_warning() {
    let text = "resource r process main = { delay(-1) || seq (i = 1, 2) use(r, -1/2) } ; delay(-3)";
    assert_eq!(warnings(text), ["a time is below 0"; 2]);
    let text = "numeric parameter t process main = { delay(2 - 1) ; delay(0) ; delay(-t) }";
    assert_eq!(warnings(text), Vec::<String>::new());
}
