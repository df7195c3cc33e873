use super::*;

/// The messages of all that is wrong with a model, with the text of the main place of each.
fn wrong(text: &str) -> Vec<(String, String)> {
    let error = check(text).map(|_| ()).expect_err(text);
    let place = |d: &Diagnostic| {
        let span = d.labels[0].0;
        error.sources.0[span.file as usize].text[span.start as usize..span.end as usize].to_owned()
    };
    error
        .diagnostics
        .iter()
        .map(|d| (d.message.clone(), place(d)))
        .collect()
}

fn assert_wrong(text: &str, message: &str, place: &str) {
    let found = wrong(text);
    assert!(
        found.len() == 1 && found[0].0.contains(message) && found[0].1 == place,
        "{text}: expected one error `{message}` at `{place}`, found {found:?}"
    );
}

#[test]
fn names_are_bound_once() {
    assert_wrong("numeric a = 1 numeric a = 2", "defined twice", "a");
    assert_wrong("numeric f(a, a) = a", "two arguments are named `a`", "a");
    assert_wrong(
        "numeric x = sum (i = 1, 3) { i + j }",
        "`j` is not defined",
        "j",
    );
    assert_wrong(
        "numeric x = sum (i = i, 3) { i }",
        "`i` is not defined",
        "i",
    );
    assert_wrong("numeric max = 1", "predefined", "max");
    assert_wrong(
        "resource parameter d(i) resource fcfs(i) = d(i)",
        "predefined",
        "fcfs",
    );
    assert_wrong(
        "process main = delay(1) numeric T_main = 3",
        "name of a result",
        "T_main",
    );
}

#[test]
fn special_functions_have_their_arguments() {
    assert_wrong("numeric x = fact(1, 2)", "`fact` takes 1 argument", "fact");
    assert_wrong("numeric x = H(1, 2, 3)", "takes 1 or 2 arguments", "H");
    for order in ["0", "65", "1.5"] {
        let text = format!("numeric x = H(3, {order})");
        assert_wrong(&text, "order of a harmonic number", order);
    }
    let text = "numeric parameter n numeric x = H(3, n)";
    assert_wrong(text, "order of a harmonic number", "n");
}

#[test]
fn functions_of_processes_take_processes() {
    let main = "numeric parameter P process main = delay(P) process work(k) = delay(k)";
    let wrong = |expression: &str, message: &str, place: &str| {
        assert_wrong(&format!("{main} numeric x = {expression}"), message, place);
    };
    wrong("T(3)", "expected a process, found a number", "3");
    wrong("phi(P)", "expected a process, found a number `P`", "P");
    wrong("T(main, 2)", "`T` takes 1 argument, found 2", "T");
    wrong("omega(work)", "`work` takes 1 argument", "work");
    wrong("T_main + 1", "`T_main` is not defined", "T_main");
    wrong(
        "T(main) + delta(work(x))",
        "`x` is defined in terms of itself",
        "x",
    );
    let text = "process main = delay(x) numeric x = T(main)";
    assert_wrong(text, "`main` is defined in terms of itself", "x");
    check("numeric T = T(main) process main = delay(1)").expect("an equation without arguments");
    check("numeric T(x) = 2 * x numeric phi = T(3)").expect("a function of its own");
    wrong(
        "delta(main) mod 2",
        "`mod` cannot be a vector",
        "delta(main) mod 2",
    );
}

