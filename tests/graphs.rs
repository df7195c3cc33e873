//! Bounds of graphs with resources beside runs, of random graphs: no lower one is above a run, no upper one below.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use num_rational::BigRational;
use pamela::EvaluatedEquation;
use pamela::eval::{PathLaw, PathLaws, Value};
use pamela::model::{Evaluator, Limits, Number};
use pamela::pipeline::GraphOptions;
use pamela::simulate::{Arbitration, Options as Simulation, Replications, Watch, simulate};
use pamela::{Model, Options};
use pamela_graph::Paths;
use pamela_graph::families::{Schedule, pipeline};

use crate::selection::{seeds, selected};

const MODELS: u64 = 120;

/// A process of some visits.
fn visits(random: &mut Pcg64) -> String {
    let mut one = || match random.random_range(0..6) {
        0 => format!("delay({})", random.random_range(0..7)),
        1 => format!(
            "use(r{}) {{ delay({}) }}",
            random.random_range(0..2),
            random.random_range(0..5)
        ),
        _ => format!(
            "use(r{}, {})",
            random.random_range(0..2),
            random.random_range(1..8)
        ),
    };
    match one().len() % 3 {
        0 => format!("{{ {} || {} }}", one(), one()),
        1 => format!("{{ {} ; {} }}", one(), one()),
        _ => one(),
    }
}

/// A graph of tasks, or of families over `n`, in some process.
fn model(seed: u64) -> String {
    let mut random = Pcg64::seed_from_u64(seed);
    let servers = [random.random_range(1..4), random.random_range(1..4)];
    let mut families: Vec<String> = Vec::new();
    for number in 0..random.random_range(1..7) {
        let ranged = random.random_bool(0.4);
        let ranges = if ranged { " (i = 1, n)" } else { "" };
        let mut after: Vec<String> = (0..number)
            .filter(|_| random.random_bool(0.4))
            .map(|before| format!("t{before}"))
            .collect();
        if ranged && random.random_bool(0.6) {
            after.push(format!("t{number}(i - {})", random.random_range(1..3)));
        }
        let after = if after.is_empty() {
            String::new()
        } else {
            format!(" after {}", after.join(", "))
        };
        let task = visits(&mut random);
        families.push(format!("t{number}{ranges}: {task}{after}"));
    }
    let main = match random.random_range(0..5) {
        0 => "g || use(r0, 3)",
        1 => "par (i = 1, 2) g",
        2 => "g ; use(r1, 2)",
        3 => "seq (i = 1, 2) { g || delay(2) }",
        _ => "g",
    };
    format!(
        "numeric parameter n : integer >= 0\nresource r0 = servers({})\nresource r1 = servers({})\n\
         process g = graph {{ {} }}\nprocess main = {main}\n",
        servers[0],
        servers[1],
        families.join(" ; ")
    )
}

fn defined(text: &str, n: i64) -> Model {
    let mut model = Model::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    model.define("n", &n.to_string()).expect("it is a number");
    model
}

/// The times of a run in the order of the text, and in drawn ones.
fn runs(model: &Model) -> Vec<f64> {
    let once = |arbitration, seed| {
        let options = Simulation {
            replications: Replications::Exactly(1),
            arbitration,
            seed,
            ..Simulation::default()
        };
        let report = simulate(model.checked(), &options, &Watch::default());
        report.expect("it runs").processes[0].mean
    };
    let drawn = (1..6).map(|seed| once(Arbitration::Seeded, seed));
    std::iter::once(once(Arbitration::Source, 1))
        .chain(drawn)
        .collect()
}

