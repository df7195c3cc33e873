//! Models, points, and the values of `eval` there.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Once, OnceLock};

use pamela::compiled::{Compiled, EvaluatedEquation, Method, Point, decimal};
use pamela::eval::Value;
use pamela::timing::Note;
use pamela::{Model as Source, Options};

pub const POINTS: usize = 1000;

pub struct Model {
    pub name: &'static str,
    /// A file of the corpus, or a text.
    pub text: &'static str,
    /// Values that each parameter takes, in the order of the model.
    pub parameters: &'static [(&'static str, &'static [f64])],
    /// It takes functions that SQL does not have.
    pub special: bool,
    /// Where doubles cannot decide a step, conditions are said to fail; where they are said to hold, names that begin
    /// with `exact` are compared exactly.
    pub large: bool,
    pub points: usize,
    pub known: Cache,
}

/// What is found once of a model.
pub struct Cache {
    written: Once,
    compiled: OnceLock<Compiled>,
    expected: OnceLock<Vec<BTreeMap<String, Evaluation>>>,
}

impl Cache {
    pub const fn new() -> Cache {
        Cache {
            written: Once::new(),
            compiled: OnceLock::new(),
            expected: OnceLock::new(),
        }
    }
}

/// How many cells were compared, were undecided, and had no closed value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub compared: usize,
    pub undecided: usize,
    pub without: usize,
}

/// Whole numbers around powers, as far as doubles hold them.
fn large(next: &mut impl FnMut(usize) -> usize) -> f64 {
    const MOST: u64 = 1 << 53;
    let bits = 1 + next(53) as u32;
    let any = ((next(1 << 30) as u64) << 23 | next(1 << 23) as u64) & ((1 << bits) - 1)
        | (1 << (bits - 1));
    let raised = |base: u64, most: usize| {
        let mut power = 1u64;
        for _ in 0..most {
            match power.checked_mul(base) {
                Some(larger) if larger <= MOST => power = larger,
                _ => break,
            }
        }
        power
    };
    let power = match next(8) {
        0 => raised(2, next(54)),
        1 => raised(3, next(34)),
        2 => raised(10, next(16)),
        3 => raised([5, 7, 6, 1 + any % 1000][next(4)], next(23)),
        4 => raised(any.isqrt(), 2),
        5 => raised((any as f64).cbrt() as u64, 3),
        6 => any % 4096,
        _ => any,
    };
    let near = match next(6) {
        0 | 1 => power + 1,
        2 => power.saturating_sub(1),
        3 => power * (1 + next(12) as u64),
        _ => power,
    };
    near.clamp(1, MOST) as f64
}

/// The values of a parameter of which nothing is said.
pub const COUNTS: &[f64] = &[
    -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 7.0, 12.0, 100.0, 101.0, 4096.0,
];

impl Model {
    pub fn path(&self) -> String {
        let own = format!("{}.pam", self.name);
        if self.text.ends_with(".pam") {
            return self.text.to_string();
        }
        // Other tests read the file at the same time.
        self.known.written.call_once(|| {
            super::file(&own, self.text);
        });
        format!("{}/emit/{own}", env!("CARGO_TARGET_TMPDIR"))
    }

    pub fn compiled(&self) -> &Compiled {
        self.known.compiled.get_or_init(|| {
            let path = if self.text.ends_with(".pam") {
                Path::new(env!("CARGO_MANIFEST_DIR")).join(self.text)
            } else {
                self.path().into()
            };
            let model = Source::from_file(&path.to_string_lossy()).expect("the model is right");
            model
                .compile(&Options::default())
                .expect("it has closed forms")
        })
    }

    /// The parameters of the model with the values that they take.
    pub fn axes(&self) -> Vec<(String, Vec<f64>)> {
        let compiled = self.compiled();
        let scalar = compiled.parameters().iter().filter(|p| !p.law);
        let axis = |name: &str| {
            let own = self.parameters.iter().find(|(known, _)| *known == name);
            own.map_or(COUNTS, |(_, values)| *values).to_vec()
        };
        scalar.map(|p| (p.name.clone(), axis(&p.name))).collect()
    }

