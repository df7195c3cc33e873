//! Lowered equations by hand, and against the definitional evaluator.

mod expression;

use std::collections::{BTreeMap, HashMap};

use num_rational::BigRational;

use super::{Fact, Lowered, Note, lower};
use crate::diagnostic::Error;
use crate::expr::{Arena, ExprId, Function, ReduceKind, Relation, Sort, SymbolKind};
use crate::model::{Evaluator, Fraction, Limits, Model, Value};
use crate::syntax::{NoFiles, parse_model};

fn model(text: &str) -> Model {
    let checked = parse_model("test.pam", text, &NoFiles)
        .and_then(|(tree, sources)| Model::check(tree, sources, &NoFiles));
    checked.unwrap_or_else(|error| panic!("{text}: {:?}", error.diagnostics))
}

fn try_lowered(text: &str, arena: &mut Arena) -> Result<Lowered, Error> {
    lower(&model(text), arena)
}

fn lowered(text: &str, arena: &mut Arena) -> Lowered {
    try_lowered(text, arena).unwrap_or_else(|error| panic!("{text}: {:?}", error.diagnostics))
}

fn equation(lowered: &Lowered, name: &str) -> ExprId {
    let found = lowered.equations.iter().find(|e| e.name == name);
    found.unwrap_or_else(|| panic!("no equation {name}")).expr
}

fn error(text: &str) -> String {
    let error = try_lowered(text, &mut Arena::new())
        .map(|_| ())
        .expect_err(text);
    error
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect::<Vec<_>>()
        .join("; ")
}

fn same(value: &Value, lowered: &expression::Value) -> bool {
    match (value, lowered) {
        (Value::Scalar(a), expression::Value::Scalar(b)) => {
            a.as_exact().map(Fraction::to_big).as_ref() == Some(b)
        }
        (Value::Vector(a), expression::Value::Vector(b)) => {
            let named = |array: &str| format!("{:?}", SymbolKind::Named(array.to_owned()));
            let a: Option<BTreeMap<_, _>> = a
                .components()
                .into_iter()
                .filter(|(_, value)| !value.is_zero())
                .map(|((array, index), value)| {
                    Some((
                        (named(&array), index.into_big()),
                        value.as_exact()?.to_big(),
                    ))
                })
                .collect();
            let b = b
                .iter()
                .filter(|(_, x)| **x != BigRational::from_integer(0.into()));
            a.as_ref().is_some_and(|a| a.iter().eq(b))
        }
        _ => false,
    }
}

/// Requires that every equation agrees with the definition wherever that is defined, with the parameters
/// running over `values`.
fn agrees(text: &str, values: &[&str]) {
    let model = model(text);
    let mut arena = Arena::new();
    let lowered = lowered(text, &mut arena);
    let names: Vec<String> = model.parameters().map(|p| p.name.text.clone()).collect();
    let values: Vec<BigRational> = values
        .iter()
        .map(|v| v.parse().expect("a rational"))
        .collect();
    let mut defined = 0;
    for point in 0..values.len().pow(names.len() as u32) {
        let value = |k: usize| values[point / values.len().pow(k as u32) % values.len()].clone();
        let bindings: BTreeMap<String, Value> = names
            .iter()
            .enumerate()
            .map(|(k, name)| (name.clone(), value(k).into()))
            .collect();
        let symbols: HashMap<_, _> = names
            .iter()
            .enumerate()
            .map(|(k, name)| (arena.named(name), value(k)))
            .collect();
        let mut evaluator = Evaluator::new(&model, &bindings, Limits { steps: 100_000 });
        for equation in &lowered.equations {
            let Ok(expected) = evaluator.equation(&equation.name) else {
                continue;
            };
            defined += 1;
            let found = expression::Point {
                arena: &arena,
                symbols: symbols.clone(),
            }
            .value(equation.expr);
            assert!(
                found.as_ref().is_some_and(|found| same(&expected, found)),
                "{text}: {} at {bindings:?}: expected {expected:?}, found {found:?}",
                equation.name
            );
        }
    }
    assert!(defined > 0, "{text} is defined nowhere");
}

