//! `quantile(X, q)` and `prob(X <= t)` as numbers: against mpmath, enumeration and the definition.

mod oracles;

use pamela::eval::Value;
use pamela::model::{Evaluator, Limits, Value as Defined};
use pamela::{Model, Options};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::support::{Bindings, read};

/// The values of the equations of a model at a point.
fn values(text: &str, given: &[(&str, String)]) -> Vec<(String, f64)> {
    let model = Model::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let given: Vec<(String, String)> = given
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let rules = pamela::rules::standard().expect("the rules are rules");
    let evaluated = model
        .evaluate(&given, rules, &Options::default())
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(
        evaluated.failures.is_empty(),
        "{text}: {:?}",
        evaluated.failures
    );
    let scalars = evaluated.equations.into_iter();
    scalars
        .filter_map(|own| match own.value {
            Value::Scalar(number) => Some((own.name, number.to_f64())),
            _ => None,
        })
        .collect()
}

fn value(expression: &str) -> f64 {
    values(&format!("numeric f = {expression}\n"), &[])[0].1
}

fn is_near(found: f64, expected: f64, within: f64) -> bool {
    (found - expected).abs() <= within * expected.abs()
}

/// The figures of the design of this feature.
#[test]
fn figures_of_the_design_are_found() {
    for (expression, expected) in [
        ("quantile(exponential(3), 0.99)", 13.81551055796427),
        (
            "quantile(max (i = 1, 64) { exponential(3) }, 0.99)",
            26.27733248207276,
        ),
        (
            "quantile(min (i = 1, 64) { exponential(3) }, 0.99)",
            0.2158673524681918,
        ),
        ("quantile(weibull(0.7, 3), 0.99)", 26.58367932821758),
        ("quantile(lognormal(0, 1), 0.99)", 10.24047365631214),
        ("quantile(erlang(4, 2), 0.99)", 5.022558757415808),
        ("prob(erlang(4, 2) <= 3)", 0.8487961172233521),
    ] {
        let found = value(expression);
        assert!(is_near(found, expected, 1e-12), "{expression}: {found}");
    }
}

