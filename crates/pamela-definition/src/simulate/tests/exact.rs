//! Models in which nothing is random.

use super::{exact, model, replicated, run};
use crate::model::{Evaluator, Limits, Number, Value};
use crate::simulate::{
    Arbitration, Basis, ORDERS, Options, Replications, Time, WithoutTime, execution_time,
};

#[test]
fn contention_is_first_come_first_served() {
    for (text, time) in [
        ("process main = delay(1/3) ; delay(1/6)", "1/2"),
        ("process main = delay(10.1) ; delay(0.2)", "103/10"),
        ("process main = delay(2) || delay(3)", "3"),
        ("resource s = fcfs(0, 1) process main = use(s, 2) || use(s, 3)", "5"),
        ("resource s = fcfs(0, 2) process main = use(s, 2) || use(s, 2) || use(s, 2)", "4"),
        // Two of the five wait for the third.
        ("resource r(i) = fcfs(i, 1) process main = par (i = 0, 4) use(r(i mod 2), 1)", "3"),
        // The one that comes at 1 waits until 2, when it has been served for 2 it is 4.
        (
            "resource s = fcfs(0, 1) process main = { delay(1) ; use(s, 2) } || use(s, 2)",
            "4",
        ),
        // What comes at the time at which a server becomes free need not wait.
        (
            "resource s = fcfs(0, 1)
             process main = { use(s, 1) ; delay(5) } || { delay(1) ; use(s, 1) ; delay(4) }",
            "6",
        ),
        // It does where another has waited.
        (
            "resource s = fcfs(0, 1)
             process main = use(s, 2) || { delay(1) ; use(s, 7) } || { delay(2) ; use(s, 1) ; delay(10) }",
            "20",
        ),
        ("process main = seq (i = 1, 0) delay(1)", "0"),
        ("process main = par (i = 1, 0) delay(1)", "0"),
        ("process main = any (i = 1, 0) delay(1)", "0"),
        ("process main = seq (i = 3, 5) par (j = i, 2 * i) delay(i * j)", "100"),
        // 1, 4, 7; 9, 7, 5; and no index at all.
        ("process main = seq (i = 1, 9, 3) delay(i)", "12"),
        ("process main = seq (i = 9, 4, -2) { delay(i) || delay(6) }", "22"),
        ("process main = par (i = 10, 1, -4) seq (j = 1, i) delay(1)", "10"),
        ("process main = any (2 of i = 10, 1, -4) delay(i)", "6"),
        ("process main = seq (i = 1, 9, -1) delay(1)", "0"),
        ("process main = if (1 < 2) delay(1) else delay(2)", "1"),
        ("process main = seq (i = 1, 10) if (i mod 3 == 0) delay(1)", "3"),
        ("process main = switch { 1 > 2: delay(1), 1 < 2: delay(5), 1: delay(7) }", "5"),
        ("resource s = fcfs(7, 1) resource parameter disk(i) process main = use(s, 1) || use(disk(7), 1)", "1"),
    ] {
        assert_eq!(exact(text), time, "{text}");
    }
}

#[test]
fn calls_see_their_arguments() {
    for (text, time) in [
        (
            "process step(i, t) = delay(i * t) process main = seq (i = 1, 3) step(i + 1, 2)",
            "18",
        ),
        (
            "numeric f(x) = x * x
             process inner(n) = seq (i = 1, n) delay(f(i))
             process outer(i) = inner(i) ; inner(2 * i)
             process main = par (i = 1, 3) outer(i)",
            "105",
        ),
        // The index of the caller is not that of the callee.
        (
            "numeric parameter i = 100 process client = delay(i) process main = seq (i = 1, 3) client",
            "300",
        ),
        (
            "resource disk(i) = fcfs(i, 1)
             process visit(d, t) = use(d, t)
             process main = par (p = 1, 6) visit(disk(p mod 3), 5)",
            "10",
        ),
        (
            "process twice(L) = L ; L
             process nap(t) = delay(t)
             process main = par (p = 1, 4) twice(nap(p))",
            "8",
        ),
        (
            "process twice(L) = L ; L
             process unit = delay(1)
             process main = twice(unit)",
            "2",
        ),
    ] {
        assert_eq!(exact(text), time, "{text}");
    }
}

/// 2^30 copies of a text are not made; 2^15 executions are.
#[test]
fn names_of_names_are_not_copied_without_end() {
    let mut text = String::from("process p0 = delay(1)\n");
    for n in 1..=15 {
        text += &format!("process p{n} = p{} ; p{}\n", n - 1, n - 1);
    }
    text += "process main = p15";
    assert_eq!(exact(&text), "32768");
}

