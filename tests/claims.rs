//! Assertions: half of them true, half of them false by one at a boundary. The answers come from how they are made, and
//! each counterexample is evaluated by the definition.

use std::collections::BTreeMap;

use pamela::Model;
use pamela::claims::{Judged, Verdict, judge};
use pamela::effort::Effort;
use pamela::model::{Evaluator, Fraction, Limits, Number, Value};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::selection::is_full;

/// Claims in the whole battery, and in each run.
const ALL: usize = 408;
const FEW: usize = 102;

const TWO: &str = "numeric parameter N : integer >= 1\nnumeric parameter P : integer >= 1\n";

/// Draws a number; the ends come as often as all others.
struct Draw(Pcg64);

impl Draw {
    fn of(&mut self, low: i64, high: i64) -> i64 {
        match self.0.random_range(0..4) {
            0 => low,
            1 => high,
            _ => self.0.random_range(low..=high),
        }
    }
}

/// `a` where the claim is to be true, else `b`.
fn either<T>(holds: bool, a: T, b: T) -> T {
    if holds { a } else { b }
}

/// A model, and a claim about it that is true or false as asked.
///
/// One table, because each arm is a kind of claim.
fn case(kind: usize, holds: bool, draw: &mut Draw) -> (String, String) {
    let two = |more: &str| format!("{TWO}{more}");
    let line = "numeric parameter t : >= 0 <= 10\nresource s\nprocess main = par (p = 1, P) { delay(t) ; use(s, 2) }\n";
    let (k, m) = (draw.of(2, 12), draw.of(1, 99));
    match kind {
        0 => {
            let sum = m * (m + 1) / 2;
            let most = either(holds, sum, sum - 1);
            (
                two("numeric s = sum (i = 1, N) { i }\n"),
                format!("s <= {most} when N <= {m}"),
            )
        }
        1 => {
            let (sum, end) = (m * (m + 1) / 2, either(holds, m, m + 1));
            (
                two("numeric s = sum (i = 1, N) { i }\n"),
                format!("s <= {sum} when N <= {end}"),
            )
        }
        2 => (
            two(""),
            format!("ceil(N / P) * P <= N + P - {}", either(holds, 1, 2)),
        ),
        3 => (
            two(""),
            format!("floor(N / P) * P >= N - P + {}", either(holds, 1, 2)),
        ),
        4 => (
            two(""),
            format!("N mod {k} <= {}", either(holds, k - 1, k - 2)),
        ),
        5 => {
            let more = either(holds, String::new(), format!(" + (N == {m})"));
            (two(""), format!("N div {k} * {k} + N mod {k} == N{more}"))
        }
        6 => (
            two(""),
            format!("N^2 + {} {} {} * N", m * m, either(holds, ">=", ">"), 2 * m),
        ),
        7 => {
            let least = (0..20)
                .map(|n: u32| (1_i64 << n) - i64::from(n))
                .min()
                .expect("a least one");
            let least = either(holds, least, least + 1);
            (
                "numeric parameter N : integer >= 0\n".to_owned(),
                format!("2^N >= N + {least}"),
            )
        }
        8 => {
            let model = "numeric parameter x : > 0\n".to_owned();
            (
                model,
                format!("x + {} / x {} {}", m * m, either(holds, ">=", ">"), 2 * m),
            )
        }
        9 => {
            let (a, b) = (draw.of(1, 20), draw.of(-20, 20));
            let most = a * m + b;
            (
                two(""),
                format!(
                    "{a} * N + {b} <= {} when N <= {m}",
                    either(holds, most, most - 1)
                ),
            )
        }
        10 => {
            let (a, b, m) = (draw.of(1, 9), draw.of(1, 9), m + 1);
            let most = (a * (m - 1) + b).max(a + b * (m - 1));
            let most = either(holds, most, most - 1);
            (
                two(""),
                format!("{a} * N + {b} * P <= {most} when N + P <= {m}"),
            )
        }
        11 => (
            two(""),
            format!("N <= {m} || N >= {}", either(holds, m + 1, m + 2)),
        ),
        12 => {
            let more = either(holds, "", " + (N == 1)");
            let b = k.min(5);
            let claim = format!(
                "sum (i = 0, N) {{ {b}^i }} == ({b}^(N + 1) - 1) / {}{more}",
                b - 1
            );
            (two(""), claim)
        }
        13 => {
            let model = "numeric parameter x\n".to_owned();
            (
                model,
                format!("abs(x - {m}) {} 0", either(holds, ">=", ">")),
            )
        }
        14 => (
            two(line),
            format!("time(main) {} t + 2 * P", either(holds, "<=", "<")),
        ),
        15 => {
            let most = 10 + 2 * m;
            (
                two(line),
                format!(
                    "time(main) <= {} when P <= {m}",
                    either(holds, most, most - 1)
                ),
            )
        }
        16 => {
            let most = 3 * ((m + k - 1) / k);
            let model =
                format!("resource s = servers({k})\nprocess main = par (p = 1, P) use(s, 3)\n");
            (
                two(&model),
                format!(
                    "time(main) <= {} when P <= {m}",
                    either(holds, most, most - 1)
                ),
            )
        }
        17 => {
            let model = two("numeric parameter x : >= 0\n");
            (
                model,
                format!("max(x, N) + min(x, N) {} x + N", either(holds, "==", ">")),
            )
        }
        18 => {
            let names = ["a", "b", "c"].map(|name| format!("numeric parameter {name} : >= 0\n"));
            (
                names.concat(),
                format!("max(a, b, c) {} a + b + c", either(holds, "<=", "<")),
            )
        }
        19 => {
            let end = either(holds, m * m, m * m + 1);
            (two(""), format!("sqrt(N) <= {m} when N <= {end}"))
        }
        20 => {
            let claim = format!("N / P >= 1 && N - P {} 0", either(holds, ">=", ">"));
            (two("assume N >= P\n"), claim)
        }
        21 => {
            let most = either(holds, m * m, m * m - 1);
            (
                two(""),
                format!("N * P <= {most} when N <= {m} && P <= {m}"),
            )
        }
        22 => {
            let m = m + 3;
            let most = (m / 2) * (m - m / 2);
            (
                two(""),
                format!(
                    "N * P <= {} when N + P <= {m}",
                    either(holds, most, most - 1)
                ),
            )
        }
        23 => {
            let model = two(&format!("numeric f = if (N > {m}) {k} * N else N\n"));
            let most = k * (m + 1);
            (
                model,
                format!("f <= {} when N <= {}", either(holds, most, most - 1), m + 1),
            )
        }
        24 => {
            let model = two(&format!("numeric f = steps(N, 1: 1, {}: 2)\n", m + 1));
            (
                model,
                format!("f <= 1 when N <= {}", either(holds, m, m + 1)),
            )
        }
        25 => {
            let model = "numeric parameter w : > 0\nnumeric parameter c : >= 0\n\
                         process main = { par (p = 1, P) delay(w / P) } ; delay(c * P)\n\
                         numeric speedup = at(time(main), P, 1) / time(main)\n";
            (
                two(model),
                format!("speedup {} P", either(holds, "<=", "<")),
            )
        }
        26 => {
            let model = format!("process main = seq (i = 1, N) delay(i mod 2 + {k})\n");
            (
                two(&model),
                format!("T(main) <= {} * N", either(holds, k + 1, k)),
            )
        }
        27 => (
            two(""),
            format!(
                "N != {m}{}",
                either(holds, format!(" when N > {m}"), String::new())
            ),
        ),
        28 => {
            let (k, model) = (k.min(6), "numeric parameter N : integer >= 0\n".to_owned());
            let sign = either(holds, ">=", ">");
            (
                model,
                format!("N^3 + {} {sign} {} * N", 2 * k * k * k, 3 * k * k),
            )
        }
        29 => {
            // At each of two resources everything may wait for everything.
            let m = m.min(12);
            let most = m * (m + 1) / 2 * 2 + 4 * m + 10 + m * m;
            let model = "numeric parameter P : integer >= 1\nresource a\nresource b\n\
                         process main = par (p = 1, P) { use(a, 1) ; delay(p) ; use(b, 2) ; delay(1) ; use(a, p) }\n";
            let end = either(holds, m, m + 2);
            (
                model.to_owned(),
                format!("time(main) <= {} when P <= {end}", either(holds, most, m)),
            )
        }
        30 => (
            two(""),
            format!("!(N < {k}) || N <= {}", either(holds, k - 1, k - 2)),
        ),
        31 => {
            let below = either(holds, k, k - 1);
            (
                two(""),
                format!("(if (N >= {k}) N >= {k} else N < {below})"),
            )
        }
        32 => {
            let model = "numeric parameter b : [MB] >= 0\nnumeric parameter r : [MB/s] > 0\n\
                         process main = delay(b / r)\n";
            let least = either(holds, m, m - 1);
            let when = format!("b <= {} [MB] && r >= {least} [MB/s]", 2 * m);
            (
                model.to_owned(),
                format!("time(main) <= 2 [s] when {when} && r > 0 [MB/s]"),
            )
        }
        _ => {
            // Rows of P columns: the last one may be short.
            let claim = format!("N - (ceil(N / P) - 1) * P {} 0", either(holds, ">", ">="));
            (
                two(""),
                either(holds, claim, "N - (ceil(N / P) - 1) * P > 1".to_owned()),
            )
        }
    }
}

