//! Bounds and exact times of contended sections, beside runs of the simulation, which shares no code with formulas.

use std::collections::BTreeMap;

use num_rational::BigRational;
use pamela::compiled::{Compiled, Evaluated, Point};
use pamela::diagnostic::Error;
use pamela::eval::{Number, Value};
use pamela::simulate::{ExecutionTime, Time, execution_time};
use pamela::timing::{Order, Origin, Standing};
use pamela::{Model, Options};
use pamela_lab::models::contended::{Contended, contended};

use crate::selection::number_from;

/// Models of every run, the same on any day.
const FEW: u64 = 60;

fn of(time: &Time) -> BigRational {
    time.exact.clone().expect("a fraction")
}

/// The value of an equation, and how it relates to runs.
fn value(found: &Evaluated, origin: &Origin) -> Option<(BigRational, Standing)> {
    let own = found.equations.iter().find(|e| e.origin == *origin)?;
    let Value::Scalar(Number::Exact(number)) = &own.value else {
        return None;
    };
    let number = number.to_string().parse().expect("a fraction");
    Some((number, own.standing.clone()))
}

fn compiled(text: &str) -> Result<Compiled, Error> {
    let options = Options {
        bounds: true,
        times: true,
        all: true,
        ..Options::default()
    };
    Model::parse(text)?.compile(&options)
}

/// What differs at a point between the formulas and the runs; `None` where there is no run.
fn differences(
    text: &str,
    compiled: &Compiled,
    point: &[(&'static str, i64)],
) -> Option<Vec<String>> {
    let mut model = Model::parse(text).expect("a model");
    let mut at = Point::default();
    for &(name, value) in point {
        model.define(name, &value.to_string()).expect("a value");
        at = at.with(name, value);
    }
    // What waits without end has no time.
    let run = execution_time(model.checked(), "main", &BTreeMap::new(), 200_000).ok()?;
    let found = match compiled.at(&at) {
        Ok(found) => found,
        Err(error) => return Some(vec![format!("no value: {error}")]),
    };
    Some(disagreements(&found, &run))
}

fn disagreements(found: &Evaluated, run: &ExecutionTime) -> Vec<String> {
    let (least, most, in_text_order) = (of(&run.least), of(&run.greatest), of(&run.in_text_order));
    let origin = |of: fn(String) -> Origin| of("main".to_string());
    let mut wrong = Vec::new();
    for own in [origin(Origin::Time), origin(Origin::Lower)] {
        if let Some((value, _)) = value(found, &own).filter(|(value, _)| *value > least) {
            wrong.push(format!("{own:?} is {value}, a run took {least}"));
        }
    }
    let mut below = most.clone();
    for own in [
        origin(Origin::Upper),
        origin(Origin::UpperUnordered),
        origin(Origin::UpperByWork),
    ] {
        let Some((value, _)) = value(found, &own) else {
            continue;
        };
        if value < below {
            wrong.push(format!(
                "{own:?} is {value}, below {below}; a run took {most}"
            ));
        }
        below = value;
    }
    for own in [origin(Origin::Time), origin(Origin::Execution)] {
        let Some((value, Standing::Exact(proof))) = value(found, &own) else {
            continue;
        };
        let is_so = match proof.order {
            Order::Any => value == least && value == most,
            Order::Text => value == in_text_order,
        };
        if !is_so {
            wrong.push(format!(
                "{own:?} is {value} ({proof}), runs took {least} .. {most}"
            ));
        }
    }
    wrong
}

/// A model that is shown where a wrong closed form ends the test.
struct NamedByPanic<'t>(u64, &'t str);

impl Drop for NamedByPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("seed {}:\n{}", self.0, self.1);
        }
    }
}

/// A visit that takes no time waits for a server that is busy, though it demands nothing of it.
#[test]
fn visits_without_time_wait() {
    let visits = [
        "use(lock, 0)",
        "use(lock) { delay(0) }",
        "use(lock) { use(other, 0) }",
    ];
    for visit in visits {
        let text = format!(
            "numeric parameter c : integer >= 1\nnumeric parameter n : integer >= 0\nnumeric parameter t : >= 0\n\
             numeric parameter v : >= 0\nresource lock\nresource other\n\
             process main = {{ delay(v) ; {visit} ; delay(3 * t) }} || {{ use(lock, 2) ; delay(c + n) }}"
        );
        let compiled = compiled(&text).expect("it is a model");
        for [n, t, v] in [[0, 1, 0], [0, 1, 1], [3, 0, 0], [1, 2, 5]] {
            let point = [("c", 1), ("n", n), ("t", t), ("v", v)];
            let found = differences(&text, &compiled, &point).expect("it is run");
            assert!(found.is_empty(), "{text}\n{point:?}: {found:#?}");
        }
    }
}