const MACHINE_REPAIR: &str = "
    numeric parameter P numeric parameter N numeric parameter tl numeric parameter ts
    resource s = fcfs(0, 1)
    process main = par (p = 1, P) seq (i = 1, N) { delay(tl); use(s, ts) }";

#[test]
fn machine_repair_has_the_four_equations_of_the_table() {
    let mut arena = Arena::new();
    let lowered = lowered(MACHINE_REPAIR, &mut arena);
    let names: Vec<&str> = lowered.equations.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["T_main", "phi_main", "delta_main", "omega_main"]);
    assert_eq!(lowered.equations[2].sort, Sort::Vector);

    let a = &mut arena;
    let [p, n, tl, ts] = ["P", "N", "tl", "ts"].map(|name| a.parameter(name));
    let (one, zero, fcfs) = (a.number(1), a.number(0), a.named("fcfs"));
    let over = |kind, upper, body, a: &mut Arena| {
        let index = a.fresh_index();
        a.reduce(kind, index, one, upper, body)
    };
    let step = a.add(&[tl, ts]);
    let path = over(ReduceKind::Sum, n, step, a);
    let phi = over(ReduceKind::Max, p, path, a);
    let unit = a.unit_vector(fcfs, zero);
    let held = a.mul(&[ts, unit]);
    let held = over(ReduceKind::Sum, n, held, a);
    let delta = over(ReduceKind::Sum, p, held, a);
    let omega = a.vector_max(delta);
    let time = a.max(&[phi, omega]);
    assert_eq!(equation(&lowered, "phi_main"), phi);
    assert_eq!(equation(&lowered, "delta_main"), delta);
    assert_eq!(equation(&lowered, "omega_main"), omega);
    assert_eq!(equation(&lowered, "T_main"), time);
}

#[test]
fn machine_repair_agrees_with_the_definition() {
    agrees(MACHINE_REPAIR, &["0", "1", "3", "1/10"]);
}

#[test]
fn every_process_form_agrees_with_the_definition() {
    for process in [
        "delay(a)",
        "use(s, a)",
        "use(disk(a, 2), 3) || use(disk(1), b)",
        "use(s, a) || use(s, b) || delay(3)",
        "use(s, a); use(fcfs(b), 2); delay(1)",
        "seq (i = a, b) use(fcfs(i mod 2), i)",
        "par (i = a, b) use(fcfs(i mod 2, i + 1), i)",
        "seq (i = a, 7, b) use(fcfs(i mod 2), i)",
        "par (i = 3, a, -b) work(cpu(i), i)",
        "any (2 of i = 1, 6, b) use(s, i)",
        "use(s, a) <> delay(b)",
        "any (i = a, b) use(s, i)",
        "any (2 of i = a, b) use(s, i)",
        "par (j = 1, 2) any (a of i = 1, 3) use(s, i * j)",
        "if (a > b) use(s, a) else delay(b)",
        "if (a) use(s, 3)",
        "if (a / 4) use(s, 3) else par (i = 1, b) use(s, i)",
        "switch { a > b: use(s, 2), a == b: delay(7), 1: use(s, 5) }",
        "switch { a / 4: use(s, 2), 1 - a / 4: delay(7) }",
        "par (i = 1, 3) work(cpu(i), i) || twice(step)",
    ] {
        let text = format!(
            "numeric parameter a numeric parameter b resource s = fcfs(0, 1) resource parameter disk(i)
             resource cpu(p) = fcfs(p mod 2, 1) process work(r, t) = use(r, t) process step = use(cpu(a), b)
             process twice(L) = L; L process main = {process}"
        );
        agrees(&text, &["0", "1", "2", "3", "1/2"]);
    }
}

