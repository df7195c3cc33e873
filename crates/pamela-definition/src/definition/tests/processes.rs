use super::*;

const MACHINE_REPAIR: &str = "
    numeric parameter P numeric parameter N numeric parameter tl numeric parameter ts
    resource s = fcfs(0, 1)
    process main = par (p = 1, P) seq (i = 1, N) { delay(tl); use(s, ts) }";

/// phi, omega and T of `process main = ...`.
fn three(process: &str) -> Result<[Number; 3], String> {
    let text =
        format!("resource s = fcfs(0, 1) resource parameter disk(i) process main = {process}");
    timing(&text, &[])
        .map(|t| [t.phi, t.omega, t.time])
        .map_err(|d| d.message)
}

fn assert_three(process: &str, phi: &str, omega: &str, time: &str) {
    assert_eq!(
        three(process),
        Ok([number(phi), number(omega), number(time)]),
        "{process}"
    );
}

#[test]
fn machine_repair_with_few_clients_is_bound_by_the_path() {
    let t = timing(
        MACHINE_REPAIR,
        &[("P", "3"), ("N", "4"), ("tl", "10"), ("ts", "1/10")],
    )
    .expect("has a timing");
    assert_eq!([&t.phi, &t.time], [&number("404/10"); 2]);
    assert_eq!(t.omega, number("12/10"));
    assert_eq!(t.delta.get("fcfs", &rational("0")), number("12/10"));
    assert_eq!(t.delta.len(), 1);
}

#[test]
fn machine_repair_with_many_clients_is_bound_by_the_server() {
    let t = timing(
        MACHINE_REPAIR,
        &[("P", "1000"), ("N", "1"), ("tl", "10"), ("ts", "1/10")],
    )
    .expect("has a timing");
    assert_eq!(
        [t.phi, t.omega, t.time],
        [number("101/10"), number("100"), number("100")]
    );
}

#[test]
fn delay_and_use() {
    assert_three("delay(3)", "3", "0", "3");
    assert_three("use(s, 3)", "3", "3", "3");
    assert_three("use(fcfs(1, 2), 3)", "3", "3/2", "3");
    assert_three("use(fcfs(1), 3)", "3", "3", "3");
    assert_three("use(disk(1, 3), 3)", "3", "1", "3");
}

#[test]
fn sequences_add() {
    assert_three("use(s, 3); delay(2); use(s, 1)", "6", "4", "6");
    assert_three("seq (i = 1, 3) { use(s, i) }", "6", "6", "6");
    assert_three("seq (i = 1, 0) { use(s, i) }", "0", "0", "0");
}

#[test]
fn and_parallel_takes_the_longest_or_the_whole_demand() {
    assert_three("use(s, 3) || use(s, 4) || delay(5)", "5", "7", "7");
    assert_three("use(s, 3) || delay(5)", "5", "3", "5");
    assert_three("par (i = 1, 3) use(s, i)", "3", "6", "6");
    assert_three("par (i = 1, 3) use(fcfs(i), i)", "3", "3", "3");
    assert_three("par (i = 1, 0) use(s, i)", "0", "0", "0");
}

#[test]
fn demand_binds_where_the_parallel_section_ends() {
    // (max(2, 4) by the server) then 1; the sum of both demands never comes together.
    assert_three("{ use(s, 2) || use(s, 2) }; delay(1)", "3", "4", "5");
}

#[test]
fn resources_of_different_arrays_differ() {
    assert_three("use(fcfs(1), 3) || use(disk(1), 4)", "4", "4", "4");
}

#[test]
fn or_parallel_takes_the_shortest_and_no_demand() {
    assert_three("use(s, 3) <> use(s, 2)", "2", "0", "2");
    assert_three("any (i = 2, 4) use(s, i)", "2", "0", "2");
    assert_three("any (2 of i = 2, 4) use(s, i)", "3", "0", "3");
    assert_three("any (2 of i = 2, 1) use(s, i)", "0", "0", "0");
}

#[test]
fn the_quorum_is_between_one_and_the_number_of_iterations() {
    assert!(
        three("any (4 of i = 1, 3) delay(i)")
            .expect_err("4 of 3")
            .contains("quorum is 4")
    );
}

#[test]
fn a_true_condition_takes_one_process() {
    assert_three("if (1 < 2) use(s, 3) else use(s, 5)", "3", "3", "3");
    assert_three("if (1 > 2) use(s, 3)", "0", "0", "0");
}

#[test]
fn a_probability_weighs_both_processes() {
    assert_three("if (1/4) use(s, 4) else delay(8)", "7", "1", "7");
    assert_three("if (1/4) use(s, 4)", "1", "1", "1");
}

#[test]
fn a_switch_weighs_or_chooses() {
    assert_three("switch { 1/2: use(s, 4), 1/2: delay(2) }", "3", "2", "3");
    assert_three(
        "switch { 1 > 2: use(s, 4), 2 > 1: delay(2) }",
        "2",
        "0",
        "2",
    );
}

#[test]
fn arguments_may_be_numbers_resources_and_processes() {
    let text = "resource cpu(p) = fcfs(p, 1)
        process work(r, t) = use(r, t)
        process twice(L) = L; L
        process step = work(cpu(3), 2)
        process main = twice(step) || twice(work(cpu(3), 1))";
    let t = timing(text, &[]).expect("has a timing");
    assert_eq!(
        [t.phi, t.omega, t.time],
        [number("4"), number("6"), number("6")]
    );
    assert_eq!(t.delta.get("fcfs", &rational("3")), number("6"));
    assert_eq!(t.delta.len(), 1);
}

#[test]
fn a_multiplicity_must_be_positive() {
    let text = "numeric parameter m process main = use(fcfs(0, m), 1)";
    assert!(
        timing(text, &[("m", "0")])
            .expect_err("m is 0")
            .message
            .contains("a resource has 0 servers")
    );
}

#[test]
fn results_have_names() {
    with_value("process main = use(fcfs(2), 3)", &[], |e| {
        assert_eq!(e.equation("T_main"), Ok(scalar("3")));
        let delta = e.equation("delta_main").expect("main has a demand");
        let Value::Vector(delta) = delta else {
            panic!("{delta:?}")
        };
        assert_eq!(delta.get("fcfs", &rational("2")), number("3"));
        assert_eq!(e.equation("omega_main"), Ok(scalar("3")));
        assert!(e.equation("T_other").is_err());
    });
}

#[test]
fn an_array_says_how_many_servers_it_has() {
    let text = "resource pool = servers(4) resource disk(i) = servers(i + 1)
                process main = par (p = 1, 8) { use(pool, 2) ; use(disk(1), 3) }";
    let delta = timing(text, &[]).expect("a time").delta;
    let amounts: Vec<String> = delta
        .components()
        .into_values()
        .map(|amount| amount.to_string())
        .collect();
    assert_eq!(amounts, ["12", "4"]);
}