/// The hedged request of the documents: the first of two answers is later than `t` where both are, `S(t) * S(t - d)`.
#[test]
fn percentiles_of_hedged_requests_are_where_the_product_of_tails_says() {
    let tail = |t: f64| {
        let exponential = |t: f64| (-t.max(0.0) / 10.0).exp();
        0.95 * exponential(t) + 0.05 * exponential(t - 100.0)
    };
    for d in [1.0f64, 10.0, 30.0, 99.0, 100.0] {
        for q in [0.5, 0.95, 0.99, 0.999] {
            let (mut low, mut high) = (0.0f64, 400.0);
            for _ in 0..100 {
                let middle = (low + high) / 2.0;
                let later = tail(middle) * if middle < d { 1.0 } else { tail(middle - d) };
                if later > 1.0 - q {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let answer = "mixture(0.95, exponential(10), 0.05, 100 + exponential(10))";
            let found = value(&format!("quantile(min({answer}, {d} + {answer}), {q})"));
            assert!(
                is_near(found, high, 1e-5),
                "d = {d}, q = {q}: {found}, not {high}"
            );
        }
    }
}

#[test]
fn named_laws_and_rules_are_right_in_both_tails() {
    let equations = oracles::VALUES.iter().enumerate();
    let text: String = equations
        .map(|(n, (expression, _))| format!("numeric f{n} = {expression}\n"))
        .collect();
    let found = values(&text, &[]);
    assert_eq!(found.len(), oracles::VALUES.len());
    for ((_, found), (expression, expected)) in found.iter().zip(oracles::VALUES) {
        assert!(
            is_near(*found, *expected, 1e-9),
            "{expression}: {found}, not {expected}"
        );
    }
}

/// `1 - (1 - x)^n` for a small x and a great n, by mpmath's `expm1` and `log1p`.
#[test]
fn tails_of_many_copies_keep_their_digits() {
    let model = "numeric parameter n : integer >= 1\nnumeric parameter t : >= 0\n\
        numeric f = prob(max (i = 1, n) { exponential(1) } > t)\n\
        numeric g = prob(max (i = 1, n) { exponential(1) } <= t)\n\
        numeric h = prob(min (i = 1, n) { weibull(2, 1) } <= t)\n\
        numeric k = quantile(max (i = 1, n) { exponential(1) }, 0.999999)\n";
    for (n, t, expected) in [
        (
            "1000000000000",
            "30",
            [
                0.0893314052030225,
                0.9106685947969775,
                1.0,
                41.446531173892614,
            ],
        ),
        (
            "64",
            "200",
            [8.856_937_771_115_12e-86, 1.0, 1.0, 17.974_393_149_136_24],
        ),
        (
            "64",
            "60",
            [5.604166888125773e-25, 1.0, 1.0, 17.974_393_149_136_24],
        ),
        (
            "1000000000000000",
            "1e-10",
            [1.0, 0.0, 9.999_950_000_166_666e-6, 48.354_286_452_874_75],
        ),
    ] {
        let found = values(model, &[("n", n.to_owned()), ("t", t.to_owned())]);
        for ((name, found), expected) in found.iter().zip(expected) {
            let near = (found - expected).abs() <= 1e-13 * expected.abs() + 1e-300;
            assert!(
                near,
                "{name} is {found}, not {expected}, at n = {n}, t = {t}"
            );
        }
    }
}

/// Values with their weights in sixteenths, which add up to 16.
fn some_atoms(random: &mut Pcg64) -> Vec<(i64, i64)> {
    let mut left = 16;
    let mut atoms = Vec::new();
    while left > 0 {
        let weight = match random.random_range(0..3) {
            0 => left,
            _ => random.random_range(1..=left),
        };
        // Equal values, 0, 1 and negative ones are common.
        let value = [0, 1, -1, 2, 0, 5, -3][random.random_range(0..7)];
        atoms.push((value, weight));
        left -= weight;
    }
    atoms
}

fn mixture(atoms: &[(i64, i64)]) -> String {
    let parts: Vec<String> = atoms
        .iter()
        .map(|(x, w)| format!("{w} / 16, {x}"))
        .collect();
    format!("mixture({})", parts.join(", "))
}

/// All values of two independent laws, with weights in 256ths.
fn pairs(a: &[(i64, i64)], b: &[(i64, i64)], of: fn(i64, i64) -> i64) -> Vec<(i64, i64)> {
    let all = a
        .iter()
        .flat_map(|x| b.iter().map(move |y| (of(x.0, y.0), x.1 * y.1)));
    all.collect()
}

fn weight(atoms: &[(i64, i64)], holds: impl Fn(i64) -> bool) -> i64 {
    let kept = atoms.iter().filter(|(value, _)| holds(*value));
    kept.map(|(_, weight)| weight).sum()
}

type Combine = fn(i64, i64) -> i64;

#[test]
fn atoms_strictness_and_levels_at_weights_are_those_of_enumeration() {
    let mut random = Pcg64::seed_from_u64(1);
    for _ in 0..60 {
        let (a, b) = (some_atoms(&mut random), some_atoms(&mut random));
        let (x, y) = (mixture(&a), mixture(&b));
        let of: [(String, Combine); 4] = [
            (format!("{x} + {y}"), |x, y| x + y),
            (format!("2 * {x} - {y}"), |x, y| 2 * x - y),
            (format!("max({x}, {y})"), i64::max),
            (format!("min({x}, {y})"), i64::min),
        ];
        for (law, combine) in of {
            let atoms = pairs(&a, &b, combine);
            let t = random.random_range(-4..=4_i64);
            let q = random.random_range(1..=255_i64);
            let text = format!(
                "numeric f0 = prob({law} < {t})\nnumeric f1 = prob({law} <= {t})\nnumeric f2 = prob({law} > {t})\n\
                 numeric f3 = prob({t} <= {law})\nnumeric f4 = quantile({law}, {q} / 256)\n"
            );
            let found: Vec<f64> = values(&text, &[])
                .into_iter()
                .map(|(_, value)| value)
                .collect();
            let least = atoms.iter().map(|(value, _)| *value);
            let quantile = least.filter(|x| weight(&atoms, |y| y <= *x) >= q).min();
            let expected = [
                weight(&atoms, |x| x < t) as f64 / 256.0,
                weight(&atoms, |x| x <= t) as f64 / 256.0,
                weight(&atoms, |x| x > t) as f64 / 256.0,
                weight(&atoms, |x| x >= t) as f64 / 256.0,
                quantile.expect("a value reaches the level") as f64,
            ];
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (found - expected).abs() <= 1e-12,
                    "{text}: {found}, not {expected}"
                );
            }
            let two = format!("numeric f0 = prob({x} < {y})\nnumeric f1 = prob({x} >= {y})\n");
            let found = values(&two, &[]);
            let below = pairs(&a, &b, |x, y| i64::from(x < y));
            let below = weight(&below, |holds| holds == 1) as f64 / 256.0;
            assert!((found[0].1 - below).abs() <= 1e-12, "{two}: {}", found[0].1);
            assert!(
                (found[1].1 - (1.0 - below)).abs() <= 1e-12,
                "{two}: {}",
                found[1].1
            );
        }
    }
}