/// Kinds of claims in [`case`].
const KINDS: usize = 34;

fn judged(model: &str, claim: &str) -> (Model, Judged) {
    let text = format!("{model}numeric certain = 1\nassert {claim}\n");
    let model = Model::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let rules = pamela::rules::standard().expect("the rules");
    let mut all = judge(&model, &rules, Effort::Normal).expect("an answer");
    (model, all.remove(0))
}

/// The truth of a claim at a point by the definition: its condition does not hold, or the claim does.
fn holds_at(model: &str, claim: &str, point: &[(String, pamela::ring::Rational)]) -> bool {
    let (claim, when) = claim.split_once(" when ").unwrap_or((claim, "1 == 1"));
    let text = format!("{model}numeric holds_ = if ({when}) {claim} else 1\n");
    let model = Model::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let value =
        |value: &pamela::ring::Rational| Value::from(Number::Exact(Fraction::from(value.to_big())));
    // What a claim does not depend on may have any value.
    let mut given: BTreeMap<String, Value> = model
        .scalar_parameters()
        .map(|name| (name.to_owned(), value(&pamela::ring::Rational::from(1))))
        .collect();
    given.extend(point.iter().map(|(name, own)| (name.clone(), value(own))));
    let mut evaluator = Evaluator::new(model.checked(), &given, Limits::default());
    match evaluator.equation("holds_") {
        Ok(Value::Scalar(number)) => !number.is_zero(),
        other => panic!("{text} has no truth value: {other:?}"),
    }
}

