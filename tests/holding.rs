//! Resources that are held while processes run: bounds beside runs, closed forms, deadlocks.

use num_rational::BigRational;
use num_traits::ToPrimitive;
use pamela::compiled::Evaluated;
use pamela::document;
use pamela::estimate::mean_value;
use pamela::eval::Value;
use pamela::model::{Evaluator, Limits, Number};
use pamela::simulate::{self, ExecutionTime, Replications, Watch, WithoutTime, execution_time};
use pamela::{Model, Options};
use pamela_lab::study::contention::{compared_in, generated, generated_with_holding};

const POOL: &str = "
    numeric parameter P : integer >= 1
    numeric parameter N : integer >= 1
    numeric parameter C : integer >= 1
    numeric parameter z : >= 0
    numeric parameter q : >= 0
    numeric parameter h : >= 0
    resource pool = servers(C)
    resource lock
    process query = use(pool) { delay(q) ; use(lock, h) }
    process main = par (p = 1, P) seq (i = 1, N) { delay(z) ; query }";

fn model(text: &str, values: &[(&str, i64)]) -> Model {
    let mut model = Model::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    for (name, value) in values {
        model.define(name, &value.to_string()).expect(name);
    }
    model
}

fn run(model: &Model) -> Result<ExecutionTime, WithoutTime> {
    execution_time(model.checked(), "main", &Default::default(), 200_000)
}