#[test]
fn every_numeric_form_agrees_with_the_definition() {
    for expression in [
        "a + b - 2*a*b",
        "a / b",
        "a / b * 2 / a",
        "a div b * 3",
        "a mod b / 2",
        "-a ^ 2 + b ^ -1",
        "(a < b) + (a <= b) + (a > b) + (a >= b) + (a == b) + (a != b)",
        "!(a < b)",
        "a > 0 && b / a > 1",
        "a == 0 || b / a > 1",
        "a && b || 1/3",
        "if (a > 0) b / a else b",
        "if (a) b else 3",
        "switch { a > b: 1 / (a - b), a < b: 1 / (b - a), 1: 0 }",
        "switch { a: 3, 1 - a: b }",
        "sum (i = a, b) { i * i }",
        "prod (i = a, b) { i }",
        "max (i = a, b) { i * (3 - i) }",
        "min (i = a, b) { i * (3 - i) }",
        "kth (a of i = 1, b) { (i - 2) ^ 2 }",
        "sum (i = 1, 3) { sum (j = i, 3) { i * j + a } }",
        "sum (i = 1, 3) { max (i = i, 2 * i) { i * b } }",
        "floor(a / 2) + ceil(b / 2) + abs(a - b) + integer(a / 2)",
        "max(a, b, 2) - min(a, b, 2)",
        "max([a, b, 2] * b)",
        "min([a, b])",
        "[a, b] * 2 - unitvec(3)",
        "[a, b] + 1",
        "a - unitvec(2)",
        "max([a, b], 3 * unitvec(2))",
        "[1, 2] * [a, b, 3]",
        "floor([a, b] / 2)",
        "sum (i = a, b) { i * unitvec(disk, i) }",
        "sum (i = a, 6, b) { i * i }",
        "sum (i = 6, a, -b) { sum (j = i, b, 1/2) { j } }",
        "max (i = a, 4, b + 1) { i * (3 - i) }",
        "f(a, b) + f(b, f(a, a))",
        "g(a > b) + g(a / 4)",
    ] {
        let text = format!(
            "numeric parameter a numeric parameter b resource parameter disk(i)
             numeric f(x, y) = sum (a = 1, 2) {{ a * x - y }} numeric g(c) = if (c) 5 else b numeric x = {expression}"
        );
        agrees(&text, &["-1", "0", "1", "2", "4", "1/2"]);
    }
}

#[test]
fn processes_in_equations_and_names_replaced_agree_with_the_definition() {
    for expression in [
        "T(main) + 2 * phi(main) - omega(main)",
        "max(delta(main)) + T(work(cpu(a), T(step))) + T(twice(step))",
        "max(2 * delta(work(cpu(1), b)) + unitvec(3))",
        "sum (i = 1, 3) { T(work(cpu(i), a * i)) }",
        "at(T(main), a, 1) - T(main)",
        "at(T(main), a, 1, b, 2) + at(a / b, a, b, b, a + 1)",
        "at(at(T(main), a, b + 1), b, a)",
        "sum (i = 1, 3) { at(ratio(main, i), a, i + b) }",
        "ratio(step, 2) + ratio(main, b) + by(b) + by(h)",
        "at(h, b, a) + at(h + a, h, 3)",
        "at(if (flag) a else b, flag, 1/2) + at(if (flag) a else b, flag, 0)",
        "if (T(main) > at(T(main), a, 1)) 5 else 6",
    ] {
        let text = format!(
            "numeric parameter a numeric parameter b resource s = fcfs(0, 1) numeric h = b * b numeric flag = 1
             resource cpu(p) = fcfs(p mod 2, 1) process work(r, t) = use(r, t) process step = use(cpu(a), b)
             process twice(L) = L; L process main = par (i = 1, a) {{ use(s, h); delay(b * i) }} || step
             numeric ratio(L, k) = at(T(L) * k, a, 3) - T(L) numeric by(v) = at(v * a, a, 2)
             process user = par (i = 1, 2) use(cpu(i), at(phi(step), b, i)) numeric x = {expression}"
        );
        agrees(&text, &["0", "1", "2", "3", "1/2"]);
    }
}