#[test]
fn without_contention_the_time_is_that_of_the_definition() {
    for text in [
        "process main = seq (i = 1, 10) { delay(1/i) ; par (j = 1, i) delay(j / (i + 1)) }",
        "process main = par (p = 1, 12) seq (i = 1, p) { if (i * i > p) delay(i / 7) else delay(p / 11) }",
        "process main = any (2 of i = 1, 5) { delay(3 - i / 3) ; any (j = 1, i) delay(j / i) }",
        "resource r(i) = fcfs(i, 1) process main = par (i = 1, 9) seq (j = 1, i) use(r(i), j / (2 * i))",
        "process main = delay(max (i = 1, 4) { i * (5 - i) } / 3) || delay(2^3 - 1/9)",
    ] {
        let model = model(text);
        let bindings = Default::default();
        let mut evaluator = Evaluator::new(&model, &bindings, Limits::default());
        let Ok(Value::Scalar(time)) = evaluator.equation("T_main") else {
            panic!("{text}");
        };
        assert_eq!(exact(text), time.to_string(), "{text}");
    }
}

#[test]
fn times_with_many_ticks_are_exact_still() {
    // 2^40 over a tick of 1/10^12 has 80 bits.
    let text = "process main = delay(1099511627776) ; delay(1e-12)";
    assert_eq!(exact(text), "1099511627776000000000001/1000000000000");
    // No clock has ticks of 1/3^70.
    let text = "process main = delay(1/3^70) ; delay(1)";
    let report = run(text, &Options::default());
    assert_eq!(
        (report.processes[0].mean, &report.processes[0].exact),
        (1.0, &None)
    );
}

#[test]
fn named_processes_are_timed() {
    let text = "resource s = fcfs(0, 1)
        process client = delay(3) ; use(s, 2)
        process main = par (p = 1, 2) seq (i = 1, 2) client";
    let report = run(text, &replicated(1));
    let shown = |p: &crate::simulate::Process| (p.name.clone(), p.fraction.clone(), p.executions);
    let found: Vec<_> = report.processes.iter().map(shown).collect();
    let expected = [("main", "12", 1.0), ("client", "11/2", 4.0)];
    let expected = expected.map(|(n, e, x)| (n.to_string(), Some(e.to_string()), x));
    assert_eq!(found, expected);
}

#[test]
fn a_resource_is_measured() {
    let text = "resource s = fcfs(0, 1) process main = par (p = 1, 3) use(s, 2) ; delay(4)";
    let report = run(text, &Options::default());
    let [resource] = &report.resources[..] else {
        panic!("{report:?}");
    };
    assert_eq!((resource.visits, resource.queue_max), (3.0, 2));
    // Busy for 6 of 10; two wait for 2, one more for another 2.
    assert_eq!(
        (
            resource.utilisation,
            resource.queue_mean,
            resource.wait_mean
        ),
        (0.6, 0.6, 2.0)
    );
}

#[test]
fn requests_at_one_time_come_in_the_order_that_is_asked_for() {
    let text = "resource s = fcfs(0, 1)
        process main = { use(s, 1) ; delay(10) } || { use(s, 2) ; delay(5) }";
    let alone = run(text, &replicated(1));
    assert_eq!(alone.processes[0].exact.as_deref(), Some("11"));
    let both = run(text, &Options::default());
    let main = &both.processes[0];
    assert_eq!((main.basis, main.replications), (Basis::Orders, 11));
    assert_eq!(main.fraction.as_deref(), Some("11"));
    assert_eq!((&main.exact, main.deviation), (&None, None));
    assert_eq!((main.mean, main.interval), (11.0, Some([11.0, 13.0])));
    // The resource is that of the run in the order of the text, whose time is shown.
    assert_eq!(both.resources[0].utilisation, 3.0 / 11.0);
    let seeded = |seed| {
        run(
            text,
            &Options {
                seed,
                arbitration: Arbitration::Seeded,
                ..replicated(1)
            },
        )
        .processes[0]
            .mean
    };
    let mut times: Vec<f64> = (0..20).map(seeded).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    assert_eq!(times, [11.0, 13.0]);
}

#[test]
fn branches_come_up_in_the_order_of_the_text() {
    let time = |process: &str| exact(&format!("resource b process main = {process}"));
    let many = "par (i = 1, 3) { use(b, 1) ; delay(100) }";
    // The loop stands before the single use, or behind it.
    assert_eq!(time(&format!("{{ {many} }} || use(b, 10)")), "103");
    assert_eq!(time(&format!("use(b, 10) || {{ {many} }}")), "113");
    // Four levels: 1, 2, 3 and 4 come up in this order, and the last one to begin goes on for longest.
    let nested = "{ { use(b, 1) || { use(b, 2) || use(b, 3) } } || use(b, 4) }";
    assert_eq!(
        time(&format!("{{ {nested} || {{ use(b, 5) ; delay(7) }} }}")),
        "22"
    );
    // Delays that began in the order of the text end in it, and a section that one of them leads to begins at once.
    let later = "delay(1) ; { use(b, 1) || { use(b, 2) ; delay(20) } }";
    assert_eq!(
        time(&format!("{{ {later} }} || {{ delay(1) ; use(b, 3) }}")),
        "24"
    );
}