/// `PAMELA_CONTENDED=6000` tries as many models, from `PAMELA_SEED` on.
#[test]
fn no_formula_contradicts_a_run() {
    let first = number_from("PAMELA_SEED", 0);
    let count = number_from("PAMELA_CONTENDED", FEW);
    let (mut runs, mut wrong) = (0, Vec::new());
    for seed in first..first + count {
        let Contended { text, points } = contended(seed);
        let _named = NamedByPanic(seed, &text);
        // A resource of one server that is held and asked for again is an error of the model.
        let Ok(compiled) = compiled(&text) else {
            continue;
        };
        for point in points {
            let Some(found) = differences(&text, &compiled, &point) else {
                continue;
            };
            runs += 1;
            if !found.is_empty() {
                wrong.push(format!("seed {seed}, {point:?}: {found:#?}\n{text}"));
            }
        }
    }
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>();
    assert!(
        wrong.is_empty(),
        "{} of {runs}\n{}",
        wrong.len(),
        shown.join("\n")
    );
    assert!(runs > count, "only {runs} runs of {count} models");
}

/// What differs at points between formulas and runs of a model that is given.
fn differs(text: &str, points: &[&[(&'static str, i64)]]) -> Vec<String> {
    let compiled = compiled(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let all = points.iter().map(|point| {
        let found = differences(text, &compiled, point);
        found.unwrap_or_else(|| panic!("no run at {point:?} of\n{text}"))
    });
    all.flatten().collect()
}

fn execution(text: &str, point: &[(&'static str, i64)]) -> Option<(BigRational, Standing)> {
    let compiled = compiled(text).expect("closed forms");
    let at = point
        .iter()
        .fold(Point::default(), |at, (name, value)| at.with(name, *value));
    let found = compiled.at(&at).expect("values");
    value(&found, &Origin::Execution("main".to_string()))
}

/// One of two servers is held all the time, so that three visits of 1 take 3 one after the other: no theorem about two
/// servers says it. Of three servers two are left: 2. Where another pool is held, both servers serve: 2.
#[test]
fn a_server_that_is_held_around_a_section_does_not_serve_it() {
    let held: [(&str, &[(&'static str, i64)]); 6] = [
        ("resource r = servers(2) process main = use(r) { par (i = 1, 3) use(r, 1) }", &[]),
        ("resource r(k) = servers(2) process main = use(r(1)) { par (i = 1, 3) use(r(1), 1) }", &[]),
        (
            "numeric parameter n resource r(k) = servers(2)
             process main = use(r(1)) { par (i = 1, 3) use(r(n), 1) }",
            &[("n", 1)],
        ),
        (
            "resource r = servers(2) process visit(x) = par (i = 1, 3) use(x, 1)
             process main = use(r) { visit(r) }",
            &[],
        ),
        (
            "resource r(k) = servers(2) resource door = r(4)
             process main = use(door) { delay(1) ; { use(r(4), 1) || use(r(4), 1) || use(r(4), 1) } }",
            &[],
        ),
        (
            "numeric parameter n : integer >= 2 resource r = servers(n)
             process main = use(r) { par (i = 1, 3) use(r, 1) }",
            &[("n", 2)],
        ),
    ];
    for (text, point) in held {
        assert_eq!(differs(text, &[point]), [""; 0]);
        assert!(execution(text, point).is_none(), "{text}");
    }
    let free = "resource r = servers(2) resource s = servers(2) process main = use(s) { par (i = 1, 3) use(r, 1) }";
    let (time, standing) = execution(free, &[]).expect("a theorem");
    assert_eq!(time, BigRational::from_integer(2.into()));
    assert!(standing.is_exact());
}

/// The holder of `b` is served by the only server of `a` for 10: who waits for `b` waits for that, also where nobody queues
/// for `a`. By hand: `b` is free at 10, its visit ends at 11, and the delay at 21.
#[test]
fn work_of_a_single_server_makes_who_waits_for_its_holder_wait() {
    for text in [
        "numeric parameter c : integer >= 1 resource a = servers(c) resource b
         process main = use(b) { use(a, 10) } || { delay(1) ; use(b, 1) ; delay(10) }",
        "numeric parameter c : integer >= 1 resource a(i) = servers(c) resource b
         process main = use(b) { use(a(1), 10) } || { delay(1) ; use(b, 1) ; delay(10) }",
        "numeric parameter c : integer >= 1 resource a = servers(c) resource b
         process main = par (i = 1, 2) { if (i == 1) use(b) { use(a) { use(a, 0) || delay(10) } }
         else { delay(1) ; use(b, 1) ; delay(10) } }",
        "numeric parameter c : integer >= 1 resource a = servers(2 * c - 1) resource b
         process main = use(b) { seq (i = 1, 5) use(a, 2) } || { delay(1) ; use(b, 1) ; delay(10) }",
    ] {
        let points: &[&[(&'static str, i64)]] = &[&[("c", 1)], &[("c", 2)], &[("c", 3)]];
        let points = if text.contains("use(a) {") { &points[1..] } else { points };
        assert_eq!(differs(text, points), [""; 0]);
    }
}

/// Two and a half servers are none.
#[test]
fn a_number_of_servers_is_whole() {
    for text in [
        "numeric parameter c resource r = servers(c) process main = par (i = 1, 3) use(r, 1)",
        "numeric parameter c resource r(i) = servers(c * i) process main = par (i = 1, 3) use(r(i), 1)",
        "numeric parameter c resource s process main = par (i = 1, 3) { use(fcfs(0, c), 1) ; use(s, 2) }",
    ] {
        let compiled = compiled(text).expect("closed forms");
        for halves in [1, 5] {
            let half = pamela::ring::Rational::from(BigRational::new(halves.into(), 2.into()));
            let error = compiled.at(Point::default().with("c", half));
            let error = error.expect_err("no value");
            assert!(error.to_string().contains("servers"), "{error}");
        }
        assert!(compiled.at(Point::default().with("c", 2)).is_ok(), "{text}");
        let whole = compiled.equations().iter().find(|e| e.name == "T_main");
        let conditions =
            whole.map(|e| e.formula.condition_texts(pamela::formula::Notation::Pamela));
        assert!(
            conditions.is_some_and(|all| all.iter().any(|c| c.contains("integer"))),
            "{text}"
        );
    }
    let fixed = "resource r = servers(5/2) process main = use(r, 1)";
    assert!(compiled(fixed).is_err());
}

/// What is saved if a label takes no time is the time less that of the model in which its delays are 0, both by the
/// definition: 18 - 6 at the point below.
#[test]
fn what_a_label_saves_is_the_difference_of_two_times() {
    let text = |b: &str| {
        format!(
            "numeric parameter t : >= 0 numeric parameter v : >= 0
             process main = seq (i = 1, 2) {{ delay(2 * v){b}
             || {{ delay(v) ; delay(t * i){b} }} || {{ delay(2) ; delay(t * i){b} }} }}"
        )
    };
    let whole = BigRational::from_integer(18.into());
    let without = "process main = seq (i = 1, 2) { delay(0) || delay(3) || delay(2) }";
    let run = execution_time(
        Model::parse(without).expect("a model").checked(),
        "main",
        &BTreeMap::new(),
        100,
    );
    let without = of(&run.expect("a run").in_text_order);
    let labelled = Model::parse(&text(" as b")).expect("a model");
    let labelled = labelled.with_labels().expect("labels");
    let compiled = labelled.compile(&Options::default()).expect("closed forms");
    let found = compiled
        .at(Point::default().with("t", 4).with("v", 3))
        .expect("values");
    let named = |name: &str| {
        let own = found.equations.iter().find(|e| e.name == name).expect(name);
        value(&found, &own.origin).expect("a number").0
    };
    assert_eq!(named("T_main"), whole);
    assert_eq!(named("T_main_b_saved"), whole - without);
}

/// Elements of an array need no whole index: `r(i mod c)` for `c = 3/2` visits three of them, and is no round of one.
#[test]
fn rounds_have_a_whole_number_of_stations() {
    let text = "numeric parameter c : > 0 resource r(k)
        process main = par (p = 1, 2) seq (i = 0, 2) use(r(i mod c), 1)";
    let compiled = compiled(text).expect("closed forms");
    let time = compiled.equations().iter().find(|e| e.name == "time_main");
    let conditions = time.map(|e| e.formula.condition_texts(pamela::formula::Notation::Pamela));
    assert!(conditions.is_none_or(|all| all.iter().any(|c| c == "integer(c)")));
    assert_eq!(differs(text, &[&[("c", 1)], &[("c", 3)]]), [""; 0]);
}