fn definition(model: &Model, name: &str) -> f64 {
    let none = Default::default();
    let limits = Limits { steps: 5_000_000 };
    let value = Evaluator::new(model.checked(), &none, limits).equation(name);
    let value = value.unwrap_or_else(|diagnostic| panic!("{name}: {}", diagnostic.message));
    match value.as_scalar() {
        Some(Number::Exact(value)) => {
            let value: BigRational = value.to_big();
            num_traits::ToPrimitive::to_f64(&value).expect("it is finite")
        }
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn bounds_of_random_graphs_hold_for_their_runs() {
    let mut sharp = 0;
    let seeds = seeds("PAMELA_GRAPHS", MODELS);
    for &seed in &seeds {
        let text = model(seed);
        let n = (seed % 5) as i64;
        let model = defined(&text, n);
        let runs = runs(&model);
        let least = runs.iter().copied().fold(f64::INFINITY, f64::min);
        let most = runs.iter().copied().fold(0.0, f64::max);
        let options = Options {
            bounds: true,
            all: true,
            ..Options::default()
        };
        let rules = pamela::rules::standard().expect("rules");
        let own = Model::parse(&text).expect("it is a model");
        let given = [("n".to_owned(), n.to_string())];
        let evaluated = own.evaluate(&given, rules, &options);
        let evaluated = evaluated.unwrap_or_else(|error| panic!("{text}\n{error}"));
        let closed = |name: &str| evaluated.number(name).expect(name);
        for value in [
            closed("L_main"),
            definition(&model, "L_main"),
            closed("T_main"),
        ] {
            assert!(
                value <= least + 1e-9,
                "{seed}: {value} above {least}\n{text}"
            );
        }
        for name in ["U_main", "U2_main", "U1_main"] {
            for value in [closed(name), definition(&model, name)] {
                assert!(
                    value >= most - 1e-9,
                    "{seed}: {name} {value} below {most}\n{text}"
                );
            }
        }
        sharp += u64::from(definition(&model, "L_main") >= least - 1e-9);
    }
    assert!(3 * sharp > seeds.len() as u64, "{sharp} of {}", seeds.len());
}

/// By hand: two servers; after a task of 4 there are four of 3, and 2 after each, so that two of them wait for 3.
#[test]
fn windows_count_what_is_before_and_after() {
    let text = "numeric parameter n : integer >= 0\nresource r = servers(2)\nprocess main = graph { first: delay(4) ; \
                a: use(r, 3) after first ; b: use(r, 3) after first ; c: use(r, 3) after first ; d: use(r, 3) after first ; \
                last: delay(2) after a, b, c, d ; e: delay(1) after b }";
    let model = defined(text, 0);
    assert_eq!(runs(&model), [12.0; 6]);
    assert_eq!(definition(&model, "L_main"), 12.0);
    let options = Options {
        bounds: true,
        ..Options::default()
    };
    let rules = pamela::rules::standard().expect("rules");
    let evaluated = defined(text, 0)
        .evaluate(&[], rules, &options)
        .expect("it has a value");
    assert_eq!(evaluated.number("L_main").ok(), Some(12.0));
    // The chain of 4, half of 3 and 2, and the work of 12 over two servers.
    assert_eq!(evaluated.number("U_main").ok(), Some(13.5));
}

/// The tasks of a graph with what they wait for and how long they take, by names.
fn named(model: &Model) -> Vec<(String, Vec<String>, f64)> {
    let tasks = model.checked().all_recordings()[0];
    let task = |k: usize| {
        let before = tasks
            .before(k)
            .iter()
            .map(|&u| tasks.names[u as usize].to_string());
        let mut before: Vec<String> = before.collect();
        before.sort();
        let pamela::syntax::tree::ExprKind::Number(time) =
            &tasks.times[k].as_ref().expect("a time").kind
        else {
            panic!("{:?}", tasks.times[k]);
        };
        (tasks.names[k].to_string(), before, time.to_f64())
    };
    let mut all: Vec<_> = (0..tasks.names.len()).map(task).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[test]
fn the_trace_of_a_simulated_graph_is_the_graph() {
    for seed in 0..40 {
        let mut random = Pcg64::seed_from_u64(seed);
        let count = random.random_range(1..12);
        let mut expected: Vec<(String, Vec<String>, f64)> = Vec::new();
        let mut text = "resource cpu = servers(2)\nprocess main = graph {".to_owned();
        for number in 0..count {
            let before: Vec<String> = (0..number)
                .filter(|_| random.random_bool(0.3))
                .map(|before| format!("t{before}"))
                .collect();
            let time = random.random_range(1..9);
            let after = if before.is_empty() {
                String::new()
            } else {
                format!(" after {}", before.join(", "))
            };
            let end = if number + 1 < count { ";" } else { "}" };
            text.push_str(&format!("t{number}: delay({time}){after}{end} "));
            expected.push((format!("t{number}"), before, f64::from(time)));
        }
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        expected.iter_mut().for_each(|(_, before, _)| before.sort());
        let options = Simulation {
            trace_limit: Some(1_000_000),
            ..Simulation::default()
        };
        let simulated = Model::parse(&text).expect("it is a model");
        let report = simulate(simulated.checked(), &options, &Watch::default()).expect("it runs");
        let trace = report
            .trace
            .expect("it has a trace")
            .to_json()
            .expect("it is JSON");
        let files = HashMap::from([("trace.json".to_owned(), trace)]);
        let text = "process main = graph (w in \"trace.json\", tracks = free) delay(w)";
        let read = Model::read("model.pam", text, &files).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(named(&read), expected, "{seed}");
        let options = Options::default();
        let rules = pamela::rules::standard().expect("rules");
        let time = read.evaluate(&[], rules, &options).expect("it has a value");
        let time = time.number("T_main").expect("it is a number");
        assert!((time - report.processes[0].mean).abs() < 1e-9, "{seed}");
    }
}

/// The schedules of the models of the corpus, with any number of chunks, beside those of their definition.
#[test]
fn schedules_of_pipelines_are_those_of_their_families() {
    let one = "graph {
        forward(s = 0, p-1; k = 0, m-1): delay(f) after forward(s-1, k), forward(s, k-1), backward(s, k-p+s) ;
        backward(s = 0, p-1; k = 0, m-1): delay(b)
            after backward(s+1, k), backward(s, k-1), forward(s, k+p-1-s), forward(s, k) if (s == p-1) }";
    let interleaved = "graph {
        forward(s = 0, p-1; k = 0, v*m-1): delay(f)
            after forward(s-1, k), forward(p-1, k-p) if (s == 0), forward(s, k-1), backward(s, k-1-2*(p-1-s)-(v-1)*p) ;
        backward(s = 0, p-1; k = 0, v*m-1): delay(b)
            after backward(s+1, k), backward(0, k-p) if (s == p-1), backward(s, k-1), forward(s, k+2*(p-1-s)+(v-1)*p) }";
    let zero_bubble = "graph {
        forward(s = 0, p-1; k = 0, m-1): delay(f)
            after forward(s-1, k), forward(s, k-1), backward(s, k-p+s), weights(s, k-p) ;
        backward(s = 0, p-1; k = 0, m-1): delay(b)
            after backward(s+1, k), forward(s, k) if (s == p-1), backward(s, k-1), forward(s, k+p-1-s), weights(s, k-1-s) ;
        weights(s = 0, p-1; k = 0, m-1): delay(v)
            after backward(s, k), backward(s, k+s), weights(s, k-1) }";
    let time = |graph: &str, values: [(&str, u32); 5]| {
        let values = values.map(|(name, value)| format!("numeric {name} = {value}\n"));
        let text = format!("{}process main = {graph}\n", values.concat());
        definition(&Model::parse(&text).expect("it is a model"), "T_main")
    };
    let simulated = |schedule: Schedule, p: u32, m: u32, times: [u32; 3]| {
        let family = pipeline(schedule, p, m).expect("it is a graph");
        let times = family.of_kinds(&times.map(f64::from));
        Paths::new(&family.graph, &times).length()
    };
    for p in [1, 2, 3, 4, 7, 16] {
        for m in [1, 2, 3, 5, 8, 16, 33, 64] {
            for [f, b] in [[1, 2], [3, 1]] {
                let values = [("p", p), ("m", m), ("v", 1), ("f", f), ("b", b)];
                let expected = simulated(Schedule::OneForwardOneBackward, p, m, [f, b, 0]);
                assert_eq!(time(one, values), expected, "p {p} m {m}");
                for w in [1, 3] {
                    let values = [("p", p), ("m", m), ("v", w), ("f", f), ("b", b)];
                    let expected = simulated(Schedule::ZeroBubble, p, m, [f, b, w]);
                    assert_eq!(time(zero_bubble, values), expected, "p {p} m {m} w {w}");
                }
                for chunks in 1..=4 {
                    if m % p > 0 || m > 16 && chunks < 4 {
                        continue;
                    }
                    let values = [("p", p), ("m", m), ("v", chunks), ("f", f), ("b", b)];
                    let expected = simulated(Schedule::Interleaved { chunks }, p, m, [f, b, 0]);
                    assert_eq!(
                        time(interleaved, values),
                        expected,
                        "p {p} m {m} v {chunks}"
                    );
                }
            }
        }
    }
}