/// At the weight of a mixture, the quantile is the least value that has it.
#[test]
fn the_quantile_at_the_weight_of_a_mixture_is_the_end_of_its_part() {
    for (law, q, expected) in [
        ("mixture(0.3, 1, 0.7, 2 + exponential(1))", "0.3", 1.0),
        (
            "mixture(0.1, 1, 0.2, 2, 0.7, 5 + exponential(1))",
            "0.3",
            2.0,
        ),
        (
            "mixture(0.1, 1, 0.2, 2, 0.7, 5 + exponential(1))",
            "0.1",
            1.0,
        ),
        (
            "mixture(0.3, uniform(0, 1), 0.7, 2 + exponential(1))",
            "0.3",
            1.0,
        ),
        ("mixture(0.7, 2 + exponential(1), 0.3, 0)", "0.3", 0.0),
        ("if (bernoulli(0.3)) 0 else 1 + uniform(0, 1)", "3/10", 0.0),
    ] {
        let found = value(&format!("quantile({law}, {q})"));
        assert!((found - expected).abs() <= 1e-12, "{law} at {q}: {found}");
    }
    for (law, expected) in [
        (
            "mixture(0.3, 1, 0.7, 2 + exponential(1))",
            [0.0, 0.3, 0.7, 1.0],
        ),
        ("mixture(0.3, 1, 0.7, exponential(1))", {
            let below = 0.7 * -(-1.0_f64).exp_m1();
            [below, 0.3 + below, 0.7 - below, 1.0 - below]
        }),
    ] {
        for (relation, expected) in ["<", "<=", ">", ">="].iter().zip(expected) {
            let found = value(&format!("prob({law} {relation} 1)"));
            assert!(
                (found - expected).abs() <= 1e-9,
                "{law} {relation} 1: {found}"
            );
        }
    }
}

/// Closed forms against the definition, at random points and at boundaries.
#[test]
fn closed_forms_equal_the_definition() {
    let laws = [
        "exponential(m)",
        "2 * a + 3 * weibull(1 + a, m)",
        "max (i = 1, n) { exponential(m) }",
        "min (i = 1, n) { weibull(2, m) }",
        "kth (2 of i = 1, n + 1) { uniform(a, a + m) }",
        "mixture(1/3, 0, 2/3, a + exponential(m))",
        "if (bernoulli(1/4)) a else a + pareto(3, m)",
        "if (a < 1) exponential(m) else uniform(0, a)",
        "sum (i = 1, n) { exponential(m) }",
        "geometric(1 / (1 + m))",
        "max(exponential(m), pareto(2, 1), a)",
        "min(exponential(m), uniform(0, 3), 2)",
        "truncated(exponential(m), 1, 3)",
        "exponential(m) - exponential(1)",
    ];
    let mut random = Pcg64::seed_from_u64(2);
    for law in laws {
        let model = format!(
            "numeric parameter n : integer >= 1\nnumeric parameter a : >= 0\nnumeric parameter m : > 0\n\
             numeric parameter q : > 0 < 1\nnumeric parameter t\nnumeric f = quantile({law}, q)\n\
             numeric g = prob(({law}) <= t)\nnumeric h = prob(({law}) > t)\nnumeric k = prob(({law}) < t)\n"
        );
        for _ in 0..6 {
            let one = |list: &[&str], random: &mut Pcg64| {
                list[random.random_range(0..list.len())].to_owned()
            };
            let point = [
                ("n", one(&["1", "2", "3"], &mut random)),
                ("a", one(&["0", "1", "1/2", "2"], &mut random)),
                ("m", one(&["1", "3", "1/3"], &mut random)),
                ("q", one(&["1/3", "1/2", "9/10", "1/100"], &mut random)),
                (
                    "t",
                    one(&["-1", "0", "1", "2", "5/2", "3", "7"], &mut random),
                ),
            ];
            let found = values(&model, &point);
            let checked = read("a law", &model);
            let bindings: Bindings = point
                .iter()
                .map(|(name, text)| {
                    let defined = read("a number", &format!("numeric x = {text}\n"));
                    let nothing = Bindings::new();
                    let mut evaluator = Evaluator::new(&defined, &nothing, Limits::default());
                    (
                        (*name).to_owned(),
                        evaluator.equation("x").expect("a number"),
                    )
                })
                .collect();
            let mut evaluator = Evaluator::new(&checked, &bindings, Limits::default());
            for (name, found) in found.iter().filter(|(name, _)| name.len() == 1) {
                let Ok(Defined::Scalar(number)) = evaluator.equation(name) else {
                    panic!("{law}: {name} has no value by the definition at {point:?}");
                };
                let expected = number.to_f64();
                // Sums and order statistics by grids are right to some 1e-6.
                let near = (found - expected).abs() <= 2e-5 * (1.0 + expected.abs());
                assert!(
                    near,
                    "{law}: {name} is {found}, not {expected}, at {point:?}"
                );
            }
        }
    }
}