#[test]
fn names_are_replaced_that_have_values() {
    let main = "numeric parameter P process main = delay(P) numeric Q = 2 * P numeric f(y) = at(y * P, P, 1)
                numeric g(L) = at(T(L), P, 1) numeric h(y) = f(y) + f(2) process work(t) = delay(t)";
    let wrong = |expression: &str, message: &str, place: &str| {
        assert_wrong(&format!("{main} numeric x = {expression}"), message, place);
    };
    wrong("at(3, 1, 2)", "expected a name that `at` replaces", "1");
    wrong("at(3, P)", "`at` takes at least 3 arguments", "at");
    wrong(
        "at(3, P, 1, Q)",
        "an expression, then names with their values",
        "at",
    );
    wrong("at(3, P, 1, P, 2)", "replaced twice", "P");
    wrong("at(3, R, 1)", "`R` is not defined", "R");
    wrong(
        "at(3, main, 1)",
        "expected a number, found a process `main`",
        "main",
    );
    wrong("at(3, f, 1)", "`f` takes 1 argument", "f");
    wrong("sum (i = 1, 3) { at(i, i, 1) }", "cannot replace `i`", "i");
    wrong("at(3, Q, [1, 2])", "cannot be a vector", "[1, 2]");
    wrong(
        "at(3, Q, exponential(2))",
        "cannot be random",
        "exponential(2)",
    );
    // With which P?
    for argument in ["P", "T(main)", "Q + 1"] {
        wrong(
            &format!("f({argument})"),
            "an argument that depends on `P`",
            argument,
        );
        wrong(
            &format!("h({argument})"),
            "an argument that depends on `P`",
            argument,
        );
    }
    wrong("g(work(Q))", "an argument that depends on `P`", "Q");
    check(&format!(
        "{main} numeric x = f(2) + g(main) + g(work(3)) + h(7)"
    ))
    .expect("no doubt");
}

#[test]
fn a_model_may_give_the_names_of_special_functions_a_meaning() {
    let own = check("numeric H(n) = 2 * n numeric x = H(3)").expect("a function of its own");
    assert!(own.callee("H").is_some());
    let parameter = check("numeric parameter H numeric x = H(H)").expect("a parameter");
    assert!(parameter.callee("H").is_none() && parameter.position("H").is_some());
    check("numeric x = sum (H = 1, 3) { H(H) }").expect("an index");
}

