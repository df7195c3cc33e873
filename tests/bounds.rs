//! Bounds of times with contention: beside simulations, and closed forms beside the definition.

use std::fs;
use std::path::Path;

use num_rational::BigRational;
use pamela::compiled::{Evaluated, Method};
use pamela::document;
use pamela::estimate::{MeanValue, mean_value};
use pamela::eval::Value;
use pamela::model::{Evaluator, Limits, Number};
use pamela::simulate::{Options as Simulation, Replications, Watch, simulate};
use pamela::timing::{Contention, Origin};
use pamela::{Model, Options};
use pamela_lab::study::contention::{compared, generated};

use crate::day::seeds;

/// Random models, where nothing else is asked for.
const MODELS: u64 = 30;

const MACHINE_REPAIR: &str = "
    numeric parameter P : integer >= 1
    numeric parameter N : integer >= 1
    numeric parameter m : integer >= 1
    numeric parameter tl : >= 0
    numeric parameter ts : >= 0
    resource s = servers(m)
    process main = par (p = 1, P) seq (i = 1, N) { delay(tl) ; use(s, ts) }";

fn defined(text: &str, values: &[(&str, i64)]) -> Model {
    let mut model = Model::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    for (name, value) in values {
        model.define(name, &value.to_string()).expect(name);
    }
    model
}

fn simulated(model: &Model) -> BigRational {
    let options = Simulation {
        replications: Replications::Exactly(1),
        ..Simulation::default()
    };
    let report = simulate(model.checked(), &options, &Watch::default());
    let report = report.expect("runs");
    let exact = report.processes[0].fraction.as_ref();
    exact.expect("exact").parse().expect("a fraction")
}

fn definition(model: &Model, name: &str) -> BigRational {
    let none = Default::default();
    let limits = Limits { steps: 5_000_000 };
    let value = Evaluator::new(model.checked(), &none, limits).equation(name);
    let value = value.unwrap_or_else(|diagnostic| panic!("{name}: {}", diagnostic.message));
    match value.as_scalar() {
        Some(Number::Exact(value)) => value.to_big(),
        other => panic!("{name} is {other:?}"),
    }
}

