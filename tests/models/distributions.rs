//! Random data distributions: `PAMELA_MODELS=5000 cargo test --release --test all models::distributions`.
//!
//! One to three loops over rectangles, triangles and chunks, whose elements are dealt out by digits of their indices,
//! with conditions on digits, on one or two resources. `PAMELA_SEED` begins with another model than the first one.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::day::{PARTS, seeds};

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

const PARAMETERS: &str = "numeric parameter N : integer >= 0
numeric parameter M : integer >= 0
numeric parameter B : integer >= 1
numeric parameter P : integer >= 1
numeric parameter Q : integer >= 1
numeric parameter A : integer >= 0
numeric parameter t : >= 0
numeric parameter u : >= 0
resource parameter disk(k)
";

struct Grower {
    random: Pcg64,
}

impl Grower {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list.choose(&mut self.random).copied().unwrap_or("0")
    }

    fn chance(&mut self, parts: u32, whole: u32) -> bool {
        self.random.random_ratio(parts, whole)
    }

    /// The text of a model.
    fn model(&mut self) -> String {
        let (loops, indices) = self.loops();
        let owner = self.owner(&indices);
        let mut body = format!("use(fcfs({owner}, 1), {})", self.amount(&indices[0]));
        if self.chance(1, 4) {
            let index = indices.last().cloned().unwrap_or_default();
            let condition = match self.random.random_range(0..3) {
                0 => format!("{index} mod 2 == 0"),
                1 => format!("{index} mod B == 0"),
                _ => format!("{index} < B"),
            };
            body = match self.chance(1, 2) {
                true => format!("{{ if ({condition}) {body} }}"),
                false => format!("{{ if ({condition}) {body} else use(disk(0, 1), u) }}"),
            };
        } else if self.chance(1, 6) {
            body = format!("{{ {body} ; use(disk(0, 1), u) }}");
        }
        format!("{PARAMETERS}process main = {loops} {body}\n")
    }

    /// The heads of one to three loops, and their indices.
    fn loops(&mut self) -> (String, Vec<String>) {
        let kind = self.pick(&["par", "par", "par", "seq"]);
        match self.random.random_range(0..10) {
            0..=3 => {
                let range = self.pick(&["0, N - 1", "1, N", "A, A + N - 1", "2, N + 1"]);
                (format!("{kind} (i = {range})"), vec!["i".into()])
            }
            4..=5 => {
                let rows = self.pick(&["0, N - 1", "1, N"]);
                let columns = self.pick(&["0, M - 1", "1, M"]);
                let heads = format!("{kind} (i = {rows}) par (j = {columns})");
                (heads, vec!["i".into(), "j".into()])
            }
            6 => {
                let columns = self.pick(&["i, N - 1", "0, i", "0, i - 1", "i + 1, N - 1"]);
                let heads = format!("{kind} (i = 0, N - 1) par (j = {columns})");
                (heads, vec!["i".into(), "j".into()])
            }
            7..=8 => {
                let chunk = self.pick(&[
                    "p * B, min(N, (p + 1) * B) - 1",
                    "p * B + 1, min(N, (p + 1) * B)",
                    "p * ceil(N / P), min(N, (p + 1) * ceil(N / P)) - 1",
                    "p * N div P, (p + 1) * N div P - 1",
                ]);
                let heads = format!("par (p = 0, P - 1) seq (i = {chunk})");
                (heads, vec!["i".into(), "p".into()])
            }
            _ => {
                let heads = "seq (k = 0, N - 1) par (i = k, N - 1) par (j = k, N - 1)";
                (heads.into(), vec!["i".into(), "j".into()])
            }
        }
    }

    fn owner(&mut self, indices: &[String]) -> String {
        if indices.iter().any(|index| index == "p") {
            return self.pick(&["p", "p", "p + 1"]).into();
        }
        let i = self.digit(&indices[0]);
        match indices.get(1) {
            None => i,
            Some(j) => match self.random.random_range(0..5) {
                0 => format!("({} mod P) * Q + {j} mod Q", indices[0]),
                1 => format!("({} div B mod P) * Q + {j} mod Q", indices[0]),
                2 => format!("({} + {j}) mod P", indices[0]),
                3 => self.digit(j),
                _ => i,
            },
        }
    }

    fn digit(&mut self, index: &str) -> String {
        let shape = self.pick(&[
            "i",
            "i mod P",
            "(i + 1) mod P",
            "i div B",
            "i div B mod P",
            "(i + A) mod P",
            "2 * i mod P",
            "(N - i) mod P",
        ]);
        shape
            .replace("div", "/")
            .replace('i', index)
            .replace('/', "div")
    }

    fn amount(&mut self, index: &str) -> String {
        let shape = self.pick(&["t", "t", "t", "1", "t * i", "t * i + u"]);
        shape.replace('i', index)
    }
}

pub fn model(seed: u64) -> String {
    let random = Pcg64::seed_from_u64(seed);
    Grower { random }.model()
}

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
    if count >= FEW / PARTS {
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
