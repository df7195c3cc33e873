//! Random data distributions: `PAMELA_MODELS=5000 cargo test --release --test all models::distributions`.
//!
//! One to three loops over rectangles, triangles and chunks, whose elements are dealt out by digits of their indices,
//! with conditions on digits, on one or two resources. `PAMELA_SEED` begins with another model than the first one.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pamela_lab::models::distributions::{PARAMETERS, model};

use crate::selection::{SHARE, seeds};

use super::support::points::points;
use super::support::{closed_forms, compare, read};

/// How many models are tried where nothing else is asked for.
const FEW: u64 = 120;
const POINTS: usize = 12;
const WORKERS: usize = 2;
/// Of the models, at least so many of a hundred close.
const CLOSED: u64 = 80;
/// A model that takes longer is shown, where many are tried.
const SLOW: Duration = Duration::from_secs(1);

#[test]
fn random_distributions_have_the_times_of_their_definition_and_most_close() {
    let seeds = seeds("PAMELA_MODELS", FEW);
    let count = seeds.len() as u64;
    let next = AtomicUsize::new(0);
    let closed = AtomicU64::new(0);
    let wrong = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (is_closed, faults) = outcome(seed, count > FEW);
                    closed.fetch_add(u64::from(is_closed), Ordering::Relaxed);
                    wrong.lock().expect("no worker panics").extend(faults);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no worker panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let closed = closed.into_inner();
    eprintln!("{closed} of {count} random distributions close");
    if count >= FEW / SHARE {
        assert!(
            100 * closed >= CLOSED * count,
            "only {closed} of {count} close"
        );
    }
}

/// Whether the time of a model closes, and where it is wrong.
fn outcome(seed: u64, measured: bool) -> (bool, Vec<String>) {
    let text = model(seed);
    let start = Instant::now();
    let forms = match closed_forms("random.pam", &text) {
        Ok(forms) => forms,
        Err(error) => return (false, vec![format!("seed {seed}: {error}\n{text}")]),
    };
    if measured && start.elapsed() > SLOW {
        eprintln!("seed {seed}: slow, {:.1?}\n{text}", start.elapsed());
    }
    let points = points(&read("random.pam", &text), POINTS);
    let comparison = compare("random.pam", &text, &forms, &points);
    // What its parts would take without contention, or as one section, need not close.
    let mut times = forms.iter().filter(|form| form.name == "T_main");
    let open = times.any(|form| form.open_reductions > 0);
    if measured && open {
        eprintln!("seed {seed}: open\n{}", text.replace(PARAMETERS, ""));
    }
    let told = |fault| format!("seed {seed}: {fault}\n{text}");
    (!open, comparison.wrong.into_iter().map(told).collect())
}

/// `N div (B * ceil(N / P))` is a whole number wherever it has a value, so that its being one says nothing of where.
#[test]
fn a_condition_does_not_follow_from_what_has_a_value_where_it_holds() {
    let text = "numeric parameter N : integer >= 0
numeric parameter B : integer >= 1
numeric parameter P : integer >= 1
numeric parameter t : >= 0
numeric parameter u : >= 0
resource parameter disk(k)
process main = par (p = 0, P - 1) seq (i = p * ceil(N / P), min(N, (p + 1) * ceil(N / P)) - 1) \
                { if (p mod B == 0) use(fcfs(p, 1), t * i) else use(disk(0, 1), u) }
";
    let closed = closed_forms("random", text).expect("the model has closed forms");
    let points = points(&read("random", text), POINTS);
    let comparison = compare("random", text, &closed, &points);
    assert_eq!(comparison.wrong, Vec::<String>::new());
    assert!(!comparison.compared.is_empty(), "compared at no point");
}