fn time(text: &str, values: &[(&str, i64)]) -> BigRational {
    let found = run(&model(text, values)).unwrap_or_else(|why| panic!("{text}\n{why:?}"));
    found.in_text_order.exact.expect("exact")
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

fn whole(value: i64) -> BigRational {
    BigRational::from_integer(value.into())
}

/// How many models: of `PAMELA_MODELS`, or a few.
fn models(few: u64) -> u64 {
    std::env::var("PAMELA_MODELS").map_or(few, |n| n.parse().expect("a number"))
}

/// By the definition, in the order of the text and in drawn ones; `PAMELA_MODELS=2000` tries more models.
#[test]
fn bounds_hold_in_random_models_with_holding() {
    let (mut contended, mut looked_at) = (0, 0);
    let mut wrong = Vec::new();
    for seed in 0..models(150) {
        let generated = generated_with_holding(seed);
        let found = compared_in(seed, &generated);
        let found = found.unwrap_or_else(|error| panic!("{}\n{error}", generated.text));
        let Some(found) = found else { continue };
        if !found.violations.is_empty() {
            wrong.push(format!(
                "{seed}: {:?}\n{}",
                found.violations, generated.text
            ));
        }
        looked_at += 1;
        contended += usize::from(found.simulated.iter().any(|&time| time > found.phi));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(contended * 3 > looked_at, "{contended} of {looked_at}");
}

fn closed(text: &str, values: &[(String, String)]) -> Evaluated {
    let options = Options {
        bounds: true,
        only: ["T_main", "L_main", "U_main", "U2_main", "U1_main"]
            .map(String::from)
            .to_vec(),
        ..Options::default()
    };
    let rules = pamela::rules::standard().expect("rules");
    let model = Model::parse(text).expect("a model");
    let evaluated = model.evaluate(values, rules, &options);
    evaluated.unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn value(evaluated: &Evaluated, name: &str) -> BigRational {
    let found = evaluated.equations.iter().find(|e| e.name == name);
    let Value::Scalar(number) = &found.unwrap_or_else(|| panic!("no {name}")).value else {
        panic!("{name} is no scalar")
    };
    let exact = number
        .as_exact()
        .unwrap_or_else(|| panic!("{name} is {number}"));
    exact.to_string().parse().expect("a fraction")
}

/// Closed bounds are those of the definition, or weaker; `PAMELA_MODELS=200` tries more models.
#[test]
fn closed_bounds_with_holding_are_the_definition_or_weaker() {
    for seed in 0..models(10) {
        let generated = generated_with_holding(seed);
        let text = &generated.text;
        let mut model = Model::parse(text).expect("a model");
        for (name, value) in &generated.values {
            model.define(name, value).expect("a value");
        }
        let found = closed(text, &generated.values);
        let of = |name: &str| (definition(&model, name), value(&found, name));
        let (own, closed) = of("T_main");
        assert_eq!(own, closed, "{text}");
        let (own, closed) = of("L_main");
        assert!(closed <= own, "L: {closed} is above {own}\n{text}");
        for name in ["U_main", "U2_main", "U1_main"] {
            let (own, closed) = of(name);
            assert!(own <= closed, "{name}: {closed} is below {own}\n{text}");
        }
    }
}

/// The forms of the design, worked out by hand: all clients pass one lock, or a pool of one connection.
#[test]
fn one_server_that_is_held_is_a_machine_repair_model() {
    for (clients, cycles, think, query, lock) in [
        (1, 1, 3, 1, 2),
        (2, 5, 3, 1, 1),
        (4, 7, 30, 2, 1),
        (7, 3, 0, 1, 4),
    ] {
        let values = [
            ("P", clients),
            ("N", cycles),
            ("C", 1),
            ("z", think),
            ("q", query),
            ("h", lock),
        ];
        let held = query + lock;
        let expected =
            (cycles * (think + held) + (clients - 1) * held).max(think + cycles * clients * held);
        assert_eq!(time(POOL, &values), whole(expected), "{values:?}");
        let model = model(POOL, &values);
        assert_eq!(definition(&model, "L_main"), whole(expected), "{values:?}");
        let most = cycles * (think + clients * held);
        assert_eq!(definition(&model, "U_main"), whole(most), "{values:?}");
        let given = values.map(|(name, value)| (name.to_string(), value.to_string()));
        let found = closed(POOL, &given);
        assert_eq!(value(&found, "L_main"), whole(expected), "{values:?}");
        assert_eq!(value(&found, "U_main"), whole(most), "{values:?}");
    }
}

#[test]
fn what_is_held_is_demanded_for_as_long_as_its_body_takes() {
    // 5 clients on 2 connections, each for 2 + 1; the lock for 1.
    let values = [("P", 5), ("N", 3), ("C", 2), ("z", 3), ("q", 2), ("h", 1)];
    let model = model(POOL, &values);
    assert_eq!(definition(&model, "phi_main"), whole(18));
    assert_eq!(
        definition(&model, "omega_main"),
        BigRational::new(45.into(), 2.into())
    );
    // Of five tasks that hold one of two permits for 2 + 1, the last two of the lock wait for one another.
    let permits = "resource permits = servers(2)
        process main = par (i = 1, 5) use(permits) { delay(2) ; delay(1) }";
    assert_eq!(time(permits, &[]), whole(9));
    // A section inside, with a lock of its own: 2 and 3 after each other, 4 beside them.
    let section = "resource a resource b
        process main = par (i = 1, 2) use(a) { use(b, 2) || use(b, 3) || delay(4) }";
    assert_eq!(time(section, &[]), whole(10));
    let model = self::model(section, &[]);
    assert_eq!(definition(&model, "T_main"), whole(10));
    assert_eq!(definition(&model, "L_main"), whole(10));
}

#[test]
fn what_is_stopped_gives_back_what_it_holds() {
    for (text, expected) in [
        (
            "resource r process main = { use(r) { delay(10) } <> delay(1) } || { delay(2) ; use(r, 3) }",
            5,
        ),
        // While it waits inside.
        (
            "resource a resource b
             process main = { use(a) { use(b, 10) } <> delay(1) } || use(b, 2) || { delay(2) ; use(a, 4) }",
            6,
        ),
        // What is held around the section stays held.
        (
            "resource a resource b
             process main = use(a) { { use(b) { delay(9) } <> delay(1) } ; delay(3) } || { delay(1) ; use(a, 1) || use(b, 7) }",
            8,
        ),
    ] {
        assert_eq!(time(text, &[]), whole(expected), "{text}");
    }
}

/// `use(r, t)` with braces.
fn in_braces(text: &str) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find("use(") {
        let (before, inside) = rest.split_at(begin + 4);
        let (mut depth, mut comma, mut end) = (0, 0, 0);
        for (place, letter) in inside.char_indices() {
            match letter {
                '(' => depth += 1,
                ')' if depth == 0 => {
                    end = place;
                    break;
                }
                ')' => depth -= 1,
                ',' if depth == 0 => comma = place,
                _ => {}
            }
        }
        written += before;
        written += &format!(
            "{}) {{ delay({}) }}",
            &inside[..comma],
            &inside[comma + 1..end]
        );
        rest = &inside[end + 1..];
    }
    written + rest
}

#[test]
fn a_use_is_a_delay_for_which_the_resource_is_held() {
    for seed in 0..models(100) {
        let generated = generated(seed);
        let braces = in_braces(&generated.text);
        let found = [&generated.text, &braces].map(|text| {
            let mut model = Model::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
            for (name, value) in &generated.values {
                model.define(name, value).expect("a value");
            }
            let run = run(&model).map(|found| found.in_text_order.exact);
            let values = ["T_main", "L_main"].map(|name| definition(&model, name));
            (run.ok(), values)
        });
        assert_eq!(found[0], found[1], "{braces}");
    }
}

/// Branches that take locks inside of each other, in rising order or not.
fn nested_locks(seed: u64, ordered: bool) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |count: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % count
    };
    let servers = [0, 1, 2].map(|lock| format!("resource l{lock} = servers({})", 1 + below(5) / 4));
    let branches = (0..2 + below(4)).map(|_| {
        let mut locks: Vec<u64> = Vec::new();
        while locks.len() < 2 {
            let lock = below(3);
            if !locks.contains(&lock) {
                locks.push(lock);
            }
        }
        if ordered {
            locks.sort_unstable();
        }
        let [outer, inner, own, other] = [locks[0], locks[1], below(4), 1 + below(4)];
        format!("seq (i = 1, 3) {{ delay({own}) ; use(l{outer}) {{ delay({other}) ; use(l{inner}) {{ delay({other}) }} }} }}")
    });
    let branches: Vec<String> = branches.collect();
    let (servers, branches) = (servers.join(" "), branches.join(" || "));
    format!("{servers} process main = {branches}")
}

