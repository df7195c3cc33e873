//! Values of models whose closed forms are partial, or missing: right, or refused. Each value is computed here by its
//! definition, term by term.

use pamela::compiled::Point;
use pamela::{Compiled, Model, Options};

fn compiled(text: &str) -> Compiled {
    let compiled = Model::parse(text).and_then(|model| model.compile(&Options::default()));
    compiled.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn number(compiled: &Compiled, point: &[(&str, f64)], name: &str) -> Option<f64> {
    let start = Point::default();
    let point = point.iter().fold(start, |point, (name, value)| {
        let value = pamela::compiled::decimal(*value).expect("a finite number");
        point.with(name, value)
    });
    compiled.at(&point).ok()?.number(name).ok()
}

/// Compares with a value, or with none.
fn is(compiled: &Compiled, point: &[(&str, f64)], name: &str, expected: Option<f64>) {
    let found = number(compiled, point, name);
    let near = match (found, expected) {
        (Some(found), Some(expected)) => {
            (found - expected).abs() <= 1e-12 * expected.abs().max(1.0)
        }
        (None, None) => true,
        _ => false,
    };
    assert!(near, "{name} at {point:?} is {found:?}, not {expected:?}");
}

#[test]
fn choices_have_the_value_of_their_branch() {
    let text = "import \"std/reliability\" as r
        numeric parameter C : > 0
        numeric parameter M : > 0
        numeric d = r.daly(C, M)";
    let daly = compiled(text);
    // From both sides up to the boundary C = 2 * M, where the second branch begins.
    for (c, m) in [
        (1.0, 8.0),
        (1.0, 0.5),
        (1.0, 0.5625),
        (1.0, 0.4375),
        (8.0, 1.0),
        (2.0, 1.0),
        (0.25, 100.0),
    ] {
        let share = c / (2.0 * m);
        let expected = if c < 2.0 * m {
            f64::sqrt(2.0 * c * m) * (1.0 + share.sqrt() / 3.0 + share / 9.0) - c
        } else {
            m
        };
        is(&daly, &[("C", c), ("M", m)], "d", Some(expected));
    }
    // A branch without a value where it is not chosen, and one that is worth 0.
    let text = "numeric parameter x
        numeric parameter t
        numeric f = if (x > 0) t / x else t
        numeric g = if (x != 2) 1 / (x - 2) else 7";
    let guarded = compiled(text);
    for x in [-1.0, 0.0, 0.5, 2.0, 4.0] {
        for t in [0.0, 3.0] {
            let point = [("x", x), ("t", t)];
            is(&guarded, &point, "f", Some(if x > 0.0 { t / x } else { t }));
            is(
                &guarded,
                &point,
                "g",
                Some(if x != 2.0 { 1.0 / (x - 2.0) } else { 7.0 }),
            );
        }
    }
}

/// The sum of a term that may be undefined.
fn summed(first: i64, last: i64, term: impl Fn(i64) -> Option<f64>) -> Option<f64> {
    (first..=last)
        .map(term)
        .try_fold(0.0, |sum, term| Some(sum + term?))
}

fn reciprocal(divisor: i64) -> Option<f64> {
    (divisor != 0).then(|| 1.0 / divisor as f64)
}

#[test]
fn sums_over_poles_are_refused() {
    let text = "numeric parameter n : integer
        numeric f = sum (k = -3, n) { 1 / (k * (k + 1)) }
        numeric g = sum (k = -2, n) { 1 / (k * (k + 2)) }
        numeric h = sum (k = 2, n) { 1 / (k * (k - 1)) }";
    let sums = compiled(text);
    for n in -8..=6 {
        let point = [("n", n as f64)];
        is(
            &sums,
            &point,
            "f",
            summed(-3, n, |k| reciprocal(k * (k + 1))),
        );
        is(
            &sums,
            &point,
            "g",
            summed(-2, n, |k| reciprocal(k * (k + 2))),
        );
        is(
            &sums,
            &point,
            "h",
            summed(2, n, |k| reciprocal(k * (k - 1))),
        );
    }
}

#[test]
fn arrivals_at_distances_are_between_their_bounds() {
    let text = "numeric parameter n : integer >= 1
        numeric parameter u : >= 0
        numeric parameter s : >= 0
        resource desk
        process main = par (i = 1, n) { delay(i * u) ; use(desk, s) }";
    let options = Options {
        bounds: true,
        ..Options::default()
    };
    let model = Model::parse(text).and_then(|model| model.compile(&options));
    let queue = model.expect("closed forms");
    for n in 1..=5 {
        for u in [0.0, 1.0, 2.0, 2.5] {
            for s in [0.0, 1.0, 2.0, 3.0] {
                // One request after the other, in the order in which they come.
                let served = (1..=n).fold(0.0f64, |free, i| free.max(f64::from(i) * u) + s);
                let point = [("n", f64::from(n)), ("u", u), ("s", s)];
                let value = |name: &str| number(&queue, &point, name).expect("a value");
                let (least, most) = (value("L_main"), value("U_main"));
                assert!(
                    value("T_main") <= served && least <= served,
                    "{point:?}: {served}"
                );
                assert!(served <= most, "{point:?}: {served} above {most}");
            }
        }
    }
}

#[test]
fn open_reductions_are_computed_term_by_term() {
    let text = "numeric parameter J : integer >= 0
        numeric b = max (i = 0, J) { (3 * i) mod 7 }
        numeric b2 = max (i = 0, J) { (5 * i + 2) mod 6 }
        numeric v = prod (k = 0, J) { k - 3 }
        numeric v2 = prod (k = 1, J) { 2 * k - 5 }
        numeric g = sum (k = 0, J - 1) { if (k^2 - k > 1) 1 else 0 }
        numeric g2 = sum (k = 0, J) { if (k^2 - 3 * k < 4) k else 0 }
        numeric f = sum (i = 1, J) { floor(2 * 2^(-i)) }
        numeric f2 = sum (i = 0, J) { ceil(5 / 3^i) }";
    let open = compiled(text);
    for j in 0..=14i64 {
        let all = |first: i64, last: i64, term: &dyn Fn(i64) -> i64| -> Vec<f64> {
            (first..=last).map(|k| term(k) as f64).collect()
        };
        let most = |terms: Vec<f64>| terms.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let point = [("J", j as f64)];
        is(&open, &point, "b", Some(most(all(0, j, &|i| (3 * i) % 7))));
        is(
            &open,
            &point,
            "b2",
            Some(most(all(0, j, &|i| (5 * i + 2) % 6))),
        );
        let product = all(0, j, &|k| k - 3).into_iter().product();
        is(&open, &point, "v", Some(product));
        let product = all(1, j, &|k| 2 * k - 5).into_iter().product();
        is(&open, &point, "v2", Some(product));
        let count = all(0, j - 1, &|k| i64::from(k * k - k > 1))
            .into_iter()
            .sum();
        is(&open, &point, "g", Some(count));
        let sum = all(0, j, &|k| if k * k - 3 * k < 4 { k } else { 0 });
        is(&open, &point, "g2", Some(sum.into_iter().sum()));
        is(
            &open,
            &point,
            "f",
            Some(all(1, j, &|i| 2 / (1 << i)).into_iter().sum()),
        );
        let ceilings = all(0, j, &|i| {
            let power = 3i64.pow(i as u32);
            (5 + power - 1) / power
        });
        is(&open, &point, "f2", Some(ceilings.into_iter().sum()));
    }
}

/// Factors that change their sign between two whole numbers: factorials of negative numbers took part in the forms.
#[test]
fn products_of_halves_have_the_values_of_their_factors() {
    type Factor = (&'static str, fn(f64) -> f64);
    let factors: [Factor; 7] = [
        ("2 * k - 5", |k| 2.0 * k - 5.0),
        ("(2 * k - 5) * (k + 1)", |k| (2.0 * k - 5.0) * (k + 1.0)),
        ("(2 * k - 7)^2", |k| (2.0 * k - 7.0) * (2.0 * k - 7.0)),
        ("(2 * k - 5) * (2 * k + 1)", |k| {
            (2.0 * k - 5.0) * (2.0 * k + 1.0)
        }),
        ("(k + 2) / (2 * k - 7)^2", |k| {
            (k + 2.0) / ((2.0 * k - 7.0) * (2.0 * k - 7.0))
        }),
        ("(2 * k - 5) / (2 * k - 1)", |k| {
            (2.0 * k - 5.0) / (2.0 * k - 1.0)
        }),
        ("2 * k + 3", |k| 2.0 * k + 3.0),
    ];
    for first in [-2, 0, 1, 3] {
        let mut text = String::from("numeric parameter J : integer\n");
        for (number, (factor, _)) in factors.iter().enumerate() {
            text.push_str(&format!(
                "numeric f{number} = prod (k = {first}, J) {{ {factor} }}\n"
            ));
        }
        let products = compiled(&text);
        for last in first - 2..=first + 7 {
            for (number, (_, factor)) in factors.iter().enumerate() {
                let expected = (first..=last).map(|k| factor(f64::from(k))).product();
                let point = [("J", f64::from(last))];
                is(&products, &point, &format!("f{number}"), Some(expected));
            }
        }
    }
}

/// When the last of `count` tasks of two families ends; `before(family, m)` are those that one waits for. `None` of a
/// round.
fn longest(
    count: i64,
    times: [f64; 2],
    before: &dyn Fn(usize, i64) -> Vec<(usize, i64)>,
) -> Option<f64> {
    let mut ends = vec![[None; 2]; count as usize + 1];
    let mut changed = true;
    while changed {
        changed = false;
        for m in 1..=count {
            for family in 0..2 {
                let within = before(family, m)
                    .into_iter()
                    .filter(|(_, k)| (1..=count).contains(k));
                let ready: Option<Vec<f64>> = within.map(|(f, k)| ends[k as usize][f]).collect();
                if let (None, Some(ready)) = (ends[m as usize][family], ready) {
                    let start = ready.into_iter().fold(0.0, f64::max);
                    ends[m as usize][family] = Some(start + times[family]);
                    changed = true;
                }
            }
        }
    }
    let all: Option<Vec<f64>> = ends[1..].iter().flatten().copied().collect();
    Some(all?.into_iter().fold(0.0, f64::max))
}

#[test]
fn graphs_that_close_for_one_order_alone_stay_open() {
    for (shift, declared) in [
        (0, "b"),
        (0, "b : integer"),
        (0, "b : integer >= 1"),
        (1, "b : integer"),
    ] {
        let text = format!(
            "numeric parameter M : integer >= 1
            numeric parameter {declared}
            process main = graph {{
                f(m = 1, M): delay(1) after f(m-1), c(m-b+{shift}) ;
                c(m = 1, M): delay(2) after f(m), c(m-1)
            }}"
        );
        let graph = compiled(&text);
        let time = &graph["T_main"];
        let (conditions, open) = (time.formula.conditions(), time.formula.open_reductions());
        let arena = time.formula.arena();
        let is_whole = |&id: &pamela::expr::ExprId| {
            use pamela::expr::{Function, Node};
            matches!(arena.node(id), Node::Apply(Function::Integer, _))
        };
        assert!(
            open > 0 || conditions.iter().all(is_whole),
            "{text}: {time:?}"
        );
        for m in 1..=6 {
            for b in -1..=7 {
                let before = |family: usize, k: i64| match family {
                    0 => vec![(0, k - 1), (1, k - b + shift)],
                    _ => vec![(0, k), (1, k - 1)],
                };
                if declared.ends_with('1') && b < 1 {
                    continue;
                }
                let expected = longest(m, [1.0, 2.0], &before);
                is(
                    &graph,
                    &[("M", m as f64), ("b", b as f64)],
                    "T_main",
                    expected,
                );
            }
        }
    }
}