/// What is known of a process with graphs of random tasks by their bounds alone.
fn bounded(text: &str, name: &str) -> EvaluatedEquation {
    let graphs = GraphOptions {
        paths: PathLaws {
            law: PathLaw::Upper,
            ..PathLaws::default()
        },
        bounds: true,
    };
    let options = Options {
        graphs,
        ..Options::default()
    };
    let rules = pamela::rules::standard().expect("rules");
    let model = Model::parse(text).expect("it is a model");
    let evaluated = model.evaluate(&[], rules, &options).expect("it has values");
    let mut equations = evaluated.equations.into_iter();
    let found = equations.find(|equation| equation.name == name);
    found.unwrap_or_else(|| panic!("{name} of {text}"))
}

/// Of great times, the upper law knows that there are some: what has the graph in it is as large as they make it.
#[test]
fn bounds_of_what_has_graphs_of_heavy_tails_in_it_are_bounds() {
    let graph = "process g = graph {
        a: delay(pareto(1.01, 1)) ; b: delay(pareto(1.01, 1)) ;
        c: delay(pareto(1.01, 1)) after a ; d: delay(pareto(1.01, 1)) after a, b }";
    // The means of a path of two tasks of mean 101, and of all tasks.
    for (main, least, most) in [
        ("g", 202.0, 404.0),
        ("{ g || delay(exponential(1)) }", 202.0, 405.0),
        ("{ g ; g ; delay(1) }", 405.0, 809.0),
        ("seq (i = 1, 3) { g || delay(i) }", 606.0, 1_218.0),
    ] {
        let found = bounded(&format!("{graph}\nprocess main = {main}"), "T_main");
        assert!(found.has_bounds_alone(), "{main}: {:?}", found.value);
        let paths = found.paths.and_then(|paths| paths.bounds);
        let bounds = paths.expect("there are bounds");
        assert!(
            bounds.mean[0] <= most && least <= bounds.mean[1],
            "{main}: {:?}",
            bounds.mean
        );
        let ordered = |(_, [lower, upper]): &(f64, [f64; 2])| lower <= upper;
        assert!(bounds.quantiles.iter().all(ordered), "{main}: {bounds:?}");
    }
}

/// Where all of the upper law lies beyond its cells, its end is not a value of the time.
#[test]
fn an_upper_law_without_an_end_is_no_number() {
    for law in selected(["pareto(1.01, 1)", "lognormal(0, 2)", "exponential(1)"]) {
        let text = format!(
            "process main = graph {{ a(i = 1, 14; j = 1, 14): delay({law}) after a(i-1, j), a(i, j-1) }}"
        );
        let found = bounded(&text, "T_main");
        assert!(found.has_bounds_alone(), "{law}: {:?}", found.value);
        assert!(matches!(found.value, Value::Law(_)), "{law}");
    }
}

/// To open one would wait for its writer.
#[cfg(unix)]
#[test]
fn a_named_pipe_is_no_file_of_tasks() {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipes");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory");
    let pipe = directory.join("tasks");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo runs");
    let model = directory.join("model.pam");
    let text =
        "process main = graph (w in \"tasks\") delay(w)\nnumeric X = empirical(\"tasks\", 1)\n";
    std::fs::write(&model, text).expect("a model");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pamela"))
        .arg("eval")
        .arg(&model)
        .output()
        .expect("pamela runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("regular file"), "{told}");
}
