//! Many random models: `PAMELA_MODELS=100000 cargo test --release --test all models::fuzz`.
//!
//! What fails is cut down and shown; `PAMELA_SEED` begins with another model than the first one, and
//! `PAMELA_MODELS=1` shows that one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pamela_lab::models::model;
use pamela_lab::models::tree::{Spelling, Tree};

use crate::selection::{SHARE, seeds};

use super::support::points::points;
use super::support::{Closed, closed_forms_by, compare, read};

/// How many models are tried where nothing else is asked for.
const FEW: u64 = 500;
const POINTS: usize = 12;
const WORKERS: usize = 2;
/// A model that takes longer is shown, where many are tried.
const SLOW: Duration = Duration::from_secs(1);

const PLAIN: Spelling = Spelling {
    index: "i",
    swapped: false,
};
const RENAMED: Spelling = Spelling {
    index: "z",
    swapped: false,
};
const SWAPPED: Spelling = Spelling {
    index: "i",
    swapped: true,
};

/// The text of the model of a seed.
pub fn text(seed: u64) -> String {
    model(seed).text(PLAIN)
}

fn closed(text: &str, strict: bool) -> Result<Vec<Closed>, String> {
    let closed = catch_unwind(AssertUnwindSafe(|| {
        closed_forms_by("random.pam", text, strict)
    }));
    closed.unwrap_or_else(|_| Err("panic".to_string()))
}

/// How much was compared: equations with a value at some point, and points at which there is none.
#[derive(Default)]
struct Tally {
    compared: AtomicU64,
    undefined: AtomicU64,
}

/// What is wrong with the closed forms of a model: of which sort, and how.
fn fault(tree: &Tree, tally: &Tally) -> Option<(&'static str, String)> {
    let text = tree.text(PLAIN);
    let checked = catch_unwind(|| read("random.pam", &text)).ok()?;
    let plain = match closed(&text, false) {
        Ok(plain) => plain,
        Err(error) if error == "panic" => return Some(("panic", String::new())),
        Err(_) => return None,
    };
    let strict = match closed(&text, true) {
        Ok(strict) => strict,
        Err(error) if error == "panic" => return Some(("panic", "strict".to_string())),
        // Where nothing is assumed it may be seen that there is no value.
        Err(_) => return None,
    };
    let points = points(&checked, POINTS);
    for (kind, forms) in [("wrong", &plain), ("wrong, strict", &strict)] {
        let comparison = catch_unwind(AssertUnwindSafe(|| {
            compare("random.pam", &text, forms, &points)
        }));
        match comparison {
            Err(_) => return Some(("unreadable", format!("{forms:?}"))),
            Ok(comparison) if !comparison.wrong.is_empty() => {
                return Some((kind, comparison.wrong[0].clone()));
            }
            Ok(comparison) => {
                let compared = comparison.compared.len() as u64;
                tally.compared.fetch_add(compared, Ordering::Relaxed);
                tally
                    .undefined
                    .fetch_add(comparison.undefined as u64, Ordering::Relaxed);
            }
        }
    }
    for (kind, spelling) in [("renamed", RENAMED), ("swapped", SWAPPED)] {
        let other = closed(&tree.text(spelling), false).unwrap_or_default();
        if format!("{plain:?}") != format!("{other:?}") {
            return Some((kind, format!("{plain:#?}\n{other:#?}")));
        }
    }
    None
}

/// What is shown of a model that fails.
fn report(seed: u64, measured: bool, tally: &Tally) -> Option<String> {
    let tree = model(seed);
    let start = Instant::now();
    let found = fault(&tree, tally);
    if measured && start.elapsed() > SLOW {
        eprintln!("seed {seed}: slow\n{}", tree.text(PLAIN));
    }
    let (kind, _) = found?;
    let least = tree.shrunk(&|other| fault(other, tally).is_some_and(|(other, _)| other == kind));
    let detail = fault(&least, tally)
        .map(|(_, detail)| detail)
        .unwrap_or_default();
    Some(format!(
        "seed {seed}: {kind}\n{}{detail}\n",
        least.text(PLAIN)
    ))
}