#[test]
fn what_is_known_of_a_time_is_said_where_it_is_used() {
    let text = "process main = delay(1) <> use(fcfs(0, 1), 2) numeric x = T(main) numeric y = 2 * x
                process other = delay(y) numeric z = 3";
    let lowered = lowered(text, &mut Arena::new());
    for equation in &lowered.equations {
        let expected = !["phi_main", "z"].contains(&equation.name.as_str());
        assert_eq!(
            equation.notes.len(),
            usize::from(expected),
            "{}",
            equation.name
        );
    }
}

#[test]
fn a_true_condition_is_a_choice_and_a_probability_a_weighted_sum() {
    let mut arena = Arena::new();
    let text = "numeric parameter c numeric x = if (c > 0) 2 else 3 numeric y = if (c) 2 else 3";
    let lowered = lowered(text, &mut arena);
    let a = &mut arena;
    let (c, zero, one, two, three) = (
        a.parameter("c"),
        a.number(0),
        a.number(1),
        a.number(2),
        a.number(3),
    );
    let positive = a.relate(Relation::Less, zero, c);
    assert_eq!(equation(&lowered, "x"), a.if_else(positive, two, three));
    let rest = a.subtract(one, c);
    let terms = [a.mul(&[c, two]), a.mul(&[rest, three])];
    assert_eq!(equation(&lowered, "y"), a.add(&terms));
}

#[test]
fn equations_with_arguments_and_parameters_are_not_results() {
    let mut arena = Arena::new();
    let text = "numeric parameter P = 5 numeric f(a) = a process w(t) = delay(t) resource s = fcfs(0) numeric x = P";
    let lowered = lowered(text, &mut arena);
    assert_eq!(lowered.equations.len(), 1);
    assert_eq!(lowered.equations[0].expr, arena.parameter("P"));
}

#[test]
fn a_doubling_chain_of_depth_one_hundred_stays_small() {
    let mut text = String::from("numeric parameter P numeric f0(x) = x * P ");
    let mut processes = String::from("process p0(t) = use(fcfs(0), t) ");
    for k in 1..=100 {
        text.push_str(&format!(
            "numeric f{k}(x) = max(f{0}(x), f{0}(x + 1)) - f{0}(x) ",
            k - 1
        ));
        processes.push_str(&format!("process p{k}(t) = p{0}(t) || p{0}(t) ", k - 1));
    }
    let mut recurrences =
        String::from("numeric a0 = P numeric a1 = Q numeric b0 = P numeric b1 = Q ");
    for k in 2..=60 {
        recurrences.push_str(&format!(
            "numeric a{k} = a{0} + a{1} numeric b{k} = b{0} * b{1} ",
            k - 1,
            k - 2
        ));
    }
    let text = format!("{text} {recurrences} numeric parameter Q");
    let mut arena = Arena::new();
    lowered(
        &format!("{text} {processes} numeric x = f20(1) process main = p100(P)"),
        &mut arena,
    );
    assert!(arena.len() < 5_000, "{} expressions", arena.len());
}

#[test]
fn a_chain_of_ten_thousand_names_is_lowered() {
    let mut text = String::from("numeric parameter P numeric a0 = P ");
    for k in 1..=10_000 {
        text.push_str(&format!("numeric a{k} = a{} + 1 ", k - 1));
    }
    let mut arena = Arena::new();
    let lowered = lowered(&text, &mut arena);
    let expected = [arena.parameter("P"), arena.number(10_000)];
    assert_eq!(equation(&lowered, "a10000"), arena.add(&expected));
}