#[test]
fn no_false_claim_is_proved() {
    let mut draw = Draw(Pcg64::seed_from_u64(20_260));
    let count = if is_full() { ALL } else { FEW };
    let mut undecided = Vec::new();
    for number in 0..count {
        let holds = (number / KINDS).is_multiple_of(2);
        let (model, claim) = case(number % KINDS, holds, &mut draw);
        match judged(&model, &claim).1.verdict {
            Verdict::Proved(_) => assert!(holds, "proved, but false:\n{model}{claim}"),
            Verdict::Refuted(found) => {
                assert!(
                    !holds,
                    "refuted at {}, but true:\n{model}{claim}",
                    found.at()
                );
                assert!(
                    !holds_at(&model, &claim, &found.point),
                    "true at {}:\n{model}{claim}",
                    found.at()
                );
            }
            Verdict::Undecided { .. } => undecided.push(format!("{model}{claim} ({holds})")),
        }
    }
    let most = count / 10;
    eprintln!("{} of {count} claims are decided", count - undecided.len());
    assert!(
        undecided.len() <= most,
        "{} not decided:\n{}",
        undecided.len(),
        undecided.join("\n")
    );
}

/// The least N at which a claim is false is found, wherever it is.
#[test]
fn the_smallest_counterexample_is_found() {
    let claims = [
        ("N^2 <= 1000 * N + 5000", 1005),
        ("N != 777", 777),
        ("sum (i = 1, N) { i } <= 123456", 497),
        ("2^N <= 10^9", 30),
        ("N mod 97 != 5", 5),
        ("N div 64 <= 40", 2624),
        ("fact(N) <= 10^6", 10),
        ("N * log2(N) <= 100", 23),
        ("N < 3 || N > 5", 3),
    ];
    for (claim, expected) in claims {
        // By trying each number in turn.
        let point = |n: i64| vec![("N".to_owned(), pamela::ring::Rational::from(n))];
        let model = "numeric parameter N : integer >= 1\n";
        assert!(!holds_at(model, claim, &point(expected)), "{claim}");
        assert!(
            (1.max(expected - 60)..expected).all(|n| holds_at(model, claim, &point(n))),
            "{claim}"
        );
        let Verdict::Refuted(found) = judged(model, claim).1.verdict else {
            panic!("{claim} is not refuted")
        };
        assert_eq!(found.point, point(expected), "{claim}");
        assert!(found.is_smallest, "{claim}");
    }
}

/// What cannot be compared is refused with the place, and `assert` may be a name.
#[test]
fn claims_about_laws_are_refused() {
    let model = "process main = seq (i = 1, 3) delay(exponential(2))\nassert time(main) <= 100\n";
    let model = Model::parse(model).expect("a model");
    let rules = pamela::rules::standard().expect("the rules");
    let error = judge(&model, &rules, Effort::Normal).expect_err("a law");
    assert_eq!(
        error.diagnostics[0].message,
        "`time(main)` is random, and an assertion compares numbers"
    );
    let model = Model::parse(
        "numeric parameter assert : > 0\nnumeric x = 2 * assert\nassert x >= assert\n",
    );
    let model = model.expect("a name elsewhere");
    assert_eq!(model.checked().assertions().len(), 1);
    let found = judge(&model, &rules, Effort::Normal).expect("an answer");
    assert_eq!(found[0].verdict.name(), "proved");
}