#[test]
fn deadlocks_are_found_and_none_where_locks_are_taken_in_one_order() {
    let count = models(200);
    let mut locked = 0;
    for seed in 0..count {
        let ordered = model(&nested_locks(seed, true), &[]);
        assert!(run(&ordered).is_ok(), "{}", nested_locks(seed, true));
        assert!(ordered.checked().warnings().is_empty());
        let any = nested_locks(seed, false);
        let model = model(&any, &[]);
        match run(&model) {
            Err(WithoutTime::Wrong(error)) => {
                let error = error.to_string();
                assert!(error.contains("deadlock at the time"), "{error}");
                assert!(!model.checked().warnings().is_empty(), "{any}");
                locked += 1;
            }
            Err(other) => panic!("{other:?}\n{any}"),
            Ok(found) => {
                let least = found.least.exact.expect("exact");
                assert!(definition(&model, "L_main") <= least, "{any}");
                let greatest = found.greatest.exact.expect("exact");
                assert!(greatest <= definition(&model, "U_main"), "{any}");
            }
        }
    }
    println!("{locked} of {count} lock");
    assert!(locked * 3 > count, "{locked} of {count}");
}

/// By hand: at 1 three hold a server of four and ask for another; one of them has it until 3, and then the two others.
#[test]
fn a_resource_of_several_servers_may_be_held_inside_itself() {
    let text = "resource a = servers(4)
        process main = par (i = 1, 3) use(a) { delay(1) ; use(a, 2) }";
    assert_eq!(time(text, &[]), whole(5));
    let model = model(text, &[]);
    assert_eq!(model.checked().warnings().len(), 1);
    assert!(definition(&model, "T_main") <= whole(5));
    assert!(definition(&model, "L_main") <= whole(5));
    for name in ["U_main", "U2_main", "U1_main"] {
        assert!(definition(&model, name) >= whole(5), "{name}");
    }
}