#[test]
fn a_time_that_rests_on_contention_is_a_lower_bound() {
    let noted = |process: &str| {
        let text =
            format!("numeric parameter P process part = {process} process main = part; delay(1)");
        let lowered = lowered(&text, &mut Arena::new());
        let time = lowered.equations.iter().find(|e| e.name == "T_main");
        time.is_some_and(|e| e.notes.contains(&Note::LargestDemandOnly))
    };
    for shared in [
        "use(fcfs(0), 1) || use(fcfs(0), 2)",
        "par (i = 1, P) use(fcfs(0), i)",
        "par (i = 1, P) use(fcfs(i div 2), 1)",
        "par (i = 1, P) par (j = 1, P) use(fcfs(j), 1)",
        "par (i = 1, P) { use(fcfs(i), 1); use(fcfs(0), 1) }",
        "{ seq (i = 1, P) use(fcfs(i), 1) } || use(fcfs(0), 2)",
    ] {
        assert!(noted(shared), "{shared}");
    }
    for own in [
        "delay(3) || delay(4)",
        "use(fcfs(0), 1) || use(fcfs(1), 2)",
        "seq (i = 1, P) use(fcfs(0), i)",
        "par (i = 1, P) { use(fcfs(2 * i + 1), 1); seq (j = 1, 3) use(fcfs(2 * i + 1), j) }",
        "use(fcfs(0), 1) || delay(3)",
    ] {
        assert!(!noted(own), "{own}");
    }
}

#[test]
fn dropped_demand_is_noted() {
    let notes = |process: &str| {
        let text = format!("process part = {process} process main = part; delay(1)");
        let lowered = lowered(&text, &mut Arena::new());
        lowered
            .equations
            .iter()
            .filter(|e| e.name.ends_with("main"))
            .map(|e| e.notes.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(notes("use(fcfs(0), 1) <> delay(2)"), [1, 0, 1, 1]);
    assert_eq!(notes("any (i = 1, 3) use(fcfs(i), i)"), [1, 0, 1, 1]);
    assert_eq!(notes("delay(3) <> delay(2)"), [0, 0, 0, 0]);
}

#[test]
fn facts_are_lowered_and_trivial_ones_dropped() {
    let mut arena = Arena::new();
    let text = "numeric parameter P : integer >= 1 numeric parameter N : <= 9 numeric one = 1
                assume N >= P && integer(N / P), one > 0, P >= 1";
    let lowered = lowered(text, &mut arena);
    let a = &mut arena;
    let (p, n, one, nine) = (a.parameter("P"), a.parameter("N"), a.number(1), a.number(9));
    let quotient = a.divide(n, p);
    let expected = [
        Fact::Integer(p),
        Fact::Holds(a.relate(Relation::LessEqual, one, p)),
        Fact::Holds(a.relate(Relation::LessEqual, n, nine)),
        Fact::Holds(a.relate(Relation::LessEqual, p, n)),
        Fact::Integer(quotient),
    ];
    assert_eq!(lowered.facts, expected);
    assert_ne!(a.apply(Function::Integer, quotient), quotient);
}

#[test]
fn what_cannot_be_lowered_is_an_error_with_a_place() {
    assert!(
        error("numeric x = prod (i = 1, 2) { exponential(i) }")
            .contains("a product over a range of laws")
    );
    assert!(
        error("numeric parameter X : law process main = delay(2 ^ X)")
            .contains("not supported yet")
    );
    assert!(error("numeric parameter k numeric x = unitvec(k) + 1").contains("not supported yet"));
    assert!(error("numeric x = max (i = 1, 3) { unitvec(i) }").contains("not supported yet"));
    assert!(error("numeric f(a) = 1 / a numeric x = f(0)").contains("division by zero"));
    assert!(
        error("process main = switch { 1/2: delay(1), 1/4: delay(2) }").contains("add up to 3/4")
    );
    for second in ["bernoulli(0.5)", "1 - bernoulli(0.5)", "0.5"] {
        let message = error(&format!(
            "numeric x = switch {{ bernoulli(0.5): 1, {second}: 2 }}"
        ));
        assert!(message.contains("switch"), "{second}: {message}");
    }
    let share = "moments(0.5, 0.1, 0, 3)";
    assert!(error(&format!("numeric x = switch {{ {share}: 1, {share}: 2 }}")).contains("switch"));
    assert!(error("numeric N = 0 assume N >= 1").contains("never holds"));
    assert!(error("process main = use(fcfs(0, 0), 1)").contains("a resource has 0 servers"));
    assert_eq!(
        error("numeric t = 1 / normal(0, 1) numeric x = t numeric y = 2 ^ gamma(1, 2)")
            .matches("a law")
            .count(),
        2
    );
}