    /// The same points every time.
    pub fn points(&self) -> Vec<Vec<f64>> {
        let axes = self.axes();
        let seed = std::env::var("PAMELA_SEED").ok();
        let mut state = seed.map_or(11u64, |seed| seed.parse().expect("a number"));
        let mut next = |range: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as usize % range
        };
        let mut point = || {
            let value = |(name, values): &(String, Vec<f64>)| {
                let own = self.parameters.iter().any(|(known, _)| known == name);
                if self.large && !own {
                    large(&mut next)
                } else {
                    values[next(values.len())]
                }
            };
            axes.iter().map(value).collect()
        };
        (0..self.points).map(|_| point()).collect()
    }

    /// Names of the equations that are numbers, with their parameters and how many numbers they are.
    pub fn equations(&self) -> Vec<(String, Vec<String>, usize)> {
        let compiled = self.compiled();
        let results = compiled
            .equations()
            .iter()
            .filter(|e| !e.auxiliary && e.sort != pamela::expr::Sort::Law);
        let order: Vec<String> = self.axes().into_iter().map(|(name, _)| name).collect();
        let own = results.map(|e| {
            let used = e.formula.parameters();
            let parameters = order
                .iter()
                .filter(|name| used.contains(*name))
                .cloned()
                .collect();
            let length = match e.sort {
                pamela::expr::Sort::Vector => 3,
                _ => 1,
            };
            (e.name.clone(), parameters, length)
        });
        own.collect()
    }

    /// Compares lines of numbers: of each equation its values, then 1 where its conditions hold.
    pub fn compare(&self, language: &str, printed: &str) {
        self.compare_some(language, printed, self.points);
    }

    /// The same at the first points.
    pub fn compare_some(&self, language: &str, printed: &str, points: usize) {
        let tally = self.tally(language, printed, points);
        let tally = tally.unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(
            tally.undecided * 4 < tally.compared.max(1),
            "{language} {}: {tally:?}",
            self.name
        );
        assert!(
            tally.compared > points / 30,
            "{language} {}: {tally:?}",
            self.name
        );
        eprintln!("{language} {}: {tally:?}", self.name);
    }

    /// The same without a demand; what is wrong is an error.
    pub fn tally(&self, language: &str, printed: &str, points: usize) -> Result<Tally, String> {
        let (points_of, equations) = (self.points(), self.equations());
        let (mut tally, mut wrong) = (Tally::default(), Vec::new());
        assert_eq!(
            printed.lines().count(),
            points,
            "{language} {}: {printed}",
            self.name
        );
        for ((line, values), own) in printed.lines().zip(points_of).zip(self.expected()) {
            let mut cells = line
                .split_whitespace()
                .map(|c| c.parse::<f64>().expect("a number"));
            for (name, _, length) in &equations {
                let theirs: Vec<f64> = cells.by_ref().take(*length).collect();
                let holds = cells.next() == Some(1.0);
                let told = own.get(name);
                let right = match told {
                    Some(Evaluation::Closed(_)) if self.large && !holds => {
                        tally.undecided += 1;
                        true
                    }
                    Some(Evaluation::Closed(ours)) => {
                        tally.compared += 1;
                        let exact = name.starts_with("exact");
                        let ours = padded(ours.clone(), *length);
                        holds && theirs.iter().zip(ours).all(|(a, b)| is_same(*a, b, exact))
                    }
                    Some(Evaluation::Cancelled | Evaluation::Unfinished) => {
                        tally.without += 1;
                        true
                    }
                    // Nothing is told where there is nothing to tell.
                    _ => {
                        tally.without += 1;
                        let nothing = !holds || theirs.iter().any(|x| !x.is_finite());
                        // What is wrong may be with a parameter that this equation does not have.
                        nothing || own.is_empty()
                    }
                };
                if !right {
                    wrong.push(format!("{language} {} {name} at {values:?}: {theirs:?} {holds}, but eval has {told:?}", self.name));
                }
            }
        }
        match wrong.as_slice() {
            [] => Ok(tally),
            wrong => Err(format!(
                "{} wrong of {tally:?}:\n{}",
                wrong.len(),
                wrong[..wrong.len().min(12)].join("\n")
            )),
        }
    }

    /// What `eval` says of each equation at each point, found once.
    fn expected(&self) -> &[BTreeMap<String, Evaluation>] {
        self.known.expected.get_or_init(|| {
            let (compiled, axes) = (self.compiled(), self.axes());
            let at = |values: &Vec<f64>| {
                let point =
                    axes.iter()
                        .zip(values)
                        .fold(Point::default(), |point, ((name, _), &value)| {
                            point.with(name, decimal(value).expect("a finite number"))
                        });
                let Ok(own) = compiled.at(&point) else {
                    return BTreeMap::new();
                };
                let unfinished = own
                    .unfinished
                    .iter()
                    .map(|name| (name.clone(), Evaluation::Unfinished));
                let told = own
                    .equations
                    .iter()
                    .map(|e| (e.name.clone(), Evaluation::of(e)));
                told.chain(unfinished).collect()
            };
            self.points().iter().map(at).collect()
        })
    }
}

/// What `eval` says.
#[derive(Debug)]
enum Evaluation {
    /// The closed form holds.
    Closed(Vec<f64>),
    /// The closed form holds, but doubles lose its digits.
    Cancelled,
    /// Its exact value has too many digits.
    Unfinished,
    Definition,
}

impl Evaluation {
    fn of(equation: &EvaluatedEquation) -> Evaluation {
        let cancelled = equation
            .approximations
            .iter()
            .any(|note| matches!(note, Note::Cancelled(_)));
        match (equation.method, numbers(&equation.value)) {
            _ if cancelled => Evaluation::Cancelled,
            (Method::Closed, Some(numbers)) => Evaluation::Closed(numbers),
            _ => Evaluation::Definition,
        }
    }
}

fn is_same(theirs: f64, ours: f64, exact: bool) -> bool {
    let near = (theirs - ours).abs() <= 1e-12 * ours.abs().max(1.0);
    theirs == ours || (near && !(exact && ours.abs() < 9e15))
}

/// Trailing components of vectors that are zero are left out.
fn padded(mut numbers: Vec<f64>, length: usize) -> Vec<f64> {
    numbers.resize(length.max(numbers.len()), 0.0);
    numbers
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Scalar(number) => Some(vec![number.to_f64()]),
        Value::Vector(vector) => {
            let mut all = Vec::new();
            for (_, index, value) in vector.components() {
                let index = usize::try_from(index.to_i64()?).ok()?;
                all.resize(all.len().max(index + 1), 0.0);
                all[index] = value.to_f64();
            }
            Some(all)
        }
        _ => None,
    }
}
