//! Or-parallel sections: what is stopped leaves its server and its queue at once.

use super::{exact, replicated, run};

#[test]
fn a_section_ends_with_its_quorum() {
    for (text, time) in [
        ("process main = delay(5) <> delay(3) <> delay(4)", "3"),
        ("process main = any (2 of i = 1, 5) delay(i * i)", "4"),
        ("process main = any (5 of i = 1, 5) delay(i * i)", "25"),
        (
            "process main = seq (i = 1, 3) { delay(i) <> delay(2) }",
            "5",
        ),
        (
            "process main = any (i = 1, 3) seq (j = 1, i) { delay(1) <> delay(2) } ; delay(1)",
            "2",
        ),
    ] {
        assert_eq!(exact(text), time, "{text}");
    }
}

#[test]
fn what_is_stopped_leaves_its_server() {
    for (text, time) in [
        // Stopped at 1 in the middle of its service, so that the server is free.
        (
            "resource s = fcfs(0, 1) process main = { use(s, 100) <> delay(1) } ; use(s, 2)",
            "3",
        ),
        // Stopped in the queue, which passes over it.
        (
            "resource s = fcfs(0, 1)
             process main = use(s, 10) || { { delay(1) ; use(s, 100) } <> delay(5) } || { delay(6) ; use(s, 3) }",
            "13",
        ),
        // The one that waits begins when the server is left.
        (
            "resource s = fcfs(0, 1)
             process main = { use(s, 100) <> delay(4) } || { delay(1) ; use(s, 3) }",
            "7",
        ),
        // Deep inside of a branch.
        (
            "resource s = fcfs(0, 2)
             process busy(n) = par (i = 1, n) seq (j = 1, 10) use(s, 9)
             process main = { busy(4) <> delay(5) } ; use(s, 1)",
            "6",
        ),
    ] {
        assert_eq!(exact(text), time, "{text}");
    }
}

#[test]
fn what_is_stopped_leaves_no_traces() {
    // Ten thousand delays that would end in the far future, and as many requests in a queue.
    let text = "resource s = fcfs(0, 1)
        process main = seq (i = 1, 10000) { delay(1) <> delay(1e9) <> use(s, 1e9) <> use(s, 1e9) } ; use(s, 1)";
    let report = run(text, &replicated(1));
    assert_eq!(report.processes[0].fraction.as_deref(), Some("10001"));
    let resource = &report.resources[0];
    assert_eq!(resource.queue_max, 1);
    assert_eq!(resource.visits, 10_001.0);
}

#[test]
fn many_that_wait_leave_at_once() {
    let text = "resource s = fcfs(0, 1)
         process main = { any (100 of i = 1, 200) use(s, 1) ; use(s, 1) } || { delay(50.5) ; use(s, 1) }";
    // The one that comes at 50.5 waits behind the others until they leave.
    assert_eq!(exact(text), "102");
}