#[test]
fn several_errors_are_told_in_the_order_of_the_text() {
    let found = wrong("numeric a = b process p = q resource r = s numeric c = p");
    let messages: Vec<&str> = found.iter().map(|(message, _)| message.as_str()).collect();
    let expected = [
        "`b` is not defined",
        "`q` is not defined",
        "`s` is not defined",
        "expected a number, found a process `p`",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn a_near_name_is_suggested() {
    let error = check("numeric workload = 1 process main = delay(worklaod)")
        .map(|_| ())
        .expect_err("unbound");
    assert_eq!(
        error.diagnostics[0].hint.as_deref(),
        Some("did you mean `workload`?")
    );
}

#[test]
fn a_near_word_is_suggested_for_a_step() {
    for (step, near) in [("dely(3)", "delay"), ("uses(3)", "use")] {
        let error = check(&format!("process main = {step}")).map(|_| ());
        let error = error.expect_err("unbound");
        let hint = format!("did you mean `{near}`?");
        assert_eq!(error.diagnostics[0].hint, Some(hint));
    }
}

#[test]
fn the_predefined_array_without_an_element_is_no_resource() {
    let error = check("resource cpu(p) = fcfs process main = use(cpu(1), 1)")
        .map(|_| ())
        .expect_err("no element");
    let hint = error.diagnostics[0].hint.as_deref().unwrap_or_default();
    assert!(
        hint.contains("`fcfs(i, servers)`") && hint.contains("`resource cpu(p)`"),
        "{hint}"
    );
}

#[test]
fn recursion_shows_its_cycle() {
    let error = check("numeric a = b + 1 numeric b = c numeric c = a numeric d = a")
        .map(|_| ())
        .expect_err("cycle");
    assert_eq!(error.diagnostics.len(), 1);
    assert_eq!(error.diagnostics[0].labels.len(), 3);
    assert_wrong(
        "process main = delay(1); main",
        "defined in terms of itself",
        "main",
    );
}

#[test]
fn types_are_right() {
    assert_wrong(
        "resource s = fcfs(0) process main = delay(s)",
        "expected a number, found a resource",
        "s",
    );
    assert_wrong(
        "numeric n = 1 process main = use(n, 1)",
        "expected a resource, found a number",
        "n",
    );
    assert_wrong(
        "process main = use(3, 1)",
        "expected a resource, found a number",
        "3",
    );
    assert_wrong(
        "numeric n = 1 process main = n",
        "expected a process, found a number",
        "n",
    );
    assert_wrong("process main = seq (i = 1, 2) i", "found the index", "i");
    assert_wrong(
        "process f(x) = delay(x); use(x, 1)",
        "used as a number and as a resource",
        "x",
    );
    assert_wrong(
        "process w(r) = use(r, 1) process main = w(3)",
        "expected a resource",
        "3",
    );
    assert_wrong(
        "process t(L) = L; L process main = t(1 + 2)",
        "expected a process",
        "1 + 2",
    );
    assert_wrong(
        "process w(r) = use(r, 1) process v(q) = w(q) process main = v(7)",
        "expected a resource",
        "7",
    );
}

#[test]
fn arities_are_right() {
    assert_wrong(
        "numeric f(a) = a numeric x = f(1, 2)",
        "takes 1 argument, found 2",
        "f",
    );
    assert_wrong(
        "numeric f(a) = a numeric x = f",
        "takes 1 argument, found 0",
        "f",
    );
    assert_wrong(
        "numeric x = floor(1, 2)",
        "takes 1 argument, found 2",
        "floor",
    );
    assert_wrong(
        "numeric x = moments(1, 2)",
        "takes 4 arguments, found 2",
        "moments",
    );
    assert_wrong("numeric x = mixture(1/2, 3, 1/2)", "pairs", "mixture");
    assert_wrong(
        "process main = use(fcfs, 1)",
        "`fcfs` is not defined",
        "fcfs",
    );
    assert_wrong(
        "process main = use(fcfs(1, 2, 3), 1)",
        "`fcfs` takes an index",
        "fcfs",
    );
    assert_wrong(
        "resource parameter disk(i) process main = use(disk, 1)",
        "`disk` takes an index",
        "disk",
    );
}

#[test]
fn declarations_are_complete() {
    assert_wrong("numeric parameter f(x)", "parameter with arguments", "f");
    assert_wrong("process parameter work", "unknown process", "work");
    assert_wrong("resource parameter d(i, j, k)", "more than one", "d");
    assert_wrong(
        "numeric parameter N assume N + 1",
        "must be a relation",
        "N + 1",
    );
}

#[test]
fn sorts_are_right() {
    assert_wrong(
        "numeric x = sum (i = [1], 3) { i }",
        "a bound cannot be a vector",
        "[1]",
    );
    assert_wrong(
        "process main = delay(unitvec(2))",
        "time of a `delay` cannot be a vector",
        "unitvec(2)",
    );
    assert_wrong(
        "process main = use(fcfs([1]), 1)",
        "index of a resource cannot be a vector",
        "[1]",
    );
    assert_wrong(
        "process main = use(fcfs(exponential(1)), 1)",
        "index of a resource cannot be random",
        "exponential(1)",
    );
    assert_wrong(
        "numeric x = [1] < 2",
        "comparison cannot be a vector",
        "[1]",
    );
    assert_wrong(
        "numeric x = [[1], 2]",
        "element of a vector cannot be a vector",
        "[1]",
    );
    assert_wrong(
        "numeric x = if (1 > 2) [1] else 2",
        "a choice of a vector and a scalar",
        "2",
    );
    assert_wrong(
        "numeric v = [1] numeric x = 1 / v",
        "a divisor cannot be a vector",
        "v",
    );
    assert_wrong(
        "process f(t) = delay(t) process main = f([1, 2])",
        "cannot be a vector",
        "t",
    );
    assert_wrong(
        "numeric f(v) = max(v) process main = delay(f([1])); delay(f([1]) * [2])",
        "cannot be a vector",
        "f([1]) * [2]",
    );
}

#[test]
fn dividing_by_a_constant_zero_is_an_error() {
    assert_wrong("numeric x = 1 / 0", "division by zero", "0");
    assert_wrong("numeric x = 1 mod 0", "`mod` by zero", "0");
    assert_wrong("numeric x = 1 div (2 - 2)", "division by zero", "(2 - 2)");
    assert_wrong(
        "numeric z = 1 - 1 process main = delay(3 / z)",
        "division by zero",
        "z",
    );
    model("numeric z = 0 numeric x = if (z == 0) 0 else 1 / z");
    model("numeric parameter z = 0 numeric x = 1 / z");
    model("numeric z = 0 numeric x = sum (i = 1, 0) { 1 / z }");
}

#[test]
fn what_the_papers_write_is_accepted() {
    model(
        "numeric exponential(mu) = moments(mu, mu*mu, 2, 9) numeric ts = exponential(0.1)
           resource parameter fcfs(i) resource s = fcfs(0, 1) process main = use(s, ts)",
    );
    model("numeric parameter X : law numeric parameter N : integer >= 1 <= 4096 assume N mod 2 == 0, integer(N / 3)
           process main = seq (i = 1, N) if (bernoulli(0.1)) delay(X)");
}

#[test]
fn a_definition_is_checked_with_the_model() {
    let mut model =
        model("numeric parameter z numeric x = 1 / z numeric f(a) = a process main = delay(1)");
    let mut define = |name: &str, text: &str| {
        let (value, sources) = crate::syntax::parse_expression("-D", text).expect("parses");
        model
            .define(name, value, &sources, &NoFiles)
            .map_err(|error| error.diagnostics[0].message.clone())
    };
    // What then divides by it says so itself, beside the results of the other equations.
    assert_eq!(define("z", "0"), Ok(()));
    assert_eq!(
        define("y", "1"),
        Err("cannot set `y`: the model has no such parameter or numeric equation".to_owned())
    );
    assert_eq!(
        define("f", "1"),
        Err("`f` cannot be given a value".to_owned())
    );
    assert_eq!(
        define("main", "1"),
        Err("`main` cannot be given a value".to_owned())
    );
    assert_eq!(define("z", "q"), Err("`q` is not defined".to_owned()));
    assert_eq!(define("z", "2"), Ok(()));
}

#[test]
fn a_cycle_of_ten_thousand_names_is_told_shortly() {
    let mut text = String::new();
    for k in 0..10_000 {
        text.push_str(&format!("numeric a{k} = a{} + 1 ", (k + 1) % 10_000));
    }
    let error = check(&text).map(|_| ()).expect_err("cycle");
    assert_eq!(error.diagnostics.len(), 1);
    assert!(error.diagnostics[0].labels.len() < 20);
}

#[test]
fn hostile_numbers_of_names_are_told_shortly() {
    let formals: Vec<String> = (0..300).map(|k| format!("a{k}")).collect();
    assert!(
        wrong(&format!("numeric f({}) = 1", formals.join(", ")))[0]
            .0
            .contains("more than 255 arguments")
    );
    let unbound: String = (0..5_000)
        .map(|k| format!("numeric a{k} = b{k} "))
        .collect();
    assert_eq!(wrong(&unbound).len(), 50);
}

#[test]
fn zero_to_a_negative_power_is_an_error() {
    assert_wrong("numeric x = 1 + 0 ^ (-1)", "0 to a negative power", "0");
    model("numeric parameter z = 0 numeric x = z ^ (-1)");
}

#[test]
fn an_array_has_one_index() {
    let wrong = [
        ("resource a(x, y)", "resource `a` has more than one index"),
        (
            "resource a(i) process main = par (x = 1, 2) par (y = 1, 2) use(a(x, y), 1)",
            "the number of servers of `a` depends on `y`, but its index does not",
        ),
        (
            "process main = par (m = 1, 2) use(fcfs(0, m + 1), 1)",
            "the number of servers of `fcfs` depends on `m`, but its index does not",
        ),
    ];
    for (text, message) in wrong {
        let error = check(text).expect_err("it is no model");
        assert_eq!(error.diagnostics[0].message, message);
    }
    for text in [
        "resource a(i) process main = par (x = 1, 2) use(a(x, x + 1), 1)",
        "resource a(i) process main = par (x = 1, 2) par (y = 1, 2) use(a(x * 3 + y), 1)",
        "numeric parameter m process main = par (x = 1, 2) use(fcfs(x, m), 1)",
    ] {
        assert!(check(text).is_ok(), "{text}");
    }
}

#[test]
fn the_number_of_servers_of_an_array_is_checked() {
    let wrong = |resource: &str, message: &str, place: &str| {
        let text = format!("{resource} process main = use(disk(1, 2), 3)");
        assert_wrong(&text, message, place);
    };
    wrong(
        "resource disk(i) = servers(2)",
        "`disk` takes an index",
        "disk",
    );
    check("resource servers = fcfs(0, 1) process main = use(servers, 1)").expect("a name");
    check("numeric parameter servers resource r = servers(servers) process main = use(r, 1)")
        .expect("a name of a number");
}