#[test]
fn a_time_is_exact_where_nothing_is_drawn() {
    let basis = |text: &str, options: &Options| run(text, options).processes[0].basis;
    let source = Options::default();
    let seeded = Options {
        arbitration: Arbitration::Seeded,
        ..Options::default()
    };
    let cases = [
        // Nobody comes at one time with others, or all find a server.
        (
            "resource s process main = use(s, 1) || { delay(1/2) ; use(s, 1) }",
            Basis::Exact,
            Basis::Exact,
        ),
        (
            "resource s = servers(2) process main = use(s, 1) || use(s, 2)",
            Basis::Exact,
            Basis::Exact,
        ),
        (
            "resource s resource t process main = use(s, 1) || use(t, 2)",
            Basis::Exact,
            Basis::Exact,
        ),
        // The order matters, or might.
        (
            "resource s process main = { use(s, 1) ; delay(10) } || { use(s, 2) ; delay(5) }",
            Basis::Draws,
            Basis::Orders,
        ),
        (
            "resource s process main = par (p = 1, 3) use(s, 1)",
            Basis::EqualDraws,
            Basis::EqualOrders,
        ),
        // A service of no length makes room at the time at which it began: who is first decides.
        (
            "resource s process main = use(s, 0) || use(s, 5)",
            Basis::EqualDraws,
            Basis::EqualOrders,
        ),
        (
            "process main = delay(bernoulli(1/1000000000))",
            Basis::EqualDraws,
            Basis::EqualDraws,
        ),
        (
            "process main = delay(2^(1/2))",
            Basis::Rounded,
            Basis::Rounded,
        ),
    ];
    for (text, drawn, in_order) in cases {
        assert_eq!(basis(text, &seeded), drawn, "{text}");
        assert_eq!(basis(text, &source), in_order, "{text}");
    }
    let tied = "resource s process main = par (p = 1, 3) use(s, 1)";
    assert_eq!(basis(tied, &replicated(1)), Basis::TextOrder);
    let one = Options {
        replications: Replications::Exactly(1),
        ..seeded.clone()
    };
    assert_eq!(basis(tied, &one), Basis::OneDraw);
    let long = "resource s process main = par (p = 1, 2) seq (i = 1, 600000) use(s, 1)";
    assert_eq!(basis(long, &source), Basis::TextOrder);
    let report = run(tied, &seeded);
    let main = &report.processes[0];
    assert_eq!(
        (&main.exact, main.interval, main.replications),
        (&None, None, 30)
    );
}

/// The time in 11 orders of simultaneous requests, and what tells it apart from one that is exact.
#[test]
fn an_execution_time_is_that_of_the_text_between_those_of_other_orders() {
    let time = |text: &str, values: &[(&str, i64)]| {
        let values = values
            .iter()
            .map(|(name, value)| (name.to_string(), Value::Scalar(Number::from(*value))));
        execution_time(&model(text), "main", &values.collect(), 1000)
    };
    let exact = |time: &Time| time.exact.as_ref().map(ToString::to_string);
    let tied = "numeric parameter a resource s
        process main = { use(s, 1/a) ; delay(10) } || { use(s, 2) ; delay(5) }";
    let found = time(tied, &[("a", 2)]).expect("a time");
    assert_eq!(exact(&found.in_text_order).as_deref(), Some("21/2"));
    assert_eq!(exact(&found.least).as_deref(), Some("21/2"));
    assert_eq!(exact(&found.greatest).as_deref(), Some("25/2"));
    assert!(found.is_contended && !found.is_random);
    assert_eq!((found.orders, found.events), (ORDERS, 4));
    // All runs together have no more events than are allowed.
    let fixed = tied.replace("numeric parameter a", "numeric a = 2");
    let few = execution_time(&model(&fixed), "main", &Default::default(), 23).expect("a time");
    assert_eq!((few.orders, few.events), (5, 4));
    let alone = time("process main = delay(3)", &[]).expect("a time");
    assert_eq!(exact(&alone.in_text_order).as_deref(), Some("3"));
    assert!(!alone.is_contended && alone.orders == 1);
    let drawn = time("process main = delay(exponential(1))", &[]).expect("a time");
    assert!(drawn.is_random && drawn.in_text_order.exact.is_none());
    assert!(matches!(time(tied, &[]), Err(WithoutTime::Wrong(_))));
    let long = "process main = seq (i = 1, 2000) delay(1)";
    assert!(matches!(time(long, &[]), Err(WithoutTime::TooLong)));
}
