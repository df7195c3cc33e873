//! Laws of results where some numbers are not known, against draws that share no code with the program: a million each in full
//! runs, a fifth of that elsewhere.

use std::path::Path;
use std::process::Command;

use pamela::pipeline::{Model, Options};
use pamela::syntax::FileLoader;
use pamela::uncertain::{Sampling, Spread, of_model, spread};

use crate::selection::is_full;

/// Draws without quantiles: a generator of its own, and transforms instead of quantiles.
struct Random(u64);

impl Random {
    /// A state with bits in all places.
    fn new(seed: u64) -> Random {
        let mut random = Random((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        (0..64).for_each(|_| {
            random.unit();
        });
        random
    }

    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// A law in the language, and a draw of it.
type Drawn = (&'static str, fn(&mut Random) -> f64);

/// The laws of two numbers: with values 0 and 1, negative ones, and both numbers alike.
const LAWS: [[Drawn; 2]; 3] = [
    [
        ("uniform(0, 1)", Random::unit),
        ("exponential(0.5)", |random| -0.5 * random.unit().ln()),
    ],
    [
        ("lognormal(-1, 0.3)", |random| {
            (0.3 * random.normal() - 1.0).exp()
        }),
        ("bernoulli(0.3)", |random| {
            f64::from(u8::from(random.unit() < 0.3))
        }),
    ],
    [
        ("normal(2, 0.1)", |random| 2.0 + 0.1 * random.normal()),
        ("uniform(-1, 1)", |random| 2.0 * random.unit() - 1.0),
    ],
];

/// A result in the language, and the same of two numbers.
type Function = (&'static str, fn(f64, f64) -> f64);

/// Results of `a` and `b`, where `n` is 3.
const RESULTS: [Function; 10] = [
    ("numeric f = a + b", |a, b| a + b),
    ("numeric f = a * b", |a, b| a * b),
    ("numeric f = max(a, b)", f64::max),
    ("numeric f = a / (2 + b)", |a, b| a / (2.0 + b)),
    ("numeric f = if (a > b) a else 2 * b", |a, b| {
        if a > b { a } else { 2.0 * b }
    }),
    (
        "numeric g(x) = sum (i = 1, n) { x / (i + 1) } numeric f = g(a) + b ^ 2",
        |a, b| a / 2.0 + a / 3.0 + a / 4.0 + b * b,
    ),
    (
        "numeric f = sum (i = 1, n) { a * i / (i + 2 + b) }",
        |a, b| a / (3.0 + b) + 2.0 * a / (4.0 + b) + 3.0 * a / (5.0 + b),
    ),
    ("numeric f = exp(-a) * b + n", |a, b| (-a).exp() * b + 3.0),
    (
        "process main = { delay(abs(a)) ; par (i = 1, n) delay(i * abs(b)) } numeric f = T(main)",
        |a, b| a.abs() + 3.0 * b.abs(),
    ),
    ("numeric f = 0 * a + b - b", |_, _| 0.0),
];

/// Standard errors that an estimate may be off by: three; for errors that eight sets tell, the quantile of Student's law that is
/// as rare.
const MOST_ERRORS: f64 = 3.0;
const MOST_OF_EIGHT: f64 = 4.53;
const SETS: usize = 20;

/// The figures of draws, with their standard errors by independent sets: mean, deviation, quantiles.
fn figures(sets: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let of = |set: &Vec<f64>| {
        let mut sorted = set.clone();
        sorted.sort_by(f64::total_cmp);
        let mean = sorted.iter().sum::<f64>() / sorted.len() as f64;
        let squares: f64 = sorted.iter().map(|x| (x - mean) * (x - mean)).sum();
        let quantile = |p: f64| sorted[(p * sorted.len() as f64) as usize];
        let deviation = (squares / sorted.len() as f64).sqrt();
        [
            mean,
            deviation,
            quantile(0.05),
            quantile(0.5),
            quantile(0.95),
        ]
    };
    let each: Vec<[f64; 5]> = sets.iter().map(of).collect();
    let count = each.len() as f64;
    // Quantiles of few draws are biased: those of all are taken.
    let whole = of(&sets.concat());
    let figure = |place: usize| {
        let mean = each.iter().map(|own| own[place]).sum::<f64>() / count;
        let squares: f64 = each.iter().map(|own| (own[place] - mean).powi(2)).sum();
        [whole[place], (squares / (count - 1.0) / count).sqrt()]
    };
    (0..5).map(figure).collect()
}

fn model(laws: &[Drawn; 2], result: &str) -> Model {
    let text = format!(
        "numeric parameter n : integer >= 1 = 3\nnumeric unknown a = {}\nnumeric unknown b = {}\n{result}",
        laws[0].0, laws[1].0
    );
    Model::read("unknowns", &text, &FileLoader).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn found(model: &Model) -> Vec<Spread> {
    let options = Options {
        only: vec!["f".to_owned()],
        ..Options::default()
    };
    let factors = of_model(model).expect("the laws are laws");
    let compiled = model.compile(&options).expect("it compiles");
    let plan = compiled.plan_of_values(&[]).expect("it has a number");
    let sampling = Sampling {
        draws: if is_full() { 1 << 15 } else { 1 << 12 },
        ..Sampling::default()
    };
    spread(&plan, &[("n", 3.0)], &factors, &sampling).expect("all has a value")
}

#[test]
fn laws_of_results_are_those_of_draws() {
    let draws = if is_full() { 1_000_000 } else { 20_000 };
    let (mut compared, mut beyond) = (0, Vec::new());
    for (set, laws) in LAWS.iter().enumerate() {
        for (number, (result, function)) in RESULTS.iter().enumerate() {
            // Each result with one pair of laws.
            if !is_full() && (set + number) % LAWS.len() != 0 {
                continue;
            }
            let mut random = Random::new((set * RESULTS.len() + number) as u64);
            let mut sets = vec![Vec::new(); SETS];
            for draw in 0..draws {
                let [a, b] = laws.map(|drawn| drawn.1(&mut random));
                sets[draw % SETS].push(function(a, b));
            }
            let model = model(laws, result);
            let wanted = figures(&sets);
            let spreads = found(&model);
            let Some(own) = spreads.first() else {
                assert!(wanted[1][0] < 1e-12, "{result} varies: {wanted:?}");
                continue;
            };
            let quantile = |k: usize| [own.quantiles[k].value, own.quantiles[k].error];
            let ours = [
                [own.mean, own.mean_error],
                [own.sd, own.sd_error],
                quantile(0),
                quantile(1),
                quantile(2),
            ];
            for (k, ([ours, error], [wanted, other])) in ours.iter().zip(&wanted).enumerate() {
                let apart = (ours - wanted).abs();
                let errors = (MOST_OF_EIGHT / MOST_ERRORS * error).hypot(*other);
                let errors = errors + 1e-9 * wanted.abs().max(1.0);
                compared += 1;
                if apart > MOST_ERRORS * errors {
                    beyond.push(format!(
                        "{} {result}: figure {k} is {ours}, by draws {wanted} +- {other}",
                        laws[0].0
                    ));
                }
                assert!(apart <= 2.0 * MOST_ERRORS * errors, "{beyond:?}");
            }
        }
    }
    // Three of a thousand are beyond by chance.
    let least = if is_full() { 100 } else { 40 };
    assert!(
        compared > least && beyond.len() <= 2,
        "{compared}: {beyond:#?}"
    );
}

/// The shares of sums and products have formulas.
#[test]
fn shares_of_sums_and_products_are_known() {
    let laws: [Drawn; 2] = [
        ("uniform(0, 1)", Random::unit),
        ("uniform(0, 3)", Random::unit),
    ];
    let shares = |result: &str| {
        let spreads = found(&model(&laws, result));
        let shares = spreads[0].shares.iter().map(|own| (own.first, own.total));
        shares.collect::<Vec<_>>()
    };
    // Variances of 1/12 and 9/12.
    let sum = shares("numeric f = a + b");
    let wanted = [(0.1, 0.1), (0.9, 0.9)];
    // E(a) = 1/2, E(b) = 3/2; Var(a) E(b)^2 = 9/48 = Var(b) E(a)^2, and together Var(a) Var(b) = 9/144.
    let whole = 9.0 / 48.0 + 9.0 / 48.0 + 9.0 / 144.0;
    let alone = 9.0 / 48.0 / whole;
    let product = shares("numeric f = a * b");
    let both = (alone, 1.0 - alone);
    for (found, wanted) in sum
        .iter()
        .zip(wanted)
        .chain(product.iter().zip([both, both]))
    {
        assert!(
            (found.0 - wanted.0).abs() < 4e-3,
            "{found:?} for {wanted:?}"
        );
        assert!(
            (found.1 - wanted.1).abs() < 4e-3,
            "{found:?} for {wanted:?}"
        );
    }
    // Nothing depends on `a` in `b - b + 2 * b`.
    let one = shares("numeric f = 0 * a + 2 * b");
    assert!(one[0].1 == 0.0 && (one[1].1 - 1.0).abs() < 1e-2, "{one:?}");
}

fn printed(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The paths of files in a directory of one test.
fn file_in(test: &str) -> impl Fn(&str) -> String {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("unknowns")
        .join(test);
    std::fs::create_dir_all(&directory).expect("a directory");
    move |name| directory.join(name).to_string_lossy().into_owned()
}

/// A table of three systems, of which each has two constants and scatters by 8 % at most; half of it is another seed.
fn table(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = "system,size,gpus,note,time[ms]\n".to_owned();
    for (system, constants) in [("a", [1.0, 20.0]), ("b", [2.0, 5.0]), ("c x", [0.5, 40.0])] {
        for size in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0] {
            for gpus in [1.0, 2.0, 4.0, 8.0] {
                let time = constants[0] * size + constants[1] / gpus;
                let time = time * (1.0 + 0.16 * (random.unit() - 0.5));
                let name = system.replace('"', "\"\"");
                text.push_str(&format!("\"{name}\",{size},{gpus},seen,{time}\n"));
            }
        }
    }
    text
}

const GROUPED: &str = "numeric parameter size : > 0 numeric parameter gpus : >= 1\n\
    numeric parameter k : >= 0 numeric parameter c : >= 0\n\
    numeric parameter other : > 0\n\
    process main = delay(k * size * 1e-3 + c / gpus * 1e-3)\nprocess last = delay(other)\n";

#[cfg(feature = "programs")]
#[test]
fn groups_are_fitted_and_predict_new_configurations() {
    let path = file_in("grouped");
    std::fs::write(path("m.pam"), GROUPED).expect("it is written");
    std::fs::write(path("t.csv"), table(5)).expect("it is written");
    let [model, measured, fit] = ["m.pam", "t.csv", "fit.toml"].map(path);
    for loss in ["squares", "relative", "absolute"] {
        let (is_done, _, told) = printed(&[
            "calibrate",
            &model,
            &measured,
            "--process",
            "main",
            "--by",
            "system",
            "--hold-out",
            "system,size",
            "--loss",
            loss,
            "-o",
            &fit,
        ]);
        assert!(is_done, "{told}");
        assert!(
            told.contains("the columns `note` of the table are not parameters"),
            "{told}"
        );
        // Half the width of the noise is 8 %, nine tenths of it 7.2 %.
        let new = table(77);
        let (mut inside, mut all) = (0, 0);
        for line in new.lines().skip(1).step_by(3) {
            let cells: Vec<&str> = line.split(',').collect();
            let system = cells[0].trim_matches('"').replace("\"\"", "\"");
            let (is_done, json, told) = printed(&[
                "eval",
                &model,
                "--params",
                &fit,
                "-D",
                &format!("system={system}"),
                "-D",
                &format!("size={}", cells[1]),
                "-D",
                &format!("gpus={}", cells[2]),
                "-D",
                "other=1",
                "--only",
                "time_main",
                "--json",
                "--draws",
                "1024",
            ]);
            assert!(is_done, "{told}");
            let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
            let interval = &json["equations"][0]["uncertainty"]["interval"];
            let end = |name: &str| interval[name].as_f64().expect("an end");
            let time = cells[4].parse::<f64>().expect("a number") * 1e-3;
            assert!(
                end("low") < end("high") && end("high") < 1.4 * end("low"),
                "{interval}"
            );
            inside += usize::from(end("low") <= time && time <= end("high"));
            all += 1;
        }
        let share = inside as f64 / all as f64;
        assert!((0.78..=1.0).contains(&share), "{loss}: {share}");
    }
    let (is_done, _, told) = printed(&[
        "eval", &model, "--params", &fit, "-D", "size=1", "-D", "gpus=1",
    ]);
    assert!(
        !is_done && told.contains("has several groups; choose one of: -D system=a"),
        "{told}"
    );
    let (is_done, _, told) = printed(&["eval", &model, "--params", &fit, "-D", "system=d"]);
    assert!(
        !is_done && told.contains("no group of the calibration"),
        "{told}"
    );
}

/// Systems `a` and `b` have constants of their own, and share one.
#[cfg(feature = "programs")]
#[test]
fn a_shared_constant_has_one_value() {
    let path = file_in("shared");
    let mut text = "system,size,time\n".to_owned();
    for (system, k) in [("a", 2.0), ("b", 5.0)] {
        for size in [1.0, 2.0, 4.0, 8.0] {
            text.push_str(&format!("{system},{size},{}\n", k * size + 3.0));
        }
    }
    // A row without a time, and one without a size.
    text.push_str("a,16,\nb,NA,7\n");
    std::fs::write(path("t.csv"), text).expect("it is written");
    let model = "numeric parameter size : > 0 numeric parameter k : >= 0 numeric parameter c : >= 0 process main = delay(k * size + c)";
    std::fs::write(path("m.pam"), model).expect("it is written");
    let (is_done, json, told) = printed(&[
        "calibrate",
        &path("m.pam"),
        &path("t.csv"),
        "--by",
        "system",
        "--share",
        "c",
        "--json",
    ]);
    assert!(is_done && told.contains("2 rows lack a value"), "{told}");
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let times = json["times"].as_array().expect("a list");
    let value = |name: &str, system: Option<&str>| {
        let own = times
            .iter()
            .find(|own| own["name"] == name && own["at"]["system"].as_str() == system);
        own.expect("it is fitted")["value"]
            .as_f64()
            .expect("a number")
    };
    assert_eq!(times.len(), 3);
    assert!(
        (value("k", Some("a")) - 2.0).abs() < 1e-6 && (value("k", Some("b")) - 5.0).abs() < 1e-6
    );
    assert!((value("c", None) - 3.0).abs() < 1e-6);
}

/// The measured systems whose tables are not part of the repository: `calibrate` itself on rows of training runs.
#[cfg(feature = "programs")]
#[test]
fn held_out_training_runs_are_in_their_intervals() {
    let Ok(directory) = std::env::var("PAMELA_MEASUREMENTS") else {
        println!("skipped: PAMELA_MEASUREMENTS names no directory of measured tables");
        return;
    };
    let table = format!("{directory}/training.csv");
    let (is_done, json, told) = printed(&[
        "calibrate",
        "studies/sharded.pam",
        &table,
        "--equation",
        "time",
        "--by",
        "gpu",
        "--hold-out",
        "gpu,N,s,tok,accum,ckpt,gpus",
        "--loss",
        "relative",
        "--json",
    ]);
    assert!(is_done, "{told}");
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let held = &json["held_out"];
    let coverage = held["coverage_90"].as_f64().expect("a number");
    assert!((0.85..=0.95).contains(&coverage), "{held}");
    assert!(
        held["mean_error"].as_f64().expect("a number") < 0.05,
        "{held}"
    );
}
