//! Times by label: the parts add up to the time, and are its slopes in explicit factors.

use pamela::compiled::{Compiled, Point};
use pamela::pipeline::{Model, Options};
use pamela::ring::Rational;

/// Models of the test at so many points each; or as many as `PAMELA_LABELS` says, at 1,000 points each.
const MODELS: u64 = 25;
const POINTS: usize = 5;
const MORE_POINTS: usize = 1_000;

const LABELS: [&str; 2] = ["comm", "io"];

/// The same process with labels, and with factors `k_comm`, `k_io` and `k_rest`.
struct Twins {
    labelled: String,
    factored: String,
}

struct Generator(u64);

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }

    fn time(&mut self) -> &'static str {
        ["a", "b", "c", "2 * a", "b / P", "max(a, c)", "a + b", "3"][self.below(8)]
    }

    /// A process in which what has no label has the factor of `label`.
    fn process(&mut self, depth: usize, label: &str) -> Twins {
        if depth == 0 {
            let time = self.time();
            let own = (self.below(2) == 0).then(|| LABELS[self.below(2)]);
            let factor = own.unwrap_or(label);
            let (before, written) = match self.below(3) {
                0 => ("use(disk, ", own),
                _ => ("delay(", own),
            };
            let suffix = written.map_or(String::new(), |label| format!(" as {label}"));
            return Twins {
                labelled: format!("{before}{time}){suffix}"),
                factored: format!("{before}({time}) * k_{factor})"),
            };
        }
        let joined = |own: &mut Generator, sign: &str| {
            let (first, second) = (own.process(depth - 1, label), own.process(depth - 1, label));
            Twins {
                labelled: format!("{{ {} {sign} {} }}", first.labelled, second.labelled),
                factored: format!("{{ {} {sign} {} }}", first.factored, second.factored),
            }
        };
        match self.below(5) {
            0 | 1 => joined(self, ";"),
            2 => joined(self, "||"),
            3 => {
                let body = self.process(depth - 1, label);
                Twins {
                    labelled: format!("seq (i = 1, P) {{ {} }}", body.labelled),
                    factored: format!("seq (i = 1, P) {{ {} }}", body.factored),
                }
            }
            _ => {
                let own = LABELS[self.below(2)];
                let body = self.process(depth - 1, own);
                Twins {
                    labelled: format!("{{ {} }} as {own}", body.labelled),
                    factored: format!("{{ {} }}", body.factored),
                }
            }
        }
    }
}

const HEAD: &str = "numeric parameter P : integer >= 1
numeric parameter a : >= 0
numeric parameter b : >= 0
numeric parameter c : >= 0
resource disk
";

const FACTORS: &str = "numeric parameter k_comm : >= 0
numeric parameter k_io : >= 0
numeric parameter k_rest : >= 0
";

fn value(compiled: &Compiled, point: &[(&str, Rational)], name: &str) -> Option<Rational> {
    let mut at = Point::default();
    for (name, value) in point {
        at = at.with(name, value.clone());
    }
    let evaluated = compiled.at(at).unwrap_or_else(|error| panic!("{error}"));
    let found = evaluated.equations.into_iter().find(|e| e.name == name)?;
    match found.value {
        pamela::eval::Value::Scalar(number) => number.as_exact().cloned(),
        _ => None,
    }
}