#[test]
fn what_is_held_is_printed_and_read_back() {
    let model = model(POOL, &[]);
    let options = Options {
        bounds: true,
        ..Options::default()
    };
    let simplified = model.simplify(&options).expect("closed forms");
    let text = document::pamela(&model, &simplified);
    assert!(Model::parse(&text).is_ok(), "{text}");
    let Some(pamela::syntax::tree::Value::Process(process)) = model
        .checked()
        .lookup("query")
        .and_then(|e| e.value.clone())
    else {
        panic!("a process")
    };
    let printed = process.to_string();
    assert_eq!(printed, "use(pool) {\n    delay(q);\n    use(lock, h)\n}");
}

#[test]
fn wrong_and_doubtful_holding_is_told() {
    let error = |text: &str| Model::parse(text).expect_err(text).to_string();
    let twice = error("resource a process p = use(a, 1) process main = use(a) { p }");
    assert!(
        twice.contains("`a` is requested while it is held"),
        "{twice}"
    );
    let number = error("numeric n = 1 process main = use(n) { delay(1) }");
    assert!(number.contains("resource"), "{number}");
    let warned = |text: &str| {
        let model = Model::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let warnings = model.checked().warnings();
        warnings.into_iter().map(|w| w.message).collect::<Vec<_>>()
    };
    let circle = |process: &str| {
        warned(&format!(
            "resource a resource b resource f(i) = servers(1) process take(r) = use(r, 1) process main = {process}"
        ))
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(circle("use(a) { use(b, 1) } || use(a) { take(b) }"), none);
    assert_eq!(
        circle("use(a) { use(b, 1) } || use(b) { take(a) }"),
        ["resources are held in a cycle: `a`, `b`, `a`"]
    );
    assert_eq!(
        circle("par (i = 1, 5) use(f(i)) { use(f(i + 1), 1) }"),
        none
    );
    assert_eq!(
        circle("par (i = 1, 5) use(f(i)) { use(f(i mod 5 + 1), 1) }"),
        ["resources are held in a cycle: an element of `f`, an element of `f`"]
    );
    assert_eq!(
        circle("use(f(1)) { use(f(2), 1) } || use(f(2)) { use(f(3), 1) }"),
        none
    );
    assert_eq!(
        circle("use(f(2)) { use(f(1), 1) } || par (i = 1, 3) use(f(i)) { use(f(i + 1), 1) }").len(),
        1
    );
}

/// Pools over cores and a disk beside their simulation; `PAMELA_MODELS=24` tries more, with the mean error.
#[test]
fn pools_are_estimated_within_a_few_per_cent() {
    let count = models(3).min(24);
    let mut errors = Vec::new();
    for seed in 0..count {
        let part = |shift: u64, count: u64| {
            seed.wrapping_mul(2_654_435_761).rotate_right(shift as u32) % count
        };
        let (clients, servers) = (8 + part(3, 16), 2 + part(7, 5));
        let (think, cores, disk) = (2 + part(11, 12), 1 + part(13, 3), 1 + part(17, 4));
        let text = format!(
            "resource pool = servers({servers}) resource cores = servers({cores}) resource disk
             process main = par (p = 1, {clients}) seq (i = 1, 150) {{
                 delay(exponential({think})) ;
                 use(pool) {{ use(cores, exponential(1)) ; use(disk, exponential({disk}/4)) }} }}"
        );
        let model = model(&text, &[]);
        let options = Options {
            only: vec!["phi_main".to_string()],
            ..Options::default()
        };
        let compiled = model.compile(&options).expect("compiles");
        let found = mean_value(&model, &compiled, &[], "main").expect("fits");
        let options = simulate::Options {
            replications: Replications::Exactly(12),
            ..simulate::Options::default()
        };
        let report = simulate::simulate(model.checked(), &options, &Watch::default());
        let simulated = report.expect("runs").processes[0].mean;
        errors.push((found.time / simulated - 1.0).abs());
        assert!(
            errors[errors.len() - 1] < 0.04,
            "{text}: {} for {simulated}",
            found.time
        );
    }
    let mean = errors.iter().sum::<f64>() / count.to_f64().expect("a number");
    println!("mean error of {count} pools: {:.2} %", 100.0 * mean);
    assert!(mean < 0.02, "{mean}");
}
