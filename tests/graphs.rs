//! Bounds of graphs with resources beside runs, of random graphs: no lower one is above a run, no upper one below.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use num_rational::BigRational;
use pamela::model::{Evaluator, Limits, Number};
use pamela::simulate::{Arbitration, Options as Simulation, Replications, Watch, simulate};
use pamela::{Model, Options};

use crate::day::seeds;

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
        let after = match after.is_empty() {
            true => String::new(),
            false => format!(" after {}", after.join(", ")),
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