#[test]
fn parts_of_labels_add_up_and_are_slopes() {
    let asked = std::env::var("PAMELA_LABELS").ok();
    let asked = asked.and_then(|text| text.parse::<u64>().ok());
    let (models, points) = asked.map_or((MODELS, POINTS), |models| (models, MORE_POINTS));
    let mut compared = 0;
    for seed in 0..models {
        let mut random = Generator(seed * 7919 + 17);
        let body = random.process(3, "rest");
        let text = format!("{HEAD}process main = {} ; delay(a) as comm", body.labelled);
        let factored = format!(
            "{HEAD}{FACTORS}process main = {} ; delay(a * k_comm)",
            body.factored
        );
        let model = Model::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let labelled = model
            .with_labels()
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let own = labelled.compile(&Options::default());
        let own = own.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let factors = Model::parse(&factored).and_then(|model| model.compile(&Options::default()));
        let factors = factors.unwrap_or_else(|error| panic!("{error}\n{factored}"));
        for _ in 0..points {
            let mut point = vec![("P", Rational::from(1 + random.below(4) as i64))];
            for name in ["a", "b", "c"] {
                let value =
                    Rational::new(1 + random.below(997) as i64, 1 + random.below(13) as i64);
                point.push((name, value.expect("the divisor is positive")));
            }
            let time = |changed: &str, factor: Rational| {
                let mut there = point.clone();
                for name in ["k_comm", "k_io", "k_rest"] {
                    let own = if name == changed {
                        factor.clone()
                    } else {
                        Rational::ONE
                    };
                    there.push((name, own));
                }
                value(&factors, &there, "T_main").expect("it is exact")
            };
            let whole = time("", Rational::ONE);
            assert_eq!(value(&own, &point, "T_main"), Some(whole.clone()), "{text}");
            let mut sum = Rational::from(0);
            for label in ["comm", "io", "rest"] {
                let Some(part) = value(&own, &point, &format!("T_main_{label}")) else {
                    assert_ne!(label, "rest", "{text}");
                    continue;
                };
                sum = &sum + &part;
                let step = Rational::new(1, 1_000_000_000).expect("it is not 0");
                let factor = format!("k_{label}");
                let slope = |step: Rational| {
                    let rise = time(&factor, &Rational::ONE + &step) - whole.clone();
                    rise.checked_div(&step).expect("it is not 0")
                };
                let [left, right] = [slope(-step.clone()), slope(step)];
                if left == right {
                    assert_eq!(part, left, "{label} of {text}\n{point:?}");
                    compared += 1;
                }
                if label != "rest" {
                    let saved = value(&own, &point, &format!("T_main_{label}_saved"));
                    let without = time(&factor, Rational::from(0));
                    assert_eq!(saved, Some(whole.clone() - without), "{label} of {text}");
                }
            }
            assert_eq!(sum, whole, "{text}\n{point:?}");
        }
    }
    assert!(compared > 2 * models as usize);
}

#[test]
fn calls_are_labelled_and_numbers_are_not() {
    let text = "numeric parameter n : >= 0
        process ring(x) = delay(x) ; delay(2) as io
        process main = ring(n) as comm ; ring(1) ; delay(T(main_2))
        process main_2 = delay(5) as io";
    let model = Model::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let labelled = model
        .with_labels()
        .and_then(|model| model.compile(&Options::default()));
    let labelled = labelled.unwrap_or_else(|error| panic!("{error}"));
    let at = |name: &str| value(&labelled, &[("n", Rational::from(7))], name);
    // Innermost labels count; the time of a process, taken as a number, has the label of the `delay`.
    assert_eq!(at("T_main"), Some(Rational::from(17)));
    assert_eq!(at("T_main_comm"), Some(Rational::from(7)));
    assert_eq!(at("T_main_io"), Some(Rational::from(4)));
    assert_eq!(at("T_main_rest"), Some(Rational::from(6)));
}

#[test]
fn what_has_no_label_is_an_error() {
    let model = Model::parse("process main = delay(1)").expect("it reads");
    let error = model.with_labels().expect_err("there is none");
    assert!(
        error
            .to_string()
            .contains("nothing in the model has a label"),
        "{error}"
    );
}

/// What a text with labels says of the times of `main`, by the names of the equations.
fn labelled(text: &str) -> Compiled {
    let model = Model::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let labelled = model
        .with_labels()
        .unwrap_or_else(|error| panic!("{error}"));
    let compiled = labelled.compile(&Options::default());
    compiled.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn parts_of_random_times_are_those_of_the_mean() {
    let compiled = labelled(
        "numeric parameter N : integer >= 1
        numeric parameter a : > 0
        numeric parameter q : >= 0 <= 1
        process main = seq (i = 1, N) {
            delay(exponential(a)) as comm ;
            if (bernoulli(q)) delay(2 * a) as io else delay(i)
        }",
    );
    let point = [
        ("N", Rational::from(5)),
        ("a", Rational::from(3)),
        ("q", Rational::new(1, 4).expect("4 is not 0")),
    ];
    // N means of `a`, a share of N times 2 a, and the rest of 1 + 2 + .. + N.
    let expected = [("comm", 15, 1), ("io", 30, 4), ("rest", 45, 4)];
    let mut sum = Rational::from(0);
    for (label, numerator, denominator) in expected {
        let part = value(&compiled, &point, &format!("E_T_main_{label}"));
        assert_eq!(part, Rational::new(numerator, denominator), "{label}");
        sum = &sum + &part.expect("it was compared");
    }
    assert_eq!(value(&compiled, &point, "E_T_main"), Some(sum));
    let saved = value(&compiled, &point, "E_T_main_io_saved");
    assert_eq!(saved, Rational::new(30, 4));
}

#[test]
fn without_a_mean_it_says_what_to_do() {
    let text = "numeric parameter a : > 0
        process main = { delay(exponential(a)) as comm || delay(normal(a, 1)) }";
    let compiled = labelled(text);
    let failures = &compiled.simplified().failures;
    let told = failures
        .iter()
        .any(|error| error.to_string().contains("its mean has no formula"));
    assert!(told, "{failures:?}");
}