fn evaluated(text: &str, values: &[(String, String)]) -> Evaluated {
    let options = Options {
        bounds: true,
        all: true,
        ..Options::default()
    };
    let rules = pamela::rules::standard().expect("rules");
    let model = Model::parse(text).expect("a model");
    let evaluated = model.evaluate(values, rules, &options);
    evaluated.unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn closed(evaluated: &Evaluated, name: &str) -> (BigRational, Method, Vec<String>) {
    let found = evaluated.equations.iter().find(|e| e.name == name);
    let found = found.unwrap_or_else(|| panic!("no {name}"));
    let Value::Scalar(number) = &found.value else {
        panic!("{name} is no scalar")
    };
    let exact = number
        .as_exact()
        .unwrap_or_else(|| panic!("{name} is {number}"));
    let value = exact.to_string().parse().expect("a fraction");
    (value, found.method, found.approximations.clone())
}

fn ratio(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(numerator.into(), denominator.into())
}

#[test]
fn windows_of_the_machine_repair_model_are_its_time() {
    for (clients, cycles, think, service) in [
        (1, 1, 3, 1),
        (2, 5, 3, 1),
        (4, 7, 3, 1),
        (5, 3, 10, 2),
        (30, 10, 9, 2),
        (7, 10, 3, 1),
        (3, 2, 0, 1),
    ] {
        let values = [
            ("P", clients),
            ("N", cycles),
            ("m", 1),
            ("tl", think),
            ("ts", service),
        ];
        let model = defined(MACHINE_REPAIR, &values);
        let time = (cycles * (think + service) + (clients - 1) * service)
            .max(cycles * clients * service + think);
        assert_eq!(simulated(&model), ratio(time, 1), "{values:?}");
        assert_eq!(definition(&model, "L_main"), ratio(time, 1), "{values:?}");
        assert_eq!(definition(&model, "U_main"), ratio(time, 1), "{values:?}");
        assert_eq!(
            definition(&model, "time_main"),
            ratio(time, 1),
            "{values:?}"
        );
        let given = values.map(|(name, value)| (name.to_string(), value.to_string()));
        let evaluated = evaluated(MACHINE_REPAIR, &given);
        assert_eq!(closed(&evaluated, "L_main").0, ratio(time, 1), "{values:?}");
    }
}

#[test]
fn several_servers_lie_within_the_bounds() {
    for (servers, clients, time) in [(2, 7, 43), (3, 40, 137), (4, 5, 41)] {
        let values = [
            ("P", clients),
            ("N", 10),
            ("m", servers),
            ("tl", 3),
            ("ts", 1),
        ];
        let model = defined(MACHINE_REPAIR, &values);
        assert_eq!(simulated(&model), ratio(time, 1));
        // By hand: all visits after the first think, or the first visits before nine more cycles.
        let all = ratio(3, 1) + ratio(10 * clients, servers);
        let first = ratio(3, 1) + ratio(clients, servers) + ratio(36, 1);
        let least = all.max(first).max(ratio(40, 1));
        assert_eq!(definition(&model, "L_main"), least);
        let most = ratio(40, 1) + ratio(10 * (clients - 1), servers);
        assert_eq!(definition(&model, "U_main"), most);
        assert!(least <= ratio(time, 1) && ratio(time, 1) <= most);
    }
    // Nobody waits where there is a server for each.
    let values = [("P", 4), ("N", 10), ("m", 4), ("tl", 3), ("ts", 1)];
    let model = defined(MACHINE_REPAIR, &values);
    assert_eq!(definition(&model, "U_main"), ratio(40, 1));
}

#[test]
fn bounds_hold_in_random_models() {
    let mut contended = 0;
    for seed in 0..300 {
        let Some(found) = compared(seed).expect("a model") else {
            continue;
        };
        let text = generated(seed).text;
        assert!(
            found.violations.is_empty(),
            "{:?}\n{text}",
            found.violations
        );
        contended += usize::from(found.simulated.iter().any(|&time| time > found.phi));
    }
    assert!(contended > 120, "{contended}");
}

#[test]
fn closed_bounds_are_the_definition_or_weaker() {
    let (mut same, mut weaker, mut forms) = (0, 0, 0);
    let seeds = seeds("PAMELA_MODELS", MODELS);
    for &seed in &seeds {
        let generated = generated(seed);
        let mut model = Model::parse(&generated.text).expect("a model");
        for (name, value) in &generated.values {
            model.define(name, value).expect("a value");
        }
        let found = evaluated(&generated.text, &generated.values);
        let text = &generated.text;
        for name in ["U_main", "U2_main", "U1_main"] {
            let own = definition(&model, name);
            let (value, method, notes) = closed(&found, name);
            forms += usize::from(method == Method::Closed);
            let exactly = notes.is_empty() && name != "U2_main";
            assert!(own <= value, "{name}: {own} is not at most {value}\n{text}");
            assert!(
                !exactly || own == value,
                "{name}: {own} is not {value}\n{text}"
            );
            same += usize::from(own == value);
            weaker += usize::from(own < value);
        }
        let (least, own) = (closed(&found, "L_main").0, definition(&model, "L_main"));
        assert!(least <= own, "L: {least} is not at most {own}\n{text}");
        assert!(
            definition(&model, "T_main") <= least,
            "L: {least} is below T\n{text}"
        );
    }
    // Of three bounds of each model most are closed, and half are the definition; some are weaker.
    assert!(forms > 2 * seeds.len(), "{forms}");
    assert!(2 * same > 3 * seeds.len(), "{same}");
    assert!((seeds.len() as u64) < MODELS || weaker > 3, "{weaker}");
}

/// A product of a truth value and a quotient was once multiplied out without end.
#[test]
fn a_quotient_beside_truth_values_has_bounds() {
    let text = "numeric parameter N : integer >= 0
        resource c
        process main = any (i = 1, 2) { delay(1 / (N + 1)) <> use(c, i mod 2) }";
    for value in [0, 1, 5] {
        let model = defined(text, &[("N", value)]);
        let found = evaluated(text, &[("N".to_string(), value.to_string())]);
        let time = simulated(&model);
        assert!(closed(&found, "L_main").0 <= time);
        assert_eq!(closed(&found, "U_main").0, definition(&model, "U_main"));
        assert!(time <= closed(&found, "U_main").0);
    }
}

/// Closed bounds beside runs in exact arithmetic, with times over a parameter and without; `PAMELA_MODELS=2000` tries
/// more models.
#[test]
fn closed_bounds_enclose_runs_of_random_models() {
    let mut wrong = Vec::new();
    for seed in seeds("PAMELA_MODELS", MODELS) {
        let generated = generated(seed);
        let text = match seed % 4 {
            0 => generated.text,
            _ => generated.text.replace("/4", "/(N + 1)"),
        };
        let mut model = Model::parse(&text).expect("a model");
        for (name, value) in &generated.values {
            model.define(name, value).expect("a value");
        }
        let time = simulated(&model);
        let found = evaluated(&text, &generated.values);
        if closed(&found, "L_main").0 > time {
            wrong.push(format!("L_main is above {time}\n{text}"));
        }
        for name in ["U_main", "U2_main", "U1_main"] {
            if closed(&found, name).0 < time {
                wrong.push(format!("{name} is below {time}\n{text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The mean of so many replications, with its standard error.
fn mean(model: &Model, replications: usize) -> (f64, f64) {
    let options = Simulation {
        replications: Replications::Exactly(replications),
        ..Simulation::default()
    };
    let report = simulate(model.checked(), &options, &Watch::default()).expect("runs");
    let main = &report.processes[0];
    let deviation = main.deviation.unwrap_or(0.0);
    (main.mean, deviation / (replications as f64).sqrt())
}

#[test]
fn bounds_of_means_hold_for_random_times() {
    for text in [
        "resource s = servers(1)
         process main = par (p = 1, 6) seq (i = 1, 5) { delay(exponential(4)) ; use(s, exponential(1)) }",
        "resource s = servers(2)
         process main = par (p = 1, 6) seq (i = 1, 5) { delay(uniform(0, 4)) ; use(s, exponential(1)) }",
        "resource s = servers(1)
         process main = par (p = 1, 3) seq (i = 1, geometric(0.3)) use(s, exponential(1))",
        "resource s = servers(1)
         process main = par (p = 1, 4) seq (i = 1, 6) if (bernoulli(0.3)) use(s, 2) else delay(1)",
        "resource s = servers(1)
         process main = par (p = 1, 4) seq (i = 1, 6) if (0.3) use(s, 2) else delay(1)",
        "resource s = servers(1)
         process main = seq (i = 1, 6) if (0.3) { use(s, 2) || use(s, 1) } else delay(1)",
        "resource s = servers(1)
         process main = { if (0.5) delay(10) } <> delay(5)",
        "resource s = servers(1)
         process main = any (2 of p = 1, 4) { delay(exponential(1)) ; use(s, exponential(2)) }",
        "process main = par (p = 1, 5) if (uniform(0, 1)) delay(exponential(3)) else delay(1)",
        "resource s(i) = servers(1)
         process main = par (p = 1, 5) { use(s(0), exponential(p)) ; par (q = 1, 3) use(s(q), exponential(1)) }",
    ] {
        let model = Model::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let (mean, error) = mean(&model, 2000);
        let found = evaluated(text, &[]);
        let value = |name: &str| {
            let equation = found.equations.iter().find(|e| e.name == name);
            match equation.map(|e| &e.value) {
                Some(Value::Scalar(number)) => number.to_f64(),
                other => panic!("{name} is {other:?}\n{text}"),
            }
        };
        let (least, most) = (value("L_main"), value("U_main"));
        let slack = 4.0 * error + 1e-9 * mean;
        assert!(least <= mean + slack, "L {least}, simulated {mean} +- {error}\n{text}");
        assert!(mean - slack <= most, "U {most}, simulated {mean} +- {error}\n{text}");
        assert!(value("U1_main") >= mean - slack, "{text}");
    }
}

#[test]
fn many_branches_have_a_bound() {
    let branches: Vec<String> = (1..=70)
        .map(|k| format!("{{ delay({k}) ; use(r({}), {}) }}", k % 3, k % 5))
        .collect();
    let text = format!(
        "resource r(i) = servers(1) process main = {}",
        branches.join(" || ")
    );
    let model = defined(&text, &[]);
    let found = evaluated(&text, &[]);
    let (own, (most, ..)) = (definition(&model, "U_main"), closed(&found, "U_main"));
    assert!(simulated(&model) <= own && own <= most);
    assert!(closed(&found, "L_main").0 <= simulated(&model));
}

/// The estimate of a model at a point.
fn analysed(text: &str, values: &[(&str, i64)]) -> Result<MeanValue, String> {
    let model = defined(text, values);
    let options = Options {
        only: vec!["phi_main".to_string()],
        ..Options::default()
    };
    let compiled = model.compile(&options).expect("compiles");
    mean_value(&model, &compiled, &[], "main").map_err(|error| error.to_string())
}

/// By exact solutions of the networks, also by another program (the equilibrium of the birth and death of a queue).
#[test]
fn mean_value_analysis_is_exact_for_closed_networks() {
    let text = "
        numeric parameter P : integer >= 1
        numeric parameter m : integer >= 1
        resource s = servers(m)
        process main = par (p = 1, P) seq (i = 1, 100) { delay(exponential(10)) ; use(s, exponential(1)) }";
    for (servers, clients, throughput, response) in [
        (3, 20, 1.787_376_838, 1.189_582_173),
        (3, 40, 2.938_723_201, 3.611_353_389),
        (1, 20, 0.998_130_950, 10.037_450_985),
    ] {
        let found = analysed(text, &[("P", clients), ("m", servers)]).expect("fits");
        assert!(
            (clients as f64 / found.cycle - throughput).abs() < 1e-6,
            "{found:?}"
        );
        assert!(
            (found.stations[0].response - response).abs() < 1e-6,
            "{found:?}"
        );
    }
    let text = "
        numeric parameter P : integer >= 1
        resource s(i) = servers(1)
        process visit(k, t) = use(s(k), exponential(t))
        process main = par (p = 1, P) seq (i = 1, 100) {
            delay(exponential(5)) ; visit(1, 0.5) ; visit(2, 0.3) ; visit(3, 0.2) }";
    let found = analysed(text, &[("P", 10)]).expect("fits");
    assert!(
        (10.0 / found.cycle - 1.435_664_373).abs() < 1e-6,
        "{found:?}"
    );
    for (station, response) in [1.215_290_189, 0.481_073_014, 0.269_053_079]
        .iter()
        .enumerate()
    {
        assert!(
            (found.stations[station].response - response).abs() < 1e-6,
            "{found:?}"
        );
    }
    let [least, most] = found.balanced_job_bounds.expect("exponential");
    assert!(least <= found.cycle && found.cycle <= most, "{found:?}");
    let found = analysed(text, &[("P", 20)]).expect("fits");
    assert!(
        (20.0 / found.cycle - 1.971_434_733).abs() < 1e-6,
        "{found:?}"
    );
}

/// Several stations of which one has two servers: by hand for two clients without thinking. With `a = 1` at two servers
/// and `b = 1` at one, the states (2,0), (1,1), (0,2) weigh 1/2, 1, 1, and one client has a cycle of 2.
#[test]
fn several_servers_beside_others_have_their_equilibrium() {
    let text = "
        resource a = servers(2)
        resource b = servers(1)
        process main = par (p = 1, 2) seq (i = 1, 10) { use(a, exponential(1)) ; use(b, exponential(1)) }";
    let found = analysed(text, &[]).expect("fits");
    // Throughput: G(1)/G(2) = 2 / (5/2).
    assert!((2.0 / found.cycle - 0.8).abs() < 1e-12, "{found:?}");
    assert!(
        (found.stations[0].response - 1.0).abs() < 1e-12,
        "{found:?}"
    );
    assert!(
        (found.stations[1].response - 1.5).abs() < 1e-12,
        "{found:?}"
    );
}

/// Makespans over N of exponential times, by another program, with their standard errors of 0.3 %.
#[test]
fn the_last_client_is_estimated_within_one_per_cent() {
    let text = "
        numeric parameter P : integer >= 1
        resource s = servers(1)
        process main = par (p = 1, P) seq (i = 1, 100) { delay(exponential(10)) ; use(s, exponential(0.1)) }";
    for (clients, simulated) in [(10, 11.681), (100, 13.322), (200, 21.371), (500, 50.635)] {
        let found = analysed(text, &[("P", clients)]).expect("fits");
        let miss = found.time / 100.0 / simulated - 1.0;
        assert!(miss.abs() < 0.01, "{clients}: {miss}");
    }
}

#[test]
fn other_shapes_are_refused_with_what_differs() {
    for (text, said) in [
        (
            "process main = delay(exponential(1))",
            "no `par` with a range",
        ),
        (
            "process main = par (p = 1, 3) delay(exponential(1))",
            "no `seq` with a range",
        ),
        (
            "process main = par (p = 1, 3) seq (i = 1, 3) delay(exponential(p))",
            "depends on `p`",
        ),
        (
            "process main = par (p = 1, 3) seq (i = 1, 3) delay(exponential(i))",
            "depends on `i`",
        ),
        (
            "process main = par (p = 1, 3) seq (i = 1, 3) { delay(exponential(1)) || delay(1) }",
            "one after the other",
        ),
        (
            "process main = par (p = 1, 0) seq (i = 1, 3) delay(exponential(1))",
            "no iteration",
        ),
        (
            "process main = par (p = 1, 3) seq (i = 1, 3) delay(1)",
            "nothing in `main` is",
        ),
        (
            "process main = par (p = 1, 3) seq (i = 1, 3) delay(pareto(1, 1))",
            "no mean",
        ),
    ] {
        let error = analysed(text, &[]).expect_err(text);
        assert!(error.contains(said), "{text}\n{error}");
    }
}

/// A network of `P` clients that think for `z`, are served twice by one server for `a`, and once by one of two for `b`.
const NETWORK: &str = "
    numeric parameter P : integer >= 1
    numeric parameter N : integer >= 1
    numeric parameter z : > 0
    numeric parameter a : > 0
    numeric parameter b : > 0
    resource cpu
    resource disks = servers(2)
    process visit(t) = use(disks, exponential(t))
    process client = seq (i = 1, N) {
        delay(exponential(z)) ; use(cpu, exponential(a)) ; visit(b) ; use(cpu, exponential(a)) }
    process main = par (p = 1, P) client";

/// The closed forms of an estimate as a model of their own, at a point.
fn in_symbols(text: &str, clients: i64, contention: Contention, names: &[&str]) -> Vec<f64> {
    let model = defined(text, &[("P", clients)]);
    let options = Options {
        bounds: contention == Contention::Between,
        contention: Some(contention),
        ..Options::default()
    };
    let simplified = model.simplify(&options).expect("closed forms");
    let formulas = Model::parse(&document::pamela(&model, &simplified)).expect("a model");
    let options = Options {
        only: names.iter().map(ToString::to_string).collect(),
        ..Options::default()
    };
    let values = [("N", "10"), ("z", "3"), ("a", "1/3"), ("b", "2")];
    let values = values
        .iter()
        .filter(|(name, _)| text.contains(&format!("parameter {name} ")));
    let values: Vec<(String, String)> = values
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let rules = pamela::rules::standard().expect("rules");
    let found = formulas.evaluate(&values, rules, &options).expect("values");
    let value = |name: &&str| {
        let equation = found.equations.iter().find(|e| e.name == *name);
        match &equation.expect("an equation").value {
            Value::Scalar(number) => number.to_f64(),
            other => panic!("{name} is {other:?}"),
        }
    };
    names.iter().map(value).collect()
}

/// Formulas, by sums over all distributions of clients, beside the recursion over clients where all servers are single;
/// and beside what is plain: where no client can wait, and where one server is all that there is.
#[test]
fn mean_value_analysis_in_symbols_has_its_numbers() {
    let single = NETWORK.replace("servers(2)", "servers(1)");
    let plain = NETWORK.replace("; use(cpu, exponential(a)) }", "}");
    let apart = plain.replace("resource cpu", "resource cpu = servers(9)");
    let one = "numeric parameter P : integer >= 1
        numeric parameter N : integer >= 1
        resource cpu
        process main = par (p = 1, P) seq (i = 1, N) use(cpu, exponential(7))";
    let names = ["cycle_main", "mva_main"];
    let point = [("N", 10), ("z", 3), ("b", 2)];
    for clients in 1..=6 {
        for text in [&single, NETWORK] {
            let mut model = defined(text, &[("P", clients)]);
            for (name, value) in point {
                model.define(name, &value.to_string()).expect(name);
            }
            model.define("a", "1/3").expect("a");
            let options = Options {
                only: vec!["phi_main".to_string()],
                ..Options::default()
            };
            let compiled = model.compile(&options).expect("closed forms");
            let numbers = mean_value(&model, &compiled, &[], "main").expect("numbers");
            let found = in_symbols(text, clients, Contention::MeanValue, &names);
            for (found, expected) in found.iter().zip([numbers.cycle, numbers.time]) {
                let off = (found - expected).abs();
                assert!(off <= 1e-9 * expected, "{clients}: {found}, not {expected}");
            }
        }
        let cycle =
            |text: &str| in_symbols(text, clients, Contention::MeanValue, &["cycle_main"])[0];
        if clients <= 2 {
            assert!((cycle(&apart) - (3.0 + 1.0 / 3.0 + 2.0)).abs() < 1e-12);
        }
        assert_eq!(cycle(one), 7.0 * clients as f64);
    }
}

#[test]
fn estimates_between_the_bounds_are_a_fifth_of_the_way() {
    let names = ["L_main", "U_main", "estimate_main"];
    let text = "numeric parameter P : integer >= 1
        numeric parameter N : integer >= 1
        numeric parameter z : >= 0
        numeric parameter b : >= 0
        resource s
        process main = par (p = 1, P) seq (i = 1, N) { delay(z) ; use(s, b) ; delay(p) ; use(s, b) }";
    let [least, most, estimate] = in_symbols(text, 7, Contention::Between, &names)[..] else {
        panic!("three values")
    };
    assert!(least < most, "{least} {most}");
    assert!((estimate - (least + 0.2 * (most - least))).abs() < 1e-9);
}

#[test]
fn what_has_no_mean_value_analysis_in_symbols_says_why() {
    let told = |from: &str, to: &str, clients: &[(&str, i64)]| {
        let model = defined(&NETWORK.replace(from, to), clients);
        let options = Options {
            contention: Some(Contention::MeanValue),
            ..Options::default()
        };
        let simplified = model.simplify(&options).expect("closed forms");
        let failures: Vec<String> = simplified.failures.iter().map(|e| e.to_string()).collect();
        failures.join("\n")
    };
    let three = [("P", 3)];
    assert_eq!(told("nothing", "nothing", &three), "");
    assert!(told("nothing", "nothing", &[]).contains("no number"));
    assert!(told("cpu, exponential(a)", "cpu, a", &three).contains("not exponential"));
    assert!(told("exponential(a)) }", "exponential(b)) }", &three).contains("different means"));
    assert!(told("exponential(z)", "exponential(i)", &three).contains("depends on `i`"));
    assert!(told("par (p = 1, P) client", "client", &three).contains("no `par`"));
    assert!(told("servers(2)", "servers(N)", &three).contains("number of servers"));
    assert!(told("nothing", "nothing", &[("P", 60)]).contains("products"));
}

/// The models of the corpus with a point at which they are evaluated, `% at: N = 3, P = 2`.
fn corpus() -> Vec<(String, Vec<(String, String)>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut found = Vec::new();
    for room in ["papers", "codes", "patterns", "algebra", "issues"] {
        for entry in fs::read_dir(root.join(room)).expect("a room of the corpus") {
            let path = entry.expect("a file of the corpus").path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            let Some(line) = text.lines().find_map(|l| l.strip_prefix("% at:")) else {
                continue;
            };
            let parts = line.split(", ").filter_map(|part| part.split_once('='));
            let values = parts.map(|(name, value)| (name.trim().into(), value.trim().into()));
            found.push((path.to_string_lossy().into_owned(), values.collect()));
        }
    }
    found.sort();
    found
}

/// Where nobody waits, the calculus of laws predicts the mean that is simulated.
#[test]
fn simulated_means_without_contention_are_those_of_eval() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for (path, values) in corpus() {
        let mut model = Model::from_file(&path).expect("a model");
        for (name, value) in &values {
            model.define(name, value).expect("a value");
        }
        let rules = pamela::rules::standard().expect("rules");
        let options = Options {
            without_moments: true,
            ..Options::default()
        };
        let found = model.evaluate(&[], rules, &options).expect("values");
        for equation in &found.equations {
            let (Origin::Time(process), Some(law)) = (&equation.origin, &equation.law) else {
                continue;
            };
            let simulation = Simulation {
                process: Some(process.clone()),
                replications: Replications::Exactly(1000),
                ..Simulation::default()
            };
            // A time below 0, or a number of iterations that is none, is told elsewhere.
            let Ok(report) = simulate(model.checked(), &simulation, &Watch::default()) else {
                continue;
            };
            let waits = report
                .resources
                .iter()
                .any(|resource| resource.wait_mean > 0.0);
            // What is drawn otherwise than the model says has another mean.
            if waits || !report.approximations.is_empty() || !equation.approximations.is_empty() {
                continue;
            }
            let main = &report.processes[0];
            let error = main.deviation.unwrap_or(0.0) / 1000_f64.sqrt();
            let mean = law.cumulants.mean;
            compared += 1;
            if (main.mean - mean).abs() > 4.0 * error + 1e-9 * mean.abs() {
                wrong.push(format!(
                    "{path} {process}: {mean}, simulated {} +- {error}",
                    main.mean
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= 10, "{compared}");
}