#[test]
fn fuzz_closed_forms_equal_their_definition_however_they_are_written() {
    let seeds = seeds("PAMELA_MODELS", FEW);
    let count = seeds.len() as u64;
    let measured = count > FEW;
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    let tally = Tally::default();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if measured {
                        eprintln!("> {seed}");
                    } else if count == 1 {
                        eprintln!("{}", model(seed).text(PLAIN));
                    }
                    let start = Instant::now();
                    if let Some(report) = report(seed, measured, &tally) {
                        eprintln!("{report}");
                        reports.lock().expect("no worker panics").push(report);
                    }
                    if measured {
                        eprintln!("< {seed} {:.0?}", start.elapsed());
                    }
                }
            });
        }
    });
    let reports = reports.into_inner().expect("no worker panics");
    assert!(reports.is_empty(), "{}", reports.join("\n"));
    let (compared, undefined) = (tally.compared.into_inner(), tally.undefined.into_inner());
    eprintln!("{compared} closed forms compared, {undefined} undefined points");
    // Of one model nothing may be comparable.
    if count >= FEW / SHARE {
        assert!(
            compared >= 2 * count,
            "only {compared} closed forms were compared"
        );
        assert!(
            undefined >= count,
            "only {undefined} undefined points were compared"
        );
    }
}

/// Models whose closed forms once were wrong, or took all memory.
const FOUND: [&str; 8] = [
    "numeric parameter N : integer >= 0\nnumeric parameter B\n\
     process main = par (i = 0, N) { use(fcfs(i + 2, 1), i + sum (j = i - 1, B + 0.5) { j }) }",
    "numeric parameter N\nnumeric parameter P\n\
     process main = any (i = N - 1, 0) { seq (j = i, 1) {\n\
         { use(fcfs(N mod P, 1), sum (k = j, i) { j }) || use(fcfs(1, 2), N) } } }",
    "numeric parameter M\n\
     process main = par (i = 0, 1) {\n\
         { use(fcfs(i, 1), prod (j = 0, 2 * M) { 0 }) ; use(fcfs(i + 1, 1), 1) } }",
    "numeric parameter P\nnumeric parameter x\n\
     process main = par (i = 0, x) { if (3 <= i) { use(fcfs((i + 1) mod P, 1), 0.5) }\n\
         else { use(fcfs(1, 2), max(0, (1 < i) ^ 3)) } }",
    "numeric parameter N\nnumeric parameter x\n\
     numeric f = sum (i = N, 0) { 0 <= 1 / (x - 1) && 1 > kth (2 of j = 0, 0) { 0 } }",
    "numeric parameter N : integer >= 0\nnumeric parameter M\n\
     numeric f = sum (i = -N, 2) { sum (j = i + 0.5, N / 2 + 1) {\n\
         sum (k = 0, 1) { max(0, sum (l = 0, M) { k } - j) } } }",
    "numeric parameter N : integer >= 0\nnumeric parameter Q : integer >= 0\n\
     numeric f = sum (i = 1, Q) { N / Q }",
    "numeric parameter N : integer >= 0\nnumeric parameter M : integer\nnumeric parameter P : integer >= 1\n\
     numeric parameter B : integer >= 1 <= 4\nnumeric parameter x : >= 0\n\
     process main = par (i = M - x, N) { use(fcfs(i div B, 1), prod (j = i, N) { 2 + P }) }",
];

#[test]
fn models_that_were_wrong_equal_their_definition() {
    for text in FOUND {
        let points = points(&read("found.pam", text), 60);
        for strict in [false, true] {
            let forms = closed(text, strict).expect("the model can be simplified");
            let comparison = compare("found.pam", text, &forms, &points);
            assert_eq!(comparison.wrong, Vec::<String>::new(), "{text}");
            assert!(!comparison.compared.is_empty(), "compared at no point");
        }
    }
}

#[test]
fn conditions_do_not_depend_on_the_order_of_processes() {
    let head = "numeric parameter N\nnumeric parameter M\nnumeric parameter P\nnumeric parameter B\n\
                numeric parameter x\n";
    let (first, second) = (
        "any (2 of i = 0, P * B - 1) { use(fcfs(i div B, 1), 0) }",
        "use(fcfs(2 div B, 1), 1)",
    );
    let [forwards, backwards] = [(first, second), (second, first)].map(|(a, b)| {
        closed(&format!("{head}process main = {{ {a} ; {b} }}"), false).expect("it is simplified")
    });
    assert_eq!(format!("{forwards:#?}"), format!("{backwards:#?}"));
}
